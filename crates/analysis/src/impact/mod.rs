//! What a change of a program can influence, and what can influence the change.
//!
//! Paper: [Conc-iSE] Guo, Kusano, Wang, "Conc-iSE: Incremental Symbolic Execution of Concurrent Software", ASE 2016, §4,
//! Algorithm 3. From the [difference](crate::diff) of two versions, dependences are followed forward and backward: control,
//! data and interference between threads, through points-to sets, across calls, and without those that the order of
//! steps excludes (`order`; the paper's Figures 8 and 9).
//!
//! Guarantee: what is not impacted does the same in both versions: in every execution of the one it is executed as often,
//! with the same values, as in some execution of the other. Relies on: addresses are derived from pointers (an address that
//! a program makes of numbers is not followed); executions are compared thread by thread, for as long as nobody ends the
//! program.
//! DIVERGENCE: (a) a modified instruction counts as deleted from the old version as well as added to the new one; (b) what is
//! impacted in one version is impacted in the other, and spreads there; (c) what may keep a thread from going on is a
//! dependence too. Without these the paper's sets miss what a removed write, lock or assertion had done.
//! Checked by: `tests/impact`, on the paper's examples and others, line by line.

mod graph;
mod memory;
mod order;
mod rules;
mod silent;

use std::collections::BTreeSet;

use selvedge_base::Id;
use selvedge_library::Action;
use selvedge_program::{FuncId, Function, GlobalId, InitPiece, Inst, Program};

use crate::call_graph::CallGraph;
use crate::constraints::Builder;
use crate::diff::{Change, Diff, Matched, Side};
use crate::effects::Effects;
use crate::layout::{InstId, Point};
use crate::object::Origin;
use crate::properties::Properties;
use crate::slice::{Analysis, gives_up};
use crate::threads::is_same_thread;
use graph::{Graph, Node, Single};
pub(crate) use rules::may_stop;

/// The impact of a change on both versions.
#[derive(Clone, Debug)]
pub struct Impact {
    old: Impacted,
    new: Impacted,
    everything: Option<&'static str>,
    /// By function of the new program: the functions in which the threads that can be in it begin.
    threads: Vec<Vec<FuncId>>,
    looks_at_addresses: bool,
    /// Whether what is influenced in the new program may rely on something besides its code.
    may_tell: bool,
    /// Whether an assumption is influenced: executions that were void may count now, or the other way round.
    reaches_assumptions: bool,
}

/// The impact on one version, by instruction.
#[derive(Clone, Debug, Default)]
struct Impacted {
    forward: Vec<bool>,
    backward: Vec<bool>,
    fails: Vec<bool>,
    /// Instructions that can fail, and whether they do is not influenced.
    spared: Vec<bool>,
    waits: Vec<bool>,
    reachable: Vec<bool>,
}

/// One version while its impact is computed.
struct Version {
    graph: Graph,
    stops: Vec<bool>,
    fails: Vec<bool>,
    seeds: Vec<Node>,
    reached: Vec<bool>,
    reachable: Vec<bool>,
}

impl Impact {
    /// The impact of the difference `diff` between `old` and `new`. `properties` say what can fail.
    pub fn new(old: &Program, new: &Program, diff: &Diff, properties: Properties) -> Impact {
        let built = (Builder::run(old, &diff.old.layout), Builder::run(new, &diff.new.layout));
        let gives_up = gives_up(old, &built.0).or_else(|| gives_up(new, &built.1));
        let other = diff.is_other_program().then_some("the target, the entry or the constructors differ");
        let everything = gives_up.filter(|_| !diff.is_empty()).or(other);
        let changed = |program: &Program, of: fn(&Matched<GlobalId>) -> Option<GlobalId>| {
            let is_other = |g: &Matched<GlobalId>| {
                !g.is_same || diff.has_other_layout() && of(g).is_some_and(|id| holds_address(program, id))
            };
            diff.globals().iter().filter(|g| is_other(g)).filter_map(of).collect::<Vec<GlobalId>>()
        };
        let mut before = Version::new(old, &diff.old, &built.0, properties, &changed(old, |g| g.old));
        let mut now = Version::new(new, &diff.new, &built.1, properties, &changed(new, |g| g.new));
        for entry in diff.funcs().iter().filter(|entry| !entry.is_same) {
            let is_whole = match (entry.old, entry.new) {
                (Some(a), Some(b)) => {
                    !is_same_signature(&old.funcs[a], &new.funcs[b]) || !diff.has_changes(a, b)
                }
                _ => true,
            };
            for (version, built, func) in
                [(&mut before, &built.0, entry.old), (&mut now, &built.1, entry.new)]
            {
                if let Some(func) = func.filter(|_| is_whole) {
                    version.seed_function(built, func);
                }
            }
        }
        if diff.has_other_layout() {
            for version in [&mut before, &mut now] {
                version.seeds.push(version.graph.nodes.single(Single::Addresses));
            }
        }
        spread(&mut before, &mut now, diff);
        let threads = threads(new, &diff.new, &built.1.graph);
        let looks_at_addresses = now.graph.has_influence(now.graph.nodes.single(Single::Addresses));
        let reaches_assumptions = before.reaches_assumptions(&built.0) || now.reaches_assumptions(&built.1);
        let is_hit = |id: InstId| now.reachable[id.index()] && now.is_hit(id);
        let may_tell = !silent::is_silent(new, &diff.new.layout, &built.1, is_hit);
        let mut impact = Impact {
            looks_at_addresses,
            may_tell,
            reaches_assumptions,
            old: before.finish(old, &diff.old, &built.0.graph),
            new: now.finish(new, &diff.new, &built.1.graph),
            everything,
            threads,
        };
        impact.trace(diff);
        if everything.is_some() {
            impact.old.forward.fill(true);
            impact.new.forward.fill(true);
        }
        impact
    }

