/* Opening and closing streams, and their positions. See streams.h. */
#include "streams.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The flags of `open` for a mode; a negated error number if it is none. */
static int flags_of(const char *mode)
{
    int flags, access;
    switch (*mode) {
    case 'r':
        flags = 0, access = O_RDONLY;
        break;
    case 'w':
        flags = O_CREAT | O_TRUNC, access = O_WRONLY;
        break;
    case 'a':
        flags = O_CREAT | O_APPEND, access = O_WRONLY;
        break;
    default:
        return -EINVAL;
    }
    for (mode++; *mode && *mode != ','; mode++) {
        if (*mode == '+')
            access = O_RDWR;
        else if (*mode == 'x')
            flags |= O_EXCL;
        else if (*mode == 'e')
            flags |= O_CLOEXEC;
    }
    return flags | access;
}

static void set_access(struct stream *s, int flags)
{
    int access = flags & O_ACCMODE;
    s->can_read = access != O_WRONLY;
    s->can_write = access != O_RDONLY;
}

WEAK struct stream *__selvedge_new_stream(int descriptor, int flags, struct memory *memory)
{
    struct stream *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->descriptor = descriptor;
    s->memory = memory;
    set_access(s, flags);
    enter_world();
    s->next = __selvedge_streams;
    __selvedge_streams = s;
    leave_world();
    return s;
}

static int open_named(const char *path, int flags)
{
    enter_world();
    int number = __selvedge_open(AT_FDCWD, path, flags, 0666);
    /* Who only appends starts at the end; who also reads starts at the beginning, as glibc has it. */
    if (number >= 0 && (flags & O_APPEND) && (flags & O_ACCMODE) == O_WRONLY)
        __selvedge_seek(description_of(number), 0, SEEK_END);
    leave_world();
    return number;
}

WEAK FILE *__selvedge_fopen(const char *path, const char *mode)
{
    __selvedge_output_moves();
    (void)*(const volatile char *)path;
    int flags = flags_of(mode);
    int number = flags < 0 ? flags : open_named(path, flags);
    if (outcome(number) < 0)
        return NULL;
    struct stream *s = __selvedge_new_stream(number, flags, NULL);
    if (!s) {
        enter_world();
        __selvedge_drop(number);
        leave_world();
        errno = ENOMEM;
    }
    return (FILE *)s;
}

WEAK FILE *fopen(const char *path, const char *mode) { return __selvedge_fopen(path, mode); }
WEAK FILE *fopen64(const char *path, const char *mode) { return __selvedge_fopen(path, mode); }

WEAK FILE *fdopen(int number, const char *mode)
{
    __selvedge_output_moves();
    int flags = flags_of(mode);
    if (flags < 0) {
        errno = EINVAL;
        return NULL;
    }
    enter_world();
    struct description *file = description_of(number);
    int error = 0;
    if (file && file->kind == &__selvedge_console_kind)
        __selvedge_assumed("world.standard-streams");
    if (!file) {
        error = EBADF;
    } else {
        int has = file->flags & O_ACCMODE, wants = flags & O_ACCMODE;
        if (has != O_RDWR && has != wants)
            error = EINVAL;
        /* As in fopen, but only where the descriptor did not append before. */
        else if ((flags & O_APPEND) && !(file->flags & O_APPEND)) {
            file->flags |= O_APPEND;
            if (wants == O_WRONLY)
                __selvedge_seek(file, 0, SEEK_END);
        }
    }
    leave_world();
    if (error) {
        errno = error;
        return NULL;
    }
    return (FILE *)__selvedge_new_stream(number, flags, NULL);
}

/* Ends what a stream leads to. */
static int shut(struct stream *s)
{
    __selvedge_flush(s);
    int result = 0;
    if (s->memory && s->memory->release)
        s->memory->release(s->memory);
    else if (!s->memory)
        result = __selvedge_close(s->descriptor);
    s->descriptor = -1;
    s->memory = NULL;
    s->can_read = s->can_write = 0;
    s->given = NULL;
    return result;
}

WEAK int __selvedge_fclose(FILE *file)
{
    __selvedge_output_moves();
    struct stream *s = stream_of(file);
    enter_world();
    int result = shut(s);
    if (!s->is_standard) {
        struct stream **at = &__selvedge_streams;
        while (*at != s)
            at = &(*at)->next;
        *at = s->next;
    }
    leave_world();
    if (!s->is_standard)
        free(s);
    return outcome(result) < 0 ? EOF : 0;
}

WEAK int fclose(FILE *file) { return __selvedge_fclose(file); }

