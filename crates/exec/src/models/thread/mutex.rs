//! Mutexes of all types, and spinlocks.
//!
//! A mutex is known by its address. One that was never initialised by a call is what its bytes say: the
//! static initialisers of the C library, zero being the plain one.

use selvedge_por::Access;

use super::super::Model;
use super::At;
use super::life::{EBUSY, EDEADLK, EINVAL, ENOTRECOVERABLE, EOWNERDEAD, EPERM, ETIMEDOUT};
use crate::finding::{Res, unsupported};
use crate::source::Source;
use crate::step::Step;
use crate::sync::{Family, Sync};
use crate::value::{ObjId, Value};
use selvedge_library::Mutex;

/// Types of mutexes, as in `<pthread.h>`.
const RECURSIVE: u32 = 1;
const ERROR_CHECK: u32 = 2;
const TYPE: u32 = 3;
/// The next owner is told that the last one died.
pub(super) const ROBUST: u32 = 1 << 8;
/// A spinlock: only its address matters.
pub(super) const SPIN: u32 = 1 << 9;
/// Set by a call of `init`.
pub(super) const INITIALISED: u32 = 1 << 10;
/// Destroyed and not initialised again.
const DESTROYED: u32 = 1 << 11;
/// The owner died and the state was not made consistent.
pub(super) const INCONSISTENT: u32 = 1 << 12;
/// Unlocked while inconsistent.
const LOST: u32 = 1 << 13;

pub(in crate::models) fn model(function: Mutex) -> Model {
    match function {
        Mutex::Init => |s, _, _, v| {
            if let Some(error) = s.error_of_init()? {
                return s.returns(Value::Int(error));
            }
            let (kind, robust) = (s.attribute(v[1], 0)?, s.attribute(v[1], 1)?);
            let robust = if robust == 1 { ROBUST } else { 0 };
            s.init_mutex(v[0], kind as u32 & TYPE | robust)
        },
        Mutex::SpinInit => |s, _, _, v| s.init_mutex(v[0], SPIN),
        Mutex::Destroy => |s, _, _, v| s.destroy_mutex(v[0]),
        Mutex::Lock => |s, _, _, v| s.lock_mutex(v[0]),
        Mutex::TryLock => |s, _, _, v| s.try_lock(v[0], EBUSY),
        Mutex::TimedLock => |s, _, _, v| s.try_lock(v[0], ETIMEDOUT),
        Mutex::Unlock => |s, _, _, v| s.unlock_mutex(v[0]),
        Mutex::SpinDestroy => |s, _, _, v| {
            s.is_spinlock(v[0])?;
            s.destroy_mutex(v[0])
        },
        Mutex::SpinLock => |s, _, _, v| {
            s.is_spinlock(v[0])?;
            s.lock_mutex(v[0])
        },
        Mutex::SpinTryLock => |s, _, _, v| {
            s.is_spinlock(v[0])?;
            s.try_lock(v[0], EBUSY)
        },
        Mutex::SpinUnlock => |s, _, _, v| {
            s.is_spinlock(v[0])?;
            s.unlock_mutex(v[0])
        },
        Mutex::Consistent => |s, _, _, v| {
            let at = s.mutex_at(v[0])?;
            let is_mine = s.holds(at) && s.sync(at.key).kind & INCONSISTENT != 0;
            if !is_mine {
                return s.returns(Value::Int(EINVAL));
            }
            s.sync(at.key).kind &= !INCONSISTENT;
            s.has_effect();
            s.returns(Value::Int(0))
        },
    }
}

impl Step<'_, '_> {
    fn mutex_size(&self) -> u64 {
        if self.ptr_bits() == 64 { 40 } else { 24 }
    }

    fn is_unwritten(&self, obj: ObjId, off: u64) -> bool {
        let unwritten = |source| matches!(source, Source::Uninit { .. });
        self.st.mem.get(obj).is_some_and(|o| o.content.has_lazy(off, 4, unwritten))
    }

    /// What lies at `ptr` is used as a spinlock: it is no larger than a number.
    fn is_spinlock(&mut self, ptr: Value) -> Res<()> {
        let at = self.sync_at(Family::Mutex, ptr, 4)?;
        if self.st.sync.get(at.key).is_none_or(|lock| lock.kind & SPIN == 0) {
            self.sync(at.key).kind |= SPIN;
        }
        Ok(())
    }

    /// The mutex or spinlock at `ptr`, initialised.
    pub(super) fn mutex_at(&mut self, ptr: Value) -> Res<At> {
        let at = self.sync_at(Family::Mutex, ptr, 4)?;
        match self.st.sync.get(at.key) {
            Some(mutex) if mutex.kind & DESTROYED != 0 => {
                self.misuse_of(at, "a mutex is used after it was destroyed")
            }
            Some(_) => Ok(at),
            None => {
                let kind_at = at.off + if self.ptr_bits() == 64 { 16 } else { 12 };
                let object = self.st.mem.get(at.obj).expect("resolved");
                let has_room = object.size >= at.off + self.mutex_size();
                let kind = if has_room { object.content.peek(kind_at, 4) } else { Some(Value::Int(0)) };
                match kind {
                    Some(Value::Int(kind)) => {
                        if kind as u32 & TYPE != 0 {
                            self.sync(at.key).kind = kind as u32 & TYPE;
                        }
                        Ok(at)
                    }
                    _ if self.m.options.loop_points && !self.is_unwritten(at.obj, kind_at) => {
                        unsupported("the type of a mutex is not known")
                    }
                    _ => self.misuse_of(at, "a mutex is used that was never initialised"),
                }
            }
        }
    }

