//! The façade of Selvedge: a program and a configuration in, plain data out.
//!
//! This is the API boundary: `report`, `cli`, `bench` and tests use nothing below it
//! except `frontend` (to obtain a program) and `program` (to read it).

mod config;
mod outcome;

pub use config::{Config, Property, Reduce, Search};
pub use outcome::{
    Bug, BugKind, Coverage, Executions, Input, InputKind, LineCoverage, Outcome, PathEndKind, Phases, Place,
    Progress, SolverUse, StackFrame, Step, TestCase, Verdict,
};

use std::sync::atomic::AtomicBool;

/// How a caller watches and stops a run.
pub struct Hooks<'a> {
    /// Called now and then (a few times a second) with the state of the search.
    pub progress: &'a mut dyn FnMut(&Progress),
    /// Set by the caller (Ctrl-C): the run ends soon with a partial outcome.
    pub interrupted: &'a AtomicBool,
}

/// Explores all paths of `program` and says what was found.
pub fn verify(program: &selvedge_program::Program, config: &Config, hooks: Hooks<'_>) -> Outcome {
    let _ = (program, config, hooks);
    unimplemented!("the search is not connected yet")
}

/// Runs `program` once with all inputs fixed to `inputs`.
pub fn replay(
    program: &selvedge_program::Program,
    config: &Config,
    inputs: &[Input],
    hooks: Hooks<'_>,
) -> Outcome {
    let _ = (program, config, inputs, hooks);
    unimplemented!("the search is not connected yet")
}
