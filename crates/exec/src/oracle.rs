//! What the executor asks of whoever runs it.
//!
//! `exec` chooses nothing: where more than one thing can happen it asks, and the answer is either
//! the only feasible alternative or a [`Stop::Fork`](crate::Stop::Fork) handed to the search. The search
//! answers with the solver; replay answers from recorded values; relative effects answer from the
//! actual state and note the condition as a guard.

use selvedge_term::TermId;

use crate::memory::Symbols;
use crate::state::State;
use crate::value::Value;

/// Which of several exclusive alternatives can happen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// Just this one; the path condition implies it.
    Only(usize),
    /// These, at least two.
    Several(Vec<usize>),
    /// Not known.
    Unknown(String),
}

/// Answers questions about the current path.
pub trait Oracle {
    /// Which of `conds` (pairwise exclusive, together exhaustive, none constant) can hold on `state`'s path?
    fn choose(&mut self, cx: &mut Symbols<'_>, state: &State, conds: &[TermId]) -> Choice;

    /// A value that `term` (at most 64 bits) can have on `state`'s path.
    fn witness(&mut self, cx: &mut Symbols<'_>, state: &State, term: TermId) -> Result<u64, String>;

    /// The value that an address must be fixed to before it is used, if the oracle wants it fixed.
    fn pin(&mut self, _cx: &mut Symbols<'_>, _term: TermId) -> Option<u64> {
        None
    }

    /// The term that stands for a relative one in the actual state, if the run is a relative one.
    fn actual(&mut self, _cx: &mut Symbols<'_>, _term: TermId) -> Option<TermId> {
        None
    }

    /// Whether values that look different are the same in the actual state of a relative run.
    fn are_same(&mut self, _cx: &mut Symbols<'_>, _pairs: &[(Value, Value)]) -> bool {
        false
    }

    /// Whether the state of the run has state variables in place of its contents.
    fn is_relative(&self) -> bool {
        false
    }

    /// The next question is about an assumption that concerns inputs only.
    fn assumption_follows(&mut self) {}
}
