//! Instructions: types of operands and results.

use rustc_hash::FxHashSet;

use super::{Ctx, Wrong};
use crate::{Arg, Callee, CastOp, Function, Inst, IntrinsicOp, Operand, Reg, RmwOp, Ty};

impl Ctx<'_> {
    /// The type of an operand; `None` if it is out of range, which is reported elsewhere.
    fn operand_ty(&self, func: &Function, operand: Operand) -> Option<Ty> {
        match operand {
            Operand::Reg(reg) => func.regs.get(reg).map(|info| info.ty),
            Operand::Const(id) => self.program.consts.get(id).map(|_| self.const_ty(id)),
        }
    }

    pub(super) fn has_ty(&mut self, func: &Function, operand: Operand, expected: Ty) {
        if let Some(found) = self.operand_ty(func, operand) {
            self.ensure(found == expected, || Wrong::Type { expected: expected.to_string(), found });
        }
    }

    fn all_have(&mut self, func: &Function, operands: &[Operand], expected: Ty) {
        self.ty(expected);
        operands.iter().for_each(|operand| self.has_ty(func, *operand, expected));
    }

    fn result(&mut self, func: &Function, dst: Reg, expected: Ty) {
        self.has_ty(func, Operand::Reg(dst), expected);
    }

    fn results(&mut self, func: &Function, dsts: &[Reg], expected: &[Ty]) {
        let (want, found) = (expected.len(), dsts.len());
        if self.ensure(want == found, || Wrong::ResultCount { expected: want, found }) {
            dsts.iter().zip(expected).for_each(|(dst, ty)| self.result(func, *dst, *ty));
        }
    }

    pub(super) fn instruction(&mut self, func: &Function, inst: &Inst) {
        let word = Ty::Int(self.program.target.ptr_bits);
        match inst {
            Inst::Bin { dst, width, a, b, .. } => {
                self.all_have(func, &[*a, *b], Ty::Int(*width));
                self.result(func, *dst, Ty::Int(*width));
            }
            Inst::Cmp { dst, width, a, b, .. } => {
                let pointers = self.operand_ty(func, *a) == Some(Ty::Ptr) && Ty::Int(*width) == word;
                self.all_have(func, &[*a, *b], if pointers { Ty::Ptr } else { Ty::Int(*width) });
                self.result(func, *dst, Ty::BOOL);
            }
            Inst::FBin { dst, kind, a, b, .. } => {
                self.all_have(func, &[*a, *b], Ty::Float(*kind));
                self.result(func, *dst, Ty::Float(*kind));
            }
            Inst::FNeg { dst, kind, a } => {
                self.has_ty(func, *a, Ty::Float(*kind));
                self.result(func, *dst, Ty::Float(*kind));
            }
            Inst::FCmp { dst, kind, a, b, .. } => {
                self.all_have(func, &[*a, *b], Ty::Float(*kind));
                self.result(func, *dst, Ty::BOOL);
            }
            Inst::Cast { dst, op, from, to, a } => {
                self.all_have(func, &[*a], *from);
                self.ty(*to);
                self.cast(*op, *from, *to);
                self.result(func, *dst, *to);
            }
            Inst::Select { dst, ty, cond, a, b } => {
                self.has_ty(func, *cond, Ty::BOOL);
                self.all_have(func, &[*a, *b], *ty);
                self.result(func, *dst, *ty);
            }
            Inst::Copy { dst, a } => {
                if let Some(ty) = self.operand_ty(func, *a) {
                    self.result(func, *dst, ty);
                }
            }
            Inst::Freeze { dst, ty, a } => {
                self.all_have(func, &[*a], *ty);
                self.result(func, *dst, *ty);
            }
            Inst::Intrinsic { dsts, op, ty, args } => self.intrinsic(func, dsts, *op, *ty, args),
            Inst::Call { dsts, callee, args } => self.call(func, dsts, *callee, args),
            Inst::Branch { cond, .. } => self.has_ty(func, *cond, Ty::BOOL),
            Inst::Switch { value, width, cases, .. } => {
                self.ensure((1..=64).contains(width), || Wrong::Width(*width));
                self.has_ty(func, *value, Ty::Int(*width));
                let mut seen = FxHashSet::default();
                for (case, _) in cases {
                    self.ensure(*width >= 64 || case >> width == 0, || Wrong::CaseRange(*case));
                    self.ensure(seen.insert(*case), || Wrong::CaseTwice(*case));
                }
            }
            Inst::IndirectJump { addr, .. } => self.has_ty(func, *addr, Ty::Ptr),
            Inst::Return { values } => {
                let (expected, found) = (func.ret.len(), values.len());
                if self.ensure(expected == found, || Wrong::ResultCount { expected, found }) {
                    values.iter().zip(&func.ret).for_each(|(value, ty)| self.has_ty(func, *value, *ty));
                }
            }
            Inst::Jump { .. } | Inst::Unreachable | Inst::Trap | Inst::Unsupported { .. } => {}
            _ => self.memory(func, inst, word),
        }
    }

    fn memory(&mut self, func: &Function, inst: &Inst, word: Ty) {
        match inst {
            Inst::PtrAdd { dst, base, scaled, .. } => {
                self.has_ty(func, *base, Ty::Ptr);
                for (index, width, _) in scaled {
                    self.all_have(func, &[*index], Ty::Int(*width));
                }
                self.result(func, *dst, Ty::Ptr);
            }
            Inst::Alloca { dst, count, align, var_ty, .. } => {
                if let Some(found) = self.operand_ty(func, *count) {
                    let expected = || "an integer".to_owned();
                    let is_int = matches!(found, Ty::Int(_));
                    self.ensure(is_int, || Wrong::Type { expected: expected(), found });
                }
                self.ensure(align.is_power_of_two(), || Wrong::Alignment(*align));
                self.debug_type_in_range(*var_ty);
                self.result(func, *dst, Ty::Ptr);
            }
            Inst::Load { dst, ty, ptr, .. } => {
                self.ty(*ty);
                self.has_ty(func, *ptr, Ty::Ptr);
                self.result(func, *dst, *ty);
            }
            Inst::Store { ty, value, ptr, .. } => {
                self.all_have(func, &[*value], *ty);
                self.has_ty(func, *ptr, Ty::Ptr);
            }
            Inst::MemCopy { to, from, len, .. } => {
                self.all_have(func, &[*to, *from], Ty::Ptr);
                self.has_ty(func, *len, word);
            }
            Inst::MemSet { to, byte, len } => {
                self.has_ty(func, *to, Ty::Ptr);
                self.has_ty(func, *byte, Ty::Int(8));
                self.has_ty(func, *len, word);
            }
            Inst::AtomicRmw { dst, op, ty, ptr, value, .. } => {
                let fits = match op {
                    RmwOp::Xchg => true,
                    RmwOp::FAdd | RmwOp::FSub => matches!(ty, Ty::Float(_)),
                    _ => matches!(ty, Ty::Int(_)),
                };
                self.ensure(fits, || Wrong::OperationType(*ty));
                self.has_ty(func, *ptr, Ty::Ptr);
                self.all_have(func, &[*value], *ty);
                self.result(func, *dst, *ty);
            }
            Inst::CmpXchg { old, ok, ty, ptr, expected, new, .. } => {
                self.ensure(!matches!(ty, Ty::Float(_)), || Wrong::OperationType(*ty));
                self.has_ty(func, *ptr, Ty::Ptr);
                self.all_have(func, &[*expected, *new], *ty);
                self.result(func, *old, *ty);
                self.result(func, *ok, Ty::BOOL);
            }
            Inst::StackSave { dst } => self.result(func, *dst, Ty::Ptr),
            Inst::VaArg { dst, ty, list } => {
                self.ty(*ty);
                self.has_ty(func, *list, Ty::Ptr);
                self.result(func, *dst, *ty);
            }
            // What is left takes pointers and gives nothing.
            _ => inst.for_each_operand(|operand| self.has_ty(func, *operand, Ty::Ptr)),
        }
    }

    fn intrinsic(&mut self, func: &Function, dsts: &[Reg], op: IntrinsicOp, ty: Ty, args: &[Operand]) {
        let fits = if op.is_float() { matches!(ty, Ty::Float(_)) } else { matches!(ty, Ty::Int(_)) };
        self.ensure(fits, || Wrong::OperationType(ty));
        let (expected, found) = (op.arity(), args.len());
        if self.ensure(expected == found, || Wrong::ArgCount { expected, found }) {
            let same = if op == IntrinsicOp::IsFpClass { 1 } else { args.len() };
            self.all_have(func, &args[..same], ty);
            args[same..].iter().for_each(|mask| self.has_ty(func, *mask, Ty::Int(32)));
        }
        match op {
            IntrinsicOp::IsFpClass => self.results(func, dsts, &[Ty::BOOL]),
            _ if op.has_overflow_bit() => self.results(func, dsts, &[ty, Ty::BOOL]),
            _ => self.results(func, dsts, &[ty]),
        }
    }

    fn call(&mut self, func: &Function, dsts: &[Reg], callee: Callee, args: &[Arg]) {
        for arg in args {
            self.all_have(func, &[arg.value], arg.ty);
            if arg.byval.is_some() {
                self.ensure(arg.ty == Ty::Ptr, || Wrong::Type { expected: "ptr".to_owned(), found: arg.ty });
            }
        }
        let target = match callee {
            Callee::Indirect(target) => return self.has_ty(func, target, Ty::Ptr),
            Callee::Direct(target) => target,
        };
        if !self.func_in_range(target) {
            return;
        }
        let target = &self.program.funcs[target];
        let (expected, found) = (target.params.len(), args.len());
        let count_fits = found == expected || (found > expected && target.variadic);
        self.ensure(count_fits, || Wrong::ArgCount { expected, found });
        for (index, (&param, arg)) in target.params.iter().zip(args).enumerate() {
            if let Some(info) = target.regs.get(param) {
                let expected = info.ty;
                self.ensure(arg.ty == expected, || Wrong::Type {
                    expected: expected.to_string(),
                    found: arg.ty,
                });
            }
            let byval = target.byval.get(index).copied().flatten();
            self.ensure(arg.byval == byval, || Wrong::Byval(index));
        }
        if !dsts.is_empty() {
            self.results(func, dsts, &target.ret);
        }
    }

    pub(super) fn cast(&mut self, op: CastOp, from: Ty, to: Ty) {
        let ptr_bits = self.program.target.ptr_bits;
        let (narrow, wide) = (from.bits(ptr_bits), to.bits(ptr_bits));
        let fits = match (op, from, to) {
            (CastOp::Trunc, Ty::Int(_), Ty::Int(_)) | (CastOp::FpTrunc, Ty::Float(_), Ty::Float(_)) => {
                narrow > wide
            }
            (CastOp::ZExt | CastOp::SExt, Ty::Int(_), Ty::Int(_))
            | (CastOp::FpExt, Ty::Float(_), Ty::Float(_)) => narrow < wide,
            (CastOp::PtrToInt, Ty::Ptr, Ty::Int(_)) | (CastOp::IntToPtr, Ty::Int(_), Ty::Ptr) => true,
            (CastOp::Bitcast, _, _) => narrow == wide,
            (CastOp::FpToUi | CastOp::FpToSi, Ty::Float(_), Ty::Int(_)) => true,
            (CastOp::UiToFp | CastOp::SiToFp, Ty::Int(_), Ty::Float(_)) => true,
            _ => false,
        };
        self.ensure(fits, || Wrong::Cast { from, to });
    }
}
