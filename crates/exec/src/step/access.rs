//! Memory accesses: from a pointer value to an object and an offset, and what is read or written there.
//!
//! A pointer that remembers its object needs no search. A symbolic offset that can reach few places is
//! read as a selection between them; one that can reach many is split by forking over its values. A
//! symbolic address without an object is resolved by asking the solver for an address it can have,
//! until all objects it can point to have their own path.

use selvedge_program::{CastOp, CmpOp, Operand, Reg, Ty, TypeId};
use selvedge_term::TermId;

use super::Step;
use crate::finding::{FindingKind, Res, unsupported};
use crate::memory::{Content, MAX_OBJECT, NULL_PAGE, NewObject, Origin, Status};
use crate::ops;
use crate::relative::{AccessKind, Event};
use crate::source::Source;
use crate::value::{ObjId, Value, truncate};

/// Places a symbolic read selects from before it forks instead.
const MAX_READ_PLACES: u64 = 1024;
/// Cells a symbolic write updates before it forks instead.
const MAX_WRITE_PLACES: u64 = 256;
/// Values of an offset, address or size to fork over before giving up.
pub(crate) const MAX_FORKS: usize = 4096;

/// An offset in an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Offset {
    /// Known.
    At(u64),
    /// Symbolic, in bounds.
    Sym(TermId),
}

/// `1 byte`, `4 bytes`.
fn count(bytes: u64) -> String {
    if bytes == 1 { "1 byte".to_string() } else { format!("{bytes} bytes") }
}

impl Step<'_, '_> {
    /// The object and offset of an access of `size` bytes through `ptr`, checked to be valid.
    pub(crate) fn resolve(&mut self, ptr: Value, size: u64, write: bool) -> Res<(ObjId, Offset)> {
        let bits = self.ptr_bits();
        match self.settle(ptr, bits)? {
            Value::Ptr { obj, addr } => {
                let (base, room) = self.check_object(obj, size, write)?;
                let off = truncate(addr.wrapping_sub(base), self.ptr_bits());
                if off > room || room - off < size {
                    return self.out_of_bounds(obj, Some(off), size, write);
                }
                Ok((obj, Offset::At(off)))
            }
            Value::SymPtr { obj, addr } => self.resolve_symbolic_offset(obj, addr, size, write),
            Value::Int(addr) => match self.find_object(addr) {
                Some(obj) => self.resolve(Value::Ptr { obj, addr }, size, write),
                None => self.invalid_address(addr, size, write),
            },
            Value::Term(addr) => {
                let obj = self.resolve_address(addr, size, write)?;
                self.resolve_symbolic_offset(obj, addr, size, write)
            }
        }
    }

    /// Fixes a value that is concrete in the actual state, when a relative effect is being computed. Wherever
    /// the executor looks at *whether* a value is concrete, it must look at the settled value, or the second
    /// run would take another way than the first.
    pub(crate) fn settle(&mut self, value: Value, width: u32) -> Res<Value> {
        let (obj, term) = match value {
            Value::Int(_) | Value::Ptr { .. } => return Ok(value),
            Value::SymPtr { obj, addr } => (Some(obj), addr),
            Value::Term(term) => (None, term),
        };
        if self.m.pool.width(term) > 64 {
            return Ok(value);
        }
        let Some(actual) = self.oracle.pin(&mut self.m.symbols(), term) else { return Ok(value) };
        let constant = self.m.pool.bv(width, actual);
        let equal = self.m.pool.eq(term, constant);
        let differs = self.m.pool.not(equal);
        self.choose(&[equal, differs])?;
        Ok(obj.map_or(Value::Int(actual), |obj| Value::Ptr { obj, addr: actual }))
    }

    /// As [`settle`](Self::settle), and finds the object of a known address.
    pub(crate) fn settle_pointer(&mut self, ptr: Value) -> Res<Value> {
        let bits = self.ptr_bits();
        Ok(match self.settle(ptr, bits)? {
            Value::Int(addr) => {
                self.find_object(addr).map_or(Value::Int(addr), |obj| Value::Ptr { obj, addr })
            }
            other => other,
        })
    }

