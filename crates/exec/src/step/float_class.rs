//! What class of floating-point numbers a number belongs to (`llvm.is.fpclass`).

use selvedge_program::FloatKind;

use super::float::format_of;
use super::{Step, known_float};
use crate::finding::{Res, unsupported};
use crate::ops;
use crate::value::Value;

impl Step<'_, '_> {
    /// `llvm.is.fpclass`; the mask's bits are sNaN, qNaN, -inf, -normal, -subnormal, -0, +0, +subnormal, +normal, +inf.
    pub(super) fn is_fp_class(&mut self, kind: FloatKind, value: Value, mask: Value) -> Res<Value> {
        let Some(mask) = ops::concrete(mask) else {
            return unsupported(format!("classification of {kind}"));
        };
        if let Some(bits) = self.pattern(value) {
            return Ok(Value::bool(mask >> known_float::class(kind, bits) & 1 == 1));
        }
        let Some(f) = format_of(kind) else {
            return unsupported(format!("classification of a symbolic {kind}"));
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
