//! Which instructions can end an execution other than regularly: the property statements of the program.
//!
//! Guarantee: where [`Failing::can_fail`] says no, no execution ends at that instruction with a finding, with undefined
//! behaviour that is not checked, or because the engine does not know what it does to memory and control. Ends that the
//! engine's limits on *values* cause (a symbolic number that it cannot compute with) are not failures.

mod calls;

use selvedge_program::{BinOp, Const, Inst, Operand, Program, RmwOp};

use crate::addresses::Addresses;
use crate::call_graph::CallGraph;
use crate::defs::constant;
use crate::layout::{InstId, Layout};
use crate::library::Library;
use crate::properties::Properties;
use selvedge_library::Action;

/// Decides about one program.
pub(crate) struct Failing<'a> {
    pub(crate) program: &'a Program,
    pub(crate) layout: &'a Layout,
    pub(crate) graph: &'a CallGraph,
    pub(crate) addresses: &'a Addresses<'a>,
    pub(crate) library: &'a Library,
    pub(crate) properties: Properties,
}

impl Failing<'_> {
    /// Whether the instruction itself can fail; what the functions it calls do is not looked at.
    pub(crate) fn can_fail(&self, id: InstId) -> bool {
        let bits = self.program.target.ptr_bits;
        let inst = self.layout.inst(self.program, id);
        // Of the others, calls ask (`calls.rs`) and loops (`Analysis::can_spin`); for races everything matters.
        let Properties { assertions, overflows, operands, errors: _, leaks: _, deadlocks: _, races: _ } =
            self.properties;
        match inst {
            Inst::Bin { op, wrap, width, a, b, .. } => self.arithmetic(*op, wrap.nsw, *width, *a, *b),
            Inst::Intrinsic { .. } => operands || overflows,
            Inst::Alloca { count, .. } => constant(self.program, *count).is_none(),
            Inst::Load { ty, ptr, .. } => !self.addresses.is_valid(id, *ptr, ty.store_size(bits), false),
            Inst::Store { ty, ptr, .. } => !self.addresses.is_valid(id, *ptr, ty.store_size(bits), true),
            Inst::AtomicRmw { op, ty, ptr, .. } => {
                matches!(op, RmwOp::FAdd | RmwOp::FSub)
                    || !self.addresses.is_valid(id, *ptr, ty.store_size(bits), true)
            }
            Inst::CmpXchg { ty, ptr, .. } => !self.addresses.is_valid(id, *ptr, ty.store_size(bits), true),
            Inst::MemCopy { to, from, len, overlap } => !self.copies_safely(id, *to, *from, *len, *overlap),
            Inst::MemSet { to, len, .. } => !self.reaches(id, *to, *len, true),
            Inst::VaStart { .. } | Inst::VaCopy { .. } | Inst::VaArg { .. } => true,
            Inst::Call { .. } => self.call(id),
            Inst::Unsupported { .. } | Inst::IndirectJump { .. } | Inst::Unreachable => true,
            Inst::Trap => assertions,
            Inst::Cmp { .. }
            | Inst::FBin { .. }
            | Inst::FNeg { .. }
            | Inst::FCmp { .. }
            | Inst::Cast { .. }
            | Inst::Select { .. }
            | Inst::Copy { .. }
            | Inst::Freeze { .. }
            | Inst::PtrAdd { .. }
            | Inst::Fence { .. }
            | Inst::Lifetime { .. }
            | Inst::StackSave { .. }
            | Inst::StackRestore { .. }
            | Inst::VaEnd { .. }
            | Inst::Jump { .. }
            | Inst::Branch { .. }
            | Inst::Switch { .. }
            | Inst::Return { .. } => false,
        }
    }

    fn arithmetic(&self, op: BinOp, nsw: bool, width: u32, a: Operand, b: Operand) -> bool {
        let (left, right) = (constant(self.program, a), constant(self.program, b));
        match op {
            BinOp::UDiv | BinOp::URem => right.is_none_or(|b| b == 0),
            BinOp::SDiv | BinOp::SRem => right.is_none_or(|b| b == 0 || b == -1),
            BinOp::Shl | BinOp::LShr | BinOp::AShr => {
                self.properties.operands && right.is_none_or(|b| !(0..i64::from(width)).contains(&b))
            }
            BinOp::Add | BinOp::Sub | BinOp::Mul => {
                self.properties.overflows && nsw && (left.is_none() || right.is_none())
            }
            BinOp::And | BinOp::Or | BinOp::Xor => false,
        }
    }

    /// Whether the first `len` bytes at `ptr` can certainly be accessed.
    fn reaches(&self, id: InstId, ptr: Operand, len: Operand, write: bool) -> bool {
        match constant(self.program, len).and_then(|n| u64::try_from(n).ok()) {
            Some(0) => true,
            Some(len) => self.addresses.is_valid(id, ptr, len, write),
            None => false,
        }
    }

    fn copies_safely(&self, id: InstId, to: Operand, from: Operand, len: Operand, overlap: bool) -> bool {
        // Two constant globals that differ, or a global and a local, cannot overlap.
        let is_apart = || {
            let func = self.layout.point(id).func;
            self.addresses.is_apart(func, to, from)
        };
        self.reaches(id, to, len, true) && self.reaches(id, from, len, false) && (overlap || is_apart())
    }

    /// The text at a constant address, up to its end.
    fn text(&self, operand: Operand) -> Option<&[u8]> {
        let Operand::Const(id) = operand else { return None };
        let Const::Global { global, offset } = &self.program.consts[id] else { return None };
        let global = &self.program.globals[*global];
        let pieces = global.init.as_ref().filter(|_| global.is_const)?;
        let [selvedge_program::InitPiece::Bytes { offset: 0, bytes }] = &pieces[..] else { return None };
        let text = bytes.get(usize::try_from(*offset).ok()?..)?;
        let end = text.iter().position(|b| *b == 0);
        // What no piece covers is zero.
        let end = end.or_else(|| ((bytes.len() as u64) < global.size).then_some(text.len()))?;
        Some(&text[..end])
    }

    fn model(&self, func: selvedge_program::FuncId) -> Action {
        self.library.action(func)
    }
}
