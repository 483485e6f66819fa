/* The strtol family. */
#include "check.h"

#include <inttypes.h>

RT(strtol); RT(strtoll); RT(strtoul); RT(strtoull); RT(strtoimax); RT(strtoumax); RT(atoi); RT(atol); RT(atoll);
RT(strtod); RT(strtof); RT(atof);
long rt___isoc23_strtol(const char *, char **, int);
unsigned long rt___isoc23_strtoul(const char *, char **, int);

#define COMPARE(name, format)                                                                                          \
    {                                                                                                                  \
        char *p = NULL, *q = NULL;                                                                                     \
        rt_errno = errno = 0;                                                                                          \
        __typeof__(name(text, &p, base)) x = rt_##name(text, &p, base), y = name(text, &q, base);                      \
        CHECK(x == y && p == q && rt_errno == errno, #name "(\"%s\", %d): " format ", " format, text, base, x, y);     \
    }

static void check_text(const char *text, int base)
{
    COMPARE(strtol, "%ld")
    COMPARE(strtoll, "%lld")
    COMPARE(strtoul, "%lu")
    COMPARE(strtoull, "%llu")
    COMPARE(strtoimax, "%" PRIdMAX)
    COMPARE(strtoumax, "%" PRIuMAX)
    CHECK(rt_atoi(text) == atoi(text), "atoi %s", text);
    CHECK(rt_atol(text) == atol(text), "atol %s", text);
    CHECK(rt_atoll(text) == atoll(text), "atoll %s", text);
}

static void check_c23(const char *text, int base, long value, int length)
{
    char *end;
    CHECK(rt___isoc23_strtol(text, &end, base) == value && end == text + length, "%s", text);
    CHECK(rt___isoc23_strtoul(text, &end, base) == (unsigned long)value && end == text + length, "%s", text);
}

void check_numbers(void)
{
    static const int bases[] = {0, 0, 10, 10, 16, 8, 2, 3, 36, 1, 37, -1, 11};
    static const char *const fixed[] = {
        "",     "0",    "-",     "+",      "0x",   "0X1f", "0xg",        "-0x10", "08",    "0b11", " \t\n\v\f\r42", "--1",
        "+-1",  "- 1",  "1 2",   "z",      "Zz",   "007",  "0x0x1",      "1e5",   "00000", "-0",   "12345678901234567890123",
        "-12345678901234567890123",        "9223372036854775807",        "9223372036854775808",    "-9223372036854775808",
        "-9223372036854775809",            "18446744073709551615",       "18446744073709551616",   "-18446744073709551615",
        "-18446744073709551616",           "2147483647",  "2147483648",  "-2147483648",   "-2147483649",   "4294967295",
        "4294967296",   "-4294967295",     "ffffffffffffffff",           "10000000000000000",      "-8000000000000000",
        "0000000000000000000000000000000000000000000000000000000000000000000000017",
    };
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        for (int base = -1; base <= 37; base++)
            check_text(fixed[i], base);
    for (int i = 0; i < 40000; i++) {
        char text[64];
        switch (below(4)) {
        case 0:
            random_text(text, below(8), " +-0xX19afZg");
            break;
        case 1:
            random_text(text, 15 + below(12), "0123456789");
            break;
        case 2:
            sprintf(text, "%*lld%s", (int)below(30), random_number(), below(2) ? "" : "x");
            break;
        default:
            sprintf(text, below(2) ? "%#llx" : "%#llo", random_number());
        }
        check_text(text, bases[below(sizeof bases / sizeof bases[0])]);
    }
    check_c23("0b101", 0, 5, 5);
    check_c23("-0B11", 2, -3, 5);
    check_c23("0b2", 0, 0, 1);
    check_c23("0b", 2, 0, 1);
    check_c23("0x1g", 0, 1, 3);
    check_c23("0b1", 16, 177, 3);
    char *end;
    CHECK(rt_strtod("1.5x", &end) == 1.5 && *end == 'x', "strtod");
    CHECK(rt_strtof("0.1", &end) == 0.1f && !*end, "strtof");
    CHECK(rt_atof("-2e3") == -2000.0, "atof");
}
