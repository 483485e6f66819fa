//! Synchronisation objects of a state: a side table by address.
//!
//! Each object is a counter with a level, as partial-order reduction sees it, and what its own rules need:
//! owner, depth of recursion, kind, waiting threads.

mod family;

pub use family::{AtEnd, Facts, Family, Lies, Needs};

/// The key of the object of `family` at `address` (or with this number).
pub const fn key(family: Family, address: u64) -> u64 {
    (family as u64) << 56 | address & ((1 << 56) - 1)
}

/// The family in a key.
pub fn family(key: u64) -> Option<Family> {
    let number = usize::try_from(key >> 56).ok()?;
    Family::ALL.get(number.checked_sub(1)?).copied()
}

/// What is known of the family in a key.
pub fn facts(key: u64) -> Option<Facts> {
    family(key).map(Family::facts)
}

/// Where the key of a round has its number, above the address of the barrier.
pub(crate) const ROUND_SHIFT: u32 = 48;

/// The address or number in a key.
pub const fn address(key: u64) -> u64 {
    key & ((1 << 56) - 1)
}

/// Where the object with a key lies in memory.
pub fn place(key: u64) -> u64 {
    match facts(key).map(|facts| facts.lies) {
        Some(Lies::InRounds) => address(key) & ((1 << ROUND_SHIFT) - 1),
        Some(Lies::InMemory | Lies::Nowhere) | None => address(key),
    }
}

/// The state of one synchronisation object.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sync {
    /// The level of its counter.
    pub level: u32,
    /// Who holds it, plus one.
    pub owner: u32,
    /// How often its owner holds it, or another small number of its family.
    pub count: u32,
    /// Its kind within its family.
    pub kind: u32,
    /// Threads in its queue, or readers.
    pub queue: Vec<u32>,
    /// Which of its bytes the program has written since, a bit for each.
    pub written: u64,
}

/// All objects that were used so far; others are as new.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SyncTable {
    entries: Vec<(u64, Sync)>,
}

/// The level of an object that was not used.
pub(crate) fn initial_level(key: u64) -> u32 {
    facts(key).map_or(0, |facts| facts.initial)
}

impl SyncTable {
    /// Forgets an object: what it was in is gone, or means something else now.
    pub(crate) fn forget(&mut self, key: u64) {
        if let Ok(i) = self.position(key) {
            self.entries.remove(i);
        }
    }

    fn position(&self, key: u64) -> Result<usize, usize> {
        self.entries.binary_search_by_key(&key, |(k, _)| *k)
    }

    /// The object, if it was used.
    pub fn get(&self, key: u64) -> Option<&Sync> {
        self.position(key).ok().map(|i| &self.entries[i].1)
    }

    /// The object, made if it was not used.
    pub fn get_mut(&mut self, key: u64) -> &mut Sync {
        let i = match self.position(key) {
            Ok(i) => i,
            Err(i) => {
                self.entries.insert(i, (key, Sync { level: initial_level(key), ..Sync::default() }));
                i
            }
        };
        &mut self.entries[i].1
    }

    /// The level of its counter.
    pub fn level(&self, key: u64) -> u32 {
        self.get(key).map_or_else(|| initial_level(key), |s| s.level)
    }

    /// Forgets the object: it is as new.
    pub fn remove(&mut self, key: u64) {
        if let Ok(i) = self.position(key) {
            self.entries.remove(i);
        }
    }

    /// Keys of the used objects at these addresses.
    pub fn keys_in(&self, addresses: std::ops::Range<u64>) -> impl Iterator<Item = u64> {
        let by_address = move |k: u64| {
            let lies_in_memory = match facts(k).map(|facts| facts.lies) {
                Some(Lies::InMemory | Lies::InRounds) | None => true,
                Some(Lies::Nowhere) => false,
            };
            lies_in_memory && addresses.contains(&place(k))
        };
        self.entries.iter().map(|(k, _)| *k).filter(move |k| by_address(*k))
    }

    /// All used objects, by key.
    pub fn iter(&self) -> impl Iterator<Item = (u64, &Sync)> {
        self.entries.iter().map(|(k, s)| (*k, s))
    }
}

#[cfg(test)]
mod tests {
    use selvedge_por::ROOM;

    use super::*;

    #[test]
    fn keys_tell_families() {
        for family in Family::ALL {
            assert_eq!(super::family(key(*family, 7)), Some(*family));
        }
        assert_eq!((super::family(7), super::family(u64::MAX)), (None, None));
    }

    #[test]
    fn unused_objects_are_as_new() {
        let mut table = SyncTable::default();
        let (mutex, lock) = (key(Family::Mutex, 0x1000), key(Family::RwLock, 0x1000));
        assert_eq!((table.level(mutex), table.level(lock)), (1, ROOM));
        table.get_mut(mutex).level = 0;
        assert_eq!((table.level(mutex), table.level(lock)), (0, ROOM), "families do not meet");
        table.remove(mutex);
        assert_eq!(table.level(mutex), 1);
    }
}
