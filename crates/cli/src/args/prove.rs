//! Flags of `prove`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use num_bigint::BigInt;

use super::values::{PropertyArg, define, property, seconds};

const EXAMPLES: &str = "\
Examples:
  selvedge prove peterson.c                     all executions of a C program, however long
  selvedge prove --out result lock.c -- -DN=2   keep a failing execution for `selvedge replay`
  selvedge prove --incremental peterson.c       the same after an edit: the last proof often still holds
  selvedge prove bakery.gcl
  selvedge prove ticket.gcl -D N=4 --proof ticket.proof
  selvedge check-proof ticket.gcl ticket.proof -D N=4
  selvedge prove mutex.gcl --graph mutex.svg

Exit codes: 0 safe, 1 a bad state can be reached, 2 usage or input error, 3 unknown.";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ProveArgs {
    /// A C program (.c .i .cc .cpp .cxx .bc .ll), or one in the guarded-command language (.gcl)
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Arguments for clang
    #[arg(last = true, value_name = "CLANG-ARGS", allow_hyphen_values = true)]
    pub(crate) clang_args: Vec<String>,

    /// Properties of a C program to prove: assert, memory, div, overflow, deadlock, reach; also `default`
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = property)]
    pub(crate) check: Vec<PropertyArg>,

    /// Directory for replay files and reports of a C program
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub(crate) out: Option<PathBuf>,

    /// Value of a constant of a .gcl program: N=4 (repeatable)
    #[arg(short = 'D', long, value_name = "NAME=VALUE", value_parser = define)]
    pub(crate) define: Vec<(String, BigInt)>,

    /// How to look for a proof
    #[arg(long, value_name = "HOW", value_enum, default_value_t = MethodArg::Ase)]
    pub(crate) method: MethodArg,

    /// Rounds of refinement before the search stops
    #[arg(long, value_name = "N", help_heading = "Bounds")]
    pub(crate) max_iterations: Option<u32>,

    /// Predicates before the search stops
    #[arg(long, value_name = "N", help_heading = "Bounds")]
    pub(crate) max_predicates: Option<usize>,

    /// Symbolic states of one round, or control states of a C program, before the search stops
    #[arg(long, value_name = "N", help_heading = "Bounds")]
    pub(crate) max_states: Option<usize>,

    /// Symbolic states to expand for each abstract state; 0 is no limit
    #[arg(long, value_name = "N", help_heading = "Bounds")]
    pub(crate) max_matches: Option<u32>,

    /// Begin with the last proof of this C program, also of another version of it, and keep the one that is found. The verdict
    /// is that of a run from scratch
    #[arg(long, conflicts_with = "proof", help_heading = "Earlier runs")]
    pub(crate) incremental: bool,

    /// The folder for what runs find out [default: .selvedge]
    #[arg(long, value_name = "DIR", requires = "incremental", help_heading = "Earlier runs")]
    pub(crate) store: Option<PathBuf>,

    /// MiB that the store may take; what was not used for longest goes first [default: 1024]
    #[arg(
        long,
        value_name = "MIB",
        requires = "incremental",
        value_parser = clap::value_parser!(u64).range(1..=1 << 20),
        help_heading = "Earlier runs"
    )]
    pub(crate) store_limit: Option<u64>,

    /// Seconds before the search stops
    #[arg(long, value_name = "SECS", value_parser = seconds, help_heading = "Bounds")]
    pub(crate) timeout: Option<std::time::Duration>,

    /// JSON report; `-` is standard output (the text then goes to standard error)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) json: Option<PathBuf>,

    /// Where to write the proof object of a safe program
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) proof: Option<PathBuf>,

    /// Where to draw the last abstract transition system: DOT, or SVG if the name ends in .svg
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) graph: Option<PathBuf>,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MethodArg {
    // Abstract analysis of symbolic executions
    Ase,
    // Under-approximation refinement
    Ur,
    // Property-directed reachability and predicate abstraction, as for C programs
    Pdr,
    // Z3's Spacer, for comparison
    Spacer,
}
