/* Temporary files and directories: the run-time makes the names, one after the other. See world.h. */
#include "world.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned n_made;

/* Makes a file or directory whose name ends in six characters of the run-time's choice before the last `after` ones.
 * As no other file has such a name, what lies there unmentioned is not asked for. */
static int make(char *template, int after, int flags, int is_directory)
{
    size_t length = 0;
    while (template[length])
        length++;
    if (after < 0 || length < (size_t)after + 6)
        return -EINVAL;
    char *digits = template + length - after - 6;
    for (int i = 0; i < 6; i++) {
        if (digits[i] != 'X')
            return -EINVAL;
    }
    __selvedge_assumed("world.temporary-names");
    enter_world();
    int result;
    do {
        unsigned number = n_made++;
        for (int i = 5; i >= 0; i--, number /= 26)
            digits[i] = (char)('a' + number % 26);
        struct place place;
        result = __selvedge_find(AT_FDCWD, template, NAME_ONLY, A_NEW_FILE, &place);
        if (result < 0)
            break;
        if (place.node) {
            result = -EEXIST;
        } else if (!may(place.directory, W_OK)) {
            result = -EACCES;
        } else if (is_directory && (result = FAILURE(ENOSPC)) < 0) {
            break;
        } else if (is_directory) {
            place.entry->node = __selvedge_new_directory(place.directory, 0700, 0);
            place.entry->node->links = 2;
            place.entry->node->self = place.entry;
            place.directory->links++;
        } else {
            result = __selvedge_open(AT_FDCWD, template, O_RDWR | O_CREAT | (flags & (O_APPEND | O_CLOEXEC | O_SYNC)), 0600);
        }
    } while (result == -EEXIST);
    leave_world();
    return result;
}

WEAK int mkstemp(char *template) { return (int)outcome(make(template, 0, 0, 0)); }
WEAK int mkstemp64(char *template) { return (int)outcome(make(template, 0, 0, 0)); }
WEAK int mkostemp(char *template, int flags) { return (int)outcome(make(template, 0, flags, 0)); }
WEAK int mkstemps(char *template, int after) { return (int)outcome(make(template, after, 0, 0)); }
WEAK char *mkdtemp(char *template) { return outcome(make(template, 0, 0, 1)) < 0 ? NULL : template; }
