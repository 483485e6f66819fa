//! `<math.h>`: on concrete values by the host's own library, on symbolic ones where a function is a single operation
//! of floating-point arithmetic (`sqrt`, `floor`, `fmod`, ...). Other symbolic arguments are unsupported.
//! Errors are told by `errno`, as glibc does (`math_errors`).

use rustc_apfloat::Float;
use rustc_apfloat::ieee::{Double as SoftDouble, Single as SoftSingle};
use selvedge_program::{FBinOp, FloatKind, IntrinsicOp, Ty};
use selvedge_term::RoundingMode;

use super::Model;
use super::math_errors::{self, host};
use crate::finding::{Res, unsupported};
use crate::ops;
use crate::step::Step;
use crate::step::rounded::round;
use crate::value::{Value, sign_extend, truncate};

/// A function of the library, at its own precision.
enum Function {
    Double(fn(f64) -> f64),
    Single(fn(f32) -> f32),
    Double2(fn(f64, f64) -> f64),
    Single2(fn(f32, f32) -> f32),
    Double3(fn(f64, f64, f64) -> f64),
    Single3(fn(f32, f32, f32) -> f32),
}

use Function::{Double, Double2, Double3, Single, Single2, Single3};

macro_rules! functions {
    ($($double:literal $single:literal $method:ident;)* | $($double2:literal $single2:literal $method2:ident;)*) => {
        fn function(name: &str) -> Option<Function> {
            Some(match name {
                $($double => Double(f64::$method), $single => Single(f32::$method),)*
                $($double2 => Double2(f64::$method2), $single2 => Single2(f32::$method2),)*
                "fmod" => Double2(|a, b| a % b),
                "fmodf" => Single2(|a, b| a % b),
                "fdim" => Double2(|a, b| if a <= b { 0.0 } else { a - b }),
                "fdimf" => Single2(|a, b| if a <= b { 0.0 } else { a - b }),
                "fma" => Double3(f64::mul_add),
                "fmaf" => Single3(f32::mul_add),
                "asinh" => Double(|a| host::asinh(a)),
                "asinhf" => Single(|a| host::asinhf(a)),
                "acosh" => Double(|a| host::acosh(a)),
                "acoshf" => Single(|a| host::acoshf(a)),
                "atanh" => Double(|a| host::atanh(a)),
                "atanhf" => Single(|a| host::atanhf(a)),
                "erf" => Double(|a| host::erf(a)),
                "erff" => Single(|a| host::erff(a)),
                "erfc" => Double(|a| host::erfc(a)),
                "erfcf" => Single(|a| host::erfcf(a)),
                "tgamma" => Double(|a| host::tgamma(a)),
                "tgammaf" => Single(|a| host::tgammaf(a)),
                "logb" => Double(|a| host::logb(a)),
                "logbf" => Single(|a| host::logbf(a)),
                "exp10" => Double(|a| host::exp10(a)),
                "exp10f" => Single(|a| host::exp10f(a)),
                "remainder" | "drem" => Double2(|a, b| host::remainder(a, b)),
                "remainderf" | "dremf" => Single2(|a, b| host::remainderf(a, b)),
                "nextafter" => Double2(|a, b| host::nextafter(a, b)),
                "nextafterf" => Single2(|a, b| host::nextafterf(a, b)),
                _ => return None,
            })
        }
    };
}

functions! {
    "sin" "sinf" sin; "cos" "cosf" cos; "tan" "tanf" tan;
    "asin" "asinf" asin; "acos" "acosf" acos; "atan" "atanf" atan;
    "sinh" "sinhf" sinh; "cosh" "coshf" cosh; "tanh" "tanhf" tanh;
    "exp" "expf" exp; "exp2" "exp2f" exp2; "expm1" "expm1f" exp_m1;
    "log" "logf" ln; "log2" "log2f" log2; "log10" "log10f" log10; "log1p" "log1pf" ln_1p;
    "cbrt" "cbrtf" cbrt; "sqrt" "sqrtf" sqrt; "fabs" "fabsf" abs;
    "floor" "floorf" floor; "ceil" "ceilf" ceil; "trunc" "truncf" trunc; "round" "roundf" round;
    "rint" "rintf" round_ties_even; "nearbyint" "nearbyintf" round_ties_even;
    "roundeven" "roundevenf" round_ties_even;
    |
    "pow" "powf" powf; "atan2" "atan2f" atan2; "hypot" "hypotf" hypot; "copysign" "copysignf" copysign;
}

/// The operation that a function is, for symbolic arguments.
fn operation(name: &str) -> Option<IntrinsicOp> {
    use IntrinsicOp as I;
    Some(match name.strip_suffix('f').unwrap_or(name) {
        "sqrt" => I::Sqrt,
        "fabs" => I::FAbs,
        "floor" => I::Floor,
        "ceil" => I::Ceil,
        "trunc" => I::FTrunc,
        "round" => I::Round,
        "rint" | "nearbyint" => I::Rint,
        "roundeven" => I::RoundEven,
        "copysign" => I::CopySign,
        "fma" => I::Fma,
        _ => return None,
    })
}

/// Whether the result of a function is exact, so that no rounding mode has a say in it.
fn is_exact(name: &str) -> bool {
    let exact =
        ["fabs", "floor", "ceil", "trunc", "round", "roundeven", "copysign", "fmod", "nextafter", "logb"];
    exact.contains(&name.strip_suffix('f').unwrap_or(name))
}

