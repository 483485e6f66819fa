/* The exceptions of the C++ library: their classes with the names, layouts and tables of libstdc++, and the functions by
 * which templates of the library throw them.
 *
 * A std::logic_error or std::runtime_error is its table and a text; their classes share one implementation here, and
 * each has its own copy of the text. Those with an error number are in stderror.c.
 */
#include "runtime.h"
#include "types.h"

#include <stdlib.h>
#include <string.h>

/* --- std::exception and those without a text of their own --- */

struct plain {
    const void *const *table;
};

static void destroy_plain(struct plain *e) { (void)e; }

/* A class, its destructors, what() and table; a base at its start, if any. */
#define PLAIN(name, text, kind_table, ...)                                                                             \
    WEAK void _ZNSt##name##D1Ev(struct plain *e) { (void)e; }                                                          \
    WEAK void _ZNSt##name##D2Ev(struct plain *e) { (void)e; }                                                          \
    WEAK void _ZNSt##name##D0Ev(struct plain *e) { _ZdlPv(e); }                                                          \
    WEAK const char *_ZNKSt##name##4whatEv(const struct plain *e)                                                      \
    {                                                                                                                  \
        (void)e;                                                                                                       \
        return text;                                                                                                   \
    }                                                                                                                  \
    WEAK const struct class_type _ZTISt##name = {{kind_table + 2, "St" #name}, __VA_ARGS__};                           \
    WEAK const void *const _ZTVSt##name[5] = {0, &_ZTISt##name, (void *)_ZNSt##name##D1Ev, (void *)_ZNSt##name##D0Ev,  \
                                              (void *)_ZNKSt##name##4whatEv};

#define ROOT _ZTVN10__cxxabiv117__class_type_infoE
#define DERIVED _ZTVN10__cxxabiv120__si_class_type_infoE

PLAIN(9exception, "std::exception", ROOT, NULL)
PLAIN(9bad_alloc, "std::bad_alloc", DERIVED, &_ZTISt9exception.type)
PLAIN(20bad_array_new_length, "std::bad_array_new_length", DERIVED, &_ZTISt9bad_alloc.type)
PLAIN(8bad_cast, "std::bad_cast", DERIVED, &_ZTISt9exception.type)
PLAIN(10bad_typeid, "std::bad_typeid", DERIVED, &_ZTISt9exception.type)
PLAIN(13bad_exception, "std::bad_exception", DERIVED, &_ZTISt9exception.type)
PLAIN(12bad_weak_ptr, "bad_weak_ptr", DERIVED, &_ZTISt9exception.type)
PLAIN(17bad_function_call, "bad_function_call", DERIVED, &_ZTISt9exception.type)

static void throw_plain(const struct class_type *type, const void *const *table)
{
    struct plain *e = __cxa_allocate_exception(sizeof *e);
    e->table = table + 2;
    __cxa_throw(e, &type->type, (void (*)(void *))destroy_plain);
}

WEAK void _ZSt17__throw_bad_allocv(void) { throw_plain(&_ZTISt9bad_alloc, _ZTVSt9bad_alloc); }
WEAK void _ZSt28__throw_bad_array_new_lengthv(void)
{
    throw_plain(&_ZTISt20bad_array_new_length, _ZTVSt20bad_array_new_length);
}
WEAK void __cxa_throw_bad_array_new_length(void)
{
    throw_plain(&_ZTISt20bad_array_new_length, _ZTVSt20bad_array_new_length);
}
WEAK void _ZSt16__throw_bad_castv(void) { throw_plain(&_ZTISt8bad_cast, _ZTVSt8bad_cast); }
WEAK void __cxa_bad_cast(void) { throw_plain(&_ZTISt8bad_cast, _ZTVSt8bad_cast); }
WEAK void _ZSt18__throw_bad_typeidv(void) { throw_plain(&_ZTISt10bad_typeid, _ZTVSt10bad_typeid); }
WEAK void __cxa_bad_typeid(void) { throw_plain(&_ZTISt10bad_typeid, _ZTVSt10bad_typeid); }
WEAK void _ZSt21__throw_bad_exceptionv(void) { throw_plain(&_ZTISt13bad_exception, _ZTVSt13bad_exception); }
WEAK void _ZSt25__throw_bad_function_callv(void)
{
    throw_plain(&_ZTISt17bad_function_call, _ZTVSt17bad_function_call);
}

/* --- those with a text --- */

struct texted {
    const void *const *table;
    char *text;
};

/* std::string, as far as its text goes. */
struct string {
    const char *text;
    size_t length;
};

static char *copy(const char *text, size_t length)
{
    char *new = malloc(length + 1);
    if (!new)
        __selvedge_unsupported("no memory for the text of an exception");
    memcpy(new, text, length);
    new[length] = 0;
    return new;
}

static size_t length_of(const char *text)
{
    size_t n = 0;
    while (text[n])
        n++;
    return n;
}

static void make(struct texted *e, const void *const *table, const char *text)
{
    e->table = table + 2;
    e->text = copy(text, length_of(text));
}

static void make_of_string(struct texted *e, const void *const *table, const struct string *text)
{
    e->table = table + 2;
    e->text = copy(text->text, text->length);
}

static void assign(struct texted *to, const struct texted *from)
{
    char *old = to->text;
    to->text = copy(from->text, length_of(from->text));
    free(old);
}

