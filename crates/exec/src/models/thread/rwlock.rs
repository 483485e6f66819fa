//! Read-write locks.
//!
//! Neither readers nor writers are preferred: whoever can take the lock may. Readers share it, so their
//! operations commute with each other.

use selvedge_por::{Access, ROOM};

use super::super::Model;
use super::At;
use super::life::{EBUSY, EDEADLK, ETIMEDOUT};
use crate::finding::Res;
use crate::step::Step;
use crate::sync::{Family, Sync};
use crate::value::Value;
use selvedge_library::RwLock;

/// Destroyed and not initialised again.
const DESTROYED: u32 = 1;

pub(in crate::models) fn model(function: RwLock) -> Model {
    match function {
        RwLock::Init => |s, _, _, v| {
            if let Some(error) = s.error_of_init()? {
                return s.returns(Value::Int(error));
            }
            let at = s.exclusive_use(Family::RwLock, v[0])?;
            *s.sync(at.key) = Sync { level: ROOM, ..Sync::default() };
            s.returns(Value::Int(0))
        },
        RwLock::Destroy => |s, _, _, v| {
            s.rwlock_at(v[0])?;
            let at = s.exclusive_use(Family::RwLock, v[0])?;
            if s.st.sync.level(at.key) != ROOM {
                return s.misuse("a read-write lock is destroyed while it is locked");
            }
            *s.sync(at.key) = Sync { level: ROOM, kind: DESTROYED, ..Sync::default() };
            s.returns(Value::Int(0))
        },
        RwLock::Read => |s, _, _, v| s.read_lock(v[0]),
        RwLock::Write => |s, _, _, v| s.write_lock(v[0]),
        RwLock::TryRead => |s, _, _, v| s.try_read_lock(v[0], EBUSY),
        RwLock::TryWrite => |s, _, _, v| s.try_write_lock(v[0], EBUSY),
        RwLock::TimedRead => |s, _, _, v| s.try_read_lock(v[0], ETIMEDOUT),
        RwLock::TimedWrite => |s, _, _, v| s.try_write_lock(v[0], ETIMEDOUT),
        RwLock::Unlock => |s, _, _, v| s.unlock_rwlock(v[0]),
    }
}

impl Step<'_, '_> {
    fn rwlock_at(&mut self, ptr: Value) -> Res<At> {
        let at = self.sync_at(Family::RwLock, ptr, 4)?;
        self.must_be_initialised(at, "a read-write lock")?;
        if self.st.sync.get(at.key).is_some_and(|lock| lock.kind == DESTROYED) {
            return self.misuse_of(at, "a read-write lock is used after it was destroyed");
        }
        Ok(at)
    }

    fn is_writer(&self, at: At) -> bool {
        self.st.sync.get(at.key).is_some_and(|l| l.owner == self.me())
    }

    fn read_lock(&mut self, ptr: Value) -> Res<()> {
        let at = self.rwlock_at(ptr)?;
        if self.is_writer(at) {
            return self.returns(Value::Int(EDEADLK));
        }
        self.rest(&[])?;
        let want = Access::lock_shared(at.key, self.st.sync.level(at.key));
        self.wait_for(at.obj, &[want])?;
        self.note(want);
        self.take_share(at)
    }

    fn take_share(&mut self, at: At) -> Res<()> {
        let me = self.st.current as u32;
        let lock = self.sync(at.key);
        lock.level -= 1;
        lock.queue.push(me);
        // The order of readers must not show in the state.
        lock.queue.sort_unstable();
        self.st.thread_mut().n_held += 1;
        self.record_lock(at.key);
        self.returns(Value::Int(0))
    }

    fn write_lock(&mut self, ptr: Value) -> Res<()> {
        let at = self.rwlock_at(ptr)?;
        if self.is_writer(at) {
            return self.misuse("a thread locks a read-write lock that it holds already");
        }
        self.rest(&[])?;
        let want = Access::lock_exclusive(at.key, self.st.sync.level(at.key));
        self.wait_for(at.obj, &[want])?;
        self.note(want);
        self.take_all(at)
    }

    fn take_all(&mut self, at: At) -> Res<()> {
        let me = self.me();
        let lock = self.sync(at.key);
        lock.level = 0;
        lock.owner = me;
        self.st.thread_mut().n_held += 1;
        self.record_lock(at.key);
        self.returns(Value::Int(0))
    }

    fn try_read_lock(&mut self, ptr: Value, code: u64) -> Res<()> {
        let at = self.rwlock_at(ptr)?;
        if code == ETIMEDOUT && self.is_writer(at) {
            return self.returns(Value::Int(EDEADLK));
        }
        self.take_if_free(at, (Access::try_lock_shared(at.key), 1), code, Self::take_share)
    }

    fn try_write_lock(&mut self, ptr: Value, code: u64) -> Res<()> {
        let at = self.rwlock_at(ptr)?;
        if code == ETIMEDOUT && self.is_writer(at) {
            return self.returns(Value::Int(EDEADLK));
        }
        self.take_if_free(at, (Access::try_lock_exclusive(at.key), ROOM), code, Self::take_all)
    }

    fn unlock_rwlock(&mut self, ptr: Value) -> Res<()> {
        let at = self.rwlock_at(ptr)?;
        let me = self.st.current as u32;
        let is_writer = self.is_writer(at);
        let position = self.st.sync.get(at.key).and_then(|l| l.queue.iter().position(|t| *t == me));
        let access = match (is_writer, position) {
            (true, _) => Access::unlock_exclusive(at.key),
            (false, Some(_)) => Access::unlock_shared(at.key),
            (false, None) => return self.misuse("a thread unlocks a read-write lock that it does not hold"),
        };
        if self.is_visible(at.obj) {
            self.gate([access])?;
        }
        self.note(access);
        let lock = self.sync(at.key);
        if is_writer {
            lock.owner = 0;
            lock.level = ROOM;
        } else {
            lock.queue.remove(position.expect("matched"));
            lock.level += 1;
        }
        self.st.thread_mut().n_held -= 1;
        self.returns(Value::Int(0))
    }
}
