//! Condition variables.
//!
//! A wait is two visible steps: entering the queue and giving the mutex back in one, waking up and taking the
//! mutex in the other. Between them the call stands at its instruction with [`Thread::sleep`] set. Which
//! of several waiters a signal wakes is a choice of the environment; a timed wait may time out at any time.
//! A cancelled waiter wakes up in two steps: it leaves the queue in one and takes the mutex in the other.
//!
//! [`Thread::sleep`]: crate::state::Thread

use std::rc::Rc;

use selvedge_por::{Access, Location};

use super::super::Model;
use super::At;
use super::cancel::asks_for_cancel;
use super::life::ETIMEDOUT;
use crate::finding::Res;
use crate::state::{Frame, Left, Sleep, WokeAlone};
use crate::step::Step;
use crate::sync::{Family, Sync, key};
use crate::value::Value;
use selvedge_library::Cond;

pub(in crate::models) fn model(function: Cond) -> Model {
    match function {
        Cond::Init => |s, _, _, v| {
            if let Some(error) = s.error_of_init()? {
                return s.returns(Value::Int(error));
            }
            let at = s.exclusive_use(Family::Condition, v[0])?;
            let clock = s.attribute(v[1], 1)?;
            *s.sync(at.key) = Sync { kind: clock as u32, ..Sync::default() };
            s.returns(Value::Int(0))
        },
        Cond::Destroy => |s, _, _, v| {
            let at = s.exclusive_use(Family::Condition, v[0])?;
            s.must_be_usable(at)?;
            if s.st.sync.get(at.key).is_some_and(|c| !c.queue.is_empty()) {
                return s.misuse("a condition variable is destroyed while a thread waits on it");
            }
            *s.sync(at.key) = Sync { kind: DESTROYED, ..Sync::default() };
            s.returns(Value::Int(0))
        },
        Cond::Wait => |s, _, _, v| s.cond_wait(v[0], v[1], false),
        Cond::TimedWait => |s, _, _, v| s.cond_wait(v[0], v[1], true),
        Cond::Clock => |s, _, _, v| {
            let at = s.sync_at(Family::Condition, v[0], 4)?;
            let clock = s.st.sync.get(at.key).map_or(0, |c| c.kind);
            s.returns(Value::Int(u64::from(clock)))
        },
        Cond::Signal => |s, _, _, v| s.cond_signal(v[0], false),
        Cond::Broadcast => |s, _, _, v| s.cond_signal(v[0], true),
    }
}

/// The kind of one that was destroyed and not initialised again; that of others is the number of their clock.
const DESTROYED: u32 = u32::MAX;

impl Step<'_, '_> {
    /// What was destroyed must not be used.
    fn must_be_usable(&mut self, at: At) -> Res<()> {
        self.must_be_whole(at)?;
        match self.st.sync.get(at.key).is_some_and(|c| c.kind == DESTROYED) {
            true => self.misuse_of(at, "a condition variable is used after it was destroyed"),
            false => Ok(()),
        }
    }

    fn cond_wait(&mut self, cond: Value, mutex: Value, is_timed: bool) -> Res<()> {
        if let Some(result) = self.result_of_ending() {
            return self.end_thread(result);
        }
        let cond = self.sync_at(Family::Condition, cond, 4)?;
        self.must_be_usable(cond)?;
        let mutex = self.mutex_at(mutex)?;
        let me = self.st.current as u32;
        let wake_up = key(Family::WakeUp, u64::from(me));
        let Some(sleep) = self.st.thread().sleep else {
            if !self.holds(mutex) {
                return self.misuse("a thread waits on a condition without holding the mutex");
            }
            let enter = [Access::queue(cond.key), Access::unlock(mutex.key)];
            if self.is_cancelled_at(&enter)? {
                return Ok(());
            }
            if self.is_visible(cond.obj) || self.is_visible(mutex.obj) {
                self.gate(enter)?;
            }
            let is_fruitless = self.found_nothing_new();
            if !is_timed && !self.m.options.surroundings.spurious_wakeups {
                self.assumed("threads.nothing-spurious");
            }
            self.note_passing(Access::queue(cond.key));
            let count = self.release_mutex(mutex);
            self.sync(cond.key).queue.push(me);
            self.sync(wake_up).level = 0;
            // The call is not over: it runs again, asleep.
            self.st.thread_mut().woke_alone = None;
            self.st.thread_mut().sleep = Some(Sleep { count, is_fruitless, left: None });
            return Ok(());
        };
        let lock = Access::lock(mutex.key, self.st.sync.level(mutex.key) > 0);
        if let Some(left) = sleep.left {
            return self.relock_after_wait(mutex, lock, sleep.count, left);
        }
        self.rest(&[Location::Sync(wake_up)])?;
        let may_wake_alone =
            is_timed || (self.m.options.surroundings.spurious_wakeups && !sleep.is_fruitless);
        let woken = Access::await_level(wake_up, self.st.sync.level(wake_up), 1);
        let asks = asks_for_cancel(self.st.current);
        let is_cancellable = self.is_cancellable();
        let wants = [Some(lock), (!may_wake_alone).then_some(woken), is_cancellable.then_some(asks)];
        if !self.st.granted {
            self.gate(wants.into_iter().flatten())?;
        }
        let was_woken = self.st.sync.level(wake_up) > 0;
        if is_cancellable {
            if self.is_cancel_requested() {
                return self.leave_queue(cond, sleep.count, was_woken);
            }
            self.note(asks);
        }
        self.note(lock);
        if was_woken {
            self.has_effect();
            if may_wake_alone {
                // At another time it need not wait for anything.
                self.note(Access::look(wake_up));
                self.note_if_moved(Access::queue(cond.key));
            } else {
                self.note(woken);
            }
            self.sync(wake_up).level = 0;
        } else {
            self.note(Access::look(wake_up));
            self.note_passing(Access::queue(cond.key));
            self.sync(cond.key).queue.retain(|t| *t != me);
        }
        self.retake_mutex(mutex, sleep.count);
        self.st.thread_mut().sleep = None;
        if !was_woken && !is_timed {
            let thread = self.st.thread_mut();
            let (frames, n_inputs, n_undefs) = (thread.frames.clone(), thread.n_inputs, thread.n_undefs);
            thread.woke_alone = Some(Rc::new(WokeAlone { frames, n_inputs, n_undefs }));
        }
        let code = if !was_woken && is_timed { ETIMEDOUT } else { 0 };
        self.returns(Value::Int(code))
    }

