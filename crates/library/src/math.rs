//! `math.h`: functions that come in several precisions, and the rounding mode.
//!
//! What a function puts into `errno` is part of its row: a domain error (no argument is NaN, the result is) is `EDOM`; a
//! pole or an overflow is `ERANGE`, and so is an underflow where glibc notices it.

use crate::action::Action::{PureFallible, PureTo, Sync};
use crate::row::{Row, family};

/// The precision of a function of numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Precision {
    /// 32 bits.
    Single,
    /// 64 bits.
    Double,
    /// 80 bits.
    Extended,
}

/// What a function tells by `errno`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Errors {
    /// Nothing.
    Silent,
    /// Domain errors, poles and overflows.
    Plain,
    /// As `Plain`, and underflows to zero.
    Underflow,
    /// As `Plain`, and every result that is too small to be normal.
    Subnormal,
}

/// A function in all its precisions.
#[derive(Clone, Copy, Debug)]
pub struct Real {
    /// The form for `double`, whose action and signature are those of the others.
    pub(crate) row: Row,
    /// The names of the form for `float`.
    single: &'static str,
    /// The names of the form for `long double`; there is none if it is empty.
    extended: &'static str,
    /// What it tells by `errno`.
    pub errors: Errors,
    /// Whether its result is exact, so that no rounding mode has a say in it.
    pub is_exact: bool,
    /// Whether it is a single operation that is not defined for all numbers.
    pub has_domain: bool,
}

impl Real {
    const fn new(double: &'static str, single: &'static str, signature: &'static str) -> Real {
        Real {
            row: Row::new(double, signature, PureFallible),
            single,
            extended: "",
            errors: Errors::Plain,
            is_exact: false,
            has_domain: false,
        }
    }

    const fn errors(self, errors: Errors) -> Real {
        Real { errors, ..self }
    }

    const fn silent(self) -> Real {
        self.errors(Errors::Silent)
    }

    const fn exact(self) -> Real {
        Real { is_exact: true, ..self }
    }

    const fn has_domain(self) -> Real {
        Real { has_domain: true, ..self }
    }

    const fn extended(self, extended: &'static str) -> Real {
        Real { extended, ..self }
    }

    /// It writes a second number through a pointer.
    const fn writes(self) -> Real {
        Real { row: Row { action: PureTo, ..self.row }, ..self }
    }

    const fn does(self, does: &'static str) -> Real {
        Real { row: self.row.does(does), ..self }
    }

    /// The names of one of its forms, with blanks between them.
    pub(crate) fn names(&self, precision: Precision) -> &'static str {
        match precision {
            Precision::Single => self.single,
            Precision::Double => self.row.names,
            Precision::Extended => self.extended,
        }
    }
}

