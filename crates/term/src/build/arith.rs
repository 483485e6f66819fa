//! Sums, products, quotients.

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
        if let Some(folded) = self.fold(BinOp::Add, a, b) {
            return folded;
        }
        let (a, b) = self.constant_last(a, b);
        if self.as_u64(b) == Some(0) {
            return a;
        }
        // Constants gather at the outside: (x + c) + d, (x + c) + y.
        if let Node::Add(x, c) = *self.node(a)
            && self.is_const(c)
        {
            if self.is_const(b) {
                let c = self.add(c, b);
                return self.add(x, c);
            }
            let sum = self.add(x, b);
            return self.add(sum, c);
        }
        if let Node::Add(y, c) = *self.node(b)
            && self.is_const(c)
        {
            let sum = self.add(a, y);
            return self.add(sum, c);
        }
        if *self.node(b) == Node::Neg(a) || *self.node(a) == Node::Neg(b) {
            return self.bv(width, 0);
        }
        self.intern_bv(Node::Add(a, b), width)
    }

    /// `a - b`.
    pub fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        let minus = self.neg(b);
        self.add(a, minus)
    }

    /// `-a`.
    pub fn neg(&mut self, a: TermId) -> TermId {
        let width = self.width(a);
        if width == 1 {
            return a;
        }
        if let Some(value) = self.as_value(a) {
            return self.bv_value(width, &value::neg(width, &value));
        }
        match *self.node(a) {
            Node::Neg(x) => x,
            Node::Add(x, y) => {
                let (x, y) = (self.neg(x), self.neg(y));
                self.add(x, y)
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
        match self.as_u64(b) {
            Some(0) => return b,
            Some(1) => return a,
            _ => {}
        }
        self.intern_bv(Node::Mul(a, b), width)
    }

    /// Unsigned quotient; all ones if `b` is 0.
    pub fn udiv(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.same_width(a, b);
        if let Some(folded) = self.fold(BinOp::Udiv, a, b) {
            return folded;
        }
        if width == 1 {
            // Division by 0 gives 1, division by 1 the dividend.
            let not_b = self.not(b);
            return self.or(a, not_b);
        }
        if self.as_u64(b) == Some(1) {
            return a;
        }
        self.intern_bv(Node::Udiv(a, b), width)
    }

    /// Unsigned remainder; `a` if `b` is 0.
    pub fn urem(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.same_width(a, b);
        if let Some(folded) = self.fold(BinOp::Urem, a, b) {
            return folded;
        }
        if width == 1 {
            let not_b = self.not(b);
            return self.and(a, not_b);
        }
        if self.as_u64(b) == Some(1) {
            return self.bv(width, 0);
        }
        self.intern_bv(Node::Urem(a, b), width)
    }

    /// Signed quotient, rounded toward zero; 1 if `b` is 0 and `a` negative, -1 if `b`
    /// is 0 and `a` is not.
    pub fn sdiv(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.same_width(a, b);
        if let Some(folded) = self.fold(BinOp::Sdiv, a, b) {
            return folded;
        }
        if width == 1 {
            let not_b = self.not(b);
            return self.or(a, not_b);
        }
        if self.as_u64(b) == Some(1) {
            return a;
        }
        self.intern_bv(Node::Sdiv(a, b), width)
    }

    /// Signed remainder, with the sign of `a`; `a` if `b` is 0.
    pub fn srem(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.same_width(a, b);
        if let Some(folded) = self.fold(BinOp::Srem, a, b) {
            return folded;
        }
        if width == 1 {
            let not_b = self.not(b);
            return self.and(a, not_b);
        }
        if self.as_u64(b) == Some(1) {
            return self.bv(width, 0);
        }
        self.intern_bv(Node::Srem(a, b), width)
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
