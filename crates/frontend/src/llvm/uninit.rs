//! Makes the unknown first value of a local variable explicit, around `mem2reg`.
//!
//! Reading a local before it is written gives an arbitrary value, and that value can be what breaks
//! an assertion. `mem2reg` would turn `int x; if (c) x = 5; use(x);` into `use(5)`, which LLVM's
//! rules allow but which hides executions of the C program. Storing `freeze undef` into each local
//! where its life begins makes the arbitrary value a value like any other.
//! Guarantees: where the first value is never read, nothing is left of it; the program's own stores all stay, also
//! those of a value that was never initialised.
#![expect(unsafe_code, reason = "calls the LLVM C API")]

use std::marker::PhantomData;

use llvm_sys::core::*;
use llvm_sys::prelude::*;

use super::cleanup::is_slot;
use super::first_read::FirstRead;
use super::{Module, Op, TypeKind, Value, ValueKind};

/// The name (LLVM adds a number) of the values that this module inserts.
const MARK: &str = "selvedge.uninitialised";

/// Metadata of the stores that this module inserts. The program may store the same value elsewhere.
const FIRST: &str = "selvedge.first";

impl<'c> Module<'c> {
    /// Gives each local that could leave memory its arbitrary first value.
    pub(crate) fn mark_uninitialised(&self) {
        let builder = Builder::new(self);
        for function in self.functions().filter(|function| !function.is_declaration()) {
            let Some(&entry) = function.blocks().first() else { continue };
            let mut locals: Vec<Value<'_>> =
                entry.instructions().filter(|inst| is_scalar_local(*inst)).collect();
            // Where a way out of a scope could not be straightened, the slot for the function's result
            // seems to be read before it is written on paths that do not exist. An arbitrary value there would be
            // harmless, but each call would make one.
            let slots: Vec<Value<'_>> = locals.iter().copied().filter(|local| is_slot(*local)).collect();
            if !slots.is_empty() && function.subprogram(self.context()).is_some() {
                let variables = self.declared_variables(function);
                let mut first_read = FirstRead::new(self, entry, slots);
                locals.retain(|local| variables.contains(local) || first_read.can_be_unwritten(*local));
            }
            for local in locals {
                let starts: Vec<Value<'_>> = local.users().filter(|user| is_lifetime_start(*user)).collect();
                // A jump may go around the place where the life begins.
                builder.store_unknown(local, local);
                for start in starts {
                    builder.store_unknown(local, start);
                }
            }
        }
    }

    /// Removes the first values of locals that stayed in memory, and those that nothing reads.
    pub(crate) fn sweep_uninitialised(&self) {
        let first = self.first_store();
        for function in self.functions() {
            for block in function.blocks() {
                let marks: Vec<Value<'_>> = block.instructions().filter(|inst| is_mark(*inst)).collect();
                for mark in marks {
                    let is_store = |user: &Value<'_>| {
                        user.kind() == ValueKind::LLVMInstructionValueKind
                            && user.opcode() == Op::LLVMStore
                            // SAFETY: an instruction; null if it has no such metadata.
                            && !unsafe { LLVMGetMetadata(user.raw(), first) }.is_null()
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

    /// The kind of the metadata that our own stores carry.
    fn first_store(&self) -> u32 {
        // SAFETY: a name and its length.
        unsafe { LLVMGetMDKindIDInContext(self.context().raw(), FIRST.as_ptr().cast(), FIRST.len() as u32) }
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
    /// See [`FIRST`]: its kind, and an empty node.
    first: (u32, LLVMValueRef),
    module: PhantomData<&'m ()>,
}

impl<'m> Builder<'m> {
    fn new(module: &'m Module<'_>) -> Self {
        let context = module.context().raw();
        // SAFETY: a builder and a node for the module's context.
        let (raw, node) = unsafe {
            let node = LLVMMDNodeInContext2(context, std::ptr::null_mut(), 0);
            (LLVMCreateBuilderInContext(context), LLVMMetadataAsValue(context, node))
        };
        Builder { raw, first: (module.first_store(), node), module: PhantomData }
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
            let store = LLVMBuildStore(self.raw, unknown, local.raw());
            LLVMSetMetadata(store, self.first.0, self.first.1);
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
    let is_whole = !matches!(kind, TypeKind::LLVMStructTypeKind | TypeKind::LLVMArrayTypeKind);
    (is_whole || is_used_whole(inst))
        && inst.allocated_type().is_sized()
        && kind != TypeKind::LLVMScalableVectorTypeKind
        && kind != TypeKind::LLVMTargetExtTypeKind
}

/// Whether an aggregate is only read and written as one value.
fn is_used_whole(local: Value<'_>) -> bool {
    local.users().all(|user| {
        let ty = match user.kind() == ValueKind::LLVMInstructionValueKind {
            true if user.opcode() == Op::LLVMLoad => user.ty(),
            true if user.opcode() == Op::LLVMStore && user.operand(1) == local => user.operand(0).ty(),
            _ => return is_lifetime_start(user) || is_lifetime_end(user),
        };
        ty == local.allocated_type()
    })
}

fn is_lifetime_start(user: Value<'_>) -> bool {
    is_call_of(user, "llvm.lifetime.start")
}

fn is_lifetime_end(user: Value<'_>) -> bool {
    is_call_of(user, "llvm.lifetime.end")
}

fn is_call_of(user: Value<'_>, intrinsic: &str) -> bool {
    user.kind() == ValueKind::LLVMInstructionValueKind
        && user.opcode() == Op::LLVMCall
        && user.callee().kind() == ValueKind::LLVMFunctionValueKind
        && user.callee().name().starts_with(intrinsic)
}

fn is_mark(inst: Value<'_>) -> bool {
    inst.opcode() == Op::LLVMFreeze && inst.name().starts_with(MARK)
}
