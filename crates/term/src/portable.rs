//! Terms outside of a pool: what is kept of formulas when the run that made them has ended.
//!
//! Variables are named by the caller, who says which term stands for each when the formula is read back; the formula
//! that comes out is the same up to that and to the builder's normal form.
//!
//! Guarantee: nothing makes [`Portable::import`] panic. What does not fit, such as an operand that does not exist or has
//! another sort, is no formula.

use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use selvedge_base::{Id, Pieces};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::float::{FpFormat, FpOp};
use crate::node::{Node, TermId, VarId};
use crate::op::Op;
use crate::pool::TermPool;
use crate::sort::Sort;

/// Formulas that belong to no pool, each named by a number. What they have in common is there once.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Portable {
    /// Each an [`Item`]; operands stand before what they are operands of.
    items: Pieces,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
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
    Op(Op, SmallVec<[u32; 4]>),
}

/// The widest bit-vector that is read back.
pub(crate) const MAX_WIDTH: u32 = 1 << 24;

/// Adds formulas of one pool, or of several that are gone.
#[derive(Default)]
pub struct Exporter {
    portable: Portable,
    /// Of what was taken over.
    numbers: FxHashMap<Item, u32>,
    /// By term: the number of what was added, plus one.
    known: Vec<u32>,
}

/// What an exporter has taken over of some formulas already, by their numbers.
#[derive(Debug, Default)]
pub struct TakenTerms {
    now: Vec<Option<u32>>,
}

impl Exporter {
    /// Adds the formula `root`; `number` gives the caller's number of a variable. `None` if it has none for a variable, or the
    /// formula is about integers without bounds.
    pub fn add(
        &mut self,
        pool: &TermPool,
        root: TermId,
        mut number: impl FnMut(VarId) -> Option<u32>,
    ) -> Option<u32> {
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if self.known(t).is_some() {
                stack.pop();
                continue;
            }
            let operands = pool.operands(t);
            let open = stack.len();
            stack.extend(operands.iter().filter(|o| self.known(**o).is_none()));
            if stack.len() > open {
                continue;
            }
            let item = match (*pool.node(t), pool.op(t)) {
                (_, Some(op)) => {
                    Item::Op(op, operands.iter().map(|o| self.known(*o)).collect::<Option<_>>()?)
                }
                (Node::Var(var), _) => Item::Var(number(var)?),
                (Node::Const { width, value }, _) => Item::Const { width, value },
                (Node::Wide { width, value }, _) => {
                    Item::Wide { width, value: pool.wide(value).to_bytes_le() }
                }
                _ => return None,
            };
            // A pool has each term once, so nobody asks whether the item is there already.
            let number = self.portable.push(&item);
            if self.known.len() <= t.index() {
                self.known.resize(pool.len().max(t.index() + 1), 0);
            }
            self.known[t.index()] = number + 1;
            stack.pop();
        }
        self.known(root)
    }

    fn known(&self, t: TermId) -> Option<u32> {
        self.known.get(t.index())?.checked_sub(1)
    }

    /// Adds a formula of others that belong to no pool, with `var` for their variables. `None` if it is none, or if there is no
    /// number for a variable.
    pub fn take_over(
        &mut self,
        from: &Portable,
        root: u32,
        taken: &mut TakenTerms,
        mut var: impl FnMut(u32) -> Option<u32>,
    ) -> Option<u32> {
        taken.now.resize(from.items.len(), None);
        let mut stack = vec![root];
        while let Some(&number) = stack.last() {
            if taken.now.get(number as usize)?.is_some() {
                stack.pop();
                continue;
            }
            let item = match from.item(number)? {
                Item::Var(variable) => Item::Var(var(variable)?),
                Item::Op(op, operands) => {
                    // So there are no circles.
                    if operands.iter().any(|operand| *operand >= number) {
                        return None;
                    }
                    let open = stack.len();
                    stack.extend(operands.iter().filter(|o| taken.now[**o as usize].is_none()));
                    if stack.len() > open {
                        continue;
                    }
                    Item::Op(op, operands.iter().map(|o| taken.now[*o as usize]).collect::<Option<_>>()?)
                }
                constant => constant,
            };
            taken.now[number as usize] = Some(self.number(item));
            stack.pop();
        }
        taken.now.get(root as usize).copied().flatten()
    }

    fn number(&mut self, item: Item) -> u32 {
        if let Some(number) = self.numbers.get(&item) {
            return *number;
        }
        let number = self.portable.push(&item);
        self.numbers.insert(item, number);
        number
    }

    /// All formulas.
    pub fn finish(self) -> Portable {
        self.portable
    }
}

