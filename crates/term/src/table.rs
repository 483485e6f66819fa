//! The hash table behind interning: open addressing over `(hash, id)` pairs.
//!
//! It holds no keys: the caller compares candidates with what the id stands for. A
//! slot keeps 32 bits of hash, so a probe rarely touches a node that does not match
//! and growing never touches nodes at all.

/// Maps hashes to ids below `u32::MAX`.
#[derive(Clone, Default)]
pub(crate) struct IdTable {
    /// `0` is free, otherwise `hash << 32 | id + 1`. The length is a power of two.
    slots: Vec<u64>,
    len: usize,
}

impl IdTable {
    /// The id among those stored under `hash` that satisfies `is_it`.
    #[inline]
    pub(crate) fn find(&self, hash: u64, mut is_it: impl FnMut(u32) -> bool) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let mask = self.slots.len() - 1;
        let tag = hash >> 32;
        let mut at = tag as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                return None;
            }
            if slot >> 32 == tag && is_it(slot as u32 - 1) {
                return Some(slot as u32 - 1);
            }
            at = (at + 1) & mask;
        }
    }

    /// Stores `id`, which must not be present, under `hash`.
    #[inline]
    pub(crate) fn insert(&mut self, hash: u64, id: u32) {
        // At most half full: a search for what is not there, which every new term makes,
        // probes 2.5 slots on average then, and 8.5 in a table that is full to three quarters.
        if self.len * 2 >= self.slots.len() {
            self.grow();
        }
        Self::place(&mut self.slots, (hash >> 32) << 32 | (u64::from(id) + 1));
        self.len += 1;
    }

    fn place(slots: &mut [u64], slot: u64) {
        let mask = slots.len() - 1;
        let mut at = (slot >> 32) as usize & mask;
        while slots[at] != 0 {
            at = (at + 1) & mask;
        }
        slots[at] = slot;
    }

    #[cold]
    fn grow(&mut self) {
        let mut larger = vec![0; (self.slots.len() * 2).max(1024)];
        for &slot in self.slots.iter().filter(|&&slot| slot != 0) {
            Self::place(&mut larger, slot);
        }
        self.slots = larger;
    }
}
