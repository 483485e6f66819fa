/* ctype.h in the C locale.
 *
 * glibc's macros read tables through __ctype_b_loc and its siblings; the tables below have glibc's layout: valid from
 * index -128 to 255, the class bits as in <ctype.h>. The functions compute the same bit without a branch and without
 * the table, which keeps terms small; they are what a program calls if it is compiled with -D__NO_CTYPE.
 */
#define _GNU_SOURCE
#define __NO_CTYPE 1
#include "runtime.h"

#include <ctype.h>

/* Class bits of one byte; constant expressions, so that the tables need no initialisation at run time. */
#define IN(c, low, high) ((c) >= (low) && (c) <= (high))
#define UPPER(c) IN(c, 'A', 'Z')
#define LOWER(c) IN(c, 'a', 'z')
#define DIGIT(c) IN(c, '0', '9')
#define ALPHA(c) (UPPER(c) || LOWER(c))
#define XDIGIT(c) (DIGIT(c) || IN(c, 'A', 'F') || IN(c, 'a', 'f'))
#define SPACE(c) (IN(c, '\t', '\r') || (c) == ' ')
#define BLANK(c) ((c) == '\t' || (c) == ' ')
#define GRAPH(c) IN(c, '!', '~')
#define PRINT(c) IN(c, ' ', '~')
#define CNTRL(c) (IN(c, 0, 31) || (c) == 127)
#define BITS(c)                                                                                                        \
    (UPPER(c) * _ISupper | LOWER(c) * _ISlower | ALPHA(c) * _ISalpha | DIGIT(c) * _ISdigit | XDIGIT(c) * _ISxdigit |   \
     SPACE(c) * _ISspace | PRINT(c) * _ISprint | GRAPH(c) * _ISgraph | BLANK(c) * _ISblank | CNTRL(c) * _IScntrl |     \
     (GRAPH(c) && !ALPHA(c) && !DIGIT(c)) * _ISpunct | (ALPHA(c) || DIGIT(c)) * _ISalnum)
#define TO_LOWER(c) (UPPER(c) ? (c) + 32 : (c))
#define TO_UPPER(c) (LOWER(c) ? (c) - 32 : (c))

/* Index 0 of a table stands for character -128. The bytes above 127 have no class and no other case. */
#define AT(F, c) [128 + (c)] = F(c)
#define AT4(F, c) AT(F, c), AT(F, c + 1), AT(F, c + 2), AT(F, c + 3)
#define AT16(F, c) AT4(F, c), AT4(F, c + 4), AT4(F, c + 8), AT4(F, c + 12)
#define AT64(F, c) AT16(F, c), AT16(F, c + 16), AT16(F, c + 32), AT16(F, c + 48)
#define AT128(F, c) AT64(F, c), AT64(F, c + 64)

/* glibc's case tables map a negative index to the byte of the same pattern, except -1 (EOF), which maps to itself. */
#define SAME(c) (c)
#define WRAPPED(c) ((c) + 256)
#define NEGATIVE                                                                                                       \
    AT64(WRAPPED, -128), AT16(WRAPPED, -64), AT16(WRAPPED, -48), AT16(WRAPPED, -32), AT4(WRAPPED, -16),                \
        AT4(WRAPPED, -12), AT4(WRAPPED, -8), AT(WRAPPED, -4), AT(WRAPPED, -3), AT(WRAPPED, -2), AT(SAME, -1)

static const unsigned short classes[384] = {AT128(BITS, 0)};
static const int lower[384] = {NEGATIVE, AT128(TO_LOWER, 0), AT128(SAME, 128)};
static const int upper[384] = {NEGATIVE, AT128(TO_UPPER, 0), AT128(SAME, 128)};

WEAK const unsigned short **__ctype_b_loc(void)
{
    static const unsigned short *table = classes + 128;
    return &table;
}

WEAK const int **__ctype_tolower_loc(void)
{
    static const int *table = lower + 128;
    return &table;
}

WEAK const int **__ctype_toupper_loc(void)
{
    static const int *table = upper + 128;
    return &table;
}

WEAK size_t __ctype_get_mb_cur_max(void) { return 1; }

/* Whether `low <= c <= high`, as a number without a branch. */
static int within(int c, int low, int high) { return (unsigned)c - (unsigned)low <= (unsigned)high - (unsigned)low; }
static int letter(int c) { return within(c | 32, 'a', 'z'); }

WEAK int isdigit(int c) { return within(c, '0', '9') * _ISdigit; }
WEAK int isupper(int c) { return within(c, 'A', 'Z') * _ISupper; }
WEAK int islower(int c) { return within(c, 'a', 'z') * _ISlower; }
WEAK int isalpha(int c) { return letter(c) * _ISalpha; }
WEAK int isalnum(int c) { return (letter(c) | within(c, '0', '9')) * _ISalnum; }
WEAK int isxdigit(int c) { return (within(c, '0', '9') | within(c | 32, 'a', 'f')) * _ISxdigit; }
WEAK int isspace(int c) { return is_space(c) * _ISspace; }
WEAK int isblank(int c) { return ((c == ' ') | (c == '\t')) * _ISblank; }
WEAK int isprint(int c) { return within(c, ' ', '~') * _ISprint; }
WEAK int isgraph(int c) { return within(c, '!', '~') * _ISgraph; }
WEAK int iscntrl(int c) { return (within(c, 0, 31) | (c == 127)) * _IScntrl; }
WEAK int ispunct(int c) { return (within(c, '!', '~') & !letter(c) & !within(c, '0', '9')) * _ISpunct; }
WEAK int isascii(int c) { return within(c, 0, 127); }
WEAK int toascii(int c) { return c & 127; }
WEAK int tolower(int c) { return c + 32 * within(c, 'A', 'Z'); }
WEAK int toupper(int c) { return c - 32 * within(c, 'a', 'z'); }
