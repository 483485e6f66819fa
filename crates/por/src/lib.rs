//! Dynamic partial-order reduction over abstract events.
//!
//! Most interleavings of threads differ only in the order of steps that do not touch the same places, and
//! lead to the same states. This crate tells a depth-first search which threads to run from each state so
//! that of each class of equivalent interleavings (a *Mazurkiewicz trace*) one is explored. It knows no
//! programs and no values: an [`Event`] is a thread and the places it touches, and [`Dpor`] is a stack that
//! goes up and down with the search.
//!
//! Sequential consistency. Papers:
//! - ODPOR: P. A. Abdulla, S. Aronis, B. Jonsson, K. Sagonas: Optimal dynamic partial order reduction,
//!   POPL 2014; and: Source sets: a foundation for optimal dynamic partial order reduction, Journal of the
//!   ACM 64(4), 2017.
//! - C. Flanagan, P. Godefroid: Dynamic partial-order reduction for model checking software, POPL 2005.

mod cells;
mod clock;
pub mod dpor;
mod event;
mod execution;
mod history;
mod node;
mod portable;
mod pruned;
mod reversal;
mod skipped;
mod stats;
mod sync;
mod table;
mod wakeup_tree;

pub use dpor::{Config, Dpor, Next, Reduction};
pub use event::{Access, Accesses, Event, Guard, IfMoved, Location, Mode, ThreadId, dependent};
pub use portable::{FootprintExporter, ImportedEvents, PortableFootprints, TakenFootprints};
pub use pruned::{Footprint, Pruned};
pub use stats::Stats;
pub use sync::ROOM;
pub use table::EventTable;
