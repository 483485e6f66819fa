//! Flags of `check`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use selvedge_engine::{ReductionKind, SummaryLimits};

use super::environment::EnvironmentArgs;
use super::incremental::IncrementalArgs;
use super::values::{PropertyArg, property, reductions, seconds, with_default};
use crate::progress::ProgressMode;

const EXAMPLES: &str = "\
Examples:
  selvedge check queue.c
  selvedge check --unwind 5 --timeout 60 parser.c -- -Iinclude
  selvedge check --json - sort.c | jq .verdict
  selvedge check --sym-stdin 8 --sym-args 3,3 tool.c
  selvedge check --out result --coverage lexer.c
  selvedge check --incremental queue.c
  selvedge check --property unreach-call.prp --svcomp --witness witness.graphml task.yml

Exit codes: 0 safe (bounded only by bounds given here), 1 bug found, 2 usage or input error, 3 unknown.";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CheckArgs {
    /// Source, bitcode or IR files (.c .i .cc .cpp .cxx .bc .ll); several are linked. Or one SV-COMP task (.yml)
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Arguments for clang
    #[arg(last = true, value_name = "CLANG-ARGS", allow_hyphen_values = true)]
    pub(crate) clang_args: Vec<String>,

    #[command(flatten)]
    pub(crate) search: SearchArgs,
    #[command(flatten)]
    pub(crate) bounds: BoundArgs,
    #[command(flatten)]
    pub(crate) environment: EnvironmentArgs,
    #[command(flatten)]
    pub(crate) incremental: IncrementalArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) svcomp: SvCompArgs,
    #[command(flatten)]
    pub(crate) solver: SolverArgs,
}

#[derive(Args, Debug, Default)]
#[command(next_help_heading = "SV-COMP")]
pub(crate) struct SvCompArgs {
    /// Property file (.prp) to check, instead of --check
    #[arg(long, value_name = "FILE", conflicts_with = "check")]
    pub(crate) property: Option<PathBuf>,

    /// Last line of the output: TRUE, FALSE(property) or UNKNOWN
    #[arg(long)]
    pub(crate) svcomp: bool,

    /// Violation witness as GraphML; `-` is standard output (the text then goes to standard error)
    #[arg(long, value_name = "FILE")]
    pub(crate) witness: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Search")]
pub(crate) struct SearchArgs {
    /// Properties to check: assert, memory, uninit, bounds, align, div, overflow, unsigned, leak, deadlock, race,
    /// reach, cleanup; also `all` and `default`, which is taken if the flag is not given
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = property)]
    pub(crate) check: Vec<PropertyArg>,

    /// How interleavings are reduced; ag is DPOR with predicate summaries and slicing
    #[arg(long, value_name = "HOW", value_parser = reductions(), default_value = ReductionKind::Ag.name())]
    pub(crate) reduce: ReductionKind,

    /// Reduce by source sets instead of wakeup trees
    #[arg(long)]
    pub(crate) source_sets: bool,

    /// Explore equivalent interleavings too
    #[arg(long)]
    pub(crate) no_dpor: bool,

    /// Explore threads again that were explored before
    #[arg(long)]
    pub(crate) no_sleep: bool,

    /// Explore what a summary says is safe
    #[arg(long)]
    pub(crate) no_summaries: bool,

    /// Interleave accesses that cannot matter for the checked properties, too
    #[arg(long)]
    pub(crate) no_slice: bool,

    #[arg(long, value_name = "N", help = with_default("Control states that summaries are kept for", SummaryLimits::default().entries))]
    pub(crate) summary_entries: Option<u64>,

    #[arg(long, value_name = "N", help = with_default("Size of the largest formula that is kept", SummaryLimits::default().size))]
    pub(crate) summary_size: Option<usize>,

    /// Take every object for shared between threads
    #[arg(long)]
    pub(crate) share_everything: bool,

    /// Order in which pending states are taken up; coverage prefers those that will reach new code
    #[arg(long, value_name = "ORDER", value_enum, default_value_t = SearchArg::Dfs)]
    pub(crate) search: SearchArg,

    /// Go on after the first bug
    #[arg(long)]
    pub(crate) all_bugs: bool,

    /// Seed of random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Parallel workers
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) jobs: u64,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SearchArg {
    // Depth first
    Dfs,
    // Breadth first
    Bfs,
    // A random walk through the tree of pending states
    RandomPath,
    // States that will reach uncovered code first
    Coverage,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Bounds")]
pub(crate) struct BoundArgs {
    /// Iterations of a loop before a path is cut
    #[arg(long, value_name = "N")]
    pub(crate) unwind: Option<u64>,

    /// Instructions of each thread on one path before it is cut
    #[arg(long, value_name = "N")]
    pub(crate) max_steps: Option<u64>,

    /// Executions before the search stops
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_runs: Option<u64>,

    /// Call depth at which a path is cut
    #[arg(long, value_name = "N")]
    pub(crate) max_depth: Option<u32>,

    /// Seconds before the search stops
    #[arg(long, value_name = "SECS", value_parser = seconds)]
    pub(crate) timeout: Option<std::time::Duration>,

    /// Memory in MiB at which the search stops
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) memory: Option<u64>,
}

#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// Directory for test cases, replay files and reports
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// JSON report; `-` is standard output (the text then goes to standard error)
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,

    /// Directory for KLEE test cases, one for each path
    #[arg(long, value_name = "DIR")]
    pub(crate) ktest: Option<PathBuf>,

    /// Show line coverage by file
    #[arg(long)]
    pub(crate) coverage: bool,

    /// lcov tracefile; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) lcov: Option<PathBuf>,

    /// Show all counters
    #[arg(long)]
    pub(crate) stats: bool,

    /// Progress on standard error: a live line, plain lines, or none
    #[arg(long, value_name = "HOW", value_enum, default_value_t = ProgressMode::Auto)]
    pub(crate) progress: ProgressMode,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Solver")]
pub(crate) struct SolverArgs {
    /// Seconds for one query
    #[arg(long, value_name = "SECS", value_parser = seconds)]
    pub(crate) solver_timeout: Option<std::time::Duration>,

    /// Do not simplify terms before queries
    #[arg(long)]
    pub(crate) no_simplify: bool,

    /// Do not drop constraints that share no variable with the query
    #[arg(long)]
    pub(crate) no_independence: bool,

    /// Do not keep models and cores of earlier queries
    #[arg(long)]
    pub(crate) no_solver_cache: bool,

    /// Do not keep one solver stack along the search
    #[arg(long)]
    pub(crate) no_incremental_solver: bool,

    /// Ask Z3 without trying the bit-blaster first
    #[arg(long)]
    pub(crate) no_bit_blaster: bool,

    /// Compare every answer with a second backend
    #[arg(long)]
    pub(crate) validate_solver: bool,

    /// Directory for all queries as SMT-LIB
    #[arg(long, value_name = "DIR")]
    pub(crate) log_queries: Option<PathBuf>,
}