    fn find_object(&self, addr: u64) -> Option<ObjId> {
        let n = self.m.image.program.funcs.len();
        match self.m.image.space.function_at(addr, n) {
            Some(f) => Some(ObjId::function(f)),
            None => self.st.mem.find(addr),
        }
    }

    /// Base address and size of an object that may be accessed.
    fn check_object(&mut self, obj: ObjId, size: u64, write: bool) -> Res<(u64, u64)> {
        let verb = if write { "write" } else { "read" };
        let Some(object) = self.st.mem.get(obj) else {
            if obj.region() == crate::value::Region::Function {
                return self
                    .finding(FindingKind::Memory, format!("{verb} of {} of a function's code", count(size)));
            }
            return self.finding(
                FindingKind::Memory,
                format!("{verb} of {} of a local variable whose function has returned", count(size)),
            );
        };
        match object.status {
            Status::Live if write && !object.writable => {
                let name = object.origin.describe();
                self.finding(FindingKind::Memory, format!("write to {name}, which is constant"))
            }
            Status::Live => Ok((object.base, object.size)),
            Status::External => {
                let name = object.origin.describe();
                unsupported(format!("access to {name}, which is declared but defined nowhere"))
            }
            Status::Freed(at) => {
                let message =
                    format!("{verb} of {} of {} after it was freed", count(size), object.origin.describe());
                let notes = vec![self.m.note_at("freed", at), self.m.note_at("allocated", object.site)];
                self.finding_with(FindingKind::Memory, message, notes)
            }
            Status::TooLarge => {
                let (name, bytes) = (object.origin.describe(), object.size);
                unsupported(format!("{name} of {bytes} bytes is too large to be modelled"))
            }
            Status::OutOfScope => {
                let message = format!(
                    "{verb} of {} of {} after its scope ended",
                    count(size),
                    object.origin.describe()
                );
                self.finding(FindingKind::Memory, message)
            }
        }
    }

    fn resolve_symbolic_offset(
        &mut self,
        obj: ObjId,
        addr: TermId,
        size: u64,
        write: bool,
    ) -> Res<(ObjId, Offset)> {
        let (base, room) = self.check_object(obj, size, write)?;
        let bits = self.ptr_bits();
        if size > room {
            return self.out_of_bounds(obj, None, size, write);
        }
        let base = self.m.pool.bv(bits, base);
        let off = self.m.pool.sub(addr, base);
        let last = Value::Int(room - size);
        let fits = ops::cmp(&mut self.m.pool, CmpOp::Ule, bits, Value::Term(off), last);
        if !self.decide(fits)? {
            return self.out_of_bounds(obj, None, size, write);
        }
        Ok(match self.m.pool.as_u64(off) {
            Some(off) => (obj, Offset::At(off)),
            None => (obj, Offset::Sym(off)),
        })
    }

    /// Forks until the address lies in one object.
    fn resolve_address(&mut self, addr: TermId, size: u64, write: bool) -> Res<ObjId> {
        let bits = self.ptr_bits();
        for _ in 0..MAX_FORKS {
            let example = self.witness(addr)?;
            let object = self.find_object(example).and_then(|o| self.st.mem.get(o));
            match object.filter(|o| o.size >= size && example - o.base <= o.size - size) {
                Some(object) => {
                    let (id, base, room) = (object.id, object.base, object.size - size);
                    let inside = self.in_range(addr, base, room);
                    let outside = self.m.pool.not(inside);
                    if self.choose(&[inside, outside])? == 0 {
                        return Ok(id);
                    }
                }
                None => {
                    // Either the address lies in no object at all, which is a finding, or it lies in one.
                    let ranges: Vec<(u64, u64)> = self
                        .st
                        .mem
                        .objects()
                        .filter(|o| o.status == Status::Live && o.size >= size)
                        .map(|o| (o.base, o.size - size))
                        .collect();
                    let inside: Vec<TermId> =
                        ranges.into_iter().map(|(base, room)| self.in_range(addr, base, room)).collect();
                    let valid = self.m.pool.or_all(&inside);
                    let invalid = self.m.pool.not(valid);
                    if self.choose(&[valid, invalid])? == 1 {
                        let example = self.witness(addr)?;
                        return self.invalid_address(truncate(example, bits), size, write);
                    }
                }
            }
        }
        unsupported(format!("a symbolic pointer can point to more than {MAX_FORKS} objects"))
    }

