// The result of a function that returns none cannot be known.
//@ verdict: unknown
//@ reason: returns none
typedef long (*getter)(void);

static void nothing(void)
{
}

int main(void)
{
    getter get = (getter)nothing;
    return get() == 0;
}
