//! Which of two instructions certainly comes first.
//!
//! Paper: [Conc-iSE] Guo, Kusano, Wang, "Conc-iSE", ASE 2016, §4.2: what happens before a write does not depend on it.
//! The functions that are executed at most once, with the calls and thread starts that lead to them, form a tree; two
//! instructions are compared where their ways to the root meet. What cannot come after the start of a thread is before
//! the whole thread, and a thread is before what can only be reached through a join of it.
//! DIVERGENCE: the paper asks for dominance and looks at starts only; that there is no way from the one to the other is
//! enough, because both are executed by one thread, once.
//! Guarantee: if [`Order::may_precede`] says no, no execution has the first instruction before the second.

use std::cell::RefCell;

use rustc_hash::FxHashMap;
use selvedge_base::Id;
use selvedge_library::{Action, Life};
use selvedge_program::{BlockId, Flow, FuncId, Inst, Operand};

use crate::call_graph::CallKind;
use crate::effects::{Effects, Touched};
use crate::layout::{InstId, Point};
use crate::object::{ObjectId, Range};
use crate::slice::Analysis;
use crate::threads::{is_same_thread, run_once};

/// Calls on the way to an instruction that are looked at.
const MAX_DEPTH: usize = 64;

pub(super) struct Order<'a> {
    analysis: &'a Analysis<'a>,
    once: Vec<bool>,
    /// By function: its only call, the only call of that one's function, ...
    ways: Vec<Vec<Step>>,
    /// By call that starts a thread: the joins of that thread.
    joins: FxHashMap<InstId, Vec<Point>>,
    /// By function: which blocks can come after which.
    after: RefCell<FxHashMap<FuncId, Vec<Vec<bool>>>>,
}

/// An instruction, or the call that leads to it, and how it does.
type Step = (InstId, Option<CallKind>);

