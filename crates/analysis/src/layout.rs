//! Program-wide numbers of instructions and registers, so that facts about them are plain vectors.

use selvedge_base::{Dense, Id, define_id};
use selvedge_program::{BlockId, FuncId, Inst, Operand, Program, Reg};

define_id!(
    /// An instruction, numbered over the whole program in text order.
    pub struct InstId, "i"
);

/// Where an instruction is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Point {
    /// Its function.
    pub func: FuncId,
    /// Its block.
    pub block: BlockId,
    /// Its position in the block.
    pub inst: usize,
}

/// The numbering of one program.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// For each function and block, the number of its first instruction.
    first: Vec<Vec<u32>>,
    points: Dense<InstId, Point>,
    /// For each function, the number of its first register.
    regs: Vec<u32>,
    n_regs: u32,
}

impl Layout {
    pub(crate) fn new(program: &Program) -> Layout {
        let mut layout = Layout { first: Vec::new(), points: Dense::new(), regs: Vec::new(), n_regs: 0 };
        for (func, function) in program.funcs.enumerate() {
            layout.regs.push(layout.n_regs);
            layout.n_regs += function.regs.len() as u32;
            let mut blocks = Vec::with_capacity(function.blocks.len());
            for (block, body) in function.blocks.enumerate() {
                blocks.push(layout.points.len() as u32);
                for inst in 0..body.insts.len() {
                    layout.points.push(Point { func, block, inst });
                }
            }
            layout.first.push(blocks);
        }
        layout
    }

    /// The number of an instruction; `None` if there is no such place.
    pub(crate) fn id(&self, point: Point) -> Option<InstId> {
        let first = *self.first.get(point.func.index())?.get(point.block.index())?;
        let id = InstId::new(first as usize + point.inst);
        (self.points.get(id) == Some(&point)).then_some(id)
    }

    /// The number of the first instruction of a block.
    pub(crate) fn first(&self, func: FuncId, block: BlockId) -> InstId {
        InstId(self.first[func.index()][block.index()])
    }

    pub(crate) fn point(&self, id: InstId) -> Point {
        self.points[id]
    }

    pub(crate) fn inst<'p>(&self, program: &'p Program, id: InstId) -> &'p Inst {
        let at = self.points[id];
        &program.funcs[at.func].blocks[at.block].insts[at.inst]
    }

    pub(crate) fn n_insts(&self) -> usize {
        self.points.len()
    }

    /// The numbers of all instructions of a function.
    pub(crate) fn insts_of(&self, func: FuncId) -> impl Iterator<Item = InstId> + use<> {
        let first = |func: usize| {
            let later = self.first[func..].iter().find_map(|blocks| blocks.first());
            later.map_or(self.points.len(), |first| *first as usize)
        };
        (first(func.index())..first(func.index() + 1)).map(InstId::new)
    }

    /// The number of the terminator of a block.
    pub(crate) fn last(&self, program: &Program, func: FuncId, block: BlockId) -> InstId {
        let n = program.funcs[func].blocks[block].insts.len();
        InstId(self.first(func, block).0 + n as u32 - 1)
    }

    pub(crate) fn reg(&self, func: FuncId, reg: Reg) -> usize {
        self.regs[func.index()] as usize + reg.index()
    }

    /// The function of a register.
    pub(crate) fn func_of_reg(&self, reg: usize) -> FuncId {
        FuncId::new(self.regs.partition_point(|first| *first as usize <= reg) - 1)
    }

    pub(crate) fn n_regs(&self) -> usize {
        self.n_regs as usize
    }

    /// The register of an operand.
    pub(crate) fn operand(&self, func: FuncId, operand: Operand) -> Option<usize> {
        match operand {
            Operand::Reg(reg) => Some(self.reg(func, reg)),
            Operand::Const(_) => None,
        }
    }
}
