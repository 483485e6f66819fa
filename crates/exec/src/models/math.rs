//! `<math.h>`: on concrete values by the host's own library, on symbolic ones where a function is a single operation
//! of floating-point arithmetic (`sqrt`, `floor`, `fmod`, ...). Other symbolic arguments are unsupported.
//! Errors are told by `errno`, as glibc does (`math_errors`).

use rustc_apfloat::Float;
use rustc_apfloat::ieee::{Double as SoftDouble, Single as SoftSingle};
use selvedge_library::{Known, Math, Precision};
use selvedge_program::{FBinOp, FloatKind, FuncId, IntrinsicOp, Ty};
use selvedge_term::RoundingMode;

use super::Model;
use super::math_errors::{self, host};
use crate::finding::{Res, unsupported};
use crate::ops;
use crate::step::Step;
use crate::step::rounded::round;
use crate::value::{Value, sign_extend, truncate};

/// A function on numbers of either precision.
enum Host {
    One(fn(f64) -> f64, fn(f32) -> f32),
    Two(fn(f64, f64) -> f64, fn(f32, f32) -> f32),
    Three(fn(f64, f64, f64) -> f64, fn(f32, f32, f32) -> f32),
}

use Host::{One, Three, Two};

/// The functions that the host computes from concrete numbers; the others have models of their own.
fn host_function(math: Math) -> Option<Host> {
    Some(match math {
        Math::Sin => One(f64::sin, f32::sin),
        Math::Cos => One(f64::cos, f32::cos),
        Math::Tan => One(f64::tan, f32::tan),
        Math::Asin => One(f64::asin, f32::asin),
        Math::Acos => One(f64::acos, f32::acos),
        Math::Atan => One(f64::atan, f32::atan),
        Math::Sinh => One(f64::sinh, f32::sinh),
        Math::Cosh => One(f64::cosh, f32::cosh),
        Math::Tanh => One(f64::tanh, f32::tanh),
        Math::Exp => One(f64::exp, f32::exp),
        Math::Exp2 => One(f64::exp2, f32::exp2),
        Math::Expm1 => One(f64::exp_m1, f32::exp_m1),
        Math::Log => One(f64::ln, f32::ln),
        Math::Log2 => One(f64::log2, f32::log2),
        Math::Log10 => One(f64::log10, f32::log10),
        Math::Log1p => One(f64::ln_1p, f32::ln_1p),
        Math::Cbrt => One(f64::cbrt, f32::cbrt),
        Math::Sqrt => One(f64::sqrt, f32::sqrt),
        Math::Fabs => One(f64::abs, f32::abs),
        Math::Floor => One(f64::floor, f32::floor),
        Math::Ceil => One(f64::ceil, f32::ceil),
        Math::Trunc => One(f64::trunc, f32::trunc),
        Math::Round => One(f64::round, f32::round),
        Math::Rint | Math::Nearbyint | Math::Roundeven => One(f64::round_ties_even, f32::round_ties_even),
        Math::Asinh => One(|a| host::asinh(a), |a| host::asinhf(a)),
        Math::Acosh => One(|a| host::acosh(a), |a| host::acoshf(a)),
        Math::Atanh => One(|a| host::atanh(a), |a| host::atanhf(a)),
        Math::Erf => One(|a| host::erf(a), |a| host::erff(a)),
        Math::Erfc => One(|a| host::erfc(a), |a| host::erfcf(a)),
        Math::Tgamma => One(|a| host::tgamma(a), |a| host::tgammaf(a)),
        Math::Logb => One(|a| host::logb(a), |a| host::logbf(a)),
        Math::Exp10 => One(|a| host::exp10(a), |a| host::exp10f(a)),
        Math::Pow => Two(f64::powf, f32::powf),
        Math::Atan2 => Two(f64::atan2, f32::atan2),
        Math::Hypot => Two(f64::hypot, f32::hypot),
        Math::Copysign => Two(f64::copysign, f32::copysign),
        Math::Fmod => Two(|a, b| a % b, |a, b| a % b),
        Math::Fdim => Two(|a, b| if a <= b { 0.0 } else { a - b }, |a, b| if a <= b { 0.0 } else { a - b }),
        Math::Remainder => Two(|a, b| host::remainder(a, b), |a, b| host::remainderf(a, b)),
        Math::Nextafter => Two(|a, b| host::nextafter(a, b), |a, b| host::nextafterf(a, b)),
        Math::Fma => Three(f64::mul_add, f32::mul_add),
        Math::Lround
        | Math::Lrint
        | Math::Llround
        | Math::Llrint
        | Math::Fmin
        | Math::Fmax
        | Math::Powi
        | Math::Frexp
        | Math::Modf
        | Math::Ldexp
        | Math::Scalbln => return None,
    })
}

/// The operation that a function is, for symbolic arguments.
fn operation(math: Math) -> Option<IntrinsicOp> {
    use IntrinsicOp as I;
    Some(match math {
        Math::Sqrt => I::Sqrt,
        Math::Fabs => I::FAbs,
        Math::Floor => I::Floor,
        Math::Ceil => I::Ceil,
        Math::Trunc => I::FTrunc,
        Math::Round => I::Round,
        Math::Rint | Math::Nearbyint => I::Rint,
        Math::Roundeven => I::RoundEven,
        Math::Copysign => I::CopySign,
        Math::Fma => I::Fma,
        _ => return None,
    })
}