    fn in_range(&mut self, addr: TermId, base: u64, room: u64) -> TermId {
        let bits = self.ptr_bits();
        let base = self.m.pool.bv(bits, base);
        let room = self.m.pool.bv(bits, room);
        let off = self.m.pool.sub(addr, base);
        self.m.pool.ule(off, room)
    }

    fn invalid_address<T>(&mut self, addr: u64, size: u64, write: bool) -> Res<T> {
        let verb = if write { "write" } else { "read" };
        if addr < NULL_PAGE {
            return self.finding(
                FindingKind::Memory,
                if addr == 0 {
                    format!("{verb} of {} through a null pointer", count(size))
                } else {
                    format!("{verb} of {} at offset {addr} of a null pointer", count(size))
                },
            );
        }
        self.finding(
            FindingKind::Memory,
            format!("{verb} of {} at {addr:#x}, where no object is", count(size)),
        )
    }

    fn out_of_bounds<T>(&mut self, obj: ObjId, off: Option<u64>, size: u64, write: bool) -> Res<T> {
        let verb = if write { "write" } else { "read" };
        let object = self.st.mem.get(obj).expect("checked before");
        let (name, room, site) = (object.origin.describe(), object.size, object.site);
        let bits = self.ptr_bits();
        let place = match off {
            Some(off) if off >> (bits - 1) & 1 == 1 => {
                format!("{} before", count(truncate(off.wrapping_neg(), bits)))
            }
            Some(off) if off == room => "right after the end of".to_string(),
            Some(off) if off > room => format!("{} after the end of", count(off - room)),
            Some(off) => format!("at offset {off} of"),
            None => "outside".to_string(),
        };
        let notes = vec![self.m.note_at("allocated", site)];
        self.finding_with(
            FindingKind::Memory,
            format!("out-of-bounds {verb} of {} {place} {name} ({})", count(size), count(room)),
            notes,
        )
    }

    /// Offsets of `size` bytes that `off` may be, by its known bits and range.
    fn places(&mut self, obj: ObjId, off: TermId, size: u64) -> (u64, u64, u64) {
        let room = self.st.mem.get(obj).expect("resolved").size;
        let known = self.m.pool.known_bits(off);
        let step = 1u64 << (known.zeros | known.ones).trailing_ones().min(30);
        let first = known.ones & (step - 1);
        let (low, high) = self.m.pool.range(off);
        let low = if low <= first { first } else { first + (low - first).next_multiple_of(step) };
        let high = high.min(room - size);
        (low, high, step)
    }

    /// Reads a scalar.
    pub(crate) fn load(&mut self, ptr: Value, ty: Ty) -> Res<Value> {
        let bits = ty.bits(self.ptr_bits());
        let size = u64::from(bits.div_ceil(8));
        let (obj, off) = self.resolve(ptr, size, false)?;
        let value = match off {
            Offset::At(off) => self.read_at(obj, off, size),
            Offset::Sym(off) => self.read_symbolic(obj, off, size)?,
        };
        if !bits.is_multiple_of(8) {
            let wide = Ty::Int((size * 8) as u32);
            let ptr_bits = self.ptr_bits();
            return Ok(ops::cast(&mut self.m.pool, CastOp::Trunc, wide, Ty::Int(bits), ptr_bits, value));
        }
        Ok(value)
    }

    fn note_event(&mut self, obj: ObjId, off: u64, len: u64, kind: AccessKind) {
        if let Some(events) = &mut self.m.events {
            events.push(Event { thread: self.st.current as u32, obj, off, len, kind });
        }
    }

    /// Reads bytes of a live object. A read that changes nothing does not unshare the object.
    pub(crate) fn read_at(&mut self, obj: ObjId, off: u64, size: u64) -> Value {
        self.note_event(obj, off, size, AccessKind::Read);
        let uninit = |s: Source| matches!(s, Source::Uninit { .. });
        let object = self.st.mem.get(obj).expect("resolved");
        if let Some(value) = object.content.peek(off, size) {
            return value;
        }
        if object.content.has_lazy(off, size, uninit) {
            self.m.uninitialised_read(self.st);
        }
        let object = self.st.mem.get_mut(obj).expect("resolved");
        let mut cx = self.m.symbols();
        object.content.read(&mut cx, off, size)
    }

