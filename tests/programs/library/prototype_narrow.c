// Without a prototype the function gets an int, of which it reads more bits than there are: what is above is assumed.
//@ verdict: safe
//@ rev plain:
//@ rev strict: --strict
//@ verdict[strict]: unknown
//@ reason[strict]: has zeros above them
unsigned long malloc_usable_size();

int main(void)
{
    return malloc_usable_size(0) == 1;
}