    /// Why everything counts as impacted, if so.
    pub fn everything(&self) -> Option<&'static str> {
        self.everything
    }

    /// Whether the change can influence an instruction of the old program.
    pub fn reaches_old(&self, diff: &Diff, point: Point) -> bool {
        diff.old.layout.id(point).is_none_or(|id| self.old.forward[id.index()])
    }

    /// Whether the change can influence an instruction of the new program: whether it is executed, fails, or what it does.
    pub fn reaches_new(&self, diff: &Diff, point: Point) -> bool {
        diff.new.layout.id(point).is_none_or(|id| self.new.forward[id.index()])
    }

    /// Whether an instruction of the old program can influence what is changed.
    pub fn comes_from_old(&self, diff: &Diff, point: Point) -> bool {
        diff.old.layout.id(point).is_none_or(|id| self.old.backward[id.index()])
    }

    /// Whether an instruction of the new program can influence what is changed.
    pub fn comes_from_new(&self, diff: &Diff, point: Point) -> bool {
        diff.new.layout.id(point).is_none_or(|id| self.new.backward[id.index()])
    }

    /// Whether an instruction of the new program can fail.
    pub fn can_fail(&self, diff: &Diff, point: Point) -> bool {
        diff.new.layout.id(point).is_none_or(|id| self.new.fails[id.index()])
    }

    /// Whether an execution of the new program can come to the instruction.
    pub fn is_reachable(&self, diff: &Diff, point: Point) -> bool {
        diff.new.layout.id(point).is_none_or(|id| self.new.reachable[id.index()])
    }

    /// Whether addresses make a difference in the new program.
    pub fn looks_at_addresses(&self) -> bool {
        self.looks_at_addresses
    }

    /// Where the threads begin that can be in a function of the new program.
    pub fn threads(&self, func: FuncId) -> &[FuncId] {
        self.threads.get(func.index()).map_or(&[], Vec::as_slice)
    }

    /// Whether anything that may wait or end is influenced, in either version: deadlocks may come or go.
    pub fn reaches_waits(&self) -> bool {
        [&self.old, &self.new].into_iter().any(|side| {
            self.everything.is_some()
                || side.waits.iter().zip(&side.forward).any(|(waits, hit)| *waits && *hit)
        })
    }

    /// By number of an instruction of the new program: it can fail, and it does if and only if it does in the old program.
    /// `None` if that is known of none.
    ///
    /// Not where an assumption is influenced: whether it makes an execution void is then a matter of other threads, too.
    pub(crate) fn spared(&self) -> Option<Vec<bool>> {
        (self.everything.is_none() && !self.reaches_assumptions).then(|| self.new.spared.clone())
    }

    /// Whether nothing that can fail, wait or end is influenced, in either version, nor anything that relies on more than its
    /// code: every execution ends as it did, and for the same reasons.
    pub fn is_harmless(&self) -> bool {
        let is_hit = |side: &Impacted, i: usize| side.forward[i] && side.reachable[i] && !side.spared[i];
        let harms = |side: &Impacted| {
            (0..side.fails.len()).any(|i| (side.fails[i] || side.waits[i]) && is_hit(side, i))
        };
        let is_known = self.everything.is_none() && !self.reaches_assumptions && !self.may_tell;
        is_known && !harms(&self.old) && !harms(&self.new)
    }

    /// Instructions of the new program that can fail, and those whose failures may be others than in the old program.
    pub fn checks(&self) -> (usize, usize) {
        let all = (0..self.new.fails.len()).filter(|i| self.new.fails[*i] && self.new.reachable[*i]);
        all.fold((0, 0), |(n, hit), i| (n + 1, hit + usize::from(!self.new.spared[i])))
    }

    /// What is in the backward impact of one version is in that of the other.
    fn trace(&mut self, diff: &Diff) {
        let from_old: Vec<usize> = (0..self.old.backward.len()).filter(|i| self.old.backward[*i]).collect();
        for i in from_old {
            if let Some(partner) = partner(&diff.old, &diff.new, InstId::new(i)) {
                self.new.backward[partner.index()] = true;
            }
        }
    }
}

