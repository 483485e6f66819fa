//! LLVM's intrinsic functions.

use selvedge_program::{Inst, IntrinsicOp, Operand, Ty};

use super::function::FnLowerer;
use crate::llvm::Value;

impl<'m> FnLowerer<'_, 'm> {
    pub(super) fn intrinsic(&mut self, inst: Value<'m>, name: &str) -> Result<(), String> {
        let name = name.strip_prefix("llvm.").unwrap_or(name);
        let args = inst.call_args();
        let is = |prefix: &str| {
            name.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        if is("memcpy") || is("memcpy.inline") || is("memmove") {
            let to = self.operand(args[0])?;
            let from = self.operand(args[1])?;
            let len = self.length(args[2])?;
            self.emit(Inst::MemCopy { to, from, len, overlap: is("memmove") });
            return Ok(());
        }
        if is("memset") || is("memset.inline") {
            let to = self.operand(args[0])?;
            let byte = self.operand(args[1])?;
            let len = self.length(args[2])?;
            self.emit(Inst::MemSet { to, byte, len });
            return Ok(());
        }
        if is("lifetime.start") || is("lifetime.end") {
            // Before LLVM 22 the first argument was a size.
            let ptr = self.operand(*args.last().ok_or("a lifetime without an object")?)?;
            self.emit(Inst::Lifetime { ptr, start: is("lifetime.start") });
            return Ok(());
        }
        if is("trap") || is("debugtrap") || is("ubsantrap") {
            self.emit(Inst::Trap);
            return Ok(());
        }
        if is("expect") || is("expect.with.probability") {
            let value = self.operands(args[0])?;
            self.bind(inst, value);
            return Ok(());
        }
        if let Some(op) = pure_op(name) {
            return self.pure(inst, op, &args);
        }
        Err(format!("the intrinsic llvm.{name}"))
    }

    /// A length as wide as a pointer.
    fn length(&mut self, value: Value<'m>) -> Result<Operand, String> {
        let Ty::Int(width) = self.scalar_ty(value)? else { return Err("a length that is no integer".into()) };
        let len = self.operand(value)?;
        Ok(self.resize(len, width, self.ptr_bits()))
    }

    fn pure(&mut self, inst: Value<'m>, op: IntrinsicOp, args: &[Value<'m>]) -> Result<(), String> {
        let ty = self.scalar_ty(args[0])?;
        let operands = args.iter().map(|&arg| self.operand(arg)).collect::<Result<Box<[_]>, _>>()?;
        let tys = self.tys(inst.ty())?;
        let dsts = self.result_regs(inst, &tys);
        self.emit(Inst::Intrinsic { dsts: dsts.into(), op, ty, args: operands });
        Ok(())
    }
}

fn pure_op(name: &str) -> Option<IntrinsicOp> {
    let base = name.rsplit_once('.').map_or(name, |(base, _)| base);
    Some(match base {
        "sadd.with.overflow" => IntrinsicOp::SAddOverflow,
        _ => return None,
    })
}
