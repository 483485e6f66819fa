//! `<math.h>` on concrete values, by the host's own library. Symbolic arguments are unsupported, except for
//! what the front end lowers to intrinsics (`fabs`, `sqrt`, `floor`, ...).

use selvedge_program::FloatKind;

use super::Model;
use crate::finding::{Res, unsupported};
use crate::ops;
use crate::step::{Step, concrete_pick};
use crate::value::Value;

/// A function of the library, at its own precision.
enum Function {
    Double(fn(f64) -> f64),
    Single(fn(f32) -> f32),
    Double2(fn(f64, f64) -> f64),
    Single2(fn(f32, f32) -> f32),
}

use Function::{Double, Double2, Single, Single2};

macro_rules! functions {
    ($($double:literal $single:literal $method:ident;)* | $($double2:literal $single2:literal $method2:ident;)*) => {
        fn function(name: &str) -> Option<Function> {
            Some(match name {
                $($double => Double(f64::$method), $single => Single(f32::$method),)*
                $($double2 => Double2(f64::$method2), $single2 => Single2(f32::$method2),)*
                "fmod" => Double2(|a, b| a % b),
                "fmin" => Double2(|a, b| double_pick(true, a, b)),
                "fminf" => Single2(|a, b| single_pick(true, a, b)),
                "fmax" => Double2(|a, b| double_pick(false, a, b)),
                "fmaxf" => Single2(|a, b| single_pick(false, a, b)),
                "fmodf" => Single2(|a, b| a % b),
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
    |
    "pow" "powf" powf; "atan2" "atan2f" atan2; "hypot" "hypotf" hypot;
    "copysign" "copysignf" copysign;
}

fn double_pick(min: bool, a: f64, b: f64) -> f64 {
    f64::from_bits(concrete_pick(min, FloatKind::Double, a.to_bits().into(), b.to_bits().into()) as u64)
}

fn single_pick(min: bool, a: f32, b: f32) -> f32 {
    f32::from_bits(concrete_pick(min, FloatKind::Single, a.to_bits().into(), b.to_bits().into()) as u32)
}

pub(super) fn lookup(name: &str) -> Option<Model> {
    function(name)?;
    Some(|s, f, _, v| {
        let name = s.m.image.program.funcs[f].name.as_str();
        s.math(name, v)
    })
}

impl Step<'_, '_> {
    fn math(&mut self, name: &str, args: &[Value]) -> Res<()> {
        let function = function(name).expect("looked up by name");
        let width = if matches!(function, Single(_) | Single2(_)) { 32 } else { 64 };
        let mut bits = Vec::with_capacity(args.len());
        for value in args {
            let value = self.settle(*value, width)?;
            match ops::concrete(value) {
                Some(v) => bits.push(v),
                None => return unsupported(format!("`{name}` of a symbolic value")),
            }
        }
        let single = |i: usize| f32::from_bits(bits[i] as u32);
        let double = |i: usize| f64::from_bits(bits[i]);
        let result = match function {
            Double(f) => f(double(0)).to_bits(),
            Double2(f) => f(double(0), double(1)).to_bits(),
            Single(f) => f(single(0)).to_bits().into(),
            Single2(f) => f(single(0), single(1)).to_bits().into(),
        };
        self.returns(Value::Int(result))
    }
}
