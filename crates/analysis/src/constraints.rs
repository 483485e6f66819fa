//! From instructions to the constraints of the points-to analysis, and the call graph that comes with it.
//!
//! Only functions that can be reached from the entry, the constructors and the end of the program are looked at; a
//! function is added when a call of it is found.

mod models;

use rustc_hash::FxHashMap;
use selvedge_program::{
    Arg, BinOp, Callee, Const, ConstExpr, ConstId, FuncId, InitPiece, Inst, IntrinsicOp, Operand, Program,
    Reg,
};

use crate::call_graph::{CallGraph, CallKind};
use crate::layout::{InstId, Layout};
use crate::library::Library;
use crate::object::{ANY, ObjectId, Origin, Range};
use crate::points_to::{Flow, MAX_WORK, Node, Place, Solver, reg_node};
use selvedge_library::{Process, Written};

/// A call whose callees are found by the solver.
#[derive(Clone, Debug)]
struct Site {
    inst: InstId,
    kind: CallKind,
    args: Vec<Passed>,
    dsts: Vec<Node>,
}

/// An argument of a call.
#[derive(Clone, Copy, Debug)]
struct Passed {
    /// `None` for a plain number.
    node: Option<Node>,
    /// The pointer stands for a copy of so many bytes.
    byval: Option<u64>,
}

/// Collects constraints.
pub(crate) struct Builder<'p> {
    program: &'p Program,
    layout: &'p Layout,
    pub(crate) solver: Solver,
    pub(crate) graph: CallGraph,
    /// What the names of functions mean.
    pub(crate) library: Library,
    sites: Vec<Site>,
    work: Vec<FuncId>,
    consts: FxHashMap<ConstId, Option<Node>>,
    results: FxHashMap<(FuncId, usize), Node>,
    varargs: FxHashMap<FuncId, Node>,
    /// Results of threads, values of keys.
    thread_results: Node,
    key_values: Node,
}