static void destroy(struct texted *e) { free(e->text); }
static void throw_texted(const struct class_type *type, const void *const *table, const char *text)
{
    struct texted *e = __cxa_allocate_exception(sizeof *e);
    make(e, table, text);
    __cxa_throw(e, &type->type, (void (*)(void *))destroy);
}

#define STRING ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE
#define JOIN(a, b) JOIN_(a, b)
#define JOIN_(a, b) a##b
#define TABLE_OF(name) _ZTVSt##name

#define TEXTED(name, base, what)                                                                                       \
    extern const void *const _ZTVSt##name[5];                                                                          \
    WEAK void _ZNSt##name##C1EPKc(struct texted *e, const char *text) { make(e, TABLE_OF(name), text); }               \
    WEAK void _ZNSt##name##C2EPKc(struct texted *e, const char *text) { make(e, TABLE_OF(name), text); }               \
    WEAK void JOIN(_ZNSt##name##C1, STRING)(struct texted *e, const struct string *text)                               \
    {                                                                                                                  \
        make_of_string(e, TABLE_OF(name), text);                                                                       \
    }                                                                                                                  \
    WEAK void JOIN(_ZNSt##name##C2, STRING)(struct texted *e, const struct string *text)                               \
    {                                                                                                                  \
        make_of_string(e, TABLE_OF(name), text);                                                                       \
    }                                                                                                                  \
    WEAK void _ZNSt##name##D1Ev(struct texted *e) { destroy(e); }                                                      \
    WEAK void _ZNSt##name##D2Ev(struct texted *e) { destroy(e); }                                                      \
    WEAK void _ZNSt##name##D0Ev(struct texted *e)                                                                      \
    {                                                                                                                  \
        destroy(e);                                                                                                    \
        _ZdlPv(e);                                                                                                       \
    }                                                                                                                  \
    WEAK const struct class_type _ZTISt##name = {{DERIVED + 2, "St" #name}, &_ZTISt##base.type};                       \
    WEAK const void *const _ZTVSt##name[5] = {0, &_ZTISt##name, (void *)_ZNSt##name##D1Ev, (void *)_ZNSt##name##D0Ev,  \
                                              (void *)what};

/* The two classes that the others are derived from; only these have copies of their own. */
#define TEXTED_BASE(name)                                                                                              \
    WEAK const char *_ZNKSt##name##4whatEv(const struct texted *e) { return e->text; }                                 \
    TEXTED(name, 9exception, _ZNKSt##name##4whatEv)                                                                    \
    WEAK void _ZNSt##name##C1ERKS_(struct texted *e, const struct texted *from) { make(e, TABLE_OF(name), from->text); } \
    WEAK void _ZNSt##name##C2ERKS_(struct texted *e, const struct texted *from) { make(e, TABLE_OF(name), from->text); } \
    WEAK void _ZNSt##name##C1EOS_(struct texted *e, const struct texted *from) { make(e, TABLE_OF(name), from->text); } \
    WEAK void _ZNSt##name##C2EOS_(struct texted *e, const struct texted *from) { make(e, TABLE_OF(name), from->text); } \
    WEAK struct texted *_ZNSt##name##aSERKS_(struct texted *e, const struct texted *from)                              \
    {                                                                                                                  \
        assign(e, from);                                                                                               \
        return e;                                                                                                      \
    }                                                                                                                  \
    WEAK struct texted *_ZNSt##name##aSEOS_(struct texted *e, const struct texted *from)                               \
    {                                                                                                                  \
        assign(e, from);                                                                                               \
        return e;                                                                                                      \
    }

TEXTED_BASE(11logic_error)
TEXTED_BASE(13runtime_error)
TEXTED(12domain_error, 11logic_error, _ZNKSt11logic_error4whatEv)
TEXTED(16invalid_argument, 11logic_error, _ZNKSt11logic_error4whatEv)
TEXTED(12length_error, 11logic_error, _ZNKSt11logic_error4whatEv)
TEXTED(12out_of_range, 11logic_error, _ZNKSt11logic_error4whatEv)
TEXTED(11range_error, 13runtime_error, _ZNKSt13runtime_error4whatEv)
TEXTED(14overflow_error, 13runtime_error, _ZNKSt13runtime_error4whatEv)
TEXTED(15underflow_error, 13runtime_error, _ZNKSt13runtime_error4whatEv)

#define THROWS(name) throw_texted(&_ZTISt##name, _ZTVSt##name, text)
WEAK void _ZSt19__throw_logic_errorPKc(const char *text) { THROWS(11logic_error); }
WEAK void _ZSt20__throw_domain_errorPKc(const char *text) { THROWS(12domain_error); }
WEAK void _ZSt24__throw_invalid_argumentPKc(const char *text) { THROWS(16invalid_argument); }
WEAK void _ZSt20__throw_length_errorPKc(const char *text) { THROWS(12length_error); }
WEAK void _ZSt20__throw_out_of_rangePKc(const char *text) { THROWS(12out_of_range); }
WEAK void _ZSt21__throw_runtime_errorPKc(const char *text) { THROWS(13runtime_error); }
WEAK void _ZSt19__throw_range_errorPKc(const char *text) { THROWS(11range_error); }
WEAK void _ZSt22__throw_overflow_errorPKc(const char *text) { THROWS(14overflow_error); }
WEAK void _ZSt23__throw_underflow_errorPKc(const char *text) { THROWS(15underflow_error); }

WEAK void _ZSt24__throw_out_of_range_fmtPKcz(const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    __selvedge_format(text, sizeof text, format, args);
    va_end(args);
    THROWS(12out_of_range);
}
