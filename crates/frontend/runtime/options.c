/* getopt: the options of the command line, as POSIX has it; complaints are not printed. */
#include "runtime.h"

WEAK char *optarg;
WEAK int optind = 1, opterr = 1, optopt = '?';

/* Where in a group of options the next one is; NULL between words. */
static const char *rest;

/* Looks for an option in the list of known ones; returns what follows it there, NULL if it is unknown. */
static const char *known(const char *options, int option)
{
    for (; *options; options++)
        if (*options == option && option != ':')
            return options + 1;
    return NULL;
}

WEAK int getopt(int argc, char *const argv[], const char *options)
{
    int is_quiet = *options == ':';
    if (!rest || !*rest) {
        const char *word = optind < argc ? argv[optind] : NULL;
        if (!word || word[0] != '-' || !word[1]) {
            /* glibc would look further and move what it finds to the front. */
            for (int i = optind; i < argc; i++)
                if (argv[i][0] == '-' && argv[i][1])
                    __selvedge_unsupported("getopt with options after other arguments");
            return -1;
        }
        optind++;
        if (word[1] == '-' && !word[2])
            return -1;
        rest = word + 1;
    }
    optopt = *rest++;
    const char *after = known(options, optopt);
    if (!after)
        return '?';
    optarg = NULL;
    if (*after != ':')
        return optopt;
    if (*rest)
        optarg = (char *)rest;
    else if (optind < argc)
        optarg = argv[optind++];
    rest = NULL;
    if (!optarg)
        return is_quiet ? ':' : '?';
    return optopt;
}
