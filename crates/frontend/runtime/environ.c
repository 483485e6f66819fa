/* `environ`, for programs that name it. While variables of any name may be there it cannot be read: the engine then
 * treats it as a variable that is defined nowhere. */
#include "runtime.h"

void __selvedge_environ(char ***variable); /* env.c */
size_t __selvedge_variable_length(void);

WEAK char **environ;

__attribute__((constructor(102))) static void provide(void)
{
    if (__selvedge_variable_length() == 0)
        __selvedge_environ(&environ);
}
