// What is assumed about functions without a body is said, with their names.
//@ verdict: unknown
//@ flags: --undefined any --strict
//@ reason: functions without a body return any value and do nothing else: measure, start
int measure(int);
void start(void);

int main(void)
{
    start();
    return measure(1) > 0;
}
