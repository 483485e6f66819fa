//! Replacing variables by terms, all at once, with a memo kept between applications.
//!
//! Iterative. Subterms without a replaced variable are recognised by their support and
//! not entered.

use rustc_hash::FxHashMap;

use crate::node::{TermId, VarId};
use crate::pool::{Operands, TermPool};
use crate::support::{LARGE, SetId};

/// A parallel substitution of terms for variables.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    map: FxHashMap<VarId, TermId>,
    memo: FxHashMap<TermId, TermId>,
    /// Whether a set of variables has a replaced one.
    touched: FxHashMap<SetId, bool>,
}

impl Substitution {
    /// The identity.
    pub fn new() -> Self {
        Substitution::default()
    }

    /// Whether this is the identity.
    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    /// What stands for `v`, if anything.
    pub fn get(&self, v: VarId) -> Option<TermId> {
        self.map.get(&v).copied()
    }

    /// Lets `t`, of the same sort, stand for `v`.
    pub fn insert(&mut self, v: VarId, t: TermId) {
        if self.map.insert(v, t) != Some(t) {
            self.memo.clear();
            self.touched.clear();
        }
    }

    /// The term with every variable replaced. Replacements are not replaced again.
    ///
    /// The memo belongs to one pool: use a substitution with the pool of its terms only.
    pub fn apply(&mut self, pool: &mut TermPool, root: TermId) -> TermId {
        if self.map.is_empty() {
            return root;
        }
        pool.support(root);
        let known = self.memo.len();
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if self.done(pool, t).is_some() {
                stack.pop();
                continue;
            }
            if let Some(v) = pool.var_id(t) {
                let image = self.map.get(&v).copied().unwrap_or(t);
                debug_assert_eq!(pool.sort(image), pool.sort(t), "what stands for {:?}", pool.var_info(v));
                self.memo.insert(t, image);
                continue;
            }
            let operands = pool.operands(t);
            let mut replaced = Operands::new();
            let before = stack.len();
            for &operand in &operands {
                match self.done(pool, operand) {
                    Some(result) => replaced.push(result),
                    None => stack.push(operand),
                }
            }
            if stack.len() == before {
                let result = if replaced == operands { t } else { pool.rebuild(t, &replaced) };
                self.memo.insert(t, result);
                stack.pop();
            }
        }
        pool.n_replaced += (self.memo.len() - known) as u64;
        self.done(pool, root).expect("the root was computed")
    }

    /// The result for a term, if it is known or the term has no replaced variable.
    fn done(&mut self, pool: &mut TermPool, t: TermId) -> Option<TermId> {
        let set = pool.support(t);
        if set != LARGE {
            let touched = *self
                .touched
                .entry(set)
                .or_insert_with(|| pool.support_set(set).iter().any(|v| self.map.contains_key(v)));
            if !touched {
                return Some(t);
            }
        }
        self.memo.get(&t).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sort::Sort;

    #[test]
    fn terms_that_are_gone_through_are_counted_once() {
        let mut pool = TermPool::new();
        let (x, y) = (pool.var("x", Sort::Bv(16)), pool.var("y", Sort::Bv(16)));
        let product = pool.mul(x, y);
        let x = pool.var_id(x).expect("a variable");
        let mut subst = Substitution::new();
        subst.insert(x, y);
        for _ in 0..2 {
            subst.apply(&mut pool, product);
            // The product and `x`; `y` stays.
            assert_eq!(pool.n_replaced(), 2);
        }
    }

    #[test]
    fn replacement_is_parallel_and_leaves_the_rest_alone() {
        let mut pool = TermPool::new();
        let vars: Vec<TermId> = ["x", "y", "z"].iter().map(|n| pool.var(n, Sort::Bv(16))).collect();
        let ids: Vec<VarId> = vars.iter().map(|&t| pool.var_id(t).expect("a variable")).collect();
        let quotient = pool.udiv(vars[0], vars[1]);
        let other = pool.mul(vars[2], vars[2]);
        let t = pool.bvxor(quotient, other);
        let mut swap = Substitution::new();
        swap.insert(ids[0], vars[1]);
        swap.insert(ids[1], vars[0]);
        let swapped = swap.apply(&mut pool, t);
        let expected = pool.udiv(vars[1], vars[0]);
        let expected = pool.bvxor(expected, other);
        assert_eq!(swapped, expected);
        assert_eq!(swap.apply(&mut pool, swapped), t);
        assert!(!swap.memo.contains_key(&other));
    }
}
