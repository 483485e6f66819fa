//! What a skipped part of the search would have touched.
//!
//! A search that recognises a state as covered does not look below it. The races between the steps that led
//! there and those it does not make must be analysed all the same, or interleavings are lost: the known
//! trap of stateful DPOR. So [`Dpor::prune`](crate::Dpor::prune) takes a [`Pruned`], which cannot be made
//! without a [`Footprint`], and a footprint comes from the search that explored the part
//! ([`Dpor::leave`](crate::Dpor::leave)) or is built from events.
//!
//! Relies on: a footprint holds every event of every execution of the part, up to over-approximation.

use std::rc::Rc;

use smallvec::SmallVec;

use crate::event::Event;
use crate::table::EventId;

/// Threads by their bits; those with a high number are in no set.
pub(crate) type Threads = u64;

/// The set of one thread.
pub(crate) fn only(thread: usize) -> Threads {
    if thread < 64 { 1 << thread } else { 0 }
}

/// Whether a thread is in a set.
pub(crate) fn contains(threads: Threads, thread: usize) -> bool {
    threads & only(thread) != 0
}

/// An event of a part of the search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Footstep {
    pub(crate) event: EventId,
    /// Threads of which a step of the part happens before the event, whenever it is made.
    pub(crate) always_after: Threads,
    /// As before, at least once.
    pub(crate) sometimes_after: Threads,
    /// The last of those steps of each such thread, where it is always the same event.
    pub(crate) last: SmallVec<[(u8, EventId); 2]>,
}

impl Footstep {
    /// The last event of `thread` before this one, if it is known.
    pub(crate) fn last_of(&self, thread: usize) -> Option<EventId> {
        self.last.iter().find(|(t, _)| usize::from(*t) == thread).map(|(_, event)| *event)
    }
}

/// The last event of each thread before another, where it is known.
pub(crate) type Last = SmallVec<[Option<EventId>; 6]>;

/// The events of a part of the search. Cheap to make and to copy; what it says about their order is worked out when
/// the part is skipped, which few parts ever are.
#[derive(Clone, Debug)]
pub struct Footprint {
    /// Invariant: sorted by event, none twice. Ids of the [`Dpor`](crate::Dpor) that made it.
    marks: Rc<[Rc<Mark>]>,
    /// Steps before the part.
    n_before: usize,
}

impl Default for Footprint {
    fn default() -> Self {
        Footprint { marks: Rc::new([]), n_before: 0 }
    }
}

impl Footprint {
    /// The footprint with these steps.
    pub(crate) fn of_steps(mut steps: Vec<Footstep>) -> Footprint {
        steps.sort_unstable_by_key(|step| step.event);
        steps.dedup_by_key(|step| step.event);
        let clock = |threads: Threads| {
            let n = (Threads::BITS - threads.leading_zeros()) as usize;
            (0..n).map(|thread| u32::from(contains(threads, thread))).collect::<Clock>()
        };
        let mark = |step: &Footstep| {
            let n = step.last.iter().map(|(thread, _)| usize::from(*thread) + 1).max().unwrap_or(0);
            Rc::new(Mark {
                event: step.event,
                least: clock(step.always_after),
                most: clock(step.sometimes_after),
                last: (0..n).map(|thread| step.last_of(thread)).collect(),
            })
        };
        Footprint { marks: steps.iter().map(mark).collect(), n_before: 0 }
    }

