//! Flags of `bench-diff`.

use std::path::PathBuf;

use clap::Args;

const EXAMPLES: &str = "\
Examples:
  selvedge bench-diff before after
  selvedge bench-diff --metrics executions,queries --noise 1.05 before/threads.csv after/threads.csv

Exit codes: 0 nothing is worse, 1 a metric or a verdict is worse, 2 usage or input error.";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
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
