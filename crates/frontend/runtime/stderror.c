/* Error numbers of C++: their categories, and the exceptions that carry one, std::system_error and std::future_error.
 * Names, layouts and tables are those of libstdc++.
 */
#include "runtime.h"
#include "types.h"

#include <stdlib.h>
#include <string.h>

/* --- std::error_category --- */

struct category {
    const void *const *table;
};

/* std::error_code and std::error_condition. */
struct code {
    int number;
    const struct category *category;
};

/* std::string. */
struct string {
    char *text;
    size_t length;
    union {
        char here[16];
        size_t capacity;
    };
};

static void make_string(struct string *string, const char *text)
{
    size_t n = 0;
    while (text[n])
        n++;
    string->text = string->here;
    if (n >= sizeof string->here) {
        string->text = NEW(n + 1);
        string->capacity = n;
    }
    memcpy(string->text, text, n + 1);
    string->length = n;
}

WEAK void _ZNSt3_V214error_categoryD1Ev(struct category *category) { (void)category; }
WEAK void _ZNSt3_V214error_categoryD2Ev(struct category *category) { (void)category; }
WEAK void _ZNSt3_V214error_categoryD0Ev(struct category *category) { _ZdlPv(category); }
/* The text as a string of the old kind. */
WEAK void _ZNKSt3_V214error_category10_M_messageEi(void) { __selvedge_unsupported("a string of the old C++ ABI"); }

WEAK struct code _ZNKSt3_V214error_category23default_error_conditionEi(const struct category *category, int number)
{
    return (struct code){number, category};
}

WEAK _Bool _ZNKSt3_V214error_category10equivalentEiRKSt15error_condition(const struct category *category, int number,
                                                                        const struct code *condition)
{
    return condition->category == category && condition->number == number;
}

WEAK _Bool _ZNKSt3_V214error_category10equivalentERKSt10error_codei(const struct category *category,
                                                                   const struct code *code, int number)
{
    return code->category == category && code->number == number;
}

WEAK const struct type _ZTINSt3_V214error_categoryE = {_ZTVN10__cxxabiv117__class_type_infoE + 2,
                                                       "NSt3_V214error_categoryE"};

/* In the order of the class: name, text of the old and of the new kind, comparisons. */
#define CATEGORY_TABLE(type, name, message)                                                                            \
    {0, &type, (void *)_ZNSt3_V214error_categoryD1Ev, (void *)_ZNSt3_V214error_categoryD0Ev, (void *)name,             \
     (void *)_ZNKSt3_V214error_category10_M_messageEi, (void *)message,                                                \
     (void *)_ZNKSt3_V214error_category23default_error_conditionEi,                                                    \
     (void *)_ZNKSt3_V214error_category10equivalentEiRKSt15error_condition,                                            \
     (void *)_ZNKSt3_V214error_category10equivalentERKSt10error_codei}

void __cxa_pure_virtual(void);
WEAK const void *const _ZTVNSt3_V214error_categoryE[10] =
    CATEGORY_TABLE(_ZTINSt3_V214error_categoryE, __cxa_pure_virtual, __cxa_pure_virtual);

static const char *future_text(int number)
{
    switch (number) {
    case 1: return "Future already retrieved";
    case 2: return "Promise already satisfied";
    case 3: return "No associated state";
    case 4: return "Broken promise";
    default: return "Unknown error";
    }
}

