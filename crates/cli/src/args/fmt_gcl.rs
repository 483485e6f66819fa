//! Flags of `fmt-gcl`.

use std::path::PathBuf;

use clap::Args;

const EXAMPLES: &str = "\
Examples:
  selvedge fmt-gcl bakery.gcl
  selvedge fmt-gcl --write bakery.gcl";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct FmtGclArgs {
    /// A program in the guarded-command language (.gcl)
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Change the file instead of printing
    #[arg(long)]
    pub(crate) write: bool,
}
