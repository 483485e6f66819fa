//! What a team has found out about one version of a program, for the next.
//!
//! A *lineage* is the line of versions of one program that are checked in one way. It gives what the versions have in
//! common the same numbers ([`Registry`]), and keeps the answers and summaries of their searches with the code that each
//! rests on ([`Memory`]), and the last version that is known to be safe, to be compared with.
//!
//! Paper: Conc-iSE, ASE 2016, §5; what a summary rests on departs from it (see `selvedge_summary::Lasting`).
//! Guarantee: an answer stands, and a summary is recalled, only if all that it rests on is the same in the new version. Relies on:
//! `Machine::dependence` and `Machine::surroundings` see everything that the executor goes by.

mod align;
mod base;
mod compact;
mod facts;
mod function;
mod globals;
mod kept;
mod memory;
mod recalled;
mod registry;
mod sequence;
mod shape;

pub use align::{Aligned, align};
pub use kept::LayerId;
pub use memory::{Answer, Found, Memory, Standing};
pub use recalled::{Recalled, Report};
pub use registry::Registry;
