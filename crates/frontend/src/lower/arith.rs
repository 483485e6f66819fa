//! Arithmetic, comparisons, conversions, selection. Vectors are handled element by element.

use selvedge_program::{BinOp, CastOp, CmpOp, FBinOp, FCmpOp, Inst, Operand, Ty, Wrap};

use super::function::{FnLowerer, Scalars};
use crate::llvm::{IntPredicate, Op, Value};

impl<'m> FnLowerer<'_, 'm> {
    pub(super) fn arithmetic(&mut self, inst: Value<'m>) -> Result<(), String> {
        match inst.opcode() {
            op if bin_op(op).is_some() => {
                let op = bin_op(op).unwrap_or(BinOp::Add);
                let wrap = wrap_of(inst);
                self.lanes(inst, 2, |lowering, dst, ty, args| {
                    let Ty::Int(width) = ty else { return Err(not_an_int(ty)) };
                    lowering.emit(Inst::Bin { dst, op, wrap, width, a: args[0], b: args[1] });
                    Ok(())
                })
            }
            op if fbin_op(op).is_some() => {
                let op = fbin_op(op).unwrap_or(FBinOp::Add);
                self.lanes(inst, 2, |lowering, dst, ty, args| {
                    let Ty::Float(kind) = ty else { return Err(not_a_float(ty)) };
                    lowering.emit(Inst::FBin { dst, op, kind, a: args[0], b: args[1] });
                    Ok(())
                })
            }
            Op::LLVMFNeg => self.lanes(inst, 1, |lowering, dst, ty, args| {
                let Ty::Float(kind) = ty else { return Err(not_a_float(ty)) };
                lowering.emit(Inst::FNeg { dst, kind, a: args[0] });
                Ok(())
            }),
            Op::LLVMFreeze => self.lanes(inst, 1, |lowering, dst, ty, args| {
                lowering.emit(Inst::Freeze { dst, ty, a: args[0] });
                Ok(())
            }),
            Op::LLVMICmp => self.int_compare(inst),
            Op::LLVMFCmp => self.float_compare(inst),
            Op::LLVMSelect => self.select(inst),
            op if cast_op(op).is_some() => self.cast(inst, cast_op(op).unwrap_or(CastOp::Bitcast)),
            Op::LLVMAddrSpaceCast => Err(format!("the address space conversion {}", inst.text())),
            Op::LLVMCatchPad | Op::LLVMCleanupPad => Err("exception handling".to_owned()),
            op => Err(format!("the instruction {op:?}").replace("LLVM", "")),
        }
    }

    /// Emits one instruction for each scalar of the result; its operands are the matching scalars
    /// of the first `count` operands, which have the result's shape.
    fn lanes(
        &mut self,
        inst: Value<'m>,
        count: u32,
        emit: impl Fn(&mut Self, selvedge_program::Reg, Ty, &[Operand]) -> Result<(), String>,
    ) -> Result<(), String> {
        let tys = self.tys(inst.ty())?;
        let columns = (0..count).map(|i| self.operands(inst.operand(i))).collect::<Result<Vec<_>, _>>()?;
        let dsts = self.result_regs(inst, &tys);
        for (lane, (&dst, &ty)) in dsts.iter().zip(&tys).enumerate() {
            let args: Scalars = columns.iter().map(|column| column[lane]).collect();
            emit(self, dst, ty, &args)?;
        }
        Ok(())
    }

    /// Registers for the scalars of a result, bound to it.
    pub(super) fn result_regs(&mut self, inst: Value<'m>, tys: &[Ty]) -> Vec<selvedge_program::Reg> {
        if let [ty] = *tys {
            return vec![self.result_reg(inst, ty)];
        }
        let regs: Vec<_> = tys.iter().map(|&ty| self.new_reg(ty)).collect();
        self.bind(inst, regs.iter().map(|&reg| Operand::Reg(reg)).collect());
        regs
    }

    fn int_compare(&mut self, inst: Value<'m>) -> Result<(), String> {
        use IntPredicate::*;
        let (op, swap) = match inst.int_predicate() {
            LLVMIntEQ => (CmpOp::Eq, false),
            LLVMIntNE => (CmpOp::Ne, false),
            LLVMIntULT => (CmpOp::Ult, false),
            LLVMIntULE => (CmpOp::Ule, false),
            LLVMIntSLT => (CmpOp::Slt, false),
            LLVMIntSLE => (CmpOp::Sle, false),
            LLVMIntUGT => (CmpOp::Ult, true),
            LLVMIntUGE => (CmpOp::Ule, true),
            LLVMIntSGT => (CmpOp::Slt, true),
            LLVMIntSGE => (CmpOp::Sle, true),
        };
        let tys = self.tys(inst.operand(0).ty())?;
        let ptr_bits = self.ptr_bits();
        self.lanes(inst, 2, |lowering, dst, _, args| {
            let width = tys.first().map_or(1, |ty| ty.bits(ptr_bits));
            let (a, b) = if swap { (args[1], args[0]) } else { (args[0], args[1]) };
            lowering.emit(Inst::Cmp { dst, op, width, a, b });
            Ok(())
        })
    }

    fn float_compare(&mut self, inst: Value<'m>) -> Result<(), String> {
        let mask = inst.float_predicate();
        let op = FCmpOp { eq: mask & 1 != 0, gt: mask & 2 != 0, lt: mask & 4 != 0, unordered: mask & 8 != 0 };
        let tys = self.tys(inst.operand(0).ty())?;
        self.lanes(inst, 2, |lowering, dst, _, args| {
            let Some(&Ty::Float(kind)) = tys.first() else { return Err(inst.text()) };
            lowering.emit(Inst::FCmp { dst, op, kind, a: args[0], b: args[1] });
            Ok(())
        })
    }

    fn select(&mut self, inst: Value<'m>) -> Result<(), String> {
        let conds = self.operands(inst.operand(0))?;
        let tys = self.tys(inst.ty())?;
        let (then, otherwise) = (self.operands(inst.operand(1))?, self.operands(inst.operand(2))?);
        let dsts = self.result_regs(inst, &tys);
        for (lane, (&dst, &ty)) in dsts.iter().zip(&tys).enumerate() {
            // One condition chooses a whole aggregate; a vector of them chooses element by element.
            let cond = if conds.len() == 1 { conds[0] } else { conds[lane] };
            self.emit(Inst::Select { dst, ty, cond, a: then[lane], b: otherwise[lane] });
        }
        Ok(())
    }

    fn cast(&mut self, inst: Value<'m>, op: CastOp) -> Result<(), String> {
        let from = self.tys(inst.operand(0).ty())?;
        let args = self.operands(inst.operand(0))?;
        let to = self.tys(inst.ty())?;
        let dsts = self.result_regs(inst, &to);
        for (lane, &dst) in dsts.iter().enumerate() {
            self.emit(Inst::Cast { dst, op, from: from[lane], to: to[lane], a: args[lane] });
        }
        Ok(())
    }

    // --- building blocks for other lowerings ---

    pub(super) fn binary(&mut self, op: BinOp, width: u32, a: Operand, b: Operand) -> Operand {
        let dst = self.new_reg(Ty::Int(width));
        self.emit(Inst::Bin { dst, op, wrap: Wrap::default(), width, a, b });
        Operand::Reg(dst)
    }

    pub(super) fn convert(&mut self, op: CastOp, from: Ty, to: Ty, a: Operand) -> Operand {
        let dst = self.new_reg(to);
        self.emit(Inst::Cast { dst, op, from, to, a });
        Operand::Reg(dst)
    }

    /// Zero-extends or truncates an integer.
    pub(super) fn resize(&mut self, value: Operand, from: u32, to: u32) -> Operand {
        if from == to {
            return value;
        }
        if let Operand::Const(id) = value
            && let selvedge_program::Const::Int { value, .. } = self.lowerer.program.consts[id]
        {
            return self.int(to, value);
        }
        let op = if from < to { CastOp::ZExt } else { CastOp::Trunc };
        self.convert(op, Ty::Int(from), Ty::Int(to), value)
    }

    /// The bits of a scalar as an integer.
    pub(super) fn bits_of(&mut self, value: Operand, ty: Ty) -> Operand {
        let int = Ty::Int(ty.bits(self.ptr_bits()));
        match ty {
            Ty::Int(_) => value,
            Ty::Ptr => self.convert(CastOp::PtrToInt, ty, int, value),
            Ty::Float(_) => self.convert(CastOp::Bitcast, ty, int, value),
        }
    }

    /// The scalar of type `ty` with the bits of an integer of its width.
    pub(super) fn with_bits(&mut self, value: Operand, ty: Ty) -> Operand {
        let int = Ty::Int(ty.bits(self.ptr_bits()));
        match ty {
            Ty::Int(_) => value,
            Ty::Ptr => self.convert(CastOp::IntToPtr, int, ty, value),
            Ty::Float(_) => self.convert(CastOp::Bitcast, int, ty, value),
        }
    }
}

