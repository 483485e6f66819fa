//! The command line as types. What the flags mean is in [`config`](crate::config).

mod environment;

use std::fmt::Display;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use selvedge_engine::SummaryLimits;

pub(crate) use environment::{ClockArg, EnvironmentArgs, FailArg, UndefinedArg};

use crate::output::ColorChoice;
use crate::progress::ProgressMode;
use crate::prove::args::{CheckProofArgs, FmtGclArgs, ProveArgs, RunGclArgs};

const EXAMPLES: &str = "\
Examples:
  selvedge check queue.c                        all inputs of one program
  selvedge check a.c b.c -- -Iinclude -DN=4     several files, arguments for clang
  selvedge check --check default,overflow x.c   also signed overflow
  selvedge check --out result x.c               keep test cases and replay files
  selvedge replay result/bug-1.json             run one counterexample again

Exit codes: 0 safe, 1 bug found, 2 usage or input error, 3 unknown.";

/// Finds the input that breaks a C program, or shows that there is none.
#[derive(Parser, Debug)]
#[command(name = "selvedge", version, about, after_help = EXAMPLES, max_term_width = 110)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// When to use colours; NO_COLOR is obeyed
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t = ColorChoice::Auto, help_heading = "Output")]
    pub(crate) color: ColorChoice,

    /// Only headlines and the verdict, besides what other flags ask for
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = "Output")]
    pub(crate) quiet: bool,

    /// Everything, unabridged
    #[arg(short, long, global = true, help_heading = "Output")]
    pub(crate) verbose: bool,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Check a program for all inputs
    Check(Box<CheckArgs>),
    /// Run one counterexample again
    Replay(ReplayArgs),
    /// Draw control flow or calls as DOT or SVG
    Graph(GraphArgs),
    /// Prove a C or guarded-command program without bounds, or refute it
    Prove(ProveArgs),
    /// Verify a proof object
    CheckProof(CheckProofArgs),
    /// Run a guarded-command program at random
    RunGcl(RunGclArgs),
    /// Print a guarded-command program in the standard layout
    FmtGcl(FmtGclArgs),
    /// Run a table of measurements
    Bench(BenchArgs),
    /// Compare two results of one table
    BenchDiff(BenchDiffArgs),
    /// Print shell completions
    Completions(CompletionsArgs),
    /// Print the manual page
    Man(ManArgs),
}

const CHECK_EXAMPLES: &str = "\
Examples:
  selvedge check queue.c
  selvedge check --unwind 5 --timeout 60 parser.c -- -Iinclude
  selvedge check --json - sort.c | jq .verdict
  selvedge check --sym-stdin 8 --sym-args 3,3 tool.c
  selvedge check --out result --coverage lexer.c
  selvedge check --property unreach-call.prp --svcomp --witness witness.graphml task.yml

Exit codes: 0 safe (bounded only by bounds given here), 1 bug found, 2 usage or input error, 3 unknown.";

#[derive(Args, Debug)]
#[command(after_help = CHECK_EXAMPLES)]
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
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) svcomp: SvCompArgs,
    #[command(flatten)]
    pub(crate) solver: SolverArgs,
}

#[derive(Args, Debug)]
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
    #[arg(long, value_name = "HOW", value_enum, default_value_t = ReduceArg::Ag)]
    pub(crate) reduce: ReduceArg,

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

    /// Control states that summaries are kept for
    #[arg(long, value_name = "N", help = with_default("Control states that summaries are kept for", SummaryLimits::default().entries))]
    pub(crate) summary_entries: Option<u64>,

    /// Size of the largest formula that is kept
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

#[derive(Args, Debug)]
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

/// One name of `--check`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PropertyArg {
    Default,
    All,
    One(selvedge_engine::Property),
}

