//! Random expression trees and what they mean, independent of the crate's own folding.
//!
//! An [`Expr`] is what a client asks the builder for, before any rewriting; its value is
//! computed from big integers by the definitions of SMT-LIB.

use num_bigint::{BigInt, BigUint};
use num_traits::{One, ToPrimitive, Zero};
use selvedge_term::{ArrayValue, Assignment, BvValue, Constant, Sort, TermId, TermPool};

/// Operators on two operands of one width with a result of that width.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    Add,
    Sub,
    Mul,
    Udiv,
    Urem,
    Sdiv,
    Srem,
    And,
    Or,
    Xor,
    Shl,
    Lshr,
    Ashr,
}

/// Comparisons.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cmp {
    Eq,
    Ne,
    Ult,
    Ule,
    Ugt,
    Uge,
    Slt,
    Sle,
    Sgt,
    Sge,
}

/// A bit-vector expression.
#[derive(Clone, Debug)]
pub(crate) enum Expr {
    Var(u32, u8),
    Const(u32, BigUint),
    Not(Box<Expr>),
    Neg(Box<Expr>),
    Bin(Op, Box<Expr>, Box<Expr>),
    Cmp(Cmp, Box<Expr>, Box<Expr>),
    Concat(Box<Expr>, Box<Expr>),
    Extract(Box<Expr>, u32, u32),
    Zext(Box<Expr>, u32),
    Sext(Box<Expr>, u32),
    Ite(Box<Expr>, Box<Expr>, Box<Expr>),
    AndAll(Vec<Expr>),
    OrAll(Vec<Expr>),
    Implies(Box<Expr>, Box<Expr>),
    Select(Box<Array>, Box<Expr>),
}

/// An array expression from 8 to 8 bits.
#[derive(Clone, Debug)]
pub(crate) enum Array {
    Var(u8),
    Const(Expr),
    Store(Box<Array>, Expr, Expr),
    Ite(Expr, Box<Array>, Box<Array>),
}

/// Decisions read from random bytes; all zero once they run out, which ends recursion.
pub(crate) struct Choices<'a> {
    bytes: &'a [u8],
}

