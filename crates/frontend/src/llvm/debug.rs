//! Debug information: metadata nodes, locations, variable records.
//!
//! LLVM's verifier lets some malformed debug nodes pass (a type whose name is not a string), and the
//! C API's accessors then read wild memory. Strings and references are therefore taken from a
//! node's operands, with their kinds checked, wherever there is a choice.
#![expect(unsafe_code, reason = "calls the LLVM C API")]

use std::ptr::null_mut;

use llvm_sys::LLVMDbgRecordKind;
use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::*;

use super::module::{copy_text, take_message};
use super::{Context, Value, ValueKind};

pub(crate) use llvm_sys::debuginfo::LLVMMetadataKind as MetaKind;

/// Position of the name among the operands of a type or subprogram.
const NAME: usize = 2;

/// A metadata node of the module `'m`.
#[derive(Clone, Copy)]
pub(crate) struct Meta<'m> {
    raw: LLVMMetadataRef,
    context: &'m Context,
}

impl PartialEq for Meta<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.raw == other.raw
    }
}

impl Eq for Meta<'_> {}

impl std::hash::Hash for Meta<'_> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.raw.hash(state);
    }
}

/// A debug record that says which source variable a value or address stands for.
pub(crate) struct DbgRecord<'m> {
    raw: LLVMDbgRecordRef,
    /// A `DILocalVariable`.
    pub(crate) variable: Meta<'m>,
    /// A `DIExpression`.
    pub(crate) expression: Meta<'m>,
    /// The value is the variable's address.
    pub(crate) is_declare: bool,
}

impl<'m> DbgRecord<'m> {
    /// The value (or, for `is_declare`, the address). To be asked only if the expression is empty:
    /// an expression over several values may have none at all.
    pub(crate) fn value(&self) -> Option<Value<'m>> {
        // SAFETY: a live variable record.
        Value::wrap(unsafe { LLVMDbgVariableRecordGetValue(self.raw, 0) })
    }
}

impl<'m> Meta<'m> {
    fn wrap(raw: LLVMMetadataRef, context: &'m Context) -> Option<Self> {
        (!raw.is_null()).then_some(Meta { raw, context })
    }

    pub(crate) fn kind(self) -> MetaKind {
        // SAFETY: a live node.
        unsafe { LLVMGetMetadataKind(self.raw) }
    }

    pub(crate) fn is(self, kind: MetaKind) -> bool {
        self.kind() as u32 == kind as u32
    }

    fn is_node(self) -> bool {
        use MetaKind::*;
        !matches!(
            self.kind(),
            LLVMMDStringMetadataKind
                | LLVMConstantAsMetadataMetadataKind
                | LLVMLocalAsMetadataMetadataKind
                | LLVMDistinctMDOperandPlaceholderMetadataKind
                | LLVMDIArgListMetadataKind
        )
    }

