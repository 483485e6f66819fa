//! Footprints outside of a search: what is kept of a part of it when the search has ended.
//!
//! Events are written out, as ids are those of one [`Dpor`]. Of the order of events, what is needed when the part is
//! skipped is kept: which threads come before an event always and sometimes, and their last events.

use std::hash::Hash;

use rustc_hash::FxHashMap;
use selvedge_base::Id;
use serde::{Deserialize, Serialize};

use crate::dpor::Dpor;
use crate::event::{Access, Event, IfMoved, ThreadId};
use crate::pruned::{Footprint, Footstep};
use crate::table::{EventId, EventTable};

/// Footprints that belong to no search, each named by a number. What they have in common is there once.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PortableFootprints {
    events: Vec<PortableEvent>,
    steps: Vec<PortableStep>,
    /// Steps of each footprint.
    parts: Vec<Vec<u32>>,
}

/// An event of a part, with the last events of other threads before it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
struct PortableStep {
    event: u32,
    always_after: u64,
    sometimes_after: u64,
    last: Vec<(u8, u32)>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
struct PortableEvent {
    thread: u32,
    accesses: Vec<Access>,
    spawns: Vec<u32>,
    if_moved: Moved,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
enum Moved {
    Same,
    AtMost(Vec<Access>),
    Anything,
    /// The event itself is one of which nothing is known.
    Unknown,
}

/// The highest number that a thread can have.
const MAX_THREAD: u32 = 1 << 10;

/// Items in the order in which they came, each once.
struct Numbered<T> {
    items: Vec<T>,
    numbers: FxHashMap<T, u32>,
}

impl<T: Clone + Eq + Hash> Numbered<T> {
    fn new(items: Vec<T>) -> Numbered<T> {
        let numbers = items.iter().cloned().zip(0..).collect();
        Numbered { items, numbers }
    }

    fn number(&mut self, item: T) -> u32 {
        let next = self.items.len() as u32;
        let number = *self.numbers.entry(item.clone()).or_insert(next);
        if number == next {
            self.items.push(item);
        }
        number
    }
}

/// Adds footprints of one search.
pub struct FootprintExporter {
    events: Numbered<PortableEvent>,
    steps: Numbered<PortableStep>,
    parts: Numbered<Vec<u32>>,
    known: FxHashMap<EventId, u32>,
}

impl FootprintExporter {
    /// Adds to these footprints, whose numbers stay.
    pub fn new(PortableFootprints { events, steps, parts }: PortableFootprints) -> FootprintExporter {
        FootprintExporter {
            events: Numbered::new(events),
            steps: Numbered::new(steps),
            parts: Numbered::new(parts),
            known: FxHashMap::default(),
        }
    }

    /// Adds a footprint that `dpor` gave.
    pub fn add(&mut self, dpor: &Dpor, footprint: &Footprint) -> u32 {
        let steps = footprint.steps();
        let mut part = Vec::with_capacity(steps.len());
        for Footstep { event, always_after, sometimes_after, last } in steps {
            let last = last.iter().map(|(thread, event)| (*thread, self.event(dpor, *event))).collect();
            let event = self.event(dpor, event);
            part.push(self.steps.number(PortableStep { event, always_after, sometimes_after, last }));
        }
        part.sort_unstable();
        self.parts.number(part)
    }

    fn event(&mut self, dpor: &Dpor, id: EventId) -> u32 {
        if let Some(number) = self.known.get(&id) {
            return *number;
        }
        let number = self.events.number(PortableEvent::of(&dpor.table, id));
        self.known.insert(id, number);
        number
    }

    /// All footprints.
    pub fn finish(self) -> PortableFootprints {
        PortableFootprints { events: self.events.items, steps: self.steps.items, parts: self.parts.items }
    }
}

impl PortableFootprints {
    /// Keeps these footprints, and tells the new numbers by the former ones.
    pub fn keep(&mut self, parts: impl IntoIterator<Item = u32>) -> Vec<Option<u32>> {
        let (mut used_parts, mut used_steps) = (vec![false; self.parts.len()], vec![false; self.steps.len()]);
        let mut used_events = vec![false; self.events.len()];
        for number in parts.into_iter().map(|number| number as usize) {
            // What is not there is no footprint.
            if number < used_parts.len() && self.is_whole(number) {
                used_parts[number] = true;
            }
        }
        for part in (0..self.parts.len()).filter(|part| used_parts[*part]) {
            for step in &self.parts[part] {
                if !std::mem::replace(&mut used_steps[*step as usize], true) {
                    self.steps[*step as usize].events().for_each(|event| used_events[event as usize] = true);
                }
            }
        }
        let events = retain(&mut self.events, &used_events);
        let steps = retain(&mut self.steps, &used_steps);
        let now = retain(&mut self.parts, &used_parts);
        let moved = |by: &[Option<u32>], number: &mut u32| *number = by[*number as usize].unwrap_or_default();
        for PortableStep { event, last, .. } in &mut self.steps {
            moved(&events, event);
            last.iter_mut().for_each(|(_, event)| moved(&events, event));
        }
        for part in &mut self.parts {
            part.iter_mut().for_each(|step| moved(&steps, step));
            part.sort_unstable();
        }
        now
    }

