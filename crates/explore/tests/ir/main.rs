//! Searches over small programs in the text form of the IR: what is explored, how often, and what is said of it.

mod cuts;
mod deadlocks;
mod failures;
mod footprints;
mod inputs;
mod orders;
mod parts;
mod programs;
mod recognised;
mod replays;
mod sections;
mod shared;
mod sleeping;
mod traces;
mod waits;

use selvedge_irkit::{Flags, Found, search};
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
