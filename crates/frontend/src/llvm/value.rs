//! LLVM values: instructions, calls, blocks.
#![expect(unsafe_code, reason = "calls the LLVM C API")]

use std::marker::PhantomData;

use llvm_sys::core::*;
use llvm_sys::prelude::*;

use super::module::{copy_text, take_message};
use super::{IntPredicate, Op, Ordering, RmwBinOp, Type, ValueKind};

/// A value of the module `'m`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Value<'m> {
    raw: LLVMValueRef,
    module: PhantomData<&'m ()>,
}

/// A basic block of the module `'m`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Block<'m> {
    raw: LLVMBasicBlockRef,
    module: PhantomData<&'m ()>,
}

/// The text of an inline assembly call.
pub(crate) struct InlineAsm {
    pub(crate) code: String,
    pub(crate) constraints: String,
    /// In Intel's syntax, not that of AT&T.
    pub(crate) is_intel: bool,
}

impl<'m> Value<'m> {
    pub(super) fn wrap(raw: LLVMValueRef) -> Option<Self> {
        (!raw.is_null()).then_some(Value { raw, module: PhantomData })
    }

    pub(super) fn expect(raw: LLVMValueRef) -> Self {
        Value::wrap(raw).expect("LLVM gave no value")
    }

    pub(super) fn raw(self) -> LLVMValueRef {
        self.raw
    }

    pub(crate) fn kind(self) -> ValueKind {
        // SAFETY: a live value.
        unsafe {
            match LLVMGetValueKind(self.raw) {
                // The C API says "instruction" of all it has no name for (rare kinds of constants).
                ValueKind::LLVMInstructionValueKind if LLVMIsAInstruction(self.raw).is_null() => {
                    ValueKind::LLVMConstantTargetNoneValueKind
                }
                kind => kind,
            }
        }
    }

