//! Unnamed semaphores. Named ones are C code of the run-time on top of these.

use selvedge_por::Access;
use selvedge_program::{CmpOp, Ty};

use super::super::Model;
use super::At;
use super::life::{EAGAIN, EINTR, EINVAL, EOVERFLOW, ETIMEDOUT};
use crate::finding::Res;
use crate::ops;
use crate::signals::Cut;
use crate::step::Step;
use crate::sync::{Family, Sync};
use crate::value::Value;
use selvedge_library::{Semaphore, Written};

/// Values of a semaphore to fork over when it is initialised.
const MAX_VALUES: usize = 64;
/// Set by `sem_init`.
pub(super) const INITIALISED: u32 = 1;
const DESTROYED: u32 = 2;
/// `SEM_VALUE_MAX`.
pub(super) const MAX: u32 = i32::MAX as u32;

pub(in crate::models) fn model(function: Semaphore) -> Model {
    match function {
        Semaphore::Init => |s, _, _, v| {
            let fits = ops::cmp(&mut s.m.pool, CmpOp::Ule, 32, v[1], Value::Int(MAX.into()));
            if !s.decide(fits)? {
                return s.returns(Value::Int(EINVAL));
            }
            let value = s.concretise(v[1], 32, MAX_VALUES, "the value of a semaphore")?;
            let at = s.exclusive_use(Family::Semaphore, v[0])?;
            *s.sync(at.key) = Sync { level: value as u32, kind: INITIALISED, ..Sync::default() };
            s.returns(Value::Int(0))
        },
        Semaphore::Destroy => |s, _, _, v| {
            s.semaphore_at(v[0])?;
            let at = s.exclusive_use(Family::Semaphore, v[0])?;
            *s.sync(at.key) = Sync { kind: DESTROYED, ..Sync::default() };
            s.returns(Value::Int(0))
        },
        Semaphore::Wait => |s, _, _, v| {
            if s.is_interrupted_at(v[0], |cut| cut.was_blocked && !cut.restarts)? {
                return s.call_runtime(Written::SignalInterrupted, &[]);
            }
            s.sem_wait(v[0])
        },
        // As sem_wait, but an error number, and a handler ends it whatever its flags.
        Semaphore::PollWait => |s, _, _, v| match s.is_interrupted_at(v[0], |cut| cut.was_blocked)? {
            true => s.returns(Value::Int(EINTR)),
            false => s.sem_wait(v[0]),
        },
        // The same for a wait with a mask of its own: any handler that has run since that was set ends it.
        Semaphore::MaskedWait => |s, _, _, v| match s.has_handled(v[1])? {
            true => s.returns(Value::Int(EINTR)),
            false => s.sem_wait(v[0]),
        },
        Semaphore::TryWait => |s, _, _, v| s.sem_try_wait(v[0], EAGAIN),
        // With a limit the kernel lets it end by EINTR even after a handler with SA_RESTART.
        Semaphore::TimedWait => |s, _, _, v| match s.is_interrupted_at(v[0], |cut| cut.was_blocked)? {
            true => s.returns(Value::Int(EINTR)),
            false => s.sem_try_wait(v[0], ETIMEDOUT),
        },
        Semaphore::Post => |s, _, _, v| {
            let at = s.semaphore_at(v[0])?;
            if s.is_visible(at.obj) {
                s.gate([Access::post(at.key)])?;
            }
            if s.st.sync.level(at.key) == MAX {
                s.note(Access::look(at.key));
                s.note_if_moved(Access::post(at.key));
                return s.returns(Value::Int(EOVERFLOW));
            }
            s.note(Access::post(at.key));
            s.has_effect();
            s.sync(at.key).level += 1;
            s.returns(Value::Int(0))
        },
        Semaphore::Value => |s, _, _, v| {
            let at = s.semaphore_at(v[0])?;
            let out = s.concrete_place(v[1], 4, true)?;
            if s.is_visible(at.obj) {
                s.gate([Access::look(at.key)])?;
            }
            s.note(Access::look(at.key));
            let level = s.st.sync.level(at.key);
            s.store(out, Ty::Int(32), Value::Int(u64::from(level)))?;
            s.returns(Value::Int(0))
        },
    }
}

impl Step<'_, '_> {
    fn semaphore_at(&mut self, ptr: Value) -> Res<At> {
        let at = self.sync_at(Family::Semaphore, ptr, 4)?;
        match self.st.sync.get(at.key) {
            Some(semaphore) if semaphore.kind == INITIALISED => Ok(at),
            Some(semaphore) if semaphore.kind == DESTROYED => {
                self.misuse_of(at, "a semaphore is used after it was destroyed")
            }
            _ => self.misuse_of(at, "a semaphore is used that was never initialised"),
        }
    }

    /// Whether a handler has ended the wait for this semaphore.
    fn is_interrupted_at(&mut self, ptr: Value, ends: impl Fn(Cut) -> bool) -> Res<bool> {
        self.semaphore_at(ptr)?;
        self.is_cut_short(ends)
    }

    fn sem_wait(&mut self, ptr: Value) -> Res<()> {
        let at = self.semaphore_at(ptr)?;
        let want = Access::wait(at.key, self.st.sync.level(at.key));
        if self.is_cancelled_at(&[want])? {
            return Ok(());
        }
        self.wait_for(at.obj, &[want])?;
        self.note(want);
        self.has_effect();
        self.sync(at.key).level -= 1;
        self.returns(Value::Int(0))
    }

    /// Zero, or `code` if the semaphore is at zero.
    fn sem_try_wait(&mut self, ptr: Value, code: u64) -> Res<()> {
        let at = self.semaphore_at(ptr)?;
        if code == ETIMEDOUT && self.is_cancelled_at(&[])? {
            return Ok(());
        }
        let may_wait = code == ETIMEDOUT;
        if self.is_visible(at.obj) || (may_wait && self.st.has_bringers()) {
            // A signal that comes here asks whether the thread waits.
            self.gate(may_wait.then(|| Access::look(at.key)))?;
        }
        if self.st.sync.level(at.key) > 0 {
            self.note(Access::try_lock(at.key));
            self.has_effect();
            self.sync(at.key).level -= 1;
            return self.returns(Value::Int(0));
        }
        self.note(Access::look(at.key));
        self.note_if_moved(Access::try_lock(at.key));
        self.returns(Value::Int(code))
    }
}