/// Whether a variable is initialised with the number of an address.
fn holds_address(program: &Program, global: GlobalId) -> bool {
    let pieces = program.globals[global].init.iter().flatten();
    pieces
        .into_iter()
        .any(|piece| matches!(piece, InitPiece::Scalar { value, .. } if program.is_address_as_number(*value)))
}

/// By function: where the threads begin that can be in it.
fn threads(program: &Program, side: &Side, graph: &CallGraph) -> Vec<Vec<FuncId>> {
    let mut calls: Vec<Vec<FuncId>> = vec![Vec::new(); program.funcs.len()];
    let mut begins: BTreeSet<FuncId> = program.entry.into_iter().collect();
    for callee in program.funcs.ids() {
        for (site, kind) in graph.callers(callee) {
            match is_same_thread(*kind) {
                true => calls[side.layout.point(*site).func.index()].push(callee),
                false => {
                    begins.insert(callee);
                }
            }
        }
    }
    let mut threads = vec![Vec::new(); program.funcs.len()];
    for begin in begins {
        let mut work = vec![begin];
        while let Some(func) = work.pop() {
            let known: &mut Vec<FuncId> = &mut threads[func.index()];
            if known.last() != Some(&begin) {
                known.push(begin);
                work.extend(&calls[func.index()]);
            }
        }
    }
    threads
}

/// Spreads the seeds in both versions until neither has anything new for the other.
fn spread(before: &mut Version, now: &mut Version, diff: &Diff) {
    loop {
        before.graph.spread(std::mem::take(&mut before.seeds), &mut before.reached);
        now.graph.spread(std::mem::take(&mut now.seeds), &mut now.reached);
        hand_over(before, &diff.old, now, &diff.new);
        hand_over(now, &diff.new, before, &diff.old);
        if before.seeds.is_empty() && now.seeds.is_empty() {
            return;
        }
    }
}

fn hand_over(from: &Version, from_side: &Side, to: &mut Version, to_side: &Side) {
    for i in 0..from.graph.nodes.n_insts() {
        let id = InstId::new(i);
        let (a, b) = (&from.graph.nodes, &to.graph.nodes);
        let is_hit = |node: Node| from.reached[node.index()];
        let (execution, value) = (is_hit(a.execution(id)), is_hit(a.value(id)));
        if !execution && !value {
            continue;
        }
        let Some(partner) = partner(from_side, to_side, id) else { continue };
        for (is_hit, node) in [(execution, b.execution(partner)), (value, b.value(partner))] {
            if is_hit && !to.reached[node.index()] {
                to.seeds.push(node);
            }
        }
    }
}

fn partner(from: &Side, to: &Side, id: InstId) -> Option<InstId> {
    match from.changes[id.index()] {
        Change::Same(point) | Change::Modified(point) => to.layout.id(point),
        Change::Alone => None,
    }
}

/// Whether callers see the same function.
fn is_same_signature(old: &Function, new: &Function) -> bool {
    let types = |f: &Function| f.params.iter().map(|reg| f.regs[*reg].ty).collect::<Vec<_>>();
    types(old) == types(new)
        && (&old.byval, &old.ret, old.variadic) == (&new.byval, &new.ret, new.variadic)
        && (old.is_runtime, old.is_weak, old.is_defined()) == (new.is_runtime, new.is_weak, new.is_defined())
}

