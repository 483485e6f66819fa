//! Footprints outside of a search: what is kept of a part of it when the search has ended.
//!
//! Events are written out, as ids are those of one [`Dpor`](crate::Dpor). Of the order of events, what is needed when the
//! part is skipped is kept: which threads come before an event always and sometimes, and their last events.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use selvedge_base::{Id, Packed, PackedSet};
use serde::{Deserialize, Serialize};

use crate::event::{Access, Event, IfMoved, ThreadId};
use crate::pruned::{After, Footprint, Footstep, Mark};
use crate::table::{EventId, EventTable};

/// Footprints that belong to no search, each named by a number. What they have in common is there once.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PortableFootprints {
    events: Vec<PortableEvent>,
    /// The event of a step, the threads before it always and sometimes, then each thread of which the last event before it is
    /// known, and that.
    steps: Packed,
    /// Steps of each footprint in order, each as its distance from the one before.
    parts: Packed,
}

/// An event of a part, with the last events of other threads before it.
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

/// Adds footprints of one search, or of several that have ended.
#[derive(Default)]
pub struct FootprintExporter {
    events: Vec<PortableEvent>,
    numbers: FxHashMap<PortableEvent, u32>,
    steps: PackedSet,
    parts: PackedSet,
    known: FxHashMap<EventId, u32>,
    /// Steps by what they are made of, which footprints share. Who is in here is not made anew at the same place.
    marks: FxHashMap<(*const Mark, After), (u32, Rc<Mark>)>,
    /// Room for the numbers of a part.
    part: Vec<u64>,
}

/// What an exporter has taken over of some footprints already, by their numbers.
#[derive(Debug, Default)]
pub struct TakenFootprints {
    steps: FxHashMap<u32, u32>,
    parts: FxHashMap<u32, u32>,
}

impl FootprintExporter {
    /// Adds a footprint of the search that has these events.
    pub fn add(&mut self, events: &EventTable, footprint: &Footprint) -> u32 {
        let mut part = std::mem::take(&mut self.part);
        part.clear();
        for (mark, after) in footprint.marks() {
            let key = (Rc::as_ptr(mark), after);
            let step = match self.marks.get(&key) {
                Some((step, _)) => *step,
                None => {
                    let step = self.step(events, mark.step(after));
                    self.marks.insert(key, (step, mark.clone()));
                    step
                }
            };
            part.push(u64::from(step));
        }
        let number = self.part(&mut part);
        self.part = part;
        number
    }

    fn step(&mut self, events: &EventTable, step: Footstep) -> u32 {
        let Footstep { event, always_after, sometimes_after, last } = step;
        let mut numbers = vec![u64::from(self.known(events, event)), always_after, sometimes_after];
        for (thread, event) in last {
            numbers.extend([u64::from(thread), u64::from(self.known(events, event))]);
        }
        self.steps.position(&numbers)
    }

    /// Adds a footprint of others that belong to no search; `None` if it is none.
    pub fn take_over(
        &mut self,
        from: &PortableFootprints,
        part: u32,
        taken: &mut TakenFootprints,
    ) -> Option<u32> {
        if let Some(known) = taken.parts.get(&part) {
            return Some(*known);
        }
        let mut steps = Vec::new();
        for step in from.part(part)? {
            let known = match taken.steps.get(&step) {
                Some(known) => *known,
                None => {
                    let PortableStep { event: of, always_after, sometimes_after, last } = from.step(step)?;
                    let mut event = |number: u32| Some(self.event(from.events.get(number as usize)?.clone()));
                    let mut moved = vec![u64::from(event(of)?), always_after, sometimes_after];
                    for (thread, last) in last {
                        moved.extend([u64::from(thread), u64::from(event(last)?)]);
                    }
                    let known = self.steps.position(&moved);
                    taken.steps.insert(step, known);
                    known
                }
            };
            steps.push(u64::from(known));
        }
        let number = self.part(&mut steps);
        taken.parts.insert(part, number);
        Some(number)
    }

    fn known(&mut self, events: &EventTable, id: EventId) -> u32 {
        if let Some(number) = self.known.get(&id) {
            return *number;
        }
        let number = self.event(PortableEvent::of(events, id));
        self.known.insert(id, number);
        number
    }

    fn event(&mut self, event: PortableEvent) -> u32 {
        let next = self.events.len() as u32;
        let number = *self.numbers.entry(event.clone()).or_insert(next);
        if number == next {
            self.events.push(event);
        }
        number
    }

    /// The number of a footprint with these steps.
    fn part(&mut self, steps: &mut [u64]) -> u32 {
        steps.sort_unstable();
        let mut before = 0;
        for step in &mut *steps {
            let distance = *step - before;
            before = std::mem::replace(step, distance);
        }
        self.parts.position(steps)
    }

    /// All footprints.
    pub fn finish(self) -> PortableFootprints {
        let FootprintExporter { events, steps, parts, .. } = self;
        PortableFootprints { events, steps: steps.finish(), parts: parts.finish() }
    }
}

/// Events that a search knows already, by their numbers.
#[derive(Clone, Debug, Default)]
pub struct ImportedEvents {
    events: Vec<Option<EventId>>,
}

