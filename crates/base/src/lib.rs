//! What every layer shares: typed ids with dense tables, enumerations that list their variants, strongly connected
//! components, lists of numbers in little memory, source places, dates, and the diagnostic type that `report` renders.
//!
//! Nothing here knows about programs, terms or searches.

mod components;
mod date;
mod diagnostic;
mod ids;
mod listed;
mod packed;
mod place;

pub use components::components;
pub use date::iso8601;
pub use diagnostic::{Diagnostic, Mark, Note, Severity};
pub use ids::{Dense, Id};
pub use packed::{Numbers, Packed, PackedSet, Pieces};
pub use place::{FileId, Loc};
