//! Pure intrinsics on integers; the floating-point ones are in `float`.

use selvedge_program::{BinOp, CmpOp, IntrinsicOp, Operand, Reg, Ty};
use selvedge_term::{TermId, TermPool};

use super::Step;
use super::arith::signed_overflow;
use crate::finding::Res;
use crate::ops;
use crate::value::{Value, sign_extend, truncate};

impl Step<'_, '_> {
    pub(super) fn intrinsic(&mut self, dsts: &[Reg], op: IntrinsicOp, ty: Ty, args: &[Operand]) -> Res<()> {
        let args: smallvec::SmallVec<[Value; 3]> = args.iter().map(|a| self.get(*a)).collect();
        let (value, flag) = match ty {
            Ty::Float(kind) => (self.float_intrinsic(op, kind, &args)?, None),
            Ty::Int(width) => self.integer_intrinsic(op, width, &args)?,
            Ty::Ptr => {
                let width = self.ptr_bits();
                self.integer_intrinsic(op, width, &args)?
            }
        };
        if let (Some(&dst), Some(flag)) = (dsts.get(1), flag) {
            self.set(dst, flag);
        }
        match dsts.first() {
            Some(&dst) => self.finish(dst, value),
            None => self.next(),
        }
    }

    /// Result and, for the overflow family, the overflow bit.
    fn integer_intrinsic(
        &mut self,
        op: IntrinsicOp,
        width: u32,
        args: &[Value],
    ) -> Res<(Value, Option<Value>)> {
        use IntrinsicOp as I;
        let ty = Ty::Int(width);
        let a = args[0];
        let b = args.get(1).copied().unwrap_or(Value::Int(0));
        Ok(match op {
            I::SAddOverflow => self.overflowing(BinOp::Add, true, width, a, b),
            I::SSubOverflow => self.overflowing(BinOp::Sub, true, width, a, b),
            I::SMulOverflow => self.overflowing(BinOp::Mul, true, width, a, b),
            I::UAddOverflow => self.overflowing(BinOp::Add, false, width, a, b),
            I::USubOverflow => self.overflowing(BinOp::Sub, false, width, a, b),
            I::UMulOverflow => self.overflowing(BinOp::Mul, false, width, a, b),
            I::SAddSat | I::UAddSat | I::SSubSat | I::USubSat => {
                let bin = if matches!(op, I::SAddSat | I::UAddSat) { BinOp::Add } else { BinOp::Sub };
                let signed = matches!(op, I::SAddSat | I::SSubSat);
                let (value, flag) = self.overflowing(bin, signed, width, a, b);
                let limit = self.saturated(bin, signed, width, a)?;
                let flag = flag.expect("overflowing gives one");
                (self.select_value(ty, flag, limit, value)?, None)
            }
            I::SMax => (self.pick(CmpOp::Slt, ty, a, b, true)?, None),
            I::SMin => (self.pick(CmpOp::Slt, ty, a, b, false)?, None),
            I::UMax => (self.pick(CmpOp::Ult, ty, a, b, true)?, None),
            I::UMin => (self.pick(CmpOp::Ult, ty, a, b, false)?, None),
            _ => {
                let concrete: Option<Vec<u64>> = args.iter().map(|v| ops::concrete(*v)).collect();
                let value = match concrete {
                    Some(args) if width <= 64 => Value::Int(bits_concrete(op, width, &args)),
                    _ => {
                        let pool = &mut self.m.pool;
                        let terms: Vec<TermId> = args.iter().map(|v| ops::to_term(pool, *v, width)).collect();
                        let term = bits_term(pool, op, width, &terms);
                        ops::from_term(pool, term)
                    }
                };
                (value, None)
            }
        })
    }

    fn overflowing(
        &mut self,
        op: BinOp,
        signed: bool,
        width: u32,
        a: Value,
        b: Value,
    ) -> (Value, Option<Value>) {
        let value = ops::bin(&mut self.m.pool, op, width, a, b);
        let flag = match (ops::concrete(a), ops::concrete(b)) {
            (Some(x), Some(y)) if width <= 64 => {
                let (x, y) = if signed {
                    (i128::from(sign_extend(x, width)), i128::from(sign_extend(y, width)))
                } else {
                    (i128::from(x), i128::from(y))
                };
                let exact = match op {
                    BinOp::Add => Some(x + y),
                    BinOp::Sub => Some(x - y),
                    _ => x.checked_mul(y),
                };
                let (low, high) = if signed {
                    (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1)
                } else {
                    (0, (1i128 << width) - 1)
                };
                Value::bool(exact.is_none_or(|e| e < low || e > high))
            }
            _ => {
                let pool = &mut self.m.pool;
                let (x, y) = (ops::to_term(pool, a, width), ops::to_term(pool, b, width));
                let term = if signed {
                    signed_overflow(pool, op, width, x, y)
                } else {
                    let room = if op == BinOp::Mul { 2 * width } else { width + 1 };
                    let (x, y) = (pool.zext(x, room), pool.zext(y, room));
                    let exact = match op {
                        BinOp::Add => pool.add(x, y),
                        BinOp::Sub => pool.sub(x, y),
                        _ => pool.mul(x, y),
                    };
                    let high = pool.extract(exact, room - 1, width);
                    let zero = pool.bv(room - width, 0);
                    pool.ne(high, zero)
                };
                ops::from_term(pool, term)
            }
        };
        (value, Some(flag))
    }

