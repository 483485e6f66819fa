//! Block order and terminators.

use rustc_hash::FxHashSet;
use selvedge_program::{BinOp, CmpOp, Edge, Inst, Operand, Ty};

use super::function::FnLowerer;
use super::unwind::Unwinding;
use crate::llvm::{Block, Op, TypeKind, Value};

/// The blocks reachable from the entry, in reverse post-order.
pub(super) fn reverse_post_order<'m>(function: Value<'m>, unwinding: &Unwinding<'m>) -> Vec<Block<'m>> {
    let Some(&entry) = function.blocks().first() else { return Vec::new() };
    let successors = |block: Block<'m>| {
        let Some(terminator) = block.terminator() else { return Vec::new() };
        let mut successors = terminator.successors();
        // No exception comes back from it.
        if terminator.opcode() == Op::LLVMInvoke && !unwinding.may_unwind(terminator) {
            successors.truncate(1);
        }
        successors
    };
    let mut seen = FxHashSet::default();
    let mut order = Vec::new();
    // Each entry: a block and those of its successors that are still to be visited. They are taken
    // from the end, so that the first successor comes first in the result.
    let mut stack = vec![(entry, successors(entry))];
    seen.insert(entry);
    while let Some((block, rest)) = stack.last_mut() {
        match rest.pop() {
            Some(next) => {
                if seen.insert(next) {
                    stack.push((next, successors(next)));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

impl<'m> FnLowerer<'_, 'm> {
    pub(super) fn terminator(&mut self, from: Block<'m>, inst: Value<'m>) -> Result<(), String> {
        match inst.opcode() {
            Op::LLVMRet => {
                let mut values = Vec::new();
                if inst.n_operands() > 0 {
                    values.extend(self.operands(inst.operand(0))?);
                }
                self.emit(Inst::Return { values: values.into() });
            }
            Op::LLVMBr if inst.is_conditional() => {
                let cond = self.operand(inst.condition())?;
                let targets = inst.successors();
                let then = self.edge(from, targets[0])?;
                let otherwise = self.edge(from, targets[1])?;
                self.emit(Inst::Branch { cond, then, otherwise });
            }
            Op::LLVMBr => {
                let edge = self.edge(from, inst.successors()[0])?;
                self.emit(Inst::Jump { edge });
            }
            Op::LLVMSwitch => self.switch(from, inst)?,
            Op::LLVMIndirectBr => {
                let addr = self.operand(inst.operand(0))?;
                let mut targets = Vec::new();
                let mut seen = FxHashSet::default();
                for block in inst.successors() {
                    if seen.insert(block) {
                        targets.push(self.edge(from, block)?);
                    }
                }
                self.emit(Inst::IndirectJump { addr, targets: targets.into() });
            }
            Op::LLVMInvoke => {
                self.call(inst)?;
                self.land_or_go_on(from, inst)?;
            }
            Op::LLVMResume => self.resume(inst)?,
            Op::LLVMUnreachable => self.emit(Inst::Unreachable),
            Op::LLVMCallBr => return Err("asm goto".to_owned()),
            _ => return Err("exception handling".to_owned()),
        }
        Ok(())
    }

    fn switch(&mut self, from: Block<'m>, inst: Value<'m>) -> Result<(), String> {
        let value = self.operand(inst.operand(0))?;
        let ty = inst.operand(0).ty();
        if ty.kind() != TypeKind::LLVMIntegerTypeKind {
            return Err(format!("a switch on {ty}"));
        }
        let width = ty.int_width();
        let default = self.edge(from, inst.successors()[0])?;
        let context = self.lowerer.module.context();
        let mut cases = Vec::new();
        for (case, target) in inst.switch_cases() {
            cases.push((case, self.edge(from, target)?));
        }
        if width <= 64 {
            let cases = cases.into_iter().map(|(case, edge)| (case.int_limbs(context)[0], edge)).collect();
            self.emit(Inst::Switch { value, width, cases, default });
            return Ok(());
        }
        // `Switch` holds 64-bit values; wider ones become a chain of comparisons.
        for (case, edge) in cases {
            let constant = self.operand(case)?;
            let equal = self.new_reg(Ty::BOOL);
            self.emit(Inst::Cmp { dst: equal, op: CmpOp::Eq, width, a: value, b: constant });
            let here = self.block;
            let next = self.start_new_block();
            self.block = here;
            let otherwise = Edge { target: next, args: Box::default() };
            self.emit(Inst::Branch { cond: Operand::Reg(equal), then: edge, otherwise });
            self.block = next;
        }
        self.emit(Inst::Jump { edge: default });
        Ok(())
    }

    /// Joins scalars into one integer, the first in the low bits. Gives the integer and its width.
    pub(super) fn join_bits(&mut self, parts: &[(Operand, Ty)]) -> (Operand, u32) {
        let ptr_bits = self.ptr_bits();
        let total = parts.iter().map(|(_, ty)| ty.bits(ptr_bits)).sum();
        let mut joined: Option<Operand> = None;
        let mut shift = 0;
        for &(part, ty) in parts {
            let bits = ty.bits(ptr_bits);
            let part = self.bits_of(part, ty);
            let part = self.resize(part, bits, total);
            let part = if shift == 0 {
                part
            } else {
                let amount = self.int(total, u64::from(shift));
                self.binary(BinOp::Shl, total, part, amount)
            };
            joined = Some(match joined {
                None => part,
                Some(low) => self.binary(BinOp::Or, total, low, part),
            });
            shift += bits;
        }
        (joined.unwrap_or_else(|| self.int(1, 0)), total)
    }

    /// Splits an integer of `total` bits into scalars, the first from the low bits.
    pub(super) fn split_bits(&mut self, whole: Operand, total: u32, tys: &[Ty]) -> Vec<Operand> {
        let ptr_bits = self.ptr_bits();
        let mut shift = 0;
        let mut parts = Vec::new();
        for &ty in tys {
            let bits = ty.bits(ptr_bits);
            let part = if shift == 0 {
                whole
            } else {
                let amount = self.int(total, u64::from(shift));
                self.binary(BinOp::LShr, total, whole, amount)
            };
            let part = self.resize(part, total, bits);
            parts.push(self.with_bits(part, ty));
            shift += bits;
        }
        parts
    }
}
