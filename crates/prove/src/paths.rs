//! Which states that exploration stopped at can be reached without repeating an abstract state after all.
//!
//! Exploration remembers one path for each state. A state whose abstract state is on the paths of all its
//! predecessors may still be reachable on another path, and must then be expanded, or the explored set
//! would depend on the order of exploration. Finding such a path is hard in the worst case, so there are
//! three attempts: a search that avoids the state's own abstract state (if it fails, there is no path), the
//! shortest such path (if it repeats nothing, it is one), and a bounded search backward.
//!
//! Guarantees: a state is left out only if there is no path, or the work for one exploration ([`WORK`]) or
//! [`MAX_FORCED`] is used up. If the search for one state gives up before, the state counts as reachable:
//! exploring too much is sound, as states are real.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::engine::Engine;
use crate::explore::{AbstractId, Exploration, NodeId};
use crate::oracle::Unanswered;

/// Steps of one search backward.
const MAX_STEPS: usize = 3_000;
/// Edges and path elements looked at in one exploration. Small systems need a few thousand; beyond, paths
/// that repeat nothing are too many to be looked for (ticket locks of four processes and more).
pub(crate) const WORK: usize = 5_000_000;
/// States that may be expanded in one exploration although no path was found.
const MAX_FORCED: usize = 300;

/// A way: its first state, then cases and states.
pub(crate) type Way = (NodeId, Vec<(u32, NodeId)>);

/// States to expand now, each with a way to it.
pub(crate) fn unblocked(
    exploration: &mut Exploration,
    engine: &mut Engine,
) -> Result<Vec<(NodeId, Way)>, Unanswered> {
    let mut by_abstract: FxHashMap<AbstractId, Vec<NodeId>> = FxHashMap::default();
    let mut order = Vec::new();
    for id in exploration.nodes.ids() {
        let node = &exploration.nodes[id];
        if node.path.is_none() && !node.preds.is_empty() && exploration.has_room(node.abs) {
            let list = by_abstract.entry(node.abs).or_default();
            if list.is_empty() {
                order.push(node.abs);
            }
            list.push(id);
        }
    }
    let mut found = Vec::new();
    for abs in order {
        if exploration.work == 0 {
            break;
        }
        engine.oracle.still_time()?;
        let tree = avoiding(exploration, abs);
        exploration.work = exploration.work.saturating_sub(tree.len());
        for &node in &by_abstract[&abs] {
            let Some(way) = shortest(exploration, &tree, node) else { continue };
            if repeats_nothing(exploration, &way) {
                found.push((node, way));
                continue;
            }
            let mut work = exploration.work;
            let search = backward(exploration, &tree, node, &mut work);
            exploration.work = work;
            match search {
                Search::Found(way) => found.push((node, way)),
                Search::None => {}
                Search::GaveUp if exploration.forced < MAX_FORCED && exploration.work > 0 => {
                    exploration.forced += 1;
                    found.push((node, way));
                }
                Search::GaveUp => {}
            }
        }
    }
    Ok(found)
}

/// How each expanded state is reached first, breadth first, on ways without `abs`.
fn avoiding(exploration: &Exploration, abs: AbstractId) -> FxHashMap<NodeId, Option<(NodeId, u32)>> {
    let mut tree = FxHashMap::default();
    let mut queue = std::collections::VecDeque::new();
    for id in exploration.nodes.ids() {
        let node = &exploration.nodes[id];
        if node.is_initial && node.path.is_some() && node.abs != abs {
            tree.insert(id, None);
            queue.push_back(id);
        }
    }
    while let Some(id) = queue.pop_front() {
        for &(case, next) in &exploration.nodes[id].out {
            let node = &exploration.nodes[next];
            if node.path.is_some() && node.abs != abs && !tree.contains_key(&next) {
                tree.insert(next, Some((id, case)));
                queue.push_back(next);
            }
        }
    }
    tree
}

/// The way to `target` over a predecessor in `tree`.
fn shortest(
    exploration: &Exploration,
    tree: &FxHashMap<NodeId, Option<(NodeId, u32)>>,
    target: NodeId,
) -> Option<Way> {
    let (last, case) =
        exploration.nodes[target].preds.iter().copied().find(|(node, _)| tree.contains_key(node))?;
    let mut steps = vec![(case, target)];
    let mut at = last;
    while let Some((before, case)) = tree[&at] {
        steps.push((case, at));
        at = before;
    }
    steps.reverse();
    Some((at, steps))
}

fn repeats_nothing(exploration: &Exploration, way: &Way) -> bool {
    let mut seen = FxHashSet::default();
    let nodes = std::iter::once(way.0).chain(way.1.iter().map(|(_, node)| *node));
    nodes.into_iter().all(|node| seen.insert(exploration.nodes[node].abs))
}

enum Search {
    Found(Way),
    None,
    GaveUp,
}

/// Depth-first search backward from `target` over states of `tree`, no abstract state twice.
fn backward(
    exploration: &Exploration,
    tree: &FxHashMap<NodeId, Option<(NodeId, u32)>>,
    target: NodeId,
    work: &mut usize,
) -> Search {
    let mut used: FxHashSet<AbstractId> = FxHashSet::default();
    used.insert(exploration.nodes[target].abs);
    // States from the target backward: the next predecessor to try, and the case taken from this state.
    let mut stack: Vec<(NodeId, usize, Option<u32>)> = vec![(target, 0, None)];
    let mut steps = 0;
    while let Some((node, next, _)) = stack.last_mut() {
        let (node, at) = (*node, *next);
        *next += 1;
        let Some(&(before, case)) = exploration.nodes[node].preds.get(at) else {
            used.remove(&exploration.nodes[node].abs);
            stack.pop();
            continue;
        };
        steps += 1;
        if steps > MAX_STEPS || *work == 0 {
            return Search::GaveUp;
        }
        let abs = exploration.nodes[before].abs;
        if used.contains(&abs) || !tree.contains_key(&before) {
            continue;
        }
        let path = exploration.nodes[before].path.expect("states of the tree are expanded");
        let disjoint = {
            let mut at = Some(path);
            let mut free = true;
            while let Some(path) = at {
                let path = &exploration.paths[path];
                *work = work.saturating_sub(1);
                free &= !used.contains(&exploration.nodes[path.node].abs);
                at = path.before.map(|(before, _)| before);
            }
            free
        };
        if disjoint {
            // The remembered path of `before`, then the states found backward.
            let mut way: Vec<(u32, NodeId)> = Vec::new();
            let mut at = path;
            while let Some((earlier, case)) = exploration.paths[at].before {
                way.push((case, exploration.paths[at].node));
                at = earlier;
            }
            way.reverse();
            way.push((case, node));
            for window in stack.windows(2).rev() {
                let (later, _, _) = window[0];
                let (_, _, case) = window[1];
                way.push((case.expect("only the target has none"), later));
            }
            return Search::Found((exploration.paths[at].node, way));
        }
        used.insert(abs);
        stack.push((before, 0, Some(case)));
    }
    Search::None
}
