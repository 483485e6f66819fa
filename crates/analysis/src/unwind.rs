//! For `--unwind`: where an iteration of a loop ends, and where another one begins.
//!
//! Guarantee: after N iterations a path goes on as long as it only decides whether there is another one. It is
//! cut where it cannot leave the loop any more without going round. A loop that decides at its end
//! (`do ... while`) is cut there.

use rustc_hash::FxHashSet;
use selvedge_base::Dense;
use selvedge_program::{BlockId, Flow, Function, Inst, Loop, Loops};

/// The loops of one function, and where they are left.
#[derive(Debug, Default)]
pub struct Unwinding {
    /// The loops.
    pub loops: Loops,
    /// For each of them.
    ways_out: Vec<WaysOut>,
}

#[derive(Debug)]
struct WaysOut {
    /// Blocks from which the loop can be left without going round.
    can_leave: FxHashSet<BlockId>,
    /// The latches that decide whether to leave.
    deciding: FxHashSet<BlockId>,
}

impl Unwinding {
    /// Looks at a function.
    pub fn new(function: &Function) -> Unwinding {
        let flow = Flow::new(function);
        if flow.back_edges().is_empty() {
            return Unwinding::default();
        }
        let loops = Loops::new(&flow);
        let returns = reaching_return(function, &flow);
        let ways_out = loops.iter().map(|l| WaysOut::new(l, &flow, &returns)).collect();
        Unwinding { loops, ways_out }
    }

    /// Counts the edge `from` to `to` in `counts` (head and iterations); false if the path is to be cut.
    pub fn count(&self, counts: &mut Vec<(BlockId, u64)>, from: BlockId, to: BlockId, max: u64) -> bool {
        for (l, out) in self.loops.iter().zip(&self.ways_out) {
            let known = counts.iter().position(|(head, _)| *head == l.head);
            if to == l.head {
                let at = known.unwrap_or_else(|| {
                    counts.push((l.head, 0));
                    counts.len() - 1
                });
                let n = &mut counts[at].1;
                let goes_round = l.latches.contains(&from);
                *n = if goes_round { *n + 1 } else { 0 };
                // Nothing is left to decide: the body runs again.
                let enters_body = if goes_round {
                    out.deciding.contains(&from)
                } else {
                    out.deciding.len() == l.latches.len()
                };
                if *n > max || (enters_body && *n == max) {
                    return false;
                }
            } else if known.is_some_and(|at| counts[at].1 >= max)
                && l.has(from)
                && l.has(to)
                && !out.can_leave.contains(&to)
            {
                return false;
            }
        }
        true
    }
}

impl WaysOut {
    fn new(l: &Loop, flow: &Flow, returns: &Dense<BlockId, bool>) -> WaysOut {
        let outside = |b: &BlockId| flow.successors(*b).iter().filter(|t| !l.has(**t));
        // A failed assertion is no way out, unless all ways out end the program.
        let is_way_out = |b: &BlockId| outside(b).any(|t| returns[*t]);
        let any_returns = l.blocks().iter().any(is_way_out);
        let leaves = |b: &BlockId| if any_returns { is_way_out(b) } else { outside(b).next().is_some() };
        let deciding = l.latches.iter().copied().filter(leaves).collect();
        let mut work: Vec<BlockId> = l.blocks().iter().copied().filter(leaves).collect();
        let mut can_leave = FxHashSet::default();
        while let Some(block) = work.pop() {
            // Backwards, not across the edges that go round: they start the next iteration.
            if can_leave.insert(block) && block != l.head {
                work.extend(flow.predecessors(block).iter().filter(|b| l.has(**b)));
            }
        }
        WaysOut { can_leave, deciding }
    }
}

/// For each block: whether the function can return from there.
fn reaching_return(function: &Function, flow: &Flow) -> Dense<BlockId, bool> {
    let ends = |b: &BlockId| matches!(function.blocks[*b].terminator(), Some(Inst::Return { .. }));
    let mut work: Vec<BlockId> = function.blocks.ids().filter(ends).collect();
    let mut returns: Dense<BlockId, bool> = function.blocks.ids().map(|_| false).collect();
    while let Some(block) = work.pop() {
        if !std::mem::replace(&mut returns[block], true) {
            work.extend(flow.predecessors(block));
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
        let loops = Unwinding::new(&program.funcs[program.entry.expect("given")]);
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
