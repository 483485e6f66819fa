//! Loops that wait.
//!
//! An iteration that comes back to its loop's head with the same local state, having changed nothing, will do
//! the same again until something it read changes. The thread is then blocked on those places, which is
//! sound for safety (a repeated iteration adds no state) and makes busy waiting finite.
//!
//! A thread that holds a lock at the head and gives it back on the way must not stop at the head, where it would keep
//! others out: it is blocked where it would take the lock again.
//!
//! An iteration *changes nothing* if it wrote no other value to memory than to objects of its own, gave and
//! took no synchronisation object except locks it has released again (and holds the same ones as at the head), and used up no input. A wait on a condition
//! that ends without a wake-up is nothing either. What it read must be there still, else the next iteration may differ;
//! it does not matter whether something else was there in between, since an iteration that reads what the last one read
//! for a while, and then something new, is the last one with its other reads made later. Values that were read are state
//! variables like the registers at the head, so that control states do not tell whether they have changed. An iteration that only the environment makes go round (a weak compare-exchange
//! fails) is no execution of its own: without that choice the thread goes on from the same state.
//!
//! Clocks are no part of what is compared (see [`clock`](crate::models::clock)): an iteration that has only moved them on
//! leaves a state that can do less than the one it began with, so what it could do next the last iteration could have
//! done instead. The same holds for locals that are written before they are read, and for those out of scope. Where a
//! reading has decided which way the iteration went, another one would have led elsewhere, and that is explored: the
//! thread does not wait for ever. It is blocked all the same and not just cut, because the steps of others that it
//! conflicts with must come to be seen.
//!
//! The first step after waking up could not have happened earlier; the reduction must know this, so that step also has
//! an access of mode [`Mode::Spin`] to each place that was waited for.

mod probe;

use std::rc::Rc;

use selvedge_analysis::Waits;
use selvedge_base::Id;
use selvedge_por::{Access, Location, Mode};
use selvedge_program::{BlockId, Reg};

use self::probe::Own;
pub(crate) use self::probe::{Probe, Read};
use super::Phase;
use crate::finding::{PathEnd, Res, Stop, end};
use crate::machine::Machine;
use crate::memory::{Status, Symbols};
use crate::oracle::Oracle;
use crate::relative::read;
use crate::source::Source;
use crate::state::{Frame, State};
use crate::step::Step;
use crate::step::lifetime::rename;
use crate::sync::{Needs, facts};
use crate::value::{ObjId, Value};

/// Places that one iteration may read and still be taken for a wait.
const MAX_PLACES: usize = 32;
/// Rounds of loops that known values decide before a step of a proof ends.
const MAX_ROUNDS: u32 = 10_000;
/// Rounds of a loop that does not look like a wait before it is watched.
const MIN_ROUNDS: u32 = 4;
/// Nested loops that are watched.
const MAX_PROBES: usize = 8;

/// How often a thread has gone round in a loop that is not watched yet. What it does in future depends on this, but a
/// wait is only ever recognised by an iteration that is still to come, so the control state does not have it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rounds {
    depth: usize,
    token: u64,
    header: BlockId,
    n: u32,
}

/// What a thread waits for that must not stop at the head of its loop, because it holds a lock there.
#[derive(Clone, Debug)]
pub(crate) struct Idle {
    places: Vec<Location>,
    n_held: u32,
    own: Own,
    dead: Rc<[ObjId]>,
    time_ends_wait: bool,
}

