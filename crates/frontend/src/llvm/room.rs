//! Makes calls that may write more bytes than there is room for fail in a native build, whether they do or not.
#![expect(unsafe_code, reason = "calls the LLVM C API")]

use llvm_sys::core::*;
use llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use llvm_sys::prelude::*;
use selvedge_library::{Pointers, classify};

use super::{Module, Op, Value};

impl<'c> Module<'c> {
    /// Adds a check before each call of a function that fills a buffer with what comes from outside.
    pub(crate) fn check_room(&self) {
        for function in self.functions() {
            let calls = function.blocks().into_iter().flat_map(|block| block.instructions());
            let is_call = |inst: &Value<'_>| matches!(inst.opcode(), Op::LLVMCall | Op::LLVMInvoke);
            for call in calls.filter(is_call).collect::<Vec<_>>() {
                let fills = classify(&call.callee().name()).and_then(|known| known.row().may_fill);
                if let Some((buffer, size)) = fills {
                    // SAFETY: a call.
                    unsafe { self.check_room_before(call, buffer.into(), size) };
                }
            }
        }
    }

    /// # Safety
    /// `call` must be a call.
    unsafe fn check_room_before(&self, call: Value<'_>, buffer: u32, size: &[u8]) {
        // SAFETY: arguments are looked at that exist and have the types that the check needs.
        unsafe {
            let n = LLVMGetNumArgOperands(call.raw());
            let is_pointer = |v| LLVMGetTypeKind(LLVMTypeOf(v)) == super::TypeKind::LLVMPointerTypeKind;
            let is_number = |v| LLVMGetTypeKind(LLVMTypeOf(v)) == super::TypeKind::LLVMIntegerTypeKind;
            let argument = |i: u32| (i < n).then(|| LLVMGetOperand(call.raw(), i));
            let factors: Option<Vec<LLVMValueRef>> =
                size.iter().map(|i| argument((*i).into()).filter(|v| is_number(*v))).collect();
            let (Some(buffer), Some(factors)) = (argument(buffer).filter(|v| is_pointer(*v)), factors) else {
                return;
            };
            let context = self.context().raw();
            let builder = LLVMCreateBuilderInContext(context);
            LLVMPositionBuilderBefore(builder, call.raw());
            LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call.raw()));
            let word = LLVMIntTypeInContext(context, self.layout().pointer_bits());
            let mut bytes = LLVMConstInt(word, 1, 0);
            for factor in factors {
                let factor = LLVMBuildIntCast2(builder, factor, word, 1, c"".as_ptr());
                bytes = LLVMBuildMul(builder, bytes, factor, c"".as_ptr());
            }
            let mut args = [buffer, bytes];
            let mut params = [LLVMTypeOf(buffer), word];
            let ty = LLVMFunctionType(LLVMVoidTypeInContext(context), params.as_mut_ptr(), 2, 0);
            let check = self.declare(Pointers::MustFit.row().name(), ty);
            LLVMBuildCall2(builder, ty, check, args.as_mut_ptr(), 2, c"".as_ptr());
            LLVMDisposeBuilder(builder);
        }
    }
}
