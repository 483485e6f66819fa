//! Whether executing other instructions than before, or the same with other values, can rely on something new.
//!
//! An answer names what it relies on besides the program: that threads can be created, that memory is there, how objects lie
//! in memory, in which order C evaluates, which value something has that was never written. Calls, addresses as numbers, and
//! reads of memory that may not have been written are where that can happen.
//! Guarantee: where [`is_silent`] says so, the influenced instructions note no assumption and no warning.

use selvedge_base::Id;
use selvedge_program::{CastOp, Const, Inst, Operand, Program, Ty};

use crate::constraints::Builder;
use crate::effects::Effects;
use crate::layout::{InstId, Layout};
use crate::object::Origin;

/// Whether those of the instructions that are hit rely on nothing.
pub(super) fn is_silent(
    program: &Program,
    layout: &Layout,
    built: &Builder<'_>,
    is_hit: impl Fn(InstId) -> bool,
) -> bool {
    let hit: Vec<InstId> = (0..layout.n_insts()).map(InstId::new).filter(|id| is_hit(*id)).collect();
    if hit.is_empty() {
        return true;
    }
    let effects = Effects::new(program, layout, built);
    let reads_globals = |id: InstId| {
        let is_global = |object| matches!(built.solver.origin(object), Origin::Global(_));
        effects.of(id).is_some_and(|effect| effect.reads.iter().all(|touched| is_global(touched.object)))
    };
    hit.into_iter().all(|id| {
        let func = layout.point(id).func;
        let is_pointer = |operand: &Operand| match operand {
            Operand::Reg(reg) => program.funcs[func].regs[*reg].ty == Ty::Ptr,
            Operand::Const(id) => program.consts[*id].ty() == Ty::Ptr,
        };
        let inst = layout.inst(program, id);
        let mut tells = false;
        inst.for_each_operand(|operand| {
            tells |= match operand {
                Operand::Const(id) => {
                    matches!(program.consts[*id], Const::Undef(_)) || program.is_address_as_number(*id)
                }
                // Arithmetic on the number of an address.
                Operand::Reg(_) => {
                    let computes = matches!(
                        inst,
                        Inst::Bin { .. } | Inst::Cmp { .. } | Inst::Intrinsic { .. } | Inst::Switch { .. }
                    );
                    computes && !is_pointer(operand) && !built.places(func, *operand).is_empty()
                }
            };
        });
        let is_plain = match inst {
            Inst::Bin { .. }
            | Inst::FBin { .. }
            | Inst::FNeg { .. }
            | Inst::FCmp { .. }
            | Inst::Select { .. }
            | Inst::Copy { .. }
            | Inst::Intrinsic { .. }
            | Inst::PtrAdd { .. }
            | Inst::Store { .. }
            | Inst::Fence { .. }
            | Inst::Lifetime { .. }
            | Inst::Jump { .. }
            | Inst::Branch { .. }
            | Inst::Switch { .. }
            | Inst::Return { .. } => true,
            Inst::Cmp { a, b, .. } => !is_pointer(a) && !is_pointer(b),
            Inst::Cast { op, .. } => !matches!(op, CastOp::PtrToInt | CastOp::IntToPtr),
            Inst::Load { .. } | Inst::AtomicRmw { .. } | Inst::CmpXchg { .. } => reads_globals(id),
            _ => false,
        };
        is_plain && !tells
    })
}
