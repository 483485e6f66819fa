//! Fixtures, generated programs and oracles for the tests of all crates.
//!
//! Nothing here prints or decides about success: runs give reports, tests look at them.

pub mod confine;
pub mod differential;
pub mod edit_chains;
pub mod edits;
pub mod exceptions;
pub mod fixture;
pub mod generator;
pub mod libc;
pub mod lineage;
pub mod mutate;
pub mod native;
pub mod process;
pub mod proof_chains;
pub mod shrink;
pub mod signal_runs;
pub mod signals;
pub mod statements;
pub mod thread_calls;
pub mod threads;
pub mod unwritten;
pub mod wishes;
pub mod worlds;
