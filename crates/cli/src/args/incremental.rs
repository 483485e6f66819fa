//! Flags of `check` about what earlier runs have found out.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// What is made of earlier runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum KnownArg {
    /// What a change can influence, and summaries
    All,
    /// What a change can influence, and no summaries
    Impact,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Earlier runs")]
pub(crate) struct IncrementalArgs {
    /// Use what earlier runs have found out about this program, also about other versions of it, and keep what this run finds
    /// out. The answer is that of a run from scratch
    #[arg(
        long,
        value_name = "HOW",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "all",
        conflicts_with_all = ["out", "ktest"]
    )]
    pub(crate) incremental: Option<KnownArg>,

    /// The same, in both ways, and a run from scratch to compare; a difference is a fault of selvedge (exit code 3)
    #[arg(long, conflicts_with_all = ["incremental", "out", "ktest"])]
    pub(crate) check_incremental: bool,

    /// Begin with what is known of this version of the files in git, such as HEAD or main; it is checked first if nothing is
    #[arg(long, value_name = "REV")]
    pub(crate) git: Option<String>,

    /// The folder for what runs find out [default: .selvedge]
    #[arg(long, value_name = "DIR")]
    pub(crate) store: Option<PathBuf>,

    /// MiB that the store may take; what was not used for longest goes first [default: 1024]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pub(crate) store_limit: Option<u64>,
}
