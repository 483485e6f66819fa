//! Footprints outside of a search: what is kept of a part of it when the search has ended.
//!
//! Events are written out, as ids are those of one [`Dpor`]. Of the order of events, what is needed when the part is
//! skipped is kept: which threads come before an event always and sometimes, and their last events.

use rustc_hash::FxHashMap;
use selvedge_base::Id;
use serde::{Deserialize, Serialize};

use crate::dpor::Dpor;
use crate::event::{Access, Event, IfMoved, ThreadId};
use crate::pruned::{Footprint, Footstep};
use crate::table::{EventId, EventTable};

/// A footprint that belongs to no search.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PortableFootprint {
    steps: Vec<PortableStep>,
}

/// An event of the part; others name it by its position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct PortableStep {
    event: PortableEvent,
    always_after: u64,
    sometimes_after: u64,
    /// Threads and the positions of their last events.
    last: Vec<(u8, u32)>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct PortableEvent {
    thread: u32,
    accesses: Vec<Access>,
    spawns: Vec<u32>,
    if_moved: Moved,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
enum Moved {
    Same,
    AtMost(Vec<Access>),
    Anything,
    /// The event itself is one of which nothing is known.
    Unknown,
}

/// The highest number that a thread can have.
const MAX_THREAD: u32 = 1 << 10;

impl Dpor {
    /// The footprint for another search.
    pub fn export(&self, footprint: &Footprint) -> PortableFootprint {
        let steps = footprint.steps();
        let positions: FxHashMap<EventId, u32> =
            steps.iter().enumerate().map(|(i, step)| (step.event, i as u32)).collect();
        let portable = |step: &Footstep| PortableStep {
            event: PortableEvent::of(&self.table, step.event),
            always_after: step.always_after,
            sometimes_after: step.sometimes_after,
            last: step.last.iter().filter_map(|(t, event)| Some((*t, *positions.get(event)?))).collect(),
        };
        PortableFootprint { steps: steps.iter().map(portable).collect() }
    }

    /// The footprint in this search; `None` if it cannot be one.
    pub fn import(&mut self, portable: &PortableFootprint) -> Option<Footprint> {
        let events: Option<Vec<EventId>> =
            portable.steps.iter().map(|step| step.event.intern(&mut self.table)).collect();
        let events = events?;
        let mut steps = Vec::with_capacity(events.len());
        for (step, &event) in portable.steps.iter().zip(&events) {
            let (always_after, sometimes_after) = (step.always_after, step.sometimes_after);
            let last = step.last.iter().map(|(t, at)| Some((*t, *events.get(*at as usize)?)));
            let last: Option<_> = last.collect();
            steps.push(Footstep { event, always_after, sometimes_after, last: last? });
        }
        Some(Footprint::of_steps(steps))
    }
}

impl PortableEvent {
    fn of(table: &EventTable, id: EventId) -> PortableEvent {
        let Event { thread, accesses, spawns, if_moved } = table.event(id);
        let number = |thread: &ThreadId| thread.index() as u32;
        PortableEvent {
            thread: number(thread),
            accesses: accesses.to_vec(),
            spawns: spawns.iter().map(number).collect(),
            if_moved: match if_moved {
                _ if table.is_anything(id) => Moved::Unknown,
                IfMoved::Same => Moved::Same,
                IfMoved::AtMost(accesses) => Moved::AtMost(accesses.to_vec()),
                IfMoved::Anything => Moved::Anything,
            },
        }
    }

    fn intern(&self, table: &mut EventTable) -> Option<EventId> {
        let is_thread = |n: &u32| *n < MAX_THREAD;
        if !is_thread(&self.thread) || !self.spawns.iter().all(is_thread) {
            return None;
        }
        let thread = ThreadId::new(self.thread as usize);
        let if_moved = match &self.if_moved {
            Moved::Unknown => return Some(table.anything(thread)),
            Moved::Same => IfMoved::Same,
            Moved::AtMost(accesses) => IfMoved::AtMost(accesses.iter().copied().collect()),
            Moved::Anything => IfMoved::Anything,
        };
        let accesses = self.accesses.iter().copied().collect();
        let spawns = self.spawns.iter().map(|n| ThreadId::new(*n as usize)).collect();
        Some(table.intern(&Event { thread, accesses, spawns, if_moved }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dpor::{Config, Reduction};
    use crate::event::{Location, Mode};

    fn dpor() -> Dpor {
        Dpor::new(Config { pruning: true, ..Config::new(Reduction::Optimal) })
    }

    fn event(thread: u32, object: u64, mode: Mode) -> Event {
        Event::new(ThreadId::new(thread as usize), [Access::new(Location::bytes(object, 0, 4), mode)])
    }

    #[test]
    fn a_footprint_says_the_same_in_another_search() {
        let mut here = dpor();
        let events = [
            event(0, 1, Mode::Write),
            event(1, 1, Mode::Read).moved_also([Access::new(Location::Sync(7), Mode::Give { amount: 1 })]),
            event(2, 2, Mode::Spin).moved_unknown().spawning(ThreadId::new(3)),
        ];
        let ids = events.each_ref().map(|event| here.table.intern(event));
        let steps = ids.map(|event| Footstep {
            event,
            always_after: 0b10,
            sometimes_after: 0b1011,
            last: [(1, ids[1])].into_iter().collect(),
        });
        let footprint = Footprint::of_steps(steps.to_vec());
        assert_eq!(footprint.steps(), steps);

        let mut there = dpor();
        // Another numbering of events.
        there.table.intern(&event(5, 9, Mode::Read));
        there.table.intern(&events[2]);
        let portable = here.export(&footprint);
        let moved = there.import(&portable).expect("it is a footprint");
        assert_eq!(moved.len(), 3);
        let back = here.import(&there.export(&moved)).expect("it is a footprint");
        assert_eq!(back.steps(), footprint.steps());
    }

    #[test]
    fn what_names_no_event_is_no_footprint() {
        let mut here = dpor();
        let id = here.table.intern(&event(0, 1, Mode::Write));
        let step = Footstep { event: id, always_after: 1, sometimes_after: 1, last: Default::default() };
        let good = here.export(&Footprint::of_steps(vec![step]));
        let (mut no_event, mut no_thread) = (good.clone(), good.clone());
        no_event.steps[0].last = vec![(0, 1)];
        no_thread.steps[0].event.thread = MAX_THREAD;
        assert!(here.import(&good).is_some());
        assert!(here.import(&no_event).is_none() && here.import(&no_thread).is_none());
    }
}
