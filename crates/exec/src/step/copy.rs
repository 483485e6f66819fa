//! Copying and filling ranges of bytes.
//!
//! A range of known length is moved at once, with the provenance of the pointers in it, or word by word if other
//! threads can notice that (see `words`); a symbolic length is left to a loop of the C run-time, or split over its
//! values if others can notice the loop.
//!
//! What begins with `copy_` or `fill_` may need several steps: it says whether it has come to its end. If not, the
//! instruction must leave it at that, and runs again.

use selvedge_library::Written;
use selvedge_por::Mode;
use selvedge_program::{CastOp, CmpOp, Ty};

use super::Step;
use super::resolve::{MAX_FORKS, Offset};
use super::words::{Place, Range};
use crate::finding::{FindingKind, Res};
use crate::memory::Content;
use crate::ops;
use crate::value::{ObjId, Value};

impl Step<'_, '_> {
    pub(crate) fn mem_copy(&mut self, to: Value, from: Value, len: Value, overlap: bool) -> Res<()> {
        if self.m.image.has_own_copies {
            self.assumed("memory.own-copies");
        }
        match self.copy_length(to, Some(from), len)? {
            Some(len) => match self.copy_range(to, from, len, overlap)? {
                true => self.next(),
                false => Ok(()),
            },
            None => self.call_copy_loop(to, from, len, overlap),
        }
    }

    /// Copies a number of bytes that is not known.
    pub(crate) fn call_copy_loop(&mut self, to: Value, from: Value, len: Value, overlap: bool) -> Res<()> {
        let copy = if overlap { Written::MemmoveLoop } else { Written::MemcpyLoop };
        self.call_runtime(copy, &[to, from, len])
    }

    pub(crate) fn mem_set(&mut self, to: Value, byte: Value, len: Value) -> Res<()> {
        match self.copy_length(to, None, len)? {
            Some(len) => match self.fill_range(to, byte, len)? {
                true => self.next(),
                false => Ok(()),
            },
            None => {
                let bits = self.ptr_bits();
                let byte = ops::cast(&mut self.m.pool, CastOp::ZExt, Ty::Int(8), Ty::Int(32), bits, byte);
                self.call_runtime(Written::MemsetLoop, &[to, byte, len])
            }
        }
    }

    /// The number of bytes to be copied or filled, if it is known. Where others may see the copy half done, it is
    /// split over its values: a loop over bytes would not take the steps that a run with fixed inputs takes.
    pub(crate) fn copy_length(&mut self, to: Value, from: Option<Value>, len: Value) -> Res<Option<u64>> {
        if let Some(copying) = self.copying() {
            return Ok(Some(copying.range_len()));
        }
        let bits = self.ptr_bits();
        let len = self.settle(len, bits)?;
        let is_concurrent = self.st.is_concurrent && self.st.thread().atomic_depth == 0;
        let may_show = |ptr: &Value| ops::provenance(*ptr).is_none_or(|obj| self.st.is_exposed(obj));
        if ops::concrete(len).is_some() || !is_concurrent || ![Some(to), from].iter().flatten().any(may_show)
        {
            return Ok(ops::concrete(len));
        }
        // What does not fit is a finding, whatever its size; what fits has few sizes.
        let none = ops::cmp(&mut self.m.pool, CmpOp::Eq, bits, len, Value::Int(0));
        if self.decide(none)? {
            return Ok(Some(0));
        }
        for (ptr, write) in [(Some(to), true), (from, false)] {
            let Some(ptr) = ptr else { continue };
            let Value::Ptr { obj, addr } = self.concrete_place(ptr, 1, write)? else { continue };
            let object = self.st.mem.get(obj).expect("resolved");
            let room = Value::Int(object.base + object.size - addr);
            let outside = ops::cmp(&mut self.m.pool, CmpOp::Ult, bits, room, len);
            if self.decide(outside)? {
                let term = ops::to_term(&mut self.m.pool, len, bits);
                return Ok(Some(self.witness(term)?));
            }
        }
        self.concretise(len, bits, MAX_FORKS, "the length of a copy in shared memory").map(Some)
    }

