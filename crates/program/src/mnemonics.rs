//! The words of the text form: one table for each operation enum, read by the printer
//! one way and by the parser the other way, so that the two cannot drift apart.

use crate::{BinOp, CastOp, CmpOp, Encoding, FBinOp, FloatKind, IntrinsicOp, Order, RmwOp};

/// An enum whose variants have one word each.
pub(crate) trait Word: Copy + PartialEq + 'static {
    /// Every variant with its word.
    const TABLE: &'static [(Self, &'static str)];

    /// The word of this variant.
    fn word(self) -> &'static str {
        Self::TABLE.iter().find(|(v, _)| *v == self).map(|(_, w)| *w).expect("the table lists every variant")
    }

    /// The variant with this word.
    fn from_word(word: &str) -> Option<Self> {
        Self::TABLE.iter().find(|(_, w)| *w == word).map(|(v, _)| *v)
    }
}

impl Word for BinOp {
    const TABLE: &'static [(Self, &'static str)] = &[
        (BinOp::Add, "add"),
        (BinOp::Sub, "sub"),
        (BinOp::Mul, "mul"),
        (BinOp::UDiv, "udiv"),
        (BinOp::SDiv, "sdiv"),
        (BinOp::URem, "urem"),
        (BinOp::SRem, "srem"),
        (BinOp::Shl, "shl"),
        (BinOp::LShr, "lshr"),
        (BinOp::AShr, "ashr"),
        (BinOp::And, "and"),
        (BinOp::Or, "or"),
        (BinOp::Xor, "xor"),
    ];
}

impl Word for CmpOp {
    const TABLE: &'static [(Self, &'static str)] = &[
        (CmpOp::Eq, "eq"),
        (CmpOp::Ne, "ne"),
        (CmpOp::Ult, "ult"),
        (CmpOp::Ule, "ule"),
        (CmpOp::Slt, "slt"),
        (CmpOp::Sle, "sle"),
    ];
}

impl Word for CastOp {
    const TABLE: &'static [(Self, &'static str)] = &[
        (CastOp::Trunc, "trunc"),
        (CastOp::ZExt, "zext"),
        (CastOp::SExt, "sext"),
        (CastOp::PtrToInt, "ptrtoint"),
        (CastOp::IntToPtr, "inttoptr"),
        (CastOp::Bitcast, "bitcast"),
        (CastOp::FpTrunc, "fptrunc"),
        (CastOp::FpExt, "fpext"),
        (CastOp::FpToUi, "fptoui"),
        (CastOp::FpToSi, "fptosi"),
        (CastOp::UiToFp, "uitofp"),
        (CastOp::SiToFp, "sitofp"),
    ];
}

impl Word for FBinOp {
    const TABLE: &'static [(Self, &'static str)] = &[
        (FBinOp::Add, "fadd"),
        (FBinOp::Sub, "fsub"),
        (FBinOp::Mul, "fmul"),
        (FBinOp::Div, "fdiv"),
        (FBinOp::Rem, "frem"),
    ];
}

impl Word for FloatKind {
    const TABLE: &'static [(Self, &'static str)] = &[
        (FloatKind::Half, "f16"),
        (FloatKind::BFloat, "bf16"),
        (FloatKind::Single, "f32"),
        (FloatKind::Double, "f64"),
        (FloatKind::X87, "f80"),
        (FloatKind::Quad, "f128"),
    ];
}

impl Word for Order {
    const TABLE: &'static [(Self, &'static str)] = &[
        (Order::Unordered, "unordered"),
        (Order::Relaxed, "relaxed"),
        (Order::Acquire, "acquire"),
        (Order::Release, "release"),
        (Order::AcqRel, "acqrel"),
        (Order::SeqCst, "seqcst"),
    ];
}

impl Word for RmwOp {
    const TABLE: &'static [(Self, &'static str)] = &[
        (RmwOp::Xchg, "xchg"),
        (RmwOp::Add, "add"),
        (RmwOp::Sub, "sub"),
        (RmwOp::And, "and"),
        (RmwOp::Nand, "nand"),
        (RmwOp::Or, "or"),
        (RmwOp::Xor, "xor"),
        (RmwOp::Max, "max"),
        (RmwOp::Min, "min"),
        (RmwOp::UMax, "umax"),
        (RmwOp::UMin, "umin"),
        (RmwOp::FAdd, "fadd"),
        (RmwOp::FSub, "fsub"),
    ];
}

impl Word for Encoding {
    const TABLE: &'static [(Self, &'static str)] = &[
        (Encoding::Signed, "signed"),
        (Encoding::Unsigned, "unsigned"),
        (Encoding::Char, "char"),
        (Encoding::Bool, "bool"),
        (Encoding::Float, "float"),
    ];
}

impl Word for IntrinsicOp {
    const TABLE: &'static [(Self, &'static str)] = &[
        (IntrinsicOp::SAddOverflow, "sadd_overflow"),
        (IntrinsicOp::UAddOverflow, "uadd_overflow"),
        (IntrinsicOp::SSubOverflow, "ssub_overflow"),
        (IntrinsicOp::USubOverflow, "usub_overflow"),
        (IntrinsicOp::SMulOverflow, "smul_overflow"),
        (IntrinsicOp::UMulOverflow, "umul_overflow"),
        (IntrinsicOp::SAddSat, "sadd_sat"),
        (IntrinsicOp::UAddSat, "uadd_sat"),
        (IntrinsicOp::SSubSat, "ssub_sat"),
        (IntrinsicOp::USubSat, "usub_sat"),
        (IntrinsicOp::SMax, "smax"),
        (IntrinsicOp::SMin, "smin"),
        (IntrinsicOp::UMax, "umax"),
        (IntrinsicOp::UMin, "umin"),
        (IntrinsicOp::Abs, "abs"),
        (IntrinsicOp::CtPop, "ctpop"),
        (IntrinsicOp::Ctlz, "ctlz"),
        (IntrinsicOp::Cttz, "cttz"),
        (IntrinsicOp::BSwap, "bswap"),
        (IntrinsicOp::BitReverse, "bitreverse"),
        (IntrinsicOp::FShl, "fshl"),
        (IntrinsicOp::FShr, "fshr"),
        (IntrinsicOp::FAbs, "fabs"),
        (IntrinsicOp::Sqrt, "sqrt"),
        (IntrinsicOp::Floor, "floor"),
        (IntrinsicOp::Ceil, "ceil"),
        (IntrinsicOp::FTrunc, "ftrunc"),
        (IntrinsicOp::Rint, "rint"),
        (IntrinsicOp::Round, "round"),
        (IntrinsicOp::RoundEven, "roundeven"),
        (IntrinsicOp::CopySign, "copysign"),
        (IntrinsicOp::MinNum, "minnum"),
        (IntrinsicOp::MaxNum, "maxnum"),
        (IntrinsicOp::Fma, "fma"),
        (IntrinsicOp::MulAdd, "muladd"),
        (IntrinsicOp::IsFpClass, "is_fpclass"),
    ];
}
