//! `errno` after calls that succeed.
//!
//! A library function may change `errno` although it does not fail, and those that print do: they look whether a terminal
//! is there. Here they leave it alone. A mark beside the running thread's `errno` says that one of them was called since
//! it was set; a program that reads it then relies on an assumption. The mark is nothing that other threads notice.

use selvedge_program::{Inst, Operand, Ty};

use super::Model;
use crate::finding::Res;
use crate::ops;
use crate::step::Step;
use crate::value::{ObjId, Value};
use selvedge_library::Errno;

/// Where the mark is: behind the number.
const MARK: u64 = 4;
const MARK_SIZE: u64 = 4;

pub(super) fn model(function: Errno) -> Model {
    match function {
        Errno::IsUsed => |s, _, _, _| s.errno_is_used(),
    }
}

impl Step<'_, '_> {
    fn errno_object(&self) -> Option<ObjId> {
        ops::provenance(self.errno_place()?)
    }

    fn mark_errno(&mut self, mark: bool) {
        if let Some(obj) = self.errno_object()
            && self.st.mem.get(obj).is_some()
        {
            self.write_at(obj, MARK, MARK_SIZE, Value::bool(mark));
        }
    }

    /// Something was printed.
    pub(super) fn errno_may_change(&mut self) {
        self.mark_errno(true);
    }

    /// Sets `errno` of the running thread, if the program can look at it.
    pub(crate) fn set_errno(&mut self, error: i32) -> Res<()> {
        let Some(place) = self.errno_place() else { return Ok(()) };
        self.store(place, Ty::Int(32), Value::Int(u64::from(error as u32)))?;
        self.mark_errno(false);
        Ok(())
    }

    /// `__errno_location` was called: by the next instruction that uses its result, is it to read or to write?
    fn errno_is_used(&mut self) -> Res<()> {
        let frames = &self.st.thread().frames;
        let Some(caller) = frames.len().checked_sub(2).map(|i| &frames[i]) else {
            return self.returns_nothing();
        };
        let function = &self.m.image.program.funcs[caller.func];
        let rest = &function.blocks[caller.block].insts[caller.idx..];
        let at = match rest.first() {
            Some(Inst::Call { dsts, .. }) => dsts.first().copied().map(Operand::Reg),
            _ => None,
        };
        let is_use = |inst: &&Inst| {
            let mut uses = false;
            inst.for_each_operand(|operand| uses |= Some(*operand) == at);
            uses
        };
        let writes = match rest.iter().skip(1).find(is_use) {
            Some(Inst::Store { ptr, value, .. }) => Some(*ptr) == at && Some(*value) != at,
            _ => false,
        };
        if writes {
            self.mark_errno(false);
            return self.returns_nothing();
        }
        let content = self.errno_object().and_then(|obj| self.st.mem.get(obj)).map(|object| &object.content);
        let is_marked = content.and_then(|content| content.peek(MARK, MARK_SIZE)) == Some(Value::Int(1));
        if is_marked && !function.is_runtime {
            self.assumed("library.errno-kept");
        }
        self.returns_nothing()
    }
}
