// A global that is too large to be modelled is named, if it is used.
//@ verdict: unknown
//@ reason: too large
static char huge[1UL << 40];

int main(void)
{
    huge[5] = 1;
    return huge[6];
}
