//! Intrinsics that compute numbers: element by element for vectors, and vector reductions.

use selvedge_library::{Known, Math, Precision};
use selvedge_program::{Arg, BinOp, Callee, CmpOp, FBinOp, FloatKind, Inst, IntrinsicOp, Operand, Ty, Wrap};
use smallvec::smallvec;

use super::function::{FnLowerer, Scalars};
use crate::llvm::Value;

impl<'m> FnLowerer<'_, 'm> {
    /// `name` is without its `llvm.`.
    pub(super) fn pure_intrinsic(
        &mut self,
        inst: Value<'m>,
        name: &str,
        args: &[Value<'m>],
    ) -> Result<(), String> {
        let unknown = || format!("the intrinsic llvm.{name}");
        if let Some(rest) = name.strip_prefix("vector.reduce.") {
            return self.reduction(inst, rest.split('.').next().unwrap_or(rest), args);
        }
        let op = |name: &str| PURE.iter().find(|(known, _)| *known == name).map(|(_, op)| *op);
        // The type suffixes follow the last word of the name, so try from the longest.
        let mut base = name;
        loop {
            if let Some(op) = op(base) {
                return self.pure(inst, op, args);
            }
            match base {
                "scmp" | "ucmp" => return self.three_way(inst, base == "scmp", args),
                _ => {}
            }
            if base == "powi" {
                return self.power(inst, args);
            }
            if LIBM.contains(&base) {
                return self.libm(inst, base, args);
            }
            base = base.rsplit_once('.').ok_or_else(unknown)?.0;
        }
    }

    fn pure(&mut self, inst: Value<'m>, op: IntrinsicOp, args: &[Value<'m>]) -> Result<(), String> {
        let undefined_for_min = op == IntrinsicOp::Abs
            && args.get(1).and_then(|flag| self.lowerer.signed_int(*flag)).unwrap_or(0) != 0;
        // Further arguments are flags such as "zero is poison".
        let args = args.get(..op.arity()).ok_or("an intrinsic with too few arguments")?;
        let arg_tys = self.tys(args[0].ty())?;
        let columns = args.iter().map(|&arg| self.operands(arg)).collect::<Result<Vec<_>, _>>()?;
        let tys = self.tys(inst.ty())?;
        let dsts = self.result_regs(inst, &tys);
        let lanes = arg_tys.len();
        for (lane, &ty) in arg_tys.iter().enumerate() {
            let args: Scalars =
                columns.iter().map(|column| *column.get(lane).unwrap_or(&column[0])).collect();
            if undefined_for_min && let Ty::Int(width) = ty {
                // Its negation overflows for the same number, and is checked.
                let dst = self.new_reg(ty);
                let wrap = Wrap { nsw: true, ..Wrap::default() };
                let zero = self.int(width, 0);
                self.emit(Inst::Bin { dst, op: BinOp::Sub, wrap, width, a: zero, b: args[0] });
            }
            // With two results, a vector of values is followed by a vector of bits.
            let dsts = dsts.iter().skip(lane).step_by(lanes).copied().collect();
            self.emit(Inst::Intrinsic { dsts, op, ty, args: args.into_vec().into() });
        }
        Ok(())
    }

    /// -1, 0 or 1.
    fn three_way(&mut self, inst: Value<'m>, signed: bool, args: &[Value<'m>]) -> Result<(), String> {
        let (Ty::Int(width), Ty::Int(out)) = (self.scalar_ty(args[0])?, self.scalar_ty(inst)?) else {
            return Err("a three-way comparison of other than integers".to_owned());
        };
        let (a, b) = (self.operand(args[0])?, self.operand(args[1])?);
        let op = if signed { CmpOp::Slt } else { CmpOp::Ult };
        let (less, greater) = (self.new_reg(Ty::BOOL), self.new_reg(Ty::BOOL));
        self.emit(Inst::Cmp { dst: less, op, width, a, b });
        self.emit(Inst::Cmp { dst: greater, op, width, a: b, b: a });
        let less = self.resize(Operand::Reg(less), 1, out);
        let greater = self.resize(Operand::Reg(greater), 1, out);
        let result = self.binary(BinOp::Sub, out, greater, less);
        self.bind(inst, smallvec![result]);
        Ok(())
    }

    /// A power with a whole exponent: the function of the compiler's own library.
    fn power(&mut self, inst: Value<'m>, args: &[Value<'m>]) -> Result<(), String> {
        let precision = match self.scalar_ty(inst)? {
            Ty::Float(FloatKind::Single) => Precision::Single,
            Ty::Float(FloatKind::Double) => Precision::Double,
            Ty::Float(FloatKind::X87) => Precision::Extended,
            _ => return Err("the intrinsic llvm.powi".to_owned()),
        };
        let name = Known::Math(Math::Powi, precision).names().next();
        self.library_call(inst, name.ok_or("a power of another precision")?, args)
    }

    /// Operations that only a library computes become calls of it.
    fn libm(&mut self, inst: Value<'m>, base: &str, args: &[Value<'m>]) -> Result<(), String> {
        let suffix = match args.first().map(|&arg| self.scalar_ty(arg)).transpose()? {
            Some(Ty::Float(FloatKind::Single)) => "f",
            Some(Ty::Float(FloatKind::Double)) => "",
            Some(Ty::Float(FloatKind::X87)) => "l",
            _ => return Err(format!("the intrinsic llvm.{base}")),
        };
        self.library_call(inst, &format!("{base}{suffix}"), args)
    }

    fn library_call(&mut self, inst: Value<'m>, name: &str, args: &[Value<'m>]) -> Result<(), String> {
        let arg_tys = args.iter().map(|&arg| self.scalar_ty(arg)).collect::<Result<Vec<_>, _>>()?;
        let ret = self.scalar_ty(inst)?;
        let func = self.lowerer.library_function(name, &arg_tys, ret);
        let Some(func) = func else { return Err(format!("`{name}`, declared in another way")) };
        let mut call_args = Vec::new();
        for (&arg, &ty) in args.iter().zip(&arg_tys) {
            call_args.push(Arg { value: self.operand(arg)?, ty, byval: None });
        }
        let dst = self.result_reg(inst, ret);
        self.emit(Inst::Call { dsts: [dst].into(), callee: Callee::Direct(func), args: call_args.into() });
        Ok(())
    }

    fn reduction(&mut self, inst: Value<'m>, name: &str, args: &[Value<'m>]) -> Result<(), String> {
        let ty = self.scalar_ty(inst)?;
        let vector = *args.last().ok_or("a reduction without a vector")?;
        let mut elements = self.operands(vector)?.into_iter();
        let mut total = match args {
            // The floating-point forms start from a given value.
            [start, _] => self.operand(*start)?,
            _ => elements.next().ok_or("a reduction of nothing")?,
        };
        for element in elements {
            let dst = self.new_reg(ty);
            let args = [total, element];
            let inst = match (name, ty) {
                ("fadd" | "fmul", Ty::Float(kind)) => {
                    let op = if name == "fadd" { FBinOp::Add } else { FBinOp::Mul };
                    Inst::FBin { dst, op, kind, a: total, b: element }
                }
                (_, Ty::Int(width)) => match (reduce_bin(name), reduce_pick(name)) {
                    (Some(op), _) => {
                        Inst::Bin { dst, op, wrap: Default::default(), width, a: total, b: element }
                    }
                    (_, Some(op)) => Inst::Intrinsic { dsts: [dst].into(), op, ty, args: args.into() },
                    _ => return Err(format!("the intrinsic llvm.vector.reduce.{name}")),
                },
                ("fmax", _) => {
                    Inst::Intrinsic { dsts: [dst].into(), op: IntrinsicOp::MaxNum, ty, args: args.into() }
                }
                ("fmin", _) => {
                    Inst::Intrinsic { dsts: [dst].into(), op: IntrinsicOp::MinNum, ty, args: args.into() }
                }
                _ => return Err(format!("the intrinsic llvm.vector.reduce.{name}")),
            };
            self.emit(inst);
            total = Operand::Reg(dst);
        }
        self.bind(inst, smallvec![total]);
        Ok(())
    }
}