/// The function that a modelled call is of, and its kind of numbers.
fn called(s: &Step<'_, '_>, func: FuncId) -> (Math, FloatKind) {
    match s.m.image.library.known(func) {
        Some(Known::Math(math, precision)) => (math, kind(precision)),
        _ => unreachable!("a model of `math.h` is that of a function of `math.h`"),
    }
}

fn kind(precision: Precision) -> FloatKind {
    match precision {
        Precision::Single => FloatKind::Single,
        Precision::Double => FloatKind::Double,
        Precision::Extended => FloatKind::X87,
    }
}

pub(super) fn model(function: Math) -> Model {
    match function {
        Math::Lround | Math::Llround | Math::Lrint | Math::Llrint => |s, f, _, v| s.round_to_integer(f, v[0]),
        Math::Fmin => |s, f, _, v| s.pick_number(IntrinsicOp::MinNum, called(s, f).1, v),
        Math::Fmax => |s, f, _, v| s.pick_number(IntrinsicOp::MaxNum, called(s, f).1, v),
        Math::Powi => |s, f, _, v| s.power(called(s, f).1, v[0], v[1]),
        Math::Frexp => |s, f, _, v| s.frexp(called(s, f).1, v[0], v[1]),
        Math::Modf => |s, f, _, v| s.modf(called(s, f).1, v[0], v[1]),
        Math::Ldexp => |s, f, _, v| s.ldexp(called(s, f).1, v[0], Ty::Int(32), v[1]),
        Math::Scalbln => |s, f, _, v| s.ldexp(called(s, f).1, v[0], Ty::Ptr, v[1]),
        _ => |s, f, _, v| s.math(f, v),
    }
}

impl Step<'_, '_> {
    fn math(&mut self, func: FuncId, args: &[Value]) -> Res<()> {
        let (math, kind) = called(self, func);
        let name = self.m.image.program.funcs[func].name.as_str();
        let Some(function) = host_function(math) else { return unsupported(format!("`{name}`")) };
        let is_single = kind == FloatKind::Single;
        let mut values = Vec::with_capacity(args.len());
        for value in args {
            values.push(self.settle(*value, kind.bits())?);
        }
        let Some(bits) = values.iter().map(|v| ops::concrete(*v)).collect::<Option<Vec<u64>>>() else {
            let result = match operation(math) {
                Some(op) => self.float_intrinsic(op, kind, &values)?,
                None if math == Math::Fmod => self.symbolic_fmod(kind, &values)?,
                None => return unsupported(format!("`{name}` of a symbolic value")),
            };
            if math.row().has_domain {
                self.domain_error(kind, &values, result)?;
            }
            return self.returns(result);
        };
        let exact =
            |bits: u64| if is_single { f32::from_bits(bits as u32).into() } else { f64::from_bits(bits) };
        let arguments: Vec<f64> = bits.iter().map(|b| exact(*b)).collect();
        let single = |i: usize| f32::from_bits(bits[i] as u32);
        let double = |i: usize| f64::from_bits(bits[i]);
        let result = match (function, is_single) {
            _ if self.st.thread().rounding != RoundingMode::NearestEven && !math.row().is_exact => {
                self.rounded_math((math, name), kind, &values)?
            }
            (One(f, _), false) => f(double(0)).to_bits(),
            (Two(f, _), false) => f(double(0), double(1)).to_bits(),
            (Three(f, _), false) => f(double(0), double(1), double(2)).to_bits(),
            (One(_, f), true) => f(single(0)).to_bits().into(),
            (Two(_, f), true) => f(single(0), single(1)).to_bits().into(),
            (Three(_, f), true) => f(single(0), single(1), single(2)).to_bits().into(),
        };
        if let Some(error) = math_errors::error(math, &arguments, exact(result), is_single) {
            self.set_errno(error)?;
        }
        self.returns(Value::Int(result))
    }

    /// A function of concrete numbers that is a single operation, in another rounding mode than to nearest.
    fn rounded_math(&mut self, (math, name): (Math, &str), kind: FloatKind, args: &[Value]) -> Res<u64> {
        let result = match (operation(math), math) {
            (Some(op), _) => self.float_intrinsic(op, kind, args)?,
            (None, Math::Fdim) => self.float_difference(kind, args)?,
            (None, _) => return unsupported(format!("`{name}` that is not rounded to nearest")),
        };
        ops::concrete(result).map_or_else(|| unsupported(format!("`{name}` of a symbolic value")), Ok)
    }

    /// The smaller or the larger of two numbers.
    fn pick_number(&mut self, op: IntrinsicOp, kind: FloatKind, args: &[Value]) -> Res<()> {
        let both = [self.settle(args[0], kind.bits())?, self.settle(args[1], kind.bits())?];
        let picked = self.float_intrinsic(op, kind, &both)?;
        self.returns(picked)
    }

