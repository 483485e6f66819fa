//! The dependences of each instruction.
//!
//! Besides what the slice follows (see `relevance`), an instruction depends on everything before it in its thread that may
//! not come to an end: what can fail, wait, end the thread or go round in a loop for ever. Other threads are influenced
//! by what they read, by the locks that they take and by the threads that they join; that a thread gets less far than
//! before does not take from the others what they could do.

use selvedge_base::Id;
use selvedge_library::Action;
use selvedge_program::{BlockId, Callee, CastOp, CmpOp, FuncId, Inst, Operand, Ty};

use super::graph::{Graph, Node, Nodes, Single};
use super::memory;
use super::order::Order;
use crate::call_graph::CallKind;
use crate::control::Control;
use crate::defs::Defs;
use crate::effects::Effects;
use crate::layout::InstId;
use crate::slice::{Analysis, Ends};
use crate::threads::is_same_thread;

/// The dependences of one program.
pub(super) struct Rules<'a> {
    pub(super) analysis: &'a Analysis<'a>,
    pub(super) effects: &'a Effects,
    pub(super) fails: &'a [bool],
    /// By instruction: what comes after it in its thread may not be reached because of it.
    stops: Vec<bool>,
    graph: Graph,
}

/// Whether the thread may wait or end in a call of this model.
pub(crate) fn may_stop(model: Action) -> bool {
    match model {
        Action::Assume
        | Action::Assert
        | Action::Fail
        | Action::Error
        | Action::Finding
        | Action::Exit
        | Action::SetJump
        | Action::Jump
        | Action::Join
        | Action::ThreadExit
        | Action::ThreadLeaves
        | Action::Sync
        | Action::SyncRead
        | Action::Once
        | Action::SectionBegins
        | Action::SectionEnds
        | Action::Opaque => true,
        Action::Body
        | Action::Pure
        | Action::PureFallible
        | Action::LookUp
        | Action::PureTo
        | Action::Input
        | Action::MakeSymbolic
        | Action::Alloc { .. }
        | Action::Realloc
        | Action::AllocTo
        | Action::Free
        | Action::Copy { .. }
        | Action::Set { .. }
        | Action::Print { .. }
        | Action::PrintList
        | Action::PutNumber { .. }
        | Action::PutString { .. }
        | Action::PutBytes { .. }
        | Action::FormatNumber
        | Action::ParseNumber
        | Action::Create
        | Action::KeyCreate
        | Action::SetSpecific
        | Action::GetSpecific
        | Action::Environment => false,
    }
}

/// The graph of a program, and by instruction whether it may keep its thread from going on.
pub(super) fn graph(analysis: &Analysis<'_>, effects: &Effects) -> (Graph, Vec<bool>, Ends) {
    let defs = Defs::new(analysis.program, analysis.layout);
    let ends = analysis.ends(&defs);
    let mut rules = Rules {
        analysis,
        effects,
        fails: &ends.fails,
        stops: vec![false; analysis.layout.n_insts()],
        graph: Graph::new(Nodes::new(analysis.program, analysis.layout)),
    };
    for id in analysis.recursive_calls() {
        rules.stops[id.index()] = true;
    }
    for (i, loops) in ends.loops.iter().enumerate() {
        let func = FuncId::new(i);
        for &block in &loops.exits {
            let last = analysis.layout.last(analysis.program, func, block);
            rules.stops[last.index()] = true;
        }
    }
    let funcs = analysis.program.funcs.ids().filter(|f| analysis.graph().is_reachable(*f));
    for func in funcs.filter(|f| analysis.program.funcs[*f].is_defined()) {
        rules.function(func);
    }
    memory::connect(&mut rules, &Order::new(analysis, effects));
    let Rules { mut graph, stops, .. } = rules;
    graph.finish();
    (graph, stops, ends)
}

