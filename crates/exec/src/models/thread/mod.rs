//! Threads and what they synchronise with, one file per family.
//!
//! Every operation that others can notice passes the gate (see `threads`) before it changes anything, and
//! notes its accesses as the table in `por::sync` says. Sequential consistency. Misuse is a finding of
//! the property `deadlock`. Where POSIX leaves a choice (which waiter a signal wakes, whether a timed
//! operation times out) every choice is explored.

pub(super) mod barrier;
mod bytes;
pub(super) mod cancel;
pub(super) mod cond;
pub(super) mod futex;
pub(super) mod keys;
pub(super) mod life;
pub(super) mod mutex;
pub(super) mod once;
pub(super) mod point;
pub(super) mod rwlock;
pub(super) mod section;
pub(super) mod semaphore;

use std::rc::Rc;

use selvedge_por::Access;
use selvedge_program::{CmpOp, Ty};

use crate::finding::{FindingKind, Res};
use crate::ops;
use crate::source::Source;
use crate::state::{InputKind, InputType};
use crate::step::Step;
use crate::sync::{Family, Sync, key};
use crate::value::{ObjId, Value};

/// A synchronisation object in memory.
#[derive(Clone, Copy)]
pub(crate) struct At {
    /// Its key in the table.
    pub(crate) key: u64,
    /// The memory object it lies in.
    pub(crate) obj: ObjId,
    /// Where in it.
    pub(crate) off: u64,
}

impl Step<'_, '_> {
    /// The synchronisation object of `family` at `ptr`, to use it.
    pub(crate) fn sync_at(&mut self, family: Family, ptr: Value, size: u64) -> Res<At> {
        let at = self.locate(family, ptr, size)?;
        self.must_be_whole(at)?;
        Ok(at)
    }

    fn locate(&mut self, family: Family, ptr: Value, size: u64) -> Res<At> {
        let ptr = self.concrete_place(ptr, size, true)?;
        let Value::Ptr { obj, addr } = ptr else { unreachable!("a concrete place is a pointer") };
        let object = self.st.mem.get(obj).expect("resolved");
        let base = object.base;
        if !object.has_locks {
            self.st.mem.get_mut(obj).expect("resolved").has_locks = true;
        }
        Ok(At { key: key(family, addr), obj, off: addr - base })
    }

    /// As [`sync_at`](Self::sync_at), to initialise or destroy it: a visible step that nothing commutes with.
    pub(crate) fn exclusive_use(&mut self, family: Family, ptr: Value) -> Res<At> {
        let at = self.locate(family, ptr, 4)?;
        if self.is_visible(at.obj) {
            self.gate([Access::queue(at.key)])?;
            self.note(Access::queue(at.key));
        }
        self.has_effect();
        Ok(at)
    }

    /// An object that no call has initialised must have been by its definition: its bytes are known.
    pub(crate) fn must_be_initialised(&mut self, at: At, what: &str) -> Res<()> {
        let object = self.st.mem.get(at.obj).expect("resolved");
        let is_uninitialised = object.content.has_lazy(at.off, 4, |s| matches!(s, Source::Uninit { .. }));
        if self.st.sync.get(at.key).is_none() && is_uninitialised {
            return self.misuse_of(at, format!("{what} is used that was never initialised"));
        }
        Ok(())
    }

    /// A message about misuse that what others do to the object can make or prevent: a step that they race with.
    pub(crate) fn misuse_of<T>(&mut self, at: At, message: impl Into<String>) -> Res<T> {
        if self.is_visible(at.obj) {
            self.gate([Access::queue(at.key)])?;
            self.note(Access::queue(at.key));
        }
        self.misuse(message)
    }

    /// Takes a lock if its level is at least `needs`, or else says `code`, at once or after some time.
    pub(crate) fn take_if_free(
        &mut self,
        at: At,
        (taken, needs): (Access, u32),
        code: u64,
        take: fn(&mut Self, At) -> Res<()>,
    ) -> Res<()> {
        self.rest(&[])?;
        if self.is_visible(at.obj) {
            self.gate([])?;
        }
        if self.st.sync.level(at.key) >= needs {
            self.note(taken);
            return take(self, at);
        }
        self.note(Access::look(at.key));
        self.note_if_moved(taken);
        self.returns(Value::Int(code))
    }

    /// The table entry of a synchronisation object.
    pub(crate) fn sync(&mut self, key: u64) -> &mut Sync {
        Rc::make_mut(&mut self.st.sync).get_mut(key)
    }

    /// The running thread as an owner.
    pub(crate) fn me(&self) -> u32 {
        self.st.current as u32 + 1
    }

    /// A message about misuse; ends the path.
    pub(crate) fn misuse<T>(&mut self, message: impl Into<String>) -> Res<T> {
        self.finding(FindingKind::Deadlock, message)
    }

    /// One of `n` things happens, and the program has no say in which: an input of the environment.
    pub(crate) fn nature_chooses(&mut self, n: usize, what: &str) -> Res<usize> {
        if n <= 1 {
            return Ok(0);
        }
        let value = self.peek_input(1);
        let mut conds = Vec::with_capacity(n);
        let term = ops::to_term(&mut self.m.pool, value, 8);
        for i in 0..n - 1 {
            let constant = self.m.pool.bv(8, i as u64);
            conds.push(self.m.pool.eq(term, constant));
        }
        let any = self.m.pool.or_all(&conds);
        conds.push(self.m.pool.not(any));
        let chosen = self.choose(&conds)?;
        self.consume_input(what.into(), InputType::Unsigned("unsigned char"), 1, InputKind::Environment);
        self.st.thread_mut().n_natural += 1;
        Ok(chosen)
    }

    /// Whether a pointer argument is null.
    pub(crate) fn is_null(&mut self, ptr: Value) -> Res<bool> {
        if let Some(is_null) = self.input_is_null(ptr)? {
            return Ok(is_null);
        }
        let bits = self.ptr_bits();
        let null = ops::cmp(&mut self.m.pool, CmpOp::Eq, bits, ptr, Value::Int(0));
        self.decide(null)
    }

    /// A small number kept in an attribute object, if there is one.
    pub(crate) fn attribute(&mut self, attr: Value, field: u64) -> Res<u64> {
        if self.is_null(attr)? {
            return Ok(0);
        }
        let bits = self.ptr_bits();
        let at = ops::bin(&mut self.m.pool, selvedge_program::BinOp::Add, bits, attr, Value::Int(field));
        let value = self.load(at, Ty::Int(8))?;
        self.concretise(value, 8, 16, "an attribute")
    }
}