impl<'a> Choices<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Choices { bytes }
    }

    pub(crate) fn below(&mut self, limit: u32) -> u32 {
        match self.bytes.split_first() {
            Some((&first, rest)) => {
                self.bytes = rest;
                u32::from(first) % limit
            }
            None => 0,
        }
    }

    fn exhausted(&self) -> bool {
        self.bytes.is_empty()
    }

    /// A value with a bias to those at which operators change their behaviour.
    pub(crate) fn value(&mut self, width: u32) -> BigUint {
        let all = (BigUint::one() << width) - 1u32;
        match self.below(8) {
            0 => BigUint::zero(),
            1 => BigUint::one(),
            2 => all,
            3 => BigUint::one() << (width - 1),
            4 => BigUint::one() << self.below(width),
            5 => (BigUint::one() << self.below(width)) - 1u32,
            6 => BigUint::from(self.below(16)) & all,
            _ => {
                let mut value = BigUint::zero();
                for _ in 0..width.div_ceil(8) {
                    value = (value << 8u32) | BigUint::from(self.below(256));
                }
                value & all
            }
        }
    }

    fn narrower(&mut self, width: u32) -> u32 {
        match self.below(4) {
            0 => 1,
            1 => width / 2,
            2 => 8,
            _ => 1 + self.below(width - 1),
        }
        .clamp(1, width - 1)
    }

    pub(crate) fn array(&mut self, depth: u32) -> Array {
        if depth == 0 || self.exhausted() {
            return Array::Var(self.below(2) as u8);
        }
        match self.below(5) {
            0 => Array::Var(self.below(2) as u8),
            1 => Array::Const(self.expr(8, depth - 1)),
            2 => Array::Ite(
                self.expr(1, depth - 1),
                self.array(depth - 1).into(),
                self.array(depth - 1).into(),
            ),
            _ => Array::Store(self.array(depth - 1).into(), self.expr(8, depth - 1), self.expr(8, depth - 1)),
        }
    }

    pub(crate) fn expr(&mut self, width: u32, depth: u32) -> Expr {
        if depth == 0 || self.exhausted() {
            return if self.below(3) == 0 {
                Expr::Const(width, self.value(width))
            } else {
                Expr::Var(width, self.below(2) as u8)
            };
        }
        let depth = depth - 1;
        let boxed = |e: Expr| Box::new(e);
        match self.below(if width == 1 { 25 } else { 19 }) {
            0 => Expr::Var(width, self.below(2) as u8),
            1 => Expr::Const(width, self.value(width)),
            2 => Expr::Not(boxed(self.expr(width, depth))),
            3 => Expr::Neg(boxed(self.expr(width, depth))),
            4 | 5 if width > 1 => {
                let low = self.narrower(width);
                Expr::Concat(self.expr(width - low, depth).into(), self.expr(low, depth).into())
            }
            6 => {
                let more = 1 + self.below(9);
                let low = self.below(more + 1);
                Expr::Extract(self.expr(width + more, depth).into(), low + width - 1, low)
            }
            7 if width > 1 => {
                let inner = self.narrower(width);
                Expr::Zext(self.expr(inner, depth).into(), width)
            }
            8 if width > 1 => {
                let inner = self.narrower(width);
                Expr::Sext(self.expr(inner, depth).into(), width)
            }
            9 => Expr::Ite(
                self.expr(1, depth).into(),
                self.expr(width, depth).into(),
                self.expr(width, depth).into(),
            ),
            10 if width == 8 => Expr::Select(self.array(depth).into(), self.expr(8, depth).into()),
            // A narrow operation inside a wide one, as C's promotions make.
            11 if width >= 13 => {
                let op = self.op();
                let mut side = || {
                    let inner = self.narrower(width);
                    let e = self.expr(inner, depth).into();
                    if self.below(2) == 0 { Expr::Zext(e, width) } else { Expr::Sext(e, width) }
                };
                Expr::Bin(op, side().into(), side().into())
            }
            19..=21 => {
                let inner = [1, 8, 8, 13, 32, 64, 65][self.below(7) as usize];
                self.comparison(inner, depth)
            }
            22 => Expr::AndAll((0..self.below(4)).map(|_| self.expr(1, depth)).collect()),
            23 => Expr::OrAll((0..self.below(4)).map(|_| self.expr(1, depth)).collect()),
            24 => Expr::Implies(self.expr(1, depth).into(), self.expr(1, depth).into()),
            _ => {
                let op = self.op();
                Expr::Bin(op, self.expr(width, depth).into(), self.expr(width, depth).into())
            }
        }
    }

    /// A comparison of two expressions of this width.
    pub(crate) fn comparison(&mut self, width: u32, depth: u32) -> Expr {
        const CMPS: [Cmp; 10] = [
            Cmp::Eq,
            Cmp::Ne,
            Cmp::Ult,
            Cmp::Ule,
            Cmp::Ugt,
            Cmp::Uge,
            Cmp::Slt,
            Cmp::Sle,
            Cmp::Sgt,
            Cmp::Sge,
        ];
        let cmp = CMPS[self.below(10) as usize];
        Expr::Cmp(cmp, self.expr(width, depth).into(), self.expr(width, depth).into())
    }

    /// An operator.
    pub(crate) fn op(&mut self) -> Op {
        const OPS: [Op; 16] = [
            Op::Add,
            Op::Add,
            Op::Sub,
            Op::Sub,
            Op::Mul,
            Op::Udiv,
            Op::Urem,
            Op::Sdiv,
            Op::Srem,
            Op::And,
            Op::And,
            Op::Or,
            Op::Xor,
            Op::Shl,
            Op::Lshr,
            Op::Ashr,
        ];
        OPS[self.below(16) as usize]
    }

    /// Values for all variables expressions of [`Choices::expr`] can mention.
    pub(crate) fn assignment(&mut self, pool: &mut TermPool) -> Assignment {
        let mut model = Assignment::new();
        for v in 0..pool.var_count() {
            let v = selvedge_term::VarId(v as u32);
            let value = match pool.var_info(v).sort {
                Sort::Bv(width) => Constant::Bv { width, value: self.value(width).into() },
                Sort::Int => Constant::Int(BigInt::from(self.below(40)) - 20),
                Sort::Array { index, elem } => {
                    let mut array = ArrayValue::new(index, elem, self.value(elem).into());
                    for _ in 0..self.below(5) {
                        array.store(self.value(index).into(), self.value(elem).into());
                    }
                    Constant::Array(array)
                }
            };
            model.set(v, value);
        }
        model
    }
}

impl Expr {
    pub(crate) fn width(&self) -> u32 {
        match self {
            Expr::Var(width, _) | Expr::Const(width, _) | Expr::Zext(_, width) | Expr::Sext(_, width) => {
                *width
            }
            Expr::Not(a) | Expr::Neg(a) | Expr::Bin(_, a, _) | Expr::Ite(_, a, _) => a.width(),
            Expr::Concat(a, b) => a.width() + b.width(),
            Expr::Extract(_, high, low) => high - low + 1,
            Expr::Cmp(..) | Expr::AndAll(_) | Expr::OrAll(_) | Expr::Implies(..) => 1,
            Expr::Select(..) => 8,
        }
    }

