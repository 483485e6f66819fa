//! Tables of measurements: a declarative list of programs and commands, each run in its own process.
//!
//! Guarantees: every cell runs alone, one after the other, under a time and a memory limit; a run that hits a limit
//! shows `>limit` and never a number; columns whose tool is not installed are skipped with a note; the raw values of all
//! repetitions are kept beside the table, run by run, so that a table can be resumed and two of them compared. Ratios compare runs of the same invocation only.
//! Relies on Linux (`wait4`, `/proc`).

mod build;
mod cell;
mod diff;
mod edit;
mod machine;
mod markdown;
mod metric;
mod paper;
mod plot;
mod process;
mod raw;
mod runner;
#[cfg(test)]
mod sample;
mod svg;
mod table;

pub use cell::{Cell, Measured, Status};
pub use diff::{Diff, diff};
pub use edit::Edit;
pub use machine::Machine;
pub use markdown::markdown;
pub use paper::{Figure, Paper};
pub use plot::{Kind, Plot, plots};
pub use raw::{Raw, csv};
pub use runner::{Event, Options, Results, run};
pub use table::{Clock, Column, Error, Limits, Metric, Program, Says, Table};
