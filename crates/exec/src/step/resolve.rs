//! From a pointer value to an object and an offset.
//!
//! Guarantee: what is resolved is a live object with room for the access; everything else is a finding.
//! A pointer that remembers its object needs no search. A symbolic address without an object is resolved
//! by asking the solver for an address it can have, until all objects it can point to have their own path.

use selvedge_analysis::Part;
use selvedge_program::CmpOp;
use selvedge_term::TermId;

use super::Step;
use crate::finding::{Bound, FindingKind, PathEnd, Res, end, unsupported};
use crate::memory::{NULL_PAGE, Object, Origin, Status};
use crate::ops;
use crate::value::{ObjId, Value, truncate};

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

/// Where an object that may be accessed lies.
struct Extent {
    base: u64,
    size: u64,
    /// Whether it is a text that may be shorter.
    is_text: bool,
}

/// `1 byte`, `4 bytes`.
fn count(bytes: u64) -> String {
    if bytes == 1 { "1 byte".to_string() } else { format!("{bytes} bytes") }
}

/// Scalars of the largest object in which a relative effect may leave open which one is accessed.
const MAX_OPEN_PLACES: u64 = 64;

impl Step<'_, '_> {
    /// As [`resolve`](Self::resolve). In a relative effect, which element of a shared array is accessed stays open if the
    /// slice makes no event of it: nothing says where it was. What is read and written is exact all the same.
    pub(crate) fn resolve_scalar(&mut self, ptr: Value, size: u64, write: bool) -> Res<(ObjId, Offset)> {
        match ptr {
            Value::SymPtr { obj, addr } if self.is_open(obj, size) => {
                self.resolve_symbolic_offset(obj, addr, size, write)
            }
            _ => self.resolve(ptr, size, write),
        }
    }

    fn is_open(&self, obj: ObjId, size: u64) -> bool {
        let is_small = |o: &Object| o.status == Status::Live && o.size <= size * MAX_OPEN_PLACES;
        let is_left_out = self.is_visible(obj) && !self.m.is_relevant(self.st.frame());
        is_left_out && self.st.mem.get(obj).is_some_and(is_small)
    }

    /// The object and offset of an access of `size` bytes through `ptr`, checked to be valid.
    pub(crate) fn resolve(&mut self, ptr: Value, size: u64, write: bool) -> Res<(ObjId, Offset)> {
        self.check_written(ptr, "the address of an access")?;
        if self.st.outside.is_some() {
            if self.input_is_null(ptr)? == Some(true) {
                let null = self.settle_input(ptr)?;
                return self.invalid_address(ops::concrete(null).unwrap_or(0), size, write);
            }
            let ptr = self.settle_input(ptr)?;
            if matches!(ptr, Value::Term(_)) {
                return unsupported("an access through a pointer that was made of the bytes of an input");
            }
            return self.resolve_pointer(ptr, size, write);
        }
        self.resolve_pointer(ptr, size, write)
    }

