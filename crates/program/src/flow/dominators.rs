//! Dominators and post-dominators of a function's blocks.
//!
//! Paper: [CHK] Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm", 2001: forwards from the entry, and backwards
//! from the end.

use selvedge_base::Id;

use super::{Flow, reverse_post_order};
use crate::BlockId;

/// Which blocks lie on every way from the entry to a block.
#[derive(Debug)]
pub struct Dominators {
    /// Immediate dominator by block; `None` for the entry and for unreachable blocks.
    idom: Vec<Option<usize>>,
    /// When a walk over the dominator tree enters and leaves a block; `(0, 0)` if it is unreachable.
    span: Vec<(u32, u32)>,
}

impl Dominators {
    /// Computes the dominators of a function.
    pub fn new(flow: &Flow) -> Self {
        let n = flow.n_blocks();
        if n == 0 {
            return Dominators { idom: Vec::new(), span: Vec::new() };
        }
        let order: Vec<usize> = flow.reverse_post_order().iter().map(|b| b.index()).collect();
        let previous = |block: usize| flow.predecessors(BlockId::new(block)).iter().map(|b| b.index());
        let idom = immediate(n, &order, previous);
        let span = spans(&idom, &order);
        Dominators { idom, span }
    }

    /// Whether `block` can be reached from the entry.
    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.span.get(block.index()).is_some_and(|(_, leave)| *leave > 0)
    }

    /// Whether every way from the entry to `b` goes through `a`. Both are reachable, else the answer is no.
    pub fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        let (Some(a), Some(b)) = (self.span.get(a.index()), self.span.get(b.index())) else { return false };
        a.1 > 0 && b.1 > 0 && a.0 <= b.0 && b.1 <= a.1
    }

    /// The closest strict dominator.
    pub fn immediate(&self, block: BlockId) -> Option<BlockId> {
        self.idom.get(block.index()).copied().flatten().map(BlockId::new)
    }
}

/// Which blocks lie on every way from a block to the end of the function.
///
/// A block from which no end can be reached is [stuck](PostDominators::is_stuck), and counts as one that may end.
#[derive(Debug)]
pub struct PostDominators {
    /// By block: the closest strict post-dominator; `None` if that is the end.
    closest: Vec<Option<BlockId>>,
    is_stuck: Vec<bool>,
}

impl PostDominators {
    /// Computes the post-dominators of a function.
    pub fn new(flow: &Flow) -> Self {
        let end = flow.n_blocks();
        let is_stuck = stuck(flow);
        let ends = |block: usize| is_stuck[block] || flow.successors(BlockId::new(block)).is_empty();
        let last: Vec<usize> = (0..end).filter(|block| ends(*block)).collect();
        // Backwards, so that "next" is what comes before.
        let next = |node: usize, i: usize| match node == end {
            true => last.get(i).copied(),
            false => flow.predecessors(BlockId::new(node)).get(i).map(|b| b.index()),
        };
        let order = reverse_post_order(end + 1, end, next, |_, _| {});
        let previous = |block: usize| {
            let blocks = flow.successors(BlockId::new(block)).iter().map(|b| b.index());
            blocks.chain(ends(block).then_some(end))
        };
        let idom = immediate(end + 1, &order, previous);
        let closest = |i: &Option<usize>| i.filter(|i| *i != end).map(BlockId::new);
        PostDominators { closest: idom[..end].iter().map(closest).collect(), is_stuck }
    }

    /// The closest strict post-dominator; `None` if that is the end of the function.
    pub fn immediate(&self, block: BlockId) -> Option<BlockId> {
        self.closest[block.index()]
    }

    /// Whether no end of the function can be reached from a block.
    pub fn is_stuck(&self, block: BlockId) -> bool {
        self.is_stuck[block.index()]
    }
}

fn stuck(flow: &Flow) -> Vec<bool> {
    let mut is_stuck = vec![true; flow.n_blocks()];
    let mut work: Vec<BlockId> =
        (0..flow.n_blocks()).map(BlockId::new).filter(|b| flow.successors(*b).is_empty()).collect();
    while let Some(block) = work.pop() {
        if std::mem::replace(&mut is_stuck[block.index()], false) {
            work.extend(flow.predecessors(block));
        }
    }
    is_stuck
}

