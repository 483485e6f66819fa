//! One execution with all inputs fixed.

use selvedge_exec::memory::Symbols;
use selvedge_exec::{Arguments, Choice, Machine, Oracle, PathEnd, State, Stop, start};
use selvedge_term::TermId;

use crate::limits::Limits;

/// A finished concrete execution.
pub struct Replayed {
    /// The state at its end.
    pub state: State,
    /// How it ended; `None` if a limit stopped it.
    pub end: Option<PathEnd>,
}

/// With fixed inputs nothing is open, so no question should arrive.
struct NoChoice;

impl Oracle for NoChoice {
    fn choose(&mut self, _: &mut Symbols<'_>, _: &State, _: &[TermId]) -> Choice {
        Choice::Unknown("a concrete execution met a symbolic value".to_string())
    }

    fn witness(&mut self, _: &mut Symbols<'_>, _: &State, _: TermId) -> Result<u64, String> {
        Err("a concrete execution met a symbolic value".to_string())
    }
}

/// Runs the program once. The machine's sources must be fixed.
pub fn replay(machine: &mut Machine<'_>, arguments: &Arguments, limits: &Limits<'_>) -> Option<Replayed> {
    let mut state = start(machine, arguments).ok()?;
    loop {
        match machine.run(&mut state, &mut NoChoice, 100_000) {
            Stop::Budget => {
                if limits.reached(true).is_some() {
                    return Some(Replayed { state, end: None });
                }
            }
            Stop::Fork(_) => {
                let end = PathEnd::Unsupported("a concrete execution met a symbolic value".to_string());
                return Some(Replayed { state, end: Some(end) });
            }
            Stop::End(end) => return Some(Replayed { state, end: Some(end) }),
        }
    }
}