    /// Whether the part has no event that anyone else could notice.
    pub fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }

    /// Number of distinct events.
    pub fn len(&self) -> usize {
        self.marks.len()
    }

    /// Bytes that it takes, about, its share of what it has in common with others included.
    pub fn weight(&self) -> u64 {
        let of_mark = |mark: &Rc<Mark>| {
            let clocks = size_of::<u32>() * (mark.least.len() + mark.most.len());
            let mark_only = size_of::<Mark>() + clocks + size_of::<Option<EventId>>() * mark.last.len();
            size_of::<Rc<Mark>>() + mark_only / Rc::strong_count(mark)
        };
        self.marks.iter().map(of_mark).sum::<usize>() as u64
    }

    /// Adds the events of a part that comes after the same steps.
    pub fn merge(&mut self, other: &Footprint) {
        if self.marks.is_empty() {
            *self = other.clone();
        } else if !other.marks.is_empty() {
            debug_assert_eq!(self.n_before, other.n_before, "parts of one step");
            let mut trail = Trail { marks: self.marks.to_vec() };
            trail.merge(Trail { marks: other.marks.to_vec() });
            self.marks = trail.marks.into();
        }
    }

    /// Whether two parts of one search have the same events, each of which comes right after the same other one: there is one
    /// order in which they can have been made.
    pub fn is_same_sequence(&self, other: &Footprint) -> bool {
        let steps = self.steps();
        let n_first = steps.iter().filter(|step| step.last.is_empty()).count();
        n_first <= 1 && steps == other.steps()
    }

    pub(crate) fn events(&self) -> impl Iterator<Item = EventId> {
        self.marks.iter().map(|mark| mark.event)
    }

    /// The events with what is known about their order, sorted.
    pub(crate) fn steps(&self) -> Vec<Footstep> {
        self.marks().map(|(mark, after)| mark.step(after)).collect()
    }

    /// What the steps are made of: a mark, which many footprints share, and the threads before it.
    pub(crate) fn marks(&self) -> impl Iterator<Item = (&Rc<Mark>, After)> {
        self.marks.iter().map(|mark| (mark, mark.after(self.n_before)))
    }
}

/// The threads of which a step of a part happens before an event, always and sometimes.
pub(crate) type After = (Threads, Threads);

/// Events of whose order nothing is known.
pub(crate) fn unordered(mut events: Vec<EventId>) -> Vec<Footstep> {
    events.sort_unstable();
    events.dedup();
    let step =
        |event| Footstep { event, always_after: 0, sometimes_after: Threads::MAX, last: SmallVec::new() };
    events.into_iter().map(step).collect()
}

/// Entries of a vector clock.
type Clock = SmallVec<[u32; 6]>;

/// The events made below a state of the current execution, with what happened before each.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trail {
    /// Invariant: sorted by event, none twice.
    marks: Vec<Rc<Mark>>,
}

/// An event with the least and the greatest clock that it had.
#[derive(Clone, Debug)]
pub(crate) struct Mark {
    event: EventId,
    least: Clock,
    most: Clock,
    last: Last,
}

/// What happened before an event, apart from itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct Past {
    pub(crate) clock: Vec<u32>,
    pub(crate) last: Last,
}

impl Past {
    pub(crate) fn clear(&mut self) {
        self.clock.clear();
        self.last.clear();
    }
}

impl Trail {
    pub(crate) fn clear(&mut self) {
        self.marks.clear();
    }

    /// Adds an event: at least `past` happened before it, and at most what `most` knows.
    pub(crate) fn add(&mut self, event: EventId, past: &Past, most: &[u32]) {
        match self.marks.binary_search_by_key(&event, |mark| mark.event) {
            Ok(i) => Rc::make_mut(&mut self.marks[i]).meet(&past.clock, most, &past.last),
            Err(i) => {
                let (least, last) = (past.clock.as_slice().into(), past.last.clone());
                self.marks.insert(i, Rc::new(Mark { event, least, most: most.into(), last }));
            }
        }
    }

    /// Adds all events of another.
    pub(crate) fn merge(&mut self, other: Trail) {
        if self.marks.is_empty() {
            self.marks = other.marks;
            return;
        }
        let mine = std::mem::take(&mut self.marks);
        self.marks.reserve(mine.len().max(other.marks.len()));
        let (mut a, mut b) = (mine.into_iter().peekable(), other.marks.into_iter().peekable());
        loop {
            let next = match (a.peek(), b.peek()) {
                (Some(x), Some(y)) if x.event == y.event => {
                    let (mut x, y) = (a.next().expect("peeked"), b.next().expect("peeked"));
                    if !Rc::ptr_eq(&x, &y) {
                        Rc::make_mut(&mut x).meet(&y.least, &y.most, &y.last);
                    }
                    Some(x)
                }
                (Some(x), Some(y)) if x.event < y.event => a.next(),
                (Some(_), None) => a.next(),
                (_, Some(_)) => b.next(),
                (None, None) => None,
            };
            match next {
                Some(mark) => self.marks.push(mark),
                None => break,
            }
        }
    }

