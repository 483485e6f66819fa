// A structure that is returned through memory is written by the function, which has no body.
//@ verdict: unknown
//@ flags: --undefined any
//@ reason: call of `measure`, which is defined nowhere and gives a structure
struct large {
    long a[8];
};
struct large measure(void);

int main(void)
{
    struct large l = measure();
    return l.a[0] == 1;
}
