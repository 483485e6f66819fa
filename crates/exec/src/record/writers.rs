//! Who wrote which bytes last.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::Writer;
use crate::value::ObjId;

/// Bytes and their last writers, by object and first byte: the byte after the last, and the writer. Ranges do not
/// overlap.
#[derive(Clone, Debug, Default)]
pub(super) struct Writers(FxHashMap<ObjId, BTreeMap<u64, (u64, Writer)>>);

impl Writers {
    /// `len` bytes from `at` on are written.
    pub(super) fn note(&mut self, obj: ObjId, at: u64, len: u64, writer: Writer) {
        let (ranges, end) = (self.0.entry(obj).or_default(), at.saturating_add(len));
        let met: Vec<(u64, (u64, Writer))> = ranges
            .range(..end)
            .rev()
            .take_while(|(_, (to, _))| *to > at)
            .map(|(from, range)| (*from, *range))
            .collect();
        for (from, (to, other)) in met {
            ranges.remove(&from);
            if from < at {
                ranges.insert(from, (at, other));
            }
            if to > end {
                ranges.insert(end, (to, other));
            }
        }
        if at < end {
            ranges.insert(at, (end, writer));
        }
    }

    /// Who wrote one of `len` bytes from `at` on last; `None` if they are as they were in the beginning.
    pub(super) fn last(&self, obj: ObjId, at: u64, len: u64) -> Option<Writer> {
        let ranges = self.0.get(&obj)?.range(..at.saturating_add(len)).rev();
        ranges.take_while(|(_, (to, _))| *to > at).map(|(_, (_, writer))| *writer).max_by_key(|w| w.step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_write_to_any_of_the_bytes_counts() {
        let obj = ObjId::global(0, 0);
        let by = |step| Writer { thread: step as u32, step };
        let mut writers = Writers::default();
        assert_eq!(writers.last(obj, 0, 8), None);
        writers.note(obj, 0, 16, by(1));
        writers.note(obj, 4, 4, by(2));
        writers.note(obj, 6, 1, by(3));
        let seen: Vec<u64> =
            (0..16).map(|at| writers.last(obj, at, 1).expect("all are written").step).collect();
        assert_eq!(seen, [1, 1, 1, 1, 2, 2, 3, 2, 1, 1, 1, 1, 1, 1, 1, 1]);
        assert_eq!(writers.last(obj, 0, 8), Some(by(3)));
        assert_eq!(writers.last(obj, 2, 4), Some(by(2)));
        assert_eq!((writers.last(obj, 16, 4), writers.last(obj, 8, 8)), (None, Some(by(1))));
        writers.note(obj, 0, 16, by(4));
        assert_eq!(writers.last(obj, 5, 2), Some(by(4)));
    }
}
