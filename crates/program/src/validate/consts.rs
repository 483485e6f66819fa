//! Constants: ranges, order, types.

use super::{Ctx, Where, Wrong};
pub(super) use crate::parse::MAX_WIDTH;
use crate::print::MAX_DEPTH;
use crate::{Const, ConstExpr, ConstId, Ty};

impl Ctx<'_> {
    /// Checks all constants; false if types of constants cannot be relied on.
    pub(super) fn constants(&mut self) -> bool {
        let mut sound = true;
        let mut depth = Vec::with_capacity(self.program.consts.len());
        for (id, value) in self.program.consts.enumerate() {
            self.place = Where::Const(id);
            let mut levels = 0;
            match value {
                Const::Int { width, value } => {
                    if self.ensure((1..=64).contains(width), || Wrong::Width(*width)) {
                        self.ensure(*width == 64 || value >> width == 0, || Wrong::ConstBits);
                    }
                }
                Const::Wide { width, limbs } => {
                    if self.ensure((65..=MAX_WIDTH).contains(width), || Wrong::Width(*width)) {
                        let spare = (64 - width % 64) % 64;
                        let fits = limbs.len() == width.div_ceil(64) as usize
                            && limbs.last().is_some_and(|top| spare == 0 || top >> (64 - spare) == 0);
                        self.ensure(fits, || Wrong::ConstBits);
                    }
                }
                Const::Float { kind, bits } => {
                    self.ensure(kind.bits() == 128 || bits >> kind.bits() == 0, || Wrong::ConstBits);
                }
                Const::Null => {}
                Const::Global { global, .. } => {
                    self.in_range(*global, global.0, self.program.globals.len());
                }
                Const::Func(func) => {
                    self.func_in_range(*func);
                }
                Const::Block(func, block) => {
                    if self.func_in_range(*func) {
                        self.in_range(*block, block.0, self.program.funcs[*func].blocks.len());
                    }
                }
                Const::Undef(ty) => self.ty(*ty),
                Const::Expr(expr) => {
                    for part in parts(expr) {
                        let before = self.ensure(part < id, || Wrong::ConstOrder(part));
                        sound &= before;
                        levels = levels.max(if before { depth[part.0 as usize] + 1 } else { 0 });
                    }
                    sound &= self.ensure(levels < MAX_DEPTH, || Wrong::ConstDepth);
                    if sound {
                        self.expression(expr);
                    }
                }
            }
            depth.push(levels);
        }
        sound
    }

    fn expression(&mut self, expr: &ConstExpr) {
        match expr {
            ConstExpr::Cast { op, from, to, arg } => {
                self.ty(*from);
                self.ty(*to);
                self.const_has(*arg, *from);
                self.cast(*op, *from, *to);
            }
            ConstExpr::Bin { width, a, b, .. } => {
                self.width(*width);
                self.const_has(*a, Ty::Int(*width));
                self.const_has(*b, Ty::Int(*width));
            }
            ConstExpr::PtrAdd { base, .. } => self.const_has(*base, Ty::Ptr),
        }
    }

    fn const_has(&mut self, id: ConstId, expected: Ty) {
        let found = self.const_ty(id);
        self.ensure(found == expected, || Wrong::Type { expected: expected.to_string(), found });
    }

    /// The type of a constant that is in range.
    pub(super) fn const_ty(&self, id: ConstId) -> Ty {
        self.program.consts[id].ty()
    }
}

fn parts(expr: &ConstExpr) -> impl Iterator<Item = ConstId> {
    let (first, second) = match expr {
        ConstExpr::Cast { arg, .. } | ConstExpr::PtrAdd { base: arg, .. } => (*arg, None),
        ConstExpr::Bin { a, b, .. } => (*a, Some(*b)),
    };
    std::iter::once(first).chain(second)
}