pub(super) fn lookup(name: &str) -> Option<Model> {
    let model: Model = match name {
        "lround" | "llround" | "lrint" | "llrint" => {
            |s, f, _, v| s.round_to_integer(f, FloatKind::Double, v[0])
        }
        "lroundf" | "llroundf" | "lrintf" | "llrintf" => {
            |s, f, _, v| s.round_to_integer(f, FloatKind::Single, v[0])
        }
        "fmin" => |s, _, _, v| s.pick_number(IntrinsicOp::MinNum, FloatKind::Double, v),
        "fminf" => |s, _, _, v| s.pick_number(IntrinsicOp::MinNum, FloatKind::Single, v),
        "fmax" => |s, _, _, v| s.pick_number(IntrinsicOp::MaxNum, FloatKind::Double, v),
        "fmaxf" => |s, _, _, v| s.pick_number(IntrinsicOp::MaxNum, FloatKind::Single, v),
        "fminl" => |s, _, _, v| s.pick_number(IntrinsicOp::MinNum, FloatKind::X87, v),
        "fmaxl" => |s, _, _, v| s.pick_number(IntrinsicOp::MaxNum, FloatKind::X87, v),
        "__powisf2" => |s, _, _, v| s.power(FloatKind::Single, v[0], v[1]),
        "__powidf2" => |s, _, _, v| s.power(FloatKind::Double, v[0], v[1]),
        "__powixf2" => |s, _, _, v| s.power(FloatKind::X87, v[0], v[1]),
        "frexp" => |s, _, _, v| s.frexp(FloatKind::Double, v[0], v[1]),
        "frexpf" => |s, _, _, v| s.frexp(FloatKind::Single, v[0], v[1]),
        "modf" => |s, _, _, v| s.modf(FloatKind::Double, v[0], v[1]),
        "modff" => |s, _, _, v| s.modf(FloatKind::Single, v[0], v[1]),
        "ldexp" | "scalbn" => |s, _, _, v| s.ldexp(FloatKind::Double, v[0], Ty::Int(32), v[1]),
        "scalbln" => |s, _, _, v| s.ldexp(FloatKind::Double, v[0], Ty::Ptr, v[1]),
        "ldexpf" | "scalbnf" => |s, _, _, v| s.ldexp(FloatKind::Single, v[0], Ty::Int(32), v[1]),
        "scalblnf" => |s, _, _, v| s.ldexp(FloatKind::Single, v[0], Ty::Ptr, v[1]),
        _ => {
            function(name)?;
            |s, f, _, v| {
                let name = s.m.image.program.funcs[f].name.as_str();
                s.math(name, v)
            }
        }
    };
    Some(model)
}

impl Step<'_, '_> {
    fn math(&mut self, name: &str, args: &[Value]) -> Res<()> {
        let function = function(name).expect("looked up by name");
        let is_single = matches!(function, Single(_) | Single2(_) | Single3(_));
        let kind = if is_single { FloatKind::Single } else { FloatKind::Double };
        let mut values = Vec::with_capacity(args.len());
        for value in args {
            values.push(self.settle(*value, kind.bits())?);
        }
        let Some(bits) = values.iter().map(|v| ops::concrete(*v)).collect::<Option<Vec<u64>>>() else {
            let result = match operation(name) {
                Some(op) => self.float_intrinsic(op, kind, &values)?,
                None if matches!(name, "fmod" | "fmodf") => self.symbolic_fmod(kind, &values)?,
                None => return unsupported(format!("`{name}` of a symbolic value")),
            };
            if math_errors::has_domain(name) {
                self.domain_error(kind, &values, result)?;
            }
            return self.returns(result);
        };
        let exact =
            |bits: u64| if is_single { f32::from_bits(bits as u32).into() } else { f64::from_bits(bits) };
        let arguments: Vec<f64> = bits.iter().map(|b| exact(*b)).collect();
        let single = |i: usize| f32::from_bits(bits[i] as u32);
        let double = |i: usize| f64::from_bits(bits[i]);
        let result = match function {
            _ if self.st.thread().rounding != RoundingMode::NearestEven && !is_exact(name) => {
                self.rounded_math(name, kind, &values)?
            }
            Double(f) => f(double(0)).to_bits(),
            Double2(f) => f(double(0), double(1)).to_bits(),
            Double3(f) => f(double(0), double(1), double(2)).to_bits(),
            Single(f) => f(single(0)).to_bits().into(),
            Single2(f) => f(single(0), single(1)).to_bits().into(),
            Single3(f) => f(single(0), single(1), single(2)).to_bits().into(),
        };
        if let Some(error) = math_errors::error(name, &arguments, exact(result), is_single) {
            self.set_errno(error)?;
        }
        self.returns(Value::Int(result))
    }

    /// A function of concrete numbers that is a single operation, in another rounding mode than to nearest.
    fn rounded_math(&mut self, name: &str, kind: FloatKind, args: &[Value]) -> Res<u64> {
        let result = match (operation(name), name.strip_suffix('f').unwrap_or(name)) {
            (Some(op), _) => self.float_intrinsic(op, kind, args)?,
            (None, "fdim") => self.float_difference(kind, args)?,
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
    fn round_to_integer(&mut self, func: selvedge_program::FuncId, kind: FloatKind, value: Value) -> Res<()> {
        let name = self.m.image.program.funcs[func].name.as_str();
        let value = self.number(name, kind, value)?;
        let mode = match name.contains("round") {
            true => RoundingMode::NearestAway,
            false => self.st.thread().rounding,
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
        if let Some(error) = math_errors::error("ldexp", &[exact(bits)], exact(scaled as u64), false) {
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
