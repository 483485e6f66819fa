/* Variables and type information that threads of C++ share with libstdc++: natively they are its own.
 * The functions are in stdthread.c.
 */
#include "runtime.h"
#include "types.h"

#include <stdlib.h>

/* Programs may have threads from the beginning; headers then use atomic operations. */
WEAK char __libc_single_threaded;

/* --- std::call_once: the header puts the function here and calls pthread_once --- */

WEAK _Thread_local void *_ZSt15__once_callable;
WEAK _Thread_local void (*_ZSt11__once_call)(void);

WEAK void __once_proxy(void) { _ZSt11__once_call(); }

/* --- std::thread::_State --- */

WEAK void _ZNSt6thread6_StateD1Ev(void *state) { (void)state; }
WEAK void _ZNSt6thread6_StateD2Ev(void *state) { (void)state; }
WEAK void _ZNSt6thread6_StateD0Ev(void *state) { _ZdlPv(state); }
void __cxa_pure_virtual(void);

WEAK const struct type _ZTINSt6thread6_StateE = {_ZTVN10__cxxabiv117__class_type_infoE + 2, "NSt6thread6_StateE"};
WEAK const void *const _ZTVNSt6thread6_StateE[5] = {0, &_ZTINSt6thread6_StateE, (void *)_ZNSt6thread6_StateD1Ev,
                                                    (void *)_ZNSt6thread6_StateD0Ev, (void *)__cxa_pure_virtual};

/* --- std::future: what holds a result, or the exception instead of it --- */

struct result {
    const void *const *table;
    void *error; /* a std::exception_ptr */
};

extern const void *const _ZTVNSt13__future_base12_Result_baseE[5];
void _ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(void **pointer);

static void start_result(struct result *result)
{
    result->table = _ZTVNSt13__future_base12_Result_baseE + 2;
    result->error = NULL;
}

static void end_result(struct result *result)
{
    if (result->error)
        _ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(&result->error);
}

WEAK void _ZNSt13__future_base12_Result_baseC1Ev(struct result *result) { start_result(result); }
WEAK void _ZNSt13__future_base12_Result_baseC2Ev(struct result *result) { start_result(result); }
WEAK void _ZNSt13__future_base12_Result_baseD1Ev(struct result *result) { end_result(result); }
WEAK void _ZNSt13__future_base12_Result_baseD2Ev(struct result *result) { end_result(result); }
WEAK void _ZNSt13__future_base12_Result_baseD0Ev(struct result *result)
{
    end_result(result);
    _ZdlPv(result);
}

WEAK const struct type _ZTINSt13__future_base12_Result_baseE = {_ZTVN10__cxxabiv117__class_type_infoE + 2,
                                                                "NSt13__future_base12_Result_baseE"};
/* The order of the class: a virtual function of derived classes, then the destructors. */
WEAK const void *const _ZTVNSt13__future_base12_Result_baseE[5] = {
    0, &_ZTINSt13__future_base12_Result_baseE, (void *)__cxa_pure_virtual,
    (void *)_ZNSt13__future_base12_Result_baseD1Ev, (void *)_ZNSt13__future_base12_Result_baseD0Ev};
