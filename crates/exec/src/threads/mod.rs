//! Threads: what makes a step visible to others, and where a thread must wait for its turn.
//!
//! A thread runs alone until its next instruction would touch something that another thread can notice.
//! There it stops ([`Stop::Pause`](crate::Stop::Pause)) without having changed anything: a scheduling
//! point (i-PP of FSE 2015, §3). The search lets one of the waiting threads go on
//! ([`State::grant`](crate::State::grant)); that instruction then runs to its end and says in
//! [`State::event`](crate::State::event) what it touched.
//!
//! Guarantees: between two scheduling points a thread touches nothing that others can touch; the places of
//! an event are determined by the state before it, because pointers are resolved before the thread stops.
//! Relies on: pointers remember their objects; where that is lost, the first access by a thread that does
//! not own the object stops the search with [`Stop::Lost`](crate::Stop::Lost), and it begins anew with all
//! objects shared.

mod gate;
mod names;
mod race;
mod sharing;
mod spin;
mod waiting;

use std::rc::Rc;

use selvedge_base::Id;
use selvedge_por::{Access, Accesses, Event, Guard, IfMoved, Location, Mode, ThreadId};

use crate::state::State;
use crate::sync::{self, Family};

pub use names::ThreadNames;
pub use race::Races;
pub(crate) use spin::{Idle, Probe, Read, Rounds};

/// Visible steps of others after which a thread should come first.
const MAX_WAIT: u32 = 500;

/// Where a thread stands in its life.
#[derive(Clone, PartialEq, Debug)]
pub enum Phase {
    /// Known by number, but not started on this path.
    Unborn,
    /// Its next instruction concerns nobody else.
    Local,
    /// Before a visible step, which makes these accesses; it can happen when their guards are open.
    Waiting(Accesses),
    /// In a loop that does nothing until one of these places changes.
    Spinning(Vec<Location>),
    /// Over.
    Ended,
    /// Stopped for good in the middle: by a finding, a bound, a failed assumption, the end of the program.
    Halted,
}

impl State {
    /// Whether `thread` can make its next visible step.
    pub fn is_enabled(&self, thread: usize) -> bool {
        match &self.threads[thread].phase {
            Phase::Waiting(accesses) => {
                accesses.iter().all(|access| self.is_open(*access)) || self.is_cancelled_in(thread, accesses)
            }
            _ => false,
        }
    }

    /// What the next visible step of `thread` begins with, if it stands before one.
    pub fn next_accesses(&self, thread: usize) -> &[Access] {
        match &self.threads[thread].phase {
            Phase::Waiting(accesses) => accesses,
            _ => &[],
        }
    }

    /// Visible steps that others have made since the last one of `thread`.
    pub fn waited(&self, thread: usize) -> u32 {
        self.n_turns - self.threads[thread].last_turn
    }

    /// Whether `thread` has waited so long that it should come before others.
    pub fn is_starving(&self, thread: usize) -> bool {
        self.waited(thread) > MAX_WAIT && !self.is_bringer(thread)
    }

    /// Whether threads take turns, because one has waited for long.
    pub fn is_fair(&self) -> bool {
        self.n_turns < self.fair_until
    }

    /// Whether `thread` stands inside an instruction of which it has already made one visible step.
    pub fn is_midway(&self, thread: usize) -> bool {
        let thread = &self.threads[thread];
        thread.sleep.is_some() || thread.copying.as_ref().is_some_and(|copy| copy.is_under_way)
    }

    /// Whether the next visible step of `thread` ends a wait for a semaphore. Calls that wait for a pipe or a socket wait
    /// so, outside of the section in which they look at it (`runtime/waiting.c`).
    pub fn is_resting(&self, thread: usize) -> bool {
        let thread = &self.threads[thread];
        let is_semaphore = |a: &Access| matches!(a.location, Location::Sync(key) if sync::family(key) == Some(Family::Semaphore));
        let Phase::Waiting(accesses) = &thread.phase else { return false };
        thread.atomic_depth == 0 && accesses.iter().any(is_semaphore)
    }

    /// Whether `thread`, which waits to make `accesses`, will be cancelled instead.
    fn is_cancelled_in(&self, thread: usize, accesses: &Accesses) -> bool {
        let request = sync::key(Family::Cancel, thread as u64);
        self.sync.level(request) > 0 && accesses.iter().any(|a| a.location == Location::Sync(request))
    }

    /// Whether `thread` has neither ended nor been stopped for good.
    pub fn is_live(&self, thread: usize) -> bool {
        matches!(self.threads[thread].phase, Phase::Local | Phase::Waiting(_) | Phase::Spinning(_))
    }

    /// Whether exactly one thread has neither ended nor been stopped for good.
    pub fn has_one_thread(&self) -> bool {
        (0..self.threads.len()).filter(|thread| self.is_live(*thread)).take(2).count() == 1
    }

    #[inline]
    fn is_open(&self, access: Access) -> bool {
        match (access.mode.guard(), access.location) {
            (Guard::Level { needs, .. }, Location::Sync(key)) => self.sync.level(key) >= needs,
            (Guard::Unknown, Location::Sync(key)) => self.is_signal_there(access.mode, key),
            _ => true,
        }
    }