    /// Operand `index` of a node, if there is one and it is not null.
    pub(crate) fn operand(self, index: usize) -> Option<Meta<'m>> {
        self.operands().into_iter().nth(index).flatten()
    }

    /// Operands of a node.
    pub(crate) fn operands(self) -> Vec<Option<Meta<'m>>> {
        if !self.is_node() {
            return Vec::new();
        }
        // SAFETY: a node; the buffer has as many places as it has operands.
        unsafe {
            let value = LLVMMetadataAsValue(self.context.raw(), self.raw);
            let mut operands = vec![null_mut(); LLVMGetMDNodeNumOperands(value) as usize];
            LLVMGetMDNodeOperands(value, operands.as_mut_ptr());
            operands
                .into_iter()
                .map(|operand| {
                    if operand.is_null() {
                        None
                    } else {
                        Meta::wrap(LLVMValueAsMetadata(operand), self.context)
                    }
                })
                .collect()
        }
    }

    /// The text of a metadata string.
    pub(crate) fn string(self) -> Option<String> {
        if !self.is(MetaKind::LLVMMDStringMetadataKind) {
            return None;
        }
        let mut len = 0;
        // SAFETY: a metadata string.
        unsafe {
            let value = LLVMMetadataAsValue(self.context.raw(), self.raw);
            let text = LLVMGetMDString(value, &mut len);
            Some(copy_text(text, len as usize))
        }
    }

    /// String operand `index`; empty if it is absent.
    pub(crate) fn string_operand(self, index: usize) -> String {
        self.operand(index).and_then(Meta::string).unwrap_or_default()
    }

    /// LLVM's text for this node (the only way to some fields). The node is not attached to a
    /// module here, so LLVM numbers nothing and this stays cheap. LLVM takes the operand at
    /// `name` to be a string without looking, so if it is something else there is no text.
    pub(crate) fn text(self, name: Option<usize>) -> String {
        let is_nameless = |at: usize| self.operand(at).is_some_and(|operand| operand.string().is_none());
        if name.is_some_and(is_nameless) {
            return String::new();
        }
        // SAFETY: a live node; the text is ours.
        unsafe {
            let value = LLVMMetadataAsValue(self.context.raw(), self.raw);
            take_message(LLVMPrintValueToString(value))
        }
    }

    /// The integer of a constant used as metadata.
    pub(crate) fn constant_int(self) -> Option<i64> {
        if !self.is(MetaKind::LLVMConstantAsMetadataMetadataKind) {
            return None;
        }
        let text = self.text(None);
        text.split_whitespace().last()?.parse().ok()
    }

    /// The DWARF tag of a debug node.
    pub(crate) fn tag(self) -> u16 {
        assert!(self.is_node(), "only nodes have tags");
        // SAFETY: a node; other than debug nodes give 0.
        unsafe { LLVMGetDINodeTag(self.raw) }
    }

    pub(crate) fn is_type(self) -> bool {
        use MetaKind::*;
        matches!(
            self.kind(),
            LLVMDIBasicTypeMetadataKind
                | LLVMDIDerivedTypeMetadataKind
                | LLVMDICompositeTypeMetadataKind
                | LLVMDISubroutineTypeMetadataKind
                | LLVMDIStringTypeMetadataKind
                | LLVMDISubrangeTypeMetadataKind
                | LLVMDIFixedPointTypeMetadataKind
        )
    }

    fn is_scope(self) -> bool {
        use MetaKind::*;
        self.is_type()
            || matches!(
                self.kind(),
                LLVMDIFileMetadataKind
                    | LLVMDICompileUnitMetadataKind
                    | LLVMDISubprogramMetadataKind
                    | LLVMDILexicalBlockMetadataKind
                    | LLVMDILexicalBlockFileMetadataKind
                    | LLVMDINamespaceMetadataKind
                    | LLVMDIModuleMetadataKind
                    | LLVMDICommonBlockMetadataKind
            )
    }

    fn is_variable(self) -> bool {
        matches!(
            self.kind(),
            MetaKind::LLVMDIGlobalVariableMetadataKind | MetaKind::LLVMDILocalVariableMetadataKind
        )
    }

    pub(crate) fn type_name(self) -> String {
        assert!(self.is_type(), "not a type");
        self.string_operand(NAME)
    }

    pub(crate) fn type_bits(self) -> u64 {
        assert!(self.is_type(), "not a type");
        // SAFETY: a type node.
        unsafe { LLVMDITypeGetSizeInBits(self.raw) }
    }

    pub(crate) fn type_bit_offset(self) -> u64 {
        assert!(self.is_type(), "not a type");
        // SAFETY: a type node.
        unsafe { LLVMDITypeGetOffsetInBits(self.raw) }
    }

    /// The file of a scope.
    pub(crate) fn scope_file(self) -> Option<Meta<'m>> {
        if !self.is_scope() {
            return None;
        }
        if self.is_file() { Some(self) } else { self.operand(0).filter(|file| file.is_file()) }
    }

    fn is_file(self) -> bool {
        self.is(MetaKind::LLVMDIFileMetadataKind)
    }

    /// Name and directory of a file.
    pub(crate) fn file_name_and_dir(self) -> (String, String) {
        assert!(self.is_file(), "not a file");
        (self.string_operand(0), self.string_operand(1))
    }

    /// Line, column and scope of a location.
    pub(crate) fn location(self) -> Option<(u32, u32, Meta<'m>)> {
        if !self.is(MetaKind::LLVMDILocationMetadataKind) {
            return None;
        }
        let scope = self.operand(0)?;
        // SAFETY: a location.
        unsafe { Some((LLVMDILocationGetLine(self.raw), LLVMDILocationGetColumn(self.raw), scope)) }
    }

    pub(crate) fn variable_line(self) -> u32 {
        assert!(self.is_variable(), "not a variable");
        // SAFETY: a variable.
        unsafe { LLVMDIVariableGetLine(self.raw) }
    }

    pub(crate) fn variable_file(self) -> Option<Meta<'m>> {
        assert!(self.is_variable(), "not a variable");
        self.operand(2).filter(|file| file.is_file())
    }

    pub(crate) fn subprogram_line(self) -> u32 {
        assert!(self.is(MetaKind::LLVMDISubprogramMetadataKind), "not a subprogram");
        // SAFETY: a subprogram.
        unsafe { LLVMDISubprogramGetLine(self.raw) }
    }
}

