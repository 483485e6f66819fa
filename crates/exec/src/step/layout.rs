//! What a program sees of the memory layout.
//!
//! Where objects lie is the engine's choice, and most programs cannot tell: they compare pointers into one object, or
//! ask whether two lead to the same place. A program that looks closer (orders unrelated pointers, hashes or prints an
//! address, tests bits that no alignment promises) gets the answer of one layout, and the ledger says so.
//!
//! Guarantee: an operation on addresses whose result could differ in another layout is noted, unless its operands have
//! gone through memory byte by byte. The run-time's own code is left out: its results do not depend on the layout.

use std::rc::Rc;

use selvedge_program::{BinOp, CmpOp};

use super::Step;
use crate::memory::{NULL_PAGE, Status};
use crate::ops::{concrete, provenance};
use crate::value::{ObjId, Region, Value};

const BITS: &str = "layout.address-bits";
const NEIGHBOURS: &str = "layout.neighbours";
const ORDER: &str = "layout.address-order";
const REUSE: &str = "layout.reuse";

/// Error values that functions return as pointers lie at the upper end of the address space.
const ERRORS: u64 = 4096;

impl Step<'_, '_> {
    /// Notes what a comparison of `a` and `b` shows of the layout.
    #[inline]
    pub(super) fn look_at_cmp(&mut self, op: CmpOp, width: u32, a: Value, b: Value) {
        match (provenance(a), provenance(b)) {
            (None, None) => {}
            (Some(x), Some(y)) if x == y => {}
            (Some(x), Some(y)) => self.look_at_two(op, (x, a), (y, b)),
            (Some(_), None) => self.look_at_number(width, a, b),
            (None, Some(_)) => self.look_at_number(width, b, a),
        }
    }

    /// Pointers into different objects are compared.
    #[cold]
    fn look_at_two(&mut self, op: CmpOp, a: (ObjId, Value), b: (ObjId, Value)) {
        let id = if !matches!(op, CmpOp::Eq | CmpOp::Ne) {
            ORDER
        } else if !self.is_there(a.0) || !self.is_there(b.0) {
            REUSE
        } else if self.is_at_end(a) || self.is_at_end(b) {
            NEIGHBOURS
        } else {
            return;
        };
        self.noticed(id);
    }

    /// Notes for tests with memory from outside that an execution elsewhere may go another way.
    fn sees_layout(&mut self) {
        if let Some(outside) = &mut self.st.outside {
            Rc::make_mut(outside).sees_layout = true;
        }
    }

    /// A pointer is compared with a number: null and what stands for errors are nobody's address.
    fn look_at_number(&mut self, width: u32, pointer: Value, number: Value) {
        if matches!(pointer, Value::SymPtr { .. }) {
            self.sees_layout();
        }
        let is_nobodys = |v: u64| v < NULL_PAGE || v > crate::value::truncate(u64::MAX, width) - ERRORS;
        if !concrete(number).is_some_and(is_nobodys) {
            self.noticed(BITS);
        }
    }

    /// Notes what arithmetic on `a` and `b` shows of the layout.
    #[inline]
    pub(super) fn look_at_bin(&mut self, op: BinOp, a: Value, b: Value) {
        let (x, y) = (provenance(a), provenance(b));
        if x.is_some() || y.is_some() {
            self.look_at_arithmetic(op, (x, a), (y, b));
        }
    }

    #[cold]
    fn look_at_arithmetic(&mut self, op: BinOp, a: (Option<ObjId>, Value), b: (Option<ObjId>, Value)) {
        let id = match (op, a.0, b.0) {
            (BinOp::Add, Some(_), None) | (BinOp::Add, None, Some(_)) | (BinOp::Sub, Some(_), None) => return,
            (BinOp::Sub, Some(x), Some(y)) if x == y => return,
            (BinOp::Sub, Some(_), Some(_)) => ORDER,
            // Tags in bits that the alignment keeps free.
            (BinOp::And, Some(obj), None) if self.is_aligned(obj, b.1, |mask| mask.min(!mask)) => return,
            (BinOp::Or | BinOp::Xor, Some(obj), None) if self.is_aligned(obj, b.1, |bits| bits) => return,
            (BinOp::URem, Some(obj), None)
                if self.is_aligned(obj, b.1, |n| if n.is_power_of_two() { n - 1 } else { u64::MAX }) =>
            {
                return;
            }
            _ => BITS,
        };
        self.noticed(id);
    }

    /// Notes that a pointer was made narrower.
    #[inline]
    pub(super) fn look_at_narrowing(&mut self, to: u32, a: Value) {
        if let Some(obj) = provenance(a)
            && u64::from(to) > u64::from(self.align_of(obj).trailing_zeros())
        {
            self.noticed(BITS);
        }
    }

    /// Notes that an address is shown.
    pub(crate) fn look_at_printed(&mut self, a: Value) {
        if provenance(a).is_some() {
            self.noticed(BITS);
        }
    }

    /// Whether the bits that `bits` makes of a constant are below the alignment of `obj`.
    fn is_aligned(&self, obj: ObjId, constant: Value, bits: impl Fn(u64) -> u64) -> bool {
        concrete(constant).is_some_and(|c| bits(c) < self.align_of(obj))
    }

    fn align_of(&self, obj: ObjId) -> u64 {
        self.st.mem.get(obj).map_or(1, |object| u64::from(object.align))
    }

    fn is_there(&self, obj: ObjId) -> bool {
        obj.region() == Region::Function
            || self.st.mem.get(obj).is_some_and(|o| matches!(o.status, Status::Live | Status::External))
    }

    /// Whether a pointer is not clearly inside its object.
    fn is_at_end(&self, (obj, at): (ObjId, Value)) -> bool {
        let Some(object) = self.st.mem.get(obj) else { return false };
        match concrete(at) {
            Some(at) => object.size > 0 && !(object.base..object.base + object.size).contains(&at),
            None => false,
        }
    }

    fn noticed(&mut self, id: &'static str) {
        self.sees_layout();
        if !self.m.image.program.funcs[self.st.frame().func].is_runtime {
            self.assumed(id);
        }
    }
}
