//! Floating point: concrete values exactly (`known_float`), symbolic `float` and `double` in the solver's theory.
//!
//! Symbolic numbers of the other formats (x87's 80 bits, binary128, half) are unsupported.

use selvedge_program::{CastOp, FBinOp, FCmpOp, FloatKind, IntrinsicOp, Operand, Reg, Ty};
use selvedge_term::{FpFormat, FpOp, RoundingMode, TermId};

use super::{Step, known_float, rounded};
use crate::finding::{Res, unsupported};
use crate::ops;
use crate::value::Value;

/// The solver's name of a format, if it offers it.
pub(super) fn format_of(kind: FloatKind) -> Option<FpFormat> {
    match kind {
        FloatKind::Single => Some(FpFormat::F32),
        FloatKind::Double => Some(FpFormat::F64),
        FloatKind::Half | FloatKind::BFloat | FloatKind::X87 | FloatKind::Quad => None,
    }
}

impl Step<'_, '_> {
    /// The bit pattern, if concrete.
    pub(super) fn pattern(&self, value: Value) -> Option<u128> {
        match value {
            Value::Term(t) => self.m.pool.as_big(t).map(|big| {
                let digits = big.to_u64_digits();
                u128::from(digits.first().copied().unwrap_or(0))
                    | u128::from(digits.get(1).copied().unwrap_or(0)) << 64
            }),
            other => ops::concrete(other).map(u128::from),
        }
    }

    /// A concrete number as a double, if it is one without loss.
    pub(crate) fn exact_double(&self, kind: FloatKind, value: Value) -> Option<f64> {
        let bits = self.pattern(value)?;
        let double = known_float::convert(kind, FloatKind::Double, bits);
        (known_float::convert(FloatKind::Double, kind, double) == bits).then(|| f64::from_bits(double as u64))
    }

    /// A bit pattern as a value.
    pub(crate) fn value_of_pattern(&mut self, kind: FloatKind, bits: u128) -> Value {
        if kind.bits() <= 64 {
            Value::Int(bits as u64)
        } else {
            Value::Term(self.m.pool.bv_wide(kind.bits(), num_bigint::BigUint::from(bits)))
        }
    }

    fn symbolic(
        &mut self,
        kind: FloatKind,
        op: impl FnOnce(FpFormat) -> FpOp,
        args: &[Value],
    ) -> Res<TermId> {
        let Some(format) = format_of(kind) else {
            return unsupported(format!("arithmetic on a symbolic {kind}"));
        };
        let op = op(format);
        self.rounds_symbols(op)?;
        let terms: Vec<TermId> =
            args.iter().map(|v| ops::to_term(&mut self.m.pool, *v, kind.bits())).collect();
        Ok(self.m.pool.fp(op, &terms))
    }

    /// Operations on symbolic numbers round to nearest.
    fn rounds_symbols(&self, op: FpOp) -> Res<()> {
        let is_exact = match op {
            FpOp::Add(_) | FpOp::Sub(_) | FpOp::Mul(_) | FpOp::Div(_) | FpOp::Sqrt(_) | FpOp::Fma(_) => false,
            FpOp::ToFp { from, to } => from.sig_bits <= to.sig_bits && from.exp_bits <= to.exp_bits,
            FpOp::FromSInt { .. } | FpOp::FromUInt { .. } => false,
            _ => true,
        };
        match self.st.thread().rounding {
            RoundingMode::NearestEven => Ok(()),
            _ if is_exact => Ok(()),
            _ => unsupported("arithmetic on a symbolic number that is not rounded to nearest"),
        }
    }

    /// What arithmetic in the thread's rounding mode gives.
    fn rounded(&mut self, kind: FloatKind, result: Option<u128>) -> Res<Value> {
        match result {
            Some(bits) => Ok(self.value_of_pattern(kind, bits)),
            None => unsupported(format!("arithmetic on {kind} that is not rounded to nearest")),
        }
    }

    /// A question about numbers, as a truth value.
    pub(crate) fn float_test(
        &mut self,
        kind: FloatKind,
        test: impl FnOnce(FpFormat) -> FpOp,
        args: &[Value],
    ) -> Res<TermId> {
        self.symbolic(kind, test, args)
    }

    pub(super) fn float_bin(
        &mut self,
        dst: Reg,
        op: FBinOp,
        kind: FloatKind,
        a: Operand,
        b: Operand,
    ) -> Res<()> {
        let (a, b) = (self.get(a), self.get(b));
        let value = self.float_arithmetic(op, kind, a, b)?;
        self.finish(dst, value)
    }

