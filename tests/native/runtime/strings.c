/* string.h and ctype.h. */
#include "check.h"

RT(strlen); RT(strnlen); RT(strcpy); RT(strncpy); RT(stpcpy); RT(stpncpy); RT(strcat); RT(strncat);
RT(strcmp); RT(strncmp); RT(strcasecmp); RT(strncasecmp); RT(strcoll); RT(strxfrm); RT(strspn); RT(strcspn);
RT(strtok_r); RT(strtok); RT(strsep); RT(strdup); RT(strndup); RT(memcmp); RT(bcmp); RT(memccpy); RT(mempcpy);
RT(memmem); RT(ffs); RT(strerror); RT(strerror_r);
int __xpg_strerror_r(int, char *, size_t), rt___xpg_strerror_r(int, char *, size_t);
char *rt_strchr(const char *, int), *rt_strrchr(const char *, int), *rt_strchrnul(const char *, int);
char *rt_index(const char *, int), *rt_rindex(const char *, int);
char *rt_strpbrk(const char *, const char *), *rt_strstr(const char *, const char *), *rt_strcasestr(const char *, const char *);
void *rt_memchr(const void *, int, size_t), *rt_memrchr(const void *, int, size_t), *rt_rawmemchr(const void *, int);
void *rt___selvedge_memcpy_loop(void *, const void *, size_t), *rt___selvedge_memmove_loop(void *, const void *, size_t);
void *rt___selvedge_memset_loop(void *, int, size_t);
size_t rt_strlcpy(char *, const char *, size_t), rt_strlcat(char *, const char *, size_t);

#define ALPHABET "abAB\xe1\xff ,;"

/* Two buffers that must stay equal, filled with the same noise. */
static char ours[64], theirs[64];

static void start(const char *text)
{
    for (size_t i = 0; i < sizeof ours; i++)
        ours[i] = theirs[i] = (char)random_bits();
    strcpy(ours, text);
    strcpy(theirs, text);
}

#define SAME_BUFFERS(...) CHECK(memcmp(ours, theirs, sizeof ours) == 0, __VA_ARGS__)

static void check_searching(const char *a, const char *b, size_t n)
{
    int c = b[0] ? b[0] : below(2) ? 0 : 'q';
    CHECK(rt_strlen(a) == strlen(a), "%s", a);
    CHECK(rt_strnlen(a, n) == strnlen(a, n), "%s %zu", a, n);
    CHECK(sign(rt_strcmp(a, b)) == sign(strcmp(a, b)), "%s %s", a, b);
    CHECK(sign(rt_strncmp(a, b, n)) == sign(strncmp(a, b, n)), "%s %s %zu", a, b, n);
    CHECK(sign(rt_strcoll(a, b)) == sign(strcoll(a, b)), "%s %s", a, b);
    CHECK(sign(rt_strcasecmp(a, b)) == sign(strcasecmp(a, b)), "%s %s", a, b);
    CHECK(sign(rt_strncasecmp(a, b, n)) == sign(strncasecmp(a, b, n)), "%s %s %zu", a, b, n);
    CHECK(rt_strspn(a, b) == strspn(a, b), "%s %s", a, b);
    CHECK(rt_strcspn(a, b) == strcspn(a, b), "%s %s", a, b);
    CHECK(rt_strpbrk(a, b) == strpbrk(a, b), "%s %s", a, b);
    CHECK(rt_strstr(a, b) == strstr(a, b), "%s %s", a, b);
    CHECK(rt_strcasestr(a, b) == strcasestr(a, b), "%s %s", a, b);
    CHECK(rt_strchr(a, c) == strchr(a, c), "%s %d", a, c);
    CHECK(rt_strchrnul(a, c) == strchrnul(a, c), "%s %d", a, c);
    CHECK(rt_strrchr(a, c) == strrchr(a, c), "%s %d", a, c);
    CHECK(rt_index(a, c) == strchr(a, c), "%s %d", a, c);
    CHECK(rt_rindex(a, c) == strrchr(a, c), "%s %d", a, c);
    size_t size = strlen(a) + 1;
    CHECK(rt_memchr(a, c, size) == memchr(a, c, size), "%s %d", a, c);
    CHECK(rt_memrchr(a, c, size) == memrchr(a, c, size), "%s %d", a, c);
    CHECK(rt_rawmemchr(a, a[size / 2]) == rawmemchr(a, a[size / 2]), "%s", a);
    CHECK(rt_memmem(a, size - 1, b, strlen(b)) == memmem(a, size - 1, b, strlen(b)), "%s %s", a, b);
    size_t common = size < strlen(b) ? size : strlen(b);
    CHECK(sign(rt_memcmp(a, b, common)) == sign(memcmp(a, b, common)), "%s %s", a, b);
    CHECK(!rt_bcmp(a, b, common) == !memcmp(a, b, common), "%s %s", a, b);
}

