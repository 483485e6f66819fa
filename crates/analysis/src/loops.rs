//! Loops that may not terminate, and the branches that decide it.
//!
//! Whether a thread gets out of a loop decides whether it comes to what follows, gives a lock back, ends. The branches
//! that leave a loop therefore always matter, unless the loop certainly terminates: it counts from a constant to a
//! constant, and looks at the counter in every round.
//!
//! Guarantee: if all branches of [`exits`] go the same way, control leaves the same loops.

use rustc_hash::FxHashSet;
use selvedge_base::Id;
use selvedge_program::{BlockId, CmpOp, Dominators, FuncId, Inst, Operand};

use crate::defs::Def;
use crate::flow_graph::FlowGraph;
use crate::numbers::constant;
use crate::ranges::Ranges;

/// What the loops of a function come to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Loops {
    /// Blocks whose terminators decide whether a loop that may not terminate is left.
    pub(crate) exits: Vec<BlockId>,
    /// Blocks of loops that may not terminate.
    pub(crate) endless: FxHashSet<BlockId>,
}

/// Looks at the loops of a function.
pub(crate) fn loops(ranges: &Ranges<'_>, func: FuncId, dominators: &Dominators, flow: &FlowGraph) -> Loops {
    let mut found = Loops::default();
    let mut is_exit = vec![false; flow.len()];
    // Natural loops by head: the blocks that reach a back edge without passing the head.
    let mut latches: Vec<Vec<usize>> = vec![Vec::new(); flow.len()];
    let mut covered: FxHashSet<(usize, usize)> = FxHashSet::default();
    for (from, targets) in flow.succs.iter().enumerate() {
        for &to in targets {
            if dominators.dominates(BlockId::new(to), BlockId::new(from)) {
                latches[to].push(from);
                covered.insert((from, to));
            }
        }
    }
    for (head, latches) in latches.iter().enumerate().filter(|(_, l)| !l.is_empty()) {
        let body = natural_loop(flow, head, latches);
        if !counts(ranges, func, dominators, head, latches, &body) {
            mark(flow, &body, &mut is_exit, &mut found.endless);
        }
    }
    // What is left is entered in several places: every branch in it counts.
    let is_reducible = is_acyclic_without(flow, &covered);
    if !is_reducible {
        for (block, is_exit) in is_exit.iter_mut().enumerate() {
            if flow.is_in_cycle(BlockId::new(block)) {
                *is_exit = true;
                found.endless.insert(BlockId::new(block));
            }
        }
    }
    found.exits = (0..flow.len()).filter(|b| is_exit[*b]).map(BlockId::new).collect();
    found
}

fn natural_loop(flow: &FlowGraph, head: usize, latches: &[usize]) -> FxHashSet<usize> {
    let mut body: FxHashSet<usize> = FxHashSet::default();
    body.insert(head);
    let mut work: Vec<usize> = latches.to_vec();
    while let Some(block) = work.pop() {
        if body.insert(block) {
            work.extend(&flow.preds[block]);
        }
    }
    body
}

fn mark(flow: &FlowGraph, body: &FxHashSet<usize>, is_exit: &mut [bool], endless: &mut FxHashSet<BlockId>) {
    let mut blocks: Vec<usize> = body.iter().copied().collect();
    blocks.sort_unstable();
    for block in blocks {
        endless.insert(BlockId::new(block));
        is_exit[block] |= flow.succs[block].iter().any(|s| !body.contains(s));
    }
}

/// Whether every cycle passes one of the edges.
fn is_acyclic_without(flow: &FlowGraph, removed: &FxHashSet<(usize, usize)>) -> bool {
    let keep =
        |from: usize| flow.succs[from].iter().copied().filter(move |to| !removed.contains(&(from, *to)));
    let mut n_preds = vec![0; flow.len()];
    (0..flow.len()).for_each(|from| keep(from).for_each(|to| n_preds[to] += 1));
    let mut work: Vec<usize> = (0..flow.len()).filter(|b| n_preds[*b] == 0).collect();
    let mut n_done = 0;
    while let Some(block) = work.pop() {
        n_done += 1;
        for to in keep(block) {
            n_preds[to] -= 1;
            if n_preds[to] == 0 {
                work.push(to);
            }
        }
    }
    n_done == flow.len()
}