impl Step<'_, '_> {
    /// The running thread has come to the head of a loop: again, or from outside.
    pub(crate) fn at_loop_head(&mut self, header: BlockId, again: bool) -> Res<()> {
        if self.st.granted || self.st.thread().atomic_depth > 0 || self.m.options.ignore_waits {
            return Ok(());
        }
        if self.m.options.loop_points {
            return if again { self.loop_point() } else { Ok(()) };
        }
        let waits = self.m.image.waits(self.st.frame().func, header);
        if waits == Waits::Never || waits == Waits::Perhaps && !self.goes_round(header, again) {
            return Ok(());
        }
        let live = self.m.live_at_head(self.st.frame().func, header);
        let me = self.st.current as u32;
        let own = Own { n_locals: self.st.mem.stack_mark(me), n_blocks: self.st.mem.heap_mark(me) };
        let held = held_locks(self.st);
        let thread = self.st.thread();
        let depth = thread.frames.len();
        let frame = thread.frames.last().expect("a running thread has a frame");
        let is_here = |p: &Rc<Probe>| p.depth == depth && p.frame.token == frame.token && p.header == header;
        let known = thread.probes.iter().rposition(is_here);
        let last = known.map(|i| &thread.probes[i]).filter(|_| again);
        let time_ends_wait = last.is_some_and(|probe| {
            probe.has_read_clock(thread)
                && decided_by_inputs(self.m, self.st, probe.n_conditions, probe.n_inputs)
        });
        let asked = |n_inputs: u32, n_natural: u32, n_readings: u32| n_inputs - n_natural - n_readings;
        if let Some(probe) = last
            && (time_ends_wait || self.st.is_concurrent && !probe.reads.is_empty())
            && asked(probe.n_inputs, probe.n_natural, probe.n_readings)
                == asked(thread.n_inputs, thread.n_natural, thread.n_readings)
            && (probe.n_undefs, probe.n_held, probe.own.n_locals)
                == (thread.n_undefs, thread.n_held, own.n_locals)
            && probe.held == held
            && probe.dead[..probe.n_out_of_scope].iter().all(|obj| is_out_of_scope(self.st, *obj))
            && same_registers(self.m, self.oracle, &live, &probe.frame, frame)
            && same_reads(self.m, self.oracle, self.st, &probe.reads)
        {
            if probe.n_natural != thread.n_natural {
                // Another choice of the environment would have gone on from the same state.
                return end(PathEnd::Infeasible);
            }
            let (places, n_held) = (probe.reads.iter().map(|read| read.place).collect(), probe.n_held);
            let (gave, dead) = (probe.gave, probe.dead.clone());
            if time_ends_wait && !self.st.is_concurrent {
                return end(PathEnd::Infeasible);
            }
            if !gave {
                return self.spin(places, time_ends_wait);
            }
            let thread = self.st.thread_mut();
            thread.probes.clear();
            thread.idle = Some(Rc::new(Idle { places, n_held, own, dead, time_ends_wait }));
            return Ok(());
        }
        self.watch_loop(header, known, held, own);
        Ok(())
    }

    /// From here on the iteration of the loop is watched, instead of the one that the `known` probe watches.
    fn watch_loop(&mut self, header: BlockId, known: Option<usize>, held: Vec<(u64, u32, u32)>, own: Own) {
        let (dead, n_out_of_scope) = match self.m.image.clocks {
            Some(_) => self.dead_objects(header),
            None => (Rc::from([]), 0),
        };
        let thread = self.st.thread();
        let frame = thread.frames.last().expect("a running thread has a frame");
        let probe = Rc::new(Probe {
            depth: thread.frames.len(),
            header,
            frame: frame.clone(),
            n_inputs: thread.n_inputs,
            n_natural: thread.n_natural,
            n_readings: thread.n_readings,
            n_conditions: self.st.path.len(),
            n_undefs: thread.n_undefs,
            n_held: thread.n_held,
            dead,
            n_out_of_scope,
            held,
            own,
            reads: Vec::new(),
            gave: false,
        });
        let probes = &mut self.st.thread_mut().probes;
        if let Some(i) = known {
            probes.truncate(i);
        }
        if probes.len() < MAX_PROBES {
            probes.push(probe);
        }
    }

    /// Locals of the running function whose content makes no difference at the head of a loop: first those that are out of
    /// scope, and how many these are.
    fn dead_objects(&mut self, header: BlockId) -> (Rc<[ObjId]>, usize) {
        let frame = self.st.frame();
        let (func, mark) = (frame.func, frame.stack_mark);
        let dead = self.m.dead_at_head(func, header);
        let me = self.st.current;
        let all = self.st.mem.stack_objects(me, mark, self.st.mem.stack_mark(me as u32));
        let mut objects: Vec<ObjId> = all.filter(|obj| is_out_of_scope(self.st, *obj)).collect();
        let n_out_of_scope = objects.len();
        let frame = self.st.frame();
        objects.extend(dead.iter().filter_map(|reg| match frame.regs[reg.index()] {
            Value::Ptr { obj, .. } => Some(obj),
            _ => None,
        }));
        (objects.into(), n_out_of_scope)
    }

