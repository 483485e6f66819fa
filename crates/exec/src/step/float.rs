//! Floating point: concrete values exactly, symbolic `float` and `double` in the solver's theory.
//!
//! `float` and `double` use the host's arithmetic, which is what the program would use. The other formats
//! (x87's 80 bits, binary128, half) are computed in software when concrete and unsupported when symbolic.

use rustc_apfloat::ieee::{BFloat, Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round, Status};
use selvedge_program::{CastOp, FBinOp, FCmpOp, FloatKind, IntrinsicOp, Operand, Reg, Ty};
use selvedge_term::{FpFormat, FpOp, RoundingMode, TermId};

use super::Step;
use crate::finding::{Res, unsupported};
use crate::ops;
use crate::value::{Value, sign_extend, truncate};

/// The solver's name of a format, if it offers it.
fn format_of(kind: FloatKind) -> Option<FpFormat> {
    match kind {
        FloatKind::Single => Some(FpFormat { exp_bits: 8, sig_bits: 24 }),
        FloatKind::Double => Some(FpFormat { exp_bits: 11, sig_bits: 53 }),
        _ => None,
    }
}

impl Step<'_, '_> {
    /// The bit pattern, if concrete.
    fn pattern(&self, value: Value) -> Option<u128> {
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
        let double = concrete_convert(kind, FloatKind::Double, bits);
        (concrete_convert(FloatKind::Double, kind, double) == bits).then(|| f64::from_bits(double as u64))
    }

