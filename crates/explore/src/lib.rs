//! The search over paths: which state to run next, what to do at a fork, when to stop.
//!
//! Guarantees: a search that ends with [`Ended::Complete`] has run every feasible path to a leaf, and every
//! leaf that is not a full execution was handed to the caller as such. Relies on: `exec` asking about every
//! choice, and the solver never calling a satisfiable query unsatisfiable.

mod branch;
mod deadlock;
mod dive;
mod explorer;
mod formula;
mod graph;
mod interleave;
mod limits;
mod oracle;
mod order;
mod recognise;
mod replay;
mod searcher;
mod settle;
mod split;

pub use deadlock::{note_served_later, stuck};
pub use explorer::{Control, Ended, Explorer, Leaf, SearchConfig, Snapshot};
pub use graph::{Fate, Graph, GraphState, GraphStep, Standing};
pub use limits::{Limits, default_memory_limit, peak_rss_mib};
pub use order::ThreadOrder;
pub use replay::{Brings, Replayed, VisibleStep, replay};
pub use searcher::Order;
pub use selvedge_summary::{Limits as SummaryLimits, Rules, Stats as SummaryStats};
pub use split::Task;