    /// As [`resolve`](Self::resolve), of no input pointer.
    fn resolve_pointer(&mut self, ptr: Value, size: u64, write: bool) -> Res<(ObjId, Offset)> {
        let bits = self.ptr_bits();
        match self.settle(ptr, bits)? {
            Value::Ptr { obj, addr } => {
                let Extent { base, size: room, is_text } = self.check_object(obj, size, write)?;
                let off = truncate(addr.wrapping_sub(base), self.ptr_bits());
                if off > room || room - off < size {
                    return self.out_of_bounds(obj, Some(off), size, write);
                }
                if is_text {
                    self.check_text(obj, Offset::At(off), size, write)?;
                }
                Ok((obj, Offset::At(off)))
            }
            Value::SymPtr { obj, addr } => self.resolve_symbolic_offset(obj, addr, size, write),
            Value::Int(addr) => match self.find_object(addr) {
                Some(obj) => {
                    let base = self.st.mem.get(obj).map_or(addr, |o| o.base);
                    self.check_foreseen(obj, Part::Bytes { offset: addr - base, len: size })?;
                    self.resolve(Value::Ptr { obj, addr }, size, write)
                }
                None => self.invalid_address(addr, size, write),
            },
            Value::Term(addr) => {
                let obj = self.resolve_address(addr, size, write)?;
                self.check_foreseen(obj, Part::Any)?;
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
        let ptr = self.settle_input(ptr)?;
        Ok(match self.settle(ptr, bits)? {
            Value::Int(addr) => match self.find_object(addr) {
                Some(obj) => {
                    self.check_foreseen(obj, Part::Any)?;
                    Value::Ptr { obj, addr }
                }
                None => Value::Int(addr),
            },
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

    /// Where an object lies that may be accessed.
    #[inline]
    fn check_object(&mut self, obj: ObjId, size: u64, write: bool) -> Res<Extent> {
        if let Some(object) = self.st.mem.get(obj)
            && object.status == Status::Live
            && (object.writable || !write)
        {
            let is_text = matches!(object.origin, Origin::Text { .. });
            return Ok(Extent { base: object.base, size: object.size, is_text });
        }
        self.no_access(obj, size, write)
    }

    /// What is wrong with an access to an object, wherever in it.
    fn no_access(&mut self, obj: ObjId, size: u64, write: bool) -> Res<Extent> {
        let verb = if write { "write" } else { "read" };
        if self.st.is_concurrent && self.st.mem.get(obj).is_none_or(|o| o.status != Status::Live) {
            // Another thread may have ended its life: that it came first is a matter of the schedule.
            self.touch_dead(obj, write)?;
        }
        let Some(object) = self.st.mem.get(obj) else {
            if obj.region() == crate::value::Region::Function {
                return self
                    .finding(FindingKind::Memory, format!("{verb} of {} of a function's code", count(size)));
            }
            let message = match self.st.mem.renewed(obj) {
                Some(variable) => after_scope(verb, size, variable),
                None => format!("{verb} of {} of a local variable whose function has returned", count(size)),
            };
            return self.finding(FindingKind::Memory, message);
        };
        match object.status {
            Status::Live => {
                let name = object.origin.describe();
                self.finding(FindingKind::Memory, format!("write to {name}, which is constant"))
            }
            Status::External => {
                let name = object.origin.describe();
                unsupported(format!("access to {name}, which is declared but defined nowhere"))
            }
            Status::Freed(at) => {
                let message =
                    format!("{verb} of {} of {} after it was freed", count(size), object.origin.describe());
                let places = [("allocated here", object.site), ("freed here", at)];
                self.finding_at(FindingKind::Memory, message, &places)
            }
            Status::TooLarge => {
                let (name, bytes) = (object.origin.describe(), object.size);
                unsupported(format!("{name} of {bytes} bytes is too large to be modelled"))
            }
            Status::OutOfScope => {
                let message = after_scope(verb, size, object);
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
        let Extent { base, size: room, is_text } = self.check_object(obj, size, write)?;
        let bits = self.ptr_bits();
        if size > room {
            return self.out_of_bounds(obj, None, size, write);
        }
        let base = self.m.pool.bv(bits, base);
        let off = self.m.pool.sub(addr, base);
        let last = Value::Int(room - size);
        let outside = ops::cmp(&mut self.m.pool, CmpOp::Ult, bits, last, Value::Term(off));
        // The failure is asked about first: its path ends at once, and what is inside may be split into thousands.
        if self.decide(outside)? {
            return self.out_of_bounds(obj, None, size, write);
        }
        let off = match self.m.pool.as_u64(off) {
            Some(off) => Offset::At(off),
            None => Offset::Sym(off),
        };
        if is_text {
            self.check_text(obj, off, size, write)?;
        }
        Ok((obj, off))
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

    /// Whether `addr` (or an offset) lies between `base` and `base + room`.
    pub(crate) fn in_range(&mut self, addr: TermId, base: u64, room: u64) -> TermId {
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
        if matches!(object.origin, Origin::Outside { .. }) {
            // There may be more than was chosen.
            return end(PathEnd::Bound(Bound::Outside));
        }
        let (name, room) = (object.origin.describe(), object.size);
        let made = (format!("{} here", object.origin.made()), object.site);
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
        self.finding_at(
            FindingKind::Memory,
            format!("out-of-bounds {verb} of {} {place} {name} ({})", count(size), count(room)),
            &[(&made.0, made.1)],
        )
    }

    /// `ptr`, fixed to one valid place of `size` bytes; forks over the places it can be.
    pub(crate) fn concrete_place(&mut self, ptr: Value, size: u64, write: bool) -> Res<Value> {
        let bits = self.ptr_bits();
        let (obj, off) = self.resolve(ptr, size, write)?;
        let off = self.concrete_offset(off, bits)?;
        let base = self.st.mem.get(obj).expect("resolved").base;
        Ok(Value::Ptr { obj, addr: base + off })
    }

    pub(super) fn concrete_offset(&mut self, off: Offset, bits: u32) -> Res<u64> {
        match off {
            Offset::At(off) => Ok(off),
            Offset::Sym(t) => self.concretise(Value::Term(t), bits, MAX_FORKS, "the offset of a copy"),
        }
    }
}

fn after_scope(verb: &str, size: u64, variable: &Object) -> String {
    format!("{verb} of {} of {} after its scope ended", count(size), variable.origin.describe())
}