    /// A bit pattern as a value.
    fn value_of_pattern(&mut self, kind: FloatKind, bits: u128) -> Value {
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
        let terms: Vec<TermId> =
            args.iter().map(|v| ops::to_term(&mut self.m.pool, *v, kind.bits())).collect();
        Ok(self.m.pool.fp(op(format), &terms))
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
        let value = match (self.pattern(a), self.pattern(b)) {
            (Some(x), Some(y)) => {
                let bits = concrete_bin(op, kind, x, y);
                self.value_of_pattern(kind, bits)
            }
            _ => {
                let make = |f| match op {
                    FBinOp::Add => FpOp::Add(f),
                    FBinOp::Sub => FpOp::Sub(f),
                    FBinOp::Mul => FpOp::Mul(f),
                    FBinOp::Div => FpOp::Div(f),
                    FBinOp::Rem => FpOp::Rem(f),
                };
                let term = self.symbolic(kind, make, &[a, b])?;
                ops::from_term(&self.m.pool, term)
            }
        };
        self.finish(dst, value)
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
            (Some(x), Some(y)) => Value::bool(match concrete_cmp(kind, x, y) {
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

    pub(super) fn float_cast(&mut self, dst: Reg, op: CastOp, from: Ty, to: Ty, a: Operand) -> Res<()> {
        let a = self.get(a);
        let value = match (op, from, to) {
            (CastOp::FpTrunc | CastOp::FpExt, Ty::Float(from), Ty::Float(to)) => match self.pattern(a) {
                Some(bits) => {
                    let bits = concrete_convert(from, to, bits);
                    self.value_of_pattern(to, bits)
                }
                None => match (format_of(from), format_of(to)) {
                    (Some(f), Some(t)) => {
                        let a = ops::to_term(&mut self.m.pool, a, from.bits());
                        let term = self.m.pool.fp(FpOp::ToFp { from: f, to: t }, &[a]);
                        ops::from_term(&self.m.pool, term)
                    }
                    _ => return unsupported(format!("conversion of a symbolic {from} to {to}")),
                },
            },
            (CastOp::FpToSi | CastOp::FpToUi, Ty::Float(from), Ty::Int(width)) => {
                let signed = op == CastOp::FpToSi;
                match self.pattern(a) {
                    // One meaning for concrete and symbolic values, also where C leaves it undefined.
                    Some(bits) if width <= 64 && format_of(from).is_none() => {
                        Value::Int(concrete_to_int(from, bits, width, signed))
                    }
                    _ if width <= 64 && format_of(from).is_some() => {
                        let f = format_of(from).expect("just tested");
                        let a = ops::to_term(&mut self.m.pool, a, from.bits());
                        let fp = if signed {
                            FpOp::ToSInt { from: f, width }
                        } else {
                            FpOp::ToUInt { from: f, width }
                        };
                        let term = self.m.pool.fp(fp, &[a]);
                        ops::from_term(&self.m.pool, term)
                    }
                    _ => return unsupported(format!("conversion of {from} to {to}")),
                }
            }
            (CastOp::SiToFp | CastOp::UiToFp, Ty::Int(width), Ty::Float(to)) => {
                let signed = op == CastOp::SiToFp;
                match ops::concrete(a) {
                    Some(v) if width <= 64 => {
                        let bits = concrete_from_int(to, v, width, signed);
                        self.value_of_pattern(to, bits)
                    }
                    None if width <= 64 && format_of(to).is_some() => {
                        let t = format_of(to).expect("just tested");
                        let a = ops::to_term(&mut self.m.pool, a, width);
                        let fp = if signed { FpOp::FromSInt { to: t } } else { FpOp::FromUInt { to: t } };
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
                        pool.extract(s, width - 1, width - 1)
                    }
                };
                let term = pool.concat(sign, rest);
                return Ok(ops::from_term(pool, term));
            }
            I::IsFpClass => return self.is_fp_class(kind, args[0], args[1]),
            _ => {}
        }
        let patterns: Option<Vec<u128>> = args.iter().map(|a| self.pattern(*a)).collect();
        if let Some(bits) = patterns {
            let Some(result) = concrete_intrinsic(op, kind, &bits) else {
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
            I::Rint | I::RoundEven => {
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
                let pool = &mut self.m.pool;
                let (x, y) = (ops::to_term(pool, a, width), ops::to_term(pool, b, width));
                let chosen = pool.ite(a_wins, x, y);
                let with_b = pool.ite(b_nan, x, chosen);
                pool.ite(a_nan, y, with_b)
            }
            _ => return unsupported(format!("{op:?} of a symbolic {kind}")),
        };
        Ok(ops::from_term(&self.m.pool, term))
    }

    /// `llvm.is.fpclass`; the mask's bits are sNaN, qNaN, -inf, -normal, -subnormal, -0, +0, +subnormal, +normal, +inf.
    fn is_fp_class(&mut self, kind: FloatKind, value: Value, mask: Value) -> Res<Value> {
        let (Some(f), Some(mask)) = (format_of(kind), ops::concrete(mask)) else {
            return unsupported(format!("classification of {kind}"));
        };
        let width = kind.bits();
        let pool = &mut self.m.pool;
        let t = ops::to_term(pool, value, width);
        let mantissa_bits = u32::from(f.sig_bits) - 1;
        let exponent_bits = u32::from(f.exp_bits);
        let mantissa = pool.extract(t, mantissa_bits - 1, 0);
        let exponent = pool.extract(t, width - 2, mantissa_bits);
        let sign = pool.extract(t, width - 1, width - 1);
        let plus = pool.not(sign);
        let quiet = pool.extract(t, mantissa_bits - 1, mantissa_bits - 1);
        let signalling = pool.not(quiet);
        let zero_m = pool.bv(mantissa_bits, 0);
        let zero_e = pool.bv(exponent_bits, 0);
        let ones_e = pool.bvnot(zero_e);
        let (m0, e0, e1) = (pool.eq(mantissa, zero_m), pool.eq(exponent, zero_e), pool.eq(exponent, ones_e));
        let m_not0 = pool.not(m0);
        let normal = {
            let either = pool.or(e0, e1);
            pool.not(either)
        };
        let nan = pool.and(e1, m_not0);
        let (inf, zero, sub) = (pool.and(e1, m0), pool.and(e0, m0), pool.and(e0, m_not0));
        let classes = [
            (nan, signalling),
            (nan, quiet),
            (inf, sign),
            (normal, sign),
            (sub, sign),
            (zero, sign),
            (zero, plus),
            (sub, plus),
            (normal, plus),
            (inf, plus),
        ];
        let mut parts = Vec::new();
        for (i, (a, b)) in classes.into_iter().enumerate() {
            if mask >> i & 1 == 1 {
                parts.push(pool.and(a, b));
            }
        }
        let term = pool.or_all(&parts);
        Ok(ops::from_term(pool, term))
    }
}

fn concrete_bin(op: FBinOp, kind: FloatKind, a: u128, b: u128) -> u128 {
    match kind {
        FloatKind::Single => {
            let (x, y) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
            u128::from(
                match op {
                    FBinOp::Add => x + y,
                    FBinOp::Sub => x - y,
                    FBinOp::Mul => x * y,
                    FBinOp::Div => x / y,
                    FBinOp::Rem => x % y,
                }
                .to_bits(),
            )
        }
        FloatKind::Double => {
            let (x, y) = (f64::from_bits(a as u64), f64::from_bits(b as u64));
            u128::from(
                match op {
                    FBinOp::Add => x + y,
                    FBinOp::Sub => x - y,
                    FBinOp::Mul => x * y,
                    FBinOp::Div => x / y,
                    FBinOp::Rem => x % y,
                }
                .to_bits(),
            )
        }
        FloatKind::Half => soft_bin::<Half>(op, a, b),
        FloatKind::BFloat => soft_bin::<BFloat>(op, a, b),
        FloatKind::X87 => soft_bin::<X87DoubleExtended>(op, a, b),
        FloatKind::Quad => soft_bin::<Quad>(op, a, b),
    }
}

fn soft_bin<F: Float>(op: FBinOp, a: u128, b: u128) -> u128 {
    let (x, y) = (F::from_bits(a), F::from_bits(b));
    match op {
        FBinOp::Add => x + y,
        FBinOp::Sub => x - y,
        FBinOp::Mul => x * y,
        FBinOp::Div => x / y,
        FBinOp::Rem => x % y,
    }
    .value
    .to_bits()
}

fn concrete_cmp(kind: FloatKind, a: u128, b: u128) -> Option<std::cmp::Ordering> {
    fn soft<F: Float>(a: u128, b: u128) -> Option<std::cmp::Ordering> {
        F::from_bits(a).partial_cmp(&F::from_bits(b))
    }
    match kind {
        FloatKind::Half => soft::<Half>(a, b),
        FloatKind::BFloat => soft::<BFloat>(a, b),
        FloatKind::Single => soft::<Single>(a, b),
        FloatKind::Double => soft::<Double>(a, b),
        FloatKind::X87 => soft::<X87DoubleExtended>(a, b),
        FloatKind::Quad => soft::<Quad>(a, b),
    }
}

/// `fmin` or `fmax`: of two equal numbers (zeros with different signs) the second, as x86's instructions do.
pub(crate) fn concrete_pick(min: bool, kind: FloatKind, a: u128, b: u128) -> u128 {
    use std::cmp::Ordering::{Greater, Less};
    match concrete_cmp(kind, a, b) {
        Some(order) => {
            if order == (if min { Less } else { Greater }) {
                a
            } else {
                b
            }
        }
        // One of them is not a number: the other one.
        None if concrete_cmp(kind, a, a).is_none() => b,
        None => a,
    }
}

fn concrete_convert(from: FloatKind, to: FloatKind, bits: u128) -> u128 {
    fn to_kind<F>(bits: u128, to: FloatKind) -> u128
    where
        F: Float
            + FloatConvert<Half>
            + FloatConvert<BFloat>
            + FloatConvert<Single>
            + FloatConvert<Double>
            + FloatConvert<X87DoubleExtended>
            + FloatConvert<Quad>,
    {
        let value = F::from_bits(bits);
        let mut lossy = false;
        match to {
            FloatKind::Half => <F as FloatConvert<Half>>::convert(value, &mut lossy).value.to_bits(),
            FloatKind::BFloat => <F as FloatConvert<BFloat>>::convert(value, &mut lossy).value.to_bits(),
            FloatKind::Single => <F as FloatConvert<Single>>::convert(value, &mut lossy).value.to_bits(),
            FloatKind::Double => <F as FloatConvert<Double>>::convert(value, &mut lossy).value.to_bits(),
            FloatKind::X87 => {
                <F as FloatConvert<X87DoubleExtended>>::convert(value, &mut lossy).value.to_bits()
            }
            FloatKind::Quad => <F as FloatConvert<Quad>>::convert(value, &mut lossy).value.to_bits(),
        }
    }
    match from {
        FloatKind::Half => to_kind::<Half>(bits, to),
        FloatKind::BFloat => to_kind::<BFloat>(bits, to),
        FloatKind::Single => to_kind::<Single>(bits, to),
        FloatKind::Double => to_kind::<Double>(bits, to),
        FloatKind::X87 => to_kind::<X87DoubleExtended>(bits, to),
        FloatKind::Quad => to_kind::<Quad>(bits, to),
    }
}

/// Toward zero. Out of range is undefined in C; x86 gives the smallest signed value, and so do we.
fn concrete_to_int(from: FloatKind, bits: u128, width: u32, signed: bool) -> u64 {
    let double = concrete_convert(from, FloatKind::Quad, bits);
    let value = Quad::from_bits(double);
    let mut exact = false;
    if signed {
        let out = value.to_i128_r(width as usize, Round::TowardZero, &mut exact);
        if out.status.contains(Status::INVALID_OP) {
            return 1 << (width - 1);
        }
        truncate(out.value as u64, width)
    } else {
        let out = value.to_u128_r(width as usize, Round::TowardZero, &mut exact);
        if out.status.contains(Status::INVALID_OP) {
            // x86 converts through a wider or signed register: negative values wrap.
            let wide = value.to_i128_r(64, Round::TowardZero, &mut exact);
            if wide.status.contains(Status::INVALID_OP) {
                return truncate(1 << 63, width);
            }
            return truncate(wide.value as u64, width);
        }
        truncate(out.value as u64, width)
    }
}

fn concrete_from_int(to: FloatKind, value: u64, width: u32, signed: bool) -> u128 {
    fn soft<F: Float>(value: u64, width: u32, signed: bool) -> u128 {
        if signed {
            F::from_i128(i128::from(sign_extend(value, width))).value.to_bits()
        } else {
            F::from_u128(u128::from(value)).value.to_bits()
        }
    }
    match to {
        FloatKind::Half => soft::<Half>(value, width, signed),
        FloatKind::BFloat => soft::<BFloat>(value, width, signed),
        FloatKind::Single => soft::<Single>(value, width, signed),
        FloatKind::Double => soft::<Double>(value, width, signed),
        FloatKind::X87 => soft::<X87DoubleExtended>(value, width, signed),
        FloatKind::Quad => soft::<Quad>(value, width, signed),
    }
}

fn concrete_intrinsic(op: IntrinsicOp, kind: FloatKind, args: &[u128]) -> Option<u128> {
    use IntrinsicOp as I;
    if matches!(op, I::MinNum | I::MaxNum) {
        return Some(concrete_pick(op == I::MinNum, kind, args[0], args[1]));
    }
    match kind {
        FloatKind::Double => {
            let x: Vec<f64> = args.iter().map(|b| f64::from_bits(*b as u64)).collect();
            Some(u128::from(
                match op {
                    I::Sqrt => x[0].sqrt(),
                    I::Floor => x[0].floor(),
                    I::Ceil => x[0].ceil(),
                    I::FTrunc => x[0].trunc(),
                    I::Rint | I::RoundEven => x[0].round_ties_even(),
                    I::Round => x[0].round(),
                    I::Fma => x[0].mul_add(x[1], x[2]),
                    I::MulAdd => x[0] * x[1] + x[2],
                    _ => return None,
                }
                .to_bits(),
            ))
        }
        FloatKind::Single => {
            let x: Vec<f32> = args.iter().map(|b| f32::from_bits(*b as u32)).collect();
            Some(u128::from(
                match op {
                    I::Sqrt => x[0].sqrt(),
                    I::Floor => x[0].floor(),
                    I::Ceil => x[0].ceil(),
                    I::FTrunc => x[0].trunc(),
                    I::Rint | I::RoundEven => x[0].round_ties_even(),
                    I::Round => x[0].round(),
                    I::Fma => x[0].mul_add(x[1], x[2]),
                    I::MulAdd => x[0] * x[1] + x[2],
                    _ => return None,
                }
                .to_bits(),
            ))
        }
        FloatKind::X87 => soft_round::<X87DoubleExtended>(op, args),
        FloatKind::Quad => soft_round::<Quad>(op, args),
        FloatKind::Half => soft_round::<Half>(op, args),
        FloatKind::BFloat => soft_round::<BFloat>(op, args),
    }
}

fn soft_round<F: Float>(op: IntrinsicOp, args: &[u128]) -> Option<u128> {
    use IntrinsicOp as I;
    let x = F::from_bits(args[0]);
    let round = |mode| Some(x.round_to_integral(mode).value.to_bits());
    match op {
        I::Floor => round(Round::TowardNegative),
        I::Ceil => round(Round::TowardPositive),
        I::FTrunc => round(Round::TowardZero),
        I::Rint | I::RoundEven => round(Round::NearestTiesToEven),
        I::Round => round(Round::NearestTiesToAway),
        I::MulAdd => {
            Some((x * F::from_bits(args[1])).value).map(|p| (p + F::from_bits(args[2])).value.to_bits())
        }
        I::Fma => Some(x.mul_add(F::from_bits(args[1]), F::from_bits(args[2])).value.to_bits()),
        _ => None,
    }
}
