//! Summaries on small programs in the text form of the IR: which rules they keep to, what they say, when they are made and
//! when they go.

mod cut;
mod decisions;
mod figures;
mod limits;
mod loops;
mod rules;
mod says;
mod walk;

use selvedge_explore::{Rules, ThreadOrder};
use selvedge_irkit::{Flags, Text, Verdict, search};
use selvedge_program::Program;

/// A program with `x`, which two threads may set to 1 and to 0; and `y` and `z`. All are 0 in the beginning.
fn two_values() -> Text {
    Text::new()
        .int("x", 0)
        .int("y", 0)
        .int("z", 0)
        .thread("write_one", "store i32 1i32 to @x")
        .thread("write_zero", "store i32 0i32 to @x")
}

/// Loads `x` and compares it: `%c` says how that came out.
fn x_is(comparison: &str, value: i32) -> String {
    format!("%x: i32 = load i32 @x\n%c: i1 = cmp.{comparison} i32 %x, {value}i32")
}

/// Orders of threads that are tried.
const ORDERS: u64 = 200;

/// The program fails, which every search that keeps to the rules finds; one that reads a rule wrongly calls it safe under
/// some order of threads.
#[track_caller]
fn matters(program: &Program, read_wrongly: impl Fn(&mut Rules)) {
    let expected = search(program, &Flags::none());
    assert_eq!(search(program, &Flags::dpor()).places(), expected.places(), "partial orders");
    assert_eq!(search(program, &Flags::summaries()).places(), expected.places(), "summaries alone");
    matters_in(program, &Flags::ag(), read_wrongly);
}

/// As [`matters`], with these flags, for a program with too many executions for plain enumeration.
#[track_caller]
fn matters_in(program: &Program, flags: &Flags, read_wrongly: impl Fn(&mut Rules)) {
    let expected = search(program, &Flags::dpor());
    assert_eq!(expected.verdict(), Verdict::Unsafe, "{expected}");
    for source_sets in [true, false] {
        let found = search(program, &Flags { source_sets, ..flags.clone() });
        assert_eq!(found.places(), expected.places(), "source sets: {source_sets}");
    }
    let mut does_harm = false;
    let orders = [ThreadOrder::Meeting, ThreadOrder::Keeping].into_iter();
    for thread_order in orders.chain((0..ORDERS).map(ThreadOrder::Shuffled)) {
        let right = Flags { thread_order, ..flags.clone() };
        let found = search(program, &right);
        assert_eq!(found.places(), expected.places(), "{thread_order:?}");
        let mut wrong = right;
        read_wrongly(&mut wrong.rules);
        does_harm |= search(program, &wrong).verdict() == Verdict::Safe;
        if does_harm {
            break;
        }
    }
    assert!(does_harm, "the wrong reading does no harm");
}
