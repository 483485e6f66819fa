//! Stores to bit-fields.
//!
//! clang writes such a store as a load, a mask, an or, and a store; that the load reads bits that were never written means
//! nothing. The sequence has one place in the source, and the same written by hand has several: the one thing that an
//! execution takes from debug information, and therefore part of a function's [digest](crate::stable).

use crate::{BinOp, Block, Inst, Operand};

impl Block {
    /// Whether the instruction at `index` is the load of clang's sequence for a store to a bit-field.
    pub fn is_store_to_bit_field(&self, index: usize) -> bool {
        let Some(Inst::Load { dst, ptr, .. }) = self.insts.get(index) else { return false };
        let place = self.locs[index];
        let (mut held, mut is_cleared) = (*dst, false);
        for (inst, loc) in self.insts.iter().zip(&self.locs).skip(index + 1) {
            match inst {
                _ if *loc != place || !place.is_known() => return false,
                Inst::Bin { dst, op: BinOp::And, a: Operand::Reg(a), b: Operand::Const(_), .. }
                    if *a == held =>
                {
                    (held, is_cleared) = (*dst, true);
                }
                Inst::Bin { dst, op: BinOp::Or, a: Operand::Reg(a), .. } if *a == held => held = *dst,
                Inst::Bin { .. } | Inst::Cast { .. } => {}
                Inst::Store { value, ptr: to, .. } => {
                    return is_cleared && *value == Operand::Reg(held) && to == ptr;
                }
                _ => return false,
            }
        }
        false
    }
}
