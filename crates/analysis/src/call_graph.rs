//! The call graph: who can call whom, as found by the points-to analysis.

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_base::Id;
use selvedge_program::FuncId;

use crate::layout::InstId;

/// How a function comes to be called at a place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CallKind {
    /// The instruction is the call.
    Plain,
    /// A library function calls it before it returns (`pthread_once`).
    Callback,
    /// A loop of the C run-time stands in for the instruction.
    Runtime,
    /// It is started as a thread.
    Thread,
    /// It is registered to be called when a thread ends.
    Destructor,
}

/// Calls between the functions that can be reached.
#[derive(Clone, Debug)]
pub struct CallGraph {
    edges: FxHashSet<(InstId, FuncId, CallKind)>,
    /// By call: sorted.
    callees: FxHashMap<InstId, Vec<(FuncId, CallKind)>>,
    /// By function: sorted.
    callers: Vec<Vec<(InstId, CallKind)>>,
    reached: Vec<bool>,
    /// Where executions begin: the entry, constructors, the end of the program.
    pub(crate) roots: Vec<FuncId>,
    /// Calls through pointers.
    pub(crate) indirect: FxHashSet<InstId>,
}

impl CallGraph {
    pub(crate) fn new(n_funcs: usize) -> CallGraph {
        CallGraph {
            edges: FxHashSet::default(),
            callees: FxHashMap::default(),
            callers: vec![Vec::new(); n_funcs],
            reached: vec![false; n_funcs],
            roots: Vec::new(),
            indirect: FxHashSet::default(),
        }
    }

    /// Marks a function as reached; whether it was not before.
    pub(crate) fn reach(&mut self, func: FuncId) -> bool {
        !std::mem::replace(&mut self.reached[func.index()], true)
    }

    /// Adds a call; whether it is new.
    pub(crate) fn add(&mut self, site: InstId, func: FuncId, kind: CallKind) -> bool {
        if !self.edges.insert((site, func, kind)) {
            return false;
        }
        self.callees.entry(site).or_default().push((func, kind));
        self.callers[func.index()].push((site, kind));
        true
    }

    pub(crate) fn finish(&mut self) {
        let mut sites: Vec<InstId> = self.edges.iter().map(|(site, _, _)| *site).collect();
        sites.sort_unstable();
        sites.dedup();
        for site in sites {
            if let Some(callees) = self.callees.get_mut(&site) {
                callees.sort_unstable();
            }
        }
        self.callers.iter_mut().for_each(|callers| callers.sort_unstable());
    }

    /// What an instruction can call.
    pub fn callees(&self, site: InstId) -> &[(FuncId, CallKind)] {
        self.callees.get(&site).map_or(&[], Vec::as_slice)
    }

    /// Where a function can be called.
    pub fn callers(&self, func: FuncId) -> &[(InstId, CallKind)] {
        &self.callers[func.index()]
    }

    /// Whether an execution can come to the function.
    pub fn is_reachable(&self, func: FuncId) -> bool {
        self.reached[func.index()]
    }
}
