//! Builders: every operator folds constants and rewrites to the normal form.
//!
//! Guarantees: a built term has, under every assignment, the value of the expression
//! asked for; building costs a bounded number of nodes and does not walk deep terms.
//! The form is not canonical (equal functions can have different terms), but these hold
//! of every node, and clients may rely on them:
//!
//! Constants and order
//! - An operator on constants is a constant, and so is one whose operands' ranges or
//!   known bits leave a single value.
//! - Commutative operands are ordered by id, a constant second; comparisons have their
//!   constant second too.
//!
//! Truth values (width 1)
//! - Only `Var`, `Const`, `Not`, `And`, `Eq`, `Ult`, `Slt`, `ILe`, `Ite`, `Extract`,
//!   `Select` and `Fp` occur; arithmetic and bitwise operators of width 1 are these.
//! - `And` is flat (up to a length), sorted, without duplicates, complements and
//!   literals that other items decide. Or is `¬(¬a ∧ ¬b)`, xor is `¬(a = b)`.
//! - `¬¬a` is `a`; `=` and the condition of `ite` are not negated, nor is the first
//!   branch of an `ite` of width 1.
//!
//! Comparisons
//! - `≤`, `>`, `≥` are `<` swapped or negated. With constants only `x < c` and `¬(x < c)`
//!   occur, and not where `x = c` or `x ≠ c` says the same.
//! - Extensions are compared at the narrower width. Signed `<` of two terms with the same
//!   known sign is unsigned. The sign bit of `x` is `x < 0`.
//! - Equality with a constant undoes `+`, `-`, `~`, `^`, odd products; splits
//!   concatenations; goes into an `ite` that has a constant branch.
//!
//! Arithmetic (`linear`)
//! - Sums are `c1*x1 + c2*x2 + ... + k`, a left-leaning chain ordered by atom; `a - b` is
//!   `a + Neg(b)`; factors are positive as signed numbers; `~x` in a sum is `-x - 1`.
//! - `x << k` is `x * 2^k`; if `x` is made of pieces, it is the shifted pieces.
//! - Quotients and remainders by powers of two are pieces; quotients, remainders and
//!   products of terms that are small by their range are narrow; signed divisions of
//!   non-negative operands are unsigned. A quotient by a constant is not divided by a
//!   constant again, nor compared with one.
//!
//! Pieces (`pieces`)
//! - `x >> k` is an extension of an extract; `x & m` with contiguous ones in `m` is an
//!   extract between zeros; a disjunction of pieces that do not overlap is a `Concat`.
//! - `Concat` leans right, without adjacent constants or adjacent extracts of one term;
//!   leading zeros are `Zext`, leading copies of the sign `Sext`.
//! - `Extract` is not of `Extract`, `Concat`, `Zext`, `Sext`, a constant, or `x * 2^k`.
//! - `Zext` and `Sext` do not nest; `Sext` only of terms whose sign is not known.
//!
//! Arrays, integers, floats: see `array`, `int`, `float`, `float_compare`.

mod arith;
mod array;
mod bitwise;
mod boolean;
mod compare;
mod divide;
mod equality;
mod float;
mod float_compare;
mod int;
mod ite;
mod linear;
mod pieces;
mod shift;

use crate::node::{Node, TermId};
use crate::pool::TermPool;
use crate::value::{self, BinOp};

impl TermPool {
    /// The result of `op` if both operands are constants.
    #[inline]
    pub(crate) fn fold(&mut self, op: BinOp, a: TermId, b: TermId) -> Option<TermId> {
        match (*self.node(a), *self.node(b)) {
            (Node::Const { width, value: x }, Node::Const { value: y, .. }) => {
                Some(self.bv(op.result_width(width), value::bin64(op, width, x, y)))
            }
            (Node::Wide { width, .. }, Node::Wide { .. }) => self.fold_wide(op, width, a, b),
            _ => None,
        }
    }

    #[cold]
    fn fold_wide(&mut self, op: BinOp, width: u32, a: TermId, b: TermId) -> Option<TermId> {
        let (x, y) = (self.as_value(a)?, self.as_value(b)?);
        let result = value::bin(op, width, &x, &y);
        Some(self.bv_value(op.result_width(width), &result))
    }

    /// Panics unless both are bit-vectors of one width, which is returned.
    #[inline]
    #[track_caller]
    pub(crate) fn same_width(&self, a: TermId, b: TermId) -> u32 {
        let (sort, other) = (self.packed_sort(a), self.packed_sort(b));
        let width = sort.width_or_zero();
        assert!(sort == other && width != 0, "{a} is {:?}, {b} is {:?}", sort.unpack(), other.unpack());
        width
    }
}
