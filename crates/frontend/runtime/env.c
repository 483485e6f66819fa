/* The environment: what the user gave, what the program set, and for every other name an open answer.
 *
 * The variables that there are for sure stand in a list as POSIX has it ("NAME=value", ended by NULL), which is the
 * program's `environ` if it has one (environ.c). Unless the user closed the environment, a name that is not in the list
 * is asked for once: it is absent, or a text of any content up to a length. The answers are kept in a list of their own,
 * which several threads may ask at the same time; changes of the environment are not guarded, as POSIX allows.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <stdlib.h>
#include <string.h>

/* Provided by the engine. */
char **__selvedge_environment(void);                                          /* the variables the user gave */
size_t __selvedge_variable_length(void);                                      /* of open ones; 0: there are none */
/* Fills a block with a byte "it is there", which it gives, and a text, which alone may be used from then on. */
char __selvedge_variable(void *answer, size_t size, const char *name);
void *__selvedge_keep(size_t size);                                           /* memory that is no leak, zeroed */
void selvedge_atomic_begin(void);
void selvedge_atomic_end(void);

struct answer {
    struct answer *next;
    const char *name;
    char is_there;
    /* A block of its own, which ends where the longest text does. */
    char *value;
};

static char **own_list, ***list = &own_list;
static struct answer *answers;
static int is_cleared;

__attribute__((constructor(101))) static void begin(void) { own_list = __selvedge_environment(); }

/* The program has a variable `environ`, which is the list from now on. */
void __selvedge_environ(char ***variable)
{
    *variable = own_list;
    list = variable;
}

static size_t length(const char *text)
{
    size_t n = 0;
    while (text[n])
        n++;
    return n;
}

static int is_same(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return 0;
    return 1;
}

/* The place in the list of the variable whose name has `n` bytes; NULL if it is not there. */
static char **place_of(const char *name, size_t n)
{
    for (char **at = *list; at && *at; at++)
        if (is_same(*at, name, n) && (*at)[n] == '=')
            return at;
    return NULL;
}

static struct answer *answer_to(const char *name, size_t n)
{
    struct answer *a = __atomic_load_n(&answers, __ATOMIC_ACQUIRE);
    while (a && !(is_same(a->name, name, n) && !a->name[n]))
        a = a->next;
    return a;
}

static struct answer *add_answer(const char *name, size_t n, size_t size)
{
    struct answer *a = __selvedge_keep(sizeof *a);
    char *copy = __selvedge_keep(n + 1);
    memcpy(copy, name, n);
    a->name = copy;
    a->is_there = 0;
    a->value = __selvedge_keep(1 + size + 1);
    a->next = __atomic_load_n(&answers, __ATOMIC_ACQUIRE);
    return a;
}

static char *open_value(const char *name, size_t n)
{
    size_t size = __selvedge_variable_length();
    if (size == 0 || is_cleared)
        return NULL;
    struct answer *a = answer_to(name, n);
    if (!a) {
        selvedge_atomic_begin();
        a = answer_to(name, n);
        if (!a) {
            a = add_answer(name, n, size);
            a->is_there = __selvedge_variable(a->value, 1 + size, a->name);
            __atomic_store_n(&answers, a, __ATOMIC_RELEASE);
        }
        selvedge_atomic_end();
    }
    return a->is_there ? a->value + 1 : NULL;
}

static char *value_of(const char *name)
{
    size_t n = length(name);
    char **at = place_of(name, n);
    if (at)
        return *at + n + 1;
    /* No variable has such a name. */
    for (size_t i = 0; i < n; i++)
        if (name[i] == '=')
            return NULL;
    return n > 0 ? open_value(name, n) : NULL;
}

/* For the run-time itself: the program may have its own `getenv`. */
WEAK char *__selvedge_getenv(const char *name) { return value_of(name); }

WEAK char *getenv(const char *name) { return value_of(name); }
WEAK char *secure_getenv(const char *name) { return value_of(name); }
WEAK char *__secure_getenv(const char *name) { return value_of(name); }

/* The variable changes. A text that `getenv` gave for it stays, as in glibc; POSIX lets it be overwritten. Who asked for
 * those in the list is not known. */
static void note_change(const char *name, size_t n)
{
    if (place_of(name, n)) {
        __selvedge_assumed("library.getenv-kept");
        return;
    }
    const struct answer *a = is_cleared ? NULL : answer_to(name, n);
    if (a && a->is_there)
        __selvedge_assumed("library.getenv-kept");
}

/* From now on the name is absent, unless it is in the list. */
static void forget(const char *name, size_t n)
{
    if (__selvedge_variable_length() == 0 || is_cleared)
        return;
    struct answer *a = add_answer(name, n, 0);
    __atomic_store_n(&answers, a, __ATOMIC_RELEASE);
}

static void enter(char *entry, const char *name, size_t n)
{
    note_change(name, n);
    char **at = place_of(name, n);
    if (at) {
        *at = entry;
        return;
    }
    size_t count = 0;
    for (char **old = *list; old && *old; old++)
        count++;
    char **longer = __selvedge_keep((count + 2) * sizeof *longer);
    for (size_t i = 0; i < count; i++)
        longer[i] = (*list)[i];
    longer[count] = entry;
    longer[count + 1] = NULL;
    *list = longer;
}

static void take_out(const char *name, size_t n)
{
    note_change(name, n);
    char **at;
    while ((at = place_of(name, n)))
        do
            at[0] = at[1];
        while (*at++);
    forget(name, n);
}

static int is_name(const char *name)
{
    if (!name || !*name)
        return 0;
    for (; *name; name++)
        if (*name == '=')
            return 0;
    return 1;
}

static int refuse(void)
{
    errno = EINVAL;
    return -1;
}

/* The list, and what is new in it, are blocks of the library's own. */
static int lacks_memory(void)
{
    if (__selvedge_may_fail("memory", 1) == 0)
        return 0;
    errno = ENOMEM;
    return 1;
}

WEAK int setenv(const char *name, const char *value, int overwrite)
{
    if (!is_name(name))
        return refuse();
    if (!overwrite && value_of(name))
        return 0;
    size_t n = length(name), m = length(value);
    if (lacks_memory())
        return -1;
    char *entry = __selvedge_keep(n + m + 2);
    memcpy(entry, name, n);
    entry[n] = '=';
    memcpy(entry + n + 1, value, m);
    entry[n + 1 + m] = 0;
    enter(entry, name, n);
    return 0;
}

WEAK int unsetenv(const char *name)
{
    if (!is_name(name))
        return refuse();
    take_out(name, length(name));
    return 0;
}

/* The text itself becomes part of the environment; one without a value takes the variable out, as in glibc. */
WEAK int putenv(char *text)
{
    size_t n = 0;
    while (text[n] && text[n] != '=')
        n++;
    if (!text[n])
        take_out(text, n);
    else if (place_of(text, n) || !lacks_memory())
        enter(text, text, n);
    else
        return -1;
    return 0;
}

WEAK int clearenv(void)
{
    int had_some = *list && **list;
    for (const struct answer *a = answers; a && !is_cleared; a = a->next)
        had_some |= a->is_there != 0;
    if (had_some)
        __selvedge_assumed("library.getenv-kept");
    *list = NULL;
    is_cleared = 1;
    return 0;
}
