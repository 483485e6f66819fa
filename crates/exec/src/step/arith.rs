//! Integer arithmetic, conversions, selection, address arithmetic.

use selvedge_program::{BinOp, CastOp, Operand, Reg, Ty, Wrap};

use super::Step;
use crate::finding::{FindingKind, Res};
use crate::image::is_bit_cast;
use crate::ops;
use crate::value::{Value, sign_extend, truncate};

impl Step<'_, '_> {
    pub(super) fn bin(
        &mut self,
        dst: Reg,
        op: BinOp,
        wrap: Wrap,
        width: u32,
        a: Operand,
        b: Operand,
    ) -> Res<()> {
        let (a, b) = (self.get(a), self.get(b));
        match op {
            BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem => self.check_division(op, width, a, b)?,
            BinOp::Shl | BinOp::LShr | BinOp::AShr if self.m.options.checks(FindingKind::Operand) => {
                self.check_shift(width, b)?;
            }
            BinOp::Shl | BinOp::LShr | BinOp::AShr => {
                let fits = self.shift_fits(width, b);
                if !self.decide(fits)? {
                    // Nobody asked for a report, but processors and compilers differ.
                    let any = self.fresh(width);
                    return self.finish(dst, any);
                }
            }
            BinOp::Add | BinOp::Sub | BinOp::Mul
                if wrap.nsw && self.m.options.checks(FindingKind::Overflow) =>
            {
                self.check_signed_overflow(op, width, a, b)?;
            }
            _ => {}
        }
        self.look_at_bin(op, a, b);
        let value = ops::bin(&mut self.m.pool, op, width, a, b);
        self.finish(dst, value)
    }

    fn check_division(&mut self, op: BinOp, width: u32, a: Value, b: Value) -> Res<()> {
        let zero = self.zero(width);
        let zero = ops::cmp(&mut self.m.pool, selvedge_program::CmpOp::Eq, width, b, zero);
        if self.decide(zero)? {
            return self.finding(FindingKind::Div, "division by zero");
        }
        if !matches!(op, BinOp::SDiv | BinOp::SRem) {
            return Ok(());
        }
        let overflows = match (a, b) {
            (Value::Int(x), Value::Int(y)) => {
                Value::bool(sign_extend(y, width) == -1 && x == truncate(1 << (width - 1).min(63), width))
            }
            _ => {
                let pool = &mut self.m.pool;
                let (x, y) = (ops::to_term(pool, a, width), ops::to_term(pool, b, width));
                let zero = pool.bv(width, 0);
                let minus_one = pool.bvnot(zero);
                let one = pool.bv(width, 1);
                let shift = pool.bv(width, u64::from(width) - 1);
                let min = pool.shl(one, shift);
                let (is_min, is_minus_one) = (pool.eq(x, min), pool.eq(y, minus_one));
                let both = pool.and(is_min, is_minus_one);
                ops::from_term(pool, both)
            }
        };
        if self.decide(overflows)? {
            return self.finding(
                FindingKind::DivOverflow,
                format!("the quotient of the smallest {width}-bit integer and -1 is not representable"),
            );
        }
        Ok(())
    }

    fn zero(&mut self, width: u32) -> Value {
        if width <= 64 { Value::Int(0) } else { Value::Term(self.m.pool.bv(width, 0)) }
    }

    /// Whether an amount is below the width.
    fn shift_fits(&mut self, width: u32, amount: Value) -> Value {
        if let (Value::Int(amount), true) = (amount, width <= 64) {
            return Value::bool(amount < u64::from(width));
        }
        let limit = match self.zero(width) {
            Value::Int(_) => Value::Int(truncate(u64::from(width), width)),
            _ => Value::Term(self.m.pool.bv(width, u64::from(width))),
        };
        ops::cmp(&mut self.m.pool, selvedge_program::CmpOp::Ult, width, amount, limit)
    }

    fn check_shift(&mut self, width: u32, amount: Value) -> Res<()> {
        let fits = self.shift_fits(width, amount);
        if self.decide(fits)? {
            return Ok(());
        }
        self.finding(FindingKind::Operand, format!("shift amount is not below the width of {width} bits"))
    }

