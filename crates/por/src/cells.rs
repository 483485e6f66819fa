//! Interned places: each distinct [`Location`] is a cell with a dense id and the list of cells it overlaps.
//!
//! Programs touch an object in the same few ways over and over, so almost every cell overlaps none but
//! itself, and the history of a place is one table lookup. Cells are never removed: there are as many as
//! distinct places in the whole search, independently of the number of executions.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use selvedge_base::{Dense, define_id};
use smallvec::SmallVec;

use crate::event::Location;

define_id!(
    /// An interned [`Location`].
    pub(crate) struct CellId, "cell"
);

/// All cells of the search.
#[derive(Default)]
pub(crate) struct CellTable {
    ids: FxHashMap<Location, CellId>,
    /// Invariant: symmetric, and no cell is in its own list.
    overlapping: Dense<CellId, SmallVec<[CellId; 2]>>,
    objects: FxHashMap<u64, ObjectCells>,
}

/// The cells of one object of memory.
#[derive(Default)]
struct ObjectCells {
    /// Ids and lengths by offset.
    by_offset: BTreeMap<u64, SmallVec<[(CellId, u64); 1]>>,
    /// Invariant: no cell of the object is longer. Bounds how far before a range a cell can start that
    /// reaches into it.
    longest: u64,
}

impl CellTable {
    pub(crate) fn intern(&mut self, location: Location) -> CellId {
        if let Some(&id) = self.ids.get(&location) {
            return id;
        }
        let id = self.overlapping.push(SmallVec::new());
        self.ids.insert(location, id);
        if let Location::Memory { object, offset, len } = location {
            let cells = self.objects.entry(object).or_default();
            let from = offset.saturating_sub(cells.longest);
            let until = offset.saturating_add(len);
            for (&start, at_start) in cells.by_offset.range(from..until) {
                for &(other, other_len) in at_start {
                    if location.overlaps(Location::bytes(object, start, other_len)) {
                        self.overlapping[id].push(other);
                        self.overlapping[other].push(id);
                    }
                }
            }
            cells.by_offset.entry(offset).or_default().push((id, len));
            cells.longest = cells.longest.max(len);
        }
        id
    }

    /// The other cells that have bytes in common with `cell`.
    #[inline]
    pub(crate) fn overlapping(&self, cell: CellId) -> &[CellId] {
        &self.overlapping[cell]
    }

    /// Whether the cells have something in common.
    #[inline]
    pub(crate) fn overlap(&self, a: CellId, b: CellId) -> bool {
        a == b || self.overlapping[a].contains(&b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_places_are_one_cell_and_overlaps_are_found_in_any_order() {
        let places = [
            Location::bytes(1, 0, 4),
            Location::bytes(1, 4, 4),
            Location::bytes(1, 2, 4),
            Location::whole(1),
            Location::bytes(1, 6, 0),
            Location::bytes(2, 0, 4),
            Location::Sync(1),
        ];
        for rotation in 0..places.len() {
            let mut table = CellTable::default();
            let mut order = places;
            order.rotate_left(rotation);
            let ids = order.map(|place| table.intern(place));
            for (i, a) in order.into_iter().enumerate() {
                assert_eq!(table.intern(a), ids[i]);
                for (j, b) in order.into_iter().enumerate() {
                    assert_eq!(table.overlap(ids[i], ids[j]), i == j || a.overlaps(b), "{a:?} {b:?}");
                }
            }
        }
    }
}
