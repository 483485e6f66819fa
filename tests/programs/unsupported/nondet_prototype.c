// The name of an input says `float`, its declaration `int`: neither is guessed.
//@ verdict: unknown
//@ reason: `nondet_float` is declared to give i32, but its name says otherwise
//@ rev width:
//@ clang[width]: -DWIDTH
//@ reason[width]: call of `nondet_long` without a prototype
int nondet_float();
int nondet_long();

int main(void)
{
#ifdef WIDTH
    return nondet_long() == 1;
#else
    return nondet_float() == 1;
#endif
}