    /// The next visible step of a thread that cannot make it now.
    pub fn blocked_event(&self, thread: usize) -> Option<Event> {
        let id = ThreadId::new(thread);
        match &self.threads[thread].phase {
            Phase::Waiting(accesses) => {
                let accesses = accesses.iter().map(|a| self.at_level(*a));
                let mut event = Event::new(id, accesses);
                event.accesses.extend(self.heeds_signals(thread));
                Some(event)
            }
            Phase::Spinning(places) => Some(Event::new(id, places.iter().map(|p| Access::spin(*p)))),
            _ => None,
        }
    }

    /// The access with the present level of its counter.
    pub(crate) fn at_level(&self, access: Access) -> Access {
        let Location::Sync(key) = access.location else { return access };
        let level = self.sync.level(key);
        let at = |guard| match guard {
            Guard::Level { needs, .. } => Guard::Level { level, needs },
            other => other,
        };
        let mode = match access.mode {
            Mode::Take { guard, amount } => Mode::Take { guard: at(guard), amount },
            Mode::TakeShared { guard, amount } => Mode::TakeShared { guard: at(guard), amount },
            Mode::Await { guard } => Mode::Await { guard: at(guard) },
            other => other,
        };
        Access::new(access.location, mode)
    }

    /// Lets `thread` make its next visible step.
    pub fn grant(&mut self, thread: usize) {
        if self.is_starving(thread) {
            self.fair_until = self.n_turns + MAX_WAIT * self.threads.len() as u32;
        }
        self.before_section = None;
        if self.threads[thread].atomic_depth > 0 {
            self.before_section = Some(Rc::new(self.clone()));
        }
        self.n_turns += 1;
        self.current = thread;
        self.rounds = 0;
        self.granted = true;
        self.is_scheduled = true;
        let n_turns = self.n_turns;
        let thread_state = self.thread_mut();
        thread_state.phase = Phase::Local;
        thread_state.last_turn = n_turns;
        thread_state.n_inputs_seen = thread_state.n_inputs;
        let spun = std::mem::take(&mut thread_state.spun);
        let heeds = self.heeds_signals(thread);
        self.event = Event::new(ThreadId::new(thread), spun.into_iter().map(Access::spin));
        self.event.accesses.extend(heeds);
        if heeds.is_some_and(|access| access.mode.guard() == Guard::Unknown) {
            // Before the signal came it would have been another step, if the thread could make one.
            self.event.if_moved = IfMoved::Anything;
            self.signals_of_mut(thread).is_fresh = false;
        }
    }

    /// Turns to a thread that has local work to do.
    pub fn resume(&mut self, thread: usize) {
        self.end_turn();
        self.current = thread;
        self.rounds = 0;
    }

    /// The visible step that was granted is over. What comes next is another one, even if it is an atomic section again.
    pub fn end_turn(&mut self) {
        self.granted = false;
        self.before_section = None;
    }

    /// What the running thread has done in an atomic section that never comes to its end: nothing that others see.
    fn undo_section(&mut self) {
        let Some(before) = self.before_section.take().filter(|_| self.thread().atomic_depth > 0) else {
            return;
        };
        let State {
            threads,
            mem,
            output,
            stdin_pos,
            sync,
            keys,
            signals,
            is_concurrent,
            races,
            // The same before.
            current: _,
            environment: _,
            before_section: _,
            // They belong to the path that was taken, whatever is left of it: conditions, and the names of inputs.
            path: _,
            inputs: _,
            steps: _,
            depth: _,
            cursor: _,
            // A number that nobody has any more leads to nothing.
            jumps: _,
            // The step was granted, and is over now.
            is_scheduled: _,
            n_turns: _,
            fair_until: _,
            rounds: _,
            granted: _,
            // What it touched decides with what it is compared; what it started is not there.
            event: _,
            // What has stopped the thread has happened.
            exited: _,
            is_cut: _,
            n_noted: _,
            has_failed: _,
            // There are no threads with it.
            outside: _,
        } = Rc::unwrap_or_clone(before);
        let mine = self.threads[self.current].clone();
        self.threads = threads;
        self.threads[self.current] = mine;
        self.mem = mem;
        self.output = output;
        self.stdin_pos = stdin_pos;
        self.sync = sync;
        self.keys = keys;
        self.signals = signals;
        self.is_concurrent = is_concurrent;
        self.races = races;
        self.event.spawns.clear();
    }

    /// Stops the running thread for good.
    pub fn halt(&mut self) {
        self.undo_section();
        self.end_turn();
        let thread = self.thread_mut();
        thread.phase = Phase::Halted;
        thread.decisions.clear();
        thread.probes.clear();
    }

    /// Whether the running thread is in the middle of a step.
    pub fn is_under_way(&self) -> bool {
        self.thread().phase == Phase::Local
    }

    /// Whether the running thread stands before an instruction from which it can go several ways, and nothing that it
    /// does until the next scheduling point can be noticed by others. Precondition: it has several ways to go.
    pub fn is_at_branch(&self) -> bool {
        let thread = self.thread();
        !self.granted && thread.atomic_depth == 0 && thread.decisions.is_empty() && thread.copying.is_none()
    }

    /// Threads that have work to do before the next scheduling point.
    pub fn local_threads(&self) -> impl Iterator<Item = usize> {
        (0..self.threads.len()).filter(|&t| self.threads[t].phase == Phase::Local)
    }

    /// Whether another thread may be running, or has run without having been joined.
    pub(crate) fn update_concurrent(&mut self) {
        let others = self.threads.iter().enumerate().filter(|(i, _)| *i != self.current);
        self.is_concurrent = others
            .map(|(_, t)| t)
            .any(|t| t.phase != Phase::Unborn && !(t.phase == Phase::Ended && t.is_joined));
    }
}
