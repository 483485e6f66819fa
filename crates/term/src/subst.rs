//! Replacing variables by terms, all at once, with a memo kept between applications.

use rustc_hash::FxHashMap;

use crate::node::{TermId, VarId};
use crate::pool::{Operands, TermPool};

/// A parallel substitution of terms for variables.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    map: FxHashMap<VarId, TermId>,
    memo: FxHashMap<TermId, TermId>,
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
        }
    }

    /// The term with every variable replaced. Replacements are not replaced again.
    pub fn apply(&mut self, pool: &mut TermPool, root: TermId) -> TermId {
        if self.map.is_empty() {
            return root;
        }
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if self.memo.contains_key(&t) {
                stack.pop();
                continue;
            }
            if let Some(v) = pool.var_id(t) {
                self.memo.insert(t, self.map.get(&v).copied().unwrap_or(t));
                continue;
            }
            let operands = pool.operands(t);
            let before = stack.len();
            stack.extend(operands.iter().filter(|a| !self.memo.contains_key(a)));
            if stack.len() == before {
                let replaced: Operands = operands.iter().map(|a| self.memo[a]).collect();
                let result = if replaced == operands { t } else { pool.rebuild(t, &replaced) };
                self.memo.insert(t, result);
                stack.pop();
            }
        }
        self.memo[&root]
    }
}
