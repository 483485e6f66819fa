/* The three standard streams, and the list of all others. (Output knows a stream by the object: exec/src/models/io.rs.) */
#include "streams.h"

WEAK struct stream __selvedge_stdin_file = {.descriptor = 0, .can_read = 1, .is_standard = 1};
WEAK struct stream __selvedge_stdout_file = {.descriptor = 1, .can_write = 1, .is_standard = 1};
WEAK struct stream __selvedge_stderr_file = {.descriptor = 2, .can_write = 1, .is_standard = 1, .is_unbuffered = 1};

WEAK FILE *stdin = (FILE *)&__selvedge_stdin_file;
WEAK FILE *stdout = (FILE *)&__selvedge_stdout_file;
WEAK FILE *stderr = (FILE *)&__selvedge_stderr_file;

WEAK struct stream *__selvedge_streams;
