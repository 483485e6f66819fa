//! Whether a failure can still be reached from a place in the program.
//!
//! Backwards over control flow and calls, threads that are started on the way included. A call counts with everything
//! its callees can do; where it returns to is the business of the frames below (see [`Slice::thread_may_fail`]).
//!
//! Guarantee: if an execution fails at an instruction, [`Reach::from`] was true at every earlier place of the same call
//! of that function, and at every call or creation that led to it.
//!
//! [`Slice::thread_may_fail`]: crate::Slice::thread_may_fail

use selvedge_base::Id;
use selvedge_program::{BlockId, Flow, FuncId, Inst, Program};

use crate::call_graph::{CallGraph, CallKind};
use crate::layout::{InstId, Layout};

/// The answer for every instruction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reach {
    /// By instruction: from before it.
    before: Vec<bool>,
    /// By instruction: from after it.
    after: Vec<bool>,
    /// By function: from its beginning.
    enters: Vec<bool>,
}

impl Reach {
    /// What can be reached of the instructions that are `wanted`.
    pub(crate) fn new(
        program: &Program,
        layout: &Layout,
        graph: &CallGraph,
        flow: &[Option<Flow>],
        wanted: &[bool],
    ) -> Reach {
        let n = layout.n_insts();
        let n_funcs = program.funcs.len();
        let mut reach = Reach { before: vec![false; n], after: vec![false; n], enters: vec![false; n_funcs] };
        let mut work: Vec<FuncId> = program.funcs.ids().filter(|f| graph.is_reachable(*f)).collect();
        let mut is_waiting = vec![true; n_funcs];
        while let Some(func) = work.pop() {
            is_waiting[func.index()] = false;
            let Some(flow) = &flow[func.index()] else { continue };
            reach.function(program, layout, graph, flow, wanted, func);
            let entry = layout.first(func, BlockId(0));
            if reach.before[entry.index()] && !std::mem::replace(&mut reach.enters[func.index()], true) {
                for (site, kind) in graph.callers(func) {
                    let caller = layout.point(*site).func;
                    if *kind != CallKind::Destructor
                        && !std::mem::replace(&mut is_waiting[caller.index()], true)
                    {
                        work.push(caller);
                    }
                }
            }
        }
        reach
    }

    fn function(
        &mut self,
        program: &Program,
        layout: &Layout,
        graph: &CallGraph,
        flow: &Flow,
        wanted: &[bool],
        func: FuncId,
    ) {
        let blocks = &program.funcs[func].blocks;
        let mut from_block = vec![false; flow.n_blocks()];
        let mut work = Vec::new();
        let is_here = |this: &Reach, id: InstId| {
            let calls =
                |(f, kind): &(FuncId, CallKind)| *kind != CallKind::Destructor && this.enters[f.index()];
            wanted[id.index()] || graph.callees(id).iter().any(calls)
        };
        for (block, body) in blocks.enumerate() {
            let first = layout.first(func, block).index();
            if (0..body.insts.len()).any(|i| is_here(self, InstId::new(first + i))) {
                from_block[block.index()] = true;
                work.push(block);
            }
        }
        while let Some(block) = work.pop() {
            for &pred in flow.predecessors(block) {
                if !std::mem::replace(&mut from_block[pred.index()], true) {
                    work.push(pred);
                }
            }
        }
        for (block, body) in blocks.enumerate() {
            let first = layout.first(func, block).index();
            let mut reached = flow.successors(block).iter().any(|s| from_block[s.index()]);
            for i in (0..body.insts.len()).rev() {
                self.after[first + i] = reached;
                reached |= is_here(self, InstId::new(first + i));
                self.before[first + i] = reached;
            }
        }
    }

    /// Whether it can be reached from before an instruction, without leaving its function.
    pub(crate) fn from(&self, id: InstId) -> bool {
        self.before[id.index()]
    }

    /// Whether it can be reached from after an instruction, without leaving its function.
    pub(crate) fn after(&self, id: InstId) -> bool {
        self.after[id.index()]
    }

    /// Whether it can be reached from the beginning of a function.
    pub(crate) fn enters(&self, func: FuncId) -> bool {
        self.enters[func.index()]
    }
}

/// The control flow of every function that can be reached.
pub(crate) fn flow_graphs(program: &Program, graph: &CallGraph) -> Vec<Option<Flow>> {
    let of = |(id, function): (FuncId, &selvedge_program::Function)| {
        (graph.is_reachable(id) && function.is_defined()).then(|| Flow::new(function))
    };
    program.funcs.enumerate().map(of).collect()
}

/// Whether a thread that goes round in a loop with this instruction may wait for others.
pub(crate) fn can_wait(inst: &Inst) -> bool {
    matches!(
        inst,
        Inst::Load { .. }
            | Inst::AtomicRmw { .. }
            | Inst::CmpXchg { .. }
            | Inst::MemCopy { .. }
            | Inst::Call { .. }
            | Inst::VaArg { .. }
    )
}
