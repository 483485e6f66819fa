//! Scalar types: the only types a register can have.

use std::fmt;

/// The type of a register or of one memory access.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ty {
    /// An integer of this many bits (1 and up; not only powers of two).
    Int(u32),
    /// A pointer; its width is the target's.
    Ptr,
    /// A floating-point number.
    Float(FloatKind),
}

/// Floating-point formats of LLVM on x86.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatKind {
    /// IEEE binary16.
    Half,
    /// bfloat16.
    BFloat,
    /// IEEE binary32.
    Single,
    /// IEEE binary64.
    Double,
    /// x87 80-bit extended.
    X87,
    /// IEEE binary128.
    Quad,
}

impl FloatKind {
    /// Number of significant bits in the representation.
    pub const fn bits(self) -> u32 {
        match self {
            FloatKind::Half | FloatKind::BFloat => 16,
            FloatKind::Single => 32,
            FloatKind::Double => 64,
            FloatKind::X87 => 80,
            FloatKind::Quad => 128,
        }
    }
}

impl Ty {
    /// The truth values of comparisons and branches.
    pub const BOOL: Ty = Ty::Int(1);

    /// Width in bits on a target whose pointers have `ptr_bits`.
    pub const fn bits(self, ptr_bits: u32) -> u32 {
        match self {
            Ty::Int(width) => width,
            Ty::Ptr => ptr_bits,
            Ty::Float(kind) => kind.bits(),
        }
    }

    /// Bytes a load or store of this type touches (an `x86_fp80` touches 10).
    pub const fn store_size(self, ptr_bits: u32) -> u64 {
        self.bits(ptr_bits).div_ceil(8) as u64
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Int(width) => write!(f, "i{width}"),
            Ty::Ptr => f.write_str("ptr"),
            Ty::Float(kind) => write!(f, "{kind}"),
        }
    }
}

impl fmt::Display for FloatKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FloatKind::Half => "f16",
            FloatKind::BFloat => "bf16",
            FloatKind::Single => "f32",
            FloatKind::Double => "f64",
            FloatKind::X87 => "f80",
            FloatKind::Quad => "f128",
        })
    }
}
