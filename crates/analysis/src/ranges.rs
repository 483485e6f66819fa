//! Signed ranges of integers, as far as one look around the definition gives them: masks, remainders, conversions from
//! narrow types, and counters of loops.
//!
//! Guarantee: in every execution the value lies in the range when control is in the block asked about.

use selvedge_base::Id;
use selvedge_program::{
    BinOp, BlockId, CastOp, CmpOp, Dominators, FuncId, Function, Inst, Operand, Program, Ty,
};

use crate::defs::{Def, Defs, constant};
use crate::layout::Layout;

/// Definitions to look through.
const MAX_DEPTH: u32 = 8;

/// What ranges are computed from.
pub(crate) struct Ranges<'a> {
    pub(crate) program: &'a Program,
    pub(crate) layout: &'a Layout,
    pub(crate) defs: &'a Defs,
}

impl Ranges<'_> {
    /// The smallest and largest signed value of `operand`, which has `width` bits, in `block`.
    pub(crate) fn of(
        &self,
        func: FuncId,
        dominators: &Dominators,
        block: BlockId,
        operand: Operand,
        width: u32,
    ) -> Option<(i64, i64)> {
        self.look(func, dominators, block, operand, width, 0)
    }

    fn look(
        &self,
        func: FuncId,
        dominators: &Dominators,
        block: BlockId,
        operand: Operand,
        width: u32,
        depth: u32,
    ) -> Option<(i64, i64)> {
        if let Some(value) = constant(self.program, operand) {
            return Some((value, value));
        }
        if depth > MAX_DEPTH || !(1..=64).contains(&width) {
            return None;
        }
        let reg = self.layout.operand(func, operand)?;
        let id = match self.defs.of(reg) {
            Def::Inst(id) => id,
            Def::Block(..) => return self.counter(func, dominators, block, operand, width),
            _ => return None,
        };
        let deeper =
            |operand: Operand, width: u32| self.look(func, dominators, block, operand, width, depth + 1);
        match self.layout.inst(self.program, id) {
            Inst::Bin { op: BinOp::And, a, b, .. } => {
                let mask = [a, b].into_iter().filter_map(|x| constant(self.program, *x)).find(|m| *m >= 0)?;
                Some((0, mask))
            }
            Inst::Bin { op: BinOp::URem, b, .. } => {
                let divisor = constant(self.program, *b).filter(|d| *d > 0)?;
                Some((0, divisor - 1))
            }
            Inst::Bin { op: BinOp::SRem, b, .. } => {
                let divisor = constant(self.program, *b).filter(|d| *d > 0)?;
                Some((1 - divisor, divisor - 1))
            }
            Inst::Bin { op: op @ (BinOp::Add | BinOp::Sub), a, b, .. } => {
                let ((a0, a1), (b0, b1)) = (deeper(*a, width)?, deeper(*b, width)?);
                let (low, high) = match op {
                    BinOp::Add => (a0.checked_add(b0)?, a1.checked_add(b1)?),
                    _ => (a0.checked_sub(b1)?, a1.checked_sub(b0)?),
                };
                fits(low, high, width)
            }
            Inst::Cast { op: CastOp::ZExt, from: Ty::Int(from), a, .. } => {
                match deeper(*a, *from).filter(|(low, _)| *low >= 0) {
                    Some(range) => Some(range),
                    None => (*from < 63).then(|| (0, (1i64 << from) - 1)),
                }
            }
            Inst::Cast { op: CastOp::SExt, from: Ty::Int(from), a, .. } => deeper(*a, *from)
                .or_else(|| (*from < 63).then(|| (-(1i64 << (from - 1)), (1i64 << (from - 1)) - 1))),
            Inst::Cast { op: CastOp::Trunc, from: Ty::Int(from), a, .. } => {
                let (low, high) = deeper(*a, *from)?;
                fits(low, high, width)
            }
            Inst::Cmp { .. } | Inst::FCmp { .. } => Some((-1, 0)),
            Inst::Copy { a, .. } | Inst::Freeze { a, .. } => deeper(*a, width),
            Inst::Select { a, b, .. } => {
                let ((a0, a1), (b0, b1)) = (deeper(*a, width)?, deeper(*b, width)?);
                Some((a0.min(b0), a1.max(b1)))
            }
            _ => None,
        }
    }

    /// The range of a counter in a block that the loop's condition guards: it begins with a constant, only grows, and
    /// grows only where it is known to be below the bound, so it never wraps.
    fn counter(
        &self,
        func: FuncId,
        dominators: &Dominators,
        block: BlockId,
        counter: Operand,
        width: u32,
    ) -> Option<(i64, i64)> {
        let function = &self.program.funcs[func];
        let (guarded, last) = self.guard(func, function, dominators, block, counter, width)?;
        let Def::Block(head, position) = self.defs.of(self.layout.operand(func, counter)?) else {
            return None;
        };
        let mut first = i64::MAX;
        let mut is_simple = true;
        for (from, body) in function.blocks.enumerate() {
            body.edges().for_each(|edge| {
                if edge.target != head || !dominators.is_reachable(from) {
                    return;
                }
                let value = edge.args[position as usize];
                if let Some(start) = constant(self.program, value) {
                    first = first.min(start);
                    return;
                }
                let step = match self.defs.inst(self.program, self.layout, func, value) {
                    Some((at, Inst::Bin { op: BinOp::Add, a, b, .. })) if *a == counter => {
                        constant(self.program, *b).map(|by| (self.layout.point(at).block, by))
                    }
                    _ => None,
                };
                let max = if width == 64 { i64::MAX } else { (1i64 << (width - 1)) - 1 };
                is_simple &= step.is_some_and(|(at, by)| {
                    by > 0
                        && dominators.dominates(guarded, at)
                        && last.checked_add(by).is_some_and(|n| n <= max)
                });
            });
        }
        (is_simple && first <= last).then_some((first, last))
    }

    /// A block that dominates `block` and is entered only if `counter` is at most the given number.
    fn guard(
        &self,
        func: FuncId,
        function: &Function,
        dominators: &Dominators,
        block: BlockId,
        counter: Operand,
        width: u32,
    ) -> Option<(BlockId, i64)> {
        let mut at = block;
        loop {
            let above = dominators.immediate(at)?;
            if let Some(Inst::Branch { cond, then, otherwise }) = function.blocks[above].terminator()
                && then.target != otherwise.target
                && let Some((_, Inst::Cmp { op, width: compared, a, b, .. })) =
                    self.defs.inst(self.program, self.layout, func, *cond)
                && *compared == width
                && *a == counter
                && then.target == at
                && n_entries(function, at) == 1
                && let Some(bound) = constant(self.program, *b)
            {
                match op {
                    CmpOp::Slt => return Some((at, bound.checked_sub(1)?)),
                    CmpOp::Sle => return Some((at, bound)),
                    CmpOp::Ult if bound > 0 => return Some((at, bound - 1)),
                    CmpOp::Ule if bound >= 0 => return Some((at, bound)),
                    CmpOp::Ne | CmpOp::Eq | CmpOp::Ult | CmpOp::Ule => {}
                }
            }
            at = above;
        }
    }
}

fn n_entries(function: &Function, block: BlockId) -> usize {
    let mut n = usize::from(block.index() == 0);
    for body in function.blocks.iter() {
        body.edges().for_each(|edge| n += usize::from(edge.target == block));
    }
    n
}

fn fits(low: i64, high: i64, width: u32) -> Option<(i64, i64)> {
    if width == 64 {
        return Some((low, high));
    }
    let max = (1i64 << (width - 1)) - 1;
    (low >= -max - 1 && high <= max).then_some((low, high))
}
