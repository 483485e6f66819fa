//! Aggregates and vectors: moving scalars around, mostly without instructions.

use selvedge_program::{CastOp, Inst, Operand, Ty};
use smallvec::smallvec;

use super::function::{FnLowerer, Scalars};
use crate::llvm::{Op, Value};

impl<'m> FnLowerer<'_, 'm> {
    pub(super) fn rearrange(&mut self, inst: Value<'m>) -> Result<(), String> {
        match inst.opcode() {
            Op::LLVMExtractValue => {
                let (start, len) = self.part(inst.operand(0), &inst.indices())?;
                let whole = self.operands(inst.operand(0))?;
                self.bind(inst, whole[start..start + len].into());
                Ok(())
            }
            Op::LLVMInsertValue => {
                let (start, len) = self.part(inst.operand(0), &inst.indices())?;
                let mut whole = self.operands(inst.operand(0))?;
                let part = self.operands(inst.operand(1))?;
                whole[start..start + len].copy_from_slice(&part);
                self.bind(inst, whole);
                Ok(())
            }
            Op::LLVMExtractElement => self.extract_element(inst),
            Op::LLVMInsertElement => self.insert_element(inst),
            Op::LLVMShuffleVector => {
                let mut both = self.operands(inst.operand(0))?;
                both.extend(self.operands(inst.operand(1))?);
                let tys = self.tys(inst.ty())?;
                let mut picked = Scalars::new();
                for (index, ty) in inst.shuffle_mask().into_iter().zip(tys) {
                    picked.push(match index.and_then(|i| both.get(i as usize)) {
                        Some(&scalar) => scalar,
                        None => Operand::Const(self.lowerer.undef(ty)),
                    });
                }
                self.bind(inst, picked);
                Ok(())
            }
            _ => self.bitcast(inst),
        }
    }

    /// Where the scalars of the element at this index path lie among those of the aggregate.
    fn part(&mut self, aggregate: Value<'m>, indices: &[u32]) -> Result<(usize, usize), String> {
        let shapes = &mut self.lowerer.shapes;
        let mut ty = aggregate.ty();
        let mut start = 0;
        for &index in indices {
            start += shapes.leaves_before(ty, index)?;
            ty = shapes.element(ty, index);
        }
        Ok((start, shapes.shape(ty)?.leaves.len()))
    }

    fn extract_element(&mut self, inst: Value<'m>) -> Result<(), String> {
        let elements = self.operands(inst.operand(0))?;
        let ty = self.scalar_ty(inst)?;
        if let Some(index) = self.lowerer.signed_int(inst.operand(1)) {
            let element = usize::try_from(index).ok().and_then(|i| elements.get(i).copied());
            let element = element.unwrap_or_else(|| Operand::Const(self.lowerer.undef(ty)));
            self.bind(inst, smallvec![element]);
            return Ok(());
        }
        let (index, width) = self.lane_index(inst.operand(1))?;
        let mut chosen = Operand::Const(self.lowerer.undef(ty));
        for (lane, &element) in elements.iter().enumerate() {
            let is_this = self.equals_lane(index, width, lane);
            let dst = self.new_reg(ty);
            self.emit(Inst::Select { dst, ty, cond: is_this, a: element, b: chosen });
            chosen = Operand::Reg(dst);
        }
        self.bind(inst, smallvec![chosen]);
        Ok(())
    }

    fn insert_element(&mut self, inst: Value<'m>) -> Result<(), String> {
        let mut elements = self.operands(inst.operand(0))?;
        let new = self.operand(inst.operand(1))?;
        let ty = self.scalar_ty(inst.operand(1))?;
        if let Some(index) = self.lowerer.signed_int(inst.operand(2)) {
            // An index out of range makes the whole vector undefined.
            match usize::try_from(index).ok().filter(|&i| i < elements.len()) {
                Some(index) => elements[index] = new,
                None => elements.fill(Operand::Const(self.lowerer.undef(ty))),
            }
            self.bind(inst, elements);
            return Ok(());
        }
        let (index, width) = self.lane_index(inst.operand(2))?;
        for (lane, element) in elements.iter_mut().enumerate() {
            let is_this = self.equals_lane(index, width, lane);
            let dst = self.new_reg(ty);
            self.emit(Inst::Select { dst, ty, cond: is_this, a: new, b: *element });
            *element = Operand::Reg(dst);
        }
        self.bind(inst, elements);
        Ok(())
    }

    fn lane_index(&mut self, index: Value<'m>) -> Result<(Operand, u32), String> {
        match self.scalar_ty(index)? {
            Ty::Int(width) => Ok((self.operand(index)?, width)),
            ty => Err(format!("an element index of type {ty}")),
        }
    }

    fn equals_lane(&mut self, index: Operand, width: u32, lane: usize) -> Operand {
        let lane = self.int(width, lane as u64);
        let dst = self.new_reg(Ty::BOOL);
        self.emit(Inst::Cmp { dst, op: selvedge_program::CmpOp::Eq, width, a: index, b: lane });
        Operand::Reg(dst)
    }

    fn bitcast(&mut self, inst: Value<'m>) -> Result<(), String> {
        let from = self.tys(inst.operand(0).ty())?;
        let to = self.tys(inst.ty())?;
        let args = self.operands(inst.operand(0))?;
        if from.len() == to.len() {
            let mut scalars = Scalars::new();
            for ((&from, &to), &arg) in from.iter().zip(&to).zip(&args) {
                scalars.push(match from == to {
                    true => arg,
                    false => self.convert(CastOp::Bitcast, from, to, arg),
                });
            }
            self.bind(inst, scalars);
            return Ok(());
        }
        let parts: Vec<(Operand, Ty)> = args.iter().copied().zip(from).collect();
        let (whole, total) = self.join_bits(&parts);
        let parts = self.split_bits(whole, total, &to);
        self.bind(inst, parts.into());
        Ok(())
    }
}
