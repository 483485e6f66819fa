//! Data races: two accesses to one place, at least one a write and one not atomic, that no synchronisation orders.
//!
//! Vector clocks as in FastTrack (Flanagan, Freund 2009): each thread has a clock, each synchronisation object
//! and each atomic variable the clock of what was released there, and each place the time of the last access of each
//! thread and kind. Whether two accesses are ordered is the same in all interleavings of one
//! Mazurkiewicz trace, so one of each is enough.
//!
//! Orders as in C11: a release by a store, unlock, signal or fence, an acquire by a load, lock, wake-up or fence that
//! reads from it. In C++ as in C++20, where a later store ends the release sequences of its own thread as well. An atomic
//! section is an atomic access to what it touches. Relies on: every visible access passing `Step::note` or
//! `Step::check_race`.

mod check;

use std::rc::Rc;

use selvedge_base::Loc;
use selvedge_por::Mode;
use selvedge_program::{FuncId, Order};
use selvedge_term::TermId;

use crate::state::State;
use crate::sync;

/// Times of all threads, as far as known.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Clock(Vec<u32>);

impl Clock {
    fn of(&self, thread: usize) -> u32 {
        self.0.get(thread).copied().unwrap_or(0)
    }

    fn join(&mut self, other: &Clock) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).max(*theirs);
        }
    }

    fn tick(&mut self, thread: usize) {
        if self.0.len() <= thread {
            self.0.resize(thread + 1, 0);
        }
        self.0[thread] += 1;
    }
}

/// What a thread knows.
#[derive(Clone, Debug, Default)]
struct Knowledge {
    now: Clock,
    /// What relaxed stores publish: the time of the last release fence.
    released: Clock,
    /// What relaxed loads have seen, for the next acquire fence.
    seen: Clock,
}

/// Where an access was made.
#[derive(Debug)]
struct Site {
    stack: Vec<(FuncId, Loc)>,
    locks: Vec<u64>,
}

/// The last access of one thread and kind to a place.
#[derive(Clone, Debug)]
struct Mark {
    thread: usize,
    time: u32,
    writes: bool,
    is_atomic: bool,
    site: Rc<Site>,
}

/// Bytes of an object that an access reaches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Place {
    object: u64,
    /// All that it can reach.
    offset: u64,
    len: u64,
    /// Where it begins, and how many bytes it has, if that depends on inputs.
    exact: Option<(TermId, u64)>,
}

impl Place {
    fn meets(&self, other: &Place) -> bool {
        let end = |p: &Place| p.offset.saturating_add(p.len);
        self.object == other.object && self.offset < end(other) && other.offset < end(self)
    }
}

/// A place that was accessed.
#[derive(Clone, Debug)]
struct Shadow {
    place: Place,
    marks: Vec<Mark>,
}

/// All clocks of one execution.
#[derive(Clone, Debug, Default)]
pub struct Races {
    threads: Vec<Knowledge>,
    /// By synchronisation object; the shares of readers are kept apart.
    objects: Vec<(u64, Clock)>,
    /// By atomic variable (object and offset): what those who read it acquire.
    variables: Vec<((u64, u64), Published)>,
    shadows: Vec<Shadow>,
}

/// The release sequences that the last write to an atomic variable belongs to: by thread, what it published.
#[derive(Clone, Debug, Default)]
struct Published(Vec<(usize, Clock)>);

impl Published {
    fn all(&self) -> Clock {
        let mut all = Clock::default();
        self.0.iter().for_each(|(_, clock)| all.join(clock));
        all
    }

    fn add(&mut self, thread: usize, clock: &Clock) {
        match self.0.iter_mut().find(|(by, _)| *by == thread) {
            Some((_, known)) => known.join(clock),
            None => self.0.push((thread, clock.clone())),
        }
    }
}

/// What a plain atomic store does to the release sequences that its own thread began.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sequences {
    /// It belongs to them: C11 and C17.
    Continue,
    /// It ends them: C++20.
    End,
}

fn acquires(order: Order) -> bool {
    matches!(order, Order::Acquire | Order::AcqRel | Order::SeqCst)
}

/// Marks the key under which readers of a lock release it.
const SHARES: u64 = 1 << 63;

impl Races {
    fn thread(&mut self, thread: usize) -> &mut Knowledge {
        if self.threads.len() <= thread {
            self.threads.resize_with(thread + 1, Knowledge::default);
        }
        let knowledge = &mut self.threads[thread];
        if knowledge.now.of(thread) == 0 {
            knowledge.now.tick(thread);
        }
        knowledge
    }

    /// `child` begins with what `parent` knows.
    pub(crate) fn start(&mut self, parent: usize, child: usize) {
        let now = self.thread(parent).now.clone();
        self.thread(child).now.join(&now);
        self.thread(parent).now.tick(parent);
    }

