// Reference counts of std::shared_ptr in two threads: the object lives until the last one lets go, whichever that is.
//@ verdict: safe
//@ rev ag: --check default,leak
//@ rev dpor: --reduce dpor
//@ rev race: --check default,leak,race
//@ rev wrong:
//@ clang[wrong]: -DWRONG
//@ verdict[wrong]: unsafe(assert)
//@ rev wrong_none: --reduce none
//@ clang[wrong_none]: -DWRONG
//@ verdict[wrong_none]: unsafe(assert)
#include <cassert>
#include <memory>
#include <stdexcept>
#include <thread>

struct Node {
    int value = 3;
    ~Node() { value = 0; }
};

int main()
{
    auto node = std::make_shared<Node>();
    std::weak_ptr<Node> weak = node;
    std::thread thread([weak] {
        auto locked = weak.lock();
#ifdef WRONG
        assert(locked);
#endif
        assert(!locked || locked->value == 3);
    });
    node.reset();
    thread.join();
    assert(weak.expired());
    bool is_refused = false;
    try {
        std::shared_ptr<Node> none(weak);
    } catch (const std::bad_weak_ptr &) {
        is_refused = true;
    }
    assert(is_refused);
    // Exceptions can be made by `new`, too.
    std::exception *error = new std::runtime_error("kept");
    delete error;
    return 0;
}
