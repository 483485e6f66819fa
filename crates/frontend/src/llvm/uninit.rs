//! Makes the unknown first value of a local variable explicit, around `mem2reg`.
//!
//! Reading a local before it is written gives an arbitrary value, and that value can be what breaks
//! an assertion. `mem2reg` would turn `int x; if (c) x = 5; use(x);` into `use(5)`, which LLVM's
//! rules allow but which hides executions of the C program. Storing `freeze undef` into each local
//! where its life begins makes the arbitrary value a value like any other.
//! Guarantees: where the first value is never read, nothing is left of it.
//! Not covered: the result of a function that ends without `return` although it should give a value, if
//! the ways out of its scopes are tangled (see `cleanup`); clang warns about such functions.
#![expect(unsafe_code, reason = "calls the LLVM C API")]

use std::marker::PhantomData;

use llvm_sys::core::*;
use llvm_sys::prelude::*;

use super::cleanup::is_slot;
use super::{Module, Op, TypeKind, Value, ValueKind};

/// The name (LLVM adds a number) of the values that this module inserts.
const MARK: &str = "selvedge.uninitialised";

impl<'c> Module<'c> {
    /// Gives each local that could leave memory its arbitrary first value.
    pub(crate) fn mark_uninitialised(&self) {
        let builder = Builder::new(self);
        for function in self.functions().filter(|function| !function.is_declaration()) {
            let Some(&entry) = function.blocks().first() else { continue };
            let mut locals: Vec<Value<'_>> =
                entry.instructions().filter(|inst| is_scalar_local(*inst)).collect();
            // Where a way out of a scope could not be straightened, the slot for the function's result
            // seems to be read before it is written on paths that do not exist.
            let has_slot = locals.iter().any(|local| is_slot(*local));
            if has_slot && function.subprogram(self.context()).is_some() {
                let variables = self.declared_variables(function);
                locals.retain(|local| variables.contains(local));
            }
            for local in locals {
                let starts: Vec<Value<'_>> = local.users().filter(|user| is_lifetime_start(*user)).collect();
                if starts.is_empty() {
                    builder.store_unknown(local, local);
                }
                for start in starts {
                    builder.store_unknown(local, start);
                }
            }
        }
    }

    /// Removes the first values of locals that stayed in memory, and those that nothing reads.
    pub(crate) fn sweep_uninitialised(&self) {
        for function in self.functions() {
            for block in function.blocks() {
                let marks: Vec<Value<'_>> = block.instructions().filter(|inst| is_mark(*inst)).collect();
                for mark in marks {
                    let is_store = |user: &Value<'_>| {
                        user.kind() == ValueKind::LLVMInstructionValueKind
                            && user.opcode() == Op::LLVMStore
                            && user.operand(0) == mark
                    };
                    let stores: Vec<Value<'_>> = mark.users().filter(is_store).collect();
                    for store in stores {
                        // SAFETY: nothing uses a store, and no `Value` of it is kept.
                        unsafe { LLVMInstructionEraseFromParent(store.raw()) };
                    }
                    if !mark.is_used() {
                        // SAFETY: it has no uses, and no `Value` of it is kept.
                        unsafe { LLVMInstructionEraseFromParent(mark.raw()) };
                    }
                }
            }
        }
    }

    /// Lets `mem2reg` work on functions that were compiled with `-O0`, which forbids it.
    pub(crate) fn allow_passes(&self) {
        const NAME: &str = "optnone";
        // SAFETY: the function index of an attribute list, and an attribute that may be absent.
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(NAME.as_ptr().cast(), NAME.len());
            for function in self.functions() {
                LLVMRemoveEnumAttributeAtIndex(function.raw(), llvm_sys::LLVMAttributeFunctionIndex, kind);
            }
        }
    }
}

struct Builder<'m> {
    raw: LLVMBuilderRef,
    module: PhantomData<&'m ()>,
}

impl<'m> Builder<'m> {
    fn new(module: &'m Module<'_>) -> Self {
        // SAFETY: a builder for the module's context.
        let raw = unsafe { LLVMCreateBuilderInContext(module.context().raw()) };
        Builder { raw, module: PhantomData }
    }

    /// Stores an arbitrary value to `local` after the instruction `place`.
    fn store_unknown(&self, local: Value<'m>, place: Value<'m>) {
        let Some(next) = place.next_instruction() else { return };
        let ty = local.allocated_type();
        // SAFETY: `next` is an instruction; the value has the type that the alloca holds.
        unsafe {
            LLVMPositionBuilderBefore(self.raw, next.raw());
            let unknown = LLVMBuildFreeze(self.raw, LLVMGetUndef(ty.raw()), c"".as_ptr());
            LLVMSetValueName2(unknown, MARK.as_ptr().cast(), MARK.len());
            LLVMBuildStore(self.raw, unknown, local.raw());
        }
    }
}

impl Drop for Builder<'_> {
    fn drop(&mut self) {
        // SAFETY: ours.
        unsafe { LLVMDisposeBuilder(self.raw) }
    }
}

/// A local that `mem2reg` may bring into a register. Others keep their place in memory, whose first
/// content the engine knows to be arbitrary.
fn is_scalar_local(inst: Value<'_>) -> bool {
    if inst.opcode() != Op::LLVMAlloca || inst.operand(0).kind() != ValueKind::LLVMConstantIntValueKind {
        return false;
    }
    let kind = inst.allocated_type().kind();
    !matches!(kind, TypeKind::LLVMStructTypeKind | TypeKind::LLVMArrayTypeKind)
        && inst.allocated_type().is_sized()
        && kind != TypeKind::LLVMScalableVectorTypeKind
        && kind != TypeKind::LLVMTargetExtTypeKind
}

fn is_lifetime_start(user: Value<'_>) -> bool {
    user.kind() == ValueKind::LLVMInstructionValueKind
        && user.opcode() == Op::LLVMCall
        && user.callee().kind() == ValueKind::LLVMFunctionValueKind
        && user.callee().name().starts_with("llvm.lifetime.start")
}

fn is_mark(inst: Value<'_>) -> bool {
    inst.opcode() == Op::LLVMFreeze && inst.name().starts_with(MARK)
}
