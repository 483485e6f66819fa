//! The prover: searches for an inductive invariant of a transition system, and the check of what was found.
//!
//! [`search()`] works on any [`TransitionSystem`], control states with symbolic steps between them: property-directed
//! reachability (`pdr`) and predicate abstraction (`forward`) by turns. Models over unbounded integers (`flat`) and C
//! programs (in `selvedge-prove-c`) are such systems.
//!
//! [`prove`] takes a [`Language`], which has a model: by these searches, or by symbolic execution with abstract matching
//! and refinement.
//! Paper: [ASE] Albarghouthi, "Abstract Analysis via Symbolic Executions", MSc thesis, Toronto 2010.
//! This explores an under-approximation under some predicates (`explore`), and asks whether this happens to be everything
//! (`system`, `exact`); if not, preimages of inexact transitions give new predicates (`refine`).
//!
//! A safe system gets a proof object (`proof`, `envelope`), an inductive invariant that [`check_proof`] verifies with the
//! solver alone; an unsafe one gets a concrete run, executed once more by the language's own simulator.
//!
//! Architecture invariant: everything here works on [`TransitionSystem`]s or [`Model`]s, whatever language they came from;
//! only `gcl` and `show` know the guarded-command language.

mod ask;
mod check;
mod control;
mod engine;
mod envelope;
mod exact;
mod explore;
mod fast;
mod flat;
mod forward;
mod gcl;
mod graph;
mod linear;
mod model;
mod needed;
mod oracle;
mod outcome;
mod paths;
mod pdr;
mod predicates;
mod preimage;
mod proof;
mod prove;
mod qe;
mod refine;
mod search;
mod seeds;
mod show;
mod spacer;
mod state;
mod system;
mod trace;
mod transitions;

pub use ask::{Ask, Asked, Domain, Stopped};
pub use check::{CheckResult, Checkable, Claim, check};
pub use envelope::{Error as ProofError, Opened, open, seal};
pub use gcl::Gcl;
pub use model::{Kind, Language, Model, ModelTransition, ModelVar, Run, RunStep, Update};
pub use oracle::Unanswered;
pub use outcome::{Check, Limits, Method, Options, Outcome, Reason, Stats, Verdict};
pub use preimage::{Cube, conjuncts, inputs_of, rename};
pub use prove::{CheckError, check_proof, explored, has_initial_state, prove, shows_at_once};
pub use search::{Answer, Claimed, search, search_from, spoken_of, spoken_of_all};
pub use seeds::{Left, Seeds};
pub use transitions::{BadId, Searchable, StepId, TransitionSystem};