impl<'m> Value<'m> {
    /// The debug location of an instruction.
    pub(crate) fn debug_location(self, context: &'m Context) -> Option<Meta<'m>> {
        assert!(self.kind() == ValueKind::LLVMInstructionValueKind, "not an instruction");
        // SAFETY: an instruction.
        Meta::wrap(unsafe { LLVMInstructionGetDebugLoc(self.raw()) }, context)
    }

    /// The subprogram of a function.
    pub(crate) fn subprogram(self, context: &'m Context) -> Option<Meta<'m>> {
        assert!(self.kind() == ValueKind::LLVMFunctionValueKind, "not a function");
        // SAFETY: a function.
        Meta::wrap(unsafe { LLVMGetSubprogram(self.raw()) }, context)
    }

    /// The `DIGlobalVariable` of a global.
    pub(crate) fn global_variable_info(self, context: &'m Context) -> Option<Meta<'m>> {
        assert!(self.kind() == ValueKind::LLVMGlobalVariableValueKind, "not a global variable");
        let mut count = 0;
        // SAFETY: a global; the entries are freed once and read only within their count.
        unsafe {
            let entries = LLVMGlobalCopyAllMetadata(self.raw(), &mut count);
            let found = (0..count as u32)
                .filter_map(|i| Meta::wrap(LLVMValueMetadataEntriesGetMetadata(entries, i), context))
                .find(|meta| meta.is(MetaKind::LLVMDIGlobalVariableExpressionMetadataKind))
                .and_then(|meta| meta.operand(0))
                .filter(|meta| meta.is(MetaKind::LLVMDIGlobalVariableMetadataKind));
            LLVMDisposeValueMetadataEntries(entries);
            found
        }
    }

    /// The variable records that stand before an instruction.
    pub(crate) fn debug_records(self, context: &'m Context) -> Vec<DbgRecord<'m>> {
        assert!(self.kind() == ValueKind::LLVMInstructionValueKind, "not an instruction");
        let mut records = Vec::new();
        // SAFETY: walks the records of an instruction; labels have no variable and are skipped.
        unsafe {
            let mut next = LLVMGetFirstDbgRecord(self.raw());
            while !next.is_null() {
                let kind = LLVMDbgRecordGetKind(next);
                if kind != LLVMDbgRecordKind::LLVMDbgRecordLabel {
                    let variable = Meta::wrap(LLVMDbgVariableRecordGetVariable(next), context);
                    let expression = Meta::wrap(LLVMDbgVariableRecordGetExpression(next), context);
                    if let (Some(variable), Some(expression)) = (variable, expression) {
                        let is_declare = kind == LLVMDbgRecordKind::LLVMDbgRecordDeclare;
                        records.push(DbgRecord { raw: next, variable, expression, is_declare });
                    }
                }
                next = LLVMGetNextDbgRecord(next);
            }
        }
        records
    }
}
