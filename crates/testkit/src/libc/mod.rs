//! The modelled library against the real one: calls with random arguments, valid and invalid, line by line.
//!
//! `tests/libc/*.rows` list the functions, one to a line, as C statements with holes for arguments ([`table`]); the
//! holes are filled at random with values that include the bounds and what a function must refuse ([`arguments`],
//! [`formats`], [`world`]). A program is a batch of such calls, each of which prints its results, `errno` and what it wrote
//! through pointers. It runs natively and, with all values known and so on one path, in the engine; the outputs must be
//! the same ([`compare`]). Where they may differ, `tests/libc/exceptions.txt` says which and why.
//!
//! Guarantees: the same seed gives the same program; a listed function that no program calls is an error.
//! Relies on: clang-22 and the host's libc, which is glibc.

mod arguments;
mod compare;
mod floats;
mod formats;
mod program;
mod table;
mod world;

pub use compare::{Comparison, Difference, Plan, compare};
pub use program::{Call, Program, generate};
pub use table::{Exception, Row, Table};
