//! Which registers of a function are used again after a place.
//!
//! Relies on registers being assigned once: a register that is used later is live wherever it is assigned
//! already.

use selvedge_base::Id;
use selvedge_program::{BlockId, Function, Operand, Reg};

/// Registers that an instruction after `idx` of `block` may read before it is assigned again.
pub fn live_after(function: &Function, block: BlockId, idx: usize) -> Vec<Reg> {
    let at_start = at_starts(function);
    numbered(&back_to(function, block, idx + 1, &at_start))
}

/// Registers that `block` or what follows may read before they are assigned again, its parameters included.
pub fn live_at(function: &Function, block: BlockId) -> Vec<Reg> {
    let at_start = at_starts(function);
    let mut live = at_start[block.index()].clone();
    for param in &function.blocks[block].params {
        live[param.index()] = true;
    }
    numbered(&live)
}

/// Whether instruction `idx` of `block`, or what follows it, may read each register before it is assigned again.
pub fn live_before(function: &Function, block: BlockId, idx: usize) -> Vec<bool> {
    before(function, block, idx, &at_starts(function))
}

fn numbered(live: &[bool]) -> Vec<Reg> {
    live.iter().enumerate().filter(|(_, live)| **live).map(|(reg, _)| Reg::new(reg)).collect()
}

/// Live registers at the start of each block, before its parameters are assigned.
fn at_starts(function: &Function) -> Vec<Vec<bool>> {
    // Backwards from the blocks' ends until nothing changes.
    let mut at_start = vec![vec![false; function.regs.len()]; function.blocks.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for b in (0..function.blocks.len()).rev() {
            let id = BlockId::new(b);
            let live = back_to(function, id, 0, &at_start);
            if live != at_start[b] {
                at_start[b] = live;
                changed = true;
            }
        }
    }
    at_start
}

/// Live registers before instruction `from` of a block, given those at the start of all blocks. A block's parameters are
/// assigned on the way to its first instruction.
fn back_to(function: &Function, block: BlockId, from: usize, at_start: &[Vec<bool>]) -> Vec<bool> {
    let mut live = before(function, block, from, at_start);
    if from == 0 {
        for reg in &function.blocks[block].params {
            live[reg.index()] = false;
        }
    }
    live
}

fn before(function: &Function, block: BlockId, from: usize, at_start: &[Vec<bool>]) -> Vec<bool> {
    let mut live = vec![false; function.regs.len()];
    for next in function.blocks[block].successors() {
        for (reg, is_live) in live.iter_mut().enumerate() {
            *is_live |= at_start[next.index()][reg];
        }
    }
    let insts = function.blocks[block].insts.get(from..).unwrap_or_default();
    for inst in insts.iter().rev() {
        inst.for_each_dst(|reg| live[reg.index()] = false);
        inst.for_each_operand(|operand| {
            if let Operand::Reg(reg) = operand {
                live[reg.index()] = true;
            }
        });
    }
    live
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_register_is_live_up_to_its_last_use_on_any_way() {
        let text = r#"
target 64
entry @f
func @f(%0: i32, %1: i32) -> i32 {
bb0:
  %2: i1 = cmp.slt i32 %0, 5i32
  jump bb1(%1)
bb1(%3: i32):
  %4: i32 = add i32 %3, %0
  branch %2, bb1(%4), bb2
bb2:
  return %4
}
"#;
        let program = selvedge_program::parse(text).expect("valid");
        let function = &program.funcs[program.entry.expect("given")];
        let live =
            |block, idx| live_after(function, BlockId(block), idx).iter().map(|r| r.0).collect::<Vec<_>>();
        assert_eq!(
            live(0, 0),
            [0, 1, 2],
            "the loop reads %0 and %2 again; its parameter is not assigned yet"
        );
        assert_eq!(live(1, 0), [0, 2, 4]);
        assert_eq!(live(2, 0), Vec::<u32>::new());
        let at = |block| live_at(function, BlockId(block)).iter().map(|r| r.0).collect::<Vec<_>>();
        assert_eq!(at(1), [0, 2, 3]);
        assert_eq!(at(2), [4]);
    }
}
