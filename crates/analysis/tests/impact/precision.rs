//! Dependences that the paper does not speak of, and what is left alone.

use super::check_edit;

#[test]
fn a_lock_that_is_gone_influences_the_section_and_who_takes_the_same_lock() {
    let new = "
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, other;
void *one(void *p) {
  other = 1;
  ;
  int t = x; //f
  x = t + 1; //f
  return 0; //f
}
void *two(void *p) {
  other = 3;
  pthread_mutex_lock(&m); //fb
  x = 5; //f
  pthread_mutex_unlock(&m); //fb
  return 0; //f
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, one, 0); //b
  pthread_create(&t, 0, two, 0); //b
  assert(other < 4);
  return 0;
}
";
    super::check(&new.replacen("\n  ;\n", "\n  pthread_mutex_lock(&m);\n", 1), new);
}

#[test]
fn results_arguments_and_pointers_carry_the_change() {
    check_edit(
        "
int a, b;
static int pick(int n) {
  return n; //f
}
static void put(int *p, int v) {
  *p = v; //f
}
int main(void) {
  int n = pick(8); //~fb
  put(&a, n); //f
  put(&b, 3);
  assert(a < 9); //f
  return 0; //f
}
",
        "pick(7)",
        "pick(8)",
    );
}

#[test]
fn what_comes_after_a_loop_that_may_not_end_depends_on_it() {
    check_edit(
        "
int flag, x;
int main(void) {
  x = 1;
  while (flag != 2) //~fb
    flag = nondet_int(); //fb
  x = 2; //f
  return 0; //f
}
",
        "flag != 1",
        "flag != 2",
    );
}

#[test]
fn a_changed_initialiser_influences_those_who_read_it() {
    check_edit(
        "
int limit = 4, other = 1;
int main(void) {
  assert(other < 4);
  assert(limit < 4); //f
  other = 2; //f
  return 0; //f
}
",
        "limit = 3",
        "limit = 4",
    );
}

#[test]
fn a_thread_that_is_joined_by_its_number_in_an_array_is_joined() {
    check_edit(
        "
int x, seen;
void *one(void *p) {
  seen = x;
  return 0;
}
int main(void) {
  pthread_t t[2]; //b
  pthread_create(&t[1], 0, one, 0); //b
  pthread_join(t[1], 0); //b
  x = 2; //~fb
  return 0;
}
",
        "x = 1",
        "x = 2",
    );
}
