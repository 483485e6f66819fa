//! Small facts about numbers: constants, and ranges that one look at the definition gives.

use selvedge_program::{Const, Operand, Program};

/// The value of a constant integer of at most 64 bits, sign-extended; 0 for null.
pub(crate) fn constant(program: &Program, operand: Operand) -> Option<i64> {
    let Operand::Const(id) = operand else { return None };
    match &program.consts[id] {
        Const::Int { width, value } if (1..=64).contains(width) => {
            let unused = 64 - width;
            Some(((*value << unused) as i64) >> unused)
        }
        Const::Null => Some(0),
        _ => None,
    }
}
