//! The variables a term depends on, memoised for every subterm.
//!
//! Sets are interned, so a term costs one `u32`, terms with the same variables share
//! one set, and unions of the same two sets are computed once. Terms with more than
//! [`LARGEST`] variables are only marked: the sets of a running sum over n variables
//! would together have n² members. Theirs are collected on demand, for the terms asked
//! for, down to subterms that have a set.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_base::Id;
use smallvec::SmallVec;

use crate::node::{Node, TermId, VarId};
use crate::pool::TermPool;

/// Sets up to this size are kept for every subterm.
const LARGEST: usize = 96;

/// An interned set of variables.
pub(crate) type SetId = u32;

const UNKNOWN: SetId = 0;
const EMPTY: SetId = 1;
/// More variables than [`LARGEST`].
pub(crate) const LARGE: SetId = 2;

/// Memo tables of [`TermPool::vars`]. The default is a shell without the empty set.
#[derive(Default)]
pub(crate) struct Supports {
    sets: Vec<Rc<[VarId]>>,
    ids: FxHashMap<Rc<[VarId]>, SetId>,
    unions: FxHashMap<(SetId, SetId), SetId>,
    of_term: Vec<SetId>,
    /// The variables of large terms that were asked for.
    large: FxHashMap<TermId, Rc<[VarId]>>,
    /// The last round of [`union_of_all`](Self::union_of_all) that has met each variable.
    seen: Vec<u32>,
    round: u32,
}

impl Supports {
    pub(crate) fn new() -> Self {
        let empty: Rc<[VarId]> = Rc::new([]);
        let mut ids = FxHashMap::default();
        ids.insert(Rc::clone(&empty), EMPTY);
        // The two markers take a place, so that ids are indices.
        Supports { sets: vec![Rc::clone(&empty), Rc::clone(&empty), empty], ids, ..Supports::default() }
    }

    fn intern(&mut self, set: &[VarId]) -> SetId {
        if let Some(&id) = self.ids.get(set) {
            return id;
        }
        let id = u32::try_from(self.sets.len()).expect("too many sets of variables");
        let set: Rc<[VarId]> = set.into();
        self.sets.push(Rc::clone(&set));
        self.ids.insert(set, id);
        id
    }

    fn union(&mut self, a: SetId, b: SetId) -> SetId {
        if a == b || b == EMPTY || a == LARGE {
            return a;
        }
        if a == EMPTY || b == LARGE {
            return b;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&id) = self.unions.get(&key) {
            return id;
        }
        let merged = merge(&self.sets[a as usize], &self.sets[b as usize]);
        let id = if merged.len() > LARGEST { LARGE } else { self.intern(&merged) };
        self.unions.insert(key, id);
        id
    }
}

impl Supports {
    /// The union of the sets of many terms. Those on the way to it are not kept: nobody has them.
    fn union_of_all(&mut self, terms: &[TermId]) -> SetId {
        let mut sets: SmallVec<[SetId; 32]> = terms.iter().map(|t| self.of_term[t.index()]).collect();
        if sets.contains(&LARGE) {
            return LARGE;
        }
        sets.sort_unstable();
        sets.dedup();
        match sets[..] {
            [] => return EMPTY,
            [single] => return single,
            [a, b] => return self.union(a, b),
            _ => {}
        }
        // Members are told apart before they are sorted: most are in many of the sets.
        self.round += 1;
        let mut members: SmallVec<[VarId; LARGEST]> = SmallVec::new();
        for set in sets {
            for &var in self.sets[set as usize].iter() {
                if self.seen.len() <= var.index() {
                    self.seen.resize(var.index() + 1, 0);
                }
                if std::mem::replace(&mut self.seen[var.index()], self.round) == self.round {
                    continue;
                }
                if members.len() == LARGEST {
                    return LARGE;
                }
                members.push(var);
            }
        }
        members.sort_unstable();
        self.intern(&members)
    }
}