static void check_copying(const char *a, const char *b, size_t n)
{
    start(a);
    CHECK(rt_strcpy(ours, b) - ours == strcpy(theirs, b) - theirs, "%s", b);
    SAME_BUFFERS("strcpy %s", b);
    start(a);
    CHECK(rt_stpcpy(ours, b) - ours == stpcpy(theirs, b) - theirs, "%s", b);
    SAME_BUFFERS("stpcpy %s", b);
    start(a);
    CHECK(rt_strncpy(ours, b, n) - ours == strncpy(theirs, b, n) - theirs, "%s", b);
    SAME_BUFFERS("strncpy %s %zu", b, n);
    start(a);
    CHECK(rt_stpncpy(ours, b, n) - ours == stpncpy(theirs, b, n) - theirs, "%s", b);
    SAME_BUFFERS("stpncpy %s %zu", b, n);
    start(a);
    CHECK(rt_strcat(ours, b) - ours == strcat(theirs, b) - theirs, "%s", b);
    SAME_BUFFERS("strcat %s %s", a, b);
    start(a);
    CHECK(rt_strncat(ours, b, n) - ours == strncat(theirs, b, n) - theirs, "%s", b);
    SAME_BUFFERS("strncat %s %s %zu", a, b, n);
    start(a);
    CHECK(rt_strxfrm(ours, b, n) == strxfrm(theirs, b, n), "%s %zu", b, n);
    if (strlen(b) < n)
        CHECK(strcmp(ours, theirs) == 0, "strxfrm %s %zu", b, n);
    start(a);
    void *p = rt_memccpy(ours, b, 'a', strlen(b)), *q = memccpy(theirs, b, 'a', strlen(b));
    CHECK(p ? (char *)p - ours == (char *)q - theirs : !q, "memccpy %s", b);
    SAME_BUFFERS("memccpy %s", b);
    start(a);
    CHECK((char *)rt_mempcpy(ours, b, strlen(b)) - ours == (char *)mempcpy(theirs, b, strlen(b)) - theirs, "%s", b);
    SAME_BUFFERS("mempcpy %s", b);
    start(a);
    rt___selvedge_memcpy_loop(ours, b, strlen(b));
    memcpy(theirs, b, strlen(b));
    rt___selvedge_memset_loop(ours + 40, n ? b[0] : 300, n);
    memset(theirs + 40, n ? b[0] : 300, n);
    size_t from = below(20), to = below(20);
    rt___selvedge_memmove_loop(ours + to, ours + from, n);
    memmove(theirs + to, theirs + from, n);
    SAME_BUFFERS("loops %zu", n);

    char *d = rt_strdup(b), *e = rt_strndup(b, n), *f = strndup(b, n);
    CHECK(strcmp(d, b) == 0 && strcmp(e, f) == 0, "strdup %s", b);
    free(d);
    free(e);
    free(f);

    /* The host may be too old to have strlcpy and strlcat: snprintf says the same. */
    start(a);
    CHECK(rt_strlcpy(ours, b, n) == (size_t)snprintf(theirs, n, "%s", b), "%s %zu", b, n);
    SAME_BUFFERS("strlcpy %s %zu", b, n);
    start(a);
    size_t used = strnlen(a, n);
    CHECK(rt_strlcat(ours, b, n) == used + (size_t)snprintf(theirs + used, n - used, "%s", b), "%s %s %zu", a, b, n);
    SAME_BUFFERS("strlcat %s %s %zu", a, b, n);
}

