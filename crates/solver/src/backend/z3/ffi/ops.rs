//! Building Z3 terms.
//!
//! Z3 checks the sorts of operands itself and returns null on a clash, which becomes an error.

use z3_sys::*;

use super::{Ast, Context, Result, ZSort};

/// Operators with one argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) enum Op1 {
    Not,
    BvNot,
    BvNeg,
    FpIsNan,
    FpIsInf,
    FpToIeeeBv,
}

/// Operators with two arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) enum Op2 {
    Eq,
    BvAnd,
    BvOr,
    BvXor,
    BvAdd,
    BvMul,
    BvUdiv,
    BvUrem,
    BvSdiv,
    BvSrem,
    BvShl,
    BvLshr,
    BvAshr,
    BvUlt,
    BvSlt,
    Concat,
    Select,
    IntDiv,
    IntMod,
    IntLe,
    FpLt,
    FpLeq,
    FpEq,
    FpRem,
    /// The first argument is a rounding mode.
    FpSqrt,
    /// The first argument is a rounding mode.
    FpRound,
}

/// Operators with three arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) enum Op3 {
    Ite,
    Store,
    /// The first argument is a rounding mode, as in the three below.
    FpAdd,
    FpSub,
    FpMul,
    FpDiv,
}

/// Operators with any number of arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) enum OpN {
    And,
    Or,
    IntAdd,
    IntMul,
}

/// Conversions between floats and other sorts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) enum Conversion {
    /// An IEEE bit pattern read as a float (no rounding).
    Bits,
    /// From one float format to another.
    Float,
    /// From a signed bit-vector.
    Signed,
    /// From an unsigned bit-vector.
    Unsigned,
}

/// The rounding modes of SMT-LIB.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in super::super) enum ZRounding {
    NearestEven,
    NearestAway,
    TowardPositive,
    TowardNegative,
    TowardZero,
}

impl Context {
    /// A rounding mode.
    pub(in super::super) fn rounding(&mut self, mode: ZRounding) -> Result<Ast> {
        if let Some(&known) = self.roundings.get(&mode) {
            return Ok(known);
        }
        // SAFETY: the context is alive.
        let made = unsafe {
            match mode {
                ZRounding::NearestEven => Z3_mk_fpa_rne(self.raw),
                ZRounding::NearestAway => Z3_mk_fpa_rna(self.raw),
                ZRounding::TowardPositive => Z3_mk_fpa_rtp(self.raw),
                ZRounding::TowardNegative => Z3_mk_fpa_rtn(self.raw),
                ZRounding::TowardZero => Z3_mk_fpa_rtz(self.raw),
            }
        };
        let made = self.own(made)?;
        self.roundings.insert(mode, made);
        Ok(made)
    }

    /// Applies a unary operator.
    pub(in super::super) fn op1(&mut self, op: Op1, a: Ast) -> Result<Ast> {
        let call = match op {
            Op1::Not => Z3_mk_not,
            Op1::BvNot => Z3_mk_bvnot,
            Op1::BvNeg => Z3_mk_bvneg,
            Op1::FpIsNan => Z3_mk_fpa_is_nan,
            Op1::FpIsInf => Z3_mk_fpa_is_infinite,
            Op1::FpToIeeeBv => Z3_mk_fpa_to_ieee_bv,
        };
        // SAFETY: context and arguments are alive; Z3 checks the sorts and returns null on a clash.
        let made = unsafe { call(self.raw, self.get(a)) };
        self.own(made)
    }

    /// Applies a binary operator.
    pub(in super::super) fn op2(&mut self, op: Op2, a: Ast, b: Ast) -> Result<Ast> {
        let call = match op {
            Op2::Eq => Z3_mk_eq,
            Op2::BvAnd => Z3_mk_bvand,
            Op2::BvOr => Z3_mk_bvor,
            Op2::BvXor => Z3_mk_bvxor,
            Op2::BvAdd => Z3_mk_bvadd,
            Op2::BvMul => Z3_mk_bvmul,
            Op2::BvUdiv => Z3_mk_bvudiv,
            Op2::BvUrem => Z3_mk_bvurem,
            Op2::BvSdiv => Z3_mk_bvsdiv,
            Op2::BvSrem => Z3_mk_bvsrem,
            Op2::BvShl => Z3_mk_bvshl,
            Op2::BvLshr => Z3_mk_bvlshr,
            Op2::BvAshr => Z3_mk_bvashr,
            Op2::BvUlt => Z3_mk_bvult,
            Op2::BvSlt => Z3_mk_bvslt,
            Op2::Concat => Z3_mk_concat,
            Op2::Select => Z3_mk_select,
            Op2::IntDiv => Z3_mk_div,
            Op2::IntMod => Z3_mk_mod,
            Op2::IntLe => Z3_mk_le,
            Op2::FpLt => Z3_mk_fpa_lt,
            Op2::FpLeq => Z3_mk_fpa_leq,
            Op2::FpEq => Z3_mk_fpa_eq,
            Op2::FpRem => Z3_mk_fpa_rem,
            Op2::FpSqrt => Z3_mk_fpa_sqrt,
            Op2::FpRound => Z3_mk_fpa_round_to_integral,
        };
        // SAFETY: as in `op1`.
        let made = unsafe { call(self.raw, self.get(a), self.get(b)) };
        self.own(made)
    }

