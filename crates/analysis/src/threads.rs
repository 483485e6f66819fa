//! The threads of a program: which functions each runs, and which of them may run at the same time.
//!
//! A *role* is the main thread, or all threads that one `pthread_create` starts. Roles run at the same time as all
//! others; a role runs at the same time as itself if its creation can be executed more than once. When threads are
//! created and joined is not looked at: the executor knows at each step whether there are others.
//!
//! Guarantee: if two threads of an execution are inside two functions, [`Threads::may_overlap`] holds for them.

use selvedge_base::Id;
use selvedge_program::{Flow, FuncId, Program};

use crate::call_graph::{CallGraph, CallKind};
use crate::layout::{InstId, Layout};

/// Roles that are told apart.
const MAX_ROLES: usize = 64;

/// Who runs what.
#[derive(Clone, Debug)]
pub(crate) struct Threads {
    /// By function: the roles that can be in it.
    runs: Vec<u64>,
    /// The roles of which there can be several threads.
    several: u64,
}

impl Threads {
    pub(crate) fn new(
        program: &Program,
        layout: &Layout,
        graph: &CallGraph,
        flow: &[Option<Flow>],
        sites: &[InstId],
    ) -> Threads {
        let n = program.funcs.len();
        let once = run_once(program, layout, graph, flow);
        let is_once = |site: InstId| is_once(layout, flow, &once, site);
        let mut roles: Vec<(Vec<FuncId>, bool)> = vec![(graph.roots.clone(), false)];
        for &site in sites {
            let started: Vec<FuncId> = callees(graph, site, |kind| kind == CallKind::Thread);
            if !started.is_empty() {
                roles.push((started, !is_once(site)));
            }
        }
        if roles.len() > MAX_ROLES {
            return Threads { runs: vec![u64::MAX; n], several: u64::MAX };
        }
        let all = u64::MAX >> (MAX_ROLES - roles.len());
        let mut threads = Threads { runs: vec![0; n], several: 0 };
        let mut work: Vec<(FuncId, u64)> = Vec::new();
        for (role, (started, several)) in roles.iter().enumerate() {
            threads.several |= u64::from(*several) << role;
            work.extend(started.iter().map(|f| (*f, 1 << role)));
        }
        // Any thread may end with a value of a key.
        let is_destructor =
            |f: &FuncId| graph.callers(*f).iter().any(|(_, kind)| *kind == CallKind::Destructor);
        work.extend(program.funcs.ids().filter(is_destructor).map(|f| (f, all)));
        let mut calls: Vec<Vec<FuncId>> = vec![Vec::new(); n];
        for &site in sites {
            let same = callees(graph, site, is_same_thread);
            calls[layout.point(site).func.index()].extend(same);
        }
        while let Some((func, roles)) = work.pop() {
            let known = &mut threads.runs[func.index()];
            let new = roles & !*known;
            if new != 0 {
                *known |= new;
                work.extend(calls[func.index()].iter().map(|f| (*f, new)));
            }
        }
        threads
    }

    /// Whether two threads may be in these functions at the same time.
    pub(crate) fn may_overlap(&self, a: FuncId, b: FuncId) -> bool {
        let (a, b) = (self.runs[a.index()], self.runs[b.index()]);
        // Two roles, or one that several threads have.
        (a != 0 && b != 0) && ((a | b).count_ones() > 1 || (a & b & self.several) != 0)
    }
}

/// Whether a call runs in the thread that makes it, and before it returns.
pub(crate) fn is_same_thread(kind: CallKind) -> bool {
    matches!(kind, CallKind::Plain | CallKind::Callback | CallKind::Runtime)
}

fn callees(graph: &CallGraph, site: InstId, wanted: impl Fn(CallKind) -> bool) -> Vec<FuncId> {
    graph.callees(site).iter().filter(|(_, kind)| wanted(*kind)).map(|(f, _)| *f).collect()
}

fn is_once(layout: &Layout, flow: &[Option<Flow>], once: &[bool], site: InstId) -> bool {
    let at = layout.point(site);
    let in_cycle = flow[at.func.index()].as_ref().is_none_or(|f| f.is_in_cycle(at.block));
    once[at.func.index()] && !in_cycle
}

/// By function: whether it is executed at most once.
pub(crate) fn run_once(
    program: &Program,
    layout: &Layout,
    graph: &CallGraph,
    flow: &[Option<Flow>],
) -> Vec<bool> {
    let mut once = vec![false; program.funcs.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for func in program.funcs.ids().filter(|f| graph.is_reachable(*f)) {
            let holds = match graph.callers(func) {
                [] => graph.roots.contains(&func),
                [(site, kind)] => {
                    *kind != CallKind::Destructor
                        && !graph.roots.contains(&func)
                        && is_once(layout, flow, &once, *site)
                }
                _ => false,
            };
            if holds && !std::mem::replace(&mut once[func.index()], true) {
                changed = true;
            }
        }
    }
    once
}
