//! LLVM types and the data layout.
#![expect(unsafe_code, reason = "calls the LLVM C API")]

use std::fmt;
use std::marker::PhantomData;
use std::ptr::null_mut;

use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::target::*;

use super::TypeKind;
use super::module::take_message;

/// A type of the module `'m`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Type<'m> {
    raw: LLVMTypeRef,
    module: PhantomData<&'m ()>,
}

impl<'m> Type<'m> {
    pub(super) fn new(raw: LLVMTypeRef) -> Self {
        assert!(!raw.is_null(), "LLVM gave no type");
        Type { raw, module: PhantomData }
    }

    pub(super) fn raw(self) -> LLVMTypeRef {
        self.raw
    }

    pub(crate) fn kind(self) -> TypeKind {
        // SAFETY: a live type.
        unsafe { LLVMGetTypeKind(self.raw) }
    }

    fn expect(self, kind: TypeKind) {
        assert!(self.kind() == kind, "expected a type of kind {kind:?}, got {:?}", self.kind());
    }

    pub(crate) fn is_sized(self) -> bool {
        // SAFETY: a live type.
        unsafe { LLVMTypeIsSized(self.raw) != 0 }
    }

    /// Width of an integer type.
    pub(crate) fn int_width(self) -> u32 {
        self.expect(TypeKind::LLVMIntegerTypeKind);
        // SAFETY: an integer type.
        unsafe { LLVMGetIntTypeWidth(self.raw) }
    }

    /// Address space of a pointer type.
    pub(crate) fn address_space(self) -> u32 {
        self.expect(TypeKind::LLVMPointerTypeKind);
        // SAFETY: a pointer type.
        unsafe { LLVMGetPointerAddressSpace(self.raw) }
    }

    /// Element types of a struct type.
    pub(crate) fn struct_elements(self) -> Vec<Type<'m>> {
        self.expect(TypeKind::LLVMStructTypeKind);
        // SAFETY: a struct type; the buffer has as many places as it has elements.
        unsafe {
            let mut raw = vec![null_mut(); LLVMCountStructElementTypes(self.raw) as usize];
            LLVMGetStructElementTypes(self.raw, raw.as_mut_ptr());
            raw.into_iter().map(Type::new).collect()
        }
    }

    /// Element type of an array or fixed vector.
    pub(crate) fn element(self) -> Type<'m> {
        assert!(
            matches!(
                self.kind(),
                TypeKind::LLVMArrayTypeKind
                    | TypeKind::LLVMVectorTypeKind
                    | TypeKind::LLVMScalableVectorTypeKind
            ),
            "no element type"
        );
        // SAFETY: an array or vector type.
        Type::new(unsafe { LLVMGetElementType(self.raw) })
    }

    /// Number of elements of an array or fixed vector.
    pub(crate) fn element_count(self) -> u64 {
        match self.kind() {
            // SAFETY: an array type.
            TypeKind::LLVMArrayTypeKind => unsafe { LLVMGetArrayLength2(self.raw) },
            // SAFETY: a vector type.
            TypeKind::LLVMVectorTypeKind => u64::from(unsafe { LLVMGetVectorSize(self.raw) }),
            kind => panic!("a type of kind {kind:?} has no element count"),
        }
    }

    /// Return type of a function type.
    pub(crate) fn return_type(self) -> Type<'m> {
        self.expect(TypeKind::LLVMFunctionTypeKind);
        // SAFETY: a function type.
        Type::new(unsafe { LLVMGetReturnType(self.raw) })
    }

    /// Parameter types of a function type.
    pub(crate) fn param_types(self) -> Vec<Type<'m>> {
        self.expect(TypeKind::LLVMFunctionTypeKind);
        // SAFETY: a function type; the buffer has as many places as it has parameters.
        unsafe {
            let mut raw = vec![null_mut(); LLVMCountParamTypes(self.raw) as usize];
            LLVMGetParamTypes(self.raw, raw.as_mut_ptr());
            raw.into_iter().map(Type::new).collect()
        }
    }

    /// Whether a function type ends in `...`.
    pub(crate) fn is_variadic(self) -> bool {
        self.expect(TypeKind::LLVMFunctionTypeKind);
        // SAFETY: a function type.
        unsafe { LLVMIsFunctionVarArg(self.raw) != 0 }
    }
}

impl fmt::Display for Type<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: a live type; the text is ours.
        f.write_str(&unsafe { take_message(LLVMPrintTypeToString(self.raw)) })
    }
}

/// Sizes, alignments and offsets for the module's target.
#[derive(Clone, Copy)]
pub(crate) struct Layout<'m> {
    raw: LLVMTargetDataRef,
    module: PhantomData<&'m ()>,
}

impl Layout<'_> {
    pub(super) fn new(raw: LLVMTargetDataRef) -> Self {
        Layout { raw, module: PhantomData }
    }

    /// Width of a pointer in bits.
    pub(crate) fn pointer_bits(self) -> u32 {
        // SAFETY: a live layout.
        8 * unsafe { LLVMPointerSize(self.raw) }
    }

    /// Whether the target is little-endian.
    pub(crate) fn is_little_endian(self) -> bool {
        // SAFETY: a live layout.
        unsafe { LLVMByteOrder(self.raw) == LLVMByteOrdering::LLVMLittleEndian }
    }

    /// Distance between array elements of this type; `None` for a type without a size.
    pub(crate) fn alloc_size(self, ty: Type<'_>) -> Option<u64> {
        if !has_fixed_size(ty) {
            return None;
        }
        // SAFETY: a sized type.
        Some(unsafe { LLVMABISizeOfType(self.raw, ty.raw()) })
    }

    /// Alignment the target's calling convention gives this type.
    pub(crate) fn align(self, ty: Type<'_>) -> u64 {
        if !has_fixed_size(ty) {
            return 1;
        }
        // SAFETY: a sized type.
        u64::from(unsafe { LLVMABIAlignmentOfType(self.raw, ty.raw()) })
    }

    /// Byte offset of a field of a sized struct type.
    pub(crate) fn field_offset(self, ty: Type<'_>, field: u32) -> u64 {
        ty.expect(TypeKind::LLVMStructTypeKind);
        assert!(has_fixed_size(ty), "field of a struct without a size");
        // SAFETY: a sized struct type with that many fields.
        unsafe {
            assert!(field < LLVMCountStructElementTypes(ty.raw()), "no such field");
            LLVMOffsetOfElement(self.raw, ty.raw(), field)
        }
    }
}

/// Vectors of a length that only the machine knows have none, nor has what contains one.
fn has_fixed_size(ty: Type<'_>) -> bool {
    match ty.kind() {
        TypeKind::LLVMScalableVectorTypeKind => false,
        TypeKind::LLVMStructTypeKind => ty.is_sized() && ty.struct_elements().into_iter().all(has_fixed_size),
        TypeKind::LLVMArrayTypeKind => has_fixed_size(ty.element()),
        _ => ty.is_sized(),
    }
}
