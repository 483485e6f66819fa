//! LLVM's intrinsic functions with an effect, or that only pass a value on. Pure operations on
//! numbers are in `pure`.

use selvedge_library::Rounding;
use selvedge_program::{BinOp, Callee, Inst, Operand, Order, Ty};
use smallvec::smallvec;

use super::function::FnLowerer;
use crate::llvm::Value;

/// The intrinsics that are hints to an optimiser or a debugger.
const IGNORED: &[&str] = &[
    "assume",
    "donothing",
    "sideeffect",
    "prefetch",
    "pseudoprobe",
    "fake.use",
    "var.annotation",
    "codeview.annotation",
    "experimental.noalias.scope.decl",
    "invariant.end",
    "dbg.declare",
    "dbg.value",
    "dbg.label",
    "dbg.assign",
    "x86.sse2.pause",
    "x86.sse2.clflush",
    "x86.clflushopt",
];

/// The intrinsics whose result is their first argument.
const PASSED_ON: &[&str] = &[
    "expect",
    "expect.with.probability",
    "annotation",
    "ptr.annotation",
    "ssa.copy",
    "launder.invariant.group",
    "strip.invariant.group",
    "threadlocal.address",
    "preserve.array.access.index",
    "preserve.union.access.index",
];

impl<'m> FnLowerer<'_, 'm> {
    pub(super) fn intrinsic(&mut self, inst: Value<'m>, name: &str) -> Result<(), String> {
        let name = name.strip_prefix("llvm.").unwrap_or(name);
        let args = inst.call_args();
        let matches = |base: &str| is(name, base);
        if IGNORED.iter().any(|base| matches(base)) {
            return Ok(());
        }
        if PASSED_ON.iter().any(|base| matches(base)) {
            let value = self.operands(first(&args)?)?;
            self.bind(inst, value);
            return Ok(());
        }
        if matches("memcpy") || matches("memcpy.inline") || matches("memmove") {
            let [to, from, len, ..] = *args else { return Err(malformed(name)) };
            let (to, from) = (self.address(to)?, self.address(from)?);
            let len = self.length(len)?;
            self.emit(Inst::MemCopy { to, from, len, overlap: matches("memmove") });
        } else if matches("memset") || matches("memset.inline") {
            let [to, byte, len, ..] = *args else { return Err(malformed(name)) };
            let (to, byte) = (self.address(to)?, self.operand(byte)?);
            let len = self.length(len)?;
            self.emit(Inst::MemSet { to, byte, len });
        } else if matches("lifetime.start") || matches("lifetime.end") {
            // Before LLVM 22 the first argument was a size.
            let ptr = self.operand(*args.last().ok_or_else(|| malformed(name))?)?;
            // The object may be gone already, which LLVM writes as poison.
            if matches!(ptr, Operand::Reg(_)) {
                self.emit(Inst::Lifetime { ptr, start: matches("lifetime.start") });
            }
        } else if matches("trap") || matches("debugtrap") || matches("ubsantrap") {
            self.emit(Inst::Trap);
        } else if matches("stacksave") {
            let dst = self.result_reg(inst, Ty::Ptr);
            self.emit(Inst::StackSave { dst });
        } else if matches("stackrestore") {
            let mark = self.operand(first(&args)?)?;
            self.emit(Inst::StackRestore { mark });
        } else if matches("va_start") {
            let list = self.operand(first(&args)?)?;
            self.emit(Inst::VaStart { list });
        } else if matches("va_end") {
            let list = self.operand(first(&args)?)?;
            self.emit(Inst::VaEnd { list });
        } else if matches("va_copy") {
            let [to, from, ..] = *args else { return Err(malformed(name)) };
            let (to, from) = (self.operand(to)?, self.operand(from)?);
            self.emit(Inst::VaCopy { to, from });
        } else if matches("x86.sse2.mfence") || matches("x86.sse2.lfence") || matches("x86.sse.sfence") {
            self.emit(Inst::Fence { order: Order::SeqCst, signal: false });
        } else if matches("is.constant") {
            // "Not known to be constant" is always a right answer, and what -O0 gives.
            let no = self.int(1, 0);
            self.bind(inst, smallvec![no]);
        } else if matches("objectsize") {
            self.object_size(inst, &args)?;
        } else if matches("invariant.start") {
            let token = Operand::Const(self.lowerer.zero(Ty::Ptr));
            self.bind(inst, smallvec![token]);
        } else if matches("ptrmask") {
            self.pointer_mask(inst, &args)?;
        } else if matches("eh.typeid.for") {
            let number = self.lowerer.unwinding.type_number(first(&args)?);
            let number = self.int(32, u64::from(number));
            self.bind(inst, smallvec![number]);
        } else if matches("get.rounding") || matches("flt.rounds") {
            let mode = self.lowerer.library_function(Rounding::Get.row().name(), &[], Ty::Int(32));
            let func = mode.ok_or("a rounding mode of another type")?;
            let dst = self.result_reg(inst, Ty::Int(32));
            self.emit(Inst::Call { dsts: [dst].into(), callee: Callee::Direct(func), args: [].into() });
        } else {
            return self.pure_intrinsic(inst, name, &args);
        }
        Ok(())
    }

    /// A length as wide as a pointer.
    fn length(&mut self, value: Value<'m>) -> Result<Operand, String> {
        let Ty::Int(width) = self.scalar_ty(value)? else { return Err("a length that is no integer".into()) };
        let len = self.operand(value)?;
        Ok(self.resize(len, width, self.ptr_bits()))
    }

    /// The answer that stands for "not known": nothing for a lower bound, everything for an upper.
    fn object_size(&mut self, inst: Value<'m>, args: &[Value<'m>]) -> Result<(), String> {
        let Ty::Int(width) = self.scalar_ty(inst)? else { return Err(malformed("objectsize")) };
        let wants_minimum = args.get(1).and_then(|flag| self.lowerer.signed_int(*flag)).unwrap_or(0) != 0;
        let answer = self.int(width, if wants_minimum { 0 } else { u64::MAX });
        self.bind(inst, smallvec![answer]);
        Ok(())
    }

    fn pointer_mask(&mut self, inst: Value<'m>, args: &[Value<'m>]) -> Result<(), String> {
        let [ptr, mask, ..] = *args else { return Err(malformed("ptrmask")) };
        let Ty::Int(mask_width) = self.scalar_ty(mask)? else { return Err(malformed("ptrmask")) };
        let width = self.ptr_bits();
        let (ptr, mask) = (self.operand(ptr)?, self.operand(mask)?);
        let mask = self.resize(mask, mask_width, width);
        let address = self.bits_of(ptr, Ty::Ptr);
        let masked = self.binary(BinOp::And, width, address, mask);
        let result = self.with_bits(masked, Ty::Ptr);
        self.bind(inst, smallvec![result]);
        Ok(())
    }
}

