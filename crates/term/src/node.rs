//! The shape of a term: one small `Copy` value per node.
//!
//! Only shapes of the normal form occur (see [`crate::build`]): there is no `sub`,
//! no `or` of width 1, no `ule`. Long operand lists and big constants live in side
//! tables of the pool, so that a node takes 16 bytes.

use selvedge_base::define_id;

use crate::float::FpOp;

define_id!(
    /// A term of a [`TermPool`](crate::TermPool): equal structure, equal id.
    pub struct TermId, "t"
);
define_id!(
    /// A variable of a [`TermPool`](crate::TermPool).
    pub struct VarId, "v"
);
define_id!(
    /// An operand list; read it with [`TermPool::list`](crate::TermPool::list).
    pub struct ListId, "list"
);
define_id!(
    /// A constant wider than 64 bits; read it with [`TermPool::wide`](crate::TermPool::wide).
    pub struct WideId, "wide"
);
define_id!(
    /// An integer constant; read it with [`TermPool::int_value`](crate::TermPool::int_value).
    pub struct IntId, "int"
);

/// One operator with its operands. Widths of results are in the pool.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A variable of any sort.
    Var(VarId),
    /// A bit-vector constant of at most 64 bits; bits above `width` are zero.
    Const {
        /// Number of bits, 1 to 64.
        width: u32,
        /// The value, zero-extended.
        value: u64,
    },
    /// A bit-vector constant of more than 64 bits.
    Wide {
        /// Number of bits, above 64.
        width: u32,
        /// The value.
        value: WideId,
    },
    /// An integer constant.
    IntConst(IntId),

    /// Bitwise complement; at width 1 the logical negation.
    Not(TermId),
    /// Conjunction of at least two terms of width 1.
    And(ListId),
    /// Bitwise conjunction, width above 1.
    BvAnd(TermId, TermId),
    /// Bitwise disjunction, width above 1.
    BvOr(TermId, TermId),
    /// Bitwise exclusive or, width above 1 (at width 1 it is a negated [`Eq`](Node::Eq)).
    BvXor(TermId, TermId),

    /// Two's complement negation.
    Neg(TermId),
    /// Sum modulo 2^width.
    Add(TermId, TermId),
    /// Product modulo 2^width.
    Mul(TermId, TermId),
    /// Unsigned quotient; all ones if the divisor is 0.
    Udiv(TermId, TermId),
    /// Unsigned remainder; the dividend if the divisor is 0.
    Urem(TermId, TermId),
    /// Signed quotient rounded toward zero; 1 or -1 if the divisor is 0.
    Sdiv(TermId, TermId),
    /// Signed remainder with the dividend's sign; the dividend if the divisor is 0.
    Srem(TermId, TermId),
    /// Shift left; 0 if the amount is at least the width.
    Shl(TermId, TermId),
    /// Logical shift right; 0 if the amount is at least the width.
    Lshr(TermId, TermId),
    /// Arithmetic shift right; sign bits if the amount is at least the width.
    Ashr(TermId, TermId),

    /// The bits of the first operand above those of the second.
    Concat(TermId, TermId),
    /// The bits `high` to `low`, both inclusive.
    Extract {
        /// The bit-vector read.
        term: TermId,
        /// The highest bit taken.
        high: u32,
        /// The lowest bit taken.
        low: u32,
    },
    /// Zero extension to the width of this term.
    Zext(TermId),
    /// Sign extension to the width of this term.
    Sext(TermId),

    /// Equality of two terms of one sort.
    Eq(TermId, TermId),
    /// Unsigned less-than.
    Ult(TermId, TermId),
    /// Signed less-than.
    Slt(TermId, TermId),
    /// If the first operand (width 1) holds the second, otherwise the third.
    Ite(TermId, TermId, TermId),

    /// The array that holds `elem` everywhere.
    ConstArray(TermId),
    /// The element of an array at an index.
    Select(TermId, TermId),
    /// The array with the element at an index replaced.
    Store(TermId, TermId, TermId),

    /// Integer sum.
    IAdd(TermId, TermId),
    /// Integer product.
    IMul(TermId, TermId),
    /// Integer quotient such that the remainder is not negative; 0 if the divisor is 0.
    IDiv(TermId, TermId),
    /// The remainder of [`IDiv`](Node::IDiv); the dividend if the divisor is 0.
    IMod(TermId, TermId),
    /// Integer less-or-equal.
    ILe(TermId, TermId),

    /// A floating-point operation on bit patterns.
    Fp(FpOp, ListId),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_takes_sixteen_bytes() {
        assert_eq!(size_of::<Node>(), 16);
    }
}
