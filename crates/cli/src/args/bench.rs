//! Flags of `bench`.

use std::path::PathBuf;

use clap::Args;

const EXAMPLES: &str = "\
Examples:
  selvedge bench --list
  selvedge bench sequential --filter sort --repeat 3 --out result
  selvedge bench --resume --out result my-table.toml

Exit codes: 0 measured, 2 usage or input error, 3 a run failed.";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
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