    /// The result of an operation on two numbers.
    pub(crate) fn float_arithmetic(&mut self, op: FBinOp, kind: FloatKind, a: Value, b: Value) -> Res<Value> {
        if let (Some(x), Some(y)) = (self.pattern(a), self.pattern(b)) {
            let result = rounded::bin(op, kind, self.st.thread().rounding, x, y);
            return self.rounded(kind, result);
        }
        let term = self.symbolic(kind, |format| known_float::theory_bin(op, format), &[a, b])?;
        Ok(ops::from_term(&self.m.pool, term))
    }

    /// The bits of a number become visible: that of a NaN which symbolic arithmetic makes are one choice of many.
    pub(super) fn shows_bits(&mut self, value: Value) {
        if let Value::Term(term) = value
            && self.m.pool.is_float_result(term)
        {
            self.assumed("numbers.nan-bits");
        }
    }

    pub(super) fn float_neg(&mut self, dst: Reg, kind: FloatKind, a: Operand) -> Res<()> {
        let a = self.get(a);
        let value = self.flip_sign(kind, a);
        self.finish(dst, value)
    }

    fn flip_sign(&mut self, kind: FloatKind, a: Value) -> Value {
        match self.pattern(a) {
            Some(bits) => self.value_of_pattern(kind, bits ^ 1 << (kind.bits() - 1)),
            None => {
                let width = kind.bits();
                let pool = &mut self.m.pool;
                let t = ops::to_term(pool, a, width);
                let sign = pool.extract(t, width - 1, width - 1);
                let sign = pool.not(sign);
                let rest = pool.extract(t, width - 2, 0);
                Value::Term(pool.concat(sign, rest))
            }
        }
    }

    pub(super) fn float_cmp(
        &mut self,
        dst: Reg,
        op: FCmpOp,
        kind: FloatKind,
        a: Operand,
        b: Operand,
    ) -> Res<()> {
        let (a, b) = (self.get(a), self.get(b));
        let value = match (self.pattern(a), self.pattern(b)) {
            (Some(x), Some(y)) => Value::bool(match known_float::cmp(kind, x, y) {
                None => op.unordered,
                Some(std::cmp::Ordering::Less) => op.lt,
                Some(std::cmp::Ordering::Equal) => op.eq,
                Some(std::cmp::Ordering::Greater) => op.gt,
            }),
            _ => {
                let mut parts = Vec::new();
                if op.lt {
                    parts.push(self.symbolic(kind, FpOp::Lt, &[a, b])?);
                }
                if op.eq {
                    parts.push(self.symbolic(kind, FpOp::Eq, &[a, b])?);
                }
                if op.gt {
                    parts.push(self.symbolic(kind, FpOp::Lt, &[b, a])?);
                }
                if op.unordered {
                    parts.push(self.symbolic(kind, FpOp::IsNan, &[a])?);
                    parts.push(self.symbolic(kind, FpOp::IsNan, &[b])?);
                }
                let term = self.m.pool.or_all(&parts);
                ops::from_term(&self.m.pool, term)
            }
        };
        self.finish(dst, value)
    }

    /// Whether a symbolic number without its fraction is an integer of `width` bits.
    fn fits_int(&mut self, from: FloatKind, a: Value, width: u32, signed: bool) -> Res<TermId> {
        let power = |exponent: u32| known_float::convert(FloatKind::Quad, from, known_float::power(exponent));
        let sign = 1u128 << (from.bits() - 1);
        let digits = format_of(from).map_or(0, |f| u32::from(f.sig_bits));
        let (above, is_included) = match signed {
            // One less than the smallest integer, where there is such a number, is excluded.
            true if width > digits => (power(width - 1) | sign, true),
            true => (known_float::from_int(from, (-(1i64 << (width - 1)) - 1) as u64, 64, true), false),
            false => (known_float::from_int(from, u64::MAX, 64, true), false),
        };
        let below = power(if signed { width - 1 } else { width });
        let (above, below) = (self.value_of_pattern(from, above), self.value_of_pattern(from, below));
        let over = match is_included {
            true => self.symbolic(from, FpOp::Le, &[above, a])?,
            false => self.symbolic(from, FpOp::Lt, &[above, a])?,
        };
        let under = self.symbolic(from, FpOp::Lt, &[a, below])?;
        Ok(self.m.pool.and(over, under))
    }