    /// Whether everything that a footprint names is there.
    fn is_whole(&self, part: usize) -> bool {
        let is_step = |step: &PortableStep| step.events().all(|event| (event as usize) < self.events.len());
        self.parts[part].iter().all(|step| self.steps.get(*step as usize).is_some_and(is_step))
    }
}

impl PortableStep {
    fn events(&self) -> impl Iterator<Item = u32> {
        std::iter::once(self.event).chain(self.last.iter().map(|(_, event)| *event))
    }
}

/// Drops what is not used, and gives the new numbers of the rest by the former ones.
fn retain<T>(items: &mut Vec<T>, is_used: &[bool]) -> Vec<Option<u32>> {
    let mut next = 0..;
    let now = is_used.iter().map(|is_used| if *is_used { next.next() } else { None }).collect();
    let mut used = is_used.iter();
    items.retain(|_| used.next() == Some(&true));
    now
}

/// Events that a search knows already, by their numbers.
#[derive(Clone, Debug, Default)]
pub struct ImportedEvents {
    events: Vec<Option<EventId>>,
}

impl Dpor {
    /// A footprint in this search; `None` if it cannot be one.
    pub fn import(
        &mut self,
        all: &PortableFootprints,
        part: u32,
        imported: &mut ImportedEvents,
    ) -> Option<Footprint> {
        let known = &mut imported.events;
        known.resize(all.events.len(), None);
        let mut event = |number: u32| {
            let known = known.get_mut(number as usize)?;
            if known.is_none() {
                *known = all.events[number as usize].intern(&mut self.table);
            }
            *known
        };
        let part = all.parts.get(part as usize)?;
        let mut steps = Vec::with_capacity(part.len());
        for step in part {
            let PortableStep { event: of, always_after, sometimes_after, last } =
                all.steps.get(*step as usize)?;
            let last: Option<_> = last.iter().map(|(thread, of)| Some((*thread, event(*of)?))).collect();
            let (always_after, sometimes_after) = (*always_after, *sometimes_after);
            steps.push(Footstep { event: event(*of)?, always_after, sometimes_after, last: last? });
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

    fn export(dpor: &Dpor, footprint: &Footprint) -> (PortableFootprints, u32) {
        let mut exporter = FootprintExporter::new(PortableFootprints::default());
        let part = exporter.add(dpor, footprint);
        (exporter.finish(), part)
    }

    fn import(dpor: &mut Dpor, all: &PortableFootprints, part: u32) -> Option<Footprint> {
        dpor.import(all, part, &mut ImportedEvents::default())
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
        let (portable, part) = export(&here, &footprint);
        let moved = import(&mut there, &portable, part).expect("it is a footprint");
        assert_eq!(moved.len(), 3);
        // It is there already, whatever its events were called.
        let mut exporter = FootprintExporter::new(portable.clone());
        assert_eq!(exporter.add(&there, &moved), part);
        assert_eq!(exporter.finish(), portable);
        let back = import(&mut here, &portable, part).expect("it is a footprint");
        assert_eq!(back.steps(), footprint.steps());
    }

    #[test]
    fn what_names_no_event_is_no_footprint() {
        let mut here = dpor();
        let id = here.table.intern(&event(0, 1, Mode::Write));
        let step = Footstep { event: id, always_after: 1, sometimes_after: 1, last: Default::default() };
        let (good, part) = export(&here, &Footprint::of_steps(vec![step]));
        let (mut no_event, mut no_thread) = (good.clone(), good.clone());
        no_event.steps[0].last = vec![(0, 1)];
        no_thread.events[0].thread = MAX_THREAD;
        assert!(import(&mut here, &good, part).is_some());
        for bad in [no_event, no_thread] {
            assert!(import(&mut here, &bad, part).is_none());
        }
        assert!(import(&mut here, &good, part + 1).is_none());
    }

    #[test]
    fn what_is_not_used_any_more_goes() {
        let mut here = dpor();
        let ids = [1, 2].map(|object| here.table.intern(&event(0, object, Mode::Write)));
        let step = |event| Footstep { event, always_after: 0, sometimes_after: 1, last: Default::default() };
        let parts = ids.map(|id| Footprint::of_steps(vec![step(id)]));
        let mut exporter = FootprintExporter::new(PortableFootprints::default());
        let [_, kept] = parts.each_ref().map(|part| exporter.add(&here, part));
        let mut portable = exporter.finish();
        let now = portable.keep([kept])[kept as usize].expect("it was kept");
        assert_eq!((portable.events.len(), portable.parts.len()), (1, 1));
        let back = import(&mut here, &portable, now).expect("it is a footprint");
        assert_eq!(back.steps(), parts[1].steps());
    }
}