/// The closest strict dominator of each node but the root, which is the first in `order`, a reverse post-order;
/// `None` for nodes that are not in it.
fn immediate<P: Iterator<Item = usize>>(
    n_nodes: usize,
    order: &[usize],
    previous: impl Fn(usize) -> P,
) -> Vec<Option<usize>> {
    let mut rank = vec![usize::MAX; n_nodes];
    for (index, &node) in order.iter().enumerate() {
        rank[node] = index;
    }
    let root = order[0];
    let mut idom: Vec<Option<usize>> = vec![None; n_nodes];
    idom[root] = Some(root);
    let mut changed = true;
    while changed {
        changed = false;
        for &node in order.iter().skip(1) {
            let known = previous(node).filter(|&p| idom[p].is_some());
            let new = known.reduce(|a, b| meet(&idom, &rank, a, b));
            if new.is_some() && idom[node] != new {
                idom[node] = new;
                changed = true;
            }
        }
    }
    idom[root] = None;
    idom
}

/// The closest common dominator of two nodes that have one.
fn meet(idom: &[Option<usize>], rank: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        let later = if rank[a] > rank[b] { &mut a } else { &mut b };
        *later = idom[*later].expect("nodes with a computed dominator are reached from the root");
    }
    a
}

fn spans(idom: &[Option<usize>], order: &[usize]) -> Vec<(u32, u32)> {
    let mut children = vec![Vec::new(); idom.len()];
    for &block in order {
        if let Some(parent) = idom[block] {
            children[parent].push(block);
        }
    }
    let mut span = vec![(0, 0); idom.len()];
    let mut clock = 1;
    let mut stack = vec![(0, 0)];
    span[0].0 = clock;
    while let Some((block, next)) = stack.last_mut() {
        clock += 1;
        match children[*block].get(*next) {
            Some(&child) => {
                *next += 1;
                span[child].0 = clock;
                stack.push((child, 0));
            }
            None => {
                span[*block].1 = clock;
                stack.pop();
            }
        }
    }
    span
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    #[test]
    fn both_arms_of_a_diamond_are_dominated_by_the_fork_only() {
        let text = "func @f(%0: i1) {
            bb0: branch %0, bb1, bb2
            bb1: jump bb3
            bb2: jump bb3
            bb3: return
            bb4: jump bb3 }";
        let program = parse(text).unwrap();
        let dom = Dominators::new(&Flow::new(&program.funcs[crate::FuncId(0)]));
        let [b0, b1, b2, b3, b4] = [0, 1, 2, 3, 4].map(BlockId);
        assert!(dom.dominates(b0, b3) && dom.dominates(b0, b1) && dom.dominates(b3, b3));
        assert!(!dom.dominates(b1, b3) && !dom.dominates(b2, b3) && !dom.dominates(b1, b2));
        assert!(!dom.is_reachable(b4) && !dom.dominates(b4, b3) && !dom.dominates(b0, b4));
        assert_eq!([b0, b1, b3, b4].map(|b| dom.immediate(b)), [None, Some(b0), Some(b0), None]);
    }

    #[test]
    fn a_loop_header_dominates_its_body_and_exit() {
        let text = "func @f(%0: i1) {
            bb0: jump bb1
            bb1: branch %0, bb2, bb3
            bb2: jump bb1
            bb3: return }";
        let program = parse(text).unwrap();
        let dom = Dominators::new(&Flow::new(&program.funcs[crate::FuncId(0)]));
        assert!(dom.dominates(BlockId(1), BlockId(2)) && dom.dominates(BlockId(1), BlockId(3)));
        assert!(!dom.dominates(BlockId(2), BlockId(1)) && !dom.dominates(BlockId(2), BlockId(3)));
    }

    #[test]
    fn what_every_way_to_the_end_passes_post_dominates_and_an_endless_loop_is_stuck() {
        let text = "func @f(%0: i1, %1: i1) {
            bb0: branch %0, bb1, bb4
            bb1: branch %1, bb2, bb3
            bb2: jump bb3
            bb3: return
            bb4: jump bb5
            bb5: jump bb4 }";
        let program = parse(text).unwrap();
        let post = PostDominators::new(&Flow::new(&program.funcs[crate::FuncId(0)]));
        let all = [0, 1, 2, 3, 4, 5].map(BlockId);
        let three = Some(BlockId(3));
        // The stuck blocks lead to the end directly, too.
        assert_eq!(all.map(|b| post.immediate(b)), [None, three, three, None, None, None]);
        assert_eq!(all.map(|b| post.is_stuck(b)), [false, false, false, false, true, true]);
    }
}