    fn init_mutex(&mut self, ptr: Value, kind: u32) -> Res<()> {
        let at = self.exclusive_use(Family::Mutex, ptr)?;
        let mutex = self.sync(at.key);
        if mutex.level == 0 && mutex.kind & INITIALISED != 0 {
            return self.misuse("a locked mutex is initialised again");
        }
        *mutex = Sync { level: 1, kind: kind | INITIALISED, ..Sync::default() };
        self.returns(Value::Int(0))
    }

    fn destroy_mutex(&mut self, ptr: Value) -> Res<()> {
        self.mutex_at(ptr)?;
        let at = self.exclusive_use(Family::Mutex, ptr)?;
        if self.st.sync.level(at.key) == 0 {
            return self.misuse("a mutex is destroyed while it is locked");
        }
        self.sync(at.key).kind = DESTROYED;
        self.returns(Value::Int(0))
    }

    /// The type of a mutex that the running thread holds.
    fn type_if_own(&self, at: At) -> Option<u32> {
        let mutex = self.st.sync.get(at.key)?;
        (mutex.owner == self.me()).then_some(mutex.kind & TYPE)
    }

    /// Takes a recursive mutex once more.
    fn lock_again(&mut self, at: At) -> Res<()> {
        self.sync(at.key).count += 1;
        self.st.thread_mut().n_held += 1;
        self.returns(Value::Int(0))
    }

    fn lock_mutex(&mut self, ptr: Value) -> Res<()> {
        let at = self.mutex_at(ptr)?;
        if let Some(kind) = self.type_if_own(at) {
            return match kind {
                RECURSIVE => self.lock_again(at),
                ERROR_CHECK => self.returns(Value::Int(EDEADLK)),
                _ => self.misuse("a thread locks a mutex that it holds already"),
            };
        }
        self.rest(&[])?;
        let want = Access::lock(at.key, self.st.sync.level(at.key) > 0);
        self.wait_for(at.obj, &[want])?;
        self.note(want);
        self.take_mutex(at)
    }

    /// The running thread takes a free mutex.
    fn take_mutex(&mut self, at: At) -> Res<()> {
        let me = self.me();
        let mutex = self.sync(at.key);
        if mutex.kind & LOST != 0 {
            return self.returns(Value::Int(ENOTRECOVERABLE));
        }
        mutex.level = 0;
        mutex.owner = me;
        mutex.count = 1;
        let code = if mutex.kind & INCONSISTENT != 0 { EOWNERDEAD } else { 0 };
        self.st.thread_mut().n_held += 1;
        self.record_lock(at.key);
        self.returns(Value::Int(code))
    }

    /// Locks, or says that it cannot, at once or after some time.
    fn try_lock(&mut self, ptr: Value, code: u64) -> Res<()> {
        let at = self.mutex_at(ptr)?;
        if let Some(kind) = self.type_if_own(at) {
            return match kind {
                RECURSIVE => self.lock_again(at),
                ERROR_CHECK if code == ETIMEDOUT => self.returns(Value::Int(EDEADLK)),
                _ => self.returns(Value::Int(code)),
            };
        }
        self.take_if_free(at, (Access::try_lock(at.key), 1), code, Self::take_mutex)
    }

    fn unlock_mutex(&mut self, ptr: Value) -> Res<()> {
        let at = self.mutex_at(ptr)?;
        let me = self.me();
        let (owner, count, kind) = self.st.sync.get(at.key).map_or((0, 0, 0), |m| (m.owner, m.count, m.kind));
        if owner != me {
            if kind & TYPE == ERROR_CHECK || kind & TYPE == RECURSIVE || kind & ROBUST != 0 {
                return self.returns(Value::Int(EPERM));
            }
            return self.misuse(match owner {
                0 => "a mutex is unlocked that is not locked",
                _ => "a thread unlocks a mutex that another thread holds",
            });
        }
        if count > 1 {
            self.sync(at.key).count -= 1;
            self.st.thread_mut().n_held -= 1;
            return self.returns(Value::Int(0));
        }
        if self.is_visible(at.obj) {
            self.gate([Access::unlock(at.key)])?;
        }
        self.release_mutex(at);
        self.returns(Value::Int(0))
    }

    /// Gives a mutex back that the running thread holds, whatever its depth; returns the depth.
    pub(super) fn release_mutex(&mut self, at: At) -> u32 {
        self.note(Access::unlock(at.key));
        let mutex = self.sync(at.key);
        let count = std::mem::take(&mut mutex.count);
        mutex.owner = 0;
        mutex.level = 1;
        if mutex.kind & INCONSISTENT != 0 {
            mutex.kind |= LOST;
            self.has_effect();
        }
        self.st.thread_mut().n_held -= count;
        count
    }

    /// Takes a free mutex back at this depth.
    pub(super) fn retake_mutex(&mut self, at: At, count: u32) {
        let me = self.me();
        let mutex = self.sync(at.key);
        mutex.level = 0;
        mutex.owner = me;
        mutex.count = count;
        self.st.thread_mut().n_held += count;
        self.record_lock(at.key);
    }

    /// Whether the running thread holds the mutex.
    pub(super) fn holds(&self, at: At) -> bool {
        self.st.sync.get(at.key).is_some_and(|m| m.owner == self.me())
    }
}
