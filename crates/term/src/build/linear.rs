//! Sums in linear normal form: `c1*x1 + c2*x2 + ... + k`.
//!
//! A sum is a left-leaning chain `((m1 + m2) + m3) + k` of monomials ordered by the id
//! of their atom, the constant last. A monomial is an atom, `c*x` with `c` positive as a
//! signed number, or the negation of one of these. The chain shape lets `s + m` with a
//! new `m` cost one node however long `s` is, and shares prefixes.
//!
//! Work per operation is bounded by [`LONGEST`]: beyond it a sum is treated as an atom,
//! which loses cancellations but nothing else.

use smallvec::SmallVec;

use crate::node::{Node, TermId};
use crate::pool::TermPool;
use crate::value::{BinOp, mask, neg64};

/// How many monomials of a sum are looked at.
pub(super) const LONGEST: usize = 12;

/// Coefficients of monomials: modulo 2^width up to 64 bits, as `i64` for wider ones.
pub(super) type Coef = u64;

/// Wider coefficients stay inside their atom, so that sums of two cannot overflow.
const WIDE_COEF_LIMIT: u64 = 1 << 32;

/// A sum taken apart.
#[derive(Debug)]
pub(super) struct Linear {
    /// Coefficients and their atoms, by atom.
    pub(super) monomials: SmallVec<[(TermId, Coef); LONGEST]>,
    /// The constant, for widths up to 64.
    pub(super) constant: u64,
}

impl TermPool {
    fn reduce(width: u32, coef: Coef) -> Coef {
        if width <= 64 { coef & mask(width) } else { coef }
    }

    /// The atom and coefficient of a monomial.
    pub(super) fn monomial(&self, width: u32, t: TermId) -> (TermId, Coef) {
        match *self.node(t) {
            Node::Neg(x) => {
                let (atom, coef) = self.positive_monomial(x);
                (atom, Self::reduce(width, coef.wrapping_neg()))
            }
            _ => self.positive_monomial(t),
        }
    }

    fn positive_monomial(&self, t: TermId) -> (TermId, Coef) {
        if let Node::Mul(x, c) = *self.node(t) {
            match *self.node(c) {
                Node::Const { value, .. } => return (x, value),
                Node::Wide { value, .. } => {
                    if let Ok(coef) = u64::try_from(self.wide(value))
                        && coef < WIDE_COEF_LIMIT
                    {
                        return (x, coef);
                    }
                }
                _ => {}
            }
        }
        (t, 1)
    }

    /// The monomial `coef * atom`, or `None` if that is 0.
    pub(super) fn scaled(&mut self, width: u32, atom: TermId, coef: Coef) -> Option<TermId> {
        let minus = if width <= 64 { neg64(width, coef) } else { coef.wrapping_neg() };
        let limit = 1u64 << (width.min(64) - 1);
        match coef {
            0 => None,
            1 => Some(atom),
            _ if coef > limit => {
                let positive = self.scaled(width, atom, minus)?;
                Some(self.neg(positive))
            }
            _ => {
                let coef = self.bv(width, coef);
                Some(self.mul(atom, coef))
            }
        }
    }

    /// The sum without its constant, and the constant.
    #[inline]
    pub(crate) fn split_constant(&self, t: TermId) -> (TermId, Option<TermId>) {
        match *self.node(t) {
            Node::Add(x, c) if self.is_const(c) => (x, Some(c)),
            _ => (t, None),
        }
    }

    /// `t + c` for a constant `c`.
    pub(super) fn add_constant(&mut self, width: u32, t: TermId, c: TermId) -> TermId {
        if let Some(folded) = self.fold(BinOp::Add, t, c) {
            return folded;
        }
        if self.is_zero(c) {
            return t;
        }
        match *self.node(t) {
            Node::Add(x, d) if self.is_const(d) => {
                let c = self.fold(BinOp::Add, c, d).expect("two constants");
                return if self.is_zero(c) { x } else { self.intern_bv(Node::Add(x, c), width) };
            }
            Node::Ite(cond, a, b) if self.is_const(a) && self.is_const(b) => {
                let (a, b) = (self.add_constant(width, a, c), self.add_constant(width, b, c));
                return self.ite(cond, a, b);
            }
            // A complement is -x - 1; alone it stays, in a sum it is taken apart.
            Node::Neg(x) if self.is_all_ones(c) => return self.bvnot(x),
            Node::Not(x) => {
                let minus = self.neg(x);
                let minus_one = self.all_ones(width);
                let c = self.fold(BinOp::Add, c, minus_one).expect("two constants");
                return self.add_constant(width, minus, c);
            }
            _ => {}
        }
        self.intern_bv(Node::Add(t, c), width)
    }

