//! Flags of `graph`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use selvedge_engine::ReductionKind;

use super::values::reductions;

const EXAMPLES: &str = "\
Examples:
  selvedge graph --function parse parser.c | dot -Tsvg > parse.svg
  selvedge graph --kind calls --format svg --output calls.svg a.c b.c -- -Iinclude
  selvedge graph --gig --reduce dpor --unwind 2 queue.c

Exit codes: 0 drawn, 2 usage or input error.";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
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
    #[arg(long, value_name = "HOW", value_parser = reductions(), default_value = ReductionKind::Ag.name(), requires = "gig")]
    pub(crate) reduce: ReductionKind,

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
