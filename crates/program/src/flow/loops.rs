//! The loops of a function: back edges by the block they lead to, and the blocks in between.
//!
//! In functions that are [reducible](Loops::is_reducible), which all code without `goto` into loops is, these are the
//! natural loops: the head dominates all blocks. A cycle with several entries is a loop, too, whose head is where the walk
//! over the function came to it; its blocks then include what lies before the other entries.

use selvedge_base::Id;

use super::{Dominators, Flow};
use crate::BlockId;

/// All cycles that one block closes.
#[derive(Clone, Debug)]
pub struct Loop {
    /// Where it begins.
    pub head: BlockId,
    /// The blocks from which it goes round, in the order in which a walk finds them.
    pub latches: Vec<BlockId>,
    /// In order.
    blocks: Vec<BlockId>,
}

impl Loop {
    /// The blocks from which a latch can be reached without passing the head, and the head; in order.
    pub fn blocks(&self) -> &[BlockId] {
        &self.blocks
    }

    /// Whether a block belongs to it.
    pub fn has(&self, block: BlockId) -> bool {
        self.blocks.binary_search(&block).is_ok()
    }
}

/// The loops of one function, in the order in which a walk closes them.
#[derive(Clone, Debug, Default)]
pub struct Loops {
    loops: Vec<Loop>,
}

impl Loops {
    /// Finds them.
    pub fn new(flow: &Flow) -> Loops {
        let mut loops: Vec<Loop> = Vec::new();
        for &(latch, head) in flow.back_edges() {
            match loops.iter_mut().find(|l| l.head == head) {
                Some(known) => known.latches.push(latch),
                None => loops.push(Loop { head, latches: vec![latch], blocks: Vec::new() }),
            }
        }
        for l in &mut loops {
            l.blocks = body(flow, l.head, &l.latches);
        }
        Loops { loops }
    }

    /// One after the other.
    pub fn iter(&self) -> impl Iterator<Item = &Loop> {
        self.loops.iter()
    }

    /// Whether a block belongs to the loop with this head.
    pub fn has_block(&self, head: BlockId, block: BlockId) -> bool {
        self.loops.iter().any(|l| l.head == head && l.has(block))
    }

    /// Whether every cycle that the entry leads to is entered through one block only.
    pub fn is_reducible(&self, dominators: &Dominators) -> bool {
        self.loops.iter().all(|l| l.latches.iter().all(|latch| dominators.dominates(l.head, *latch)))
    }
}

fn body(flow: &Flow, head: BlockId, latches: &[BlockId]) -> Vec<BlockId> {
    let mut is_inside = vec![false; flow.n_blocks()];
    let mut blocks = vec![head];
    is_inside[head.index()] = true;
    let mut work = latches.to_vec();
    while let Some(block) = work.pop() {
        if !std::mem::replace(&mut is_inside[block.index()], true) {
            blocks.push(block);
            work.extend(flow.predecessors(block));
        }
    }
    blocks.sort_unstable();
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FuncId, parse};

    fn loops(text: &str) -> (Loops, bool) {
        let flow = Flow::new(&parse(text).unwrap().funcs[FuncId(0)]);
        let loops = Loops::new(&flow);
        let is_reducible = loops.is_reducible(&Dominators::new(&flow));
        (loops, is_reducible)
    }

    fn shape(l: &Loop) -> (u32, Vec<u32>, Vec<u32>) {
        let numbers = |blocks: &[BlockId]| blocks.iter().map(|b| b.0).collect();
        (l.head.0, numbers(&l.latches), numbers(l.blocks()))
    }

    #[test]
    fn a_loop_in_a_loop_belongs_to_both_and_two_ways_back_are_one_loop() {
        let (loops, is_reducible) = loops(
            "func @f(%0: i1) {
            bb0: jump bb1
            bb1: branch %0, bb2, bb5
            bb2: branch %0, bb3, bb1
            bb3: branch %0, bb3, bb4
            bb4: jump bb1
            bb5: return }",
        );
        let found: Vec<_> = loops.iter().map(shape).collect();
        assert_eq!(found, [(3, vec![3], vec![3]), (1, vec![4, 2], vec![1, 2, 3, 4])]);
        assert!(is_reducible && loops.has_block(BlockId(1), BlockId(3)));
        assert!(!loops.has_block(BlockId(1), BlockId(5)) && !loops.has_block(BlockId(2), BlockId(2)));
    }

    #[test]
    fn a_cycle_with_two_entries_is_a_loop_that_is_not_natural() {
        let (loops, is_reducible) = loops(
            "func @f(%0: i1, %1: i1) {
            bb0: branch %0, bb1, bb2
            bb1: branch %1, bb2, bb3
            bb2: jump bb1
            bb3: return }",
        );
        assert_eq!(loops.iter().map(shape).collect::<Vec<_>>(), [(1, vec![2], vec![0, 1, 2])]);
        assert!(!is_reducible);
    }
}
