//! An [`Outcome`](selvedge_engine::Outcome) made readable: text for a terminal, JSON for scripts, test cases and
//! replay files for later runs, coverage for editors, graphs for slides.
//!
//! Guarantees: rendering is a function of its arguments (same outcome, same text), except that quoted source lines are
//! read from disk; nothing here decides a verdict. Only [`testcase`] writes files.

pub mod compare;
pub mod coverage;
pub mod gig;
pub mod graph;
pub mod json;
pub mod ktest;
pub mod line;
mod paint;
pub mod proof;
pub mod record;
mod reuse;
mod snippet;
mod sources;
mod steps;
pub mod testcase;
pub mod text;
pub mod unit;
pub mod witness;
pub mod world;

#[cfg(test)]
mod sample;

pub use sources::Sources;
