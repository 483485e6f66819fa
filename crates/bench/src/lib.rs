//! Tables of measurements: a declarative list of programs and commands, each run in its own process.
//!
//! Guarantees: every cell runs alone, one after the other, under a time and a memory limit; a run that hits a limit
//! shows `>limit` and never a number; columns whose tool is not installed are skipped with a note; the raw values of all
//! repetitions are kept beside the table. Ratios compare runs of the same invocation only.
//! Relies on Linux (`wait4`, `/proc`).

mod cell;
mod machine;
mod markdown;
mod metric;
mod process;
mod runner;
mod table;

pub use cell::{Cell, Measured, Status};
pub use machine::Machine;
pub use markdown::{csv, markdown};
pub use runner::{Event, Options, Results, run};
pub use table::{Column, Error, Limits, Metric, Program, Table};
