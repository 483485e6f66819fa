//! Predicate summaries: what is known to be safe from a place in the program on.
//!
//! When everything below a state has been explored without an error, the weakest preconditions of what was executed
//! say from which other values the same would have happened. That formula is the *summary* of the state's control
//! state. A later visit whose values satisfy it need not go further.
//!
//! Paper: FSE 2015, §4 (predicate summaries) and §5 (pruning), read by the rules R1 to R11 of docs/soundness.md.
//! Guarantee: a state that satisfies a summary of its control state, with at least the threads asleep that slept when
//! the summary was made, has no failing execution that is not explored elsewhere. Relies on: `exec` for relative
//! steps; `por` for footprints; the search for handing over every state it enters and leaves.

mod boxes;
mod check;
mod ground;
mod lasting;
mod linear;
mod node;
mod pace;
mod recall;
mod rules;
mod size;
mod table;
mod tails;
mod wp;

pub use check::Checker;
pub use lasting::{Archive, Claim, Claimed, Harvest, Lasting, LastingTail, Layer, Merged, Merger};
pub use node::{Cover, Decision, End, Left, Open, Place, Summaries};
pub use rules::Rules;
pub use table::{Digest, Limits, Stats};
pub use tails::Turn;
