//! Functions, global variables and constants.
#![expect(unsafe_code, reason = "calls the LLVM C API")]

use std::ffi::c_char;

use llvm_sys::core::*;
use llvm_sys::prelude::*;

use super::value::{byval_kind, type_attribute};
use super::{Block, Context, Op, Type, Value, ValueKind};

unsafe extern "C" {
    // llvm-sys declares the length as a plain integer; the C header has a pointer.
    #[link_name = "LLVMGetRawDataValues"]
    fn raw_data_values(constant: LLVMValueRef, len: *mut usize) -> *const c_char;
}

impl<'m> Value<'m> {
    // --- functions and globals ---

    fn expect_function(self) {
        assert!(self.kind() == ValueKind::LLVMFunctionValueKind, "not a function");
    }

    /// The type of the object a global value names.
    pub(crate) fn value_type(self) -> Type<'m> {
        use ValueKind::*;
        assert!(
            matches!(
                self.kind(),
                LLVMFunctionValueKind
                    | LLVMGlobalVariableValueKind
                    | LLVMGlobalAliasValueKind
                    | LLVMGlobalIFuncValueKind
            ),
            "not a global value"
        );
        // SAFETY: a global value.
        Type::new(unsafe { LLVMGlobalGetValueType(self.raw()) })
    }

    pub(crate) fn is_declaration(self) -> bool {
        let _ = self.value_type();
        // SAFETY: a global value.
        unsafe { LLVMIsDeclaration(self.raw()) != 0 }
    }

    pub(crate) fn params(self) -> Vec<Value<'m>> {
        self.expect_function();
        // SAFETY: a function.
        unsafe {
            (0..LLVMCountParams(self.raw())).map(|i| Value::expect(LLVMGetParam(self.raw(), i))).collect()
        }
    }

    /// The type of a `byval` parameter of a function (0-based), if it is one.
    pub(crate) fn param_byval(self, index: u32) -> Option<Type<'m>> {
        self.expect_function();
        // SAFETY: a function; attribute index 1 is the first parameter.
        unsafe { type_attribute(LLVMGetEnumAttributeAtIndex(self.raw(), index + 1, byval_kind())) }
    }

    pub(crate) fn blocks(self) -> Vec<Block<'m>> {
        self.expect_function();
        let mut blocks = Vec::new();
        // SAFETY: walks the function's list of blocks.
        unsafe {
            let mut next = LLVMGetFirstBasicBlock(self.raw());
            while let Some(block) = Block::wrap(next) {
                blocks.push(block);
                next = LLVMGetNextBasicBlock(next);
            }
        }
        blocks
    }

    fn expect_variable(self) {
        assert!(self.kind() == ValueKind::LLVMGlobalVariableValueKind, "not a global variable");
    }

    pub(crate) fn initializer(self) -> Option<Value<'m>> {
        self.expect_variable();
        // SAFETY: a global variable.
        Value::wrap(unsafe { LLVMGetInitializer(self.raw()) })
    }

    pub(crate) fn is_constant_global(self) -> bool {
        self.expect_variable();
        // SAFETY: a global variable.
        unsafe { LLVMIsGlobalConstant(self.raw()) != 0 }
    }

    pub(crate) fn is_thread_local(self) -> bool {
        self.expect_variable();
        // SAFETY: a global variable.
        unsafe { LLVMIsThreadLocal(self.raw()) != 0 }
    }

    pub(crate) fn aliasee(self) -> Value<'m> {
        assert!(self.kind() == ValueKind::LLVMGlobalAliasValueKind, "not an alias");
        // SAFETY: an alias.
        Value::expect(unsafe { LLVMAliasGetAliasee(self.raw()) })
    }

    // --- constants ---

    pub(crate) fn is_constant(self) -> bool {
        // SAFETY: a live value.
        unsafe { LLVMIsConstant(self.raw()) != 0 }
    }

    pub(crate) fn const_opcode(self) -> Op {
        assert!(self.kind() == ValueKind::LLVMConstantExprValueKind, "not a constant expression");
        // SAFETY: a constant expression.
        unsafe { LLVMGetConstOpcode(self.raw()) }
    }

    /// Limbs of an integer constant, little-endian, zero-extended.
    pub(crate) fn int_limbs(self, context: &Context) -> Vec<u64> {
        assert!(self.kind() == ValueKind::LLVMConstantIntValueKind, "not an integer constant");
        let ty = self.ty();
        let width = ty.int_width();
        if width <= 64 {
            // SAFETY: an integer constant of at most 64 bits.
            return vec![unsafe { LLVMConstIntGetZExtValue(self.raw()) }];
        }
        // The C API has no accessor for wide constants, but the builder folds a shift and a
        // truncation of constants without needing a place to insert instructions.
        // SAFETY: as said; all operands are constants of type `ty`.
        unsafe {
            let builder = LLVMCreateBuilderInContext(context.raw());
            let word = LLVMInt64TypeInContext(context.raw());
            let limbs = (0..width.div_ceil(64))
                .map(|k| {
                    let amount = LLVMConstInt(ty.raw(), 64 * u64::from(k), 0);
                    let shifted = LLVMBuildLShr(builder, self.raw(), amount, c"".as_ptr());
                    // The last limb of a width such as 72 is shifted down to fewer than 64 useful bits.
                    let limb = LLVMBuildTrunc(builder, shifted, word, c"".as_ptr());
                    LLVMConstIntGetZExtValue(limb)
                })
                .collect();
            LLVMDisposeBuilder(builder);
            limbs
        }
    }

    /// Bit pattern of a floating-point constant of `bits` bits.
    pub(crate) fn float_bits(self, context: &Context, bits: u32) -> u128 {
        assert!(self.kind() == ValueKind::LLVMConstantFPValueKind, "not a floating-point constant");
        // SAFETY: `bits` is the width of the type, so the cast folds to an integer constant.
        let as_int =
            Value::expect(unsafe { LLVMConstBitCast(self.raw(), LLVMIntTypeInContext(context.raw(), bits)) });
        let limbs = as_int.int_limbs(context);
        let high = limbs.get(1).copied().unwrap_or(0);
        u128::from(limbs[0]) | u128::from(high) << 64
    }

    /// Element of a constant aggregate.
    pub(crate) fn aggregate_element(self, index: u32) -> Option<Value<'m>> {
        if !self.is_constant() {
            return None;
        }
        // SAFETY: a constant; out of range gives null.
        Value::wrap(unsafe { LLVMGetAggregateElement(self.raw(), index) })
    }

    /// The bytes of a constant data array or vector (host order is the target's).
    pub(crate) fn raw_data(self) -> &'m [u8] {
        assert!(
            matches!(
                self.kind(),
                ValueKind::LLVMConstantDataArrayValueKind | ValueKind::LLVMConstantDataVectorValueKind
            ),
            "not constant data"
        );
        let mut len = 0;
        // SAFETY: constant data, which lives as long as the context.
        unsafe {
            let data = raw_data_values(self.raw(), &mut len);
            std::slice::from_raw_parts(data.cast::<u8>(), len)
        }
    }

    /// Function and block of a block address.
    pub(crate) fn block_address(self) -> (Value<'m>, Block<'m>) {
        assert!(self.kind() == ValueKind::LLVMBlockAddressValueKind, "not a block address");
        // SAFETY: a block address.
        unsafe {
            let function = Value::expect(LLVMGetBlockAddressFunction(self.raw()));
            (function, Block::wrap(LLVMGetBlockAddressBasicBlock(self.raw())).expect("a block"))
        }
    }
}
