//! Satisfiability of path conditions: one [`Solver`] trait, backends, and a chain of
//! decorators that answer what needs no backend.
//!
//! [`build`] makes the chain from a [`SolverConfig`]; each link is one file with one switch.
//! Architecture invariant: this crate knows terms, never programs, and is the only one that
//! links an SMT library.

/// The solvers at the end of the chain.
mod backend {
    pub(crate) mod bitblast;
    pub(crate) mod z3;
}
mod cache;
mod chain;
mod config;
mod facts;
mod fallback;
mod independence;
mod log;
mod query;
mod simplify;
mod stats;
mod validate;

pub use backend::z3::solve_horn;
pub use chain::build;
pub use config::{Backend, SolverConfig};
pub use query::{Answer, Query, Solver, Want, Why};
pub use stats::Stats;