    /// Copies `len` bytes between two places that may overlap if `overlap`.
    pub(crate) fn copy_range(&mut self, to: Value, from: Value, len: u64, overlap: bool) -> Res<bool> {
        if self.copying().is_some() {
            return self.go_on_copying(None);
        }
        if len == 0 {
            return Ok(true);
        }
        let (src, dst) = self.ends_of_copy(to, from, len)?;
        if !overlap && src.obj == dst.obj && src.addr != dst.addr && src.addr.abs_diff(dst.addr) < len {
            // Others may have to come first.
            self.touch_place(src, len, Mode::Read)?;
            return self.finding(FindingKind::Misuse, "memcpy between places that overlap");
        }
        let is_backward = overlap && src.obj == dst.obj && src.addr < dst.addr;
        let range = Range { to: dst, from: Some(src), len, is_backward };
        if self.is_torn(&range) {
            return self.begin_copy(vec![range], Vec::new(), None);
        }
        self.move_range(dst, src, len)?;
        Ok(true)
    }

    /// Copies `len` bytes in one step.
    pub(crate) fn copy_at_once(&mut self, to: Value, from: Value, len: u64) -> Res<()> {
        if len == 0 {
            return Ok(());
        }
        let (src, dst) = self.ends_of_copy(to, from, len)?;
        self.move_range(dst, src, len)
    }

    /// Source and destination, where `len > 0` bytes are valid.
    fn ends_of_copy(&mut self, to: Value, from: Value, len: u64) -> Res<(Place, Place)> {
        let bits = self.ptr_bits();
        let (src, src_off) = self.resolve(from, len, false)?;
        let (dst, dst_off) = self.resolve(to, len, true)?;
        let src_off = self.concrete_offset(src_off, bits)?;
        let dst_off = self.concrete_offset(dst_off, bits)?;
        Ok((self.place(src, src_off), self.place(dst, dst_off)))
    }

    fn place(&self, obj: ObjId, off: u64) -> Place {
        Place { obj, addr: self.st.mem.get(obj).expect("resolved").base + off }
    }

    fn touch_place(&mut self, place: Place, len: u64, mode: Mode) -> Res<u64> {
        let off = place.addr - self.st.mem.get(place.obj).expect("resolved").base;
        self.touch(place.obj, Offset::At(off), len, mode)?;
        Ok(off)
    }

    fn move_range(&mut self, dst: Place, src: Place, len: u64) -> Res<()> {
        let src_off = self.touch_place(src, len, Mode::Read)?;
        let dst_off = self.touch_place(dst, len, Mode::Write)?;
        let locks = self.locks_to_copy(src.obj, src_off, len)?;
        let is_over = self.writes_over(dst.obj, dst_off, len)?;
        let mut cx = self.m.symbols();
        let part = self.st.mem.get(src.obj).expect("resolved").content.slice(&mut cx, src_off, len);
        self.put_content(dst.obj, dst_off, &part);
        if is_over {
            self.wrote_over(dst.obj, dst_off, len);
        }
        self.copied_locks(dst.obj, dst_off, locks);
        Ok(())
    }

    /// Writes what was read elsewhere.
    pub(super) fn put_content(&mut self, obj: ObjId, off: u64, part: &Content) {
        let len = part.len();
        self.share_copied(obj, part);
        if self.is_watched() {
            let mut cx = self.m.symbols();
            let old = self.st.mem.get(obj).expect("resolved").content.slice(&mut cx, off, len);
            if old != *part {
                self.has_changed(obj);
            }
        }
        let mut cx = self.m.symbols();
        let target = self.st.mem.get_mut(obj).expect("resolved");
        target.content.copy_from(&mut cx, off, part, 0, len);
        if self.m.recorder.is_some() {
            self.record_copy(obj, off, len);
        }
    }

    /// Fills `len` bytes.
    pub(crate) fn fill_range(&mut self, to: Value, byte: Value, len: u64) -> Res<bool> {
        if self.copying().is_some() {
            return self.go_on_copying(Some(byte));
        }
        if len == 0 {
            return Ok(true);
        }
        let bits = self.ptr_bits();
        let (obj, off) = self.resolve(to, len, true)?;
        let off = self.concrete_offset(off, bits)?;
        let range = Range { to: self.place(obj, off), from: None, len, is_backward: false };
        if self.is_torn(&range) {
            return self.begin_copy(vec![range], Vec::new(), Some(byte));
        }
        self.touch(obj, Offset::At(off), len, Mode::Write)?;
        let is_over = self.writes_over(obj, off, len)?;
        self.put_bytes(obj, off, len, byte);
        if is_over {
            self.wrote_over(obj, off, len);
        }
        Ok(true)
    }

    pub(super) fn put_bytes(&mut self, obj: ObjId, off: u64, len: u64, byte: Value) {
        self.has_changed(obj);
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
        if self.m.recorder.is_some() {
            self.record_copy(obj, off, len);
        }
    }
}
