//! The backward slice: which instructions can influence a failure, or whether control comes to one.
//!
//! Papers: [AG] §6.1; Weiser, "Program slicing", 1984; Horwitz, Reps, Binkley, TOPLAS 1990 for calls (without their
//! matching of calls and returns); Krinke, "Context-sensitive slicing of concurrent programs", 2003, for interference.
//!
//! Dependences that are followed from an instruction of the slice:
//! - *control*: the branches that decide whether it is executed, the calls of its function, the creation of its threads;
//! - *data*: what its operands are computed from, through block parameters, arguments and results;
//! - *memory*: every write, of any thread, to bytes that it may read. Order is not looked at, so this covers interference
//!   between threads as well as flow within one;
//! - *life*: what may end the life of an object that it accesses.
//!
//! The slice begins with everything that can fail, everything that can block, end or start a thread or end the program,
//! inputs and allocations (their number in a thread is part of their identity), recursion, and the branches that decide
//! whether a loop is left.
//!
//! Two degrees are told apart. An access is *executed* in the slice if its address can be wrong: its address and whether
//! control gets there matter, but not when it happens. It is *noticed* if what it reads or writes matters and another
//! thread may meet it there, or its object may die meanwhile: only then its order to the steps of other threads matters.
//! Reads in loops that may not terminate are noticed as well: a thread that waits must be seen to read, or the executor
//! would follow it for ever.
//!
//! Guarantee: two executions that agree on inputs and on the order of noticed steps agree on all values of the slice,
//! hence on failures, deadlocks and on how far each thread gets.

mod rules;

use rustc_hash::FxHashSet;
use selvedge_base::Id;
use selvedge_program::{BlockId, FuncId, Inst, Operand, Program};

use crate::call_graph::{CallGraph, CallKind};
use crate::control::Control;
use crate::defs::{Def, Defs};
use crate::effects::{Effects, Touched};
use crate::layout::{InstId, Layout};
use crate::library::Library;
use crate::object::{ANY, ObjectId, Origin, Range};
use crate::sharing::Sharing;
use selvedge_library::Action;

/// What the slice is computed from.
pub(crate) struct Inputs<'a> {
    pub(crate) program: &'a Program,
    pub(crate) layout: &'a Layout,
    pub(crate) graph: &'a CallGraph,
    pub(crate) defs: &'a Defs,
    pub(crate) library: &'a Library,
    pub(crate) effects: &'a Effects,
    pub(crate) sharing: &'a Sharing,
    pub(crate) control: &'a [Option<Control>],
    /// By object.
    pub(crate) origins: &'a [Origin],
    /// By instruction: whether it can fail.
    pub(crate) fails: &'a [bool],
    /// By function: whether nothing in it matters.
    pub(crate) quiet: &'a [bool],
    /// By instruction: whether it may meet a conflicting access of another thread.
    pub(crate) contended: &'a [bool],
    /// By instruction: whether it may be part of a loop that does not terminate.
    pub(crate) endless: &'a [bool],
}

/// The slice.
#[derive(Clone, Debug, Default)]
pub(crate) struct Relevance {
    /// By instruction: it is in the slice.
    pub(crate) executed: Vec<bool>,
    /// By instruction: others can notice when it happens, and it matters.
    pub(crate) noticed: Vec<bool>,
}

#[derive(Clone, Copy)]
enum Task {
    /// The instruction is executed in the slice.
    Execute(InstId),
    /// What the instruction reads, writes or returns matters.
    Value(InstId),
    /// The value of a register matters.
    Reg(usize),
}

struct Slicer<'a> {
    inputs: Inputs<'a>,
    executed: Vec<bool>,
    valued: Vec<bool>,
    regs: Vec<bool>,
    reached: Vec<bool>,
    work: Vec<Task>,
    /// By object: who writes which bytes.
    writers: Vec<Vec<(Range, InstId)>>,
    /// By object: all of it is read. Parts that are read.
    wanted_all: Vec<bool>,
    wanted: FxHashSet<Touched>,
    /// By function: it matters which return it comes to.
    left: Vec<bool>,
    results_matter: bool,
    keys_matter: bool,
    /// By function: whether other threads may know its locals.
    shared_locals: Vec<bool>,
    /// Calls that set values of keys; ends of threads with a result.
    setters: Vec<InstId>,
    thread_ends: Vec<InstId>,
}

