//! Variable arguments.
//!
//! The arguments are laid out in one object as the target's calling convention would on the stack;
//! `va_start` makes the list say that no register arguments are left, so clang's own expansion of
//! `va_arg` reads from there. What is read must be of the kind that was passed: real targets pass integers and
//! floating-point numbers in places of their own.

use selvedge_por::Mode;
use selvedge_program::{FloatKind, Operand, Reg, Ty};

use super::Step;
use crate::finding::{FindingKind, Res, unsupported};
use crate::memory::{Content, NewObject, Origin, Passed};
use crate::ops;
use crate::value::{ObjId, Value};

/// Alignment of an argument of type `ty` in the area of variable arguments.
pub(crate) fn vararg_align(ty: Ty, ptr_bits: u32) -> u64 {
    match ty {
        Ty::Float(FloatKind::X87 | FloatKind::Quad) | Ty::Int(65..) if ptr_bits == 64 => 16,
        _ => u64::from(ptr_bits / 8),
    }
}

impl Step<'_, '_> {
    pub(super) fn va_start(&mut self, list: Operand) -> Res<()> {
        let list = self.get(list);
        let bits = self.ptr_bits();
        let slot = u64::from(bits / 8);
        let varargs = self.st.frame().varargs.clone();
        let list_size = if bits == 64 { 24 } else { 4 };
        let list = self.concrete_place(list, list_size, true)?;
        self.touch_at(list, list_size, Mode::Write)?;
        // First pass: where each argument goes.
        let mut places = Vec::with_capacity(varargs.len());
        let mut top = 0u64;
        for (_, ty, byval) in varargs.iter() {
            let size = byval.unwrap_or(ty.store_size(bits));
            top = top.next_multiple_of(vararg_align(*ty, bits));
            places.push((top, size));
            top = (top + size).next_multiple_of(slot);
        }
        let passed = varargs.iter().zip(&places);
        let passed =
            passed.map(|((_, ty, byval), (at, _))| Passed { at: *at, ty: byval.is_none().then_some(*ty) });
        let origin = Origin::Arguments(passed.collect());
        // Not on the stack: leaving the scope of a variable-length array must not free it.
        let site = self.st.loc(self.m.image.program);
        let new = NewObject { size: top, align: 16, site, origin };
        let thread = self.st.current as u32;
        let Some((obj, base)) = self.st.mem.alloc_heap(thread, new, |_| Content::zeroed(top)) else {
            return unsupported("the heap is full");
        };
        for ((value, _, byval), (off, size)) in varargs.iter().zip(places) {
            if byval.is_some() {
                self.copy_at_once(Value::Ptr { obj, addr: base + off }, *value, size)?;
            } else {
                self.write_at(obj, off, size, *value);
            }
        }
        let area = Value::Ptr { obj, addr: base };
        if bits == 64 {
            // struct { unsigned gp_offset, fp_offset; void *overflow_arg_area, *reg_save_area; }
            self.store(list, Ty::Int(32), Value::Int(48))?;
            let field = |step: &mut Self, off| {
                ops::bin(&mut step.m.pool, selvedge_program::BinOp::Add, 64, list, Value::Int(off))
            };
            let fp = field(self, 4);
            self.store(fp, Ty::Int(32), Value::Int(176))?;
            let overflow = field(self, 8);
            self.store(overflow, Ty::Ptr, area)?;
            let save = field(self, 16);
            self.store(save, Ty::Ptr, Value::Int(0))?;
        } else {
            self.store(list, Ty::Ptr, area)?;
        }
        self.next()
    }

    /// Checks what is read of variable arguments, if `obj` holds some.
    pub(super) fn reads_argument(&mut self, obj: ObjId, off: u64, ty: Ty) -> Res<()> {
        let Some(Origin::Arguments(passed)) = self.st.mem.get(obj).map(|o| &o.origin) else { return Ok(()) };
        match passed.iter().find(|passed| passed.at == off).and_then(|passed| passed.ty) {
            Some(passed) => self.check_argument(passed, ty),
            None => Ok(()),
        }
    }

    /// A variable argument that was passed as a value of one type is read as one of another.
    pub(crate) fn check_argument(&mut self, passed: Ty, read: Ty) -> Res<()> {
        match (passed, read) {
            (Ty::Float(passed), Ty::Float(read)) if passed == read => Ok(()),
            (Ty::Float(_), _) | (_, Ty::Float(_)) => self.finding(
                FindingKind::Misuse,
                format!("a variable argument of type {passed} is read as {read}"),
            ),
            _ => {
                if read.bits(self.ptr_bits()) > passed.bits(self.ptr_bits()) {
                    self.assumed("library.narrow-argument");
                }
                Ok(())
            }
        }
    }

    pub(super) fn va_copy(&mut self, to: Operand, from: Operand) -> Res<()> {
        let (to, from) = (self.get(to), self.get(from));
        let size = if self.ptr_bits() == 64 { 24 } else { 4 };
        self.copy_at_once(to, from, size)?;
        self.next()
    }

    /// LLVM's own `va_arg`: the list's stack area, advanced by one slot.
    pub(super) fn va_arg(&mut self, dst: Reg, ty: Ty, list: Operand) -> Res<()> {
        let list = self.get(list);
        let bits = self.ptr_bits();
        let at = if bits == 64 {
            ops::bin(&mut self.m.pool, selvedge_program::BinOp::Add, 64, list, Value::Int(8))
        } else {
            list
        };
        let area = self.load(at, Ty::Ptr)?;
        let area = self.settle_pointer(area)?;
        if ops::concrete(area).is_none() {
            return unsupported("a symbolic argument list");
        }
        if area == Value::Int(0) {
            return self.finding(FindingKind::Misuse, "va_arg on a list that was not started");
        }
        let value = self.load(area, ty)?;
        let step = ty.store_size(bits).next_multiple_of(u64::from(bits / 8));
        let advanced = ops::bin(&mut self.m.pool, selvedge_program::BinOp::Add, bits, area, Value::Int(step));
        self.store(at, Ty::Ptr, advanced)?;
        self.finish(dst, value)
    }
}
