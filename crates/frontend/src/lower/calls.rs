//! Calls, inline assembly, and what of it is an intrinsic.

use selvedge_program::{Arg, Callee, Const, Inst, Operand, Order};

use super::function::FnLowerer;
use crate::llvm::{InlineAsm, Value, ValueKind};

impl<'m> FnLowerer<'_, 'm> {
    pub(super) fn call(&mut self, inst: Value<'m>) -> Result<(), String> {
        let callee = inst.callee();
        match callee.kind() {
            ValueKind::LLVMInlineAsmValueKind => return self.inline_asm(inst, &callee.inline_asm()),
            ValueKind::LLVMFunctionValueKind if callee.name().starts_with("llvm.") => {
                return self.intrinsic(inst, &callee.name());
            }
            _ => {}
        }
        let mut args = Vec::new();
        for (index, value) in inst.call_args().into_iter().enumerate() {
            let byval = inst.call_byval(index as u32);
            let byval = byval.and_then(|ty| self.lowerer.shapes.layout.alloc_size(ty));
            let tys = self.tys(value.ty())?;
            for (value, ty) in self.operands(value)?.into_iter().zip(tys) {
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
            args.len() == callee.params.len() || (callee.variadic && args.len() >= callee.params.len());
        let same_types = callee.params.iter().zip(args).all(|(&reg, arg)| callee.regs[reg].ty == arg.ty);
        let fits = same_count && same_types && (callee.ret == ret || !callee.is_defined() && ret.is_empty());
        Ok(if fits { Callee::Direct(func) } else { Callee::Indirect(target) })
    }

    fn inline_asm(&mut self, inst: Value<'m>, asm: &InlineAsm) -> Result<(), String> {
        let has_result = !self.tys(inst.ty())?.is_empty();
        let lines: Vec<&str> =
            asm.code.split(['\n', ';']).map(str::trim).filter(|line| !line.is_empty()).collect();
        let is_fence = |line: &str| matches!(line, "mfence" | "lfence" | "sfence");
        let is_hint = |line: &str| matches!(line, "pause" | "nop" | "rep nop" | "rep; nop" | "rep");
        if has_result || !lines.iter().all(|line| is_fence(line) || is_hint(line)) {
            let code = lines.join("; ");
            let what = if code.is_empty() { asm.constraints.clone() } else { code };
            return Err(format!("inline assembly `{what}`"));
        }
        if lines.iter().any(|line| is_fence(line)) {
            self.emit(Inst::Fence { order: Order::SeqCst, signal: false });
        } else if asm.constraints.contains("~{memory}") {
            self.emit(Inst::Fence { order: Order::SeqCst, signal: true });
        }
        Ok(())
    }
}
