//! The result of the analyses as the search uses it: what can still fail, and what matters for it.

use std::time::{Duration, Instant};

use selvedge_base::{Dense, Id, components};
use selvedge_program::{Dominators, Flow, FuncId, Inst, Program};

use crate::addresses::Addresses;
use crate::call_graph::{CallGraph, CallKind};
use crate::constraints::Builder;
use crate::contention::contended;
use crate::control::Control;
use crate::defs::Defs;
use crate::effects::Effects;
use crate::endless::Endless;
use crate::failing::Failing;
use crate::foreseen::{Foreseen, Part, Target};
use crate::layout::{InstId, Layout, Point};
use crate::lifetimes::Lifetimes;
use crate::object::ObjectId;
use crate::properties::Properties;
use crate::ranges::Ranges;
use crate::reach::{Reach, can_wait, flow_graphs};
use crate::relevance::{self, Inputs, Relevance};
use crate::sharing::Sharing;
use crate::threads::{Threads, is_same_thread};
use selvedge_library::{Action, Process, Written};

/// What a program's properties depend on.
#[derive(Clone, Debug)]
pub struct Slice {
    layout: Layout,
    relevance: Relevance,
    foreseen: Foreseen,
    /// Instructions that can fail.
    fails: Ahead,
    /// Instructions that can fail or are relevant.
    matters: Ahead,
    entry: Option<FuncId>,
    /// Nothing was found out: everything matters.
    gave_up: Option<&'static str>,
    stats: Stats,
}

/// Some instructions, and from where they can be reached.
#[derive(Clone, Debug)]
struct Ahead {
    wanted: Vec<bool>,
    reach: Reach,
    /// Whether one can be reached when a thread ends.
    at_thread_end: bool,
    /// Whether one can be reached when the program ends.
    at_exit: bool,
}

impl Ahead {
    fn is_ahead(
        &self,
        layout: &Layout,
        entry: Option<FuncId>,
        frames: impl IntoIterator<Item = FramePoint>,
    ) -> bool {
        let mut frames = frames.into_iter().peekable();
        if self.at_thread_end || (self.at_exit && frames.peek().is_some_and(|f| Some(f.point.func) == entry))
        {
            return true;
        }
        while let Some(frame) = frames.next() {
            let is_innermost = frames.peek().is_none();
            let is_ahead = layout.id(frame.point).is_none_or(|id| match is_innermost || frame.runs_again {
                true => self.reach.from(id),
                false => self.reach.after(id),
            });
            if is_ahead {
                return true;
            }
        }
        false
    }
}

/// How much there was to do, and how long it took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// Instructions of functions that can be reached.
    pub instructions: usize,
    /// Those that can fail.
    pub failing: usize,
    /// Those that matter.
    pub relevant: usize,
    /// Reads and writes of memory.
    pub accesses: usize,
    /// Those that matter to other threads.
    pub relevant_accesses: usize,
    /// Abstract objects of the points-to analysis.
    pub objects: usize,
    /// Nodes of its graph.
    pub nodes: usize,
    /// Edges of its graph.
    pub edges: usize,
    /// Its steps, which depend on the program only.
    pub work: u64,
    /// Time for everything.
    pub time: Duration,
}

/// A frame of a thread's stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FramePoint {
    /// The instruction at which it stands: in the innermost frame the next one, in the others the call under way.
    pub point: Point,
    /// Whether that instruction runs again when the frame above returns. Ignored for the innermost frame.
    pub runs_again: bool,
}

impl Slice {
    /// Analyses a program, which must be valid.
    pub fn new(program: &Program, properties: Properties) -> Slice {
        let started = Instant::now();
        let layout = Layout::new(program);
        let mut slice = match properties.everything_matters() {
            Some(why) => Slice::of_everything(&layout, why),
            None => {
                let built = Builder::run(program, &layout);
                let size = Stats { work: built.solver.n_work(), ..Stats::default() };
                match gives_up(program, &built) {
                    Some(why) => Slice { stats: size, ..Slice::of_everything(&layout, why) },
                    None => Analysis::new(program, &layout, &built, properties).slice(),
                }
            }
        };
        slice.stats.time = started.elapsed();
        slice
    }