    fn acquire_object(&mut self, thread: usize, key: u64) {
        if let Some((_, clock)) = self.objects.iter().find(|(k, _)| *k == key) {
            let clock = clock.clone();
            self.thread(thread).now.join(&clock);
        }
    }

    fn release_object(&mut self, thread: usize, key: u64) {
        let now = self.thread(thread).now.clone();
        match self.objects.iter_mut().find(|(k, _)| *k == key) {
            Some((_, clock)) => clock.join(&now),
            None => self.objects.push((key, now)),
        }
        self.thread(thread).now.tick(thread);
    }

    /// An operation on a synchronisation object.
    fn synchronise(&mut self, thread: usize, key: u64, mode: Mode) {
        let facts = sync::facts(key);
        match mode {
            Mode::Take { .. } | Mode::Await { .. } => {
                self.acquire_object(thread, key);
                self.acquire_object(thread, key | SHARES);
            }
            Mode::TakeShared { .. } => self.acquire_object(thread, key),
            Mode::Give { .. } => self.release_object(thread, key),
            Mode::GiveShared { .. } => self.release_object(thread, key | SHARES),
            Mode::ReadWrite | Mode::Write => {
                if facts.is_none_or(|facts| facts.changes_order) {
                    self.acquire_object(thread, key);
                    self.release_object(thread, key);
                }
            }
            // A failed try orders nothing; seeing that a thread has ended or a function has run does.
            Mode::Read | Mode::Spin => {
                if facts.is_some_and(|facts| facts.looks_order) {
                    self.acquire_object(thread, key);
                }
            }
        }
    }

    /// What `thread` knows once it has read an atomic variable in this order.
    fn after_reading(&mut self, thread: usize, variable: (u64, u64), order: Order) -> Clock {
        let mut now = self.thread(thread).now.clone();
        if acquires(order)
            && let Some((_, published)) = self.variables.iter().find(|(v, _)| *v == variable)
        {
            now.join(&published.all());
        }
        now
    }

    fn atomic_access(
        &mut self,
        thread: usize,
        variable: (u64, u64),
        (mode, order): (Mode, Order),
        sequences: Sequences,
    ) {
        let releases = matches!(order, Order::Release | Order::AcqRel | Order::SeqCst);
        let position = self.variables.iter().position(|(v, _)| *v == variable);
        if mode != Mode::Write
            && let Some(i) = position
        {
            let clock = self.variables[i].1.all();
            let knowledge = self.thread(thread);
            if acquires(order) {
                knowledge.now.join(&clock);
            } else {
                knowledge.seen.join(&clock);
            }
        }
        if mode != Mode::Read {
            let knowledge = self.thread(thread);
            let clock = if releases { knowledge.now.clone() } else { knowledge.released.clone() };
            let at = position.unwrap_or_else(|| {
                self.variables.push((variable, Published::default()));
                self.variables.len() - 1
            });
            let published = &mut self.variables[at].1;
            // A read-modify-write continues all release sequences that it reads from.
            if mode != Mode::ReadWrite {
                published.0.retain(|(by, _)| *by == thread && sequences == Sequences::Continue);
            }
            published.add(thread, &clock);
            if releases {
                self.thread(thread).now.tick(thread);
            }
        }
    }

    fn fence(&mut self, thread: usize, order: Order) {
        let knowledge = self.thread(thread);
        if acquires(order) {
            let seen = std::mem::take(&mut knowledge.seen);
            knowledge.now.join(&seen);
        }
        if matches!(order, Order::Release | Order::AcqRel | Order::SeqCst) {
            knowledge.released = knowledge.now.clone();
            knowledge.now.tick(thread);
        }
    }

    /// Earlier accesses that the new one is not ordered after and that it may meet, with their places.
    fn unordered(&self, place: &Place, mark: &Mark, now: &Clock) -> Vec<(Mark, Place)> {
        let near = self.shadows.iter().filter(|s| s.place.meets(place));
        let marks = near.flat_map(|s| s.marks.iter().map(move |m| (m, s.place)));
        let conflicting = marks.filter(|(m, _)| {
            m.thread != mark.thread
                && (m.writes || mark.writes)
                && !(m.is_atomic && mark.is_atomic)
                && m.time > now.of(m.thread)
        });
        conflicting.map(|(m, p)| (m.clone(), p)).collect()
    }

    fn note(&mut self, place: Place, mark: Mark) {
        let shadow = match self.shadows.iter_mut().find(|s| s.place == place) {
            Some(shadow) => shadow,
            None => {
                self.shadows.push(Shadow { place, marks: Vec::new() });
                self.shadows.last_mut().expect("just pushed")
            }
        };
        let kind = |m: &Mark| (m.thread, m.writes, m.is_atomic);
        shadow.marks.retain(|m| kind(m) != kind(&mark));
        shadow.marks.push(mark);
    }
}