    fn check_signed_overflow(&mut self, op: BinOp, width: u32, a: Value, b: Value) -> Res<()> {
        let overflows = match (a, b) {
            (Value::Int(x), Value::Int(y)) => {
                let (x, y) = (i128::from(sign_extend(x, width)), i128::from(sign_extend(y, width)));
                let exact = match op {
                    BinOp::Add => x + y,
                    BinOp::Sub => x - y,
                    _ => x * y,
                };
                let max = (1i128 << (width - 1)) - 1;
                Value::bool(exact > max || exact < -max - 1)
            }
            _ => {
                let pool = &mut self.m.pool;
                let (x, y) = (ops::to_term(pool, a, width), ops::to_term(pool, b, width));
                let overflow = signed_overflow(pool, op, width, x, y);
                ops::from_term(pool, overflow)
            }
        };
        if self.decide(overflows)? {
            let what = match op {
                BinOp::Add => "addition",
                BinOp::Sub => "subtraction",
                _ => "multiplication",
            };
            return self.finding(FindingKind::Overflow, format!("signed {what} overflows {width} bits"));
        }
        Ok(())
    }

    pub(super) fn cast(&mut self, dst: Reg, op: CastOp, from: Ty, to: Ty, a: Operand) -> Res<()> {
        if !is_bit_cast(op) {
            return self.float_cast(dst, op, from, to, a);
        }
        let a = self.get(a);
        if op == CastOp::Bitcast && matches!(from, Ty::Float(_)) {
            self.shows_bits(a);
        }
        let bits = self.ptr_bits();
        if op == CastOp::Trunc {
            self.look_at_narrowing(to.bits(bits), a);
        }
        let value = ops::cast(&mut self.m.pool, op, from, to, bits, a);
        self.finish(dst, value)
    }

    pub(super) fn select(&mut self, dst: Reg, ty: Ty, cond: Operand, a: Operand, b: Operand) -> Res<()> {
        let (cond, a, b) = (self.get(cond), self.get(a), self.get(b));
        let value = self.select_value(ty, cond, a, b)?;
        self.finish(dst, value)
    }

    /// `cond ? a : b`; forks only between pointers into different objects.
    pub(super) fn select_value(&mut self, ty: Ty, cond: Value, a: Value, b: Value) -> Res<Value> {
        if a == b {
            return Ok(a);
        }
        if ops::concrete(cond).is_none() && ops::provenance(a) == ops::provenance(b) {
            let width = ty.bits(self.ptr_bits());
            let pool = &mut self.m.pool;
            let c = ops::to_term(pool, cond, 1);
            let (x, y) = (ops::to_term(pool, a, width), ops::to_term(pool, b, width));
            let term = pool.ite(c, x, y);
            return Ok(match ops::provenance(a) {
                Some(obj) => ops::pointer(pool, obj, term),
                None => ops::from_term(pool, term),
            });
        }
        Ok(if self.decide(cond)? { a } else { b })
    }

    pub(super) fn ptr_add(
        &mut self,
        dst: Reg,
        base: Operand,
        offset: i64,
        scaled: &[(Operand, u32, i64)],
    ) -> Res<()> {
        let bits = self.ptr_bits();
        let mut address = self.get(base);
        if offset != 0 {
            let offset = Value::Int(truncate(offset as u64, bits));
            address = ops::bin(&mut self.m.pool, BinOp::Add, bits, address, offset);
        }
        for &(index, width, scale) in scaled {
            let index = self.get(index);
            let index = ops::cast(&mut self.m.pool, CastOp::SExt, Ty::Int(width), Ty::Int(bits), bits, index);
            let index = match index {
                Value::Int(_) | Value::Term(_) => index,
                // A pointer used as an index is a number here.
                other => {
                    let term = ops::to_term(&mut self.m.pool, other, bits);
                    ops::from_term(&self.m.pool, term)
                }
            };
            let scale = Value::Int(truncate(scale as u64, bits));
            let bytes = ops::bin(&mut self.m.pool, BinOp::Mul, bits, index, scale);
            address = ops::bin(&mut self.m.pool, BinOp::Add, bits, address, bytes);
        }
        self.finish(dst, address)
    }
}

/// Whether the exact result does not fit: computed in a width where it does.
pub(super) fn signed_overflow(
    pool: &mut selvedge_term::TermPool,
    op: BinOp,
    width: u32,
    a: selvedge_term::TermId,
    b: selvedge_term::TermId,
) -> selvedge_term::TermId {
    let room = if op == BinOp::Mul { 2 * width } else { width + 1 };
    let (x, y) = (pool.sext(a, room), pool.sext(b, room));
    let exact = match op {
        BinOp::Add => pool.add(x, y),
        BinOp::Sub => pool.sub(x, y),
        _ => pool.mul(x, y),
    };
    let low = pool.extract(exact, width - 1, 0);
    let back = pool.sext(low, room);
    pool.ne(back, exact)
}
