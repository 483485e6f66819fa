/* getopt and its relatives as glibc has them: options are found behind other arguments, which move to the end
 * (permutation), unless the list begins with `+` or POSIXLY_CORRECT is set; with `-` other arguments are options of the
 * number 1. Complaints are not printed.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <getopt.h>
#include <stdlib.h>

WEAK char *optarg;
WEAK int optind = 1, opterr = 1, optopt = '?';

char *__selvedge_getenv(const char *name); /* env.c */

enum order { PERMUTE, IN_ORDER, FIRST_ONLY };

/* Where in a word of short options the next one is; NULL or empty between words. */
static char *rest;
/* The arguments from `first_skipped` to `after_skipped` are none, and were passed over. */
static int first_skipped, after_skipped;
static enum order order;
static int is_begun;

/* Moves the arguments that were passed over behind the options found since. */
static void exchange(char **argv)
{
    int bottom = first_skipped, middle = after_skipped, top = optind;
    for (int moved = 0; moved < top - middle; moved++) {
        char *option = argv[middle + moved];
        for (int i = middle + moved; i > bottom + moved; i--)
            argv[i] = argv[i - 1];
        argv[bottom + moved] = option;
    }
    first_skipped += top - middle;
    after_skipped = top;
}

static void begin(const char *options, int is_posix)
{
    if (optind == 0)
        optind = 1;
    first_skipped = after_skipped = optind;
    rest = NULL;
    if (options[0] == '-')
        order = IN_ORDER;
    else if (options[0] == '+' || is_posix || __selvedge_getenv("POSIXLY_CORRECT"))
        order = FIRST_ONLY;
    else
        order = PERMUTE;
    is_begun = 1;
}

static int is_option(const char *word) { return word[0] == '-' && word[1] != 0; }

static size_t length_to(const char *text, char end)
{
    size_t n = 0;
    while (text[n] && text[n] != end)
        n++;
    return n;
}

static int begins_with(const char *text, const char *start, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (text[i] != start[i])
            return 0;
    return 1;
}

/* The word at `name` (up to `=`) as a long option. `prefix` is "-" or "--"; returns -1 if with one dash it can still be
 * a short one. */
static int long_option(int argc, char **argv, const char *options, const struct option *known, int *index,
                       char *name, int is_only, int has_one_dash, int is_quiet)
{
    size_t n = length_to(name, '=');
    const struct option *found = NULL;
    int is_ambiguous = 0, found_at = 0;
    for (int i = 0; known[i].name; i++)
        if (begins_with(known[i].name, name, n) && !known[i].name[n]) {
            found = &known[i];
            found_at = i;
            is_ambiguous = 0;
            goto exact;
        }
    for (int i = 0; known[i].name; i++)
        if (begins_with(known[i].name, name, n)) {
            if (!found) {
                found = &known[i];
                found_at = i;
            } else if (is_only || found->has_arg != known[i].has_arg || found->flag != known[i].flag ||
                       found->val != known[i].val) {
                is_ambiguous = 1;
            }
        }
exact:
    if (is_ambiguous) {
        rest = NULL;
        optind++;
        optopt = 0;
        return '?';
    }
    if (!found) {
        int is_short = 0;
        for (const char *o = options; *o; o++)
            is_short |= *o == *name;
        if (is_only && has_one_dash && is_short)
            return -1;
        rest = NULL;
        optind++;
        optopt = 0;
        return '?';
    }
    optind++;
    rest = NULL;
    if (name[n]) {
        if (!found->has_arg) {
            optopt = found->val;
            return '?';
        }
        optarg = name + n + 1;
    } else if (found->has_arg == 1) {
        if (optind >= argc) {
            optopt = found->val;
            return is_quiet ? ':' : '?';
        }
        optarg = argv[optind++];
    }
    if (index)
        *index = found_at;
    if (found->flag) {
        *found->flag = found->val;
        return 0;
    }
    return found->val;
}

