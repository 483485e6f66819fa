//! Unbounded integers, in linear normal form.
//!
//! A sum is a left-leaning chain of `x` and `c*x`, ordered by atom, constant last. A
//! comparison is `sum ≤ k` or its negation and an equation `sum = k`, where the sum has
//! no constant, its first coefficient is positive and the coefficients have no common
//! divisor (so `2x ≤ 5` is `x ≤ 2`, and `2x = 5` is false).
//! Not made for speed: every operation takes its operands apart.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use smallvec::SmallVec;

use crate::eval::{int_div, int_mod};
use crate::node::{Node, TermId};
use crate::pool::TermPool;
use crate::sort::{PackedSort, Sort};

/// Sums with more monomials are atoms to the sums they are part of.
const LONGEST: usize = 64;

/// An integer sum taken apart; monomials by atom, none with coefficient 0.
#[derive(Default)]
struct Sum {
    monomials: SmallVec<[(TermId, BigInt); 8]>,
    constant: BigInt,
}

impl Sum {
    fn add_monomial(&mut self, atom: TermId, coef: BigInt) {
        match self.monomials.binary_search_by_key(&atom, |(other, _)| *other) {
            Ok(at) => {
                self.monomials[at].1 += coef;
                if self.monomials[at].1.is_zero() {
                    self.monomials.remove(at);
                }
            }
            Err(at) if !coef.is_zero() => self.monomials.insert(at, (atom, coef)),
            Err(_) => {}
        }
    }

    fn negate(&mut self) {
        for (_, coef) in &mut self.monomials {
            *coef = -std::mem::take(coef);
        }
        self.constant = -std::mem::take(&mut self.constant);
    }

    /// Makes the first coefficient positive; returns whether signs changed.
    fn orient(&mut self) -> bool {
        let flip = self.monomials.first().is_some_and(|(_, coef)| coef.is_negative());
        if flip {
            self.negate();
        }
        flip
    }

    /// The greatest common divisor of the coefficients.
    fn content(&self) -> BigInt {
        self.monomials.iter().fold(BigInt::zero(), |gcd, (_, coef)| gcd.gcd(coef))
    }
}

impl TermPool {
    #[track_caller]
    fn both_ints(&self, a: TermId, b: TermId) {
        assert!(self.sort(a) == Sort::Int && self.sort(b) == Sort::Int, "{a} and {b} must be integers");
    }

    /// Adds `factor * t` to a sum.
    fn accumulate(&self, sum: &mut Sum, t: TermId, factor: &BigInt) {
        let mut rest = Some(t);
        let mut taken = 0;
        while let Some(t) = rest {
            let last = match *self.node(t) {
                Node::IAdd(below, last) if taken < LONGEST => {
                    rest = Some(below);
                    last
                }
                _ => {
                    rest = None;
                    t
                }
            };
            taken += 1;
            match *self.node(last) {
                Node::IntConst(id) => sum.constant += factor * self.int_value(id),
                Node::IMul(x, c) => match self.as_int(c) {
                    Some(c) => sum.add_monomial(x, factor * c),
                    None => sum.add_monomial(last, factor.clone()),
                },
                _ => sum.add_monomial(last, factor.clone()),
            }
        }
    }

    fn sum_of(&self, a: TermId, b: TermId, b_factor: &BigInt) -> Sum {
        let mut sum = Sum::default();
        self.accumulate(&mut sum, a, &BigInt::one());
        self.accumulate(&mut sum, b, b_factor);
        sum
    }

    fn int_monomial(&mut self, atom: TermId, coef: &BigInt) -> TermId {
        if coef.is_one() {
            return atom;
        }
        let coef = self.int(coef.clone());
        self.intern(Node::IMul(atom, coef), PackedSort::INT)
    }

    /// The chain of the monomials, and of the constant unless it is 0.
    fn build_sum(&mut self, sum: &Sum, constant: &BigInt) -> TermId {
        let mut chain: Option<TermId> = None;
        for (atom, coef) in &sum.monomials {
            let m = self.int_monomial(*atom, coef);
            chain = Some(match chain {
                None => m,
                Some(chain) => self.intern(Node::IAdd(chain, m), PackedSort::INT),
            });
        }
        match chain {
            None => self.int(constant.clone()),
            Some(chain) if constant.is_zero() => chain,
            Some(chain) => {
                let constant = self.int(constant.clone());
                self.intern(Node::IAdd(chain, constant), PackedSort::INT)
            }
        }
    }

