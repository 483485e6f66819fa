//! Addresses that are certain: registers that can only point into certain variables, at certain offsets.
//!
//! An access through such a register cannot fail, if every place is inside its variable and the variable lives. Loaded
//! pointers, heap blocks and inputs are never certain: they may be null, freed or out of bounds.
//!
//! Guarantee: in every execution the value of a [`Address::Certain`] register is one of its targets, and a local
//! variable among them is alive wherever [`Addresses::is_valid`] says so. Relies on: the call graph is complete; control
//! does not leave functions by `longjmp` (callers then do not ask).

use selvedge_base::{Dense, Id};
use selvedge_library::Action;
use selvedge_program::{
    BlockId, Const, ConstExpr, ConstId, Dominators, FuncId, GlobalId, Inst, Operand, Program,
};

use crate::call_graph::{CallGraph, CallKind};
use crate::defs::Defs;
use crate::layout::{InstId, Layout};
use crate::library::Library;
use crate::lifetimes::Lifetimes;
use crate::ranges::Ranges;

/// Targets that are told apart.
const MAX_TARGETS: usize = 8;
/// The largest object that the engine models.
const MAX_OBJECT: u64 = 1 << 30;

/// What a certain address belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Base {
    Global(GlobalId),
    Local(InstId),
    Func(FuncId),
}

/// A variable and a range of offsets in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Target {
    pub(crate) base: Base,
    pub(crate) low: i64,
    pub(crate) high: i64,
}

/// What a register can be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Address {
    /// Not assigned in any execution, as far as is known yet.
    Never,
    /// One of these.
    Certain(Vec<Target>),
    /// Anything.
    Uncertain,
}

impl Address {
    /// Adds what `other` can be; whether that is news.
    fn join(&mut self, other: &Address) -> bool {
        match (&mut *self, other) {
            (_, Address::Never) | (Address::Uncertain, _) => false,
            (_, Address::Uncertain) => {
                *self = Address::Uncertain;
                true
            }
            (Address::Never, certain) => {
                *self = certain.clone();
                true
            }
            (Address::Certain(mine), Address::Certain(theirs)) => {
                let before = mine.len();
                for target in theirs {
                    if let Err(at) = mine.binary_search(target) {
                        mine.insert(at, *target);
                    }
                }
                let grew = mine.len() > before;
                if mine.len() > MAX_TARGETS {
                    *self = Address::Uncertain;
                }
                grew
            }
        }
    }

    fn moved(&self, low: i64, high: i64) -> Address {
        let Address::Certain(targets) = self else { return self.clone() };
        let moved = targets.iter().map(|t| {
            Some(Target { base: t.base, low: t.low.checked_add(low)?, high: t.high.checked_add(high)? })
        });
        moved.collect::<Option<Vec<_>>>().map_or(Address::Uncertain, Address::Certain)
    }
}

/// The result of the analysis.
pub(crate) struct Addresses<'a> {
    program: &'a Program,
    layout: &'a Layout,
    graph: &'a CallGraph,
    library: &'a Library,
    ranges: Ranges<'a>,
    dominators: &'a Dense<FuncId, Dominators>,
    lifetimes: &'a Lifetimes,
    regs: Vec<Address>,
}

