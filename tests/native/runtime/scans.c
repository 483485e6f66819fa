/* The scanf family on text. */
#include "check.h"

int rt_sscanf(const char *, const char *, ...);
int rt___isoc99_sscanf(const char *, const char *, ...);
int rt___isoc23_sscanf(const char *, const char *, ...);

#pragma clang diagnostic ignored "-Wformat-nonliteral"
#pragma clang diagnostic ignored "-Wformat"
#pragma GCC diagnostic ignored "-Wformat-security"

/* Where the conversions of one call store; large enough for any of them. */
struct places {
    _Alignas(16) char at[4][64];
    int position;
};

static void compare(const char *text, const char *format)
{
    struct places ours, theirs;
    memset(&ours, '#', sizeof ours);
    memset(&theirs, '#', sizeof theirs);
    int x = rt___isoc99_sscanf(text, format, ours.at[0], ours.at[1], ours.at[2], ours.at[3], &ours.position);
    int y = sscanf(text, format, theirs.at[0], theirs.at[1], theirs.at[2], theirs.at[3], &theirs.position);
    CHECK(x == y, "[%s] of [%s]: %d, %d", format, text, x, y);
    CHECK(memcmp(&ours, &theirs, sizeof ours) == 0, "[%s] of [%s]: %d conversions store other values", format, text, x);
}

static char *add_conversion(char *to)
{
    static const char *const lengths[] = {"", "", "", "hh", "h", "l", "ll", "j", "z", "t"};
    static const char *const sets[] = {"[abc]", "[^abc]", "[a-c0-9]", "[]x]", "[^]x]", "[a-]", "[-a]", "[c-a]"};
    to += sprintf(to, "%%");
    char width[12] = "";
    if (below(3) == 0)
        sprintf(width, "%u", 1 + below(5));
    switch (below(6)) {
    case 0:
        return to + sprintf(to, "%ss", width);
    case 1:
        return to + sprintf(to, "%s%s", width, sets[below(8)]);
    case 2:
        return to + sprintf(to, "%sc", width);
    default:
        return to + sprintf(to, "%s%s%c", width, lengths[below(10)], "diuxXo"[below(6)]);
    }
}

static void check_random(void)
{
    char text[40], format[120], *f = format;
    switch (below(3)) {
    case 0:
        random_text(text, below(12), "0123456789 -+xa");
        break;
    case 1:
        random_text(text, below(30), "0129 ");
        break;
    default:
        random_text(text, below(10), " abc]-x,0+\t");
    }
    int n = 1 + (int)below(4);
    for (int i = 0; i < n; i++) {
        f = add_conversion(f);
        static const char *const between[] = {"", "", "", " ", ",", "x", " - ", "%%", "\t"};
        f += sprintf(f, "%s", between[below(9)]);
    }
    /* The position is stored only where all four places are used, so that it comes fifth. */
    if (n == 4)
        strcpy(f, "%n");
    compare(text, format);
}

static void check_float(void)
{
    static const char *const texts[] = {"1.5",  "-2e3",  ".5",  "5.",    "1e",       "1e+",  "+1.e-2x", "inf",  "-INFINITY",
                                        "infx", "infix", "nan", "0x1p3", "0x.8",     "0x",   "abc",     "-",    "",
                                        ".",    "1.2.3", "1e5", "000.1", "  7.25  ", "1e400"};
    static const char *const formats[] = {"%lf%s", "%f%s", "%3lf%s", "%5lg%s", "%*f%s", "%le%c"};
    for (unsigned i = 0; i < sizeof texts / sizeof texts[0]; i++)
        for (unsigned k = 0; k < sizeof formats / sizeof formats[0]; k++)
            compare(texts[i], formats[k]);
}

void check_scans(void)
{
    static const char *const fixed[][2] = {
        {"", "%d"},          {"", ""},           {"", "x"},         {"", " "},          {"  ", "%d"},      {"", "%n"},
        {"", "%c"},          {"", "%s"},         {"", "%[a]"},      {"12", "%*d%d"},    {"12 ", "%d%d"},   {"-", "%d"},
        {"+", "%d"},         {"- 1", "%d"},      {"0x1f", "%i"},    {"017", "%i"},      {"0x", "%i"},      {"0x", "%x"},
        {"0xg", "%x%c"},     {"0x1f", "%3i%d"},  {"0x1f", "%2i%d"}, {"0x1f", "%d%s"},   {"5 apples", "%d apples%n"},
        {"5 pears", "%d apples"},                {"a b", "%c%c%c"}, {"abc", "%2c%c"},   {"ab", "%5c"},     {"100%", "%d%%"},
        {"100 %", "%d%%"},   {"x", "%d"},        {"99999999999999999999", "%d"},        {"-99999999999999999999", "%d"},
        {"99999999999999999999", "%u"},          {"-1", "%u"},      {"4294967296", "%d"},                  {"300", "%hhd"},
        {"70000", "%hd"},    {"-129", "%hhu"},   {"99999999999999999999", "%lld"},      {"-99999999999999999999", "%llu"},
        {"1 2 3 4", "%d%d%d%d%n"},               {"1,2", "%d,%d"},  {"1 ,2", "%d,%d"},  {"key=value", "%[^=]=%s"},
        {"08", "%i%d"},      {"1", "%1d%d"},     {"  abc", "%[a-z]"},                   {"  abc", " %[a-z]"},
        {"0x1F", "%p"},      {"abc", "%*s%n"},   {"12abc", "%d%*[a]%s"},
    };
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        compare(fixed[i][0], fixed[i][1]);
    for (int i = 0; i < 100000; i++)
        check_random();
    check_float();
    int a = -1, b = -1;
    CHECK(rt___isoc23_sscanf("0b101 0b2", "%i%i", &a, &b) == 2 && a == 5 && b == 0, "%d %d", a, b);
    CHECK(rt_sscanf("0b1", "%i%n", &a, &b) == 1 && a == 0 && b == 1, "%d %d", a, b);
}