impl PortableFootprints {
    fn step(&self, step: u32) -> Option<PortableStep> {
        let mut numbers = self.steps.get(step)?;
        let event = numbers.next()?.try_into().ok()?;
        let (always_after, sometimes_after) = (numbers.next()?, numbers.next()?);
        let mut last = Vec::new();
        while let Some(thread) = numbers.next() {
            last.push((thread.try_into().ok()?, numbers.next()?.try_into().ok()?));
        }
        Some(PortableStep { event, always_after, sometimes_after, last })
    }

    /// The steps of a footprint; what cannot be one is not there.
    fn part(&self, part: u32) -> Option<impl Iterator<Item = u32>> {
        let mut step = 0_u32;
        Some(self.parts.get(part)?.map(move |distance| {
            step = step.saturating_add(distance.try_into().unwrap_or(u32::MAX));
            step
        }))
    }

    /// A footprint in the search that has these events; `None` if it cannot be one.
    pub fn import(
        &self,
        part: u32,
        events: &mut EventTable,
        imported: &mut ImportedEvents,
    ) -> Option<Footprint> {
        let known = &mut imported.events;
        known.resize(self.events.len(), None);
        let mut event = |number: u32| {
            let known = known.get_mut(number as usize)?;
            if known.is_none() {
                *known = self.events[number as usize].intern(events);
            }
            *known
        };
        let mut steps = Vec::new();
        for step in self.part(part)? {
            let PortableStep { event: of, always_after, sometimes_after, last } = self.step(step)?;
            let last: Option<_> = last.iter().map(|(thread, of)| Some((*thread, event(*of)?))).collect();
            steps.push(Footstep { event: event(of)?, always_after, sometimes_after, last: last? });
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
    use crate::dpor::{Config, Dpor, Reduction};
    use crate::event::{Location, Mode};

    fn dpor() -> Dpor {
        Dpor::new(Config { pruning: true, ..Config::new(Reduction::Optimal) })
    }

    fn event(thread: u32, object: u64, mode: Mode) -> Event {
        Event::new(ThreadId::new(thread as usize), [Access::new(Location::bytes(object, 0, 4), mode)])
    }

    fn export(dpor: &Dpor, footprint: &Footprint) -> (PortableFootprints, u32) {
        let mut exporter = FootprintExporter::default();
        let part = exporter.add(&dpor.table, footprint);
        (exporter.finish(), part)
    }

    fn import(dpor: &mut Dpor, all: &PortableFootprints, part: u32) -> Option<Footprint> {
        all.import(part, &mut dpor.table, &mut ImportedEvents::default())
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
        // It is the same, whatever its events were called.
        assert_eq!(export(&there, &moved).0.parts, portable.parts);
        let back = import(&mut here, &portable, part).expect("it is a footprint");
        assert_eq!(back.steps(), footprint.steps());
    }

    #[test]
    fn what_names_no_event_is_no_footprint() {
        let mut here = dpor();
        let id = here.table.intern(&event(0, 1, Mode::Write));
        let step = Footstep { event: id, always_after: 1, sometimes_after: 1, last: Default::default() };
        let (good, part) = export(&here, &Footprint::of_steps(vec![step]));
        let steps = |numbers: &[u64]| {
            let mut steps = Packed::default();
            steps.push(numbers.iter().copied());
            PortableFootprints { steps, ..good.clone() }
        };
        let mut no_thread = good.clone();
        no_thread.events[0].thread = MAX_THREAD;
        assert!(import(&mut here, &good, part).is_some());
        let bad =
            [no_thread, steps(&[0, 1, 1, 0, 1]), steps(&[1, 1, 1]), steps(&[0, 1]), steps(&[0, 1, 1, 0])];
        for bad in bad {
            assert!(import(&mut here, &bad, part).is_none());
        }
        assert!(import(&mut here, &good, part + 1).is_none());
    }

    #[test]
    fn what_is_taken_over_is_all_that_is_kept() {
        let mut here = dpor();
        let ids = [1, 2].map(|object| here.table.intern(&event(0, object, Mode::Write)));
        let step = |event| Footstep { event, always_after: 0, sometimes_after: 1, last: Default::default() };
        let parts = ids.map(|id| Footprint::of_steps(vec![step(id)]));
        let mut exporter = FootprintExporter::default();
        let [_, kept] = parts.each_ref().map(|part| exporter.add(&here.table, part));
        let portable = exporter.finish();
        let (mut exporter, mut taken) = (FootprintExporter::default(), TakenFootprints::default());
        let now = exporter.take_over(&portable, kept, &mut taken).expect("it is there");
        // The same from elsewhere is there once.
        assert_eq!(exporter.take_over(&portable, kept, &mut TakenFootprints::default()), Some(now));
        assert_eq!(exporter.take_over(&portable, 2, &mut taken), None);
        let portable = exporter.finish();
        assert_eq!((portable.events.len(), portable.parts.len()), (1, 1));
        let back = import(&mut here, &portable, now).expect("it is a footprint");
        assert_eq!(back.steps(), parts[1].steps());
    }
}