    pub(super) fn float_cast(&mut self, dst: Reg, op: CastOp, from: Ty, to: Ty, a: Operand) -> Res<()> {
        let a = self.get(a);
        let value = match (op, from, to) {
            (CastOp::FpTrunc | CastOp::FpExt, Ty::Float(from), Ty::Float(to)) => match self.pattern(a) {
                Some(bits) => {
                    let result = rounded::convert(from, to, self.st.thread().rounding, bits);
                    self.rounded(to, result)?
                }
                None => match (format_of(from), format_of(to)) {
                    (Some(f), Some(t)) => {
                        let op = FpOp::ToFp { from: f, to: t };
                        self.rounds_symbols(op)?;
                        let a = ops::to_term(&mut self.m.pool, a, from.bits());
                        let term = self.m.pool.fp(op, &[a]);
                        ops::from_term(&self.m.pool, term)
                    }
                    _ => return unsupported(format!("conversion of a symbolic {from} to {to}")),
                },
            },
            (CastOp::FpToSi | CastOp::FpToUi, Ty::Float(from), Ty::Int(width)) => {
                let signed = op == CastOp::FpToSi;
                match self.pattern(a) {
                    Some(bits) if width <= 64 => match known_float::to_int(from, bits, width, signed) {
                        Some(value) => Value::Int(value),
                        None => self.fresh(width),
                    },
                    _ if width <= 64 && format_of(from).is_some() => {
                        let f = format_of(from).expect("just tested");
                        let a = ops::to_term(&mut self.m.pool, a, from.bits());
                        let fp = if signed {
                            FpOp::ToSInt { from: f, width }
                        } else {
                            FpOp::ToUInt { from: f, width }
                        };
                        let converted = self.m.pool.fp(fp, &[a]);
                        let fits = self.fits_int(from, Value::Term(a), width, signed)?;
                        // Undefined in C, and what processors do differs.
                        let any = self.fresh(width);
                        let any = ops::to_term(&mut self.m.pool, any, width);
                        let term = self.m.pool.ite(fits, converted, any);
                        ops::from_term(&self.m.pool, term)
                    }
                    _ => return unsupported(format!("conversion of {from} to {to}")),
                }
            }
            (CastOp::SiToFp | CastOp::UiToFp, Ty::Int(width), Ty::Float(to)) => {
                let signed = op == CastOp::SiToFp;
                match ops::concrete(a) {
                    Some(v) if width <= 64 => {
                        let mode = self.st.thread().rounding;
                        let result = rounded::from_int(to, mode, v, width, signed);
                        self.rounded(to, result)?
                    }
                    None if width <= 64 && format_of(to).is_some() => {
                        let t = format_of(to).expect("just tested");
                        let a = ops::to_term(&mut self.m.pool, a, width);
                        let fp = if signed { FpOp::FromSInt { to: t } } else { FpOp::FromUInt { to: t } };
                        self.rounds_symbols(fp)?;
                        let term = self.m.pool.fp(fp, &[a]);
                        ops::from_term(&self.m.pool, term)
                    }
                    _ => return unsupported(format!("conversion of {from} to {to}")),
                }
            }
            _ => return unsupported(format!("conversion of {from} to {to}")),
        };
        self.finish(dst, value)
    }

    /// The number one.
    pub(crate) fn float_one(&mut self, kind: FloatKind) -> Value {
        let bits = known_float::from_int(kind, 1, 64, false);
        self.value_of_pattern(kind, bits)
    }

    /// C's `fdim` of concrete numbers, in the thread's rounding mode.
    pub(crate) fn float_difference(&mut self, kind: FloatKind, args: &[Value]) -> Res<Value> {
        let (Some(a), Some(b)) = (self.pattern(args[0]), self.pattern(args[1])) else {
            return unsupported("`fdim` of a symbolic value");
        };
        let is_positive = !matches!(
            known_float::cmp(kind, a, b),
            Some(std::cmp::Ordering::Less | std::cmp::Ordering::Equal)
        );
        let result = match is_positive {
            true => rounded::bin(FBinOp::Sub, kind, self.st.thread().rounding, a, b),
            false => Some(0),
        };
        self.rounded(kind, result)
    }