    /// Counts the rounds of a loop that may do other things than wait. Whether it is to be watched from here on.
    fn goes_round(&mut self, header: BlockId, again: bool) -> bool {
        let (depth, token) = (self.st.thread().frames.len(), self.st.frame().token);
        let rounds = &mut self.st.thread_mut().rounds;
        let is_here = |r: &Rounds| r.depth == depth && r.token == token && r.header == header;
        match rounds.iter().rposition(is_here) {
            Some(i) => {
                rounds.truncate(i + 1);
                rounds[i].n = if again { rounds[i].n + 1 } else { 0 };
                rounds[i].n >= MIN_ROUNDS
            }
            None => {
                rounds.push(Rounds { depth, token, header, n: 0 });
                false
            }
        }
    }

    /// Forgets the loops that the running thread has left, or whose functions have returned.
    #[inline]
    pub(crate) fn leave_loops(&mut self) {
        let thread = self.st.thread();
        if !thread.probes.is_empty() || !thread.rounds.is_empty() {
            self.forget_left_loops();
        }
    }

    fn forget_left_loops(&mut self) {
        let frame = self.st.frame();
        let (func, block, token) = (frame.func, frame.block, frame.token);
        let unwinding = self.m.loops(func);
        let depth = self.st.thread().frames.len();
        let is_left = |d: usize, t, header| match d == depth && t == token {
            true => !unwinding.loops.has_block(header, block),
            false => d >= depth,
        };
        let is_probe_left = |p: &Rc<Probe>| is_left(p.depth, p.frame.token, p.header);
        let are_rounds_left = |r: &Rounds| is_left(r.depth, r.token, r.header);
        let thread = self.st.thread();
        if thread.probes.iter().any(is_probe_left) || thread.rounds.iter().any(are_rounds_left) {
            let thread = self.st.thread_mut();
            thread.probes.retain(|p| !is_probe_left(p));
            thread.rounds.retain(|r| !are_rounds_left(r));
        }
    }

    /// The running thread goes round. It stops if it has done so before without a visible step in between: at once where
    /// values of the state decide how often, else after many rounds.
    fn loop_point(&mut self) -> Res<()> {
        self.st.rounds += 1;
        let limit = if self.st.path.is_empty() { MAX_ROUNDS } else { 1 };
        if self.st.rounds <= limit {
            return Ok(());
        }
        self.st.rounds = 0;
        self.st.thread_mut().decisions.clear();
        Err(Box::new(Stop::Pause))
    }

    fn spin<T>(&mut self, places: Vec<Location>, time_ends_wait: bool) -> Res<T> {
        let thread = self.st.thread_mut();
        thread.time_ends_wait = time_ends_wait;
        thread.probes.clear();
        thread.idle = None;
        thread.decisions.clear();
        thread.phase = Phase::Spinning(places);
        Err(Box::new(Stop::Pause))
    }

    /// The running thread is about to take a lock, or to wake up. If it goes round in circles and has given back
    /// what it held there, it stops here, until something it read or one of `also` changes.
    pub(crate) fn rest(&mut self, also: &[Location]) -> Res<()> {
        let thread = self.st.thread();
        let Some(idle) = &thread.idle else { return Ok(()) };
        if self.st.granted || thread.atomic_depth > 0 || thread.n_held >= idle.n_held {
            return Ok(());
        }
        let places = idle.places.iter().chain(also).copied().collect();
        let time_ends_wait = idle.time_ends_wait;
        self.spin(places, time_ends_wait)
    }

    /// Whether the watch over loops wants to know what the running thread does.
    #[inline]
    pub(crate) fn is_watched(&self) -> bool {
        let thread = self.st.thread();
        !thread.probes.is_empty() || thread.idle.is_some() || thread.woke_alone.is_some()
    }

