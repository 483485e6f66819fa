//! The bytes of synchronisation objects: what happens when a program writes over them, copies or reads them.
//!
//! The state of a lock that was used is in a table, not in its bytes. A program that writes over all of them makes it
//! what the new bytes say, if these are those of an initialiser; whatever else is there is not understood, and a use of
//! the lock is `unsupported`. A copy of a lock that nobody uses is such a lock. Reading bytes of a used lock is
//! `unsupported`: the table does not say what the C library would have written there.
//!
//! Guarantees: an object in which no lock was ever used costs one look at a flag.

use selvedge_por::Access;
use selvedge_term::TermId;

use super::mutex::{INITIALISED, SPIN};
use super::{At, semaphore};
use crate::finding::{Res, unsupported};
use crate::step::Step;
use crate::sync::{Family, Needs, Sync, address, facts, family, key};
use crate::value::{ObjId, Value};

/// The bytes of all objects that have any: no lock is larger.
const LARGEST: u64 = 56;
/// [`Sync::written`] of an object whose bytes are not understood.
const NOT_UNDERSTOOD: u64 = u64::MAX;
const WRITTEN_OVER: &str = "a lock whose bytes were written over";

/// A lock that is copied: its state, and how far the copy is from the beginning of the range.
pub(crate) struct CopiedLock {
    family: Family,
    at: u64,
    state: Sync,
}

fn size_of(key: u64, object: &Sync, is_wide: bool) -> u64 {
    let sizes = match family(key) {
        Some(Family::Mutex) if object.kind & SPIN != 0 => Some((4, 4)),
        other => other.and_then(|family| family.facts().bytes),
    };
    let (wide, narrow) = sizes.unwrap_or((0, 0));
    if is_wide { wide } else { narrow }
}

/// Whether nobody holds the object or waits at it.
fn is_idle(family: Family, object: &Sync) -> bool {
    let is_free = object.owner == 0 && object.queue.is_empty();
    is_free && object.written == 0 && (family != Family::Barrier || object.level == 0)
}

impl Step<'_, '_> {
    /// Used locks with bytes among these, with their sizes.
    fn locks_at(&self, start: u64, len: u64) -> Vec<(u64, u64)> {
        let is_wide = self.ptr_bits() == 64;
        let near = self.st.sync.keys_in(start.saturating_sub(LARGEST)..start.saturating_add(len));
        let sized = near.filter_map(|key| {
            let size = self.st.sync.get(key).map_or(0, |object| size_of(key, object, is_wide));
            (size > 0 && address(key) + size > start).then_some((key, size))
        });
        sized.collect()
    }

    /// Where bytes of `obj` begin, if locks were used in it.
    fn start_among_locks(&self, obj: ObjId, off: u64) -> Option<u64> {
        self.st.mem.get(obj).filter(|o| o.has_locks).map(|o| o.base + off)
    }

    /// The object whose use begins must be what a call has made of it.
    pub(super) fn must_be_whole(&self, at: At) -> Res<()> {
        match self.st.sync.get(at.key) {
            Some(object) if object.written != 0 => unsupported(WRITTEN_OVER),
            _ => Ok(()),
        }
    }

    /// Bytes are about to be written; says whether [`wrote_over`](Self::wrote_over) must follow.
    pub(crate) fn writes_over(&mut self, obj: ObjId, off: u64, len: u64) -> Res<bool> {
        let Some(start) = self.start_among_locks(obj, off) else { return Ok(false) };
        let locks = self.locks_at(start, len);
        if locks.is_empty() {
            return Ok(false);
        }
        if self.is_visible(obj) {
            self.gate(locks.iter().map(|(key, _)| Access::queue(*key)))?;
            locks.iter().for_each(|(key, _)| self.note(Access::queue(*key)));
        }
        self.has_effect();
        for (key, size) in locks {
            let lock = address(key);
            let (low, high) = (start.max(lock) - lock, (start + len).min(lock + size) - lock);
            self.sync(key).written |= (1 << high) - (1 << low);
        }
        Ok(true)
    }

    /// Bytes have been written, and some were those of locks: what is written over as a whole is made anew.
    pub(crate) fn wrote_over(&mut self, obj: ObjId, off: u64, len: u64) {
        let Some(start) = self.start_among_locks(obj, off) else { return };
        for (key, size) in self.locks_at(start, len) {
            if self.sync(key).written == (1 << size) - 1 {
                let before = self.sync(key).clone();
                let after = self.by_bytes(obj, key, size, &before);
                if after.is_some() {
                    self.nobody_holds(key, &before);
                }
                let broken = Sync { written: NOT_UNDERSTOOD, ..before };
                *self.sync(key) = after.unwrap_or(broken);
            }
        }
    }

