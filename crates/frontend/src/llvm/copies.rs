//! Makes calls of the intrinsics that copy and fill memory into calls of functions.
#![expect(unsafe_code, reason = "calls the LLVM C API")]

use llvm_sys::core::*;
use llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use llvm_sys::prelude::*;
use selvedge_library::Copying;

use super::{Module, Op, Value, ValueKind};

/// Intrinsics by the beginnings of their names, and the functions of the C library that do the same.
const COPIES: [(&str, Copying); 3] = [
    ("llvm.memcpy.", Copying::Memcpy),
    ("llvm.memmove.", Copying::Memmove),
    ("llvm.memset.", Copying::Memset),
];

impl<'c> Module<'c> {
    /// Replaces them by calls of functions with the names that `name_of` gives to those of the C library.
    pub(crate) fn call_copies(&self, name_of: impl Fn(&str) -> String) {
        for function in self.functions() {
            let calls = function.blocks().into_iter().flat_map(|block| block.instructions());
            for call in calls.filter(|inst| inst.opcode() == Op::LLVMCall).collect::<Vec<_>>() {
                if let Some(function) = copied_by(call) {
                    // SAFETY: a call of such an intrinsic.
                    unsafe { self.replace(call, function, &name_of(function.row().name())) };
                }
            }
        }
    }

    /// # Safety
    /// `call` must call an intrinsic that copies or fills: two operands, a length and a flag.
    unsafe fn replace(&self, call: Value<'_>, function: Copying, name: &str) {
        // SAFETY: the first three arguments are a pointer, a pointer or an 8-bit number, and an integer; the call has no
        // result that could be used.
        unsafe {
            let context = self.context().raw();
            let builder = LLVMCreateBuilderInContext(context);
            LLVMPositionBuilderBefore(builder, call.raw());
            LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call.raw()));
            let size_ty = LLVMIntTypeInContext(context, self.layout().pointer_bits());
            let int_ty = LLVMInt32TypeInContext(context);
            let pointer_ty = LLVMTypeOf(LLVMGetOperand(call.raw(), 0));
            let mut second = LLVMGetOperand(call.raw(), 1);
            if function == Copying::Memset {
                second = LLVMBuildIntCast2(builder, second, int_ty, 0, c"".as_ptr());
            }
            let size = LLVMBuildIntCast2(builder, LLVMGetOperand(call.raw(), 2), size_ty, 0, c"".as_ptr());
            let mut args: [LLVMValueRef; 3] = [LLVMGetOperand(call.raw(), 0), second, size];
            let mut params = [pointer_ty, LLVMTypeOf(second), size_ty];
            let ty = LLVMFunctionType(pointer_ty, params.as_mut_ptr(), 3, 0);
            let callee = self.declare(name, ty);
            LLVMBuildCall2(builder, ty, callee, args.as_mut_ptr(), 3, c"".as_ptr());
            LLVMInstructionEraseFromParent(call.raw());
            LLVMDisposeBuilder(builder);
        }
    }
}

fn copied_by(call: Value<'_>) -> Option<Copying> {
    let callee = call.callee();
    if callee.kind() != ValueKind::LLVMFunctionValueKind {
        return None;
    }
    let name = callee.name();
    // Those of atomic elements are something else.
    let is_plain = !name.contains(".element.");
    COPIES.iter().find(|(prefix, _)| is_plain && name.starts_with(prefix)).map(|(_, function)| *function)
}