impl<'a> Addresses<'a> {
    pub(crate) fn new(
        program: &'a Program,
        layout: &'a Layout,
        defs: &'a Defs,
        (graph, library): (&'a CallGraph, &'a Library),
        dominators: &'a Dense<FuncId, Dominators>,
        lifetimes: &'a Lifetimes,
    ) -> Addresses<'a> {
        let ranges = Ranges { program, layout, defs };
        let regs = vec![Address::Never; layout.n_regs()];
        let mut all = Addresses { program, layout, graph, library, ranges, dominators, lifetimes, regs };
        all.parameters_of_roots();
        let reachable: Vec<FuncId> = program.funcs.ids().filter(|f| graph.is_reachable(*f)).collect();
        let mut is_stale = vec![true; program.funcs.len()];
        let mut is_done = false;
        while !is_done {
            is_done = true;
            for &func in &reachable {
                if std::mem::replace(&mut is_stale[func.index()], false) {
                    all.function(func, &mut is_stale);
                    is_done = false;
                }
            }
        }
        all
    }

    fn parameters_of_roots(&mut self) {
        for &root in &self.graph.roots {
            for param in &self.program.funcs[root].params {
                self.regs[self.layout.reg(root, *param)] = Address::Uncertain;
            }
        }
    }

    /// What an operand can be.
    pub(crate) fn of(&self, func: FuncId, operand: Operand) -> Address {
        match operand {
            Operand::Reg(reg) => self.regs[self.layout.reg(func, reg)].clone(),
            Operand::Const(id) => self.constant(id),
        }
    }

    /// As [`of`](Self::of), for what is kept while control goes on: it may go round and begin another life of a local.
    fn of_one_life(&self, func: FuncId, operand: Operand) -> Address {
        let value = self.of(func, operand);
        let ends = |t: &Target| matches!(t.base, Base::Local(local) if self.lifetimes.is_repeated(local));
        match &value {
            Address::Certain(targets) if targets.iter().any(ends) => Address::Uncertain,
            _ => value,
        }
    }

    fn constant(&self, id: ConstId) -> Address {
        let at = |base, offset| Address::Certain(vec![Target { base, low: offset, high: offset }]);
        match &self.program.consts[id] {
            Const::Global { global, offset } => at(Base::Global(*global), *offset),
            Const::Func(func)
                if !self.program.funcs[*func].is_weak || self.program.funcs[*func].is_defined() =>
            {
                at(Base::Func(*func), 0)
            }
            Const::Expr(ConstExpr::PtrAdd { base, offset }) => self.constant(*base).moved(*offset, *offset),
            _ => Address::Uncertain,
        }
    }

    /// Recomputes a function's registers until they are stable; functions that see a change become stale.
    fn function(&mut self, func: FuncId, is_stale: &mut [bool]) {
        let body = &self.program.funcs[func];
        loop {
            let mut changed = false;
            for (block, content) in body.blocks.enumerate() {
                if !self.dominators[func].is_reachable(block) {
                    continue;
                }
                let first = self.layout.first(func, block);
                for (i, inst) in content.insts.iter().enumerate() {
                    changed |= self.inst(func, block, InstId(first.0 + i as u32), inst, is_stale);
                }
                content.edges().for_each(|edge| {
                    let params = &body.blocks[edge.target].params;
                    for (arg, param) in edge.args.iter().zip(params) {
                        let value = self.of_one_life(func, *arg);
                        changed |= self.regs[self.layout.reg(func, *param)].join(&value);
                    }
                });
            }
            if !changed {
                return;
            }
        }
    }

    fn inst(&mut self, func: FuncId, block: BlockId, id: InstId, inst: &Inst, is_stale: &mut [bool]) -> bool {
        let mut changed = false;
        match inst {
            Inst::Copy { dst, a } | Inst::Freeze { dst, a, .. } => {
                let value = self.of(func, *a);
                changed |= self.regs[self.layout.reg(func, *dst)].join(&value);
            }
            Inst::Select { dst, a, b, .. } => {
                for x in [a, b] {
                    let value = self.of(func, *x);
                    changed |= self.regs[self.layout.reg(func, *dst)].join(&value);
                }
            }
            Inst::PtrAdd { dst, base, offset, scaled } => {
                let mut value = self.of(func, *base).moved(*offset, *offset);
                for (index, width, scale) in scaled {
                    let range = self.ranges.of(func, &self.dominators[func], block, *index, *width);
                    let ends =
                        range.and_then(|(a, b)| Some((a.checked_mul(*scale)?, b.checked_mul(*scale)?)));
                    value = match ends {
                        Some((a, b)) => value.moved(a.min(b), a.max(b)),
                        None if value == Address::Never => value,
                        None => Address::Uncertain,
                    };
                }
                changed |= self.regs[self.layout.reg(func, *dst)].join(&value);
            }
            Inst::Alloca { dst, .. } => {
                let value = match self.lifetimes.is_plain(id) {
                    true => Address::Certain(vec![Target { base: Base::Local(id), low: 0, high: 0 }]),
                    false => Address::Uncertain,
                };
                changed |= self.regs[self.layout.reg(func, *dst)].join(&value);
            }
            Inst::Call { dsts, args, .. } => {
                let mut results_known = !dsts.is_empty();
                for &(callee, kind) in self.graph.callees(id) {
                    let target = &self.program.funcs[callee];
                    results_known &= kind == CallKind::Plain && self.library.action(callee) == Action::Body;
                    let params = target.params.clone();
                    for (i, param) in params.iter().enumerate() {
                        let value = match (kind, args.get(i)) {
                            (CallKind::Plain, Some(arg)) if arg.byval.is_none() => {
                                self.outlives_call(func, id, self.of(func, arg.value))
                            }
                            (CallKind::Thread, _) if i == 0 => match args.get(3) {
                                Some(arg) => outlives_thread(self.program, self.of(func, arg.value)),
                                None => Address::Uncertain,
                            },
                            _ => Address::Uncertain,
                        };
                        if self.regs[self.layout.reg(callee, *param)].join(&value) {
                            is_stale[callee.index()] = true;
                        }
                    }
                }
                if !results_known {
                    for dst in dsts {
                        changed |= self.regs[self.layout.reg(func, *dst)].join(&Address::Uncertain);
                    }
                }
            }
            Inst::MemCopy { .. } | Inst::MemSet { .. } => {
                for &(callee, _) in self.graph.callees(id) {
                    for param in self.program.funcs[callee].params.clone() {
                        if self.regs[self.layout.reg(callee, param)].join(&Address::Uncertain) {
                            is_stale[callee.index()] = true;
                        }
                    }
                }
            }
            Inst::Return { values } => {
                for (i, value) in values.iter().enumerate() {
                    let value = returned(self.layout, func, self.of(func, *value));
                    for &(site, kind) in self.graph.callers(func) {
                        if kind != CallKind::Plain {
                            continue;
                        }
                        let caller = self.layout.point(site).func;
                        if let Inst::Call { dsts, .. } = self.layout.inst(self.program, site)
                            && let Some(dst) = dsts.get(i)
                            && self.regs[self.layout.reg(caller, *dst)].join(&value)
                        {
                            is_stale[caller.index()] = true;
                        }
                    }
                }
            }
            other => other.for_each_dst(|dst| {
                changed |= self.regs[self.layout.reg(func, dst)].join(&Address::Uncertain);
            }),
        }
        changed
    }

    /// A callee may use the address of a local only if it lives at the call.
    fn outlives_call(&self, func: FuncId, call: InstId, value: Address) -> Address {
        let Address::Certain(targets) = &value else { return value };
        let lives = |t: &Target| match t.base {
            Base::Local(local) if self.layout.point(local).func == func => {
                self.lifetimes.is_live(local, call)
            }
            _ => true,
        };
        if targets.iter().all(lives) { value } else { Address::Uncertain }
    }

    /// Whether an access of `size` bytes at `at` through `ptr` cannot fail.
    pub(crate) fn is_valid(&self, at: InstId, ptr: Operand, size: u64, write: bool) -> bool {
        let func = self.layout.point(at).func;
        let Address::Certain(targets) = self.of(func, ptr) else { return false };
        targets.iter().all(|target| {
            let room = match target.base {
                Base::Global(global) => {
                    let global = &self.program.globals[global];
                    let is_usable =
                        global.init.is_some() && global.size <= MAX_OBJECT && !(write && global.is_const);
                    is_usable.then_some(global.size)
                }
                Base::Local(local) => {
                    let is_own = self.layout.point(local).func == func;
                    let lives = !is_own || self.lifetimes.is_live(local, at);
                    self.lifetimes.size(local).filter(|_| lives)
                }
                Base::Func(_) => None,
            };
            room.is_some_and(|room| {
                target.low >= 0 && (target.high as u64).checked_add(size).is_some_and(|end| end <= room)
            })
        })
    }

    /// Whether two addresses certainly belong to different variables.
    pub(crate) fn is_apart(&self, func: FuncId, a: Operand, b: Operand) -> bool {
        let (Address::Certain(a), Address::Certain(b)) = (self.of(func, a), self.of(func, b)) else {
            return false;
        };
        a.iter().all(|a| b.iter().all(|b| a.base != b.base))
    }

    /// The functions that a pointer is certain to be one of.
    pub(crate) fn functions(&self, at: InstId, ptr: Operand) -> Option<Vec<FuncId>> {
        let func = self.layout.point(at).func;
        let Address::Certain(targets) = self.of(func, ptr) else { return None };
        targets
            .iter()
            .map(|t| match t.base {
                Base::Func(f) if (t.low, t.high) == (0, 0) => Some(f),
                _ => None,
            })
            .collect()
    }
}

/// A function's own locals are gone when it has returned.
fn returned(layout: &Layout, func: FuncId, value: Address) -> Address {
    let Address::Certain(targets) = &value else { return value };
    let is_own = |t: &Target| matches!(t.base, Base::Local(local) if layout.point(local).func == func);
    if targets.iter().any(is_own) { Address::Uncertain } else { value }
}

/// Locals and thread-local variables may be gone when a thread that was given their address uses it.
fn outlives_thread(program: &Program, value: Address) -> Address {
    let Address::Certain(targets) = &value else { return value };
    let dies = |t: &Target| match t.base {
        Base::Local(_) => true,
        Base::Global(global) => program.globals[global].thread_local,
        Base::Func(_) => false,
    };
    if targets.iter().any(dies) { Address::Uncertain } else { value }
}
