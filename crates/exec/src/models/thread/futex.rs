//! `syscall(SYS_futex, ...)`: wait and wake.
//!
//! A wait compares and goes to sleep in one visible step and wakes in another, as on a condition variable
//! without a mutex.

use selvedge_por::Access;
use selvedge_program::{CmpOp, Ty};

use super::super::Model;
use super::life::EAGAIN;
use crate::finding::{Res, unsupported};
use crate::ops;
use crate::state::Sleep;
use crate::step::Step;
use crate::sync::{Family, key};
use crate::value::Value;
use selvedge_library::Futex;

const WAIT: u64 = 0;
const WAKE: u64 = 1;
const WAIT_BITSET: u64 = 9;
const WAKE_BITSET: u64 = 10;
/// `FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME`.
const FLAGS: u64 = 128 | 256;

pub(in crate::models) fn model(function: Futex) -> Model {
    match function {
        Futex::Call => |s, _, _, v| s.futex(v[0], v[1], v[2], v[3]),
    }
}

impl Step<'_, '_> {
    /// The result, or an error number with its sign changed.
    fn futex(&mut self, word: Value, operation: Value, value: Value, timeout: Value) -> Res<()> {
        let operation = self.concretise(operation, 32, 16, "a futex operation")? & !FLAGS;
        match operation {
            WAIT | WAIT_BITSET => self.futex_wait(word, value, timeout),
            WAKE | WAKE_BITSET => self.futex_wake(word, value),
            other => unsupported(format!("the futex operation {other}")),
        }
    }

    fn futex_wait(&mut self, word: Value, expected: Value, timeout: Value) -> Res<()> {
        let at = self.sync_at(Family::Futex, word, 4)?;
        if self.st.has_bringers() {
            self.assumed("world.uninterrupted");
        }
        let may_time_out = !self.is_null(timeout)?;
        let me = self.st.current as u32;
        let wake_up = key(Family::WakeUp, u64::from(me));
        if self.st.thread().sleep.is_some() {
            let woken = Access::await_level(wake_up, self.st.sync.level(wake_up), 1);
            if may_time_out {
                self.gate([])?;
            } else {
                self.wait_for(at.obj, &[woken])?;
            }
            let was_woken = self.st.sync.level(wake_up) > 0;
            if was_woken {
                self.has_effect();
                if may_time_out {
                    // At another time it need not wait for anything.
                    self.note(Access::look(wake_up));
                    self.note_if_moved(Access::queue(at.key));
                } else {
                    self.note(woken);
                }
                self.sync(wake_up).level = 0;
            } else {
                self.note(Access::look(wake_up));
                self.note_passing(Access::queue(at.key));
                self.sync(at.key).queue.retain(|t| *t != me);
            }
            self.st.thread_mut().sleep = None;
            let code = if was_woken { 0 } else { super::life::ETIMEDOUT.wrapping_neg() };
            return self.returns(Value::Int(code));
        }
        if self.is_visible(at.obj) {
            self.gate([Access::queue(at.key)])?;
        }
        let now = self.load(word, Ty::Int(32))?;
        let expected = ops::cast(
            &mut self.m.pool,
            selvedge_program::CastOp::Trunc,
            Ty::Int(64),
            Ty::Int(32),
            64,
            expected,
        );
        let equal = ops::cmp(&mut self.m.pool, CmpOp::Eq, 32, now, expected);
        if !self.decide(equal)? {
            self.note_if_moved(Access::queue(at.key));
            return self.returns(Value::Int(EAGAIN.wrapping_neg()));
        }
        self.note_passing(Access::queue(at.key));
        self.sync(at.key).queue.push(me);
        self.sync(wake_up).level = 0;
        self.st.thread_mut().sleep = Some(Sleep { count: 0, is_fruitless: false, left: None });
        Ok(())
    }

    fn futex_wake(&mut self, word: Value, count: Value) -> Res<()> {
        let at = self.sync_at(Family::Futex, word, 4)?;
        let count = self.concretise(count, 64, 16, "how many threads to wake")?;
        if self.is_visible(at.obj) {
            self.gate([Access::queue(at.key)])?;
        }
        let waiting = self.st.sync.get(at.key).map_or(0, |c| c.queue.len());
        let n = count.min(waiting as u64) as usize;
        let mut woken = Vec::with_capacity(n);
        let mut queue: Vec<u32> = self.st.sync.get(at.key).map_or_else(Vec::new, |c| c.queue.clone());
        if n == waiting {
            woken.append(&mut queue);
        } else if n == 1 {
            let which = self.nature_chooses(waiting, "which waiter is woken")?;
            woken.push(queue.remove(which));
        } else if n > 0 {
            return unsupported("a futex wakes some of its waiters");
        }
        self.note(Access::queue(at.key));
        if !woken.is_empty() {
            self.has_effect();
            self.sync(at.key).queue = queue;
        }
        for thread in woken {
            let wake_up = key(Family::WakeUp, u64::from(thread));
            self.note(Access::post(wake_up));
            self.sync(wake_up).level = 1;
        }
        self.returns(Value::Int(n as u64))
    }
}