    /// Applies a ternary operator.
    pub(in super::super) fn op3(&mut self, op: Op3, a: Ast, b: Ast, c: Ast) -> Result<Ast> {
        let call = match op {
            Op3::Ite => Z3_mk_ite,
            Op3::Store => Z3_mk_store,
            Op3::FpAdd => Z3_mk_fpa_add,
            Op3::FpSub => Z3_mk_fpa_sub,
            Op3::FpMul => Z3_mk_fpa_mul,
            Op3::FpDiv => Z3_mk_fpa_div,
        };
        // SAFETY: as in `op1`.
        let made = unsafe { call(self.raw, self.get(a), self.get(b), self.get(c)) };
        self.own(made)
    }

    /// Fused multiply-add, `a·b + c`, with a rounding mode.
    pub(in super::super) fn fma(&mut self, mode: Ast, a: Ast, b: Ast, c: Ast) -> Result<Ast> {
        // SAFETY: as in `op1`.
        let made = unsafe { Z3_mk_fpa_fma(self.raw, self.get(mode), self.get(a), self.get(b), self.get(c)) };
        self.own(made)
    }

    /// Applies an operator to a list, which must not be empty.
    pub(in super::super) fn op_n(&mut self, op: OpN, args: &[Ast]) -> Result<Ast> {
        let call = match op {
            OpN::And => Z3_mk_and,
            OpN::Or => Z3_mk_or,
            OpN::IntAdd => Z3_mk_add,
            OpN::IntMul => Z3_mk_mul,
        };
        let raw: Vec<Z3_ast> = args.iter().map(|&a| self.get(a)).collect();
        // SAFETY: as in `op1`; pointer and length are of one vector.
        let made = unsafe { call(self.raw, raw.len() as u32, raw.as_ptr()) };
        self.own(made)
    }

    /// Bits `high..=low`.
    pub(in super::super) fn extract(&mut self, high: u32, low: u32, a: Ast) -> Result<Ast> {
        // SAFETY: as in `op1`.
        let made = unsafe { Z3_mk_extract(self.raw, high, low, self.get(a)) };
        self.own(made)
    }

    /// Adds `bits` copies of the sign bit, or zeros.
    pub(in super::super) fn extend(&mut self, signed: bool, bits: u32, a: Ast) -> Result<Ast> {
        // SAFETY: as in `op1`.
        let made = unsafe {
            if signed {
                Z3_mk_sign_ext(self.raw, bits, self.get(a))
            } else {
                Z3_mk_zero_ext(self.raw, bits, self.get(a))
            }
        };
        self.own(made)
    }

    /// The array that is `elem` everywhere.
    pub(in super::super) fn const_array(&mut self, index_width: u32, elem: Ast) -> Result<Ast> {
        let sort = self.sort(ZSort::Bv(index_width))?;
        // SAFETY: as in `op1`.
        let made = unsafe { Z3_mk_const_array(self.raw, sort, self.get(elem)) };
        self.own(made)
    }

    /// Converts to a float. `Bits` ignores the rounding mode.
    pub(in super::super) fn convert_to_fp(
        &mut self,
        how: Conversion,
        mode: Ast,
        a: Ast,
        exp: u32,
        sig: u32,
    ) -> Result<Ast> {
        let sort = self.sort(ZSort::Fp(exp, sig))?;
        let (raw, mode, a) = (self.raw, self.get(mode), self.get(a));
        // SAFETY: as in `op1`.
        let made = unsafe {
            match how {
                Conversion::Bits => Z3_mk_fpa_to_fp_bv(raw, a, sort),
                Conversion::Float => Z3_mk_fpa_to_fp_float(raw, mode, a, sort),
                Conversion::Signed => Z3_mk_fpa_to_fp_signed(raw, mode, a, sort),
                Conversion::Unsigned => Z3_mk_fpa_to_fp_unsigned(raw, mode, a, sort),
            }
        };
        self.own(made)
    }

    /// Converts a float to an integer of `width` bits; unspecified where it does not fit.
    pub(in super::super) fn fp_to_int(&mut self, signed: bool, mode: Ast, a: Ast, width: u32) -> Result<Ast> {
        let (raw, mode, a) = (self.raw, self.get(mode), self.get(a));
        // SAFETY: as in `op1`.
        let made = unsafe {
            if signed { Z3_mk_fpa_to_sbv(raw, mode, a, width) } else { Z3_mk_fpa_to_ubv(raw, mode, a, width) }
        };
        self.own(made)
    }
}
