//! Texts from outside whose length is open: arguments and variables of the environment.
//!
//! Such a text has an object with room for the longest one. What lies in front of it, and behind the end of a shorter
//! one, is nobody's.
//!
//! Guarantee: an access there, behind the first zero that came from outside, is a finding, whatever the program has written
//! there since: it may cut its arguments into pieces.
//! Relies on: no relative effect of a step with such an access, whose bytes are not those of its state.

use selvedge_program::CmpOp;
use selvedge_term::TermId;

use super::{Offset, Step};
use crate::finding::{FindingKind, Res, unsupported};
use crate::memory::Origin;
use crate::ops;
use crate::source::Piece;
use crate::value::{ObjId, Value};

impl Step<'_, '_> {
    /// Checks an access of `size` bytes at an offset that is in the object, which is such a text.
    pub(super) fn check_text(&mut self, obj: ObjId, off: Offset, size: u64, write: bool) -> Res<()> {
        match self.st.mem.get(obj).map(|object| &object.origin) {
            Some(&Origin::Text { at, piece, .. }) if size > 0 => {
                self.ends_in_text(obj, (at, piece), (off, size), write)
            }
            _ => Ok(()),
        }
    }

    fn ends_in_text(
        &mut self,
        obj: ObjId,
        (at, piece): (u64, Piece),
        (off, size): (Offset, u64),
        write: bool,
    ) -> Res<()> {
        if at > 0 {
            self.begins_in_text(obj, at, off, write)?;
        }
        let known = match off {
            Offset::At(off) => Some((off + size - 1).saturating_sub(at)),
            Offset::Sym(_) => None,
        };
        let n = known.unwrap_or(piece.len).min(piece.len);
        let ends: Vec<TermId> = (0..n).map(|i| self.ends_before(piece, i, at, (off, size))).collect();
        let is_behind = self.m.pool.or_all(&ends);
        if self.m.pool.as_bool(is_behind) != Some(false) && self.oracle.is_relative() {
            return unsupported("an access to a text whose length is open, in terms of a state");
        }
        if !self.decide(ops::from_term(&self.m.pool, is_behind))? {
            return Ok(());
        }
        let name = self.st.mem.get(obj).expect("it has a text").origin.describe();
        let verb = if write { "write" } else { "read" };
        let message = format!("{verb} behind the end of {name}, a text that may be as short as that");
        self.finding(FindingKind::Memory, message)
    }

    /// What lies in front of a text is the run-time's own.
    fn begins_in_text(&mut self, obj: ObjId, at: u64, off: Offset, write: bool) -> Res<()> {
        let bits = self.ptr_bits();
        let is_before = match off {
            Offset::At(off) => Value::bool(off < at),
            Offset::Sym(off) => {
                ops::cmp(&mut self.m.pool, CmpOp::Ult, bits, Value::Term(off), Value::Int(at))
            }
        };
        if !self.decide(is_before)? {
            return Ok(());
        }
        let name = self.st.mem.get(obj).expect("it has a text").origin.describe();
        let verb = if write { "write" } else { "read" };
        self.finding(FindingKind::Memory, format!("{verb} in front of {name}, a text"))
    }

    /// Whether byte `i` of a text is zero, and the access goes beyond it.
    fn ends_before(&mut self, piece: Piece, i: u64, at: u64, (off, size): (Offset, u64)) -> TermId {
        let byte = self.m.sources.read(&mut self.m.pool, Piece { at: piece.at + i, len: 1, ..piece });
        let is_zero = ops::cmp(&mut self.m.pool, CmpOp::Eq, 8, byte, Value::Int(0));
        let is_zero = ops::to_term(&mut self.m.pool, is_zero, 1);
        let Offset::Sym(off) = off else { return is_zero };
        // The last byte of the access lies behind it: off + size - 1 > at + i.
        let bits = self.ptr_bits();
        let least = Value::Int((at + i + 2).saturating_sub(size));
        let is_beyond = ops::cmp(&mut self.m.pool, CmpOp::Ule, bits, least, Value::Term(off));
        let is_beyond = ops::to_term(&mut self.m.pool, is_beyond, 1);
        self.m.pool.and(is_zero, is_beyond)
    }
}