impl Version {
    fn new(
        program: &Program,
        side: &Side,
        built: &Builder<'_>,
        properties: Properties,
        globals: &[GlobalId],
    ) -> Version {
        let analysis = Analysis::new(program, &side.layout, built, properties);
        let effects = Effects::new(program, &side.layout, built);
        let (graph, stops, ends) = rules::graph(&analysis, &effects);
        let mut reachable = vec![false; side.layout.n_insts()];
        analysis.instructions().for_each(|id| reachable[id.index()] = true);
        let mut seeds = Vec::new();
        for (i, _) in reachable.iter().enumerate().filter(|(_, is_reachable)| **is_reachable) {
            let id = InstId::new(i);
            if !matches!(side.changes[i], Change::Same(_)) {
                seeds.extend([graph.nodes.execution(id), graph.nodes.value(id)]);
            }
        }
        // Moved instructions are executed at other times.
        seeds.extend(side.moved.iter().map(|id| graph.nodes.execution(*id)));
        seeds.extend(side.params.iter().map(|reg| graph.nodes.reg(*reg)));
        let reached = graph.nothing();
        let mut version = Version { graph, stops, fails: ends.fails, seeds, reached, reachable };
        version.seed_globals(side, built, &effects, globals);
        version
    }

    /// Everything that touches a global that has changed.
    fn seed_globals(&mut self, side: &Side, built: &Builder<'_>, effects: &Effects, globals: &[GlobalId]) {
        let objects: Vec<_> =
            globals.iter().filter_map(|g| built.solver.object_of(Origin::Global(*g))).collect();
        if objects.is_empty() {
            return;
        }
        for i in 0..side.layout.n_insts() {
            let id = InstId::new(i);
            let Some(effect) = effects.of(id) else { continue };
            if effect.reads.iter().chain(&*effect.writes).any(|t| objects.contains(&t.object)) {
                self.seeds.extend([self.graph.nodes.execution(id), self.graph.nodes.value(id)]);
            }
        }
    }

    /// A function that is new, gone, or another for its callers.
    fn seed_function(&mut self, built: &Builder<'_>, func: FuncId) {
        self.seeds.extend([self.graph.nodes.entry(func), self.graph.nodes.exit(func)]);
        for (site, _) in built.graph.callers(func) {
            self.seeds.extend([self.graph.nodes.execution(*site), self.graph.nodes.value(*site)]);
        }
    }

    fn reaches_assumptions(&self, built: &Builder<'_>) -> bool {
        let nodes = &self.graph.nodes;
        let is_assumed = |id: InstId| {
            let mut callees = built.graph.callees(id).iter();
            callees.any(|(callee, _)| built.library.action(*callee) == Action::Assume)
        };
        (0..nodes.n_insts()).map(InstId::new).any(|id| self.is_hit(id) && is_assumed(id))
    }

    fn is_hit(&self, id: InstId) -> bool {
        let nodes = &self.graph.nodes;
        self.reached[nodes.execution(id).index()] || self.reached[nodes.value(id).index()]
    }

    fn finish(self, program: &Program, side: &Side, graph: &CallGraph) -> Impacted {
        let n = self.graph.nodes.n_insts();
        let nodes = &self.graph.nodes;
        let hit = |set: &[bool], id: InstId| set[nodes.execution(id).index()] || set[nodes.value(id).index()];
        let all = || (0..n).map(InstId::new);
        let mut traced = self.graph.nothing();
        let is_changed = |id: &InstId| !matches!(side.changes[id.index()], Change::Same(_));
        let changed = all().filter(is_changed).filter(|id| self.reachable[id.index()]);
        self.graph
            .trace(changed.flat_map(|id| [nodes.execution(id), nodes.value(id)]).collect(), &mut traced);
        // That an instruction is executed is a matter of what decides it; it has a part of its own if its value counts, if it
        // calls what counts, or if it may keep its thread from going on.
        let influences = |id: InstId| {
            let mut calls = graph.callees(id).iter();
            traced[nodes.value(id).index()]
                || calls.any(|(callee, _)| traced[nodes.entry(*callee).index()])
                || (self.stops[id.index()] && traced[nodes.execution(id).index()])
        };
        // Whether an access fails is a matter of its address, not of what it reads or writes.
        let fails_alike = |id: InstId| match side.layout.inst(program, id) {
            Inst::Load { .. } | Inst::Store { .. } | Inst::MemCopy { .. } | Inst::MemSet { .. } => {
                !self.reached[nodes.execution(id).index()]
            }
            _ => !hit(&self.reached, id),
        };
        Impacted {
            spared: all()
                .map(|id| self.fails[id.index()] && self.reachable[id.index()] && fails_alike(id))
                .collect(),
            forward: all().map(|id| hit(&self.reached, id)).collect(),
            backward: all().map(influences).collect(),
            fails: self.fails,
            waits: self.stops.clone(),
            reachable: self.reachable,
        }
    }
}
