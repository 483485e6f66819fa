//! Constants and global initialisers.

use selvedge_base::define_id;

use crate::{BinOp, BlockId, CastOp, FloatKind, FuncId, GlobalId, Ty};

define_id!(
    /// An interned constant of the program.
    pub struct ConstId, "c"
);

/// A scalar constant.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Const {
    /// An integer of at most 64 bits, zero-extended.
    Int {
        /// Bits.
        width: u32,
        /// Value; bits above `width` are zero.
        value: u64,
    },
    /// An integer of more than 64 bits, little-endian limbs.
    Wide {
        /// Bits.
        width: u32,
        /// `width.div_ceil(64)` limbs; bits above `width` are zero.
        limbs: Box<[u64]>,
    },
    /// A floating-point constant by its bit pattern.
    Float {
        /// Format.
        kind: FloatKind,
        /// Bit pattern, zero-extended.
        bits: u128,
    },
    /// The null pointer.
    Null,
    /// `&global + offset` bytes.
    Global {
        /// The object.
        global: GlobalId,
        /// Byte offset.
        offset: i64,
    },
    /// The address of a function.
    Func(FuncId),
    /// The address of a label (computed goto).
    Block(FuncId, BlockId),
    /// An unspecified value (LLVM undef and poison).
    Undef(Ty),
    /// A constant expression that is not one of the above, evaluated at program start.
    Expr(ConstExpr),
}

impl Const {
    /// Its type.
    pub fn ty(&self) -> Ty {
        match self {
            Const::Int { width, .. } | Const::Wide { width, .. } => Ty::Int(*width),
            Const::Float { kind, .. } => Ty::Float(*kind),
            Const::Null | Const::Global { .. } | Const::Func(_) | Const::Block(..) => Ty::Ptr,
            Const::Undef(ty) => *ty,
            Const::Expr(ConstExpr::Cast { to, .. }) => *to,
            Const::Expr(ConstExpr::Bin { width, .. }) => Ty::Int(*width),
            Const::Expr(ConstExpr::PtrAdd { .. }) => Ty::Ptr,
        }
    }
}

/// An operation on constants.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ConstExpr {
    /// A conversion.
    Cast {
        /// Which.
        op: CastOp,
        /// Operand type.
        from: Ty,
        /// Result type.
        to: Ty,
        /// Operand.
        arg: ConstId,
    },
    /// Integer arithmetic.
    Bin {
        /// Which.
        op: BinOp,
        /// Width of operands and result.
        width: u32,
        /// Left operand.
        a: ConstId,
        /// Right operand.
        b: ConstId,
    },
    /// Byte offset from a pointer constant.
    PtrAdd {
        /// The pointer.
        base: ConstId,
        /// Bytes.
        offset: i64,
    },
}

/// One piece of a global's initial content. What no piece covers is zero.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum InitPiece {
    /// Plain bytes.
    Bytes {
        /// Byte offset in the object.
        offset: u64,
        /// Content.
        bytes: Box<[u8]>,
    },
    /// A scalar that is not plain bytes: an address or a constant expression.
    Scalar {
        /// Byte offset in the object.
        offset: u64,
        /// Type of the access that would read it.
        ty: Ty,
        /// Content.
        value: ConstId,
    },
    /// Bytes without a defined value.
    Undef {
        /// Byte offset in the object.
        offset: u64,
        /// Length in bytes.
        len: u64,
    },
}
