/* The name of the program, as it is in `argv[0]`: see exec/src/arguments.rs. */
#define _GNU_SOURCE
#include "runtime.h"

#include <errno.h>

static char name[] = "program";

/* Two names for one variable each, in glibc; here a program that writes to one does not change the other. */
WEAK char *program_invocation_name = name;
WEAK char *program_invocation_short_name = name;
WEAK const char *__progname = name;
WEAK const char *__progname_full = name;
