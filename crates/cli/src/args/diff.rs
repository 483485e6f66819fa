//! Flags of `diff`.

use std::path::PathBuf;

use clap::Args;

use super::values::{PropertyArg, property};

const EXAMPLES: &str = "\
Examples:
  selvedge diff queue-old.c queue.c
  selvedge diff --json diff.json old/list.c list.c -- -Iinclude -DN=3
  selvedge diff --with main.c old/pool.c pool.c          main.c is part of both versions
  selvedge diff --check default,overflow a.c b.c         which of these can fail differently

Signs: - old line, + new line, ~ line with the same text that means something else;
> the change can influence the line, < the line can influence the change.

Exit codes: 0 nothing that is executed differs, 1 something does, 2 usage or input error.";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DiffArgs {
    /// The old version: a source, bitcode or IR file
    #[arg(value_name = "OLD")]
    pub(crate) old: PathBuf,

    /// The new version
    #[arg(value_name = "NEW")]
    pub(crate) new: PathBuf,

    /// A file that both versions are linked with; may be given several times
    #[arg(long, value_name = "FILE")]
    pub(crate) with: Vec<PathBuf>,

    /// Arguments for clang, for both versions
    #[arg(last = true, value_name = "CLANG-ARGS", allow_hyphen_values = true)]
    pub(crate) clang_args: Vec<String>,

    /// Properties whose failures the change may influence; names as for `check`
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = property)]
    pub(crate) check: Vec<PropertyArg>,

    /// Function to start from
    #[arg(long, value_name = "FUNCTION", default_value = "main")]
    pub(crate) entry: String,

    /// The comparison as JSON; `-` is standard output (the text then goes to standard error)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) json: Option<PathBuf>,
}