    /// `__builtin_powi`: squares, and the product of those that the bits of the exponent name, in the order of the
    /// compiler's own library.
    fn power(&mut self, kind: FloatKind, base: Value, exponent: Value) -> Res<()> {
        let exponent = self.concretise(exponent, 32, 64, "the exponent of a power")? as u32 as i32;
        let one = self.float_one(kind);
        let (mut square, mut rest) = (base, exponent.unsigned_abs());
        let mut product = one;
        loop {
            if rest & 1 == 1 {
                product = self.float_arithmetic(FBinOp::Mul, kind, product, square)?;
            }
            rest >>= 1;
            if rest == 0 {
                break;
            }
            square = self.float_arithmetic(FBinOp::Mul, kind, square, square)?;
        }
        if exponent < 0 {
            product = self.float_arithmetic(FBinOp::Div, kind, one, product)?;
        }
        self.returns(product)
    }

    /// A number that must be concrete; every `float` is a `double`.
    fn number(&mut self, what: &str, kind: FloatKind, value: Value) -> Res<f64> {
        let value = self.settle(value, kind.bits())?;
        match (ops::concrete(value), kind) {
            (Some(bits), FloatKind::Single) => Ok(f32::from_bits(bits as u32).into()),
            (Some(bits), _) => Ok(f64::from_bits(bits)),
            (None, _) => unsupported(format!("`{what}` of a symbolic value")),
        }
    }

    /// `lround`, `lrint` and their relatives.
    fn round_to_integer(&mut self, func: FuncId, value: Value) -> Res<()> {
        let (math, kind) = called(self, func);
        let name = self.m.image.program.funcs[func].name.as_str();
        let value = self.number(name, kind, value)?;
        let mode = match math {
            Math::Lround | Math::Llround => RoundingMode::NearestAway,
            _ => self.st.thread().rounding,
        };
        let rounded = SoftDouble::from_bits(value.to_bits().into()).round_to_integral(round(mode)).value;
        let rounded = f64::from_bits(rounded.to_bits() as u64);
        let width = match self.call_type() {
            Some(Ty::Int(width @ 1..=64)) => width,
            _ => return self.returns(Value::Int(0)),
        };
        let limit = 2f64.powi(width as i32 - 1);
        if !(rounded >= -limit && rounded < limit) {
            // C leaves the result open; x86 has one for all such numbers.
            self.assumed("math.rounding-out-of-range");
            return self.returns(Value::Int(1 << (width - 1)));
        }
        self.returns(Value::Int(truncate(rounded as i64 as u64, width)))
    }

    /// A fraction in [0.5, 1) and, through the pointer, the power of two.
    fn frexp(&mut self, kind: FloatKind, value: Value, out: Value) -> Res<()> {
        let number = self.number("frexp", kind, value)?;
        let (fraction, exponent) = if number == 0.0 || !number.is_finite() {
            (number, 0)
        } else {
            let soft = SoftDouble::from_bits(number.to_bits().into());
            let exponent = soft.ilogb() + 1;
            (f64::from_bits(soft.scalbn(-exponent).to_bits() as u64), exponent)
        };
        self.store(out, Ty::Int(32), Value::Int(u64::from(exponent as u32)))?;
        self.returns(float(kind, fraction))
    }

    /// The fraction and, through the pointer, the whole part.
    fn modf(&mut self, kind: FloatKind, value: Value, out: Value) -> Res<()> {
        let number = self.number("modf", kind, value)?;
        let whole = number.trunc();
        let fraction = if number.is_infinite() { 0.0 } else { number - whole };
        self.store(out, Ty::Float(kind), float(kind, whole))?;
        self.returns(float(kind, fraction.copysign(number)))
    }

    /// A number times a power of two.
    fn ldexp(&mut self, kind: FloatKind, value: Value, ty: Ty, power: Value) -> Res<()> {
        let width = ty.bits(self.ptr_bits());
        let power = self.settle(power, width)?;
        let (Some(bits), Some(power)) =
            (ops::concrete(self.settle(value, kind.bits())?), ops::concrete(power))
        else {
            return unsupported("`ldexp` of a symbolic value");
        };
        // Beyond this everything is infinite or zero.
        let power = sign_extend(power, width).clamp(-10_000, 10_000) as i32;
        let mode = round(self.st.thread().rounding);
        let scaled = match kind {
            FloatKind::Single => SoftSingle::from_bits(bits.into()).scalbn_r(power, mode).to_bits(),
            _ => SoftDouble::from_bits(bits.into()).scalbn_r(power, mode).to_bits(),
        };
        let exact = |bits: u64| match kind {
            FloatKind::Single => f32::from_bits(bits as u32).into(),
            _ => f64::from_bits(bits),
        };
        if let Some(error) = math_errors::error(Math::Ldexp, &[exact(bits)], exact(scaled as u64), false) {
            self.set_errno(error)?;
        }
        self.returns(Value::Int(scaled as u64))
    }
}

/// A number as a value of this kind, which can hold it.
fn float(kind: FloatKind, number: f64) -> Value {
    Value::Int(match kind {
        FloatKind::Single => (number as f32).to_bits().into(),
        _ => number.to_bits(),
    })
}
