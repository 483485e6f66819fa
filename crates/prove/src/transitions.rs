//! What proofs are about: control states with steps between them, whatever language they came from.
//!
//! A step is exact: guards over the variables of the state before it and over inputs of its own, and what each condition
//! on the state after it is before it. Control state 0 is the start; no step leads there, and it has no variables. The
//! steps that must not happen are kept apart.
//!
//! Searches want a bit more of it ([`Searchable`]), and the checker what a proof says ([`Checkable`](crate::Checkable)).
//! Two implement it: [`Flat`](crate::flat::Flat) for models over unbounded integers, and C programs.

use selvedge_term::{TermId, TermPool, VarId};

use crate::outcome::Reason;

/// A step by the control state it leaves and its place there.
pub type StepId = (usize, usize);

/// A step that must not happen, likewise.
pub type BadId = (usize, usize);

/// A transition system over control states.
pub trait TransitionSystem {
    /// All terms.
    fn pool(&mut self) -> &mut TermPool;

    /// How many control states there are.
    fn n_controls(&self) -> usize;

    /// How many steps leave a control state.
    fn n_steps(&self, control: usize) -> usize;

    /// The control state that a step leads to.
    fn target(&self, step: StepId) -> usize;

    /// What must hold before a step.
    fn guards(&self, step: StepId) -> &[TermId];

    /// What `condition`, on the state after a step, is before it. `None` if that state has not what it speaks of.
    fn before(&mut self, step: StepId, condition: TermId) -> Option<TermId>;

    /// How many steps from a control state must not happen.
    fn n_bad(&self, control: usize) -> usize;

    /// What must hold before such a step.
    fn bad_guards(&self, bad: BadId) -> &[TermId];
}

/// A transition system all of whose control states are known, for searches.
pub trait Searchable: TransitionSystem {
    /// Why nothing is known about what follows a bad step. `None`: it is wrong.
    fn obstacle(&self, bad: BadId) -> Option<Reason>;

    /// Whether a variable is an input of a step, and not part of a state.
    fn is_input(&self, var: VarId) -> bool;

    /// Whether a variable is part of some state, so that predicates may speak of it.
    fn is_state(&self, var: VarId) -> bool;

    /// What a predicate is at a control state, where some of its variables may be known. `None` if it has not all of them.
    fn here(&mut self, control: usize, predicate: TermId) -> Option<TermId>;
}
