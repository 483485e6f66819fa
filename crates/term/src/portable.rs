//! Terms outside of a pool: what is kept of a formula when the run that made it has ended.
//!
//! Variables are named by the caller, who says which term stands for each when the formula is read back; the formula
//! that comes out is the same up to that and to the builder's normal form.
//!
//! Guarantee: nothing makes [`Portable::import`] panic. What does not fit, such as an operand that does not exist or has
//! another sort, is no formula.

use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::float::{FpFormat, FpOp};
use crate::node::{Node, TermId, VarId};
use crate::op::Op;
use crate::pool::TermPool;
use crate::sort::Sort;

/// A formula that belongs to no pool.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Portable {
    /// Operands stand before what they are operands of; the last item is the formula.
    items: Vec<Item>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
enum Item {
    /// The caller's variable of this number.
    Var(u32),
    Const {
        width: u32,
        value: u64,
    },
    /// Bytes of a wider constant, the lowest first.
    Wide {
        width: u32,
        value: Vec<u8>,
    },
    Op(Op, Vec<u32>),
}

/// The widest bit-vector that is read back.
pub(crate) const MAX_WIDTH: u32 = 1 << 24;

impl Portable {
    /// The formula `root`; `number` gives the caller's number of a variable. `None` if it has none for a variable, or the
    /// formula is about integers without bounds.
    pub fn export(
        pool: &TermPool,
        root: TermId,
        mut number: impl FnMut(VarId) -> Option<u32>,
    ) -> Option<Portable> {
        let mut items = Vec::new();
        let mut known: FxHashMap<TermId, u32> = FxHashMap::default();
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if known.contains_key(&t) {
                stack.pop();
                continue;
            }
            let operands = pool.operands(t);
            let open = stack.len();
            stack.extend(operands.iter().filter(|o| !known.contains_key(o)));
            if stack.len() > open {
                continue;
            }
            items.push(match (*pool.node(t), pool.op(t)) {
                (_, Some(op)) => Item::Op(op, operands.iter().map(|o| known[o]).collect()),
                (Node::Var(var), _) => Item::Var(number(var)?),
                (Node::Const { width, value }, _) => Item::Const { width, value },
                (Node::Wide { width, value }, _) => {
                    Item::Wide { width, value: pool.wide(value).to_bytes_le() }
                }
                _ => return None,
            });
            known.insert(t, items.len() as u32 - 1);
            stack.pop();
        }
        Some(Portable { items })
    }

    /// The formula in a pool, with `vars` for the caller's variables; `None` if it is none.
    pub fn import(&self, pool: &mut TermPool, vars: &[TermId]) -> Option<TermId> {
        let mut made: Vec<TermId> = Vec::with_capacity(self.items.len());
        for item in &self.items {
            let term = match item {
                Item::Var(number) => *vars.get(*number as usize)?,
                Item::Const { width: width @ 1..=64, value } => pool.bv(*width, *value),
                Item::Wide { width: width @ 65..MAX_WIDTH, value } => {
                    pool.bv_wide(*width, BigUint::from_bytes_le(value))
                }
                Item::Const { .. } | Item::Wide { .. } => return None,
                Item::Op(op, operands) => {
                    let operands: Option<Vec<TermId>> =
                        operands.iter().map(|o| made.get(*o as usize).copied()).collect();
                    let operands = operands?;
                    let sorts: Vec<Sort> = operands.iter().map(|o| pool.sort(*o)).collect();
                    fits(*op, &sorts).then(|| pool.apply(*op, &operands))?
                }
            };
            made.push(term);
        }
        made.last().copied()
    }
}