    /// The slice of a program some of whose instructions, by number, are known not to fail although they could.
    pub(crate) fn without<'a>(
        program: &'a Program,
        layout: &'a Layout,
        built: &'a Builder<'a>,
        properties: Properties,
        spared: &'a [bool],
    ) -> Slice {
        let started = Instant::now();
        let mut analysis = Analysis::new(program, layout, built, properties);
        analysis.spared = Some(spared);
        let mut slice = analysis.slice();
        slice.stats.time = started.elapsed();
        slice
    }

    /// The slice of a program about which nothing is known.
    fn of_everything(layout: &Layout, why: &'static str) -> Slice {
        let nothing =
            || Ahead { wanted: Vec::new(), reach: Reach::default(), at_thread_end: true, at_exit: true };
        Slice {
            layout: layout.clone(),
            relevance: Relevance::default(),
            foreseen: Foreseen::default(),
            fails: nothing(),
            matters: nothing(),
            entry: None,
            gave_up: Some(why),
            stats: Stats::default(),
        }
    }

    /// Whether a failure can be reached from before this instruction, in this function, the functions it calls and the
    /// threads that they start. What the callers do afterwards is not included.
    pub fn reaches_property(&self, point: Point) -> bool {
        self.gave_up.is_some() || self.layout.id(point).is_none_or(|id| self.fails.reach.from(id))
    }

    /// As [`reaches_property`](Self::reaches_property), from after the instruction.
    pub fn reaches_property_after(&self, point: Point) -> bool {
        self.gave_up.is_some() || self.layout.id(point).is_none_or(|id| self.fails.reach.after(id))
    }

    /// Whether a thread with these frames, outermost first, can still fail, or start one that does.
    ///
    /// If no thread of an execution can, it will not fail any more. It may be taken for ended only if what its threads
    /// would still have done is accounted for: the reduction must see their [relevant](Self::is_relevant) steps, because
    /// an earlier place of such a step may be another execution, which fails. Where
    /// [`thread_may_matter`](Self::thread_may_matter) is false as well there are none.
    pub fn thread_may_fail(&self, frames: impl IntoIterator<Item = FramePoint>) -> bool {
        self.gave_up.is_some() || self.fails.is_ahead(&self.layout, self.entry, frames)
    }

    /// Whether a thread with these frames, outermost first, can still fail, make a relevant step, or start one that does.
    pub fn thread_may_matter(&self, frames: impl IntoIterator<Item = FramePoint>) -> bool {
        self.gave_up.is_some() || self.matters.is_ahead(&self.layout, self.entry, frames)
    }

    /// Whether the instruction itself can fail.
    pub fn can_fail(&self, point: Point) -> bool {
        self.gave_up.is_some() || self.layout.id(point).is_none_or(|id| self.fails.wanted[id.index()])
    }

    /// Whether it matters when this instruction happens among the steps of other threads.
    ///
    /// Where not, the instruction need not be a scheduling point, and its accesses are independent of everything.
    /// Of instructions without accesses, calls that synchronise and returns from functions whose locals other threads
    /// know matter.
    pub fn is_relevant(&self, point: Point) -> bool {
        self.gave_up.is_some() || self.layout.id(point).is_none_or(|id| self.relevance.noticed[id.index()])
    }

    /// Whether the instruction can influence a failure, or whether control comes to one.
    ///
    /// For a branch, this says whether it matters which way it goes. Where not, one feasible way is enough; it must be
    /// the way that the state's model takes, and the condition must not become part of the path condition.
    pub fn is_in_slice(&self, point: Point) -> bool {
        self.gave_up.is_some() || self.layout.id(point).is_none_or(|id| self.relevance.executed[id.index()])
    }

    /// The number of an instruction.
    pub fn number(&self, point: Point) -> Option<InstId> {
        self.layout.id(point)
    }

    /// The instruction with this number.
    pub fn point(&self, number: InstId) -> Point {
        self.layout.point(number)
    }

    /// Whether the analysis counted with this access of the instruction.
    ///
    /// It follows values, and is right about every address that is derived from a pointer. One that a program makes out of
    /// numbers may lead anywhere: who resolves such an address must ask, and not use the slice any more if the answer is no.
    pub fn foresees_access(&self, point: Point, target: Target, part: Part) -> bool {
        self.gave_up.is_some()
            || self.layout.id(point).is_some_and(|id| self.foreseen.access(id, target, part))
    }

    /// As [`foresees_access`](Self::foresees_access), for a call, a start or a registration of a function.
    pub fn foresees_call(&self, point: Point, func: FuncId) -> bool {
        self.gave_up.is_some() || self.layout.id(point).is_some_and(|id| self.foreseen.call(id, func))
    }

    /// Why nothing was found out about this program, if so: everything is then taken to matter.
    pub fn gave_up(&self) -> Option<&'static str> {
        self.gave_up
    }

    /// Sizes and time.
    pub fn stats(&self) -> Stats {
        self.stats
    }
}