/// Computes the slice. `starts` are further instructions to begin with.
pub(crate) fn slice(inputs: Inputs<'_>, starts: &[InstId]) -> Relevance {
    let n = inputs.layout.n_insts();
    let n_objects = inputs.origins.len();
    let mut slicer = Slicer {
        executed: vec![false; n],
        valued: vec![false; n],
        regs: vec![false; inputs.layout.n_regs()],
        reached: vec![false; inputs.program.funcs.len()],
        work: Vec::new(),
        writers: vec![Vec::new(); n_objects],
        wanted_all: vec![false; n_objects],
        wanted: FxHashSet::default(),
        left: vec![false; inputs.program.funcs.len()],
        results_matter: false,
        keys_matter: false,
        shared_locals: vec![false; inputs.program.funcs.len()],
        setters: Vec::new(),
        thread_ends: Vec::new(),
        inputs,
    };
    slicer.prepare();
    starts.iter().for_each(|id| slicer.execute(*id));
    slicer.run();
    slicer.finish()
}

impl Slicer<'_> {
    fn prepare(&mut self) {
        for (object, origin) in self.inputs.origins.iter().enumerate() {
            let (Origin::Local(site) | Origin::Copied(site, _)) = origin else { continue };
            if self.inputs.sharing.is_shared(ObjectId::new(object)) {
                self.shared_locals[self.inputs.layout.point(*site).func.index()] = true;
                for (callee, _) in self.inputs.graph.callees(*site) {
                    self.shared_locals[callee.index()] = true;
                }
            }
        }
        // When a thread ends, so do its copies of thread-local variables.
        let is_known = |(object, origin): (usize, &Origin)| {
            let is_local =
                matches!(origin, Origin::Global(g) if self.inputs.program.globals[*g].thread_local);
            is_local && self.inputs.sharing.is_shared(ObjectId::new(object))
        };
        if self.inputs.origins.iter().enumerate().any(is_known) {
            for func in self.inputs.program.funcs.ids() {
                let mut callers = self.inputs.graph.callers(func).iter();
                self.shared_locals[func.index()] |= callers.any(|(_, kind)| *kind == CallKind::Thread);
            }
        }
        let mut starts = Vec::new();
        for i in 0..self.inputs.layout.n_insts() {
            let id = InstId::new(i);
            let at = self.inputs.layout.point(id);
            if !self.inputs.graph.is_reachable(at.func) {
                continue;
            }
            if let Some(effect) = self.inputs.effects.of(id) {
                for touched in &*effect.writes {
                    self.writers[touched.object.index()].push((touched.range, id));
                }
            }
            let plain = self.inputs.graph.callees(id).iter().filter(|(_, kind)| *kind == CallKind::Plain);
            for (callee, _) in plain {
                match self.inputs.library.action(*callee) {
                    Action::SetSpecific => self.setters.push(id),
                    Action::ThreadExit | Action::ThreadLeaves => self.thread_ends.push(id),
                    _ => {}
                }
            }
            if !self.inputs.quiet[at.func.index()] && (self.inputs.fails[i] || self.always_matters(id)) {
                starts.push(id);
            }
        }
        for id in starts {
            self.execute(id);
        }
    }

    fn run(&mut self) {
        while let Some(task) = self.work.pop() {
            match task {
                Task::Execute(id) => self.follow_execution(id),
                Task::Value(id) => self.follow_value(id),
                Task::Reg(reg) => self.follow_reg(reg),
            }
        }
    }

    fn execute(&mut self, id: InstId) {
        if !std::mem::replace(&mut self.executed[id.index()], true) {
            self.work.push(Task::Execute(id));
        }
    }

    fn value(&mut self, id: InstId) {
        if !std::mem::replace(&mut self.valued[id.index()], true) {
            self.execute(id);
            self.work.push(Task::Value(id));
        }
    }

    fn operand(&mut self, func: FuncId, operand: Operand) {
        if let Some(reg) = self.inputs.layout.operand(func, operand)
            && !std::mem::replace(&mut self.regs[reg], true)
        {
            self.work.push(Task::Reg(reg));
        }
    }

    fn terminator(&mut self, func: FuncId, block: BlockId) {
        let id = self.inputs.layout.last(self.inputs.program, func, block);
        self.execute(id);
    }

    /// Control: what decides whether the instruction is executed.
    fn follow_control(&mut self, id: InstId) {
        let at = self.inputs.layout.point(id);
        if let Some(control) = &self.inputs.control[at.func.index()] {
            for &decider in control.deciders(at.block) {
                self.terminator(at.func, decider);
            }
        }
        if std::mem::replace(&mut self.reached[at.func.index()], true) {
            return;
        }
        let graph = self.inputs.graph;
        for &(site, kind) in graph.callers(at.func) {
            self.execute(site);
            if kind == CallKind::Destructor {
                // Whether a destructor is called depends on the value of its key.
                self.want_keys();
            }
        }
    }

    /// The bytes are read by something in the slice.
    fn want(&mut self, touched: Touched) {
        let Touched { object, range } = touched;
        let all = range.offset == ANY;
        if self.wanted_all[object.index()] || (!all && !self.wanted.insert(touched)) {
            return;
        }
        self.wanted_all[object.index()] |= all;
        for i in 0..self.writers[object.index()].len() {
            let (written, writer) = self.writers[object.index()][i];
            if written.overlaps(range) {
                self.value(writer);
            }
        }
    }

    fn want_reads(&mut self, id: InstId) {
        let effects = self.inputs.effects;
        if let Some(effect) = effects.of(id) {
            for touched in &*effect.reads {
                self.want(*touched);
            }
        }
    }

    fn want_keys(&mut self) {
        if !std::mem::replace(&mut self.keys_matter, true) {
            for id in self.setters.clone() {
                self.value(id);
            }
        }
    }

    fn follow_reg(&mut self, reg: usize) {
        let program = self.inputs.program;
        match self.inputs.defs.of(reg) {
            Def::None => {}
            Def::Inst(id) => self.follow_result(id, reg),
            Def::Block(block, position) => {
                let func = self.func_of(reg);
                for (from, body) in program.funcs[func].blocks.enumerate() {
                    let mut is_from_here = false;
                    body.edges().for_each(|edge| {
                        if edge.target == block {
                            is_from_here = true;
                            self.operand(func, edge.args[position as usize]);
                        }
                    });
                    if is_from_here {
                        self.terminator(func, from);
                    }
                }
            }
            Def::Param(position) => self.follow_param(self.func_of(reg), position as usize),
        }
    }

    fn func_of(&self, reg: usize) -> FuncId {
        self.inputs.layout.func_of_reg(reg)
    }

    fn finish(self) -> Relevance {
        let n = self.inputs.layout.n_insts();
        let mut noticed = vec![false; n];
        for (i, noticed) in noticed.iter_mut().enumerate() {
            *noticed = self.is_noticed(InstId::new(i));
        }
        // Pure computations are in the slice if their results are.
        let mut executed = self.executed;
        for (i, executed) in executed.iter_mut().enumerate() {
            let id = InstId::new(i);
            let func = self.inputs.layout.point(id).func;
            let inst: &Inst = self.inputs.layout.inst(self.inputs.program, id);
            inst.for_each_dst(|dst| *executed |= self.regs[self.inputs.layout.reg(func, dst)]);
        }
        Relevance { executed, noticed }
    }

    fn origin(&self, object: ObjectId) -> Origin {
        self.inputs.origins[object.index()]
    }
}
