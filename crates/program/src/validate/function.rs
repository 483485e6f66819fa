//! Functions: shape of blocks, single assignment, dominance, edges.

use selvedge_base::Id;

use super::{Ctx, Where, Wrong};
use crate::flow::{Dominators, Flow};
use crate::{Block, BlockId, FuncId, Function, Operand, Reg, Ty};

/// Where a register gets its value.
#[derive(Clone, Copy)]
enum Assigned {
    Never,
    /// At the start of a block (block 0 for function parameters), or by its `n`-th instruction as `n + 1`.
    At(BlockId, usize),
}

impl Ctx<'_> {
    pub(super) fn function(&mut self, id: FuncId, func: &Function) {
        self.loc(func.loc);
        for info in func.regs.iter() {
            self.ty(info.ty);
            self.debug_type_in_range(info.var_ty);
        }
        func.ret.iter().for_each(|ty| self.ty(*ty));
        let (params, byval) = (func.params.len(), func.byval.len());
        self.ensure(params == byval, || Wrong::ByvalCount { params, byval });
        let mut assigned = vec![Assigned::Never; func.regs.len()];
        for (index, &param) in func.params.iter().enumerate() {
            self.assign(func, &mut assigned, param, Assigned::At(BlockId(0), 0));
            if let Some(ty) = func.regs.get(param).map(|info| info.ty)
                && func.byval.get(index).is_some_and(Option::is_some)
            {
                self.ensure(ty == Ty::Ptr, || Wrong::Type { expected: "ptr".to_owned(), found: ty });
            }
        }
        for (block_id, block) in func.blocks.enumerate() {
            self.place = Where::Block(id, block_id);
            self.shape(block_id, block);
            for &param in &block.params {
                self.assign(func, &mut assigned, param, Assigned::At(block_id, 0));
            }
            for (index, inst) in block.insts.iter().enumerate() {
                self.place = Where::Inst(id, block_id, index);
                inst.for_each_dst(|dst| {
                    self.assign(func, &mut assigned, dst, Assigned::At(block_id, index + 1));
                });
            }
        }
        let dominators = Dominators::new(&Flow::new(func));
        for (block_id, block) in func.blocks.enumerate() {
            for (index, inst) in block.insts.iter().enumerate() {
                self.place = Where::Inst(id, block_id, index);
                inst.for_each_operand(|operand| {
                    self.used(&assigned, &dominators, *operand, block_id, index);
                });
                self.instruction(func, inst);
                inst.edges().for_each(|edge| self.edge(func, edge));
            }
        }
    }

    fn shape(&mut self, id: BlockId, block: &Block) {
        self.ensure(id.index() > 0 || block.params.is_empty(), || Wrong::EntryParams);
        let (insts, locs) = (block.insts.len(), block.locs.len());
        self.ensure(insts == locs, || Wrong::LocCount { insts, locs });
        block.locs.iter().for_each(|loc| self.loc(*loc));
        self.ensure(block.terminator().is_some(), || Wrong::NoTerminator);
        let early = block.insts.iter().rev().skip(1).any(crate::Inst::is_terminator);
        self.ensure(!early, || Wrong::EarlyTerminator);
    }

    fn assign(&mut self, func: &Function, assigned: &mut [Assigned], reg: Reg, at: Assigned) {
        if self.in_range(reg, reg.0, func.regs.len()) {
            let slot = &mut assigned[reg.index()];
            let first = matches!(slot, Assigned::Never);
            if first {
                *slot = at;
            }
            self.ensure(first, || Wrong::AssignedTwice(reg));
        }
    }

    fn used(
        &mut self,
        assigned: &[Assigned],
        dominators: &Dominators,
        operand: Operand,
        block: BlockId,
        index: usize,
    ) {
        let reg = match operand {
            Operand::Const(id) => {
                self.in_range(id, id.0, self.program.consts.len());
                return;
            }
            Operand::Reg(reg) => reg,
        };
        if !self.in_range(reg, reg.0, assigned.len()) {
            return;
        }
        match assigned[reg.index()] {
            Assigned::Never => self.report(Wrong::NeverAssigned(reg)),
            Assigned::At(home, step) => {
                let before = if home == block { step <= index } else { dominators.dominates(home, block) };
                self.ensure(before || !dominators.is_reachable(block), || Wrong::NotDominated(reg));
            }
        }
    }

    fn edge(&mut self, func: &Function, edge: &crate::Edge) {
        let target = edge.target;
        if !self.in_range(target, target.0, func.blocks.len()) {
            return;
        }
        let params = &func.blocks[target].params;
        let (expected, found) = (params.len(), edge.args.len());
        if self.ensure(expected == found, || Wrong::EdgeCount { target, expected, found }) {
            for (&param, &arg) in params.iter().zip(&edge.args) {
                if let Some(info) = func.regs.get(param) {
                    self.has_ty(func, arg, info.ty);
                }
            }
        }
    }
}
