//! Programs that several tests look at.

use selvedge_irkit::Text;
use selvedge_program::Program;

/// Reads `x` and writes one more, in two steps.
pub(crate) const ADD_ONE: &str = "%old: i32 = load i32 @x
    %new: i32 = add i32 %old, 1i32
    store i32 %new to @x";

/// The same in one step.
pub(crate) const ADD_ONE_AT_ONCE: &str = "%old: i32 = rmw.add.seqcst i32 @x, 1i32";

/// The same with a mutex.
pub(crate) const ADD_ONE_LOCKED: &str = "call @pthread_mutex_lock(ptr @m)
    %old: i32 = load i32 @x
    %new: i32 = add i32 %old, 1i32
    store i32 %new to @x
    call @pthread_mutex_unlock(ptr @m)";

/// Asserts what `x` is in the end.
pub(crate) fn x_is(value: i32) -> String {
    format!("%x: i32 = load i32 @x\n%c: i1 = cmp.eq i32 %x, {value}i32\nassert %c")
}

/// So many threads that do the same, and what `main` does after their ends.
#[track_caller]
pub(crate) fn team(n: usize, body: &str, after: &str) -> Program {
    let names: Vec<String> = (0..n).map(|i| format!("t{i}")).collect();
    let text = Text::new().int("x", 0).int("y", 0).mutexes(&["m", "k"]);
    let text = names.iter().fold(text, |text, name| text.thread(name, body));
    text.main(&format!("run {}\n{after}", names.join(" ")))
}

/// Two threads over `x`, `y`, `z` (zero in the beginning) and the mutexes `m` and `k`, and what `main` does after them.
#[track_caller]
pub(crate) fn pair(one: &str, two: &str, after: &str) -> Program {
    let text = Text::new().int("x", 0).int("y", 0).int("z", 0).mutexes(&["m", "k"]);
    text.thread("one", one).thread("two", two).main(&format!("run one two\n{after}"))
}