/// What is read back already: terms of one pool by numbers.
#[derive(Clone, Debug, Default)]
pub struct Imported {
    made: Vec<Option<TermId>>,
}

/// What has to be made for a formula, its operands first.
#[derive(Clone, Debug)]
pub struct Plan {
    root: u32,
    items: Vec<u32>,
    /// The caller's numbers of the variables that have to be known for it.
    pub variables: Vec<u32>,
}

impl Portable {
    fn push(&mut self, item: &Item) -> u32 {
        self.items.push(|bytes| {
            let all = postcard::to_extend(item, std::mem::take(bytes));
            *bytes = all.expect("nothing in it has no form");
        })
    }

    fn item(&self, number: u32) -> Option<Item> {
        postcard::from_bytes(self.items.get(number)?).ok()
    }

    /// What has to be made for a formula; `None` if there is none of this number.
    pub fn plan(&self, root: u32, imported: &Imported) -> Option<Plan> {
        let mut plan = Plan { root, items: Vec::new(), variables: Vec::new() };
        let is_made = |item: u32| imported.made.get(item as usize).is_some_and(Option::is_some);
        let mut is_planned = FxHashMap::default();
        let mut stack = vec![root];
        while let Some(&number) = stack.last() {
            if is_made(number) || is_planned.get(&number) == Some(&true) {
                stack.pop();
                continue;
            }
            let item = self.item(number)?;
            if is_planned.insert(number, true).is_none() {
                is_planned.insert(number, false);
                if let Item::Op(_, operands) = &item {
                    // So there are no circles.
                    if operands.iter().any(|o| *o >= number) {
                        return None;
                    }
                    stack.extend(operands);
                }
                continue;
            }
            if let Item::Var(variable) = item {
                plan.variables.push(variable);
            }
            plan.items.push(number);
            stack.pop();
        }
        Some(plan)
    }

    /// The formula in a pool, with `var` for the caller's variables; `None` if it is none.
    pub fn import(
        &self,
        pool: &mut TermPool,
        plan: &Plan,
        imported: &mut Imported,
        var: impl Fn(u32) -> Option<TermId>,
    ) -> Option<TermId> {
        let made = &mut imported.made;
        made.resize(self.items.len(), None);
        for &number in &plan.items {
            let term = match self.item(number)? {
                Item::Var(variable) => var(variable)?,
                Item::Const { width: width @ 1..=64, value } => pool.bv(width, value),
                Item::Wide { width: width @ 65..MAX_WIDTH, value } => {
                    pool.bv_wide(width, BigUint::from_bytes_le(&value))
                }
                Item::Const { .. } | Item::Wide { .. } => return None,
                Item::Op(op, operands) => {
                    let operands: Option<Vec<TermId>> =
                        operands.iter().map(|o| made.get(*o as usize).copied().flatten()).collect();
                    let operands = operands?;
                    let sorts: Vec<Sort> = operands.iter().map(|o| pool.sort(*o)).collect();
                    fits(op, &sorts).then(|| pool.apply(op, &operands))?
                }
            };
            made[number as usize] = Some(term);
        }
        made.get(plan.root as usize).copied().flatten()
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

    fn import(portable: &Portable, root: u32, pool: &mut TermPool, vars: &[TermId]) -> Option<TermId> {
        let mut imported = Imported::default();
        let plan = portable.plan(root, &imported)?;
        portable.import(pool, &plan, &mut imported, |number| vars.get(number as usize).copied())
    }

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
        let mut exporter = Exporter::default();
        let root = exporter.add(&pool, formula, |var| Some(number(&pool, var)? as u32));
        let root = root.expect("all variables have numbers");
        let portable = exporter.finish();

        assert_eq!(import(&portable, root, &mut pool, &vars), Some(formula));
        let mut other = TermPool::new();
        let (a, b) = (other.var("a", Sort::Bv(32)), other.var("b", Sort::Bv(32)));
        let there = import(&portable, root, &mut other, &[a, b]).expect("it fits");
        let mut back = Exporter::default();
        let again = back.add(&other, there, |var| Some(u32::from(other.var_id(b) == Some(var))));
        assert_eq!(import(&back.finish(), again.expect("it has a form"), &mut pool, &vars), Some(formula));
    }

