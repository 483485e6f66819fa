//! Data races: two accesses to one place, at least one a write and one not atomic, that no synchronisation orders.
//!
//! Vector clocks as in FastTrack (Flanagan, Freund 2009): each thread has a clock, each synchronisation object
//! and each atomic variable the clock of what was released there, and each place the time of the last access of each
//! thread and kind. Whether two accesses are ordered is the same in all interleavings of one
//! Mazurkiewicz trace, so one of each is enough.
//!
//! Orders as in C11: a release by a store, unlock, signal or fence, an acquire by a load, lock, wake-up or fence that
//! reads from it. An atomic section is an atomic access to what it touches. Relies on: every visible access passing
//! [`Step::note`] or [`Step::check_race`].

use std::rc::Rc;

use selvedge_base::Loc;
use selvedge_por::{Access, Location, Mode};
use selvedge_program::{Callee, FuncId, Inst, Order};

use crate::finding::{FindingKind, Res};
use crate::names::cell_name;
use crate::state::{State, frame_loc};
use crate::step::Step;
use crate::sync::{self, Family};
use crate::value::ObjId;

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

/// A place that was accessed.
#[derive(Clone, Debug)]
struct Shadow {
    object: u64,
    offset: u64,
    len: u64,
    marks: Vec<Mark>,
}

/// All clocks of one execution.
#[derive(Clone, Debug, Default)]
pub struct Races {
    threads: Vec<Knowledge>,
    /// By synchronisation object; the shares of readers are kept apart.
    objects: Vec<(u64, Clock)>,
    /// By atomic variable: object and offset.
    variables: Vec<((u64, u64), Clock)>,
    shadows: Vec<Shadow>,
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
        let family = sync::family(key);
        match mode {
            Mode::Take { .. } | Mode::Await { .. } => {
                self.acquire_object(thread, key);
                self.acquire_object(thread, key | SHARES);
            }
            Mode::TakeShared { .. } => self.acquire_object(thread, key),
            Mode::Give { .. } => self.release_object(thread, key),
            Mode::GiveShared { .. } => self.release_object(thread, key | SHARES),
            // Only the thread that is woken is ordered after a signal.
            Mode::ReadWrite | Mode::Write if family == Some(Family::Condition) => {}
            Mode::ReadWrite | Mode::Write => {
                self.acquire_object(thread, key);
                self.release_object(thread, key);
            }
            // A failed try orders nothing; seeing that a thread has ended or a function has run does.
            Mode::Read | Mode::Spin => {
                if matches!(family, Some(Family::Ending | Family::Once)) {
                    self.acquire_object(thread, key);
                }
            }
        }
    }

    fn atomic_access(&mut self, thread: usize, variable: (u64, u64), mode: Mode, order: Order) {
        let acquires = matches!(order, Order::Acquire | Order::AcqRel | Order::SeqCst);
        let releases = matches!(order, Order::Release | Order::AcqRel | Order::SeqCst);
        let position = self.variables.iter().position(|(v, _)| *v == variable);
        if mode == Mode::Read
            && let Some(i) = position
        {
            let clock = self.variables[i].1.clone();
            let knowledge = self.thread(thread);
            if acquires {
                knowledge.now.join(&clock);
            } else {
                knowledge.seen.join(&clock);
            }
        }
        if mode != Mode::Read {
            let knowledge = self.thread(thread);
            let published = if releases { knowledge.now.clone() } else { knowledge.released.clone() };
            match position {
                // A read-modify-write continues the release sequence it reads from; it has acquired or
                // seen the clock before, and keeps it.
                Some(i) if mode == Mode::ReadWrite => self.variables[i].1.join(&published),
                Some(i) => self.variables[i].1 = published,
                None => self.variables.push((variable, published)),
            }
            if releases {
                self.thread(thread).now.tick(thread);
            }
        }
    }

    fn fence(&mut self, thread: usize, order: Order) {
        let knowledge = self.thread(thread);
        if matches!(order, Order::Acquire | Order::AcqRel | Order::SeqCst) {
            let seen = std::mem::take(&mut knowledge.seen);
            knowledge.now.join(&seen);
        }
        if matches!(order, Order::Release | Order::AcqRel | Order::SeqCst) {
            knowledge.released = knowledge.now.clone();
            knowledge.now.tick(thread);
        }
    }

    /// An earlier access that the new one is not ordered after, with the offset and length of what they share; the new
    /// one is noted.
    fn access(&mut self, place: (u64, u64, u64), mark: Mark) -> Option<(Mark, u64, u64)> {
        let (object, offset, len) = place;
        let end = offset.saturating_add(len);
        let now = self.thread(mark.thread).now.clone();
        let overlapping = self
            .shadows
            .iter()
            .filter(|s| s.object == object && s.offset < end && offset < s.offset.saturating_add(s.len));
        let unordered = overlapping.flat_map(|s| s.marks.iter().map(move |m| (m, s))).find(|(m, _)| {
            m.thread != mark.thread
                && (m.writes || mark.writes)
                && !(m.is_atomic && mark.is_atomic)
                && m.time > now.of(m.thread)
        });
        if let Some((earlier, shadow)) = unordered {
            let (low, high) = (offset.max(shadow.offset), end.min(shadow.offset.saturating_add(shadow.len)));
            return Some((earlier.clone(), low, high - low));
        }
        let same = |s: &&mut Shadow| (s.object, s.offset, s.len) == place;
        let shadow = match self.shadows.iter_mut().find(same) {
            Some(shadow) => shadow,
            None => {
                self.shadows.push(Shadow { object, offset, len, marks: Vec::new() });
                self.shadows.last_mut().expect("just pushed")
            }
        };
        let kind = |m: &Mark| (m.thread, m.writes, m.is_atomic);
        shadow.marks.retain(|m| kind(m) != kind(&mark));
        shadow.marks.push(mark);
        None
    }
}

