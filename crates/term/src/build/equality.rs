//! Equality.
//!
//! Operands are ordered, a constant second. Equalities that ranges or known bits refute
//! are false; one operation between a variable part and a constant is undone
//! (`x + c = d`, `3*x = d`, `~x = d`, `x ^ c = d`); concatenations split; extensions are
//! compared at the narrower width; sums lose what both sides share, and their constant
//! goes to one side. Equality of truth values has no negated operand.

use smallvec::SmallVec;

use super::compare::ITE_FUEL;
use crate::node::{Node, TermId};
use crate::pool::TermPool;
use crate::sort::Sort;
use crate::value::{BinOp, mask, neg64};

/// Equations longer than this are not rearranged.
const LONGEST_EQUATION: usize = 6;

impl TermPool {
    /// `a = b`, for any sort.
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        let sort = self.packed_sort(a);
        assert!(self.packed_sort(b) == sort, "{a} and {b} differ in sort");
        if a == b {
            return self.tt();
        }
        match sort.unpack() {
            Sort::Bv(1) => self.eq_truth(a, b),
            Sort::Bv(width) => self.eq_bv(width, a, b, ITE_FUEL),
            Sort::Int => self.eq_int(a, b),
            Sort::Array { .. } => self.intern_bool(Node::Eq(a.min(b), a.max(b))),
        }
    }

    /// `a ≠ b`, for any sort.
    pub fn ne(&mut self, a: TermId, b: TermId) -> TermId {
        let same = self.eq(a, b);
        self.not(same)
    }

    fn eq_truth(&mut self, a: TermId, b: TermId) -> TermId {
        for (x, y) in [(a, b), (b, a)] {
            match (self.as_bool(x), *self.node(x)) {
                (Some(true), _) => return y,
                (Some(false), _) => return self.not(y),
                (None, Node::Not(x)) => {
                    let same = self.eq(x, y);
                    return self.not(same);
                }
                _ => {}
            }
        }
        // (x = y) = y is x.
        for (x, y) in [(a, b), (b, a)] {
            if let Node::Eq(u, v) = *self.node(x)
                && self.width_of_truth(u)
            {
                if u == y {
                    return v;
                }
                if v == y {
                    return u;
                }
            }
        }
        self.intern_bool(Node::Eq(a.min(b), a.max(b)))
    }

    fn width_of_truth(&self, t: TermId) -> bool {
        self.sort(t) == Sort::BOOL
    }

    fn eq_bv(&mut self, width: u32, a: TermId, b: TermId, fuel: u32) -> TermId {
        if a == b {
            return self.tt();
        }
        let (a, b) = self.constant_last(a, b);
        if self.surely_differ(a, b) {
            return self.ff();
        }
        if self.is_const(b)
            && let Some(result) = self.eq_constant(width, a, b, fuel)
        {
            return result;
        }
        if let Some(result) = self.eq_terms(width, a, b, fuel) {
            return result;
        }
        if width <= 64
            && (matches!(self.node(a), Node::Add(..) | Node::Neg(_) | Node::Mul(..))
                || matches!(self.node(b), Node::Add(..) | Node::Neg(_)))
            && let Some(result) = self.eq_linear(width, a, b, fuel)
        {
            return result;
        }
        self.intern_bool(Node::Eq(a, b))
    }

    /// `a = c` by undoing the operator of `a`.
    fn eq_constant(&mut self, width: u32, a: TermId, c: TermId, fuel: u32) -> Option<TermId> {
        match *self.node(a) {
            Node::Not(x) => {
                let c = self.bvnot(c);
                Some(self.eq_bv(width, x, c, fuel))
            }
            Node::Neg(x) => {
                let c = self.neg(c);
                Some(self.eq_bv(width, x, c, fuel))
            }
            Node::Add(x, d) if self.is_const(d) => {
                let minus = self.neg(d);
                let c = self.fold(BinOp::Add, c, minus).expect("two constants");
                Some(self.eq_bv(width, x, c, fuel))
            }
            Node::BvXor(x, d) if self.is_const(d) => {
                let c = self.fold(BinOp::Xor, c, d).expect("two constants");
                Some(self.eq_bv(width, x, c, fuel))
            }
            Node::BvXor(x, y) if self.is_zero(c) => Some(self.eq_bv(width, x, y, fuel)),
            Node::BvOr(x, y) if self.is_zero(c) => {
                let (x, y) = (self.eq(x, c), self.eq(y, c));
                Some(self.and(x, y))
            }
            Node::BvAnd(x, y) if self.is_all_ones(c) => {
                let (x, y) = (self.eq(x, c), self.eq(y, c));
                Some(self.and(x, y))
            }
            Node::BvOr(x, d) if self.is_const(d) => {
                // The bits of d must be set on the other side. Known bits say so too, but only up to 64 bits.
                if self.bvand(c, d) != d {
                    return Some(self.ff());
                }
                let others = self.bvnot(d);
                let (x, c) = (self.bvand(x, others), self.bvand(c, others));
                Some(self.eq(x, c))
            }
            Node::Mul(x, d) if width <= 64 && self.is_const(d) => self.eq_product(width, x, d, c),
            Node::Udiv(x, d) if width <= 64 && self.is_const(d) => self.eq_quotient(width, x, d, c),
            Node::Zext(x) => {
                let inner = self.width(x);
                Some(match self.fitting_constant(c, inner, false) {
                    Some(c) => self.eq(x, c),
                    None => self.ff(),
                })
            }
            Node::Sext(x) => {
                let inner = self.width(x);
                Some(match self.fitting_constant(c, inner, true) {
                    Some(c) => self.eq(x, c),
                    None => self.ff(),
                })
            }
            Node::Concat(..) => Some(self.eq_concat_constant(a, c)),
            Node::Ite(cond, x, y) if fuel > 0 && (self.is_const(x) || self.is_const(y)) => {
                let (x, y) = (self.eq_bv(width, x, c, fuel - 1), self.eq_bv(width, y, c, fuel - 1));
                Some(self.ite(cond, x, y))
            }
            _ => None,
        }
    }

    /// `d*x = c`: an odd factor has an inverse; a power of two compares fewer bits.
    fn eq_product(&mut self, width: u32, x: TermId, d: TermId, c: TermId) -> Option<TermId> {
        let (d, c) = (self.as_u64(d)?, self.as_u64(c)?);
        let shift = d.trailing_zeros();
        if c & mask(shift) != 0 {
            return Some(self.ff());
        }
        let narrow = width - shift;
        let c = (c >> shift).wrapping_mul(inverse(d >> shift));
        let c = self.bv(narrow, c);
        let x = self.extract(x, narrow - 1, 0);
        Some(self.eq(x, c))
    }

    /// `x / d = c` for a constant `d`, which is not zero: `c*d ≤ x < c*d + d`.
    fn eq_quotient(&mut self, width: u32, x: TermId, d: TermId, c: TermId) -> Option<TermId> {
        let (d, c) = (self.as_u64(d)?, self.as_u64(c)?);
        let Some(least) = self.product_within(width, c, d) else { return Some(self.ff()) };
        let reached = self.uge(x, least);
        Some(match self.product_within(width, c + 1, d) {
            Some(limit) => {
                let below = self.ult(x, limit);
                self.and(reached, below)
            }
            None => reached,
        })
    }

    fn eq_concat_constant(&mut self, a: TermId, c: TermId) -> TermId {
        let mut parts: SmallVec<[TermId; 8]> = SmallVec::new();
        let (mut rest, mut c) = (a, c);
        while let Node::Concat(high, low) = *self.node(rest) {
            let low_width = self.width(low);
            let c_high = self.extract(c, self.width(c) - 1, low_width);
            c = self.extract(c, low_width - 1, 0);
            parts.push(self.eq(high, c_high));
            rest = low;
        }
        parts.push(self.eq(rest, c));
        self.and_all(&parts)
    }

    fn eq_terms(&mut self, width: u32, a: TermId, b: TermId, fuel: u32) -> Option<TermId> {
        match (*self.node(a), *self.node(b)) {
            (Node::Not(x), Node::Not(y)) | (Node::Neg(x), Node::Neg(y)) => {
                Some(self.eq_bv(width, x, y, fuel))
            }
            (Node::Zext(x), Node::Zext(y)) => {
                let inner = self.width(x).max(self.width(y));
                let (x, y) = (self.zext(x, inner), self.zext(y, inner));
                Some(self.eq(x, y))
            }
            (Node::Sext(x), Node::Sext(y)) => {
                let inner = self.width(x).max(self.width(y));
                let (x, y) = (self.sext(x, inner), self.sext(y, inner));
                Some(self.eq(x, y))
            }
            (Node::Concat(x, u), Node::Concat(y, v)) if self.width(u) == self.width(v) => {
                let (high, low) = (self.eq(x, y), self.eq(u, v));
                Some(self.and(high, low))
            }
            (Node::Concat(x, u), Node::Zext(y)) | (Node::Zext(y), Node::Concat(x, u))
                if self.width(y) <= self.width(u) =>
            {
                let zero = self.bv(self.width(x), 0);
                let y = self.zext(y, self.width(u));
                let (high, low) = (self.eq(x, zero), self.eq(u, y));
                Some(self.and(high, low))
            }
            (Node::BvXor(x, y), _) if x == b || y == b => {
                let other = if x == b { y } else { x };
                let zero = self.bv(width, 0);
                Some(self.eq(other, zero))
            }
            (_, Node::BvXor(x, y)) if x == a || y == a => {
                let other = if x == a { y } else { x };
                let zero = self.bv(width, 0);
                Some(self.eq(other, zero))
            }
            (Node::Ite(c, x, y), Node::Ite(d, u, v)) if c == d => {
                let (then, otherwise) = (self.eq(x, u), self.eq(y, v));
                Some(self.ite(c, then, otherwise))
            }
            (Node::Ite(c, x, y), _) if x == b || y == b => Some(self.eq_branch(c, x, y, b)),
            (_, Node::Ite(c, x, y)) if x == a || y == a => Some(self.eq_branch(c, x, y, a)),
            _ => None,
        }
    }

    /// `ite(c, x, y) = other`, where `other` is one of the branches.
    fn eq_branch(&mut self, c: TermId, x: TermId, y: TermId, other: TermId) -> TermId {
        let (x, y) = (self.eq(x, other), self.eq(y, other));
        self.ite(c, x, y)
    }

    /// Cancels what both sides share; what remains is split by sign, constant on the right.
    fn eq_linear(&mut self, width: u32, a: TermId, b: TermId, fuel: u32) -> Option<TermId> {
        let mut equation = self.difference(width, a, b)?;
        if equation.monomials.len() > LONGEST_EQUATION {
            return None;
        }
        let half = 1u64 << (width - 1);
        match equation.monomials.first() {
            None => return Some(self.bool(equation.constant == 0)),
            // The first monomial is positive.
            Some(&(_, coef)) if coef > half => {
                for (_, coef) in &mut equation.monomials {
                    *coef = neg64(width, *coef);
                }
                equation.constant = neg64(width, equation.constant);
            }
            Some(_) => {}
        }
        let mut left = self.bv(width, 0);
        let mut right = self.bv(width, neg64(width, equation.constant));
        for &(atom, coef) in &equation.monomials {
            if coef > half {
                let m = self.scaled(width, atom, neg64(width, coef)).expect("not 0");
                right = self.add(right, m);
            } else {
                let m = self.scaled(width, atom, coef).expect("not 0");
                left = self.add(left, m);
            }
        }
        let (x, y) = self.constant_last(left, right);
        if (x, y) == (a, b) {
            return None;
        }
        // Rearranged, an equation maps to itself, so this ends after one more round.
        if fuel == 0 {
            Some(self.intern_bool(Node::Eq(x, y)))
        } else {
            Some(self.eq_bv(width, x, y, fuel - 1))
        }
    }
}

/// The inverse of an odd number modulo 2^64, by Newton's iteration: each step doubles
/// the number of correct bits, from 3.
fn inverse(odd: u64) -> u64 {
    let mut x = odd;
    for _ in 0..5 {
        x = x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x)));
    }
    debug_assert_eq!(x.wrapping_mul(odd), 1);
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_numbers_have_inverses() {
        for odd in [1, 3, 5, 0xdead_beef, u64::MAX, 0x8000_0000_0000_0001] {
            assert_eq!(inverse(odd).wrapping_mul(odd), 1);
        }
        assert_eq!(crate::value::bin64(BinOp::Mul, 8, inverse(3) & 0xff, 3), 1);
    }
}
