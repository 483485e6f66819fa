//! What an instruction does, apart from which registers and blocks it names: by this, instructions of two versions are
//! compared.

use std::hash::{Hash, Hasher};

use selvedge_program::{BlockId, Const, ConstExpr, ConstId, Inst, Operand, Program, Reg};
use siphasher::sip::SipHasher13;

/// A hash of anything.
pub(crate) fn hash_of(value: impl Hash) -> u64 {
    let mut hasher = SipHasher13::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The shape of an instruction, and the kind of instruction that it is. Functions and globals of constants have their final
/// numbers.
pub(crate) fn shape(program: &Program, inst: &Inst) -> (u64, u64) {
    let mut hasher = SipHasher13::new();
    let mut bare = inst.clone();
    bare.for_each_operand_mut(|operand| {
        match operand {
            Operand::Reg(_) => 0u8.hash(&mut hasher),
            Operand::Const(id) => hash_const(program, *id, &mut hasher),
        }
        *operand = Operand::Reg(Reg(0));
    });
    bare.for_each_dst_mut(|dst| *dst = Reg(0));
    bare.for_each_target_mut(|target| *target = BlockId(0));
    if let Inst::Alloca { var_ty, .. } = &mut bare {
        *var_ty = None;
    }
    format!("{bare:?}").hash(&mut hasher);
    (hasher.finish(), hash_of(std::mem::discriminant(inst)))
}

fn hash_const(program: &Program, id: ConstId, hasher: &mut SipHasher13) {
    let value = &program.consts[id];
    match value {
        Const::Expr(ConstExpr::Cast { op, from, to, arg }) => {
            (1u8, op, from, to).hash(hasher);
            hash_const(program, *arg, hasher);
        }
        Const::Expr(ConstExpr::Bin { op, width, a, b }) => {
            (2u8, op, width).hash(hasher);
            hash_const(program, *a, hasher);
            hash_const(program, *b, hasher);
        }
        Const::Expr(ConstExpr::PtrAdd { base, offset }) => {
            (3u8, offset).hash(hasher);
            hash_const(program, *base, hasher);
        }
        Const::Block(func, _) => (4u8, func).hash(hasher),
        other => (5u8, other).hash(hasher),
    }
}