    /// The running thread has changed something.
    #[inline]
    pub(crate) fn has_effect(&mut self) {
        if self.is_watched() {
            let thread = self.st.thread_mut();
            thread.probes.clear();
            thread.idle = None;
            thread.woke_alone = None;
        }
    }

    /// The running thread has changed `obj`. If it made that since the head of a loop and nobody else knows it, this
    /// leaves nothing behind: what can be reached at the head is as old as the head.
    pub(crate) fn has_changed(&mut self, obj: ObjId) {
        if !self.is_watched() || Some(obj) == self.m.image.clocks {
            return;
        }
        let is_own =
            obj.thread() as usize == self.st.current && self.st.mem.get(obj).is_some_and(|o| !o.is_shared);
        if !is_own {
            return self.has_effect();
        }
        let thread = self.st.thread_mut();
        thread.woke_alone = None;
        thread.probes.retain(|p| p.own.is_older_than(obj) || p.dead.contains(&obj));
        thread.idle.take_if(|idle| !(idle.own.is_older_than(obj) || idle.dead.contains(&obj)));
    }

    /// A local of the running thread has a new identity. At the heads of loops it was the same variable, so the watch over
    /// these calls it by its new name, too.
    pub(crate) fn rename_watched(&mut self, old: ObjId, new: ObjId) {
        if !self.is_watched() {
            return;
        }
        let thread = self.st.thread_mut();
        let again = |dead: &mut Rc<[ObjId]>| {
            if dead.contains(&old) {
                *dead = dead.iter().map(|obj| if *obj == old { new } else { *obj }).collect();
            }
        };
        let depth = thread.frames.len();
        for probe in thread.probes.iter_mut().filter(|probe| probe.depth == depth).map(Rc::make_mut) {
            again(&mut probe.dead);
            Rc::make_mut(&mut probe.frame).regs.iter_mut().for_each(|value| rename(value, old, new));
        }
        if let Some(idle) = &mut thread.idle {
            again(&mut Rc::make_mut(idle).dead);
        }
    }

    /// As [`note`](Self::note), of an access that the thread takes back before it goes on: no effect of its own.
    pub(crate) fn note_passing(&mut self, access: Access) {
        let thread = self.st.thread_mut();
        let watched = (std::mem::take(&mut thread.probes), thread.idle.take());
        self.note(access);
        let thread = self.st.thread_mut();
        (thread.probes, thread.idle) = watched;
    }

    /// Keeps the probes of all threads up to date with an access of the running one, and wakes those that
    /// waited for it.
    pub(super) fn watch(&mut self, access: Access) {
        let location = access.location;
        if !access.mode.changes() {
            if !self.st.thread().probes.is_empty() && !self.is_clock(location) {
                self.watch_read(location);
            }
            return;
        }
        if self.is_clock(location) {
            return;
        }
        if !is_lock(access.mode) {
            self.has_effect();
        } else if matches!(access.mode, Mode::Take { .. } | Mode::TakeShared { .. }) && self.is_watched() {
            let thread = self.st.thread_mut();
            let n_held = thread.n_held;
            for probe in thread.probes.iter_mut().filter(|p| n_held < p.n_held && !p.gave) {
                Rc::make_mut(probe).gave = true;
            }
        }
        let current = self.st.current;
        for i in 0..self.st.threads.len() {
            let other = &self.st.threads[i];
            if i == current {
                continue;
            }
            if let Phase::Spinning(places) = &other.phase {
                if places.iter().any(|p| p.overlaps(location)) {
                    let other = Rc::make_mut(&mut self.st.threads[i]);
                    if let Phase::Spinning(places) = std::mem::replace(&mut other.phase, Phase::Local) {
                        other.spun = places;
                    }
                }
            } else if other.probes.is_empty() && other.idle.is_none() {
                continue;
            } else if other.probes.iter().any(|probe| probe.is_lost(location))
                || other.idle.as_ref().is_some_and(|idle| idle.places.iter().any(|p| p.overlaps(location)))
            {
                let other = Rc::make_mut(&mut self.st.threads[i]);
                other.idle = None;
                // The next iteration may differ.
                other.probes.retain(|probe| !probe.is_lost(location));
            }
        }
    }

