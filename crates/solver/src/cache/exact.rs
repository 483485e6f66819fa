//! Answers by the set of conjuncts.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use selvedge_term::{Assignment, TermId};

use crate::query::Query;

/// A remembered verdict.
#[derive(Clone, Debug)]
pub(super) enum Known {
    Sat(Rc<Assignment>),
    Unsat,
}

/// Entries after which the table is emptied, to bound memory.
const MAX_ENTRIES: usize = 1 << 14;

/// The table.
#[derive(Default)]
pub(super) struct Exact {
    known: FxHashMap<Box<[TermId]>, Known>,
}

impl Exact {
    /// The conjuncts of `query` as a set.
    pub(super) fn key(query: &Query<'_>) -> Box<[TermId]> {
        let mut key: Vec<TermId> = query.conjuncts().collect();
        key.sort_unstable();
        key.dedup();
        key.into()
    }

    pub(super) fn get(&self, key: &[TermId]) -> Option<Known> {
        self.known.get(key).cloned()
    }

    pub(super) fn insert(&mut self, key: Box<[TermId]>, known: Known) {
        if self.known.len() >= MAX_ENTRIES {
            self.known.clear();
        }
        self.known.insert(key, known);
    }
}