    /// The state that the bytes of a lock say, if they are those of an initialiser.
    fn by_bytes(&self, obj: ObjId, key: u64, size: u64, before: &Sync) -> Option<Sync> {
        let object = self.st.mem.get(obj)?;
        let off = address(key) - object.base;
        let word = |at: u64| match object.content.peek(off + at, 4) {
            Some(Value::Int(word)) => Some(word as u32),
            _ => None,
        };
        let is_wide = self.ptr_bits() == 64;
        // Where an initialiser has something else than zero.
        let (special, largest) = match family(key)? {
            Family::Mutex if before.kind & SPIN == 0 => (if is_wide { 16 } else { 12 }, 3),
            Family::RwLock if is_wide => (48, 2),
            Family::RwLock | Family::Condition => (0, 0),
            Family::Semaphore if is_wide => (0, semaphore::MAX),
            Family::Once => (0, 0),
            _ => return None,
        };
        let others = (0..size).step_by(4).filter(|at| *at != special);
        let value = word(special).filter(|value| *value <= largest)?;
        if !others.map(word).all(|word| word == Some(0)) {
            return None;
        }
        let fresh = Sync { level: crate::sync::initial_level(key), ..Sync::default() };
        match family(key)? {
            Family::Mutex => Some(Sync { kind: value | before.kind & INITIALISED, ..fresh }),
            Family::Semaphore => Some(Sync { level: value, kind: semaphore::INITIALISED, ..fresh }),
            Family::RwLock => Some(fresh),
            // Who sleeps there, or runs the function, would be forgotten.
            _ => (before.queue.is_empty() && before.owner == 0).then_some(fresh),
        }
    }

    /// A lock that was held is free without having been given back.
    fn nobody_holds(&mut self, key: u64, before: &Sync) {
        let Some(facts) = facts(key).filter(|facts| facts.lock.is_some()) else { return };
        let (holders, depth) = match facts.needs == Needs::HoldersAndReaders {
            false => (Vec::new(), before.count),
            true => (before.queue.clone(), 1),
        };
        let owner = before.owner.checked_sub(1);
        for thread in holders.into_iter().chain(owner) {
            let thread = std::rc::Rc::make_mut(&mut self.st.threads[thread as usize]);
            thread.n_held = thread.n_held.saturating_sub(if owner.is_some() { depth } else { 1 });
        }
    }

    /// Bytes at an offset that depends on inputs are about to be written: they must not be those of a lock.
    pub(crate) fn writes_beside_locks(&mut self, obj: ObjId, off: TermId, size: u64) -> Res<()> {
        let Some(base) = self.start_among_locks(obj, 0) else { return Ok(()) };
        let room = self.st.mem.get(obj).map_or(0, |o| o.size);
        for (key, lock_size) in self.locks_at(base, room) {
            let lock = address(key).saturating_sub(base);
            let low = (lock + 1).saturating_sub(size);
            let inside = self.in_range(off, low, lock + lock_size - 1 - low);
            if self.decide(Value::Term(inside))? {
                return unsupported(WRITTEN_OVER);
            }
        }
        Ok(())
    }

    /// Bytes are about to be read by the program.
    pub(crate) fn reads_beside_locks(&mut self, obj: ObjId, off: u64, len: u64) -> Res<()> {
        match self.start_among_locks(obj, off) {
            Some(start) if !self.locks_at(start, len).is_empty() => {
                unsupported("the bytes of a lock that was used are read")
            }
            _ => Ok(()),
        }
    }

    /// The locks in a range that is about to be copied in one step.
    pub(crate) fn locks_to_copy(&self, obj: ObjId, off: u64, len: u64) -> Res<Vec<CopiedLock>> {
        let Some(start) = self.start_among_locks(obj, off) else { return Ok(Vec::new()) };
        let mut copied = Vec::new();
        for (key, size) in self.locks_at(start, len) {
            let (Some(family), Some(state)) = (family(key), self.st.sync.get(key)) else { continue };
            if address(key) < start || address(key) + size > start + len {
                return unsupported("a part of a lock is copied");
            }
            let state = match is_idle(family, state) {
                true => state.clone(),
                false => Sync { written: NOT_UNDERSTOOD, ..Sync::default() },
            };
            copied.push(CopiedLock { family, at: address(key) - start, state });
        }
        Ok(copied)
    }

    /// A range with these locks has been copied to here.
    pub(crate) fn copied_locks(&mut self, obj: ObjId, off: u64, locks: Vec<CopiedLock>) {
        for lock in locks {
            let Some(object) = self.st.mem.get_mut(obj) else { return };
            object.has_locks = true;
            let key = key(lock.family, object.base + off + lock.at);
            let before = self.sync(key).clone();
            self.nobody_holds(key, &before);
            *self.sync(key) = lock.state;
        }
    }
}
