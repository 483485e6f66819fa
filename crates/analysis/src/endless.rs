//! Loops that may not terminate, and the branches that decide it.
//!
//! Whether a thread gets out of a loop decides whether it comes to what follows, gives a lock back, ends. The branches
//! that leave a loop therefore always matter, unless the loop certainly terminates: it counts from a constant to a
//! constant, and looks at the counter in every round.
//!
//! Guarantee: if all branches of [`Endless::exits`] go the same way, control leaves the same loops.

use rustc_hash::FxHashSet;
use selvedge_base::Id;
use selvedge_program::{BlockId, CmpOp, Dominators, Flow, FuncId, Inst, Loop, Loops, Operand};

use crate::defs::Def;
use crate::defs::constant;
use crate::ranges::Ranges;

/// The loops of a function that may not terminate.
#[derive(Clone, Debug, Default)]
pub(crate) struct Endless {
    /// Blocks whose terminators decide whether such a loop is left.
    pub(crate) exits: Vec<BlockId>,
    /// Blocks of such loops.
    pub(crate) blocks: FxHashSet<BlockId>,
}

impl Endless {
    /// Looks at the loops of a function.
    pub(crate) fn new(ranges: &Ranges<'_>, func: FuncId, dominators: &Dominators, flow: &Flow) -> Endless {
        let loops = Loops::new(flow);
        let all = || (0..flow.n_blocks()).map(BlockId::new);
        if !loops.is_reducible(dominators) {
            // Some cycle is entered in several places: every branch in one counts.
            let exits: Vec<BlockId> = all().filter(|b| flow.is_in_cycle(*b)).collect();
            return Endless { blocks: exits.iter().copied().collect(), exits };
        }
        let mut is_exit = vec![false; flow.n_blocks()];
        let mut blocks = FxHashSet::default();
        for l in loops.iter().filter(|l| !counts(ranges, func, dominators, l)) {
            for &block in l.blocks() {
                blocks.insert(block);
                is_exit[block.index()] |= flow.successors(block).iter().any(|s| !l.has(*s));
            }
        }
        Endless { exits: all().filter(|b| is_exit[b.index()]).collect(), blocks }
    }
}

/// Whether some block that every round passes leaves the loop when a counter reaches its bound.
fn counts(ranges: &Ranges<'_>, func: FuncId, dominators: &Dominators, l: &Loop) -> bool {
    let function = &ranges.program.funcs[func];
    l.blocks().iter().any(|&id| {
        let in_every_round = l.latches.iter().all(|latch| dominators.dominates(id, *latch));
        let Some(Inst::Branch { cond, then, otherwise }) = function.blocks[id].terminator() else {
            return false;
        };
        let leaves = l.has(then.target) && !l.has(otherwise.target);
        let Some((_, Inst::Cmp { op, width, a: counter, b, .. })) =
            ranges.defs.inst(ranges.program, ranges.layout, func, *cond)
        else {
            return false;
        };
        let is_bound = constant(ranges.program, *b).is_some() && !matches!(op, CmpOp::Eq | CmpOp::Ne);
        in_every_round
            && leaves
            && is_bound
            && starts_outside(ranges, func, l, *counter)
            && ranges.of(func, dominators, then.target, *counter, *width).is_some()
    })
}

/// Whether the operand is a parameter of the loop's head that only edges from outside set to constants.
fn starts_outside(ranges: &Ranges<'_>, func: FuncId, l: &Loop, counter: Operand) -> bool {
    let Some(reg) = ranges.layout.operand(func, counter) else { return false };
    let Def::Block(block, position) = ranges.defs.of(reg) else { return false };
    let mut holds = block == l.head;
    for (from, content) in ranges.program.funcs[func].blocks.enumerate() {
        content.edges().for_each(|edge| {
            if edge.target == block && l.has(from) {
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
        let flow = Flow::new(function);
        let found = Endless::new(&ranges, FuncId(0), &Dominators::new(&flow), &flow);
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
