//! Control flow of one function: where control can go from each block, and where it comes from.
//!
//! The one view of it. What follows from it alone is beside it: [`Dominators`], [`PostDominators`] and [`Loops`];
//! everything else that is known about functions without running them is in `analysis`.
//!
//! Guarantees: successors come in the order of the edges, each once, so that whatever walks over them does so in the same
//! order. Relies on nothing: edges to blocks that do not exist are ignored, because the validator looks at programs that
//! are wrong.

mod dominators;
mod loops;

use selvedge_base::{Dense, Id, components};

pub use dominators::{Dominators, PostDominators};
pub use loops::{Loop, Loops};

use crate::{BlockId, Function};

/// The blocks of a function as a graph.
#[derive(Clone, Debug)]
pub struct Flow {
    successors: Dense<BlockId, Vec<BlockId>>,
    predecessors: Dense<BlockId, Vec<BlockId>>,
    order: Vec<BlockId>,
    back_edges: Vec<(BlockId, BlockId)>,
    /// By block: whether control can come back to it.
    in_cycle: Dense<BlockId, bool>,
}

impl Flow {
    /// Looks at `func`.
    pub fn new(func: &Function) -> Flow {
        let n = func.blocks.len();
        let mut successors: Dense<BlockId, Vec<BlockId>> = func.blocks.iter().map(|_| Vec::new()).collect();
        let mut predecessors = successors.clone();
        for (from, block) in func.blocks.enumerate() {
            for to in block.successors().filter(|to| to.index() < n) {
                // All edges of one block come together.
                if predecessors[to].last() != Some(&from) {
                    successors[from].push(to);
                    predecessors[to].push(from);
                }
            }
        }
        let mut back_edges = Vec::new();
        let next = |block: usize, i: usize| successors[BlockId::new(block)].get(i).map(|to| to.index());
        let is_back = |from, to| back_edges.push((BlockId::new(from), BlockId::new(to)));
        let order = if n == 0 { Vec::new() } else { reverse_post_order(n, 0, next, is_back) };
        let order: Vec<BlockId> = order.into_iter().map(BlockId::new).collect();
        let in_cycle = if back_edges.is_empty() && order.len() == n {
            successors.iter().map(|_| false).collect()
        } else {
            in_cycle(&successors)
        };
        Flow { successors, predecessors, order, back_edges, in_cycle }
    }

    /// How many blocks there are.
    pub fn n_blocks(&self) -> usize {
        self.successors.len()
    }

    /// Blocks that control can go to from the end of a block, in the order of its edges, each once.
    pub fn successors(&self, block: BlockId) -> &[BlockId] {
        &self.successors[block]
    }

    /// Blocks from whose end control can come to a block, each once.
    pub fn predecessors(&self, block: BlockId) -> &[BlockId] {
        &self.predecessors[block]
    }

    /// The blocks that the entry leads to: each before those that come after it, but for back edges.
    pub fn reverse_post_order(&self) -> &[BlockId] {
        &self.order
    }

    /// Edges that close a cycle: those from a block to one that is still being visited by a walk that goes into depth
    /// first. Every cycle that the entry leads to has one.
    pub fn back_edges(&self) -> &[(BlockId, BlockId)] {
        &self.back_edges
    }

    /// Whether control can come from the block back to it.
    pub fn is_in_cycle(&self, block: BlockId) -> bool {
        self.in_cycle[block]
    }
}

/// The nodes that a root leads to, each before those that come after it, but for edges that `is_back` is told of: those to
/// nodes that are still being visited. `next` gives a node's successors by number.
fn reverse_post_order(
    n_nodes: usize,
    root: usize,
    next: impl Fn(usize, usize) -> Option<usize>,
    mut is_back: impl FnMut(usize, usize),
) -> Vec<usize> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut order = Vec::new();
    let mut marks = vec![Mark::New; n_nodes];
    marks[root] = Mark::Open;
    let mut stack = vec![(root, 0)];
    while let Some((node, i)) = stack.last_mut() {
        let from = *node;
        let Some(to) = next(from, *i) else {
            marks[from] = Mark::Done;
            order.push(from);
            stack.pop();
            continue;
        };
        *i += 1;
        match marks[to] {
            Mark::Open => is_back(from, to),
            Mark::New => {
                marks[to] = Mark::Open;
                stack.push((to, 0));
            }
            Mark::Done => {}
        }
    }
    order.reverse();
    order
}

fn in_cycle(successors: &Dense<BlockId, Vec<BlockId>>) -> Dense<BlockId, bool> {
    let plain: Vec<Vec<usize>> =
        successors.iter().map(|next| next.iter().map(|to| to.index()).collect()).collect();
    let (component, n) = components(&plain);
    let mut is_cycle = vec![false; n];
    for (from, to) in plain.iter().enumerate().flat_map(|(from, next)| next.iter().map(move |to| (from, *to)))
    {
        is_cycle[component[from]] |= component[from] == component[to];
    }
    component.iter().map(|c| is_cycle[*c]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FuncId, parse};

    fn flow(text: &str) -> Flow {
        Flow::new(&parse(text).unwrap().funcs[FuncId(0)])
    }

    fn numbers(blocks: &[BlockId]) -> Vec<u32> {
        blocks.iter().map(|b| b.0).collect()
    }

    #[test]
    fn both_ways_of_a_branch_to_one_block_are_one_edge_and_what_is_not_reached_has_edges_too() {
        let flow = flow(
            "func @f(%0: i1) {
            bb0: branch %0, bb2, bb2
            bb1: jump bb2
            bb2: return }",
        );
        assert_eq!(numbers(flow.successors(BlockId(0))), [2]);
        assert_eq!(numbers(flow.predecessors(BlockId(2))), [0, 1]);
        assert_eq!(numbers(flow.reverse_post_order()), [0, 2]);
        assert!(flow.back_edges().is_empty());
    }

    #[test]
    fn a_block_is_in_a_cycle_if_control_can_come_back_to_it_whether_or_not_it_is_reached() {
        let flow = flow(
            "func @f(%0: i1) {
            bb0: jump bb1
            bb1: branch %0, bb2, bb3
            bb2: jump bb1
            bb3: return
            bb4: jump bb4 }",
        );
        assert_eq!(flow.back_edges(), [(BlockId(2), BlockId(1))]);
        let in_cycle: Vec<bool> = (0..5).map(|b| flow.is_in_cycle(BlockId(b))).collect();
        assert_eq!(in_cycle, [false, true, true, false, true]);
        assert_eq!(numbers(flow.reverse_post_order()), [0, 1, 3, 2]);
    }
}
