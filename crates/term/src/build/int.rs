//! Unbounded integers.

use num_bigint::BigInt;
use num_traits::{One, Zero};

use crate::eval::{int_div, int_mod};
use crate::node::{Node, TermId};
use crate::pool::TermPool;
use crate::sort::{PackedSort, Sort};

impl TermPool {
    #[track_caller]
    fn both_ints(&self, a: TermId, b: TermId) {
        assert!(self.sort(a) == Sort::Int && self.sort(b) == Sort::Int, "{a} and {b} must be integers");
    }

    fn fold_int(
        &mut self,
        a: TermId,
        b: TermId,
        op: impl FnOnce(&BigInt, &BigInt) -> BigInt,
    ) -> Option<TermId> {
        let result = op(self.as_int(a)?, self.as_int(b)?);
        Some(self.int(result))
    }

    /// `a + b`.
    pub fn iadd(&mut self, a: TermId, b: TermId) -> TermId {
        self.both_ints(a, b);
        if let Some(folded) = self.fold_int(a, b, |a, b| a + b) {
            return folded;
        }
        let (a, b) = self.constant_last(a, b);
        if self.as_int(b).is_some_and(Zero::is_zero) {
            return a;
        }
        self.intern(Node::IAdd(a, b), PackedSort::INT)
    }

    /// `-a`.
    pub fn ineg(&mut self, a: TermId) -> TermId {
        let minus_one = self.int(-BigInt::one());
        self.imul(a, minus_one)
    }

    /// `a - b`.
    pub fn isub(&mut self, a: TermId, b: TermId) -> TermId {
        let minus = self.ineg(b);
        self.iadd(a, minus)
    }

    /// `a * b`.
    pub fn imul(&mut self, a: TermId, b: TermId) -> TermId {
        self.both_ints(a, b);
        if let Some(folded) = self.fold_int(a, b, |a, b| a * b) {
            return folded;
        }
        let (a, b) = self.constant_last(a, b);
        match self.as_int(b) {
            Some(value) if value.is_zero() => return b,
            Some(value) if value.is_one() => return a,
            _ => {}
        }
        self.intern(Node::IMul(a, b), PackedSort::INT)
    }

    /// SMT-LIB's `div`, whose remainder is never negative; 0 if `b` is 0.
    pub fn idiv(&mut self, a: TermId, b: TermId) -> TermId {
        self.both_ints(a, b);
        if let Some(folded) = self.fold_int(a, b, int_div) {
            return folded;
        }
        if self.as_int(b).is_some_and(One::is_one) {
            return a;
        }
        self.intern(Node::IDiv(a, b), PackedSort::INT)
    }

    /// SMT-LIB's `mod`, never negative; `a` if `b` is 0.
    pub fn imod(&mut self, a: TermId, b: TermId) -> TermId {
        self.both_ints(a, b);
        if let Some(folded) = self.fold_int(a, b, int_mod) {
            return folded;
        }
        if self.as_int(b).is_some_and(One::is_one) {
            return self.int(BigInt::zero());
        }
        self.intern(Node::IMod(a, b), PackedSort::INT)
    }

    /// `a ≤ b`.
    pub fn ile(&mut self, a: TermId, b: TermId) -> TermId {
        self.both_ints(a, b);
        if a == b {
            return self.tt();
        }
        if let (Some(a), Some(b)) = (self.as_int(a), self.as_int(b)) {
            let holds = a <= b;
            return self.bool(holds);
        }
        self.intern_bool(Node::ILe(a, b))
    }

    /// `a < b`.
    pub fn ilt(&mut self, a: TermId, b: TermId) -> TermId {
        let not_less = self.ile(b, a);
        self.not(not_less)
    }
}
