//! Flags of `store`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

const EXAMPLES: &str = "\
Examples:
  selvedge store info
  selvedge store gc --unused 30
  selvedge store export team.selvedge
  selvedge store --store build/.selvedge import team.selvedge";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct StoreArgs {
    /// The folder of the store [default: .selvedge]
    #[arg(long, value_name = "DIR")]
    pub(crate) store: Option<PathBuf>,

    #[command(subcommand)]
    pub(crate) what: StoreCommand,
}

#[derive(Subcommand, Debug)]
pub(crate) enum StoreCommand {
    /// Say what is in it
    Info,
    /// Remove what other builds of selvedge made, and what takes too much room
    Gc {
        /// Also remove what was not used for so many days
        #[arg(long, value_name = "DAYS")]
        unused: Option<u64>,

        /// MiB that the rest may take
        #[arg(long, value_name = "MIB", default_value_t = 1024)]
        limit: u64,
    },
    /// Look at every entry, and remove those that are damaged
    Verify,
    /// Write all entries to a file
    Export {
        /// The file
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Add the entries of an exported file
    Import {
        /// The file
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
}