fn reduce_bin(name: &str) -> Option<BinOp> {
    Some(match name {
        "add" => BinOp::Add,
        "mul" => BinOp::Mul,
        "and" => BinOp::And,
        "or" => BinOp::Or,
        "xor" => BinOp::Xor,
        _ => return None,
    })
}

fn reduce_pick(name: &str) -> Option<IntrinsicOp> {
    Some(match name {
        "smax" => IntrinsicOp::SMax,
        "smin" => IntrinsicOp::SMin,
        "umax" => IntrinsicOp::UMax,
        "umin" => IntrinsicOp::UMin,
        _ => return None,
    })
}

/// Intrinsics named after the function of libm that computes them.
const LIBM: &[&str] = &[
    "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "exp2", "exp10",
    "log", "log2", "log10", "pow", "ldexp", "lround", "llround", "lrint", "llrint",
];

const PURE: &[(&str, IntrinsicOp)] = &[
    ("sadd.with.overflow", IntrinsicOp::SAddOverflow),
    ("uadd.with.overflow", IntrinsicOp::UAddOverflow),
    ("ssub.with.overflow", IntrinsicOp::SSubOverflow),
    ("usub.with.overflow", IntrinsicOp::USubOverflow),
    ("smul.with.overflow", IntrinsicOp::SMulOverflow),
    ("umul.with.overflow", IntrinsicOp::UMulOverflow),
    ("sadd.sat", IntrinsicOp::SAddSat),
    ("uadd.sat", IntrinsicOp::UAddSat),
    ("ssub.sat", IntrinsicOp::SSubSat),
    ("usub.sat", IntrinsicOp::USubSat),
    ("smax", IntrinsicOp::SMax),
    ("smin", IntrinsicOp::SMin),
    ("umax", IntrinsicOp::UMax),
    ("umin", IntrinsicOp::UMin),
    ("abs", IntrinsicOp::Abs),
    ("ctpop", IntrinsicOp::CtPop),
    ("ctlz", IntrinsicOp::Ctlz),
    ("cttz", IntrinsicOp::Cttz),
    ("bswap", IntrinsicOp::BSwap),
    ("bitreverse", IntrinsicOp::BitReverse),
    ("fshl", IntrinsicOp::FShl),
    ("fshr", IntrinsicOp::FShr),
    ("fabs", IntrinsicOp::FAbs),
    ("sqrt", IntrinsicOp::Sqrt),
    ("floor", IntrinsicOp::Floor),
    ("ceil", IntrinsicOp::Ceil),
    ("trunc", IntrinsicOp::FTrunc),
    ("rint", IntrinsicOp::Rint),
    ("nearbyint", IntrinsicOp::Rint),
    ("round", IntrinsicOp::Round),
    ("roundeven", IntrinsicOp::RoundEven),
    ("copysign", IntrinsicOp::CopySign),
    ("minnum", IntrinsicOp::MinNum),
    ("maxnum", IntrinsicOp::MaxNum),
    ("fma", IntrinsicOp::Fma),
    ("fmuladd", IntrinsicOp::MulAdd),
    ("is.fpclass", IntrinsicOp::IsFpClass),
];
