//! Synchronisation objects of a state: a side table by address.
//!
//! Each object is a counter with a level, as partial-order reduction sees it, and what its own rules need:
//! owner, depth of recursion, kind, waiting threads.

use selvedge_por::ROOM;

/// A family of synchronisation objects; part of the key, so that families never meet at one address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Family {
    /// Mutexes and spinlocks: 1 when free.
    Mutex = 1,
    /// Read-write locks: [`ROOM`] when free.
    RwLock,
    /// Condition variables: no level, a queue.
    Condition,
    /// The wake-up of a thread that sleeps on a condition or a futex, by thread: 1 once woken.
    WakeUp,
    /// Semaphores: their value.
    Semaphore,
    /// Barriers: threads that have come in this round.
    Barrier,
    /// One round of a barrier, open when it is full.
    Round,
    /// `pthread_once`: 1 while nobody runs the function.
    Once,
    /// The end of a thread, by thread: 1 once it has ended.
    Ending,
    /// A request to cancel a thread, by thread.
    Cancel,
    /// The standard input.
    Stdin,
    /// The numbers of keys.
    Key,
    /// The waiters at a futex: a queue.
    Futex,
    /// Whether a thread was joined or detached, by thread.
    Joined,
    /// Signals of a thread, by its number plus one, or of the process.
    Signal,
    /// Calls that have failed, if they are counted.
    Failures,
}

/// The key of the object of `family` at `address` (or with this number).
pub const fn key(family: Family, address: u64) -> u64 {
    (family as u64) << 56 | address & ((1 << 56) - 1)
}

/// The family in a key.
pub fn family(key: u64) -> Option<Family> {
    use Family as F;
    let families = [
        F::Mutex,
        F::RwLock,
        F::Condition,
        F::WakeUp,
        F::Semaphore,
        F::Barrier,
        F::Round,
        F::Once,
        F::Ending,
        F::Cancel,
        F::Stdin,
        F::Key,
        F::Futex,
        F::Joined,
        F::Signal,
        F::Failures,
    ];
    families.into_iter().find(|f| *f as u64 == key >> 56)
}

/// Where the key of a round has its number, above the address of the barrier.
pub(crate) const ROUND_SHIFT: u32 = 48;

/// The address or number in a key.
pub const fn address(key: u64) -> u64 {
    key & ((1 << 56) - 1)
}

/// Where the object with a key lies in memory.
pub fn place(key: u64) -> u64 {
    match family(key) {
        Some(Family::Round) => address(key) & ((1 << ROUND_SHIFT) - 1),
        _ => address(key),
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
    match key >> 56 {
        f if f == Family::Mutex as u64 || f == Family::Once as u64 => 1,
        f if f == Family::RwLock as u64 => ROOM,
        _ => 0,
    }
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
            let lies_in_memory = !matches!(
                family(k),
                Some(
                    Family::WakeUp
                        | Family::Ending
                        | Family::Cancel
                        | Family::Stdin
                        | Family::Key
                        | Family::Joined
                        | Family::Signal
                )
            );
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
    use super::*;

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
