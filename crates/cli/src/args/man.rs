//! Flags of `man`.

use std::path::PathBuf;

use clap::Args;

const EXAMPLES: &str = "\
Examples:
  selvedge man | man -l -
  selvedge man --dir share/man/man1";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ManArgs {
    /// Write the pages of all commands into this directory instead of the main page to standard output
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
}