impl<'a> Order<'a> {
    pub(super) fn new(analysis: &'a Analysis<'a>, effects: &Effects) -> Order<'a> {
        let once = run_once(analysis.program, analysis.layout, analysis.graph(), &analysis.flow);
        let after = RefCell::default();
        let ways = analysis.program.funcs.ids().map(|func| way_to(analysis, func)).collect();
        let mut order = Order { analysis, once, ways, joins: FxHashMap::default(), after };
        order.find_joins(effects);
        order
    }

    /// Whether some execution may have `first` before `second`.
    pub(super) fn may_precede(&self, first: InstId, second: InstId) -> bool {
        let func = |id: InstId| self.analysis.layout.point(id).func;
        let (one, other) = (self.way(first), self.way(second));
        let mut meetings = one.clone().filter_map(|a| {
            let j = other.clone().position(|b| func(b.0) == func(a.0))?;
            Some((a.0, j))
        });
        let Some((a, j)) = meetings.next() else { return true };
        let Some((b, to_second)) = other.clone().nth(j) else { return true };
        if a == b || !self.once[func(a).index()] || self.is_way(a, b) {
            return true;
        }
        // The second one, or what leads to it, is over before the first, unless it goes on in a thread.
        let is_thread = |step: &Step| step.1.is_some_and(|kind| !is_same_thread(kind));
        let n_threads = other.take(j + 1).filter(is_thread).count();
        match to_second {
            _ if n_threads == 0 => false,
            Some(CallKind::Thread) if n_threads == 1 => !self.is_joined(b, a),
            _ => true,
        }
    }

    /// The instruction, the only call of its function, the only call of that one, ...
    fn way(&self, id: InstId) -> impl Iterator<Item = Step> + Clone {
        let func = self.analysis.layout.point(id).func;
        std::iter::once((id, None)).chain(self.ways[func.index()].iter().copied())
    }

    /// Whether control can get from after one instruction to another of the same function.
    fn is_way(&self, from: InstId, to: InstId) -> bool {
        let (from, to) = (self.analysis.layout.point(from), self.analysis.layout.point(to));
        if from.block == to.block && from.inst < to.inst {
            return true;
        }
        let Some(flow) = &self.analysis.flow[from.func.index()] else { return true };
        let mut all = self.after.borrow_mut();
        let after = all.entry(from.func).or_insert_with(|| reach(flow));
        after[from.block.index()][to.block.index()]
    }

    /// Whether every way from the start of a thread to an instruction of the same function leads through a join of it.
    fn is_joined(&self, start: InstId, end: InstId) -> bool {
        let Some(joins) = self.joins.get(&start) else { return false };
        let (start, end) = (self.analysis.layout.point(start), self.analysis.layout.point(end));
        let Some(flow) = &self.analysis.flow[start.func.index()] else { return false };
        let join_in = |block: BlockId, from: usize| {
            joins.iter().filter(|j| j.block == block && j.inst >= from).map(|j| j.inst).min()
        };
        let mut seen = vec![false; flow.n_blocks()];
        let mut work = vec![(start.block, start.inst + 1)];
        while let Some((block, from)) = work.pop() {
            let join = join_in(block, from);
            let is_end = block == end.block && end.inst >= from;
            if is_end && join.is_none_or(|j| j >= end.inst) {
                return false;
            }
            if join.is_none() {
                for &next in flow.successors(block) {
                    if !std::mem::replace(&mut seen[next.index()], true) {
                        work.push((next, 0));
                    }
                }
            }
        }
        true
    }

    /// Joins whose thread is known: its number is read from a variable that nobody else writes.
    fn find_joins(&mut self, effects: &Effects) {
        let (layout, graph) = (self.analysis.layout, self.analysis.graph());
        let is_writer =
            |id: &InstId| !matches!(layout.inst(self.analysis.program, *id), Inst::Lifetime { .. });
        let mut writers: FxHashMap<ObjectId, Vec<(Range, InstId)>> = FxHashMap::default();
        for id in self.analysis.instructions().filter(is_writer) {
            for touched in effects.of(id).iter().flat_map(|e| e.writes.iter()) {
                writers.entry(touched.object).or_default().push((touched.range, id));
            }
        }
        let only = |touched: &[Touched]| match touched {
            [one] => {
                let mut all = writers.get(&one.object)?.iter().filter(|(range, _)| range.overlaps(one.range));
                all.next().filter(|_| all.next().is_none()).map(|(_, id)| *id)
            }
            _ => None,
        };
        for id in self.analysis.instructions() {
            let known = graph.callees(id).iter().map(|(f, _)| self.analysis.built.library.known(*f));
            if known.clone().count() != 1 || !known.flatten().any(|k| k == Life::Join.into()) {
                continue;
            }
            let at = layout.point(id);
            let block = &self.analysis.program.funcs[at.func].blocks[at.block].insts;
            let Inst::Call { args, .. } = &block[at.inst] else { continue };
            let Some(Operand::Reg(number)) = args.first().map(|a| a.value) else { continue };
            let is_load = |inst: &Inst| matches!(inst, Inst::Load { dst, .. } if *dst == number);
            let Some(load) = block[..at.inst].iter().position(is_load) else { continue };
            let read = layout.id(Point { inst: load, ..at }).and_then(|load| effects.of(load));
            let Some(start) = read.and_then(|effect| only(&effect.reads)) else { continue };
            let from = layout.point(start);
            let is_between = from.block == at.block && (load..at.inst).contains(&from.inst);
            let is_start = graph.callees(start).iter().any(|(_, kind)| *kind == CallKind::Thread)
                && self.model_of(start) == Some(Action::Create);
            let flow = self.analysis.flow[from.func.index()].as_ref();
            let is_once = flow.is_some_and(|flow| !flow.is_in_cycle(from.block));
            if is_start && is_once && !is_between && from.func == at.func {
                self.joins.entry(start).or_default().push(at);
            }
        }
    }

    fn model_of(&self, id: InstId) -> Option<Action> {
        let mut plain = self.analysis.graph().callees(id).iter().filter(|(_, kind)| *kind == CallKind::Plain);
        Some(self.analysis.built.library.action(plain.next()?.0))
    }
}

fn way_to(analysis: &Analysis<'_>, mut func: FuncId) -> Vec<Step> {
    let mut way = Vec::new();
    while way.len() < MAX_DEPTH {
        match analysis.graph().callers(func) {
            [(site, kind)] if !analysis.graph().roots.contains(&func) => {
                way.push((*site, Some(*kind)));
                func = analysis.layout.point(*site).func;
            }
            _ => break,
        }
    }
    way
}

fn reach(flow: &Flow) -> Vec<Vec<bool>> {
    let from = |block: BlockId| {
        let mut seen = vec![false; flow.n_blocks()];
        let mut work = vec![block];
        while let Some(here) = work.pop() {
            for &next in flow.successors(here) {
                if !std::mem::replace(&mut seen[next.index()], true) {
                    work.push(next);
                }
            }
        }
        seen
    };
    (0..flow.n_blocks()).map(|i| from(BlockId::new(i))).collect()
}
