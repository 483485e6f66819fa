//! Questions about pointers that other verifiers answer: `__CPROVER_r_ok`, `__ESBMC_same_object` and relatives; and the
//! run-time's, whether a buffer has room for all that a call may write.
//!
//! Guarantee: an answer is about the object that the pointer was derived from, as theirs is. What has no such object is
//! not accessible, and has no size; what only the layout of memory could answer is unsupported.

use selvedge_program::CmpOp;

use super::Model;
use crate::finding::{Bound, FindingKind, PathEnd, Res, end, unsupported};
use crate::memory::{Origin, Status};
use crate::ops;
use crate::step::{MAX_FORKS, Offset, Step};
use crate::value::{ObjId, Region, Value};
use selvedge_library::Pointers;

pub(super) fn model(function: Pointers) -> Model {
    match function {
        Pointers::Readable => |s, _, _, v| s.is_accessible(v[0], v[1], false),
        Pointers::Writable => |s, _, _, v| s.is_accessible(v[0], v[1], true),
        Pointers::ObjectSize => |s, _, _, v| match s.object_of(v[0])? {
            Some((obj, _)) => {
                let size = s.st.mem.get(obj).map_or(0, |object| object.size);
                s.returns(Value::Int(size))
            }
            None => s.returns(Value::Int(0)),
        },
        Pointers::Offset => |s, _, _, v| match s.object_of(v[0])? {
            Some((obj, addr)) => {
                let base = s.base_of(obj)?;
                let bits = s.ptr_bits();
                let offset =
                    ops::bin(&mut s.m.pool, selvedge_program::BinOp::Sub, bits, addr, Value::Int(base));
                s.returns(offset)
            }
            None => s.returns(Value::Int(0)),
        },
        // Any number will do that no other object has.
        Pointers::Object => |s, _, _, v| match s.object_of(v[0])? {
            Some((obj, _)) => {
                let base = s.base_of(obj)?;
                s.returns(Value::Int(base))
            }
            None => s.returns(Value::Int(0)),
        },
        Pointers::SameObject => |s, _, _, v| {
            let (a, b) = (s.object_of(v[0])?, s.object_of(v[1])?);
            s.returns(Value::bool(a.map(|(obj, _)| obj) == b.map(|(obj, _)| obj)))
        },
        Pointers::IsDynamic => |s, _, _, v| {
            let object = s.object_of(v[0])?.and_then(|(obj, _)| s.st.mem.get(obj));
            let is_dynamic = object.is_some_and(|object| matches!(object.origin, Origin::Call(_)));
            s.returns(Value::bool(is_dynamic))
        },
        Pointers::MustFit => |s, _, _, v| s.must_fit(v[0], v[1]),
        Pointers::Room => |s, _, _, v| {
            let (_, room) = s.room(v[0])?;
            s.returns(room)
        },
    }
}

impl Step<'_, '_> {
    /// The object that a pointer belongs to, and its address; `None` for a null pointer.
    fn object_of(&mut self, ptr: Value) -> Res<Option<(ObjId, Value)>> {
        let bits = self.ptr_bits();
        let (obj, addr) = match self.settle_pointer(ptr)? {
            Value::Ptr { obj, addr } => (obj, Value::Int(addr)),
            Value::SymPtr { obj, addr } => (obj, Value::Term(addr)),
            Value::Int(0) => return Ok(None),
            Value::Int(addr) => {
                return unsupported(format!(
                    "a question about the pointer {addr:#x}, which points to no object"
                ));
            }
            Value::Term(_) => {
                let addr = self.concretise(ptr, bits, MAX_FORKS, "a pointer")?;
                return self.object_of(Value::Int(addr));
            }
        };
        if self.st.is_concurrent && self.st.is_exposed(obj) {
            return unsupported("a question about an object that other threads know");
        }
        Ok(Some((obj, addr)))
    }

    fn base_of(&mut self, obj: ObjId) -> Res<u64> {
        match self.st.mem.get(obj) {
            Some(object) => Ok(object.base),
            None => unsupported("a question about a pointer to an object that is no more"),
        }
    }

    /// Whether `size` bytes can be read, or written, at `ptr`.
    fn is_accessible(&mut self, ptr: Value, size: Value, write: bool) -> Res<()> {
        let Some((obj, addr)) = self.object_of(ptr)? else { return self.returns(Value::Int(0)) };
        let (base, room) = match self.st.mem.get(obj) {
            Some(object) if object.status == Status::Live && obj.region() != Region::Function => {
                if write && !object.writable {
                    return self.returns(Value::Int(0));
                }
                (object.base, object.size)
            }
            Some(object) if matches!(object.status, Status::External | Status::TooLarge) => {
                return unsupported(format!("a question about {}", object.origin.describe()));
            }
            _ => return self.returns(Value::Int(0)),
        };
        let (bits, pool) = (self.ptr_bits(), &mut self.m.pool);
        let (sub, and) = (selvedge_program::BinOp::Sub, selvedge_program::BinOp::And);
        let offset = ops::bin(pool, sub, bits, addr, Value::Int(base));
        let left = ops::bin(pool, sub, bits, Value::Int(room), offset);
        let begins = ops::cmp(pool, CmpOp::Ule, bits, offset, Value::Int(room));
        let ends = ops::cmp(pool, CmpOp::Ule, bits, size, left);
        let both = ops::bin(pool, and, 1, begins, ends);
        self.returns(both)
    }

    /// The object that can be written at `to`, and how many bytes there are from there to its end.
    fn room(&mut self, to: Value) -> Res<(ObjId, Value)> {
        let (obj, off) = self.resolve(to, 1, true)?;
        self.touch_life(obj, off)?;
        let size = Value::Int(self.st.mem.get(obj).expect("resolved").size);
        let off = match off {
            Offset::At(off) => Value::Int(off),
            Offset::Sym(off) => Value::Term(off),
        };
        let bits = self.ptr_bits();
        Ok((obj, ops::bin(&mut self.m.pool, selvedge_program::BinOp::Sub, bits, size, off)))
    }

    /// Fails unless `size` bytes can be written at `to`, whether or not they will be.
    fn must_fit(&mut self, to: Value, size: Value) -> Res<()> {
        let bits = self.ptr_bits();
        let nothing = ops::cmp(&mut self.m.pool, CmpOp::Eq, bits, size, Value::Int(0));
        if self.decide(nothing)? {
            return self.returns_nothing();
        }
        let (obj, room) = self.room(to)?;
        let is_too_small = ops::cmp(&mut self.m.pool, CmpOp::Ult, bits, room, size);
        if !self.decide(is_too_small)? {
            return self.returns_nothing();
        }
        let object = self.st.mem.get(obj).expect("resolved");
        if matches!(object.origin, Origin::Outside { .. }) {
            return end(PathEnd::Bound(Bound::Outside));
        }
        let (name, made) =
            (object.origin.describe(), (format!("{} here", object.origin.made()), object.site));
        let asked = ops::concrete(size).map_or_else(|| "more bytes".to_owned(), |n| format!("{n} bytes"));
        let room = ops::concrete(room).map_or_else(|| "fewer".to_owned(), |n| n.to_string());
        let message = format!("the call may write {asked} into {name}, which has room for {room}");
        self.finding_at(FindingKind::Memory, message, &[(&made.0, made.1)])
    }
}
