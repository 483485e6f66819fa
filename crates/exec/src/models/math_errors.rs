//! What the functions of `<math.h>` put into `errno`, and those that Rust has no name for.
//!
//! A domain error (no argument is NaN, the result is) is `EDOM`; a pole or an overflow (the arguments are finite, the
//! result is not) is `ERANGE`, and so is an underflow to zero where glibc notices it. Functions that cannot fail by
//! their definition (`fabs`, `floor`, `fma`, ...) leave `errno` alone even then.

use selvedge_library::{Errors, Math};
use selvedge_program::{FloatKind, Ty};
use selvedge_term::FpOp;

use crate::finding::Res;
use crate::ops;
use crate::step::Step;
use crate::value::Value;

const EDOM: i32 = 33;
const ERANGE: i32 = 34;

/// The host's library, which also is the one that programs are compared with.
#[expect(unsafe_code, reason = "functions of the C library")]
pub(super) mod host {
    // SAFETY: functions of numbers without any effect; of `errno`, which they may set, nothing here takes notice.
    unsafe extern "C" {
        pub(crate) safe fn asinh(x: f64) -> f64;
        pub(crate) safe fn asinhf(x: f32) -> f32;
        pub(crate) safe fn acosh(x: f64) -> f64;
        pub(crate) safe fn acoshf(x: f32) -> f32;
        pub(crate) safe fn atanh(x: f64) -> f64;
        pub(crate) safe fn atanhf(x: f32) -> f32;
        pub(crate) safe fn erf(x: f64) -> f64;
        pub(crate) safe fn erff(x: f32) -> f32;
        pub(crate) safe fn erfc(x: f64) -> f64;
        pub(crate) safe fn erfcf(x: f32) -> f32;
        pub(crate) safe fn tgamma(x: f64) -> f64;
        pub(crate) safe fn tgammaf(x: f32) -> f32;
        pub(crate) safe fn logb(x: f64) -> f64;
        pub(crate) safe fn logbf(x: f32) -> f32;
        pub(crate) safe fn exp10(x: f64) -> f64;
        pub(crate) safe fn exp10f(x: f32) -> f32;
        pub(crate) safe fn remainder(x: f64, y: f64) -> f64;
        pub(crate) safe fn remainderf(x: f32, y: f32) -> f32;
        pub(crate) safe fn nextafter(x: f64, y: f64) -> f64;
        pub(crate) safe fn nextafterf(x: f32, y: f32) -> f32;
    }
}

/// What a call leaves in `errno`; `None` if it leaves it alone.
pub(super) fn error(math: Math, arguments: &[f64], result: f64, is_single: bool) -> Option<i32> {
    let errors = math.row().errors;
    if errors == Errors::Silent {
        return None;
    }
    let is_finite = arguments.iter().all(|x| x.is_finite());
    if result.is_nan() {
        return (!arguments.iter().any(|x| x.is_nan())).then_some(EDOM);
    }
    if result.is_infinite() {
        // A negative whole number is outside the domain of the gamma function; zero is a pole.
        return is_finite.then_some(ERANGE);
    }
    let smallest = if is_single { f64::from(f32::MIN_POSITIVE) } else { f64::MIN_POSITIVE };
    if errors == Errors::Subnormal {
        return (result.abs() < smallest && arguments[0] != arguments[1] && arguments[0] != 0.0)
            .then_some(ERANGE);
    }
    let is_underflow = result == 0.0 && arguments[0] != 0.0 && is_finite;
    (is_underflow && errors == Errors::Underflow).then_some(ERANGE)
}

impl Step<'_, '_> {
    /// Sets `errno` where the arguments of `sqrt` (one) or `fmod` (two) make `result` a NaN that none of them is.
    pub(super) fn domain_error(&mut self, kind: FloatKind, arguments: &[Value], result: Value) -> Res<()> {
        let Some(place) = self.errno_place() else { return Ok(()) };
        let failed = match arguments {
            // Said of the argument: a root in a condition costs the solver seconds.
            [x] => self.float_test(kind, FpOp::Lt, &[*x, Value::Int(0)])?,
            _ => {
                let mut failed = self.float_test(kind, FpOp::IsNan, &[result])?;
                for argument in arguments {
                    let is_nan = self.float_test(kind, FpOp::IsNan, &[*argument])?;
                    let is_number = self.m.pool.not(is_nan);
                    failed = self.m.pool.and(failed, is_number);
                }
                failed
            }
        };
        let before = self.load(place, Ty::Int(32))?;
        let before = ops::to_term(&mut self.m.pool, before, 32);
        let error = self.m.pool.bv(32, EDOM as u64);
        let after = self.m.pool.ite(failed, error, before);
        let after = ops::from_term(&self.m.pool, after);
        self.store(place, Ty::Int(32), after)
    }
}