    fn read_symbolic(&mut self, obj: ObjId, off: TermId, size: u64) -> Res<Value> {
        let (low, high, step) = self.places(obj, off, size);
        let count = high.checked_sub(low).map_or(0, |d| d / step + 1);
        let bits = self.ptr_bits();
        if count > MAX_READ_PLACES || count == 0 {
            let off = self.concretise(Value::Term(off), bits, MAX_FORKS, "the offset of a read")?;
            return Ok(self.read_at(obj, off, size));
        }
        let width = (size * 8) as u32;
        let mut values: Vec<(u64, Value)> =
            (0..count).map(|i| low + i * step).map(|o| (o, self.read_at(obj, o, size))).collect();
        let object = self.choose_provenance(off, &mut values)?;
        let pool = &mut self.m.pool;
        let mut leaves: Vec<(u64, TermId)> =
            values.into_iter().map(|(o, v)| (o, ops::to_term(pool, v, width))).collect();
        // A balanced selection: halves are told apart by one comparison; equal halves need none.
        while leaves.len() > 1 {
            let mut merged = Vec::with_capacity(leaves.len().div_ceil(2));
            for pair in leaves.chunks(2) {
                merged.push(match *pair {
                    [(o, a), (p, b)] => {
                        let split = pool.bv(bits, p);
                        let below = pool.ult(off, split);
                        (o, pool.ite(below, a, b))
                    }
                    [single] => single,
                    _ => unreachable!("chunks of two"),
                });
            }
            leaves = merged;
        }
        let term = leaves[0].1;
        Ok(match object {
            Some(obj) => ops::pointer(pool, obj, term),
            None => ops::from_term(pool, term),
        })
    }

    /// Forks until all places that `off` can be hold pointers into one object, or none; the others are removed.
    ///
    /// A selection between pointers into different objects would forget which object each belongs to, and an
    /// access out of one could pass for an access to another.
    fn choose_provenance(&mut self, off: TermId, values: &mut Vec<(u64, Value)>) -> Res<Option<ObjId>> {
        let bits = self.ptr_bits();
        loop {
            let first = ops::provenance(values[0].1);
            let (same, other): (Vec<_>, Vec<_>) =
                values.iter().copied().partition(|(_, v)| ops::provenance(*v) == first);
            if other.is_empty() {
                return Ok(first);
            }
            let mut here = Vec::with_capacity(same.len());
            for &(place, _) in &same {
                let place = self.m.pool.bv(bits, place);
                here.push(self.m.pool.eq(off, place));
            }
            let here = self.m.pool.or_all(&here);
            let elsewhere = self.m.pool.not(here);
            *values = if self.choose(&[here, elsewhere])? == 0 { same } else { other };
        }
    }

    /// Writes a scalar.
    pub(crate) fn store(&mut self, ptr: Value, ty: Ty, value: Value) -> Res<()> {
        let bits = ty.bits(self.ptr_bits());
        let size = u64::from(bits.div_ceil(8));
        let (obj, off) = self.resolve(ptr, size, true)?;
        let value = if bits.is_multiple_of(8) {
            value
        } else {
            let wide = Ty::Int((size * 8) as u32);
            let ptr_bits = self.ptr_bits();
            ops::cast(&mut self.m.pool, CastOp::ZExt, Ty::Int(bits), wide, ptr_bits, value)
        };
        match off {
            Offset::At(off) => self.write_at(obj, off, size, value),
            Offset::Sym(off) => self.write_symbolic(obj, off, size, value)?,
        }
        Ok(())
    }

    /// Writes bytes of a live object.
    pub(crate) fn write_at(&mut self, obj: ObjId, off: u64, size: u64, value: Value) {
        self.note_event(obj, off, size, AccessKind::Write);
        if self.m.recorder.is_some() {
            self.record_write(obj, off, size, value);
        }
        let object = self.st.mem.get_mut(obj).expect("resolved");
        let mut cx = self.m.symbols();
        object.content.write(&mut cx, off, size, value);
    }