/// Whether some block that every round passes leaves the loop when a counter reaches its bound.
fn counts(
    ranges: &Ranges<'_>,
    func: FuncId,
    dominators: &Dominators,
    head: usize,
    latches: &[usize],
    body: &FxHashSet<usize>,
) -> bool {
    let function = &ranges.program.funcs[func];
    let mut blocks: Vec<usize> = body.iter().copied().collect();
    blocks.sort_unstable();
    blocks.into_iter().any(|block| {
        let id = BlockId::new(block);
        let in_every_round = latches.iter().all(|l| dominators.dominates(id, BlockId::new(*l)));
        let Some(Inst::Branch { cond, then, otherwise }) = function.blocks[id].terminator() else {
            return false;
        };
        let leaves = body.contains(&then.target.index()) && !body.contains(&otherwise.target.index());
        let Some((_, Inst::Cmp { op, width, a: counter, b, .. })) =
            ranges.defs.inst(ranges.program, ranges.layout, func, *cond)
        else {
            return false;
        };
        let is_bound = constant(ranges.program, *b).is_some() && !matches!(op, CmpOp::Eq | CmpOp::Ne);
        in_every_round
            && leaves
            && is_bound
            && starts_outside(ranges, func, head, body, *counter)
            && ranges.of(func, dominators, then.target, *counter, *width).is_some()
    })
}

/// Whether the operand is a parameter of the loop's head that only edges from outside set to constants.
fn starts_outside(
    ranges: &Ranges<'_>,
    func: FuncId,
    head: usize,
    body: &FxHashSet<usize>,
    counter: Operand,
) -> bool {
    let Some(reg) = ranges.layout.operand(func, counter) else { return false };
    let Def::Block(block, position) = ranges.defs.of(reg) else { return false };
    let mut holds = block.index() == head;
    for (from, content) in ranges.program.funcs[func].blocks.enumerate() {
        content.for_each_edge(|edge| {
            if edge.target == block && body.contains(&from.index()) {
                holds &= constant(ranges.program, edge.args[position as usize]).is_none();
            }
        });
    }
    holds
}

#[cfg(test)]
mod tests {
    use selvedge_program::parse;

    use super::*;
    use crate::defs::Defs;
    use crate::layout::Layout;

    fn exits(text: &str) -> Vec<u32> {
        let program = parse(text).unwrap();
        let layout = Layout::new(&program);
        let defs = Defs::new(&program, &layout);
        let ranges = Ranges { program: &program, layout: &layout, defs: &defs };
        let function = &program.funcs[FuncId(0)];
        let found = loops(&ranges, FuncId(0), &Dominators::new(function), &FlowGraph::new(function));
        found.exits.iter().map(|b| b.0).collect()
    }

    #[test]
    fn a_loop_that_counts_to_a_constant_terminates_whatever_else_leaves_it() {
        let text = "func @f(%3: i1) {
            bb0: jump bb1(0i32)
            bb1(%0: i32): %1: i1 = cmp.slt i32 %0, 7i32
                 branch %1, bb2, bb4
            bb2: branch %3, bb3, bb4
            bb3: %2: i32 = add.nsw i32 %0, 1i32
                 jump bb1(%2)
            bb4: return }";
        assert_eq!(exits(text), [0u32; 0]);
    }

    #[test]
    fn a_counter_that_is_set_back_or_stands_still_does_not_end_a_loop() {
        let text = |next: &str| {
            format!(
                "func @f(%3: i1) {{
                bb0: jump bb1(0i32)
                bb1(%0: i32): %1: i1 = cmp.slt i32 %0, 7i32
                     branch %1, bb2, bb4
                bb2: branch %3, bb3, bb5
                bb3: %2: i32 = add.nsw i32 %0, 1i32
                     jump bb1(%2)
                bb4: return
                bb5: jump bb1({next}) }}"
            )
        };
        assert_eq!(exits(&text("0i32")), [1]);
        assert_eq!(exits(&text("%0")), [1]);
    }

    #[test]
    fn every_way_out_of_a_loop_that_waits_counts() {
        let text = "func @f(%0: i1, %1: i1) {
            bb0: jump bb1
            bb1: branch %0, bb2, bb4
            bb2: branch %1, bb3, bb4
            bb3: jump bb1
            bb4: return }";
        assert_eq!(exits(text), [1, 2]);
    }

    #[test]
    fn a_cycle_with_two_entries_counts_with_all_its_branches() {
        let text = "func @f(%0: i1, %1: i1) {
            bb0: branch %0, bb1, bb2
            bb1: branch %1, bb2, bb3
            bb2: jump bb1
            bb3: return }";
        assert_eq!(exits(text), [1, 2]);
    }
}
