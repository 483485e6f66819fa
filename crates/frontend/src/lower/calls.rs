//! Calls of functions; inline assembly and intrinsics are told apart here.

use selvedge_program::{Arg, Callee, Const, FloatKind, Inst, Operand, Ty};

use super::function::FnLowerer;
use crate::llvm::{Op, Value, ValueKind};

/// Whether a value of at most 8 bytes is loaded from where 16 bytes are aligned.
fn is_aligned_load(value: Value<'_>, tys: &[Ty]) -> bool {
    let is_small = |ty: &Ty| ty.store_size(64) <= 8;
    value.kind() == ValueKind::LLVMInstructionValueKind
        && value.opcode() == Op::LLVMLoad
        && value.alignment() >= 16
        && tys.iter().all(is_small)
}

/// How far the variable arguments of a call reach. The engine aligns them by their types, which does not show the
/// alignment of a struct; an argument before it keeps its place free.
#[derive(Default)]
struct VarargArea {
    top: u64,
}

impl VarargArea {
    /// Adds an argument; says whether 8 bytes must be left out before it.
    fn needs_padding(&mut self, ty: Ty, byval: Option<u64>, align: u64) -> Result<bool, String> {
        let is_wide = matches!(ty, Ty::Float(FloatKind::X87 | FloatKind::Quad) | Ty::Int(65..));
        if align > 16 {
            return Err(format!("a variable argument with an alignment of {align}"));
        }
        let padded = align == 16 && !self.top.is_multiple_of(16);
        if is_wide || padded {
            self.top = self.top.next_multiple_of(16);
        }
        self.top = (self.top + byval.unwrap_or(ty.store_size(64))).next_multiple_of(8);
        Ok(padded)
    }
}

impl<'m> FnLowerer<'_, 'm> {
    /// A call without a landing pad.
    pub(super) fn plain_call(&mut self, inst: Value<'m>) -> Result<(), String> {
        self.call(inst)?;
        if self.lowerer.unwinding.may_unwind(inst) { self.pass_on() } else { Ok(()) }
    }

    pub(super) fn call(&mut self, inst: Value<'m>) -> Result<(), String> {
        let callee = inst.callee();
        match callee.kind() {
            ValueKind::LLVMInlineAsmValueKind => return self.inline_asm(inst, &callee.inline_asm()),
            ValueKind::LLVMFunctionValueKind if callee.name().starts_with("llvm.") => {
                return self.intrinsic(inst, &callee.name());
            }
            _ => {}
        }
        let is_undefined = callee.kind() == ValueKind::LLVMFunctionValueKind && callee.is_declaration();
        if is_undefined && inst.call_returns_through_pointer() {
            return Err(format!(
                "call of `{}`, which is defined nowhere and gives a structure",
                callee.name()
            ));
        }
        let mut args = Vec::new();
        let mut area = VarargArea::default();
        for (index, value) in inst.call_args().into_iter().enumerate() {
            let byval = inst.call_byval(index as u32);
            let byval = byval.and_then(|ty| self.lowerer.shapes.layout.alloc_size(ty));
            let tys = self.tys(value.ty())?;
            if tys.len() > 1 && inst.is_variadic_arg(index as u32) {
                return Err("a vector as a variable argument".to_owned());
            }
            let is_struct = !inst.call_arg_noundef(index as u32);
            if is_struct && inst.is_variadic_arg(index as u32) && is_aligned_load(value, &tys) {
                // It is read with the alignment of the struct, which the register does not show.
                return Err("a small variable argument with an alignment of 16".to_owned());
            }
            let align = if byval.is_some() { inst.call_arg_align(index as u32) } else { 0 };
            for (value, ty) in self.operands(value)?.into_iter().zip(tys) {
                let is_placed = inst.is_variadic_arg(index as u32) && self.ptr_bits() == 64;
                if is_placed && area.needs_padding(ty, byval, align)? {
                    args.push(Arg { value: self.int(64, 0), ty: Ty::Int(64), byval: None });
                }
                args.push(Arg { value, ty, byval });
            }
        }
        let tys = self.tys(inst.ty())?;
        let callee = self.callee(inst, &args, &tys)?;
        let dsts = if inst.is_used() { self.result_regs(inst, &tys) } else { Vec::new() };
        self.emit(Inst::Call { dsts: dsts.into(), callee, args: args.into() });
        Ok(())
    }

    /// A known function is called directly if the call has the function's own type. A call through
    /// another type (an old-style declaration) is left to the check that indirect calls get.
    fn callee(
        &mut self,
        inst: Value<'m>,
        args: &[Arg],
        ret: &[selvedge_program::Ty],
    ) -> Result<Callee, String> {
        let target = self.operand(inst.callee())?;
        let Operand::Const(id) = target else { return Ok(Callee::Indirect(target)) };
        let Const::Func(func) = self.lowerer.program.consts[id] else { return Ok(Callee::Indirect(target)) };
        let callee = if func == self.id { &self.func } else { &self.lowerer.program.funcs[func] };
        let same_count =
            args.len() == callee.params.len() || (callee.variadic && args.len() > callee.params.len());
        let params = callee.params.iter().map(|&reg| callee.regs[reg].ty).zip(callee.byval.iter().copied());
        let same_params = params.zip(args).all(|(param, arg)| param == (arg.ty, arg.byval));
        let fits = same_count && same_params && callee.ret == ret;
        Ok(if fits { Callee::Direct(func) } else { Callee::Indirect(target) })
    }
}
