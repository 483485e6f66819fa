//! Control dependence: which branches decide whether a block is executed.
//!
//! Paper: Ferrante, Ottenstein, Warren, "The program dependence graph and its use in optimization", TOPLAS 1987.
//! Blocks from which the function cannot be left get an edge to its end, which only adds dependences. That a loop may
//! not terminate is not seen here: the slice contains every branch that decides it (see `endless`).

use selvedge_base::{Dense, Id};
use selvedge_program::{BlockId, Flow, PostDominators};

/// For each block the branches that decide about it.
#[derive(Clone, Debug)]
pub(crate) struct Control {
    deciders: Dense<BlockId, Vec<BlockId>>,
}

impl Control {
    pub(crate) fn new(flow: &Flow) -> Control {
        let post = PostDominators::new(flow);
        let blocks = || (0..flow.n_blocks()).map(BlockId::new);
        let mut deciders: Dense<BlockId, Vec<BlockId>> = blocks().map(|_| Vec::new()).collect();
        for block in blocks() {
            let targets = flow.successors(block);
            if targets.len() + usize::from(post.is_stuck(block)) < 2 {
                continue;
            }
            for &target in targets {
                // Everything from the target up to, but without, the branch's own post-dominator.
                let mut at = Some(target);
                while let Some(here) = at.filter(|_| at != post.immediate(block)) {
                    let list = &mut deciders[here];
                    if list.last() != Some(&block) {
                        list.push(block);
                    }
                    at = post.immediate(here);
                }
            }
        }
        Control { deciders }
    }

    /// The blocks whose terminators decide whether `block` is executed.
    pub(crate) fn deciders(&self, block: BlockId) -> &[BlockId] {
        &self.deciders[block]
    }
}

#[cfg(test)]
mod tests {
    use selvedge_program::{FuncId, parse};

    use super::*;

    fn deciders(text: &str) -> Vec<Vec<u32>> {
        let program = parse(text).unwrap();
        let control = Control::new(&Flow::new(&program.funcs[FuncId(0)]));
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