/// Whether an operator takes operands of these sorts.
pub(crate) fn fits(op: Op, sorts: &[Sort]) -> bool {
    use Sort::{Array, Bv};
    match (op, sorts) {
        (Op::Not | Op::Neg, [Bv(_)]) => true,
        (Op::And, _) => sorts.len() > 1 && sorts.iter().all(|sort| *sort == Bv(1)),
        (Op::BvAnd | Op::BvOr | Op::BvXor | Op::Add | Op::Mul, [Bv(a), Bv(b)])
        | (Op::Udiv | Op::Urem | Op::Sdiv | Op::Srem, [Bv(a), Bv(b)])
        | (Op::Shl | Op::Lshr | Op::Ashr | Op::Ult | Op::Slt, [Bv(a), Bv(b)]) => a == b,
        (Op::Concat, [Bv(a), Bv(b)]) => a + b < MAX_WIDTH,
        (Op::Extract { high, low }, [Bv(width)]) => low <= high && high < *width,
        (Op::Zext { width } | Op::Sext { width }, [Bv(from)]) => *from <= width && width < MAX_WIDTH,
        (Op::Eq, [a, b]) => a == b,
        (Op::Ite, [Bv(1), a, b]) => a == b,
        (Op::ConstArray { index }, [Bv(elem)]) => (1..=64).contains(&index) && *elem <= 64,
        (Op::Select, [Array { index, .. }, Bv(at)]) => index == at,
        (Op::Store, [Array { index, elem }, Bv(at), Bv(value)]) => (index, elem) == (at, value),
        (Op::Fp(op), _) => takes(op, sorts),
        _ => false,
    }
}

/// Whether a floating-point operation takes operands of these sorts.
fn takes(op: FpOp, sorts: &[Sort]) -> bool {
    let is_known = |format: &FpFormat| FORMATS.contains(format);
    let is_operand = |sort: &Sort| match (sort, op.operand_format()) {
        (Sort::Bv(width), Some(format)) => *width == format.width(),
        (Sort::Bv(width), None) => *width < MAX_WIDTH,
        _ => false,
    };
    let formats = [op.operand_format(), op.result_format()];
    sorts.len() == op.arity()
        && sorts.iter().all(is_operand)
        && formats.iter().flatten().all(is_known)
        && (1..MAX_WIDTH).contains(&op.result_width())
}

/// The formats that programs have.
const FORMATS: [FpFormat; 4] = [FpFormat::F16, FpFormat::F32, FpFormat::F64, FpFormat::F128];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_is_the_same_in_another_pool() {
        let mut pool = TermPool::new();
        let (x, y) = (pool.var("x", Sort::Bv(32)), pool.var("y", Sort::Bv(32)));
        let wide = pool.bv_wide(100, BigUint::from(77u32) << 70);
        let (sum, product) = (pool.add(x, y), pool.mul(x, y));
        let pair = pool.concat(sum, product);
        let pair = pool.zext(pair, 100);
        let (small, odd) = (pool.ult(pair, wide), pool.extract(product, 0, 0));
        let formula = pool.and(small, odd);
        let vars = [x, y];
        let number = |pool: &TermPool, var| vars.iter().position(|v| pool.var_id(*v) == Some(var));
        let portable = Portable::export(&pool, formula, |var| Some(number(&pool, var)? as u32));
        let portable = portable.expect("all variables have numbers");

        assert_eq!(portable.import(&mut pool, &vars), Some(formula));
        let mut other = TermPool::new();
        let (a, b) = (other.var("a", Sort::Bv(32)), other.var("b", Sort::Bv(32)));
        let there = portable.import(&mut other, &[a, b]).expect("it fits");
        let back = Portable::export(&other, there, |var| Some(u32::from(other.var_id(b) == Some(var))));
        assert_eq!(back.and_then(|back| back.import(&mut pool, &vars)), Some(formula));
    }

    #[test]
    fn what_does_not_fit_is_no_formula() {
        let mut pool = TermPool::new();
        let x = pool.var("x", Sort::Bv(8));
        let bad = [
            vec![],
            vec![Item::Var(1)],
            vec![Item::Const { width: 65, value: 0 }],
            vec![Item::Op(Op::Not, vec![0])],
            vec![Item::Var(0), Item::Op(Op::Not, vec![1])],
            vec![Item::Var(0), Item::Const { width: 9, value: 0 }, Item::Op(Op::Add, vec![0, 1])],
            vec![Item::Var(0), Item::Op(Op::Extract { high: 8, low: 0 }, vec![0])],
            vec![Item::Var(0), Item::Op(Op::Zext { width: 4 }, vec![0])],
            vec![Item::Var(0), Item::Op(Op::Select, vec![0, 0])],
            vec![Item::Var(0), Item::Op(Op::Fp(FpOp::Add(FpFormat::F32)), vec![0, 0])],
        ];
        for items in bad {
            assert_eq!(Portable { items }.import(&mut pool, &[x]), None);
        }
    }
}
