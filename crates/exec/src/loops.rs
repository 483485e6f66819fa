//! The loops of a function: which blocks belong to them, and for `--unwind`, where an iteration ends and where another one
//! begins.
//!
//! Guarantee: after N iterations a path goes on as long as it only decides whether there is another one. It is
//! cut where it cannot leave the loop any more without going round. A loop that decides at its end
//! (`do ... while`) is cut there.

use rustc_hash::FxHashSet;
use selvedge_base::Id;
use selvedge_program::{BlockId, Function, Inst};

use crate::image::{back_edges_of, successors};

/// The loops of one function.
#[derive(Debug, Default)]
pub(crate) struct Loops {
    loops: Vec<Loop>,
}

/// All edges back to one header.
#[derive(Debug)]
struct Loop {
    header: BlockId,
    latches: FxHashSet<BlockId>,
    blocks: FxHashSet<BlockId>,
    /// Blocks from which the loop can be left without going round.
    can_leave: FxHashSet<BlockId>,
    /// The latches that decide whether to leave.
    deciding: FxHashSet<BlockId>,
}

impl Loops {
    pub(crate) fn new(function: &Function) -> Self {
        let mut loops: Vec<Loop> = Vec::new();
        for (latch, header) in back_edges_of(function) {
            match loops.iter_mut().find(|l| l.header == header) {
                Some(known) => {
                    known.latches.insert(latch);
                }
                None => loops.push(Loop {
                    header,
                    latches: [latch].into_iter().collect(),
                    blocks: FxHashSet::default(),
                    can_leave: FxHashSet::default(),
                    deciding: FxHashSet::default(),
                }),
            }
        }
        if !loops.is_empty() {
            let n = function.blocks.len();
            let next: Vec<Vec<BlockId>> = (0..n).map(|b| successors(function, BlockId::new(b))).collect();
            let mut previous: Vec<Vec<BlockId>> = vec![Vec::new(); n];
            for (b, targets) in next.iter().enumerate() {
                targets.iter().for_each(|t| previous[t.index()].push(BlockId::new(b)));
            }
            let returns = reaching_return(function, &previous);
            loops.iter_mut().for_each(|l| l.complete(&next, &previous, &returns));
        }
        Loops { loops }
    }

    /// Whether a block belongs to the loop with this header.
    pub(crate) fn has_block(&self, header: BlockId, block: BlockId) -> bool {
        self.loops.iter().any(|l| l.header == header && l.blocks.contains(&block))
    }

    /// Counts the edge `from` to `to` in `counts` (header and iterations); false if the path is to be cut.
    pub(crate) fn count(
        &self,
        counts: &mut Vec<(BlockId, u64)>,
        from: BlockId,
        to: BlockId,
        max: u64,
    ) -> bool {
        for l in &self.loops {
            let known = counts.iter().position(|(header, _)| *header == l.header);
            if to == l.header {
                let at = known.unwrap_or_else(|| {
                    counts.push((l.header, 0));
                    counts.len() - 1
                });
                let n = &mut counts[at].1;
                let goes_round = l.latches.contains(&from);
                *n = if goes_round { *n + 1 } else { 0 };
                // Nothing is left to decide: the body runs again.
                let enters_body =
                    if goes_round { l.deciding.contains(&from) } else { l.deciding.len() == l.latches.len() };
                if *n > max || (enters_body && *n == max) {
                    return false;
                }
            } else if known.is_some_and(|at| counts[at].1 >= max)
                && l.blocks.contains(&from)
                && l.blocks.contains(&to)
                && !l.can_leave.contains(&to)
            {
                return false;
            }
        }
        true
    }
}

