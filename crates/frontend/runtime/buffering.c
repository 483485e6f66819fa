/* Buffers of streams: there are none (see streams.h), but a real stream uses what the program gives. (fflush: output.c.)
 *
 * A buffer must be writable when it is given and whenever the stream is used, until it is closed: at the end of the
 * program at the latest. What is in it is nobody's to know; who looks finds what he put there himself.
 */
#include "streams.h"

#include <stdlib.h>

static int is_mode(int mode) { return mode == _IOFBF || mode == _IOLBF || mode == _IONBF; }

/* The end of the program flushes streams that are still open. */
static void touch_all(void)
{
    touch_given(&__selvedge_stdin_file);
    touch_given(&__selvedge_stdout_file);
    touch_given(&__selvedge_stderr_file);
    for (struct stream *s = __selvedge_streams; s; s = s->next)
        touch_given(s);
}

static void give(struct stream *s, char *buf, size_t size)
{
    static int is_registered;
    enter_world();
    touch_given(s);
    s->given = buf;
    s->given_size = size;
    s->is_unbuffered = 0;
    touch_given(s);
    could_be_seen();
    int is_first = !is_registered;
    is_registered = 1;
    leave_world();
    if (is_first)
        atexit(touch_all);
}

static int set(FILE *file, char *buf, int mode, size_t size)
{
    struct stream *s = stream_of(file);
    __selvedge_output_moves();
    (void)*(volatile char *)file; /* a null stream is an error */
    if (!is_mode(mode))
        return -1;
    if (mode != _IONBF && buf && size > 0) {
        give(s, buf, size);
        return 0;
    }
    enter_world();
    if (mode == _IONBF) {
        __selvedge_flush(s);
        s->given = NULL;
    }
    s->is_unbuffered = mode == _IONBF;
    leave_world();
    return 0;
}

WEAK int setvbuf(FILE *file, char *buf, int mode, size_t size) { return set(file, buf, mode, size); }
WEAK void setbuf(FILE *file, char *buf) { set(file, buf, buf ? _IOFBF : _IONBF, BUFSIZ); }
WEAK void setbuffer(FILE *file, char *buf, size_t size) { set(file, buf, buf ? _IOFBF : _IONBF, size); }
WEAK void setlinebuf(FILE *file) { set(file, NULL, _IOLBF, 0); }