    /// `a + b`.
    pub fn iadd(&mut self, a: TermId, b: TermId) -> TermId {
        self.both_ints(a, b);
        let sum = self.sum_of(a, b, &BigInt::one());
        self.build_sum(&sum, &sum.constant)
    }

    /// `-a`.
    pub fn ineg(&mut self, a: TermId) -> TermId {
        let zero = self.int(BigInt::zero());
        self.isub(zero, a)
    }

    /// `a - b`.
    pub fn isub(&mut self, a: TermId, b: TermId) -> TermId {
        self.both_ints(a, b);
        let sum = self.sum_of(a, b, &-BigInt::one());
        self.build_sum(&sum, &sum.constant)
    }

    /// `a * b`.
    pub fn imul(&mut self, a: TermId, b: TermId) -> TermId {
        self.both_ints(a, b);
        let (a, b) = self.constant_last(a, b);
        if let Some(factor) = self.as_int(b).cloned() {
            let mut sum = Sum::default();
            self.accumulate(&mut sum, a, &factor);
            return self.build_sum(&sum, &sum.constant);
        }
        // Constants of the factors go outside.
        for (factor, other) in [(a, b), (b, a)] {
            if let Node::IMul(x, c) = *self.node(factor)
                && self.is_const(c)
            {
                let product = self.imul(x, other);
                return self.imul(product, c);
            }
        }
        self.intern(Node::IMul(a, b), PackedSort::INT)
    }

    /// SMT-LIB's `div`, whose remainder is never negative; 0 if `b` is 0.
    pub fn idiv(&mut self, a: TermId, b: TermId) -> TermId {
        self.both_ints(a, b);
        if let Some(divisor) = self.as_int(b) {
            if let Some(dividend) = self.as_int(a) {
                let quotient = int_div(dividend, divisor);
                return self.int(quotient);
            }
            if divisor.is_one() {
                return a;
            }
            if divisor.is_zero() {
                return b;
            }
        }
        self.intern(Node::IDiv(a, b), PackedSort::INT)
    }

    /// SMT-LIB's `mod`, never negative; `a` if `b` is 0.
    pub fn imod(&mut self, a: TermId, b: TermId) -> TermId {
        self.both_ints(a, b);
        if let Some(divisor) = self.as_int(b) {
            if let Some(dividend) = self.as_int(a) {
                let rest = int_mod(dividend, divisor);
                return self.int(rest);
            }
            if divisor.magnitude().is_one() {
                return self.int(BigInt::zero());
            }
            if divisor.is_zero() {
                return a;
            }
        }
        self.intern(Node::IMod(a, b), PackedSort::INT)
    }

    /// `a ≤ b`.
    pub fn ile(&mut self, a: TermId, b: TermId) -> TermId {
        self.both_ints(a, b);
        let mut sum = self.sum_of(a, b, &-BigInt::one());
        if sum.monomials.is_empty() {
            return self.bool(!sum.constant.is_positive());
        }
        // sum ≤ 0; with all signs changed it is sum ≥ 0, that is ¬(sum ≤ -1).
        let flipped = sum.orient();
        let content = sum.content();
        for (_, coef) in &mut sum.monomials {
            *coef /= &content;
        }
        let slack = if flipped { BigInt::one() } else { BigInt::zero() };
        let bound = (-&sum.constant - slack).div_floor(&content);
        let left = self.build_sum(&sum, &BigInt::zero());
        let right = self.int(bound);
        let at_most = self.intern_bool(Node::ILe(left, right));
        if flipped { self.not(at_most) } else { at_most }
    }

    /// `a < b`.
    pub fn ilt(&mut self, a: TermId, b: TermId) -> TermId {
        let not_less = self.ile(b, a);
        self.not(not_less)
    }

    /// `a ≥ b`.
    pub fn ige(&mut self, a: TermId, b: TermId) -> TermId {
        self.ile(b, a)
    }

    /// `a > b`.
    pub fn igt(&mut self, a: TermId, b: TermId) -> TermId {
        self.ilt(b, a)
    }

    pub(super) fn eq_int(&mut self, a: TermId, b: TermId) -> TermId {
        let mut sum = self.sum_of(a, b, &-BigInt::one());
        if sum.monomials.is_empty() {
            return self.bool(sum.constant.is_zero());
        }
        sum.orient();
        let content = sum.content();
        if !(&sum.constant % &content).is_zero() {
            return self.ff();
        }
        for (_, coef) in &mut sum.monomials {
            *coef /= &content;
        }
        let left = self.build_sum(&sum, &BigInt::zero());
        let right = self.int(-&sum.constant / &content);
        self.intern_bool(Node::Eq(left, right))
    }
}