    /// The value at which `a op _` saturates.
    fn saturated(&mut self, op: BinOp, signed: bool, width: u32, a: Value) -> Res<Value> {
        let pool = &mut self.m.pool;
        let zero = pool.bv(width, 0);
        let ones = pool.bvnot(zero);
        let term = if signed {
            let one = pool.bv(width, 1);
            let shift = pool.bv(width, u64::from(width) - 1);
            let min = pool.shl(one, shift);
            let max = pool.bvnot(min);
            let a = ops::to_term(pool, a, width);
            let negative = pool.slt(a, zero);
            pool.ite(negative, min, max)
        } else if op == BinOp::Add {
            ones
        } else {
            zero
        };
        Ok(ops::from_term(pool, term))
    }
}

fn bits_concrete(op: IntrinsicOp, width: u32, args: &[u64]) -> u64 {
    use IntrinsicOp as I;
    let a = args[0];
    let result = match op {
        I::Abs => sign_extend(a, width).unsigned_abs(),
        I::CtPop => u64::from(a.count_ones()),
        I::Ctlz => u64::from((a << (64 - width)).leading_zeros().min(width)),
        I::Cttz => u64::from(a.trailing_zeros().min(width)),
        I::BSwap => a.swap_bytes() >> (64 - width),
        I::BitReverse => a.reverse_bits() >> (64 - width),
        I::FShl | I::FShr => {
            let amount = args[2] % u64::from(width);
            let both = u128::from(a) << width | u128::from(args[1]);
            if op == I::FShl { (both << amount >> width) as u64 } else { (both >> amount) as u64 }
        }
        _ => unreachable!("handled before"),
    };
    truncate(result, width)
}

fn bits_term(pool: &mut TermPool, op: IntrinsicOp, width: u32, args: &[TermId]) -> TermId {
    use IntrinsicOp as I;
    let a = args[0];
    match op {
        I::Abs => {
            let zero = pool.bv(width, 0);
            let negative = pool.slt(a, zero);
            let negated = pool.neg(a);
            pool.ite(negative, negated, a)
        }
        I::CtPop => (0..width).fold(pool.bv(width, 0), |sum, i| {
            let bit = pool.extract(a, i, i);
            let bit = pool.zext(bit, width);
            pool.add(sum, bit)
        }),
        I::Ctlz | I::Cttz => {
            // From the least to the most preferred position, so that the preferred one is tested first.
            let mut result = pool.bv(width, u64::from(width));
            for i in 0..width {
                let position = if op == I::Ctlz { i } else { width - 1 - i };
                let bit = pool.extract(a, position, position);
                let count = if op == I::Ctlz { width - 1 - position } else { position };
                let count = pool.bv(width, u64::from(count));
                result = pool.ite(bit, count, result);
            }
            result
        }
        I::BSwap => {
            let bytes: Vec<TermId> = (0..width / 8).map(|i| pool.extract(a, 8 * i + 7, 8 * i)).collect();
            concat_all(pool, &bytes)
        }
        I::BitReverse => {
            let bits: Vec<TermId> = (0..width).map(|i| pool.extract(a, i, i)).collect();
            concat_all(pool, &bits)
        }
        I::FShl | I::FShr => {
            let modulus = pool.bv(width, u64::from(width));
            let amount = pool.urem(args[2], modulus);
            let both = pool.concat(a, args[1]);
            let amount = pool.zext(amount, 2 * width);
            if op == I::FShl {
                let shifted = pool.shl(both, amount);
                pool.extract(shifted, 2 * width - 1, width)
            } else {
                let shifted = pool.lshr(both, amount);
                pool.extract(shifted, width - 1, 0)
            }
        }
        _ => unreachable!("handled before"),
    }
}

/// Concatenation, most significant first.
fn concat_all(pool: &mut TermPool, parts: &[TermId]) -> TermId {
    let mut parts = parts.iter().copied();
    let first = parts.next().expect("not empty");
    parts.fold(first, |high, low| pool.concat(high, low))
}