static void check_tokens(const char *a, const char *b)
{
    start(a);
    char *p = ours, *q = theirs, *rest_p = NULL, *rest_q = NULL;
    int use_static = (int)below(2);
    for (;;) {
        p = use_static ? rt_strtok(p, b) : rt_strtok_r(p, b, &rest_p);
        q = use_static ? strtok(q, b) : strtok_r(q, b, &rest_q);
        CHECK(p ? q && p - ours == q - theirs : !q, "strtok %s %s", a, b);
        SAME_BUFFERS("strtok %s %s", a, b);
        if (!p)
            break;
        p = q = NULL;
    }
    start(a);
    p = ours;
    q = theirs;
    while (p) {
        char *x = rt_strsep(&p, b), *y = strsep(&q, b);
        CHECK(x - ours == y - theirs && (p ? q && p - ours == q - theirs : !q), "strsep %s %s", a, b);
        SAME_BUFFERS("strsep %s %s", a, b);
    }
}

void check_strings(void)
{
    for (int i = 0; i < 20000; i++) {
        char a[24], b[24];
        random_text(a, below(12), ALPHABET);
        if (below(3) == 0)
            strcpy(b, a);
        else
            random_text(b, below(6), ALPHABET);
        if (below(4) == 0 && b[0])
            b[below((unsigned)strlen(b))] ^= 32;
        size_t n = below(14);
        check_searching(a, b, n);
        check_copying(a, b, n);
        check_tokens(a, b);
        int bits = (int)random_number();
        CHECK(rt_ffs(bits) == ffs(bits), "ffs %x", (unsigned)bits);
    }
    static const int errors[] = {0,      EPERM,  ENOENT, EINTR,  EIO,    EBADF,     ENOMEM,    EACCES,  EEXIST,    EINVAL,
                                 ERANGE, EDOM,   EPIPE,  ESPIPE, EAGAIN, EOVERFLOW, ETIMEDOUT, EILSEQ,  ECANCELED, EDEADLK,
                                 4711,   -17,    INT_MIN};
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        CHECK(strcmp(rt_strerror(errors[i]), strerror(errors[i])) == 0, "%d", errors[i]);
        start("");
        CHECK(!rt___xpg_strerror_r(errors[i], ours, 20) == !__xpg_strerror_r(errors[i], theirs, 20), "%d", errors[i]);
        CHECK(strcmp(ours, theirs) == 0, "%s, %s", ours, theirs);
    }
}

#undef isalnum
#undef isalpha
#undef isblank
#undef iscntrl
#undef isdigit
#undef isgraph
#undef islower
#undef isprint
#undef ispunct
#undef isspace
#undef isupper
#undef isxdigit
#undef isascii
#undef toascii
#undef tolower
#undef toupper

void check_classes(void)
{
    extern __typeof__(__ctype_b_loc) rt___ctype_b_loc;
    extern __typeof__(__ctype_tolower_loc) rt___ctype_tolower_loc, rt___ctype_toupper_loc;
    for (int c = -128; c < 256; c++) {
        CHECK((*rt___ctype_b_loc())[c] == (*__ctype_b_loc())[c], "table of classes at %d", c);
        CHECK((*rt___ctype_tolower_loc())[c] == (*__ctype_tolower_loc())[c], "table of lower case at %d", c);
        CHECK((*rt___ctype_toupper_loc())[c] == (*__ctype_toupper_loc())[c], "table of upper case at %d", c);
    }
#define CLASS(name)                                                                                                    \
    {                                                                                                                  \
        extern __typeof__(name) rt_##name;                                                                             \
        for (int c = -1; c < 256; c++)                                                                                 \
            CHECK(rt_##name(c) == name(c), #name " of %d is %d", c, rt_##name(c));                                     \
    }
    CLASS(isalnum)
    CLASS(isalpha)
    CLASS(isblank)
    CLASS(iscntrl)
    CLASS(isdigit)
    CLASS(isgraph)
    CLASS(islower)
    CLASS(isprint)
    CLASS(ispunct)
    CLASS(isspace)
    CLASS(isupper)
    CLASS(isxdigit)
    CLASS(isascii)
    CLASS(toascii)
    CLASS(tolower)
    CLASS(toupper)
}
