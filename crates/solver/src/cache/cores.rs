//! Known unsatisfiable sets of conjuncts, found as subsets of a query.
//!
//! The path of a query is satisfiable, so that a core inside a query contains a goal
//! conjunct. Cores are therefore listed under each of their members, and a query looks
//! only at the lists of its goal.

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_term::TermId;

use crate::query::Query;

/// Cores after which all are forgotten, to bound memory and the length of the lists.
const MAX_CORES: usize = 1 << 14;
/// Longer cores are not kept: they hardly ever recur.
const MAX_LEN: usize = 64;

/// The known cores.
#[derive(Default)]
pub(super) struct Cores {
    cores: Vec<Box<[TermId]>>,
    by_member: FxHashMap<TermId, Vec<u32>>,
    members: FxHashSet<TermId>,
}

impl Cores {
    /// A known core all of whose members are in `query`.
    pub(super) fn find(&mut self, query: &Query<'_>) -> Option<Vec<TermId>> {
        let mut filled = false;
        for goal in query.goal {
            // Newest first: a search comes back to where it just was.
            let Some(cores) = self.by_member.get(goal) else { continue };
            for &core in cores.iter().rev() {
                if !filled {
                    self.members.clear();
                    self.members.extend(query.conjuncts());
                    filled = true;
                }
                let core = &self.cores[core as usize];
                if core.iter().all(|member| self.members.contains(member)) {
                    return Some(core.to_vec());
                }
            }
        }
        None
    }

    pub(super) fn insert(&mut self, core: &[TermId]) {
        if core.len() > MAX_LEN {
            return;
        }
        if self.cores.len() >= MAX_CORES {
            self.cores.clear();
            self.by_member.clear();
        }
        let id = self.cores.len() as u32;
        for &member in core {
            self.by_member.entry(member).or_default().push(id);
        }
        self.cores.push(core.into());
    }
}
