//! Landing pads: where a function goes on when one of its calls ends with an exception.
#![expect(unsafe_code, reason = "calls the LLVM C API")]

use llvm_sys::core::*;

use super::{Block, Op, TypeKind, Value};

/// What a landing pad has to say about an exception.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Clause<'m> {
    /// Exceptions of this type are caught here; null is any type.
    Catch(Value<'m>),
    /// Only exceptions of certain types may leave (`throw(A, B)` of old C++).
    Filter,
}

impl<'m> Value<'m> {
    /// The clauses of a `landingpad`, in order.
    pub(crate) fn clauses(self) -> Vec<Clause<'m>> {
        self.expect_op(&[Op::LLVMLandingPad]);
        let clause = |index| {
            // SAFETY: a `landingpad`, which has this clause.
            let value = Value::expect(unsafe { LLVMGetClause(self.raw(), index) });
            // A filter is an array of types.
            let is_filter = value.ty().kind() == TypeKind::LLVMArrayTypeKind;
            if is_filter { Clause::Filter } else { Clause::Catch(value) }
        };
        // SAFETY: a `landingpad`.
        let count = unsafe { LLVMGetNumClauses(self.raw()) };
        (0..count).map(clause).collect()
    }

    /// Whether a `landingpad` is also entered with exceptions that it does not catch.
    pub(crate) fn is_cleanup(self) -> bool {
        self.expect_op(&[Op::LLVMLandingPad]);
        // SAFETY: a `landingpad`.
        unsafe { LLVMIsCleanup(self.raw()) != 0 }
    }
}

impl<'m> Block<'m> {
    /// The `landingpad` that the block begins with.
    pub(crate) fn landing_pad(self) -> Option<Value<'m>> {
        let first = self.instructions().find(|inst| inst.opcode() != Op::LLVMPHI)?;
        (first.opcode() == Op::LLVMLandingPad).then_some(first)
    }
}
