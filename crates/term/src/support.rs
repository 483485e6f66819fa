//! The variables a term depends on, memoised for every subterm.
//!
//! Sets are interned, so a term costs one `u32`, terms with the same variables share
//! one set, and unions of the same two sets are computed once.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use selvedge_base::Id;

use crate::node::{Node, TermId, VarId};
use crate::pool::TermPool;

/// An interned set of variables; 0 is not computed yet, 1 the empty set.
type SetId = u32;

const EMPTY: SetId = 1;

/// Memo tables of [`TermPool::vars`]. The default is a shell without the empty set.
#[derive(Default)]
pub(crate) struct Supports {
    sets: Vec<Rc<[VarId]>>,
    ids: FxHashMap<Rc<[VarId]>, SetId>,
    unions: FxHashMap<(SetId, SetId), SetId>,
    of_term: Vec<SetId>,
}

impl Supports {
    pub(crate) fn new() -> Self {
        let empty: Rc<[VarId]> = Rc::new([]);
        let mut ids = FxHashMap::default();
        ids.insert(Rc::clone(&empty), EMPTY);
        Supports {
            sets: vec![Rc::clone(&empty), empty],
            ids,
            unions: FxHashMap::default(),
            of_term: Vec::new(),
        }
    }

    fn intern(&mut self, set: Vec<VarId>) -> SetId {
        if let Some(&id) = self.ids.get(set.as_slice()) {
            return id;
        }
        let id = u32::try_from(self.sets.len()).expect("too many sets of variables");
        let set: Rc<[VarId]> = set.into();
        self.sets.push(Rc::clone(&set));
        self.ids.insert(set, id);
        id
    }

    fn union(&mut self, a: SetId, b: SetId) -> SetId {
        if a == b || b == EMPTY {
            return a;
        }
        if a == EMPTY {
            return b;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&id) = self.unions.get(&key) {
            return id;
        }
        let merged = merge(&self.sets[a as usize], &self.sets[b as usize]);
        let id = self.intern(merged);
        self.unions.insert(key, id);
        id
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
        Rc::clone(&self.supports.sets[set as usize])
    }

    fn support(&mut self, root: TermId) -> SetId {
        if let Some(&set) = self.supports.of_term.get(root.index())
            && set != 0
        {
            return set;
        }
        // Moved out for the walk, which reads nodes of the pool meanwhile.
        let mut supports = std::mem::take(&mut self.supports);
        if supports.of_term.len() < self.len() {
            supports.of_term.resize(self.len(), 0);
        }
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if supports.of_term[t.index()] != 0 {
                stack.pop();
                continue;
            }
            if let Node::Var(v) = *self.node(t) {
                supports.of_term[t.index()] = supports.intern(vec![v]);
                continue;
            }
            let operands = self.operands(t);
            let before = stack.len();
            stack.extend(operands.iter().filter(|a| supports.of_term[a.index()] == 0));
            if stack.len() == before {
                let set =
                    operands.iter().fold(EMPTY, |set, a| supports.union(set, supports.of_term[a.index()]));
                supports.of_term[t.index()] = set;
            }
        }
        let set = supports.of_term[root.index()];
        self.supports = supports;
        set
    }
}
