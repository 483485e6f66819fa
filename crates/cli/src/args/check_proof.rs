//! Flags of `check-proof`.

use std::path::PathBuf;

use clap::Args;
use num_bigint::BigInt;

use super::values::{PropertyArg, define, property, seconds};

const EXAMPLES: &str = "\
Examples:
  selvedge check-proof ticket.gcl ticket.proof
  selvedge check-proof ticket.gcl ticket.proof -D N=4 --timeout 60
  selvedge check-proof lock.c lock.proof -- -DN=2

Exit codes: 0 accepted, 1 rejected, 2 usage or input error, 3 not decided in time.";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CheckProofArgs {
    /// The program
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// The proof object, written by --proof
    #[arg(value_name = "PROOF")]
    pub(crate) proof: PathBuf,

    /// Arguments for clang, as for the proof
    #[arg(last = true, value_name = "CLANG-ARGS", allow_hyphen_values = true)]
    pub(crate) clang_args: Vec<String>,

    /// Properties of a C program, as for the proof
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = property)]
    pub(crate) check: Vec<PropertyArg>,

    /// Value of a constant of a .gcl program, as for the proof (repeatable)
    #[arg(short = 'D', long, value_name = "NAME=VALUE", value_parser = define)]
    pub(crate) define: Vec<(String, BigInt)>,

    /// Seconds before the check stops
    #[arg(long, value_name = "SECS", value_parser = seconds)]
    pub(crate) timeout: Option<std::time::Duration>,
}