    /// A thread that is cancelled while it waits leaves the queue at once, and gets its mutex back in a step of
    /// its own. If it was woken before, that is why the wait ends.
    fn leave_queue(&mut self, cond: At, count: u32, was_woken: bool) -> Res<()> {
        let me = self.st.current as u32;
        let wake_up = key(Family::WakeUp, u64::from(me));
        self.note_cancelled();
        self.note(Access::queue(cond.key));
        self.note(Access::look(wake_up));
        self.has_effect();
        self.sync(cond.key).queue.retain(|t| *t != me);
        self.sync(wake_up).level = 0;
        let left = if was_woken { Left::Woken } else { Left::Cancelled };
        self.st.thread_mut().sleep = Some(Sleep { count, is_fruitless: false, left: Some(left) });
        Ok(())
    }

    fn relock_after_wait(&mut self, mutex: At, lock: Access, count: u32, left: Left) -> Res<()> {
        if !self.st.granted {
            self.gate([lock])?;
        }
        self.note(lock);
        self.retake_mutex(mutex, count);
        match left {
            Left::Woken => {
                self.st.thread_mut().sleep = None;
                self.returns(Value::Int(0))
            }
            Left::Cancelled => {
                let canceled = Value::Int(self.canceled());
                self.unwind_thread(canceled)
            }
        }
    }

    /// Whether the running thread woke up without a reason and is back as it was then.
    ///
    /// The execution in which it slept on instead is explored as well and leads to the same states, so it need not
    /// wake up alone again: that makes the usual loop around a wait finite.
    fn found_nothing_new(&self) -> bool {
        let thread = self.st.thread();
        let Some(before) = &thread.woke_alone else { return false };
        let same = |(a, b): (&Rc<Frame>, &Rc<Frame>)| {
            Rc::ptr_eq(a, b) || ((a.func, a.block, a.idx) == (b.func, b.block, b.idx) && a.regs == b.regs)
        };
        (before.n_inputs, before.n_undefs) == (thread.n_inputs, thread.n_undefs)
            && before.frames.len() == thread.frames.len()
            && before.frames.iter().zip(&thread.frames).all(same)
    }

    fn cond_signal(&mut self, cond: Value, to_all: bool) -> Res<()> {
        let cond = self.sync_at(Family::Condition, cond, 4)?;
        self.must_be_usable(cond)?;
        if self.is_visible(cond.obj) {
            self.gate([Access::queue(cond.key)])?;
        }
        let waiting = self.st.sync.get(cond.key).map_or(0, |c| c.queue.len());
        if waiting == 0 {
            self.note(Access::queue(cond.key));
            return self.returns(Value::Int(0));
        }
        let which = if to_all { 0 } else { self.nature_chooses(waiting, "which waiter is woken")? };
        self.note(Access::queue(cond.key));
        self.has_effect();
        let queue = &mut self.sync(cond.key).queue;
        let woken: Vec<u32> = if to_all { std::mem::take(queue) } else { vec![queue.remove(which)] };
        for thread in woken {
            let wake_up = key(Family::WakeUp, u64::from(thread));
            self.note(Access::post(wake_up));
            self.sync(wake_up).level = 1;
        }
        self.returns(Value::Int(0))
    }
}
