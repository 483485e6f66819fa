//! What operands are: constants, and registers by what assigns them.

use selvedge_base::Id;
use selvedge_program::{BlockId, Const, FuncId, Inst, Operand, Program};

use crate::layout::{InstId, Layout};

/// What assigns a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Def {
    /// Nothing.
    None,
    /// An instruction.
    Inst(InstId),
    /// The edges into a block: parameter of this position.
    Block(BlockId, u32),
    /// The calls of the function: parameter of this position.
    Param(u32),
}

/// Definitions of all registers.
#[derive(Clone, Debug)]
pub(crate) struct Defs {
    defs: Vec<Def>,
}

impl Defs {
    pub(crate) fn new(program: &Program, layout: &Layout) -> Defs {
        let mut defs = vec![Def::None; layout.n_regs()];
        for (func, function) in program.funcs.enumerate() {
            for (i, param) in function.params.iter().enumerate() {
                defs[layout.reg(func, *param)] = Def::Param(i as u32);
            }
            for (block, body) in function.blocks.enumerate() {
                for (i, param) in body.params.iter().enumerate() {
                    defs[layout.reg(func, *param)] = Def::Block(block, i as u32);
                }
                let first = layout.first(func, block);
                for (i, inst) in body.insts.iter().enumerate() {
                    let id = InstId::new(first.index() + i);
                    inst.for_each_dst(|dst| defs[layout.reg(func, dst)] = Def::Inst(id));
                }
            }
        }
        Defs { defs }
    }

    /// What assigns the register of this program-wide number.
    pub(crate) fn of(&self, reg: usize) -> Def {
        self.defs[reg]
    }

    /// The instruction that computes an operand.
    pub(crate) fn inst<'p>(
        &self,
        program: &'p Program,
        layout: &Layout,
        func: FuncId,
        operand: Operand,
    ) -> Option<(InstId, &'p Inst)> {
        match self.of(layout.operand(func, operand)?) {
            Def::Inst(id) => Some((id, layout.inst(program, id))),
            _ => None,
        }
    }
}

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
