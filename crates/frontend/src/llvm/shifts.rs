//! Tells the two faults of a shift apart that clang marks by one call: an amount that is out of range, and bits that are
//! lost.
//!
//! Relies on: clang's form, where the mark's block is the alternative of a branch on `amount ok` or on
//! `amount ok & base ok`. A mark in another form stays as it is.
#![expect(unsafe_code, reason = "calls the LLVM C API")]

use llvm_sys::core::*;
use llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use selvedge_library::Process;

use super::{Block, IntPredicate, Module, Op, Value, ValueKind};

impl<'c> Module<'c> {
    /// Adds the calls.
    pub(crate) fn tell_shifts_apart(&self) {
        let Some(mark) = self.function(Process::ShiftOverflows.row().name()) else { return };
        let calls: Vec<Value<'_>> = mark.users().filter(|user| is_instruction(*user, Op::LLVMCall)).collect();
        for call in calls {
            if let Some(fits) = amount_fits(call) {
                // SAFETY: the condition was computed before the branch to the mark.
                unsafe { self.call_before(call, fits) };
            }
        }
    }

    /// # Safety
    /// `fits` is a truth value that is available at `mark`.
    unsafe fn call_before(&self, mark: Value<'_>, fits: Value<'_>) {
        // SAFETY: by the contract above.
        unsafe {
            let context = self.context().raw();
            let builder = LLVMCreateBuilderInContext(context);
            LLVMPositionBuilderBefore(builder, mark.raw());
            LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(mark.raw()));
            let int = LLVMInt32TypeInContext(context);
            let mut params = [int];
            let ty = LLVMFunctionType(LLVMVoidTypeInContext(context), params.as_mut_ptr(), 1, 0);
            let callee = self.declare(Process::ShiftAmount.row().name(), ty);
            let mut args = [LLVMBuildZExt(builder, fits.raw(), int, c"".as_ptr())];
            LLVMBuildCall2(builder, ty, callee, args.as_mut_ptr(), 1, c"".as_ptr());
            LLVMDisposeBuilder(builder);
        }
    }
}

/// The condition that the amount is in range, which was looked at before `mark` is called.
fn amount_fits(mark: Value<'_>) -> Option<Value<'_>> {
    let block = mark.block();
    let branch = only_branch_to(block)?;
    let condition = branch.condition();
    let is_range = |value: Value<'_>| {
        is_instruction(value, Op::LLVMICmp) && value.int_predicate() == IntPredicate::LLVMIntULE
    };
    // Of a constant amount clang knows at once.
    let is_known = |value: Value<'_>| value.kind() == ValueKind::LLVMConstantIntValueKind;
    let fits = if is_instruction(condition, Op::LLVMAnd) { condition.operand(0) } else { condition };
    (is_range(fits) || is_known(fits)).then_some(fits)
}

fn only_branch_to(block: Block<'_>) -> Option<Value<'_>> {
    let mut users = block.users();
    let branch = users.next().filter(|user| is_instruction(*user, Op::LLVMBr) && user.is_conditional())?;
    users.next().is_none().then_some(branch)
}

fn is_instruction(value: Value<'_>, op: Op) -> bool {
    value.kind() == ValueKind::LLVMInstructionValueKind && value.opcode() == op
}