fn first<'m>(args: &[Value<'m>]) -> Result<Value<'m>, String> {
    args.first().copied().ok_or_else(|| "an intrinsic without arguments".to_owned())
}

fn malformed(name: &str) -> String {
    format!("a call of llvm.{name} that is not understood")
}

/// Whether an intrinsic's name is `base` with only type suffixes after it.
fn is(name: &str, base: &str) -> bool {
    match name.strip_prefix(base) {
        Some("") => true,
        Some(rest) => rest.strip_prefix('.').is_some_and(is_type_suffix),
        None => false,
    }
}

/// Type suffixes start like `p0`, `i64`, `f32`, `v4i32`, `nxv2i64`, `sl_`, `a4i8`.
fn is_type_suffix(rest: &str) -> bool {
    let word = rest.split('.').next().unwrap_or(rest);
    let after_letters = word.trim_start_matches(|c: char| c.is_ascii_lowercase());
    let letters = &word[..word.len() - after_letters.len()];
    let starts_number = after_letters.starts_with(|c: char| c.is_ascii_digit() || c == '_');
    matches!(letters, "p" | "i" | "f" | "bf" | "v" | "nxv" | "a" | "s" | "sl" | "x") && starts_number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_longer_name_is_another_intrinsic() {
        assert!(is("memcpy.p0.p0.i64", "memcpy"));
        assert!(is("trap", "trap"));
        assert!(is("stacksave.p0", "stacksave"));
        assert!(!is("memcpy.element.unordered.atomic.p0.p0.i32", "memcpy"));
        assert!(!is("memcpy.inline.p0.p0.i64", "memcpy"));
        assert!(!is("expect.with.probability.i64", "expect"));
        assert!(!is("ptr.annotation.p0.p0", "annotation"));
        assert!(is("fshl.v4i32", "fshl"));
        assert!(is("fabs.bf16", "fabs"));
    }
}
