//! Whether the instructions that two versions share are executed under the same branches and in the same order.
//!
//! Instructions stay the same while control around them changes: one is moved under a branch, a `break` disappears, a
//! loop is turned round. Two things are compared for the instructions of each block: which ways of which branches decide
//! about them, and which of the others can come after them, with and without going back in a loop.
//! Guarantee: where neither differs, the shared instructions are executed in the same order whenever the same branches
//! go the same ways.

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_base::{Dense, Id};
use selvedge_program::{BlockId, Flow, Function, PostDominators};

use super::function::Version;

/// The control flow of one version.
struct Ways {
    /// By block: the branches, and which of their edges, that decide whether it is executed.
    deciders: Dense<BlockId, Vec<(BlockId, usize)>>,
    /// By block: which blocks can come after it, and which without an edge that goes back.
    after: Vec<Vec<bool>>,
    ahead: Vec<Vec<bool>>,
}

impl Ways {
    fn new(function: &Function) -> Ways {
        let flow = Flow::new(function);
        let back: FxHashSet<(BlockId, BlockId)> = flow.back_edges().iter().copied().collect();
        let reach = |goes_back: bool| {
            let from = |block: BlockId| {
                let mut seen = vec![false; flow.n_blocks()];
                let mut work = vec![block];
                while let Some(here) = work.pop() {
                    for &next in flow.successors(here) {
                        let is_way = goes_back || !back.contains(&(here, next));
                        if is_way && !std::mem::replace(&mut seen[next.index()], true) {
                            work.push(next);
                        }
                    }
                }
                seen
            };
            function.blocks.ids().map(from).collect()
        };
        Ways { deciders: deciders(function, &flow), after: reach(true), ahead: reach(false) }
    }
}

/// As [`Control`](crate::control::Control), with the edges.
fn deciders(function: &Function, flow: &Flow) -> Dense<BlockId, Vec<(BlockId, usize)>> {
    let post = PostDominators::new(flow);
    let mut deciders: Dense<BlockId, Vec<(BlockId, usize)>> =
        function.blocks.ids().map(|_| Vec::new()).collect();
    for (block, body) in function.blocks.enumerate() {
        let n = flow.successors(block).len();
        if n + usize::from(post.is_stuck(block)) < 2 {
            continue;
        }
        for (edge, target) in body.successors().enumerate() {
            let mut at = Some(target);
            while let Some(here) = at.filter(|_| at != post.immediate(block)) {
                if deciders[here].last() != Some(&(block, edge)) {
                    deciders[here].push((block, edge));
                }
                at = post.immediate(here);
            }
        }
    }
    deciders
}

/// The pairs, by their number, that are executed under other branches or in another order. Registers and constants are
/// not looked at.
pub(super) fn moved(old: &Version<'_>, new: &Version<'_>, pairs: &[(usize, usize, bool)]) -> Vec<usize> {
    // Everything in one block of the old version that is in one block of the new one is in the same situation.
    let mut groups: FxHashMap<(BlockId, BlockId), usize> = FxHashMap::default();
    let mut places: Vec<(BlockId, BlockId)> = Vec::new();
    let mut members: Vec<Vec<usize>> = Vec::new();
    for (number, &(a, b, _)) in pairs.iter().enumerate() {
        let place = (old.block_of(a), new.block_of(b));
        let group = *groups.entry(place).or_insert_with(|| {
            places.push(place);
            members.push(Vec::new());
            places.len() - 1
        });
        members[group].push(number);
    }
    let partner: FxHashMap<usize, usize> = pairs.iter().map(|&(a, b, _)| (a, b)).collect();
    let (before, now) = (Ways::new(old.function()), Ways::new(new.function()));
    let end = |version: &Version<'_>, block: BlockId| {
        version.position(block, version.function().blocks[block].insts.len() - 1)
    };
    let mut is_moved = vec![false; places.len()];
    for (group, &(from, to)) in places.iter().enumerate() {
        let mapped: Option<FxHashSet<(usize, usize)>> = before.deciders[from]
            .iter()
            .map(|(block, edge)| Some((*partner.get(&end(old, *block))?, *edge)))
            .collect();
        let found: FxHashSet<(usize, usize)> =
            now.deciders[to].iter().map(|(block, edge)| (end(new, *block), *edge)).collect();
        is_moved[group] = mapped != Some(found);
    }
    for (x, &(old_x, new_x)) in places.iter().enumerate() {
        for (y, &(old_y, new_y)) in places.iter().enumerate() {
            // Pairs are in text order, which decides within a block.
            let goes = |ways: &[Vec<bool>], from: BlockId, to: BlockId, in_text: bool| {
                ways[from.index()][to.index()] || (from == to && in_text)
            };
            let is_before = members[x][0] <= members[y][0];
            let differs = |was: &Ways, is: &Ways| {
                goes(&was.after, old_x, old_y, is_before) != goes(&is.after, new_x, new_y, is_before)
                    || goes(&was.ahead, old_x, old_y, is_before) != goes(&is.ahead, new_x, new_y, is_before)
            };
            if differs(&before, &now) {
                (is_moved[x], is_moved[y]) = (true, true);
            }
        }
    }
    let moved = members.into_iter().zip(is_moved).filter(|(_, moved)| *moved);
    let mut numbers: Vec<usize> = moved.flat_map(|(members, _)| members).collect();
    numbers.sort_unstable();
    numbers
}
