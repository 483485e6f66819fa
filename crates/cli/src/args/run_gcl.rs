//! Flags of `run-gcl`.

use std::path::PathBuf;

use clap::Args;
use num_bigint::BigInt;

use super::values::define;

const EXAMPLES: &str = "\
Examples:
  selvedge run-gcl bakery.gcl
  selvedge run-gcl ticket.gcl -D N=4 --seed 7 --steps 100

Exit codes: 0 no bad state at the end, 1 the last state is bad, 2 usage or input error.";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RunGclArgs {
    /// A program in the guarded-command language (.gcl)
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Value of a constant: N=4 (repeatable)
    #[arg(short = 'D', long, value_name = "NAME=VALUE", value_parser = define)]
    pub(crate) define: Vec<(String, BigInt)>,

    /// Seed of random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Steps of one run
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) steps: usize,
}
