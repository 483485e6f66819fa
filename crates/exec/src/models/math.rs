//! `<math.h>` on concrete values, by the host's own library. Symbolic arguments are unsupported, except for
//! what the front end lowers to intrinsics (`fabs`, `sqrt`, `floor`, ...).

use super::Model;
use crate::finding::{Res, unsupported};
use crate::ops;
use crate::step::Step;
use crate::value::Value;

macro_rules! unary {
    ($($name:literal, $single:literal => $f:expr;)*) => {
        fn unary(name: &str) -> Option<(fn(f64) -> f64, bool)> {
            Some(match name {
                $($name => ($f, false), $single => ($f, true),)*
                _ => return None,
            })
        }
    };
}

unary! {
    "sin", "sinf" => f64::sin; "cos", "cosf" => f64::cos; "tan", "tanf" => f64::tan;
    "asin", "asinf" => f64::asin; "acos", "acosf" => f64::acos; "atan", "atanf" => f64::atan;
    "sinh", "sinhf" => f64::sinh; "cosh", "coshf" => f64::cosh; "tanh", "tanhf" => f64::tanh;
    "exp", "expf" => f64::exp; "exp2", "exp2f" => f64::exp2; "expm1", "expm1f" => f64::exp_m1;
    "log", "logf" => f64::ln; "log2", "log2f" => f64::log2; "log10", "log10f" => f64::log10;
    "log1p", "log1pf" => f64::ln_1p; "cbrt", "cbrtf" => f64::cbrt; "sqrt", "sqrtf" => f64::sqrt;
    "floor", "floorf" => f64::floor; "ceil", "ceilf" => f64::ceil; "trunc", "truncf" => f64::trunc;
    "round", "roundf" => f64::round; "rint", "rintf" => f64::round_ties_even;
    "nearbyint", "nearbyintf" => f64::round_ties_even; "fabs", "fabsf" => f64::abs;
}

fn binary(name: &str) -> Option<(fn(f64, f64) -> f64, bool)> {
    Some(match name {
        "pow" => (f64::powf, false),
        "powf" => (f64::powf, true),
        "fmod" => (|a, b| a % b, false),
        "fmodf" => (|a, b| a % b, true),
        "atan2" => (f64::atan2, false),
        "atan2f" => (f64::atan2, true),
        "hypot" => (f64::hypot, false),
        "hypotf" => (f64::hypot, true),
        "fmin" => (f64::min, false),
        "fmax" => (f64::max, false),
        "copysign" => (f64::copysign, false),
        _ => return None,
    })
}

pub(super) fn lookup(name: &str) -> Option<Model> {
    if unary(name).is_some() || binary(name).is_some() {
        return Some(|s, f, _, v| {
            let name = s.m.image.program.funcs[f].name.clone();
            s.math(&name, v)
        });
    }
    None
}

impl Step<'_, '_> {
    fn math(&mut self, name: &str, args: &[Value]) -> Res<()> {
        let mut settled = Vec::with_capacity(args.len());
        for value in args {
            settled.push(self.settle(*value, if name.ends_with('f') { 32 } else { 64 })?);
        }
        let concrete: Option<Vec<u64>> = settled.iter().map(|v| ops::concrete(*v)).collect();
        let Some(bits) = concrete else { return unsupported(format!("`{name}` of a symbolic value")) };
        let read = |bits: u64, single: bool| {
            if single { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) }
        };
        let (result, single) = match (unary(name), binary(name)) {
            (Some((f, single)), _) => (f(read(bits[0], single)), single),
            (_, Some((f, single))) => (f(read(bits[0], single), read(bits[1], single)), single),
            _ => unreachable!("looked up by name"),
        };
        let bits = if single { u64::from((result as f32).to_bits()) } else { result.to_bits() };
        self.returns(Value::Int(bits))
    }
}
