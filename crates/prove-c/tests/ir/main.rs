//! Proofs without bounds of small programs in the text form of the IR.
//!
//! What is unsafe is executed: the run that a proof gives must go wrong.

mod adapter;
mod again;
mod endless;
mod memory;
mod proofs;
mod sequential;
mod threads;
mod unknown;

use selvedge_irkit::Text;
use selvedge_program::Program;

use adapter::{Proved, prove};

#[track_caller]
fn is_safe(program: &Program) -> Proved {
    let proved = prove(program);
    assert_eq!(proved.verdict, "safe");
    proved
}

/// The program goes wrong like this, and the run shows it.
#[track_caller]
fn is_unsafe(program: &Program, what: &str) -> Proved {
    let proved = prove(program);
    assert!(proved.verdict.starts_with(&format!("unsafe: {what}")), "{}", proved.verdict);
    proved
}

#[track_caller]
fn is_unknown(program: &Program, what: &str) {
    let proved = prove(program);
    assert!(proved.verdict.starts_with("unknown: ") && proved.verdict.contains(what), "{}", proved.verdict);
}

/// What an assertion says that does not hold.
const ABORT: &str = "`abort` is called";

/// Shared integers that are 0 in the beginning, and mutexes `m` and `k`.
fn shared(names: &[&str]) -> Text {
    names.iter().fold(Text::new().mutexes(&["m", "k"]), |text, name| text.int(name, 0))
}

/// Goes round for ever; `body` begins in `bb1` and may use `bb2` to `bb9`.
fn for_ever(body: &str) -> String {
    format!("jump bb1\nbb1: {body}\njump bb1\n")
}