/* A category of ours: its name, the function that makes a text of a number, and the function that gives it. */
#define CATEGORY(kind, word, text_of, getter)                                                                          \
    static const char *kind##_name(const struct category *category)                                                    \
    {                                                                                                                  \
        (void)category;                                                                                                \
        return word;                                                                                                   \
    }                                                                                                                  \
    static void kind##_message(struct string *result, const struct category *category, int number)                     \
    {                                                                                                                  \
        (void)category;                                                                                                \
        make_string(result, text_of(number));                                                                          \
    }                                                                                                                  \
    static const void *const kind##_table[10] =                                                                        \
        CATEGORY_TABLE(_ZTINSt3_V214error_categoryE, kind##_name, kind##_message);                                     \
    static const struct category kind = {kind##_table + 2};                                                            \
    WEAK const struct category *getter(void) { return &kind; }

CATEGORY(generic, "generic", __selvedge_error_text, _ZNSt3_V216generic_categoryEv)
CATEGORY(future, "future", future_text, _ZSt15future_categoryv)

/* The system's numbers are those of the generic category. */
static const char *system_name(const struct category *category)
{
    (void)category;
    return "system";
}
static struct code system_condition(const struct category *category, int number)
{
    (void)category;
    return (struct code){number, &generic};
}
static const void *const system_table[10] = {0,
                                             &_ZTINSt3_V214error_categoryE,
                                             (void *)_ZNSt3_V214error_categoryD1Ev,
                                             (void *)_ZNSt3_V214error_categoryD0Ev,
                                             (void *)system_name,
                                             (void *)_ZNKSt3_V214error_category10_M_messageEi,
                                             (void *)generic_message,
                                             (void *)system_condition,
                                             (void *)_ZNKSt3_V214error_category10equivalentEiRKSt15error_condition,
                                             (void *)_ZNKSt3_V214error_category10equivalentERKSt10error_codei};
static const struct category system_category = {system_table + 2};
WEAK const struct category *_ZNSt3_V215system_categoryEv(void) { return &system_category; }

/* --- exceptions with a number --- */

/* A std::logic_error or std::runtime_error: see stdexcept.c. */
struct texted {
    const void *const *table;
    char *text;
};

struct coded {
    struct texted base;
    struct code code;
};

void _ZNSt13runtime_errorC2EPKc(struct texted *e, const char *text);
void _ZNSt13runtime_errorD2Ev(struct texted *e);
const char *_ZNKSt13runtime_error4whatEv(const struct texted *e);
void _ZNSt11logic_errorC2EPKc(struct texted *e, const char *text);
void _ZNSt11logic_errorD2Ev(struct texted *e);
const char *_ZNKSt11logic_error4whatEv(const struct texted *e);
extern const struct class_type _ZTISt13runtime_error, _ZTISt11logic_error;

#define CODED(name, base_name, what)                                                                                   \
    WEAK void _ZNSt##name##D1Ev(struct coded *e) { _ZNSt##base_name##D2Ev(&e->base); }                                 \
    WEAK void _ZNSt##name##D2Ev(struct coded *e) { _ZNSt##base_name##D2Ev(&e->base); }                                 \
    WEAK void _ZNSt##name##D0Ev(struct coded *e)                                                                       \
    {                                                                                                                  \
        _ZNSt##base_name##D2Ev(&e->base);                                                                              \
        _ZdlPv(e);                                                                                                       \
    }                                                                                                                  \
    WEAK const struct class_type _ZTISt##name = {{_ZTVN10__cxxabiv120__si_class_type_infoE + 2, "St" #name},           \
                                                 &_ZTISt##base_name.type};                                             \
    WEAK const void *const _ZTVSt##name[5] = {0, &_ZTISt##name, (void *)_ZNSt##name##D1Ev, (void *)_ZNSt##name##D0Ev,  \
                                              (void *)what};

WEAK const char *_ZNKSt12future_error4whatEv(const struct coded *e) { return e->base.text; }
CODED(12system_error, 13runtime_error, _ZNKSt13runtime_error4whatEv)
CODED(12future_error, 11logic_error, _ZNKSt12future_error4whatEv)

WEAK void _ZSt20__throw_system_errori(int number)
{
    struct coded *e = __cxa_allocate_exception(sizeof *e);
    _ZNSt13runtime_errorC2EPKc(&e->base, __selvedge_error_text(number));
    e->base.table = _ZTVSt12system_error + 2;
    e->code = (struct code){number, &generic};
    __cxa_throw(e, &_ZTISt12system_error.type, (void (*)(void *))_ZNSt12system_errorD1Ev);
}

static size_t append(char *text, size_t at, const char *more)
{
    for (size_t i = 0; (text[at] = more[i]); i++)
        at++;
    return at;
}

WEAK void _ZSt20__throw_future_errori(int number)
{
    struct coded *e = __cxa_allocate_exception(sizeof *e);
    char text[64];
    append(text, append(text, 0, "std::future_error: "), future_text(number));
    _ZNSt11logic_errorC2EPKc(&e->base, text);
    e->base.table = _ZTVSt12future_error + 2;
    e->code = (struct code){number, &future};
    __cxa_throw(e, &_ZTISt12future_error.type, (void (*)(void *))_ZNSt12future_errorD1Ev);
}
