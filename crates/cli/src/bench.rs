//! `selvedge bench`: a table of measurements. The work is in `selvedge-bench`.

use crate::args::BenchArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Console;

/// Runs the command.
pub(crate) fn run(_args: &BenchArgs, _console: &Console) -> Result<Exit, Failure> {
    Err(Failure::new("benchmarks are not connected yet"))
}