    /// C's `fmod` of numbers of which one is symbolic.
    pub(crate) fn symbolic_fmod(&mut self, kind: FloatKind, args: &[Value]) -> Res<Value> {
        let term = self.symbolic(kind, FpOp::Rem, args)?;
        Ok(ops::from_term(&self.m.pool, term))
    }

    pub(crate) fn float_intrinsic(&mut self, op: IntrinsicOp, kind: FloatKind, args: &[Value]) -> Res<Value> {
        use IntrinsicOp as I;
        let width = kind.bits();
        match op {
            I::FAbs | I::CopySign => {
                let pool = &mut self.m.pool;
                let magnitude = ops::to_term(pool, args[0], width);
                let rest = pool.extract(magnitude, width - 2, 0);
                let sign = match op {
                    I::FAbs => pool.bv(1, 0),
                    _ => {
                        let s = ops::to_term(pool, args[1], width);
                        let sign = pool.extract(s, width - 1, width - 1);
                        self.shows_bits(args[1]);
                        sign
                    }
                };
                let pool = &mut self.m.pool;
                let term = pool.concat(sign, rest);
                return Ok(ops::from_term(pool, term));
            }
            I::IsFpClass => return self.is_fp_class(kind, args[0], args[1]),
            _ => {}
        }
        let patterns: Option<Vec<u128>> = args.iter().map(|a| self.pattern(*a)).collect();
        let is_open = |bits: &[u128]| {
            // Which of two zeros is the smaller one is up to the library.
            let is_zero = |bits: u128| bits & !(1 << (width - 1)) == 0;
            matches!(op, I::MinNum | I::MaxNum) && bits[0] != bits[1] && is_zero(bits[0]) && is_zero(bits[1])
        };
        if let Some(bits) = patterns.filter(|bits| !is_open(bits)) {
            let Some(result) = rounded::intrinsic(op, kind, self.st.thread().rounding, &bits) else {
                return unsupported(format!("{op:?} on {kind}"));
            };
            return Ok(self.value_of_pattern(kind, result));
        }
        let term = match op {
            I::Sqrt => self.symbolic(kind, FpOp::Sqrt, args)?,
            I::Fma => self.symbolic(kind, FpOp::Fma, args)?,
            I::MulAdd => {
                let product = self.symbolic(kind, FpOp::Mul, &args[..2])?;
                self.symbolic(kind, FpOp::Add, &[Value::Term(product), args[2]])?
            }
            I::Floor => self.symbolic(kind, |f| FpOp::RoundToIntegral(f, RoundingMode::Down), args)?,
            I::Ceil => self.symbolic(kind, |f| FpOp::RoundToIntegral(f, RoundingMode::Up), args)?,
            I::FTrunc => self.symbolic(kind, |f| FpOp::RoundToIntegral(f, RoundingMode::TowardZero), args)?,
            I::Rint => {
                let mode = self.st.thread().rounding;
                self.symbolic(kind, |f| FpOp::RoundToIntegral(f, mode), args)?
            }
            I::RoundEven => {
                self.symbolic(kind, |f| FpOp::RoundToIntegral(f, RoundingMode::NearestEven), args)?
            }
            I::Round => self.symbolic(kind, |f| FpOp::RoundToIntegral(f, RoundingMode::NearestAway), args)?,
            I::MinNum | I::MaxNum => {
                let (a, b) = (args[0], args[1]);
                let a_nan = self.symbolic(kind, FpOp::IsNan, &[a])?;
                let b_nan = self.symbolic(kind, FpOp::IsNan, &[b])?;
                let a_wins = if op == I::MinNum {
                    self.symbolic(kind, FpOp::Lt, &[a, b])?
                } else {
                    self.symbolic(kind, FpOp::Lt, &[b, a])?
                };
                // Zeros of different signs are equal, and either may be the result.
                let are_equal = self.symbolic(kind, FpOp::Eq, &[a, b])?;
                let any = self.fresh(1);
                let pool = &mut self.m.pool;
                let any = ops::to_term(pool, any, 1);
                let may_win = pool.and(are_equal, any);
                let a_wins = pool.or(a_wins, may_win);
                let (x, y) = (ops::to_term(pool, a, width), ops::to_term(pool, b, width));
                let chosen = pool.ite(a_wins, x, y);
                let with_b = pool.ite(b_nan, x, chosen);
                pool.ite(a_nan, y, with_b)
            }
            _ => return unsupported(format!("{op:?} of a symbolic {kind}")),
        };
        Ok(ops::from_term(&self.m.pool, term))
    }
}
