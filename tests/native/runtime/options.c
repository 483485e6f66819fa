/* getopt, getopt_long and getopt_long_only on random command lines, and the functions of the environment. */
#include "check.h"

#include <getopt.h>

RT(getopt);
RT(getopt_long);
RT(getopt_long_only);
RT(optarg);
RT(optind);
RT(optopt);
RT(getenv);
RT(setenv);
RT(unsetenv);
RT(putenv);
RT(clearenv);

/* What the engine does: no variable was given, and there is no other. */
char **rt___selvedge_environment(void) { return NULL; }
size_t rt___selvedge_variable_length(void) { return 0; }
void rt___selvedge_variable(void *answer, size_t size, const char *name) { (void)answer, (void)size, (void)name; }

enum { MAX_WORDS = 7 };

static const char *const words[] = {
    "-a",     "-b",     "-c",     "-ab",    "-ba",      "-cx",     "-bc",    "-d",       "-dx",      "-",     "--",
    "x",      "y",      "",       "-x",     "-:",       "--alpha", "--al",   "--a",      "--beta",   "--b=1", "--beta=",
    "--gamm", "--gamma=2", "--gamma", "--delta", "--alphabet", "--zzz", "--zzz=1", "-alpha", "-beta=3", "-W", "-Wbeta=4", "-W;",
    "-alphabet", "-g", "-gamma", "-a-b",
};
static const char *const lists[] = {"ab:c::", "+ab:c::", "-ab:c::", ":ab:c::", "+:ab:c::", "-:ab:c::",
                                    "abW;c:",  "",        "a",       "d::c:b",  "b:g"};

static void check_command_line(int round)
{
    char *ours[MAX_WORDS + 2], *theirs[MAX_WORDS + 2], text[MAX_WORDS + 2][16];
    int n = 1 + (int)below(MAX_WORDS), flag_ours = 0, flag_theirs = 0;
    for (int i = 0; i < n; i++) {
        strcpy(text[i], i ? words[below(sizeof words / sizeof words[0])] : "program");
        ours[i] = theirs[i] = text[i];
    }
    ours[n] = theirs[n] = NULL;
    struct option known[] = {{"alpha", 0, NULL, 'a'},       {"alphabet", 1, NULL, 'A'}, {"beta", 1, NULL, 'b'},
                             {"gamma", 2, NULL, 'g'},       {"delta", 0, NULL, 7},      {"zzz", 0, NULL, 'z'},
                             {NULL, 0, NULL, 0}};
    struct option known_ours[sizeof known / sizeof known[0]];
    memcpy(known_ours, known, sizeof known);
    known[4].flag = &flag_theirs;
    known_ours[4].flag = &flag_ours;
    const char *list = lists[below(sizeof lists / sizeof lists[0])];
    int kind = (int)below(3), is_posix = below(6) == 0;
    if (is_posix) {
        setenv("POSIXLY_CORRECT", "1", 1);
        rt_setenv("POSIXLY_CORRECT", "1", 1);
    } else {
        unsetenv("POSIXLY_CORRECT");
        rt_unsetenv("POSIXLY_CORRECT");
    }
    opterr = 0;
    optind = rt_optind = 0;
    for (int step = 0; step < 3 * MAX_WORDS; step++) {
        int at = -5, at_ours = -5;
        int want = kind == 0   ? getopt(n, theirs, list)
                   : kind == 1 ? getopt_long(n, theirs, list, known, &at)
                               : getopt_long_only(n, theirs, list, known, &at);
        int got = kind == 0   ? rt_getopt(n, ours, list)
                  : kind == 1 ? rt_getopt_long(n, ours, list, known_ours, &at_ours)
                              : rt_getopt_long_only(n, ours, list, known_ours, &at_ours);
        CHECK(got == want && rt_optind == optind && rt_optarg == optarg && at == at_ours && flag_ours == flag_theirs,
              "round %d, kind %d, list \"%s\", posix %d, step %d: %d for %d, index %d for %d, argument %s for %s", round,
              kind, list, is_posix, step, got, want, rt_optind, optind, rt_optarg ? rt_optarg : "none",
              optarg ? optarg : "none");
        if (want == '?' || want == ':')
            CHECK(rt_optopt == optopt, "round %d, kind %d, list \"%s\": option %d for %d", round, kind, list, rt_optopt,
                  optopt);
        for (int i = 0; i < n; i++)
            CHECK(ours[i] == theirs[i], "round %d: argument %d is %s for %s", round, i, ours[i], theirs[i]);
        if (want == -1)
            break;
    }
}

static void check_variable(void)
{
    static char kept[64][16];
    static int n_kept;
    char name[4], value[4];
    random_text(name, below(3), "AB=");
    random_text(value, below(4), "xy=");
    const char *want, *got;
    switch (below(6)) {
    case 0:
    case 1: {
        int overwrite = (int)below(2);
        errno = rt_errno = 0;
        CHECK(setenv(name, value, overwrite) == rt_setenv(name, value, overwrite), "%s=%s", name, value);
        CHECK(errno == rt_errno, "%s=%s: errno", name, value);
        break;
    }
    case 2:
        CHECK(unsetenv(name) == rt_unsetenv(name), "unset %s", name);
        break;
    case 3:
        if (n_kept == 64 || strchr(name, '=') || !*name)
            break;
        sprintf(kept[n_kept], "%s=%s", name, value);
        CHECK(putenv(kept[n_kept]) == rt_putenv(kept[n_kept]), "put %s", kept[n_kept]);
        n_kept++;
        break;
    case 4:
        if (below(20) == 0)
            CHECK(clearenv() == rt_clearenv(), "clear");
        break;
    default:
        break;
    }
    want = getenv(name);
    got = rt_getenv(name);
    CHECK(!want == !got && (!want || strcmp(want, got) == 0), "%s is %s for %s", name, got ? got : "none",
          want ? want : "none");
}

void check_options(void)
{
    for (int round = 0; round < 100000; round++)
        check_command_line(round);
    for (int round = 0; round < 20000; round++)
        check_variable();
}