    /// The term a client gets.
    pub(crate) fn build(&self, pool: &mut TermPool) -> TermId {
        match self {
            Expr::Var(width, n) => pool.var(&format!("x{n}"), Sort::Bv(*width)),
            Expr::Const(width, value) => pool.bv_wide(*width, value.clone()),
            Expr::Not(a) => {
                let a = a.build(pool);
                pool.bvnot(a)
            }
            Expr::Neg(a) => {
                let a = a.build(pool);
                pool.neg(a)
            }
            Expr::Bin(op, a, b) => {
                let (a, b) = (a.build(pool), b.build(pool));
                match op {
                    Op::Add => pool.add(a, b),
                    Op::Sub => pool.sub(a, b),
                    Op::Mul => pool.mul(a, b),
                    Op::Udiv => pool.udiv(a, b),
                    Op::Urem => pool.urem(a, b),
                    Op::Sdiv => pool.sdiv(a, b),
                    Op::Srem => pool.srem(a, b),
                    Op::And => pool.bvand(a, b),
                    Op::Or => pool.bvor(a, b),
                    Op::Xor => pool.bvxor(a, b),
                    Op::Shl => pool.shl(a, b),
                    Op::Lshr => pool.lshr(a, b),
                    Op::Ashr => pool.ashr(a, b),
                }
            }
            Expr::Cmp(cmp, a, b) => {
                let (a, b) = (a.build(pool), b.build(pool));
                match cmp {
                    Cmp::Eq => pool.eq(a, b),
                    Cmp::Ne => pool.ne(a, b),
                    Cmp::Ult => pool.ult(a, b),
                    Cmp::Ule => pool.ule(a, b),
                    Cmp::Ugt => pool.ugt(a, b),
                    Cmp::Uge => pool.uge(a, b),
                    Cmp::Slt => pool.slt(a, b),
                    Cmp::Sle => pool.sle(a, b),
                    Cmp::Sgt => pool.sgt(a, b),
                    Cmp::Sge => pool.sge(a, b),
                }
            }
            Expr::Concat(a, b) => {
                let (a, b) = (a.build(pool), b.build(pool));
                pool.concat(a, b)
            }
            Expr::Extract(a, high, low) => {
                let a = a.build(pool);
                pool.extract(a, *high, *low)
            }
            Expr::Zext(a, width) => {
                let a = a.build(pool);
                pool.zext(a, *width)
            }
            Expr::Sext(a, width) => {
                let a = a.build(pool);
                pool.sext(a, *width)
            }
            Expr::Ite(c, a, b) => {
                let (c, a, b) = (c.build(pool), a.build(pool), b.build(pool));
                pool.ite(c, a, b)
            }
            Expr::AndAll(items) => {
                let items: Vec<TermId> = items.iter().map(|item| item.build(pool)).collect();
                pool.and_all(&items)
            }
            Expr::OrAll(items) => {
                let items: Vec<TermId> = items.iter().map(|item| item.build(pool)).collect();
                pool.or_all(&items)
            }
            Expr::Implies(a, b) => {
                let (a, b) = (a.build(pool), b.build(pool));
                pool.implies(a, b)
            }
            Expr::Select(array, index) => {
                let (array, index) = (array.build(pool), index.build(pool));
                pool.select(array, index)
            }
        }
    }

    /// The value by definition.
    pub(crate) fn value(&self, pool: &mut TermPool, model: &Assignment) -> BigUint {
        let width = self.width();
        let modulus = BigUint::one() << width;
        match self {
            Expr::Var(width, n) => {
                let t = pool.var(&format!("x{n}"), Sort::Bv(*width));
                let v = pool.var_id(t).expect("a variable");
                model.get(v).and_then(Constant::as_big).unwrap_or_default()
            }
            Expr::Const(_, value) => value.clone(),
            Expr::Not(a) => modulus - 1u32 - a.value(pool, model),
            Expr::Neg(a) => (&modulus - a.value(pool, model)) % modulus,
            Expr::Bin(op, a, b) => binary(*op, width, a.value(pool, model), b.value(pool, model)),
            Expr::Cmp(cmp, a, b) => {
                let width = a.width();
                let (x, y) = (a.value(pool, model), b.value(pool, model));
                let (sx, sy) = (to_signed(width, &x), to_signed(width, &y));
                truth(match cmp {
                    Cmp::Eq => x == y,
                    Cmp::Ne => x != y,
                    Cmp::Ult => x < y,
                    Cmp::Ule => x <= y,
                    Cmp::Ugt => x > y,
                    Cmp::Uge => x >= y,
                    Cmp::Slt => sx < sy,
                    Cmp::Sle => sx <= sy,
                    Cmp::Sgt => sx > sy,
                    Cmp::Sge => sx >= sy,
                })
            }
            Expr::Concat(a, b) => (a.value(pool, model) << b.width()) + b.value(pool, model),
            Expr::Extract(a, _, low) => (a.value(pool, model) >> *low) % modulus,
            Expr::Zext(a, _) => a.value(pool, model),
            Expr::Sext(a, _) => to_unsigned(width, &to_signed(a.width(), &a.value(pool, model))),
            Expr::Ite(c, a, b) => {
                if c.value(pool, model).is_one() {
                    a.value(pool, model)
                } else {
                    b.value(pool, model)
                }
            }
            Expr::AndAll(items) => truth(items.iter().all(|item| item.value(pool, model).is_one())),
            Expr::OrAll(items) => truth(items.iter().any(|item| item.value(pool, model).is_one())),
            Expr::Implies(a, b) => truth(a.value(pool, model).is_zero() || b.value(pool, model).is_one()),
            Expr::Select(array, index) => {
                let index = index.value(pool, model);
                array.element(pool, model, &index)
            }
        }
    }
}

