//! Dominators of a function's blocks: the simple iterative algorithm, good enough to check with.
//!
//! Paper: [CHK] Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm", 2001.
//! Relies on: edge targets are in range (out-of-range ones are ignored).

use selvedge_base::Id;

use crate::{BlockId, Function};

/// Which blocks lie on every way from the entry to a block.
#[derive(Debug)]
pub struct Dominators {
    /// Immediate dominator by block; `None` for the entry and for unreachable blocks.
    idom: Vec<Option<usize>>,
    /// When a walk over the dominator tree enters and leaves a block; `(0, 0)` if it is unreachable.
    span: Vec<(u32, u32)>,
}

impl Dominators {
    /// Computes the dominators of `func`.
    pub fn new(func: &Function) -> Self {
        let n = func.blocks.len();
        if n == 0 {
            return Dominators { idom: Vec::new(), span: Vec::new() };
        }
        let succs = successors(func);
        let order = reverse_post_order(&succs);
        let mut rank = vec![usize::MAX; n];
        for (index, &block) in order.iter().enumerate() {
            rank[block] = index;
        }
        let mut preds = vec![Vec::new(); n];
        for &block in &order {
            for &succ in &succs[block] {
                preds[succ].push(block);
            }
        }
        let mut idom: Vec<Option<usize>> = vec![None; n];
        idom[0] = Some(0);
        let mut changed = true;
        while changed {
            changed = false;
            for &block in order.iter().skip(1) {
                let known = preds[block].iter().copied().filter(|&p| idom[p].is_some());
                let new = known.reduce(|a, b| meet(&idom, &rank, a, b));
                if new.is_some() && idom[block] != new {
                    idom[block] = new;
                    changed = true;
                }
            }
        }
        idom[0] = None;
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

fn successors(func: &Function) -> Vec<Vec<usize>> {
    let n = func.blocks.len();
    let of = |block: &crate::Block| {
        let mut out = Vec::new();
        block.for_each_edge(|edge| out.push(edge.target.index()));
        out.retain(|&target| target < n);
        out
    };
    func.blocks.iter().map(of).collect()
}

fn reverse_post_order(succs: &[Vec<usize>]) -> Vec<usize> {
    let mut seen = vec![false; succs.len()];
    seen[0] = true;
    let mut order = Vec::new();
    let mut stack = vec![(0, 0)];
    while let Some((block, next)) = stack.last_mut() {
        match succs[*block].get(*next) {
            Some(&succ) => {
                *next += 1;
                if !seen[succ] {
                    seen[succ] = true;
                    stack.push((succ, 0));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

/// The closest common dominator of two blocks that have one.
fn meet(idom: &[Option<usize>], rank: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        let later = if rank[a] > rank[b] { &mut a } else { &mut b };
        *later = idom[*later].expect("blocks with a computed dominator reach the entry");
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
        let dom = Dominators::new(&program.funcs[crate::FuncId(0)]);
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
        let dom = Dominators::new(&program.funcs[crate::FuncId(0)]);
        assert!(dom.dominates(BlockId(1), BlockId(2)) && dom.dominates(BlockId(1), BlockId(3)));
        assert!(!dom.dominates(BlockId(2), BlockId(1)) && !dom.dominates(BlockId(2), BlockId(3)));
    }
}