    /// `a + b` for sums without constants.
    pub(super) fn add_sums(&mut self, width: u32, a: TermId, b: TermId) -> TermId {
        match (*self.node(a), *self.node(b)) {
            (Node::Add(..), Node::Add(..)) => {
                let (Some(x), Some(y)) = (self.chain(a), self.chain(b)) else {
                    return self.intern_bv(Node::Add(a.min(b), a.max(b)), width);
                };
                // The shorter goes into the longer, whose prefix is then shared.
                let (mut sum, items) = if x.len() >= y.len() { (a, y) } else { (b, x) };
                for item in items {
                    sum = self.insert_monomial(width, sum, item);
                }
                sum
            }
            (_, Node::Add(..)) => self.insert_monomial(width, b, a),
            _ => self.insert_monomial(width, a, b),
        }
    }

    /// The monomials of a sum, last first; `None` if there are too many.
    fn chain(&self, sum: TermId) -> Option<SmallVec<[TermId; LONGEST]>> {
        let mut items = SmallVec::new();
        let mut rest = sum;
        while let Node::Add(below, last) = *self.node(rest) {
            if items.len() + 1 >= LONGEST {
                return None;
            }
            items.push(last);
            rest = below;
        }
        items.push(rest);
        Some(items)
    }

    fn insert_monomial(&mut self, width: u32, sum: TermId, m: TermId) -> TermId {
        // Inserting into a sum that cancelled out.
        if self.is_const(sum) {
            return self.add_constant(width, m, sum);
        }
        let (atom, coef) = self.monomial(width, m);
        let mut above: SmallVec<[TermId; LONGEST]> = SmallVec::new();
        let mut rest = sum;
        let mut joined: Option<TermId> = loop {
            let (below, last) = match *self.node(rest) {
                Node::Add(below, last) => (Some(below), last),
                _ => (None, rest),
            };
            let (last_atom, last_coef) = self.monomial(width, last);
            if last_atom == atom {
                let merged = Self::reduce(width, coef.wrapping_add(last_coef));
                break match (below, self.scaled(width, atom, merged)) {
                    (Some(below), Some(m)) => Some(self.append(width, below, m)),
                    (below, m) => below.or(m),
                };
            }
            if last_atom < atom {
                break Some(self.append(width, rest, m));
            }
            if above.len() == LONGEST {
                return self.intern_bv(Node::Add(sum, m), width);
            }
            above.push(last);
            match below {
                Some(below) => rest = below,
                None => break Some(m),
            }
        };
        while let Some(next) = above.pop() {
            joined = Some(match joined {
                None => next,
                Some(sum) => self.append(width, sum, next),
            });
        }
        joined.unwrap_or_else(|| self.bv(width, 0))
    }

    /// `sum + m` where `m` goes last; either may have turned out to be a constant, as
    /// `2^31 * 2*x` does.
    fn append(&mut self, width: u32, sum: TermId, m: TermId) -> TermId {
        match (self.is_const(sum), self.is_const(m)) {
            (false, false) => self.intern_bv(Node::Add(sum, m), width),
            (true, _) => self.add_constant(width, m, sum),
            (_, true) => self.add_constant(width, sum, m),
        }
    }

    /// `-t` for a sum, or `None` if it is too long to distribute.
    pub(super) fn negated_sum(&mut self, width: u32, t: TermId) -> Option<TermId> {
        let (base, constant) = self.split_constant(t);
        let items = self.chain(base)?;
        let mut sum = self.bv(width, 0);
        // From the first monomial on, so that each insertion is at the end.
        for &item in items.iter().rev() {
            let minus = self.neg(item);
            sum = self.insert_monomial(width, sum, minus);
        }
        match constant {
            Some(c) => {
                let minus = self.neg(c);
                Some(self.add_constant(width, sum, minus))
            }
            None => Some(sum),
        }
    }

    /// `a - b` taken apart, for widths up to 64; `None` if the sums are too long.
    pub(super) fn difference(&self, width: u32, a: TermId, b: TermId) -> Option<Linear> {
        debug_assert!(width <= 64);
        let mut result = Linear { monomials: SmallVec::new(), constant: 0 };
        for (side, negate) in [(a, false), (b, true)] {
            let sign = |v: u64| if negate { neg64(width, v) } else { v };
            let (base, constant) = match *self.node(side) {
                Node::Const { value, .. } => (None, value),
                _ => {
                    let (base, c) = self.split_constant(side);
                    (Some(base), c.and_then(|c| self.as_u64(c)).unwrap_or(0))
                }
            };
            result.constant = result.constant.wrapping_add(sign(constant)) & mask(width);
            let Some(base) = base else { continue };
            for item in self.chain(base)? {
                let (atom, coef) = self.monomial(width, item);
                match result.monomials.iter_mut().find(|(other, _)| *other == atom) {
                    Some((_, sum)) => *sum = sum.wrapping_add(sign(coef)) & mask(width),
                    None => result.monomials.push((atom, sign(coef))),
                }
            }
        }
        result.monomials.retain(|&mut (_, coef)| coef != 0);
        result.monomials.sort_unstable();
        Some(result)
    }
}
