// The third parameter of main is an environment, which has no variables.
//@ verdict: safe
int main(int argc, char **argv, char **environment)
{
    (void)argc;
    (void)argv;
    char *volatile first = environment[0];
    return first == (char *)1;
}