impl<'p> Builder<'p> {
    /// Solves the constraints of `program`.
    pub(crate) fn run(program: &'p Program, layout: &'p Layout) -> Builder<'p> {
        Self::run_within(program, layout, MAX_WORK)
    }

    /// Solves them if this takes at most so many steps.
    pub(crate) fn run_within(program: &'p Program, layout: &'p Layout, max_work: u64) -> Builder<'p> {
        let mut solver = Solver::new(layout.n_regs());
        solver.limit(max_work);
        let [thread_results, key_values] = [(); 2].map(|()| solver.node());
        let mut builder = Builder {
            program,
            layout,
            solver,
            graph: CallGraph::new(program.funcs.len()),
            library: Library::new(program),
            sites: Vec::new(),
            work: Vec::new(),
            consts: FxHashMap::default(),
            results: FxHashMap::default(),
            varargs: FxHashMap::default(),
            thread_results,
            key_values,
        };
        builder.globals();
        builder.roots();
        builder.solve();
        builder.graph.finish();
        builder
    }

    fn globals(&mut self) {
        let program = self.program;
        for (id, global) in program.globals.enumerate() {
            let object = self.solver.object(Origin::Global(id), Some(global.size));
            for piece in global.init.iter().flatten() {
                let InitPiece::Scalar { offset, ty, value } = piece else { continue };
                let len = ty.store_size(program.target.ptr_bits);
                let range = Range { offset: *offset as i64, len };
                if let Some(value) = self.constant(*value) {
                    let cell = self.solver.cell(object, range);
                    self.solver.flow(value, Flow::To(cell));
                }
            }
        }
    }

    fn roots(&mut self) {
        let program = self.program;
        let exit = self.library.defined(program, Process::Exit);
        for root in program.entry.into_iter().chain(program.ctors.iter().copied()).chain(exit) {
            self.reach(root);
            self.graph.roots.push(root);
        }
        let Some(entry) = program.entry else { return };
        let params = &program.funcs[entry].params;
        if program.begins_with_main() {
            let place = self.arguments();
            for param in params.iter().skip(1) {
                let node = self.reg(entry, *param);
                self.solver.add(node, place);
            }
        }
    }

    /// The arguments and the environment, which point to each other's parts.
    fn arguments(&mut self) -> Place {
        let arguments = self.solver.object(Origin::Arguments, None);
        let place = self.solver.place(arguments, ANY);
        let cell = self.solver.cell(arguments, Range::ALL);
        self.solver.add(cell, place);
        place
    }

    fn solve(&mut self) {
        loop {
            while let Some(func) = self.work.pop() {
                self.function(func);
            }
            self.solver.solve();
            if self.solver.is_exhausted() {
                return;
            }
            let calls = std::mem::take(&mut self.solver.calls);
            if calls.is_empty() {
                return;
            }
            for (site, func) in calls {
                self.connect(site as usize, func);
            }
        }
    }

    /// The node of an operand, when everything is solved.
    pub(crate) fn node(&self, func: FuncId, operand: Operand) -> Option<Node> {
        match operand {
            Operand::Reg(reg) => Some(self.reg(func, reg)),
            Operand::Const(id) => self.consts.get(&id).copied().flatten(),
        }
    }

    /// Where an operand can point to, when everything is solved.
    pub(crate) fn places(&self, func: FuncId, operand: Operand) -> Vec<(ObjectId, i64)> {
        self.node(func, operand).map_or_else(Vec::new, |node| self.solver.places_of(node))
    }

    /// The objects that results of threads can point to.
    pub(crate) fn thread_results(&self) -> Vec<ObjectId> {
        self.solver.places_of(self.thread_results).into_iter().map(|(object, _)| object).collect()
    }

    fn reach(&mut self, func: FuncId) {
        if self.graph.reach(func) && self.program.funcs[func].is_defined() {
            self.work.push(func);
        }
    }

    fn reg(&self, func: FuncId, reg: Reg) -> Node {
        reg_node(self.layout.reg(func, reg))
    }

    /// The node of an operand; `None` if it cannot hold a pointer.
    fn value(&mut self, func: FuncId, operand: Operand) -> Option<Node> {
        match operand {
            Operand::Reg(reg) => Some(self.reg(func, reg)),
            Operand::Const(id) => self.constant(id),
        }
    }

    fn constant(&mut self, id: ConstId) -> Option<Node> {
        if let Some(&known) = self.consts.get(&id) {
            return known;
        }
        let mut places = Vec::new();
        self.const_places(id, &mut places);
        let node = (!places.is_empty()).then(|| {
            let node = self.solver.node();
            places.iter().for_each(|p| self.solver.add(node, *p));
            node
        });
        self.consts.insert(id, node);
        node
    }

    /// Constant expressions nest at most 256 deep.
    fn const_places(&mut self, id: ConstId, places: &mut Vec<Place>) {
        match &self.program.consts[id] {
            Const::Global { global, offset } => {
                let object =
                    self.solver.object(Origin::Global(*global), Some(self.program.globals[*global].size));
                places.push(self.solver.place(object, *offset));
            }
            Const::Func(func) => {
                let object = self.solver.object(Origin::Function(*func), Some(1));
                places.push(self.solver.place(object, 0));
            }
            Const::Expr(ConstExpr::Cast { arg, .. }) => self.const_places(*arg, places),
            Const::Expr(ConstExpr::PtrAdd { base, offset }) => {
                let mut bases = Vec::new();
                self.const_places(*base, &mut bases);
                places.extend(bases.iter().map(|p| self.solver.shift(*p, *offset)));
            }
            Const::Expr(ConstExpr::Bin { a, b, .. }) => {
                let mut operands = Vec::new();
                self.const_places(*a, &mut operands);
                self.const_places(*b, &mut operands);
                places.extend(operands.iter().map(|p| self.solver.shift(*p, ANY)));
            }
            _ => {}
        }
    }

    fn copy(&mut self, func: FuncId, from: Operand, to: Reg) {
        let to = self.reg(func, to);
        if let Some(from) = self.value(func, from) {
            self.solver.flow(from, Flow::To(to));
        }
    }

    fn smear(&mut self, func: FuncId, from: Operand, to: Reg) {
        let to = self.reg(func, to);
        if let Some(from) = self.value(func, from) {
            self.solver.flow(from, Flow::Smeared(to));
        }
    }

    fn function(&mut self, func: FuncId) {
        let program = self.program;
        for (block, body) in program.funcs[func].blocks.enumerate() {
            let first = self.layout.first(func, block);
            for (i, inst) in body.insts.iter().enumerate() {
                self.inst(func, InstId(first.0 + i as u32), inst);
            }
            body.edges().for_each(|edge| {
                let params = &program.funcs[func].blocks[edge.target].params;
                for (arg, param) in edge.args.iter().zip(params) {
                    self.copy(func, *arg, *param);
                }
            });
        }
    }

    fn inst(&mut self, func: FuncId, id: InstId, inst: &'p Inst) {
        // Every constant has a node, for those who ask later.
        inst.for_each_operand(|operand| {
            self.value(func, *operand);
        });
        let bits = self.program.target.ptr_bits;
        match inst {
            Inst::Bin { dst, op, a, b, .. } => {
                // Only addition of a known number keeps the offset.
                let known = match (op, self.number(*a), self.number(*b)) {
                    (BinOp::Add, _, Some(n)) => Some((*a, n)),
                    (BinOp::Add, Some(n), _) => Some((*b, n)),
                    (BinOp::Sub, _, Some(n)) => Some((*a, n.wrapping_neg())),
                    _ => None,
                };
                match known {
                    Some((base, by)) => {
                        let to = self.reg(func, *dst);
                        if let Some(base) = self.value(func, base) {
                            self.solver.flow(base, Flow::Shifted(to, by));
                        }
                    }
                    None => [a, b].into_iter().for_each(|x| self.smear(func, *x, *dst)),
                }
            }
            Inst::Cast { dst, a, .. } | Inst::Copy { dst, a } | Inst::Freeze { dst, a, .. } => {
                self.copy(func, *a, *dst);
            }
            Inst::Select { dst, a, b, .. } => [a, b].into_iter().for_each(|x| self.copy(func, *x, *dst)),
            Inst::Intrinsic { dsts, op, args, .. } if !op.is_float() && !matches!(op, IntrinsicOp::CtPop) => {
                for (dst, arg) in dsts.iter().take(1).flat_map(|d| args.iter().map(move |a| (d, a))) {
                    self.smear(func, *arg, *dst);
                }
            }
            Inst::PtrAdd { dst, base, offset, scaled } => {
                let to = self.reg(func, *dst);
                let by = scaled.iter().try_fold(*offset, |sum, (index, _, scale)| {
                    sum.checked_add(self.number(*index)?.checked_mul(*scale)?)
                });
                if let Some(base) = self.value(func, *base) {
                    self.solver.flow(base, by.map_or(Flow::Smeared(to), |by| Flow::Shifted(to, by)));
                }
                // A pointer in two numbers, base and distance, belongs to whichever is one.
                for (index, _, _) in scaled {
                    if matches!(base, Operand::Const(c) if self.program.consts[*c] == Const::Null) {
                        self.smear(func, *index, *dst);
                    }
                }
            }
            Inst::Alloca { dst, size, count, .. } => {
                let size = self.number(*count).and_then(|n| size.checked_mul(n as u64));
                self.make(func, *dst, Origin::Local(id), size);
            }
            Inst::Load { dst, ty, ptr, .. } => self.load(func, *ptr, *dst, ty.store_size(bits)),
            Inst::Store { ty, value, ptr, .. } => self.store(func, *ptr, *value, ty.store_size(bits)),
            Inst::MemCopy { to, from, len, overlap } => {
                let known = self.number(*len).map(|n| n as u64);
                self.transfer(func, *to, *from, known);
                if known.is_none() {
                    let copy = if *overlap { Written::MemmoveLoop } else { Written::MemcpyLoop };
                    self.call_runtime(func, id, copy, &[*to, *from, *len]);
                }
            }
            Inst::MemSet { to, byte, len } if self.number(*len).is_none() => {
                self.call_runtime(func, id, Written::MemsetLoop, &[*to, *byte, *len]);
            }
            Inst::AtomicRmw { dst, ty, ptr, value, .. } => {
                let size = ty.store_size(bits);
                self.load(func, *ptr, *dst, size);
                self.store(func, *ptr, *value, size);
                // `fetch_add` and the like write the old value, moved.
                let (address, old) = (self.value(func, *ptr), self.reg(func, *dst));
                let moved = self.solver.node();
                self.solver.flow(old, Flow::Smeared(moved));
                if let Some(address) = address {
                    self.solver.flow(address, Flow::Store(moved, size));
                }
            }
            Inst::CmpXchg { old, ty, ptr, new, .. } => {
                let size = ty.store_size(bits);
                self.load(func, *ptr, *old, size);
                self.store(func, *ptr, *new, size);
            }
            Inst::VaStart { list } => self.va_start(func, *list),
            Inst::VaCopy { to, from } => self.transfer(func, *to, *from, None),
            Inst::VaArg { dst, list, .. } => {
                let area = self.solver.node();
                let to = self.reg(func, *dst);
                if let Some(list) = self.value(func, *list) {
                    self.solver.flow(list, Flow::Load(area, u64::MAX));
                    self.solver.flow(area, Flow::Load(to, u64::MAX));
                }
            }
            Inst::Call { dsts, callee, args } => self.call(func, id, dsts, *callee, args),
            Inst::Return { values } => {
                for (i, value) in values.iter().enumerate() {
                    if let Some(value) = self.value(func, *value) {
                        let result = self.result(func, i);
                        self.solver.flow(value, Flow::To(result));
                    }
                }
            }
            _ => {}
        }
    }

    /// The value of a small constant, sign-extended.
    fn number(&self, operand: Operand) -> Option<i64> {
        crate::defs::constant(self.program, operand)
    }

    fn make(&mut self, func: FuncId, dst: Reg, origin: Origin, size: Option<u64>) {
        let object = self.solver.object(origin, size);
        let place = self.solver.place(object, 0);
        let dst = self.reg(func, dst);
        self.solver.add(dst, place);
    }

    fn load(&mut self, func: FuncId, ptr: Operand, dst: Reg, size: u64) {
        let dst = self.reg(func, dst);
        if let Some(ptr) = self.value(func, ptr) {
            self.solver.flow(ptr, Flow::Load(dst, size));
        }
    }

    fn store(&mut self, func: FuncId, ptr: Operand, value: Operand, size: u64) {
        if let (Some(ptr), Some(value)) = (self.value(func, ptr), self.value(func, value)) {
            self.solver.flow(ptr, Flow::Store(value, size));
        }
    }

    fn transfer(&mut self, func: FuncId, to: Operand, from: Operand, len: Option<u64>) {
        if let (Some(to), Some(from)) = (self.value(func, to), self.value(func, from)) {
            self.solver.transfer(to, from, len);
        }
    }

    fn va_start(&mut self, func: FuncId, list: Operand) {
        let object = self.solver.object(Origin::VarArgs(func), None);
        let place = self.solver.place(object, ANY);
        let area = self.solver.node();
        self.solver.add(area, place);
        let varargs = self.varargs_of(func);
        let cell = self.solver.cell(object, Range::ALL);
        self.solver.flow(varargs, Flow::To(cell));
        if let Some(list) = self.value(func, list) {
            let anywhere = self.solver.node();
            self.solver.flow(list, Flow::Smeared(anywhere));
            self.solver.flow(anywhere, Flow::Store(area, u64::MAX));
        }
    }

    fn varargs_of(&mut self, func: FuncId) -> Node {
        if let Some(&known) = self.varargs.get(&func) {
            return known;
        }
        let node = self.solver.node();
        self.varargs.insert(func, node);
        node
    }

    fn result(&mut self, func: FuncId, index: usize) -> Node {
        if let Some(&known) = self.results.get(&(func, index)) {
            return known;
        }
        let node = self.solver.node();
        self.results.insert((func, index), node);
        node
    }

    fn call(&mut self, func: FuncId, id: InstId, dsts: &[Reg], callee: Callee, args: &[Arg]) {
        let passed: Vec<Passed> =
            args.iter().map(|a| Passed { node: self.value(func, a.value), byval: a.byval }).collect();
        let dsts = dsts.iter().map(|d| self.reg(func, *d)).collect();
        let site = Site { inst: id, kind: CallKind::Plain, args: passed, dsts };
        match callee {
            Callee::Direct(target) => {
                self.sites.push(site);
                self.connect(self.sites.len() - 1, target);
            }
            Callee::Indirect(target) => self.indirect(func, target, site),
        }
    }

    fn indirect(&mut self, func: FuncId, target: Operand, site: Site) {
        self.graph.indirect.insert(site.inst);
        self.sites.push(site);
        let number = (self.sites.len() - 1) as u32;
        if let Some(target) = self.value(func, target) {
            self.solver.flow(target, Flow::Callee(number));
        }
    }

    fn call_runtime(&mut self, func: FuncId, id: InstId, called: Written, args: &[Operand]) {
        let Some(target) = self.library.find(called) else { return };
        let args = args.iter().map(|a| Passed { node: self.value(func, *a), byval: None }).collect();
        self.sites.push(Site { inst: id, kind: CallKind::Runtime, args, dsts: Vec::new() });
        self.connect(self.sites.len() - 1, target);
    }

    /// A call of `func` at a site has been found.
    fn connect(&mut self, site: usize, func: FuncId) {
        let n_params = self.program.funcs[func].params.len();
        let is_plain = self.sites[site].kind == CallKind::Plain;
        if is_plain && self.sites[site].args.len() < n_params {
            // A failure of its own: the function is not entered.
            return;
        }
        let Site { inst, kind, args, dsts } = self.sites[site].clone();
        if !self.graph.add(inst, func, kind) {
            return;
        }
        let function = &self.program.funcs[func];
        if !function.is_defined() {
            self.graph.reach(func);
            if kind == CallKind::Plain {
                self.model(inst, self.library.action(func), &args, &dsts);
            }
            return;
        }
        self.reach(func);
        for (i, arg) in args.iter().enumerate() {
            let Some(mut node) = arg.node else { continue };
            if let Some(size) = arg.byval {
                let object = self.solver.object(Origin::Copied(inst, i as u32), Some(size));
                let place = self.solver.place(object, 0);
                let copied = self.solver.node();
                self.solver.add(copied, place);
                self.solver.transfer(copied, node, Some(size));
                node = copied;
            }
            let to = match function.params.get(i) {
                Some(param) => self.reg(func, *param),
                None => self.varargs_of(func),
            };
            self.solver.flow(node, Flow::To(to));
            if arg.byval.is_some() && i >= function.params.len() {
                // The area of variable arguments holds the bytes of the copy.
                self.solver.flow(node, Flow::Load(to, u64::MAX));
            }
        }
        for (i, dst) in dsts.iter().enumerate() {
            let result = self.result(func, i);
            self.solver.flow(result, Flow::To(*dst));
        }
        if kind == CallKind::Thread {
            let result = self.result(func, 0);
            self.solver.flow(result, Flow::To(self.thread_results));
        }
    }
}