impl Array {
    fn build(&self, pool: &mut TermPool) -> TermId {
        match self {
            Array::Var(n) => pool.var(&format!("a{n}"), Sort::Array { index: 8, elem: 8 }),
            Array::Const(elem) => {
                let elem = elem.build(pool);
                pool.const_array(8, elem)
            }
            Array::Store(array, index, value) => {
                let (array, index, value) = (array.build(pool), index.build(pool), value.build(pool));
                pool.store(array, index, value)
            }
            Array::Ite(c, a, b) => {
                let (c, a, b) = (c.build(pool), a.build(pool), b.build(pool));
                pool.ite(c, a, b)
            }
        }
    }

    fn element(&self, pool: &mut TermPool, model: &Assignment, index: &BigUint) -> BigUint {
        match self {
            Array::Var(_) => {
                let t = self.build(pool);
                let v = pool.var_id(t).expect("a variable");
                match model.get(v) {
                    Some(Constant::Array(array)) => array.select(&BvValue::from(index.clone())).to_big(),
                    _ => BigUint::zero(),
                }
            }
            Array::Const(elem) => elem.value(pool, model),
            Array::Store(array, at, value) => {
                if at.value(pool, model) == *index {
                    value.value(pool, model)
                } else {
                    array.element(pool, model, index)
                }
            }
            Array::Ite(c, a, b) => {
                if c.value(pool, model).is_one() {
                    a.element(pool, model, index)
                } else {
                    b.element(pool, model, index)
                }
            }
        }
    }
}

fn truth(b: bool) -> BigUint {
    BigUint::from(u32::from(b))
}

fn to_signed(width: u32, value: &BigUint) -> BigInt {
    let value = BigInt::from(value.clone());
    if value >= BigInt::one() << (width - 1) { value - (BigInt::one() << width) } else { value }
}

fn to_unsigned(width: u32, value: &BigInt) -> BigUint {
    let modulus = BigInt::one() << width;
    let value = ((value % &modulus) + &modulus) % &modulus;
    value.to_biguint().expect("reduced modulo a positive number")
}

fn binary(op: Op, width: u32, x: BigUint, y: BigUint) -> BigUint {
    let modulus = BigUint::one() << width;
    let (sx, sy) = (to_signed(width, &x), to_signed(width, &y));
    let amount = y.to_u64().unwrap_or(u64::MAX).min(u64::from(width));
    match op {
        Op::Add => (x + y) % modulus,
        Op::Sub => (x + &modulus - y) % modulus,
        Op::Mul => (x * y) % modulus,
        Op::Udiv if y.is_zero() => modulus - 1u32,
        Op::Udiv => x / y,
        Op::Urem if y.is_zero() => x,
        Op::Urem => x % y,
        Op::Sdiv if y.is_zero() => {
            if sx < BigInt::zero() {
                BigUint::one()
            } else {
                modulus - 1u32
            }
        }
        // BigInt's operators truncate toward zero.
        Op::Sdiv => to_unsigned(width, &(sx / sy)),
        Op::Srem if y.is_zero() => x,
        Op::Srem => to_unsigned(width, &(sx % sy)),
        Op::And => x & y,
        Op::Or => x | y,
        Op::Xor => x ^ y,
        Op::Shl => (x << amount) % modulus,
        Op::Lshr => x >> amount,
        // Shifting a BigInt right rounds down, as filling with the sign does.
        Op::Ashr => to_unsigned(width, &(sx >> amount)),
    }
}
