//! Control dependence: which branches decide whether a block is executed.
//!
//! Paper: Ferrante, Ottenstein, Warren, "The program dependence graph and its use in optimization", TOPLAS 1987, with
//! post-dominators by the dominator algorithm on the reversed graph. Blocks from which the function cannot be left get
//! an edge to its end, which only adds dependences. That a loop may not terminate is not seen here: the slice contains
//! every branch that decides it (see `loops`).

use selvedge_base::Id;
use selvedge_program::BlockId;

use crate::flow_graph::{FlowGraph, components};

/// For each block the branches that decide about it.
#[derive(Clone, Debug)]
pub(crate) struct Control {
    deciders: Vec<Vec<BlockId>>,
}

impl Control {
    pub(crate) fn new(flow: &FlowGraph) -> Control {
        let n = flow.len();
        let end = n;
        let mut succs: Vec<Vec<usize>> = flow.succs.clone();
        for block in stuck(flow) {
            succs[block].push(end);
        }
        for targets in &mut succs {
            if targets.is_empty() {
                targets.push(end);
            }
        }
        let idom = post_dominators(&succs, end);
        let mut deciders = vec![Vec::new(); n];
        for (block, targets) in succs.iter().enumerate() {
            if targets.len() < 2 {
                continue;
            }
            for &target in targets {
                // Everything from the target up to, but without, the branch's own post-dominator.
                let mut at = target;
                while at != end && Some(at) != idom[block] {
                    let list: &mut Vec<BlockId> = &mut deciders[at];
                    if list.last() != Some(&BlockId::new(block)) {
                        list.push(BlockId::new(block));
                    }
                    match idom[at] {
                        Some(next) => at = next,
                        None => break,
                    }
                }
            }
        }
        Control { deciders }
    }

    /// The blocks whose terminators decide whether `block` is executed.
    pub(crate) fn deciders(&self, block: BlockId) -> &[BlockId] {
        &self.deciders[block.index()]
    }
}

/// Blocks of the cycles from which no end of the function can be reached.
fn stuck(flow: &FlowGraph) -> Vec<usize> {
    let (component, n) = components(&flow.succs);
    // Successors have smaller numbers, so one pass sees them first.
    let mut order: Vec<usize> = (0..flow.len()).collect();
    order.sort_unstable_by_key(|b| component[*b]);
    let mut can_end = vec![false; n];
    for &block in &order {
        let ends = flow.succs[block].is_empty() || flow.succs[block].iter().any(|s| can_end[component[*s]]);
        can_end[component[block]] |= ends;
    }
    // Another pass for components whose later blocks leave them.
    for &block in &order {
        can_end[component[block]] |= flow.succs[block].iter().any(|s| can_end[component[*s]]);
    }
    (0..flow.len()).filter(|b| !can_end[component[*b]]).collect()
}

/// The closest strict post-dominator of each block; `end` is the root.
fn post_dominators(succs: &[Vec<usize>], end: usize) -> Vec<Option<usize>> {
    let mut preds = vec![Vec::new(); end + 1];
    for (block, targets) in succs.iter().enumerate() {
        targets.iter().for_each(|t| preds[*t].push(block));
    }
    // Reverse post-order of the reversed graph.
    let mut order = Vec::with_capacity(end + 1);
    let mut seen = vec![false; end + 1];
    seen[end] = true;
    let mut stack = vec![(end, 0)];
    while let Some((block, next)) = stack.last_mut() {
        match preds[*block].get(*next) {
            Some(&pred) => {
                *next += 1;
                if !seen[pred] {
                    seen[pred] = true;
                    stack.push((pred, 0));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    let mut rank = vec![usize::MAX; end + 1];
    order.iter().enumerate().for_each(|(i, b)| rank[*b] = i);
    let mut idom: Vec<Option<usize>> = vec![None; end + 1];
    idom[end] = Some(end);
    let mut changed = true;
    while changed {
        changed = false;
        for &block in order.iter().skip(1) {
            let known = succs[block].iter().copied().filter(|s| idom[*s].is_some());
            let meet = |mut a: usize, mut b: usize| {
                while a != b {
                    let later = if rank[a] > rank[b] { &mut a } else { &mut b };
                    *later = idom[*later].expect("blocks with a computed dominator reach the root");
                }
                a
            };
            let new = known.reduce(meet);
            if new.is_some() && idom[block] != new {
                idom[block] = new;
                changed = true;
            }
        }
    }
    idom[end] = None;
    idom
}

#[cfg(test)]
mod tests {
    use selvedge_program::{FuncId, parse};

    use super::*;

    fn deciders(text: &str) -> Vec<Vec<u32>> {
        let program = parse(text).unwrap();
        let control = Control::new(&FlowGraph::new(&program.funcs[FuncId(0)]));
        control.deciders.iter().map(|d| d.iter().map(|b| b.0).collect()).collect()
    }

    #[test]
    fn the_arms_of_a_branch_depend_on_it_and_what_follows_does_not() {
        let text = "func @f(%0: i1) {
            bb0: branch %0, bb1, bb2
            bb1: jump bb3
            bb2: jump bb3
            bb3: return }";
        assert_eq!(deciders(text), [vec![], vec![0], vec![0], vec![]]);
    }

    #[test]
    fn a_loop_decides_about_its_body_and_about_itself() {
        let text = "func @f(%0: i1) {
            bb0: jump bb1
            bb1: branch %0, bb2, bb3
            bb2: jump bb1
            bb3: return }";
        assert_eq!(deciders(text), [vec![], vec![1], vec![1], vec![]]);
    }

    #[test]
    fn an_early_return_decides_about_the_rest() {
        let text = "func @f(%0: i1, %1: i1) {
            bb0: branch %0, bb1, bb2
            bb1: return
            bb2: branch %1, bb3, bb4
            bb3: jump bb4
            bb4: return }";
        assert_eq!(deciders(text), [vec![], vec![0], vec![0], vec![2], vec![0]]);
    }

    #[test]
    fn an_endless_loop_decides_nothing_less_than_one_that_ends() {
        let text = "func @f(%0: i1, %1: i1) {
            bb0: branch %0, bb1, bb4
            bb1: branch %1, bb2, bb3
            bb2: jump bb1
            bb3: jump bb1
            bb4: return }";
        let found = deciders(text);
        assert!(found[4] == [0] && found[1].contains(&0));
        assert!(found[2].contains(&1) && found[3].contains(&1));
    }
}