impl Rules<'_> {
    fn nodes(&self) -> &Nodes {
        &self.graph.nodes
    }

    pub(super) fn execution(&self, id: InstId) -> Node {
        self.nodes().execution(id)
    }

    pub(super) fn value(&self, id: InstId) -> Node {
        self.nodes().value(id)
    }

    pub(super) fn fresh(&mut self) -> Node {
        self.graph.fresh()
    }

    pub(super) fn edge(&mut self, from: Node, to: Node) {
        self.graph.edge(from, to);
    }

    fn reg(&self, func: FuncId, operand: Operand) -> Option<Node> {
        self.analysis.layout.operand(func, operand).map(|reg| self.nodes().reg(reg))
    }

    /// A register of `func` influences a node.
    fn operand(&mut self, func: FuncId, operand: Operand, to: Node) {
        if let Some(from) = self.reg(func, operand) {
            self.edge(from, to);
        }
    }

    fn function(&mut self, func: FuncId) {
        let (program, layout) = (self.analysis.program, self.analysis.layout);
        let function = &program.funcs[func];
        let Some(flow) = &self.analysis.flow[func.index()] else { return };
        let control = Control::new(flow);
        let entry = self.nodes().entry(func);
        for param in &function.params {
            let to = self.nodes().reg(layout.reg(func, *param));
            self.edge(entry, to);
        }
        for (block, body) in function.blocks.enumerate() {
            let (here, after) = (self.nodes().block(func, block), self.nodes().after_block(func, block));
            self.edge(entry, here);
            for &decider in control.deciders(block) {
                let branch = self.value(layout.last(program, func, decider));
                self.edge(branch, here);
            }
            let first = layout.first(func, block).index();
            for (i, inst) in body.insts.iter().enumerate() {
                let id = InstId::new(first + i);
                self.chain(id, here, (i + 1 < body.insts.len()).then(|| InstId::new(first + i + 1)), after);
                self.instruction(func, id, inst);
            }
            for &next in flow.successors(block) {
                let (begin, rest) = (self.nodes().block(func, next), self.nodes().after_block(func, next));
                self.edge(after, begin);
                self.edge(after, rest);
            }
            let exit = self.nodes().exit(func);
            self.edge(after, exit);
        }
        self.calls_of(func);
    }

    /// An instruction, its block and what comes after it.
    fn chain(&mut self, id: InstId, block: Node, next: Option<InstId>, after_block: Node) {
        let (execution, value, after) = (self.execution(id), self.value(id), self.nodes().after(id));
        self.edge(block, execution);
        self.edge(execution, value);
        match next {
            Some(next) => {
                let (execution, beyond) = (self.execution(next), self.nodes().after(next));
                self.edge(after, execution);
                self.edge(after, beyond);
            }
            None => self.edge(after, after_block),
        }
        let is_call = matches!(self.analysis.layout.inst(self.analysis.program, id), Inst::Call { .. });
        if self.fails[id.index()] || self.models(id).iter().any(|m| may_stop(*m)) {
            self.stops[id.index()] = true;
        }
        if self.stops[id.index()] {
            self.edge(execution, after);
            // Whether a lock is free, which way a loop goes.
            let decides = is_call || !self.fails[id.index()];
            if decides {
                self.edge(value, execution);
            }
        }
    }

    /// What the functions that an instruction calls itself do, without those that have a body.
    fn models(&self, id: InstId) -> Vec<Action> {
        let plain = self.analysis.graph().callees(id).iter().filter(|(_, kind)| *kind == CallKind::Plain);
        let actions = plain.map(|(callee, _)| self.analysis.built.library.action(*callee));
        actions.filter(|action| *action != Action::Body).collect()
    }

    fn instruction(&mut self, func: FuncId, id: InstId, inst: &Inst) {
        let (execution, value) = (self.execution(id), self.value(id));
        let layout = self.analysis.layout;
        // What a function of the program returns is found at its returns.
        let is_own = !self.analysis.graph().callees(id).is_empty() && self.models(id).is_empty();
        inst.for_each_dst(|dst| {
            let to = self.graph.nodes.reg(layout.reg(func, dst));
            if !is_own {
                self.graph.edge(value, to);
            }
        });
        match inst {
            Inst::Call { callee, args, .. } => {
                if let Callee::Indirect(target) = callee {
                    self.operand(func, *target, execution);
                }
                let is_modelled = !self.models(id).is_empty();
                for arg in args {
                    self.operand(func, arg.value, value);
                    if is_modelled {
                        self.operand(func, arg.value, execution);
                    }
                }
                return;
            }
            Inst::Return { values } => {
                for (i, result) in values.iter().enumerate() {
                    let to = self.nodes().result(func, i);
                    self.operand(func, *result, to);
                }
                for i in 0..values.len().max(1) {
                    let to = self.nodes().result(func, i);
                    self.edge(execution, to);
                }
                return;
            }
            Inst::Store { ptr, .. }
            | Inst::Load { ptr, .. }
            | Inst::AtomicRmw { ptr, .. }
            | Inst::CmpXchg { ptr, .. } => self.operand(func, *ptr, execution),
            Inst::MemCopy { to, from, len, .. } => {
                [to, from, len].into_iter().for_each(|x| self.operand(func, *x, execution));
            }
            Inst::MemSet { to, len, .. } => {
                [to, len].into_iter().for_each(|x| self.operand(func, *x, execution));
            }
            _ if self.fails[id.index()] => inst.for_each_operand(|x| {
                if let Some(reg) = layout.operand(func, *x) {
                    self.graph.edge(self.graph.nodes.reg(reg), execution);
                }
            }),
            _ => {}
        }
        inst.for_each_operand(|x| {
            if let Some(reg) = layout.operand(func, *x) {
                self.graph.edge(self.graph.nodes.reg(reg), value);
            }
        });
        self.edges_of(func, value, inst);
        let addresses = self.nodes().single(Single::Addresses);
        match inst {
            Inst::Alloca { .. } => self.edge(value, addresses),
            _ if self.looks_at_addresses(func, inst) => self.edge(addresses, value),
            _ => {}
        }
    }

    /// Parameters of the blocks that a terminator leads to.
    fn edges_of(&mut self, func: FuncId, value: Node, inst: &Inst) {
        for edge in inst.edges() {
            let params = &self.analysis.program.funcs[func].blocks[edge.target].params;
            for (param, arg) in params.iter().zip(&edge.args) {
                let to = self.nodes().reg(self.analysis.layout.reg(func, *param));
                self.edge(value, to);
                self.operand(func, *arg, to);
            }
        }
    }

    /// Whether the result depends on where objects lie.
    fn looks_at_addresses(&self, func: FuncId, inst: &Inst) -> bool {
        let is_pointer = |operand: &Operand| match operand {
            Operand::Reg(reg) => self.analysis.program.funcs[func].regs[*reg].ty == Ty::Ptr,
            Operand::Const(id) => self.analysis.program.consts[*id].ty() == Ty::Ptr,
        };
        let mut has_number = false;
        inst.for_each_operand(|operand| {
            let is_number = |id| self.analysis.program.is_address_as_number(id);
            has_number |= matches!(operand, Operand::Const(id) if is_number(*id));
        });
        match inst {
            Inst::Cast { op: CastOp::PtrToInt, .. } => true,
            Inst::Cmp { op, a, b, .. } => {
                has_number || !matches!(op, CmpOp::Eq | CmpOp::Ne) && (is_pointer(a) || is_pointer(b))
            }
            _ => has_number,
        }
    }

    /// What the calls in a function hand over and get back.
    fn calls_of(&mut self, func: FuncId) {
        let function = &self.analysis.program.funcs[func];
        let first = self.analysis.layout.first(func, BlockId(0)).index();
        let n: usize = function.blocks.iter().map(|block| block.insts.len()).sum();
        for id in (first..first + n).map(InstId::new) {
            let calls: Vec<(FuncId, CallKind)> = self.analysis.graph().callees(id).to_vec();
            for (callee, kind) in calls {
                if self.analysis.program.funcs[callee].is_defined() {
                    self.call(func, id, callee, kind);
                }
            }
            for model in self.models(id) {
                self.model(id, model);
            }
        }
    }

    fn call(&mut self, func: FuncId, id: InstId, callee: FuncId, kind: CallKind) {
        let (program, layout) = (self.analysis.program, self.analysis.layout);
        let (execution, value) = (self.execution(id), self.value(id));
        let (entry, exit) = (self.nodes().entry(callee), self.nodes().exit(callee));
        let params: Vec<Node> =
            program.funcs[callee].params.iter().map(|p| self.nodes().reg(layout.reg(callee, *p))).collect();
        self.edge(execution, entry);
        if is_same_thread(kind) {
            let after = self.nodes().after(id);
            self.edge(exit, after);
        }
        let inst = layout.inst(program, id);
        match (kind, inst) {
            (CallKind::Plain, Inst::Call { args, dsts, .. }) => {
                for (i, arg) in args.iter().enumerate() {
                    match params.get(i) {
                        Some(param) => self.operand(func, arg.value, *param),
                        None => {
                            for list in self.lists_of(callee) {
                                self.operand(func, arg.value, list);
                                self.edge(value, list);
                            }
                        }
                    }
                }
                for (i, dst) in dsts.iter().enumerate() {
                    let n = program.funcs[callee].ret.len().max(1);
                    let from = self.nodes().result(callee, i.min(n - 1));
                    let to = self.nodes().reg(layout.reg(func, *dst));
                    self.edge(from, to);
                }
            }
            (CallKind::Thread, Inst::Call { args, .. }) => {
                if let (Some(arg), Some(param)) = (args.get(3), params.first()) {
                    self.operand(func, arg.value, *param);
                }
                let (result, all) =
                    (self.nodes().result(callee, 0), self.nodes().single(Single::ThreadResults));
                self.edge(result, all);
                self.edge(exit, all);
            }
            (CallKind::Destructor, _) => {
                let keys = self.nodes().single(Single::Keys);
                self.edge(execution, keys);
                params.iter().chain([&entry]).for_each(|to| self.edge(keys, *to));
            }
            (_, inst) => {
                for param in params {
                    self.edge(value, param);
                }
                inst.for_each_operand(|x| {
                    if let Some(reg) = layout.operand(func, *x) {
                        self.graph.edge(self.graph.nodes.reg(reg), value);
                    }
                });
                let result = self.nodes().result(callee, 0);
                self.edge(result, value);
            }
        }
    }

    /// Where a function begins to read its variable arguments.
    fn lists_of(&self, func: FuncId) -> Vec<Node> {
        let mut lists = Vec::new();
        for (block, body) in self.analysis.program.funcs[func].blocks.enumerate() {
            let first = self.analysis.layout.first(func, block).index();
            let is_list = |(_, inst): &(usize, &Inst)| matches!(inst, Inst::VaStart { .. });
            let found = body.insts.iter().enumerate().filter(is_list);
            lists.extend(found.map(|(i, _)| self.value(InstId::new(first + i))));
        }
        lists
    }

    fn model(&mut self, id: InstId, model: Action) {
        let (execution, value) = (self.execution(id), self.value(id));
        let single = |kind: Single| self.graph.nodes.single(kind);
        let (keys, results) = (single(Single::Keys), single(Single::ThreadResults));
        let addresses = single(Single::Addresses);
        match model {
            Action::Join => {
                self.edge(results, value);
                self.edge(results, execution);
            }
            Action::ThreadExit | Action::ThreadLeaves => self.edge(value, results),
            Action::SetSpecific | Action::KeyCreate => self.edge(value, keys),
            Action::GetSpecific => self.edge(keys, value),
            Action::Alloc { .. } | Action::Realloc | Action::AllocTo => self.edge(value, addresses),
            _ => {}
        }
    }
}
