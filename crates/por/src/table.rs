//! Interned events: a dense id per distinct event, with what the algorithms ask of it ready to hand.
//!
//! The same events come again in every execution, so sleep sets, wakeup trees and the execution itself
//! hold `u32` ids, and dependence is decided on interned cells after a one-word filter.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use selvedge_base::{Dense, define_id};
use smallvec::SmallVec;

use crate::cells::{CellId, CellTable};
use crate::event::{Event, Group, Guard, IfMoved, Location, ThreadId};

define_id!(
    /// An interned [`Event`].
    pub struct EventId, "event"
);

/// One access of an interned event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellAccess {
    pub(crate) cell: CellId,
    pub(crate) group: Group,
    pub(crate) guard: Guard,
    pub(crate) delta: i64,
}

/// The number of accesses of an event of which nothing is known.
const UNKNOWN: u32 = u32::MAX;

/// An interned event.
pub(crate) struct EventData {
    pub(crate) thread: ThreadId,
    pub(crate) spawns: SmallVec<[ThreadId; 1]>,
    /// Events of different threads without a common bit are independent, unless one starts the other's
    /// thread.
    filter: u64,
    /// Whether some access has a guard.
    pub(crate) is_guarded: bool,
    /// Whether it is known when the event can happen.
    pub(crate) is_certain: bool,
    first_access: u32,
    n_accesses: u32,
    /// What to assume of the event when it is moved.
    pub(crate) if_moved: EventId,
}

/// All events of a search, by their ids.
#[derive(Default)]
pub struct EventTable {
    ids: FxHashMap<Arc<Event>, EventId>,
    events: Dense<EventId, Arc<Event>>,
    data: Dense<EventId, EventData>,
    accesses: Vec<CellAccess>,
    /// The event of each thread of which nothing is known.
    anything: FxHashMap<ThreadId, EventId>,
    pub(crate) cells: CellTable,
}

impl EventTable {
    pub(crate) fn intern(&mut self, event: &Event) -> EventId {
        if let Some(&id) = self.ids.get(event) {
            return id;
        }
        let if_moved = match &event.if_moved {
            IfMoved::Same => None,
            IfMoved::AtMost(accesses) => {
                let moved = Event {
                    thread: event.thread,
                    accesses: accesses.clone(),
                    spawns: event.spawns.clone(),
                    if_moved: IfMoved::Same,
                };
                Some(self.intern(&moved))
            }
            IfMoved::Anything => Some(self.anything(event.thread)),
        };
        let first_access = index(self.accesses.len());
        let mut filter = 0;
        for access in &event.accesses {
            let cell = self.cells.intern(access.location);
            filter |= filter_bits(access.location);
            let (group, guard, delta) = (access.mode.group(), access.mode.guard(), access.mode.delta());
            self.accesses.push(CellAccess { cell, group, guard, delta });
        }
        let id = self.data.next_id();
        let event = Arc::new(event.clone());
        self.ids.insert(Arc::clone(&event), id);
        self.data.push(EventData {
            thread: event.thread,
            spawns: event.spawns.clone(),
            filter,
            is_guarded: event.accesses.iter().any(|access| access.mode.guard() != Guard::Open),
            is_certain: event.accesses.iter().all(|access| access.mode.guard() != Guard::Unknown),
            first_access,
            n_accesses: index(event.accesses.len()),
            if_moved: if_moved.unwrap_or(id),
        });
        self.events.push(event);
        id
    }

    /// The event of `thread` of which nothing is known: dependent with every other.
    pub(crate) fn anything(&mut self, thread: ThreadId) -> EventId {
        if let Some(&id) = self.anything.get(&thread) {
            return id;
        }
        let id = self.data.next_id();
        self.anything.insert(thread, id);
        self.events.push(Arc::new(Event::new(thread, []).moved_unknown()));
        self.data.push(EventData {
            thread,
            spawns: SmallVec::new(),
            filter: u64::MAX,
            is_guarded: false,
            is_certain: true,
            first_access: 0,
            n_accesses: UNKNOWN,
            if_moved: id,
        })
    }

