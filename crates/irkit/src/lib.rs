//! Small programs with threads in the text form of the IR, and searches over them.
//!
//! For tests of `explore`, `summary` and the proofs: nothing here needs clang or LLVM, so that such a test takes
//! milliseconds. A test reads as program ([`Text`]), flags ([`Flags`]) and what must be found ([`Found`]).
//!
//! Guarantee: a failure that a search reports is replayed with its inputs and schedule, and must happen again.

mod found;
mod programs;
mod search;
mod solvers;
mod text;

pub use found::{Failure, Found, Verdict};
pub use programs::address_as_a_number;
pub use search::{Flags, Reduce, draw, replayed, search, search_in_parts};
pub use solvers::{Ask, answering};
pub use text::{Text, main_only};