    pub(crate) fn ty(self) -> Type<'m> {
        // SAFETY: a live value.
        Type::new(unsafe { LLVMTypeOf(self.raw) })
    }

    pub(crate) fn name(self) -> String {
        let mut len = 0;
        // SAFETY: returns pointer and length of a string in the value.
        unsafe {
            let text = LLVMGetValueName2(self.raw, &mut len);
            copy_text(text, len)
        }
    }

    /// LLVM's own text for this value, on one line.
    pub(crate) fn text(self) -> String {
        // SAFETY: a live value; the text is ours.
        let text = unsafe { take_message(LLVMPrintValueToString(self.raw)) };
        text.trim().replace('\n', " ")
    }

    pub(crate) fn is_used(self) -> bool {
        // SAFETY: a live value.
        unsafe { !LLVMGetFirstUse(self.raw).is_null() }
    }

    /// The users of this value, once for each use.
    pub(crate) fn users(self) -> impl Iterator<Item = Value<'m>> {
        // SAFETY: a live value; walks its list of uses.
        let first = unsafe { LLVMGetFirstUse(self.raw) };
        // SAFETY: a use that is not null.
        let uses = std::iter::successors((!first.is_null()).then_some(first), |&current| unsafe {
            let next = LLVMGetNextUse(current);
            (!next.is_null()).then_some(next)
        });
        // SAFETY: a use that is not null.
        uses.map(|current| Value::expect(unsafe { LLVMGetUser(current) }))
    }

    fn is_user(self) -> bool {
        use ValueKind::*;
        matches!(
            self.kind(),
            LLVMInstructionValueKind
                | LLVMConstantExprValueKind
                | LLVMConstantArrayValueKind
                | LLVMConstantStructValueKind
                | LLVMConstantVectorValueKind
                | LLVMGlobalVariableValueKind
                | LLVMFunctionValueKind
        )
    }

    pub(crate) fn n_operands(self) -> u32 {
        if !self.is_user() {
            return 0;
        }
        // SAFETY: a user.
        unsafe { LLVMGetNumOperands(self.raw) as u32 }
    }

    pub(crate) fn operand(self, index: u32) -> Value<'m> {
        assert!(index < self.n_operands(), "operand {index} of a value that has {}", self.n_operands());
        // SAFETY: a user that has this operand.
        Value::expect(unsafe { LLVMGetOperand(self.raw, index) })
    }

    /// Whether a global is a weak reference that nothing defines, so that its address is null.
    pub(crate) fn is_extern_weak(self) -> bool {
        // SAFETY: asked before anything that only a global value has.
        unsafe {
            !LLVMIsAGlobalValue(self.raw).is_null()
                && LLVMGetLinkage(self.raw) == llvm_sys::LLVMLinkage::LLVMExternalWeakLinkage
        }
    }

    // --- instructions ---

    /// The opcode of an instruction.
    pub(crate) fn opcode(self) -> Op {
        assert!(self.kind() == ValueKind::LLVMInstructionValueKind, "not an instruction");
        // SAFETY: an instruction.
        unsafe { LLVMGetInstructionOpcode(self.raw) }
    }

    pub(super) fn expect_op(self, ops: &[Op]) {
        let op = self.opcode();
        assert!(ops.contains(&op), "expected one of {ops:?}, got {op:?}");
    }

    /// `nsw` and `nuw` of an instruction that can have them.
    pub(crate) fn wrap_flags(self) -> (bool, bool) {
        self.expect_op(&[Op::LLVMAdd, Op::LLVMSub, Op::LLVMMul, Op::LLVMShl]);
        // SAFETY: an instruction with overflow flags.
        unsafe { (LLVMGetNSW(self.raw) != 0, LLVMGetNUW(self.raw) != 0) }
    }

    pub(crate) fn int_predicate(self) -> IntPredicate {
        self.expect_op(&[Op::LLVMICmp]);
        // SAFETY: an `icmp`.
        unsafe { LLVMGetICmpPredicate(self.raw) }
    }

    /// The predicate of an `fcmp` as LLVM's mask: 1 equal, 2 greater, 4 less, 8 unordered.
    pub(crate) fn float_predicate(self) -> u32 {
        self.expect_op(&[Op::LLVMFCmp]);
        // SAFETY: an `fcmp`.
        unsafe { LLVMGetFCmpPredicate(self.raw) as u32 }
    }

    pub(crate) fn successors(self) -> Vec<Block<'m>> {
        // SAFETY: an instruction that is a terminator, as checked by `opcode` and LLVM's own list.
        unsafe {
            if LLVMIsATerminatorInst(self.raw).is_null() {
                return Vec::new();
            }
            (0..LLVMGetNumSuccessors(self.raw))
                .map(|i| Block::wrap(LLVMGetSuccessor(self.raw, i)).expect("a successor"))
                .collect()
        }
    }

    pub(crate) fn is_conditional(self) -> bool {
        self.expect_op(&[Op::LLVMBr]);
        // SAFETY: a `br`.
        unsafe { LLVMIsConditional(self.raw) != 0 }
    }

    /// Condition of a conditional `br`.
    pub(crate) fn condition(self) -> Value<'m> {
        assert!(self.is_conditional(), "an unconditional branch has no condition");
        // SAFETY: a conditional `br`.
        Value::expect(unsafe { LLVMGetCondition(self.raw) })
    }

    /// The cases of a `switch`; its value is operand 0, its default successor 0.
    pub(crate) fn switch_cases(self) -> Vec<(Value<'m>, Block<'m>)> {
        self.expect_op(&[Op::LLVMSwitch]);
        // SAFETY: a `switch`; case values start at successor 1.
        unsafe {
            (1..LLVMGetNumSuccessors(self.raw))
                .map(|i| {
                    let value = Value::expect(LLVMGetSwitchCaseValue(self.raw, i));
                    (value, Block::wrap(LLVMGetSuccessor(self.raw, i)).expect("a case target"))
                })
                .collect()
        }
    }

    /// The incoming values of a `phi`.
    pub(crate) fn incoming(self) -> Vec<(Block<'m>, Value<'m>)> {
        self.expect_op(&[Op::LLVMPHI]);
        // SAFETY: a `phi`.
        unsafe {
            (0..LLVMCountIncoming(self.raw))
                .map(|i| {
                    let block = Block::wrap(LLVMGetIncomingBlock(self.raw, i)).expect("an incoming block");
                    (block, Value::expect(LLVMGetIncomingValue(self.raw, i)))
                })
                .collect()
        }
    }

    /// Source element type of a GEP instruction or constant expression.
    pub(crate) fn gep_type(self) -> Type<'m> {
        let is_gep = match self.kind() {
            ValueKind::LLVMInstructionValueKind => self.opcode() == Op::LLVMGetElementPtr,
            ValueKind::LLVMConstantExprValueKind => self.const_opcode() == Op::LLVMGetElementPtr,
            _ => false,
        };
        assert!(is_gep, "not a GEP");
        // SAFETY: a GEP.
        Type::new(unsafe { LLVMGetGEPSourceElementType(self.raw) })
    }

    pub(crate) fn allocated_type(self) -> Type<'m> {
        self.expect_op(&[Op::LLVMAlloca]);
        // SAFETY: an `alloca`.
        Type::new(unsafe { LLVMGetAllocatedType(self.raw) })
    }

    /// Alignment of an alloca, load, store or global; 0 if none is given.
    pub(crate) fn alignment(self) -> u64 {
        let is_ok = match self.kind() {
            ValueKind::LLVMInstructionValueKind => {
                matches!(self.opcode(), Op::LLVMAlloca | Op::LLVMLoad | Op::LLVMStore)
            }
            ValueKind::LLVMGlobalVariableValueKind => true,
            _ => false,
        };
        assert!(is_ok, "a value without an alignment");
        // SAFETY: a value that has an alignment.
        u64::from(unsafe { LLVMGetAlignment(self.raw) })
    }

    pub(crate) fn is_volatile(self) -> bool {
        self.expect_op(&[Op::LLVMLoad, Op::LLVMStore, Op::LLVMAtomicRMW, Op::LLVMAtomicCmpXchg]);
        // SAFETY: a memory access.
        unsafe { LLVMGetVolatile(self.raw) != 0 }
    }

    pub(crate) fn ordering(self) -> Ordering {
        self.expect_op(&[Op::LLVMLoad, Op::LLVMStore, Op::LLVMFence, Op::LLVMAtomicRMW]);
        // SAFETY: an instruction with one ordering.
        unsafe { LLVMGetOrdering(self.raw) }
    }

    pub(crate) fn success_ordering(self) -> Ordering {
        self.expect_op(&[Op::LLVMAtomicCmpXchg]);
        // SAFETY: a `cmpxchg`.
        unsafe { LLVMGetCmpXchgSuccessOrdering(self.raw) }
    }

    pub(crate) fn failure_ordering(self) -> Ordering {
        self.expect_op(&[Op::LLVMAtomicCmpXchg]);
        // SAFETY: a `cmpxchg`.
        unsafe { LLVMGetCmpXchgFailureOrdering(self.raw) }
    }

    pub(crate) fn is_weak(self) -> bool {
        self.expect_op(&[Op::LLVMAtomicCmpXchg]);
        // SAFETY: a `cmpxchg`.
        unsafe { LLVMGetWeak(self.raw) != 0 }
    }

    /// Whether a fence orders against signal handlers only.
    pub(crate) fn is_single_thread(self) -> bool {
        self.expect_op(&[Op::LLVMFence]);
        // SAFETY: a fence.
        unsafe { LLVMIsAtomicSingleThread(self.raw) != 0 }
    }

    pub(crate) fn rmw_op(self) -> RmwBinOp {
        self.expect_op(&[Op::LLVMAtomicRMW]);
        // SAFETY: an `atomicrmw`.
        unsafe { LLVMGetAtomicRMWBinOp(self.raw) }
    }

    /// The path of an `extractvalue` or `insertvalue`.
    pub(crate) fn indices(self) -> Vec<u32> {
        self.expect_op(&[Op::LLVMExtractValue, Op::LLVMInsertValue]);
        // SAFETY: an instruction with indices; pointer and count belong together.
        unsafe {
            let count = LLVMGetNumIndices(self.raw) as usize;
            std::slice::from_raw_parts(LLVMGetIndices(self.raw), count).to_vec()
        }
    }

    /// The mask of a `shufflevector`; `None` where the result is undefined.
    pub(crate) fn shuffle_mask(self) -> Vec<Option<u32>> {
        self.expect_op(&[Op::LLVMShuffleVector]);
        // SAFETY: a `shufflevector`.
        unsafe {
            (0..LLVMGetNumMaskElements(self.raw))
                .map(|i| u32::try_from(LLVMGetMaskValue(self.raw, i)).ok())
                .collect()
        }
    }

    /// The block of an instruction.
    pub(crate) fn block(self) -> Block<'m> {
        assert!(self.kind() == ValueKind::LLVMInstructionValueKind, "not an instruction");
        // SAFETY: an instruction.
        Block::wrap(unsafe { LLVMGetInstructionParent(self.raw) }).expect("an instruction is in a block")
    }

    /// The next instruction of the block.
    pub(crate) fn next_instruction(self) -> Option<Value<'m>> {
        assert!(self.kind() == ValueKind::LLVMInstructionValueKind, "not an instruction");
        // SAFETY: an instruction.
        Value::wrap(unsafe { LLVMGetNextInstruction(self.raw) })
    }

    // --- calls ---

    const CALLS: [Op; 3] = [Op::LLVMCall, Op::LLVMInvoke, Op::LLVMCallBr];

    pub(crate) fn callee(self) -> Value<'m> {
        self.expect_op(&Self::CALLS);
        // SAFETY: a call.
        Value::expect(unsafe { LLVMGetCalledValue(self.raw) })
    }

    pub(crate) fn call_args(self) -> Vec<Value<'m>> {
        self.expect_op(&Self::CALLS);
        // SAFETY: a call; its arguments are its first operands.
        unsafe {
            (0..LLVMGetNumArgOperands(self.raw)).map(|i| Value::expect(LLVMGetOperand(self.raw, i))).collect()
        }
    }

    /// Whether an argument of a call (0-based) stands for the `...` of the called type.
    pub(crate) fn is_variadic_arg(self, index: u32) -> bool {
        self.expect_op(&Self::CALLS);
        // SAFETY: a call has a function type.
        unsafe { index >= LLVMCountParamTypes(LLVMGetCalledFunctionType(self.raw)) }
    }

    /// The type of a `byval` argument of a call (0-based), if it is one.
    pub(crate) fn call_byval(self, index: u32) -> Option<Type<'m>> {
        self.expect_op(&Self::CALLS);
        // SAFETY: a call; attribute index 1 is the first argument.
        unsafe { type_attribute(LLVMGetCallSiteEnumAttribute(self.raw, index + 1, byval_kind())) }
    }

    /// Whether the first argument of a call is the place of its result.
    pub(crate) fn call_returns_through_pointer(self) -> bool {
        !self.call_args().is_empty() && !self.call_arg_attribute(0, "sret").is_null()
    }

    /// The type of what an argument of inline assembly (0-based) points to, if it says so.
    pub(crate) fn call_element_type(self, index: u32) -> Option<Type<'m>> {
        let attribute = self.call_arg_attribute(index, "elementtype");
        // SAFETY: a live attribute or null.
        unsafe { type_attribute(attribute) }
    }

    /// The alignment that a call promises for an argument (0-based); 0 if it says nothing.
    pub(crate) fn call_arg_align(self, index: u32) -> u64 {
        let attribute = self.call_arg_attribute(index, "align");
        // SAFETY: a live attribute; the value is read of an integer attribute only.
        unsafe {
            if attribute.is_null() || LLVMIsEnumAttribute(attribute) == 0 {
                return 0;
            }
            LLVMGetEnumAttributeValue(attribute)
        }
    }

    /// Whether a call says that an argument (0-based) is a value of the source, not bytes of a struct.
    pub(crate) fn call_arg_noundef(self, index: u32) -> bool {
        !self.call_arg_attribute(index, "noundef").is_null()
    }

    fn call_arg_attribute(self, index: u32, name: &str) -> LLVMAttributeRef {
        self.expect_op(&Self::CALLS);
        // SAFETY: pointer and length of a string; a call, whose attribute index 1 is the first argument.
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            LLVMGetCallSiteEnumAttribute(self.raw, index + 1, kind)
        }
    }

    /// Code and constraints of an inline assembly callee.
    pub(crate) fn inline_asm(self) -> InlineAsm {
        assert!(self.kind() == ValueKind::LLVMInlineAsmValueKind, "not inline assembly");
        let mut len = 0;
        // SAFETY: inline assembly; each call gives pointer and length.
        unsafe {
            let code = LLVMGetInlineAsmAsmString(self.raw, &mut len);
            let code = copy_text(code, len);
            let constraints = LLVMGetInlineAsmConstraintString(self.raw, &mut len);
            let constraints = copy_text(constraints, len);
            let dialect = LLVMGetInlineAsmDialect(self.raw);
            let is_intel = dialect == llvm_sys::LLVMInlineAsmDialect::LLVMInlineAsmDialectIntel;
            InlineAsm { code, constraints, is_intel }
        }
    }
}

