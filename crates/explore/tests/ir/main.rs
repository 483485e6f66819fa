//! Searches over small programs in the text form of the IR: what is explored, how often, and what is said of it.

mod cuts;
mod deadlocks;
mod failures;
mod footprints;
mod inputs;
mod orders;
mod parts;
mod recognised;
mod replays;
mod sections;
mod shared;
mod sleeping;
mod traces;
mod waits;

use selvedge_irkit::{Flags, Found, Text, search};
use selvedge_program::Program;

/// Explores a program by partial orders, with wakeup trees and with source sets, both of which must find so many
/// executions; by summaries, with and without partial orders, and plainly, which must come to the same verdict.
#[track_caller]
fn check(program: &Program, expected: &str) {
    let found = count(program, expected);
    agree(program, &found);
}

/// As [`check`] for a program with too many executions for plain enumeration.
#[track_caller]
fn count(program: &Program, expected: &str) -> Found {
    let found = search(program, &Flags::dpor());
    assert_eq!(found.to_string(), expected, "wakeup trees");
    let sets = search(program, &Flags { source_sets: true, ..Flags::dpor() });
    assert_eq!(Found { blocked: 0, ..sets }.to_string(), expected, "source sets");
    let both = search(program, &Flags::ag());
    assert_eq!((both.verdict(), both.places()), (found.verdict(), found.places()), "with summaries");
    found
}

/// Every other way to explore the program comes to the same verdict and the same failures.
#[track_caller]
fn agree(program: &Program, expected: &Found) {
    let others =
        [("nothing reduced", Flags::none()), ("both", Flags::ag()), ("summaries", Flags::summaries())];
    for (what, flags) in others {
        let found = search(program, &flags);
        assert_eq!(found.verdict(), expected.verdict(), "{what}: {found}");
        assert_eq!(found.places(), expected.places(), "{what}");
    }
}

/// Reads `x` and writes one more, in two steps.
const ADD_ONE: &str = "%old: i32 = load i32 @x
    %new: i32 = add i32 %old, 1i32
    store i32 %new to @x";

/// The same in one step.
const ADD_ONE_AT_ONCE: &str = "%old: i32 = rmw.add.seqcst i32 @x, 1i32";

/// The same with a mutex.
const ADD_ONE_LOCKED: &str = "call @pthread_mutex_lock(ptr @m)
    %old: i32 = load i32 @x
    %new: i32 = add i32 %old, 1i32
    store i32 %new to @x
    call @pthread_mutex_unlock(ptr @m)";

/// Asserts what `x` is in the end.
fn x_is(value: i32) -> String {
    format!("%x: i32 = load i32 @x\n%c: i1 = cmp.eq i32 %x, {value}i32\nassert %c")
}

/// So many threads that do the same, and what `main` does after their ends.
#[track_caller]
fn team(n: usize, body: &str, after: &str) -> Program {
    let names: Vec<String> = (0..n).map(|i| format!("t{i}")).collect();
    let text = Text::new().int("x", 0).int("y", 0).mutexes(&["m", "k"]);
    let text = names.iter().fold(text, |text, name| text.thread(name, body));
    text.main(&format!("run {}\n{after}", names.join(" ")))
}

/// Two threads over `x`, `y`, `z` (zero in the beginning) and the mutexes `m` and `k`, and what `main` does after them.
#[track_caller]
fn pair(one: &str, two: &str, after: &str) -> Program {
    let text = Text::new().int("x", 0).int("y", 0).int("z", 0).mutexes(&["m", "k"]);
    text.thread("one", one).thread("two", two).main(&format!("run one two\n{after}"))
}
