// A call of a function that nobody defines: unknown where it is reached.
//@ verdict: unknown
//@ reason: measure_voltage
#include "../inputs.h"

int measure_voltage(int channel);

int main(void)
{
    if (__VERIFIER_nondet_int() > 3)
        return measure_voltage(1) > 5;
    return 0;
}
