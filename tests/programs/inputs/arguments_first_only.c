// The first argument is looked at: its absence is found, and no path splits over the second.
//@ verdict: unsafe(memory)
//@ flags: --all-bugs
//@ executions: total=2
int main(int argc, char **argv)
{
    (void)argc;
    return argv[1][0] == 'a' ? 1 : 0; //~ BUG! memory
}