impl State {
    /// Turns the watch for races on.
    pub(crate) fn watch_races(&mut self) {
        self.races = Some(Rc::default());
    }
}

#[cfg(test)]
mod tests {
    use selvedge_por::Access;

    use super::*;
    use crate::sync::Family;

    const PLACE: Place = Place { object: 1, offset: 0, len: 4, exact: None };

    fn mark(races: &mut Races, thread: usize, writes: bool, is_atomic: bool) -> Mark {
        let time = races.thread(thread).now.of(thread);
        Mark { thread, time, writes, is_atomic, site: Rc::new(Site { stack: Vec::new(), locks: Vec::new() }) }
    }

    fn is_race(races: &mut Races, mark: Mark) -> bool {
        let now = races.thread(mark.thread).now.clone();
        let is_race = !races.unordered(&PLACE, &mark, &now).is_empty();
        races.note(PLACE, mark);
        is_race
    }

    fn write(races: &mut Races, thread: usize) -> bool {
        let mark = mark(races, thread, true, false);
        is_race(races, mark)
    }

    #[test]
    fn unordered_writes_race_and_locked_ones_do_not() {
        let mut races = Races::default();
        races.start(0, 1);
        races.start(0, 2);
        let lock = sync::key(Family::Mutex, 7);
        let take = Access::lock(lock, true).mode;
        let give = Access::unlock(lock).mode;
        for thread in [1, 2] {
            races.synchronise(thread, lock, take);
            assert!(!write(&mut races, thread), "thread {thread}");
            races.synchronise(thread, lock, give);
        }
        assert!(write(&mut races, 1), "after giving the lock back");
    }

    #[test]
    fn what_the_parent_did_before_comes_before_the_child() {
        let mut races = Races::default();
        assert!(!write(&mut races, 0));
        races.start(0, 1);
        assert!(!write(&mut races, 1));
        assert!(write(&mut races, 0));
    }

    #[test]
    fn a_relaxed_store_publishes_only_what_a_fence_released() {
        for fenced in [false, true] {
            let mut races = Races::default();
            races.start(0, 1);
            assert!(!write(&mut races, 0));
            if fenced {
                races.fence(0, Order::Release);
            }
            races.atomic_access(0, (2, 0), (Mode::Write, Order::Relaxed), Sequences::End);
            races.atomic_access(1, (2, 0), (Mode::Read, Order::Acquire), Sequences::End);
            assert_eq!(write(&mut races, 1), !fenced);
        }
    }

    #[test]
    fn a_relaxed_store_after_a_release_publishes_it_in_c_until_others_store() {
        for (sequences, other, is_ordered) in [
            (Sequences::Continue, false, true),
            (Sequences::Continue, true, false),
            (Sequences::End, false, false),
        ] {
            let mut races = Races::default();
            races.start(0, 1);
            races.start(0, 2);
            assert!(!write(&mut races, 0));
            races.atomic_access(0, (2, 0), (Mode::Write, Order::Release), sequences);
            if other {
                races.atomic_access(2, (2, 0), (Mode::Write, Order::Relaxed), sequences);
            }
            races.atomic_access(2, (2, 0), (Mode::ReadWrite, Order::Relaxed), sequences);
            races.atomic_access(0, (2, 0), (Mode::Write, Order::Relaxed), sequences);
            races.atomic_access(1, (2, 0), (Mode::Read, Order::Acquire), sequences);
            assert_eq!(write(&mut races, 1), !is_ordered);
        }
    }

    #[test]
    fn a_release_publishes_the_access_that_makes_it() {
        let mut races = Races::default();
        races.start(0, 1);
        let mark = mark(&mut races, 1, true, true);
        races.atomic_access(1, (1, 0), (Mode::Write, Order::SeqCst), Sequences::End);
        assert!(!is_race(&mut races, mark));
        races.atomic_access(0, (1, 0), (Mode::Read, Order::SeqCst), Sequences::End);
        assert!(!write(&mut races, 0), "a plain write after the flag was seen");
    }

    #[test]
    fn readers_of_a_lock_are_not_ordered_by_it() {
        let mut races = Races::default();
        races.start(0, 1);
        races.start(0, 2);
        let lock = sync::key(Family::RwLock, 7);
        races.synchronise(1, lock, Access::lock_shared(lock, 5).mode);
        assert!(!write(&mut races, 1));
        races.synchronise(1, lock, Access::unlock_shared(lock).mode);
        races.synchronise(2, lock, Access::lock_shared(lock, 5).mode);
        assert!(write(&mut races, 2));
    }
}
