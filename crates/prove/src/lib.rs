//! Proofs by symbolic execution with abstract matching and refinement.
//!
//! Paper: [ASE] Albarghouthi, "Abstract Analysis via Symbolic Executions", MSc thesis, Toronto 2010.
//! [`prove`] takes a [`TransitionSystem`], explores an under-approximation of it under some predicates
//! (`explore`), and asks whether this happens to be everything (`system`, `exact`); if not, preimages
//! of inexact transitions give new predicates (`refine`). A safe system gets a proof object (`proof`), an
//! inductive invariant that [`check_proof`] verifies with the solver alone; an unsafe one gets a concrete
//! run, executed once more by the language's own simulator.
//!
//! Architecture invariant: everything here works on [`Model`]s, whatever language they came from; only
//! `gcl` and `show` know the guarded-command language.

mod check;
mod control;
mod engine;
mod envelope;
mod exact;
mod explore;
mod fast;
mod gcl;
mod graph;
mod linear;
mod model;
mod oracle;
mod outcome;
mod paths;
mod predicates;
mod proof;
mod prove;
mod qe;
mod refine;
mod show;
mod spacer;
mod state;
mod system;
mod trace;

pub use check::CheckResult;
pub use envelope::{Error as ProofError, Opened, open, seal};
pub use gcl::Gcl;
pub use model::{Kind, Model, ModelTransition, ModelVar, Run, RunStep, TransitionSystem, Update};
pub use oracle::Unanswered;
pub use outcome::{Check, Limits, Method, Options, Outcome, Stats, Verdict};
pub use prove::{CheckError, check_proof, explored, has_initial_state, prove, shows_at_once};
