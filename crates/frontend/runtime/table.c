/* The table of descriptors: its numbers are closed, copied and given flags. See world.h. */
#include "holding.h"

#include <pthread.h>
#include <unistd.h>

/* See streams.h. */
void __selvedge_output_moves(void);
void __selvedge_number_moves(int number);

/* Streams that use the number still hold what was theirs. */
static void leave_number(int number)
{
    struct description *file = description_of(number);
    if (file)
        note_position(file, NULL);
    __selvedge_number_moves(number);
}

WEAK int close(int number)
{
    pthread_testcancel();
    __selvedge_output_moves();
    enter_world();
    leave_number(number);
    int result = __selvedge_close(number);
    leave_world();
    return (int)outcome(result);
}

static int duplicate(int number, int lowest, int flags)
{
    enter_world();
    struct description *file = description_of(number);
    int result;
    if (!file) {
        result = -EBADF;
    } else if (lowest < 0 || lowest >= SYSTEM_DESCRIPTORS) {
        result = -EINVAL;
    } else if ((result = FAILURE(EMFILE)) == 0) {
        result = __selvedge_install(file, lowest, flags);
        file->references++;
    }
    leave_world();
    return result;
}

WEAK int dup(int number) { return (int)outcome(duplicate(number, 0, 0)); }

static int duplicate_to(int number, int to, int flags)
{
    if (to >= MAX_DESCRIPTORS && to < SYSTEM_DESCRIPTORS)
        __selvedge_unsupported("descriptors above 255");
    __selvedge_output_moves();
    if ((unsigned)to >= MAX_DESCRIPTORS)
        return -EBADF;
    enter_world();
    struct description *file = description_of(number);
    if (file) {
        file->references++;
        leave_number(to);
        if (__selvedge_descriptors[to].file)
            __selvedge_drop(to);
        __selvedge_descriptors[to].file = file;
        __selvedge_descriptors[to].flags = flags;
    }
    leave_world();
    return file ? to : -EBADF;
}

WEAK int dup2(int number, int to)
{
    if (number != to)
        return (int)outcome(duplicate_to(number, to, 0));
    enter_world();
    int is_open = description_of(number) != NULL;
    leave_world();
    return (int)outcome(is_open ? to : -EBADF);
}

WEAK int dup3(int number, int to, int flags)
{
    if (number == to || (flags & ~O_CLOEXEC))
        return (int)outcome(-EINVAL);
    return (int)outcome(duplicate_to(number, to, flags & O_CLOEXEC ? FD_CLOEXEC : 0));
}

static int control(int number, int command, long argument)
{
    const int settable = O_APPEND | O_NONBLOCK | O_ASYNC | O_DIRECT | O_NOATIME;
    if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
        return duplicate(number, (int)argument, command == F_DUPFD ? 0 : FD_CLOEXEC);
    enter_world();
    struct description *file = description_of(number);
    int result = 0;
    if (!file) {
        result = -EBADF;
    } else {
        switch (command) {
        case F_GETFD:
            result = __selvedge_descriptors[number].flags;
            break;
        case F_SETFD:
            __selvedge_descriptors[number].flags = (int)argument & FD_CLOEXEC;
            break;
        case F_GETFL:
            __selvedge_asks_kind(file);
            result = file->flags;
            break;
        case F_SETFL:
            __selvedge_asks_kind(file);
            note_position(file, NULL);
            file->flags = (file->flags & ~settable) | ((int)argument & settable);
            break;
        default:
            /* Linux has these two ranges. */
            if ((unsigned)command > 16 && (unsigned)command - 1024 > 31)
                result = -EINVAL;
            else
                __selvedge_unsupported("this command of fcntl");
        }
    }
    leave_world();
    return result;
}

#define WITH_ARGUMENT(call)                                                                                            \
    long argument = 0;                                                                                                 \
    if (command != F_GETFD && command != F_GETFL) {                                                                    \
        va_list rest;                                                                                                  \
        va_start(rest, command);                                                                                       \
        argument = va_arg(rest, int);                                                                                  \
        va_end(rest);                                                                                                  \
    }                                                                                                                  \
    return (int)outcome(call)

WEAK int fcntl(int number, int command, ...) { WITH_ARGUMENT(control(number, command, argument)); }
WEAK int fcntl64(int number, int command, ...) { WITH_ARGUMENT(control(number, command, argument)); }

WEAK int isatty(int number)
{
    enter_world();
    struct description *file = description_of(number);
    int result = !file ? -EBADF : -ENOTTY;
    if (file && file->kind == &__selvedge_console_kind && __selvedge_is_terminal(file))
        result = 1;
    leave_world();
    return outcome(result) == 1;
}
