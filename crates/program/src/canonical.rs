//! Equality of programs, and the numbering of constants that the text form implies.
//!
//! The text form writes constants where they are used, so it cannot keep their ids. The canonical
//! numbering is the one a reader of the text would invent: constants in order of first use, operands of
//! an expression before the expression, unused constants dropped.
//! Guarantees: `parse(print(p)) == p.with_canonical_consts()`, and both print alike.
//! Relies on: constant ids are in range and expressions only use earlier constants (see [`crate::validate`]).

use selvedge_base::Dense;

use crate::{Const, ConstExpr, ConstId, InitPiece, Operand, Program};

impl PartialEq for Program {
    /// The same in every field, ids included.
    fn eq(&self, other: &Self) -> bool {
        self.target == other.target
            && self.entry == other.entry
            && self.ctors == other.ctors
            && self.consts == other.consts
            && self.types == other.types
            && self.files == other.files
            && self.globals == other.globals
            && self.funcs == other.funcs
    }
}

impl Program {
    /// The same program with its constants numbered in order of first use.
    #[must_use]
    pub fn with_canonical_consts(&self) -> Program {
        let mut out = self.clone();
        out.clear_consts();
        let mut renamed: Dense<ConstId, Option<ConstId>> = self.consts.iter().map(|_| None).collect();

        let mut globals = std::mem::take(&mut out.globals);
        for piece in globals.iter_mut().filter_map(|g| g.init.as_mut()).flatten() {
            if let InitPiece::Scalar { value, .. } = piece {
                *value = rename(self, &mut out, &mut renamed, *value);
            }
        }
        out.globals = globals;

        let mut funcs = std::mem::take(&mut out.funcs);
        for block in funcs.iter_mut().flat_map(|f| f.blocks.iter_mut()) {
            for inst in &mut block.insts {
                inst.for_each_operand_mut(|operand| {
                    if let Operand::Const(id) = operand {
                        *id = rename(self, &mut out, &mut renamed, *id);
                    }
                });
            }
        }
        out.funcs = funcs;
        out
    }
}

/// The id of constant `id` of `old` in `new`, entered there if it is not yet.
fn rename(
    old: &Program,
    new: &mut Program,
    renamed: &mut Dense<ConstId, Option<ConstId>>,
    id: ConstId,
) -> ConstId {
    if let Some(known) = renamed[id] {
        return known;
    }
    let mut value = old.consts[id].clone();
    if let Const::Expr(expr) = &mut value {
        match expr {
            ConstExpr::Cast { arg, .. } | ConstExpr::PtrAdd { base: arg, .. } => {
                *arg = rename(old, new, renamed, *arg);
            }
            ConstExpr::Bin { a, b, .. } => {
                *a = rename(old, new, renamed, *a);
                *b = rename(old, new, renamed, *b);
            }
        }
    }
    let fresh = new.add_const(value);
    renamed[id] = Some(fresh);
    fresh
}
