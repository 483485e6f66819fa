// Exceptions kept for later: the object is the same one wherever it is thrown again, in two threads at once as well, and
// is destroyed with the last reference to it.
//@ verdict: safe
//@ rev ag:
//@ rev dpor: --reduce dpor
//@ rev race: --check default,leak,race
//@ rev wrong:
//@ clang[wrong]: -DWRONG
//@ verdict[wrong]: unsafe(assert)
#include <cassert>
#include <exception>
#include <stdexcept>
#include <thread>

static int n_alive;

struct Error {
    int code;
    explicit Error(int code) : code(code) { n_alive++; }
    Error(const Error &other) : code(other.code) { n_alive++; }
    ~Error() { n_alive--; }
};

static std::exception_ptr keep(int code)
{
    try {
        throw Error(code);
    } catch (...) {
        return std::current_exception();
    }
}

static void handle(std::exception_ptr kept)
{
    try {
        std::rethrow_exception(kept);
    } catch (const Error &e) {
#ifdef WRONG
        assert(e.code == 6);
#endif
        assert(e.code == 5);
        try {
            throw;
        } catch (Error &again) {
            assert(&again == &e);
        }
    }
}

int main()
{
    assert(!std::current_exception());
    {
        std::exception_ptr kept = keep(5), copy = kept;
        assert(n_alive == 1 && kept == copy);
        std::thread thread(handle, kept);
        handle(kept);
        thread.join();
        kept = nullptr;
        assert(copy && n_alive == 1);
    }
    assert(n_alive == 0);
    auto made = std::make_exception_ptr(std::out_of_range("far"));
    try {
        std::rethrow_exception(made);
    } catch (const std::logic_error &e) {
        assert(e.what()[0] == 'f' && std::current_exception() == made);
    }
    return 0;
}
