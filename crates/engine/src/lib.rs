//! The façade of Selvedge: a program and a configuration in, plain data out.
//!
//! This is the API boundary: `report`, `cli` and tests use nothing below it, except for what ARCHITECTURE.md names.

mod again;
mod assertions;
mod assumptions;
mod bugs;
mod collect;
mod compare;
mod config;
mod coverage;
mod impacted;
mod inputs;
mod knowledge;
mod lower;
mod outcome;
mod outside;
mod parallel;
mod places;
mod proofs;
mod property;
mod prove;
mod reduction;
mod reuse;
mod shorten;
mod told;
mod verify;

pub use assumptions::known_assumptions;
pub use compare::{
    ComparedCheck, ComparedFunction, ComparedGlobal, ComparedLine, Comparison, PartChange, compare,
};
pub use config::{Config, Limits, Presumed, Search, TestSwitches};
pub use knowledge::Knowledge;
pub use outcome::{
    Assumption, Bug, BugKind, Coverage, Executions, FunctionCoverage, Input, InputKind, Label, LineCoverage,
    Outcome, PathEndKind, Phases, Place, PointCopy, PointEnd, PointFailure, PointStep, Points, Progress,
    ProofSize, Read, SliceSize, SolverUse, StackFrame, Step, TestCase, Turns, Verdict, Writer,
};
pub use outside::{Cell, CellValue, OutsideCase, OutsideObject};
pub use proofs::{Proofs, Proved};
pub use property::{About, Chosen, Facts, Property, SourceMark};
pub use prove::{ProofRefused, check_proof, prove, prove_again};
pub use reduction::{Ag, Backtrack, Dpor, Reduction, ReductionKind};
pub use reuse::{Checks, EarlierProof, KnownBugs, Reuse, Stands, StandsBecause, Unused};
pub use selvedge_exec::{
    Arguments, Bounds, CUT_SHORT, DEFAULT_BOUND, Failing, FileContent, FileRole, IO_FAILS, MEMORY_FAILS,
    OUTPUT_FAILS, OtherFiles, OutsideBounds, PEER, Peers, Stdin, Surroundings, World,
};
pub use selvedge_explore::{
    Fate, Graph, GraphState, GraphStep, Order, Rules, Standing, SummaryLimits, SummaryStats, ThreadOrder,
    peak_rss_mib,
};
pub use selvedge_incremental::{LayerId, Memory};
pub use selvedge_prove::{CheckError, CheckResult};
pub use selvedge_solver::{Backend, SolverConfig};
pub use verify::{Hooks, interleavings, replay, verify, verify_again};

/// Proofs of programs in the guarded-command language, by the prover that C programs are proved by as well. They have no
/// schedules, inputs or source lines as executions of C programs do, hence outcomes and runs of their own.
pub mod gcl {
    pub use selvedge_prove::{
        CheckError, CheckResult, Gcl, Limits, Method, Options, Outcome, Reason, Run, Stats, Verdict,
        check_proof, has_initial_state, prove,
    };
}
