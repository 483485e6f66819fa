//! Makes undefined arithmetic fail in a native build, where the processor would go on.
#![expect(unsafe_code, reason = "calls the LLVM C API")]

use llvm_sys::LLVMIntPredicate;
use llvm_sys::core::*;
use llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use llvm_sys::prelude::*;

use super::{Module, Op, TypeKind, Value};

/// Called with a number that is not zero if the arithmetic after it is undefined.
const CHECK: &str = "__selvedge_overflow";

impl<'c> Module<'c> {
    /// Adds a check before each operation on integers that LLVM says is undefined where the engine reports it: signed
    /// addition, subtraction and multiplication that overflow, and shifts by at least the width.
    pub(crate) fn check_overflow(&self) {
        for function in self.functions().filter(|f| !f.is_declaration()) {
            for block in function.blocks() {
                let checked: Vec<Value<'_>> = block.instructions().filter(|i| is_checked(*i)).collect();
                for inst in checked {
                    // SAFETY: a binary operation on integers.
                    unsafe { self.check_before(inst) };
                }
            }
        }
    }

    /// # Safety
    /// `inst` must be one that [`is_checked`] accepts.
    unsafe fn check_before(&self, inst: Value<'_>) {
        // SAFETY: by the contract above; operands and results have the type of the instruction.
        unsafe {
            let context = self.context().raw();
            let builder = LLVMCreateBuilderInContext(context);
            LLVMPositionBuilderBefore(builder, inst.raw());
            LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(inst.raw()));
            let ty = LLVMTypeOf(inst.raw());
            let (a, b) = (inst.operand(0).raw(), inst.operand(1).raw());
            let is_bad = match inst.opcode() {
                Op::LLVMAdd => self.overflows(builder, "llvm.sadd.with.overflow", ty, a, b),
                Op::LLVMSub => self.overflows(builder, "llvm.ssub.with.overflow", ty, a, b),
                Op::LLVMMul => self.overflows(builder, "llvm.smul.with.overflow", ty, a, b),
                _ => {
                    let width = LLVMConstInt(ty, LLVMGetIntTypeWidth(ty).into(), 0);
                    LLVMBuildICmp(builder, LLVMIntPredicate::LLVMIntUGE, b, width, c"".as_ptr())
                }
            };
            let int = LLVMInt32TypeInContext(context);
            let mut params = [int];
            let check_ty = LLVMFunctionType(LLVMVoidTypeInContext(context), params.as_mut_ptr(), 1, 0);
            let check = self.declare(CHECK, check_ty);
            let mut args = [LLVMBuildZExt(builder, is_bad, int, c"".as_ptr())];
            LLVMBuildCall2(builder, check_ty, check, args.as_mut_ptr(), 1, c"".as_ptr());
            LLVMDisposeBuilder(builder);
        }
    }

    /// Whether `a` and `b` overflow under an intrinsic that tells.
    ///
    /// # Safety
    /// Both must be integers of type `ty`.
    unsafe fn overflows(
        &self,
        builder: LLVMBuilderRef,
        name: &str,
        ty: LLVMTypeRef,
        a: LLVMValueRef,
        b: LLVMValueRef,
    ) -> LLVMValueRef {
        // SAFETY: by the contract above; the intrinsic is overloaded on that type.
        unsafe {
            let id = LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len());
            let mut types = [ty];
            let intrinsic = LLVMGetIntrinsicDeclaration(self.raw(), id, types.as_mut_ptr(), types.len());
            let intrinsic_ty =
                LLVMIntrinsicGetType(self.context().raw(), id, types.as_mut_ptr(), types.len());
            let mut args = [a, b];
            let both = LLVMBuildCall2(builder, intrinsic_ty, intrinsic, args.as_mut_ptr(), 2, c"".as_ptr());
            LLVMBuildExtractValue(builder, both, 1, c"".as_ptr())
        }
    }
}

fn is_checked(inst: Value<'_>) -> bool {
    let is_signed = match inst.opcode() {
        // SAFETY: an operation that can have the flag.
        Op::LLVMAdd | Op::LLVMSub | Op::LLVMMul => unsafe { LLVMGetNSW(inst.raw()) != 0 },
        Op::LLVMShl | Op::LLVMLShr | Op::LLVMAShr => true,
        _ => false,
    };
    is_signed && inst.ty().kind() == TypeKind::LLVMIntegerTypeKind
}
