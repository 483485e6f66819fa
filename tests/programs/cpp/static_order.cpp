// Constructors of globals run before main in their order, destructors after it in the opposite order.
//@ verdict: safe
#include <cassert>

static int log_value;

struct Noted {
    explicit Noted(int digit) : digit(digit) { log_value = log_value * 10 + digit; }
    ~Noted()
    {
        log_value = log_value * 10 + digit;
        if (digit == 1)
            assert(log_value == 123321);
    }
    int digit;
};

static Noted first(1), second(2);

static Noted &third()
{
    static Noted local(3);
    return local;
}

int main()
{
    assert(log_value == 12);
    return third().digit - third().digit;
}