static int short_option(int argc, char **argv, const char *options, const struct option *known, int *index,
                        int is_quiet)
{
    char c = *rest++;
    const char *o = options;
    while (*o && *o != c)
        o++;
    if (!*rest)
        optind++;
    if (!*o || c == ':' || c == ';') {
        optopt = c;
        return '?';
    }
    if (o[1] == ';' && o[0] == 'W' && known) {
        char *name;
        if (*rest) {
            name = rest;
        } else if (optind >= argc) {
            optopt = c;
            return is_quiet ? ':' : '?';
        } else {
            name = argv[optind];
        }
        rest = NULL;
        optarg = NULL;
        return long_option(argc, argv, options, known, index, name, 0, 0, is_quiet);
    }
    if (o[1] != ':')
        return c;
    if (o[2] == ':') {
        if (*rest) {
            optarg = rest;
            optind++;
        } else {
            optarg = NULL;
        }
    } else if (*rest) {
        optarg = rest;
        optind++;
    } else if (optind >= argc) {
        optopt = c;
        c = is_quiet ? ':' : '?';
    } else {
        optarg = argv[optind++];
    }
    rest = NULL;
    return c;
}

static int next_option(int argc, char **argv, const char *options, const struct option *known, int *index,
                       int is_only)
{
    if (argc < 1)
        return -1;
    optarg = NULL;
    if (optind == 0 || !is_begun)
        begin(options, 0);
    if (options[0] == '-' || options[0] == '+')
        options++;
    int is_quiet = options[0] == ':';
    if (!rest || !*rest) {
        if (after_skipped > optind)
            after_skipped = optind;
        if (first_skipped > optind)
            first_skipped = optind;
        if (order == PERMUTE) {
            if (first_skipped != after_skipped && after_skipped != optind)
                exchange(argv);
            else if (after_skipped != optind)
                first_skipped = optind;
            while (optind < argc && !is_option(argv[optind]))
                optind++;
            after_skipped = optind;
        }
        char *word = optind < argc ? argv[optind] : NULL;
        if (word && word[0] == '-' && word[1] == '-' && !word[2]) {
            optind++;
            if (first_skipped != after_skipped && after_skipped != optind)
                exchange(argv);
            else if (first_skipped == after_skipped)
                first_skipped = optind;
            after_skipped = argc;
            optind = argc;
        }
        if (optind == argc) {
            if (first_skipped != after_skipped)
                optind = first_skipped;
            return -1;
        }
        word = argv[optind];
        if (!is_option(word)) {
            if (order == FIRST_ONLY)
                return -1;
            optarg = argv[optind++];
            return 1;
        }
        if (known) {
            if (word[1] == '-')
                return long_option(argc, argv, options, known, index, word + 2, is_only, 0, is_quiet);
            int is_short = 0;
            for (const char *o = options; *o; o++)
                is_short |= *o == word[1];
            if (is_only && (word[2] || !is_short)) {
                int code = long_option(argc, argv, options, known, index, word + 1, is_only, 1, is_quiet);
                if (code != -1)
                    return code;
            }
        }
        rest = word + 1;
    }
    return short_option(argc, argv, options, known, index, is_quiet);
}

WEAK int getopt(int argc, char *const argv[], const char *options)
{
    return next_option(argc, (char **)argv, options, NULL, NULL, 0);
}

WEAK int getopt_long(int argc, char *const argv[], const char *options, const struct option *known, int *index)
{
    return next_option(argc, (char **)argv, options, known, index, 0);
}

WEAK int getopt_long_only(int argc, char *const argv[], const char *options, const struct option *known, int *index)
{
    return next_option(argc, (char **)argv, options, known, index, 1);
}

/* What <unistd.h> makes of `getopt` for strictly conforming programs. */
WEAK int __posix_getopt(int argc, char *const argv[], const char *options)
{
    if (optind == 0 || !is_begun)
        begin(options, 1);
    return next_option(argc, (char **)argv, options, NULL, NULL, 0);
}
