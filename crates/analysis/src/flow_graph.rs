//! Control flow of one function: successors, predecessors, cycles.

use selvedge_base::Id;
use selvedge_program::{BlockId, Function};

/// The blocks of a function as a graph.
#[derive(Clone, Debug)]
pub(crate) struct FlowGraph {
    pub(crate) succs: Vec<Vec<usize>>,
    pub(crate) preds: Vec<Vec<usize>>,
    /// For each block the number of its strongly connected component; successors have smaller numbers.
    component: Vec<usize>,
    /// For each component whether control can stay in it.
    is_cycle: Vec<bool>,
}

impl FlowGraph {
    pub(crate) fn new(function: &Function) -> FlowGraph {
        let n = function.blocks.len();
        let mut succs = vec![Vec::new(); n];
        let mut preds = vec![Vec::new(); n];
        for (block, body) in function.blocks.enumerate() {
            body.for_each_edge(|edge| {
                let (from, to) = (block.index(), edge.target.index());
                if !succs[from].contains(&to) {
                    succs[from].push(to);
                    preds[to].push(from);
                }
            });
        }
        let (component, n_components) = components(&succs);
        let mut is_cycle = vec![false; n_components];
        for (from, targets) in succs.iter().enumerate() {
            for &to in targets {
                is_cycle[component[from]] |= component[from] == component[to];
            }
        }
        FlowGraph { succs, preds, component, is_cycle }
    }

    /// Whether control can come from the block back to it.
    pub(crate) fn is_in_cycle(&self, block: BlockId) -> bool {
        self.is_cycle[self.component[block.index()]]
    }

    pub(crate) fn len(&self) -> usize {
        self.succs.len()
    }
}

/// Strongly connected components by Tarjan's algorithm, without recursion: for each node its component; edges lead to
/// the same or a smaller number.
pub(crate) fn components(succs: &[Vec<usize>]) -> (Vec<usize>, usize) {
    const UNSEEN: usize = usize::MAX;
    let n = succs.len();
    let (mut index, mut low) = (vec![UNSEEN; n], vec![0; n]);
    let mut component = vec![UNSEEN; n];
    let (mut open, mut next, mut n_components) = (Vec::new(), 0, 0);
    for root in 0..n {
        if index[root] != UNSEEN {
            continue;
        }
        let mut stack = vec![(root, 0)];
        while let Some((node, edge)) = stack.pop() {
            if edge == 0 {
                (index[node], low[node]) = (next, next);
                next += 1;
                open.push(node);
            }
            if let Some(&to) = succs[node].get(edge) {
                stack.push((node, edge + 1));
                if index[to] == UNSEEN {
                    stack.push((to, 0));
                } else if component[to] == UNSEEN {
                    low[node] = low[node].min(index[to]);
                }
                continue;
            }
            if low[node] == index[node] {
                while let Some(member) = open.pop() {
                    component[member] = n_components;
                    if member == node {
                        break;
                    }
                }
                n_components += 1;
            }
            if let Some(&(parent, _)) = stack.last() {
                low[parent] = low[parent].min(low[node]);
            }
        }
    }
    (component, n_components)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_are_numbered_against_the_edges() {
        // 0 -> 1 <-> 2 -> 3, 3 -> 3, 4 -> 0
        let succs = vec![vec![1], vec![2], vec![1, 3], vec![3], vec![0]];
        let (component, n) = components(&succs);
        assert_eq!(n, 4);
        assert_eq!(component[1], component[2]);
        assert!(component[0] > component[1] && component[1] > component[3] && component[4] > component[0]);
    }

    #[test]
    fn a_long_chain_does_not_exhaust_the_stack() {
        let succs: Vec<Vec<usize>> =
            (0..200_000).map(|i| if i + 1 < 200_000 { vec![i + 1] } else { vec![0] }).collect();
        assert_eq!(components(&succs).1, 1);
    }
}