/// The analyses of one program, while they run.
pub(crate) struct Analysis<'a> {
    pub(crate) program: &'a Program,
    pub(crate) layout: &'a Layout,
    pub(crate) built: &'a Builder<'a>,
    properties: Properties,
    pub(crate) flow: Vec<Option<Flow>>,
    /// By instruction: it is known not to fail.
    spared: Option<&'a [bool]>,
}

/// Where executions can end, or never get on.
pub(crate) struct Ends {
    /// By function: whether nothing in it matters.
    quiet: Vec<bool>,
    /// By function.
    pub(crate) loops: Vec<Endless>,
    /// By instruction: whether it can fail.
    pub(crate) fails: Vec<bool>,
    /// By instruction: whether it can fail, or wait in a loop for ever.
    ends: Vec<bool>,
}

impl<'a> Analysis<'a> {
    pub(crate) fn new(
        program: &'a Program,
        layout: &'a Layout,
        built: &'a Builder<'a>,
        properties: Properties,
    ) -> Self {
        let flow = flow_graphs(program, &built.graph);
        Analysis { program, layout, built, properties, flow, spared: None }
    }

    pub(crate) fn graph(&self) -> &'a CallGraph {
        &self.built.graph
    }

    /// Where executions can end.
    pub(crate) fn ends(&self, defs: &Defs) -> Ends {
        let (program, layout, graph) = (self.program, self.layout, self.graph());
        let dominators = self.dominators();
        let lifetimes = Lifetimes::new(program, layout, |f| graph.is_reachable(f));
        let called = (graph, &self.built.library);
        let addresses = Addresses::new(program, layout, defs, called, &dominators, &lifetimes);
        let failing = Failing {
            program,
            layout,
            graph,
            addresses: &addresses,
            library: &self.built.library,
            properties: self.properties,
        };
        let quiet = self.quiet_functions();
        let loops = self.loops(defs, &dominators);
        let mut fails = vec![false; layout.n_insts()];
        let mut ends = vec![false; layout.n_insts()];
        let mut is_over = false;
        for id in self.instructions() {
            let at = layout.point(id);
            is_over &= at.inst > 0;
            if !quiet[at.func.index()] && !is_over {
                let is_spared = self.spared.is_some_and(|spared| spared[id.index()]);
                fails[id.index()] = !is_spared && failing.can_fail(id);
                ends[id.index()] = fails[id.index()] || self.can_spin(id, &loops[at.func.index()]);
            }
            is_over |= failing.never_returns(id);
        }
        Ends { quiet, loops, fails, ends }
    }

    fn slice(&self) -> Slice {
        let (program, layout) = (self.program, self.layout);
        let defs = Defs::new(program, layout);
        let Ends { quiet, loops, fails, ends } = self.ends(&defs);
        let effects = Effects::new(program, layout, self.built);
        let relevance = self.relevance(&defs, &effects, &fails, &quiet, &loops);
        let is_counted = |id: &InstId| !quiet[layout.point(*id).func.index()];
        let mut matters = ends.clone();
        for id in self.instructions().filter(is_counted) {
            matters[id.index()] |= relevance.noticed[id.index()];
        }
        Slice {
            layout: layout.clone(),
            entry: program.entry,
            gave_up: None,
            stats: self.stats(&ends, &relevance),
            fails: self.ahead(ends),
            matters: self.ahead(matters),
            foreseen: Foreseen::new(self.built, effects),
            relevance,
        }
    }

    fn ahead(&self, wanted: Vec<bool>) -> Ahead {
        let (program, graph) = (self.program, self.graph());
        let reach = Reach::new(program, self.layout, graph, &self.flow, &wanted);
        let is_destructor =
            |f: &FuncId| graph.callers(*f).iter().any(|(_, kind)| *kind == CallKind::Destructor);
        let exit = self.built.library.defined(program, Process::Exit);
        Ahead {
            at_thread_end: program.funcs.ids().filter(is_destructor).any(|f| reach.enters(f)),
            at_exit: exit.is_some_and(|f| reach.enters(f)),
            reach,
            wanted,
        }
    }

    fn relevance(
        &self,
        defs: &Defs,
        effects: &Effects,
        fails: &[bool],
        quiet: &[bool],
        loops: &[Endless],
    ) -> Relevance {
        let (program, layout, solver) = (self.program, self.layout, &self.built.solver);
        let sharing = Sharing::new(program, layout, self.built, effects);
        let control: Vec<Option<Control>> = self.flow.iter().map(|f| f.as_ref().map(Control::new)).collect();
        let origins: Vec<_> = (0..solver.n_objects()).map(|i| solver.origin(ObjectId::new(i))).collect();
        let mut starts = self.recursive_calls();
        for func in program.funcs.ids().filter(|f| !quiet[f.index()]) {
            let exits = loops[func.index()].exits.iter();
            starts.extend(exits.map(|block| layout.last(program, func, *block)));
        }
        let sites: Vec<InstId> =
            self.instructions().filter(|id| !self.graph().callees(*id).is_empty()).collect();
        let threads = Threads::new(program, layout, self.graph(), &self.flow, &sites);
        let contended = contended(layout, effects, &threads, solver.n_objects());
        let endless = self.endless(loops, &sites);
        let inputs = Inputs {
            program,
            layout,
            graph: self.graph(),
            defs,
            library: &self.built.library,
            effects,
            sharing: &sharing,
            control: &control,
            origins: &origins,
            fails,
            quiet,
            contended: &contended,
            endless: &endless,
        };
        relevance::slice(inputs, &starts)
    }

    /// By instruction: whether it may be part of a loop that does not terminate, in its function or around a call of it.
    fn endless(&self, loops: &[Endless], sites: &[InstId]) -> Vec<bool> {
        let mut endless = vec![false; self.layout.n_insts()];
        for id in self.instructions() {
            let at = self.layout.point(id);
            endless[id.index()] = loops[at.func.index()].blocks.contains(&at.block);
        }
        let mut is_inside = vec![false; self.program.funcs.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for &site in sites {
                if !endless[site.index()] && !is_inside[self.layout.point(site).func.index()] {
                    continue;
                }
                for (callee, kind) in self.graph().callees(site) {
                    if is_same_thread(*kind) && !std::mem::replace(&mut is_inside[callee.index()], true) {
                        changed = true;
                    }
                }
            }
        }
        for id in self.instructions() {
            endless[id.index()] |= is_inside[self.layout.point(id).func.index()];
        }
        endless
    }

    fn loops(&self, defs: &Defs, dominators: &Dense<FuncId, Dominators>) -> Vec<Endless> {
        let ranges = Ranges { program: self.program, layout: self.layout, defs };
        let of = |(i, flow): (usize, &Option<Flow>)| match flow {
            Some(flow) => Endless::new(&ranges, FuncId::new(i), &dominators[FuncId::new(i)], flow),
            None => Endless::default(),
        };
        self.flow.iter().enumerate().map(of).collect()
    }

    /// Calls that may lead back to the function they are in: whether they happen decides whether it returns.
    pub(crate) fn recursive_calls(&self) -> Vec<InstId> {
        let mut calls = vec![Vec::new(); self.program.funcs.len()];
        let sites: Vec<InstId> =
            self.instructions().filter(|id| !self.graph().callees(*id).is_empty()).collect();
        for &site in &sites {
            let caller = self.layout.point(site).func.index();
            let callees = self.graph().callees(site).iter().filter(|(_, kind)| is_same_thread(*kind));
            calls[caller].extend(callees.map(|(f, _)| f.index()));
        }
        let (component, _) = components(&calls);
        let is_recursive = |site: &InstId| {
            let caller = component[self.layout.point(*site).func.index()];
            let mut callees = self.graph().callees(*site).iter().filter(|(_, kind)| is_same_thread(*kind));
            callees.any(|(f, _)| component[f.index()] == caller)
        };
        sites.into_iter().filter(is_recursive).collect()
    }

    fn stats(&self, fails: &[bool], relevance: &Relevance) -> Stats {
        let solver = &self.built.solver;
        let mut stats = Stats {
            objects: solver.n_objects(),
            nodes: solver.n_nodes(),
            edges: solver.n_edges(),
            work: solver.n_work(),
            ..Stats::default()
        };
        for id in self.instructions() {
            stats.instructions += 1;
            stats.failing += usize::from(fails[id.index()]);
            stats.relevant += usize::from(relevance.executed[id.index()]);
            if is_access(self.layout.inst(self.program, id)) {
                stats.accesses += 1;
                stats.relevant_accesses += usize::from(relevance.noticed[id.index()]);
            }
        }
        stats
    }

    /// Instructions of functions that can be reached.
    pub(crate) fn instructions(&self) -> impl Iterator<Item = InstId> + use<'a> {
        let (layout, graph) = (self.layout, self.graph());
        (0..layout.n_insts()).map(InstId::new).filter(move |id| graph.is_reachable(layout.point(*id).func))
    }

    fn dominators(&self) -> Dense<FuncId, Dominators> {
        let of = |(flow, function)| match flow {
            Some(flow) => Dominators::new(flow),
            None => Dominators::new(&Flow::new(function)),
        };
        self.flow.iter().map(Option::as_ref).zip(self.program.funcs.iter()).map(of).collect()
    }

    /// The end of the program calls what was registered; where nothing is, nothing there can fail.
    fn quiet_functions(&self) -> Vec<bool> {
        let (program, graph) = (self.program, self.graph());
        let mut quiet = vec![false; program.funcs.len()];
        let library = &self.built.library;
        let mut registers = library.all(Written::AtExit).iter().chain(library.all(Written::AtQuickExit));
        if registers.any(|func| graph.is_reachable(*func)) {
            return quiet;
        }
        let exit = library.find(Process::Exit);
        let Some(exit) = exit.filter(|f| program.funcs[*f].is_runtime) else {
            return quiet;
        };
        quiet[exit.index()] = true;
        let mut changed = true;
        while changed {
            changed = false;
            for func in program.funcs.ids().filter(|f| program.funcs[*f].is_runtime && graph.is_reachable(*f))
            {
                let callers = graph.callers(func);
                let is_new = !quiet[func.index()]
                    && !callers.is_empty()
                    && callers.iter().all(|(site, _)| quiet[self.layout.point(*site).func.index()]);
                if is_new {
                    quiet[func.index()] = true;
                    changed = true;
                }
            }
        }
        quiet
    }

    /// Whether a thread may wait for ever in the loop that this instruction is part of.
    fn can_spin(&self, id: InstId, loops: &Endless) -> bool {
        let inst: &Inst = self.layout.inst(self.program, id);
        self.properties.deadlocks && can_wait(inst) && loops.blocks.contains(&self.layout.point(id).block)
    }
}

/// What this analysis does not follow.
pub(crate) fn gives_up(program: &Program, built: &Builder<'_>) -> Option<&'static str> {
    if built.solver.is_exhausted() {
        return Some("the points-to analysis takes too long");
    }
    let jumps = |f: FuncId| built.graph.is_reachable(f) && built.library.action(f) == Action::Jump;
    program.funcs.ids().any(jumps).then_some("the program jumps between functions or cancels threads")
}

fn is_access(inst: &Inst) -> bool {
    matches!(
        inst,
        Inst::Load { .. }
            | Inst::Store { .. }
            | Inst::AtomicRmw { .. }
            | Inst::CmpXchg { .. }
            | Inst::MemCopy { .. }
            | Inst::MemSet { .. }
    )
}
