//! How LLVM types split into scalars.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use selvedge_program::{FloatKind, Ty};

use crate::llvm::{Layout, Type, TypeKind};

/// Values of more scalars than this are not kept in registers. clang makes none near it; it stops
/// hand-written IR from making a register file of millions.
const MAX_SCALARS: usize = 4096;

/// One scalar of a type, and where it lies in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Leaf {
    pub(super) ty: Ty,
    /// Byte offset.
    pub(super) offset: u64,
}

/// How a type splits into scalars.
#[derive(PartialEq, Eq, Debug, Default)]
pub(super) struct Shape {
    pub(super) leaves: Vec<Leaf>,
    /// A vector whose elements are not whole bytes: in memory they lie bit by bit, so the offsets
    /// of the leaves mean nothing.
    pub(super) bit_packed: bool,
}

impl Shape {
    pub(super) fn tys(&self) -> impl Iterator<Item = Ty> {
        self.leaves.iter().map(|leaf| leaf.ty)
    }
}

/// Shapes by type, computed once.
pub(super) struct Shapes<'m> {
    pub(super) layout: Layout<'m>,
    known: FxHashMap<Type<'m>, Result<Rc<Shape>, String>>,
}

impl<'m> Shapes<'m> {
    pub(super) fn new(layout: Layout<'m>) -> Self {
        Shapes { layout, known: FxHashMap::default() }
    }

    pub(super) fn ptr_bits(&self) -> u32 {
        self.layout.pointer_bits()
    }

    /// The scalar that a type is, if it is one.
    pub(super) fn scalar(&self, ty: Type<'m>) -> Option<Ty> {
        Some(match ty.kind() {
            TypeKind::LLVMIntegerTypeKind => Ty::Int(ty.int_width()),
            TypeKind::LLVMPointerTypeKind => Ty::Ptr,
            TypeKind::LLVMHalfTypeKind => Ty::Float(FloatKind::Half),
            TypeKind::LLVMBFloatTypeKind => Ty::Float(FloatKind::BFloat),
            TypeKind::LLVMFloatTypeKind => Ty::Float(FloatKind::Single),
            TypeKind::LLVMDoubleTypeKind => Ty::Float(FloatKind::Double),
            TypeKind::LLVMX86_FP80TypeKind => Ty::Float(FloatKind::X87),
            TypeKind::LLVMFP128TypeKind => Ty::Float(FloatKind::Quad),
            _ => return None,
        })
    }

    /// The scalars of a type; the error says why it has none.
    pub(super) fn shape(&mut self, ty: Type<'m>) -> Result<Rc<Shape>, String> {
        if let Some(known) = self.known.get(&ty) {
            return known.clone();
        }
        let shape = self.compute(ty).map(Rc::new);
        self.known.insert(ty, shape.clone());
        shape
    }

    /// Scalar types of a type; empty if it cannot be kept in registers.
    pub(super) fn tys_or_empty(&mut self, ty: Type<'m>) -> Vec<Ty> {
        self.shape(ty).map(|shape| shape.tys().collect()).unwrap_or_default()
    }

    fn compute(&mut self, ty: Type<'m>) -> Result<Shape, String> {
        if let Some(ty) = self.scalar(ty) {
            return Ok(Shape { leaves: vec![Leaf { ty, offset: 0 }], bit_packed: false });
        }
        let mut shape = Shape::default();
        match ty.kind() {
            TypeKind::LLVMVoidTypeKind => {}
            TypeKind::LLVMStructTypeKind if ty.is_sized() => {
                for (index, element) in ty.struct_elements().into_iter().enumerate() {
                    let offset = self.layout.field_offset(ty, index as u32);
                    let inner = self.shape(element)?;
                    append(&mut shape, &inner, offset)?;
                }
            }
            TypeKind::LLVMArrayTypeKind => {
                let element = ty.element();
                let inner = self.shape(element)?;
                let stride = self.layout.alloc_size(element).ok_or("an array without a size")?;
                if !inner.leaves.is_empty() {
                    repeat(&mut shape, &inner, ty.element_count(), stride)?;
                }
            }
            TypeKind::LLVMVectorTypeKind => {
                let inner = self.shape(ty.element())?;
                let Some(leaf) = inner.leaves.first() else { return Err(format!("the type {ty}")) };
                let bits = u64::from(leaf.ty.bits(self.ptr_bits()));
                repeat(&mut shape, &inner, ty.element_count(), bits / 8)?;
                shape.bit_packed = !bits.is_multiple_of(8);
            }
            _ => return Err(format!("the type {ty}")),
        }
        Ok(shape)
    }

    /// The type one step into an aggregate.
    pub(super) fn element(&self, ty: Type<'m>, index: u32) -> Type<'m> {
        match ty.kind() {
            TypeKind::LLVMStructTypeKind => ty.struct_elements()[index as usize],
            _ => ty.element(),
        }
    }

    /// Where the scalars of an element begin among those of its aggregate.
    pub(super) fn leaves_before(&mut self, ty: Type<'m>, index: u32) -> Result<usize, String> {
        match ty.kind() {
            TypeKind::LLVMStructTypeKind => {
                let mut count = 0;
                for element in ty.struct_elements().into_iter().take(index as usize) {
                    count += self.shape(element)?.leaves.len();
                }
                Ok(count)
            }
            _ => Ok(index as usize * self.shape(ty.element())?.leaves.len()),
        }
    }
}

fn append(shape: &mut Shape, inner: &Shape, offset: u64) -> Result<(), String> {
    if shape.leaves.len() + inner.leaves.len() > MAX_SCALARS {
        return Err(format!("a value of more than {MAX_SCALARS} scalars"));
    }
    shape.bit_packed |= inner.bit_packed;
    let moved = inner.leaves.iter().map(|leaf| Leaf { ty: leaf.ty, offset: leaf.offset + offset });
    shape.leaves.extend(moved);
    Ok(())
}

fn repeat(shape: &mut Shape, inner: &Shape, count: u64, stride: u64) -> Result<(), String> {
    for index in 0..count {
        append(shape, inner, index * stride)?;
    }
    Ok(())
}