pub(crate) fn property(name: &str) -> Result<PropertyArg, String> {
    use selvedge_engine::Property;
    match name.trim() {
        "default" => Ok(PropertyArg::Default),
        "all" => Ok(PropertyArg::All),
        name => match Property::ALL.iter().find(|(_, n)| *n == name) {
            Some((property, _)) => Ok(PropertyArg::One(*property)),
            None => {
                let known: Vec<&str> = Property::ALL.iter().map(|(_, n)| *n).collect();
                Err(format!("unknown property `{name}`; known are {}, default, all", known.join(", ")))
            }
        },
    }
}

/// A help text with the default of a flag that must tell whether it is given.
fn with_default(text: &str, default: impl Display) -> String {
    format!("{text} [default: {default}]")
}

pub(crate) fn seconds(text: &str) -> Result<std::time::Duration, String> {
    let value: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    if value > 0.0 {
        std::time::Duration::try_from_secs_f64(value).map_err(|_| "too many seconds".to_owned())
    } else {
        Err("must be more than 0 seconds".to_owned())
    }
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ReduceArg {
    // Plain enumeration
    None,
    // Dynamic partial-order reduction
    Dpor,
    // DPOR, predicate summaries and slicing
    Ag,
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

const REPLAY_EXAMPLES: &str = "\
Examples:
  selvedge replay result/bug-1.json
  selvedge replay result/bug-1.json --native
  selvedge replay result/bug-1.json --gdb --keep build

Exit codes: 1 the recorded failure happens again (with --native also in the real program), 2 usage or input
error, 3 it does not, or the native run diverges from the record.";

#[derive(Args, Debug)]
#[command(after_help = REPLAY_EXAMPLES)]
pub(crate) struct ReplayArgs {
    /// A replay file: bug-1.json of a run with --out
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// JSON report; `-` is standard output (the text then goes to standard error)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) json: Option<PathBuf>,

    /// Seconds before the run stops
    #[arg(long, value_name = "SECS", value_parser = seconds)]
    pub(crate) timeout: Option<std::time::Duration>,

    /// Also build the real program and make it fail: same inputs, same order of threads
    #[arg(long, help_heading = "Native")]
    pub(crate) native: bool,

    /// Build the real program, do not run it, and say how to debug it
    #[arg(long, help_heading = "Native")]
    pub(crate) gdb: bool,

    /// Directory in which the native build is kept
    #[arg(long, value_name = "DIR", help_heading = "Native")]
    pub(crate) keep: Option<PathBuf>,
}

impl ReplayArgs {
    /// Whether the real program is to be built.
    pub(crate) fn is_native(&self) -> bool {
        self.native || self.gdb || self.keep.is_some()
    }
}

#[derive(Args, Debug)]
pub(crate) struct GraphArgs {
    /// Source, bitcode or IR files; several are linked
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Arguments for clang
    #[arg(last = true, value_name = "CLANG-ARGS", allow_hyphen_values = true)]
    pub(crate) clang_args: Vec<String>,

    /// What to draw: the control flow of each function, or who calls whom
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = GraphKind::Cfg)]
    pub(crate) kind: GraphKind,

    /// Draw the states and steps of the search over schedules instead
    #[arg(long, conflicts_with_all = ["kind", "function", "all"])]
    pub(crate) gig: bool,

    /// How interleavings are reduced
    #[arg(long, value_name = "HOW", value_enum, default_value_t = ReduceArg::Ag, requires = "gig")]
    pub(crate) reduce: ReduceArg,

    /// Cut paths after N iterations of a loop
    #[arg(long, value_name = "N", requires = "gig")]
    pub(crate) unwind: Option<u64>,

    /// States that are drawn at most
    #[arg(long, value_name = "N", default_value_t = 300, requires = "gig")]
    pub(crate) states: usize,

    /// Only this function
    #[arg(long, value_name = "NAME", conflicts_with = "all")]
    pub(crate) function: Option<String>,

    /// Also the functions of the C run-time
    #[arg(long)]
    pub(crate) all: bool,

    /// Function to start from
    #[arg(long, value_name = "FUNCTION", default_value = "main")]
    pub(crate) entry: String,

    /// Format; svg needs Graphviz's `dot`
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = GraphFormat::Dot, help_heading = "Output")]
    pub(crate) format: GraphFormat,

    /// Where to write; `-` is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-", help_heading = "Output")]
    pub(crate) output: PathBuf,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum GraphKind {
    // Control flow of each function
    Cfg,
    // Who calls whom
    Calls,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum GraphFormat {
    // Graphviz source
    Dot,
    // A picture
    Svg,
}

#[derive(Args, Debug)]
pub(crate) struct BenchArgs {
    /// A name in the directory of tables, or a .toml file
    #[arg(value_name = "TABLE", required_unless_present = "list")]
    pub(crate) table: Option<String>,

    /// List the tables
    #[arg(long)]
    pub(crate) list: bool,

    /// Directory of tables
    #[arg(long, value_name = "DIR", default_value = "bench/tables")]
    pub(crate) tables: PathBuf,

    /// Only programs whose name contains this
    #[arg(long, value_name = "TEXT")]
    pub(crate) filter: Option<String>,

    /// Runs of each cell, instead of the table's number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) repeat: Option<u32>,

    /// Do not repeat runs that are in the directory already; refused if they are of another commit, binary or table
    #[arg(long)]
    pub(crate) resume: bool,

    /// Directory for the raw CSV, the Markdown table and the plots
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct BenchDiffArgs {
    /// Raw CSV, or a directory with one file
    #[arg(value_name = "OLD")]
    pub(crate) old: PathBuf,

    /// Raw CSV, or a directory with a file of the same name
    #[arg(value_name = "NEW")]
    pub(crate) new: PathBuf,

    /// Metrics of which more is worse
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "executions")]
    pub(crate) metrics: Vec<String>,

    /// Show times that differ by more than this factor
    #[arg(long, value_name = "FACTOR", default_value_t = 1.2)]
    pub(crate) noise: f64,
}