impl Step<'_, '_> {
    /// Keeps clocks up to date with an operation on a synchronisation object.
    pub(super) fn order_sync(&mut self, access: Access) {
        let thread = self.st.current;
        if let Location::Sync(key) = access.location
            && let Some(races) = &mut self.st.races
        {
            Rc::make_mut(races).synchronise(thread, key, access.mode);
        }
    }

    /// A fence, which orders nothing under sequential consistency but what the property `race` asks about.
    pub(crate) fn order_fence(&mut self, order: Order) {
        let thread = self.st.current;
        if let Some(races) = &mut self.st.races {
            Rc::make_mut(races).fence(thread, order);
        }
    }

    /// Checks a visible access to memory.
    pub(super) fn check_race(&mut self, obj: ObjId, location: Location, mode: Mode) -> Res<()> {
        let thread = self.st.current;
        let Location::Memory { object, offset, len } = location else { return Ok(()) };
        // A clock that two threads read orders nothing that they do.
        if self.st.races.is_none() || Some(obj) == self.m.image.clocks {
            return Ok(());
        }
        let order = self.atomic_order();
        let mode = if mode == Mode::Write && self.is_read_modify_write() { Mode::ReadWrite } else { mode };
        let site = Rc::new(self.site());
        let races = Rc::make_mut(self.st.races.as_mut().expect("seen above"));
        // What a release publishes includes the access that publishes it.
        let time = races.thread(thread).now.of(thread);
        if let Some(order) = order {
            races.atomic_access(thread, (object, offset), mode, order);
        }
        let mark = Mark { thread, time, writes: mode != Mode::Read, is_atomic: order.is_some(), site };
        let Some((earlier, low, shared)) = races.access((object, offset, len), mark.clone()) else {
            return Ok(());
        };
        let name = self.st.mem.get(obj).map_or_else(
            || "a local variable".to_string(),
            |o| format!("`{}`", cell_name(self.m.image.program, o, low, shared.min(o.size)).0),
        );
        let notes = vec![self.describe_access(&earlier), self.describe_access(&mark)];
        self.finding_with(FindingKind::Race, format!("data race on {name}"), notes)
    }

