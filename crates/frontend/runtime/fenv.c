/* fenv.h of x86: the rounding mode of the running thread, which is part of its state in the engine.
 *
 * The flags of exceptions are not kept. Raising and clearing them has no effect that can be seen, as asking for them
 * ends in `unknown`, and those in a saved environment have any value.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <fenv.h>

#define MODES (FE_TONEAREST | FE_DOWNWARD | FE_UPWARD | FE_TOWARDZERO)

/* As the engine counts them: the numbers of FLT_ROUNDS. */
extern int __selvedge_rounding(void);
extern void __selvedge_set_rounding(int mode);

static int current(void)
{
    static const int modes[4] = {FE_TOWARDZERO, FE_TONEAREST, FE_UPWARD, FE_DOWNWARD};
    return modes[__selvedge_rounding()];
}

static void change(int mode)
{
    __selvedge_set_rounding(mode == FE_TONEAREST ? 1 : mode == FE_UPWARD ? 2 : mode == FE_DOWNWARD ? 3 : 0);
}

WEAK int fegetround(void) { return current(); }

WEAK int fesetround(int mode)
{
    if (mode & ~MODES)
        return 1;
    change(mode);
    return 0;
}

WEAK int fegetenv(fenv_t *environment)
{
    fenv_t saved;
    saved.__control_word = (unsigned short)(0x37f | current());
    *environment = saved;
    return 0;
}

WEAK int fesetenv(const fenv_t *environment)
{
    change(environment == FE_DFL_ENV ? FE_TONEAREST : environment->__control_word & MODES);
    return 0;
}

WEAK int feholdexcept(fenv_t *environment) { return fegetenv(environment); }
WEAK int feupdateenv(const fenv_t *environment) { return fesetenv(environment); }

WEAK int feclearexcept(int exceptions)
{
    (void)exceptions;
    return 0;
}

WEAK int feraiseexcept(int exceptions)
{
    (void)exceptions;
    return 0;
}

WEAK int fetestexcept(int exceptions)
{
    if (exceptions & FE_ALL_EXCEPT)
        __selvedge_unsupported("flags of floating-point exceptions");
    return 0;
}
