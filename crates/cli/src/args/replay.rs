//! Flags of `replay`.

use std::path::PathBuf;

use clap::Args;

use super::values::seconds;

const EXAMPLES: &str = "\
Examples:
  selvedge replay result/bug-1.json
  selvedge replay result/bug-1.json --native
  selvedge replay result/bug-1.json --gdb --keep build

Exit codes: 1 the recorded failure happens again (with --native also in the real program), 2 usage or input
error, 3 it does not, or the native run diverges from the record.";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
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