#[derive(Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,

    /// Write the file into this directory instead of standard output
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct ManArgs {
    /// Write the pages of all commands into this directory instead of the main page to standard output
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_flag_has_a_help_text() {
        for command in Cli::command().get_subcommands() {
            for arg in command.get_arguments() {
                assert!(arg.get_help().is_some(), "{} {} has no help", command.get_name(), arg.get_id());
            }
        }
    }

    #[test]
    fn the_help_names_every_property() {
        use clap::CommandFactory;
        let command = Cli::command();
        let check = command.find_subcommand("check").expect("a command");
        let flag = check.get_arguments().find(|arg| arg.get_id() == "check").expect("a flag");
        let help = flag.get_help().expect("it has a help").to_string();
        for (_, name) in selvedge_engine::Property::ALL {
            let is_named = help.split(|c: char| !c.is_alphabetic()).any(|word| word == name);
            assert!(is_named, "--check has no word about `{name}`: {help}");
        }
    }

    #[test]
    fn bad_values_are_refused_with_the_reason() {
        let message = |args: &[&str]| Cli::try_parse_from(args).expect_err("must be refused").to_string();
        assert!(
            message(&["selvedge", "check", "--check", "asert", "a.c"]).contains("unknown property `asert`")
        );
        assert!(message(&["selvedge", "check", "--timeout", "0", "a.c"]).contains("more than 0 seconds"));
        assert!(
            message(&["selvedge", "check", "--timeout", "soon", "a.c"]).contains("not a number of seconds")
        );
        assert!(message(&["selvedge", "check", "--timeout", "1e300", "a.c"]).contains("too many seconds"));
        assert!(message(&["selvedge", "check", "--max-runs", "0", "a.c"]).contains("0 is not in 1.."));
        assert!(message(&["selvedge", "check", "-q", "-v", "a.c"]).contains("cannot be used with"));
        assert!(message(&["selvedge", "check"]).contains("<FILE>"));
    }
}
