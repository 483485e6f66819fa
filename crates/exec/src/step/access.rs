//! Reads and writes of scalars, and the life of stack objects.
//!
//! Relies on `resolve` to find the object and check the access, and on `symbolic` for offsets that are not known.

use selvedge_por::Mode;
use selvedge_program::{CastOp, Operand, Reg, Ty, TypeId};

use super::Step;
use super::resolve::{MAX_FORKS, Offset};
use crate::finding::{Res, unsupported};
use crate::memory::{Content, MAX_OBJECT, NewObject, Origin};
use crate::ops;
use crate::relative::read_state;
use crate::source::Source;
use crate::value::{ObjId, Value};

/// Bytes that every real stack has room for.
const AMPLE_STACK: u64 = 1 << 20;

impl Step<'_, '_> {
    /// Reads a scalar.
    pub(crate) fn load(&mut self, ptr: Value, ty: Ty) -> Res<Value> {
        let bits = ty.bits(self.ptr_bits());
        let size = u64::from(bits.div_ceil(8));
        let (obj, off) = self.resolve_scalar(ptr, size, false)?;
        self.touch(obj, off, size, Mode::Read)?;
        self.is_one_step(obj, size);
        let value = match off {
            Offset::At(off) => {
                self.reads_beside_locks(obj, off, size)?;
                self.reads_argument(obj, off, ty)?;
                let value = self.read_at(obj, off, size);
                if self.m.recorder.is_some() {
                    self.record_read(obj, off, size, value);
                }
                value
            }
            Offset::Sym(off) => self.read_symbolic(obj, off, size)?,
        };
        if matches!(ty, Ty::Int(_)) {
            self.shows_bits(value);
        }
        if !bits.is_multiple_of(8) {
            let wide = Ty::Int((size * 8) as u32);
            let ptr_bits = self.ptr_bits();
            return Ok(ops::cast(&mut self.m.pool, CastOp::Trunc, wide, Ty::Int(bits), ptr_bits, value));
        }
        Ok(value)
    }

    /// A scalar that a processor may read or write in parts is one here.
    #[inline]
    fn is_one_step(&mut self, obj: ObjId, size: u64) {
        if size > u64::from(self.ptr_bits() / 8) && self.is_visible(obj) {
            self.assumed("threads.wide-scalars");
        }
    }

    /// Reads bytes of a live object, and warns if they were never written.
    pub(crate) fn read_at(&mut self, obj: ObjId, off: u64, size: u64) -> Value {
        let uninit = |s: Source| matches!(s, Source::Uninit { .. });
        let content = &self.st.mem.get(obj).expect("resolved").content;
        if let Some(value) = content.peek(off, size) {
            return value;
        }
        if content.has_lazy(off, size, uninit) && !self.is_part_of_store() {
            self.m.uninitialised_read(self.st);
        }
        self.read_old(obj, off, size)
    }

    fn is_part_of_store(&self) -> bool {
        let frame = self.st.frame();
        self.m.image.program.funcs[frame.func].blocks[frame.block].is_store_to_bit_field(frame.idx)
    }

    /// Reads bytes of a live object which the program itself may not look at: those that an update leaves as they are.
    /// A read that changes nothing does not unshare the object.
    pub(super) fn read_old(&mut self, obj: ObjId, off: u64, size: u64) -> Value {
        let object = self.st.mem.get(obj).expect("resolved");
        if let Some(value) = object.content.peek(off, size) {
            return value;
        }
        let object = self.st.mem.get_mut(obj).expect("resolved");
        let mut cx = self.m.symbols();
        object.content.read(&mut cx, off, size)
    }

    /// Writes a scalar.
    pub(crate) fn store(&mut self, ptr: Value, ty: Ty, value: Value) -> Res<()> {
        let bits = ty.bits(self.ptr_bits());
        let size = u64::from(bits.div_ceil(8));
        let (obj, off) = self.resolve_scalar(ptr, size, true)?;
        self.touch(obj, off, size, Mode::Write)?;
        self.is_one_step(obj, size);
        let value = if bits.is_multiple_of(8) {
            value
        } else {
            let wide = Ty::Int((size * 8) as u32);
            let ptr_bits = self.ptr_bits();
            ops::cast(&mut self.m.pool, CastOp::ZExt, Ty::Int(bits), wide, ptr_bits, value)
        };
        match off {
            Offset::At(off) => {
                let is_over = self.writes_over(obj, off, size)?;
                self.write_at(obj, off, size, value);
                if is_over {
                    self.wrote_over(obj, off, size);
                }
            }
            Offset::Sym(off) => {
                self.writes_beside_locks(obj, off, size)?;
                self.write_symbolic(obj, off, size, value)?;
            }
        }
        Ok(())
    }

    /// Writes bytes of a live object.
    pub(crate) fn write_at(&mut self, obj: ObjId, off: u64, size: u64, value: Value) {
        if self.m.recorder.is_some() {
            self.record_write(obj, off, size, value);
        }
        if self.st.is_concurrent {
            self.share_if_escaping(obj, value);
        }
        self.changes(obj, off, size, value);
        let object = self.st.mem.get_mut(obj).expect("resolved");
        let mut cx = self.m.symbols();
        object.content.write(&mut cx, off, size, value);
    }

    /// Tells the watch over loops about a write that is not silent.
    fn changes(&mut self, obj: ObjId, off: u64, size: u64, value: Value) {
        if !self.is_watched() {
            return;
        }
        let mut cx = self.m.symbols();
        let old = self.st.mem.get(obj).and_then(|object| read_state(&mut cx, &object.content, off, size));
        let is_same = old.is_some_and(|old| old == value || self.oracle.are_same(&mut cx, &[(old, value)]));
        if !is_same {
            self.has_changed(obj);
        }
    }

    pub(super) fn alloca(
        &mut self,
        dst: Reg,
        size: u64,
        count: Operand,
        align: u64,
        name: Option<&str>,
        var_ty: Option<TypeId>,
    ) -> Res<()> {
        let bits = self.ptr_bits();
        let count = self.get(count);
        let count = self.concretise(count, bits, MAX_FORKS, "the length of a local array")?;
        let size = size.checked_mul(count).filter(|&s| s <= MAX_OBJECT);
        let Some(size) = size else { return unsupported("a local array is too large") };
        let origin = match name {
            Some(name) => Origin::Variable { name: name.into(), ty: var_ty },
            None => Origin::Engine("a temporary".into()),
        };
        let (id, base) = self.new_stack_object(size, align, origin, true)?;
        self.finish(dst, Value::Ptr { obj: id, addr: base })
    }

    /// A fresh stack object, uninitialised or zero.
    pub(crate) fn new_stack_object(
        &mut self,
        size: u64,
        align: u64,
        origin: Origin,
        uninit: bool,
    ) -> Res<(ObjId, u64)> {
        let site = self.st.loc(self.m.image.program);
        let thread = self.st.current as u32;
        let new = NewObject { size, align, site, origin };
        let made = self.st.mem.alloc_stack(thread, new, |obj| {
            let unwritten = Source::Uninit { obj, other: false };
            if uninit { Content::lazy(size, unwritten) } else { Content::zeroed(size) }
        });
        match made {
            Some(made) => {
                if self.st.mem.stack_use(thread) > AMPLE_STACK {
                    self.assumed("world.stack-suffices");
                }
                self.note_maker(made.0);
                Ok(made)
            }
            None => unsupported("the stack is full"),
        }
    }
}
