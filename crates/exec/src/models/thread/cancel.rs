//! Cancellation: requests, the points where a thread heeds them, and cleanup handlers.
//!
//! A request is a counter of its thread, 1 once somebody has asked. At a *cancellation point* the thread looks at
//! it before it does anything else, also while it is blocked there; a program that never calls `pthread_cancel`
//! pays nothing for this. Where POSIX lets a thread choose between a request and what it waited for, it heeds
//! the request, except that a wake-up on a condition variable is never lost.
//!
//! `pthread_cleanup_push` of the C library is a `setjmp` whose buffer is registered here: to run the handlers the
//! thread jumps to the innermost one, which calls its function and asks for the next by `__pthread_unwind_next`.
//!
//! In C++ the thread leaves its functions as with an exception (`models/unwind.rs`), which runs destructors, and
//! handlers are objects.
//!
//! Not covered: a request to a thread that has chosen asynchronous cancellation (`unknown`), and C compiled with `-fexceptions`, where handlers are
//! found by unwinding.

use selvedge_por::{Access, Guard, IfMoved, Location, Mode};
use selvedge_program::Ty;

use super::super::Model;
use super::life::EINVAL;
use crate::finding::{FindingKind, Res, unsupported};
use crate::step::Step;
use crate::sync::{Family, key};
use crate::value::Value;
use selvedge_library::{Cancel, Written};

/// `PTHREAD_CANCEL_DISABLE`; enabled is 0.
const DISABLE: u64 = 1;
/// `PTHREAD_CANCEL_ASYNCHRONOUS`; deferred is 0.
const ASYNCHRONOUS: u64 = 1;
const NOT_DEFERRED: &str = "asynchronous cancellation of threads";

pub(in crate::models) fn model(function: Cancel) -> Model {
    match function {
        Cancel::Request => |s, _, _, v| s.request_cancel(v[0]),
        Cancel::Test => |s, _, _, _| match s.is_cancelled_at(&[])? {
            true => Ok(()),
            false => s.returns_nothing(),
        },
        Cancel::SetState => |s, _, _, v| {
            let state = s.concretise(v[0], 32, 4, "a cancellation state")?;
            if state > DISABLE {
                return s.returns(Value::Int(EINVAL));
            }
            let old = u64::from(s.st.thread().ignores_cancel);
            s.store_if_wanted(v[1], old)?;
            s.st.thread_mut().ignores_cancel = state == DISABLE;
            s.has_effect();
            s.returns(Value::Int(0))
        },
        Cancel::SetType => |s, _, _, v| {
            let kind = s.concretise(v[0], 32, 4, "a type of cancellation")?;
            if kind > ASYNCHRONOUS {
                return s.returns(Value::Int(EINVAL));
            }
            s.set_cancel_type(kind, v[1])
        },
        Cancel::Register => |s, _, _, v| {
            s.st.thread_mut().cleanup.push(v[0]);
            s.returns_nothing()
        },
        Cancel::Unregister => |s, _, _, _| {
            s.st.thread_mut().cleanup.pop();
            s.returns_nothing()
        },
        Cancel::UnwindNext => |s, _, _, _| {
            let result = s.st.thread().result;
            s.unwind_thread(result)
        },
    }
}

/// The counter of requests to cancel a thread.
fn request_of(thread: usize) -> u64 {
    key(Family::Cancel, thread as u64)
}

/// Whether a thread would end at any instruction: 1 while its type of cancellation is asynchronous.
fn type_of(thread: usize) -> u64 {
    key(Family::Cancel, 1 << 32 | thread as u64)
}

/// The access of a thread that asks whether it is to end.
pub(super) fn asks_for_cancel(thread: usize) -> Access {
    Access::look(request_of(thread))
}

impl Step<'_, '_> {
    fn request_cancel(&mut self, handle: Value) -> Res<()> {
        let index = self.thread_of(handle, "cancellation")?;
        if self.st.threads[index].is_joined {
            return self.misuse("a thread is cancelled that was joined before");
        }
        let (request, kind) = (Access::post(request_of(index)), Access::look(type_of(index)));
        if self.st.is_concurrent {
            self.gate([request, kind])?;
            self.note(request);
            self.note(kind);
        }
        if self.st.sync.level(type_of(index)) > 0 {
            return unsupported(NOT_DEFERRED);
        }
        self.has_effect();
        self.sync(request_of(index)).level = 1;
        self.returns(Value::Int(0))
    }