/* The new file takes the place of the old one, with its number if that is free. */
static FILE *reopen(const char *path, const char *mode, FILE *file)
{
    __selvedge_output_moves();
    struct stream *s = stream_of(file);
    int flags = flags_of(mode);
    enter_world();
    int error = flags < 0 ? flags : 0, number = s->descriptor;
    if (!path && error == 0) {
        if (s->memory || !description_of(number))
            error = -EBADF;
        else
            __selvedge_unsupported("freopen without a name");
    }
    shut(s);
    int new = -1;
    if (error == 0) {
        new = __selvedge_open(AT_FDCWD, path, flags, 0666);
        error = new < 0 ? new : 0;
    }
    if (error == 0) {
        if (number >= 0 && new != number && !__selvedge_descriptors[number].file) {
            __selvedge_descriptors[number] = __selvedge_descriptors[new];
            __selvedge_descriptors[new] = (struct descriptor){0};
            new = number;
        }
        s->descriptor = new;
        s->n_pushed = s->at_end = s->failed = 0;
        set_access(s, flags);
    }
    leave_world();
    return outcome(error) < 0 ? NULL : file;
}

WEAK FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict file)
{
    return reopen(path, mode, file);
}
WEAK FILE *freopen64(const char *restrict path, const char *restrict mode, FILE *restrict file)
{
    return reopen(path, mode, file);
}

/* A file that has no name any more. */
static FILE *temporary(void)
{
    __selvedge_output_moves();
    enter_world();
    int failure = FAILURE(EMFILE, ENOSPC);
    if (failure < 0) {
        leave_world();
        outcome(failure);
        return NULL;
    }
    struct description *open = __selvedge_describe(&__selvedge_regular_kind, O_RDWR, __selvedge_new_node(S_IFREG | 0600));
    open->references = 1;
    int number = __selvedge_install(open, 0, 0);
    leave_world();
    return (FILE *)__selvedge_new_stream(number, O_RDWR, NULL);
}

WEAK FILE *tmpfile(void) { return temporary(); }
WEAK FILE *tmpfile64(void) { return temporary(); }

/* Positions. */

static long long move(struct stream *s, long long offset, int whence)
{
    if (whence == SEEK_CUR)
        offset -= s->n_pushed;
    touch_given(s);
    __selvedge_let_go(s, 0);
    long long result;
    if (s->memory) {
        result = s->memory->seek ? s->memory->seek(s->memory, offset, whence) : -ESPIPE;
    } else {
        struct description *file = description_of(s->descriptor);
        if (file)
            note_position(file, &s->holding);
        result = file ? __selvedge_seek(file, offset, whence) : -EBADF;
        if (result >= 0)
            __selvedge_after_use(s, file, SEEKS);
    }
    if (result >= 0) {
        s->n_pushed = 0;
        s->at_end = 0;
    }
    return result;
}

WEAK int __selvedge_fseek(FILE *file, long long offset, int whence)
{
    enter_world();
    long long result = move(stream_of(file), offset, whence);
    leave_world();
    return outcome(result) < 0 ? -1 : 0;
}

WEAK long long __selvedge_ftell(FILE *file)
{
    struct stream *s = stream_of(file);
    enter_world();
    long long result;
    if (s->memory) {
        result = s->memory->seek ? s->memory->seek(s->memory, 0, SEEK_CUR) : -ESPIPE;
    } else {
        struct description *open = description_of(s->descriptor);
        if (open)
            note_position(open, &s->holding);
        result = open ? __selvedge_seek(open, 0, SEEK_CUR) : -EBADF;
    }
    if (result >= 0)
        result -= s->n_pushed;
    leave_world();
    return outcome(result);
}

WEAK int fseek(FILE *file, long offset, int whence) { return __selvedge_fseek(file, offset, whence); }
WEAK int fseeko(FILE *file, off_t offset, int whence) { return __selvedge_fseek(file, offset, whence); }
WEAK int fseeko64(FILE *file, off64_t offset, int whence) { return __selvedge_fseek(file, offset, whence); }
WEAK long ftell(FILE *file) { return (long)__selvedge_ftell(file); }
WEAK off_t ftello(FILE *file) { return (off_t)__selvedge_ftell(file); }
WEAK off64_t ftello64(FILE *file) { return __selvedge_ftell(file); }

WEAK void rewind(FILE *file)
{
    __selvedge_fseek(file, 0, SEEK_SET);
    stream_of(file)->failed = 0;
}

WEAK int fgetpos(FILE *restrict file, fpos_t *restrict to)
{
    long long at = __selvedge_ftell(file);
    if (at < 0)
        return -1;
    memset(to, 0, sizeof *to);
    to->__pos = (off_t)at;
    return 0;
}

WEAK int fsetpos(FILE *file, const fpos_t *from) { return __selvedge_fseek(file, from->__pos, SEEK_SET); }
