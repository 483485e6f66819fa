//! A thin, checked view of the LLVM C API: contexts, modules, values, types, debug information.
//!
//! Debian's LLVM is built without assertions, so a call on a value of the wrong kind is undefined
//! behaviour rather than an abort. Every accessor here therefore checks the kind first and panics
//! on a mismatch (a bug of ours) or returns `None`; nothing outside this module calls LLVM.
//! Values borrow the module they come from, so none outlives it.

mod cleanup;
mod constant;
mod copies;
mod debug;
mod entry;
mod first_read;
mod landing;
mod lives;
mod module;
mod operators;
mod overflow;
mod pin;
mod points;
mod room;
mod shifts;
mod ty;
mod uninit;
mod unordered;
mod value;

pub(crate) use debug::{Meta, MetaKind};
pub(crate) use landing::Clause;
pub(crate) use module::{Context, Module};
pub(crate) use points::Point;
pub(crate) use ty::{Layout, Type};
pub(crate) use unordered::Mark;
pub(crate) use value::{Block, InlineAsm, Value};

pub(crate) use llvm_sys::LLVMAtomicOrdering as Ordering;
pub(crate) use llvm_sys::LLVMAtomicRMWBinOp as RmwBinOp;
pub(crate) use llvm_sys::LLVMIntPredicate as IntPredicate;
pub(crate) use llvm_sys::LLVMOpcode as Op;
pub(crate) use llvm_sys::LLVMTypeKind as TypeKind;
pub(crate) use llvm_sys::LLVMValueKind as ValueKind;