    /// Whether a thread ends at any instruction matters only if somebody asks it to end, before or after: that comes to
    /// an end either here or at the request.
    fn set_cancel_type(&mut self, kind: u64, old: Value) -> Res<()> {
        let me = self.st.current;
        if !self.m.image.can_cancel {
            let before = self.st.sync.level(type_of(me));
            self.store_if_wanted(old, before.into())?;
            self.sync(type_of(me)).level = kind as u32;
            self.has_effect();
            return self.returns(Value::Int(0));
        }
        // A request does not order what two threads do, as far as races are concerned.
        if kind == ASYNCHRONOUS && self.m.options.checks(FindingKind::Race) {
            return unsupported(NOT_DEFERRED);
        }
        let old = match self.is_null(old)? {
            true => None,
            false => Some(self.concrete_place(old, 4, true)?),
        };
        let change = Access::new(Location::Sync(type_of(me)), Mode::ReadWrite);
        if self.st.is_concurrent {
            self.gate([change])?;
            self.note(change);
        }
        if kind == ASYNCHRONOUS && self.is_cancel_requested() {
            return unsupported(NOT_DEFERRED);
        }
        let before = self.st.sync.level(type_of(me));
        if let Some(old) = old {
            self.store(old, Ty::Int(32), Value::Int(u64::from(before)))?;
        }
        self.has_effect();
        self.sync(type_of(me)).level = kind as u32;
        self.returns(Value::Int(0))
    }

    fn store_if_wanted(&mut self, place: Value, value: u64) -> Res<()> {
        if self.is_null(place)? {
            return Ok(());
        }
        self.store(place, Ty::Int(32), Value::Int(value))
    }

    /// Whether the running thread heeds requests and there may be some.
    pub(super) fn is_cancellable(&self) -> bool {
        self.m.image.can_cancel && !self.st.thread().ignores_cancel
    }

    /// Whether somebody has asked the running thread to end.
    pub(super) fn is_cancel_requested(&self) -> bool {
        self.st.sync.level(request_of(self.st.current)) > 0
    }

    /// The running thread is at a cancellation point, where it would make the accesses `wants`. `true` if it was
    /// cancelled there: its call is dealt with. Must come before the call changes anything.
    pub(super) fn is_cancelled_at(&mut self, wants: &[Access]) -> Res<bool> {
        if let Some(result) = self.result_of_ending() {
            self.end_thread(result)?;
            return Ok(true);
        }
        if !self.is_cancellable() {
            return Ok(false);
        }
        let asks = asks_for_cancel(self.st.current);
        if self.st.is_concurrent {
            self.gate(wants.iter().copied().chain([asks]))?;
        }
        if !self.is_cancel_requested() {
            self.note(asks);
            return Ok(false);
        }
        self.note_cancelled();
        self.unwind_thread(Value::Int(self.canceled()))?;
        Ok(true)
    }

    /// Notes that the step under way happens because of a request. Before the request it would have been what
    /// the thread is waiting for, if that was possible.
    pub(super) fn note_cancelled(&mut self) {
        let location = Location::Sync(request_of(self.st.current));
        self.note(Access::new(location, Mode::Await { guard: Guard::Unknown }));
        if self.st.granted {
            self.st.event.if_moved = IfMoved::Anything;
        }
    }

    /// `PTHREAD_CANCELED`, a pointer of all ones.
    pub(super) fn canceled(&self) -> u64 {
        crate::value::truncate(u64::MAX, self.ptr_bits())
    }

    /// The result of a thread that was cancelled in the call under way and has run one of its destructors.
    pub(super) fn result_of_ending(&self) -> Option<Value> {
        let thread = self.st.thread();
        (thread.ends_at == Some(thread.frames.len())).then_some(thread.result)
    }

    /// Runs the innermost cleanup handler that is left; without one, the thread ends with this result.
    pub(super) fn unwind_thread(&mut self, result: Value) -> Res<()> {
        let n_frames = self.st.thread().frames.len();
        if self.must_unwind(n_frames)? {
            self.st.thread_mut().sleep = None;
            return self.call_runtime(Written::Leave, &[result]);
        }
        let Some(&handler) = self.st.thread().cleanup.last() else {
            let thread = self.st.thread_mut();
            thread.ignores_cancel = true;
            thread.result = result;
            thread.sleep = None;
            thread.ends_at = Some(thread.frames.len());
            return self.end_thread(result);
        };
        self.longjmp(handler, Value::Int(1))?;
        let thread = self.st.thread_mut();
        thread.cleanup.pop();
        thread.ignores_cancel = true;
        thread.result = result;
        // A wait that was under way is over.
        thread.sleep = None;
        Ok(())
    }
}
