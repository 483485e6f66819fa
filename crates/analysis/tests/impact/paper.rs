//! The examples of [Conc-iSE]: Guo, Kusano, Wang, "Conc-iSE", ASE 2016.

use super::check_edit;

/// Figures 2 and 3: the change of one thread influences the other thread's read of `x`, and nothing about `y`.
const FIGURE_2: &str = "
int x, y;
void *one(void *p) {
  int a = x; //f
  y = 1;
  assert(a < 5); //f
  return 0; //f
}
void *two(void *p) {
  x = 2; //~fb
  int b = y;
  assert(b < 5);
  return 0;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, one, 0);
  pthread_create(&t, 0, two, 0); //b
  return 0;
}
";

#[test]
fn figure_2_a_write_influences_the_reads_of_the_other_thread_and_not_the_other_variable() {
    check_edit(FIGURE_2, "x = 1;", "x = 2;");
}

/// Figure 8: a condition over two variables, which another thread writes.
const FIGURE_8: &str = "
int x, y, z;
void *one(void *p) {
  x = 1; //b
  z = x; //b
  y = nondet_int(); //b
  if (z > 3) //b
    x = 2; //b
  else
    z = 4;
  return 0;
}
void *two(void *p) {
  int r = 0;
  if (x > y + 1) //~fb
    r = 1; //f
  assert(r != 1); //f
  return 0; //f
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, one, 0); //b
  pthread_create(&t, 0, two, 0); //b
  return 0;
}
";

#[test]
fn figure_8_a_condition_influences_what_it_decides_and_comes_from_what_it_reads() {
    check_edit(FIGURE_8, "x > y)", "x > y + 1)");
}

/// Figure 9: what is read before the thread starts does not depend on what the thread writes.
const FIGURE_9: &str = "
int x;
int before, after;
void *two(void *p) {
  x = 2; //~fb
  return 0;
}
int main(void) {
  pthread_t t;
  before = x;
  pthread_create(&t, 0, two, 0); //b
  after = x; //f
  pthread_join(t, 0);
  return 0;
}
";

#[test]
fn figure_9_what_comes_before_the_start_of_a_thread_does_not_depend_on_it() {
    check_edit(FIGURE_9, "x = 1;", "x = 2;");
}

/// The other end of Figure 9: what is written after the join does not reach the thread.
const AFTER_JOIN: &str = "
int x, seen;
void *two(void *p) {
  seen = x;
  return 0;
}
int main(void) {
  pthread_t t; //b
  pthread_create(&t, 0, two, 0); //b
  pthread_join(t, 0); //b
  x = 2; //~fb
  assert(x > 0); //f
  return 0; //f
} //f
";

#[test]
fn what_comes_after_the_join_of_a_thread_does_not_reach_it() {
    check_edit(AFTER_JOIN, "x = 1;", "x = 2;");
}

/// Figure 10: the Wheel Brake System, where the first condition changes.
const WBS: &str = "
int alt, meter;
void update(int pedal, int autob, int bswitch) {
  int cmd;
  if (pedal <= 0) //~fb
    cmd = 0; //f
  else if (pedal == 1) //f
    cmd = 1; //f
  else
    cmd = pedal;
  cmd = cmd + 1; //f
  if (bswitch == 0)
    meter = 1;
  else if (bswitch == 1)
    meter = 2;
  if (cmd == 2) //f
    alt = 0; //f
  else if (cmd == 3) //f
    alt = 1; //f
  else
    alt = 2; //f
}
int main(void) {
  update(nondet_int(), nondet_int(), nondet_int()); //b
  return 0;
}
";

#[test]
fn figure_10_the_position_of_the_switch_is_not_impacted() {
    check_edit(WBS, "pedal == 0)", "pedal <= 0)");
}
