//! Copying and filling ranges of bytes.
//!
//! A range of known length is moved at once, with the provenance of the pointers in it; a symbolic length
//! is left to a loop of the C run-time.

use selvedge_por::Mode;
use selvedge_program::{CastOp, Ty};

use super::Step;
use super::resolve::Offset;
use crate::finding::{FindingKind, Res};
use crate::ops;
use crate::relative::AccessKind;
use crate::value::Value;

impl Step<'_, '_> {
    pub(crate) fn mem_copy(&mut self, to: Value, from: Value, len: Value, overlap: bool) -> Res<()> {
        let bits = self.ptr_bits();
        let len = self.settle(len, bits)?;
        let Some(len) = ops::concrete(len) else {
            let name = if overlap { "__selvedge_memmove_loop" } else { "__selvedge_memcpy_loop" };
            return self.call_runtime(name, &[to, from, len]);
        };
        if len > 0 {
            self.copy_range(to, from, len, overlap)?;
        }
        self.next()
    }

    /// Copies `len > 0` bytes.
    pub(crate) fn copy_bytes(&mut self, to: Value, from: Value, len: u64) -> Res<()> {
        self.copy_range(to, from, len, true)
    }

    /// Copies `len > 0` bytes between two places that may overlap if `overlap`.
    pub(crate) fn copy_range(&mut self, to: Value, from: Value, len: u64, overlap: bool) -> Res<()> {
        let bits = self.ptr_bits();
        let (src, src_off) = self.resolve(from, len, false)?;
        let (dst, dst_off) = self.resolve(to, len, true)?;
        let src_off = self.concrete_offset(src_off, bits)?;
        let dst_off = self.concrete_offset(dst_off, bits)?;
        self.touch(src, Offset::At(src_off), len, Mode::Read)?;
        self.touch(dst, Offset::At(dst_off), len, Mode::Write)?;
        let mut cx = self.m.symbols();
        let part = self.st.mem.get(src).expect("resolved").content.slice(&mut cx, src_off, len);
        if !overlap && src == dst && src_off != dst_off && src_off.abs_diff(dst_off) < len {
            return self.finding(FindingKind::Misuse, "memcpy between places that overlap");
        }
        self.note_event(src, src_off, len, AccessKind::Read);
        self.note_event(dst, dst_off, len, AccessKind::Write);
        if self.m.recorder.is_some() {
            self.record_copy(dst, dst_off, len);
        }
        self.share_copied(dst, &part);
        self.has_changed(dst);
        let target = self.st.mem.get_mut(dst).expect("resolved");
        let mut cx = self.m.symbols();
        target.content.copy_from(&mut cx, dst_off, &part, 0, len);
        Ok(())
    }

    pub(crate) fn mem_set(&mut self, to: Value, byte: Value, len: Value) -> Res<()> {
        let bits = self.ptr_bits();
        let len = self.settle(len, bits)?;
        let Some(len) = ops::concrete(len) else {
            let byte = ops::cast(
                &mut self.m.pool,
                CastOp::ZExt,
                Ty::Int(8),
                Ty::Int(32),
                self.m.image.program.target.ptr_bits,
                byte,
            );
            return self.call_runtime("__selvedge_memset_loop", &[to, byte, len]);
        };
        if len > 0 {
            let (obj, off) = self.resolve(to, len, true)?;
            let off = self.concrete_offset(off, bits)?;
            self.touch(obj, Offset::At(off), len, Mode::Write)?;
            self.has_changed(obj);
            self.note_event(obj, off, len, AccessKind::Write);
            if self.m.recorder.is_some() {
                self.record_copy(obj, off, len);
            }
            match byte {
                Value::Int(b) => {
                    let object = self.st.mem.get_mut(obj).expect("resolved");
                    let mut cx = self.m.symbols();
                    object.content.fill(&mut cx, off, len, b as u8);
                }
                symbolic => {
                    for i in 0..len {
                        self.write_at(obj, off + i, 1, symbolic);
                    }
                }
            }
        }
        self.next()
    }
}
