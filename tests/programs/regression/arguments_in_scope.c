// Variable arguments outlive the scope of a variable-length array in which reading them began.
//@ verdict: safe
#include <assert.h>
#include <stdarg.h>

static int sum(int n, ...)
{
    va_list list;
    int result;
    {
        int values[n];
        values[0] = n;
        va_start(list, n);
        result = values[0];
    }
    result += va_arg(list, int);
    va_end(list);
    return result;
}

int main(void)
{
    assert(sum(2, 40) == 42);
    return 0;
}