    fn is_read_modify_write(&self) -> bool {
        let frame = self.st.frame();
        let inst = &self.m.image.program.funcs[frame.func].blocks[frame.block].insts[frame.idx];
        matches!(inst, Inst::AtomicRmw { .. } | Inst::CmpXchg { .. })
    }

    /// How atomic the instruction being executed is.
    fn atomic_order(&self) -> Option<Order> {
        if self.st.thread().atomic_depth > 0 {
            return Some(Order::SeqCst);
        }
        let frame = self.st.frame();
        match &self.m.image.program.funcs[frame.func].blocks[frame.block].insts[frame.idx] {
            Inst::Load { access, .. } | Inst::Store { access, .. } => access.order,
            Inst::AtomicRmw { order, .. } | Inst::CmpXchg { order, .. } => Some(*order),
            // The system compares the word of a futex atomically.
            Inst::Call { callee: Callee::Direct(f), .. }
                if self.m.image.program.funcs[*f].name == "__selvedge_futex" =>
            {
                Some(Order::SeqCst)
            }
            _ => None,
        }
    }

    fn site(&self) -> Site {
        let program = self.m.image.program;
        let frames = self.st.thread().frames.iter().rev();
        let users = frames.filter(|f| !program.funcs[f.func].is_runtime);
        let me = self.st.current as u32;
        let is_mine = |s: &sync::Sync| s.owner == me + 1 || s.queue.contains(&me);
        let is_lock = |key| matches!(sync::family(key), Some(Family::Mutex | Family::RwLock));
        Site {
            stack: users.map(|f| (f.func, frame_loc(program, f))).collect(),
            locks: self.st.sync.iter().filter(|(k, s)| is_lock(*k) && is_mine(s)).map(|(k, _)| k).collect(),
        }
    }

    fn describe_access(&self, mark: &Mark) -> String {
        let verb = if mark.writes { "writes" } else { "reads" };
        let atomically = if mark.is_atomic { " atomically" } else { "" };
        let names = |key: &u64| self.m.sync_name(self.st, *key);
        let locks: Vec<String> = mark.site.locks.iter().map(names).collect();
        let holding = match locks.is_empty() {
            true => "holding no lock".to_string(),
            false => format!("holding {}", locks.join(", ")),
        };
        let program = self.m.image.program;
        let stack: Vec<String> = mark
            .site
            .stack
            .iter()
            .map(|(f, loc)| format!("{} at {}", program.funcs[*f].name, self.m.place(*loc)))
            .collect();
        format!("thread {} {verb}{atomically} in {}, {holding}", mark.thread, stack.join(", called by "))
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
    use super::*;

    fn mark(races: &mut Races, thread: usize, writes: bool, is_atomic: bool) -> Mark {
        let time = races.thread(thread).now.of(thread);
        Mark { thread, time, writes, is_atomic, site: Rc::new(Site { stack: Vec::new(), locks: Vec::new() }) }
    }

    fn write(races: &mut Races, thread: usize) -> bool {
        let mark = mark(races, thread, true, false);
        races.access((1, 0, 4), mark).is_some()
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
            races.atomic_access(0, (2, 0), Mode::Write, Order::Relaxed);
            races.atomic_access(1, (2, 0), Mode::Read, Order::Acquire);
            assert_eq!(write(&mut races, 1), !fenced);
        }
    }

    #[test]
    fn a_release_publishes_the_access_that_makes_it() {
        let mut races = Races::default();
        races.start(0, 1);
        let mark = mark(&mut races, 1, true, true);
        races.atomic_access(1, (1, 0), Mode::Write, Order::SeqCst);
        assert!(races.access((1, 0, 4), mark).is_none());
        races.atomic_access(0, (1, 0), Mode::Read, Order::SeqCst);
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
