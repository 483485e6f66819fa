//! Keeps locals whose address is stored somewhere in memory.
//!
//! `mem2reg` works in rounds: with `int *q = &y;` it first brings `q` into a register, and then finds
//! that `y` is only read and written, and brings that too. The accesses through `q` would be gone, and
//! with them a use of `y` after its scope has ended. So each local whose address is stored gets one
//! more use, which does nothing but keeps it where it is.
//!
//! The same is done to all locals of a function that calls `setjmp`: a register would have the value of
//! another path after `longjmp`.
#![expect(unsafe_code, reason = "calls the LLVM C API")]

use llvm_sys::core::*;
use selvedge_library::{Action, classify};

use super::{Module, Op, Value, ValueKind};

/// An intrinsic without effect, which lowering ignores. (Not `llvm.fake.use`: `mem2reg` looks through it.)
const ANNOTATION: &str = "llvm.var.annotation";

impl<'c> Module<'c> {
    /// Adds the uses.
    pub(crate) fn pin_locals(&self) {
        let defined = self.functions().filter(|function| !function.is_declaration());
        for function in defined.collect::<Vec<_>>() {
            let Some(&entry) = function.blocks().first() else { continue };
            let jumps = calls_setjmp(function);
            let is_pinned = |inst: &Value<'_>| is_stored(*inst) || jumps && inst.opcode() == Op::LLVMAlloca;
            let locals: Vec<Value<'_>> = entry.instructions().filter(is_pinned).collect();
            for local in locals {
                self.add_use(local);
            }
        }
    }

    fn add_use(&self, local: Value<'_>) {
        let Some(next) = local.next_instruction() else { return };
        // SAFETY: the intrinsic takes the local, two strings, a line and further arguments, all of which may be
        // null; the call is placed after the local.
        unsafe {
            let context = self.context().raw();
            let ptr = LLVMPointerTypeInContext(context, 0);
            let mut types = [LLVMTypeOf(local.raw()), ptr];
            let id = LLVMLookupIntrinsicID(ANNOTATION.as_ptr().cast(), ANNOTATION.len());
            let intrinsic = LLVMGetIntrinsicDeclaration(self.raw(), id, types.as_mut_ptr(), types.len());
            let ty = LLVMIntrinsicGetType(context, id, types.as_mut_ptr(), types.len());
            let (null, zero) = (LLVMConstNull(ptr), LLVMConstNull(LLVMInt32TypeInContext(context)));
            let mut args = [local.raw(), null, null, zero, null];
            let builder = LLVMCreateBuilderInContext(context);
            LLVMPositionBuilderBefore(builder, next.raw());
            LLVMBuildCall2(builder, ty, intrinsic, args.as_mut_ptr(), args.len() as u32, c"".as_ptr());
            LLVMDisposeBuilder(builder);
        }
    }
}

/// Whether the function can be returned into by `longjmp`: its locals must then keep what was written last.
fn calls_setjmp(function: Value<'_>) -> bool {
    let is_setjmp = |inst: &Value<'_>| {
        inst.opcode() == Op::LLVMCall
            && classify(&inst.callee().name()).is_some_and(|known| known.action() == Action::SetJump)
    };
    function.blocks().into_iter().any(|block| block.instructions().any(|inst| is_setjmp(&inst)))
}

/// An alloca whose address is written to memory.
fn is_stored(inst: Value<'_>) -> bool {
    inst.opcode() == Op::LLVMAlloca
        && inst.users().any(|user| {
            user.kind() == ValueKind::LLVMInstructionValueKind
                && user.opcode() == Op::LLVMStore
                && user.operand(0) == inst
        })
}
