//! Static analysis: what is known about a program without running it.
//!
//! # What can still fail, and what matters for it
//!
//! Paper: [AG] Guo, Kusano, Wang, Yang, Gupta, "Assertion Guided Symbolic Execution of Multithreaded Programs",
//! ESEC/FSE 2015, §6.1. Everything is computed before the search begins, from the program alone, and the result is a
//! [`Slice`]: plain tables by instruction.
//!
//! 1. `points_to` with `constraints`: Andersen's analysis and the call graph;
//! 2. `addresses` with `ranges` and `lifetimes`: accesses that certainly succeed; from it `failing`, the property
//!    statements;
//! 3. `reach`: where a property statement can still be reached (the paper's Type A nodes are where not);
//! 4. `effects`, `sharing`, `control`, `endless`: dependences; from them `relevance`, the backward slice (Type B nodes are
//!    outside of it).
//!
//! Guarantees: [`Slice::thread_may_fail`] is true as long as the thread, or one that it starts, can still fail. Two
//! executions with the same inputs in which the steps that are [relevant](Slice::is_relevant) come in the same order
//! fail alike. Relies on: a valid program; accesses by addresses that are not derived from pointers are compared with
//! [`Slice::foresees_access`]. On programs that jump between functions or cancel threads, and where races or leaks are
//! checked, the analysis gives up, and everything counts.
//!
//! # What a change of a program can influence
//!
//! `diff` compares two versions, `impact` follows the dependences of the difference, and `focus` makes the program that is
//! searched for what the change can have broken.
//!
//! # Facts about one function
//!
//! Each is computed when it is asked for; whoever asks often keeps the answer. [`live`] and [`faint`]: registers that are
//! read again, and that make a difference; [`DeadLocals`]: locals in memory that do not; [`holders`]: registers with
//! the address of a local; [`WaitFinder`]: loops that can be
//! waits; [`Unwinding`]: where iterations begin and end. All are about the control flow that `program` gives.

mod addresses;
mod call_graph;
mod constraints;
mod contention;
mod control;
mod dead;
mod defs;
mod diff;
mod effects;
mod endless;
mod facts;
mod failing;
pub mod faint;
mod focus;
mod foreseen;
mod fresh;
mod impact;
mod layout;
mod library;
mod lifetimes;
pub mod live;
mod object;
mod order;
mod points_to;
mod properties;
mod ranges;
mod reach;
mod relevance;
mod sharing;
mod signature;
mod slice;
mod sparse_set;
mod threads;
mod unwind;
mod waits;

pub use call_graph::{CallGraph, CallKind};
pub use dead::DeadLocals;
pub use diff::{Change, Diff, Matched};
pub use facts::{PointsTo, Reached};
pub use focus::Focus;
pub use foreseen::{Part, Target};
pub use impact::Impact;
pub use layout::{InstId, Point};
pub use library::Library;
pub use lifetimes::holders;
pub use object::{ObjectId, Origin};
pub use order::telling_calls;
pub use properties::Properties;
pub use signature::{Mismatch, Site, declared_name, nondet_type};
pub use slice::{FramePoint, Slice, Stats};
pub use unwind::Unwinding;
pub use waits::{WaitFinder, Waits};