    /// The footprint of what lies below the state after the first `n_steps` steps.
    pub(crate) fn footprint(&self, n_steps: usize) -> Footprint {
        Footprint { marks: self.marks.as_slice().into(), n_before: n_steps }
    }
}

impl Mark {
    /// The threads before it, in a part that comes after so many steps.
    fn after(&self, n_before: usize) -> After {
        let threads = |clock: &Clock| {
            let later = clock.iter().enumerate().filter(|(_, entry)| **entry as usize > n_before);
            later.fold(0, |set, (thread, _)| set | only(thread))
        };
        (threads(&self.least), threads(&self.most))
    }

    /// The step that it is with these threads before it.
    pub(crate) fn step(&self, (always_after, sometimes_after): After) -> Footstep {
        let known = self.last.iter().enumerate().filter(|(thread, _)| contains(always_after, *thread));
        let last = known.filter_map(|(thread, event)| Some((thread as u8, (*event)?))).collect();
        Footstep { event: self.event, always_after, sometimes_after, last }
    }

    fn meet(&mut self, least: &[u32], most: &[u32], last: &[Option<EventId>]) {
        self.last.truncate(last.len());
        for (mine, theirs) in self.last.iter_mut().zip(last) {
            if mine != theirs {
                *mine = None;
            }
        }
        self.least.truncate(least.len());
        for (mine, theirs) in self.least.iter_mut().zip(least) {
            *mine = (*mine).min(*theirs);
        }
        if self.most.len() < most.len() {
            self.most.resize(most.len(), 0);
        }
        for (mine, theirs) in self.most.iter_mut().zip(most) {
            *mine = (*mine).max(*theirs);
        }
    }
}

/// A part of the search that is skipped, with what it would have done.
#[derive(Clone, Debug)]
#[must_use = "a skipped part must be handed to Dpor::prune"]
pub struct Pruned {
    pub(crate) source: Source,
    pub(crate) only_if_free: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum Source {
    Footprint(Footprint),
    Events(Vec<Event>),
}

impl Pruned {
    /// A part that was explored before, by the same search, with this footprint.
    pub fn explored_before(footprint: &Footprint) -> Pruned {
        Pruned { source: Source::Footprint(footprint.clone()), only_if_free: false }
    }

    /// A part that would make at most these events.
    pub fn with_events(events: impl IntoIterator<Item = Event>) -> Pruned {
        Pruned { source: Source::Events(events.into_iter().collect()), only_if_free: false }
    }
    /// The same part, to be skipped only if nothing has to be explored on account of it. Which races a skipped part has
    /// is known roughly, so that a small part may cost more executions than it saves.
    pub fn only_if_free(self) -> Pruned {
        Pruned { only_if_free: true, ..self }
    }
}

#[cfg(test)]
mod tests {
    use selvedge_base::Id;

    use super::*;

    /// Events of these numbers, each with the thread and the event that is known to come right before it.
    fn footprint(steps: &[(usize, Option<(u8, usize)>)]) -> Footprint {
        let step = |&(event, before): &(usize, Option<(u8, usize)>)| {
            let after = before.map_or(0, |(thread, _)| only(usize::from(thread)));
            let last = before.into_iter().map(|(thread, event)| (thread, EventId::new(event))).collect();
            Footstep { event: EventId::new(event), always_after: after, sometimes_after: after, last }
        };
        Footprint::of_steps(steps.iter().map(step).collect())
    }

    #[test]
    fn a_sequence_is_the_same_if_each_event_comes_right_after_the_same_one() {
        let chain = footprint(&[(0, None), (1, Some((0, 0))), (2, Some((0, 1)))]);
        assert!(chain.is_same_sequence(&chain.clone()));
        assert!(!chain.is_same_sequence(&footprint(&[(0, None), (1, Some((0, 0)))])), "an event is gone");
        let other_order = footprint(&[(0, None), (2, Some((0, 0))), (1, Some((0, 2)))]);
        assert!(!chain.is_same_sequence(&other_order));
    }

    #[test]
    fn events_of_which_two_can_come_first_are_no_sequence() {
        let loose = footprint(&[(0, None), (1, None)]);
        assert!(!loose.is_same_sequence(&loose.clone()));
    }
}
