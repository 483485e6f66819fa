//! Joins a block with its only successor where it is that block's only predecessor.
//!
//! clang's blocks follow the syntax: a `for` loop has five of them and three are only jumps. Each
//! jump is a step for every later layer. Nothing else changes: same instructions, same order.

use selvedge_base::{Dense, Id};
use selvedge_program::{Block, BlockId, Edge, Function, Inst};

/// Joins blocks of a function and numbers the rest anew, in the same order. Functions with computed
/// jumps stay as they are, because constants name their blocks.
/// Gives, for each old block, where its instructions are now: in which block, from which position on.
pub(super) fn merge_blocks(func: &mut Function) -> Vec<(BlockId, usize)> {
    let mut places: Vec<(BlockId, usize)> = func.blocks.ids().map(|id| (id, 0)).collect();
    let is_computed = |inst: &Inst| matches!(inst, Inst::IndirectJump { .. });
    if func.blocks.iter().any(|block| block.insts.last().is_some_and(is_computed)) {
        return places;
    }
    let mut n_predecessors = vec![0u32; func.blocks.len()];
    for block in func.blocks.iter() {
        block.edges().for_each(|edge| n_predecessors[edge.target.index()] += 1);
    }
    let mut is_gone = vec![false; func.blocks.len()];
    for id in func.blocks.ids() {
        if is_gone[id.index()] {
            continue;
        }
        while let Some(next) = only_successor(&func.blocks[id], id) {
            if n_predecessors[next.index()] != 1 || next.index() == 0 || !func.blocks[next].params.is_empty()
            {
                break;
            }
            let next_block = std::mem::take(&mut func.blocks[next]);
            is_gone[next.index()] = true;
            let block = &mut func.blocks[id];
            block.insts.pop();
            block.locs.pop();
            places[next.index()] = (id, block.insts.len());
            block.insts.extend(next_block.insts);
            block.locs.extend(next_block.locs);
        }
    }
    let new_ids = renumber(func, &is_gone);
    let follow = |id: BlockId| {
        let (mut block, mut start) = places[id.index()];
        while is_gone[block.index()] {
            let (into, at) = places[block.index()];
            (block, start) = (into, at + start);
        }
        (new_ids[block.index()], start)
    };
    (0..is_gone.len()).map(|index| follow(BlockId::new(index))).collect()
}

/// The block that a plain jump without arguments leads to.
fn only_successor(block: &Block, own: BlockId) -> Option<BlockId> {
    match block.insts.last() {
        Some(Inst::Jump { edge }) if edge.args.is_empty() && edge.target != own => Some(edge.target),
        _ => None,
    }
}

/// Gives the new numbers of the blocks that are left.
fn renumber(func: &mut Function, is_gone: &[bool]) -> Vec<BlockId> {
    let mut new_ids = vec![BlockId(0); is_gone.len()];
    let mut kept = Dense::new();
    for (index, block) in std::mem::take(&mut func.blocks).iter_mut().enumerate() {
        if !is_gone[index] {
            new_ids[index] = kept.push(std::mem::take(block));
        }
    }
    let rename = |edge: &mut Edge| edge.target = new_ids[edge.target.index()];
    for block in kept.iter_mut() {
        match block.insts.last_mut() {
            Some(Inst::Jump { edge }) => rename(edge),
            Some(Inst::Branch { then, otherwise, .. }) => {
                rename(then);
                rename(otherwise);
            }
            Some(Inst::Switch { cases, default, .. }) => {
                cases.iter_mut().for_each(|(_, edge)| rename(edge));
                rename(default);
            }
            _ => {}
        }
    }
    func.blocks = kept;
    new_ids
}
