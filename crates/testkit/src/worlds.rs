//! Random C programs about their surroundings (arguments, environment, standard input, files), against native runs.
//!
//! Two kinds. In [`calls`] the surroundings are known: a program has several cases, each a sequence of calls that print
//! what they gave, and the engine must print what the native program prints. In [`open`] they are not: the program makes a
//! small number of what it finds, every number that comes out natively must be one that the engine foresees, and what the
//! engine says of one execution must come out natively in the surroundings that it names.
//!
//! Guarantees: the same seed gives the same program and the same surroundings; native programs run in a folder of their
//! own, with standard input from a pipe, as the engine has it.

pub mod calls;
mod compare;
pub mod open;
mod surroundings;

pub use compare::{Mismatch, compare_calls, compare_open};
pub use surroundings::{Ending, Surroundings};