    /// The running thread is about to read `place`. What it finds there is kept, so that it can be told later whether it
    /// would find the same again. A loop that finds different values at one place is no wait, this time round.
    fn watch_read(&mut self, place: Location) {
        let value = content(&mut self.m.symbols(), self.st, place);
        let Step { m, st, oracle } = self;
        let probes = &mut st.thread_mut().probes;
        probes.retain_mut(|probe| {
            let known = probe.reads.iter().find(|read| read.place == place).map(|read| read.value);
            match (known, value) {
                (None, _) if probe.reads.len() >= MAX_PLACES => return false,
                (None, _) => Rc::make_mut(probe).reads.push(Read { place, value }),
                (Some(Some(before)), Some(now)) if before != now => {
                    return oracle.are_same(&mut m.symbols(), &[(before, now)]);
                }
                (Some(_), _) => {}
            }
            true
        });
    }
}

/// Whether one of the conditions since then is about an input that the running thread has consumed since then.
fn decided_by_inputs(machine: &mut Machine<'_>, state: &State, n_conditions: usize, n_inputs: u32) -> bool {
    let me = state.current as u32;
    let Machine { pool, sources, .. } = machine;
    state.path[n_conditions.min(state.path.len())..].iter().any(|condition| {
        pool.vars(*condition).iter().any(|&var| {
            let source = sources.piece(var).map(|piece| piece.source);
            matches!(source, Some(Source::Input { thread, n }) if thread == me && n >= n_inputs)
        })
    })
}

fn is_out_of_scope(state: &State, obj: ObjId) -> bool {
    state.mem.get(obj).is_some_and(|o| o.status == Status::OutOfScope)
}

/// What lies at a place of a few bytes; nothing is known of others. Whether there is a value depends on the place alone,
/// as long as the object is there.
fn content(cx: &mut Symbols<'_>, state: &State, place: Location) -> Option<Value> {
    let Location::Memory { object, offset, len } = place else { return None };
    if !(1..=8).contains(&len) {
        return None;
    }
    let content = &state.mem.get(ObjId::from_key(object))?.content;
    (offset + len <= content.len()).then(|| read(cx, content, offset, len))
}

/// Whether all these registers have the same values in both frames.
fn same_registers(
    machine: &mut Machine<'_>,
    oracle: &mut dyn Oracle,
    live: &[Reg],
    before: &Frame,
    now: &Frame,
) -> bool {
    let pairs = live.iter().map(|reg| (before.regs[reg.index()], now.regs[reg.index()]));
    let differing: Vec<(Value, Value)> = pairs.filter(|(a, b)| a != b).collect();
    differing.is_empty() || oracle.are_same(&mut machine.symbols(), &differing)
}

/// Whether everything that was read is what would be read now.
fn same_reads(machine: &mut Machine<'_>, oracle: &mut dyn Oracle, state: &State, reads: &[Read]) -> bool {
    let mut differing = Vec::new();
    for read in reads {
        let Some(value) = read.value else { continue };
        match content(&mut machine.symbols(), state, read.place) {
            Some(now) if now == value => {}
            Some(now) => differing.push((value, now)),
            None => return false,
        }
    }
    differing.is_empty() || oracle.are_same(&mut machine.symbols(), &differing)
}

/// The locks that the running thread holds.
fn held_locks(state: &State) -> Vec<(u64, u32, u32)> {
    if state.thread().n_held == 0 {
        return Vec::new();
    }
    let me = state.current as u32;
    let held = state.sync.iter().filter_map(|(key, lock)| {
        let has_readers = facts(key).is_some_and(|facts| facts.needs == Needs::HoldersAndReaders);
        let readers = if has_readers { &lock.queue[..] } else { &[] };
        let shares = readers.iter().filter(|t| **t == me).count() as u32;
        let count = if lock.owner == me + 1 { lock.count.max(1) } else { 0 };
        (count + shares > 0).then_some((key, count, shares))
    });
    held.collect()
}

/// Locks that an iteration takes and gives back leave nothing behind.
fn is_lock(mode: Mode) -> bool {
    matches!(mode, Mode::Take { .. } | Mode::Give { .. } | Mode::TakeShared { .. } | Mode::GiveShared { .. })
}