    /// Whether nothing is known of the event.
    pub(crate) fn is_anything(&self, id: EventId) -> bool {
        self.data[id].n_accesses == UNKNOWN
    }

    #[inline]
    pub(crate) fn get(&self, id: EventId) -> &EventData {
        &self.data[id]
    }

    pub(crate) fn event(&self, id: EventId) -> &Event {
        &self.events[id]
    }

    #[inline]
    pub(crate) fn accesses(&self, data: &EventData) -> &[CellAccess] {
        let start = data.first_access as usize;
        &self.accesses[start..start + data.n_accesses as usize]
    }

    /// Whether the order of the two events matters; as [`dependent`](crate::dependent).
    #[inline]
    pub(crate) fn dependent(&self, a: EventId, b: EventId) -> bool {
        let (a, b) = (&self.data[a], &self.data[b]);
        if a.thread == b.thread || a.spawns.contains(&b.thread) || b.spawns.contains(&a.thread) {
            return true;
        }
        a.filter & b.filter != 0 && self.conflict(a, b)
    }

    fn conflict(&self, a: &EventData, b: &EventData) -> bool {
        if a.n_accesses == UNKNOWN || b.n_accesses == UNKNOWN {
            return true;
        }
        self.accesses(a).iter().any(|x| {
            self.accesses(b).iter().any(|y| x.group.conflicts(y.group) && self.cells.overlap(x.cell, y.cell))
        })
    }
}

/// The bits of a location: locations without a common bit do not overlap.
fn filter_bits(location: Location) -> u64 {
    // Bytes are hashed by words of eight; a longer range gets every bit.
    const MAX_WORDS: u64 = 4;
    // Fibonacci hashing: keys are often small numbers or multiples of a size.
    let bit =
        |key: u64, word: u64| 1 << ((key.rotate_left(32) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58);
    match location {
        Location::Sync(object) => bit(!object, 0),
        Location::Memory { len: 0, .. } => 0,
        Location::Memory { object, offset, len } => {
            let (first, last) = (offset / 8, offset.saturating_add(len - 1) / 8);
            match last - first < MAX_WORDS {
                true => (first..=last).fold(0, |bits, word| bits | bit(object, word)),
                false => u64::MAX,
            }
        }
    }
}

/// A position as the tables keep it.
#[inline]
pub(crate) fn index(position: usize) -> u32 {
    u32::try_from(position).expect("fewer than four thousand million entries")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Access, Mode, dependent};

    #[test]
    fn interned_dependence_is_the_dependence_of_events() {
        let places = [
            Location::bytes(1, 0, 4),
            Location::bytes(1, 2, 4),
            Location::bytes(1, 7, 60),
            Location::bytes(65, 0, 4),
            Location::Sync(1),
            Location::Sync(u64::MAX),
        ];
        let modes = [Mode::Read, Mode::Write, Mode::Give { amount: 1 }, Mode::GiveShared { amount: 1 }];
        let accesses: Vec<Access> =
            places.iter().flat_map(|&place| modes.map(|mode| Access::new(place, mode))).collect();
        let events: Vec<Event> = accesses
            .iter()
            .zip(accesses.iter().rev())
            .enumerate()
            .map(|(i, (&a, &b))| Event::new(ThreadId(index(i % 3)), [a, b]))
            .collect();
        let mut table = EventTable::default();
        let ids: Vec<EventId> = events.iter().map(|event| table.intern(event)).collect();
        for (a, &a_id) in events.iter().zip(&ids) {
            assert_eq!(table.intern(a), a_id);
            for (b, &b_id) in events.iter().zip(&ids) {
                assert_eq!(table.dependent(a_id, b_id), dependent(a, b), "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn an_event_that_may_do_anything_when_moved_is_itself_where_it_is() {
        let mut table = EventTable::default();
        let quiet = table.intern(&Event::new(ThreadId(0), []).moved_unknown());
        let write = table.intern(&Event::new(ThreadId(1), [Access::write(Location::bytes(1, 0, 1))]));
        assert!(!table.dependent(quiet, write));
        assert!(table.dependent(table.get(quiet).if_moved, write));
    }
}