family! {
    /// A function of `math.h`, of any precision.
    Math: Real {
        /// The sine.
        Sin = Real::new("sin", "sinf", "r:r");
        /// The cosine.
        Cos = Real::new("cos", "cosf", "r:r");
        /// The tangent.
        Tan = Real::new("tan", "tanf", "r:r");
        /// The arc sine.
        Asin = Real::new("asin", "asinf", "r:r");
        /// The arc cosine.
        Acos = Real::new("acos", "acosf", "r:r");
        /// The arc tangent.
        Atan = Real::new("atan", "atanf", "r:r").silent();
        /// The hyperbolic sine.
        Sinh = Real::new("sinh", "sinhf", "r:r");
        /// The hyperbolic cosine.
        Cosh = Real::new("cosh", "coshf", "r:r");
        /// The hyperbolic tangent.
        Tanh = Real::new("tanh", "tanhf", "r:r").silent();
        /// The inverse hyperbolic sine.
        Asinh = Real::new("asinh", "asinhf", "r:r").silent();
        /// The inverse hyperbolic cosine.
        Acosh = Real::new("acosh", "acoshf", "r:r");
        /// The inverse hyperbolic tangent.
        Atanh = Real::new("atanh", "atanhf", "r:r");
        /// A power of e.
        Exp = Real::new("exp", "expf", "r:r").errors(Errors::Underflow);
        /// A power of 2.
        Exp2 = Real::new("exp2", "exp2f", "r:r").errors(Errors::Underflow);
        /// A power of 10.
        Exp10 = Real::new("exp10", "exp10f", "r:r").errors(Errors::Underflow);
        /// A power of e, less 1.
        Expm1 = Real::new("expm1", "expm1f", "r:r");
        /// The natural logarithm.
        Log = Real::new("log", "logf", "r:r");
        /// The logarithm to the base 2.
        Log2 = Real::new("log2", "log2f", "r:r");
        /// The logarithm to the base 10.
        Log10 = Real::new("log10", "log10f", "r:r");
        /// The logarithm of a number and 1.
        Log1p = Real::new("log1p", "log1pf", "r:r");
        /// The exponent of a number.
        Logb = Real::new("logb", "logbf", "r:r").silent().exact();
        /// The cube root.
        Cbrt = Real::new("cbrt", "cbrtf", "r:r").silent();
        /// The square root.
        Sqrt = Real::new("sqrt", "sqrtf", "r:r").has_domain();
        /// The absolute value.
        Fabs = Real::new("fabs", "fabsf", "r:r").silent().exact();
        /// The next whole number below.
        Floor = Real::new("floor", "floorf", "r:r").silent().exact();
        /// The next whole number above.
        Ceil = Real::new("ceil", "ceilf", "r:r").silent().exact();
        /// The whole part.
        Trunc = Real::new("trunc", "truncf", "r:r").silent().exact();
        /// The nearest whole number, halves away from zero.
        Round = Real::new("round", "roundf", "r:r").silent().exact();
        /// A whole number nearby, by the rounding mode.
        Rint = Real::new("rint", "rintf", "r:r").silent();
        /// A whole number nearby, by the rounding mode.
        Nearbyint = Real::new("nearbyint", "nearbyintf", "r:r").silent();
        /// The nearest whole number, halves to even ones.
        Roundeven = Real::new("roundeven", "roundevenf", "r:r").silent().exact();
        /// The error function.
        Erf = Real::new("erf", "erff", "r:r").silent();
        /// 1 less the error function.
        Erfc = Real::new("erfc", "erfcf", "r:r").errors(Errors::Underflow);
        /// The gamma function.
        Tgamma = Real::new("tgamma", "tgammaf", "r:r").errors(Errors::Underflow);
        /// A power.
        Pow = Real::new("pow", "powf", "rr:r").errors(Errors::Underflow);
        /// The angle of a point.
        Atan2 = Real::new("atan2", "atan2f", "rr:r").errors(Errors::Underflow);
        /// The length of a vector.
        Hypot = Real::new("hypot", "hypotf", "rr:r");
        /// A number with the sign of another.
        Copysign = Real::new("copysign", "copysignf", "rr:r").silent().exact();
        /// The rest of a division towards zero.
        Fmod = Real::new("fmod", "fmodf", "rr:r").exact().has_domain();
        /// The positive difference.
        Fdim = Real::new("fdim", "fdimf", "rr:r");
        /// The next number in a direction.
        Nextafter = Real::new("nextafter", "nextafterf", "rr:r").errors(Errors::Subnormal).exact();
        /// The rest of a division to the nearest.
        Remainder = Real::new("remainder drem", "remainderf dremf", "rr:r");
        /// The smaller number.
        Fmin = Real::new("fmin", "fminf", "rr:r").extended("fminl").silent();
        /// The larger number.
        Fmax = Real::new("fmax", "fmaxf", "rr:r").extended("fmaxl").silent();
        /// A product and a sum, rounded once.
        Fma = Real::new("fma", "fmaf", "rrr:r").silent();
        /// The nearest `long`, halves away from zero.
        Lround = Real::new("lround", "lroundf", "r:p");
        /// A `long` nearby, by the rounding mode.
        Lrint = Real::new("lrint", "lrintf", "r:p");
        /// The nearest `long long`, halves away from zero.
        Llround = Real::new("llround", "llroundf", "r:q");
        /// A `long long` nearby, by the rounding mode.
        Llrint = Real::new("llrint", "llrintf", "r:q");
        /// A fraction and a power of 2.
        Frexp = Real::new("frexp", "frexpf", "rp:r").writes();
        /// A fraction and a whole part.
        Modf = Real::new("modf", "modff", "rp:r").writes();
        /// A number times a power of 2.
        Ldexp = Real::new("ldexp scalbn", "ldexpf scalbnf", "ri:r").errors(Errors::Underflow);
        /// A number times a power of 2, given as a `long`.
        Scalbln = Real::new("scalbln", "scalblnf", "rp:r");
        /// A power with a whole exponent.
        Powi = Real::new("__powidf2", "__powisf2", "ri:r").extended("__powixf2");
    }
}

family! {
    /// The rounding mode.
    Rounding {
        // Arithmetic depends on the mode: what decides it always matters.
        /// The rounding mode of the thread.
        Get = Row::new("__selvedge_rounding", ":i", Sync);
        /// Sets the rounding mode of the thread.
        Set = Row::new("__selvedge_set_rounding", "i:v", Sync);
    }
}