impl<'m> Block<'m> {
    pub(super) fn wrap(raw: LLVMBasicBlockRef) -> Option<Self> {
        (!raw.is_null()).then_some(Block { raw, module: PhantomData })
    }

    pub(super) fn raw(self) -> LLVMBasicBlockRef {
        self.raw
    }

    /// The name that clang gave it: the label's, where the source has one here, perhaps with a number behind it.
    pub(crate) fn name(self) -> String {
        // SAFETY: a live block is a value.
        Value::expect(unsafe { LLVMBasicBlockAsValue(self.raw) }).name()
    }

    /// Whether anything jumps here or takes the block's address.
    pub(crate) fn is_used(self) -> bool {
        // SAFETY: a live block is a value.
        unsafe { !LLVMGetFirstUse(LLVMBasicBlockAsValue(self.raw)).is_null() }
    }

    /// What jumps here or takes the block's address.
    pub(crate) fn users(self) -> impl Iterator<Item = Value<'m>> {
        // SAFETY: a live block is a value.
        Value::expect(unsafe { LLVMBasicBlockAsValue(self.raw) }).users()
    }

    pub(crate) fn function(self) -> Value<'m> {
        // SAFETY: a live block.
        Value::expect(unsafe { LLVMGetBasicBlockParent(self.raw) })
    }

    pub(crate) fn instructions(self) -> impl Iterator<Item = Value<'m>> {
        // SAFETY: a live block.
        let first = Value::wrap(unsafe { LLVMGetFirstInstruction(self.raw) });
        std::iter::successors(first, |inst| inst.next_instruction())
    }

    pub(crate) fn terminator(self) -> Option<Value<'m>> {
        // SAFETY: a live block.
        Value::wrap(unsafe { LLVMGetBasicBlockTerminator(self.raw) })
    }

    pub(crate) fn phis(self) -> impl Iterator<Item = Value<'m>> {
        self.instructions().take_while(|inst| inst.opcode() == Op::LLVMPHI)
    }
}

/// The id of the attribute `byval`.
pub(super) fn byval_kind() -> u32 {
    const NAME: &str = "byval";
    // SAFETY: pointer and length of a string.
    unsafe { LLVMGetEnumAttributeKindForName(NAME.as_ptr().cast(), NAME.len()) }
}

/// # Safety
/// `attribute` is null or a live attribute.
pub(super) unsafe fn type_attribute<'m>(attribute: LLVMAttributeRef) -> Option<Type<'m>> {
    // SAFETY: by the contract above; the kind is checked before the type is read.
    unsafe {
        if attribute.is_null() || LLVMIsTypeAttribute(attribute) == 0 {
            return None;
        }
        Some(Type::new(LLVMGetTypeAttributeValue(attribute)))
    }
}
