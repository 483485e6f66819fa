//! The façade of Selvedge: a program and a configuration in, plain data out.
//!
//! This is the API boundary: `report`, `cli`, `bench` and tests use nothing below it
//! except `frontend` (to obtain a program) and `program` (to read it).

mod assertions;
mod assumptions;
mod bugs;
mod collect;
mod config;
mod coverage;
mod inputs;
mod outcome;
mod parallel;
mod places;
mod prove;
mod shorten;
mod system;
mod verify;

pub use assumptions::known_assumptions;
pub use config::{Config, Property, Reduce, Search};
pub use outcome::{
    Assumption, Bug, BugKind, Coverage, Executions, Input, InputKind, LineCoverage, Outcome, PathEndKind,
    Phases, Place, PointCopy, PointEnd, PointFailure, PointStep, Points, Progress, ProofSize, SliceSize,
    SolverUse, StackFrame, Step, TestCase, Turns, Verdict,
};
pub use prove::prove;
pub use selvedge_exec::{
    CUT_SHORT, DEFAULT_BOUND, FileContent, FileRole, IO_FAILS, OUTPUT_FAILS, OtherFiles, PEER, Peers, Stdin,
    World,
};
pub use selvedge_explore::{
    Fate, Graph, GraphState, GraphStep, Rules, Standing, SummaryLimits, SummaryStats, ThreadOrder,
};
pub use system::peak_rss_mib;
pub use verify::{Hooks, interleavings, replay, verify};