impl Loop {
    fn complete(&mut self, next: &[Vec<BlockId>], previous: &[Vec<BlockId>], returns: &[bool]) {
        self.blocks.insert(self.header);
        // Sorted, so that nothing depends on the order of a hash set.
        let mut work: Vec<BlockId> = self.latches.iter().copied().collect();
        work.sort_unstable_by_key(|b| b.index());
        while let Some(block) = work.pop() {
            if self.blocks.insert(block) {
                work.extend(&previous[block.index()]);
            }
        }
        let outside = |b: &BlockId| {
            let blocks = &self.blocks;
            next[b.index()].iter().filter(move |t| !blocks.contains(t))
        };
        // A failed assertion is no way out, unless all ways out end the program.
        let is_way_out = |b: &BlockId| outside(b).any(|t| returns[t.index()]);
        let any_returns = self.blocks.iter().any(is_way_out);
        let leaves = |b: &BlockId| if any_returns { is_way_out(b) } else { outside(b).next().is_some() };
        self.deciding = self.latches.iter().copied().filter(leaves).collect();
        let mut work: Vec<BlockId> = self.blocks.iter().copied().filter(leaves).collect();
        work.sort_unstable_by_key(|b| b.index());
        while let Some(block) = work.pop() {
            // Backwards, not across the edges that go round: they start the next iteration.
            if self.can_leave.insert(block) && block != self.header {
                work.extend(previous[block.index()].iter().filter(|b| self.blocks.contains(b)));
            }
        }
    }
}

/// For each block: whether the function can return from there.
fn reaching_return(function: &Function, previous: &[Vec<BlockId>]) -> Vec<bool> {
    let ends = |b: &BlockId| matches!(function.blocks[*b].insts.last(), Some(Inst::Return { .. }));
    let mut work: Vec<BlockId> = (0..previous.len()).map(BlockId::new).filter(ends).collect();
    let mut returns = vec![false; previous.len()];
    while let Some(block) = work.pop() {
        if !std::mem::replace(&mut returns[block.index()], true) {
            work.extend(&previous[block.index()]);
        }
    }
    returns
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs along `path`; how many of its blocks are entered before it is cut.
    fn entered(text: &str, path: &[u32], max: u64) -> usize {
        let program = selvedge_program::parse(text).expect("valid");
        let loops = Loops::new(&program.funcs[program.entry.expect("given")]);
        let mut counts = Vec::new();
        let edges = path.windows(2);
        1 + edges.take_while(|e| loops.count(&mut counts, BlockId(e[0]), BlockId(e[1]), max)).count()
    }

    const WHILE: &str = "target 64
entry @f
func @f(%0: i1, %1: i1) {
bb0:
  jump bb1
bb1:
  branch %0, bb2, bb3(false)
bb2:
  jump bb3(%1)
bb3(%2: i1):
  branch %2, bb4, bb5
bb4:
  jump bb1
bb5:
  return
}
";

    const DO_WHILE: &str = "target 64
entry @f
func @f(%0: i1) {
bb0:
  jump bb1
bb1:
  jump bb2
bb2:
  branch %0, bb1, bb3
bb3:
  return
}
";

    #[test]
    fn the_body_of_a_while_loop_runs_as_often_as_allowed() {
        let round = [1, 2, 3, 4];
        let path: Vec<u32> = [0].into_iter().chain(round.repeat(3)).collect();
        assert_eq!(entered(WHILE, &path, 0), 1 + 3, "only the condition");
        assert_eq!(entered(WHILE, &path, 2), 1 + 4 + 4 + 3);
        let leaves: Vec<u32> = [0].into_iter().chain(round.repeat(2)).chain([1, 3, 5]).collect();
        assert_eq!(entered(WHILE, &leaves, 2), leaves.len(), "a loop of two iterations is complete");
    }

    #[test]
    fn the_body_of_a_do_loop_runs_as_often_as_allowed() {
        let path = [0, 1, 2, 1, 2, 1, 2, 3];
        assert_eq!(entered(DO_WHILE, &path, 2), 5);
        assert_eq!(entered(DO_WHILE, &path, 3), path.len());
        assert_eq!(entered(DO_WHILE, &path, 0), 1);
    }
}
