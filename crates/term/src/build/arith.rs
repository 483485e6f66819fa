//! Sums and products.
//!
//! Sums are kept by [`super::linear`]. Of products: the constant is the second operand,
//! is positive as a signed number and not 1; a factor's own constant is pulled out. A
//! product of two terms that are small by their range is made at a width that holds it.

use crate::node::{Node, TermId};
use crate::pool::TermPool;
use crate::value::{self, BinOp};

impl TermPool {
    /// `a + b`.
    pub fn add(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.same_width(a, b);
        if width == 1 {
            return self.xor(a, b);
        }
        let (a, b) = self.constant_last(a, b);
        if self.is_const(b) {
            return self.add_constant(width, a, b);
        }
        if *self.node(b) == Node::Not(a) || *self.node(a) == Node::Not(b) {
            return self.all_ones(width);
        }
        let (x, c) = self.split_complement(width, a);
        let (y, d) = self.split_complement(width, b);
        let mut sum = self.add_sums(width, x, y);
        for constant in [c, d].into_iter().flatten() {
            sum = self.add_constant(width, sum, constant);
        }
        sum
    }

    /// The summand without its constant, and the constant; `~x` is `-x - 1`.
    fn split_complement(&mut self, width: u32, t: TermId) -> (TermId, Option<TermId>) {
        match *self.node(t) {
            Node::Not(x) => {
                let minus = self.neg(x);
                let minus_one = self.all_ones(width);
                (minus, Some(minus_one))
            }
            _ => self.split_constant(t),
        }
    }

    /// `a - b`.
    pub fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return self.bv(self.width(a), 0);
        }
        let minus = self.neg(b);
        self.add(a, minus)
    }

    /// `-a`.
    pub fn neg(&mut self, a: TermId) -> TermId {
        let width = self.width(a);
        if width == 1 {
            return a;
        }
        match *self.node(a) {
            Node::Const { value, .. } => self.bv(width, value.wrapping_neg()),
            Node::Wide { .. } => {
                let value = self.as_value(a).expect("a constant");
                self.bv_value(width, &value::neg(width, &value))
            }
            Node::Neg(x) => x,
            Node::Not(x) => {
                let one = self.bv(width, 1);
                self.add_constant(width, x, one)
            }
            Node::Add(..) => match self.negated_sum(width, a) {
                Some(sum) => sum,
                None => self.intern_bv(Node::Neg(a), width),
            },
            Node::Ite(c, x, y) if self.is_const(x) && self.is_const(y) => {
                let (x, y) = (self.neg(x), self.neg(y));
                self.ite(c, x, y)
            }
            _ => self.intern_bv(Node::Neg(a), width),
        }
    }

    /// `a * b`.
    pub fn mul(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.same_width(a, b);
        if width == 1 {
            return self.and(a, b);
        }
        if let Some(folded) = self.fold(BinOp::Mul, a, b) {
            return folded;
        }
        let (a, b) = self.constant_last(a, b);
        if self.is_const(b) {
            return self.mul_constant(width, a, b);
        }
        // Signs and constants of the factors go outside.
        for (factor, other) in [(a, b), (b, a)] {
            match *self.node(factor) {
                Node::Neg(x) => {
                    let product = self.mul(x, other);
                    return self.neg(product);
                }
                Node::Mul(x, c) if self.is_const(c) => {
                    let product = self.mul(x, other);
                    return self.mul(product, c);
                }
                Node::Zext(x) if self.width(x) == 1 => {
                    let zero = self.bv(width, 0);
                    return self.ite(x, other, zero);
                }
                _ => {}
            }
        }
        if let Some(product) = self.narrow_product(width, a, b) {
            return product;
        }
        self.intern_bv(Node::Mul(a, b), width)
    }

    /// `a * c` for a constant `c`, `a` not constant.
    fn mul_constant(&mut self, width: u32, a: TermId, c: TermId) -> TermId {
        if self.is_zero(c) {
            return c;
        }
        if self.is_one(c) {
            return a;
        }
        // The least number is its own negation and stays.
        if self.known_sign(c) == Some(true) {
            let minus = self.neg(c);
            if minus != c {
                let product = self.mul(a, minus);
                return self.neg(product);
            }
        }
        match *self.node(a) {
            Node::Neg(x) => {
                let product = self.mul(x, c);
                return self.neg(product);
            }
            Node::Mul(x, d) if self.is_const(d) => {
                let c = self.mul(c, d);
                return self.mul(x, c);
            }
            Node::Add(x, d) if self.is_const(d) => {
                let (x, d) = (self.mul(x, c), self.mul(d, c));
                return self.add(x, d);
            }
            Node::Ite(cond, x, y) if self.is_const(x) && self.is_const(y) => {
                let (x, y) = (self.mul(x, c), self.mul(y, c));
                return self.ite(cond, x, y);
            }
            // Terms made of pieces stay so when shifted.
            Node::Zext(_) | Node::Concat(..) => {
                if let Some(k) = self.log2(c) {
                    return self.shifted_pieces(a, k);
                }
            }
            _ => {}
        }
        self.intern_bv(Node::Mul(a, c), width)
    }

    /// `a << k` as pieces: the bits that stay above zeros.
    pub(super) fn shifted_pieces(&mut self, a: TermId, k: u32) -> TermId {
        let width = self.width(a);
        if k == 0 {
            return a;
        }
        let kept = self.extract(a, width - 1 - k, 0);
        let zeros = self.bv(k, 0);
        self.concat(kept, zeros)
    }

    /// The exponent if the term is a constant power of two.
    pub(super) fn log2(&self, t: TermId) -> Option<u32> {
        match *self.node(t) {
            Node::Const { value, .. } => value.is_power_of_two().then(|| value.trailing_zeros()),
            Node::Wide { value, .. } => {
                let value = self.wide(value);
                (value.count_ones() == 1).then(|| value.bits() as u32 - 1)
            }
            _ => None,
        }
    }

    /// The operands of a commutative operator: a constant last, otherwise by id.
    #[inline]
    pub(crate) fn constant_last(&self, a: TermId, b: TermId) -> (TermId, TermId) {
        match (self.is_const(a), self.is_const(b)) {
            (true, false) => (b, a),
            (false, true) => (a, b),
            _ => (a.min(b), a.max(b)),
        }
    }
}
