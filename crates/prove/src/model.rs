//! What is proved: a transition system over terms, whatever language it came from.
//!
//! Variables are of two kinds. *Control* has few values (locations, booleans, members of enumerations) and
//! is kept explicitly in every abstract state; *data* is what predicates are about.

use num_bigint::BigInt;
use selvedge_term::{TermId, TermPool};

/// A language that has transition systems.
pub trait Language {
    /// The system, in terms of `pool`.
    fn model(&self, pool: &mut TermPool) -> Model;

    /// A condition over the system's variables in the language's own syntax.
    fn show(&self, pool: &TermPool, model: &Model, condition: TermId) -> String;

    /// The condition that `text` says; the inverse of [`show`](Self::show).
    fn read(&self, pool: &mut TermPool, model: &Model, text: &str) -> Result<TermId, String>;

    /// The value of a variable as it is written.
    fn show_value(&self, var: usize, value: &BigInt) -> String;

    /// Executes `run` concretely and says why it is none of the system, or does not end in a bad state.
    fn replay(&self, run: &Run) -> Result<(), String>;
}

/// What values a variable has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Few values, the numbers below this.
    Control(u32),
    /// Unbounded integers.
    Data,
}

/// A variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModelVar {
    /// As in the program.
    pub name: String,
    /// The variable as a term: a bit-vector for control, an integer for data.
    pub term: TermId,
    /// Its values.
    pub kind: Kind,
}

/// What a variable becomes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Update {
    /// The value of a term in the state before.
    Term(TermId),
    /// Any value: the program's `nondet`.
    Any,
}

/// `guard → updates`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModelTransition {
    /// Unique.
    pub name: String,
    /// When it can be taken.
    pub guard: TermId,
    /// What changes, by variable; no variable twice.
    pub updates: Vec<(usize, Update)>,
}

/// A transition system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Model {
    /// Variables.
    pub vars: Vec<ModelVar>,
    /// Initial states.
    pub init: TermId,
    /// Transitions.
    pub transitions: Vec<ModelTransition>,
    /// States that must not be reached.
    pub bad: TermId,
}

/// A concrete run that ends in a bad state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// Values of all variables at the start; control values are numbers too.
    pub start: Vec<BigInt>,
    /// The steps.
    pub steps: Vec<RunStep>,
}

/// A step of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunStep {
    /// The transition taken.
    pub transition: usize,
    /// The values that `nondet` gave, in the order of the transition's updates.
    pub inputs: Vec<BigInt>,
    /// Values of all variables afterwards.
    pub state: Vec<BigInt>,
}