fn not_an_int(ty: Ty) -> String {
    format!("integer arithmetic on {ty}")
}

fn not_a_float(ty: Ty) -> String {
    format!("floating-point arithmetic on {ty}")
}

fn wrap_of(inst: Value<'_>) -> Wrap {
    match inst.opcode() {
        Op::LLVMAdd | Op::LLVMSub | Op::LLVMMul | Op::LLVMShl => {
            let (nsw, nuw) = inst.wrap_flags();
            Wrap { nsw, nuw }
        }
        _ => Wrap::default(),
    }
}

fn bin_op(op: Op) -> Option<BinOp> {
    Some(match op {
        Op::LLVMAdd => BinOp::Add,
        Op::LLVMSub => BinOp::Sub,
        Op::LLVMMul => BinOp::Mul,
        Op::LLVMUDiv => BinOp::UDiv,
        Op::LLVMSDiv => BinOp::SDiv,
        Op::LLVMURem => BinOp::URem,
        Op::LLVMSRem => BinOp::SRem,
        Op::LLVMShl => BinOp::Shl,
        Op::LLVMLShr => BinOp::LShr,
        Op::LLVMAShr => BinOp::AShr,
        Op::LLVMAnd => BinOp::And,
        Op::LLVMOr => BinOp::Or,
        Op::LLVMXor => BinOp::Xor,
        _ => return None,
    })
}

fn fbin_op(op: Op) -> Option<FBinOp> {
    Some(match op {
        Op::LLVMFAdd => FBinOp::Add,
        Op::LLVMFSub => FBinOp::Sub,
        Op::LLVMFMul => FBinOp::Mul,
        Op::LLVMFDiv => FBinOp::Div,
        Op::LLVMFRem => FBinOp::Rem,
        _ => return None,
    })
}

fn cast_op(op: Op) -> Option<CastOp> {
    Some(match op {
        Op::LLVMTrunc => CastOp::Trunc,
        Op::LLVMZExt => CastOp::ZExt,
        Op::LLVMSExt => CastOp::SExt,
        Op::LLVMPtrToInt | Op::LLVMPtrToAddr => CastOp::PtrToInt,
        Op::LLVMIntToPtr => CastOp::IntToPtr,
        Op::LLVMFPTrunc => CastOp::FpTrunc,
        Op::LLVMFPExt => CastOp::FpExt,
        Op::LLVMFPToUI => CastOp::FpToUi,
        Op::LLVMFPToSI => CastOp::FpToSi,
        Op::LLVMUIToFP => CastOp::UiToFp,
        Op::LLVMSIToFP => CastOp::SiToFp,
        _ => return None,
    })
}
