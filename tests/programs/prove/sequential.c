// One thread, a loop whose number of rounds is an input, and an index that is always in the array.
//@ command: prove
//@ verdict: safe
#include <assert.h>

unsigned __VERIFIER_nondet_uint(void);

static int ring[8];

int main(void) {
  unsigned rounds = __VERIFIER_nondet_uint();
  unsigned at = 0, total = 0;
  for (unsigned i = 0; i < rounds; i++) {
    ring[at] = 1;
    at = at == 7 ? 0 : at + 1;
    total += 2;
    assert(total % 2 == 0);
  }
  assert(at < 8);
  return 0;
}