    #[test]
    fn what_is_taken_over_is_all_that_is_kept() {
        let mut pool = TermPool::new();
        let vars = ["x", "y", "z"].map(|name| pool.var(name, Sort::Bv(8)));
        let number =
            |pool: &TermPool, var| Some(vars.iter().position(|v| pool.var_id(*v) == Some(var))? as u32);
        let (sum, product) = (pool.add(vars[0], vars[1]), pool.mul(vars[1], vars[2]));
        let mut exporter = Exporter::default();
        let [other, kept] =
            [sum, product].map(|t| exporter.add(&pool, t, |var| number(&pool, var)).expect("a form"));
        let portable = exporter.finish();
        let (mut exporter, mut taken) = (Exporter::default(), TakenTerms::default());
        // The first variable has no number any more.
        let number = |variable: u32| variable.checked_sub(1);
        let now = exporter.take_over(&portable, kept, &mut taken, number).expect("it is there");
        // The same from elsewhere is there once.
        assert_eq!(exporter.take_over(&portable, kept, &mut TakenTerms::default(), number), Some(now));
        assert_eq!(exporter.take_over(&portable, 99, &mut taken, number), None);
        assert_eq!(exporter.take_over(&portable, other, &mut taken, number), None, "x has no number");
        let portable = exporter.finish();
        assert_eq!(portable.items.len(), 3);
        assert_eq!(import(&portable, now, &mut pool, &vars[1..]), Some(product));
    }

    #[test]
    fn what_does_not_fit_is_no_formula() {
        let mut pool = TermPool::new();
        let x = pool.var("x", Sort::Bv(8));
        let op = |op: Op, operands: &[u32]| Item::Op(op, operands.into());
        let bad = [
            vec![],
            vec![Item::Var(1)],
            vec![Item::Const { width: 65, value: 0 }],
            vec![op(Op::Not, &[0])],
            vec![Item::Var(0), op(Op::Not, &[1])],
            vec![Item::Var(0), Item::Const { width: 9, value: 0 }, op(Op::Add, &[0, 1])],
            vec![Item::Var(0), op(Op::Extract { high: 8, low: 0 }, &[0])],
            vec![Item::Var(0), op(Op::Zext { width: 4 }, &[0])],
            vec![Item::Var(0), op(Op::Select, &[0, 0])],
            vec![Item::Var(0), op(Op::Fp(FpOp::Add(FpFormat::F32)), &[0, 0])],
        ];
        let portable = |items: Vec<Item>| {
            let mut portable = Portable::default();
            items.iter().for_each(|item| {
                portable.push(item);
            });
            portable
        };
        for items in bad {
            let root = items.len().saturating_sub(1) as u32;
            assert_eq!(import(&portable(items), root, &mut pool, &[x]), None);
        }
        let circle = portable(vec![op(Op::Not, &[0])]);
        assert_eq!(Exporter::default().take_over(&circle, 0, &mut TakenTerms::default(), Some), None);
    }
}