fn merge(a: &[VarId], b: &[VarId]) -> Vec<VarId> {
    let mut merged = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        let next = a[i].min(b[j]);
        i += usize::from(a[i] == next);
        j += usize::from(b[j] == next);
        merged.push(next);
    }
    merged.extend_from_slice(&a[i..]);
    merged.extend_from_slice(&b[j..]);
    merged
}

impl TermPool {
    /// The variables of a term, sorted.
    pub fn vars(&mut self, t: TermId) -> Rc<[VarId]> {
        let set = self.support(t);
        if set != LARGE {
            return Rc::clone(&self.supports.sets[set as usize]);
        }
        if let Some(vars) = self.supports.large.get(&t) {
            return Rc::clone(vars);
        }
        let vars = self.collect_large(t);
        self.supports.large.insert(t, Rc::clone(&vars));
        vars
    }

    /// The members of a set that is not [`LARGE`].
    pub(crate) fn support_set(&self, set: SetId) -> &[VarId] {
        &self.supports.sets[set as usize]
    }

    fn collect_large(&self, root: TermId) -> Rc<[VarId]> {
        let mut seen_terms: FxHashSet<TermId> = FxHashSet::default();
        let mut seen_sets: FxHashSet<SetId> = FxHashSet::default();
        let mut vars: Vec<VarId> = Vec::new();
        let mut stack = vec![root];
        while let Some(t) = stack.pop() {
            match self.supports.of_term[t.index()] {
                LARGE => {
                    if seen_terms.insert(t) {
                        stack.extend(self.operands(t));
                    }
                }
                set => {
                    if seen_sets.insert(set) {
                        vars.extend_from_slice(&self.supports.sets[set as usize]);
                    }
                }
            }
        }
        vars.sort_unstable();
        vars.dedup();
        vars.into()
    }

    /// The set of variables of a term, or [`LARGE`].
    pub(crate) fn support(&mut self, root: TermId) -> SetId {
        if let Some(&set) = self.supports.of_term.get(root.index())
            && set != UNKNOWN
        {
            return set;
        }
        // Moved out for the walk, which reads nodes of the pool meanwhile.
        let mut supports = std::mem::take(&mut self.supports);
        if supports.of_term.len() < self.len() {
            supports.of_term.resize(self.len(), UNKNOWN);
        }
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if supports.of_term[t.index()] != UNKNOWN {
                stack.pop();
                continue;
            }
            if let Node::Var(v) = *self.node(t) {
                supports.of_term[t.index()] = supports.intern(&[v]);
                continue;
            }
            let operands = self.operands(t);
            let before = stack.len();
            stack.extend(operands.iter().filter(|a| supports.of_term[a.index()] == UNKNOWN));
            if stack.len() == before {
                supports.of_term[t.index()] = supports.union_of_all(&operands);
            }
        }
        let set = supports.of_term[root.index()];
        self.supports = supports;
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sort::Sort;

    #[test]
    fn supports_are_sorted_and_complete_below_and_above_the_limit() {
        let mut pool = TermPool::new();
        let n = 3 * LARGEST as u32;
        let vars: Vec<TermId> = (0..n).map(|i| pool.var(&format!("x{i}"), Sort::Bv(8))).collect();
        let mut product = vars[0];
        for (i, &x) in vars.iter().enumerate().rev() {
            product = pool.mul(product, x);
            let expected = if i == 0 { n as usize } else { n as usize - i + 1 };
            let support = pool.vars(product);
            assert_eq!(support.len(), expected);
            assert!(support.is_sorted());
        }
        let constant = pool.bv(8, 3);
        assert!(pool.vars(constant).is_empty());
    }

    #[test]
    fn a_running_sum_of_many_variables_has_supports_of_linear_size() {
        let mut pool = TermPool::new();
        let mut sum = pool.bv(8, 0);
        for i in 0..20_000 {
            let x = pool.var(&format!("x{i}"), Sort::Bv(8));
            sum = pool.add(sum, x);
        }
        assert_eq!(pool.vars(sum).len(), 20_000);
        let members: usize = pool.supports.sets.iter().map(|set| set.len()).sum();
        assert!(members < 40_000 + LARGEST * LARGEST);
    }
}
