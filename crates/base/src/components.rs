//! Strongly connected components of a graph whose nodes are numbers.

/// For each node its component, and how many there are. Edges lead to the same or a smaller number.
///
/// Tarjan's algorithm, without recursion.
pub fn components(succs: &[Vec<usize>]) -> (Vec<usize>, usize) {
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
    fn components_are_the_maximal_sets_of_mutually_reachable_nodes() {
        let succs = vec![vec![1], vec![2], vec![1, 3], vec![4], vec![5], vec![3], vec![]];
        let (c, n) = components(&succs);
        assert!(c[1] == c[2] && c[3] == c[4] && c[4] == c[5]);
        assert!(c[0] != c[1] && c[1] != c[3] && c[6] != c[0]);
        assert_eq!(n, 4);
    }

    #[test]
    fn a_long_chain_does_not_exhaust_the_stack() {
        let succs: Vec<Vec<usize>> =
            (0..200_000).map(|i| if i + 1 < 200_000 { vec![i + 1] } else { vec![0] }).collect();
        assert_eq!(components(&succs).1, 1);
    }
}
