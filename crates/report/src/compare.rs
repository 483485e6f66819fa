//! The comparison of two versions, as text for a terminal and as JSON.
//!
//! Guarantees: the last line of the text begins with `SAME` or `DIFFERENT`; every line says by signs what colours say
//! too. JSON has a schema number of its own, quotes each line, and is complete enough to draw a page from.

mod json;
mod text;

use selvedge_engine::{PartChange, Place};

use crate::Sources;

pub use json::render as json;
pub use text::render as text;

/// The version of the JSON schema that is written.
pub const SCHEMA: u32 = 1;

fn word(change: PartChange) -> &'static str {
    match change {
        PartChange::Same => "same",
        PartChange::Modified => "modified",
        PartChange::Added => "added",
        PartChange::Deleted => "deleted",
    }
}

/// The source line at a place, as it stands there.
fn quoted(sources: &mut Sources, place: &Place) -> Option<String> {
    let lines = sources.lines(&place.dir, &place.file)?;
    lines.get((place.line as usize).checked_sub(1)?).map(|line| line.trim_end().to_owned())
}