    fn write_symbolic(&mut self, obj: ObjId, off: TermId, size: u64, value: Value) -> Res<()> {
        let (low, high, step) = self.places(obj, off, size);
        let count = high.checked_sub(low).map_or(0, |d| d / step + 1);
        let bits = self.ptr_bits();
        // Overlapping places cannot be updated one by one.
        if count > MAX_WRITE_PLACES || count == 0 || step < size {
            let off = self.concretise(Value::Term(off), bits, MAX_FORKS, "the offset of a write")?;
            self.write_at(obj, off, size, value);
            return Ok(());
        }
        let width = (size * 8) as u32;
        let object = ops::provenance(value);
        let places: Vec<u64> = (0..count).map(|i| low + i * step).collect();
        let content = &self.st.mem.get(obj).expect("resolved").content;
        let is_mixed = |p: &u64| content.peek(*p, size).and_then(ops::provenance) != object;
        if places.iter().any(is_mixed) {
            // Pointers into different objects cannot be merged into one cell without forgetting which is which.
            let off = self.concretise(Value::Term(off), bits, MAX_FORKS, "the offset of a write")?;
            self.write_at(obj, off, size, value);
            return Ok(());
        }
        for place in places {
            let old = self.read_at(obj, place, size);
            let at = self.m.pool.bv(bits, place);
            let here = self.m.pool.eq(off, at);
            let (new_term, old_term) =
                (ops::to_term(&mut self.m.pool, value, width), ops::to_term(&mut self.m.pool, old, width));
            let merged = self.m.pool.ite(here, new_term, old_term);
            let merged = match object {
                Some(o) if ops::provenance(old) == Some(o) => ops::pointer(&self.m.pool, o, merged),
                _ => ops::from_term(&self.m.pool, merged),
            };
            self.write_at(obj, place, size, merged);
        }
        Ok(())
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
            if uninit { Content::lazy(size, Source::Uninit { obj, life: 0 }) } else { Content::zeroed(size) }
        });
        match made {
            Some(made) => Ok(made),
            None => unsupported("the stack is full"),
        }
    }

    pub(super) fn lifetime(&mut self, ptr: Operand, start: bool) -> Res<()> {
        let ptr = self.get(ptr);
        if let Value::Ptr { obj, .. } = self.settle_pointer(ptr)?
            && let Some(object) = self.st.mem.get_mut(obj)
        {
            if start {
                object.life += 1;
                object.status = Status::Live;
                object.content = Content::lazy(object.size, Source::Uninit { obj, life: object.life });
            } else {
                object.status = Status::OutOfScope;
                object.content = Content::default();
            }
        }
        self.next()
    }

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
        let mut cx = self.m.symbols();
        let part = self.st.mem.get(src).expect("resolved").content.slice(&mut cx, src_off, len);
        if !overlap && src == dst && src_off != dst_off && src_off.abs_diff(dst_off) < len {
            return self.finding(FindingKind::Memory, "memcpy between places that overlap");
        }
        self.note_event(src, src_off, len, AccessKind::Read);
        self.note_event(dst, dst_off, len, AccessKind::Write);
        if self.m.recorder.is_some() {
            self.record_copy(dst, dst_off, len);
        }
        let target = self.st.mem.get_mut(dst).expect("resolved");
        let mut cx = self.m.symbols();
        target.content.copy_from(&mut cx, dst_off, &part, 0, len);
        Ok(())
    }

    /// `ptr`, fixed to one valid place of `size` bytes; forks over the places it can be.
    pub(crate) fn concrete_place(&mut self, ptr: Value, size: u64, write: bool) -> Res<Value> {
        let bits = self.ptr_bits();
        let (obj, off) = self.resolve(ptr, size, write)?;
        let off = self.concrete_offset(off, bits)?;
        let base = self.st.mem.get(obj).expect("resolved").base;
        Ok(Value::Ptr { obj, addr: base + off })
    }

    fn concrete_offset(&mut self, off: Offset, bits: u32) -> Res<u64> {
        match off {
            Offset::At(off) => Ok(off),
            Offset::Sym(t) => self.concretise(Value::Term(t), bits, MAX_FORKS, "the offset of a copy"),
        }
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
