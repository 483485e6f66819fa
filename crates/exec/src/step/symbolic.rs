//! Reads and writes at a symbolic offset of one object.
//!
//! An offset that can reach few places is read as a selection between them and written as an update of
//! each; one that can reach many is split by forking over its values. Pointers into different objects are
//! never merged into one value, because it would forget which object it belongs to.

use selvedge_term::TermId;

use super::Step;
use super::resolve::MAX_FORKS;
use crate::finding::Res;
use crate::ops;
use crate::value::{ObjId, Value};

/// Places a symbolic read selects from before it forks instead.
const MAX_READ_PLACES: u64 = 1024;
/// Cells a symbolic write updates before it forks instead.
const MAX_WRITE_PLACES: u64 = 256;

impl Step<'_, '_> {
    /// Offsets of `size` bytes that `off` may be, by its known bits and range.
    pub(crate) fn places(&mut self, obj: ObjId, off: TermId, size: u64) -> (u64, u64, u64) {
        let room = self.st.mem.get(obj).expect("resolved").size;
        let known = self.m.pool.known_bits(off);
        let step = 1u64 << (known.zeros | known.ones).trailing_ones().min(30);
        let first = known.ones & (step - 1);
        let (low, high) = self.m.pool.range(off);
        let low = if low <= first { first } else { first + (low - first).next_multiple_of(step) };
        let high = high.min(room - size);
        (low, high, step)
    }

    pub(super) fn read_symbolic(&mut self, obj: ObjId, off: TermId, size: u64) -> Res<Value> {
        let (low, high, step) = self.places(obj, off, size);
        let count = high.checked_sub(low).map_or(0, |d| d / step + 1);
        let bits = self.ptr_bits();
        if count > MAX_READ_PLACES || count == 0 {
            let off = self.concretise(Value::Term(off), bits, MAX_FORKS, "the offset of a read")?;
            return Ok(self.read_at(obj, off, size));
        }
        let width = (size * 8) as u32;
        let mut values: Vec<(u64, Value)> =
            (0..count).map(|i| low + i * step).map(|o| (o, self.read_at(obj, o, size))).collect();
        let object = self.choose_provenance(off, &mut values)?;
        let pool = &mut self.m.pool;
        let mut leaves: Vec<(u64, TermId)> =
            values.into_iter().map(|(o, v)| (o, ops::to_term(pool, v, width))).collect();
        // A balanced selection: halves are told apart by one comparison; equal halves need none.
        while leaves.len() > 1 {
            let mut merged = Vec::with_capacity(leaves.len().div_ceil(2));
            for pair in leaves.chunks(2) {
                merged.push(match *pair {
                    [(o, a), (p, b)] => {
                        let split = pool.bv(bits, p);
                        let below = pool.ult(off, split);
                        (o, pool.ite(below, a, b))
                    }
                    [single] => single,
                    _ => unreachable!("chunks of two"),
                });
            }
            leaves = merged;
        }
        let term = leaves[0].1;
        Ok(match object {
            Some(obj) => ops::pointer(pool, obj, term),
            None => ops::from_term(pool, term),
        })
    }

    /// Forks until all places that `off` can be hold pointers into one object, or none; the others are removed.
    ///
    /// A selection between pointers into different objects would forget which object each belongs to, and an
    /// access out of one could pass for an access to another.
    fn choose_provenance(&mut self, off: TermId, values: &mut Vec<(u64, Value)>) -> Res<Option<ObjId>> {
        let bits = self.ptr_bits();
        loop {
            let first = ops::provenance(values[0].1);
            let (same, other): (Vec<_>, Vec<_>) =
                values.iter().copied().partition(|(_, v)| ops::provenance(*v) == first);
            if other.is_empty() {
                return Ok(first);
            }
            let mut here = Vec::with_capacity(same.len());
            for &(place, _) in &same {
                let place = self.m.pool.bv(bits, place);
                here.push(self.m.pool.eq(off, place));
            }
            let here = self.m.pool.or_all(&here);
            let elsewhere = self.m.pool.not(here);
            *values = if self.choose(&[here, elsewhere])? == 0 { same } else { other };
        }
    }

    pub(super) fn write_symbolic(&mut self, obj: ObjId, off: TermId, size: u64, value: Value) -> Res<()> {
        let (low, high, step) = self.places(obj, off, size);
        let count = high.checked_sub(low).map_or(0, |d| d / step + 1);
        let bits = self.ptr_bits();
        // Overlapping places cannot be updated one by one.
        if count > MAX_WRITE_PLACES || count == 0 || step < size {
            let off = self.concretise(Value::Term(off), bits, MAX_FORKS, "the offset of a write")?;
            self.write_at(obj, off, size, value);
            return Ok(());
        }
        let width = (size * 8) as u32;
        let object = ops::provenance(value);
        let places: Vec<u64> = (0..count).map(|i| low + i * step).collect();
        let content = &self.st.mem.get(obj).expect("resolved").content;
        let is_mixed = |p: &u64| content.peek(*p, size).and_then(ops::provenance) != object;
        if places.iter().any(is_mixed) {
            // Pointers into different objects cannot be merged into one cell without forgetting which is which.
            let off = self.concretise(Value::Term(off), bits, MAX_FORKS, "the offset of a write")?;
            self.write_at(obj, off, size, value);
            return Ok(());
        }
        for place in places {
            let old = self.read_old(obj, place, size);
            let at = self.m.pool.bv(bits, place);
            let here = self.m.pool.eq(off, at);
            let (new_term, old_term) =
                (ops::to_term(&mut self.m.pool, value, width), ops::to_term(&mut self.m.pool, old, width));
            let merged = self.m.pool.ite(here, new_term, old_term);
            let merged = match object {
                Some(o) if ops::provenance(old) == Some(o) => ops::pointer(&self.m.pool, o, merged),
                _ => ops::from_term(&self.m.pool, merged),
            };
            self.write_at(obj, place, size, merged);
        }
        Ok(())
    }
}
