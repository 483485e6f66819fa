//! Pure operations on values: arithmetic, comparison, conversion.
//!
//! Concrete operands of at most 64 bits never touch the term pool. Undefined cases get the result of
//! x86 (shift amounts modulo the width) or of SMT-LIB (division by zero); the step that uses them
//! checks the property first.

use selvedge_program::{BinOp, CastOp, CmpOp, Ty};
use selvedge_term::{TermId, TermPool};

use crate::value::{ObjId, Value, sign_extend, truncate};

/// `value` as a term of `width` bits.
pub(crate) fn to_term(pool: &mut TermPool, value: Value, width: u32) -> TermId {
    match value {
        Value::Int(v) => pool.bv(width, v),
        Value::Ptr { addr, .. } => pool.bv(width, addr),
        Value::SymPtr { addr: t, .. } | Value::Term(t) => resize(pool, t, width),
    }
}

/// `term` with `width` bits. They differ only where a call does not fit the callee's declaration.
fn resize(pool: &mut TermPool, term: TermId, width: u32) -> TermId {
    match pool.width(term).cmp(&width) {
        std::cmp::Ordering::Equal => term,
        std::cmp::Ordering::Less => pool.zext(term, width),
        std::cmp::Ordering::Greater => pool.extract(term, width - 1, 0),
    }
}

/// `term` as a value: concrete if it is a constant of at most 64 bits.
pub(crate) fn from_term(pool: &TermPool, term: TermId) -> Value {
    match pool.as_u64(term) {
        Some(v) => Value::Int(v),
        None => Value::Term(term),
    }
}

/// The concrete bits of a value, if it has any.
#[inline]
pub(crate) fn concrete(value: Value) -> Option<u64> {
    match value {
        Value::Int(v) | Value::Ptr { addr: v, .. } => Some(v),
        Value::SymPtr { .. } | Value::Term(_) => None,
    }
}

/// The term of a value that is not concrete.
pub(crate) fn term_of(value: Value) -> Option<TermId> {
    match value {
        Value::Int(_) | Value::Ptr { .. } => None,
        Value::Term(t) | Value::SymPtr { addr: t, .. } => Some(t),
    }
}

/// The object a value points into, if it is a pointer.
pub(crate) fn provenance(value: Value) -> Option<ObjId> {
    match value {
        Value::Ptr { obj, .. } | Value::SymPtr { obj, .. } => Some(obj),
        Value::Int(_) | Value::Term(_) => None,
    }
}

/// An address derived from `obj`.
pub(crate) fn pointer(pool: &TermPool, obj: ObjId, addr: TermId) -> Value {
    match pool.as_u64(addr) {
        Some(addr) => Value::Ptr { obj, addr },
        None => Value::SymPtr { obj, addr },
    }
}

/// Programs keep tags in the low bits of aligned pointers: bit operations below this keep the object.
const TAG_ROOM: u64 = 64;

/// Integer arithmetic at `width` bits.
pub(crate) fn bin(pool: &mut TermPool, op: BinOp, width: u32, a: Value, b: Value) -> Value {
    if let (Value::Int(x), Value::Int(y)) = (a, b) {
        return Value::Int(bin_u64(op, width, x, y));
    }
    if width <= 64
        && let (Some(x), Some(y)) = (concrete(a), concrete(b))
    {
        let result = bin_u64(op, width, x, y);
        return match kept_object(op, a, b) {
            // Masking tag bits off or on keeps the object; extracting them does not.
            Some(obj) if matches!(op, BinOp::Add | BinOp::Sub) || result.abs_diff(x) < TAG_ROOM => {
                Value::Ptr { obj, addr: result }
            }
            _ => Value::Int(result),
        };
    }
    let object = kept_object(op, a, b).filter(|_| match op {
        BinOp::Add | BinOp::Sub => true,
        // Symbolic tag bits: a mask that leaves the high bits alone, or bits that are all low.
        BinOp::And => concrete(b).is_some_and(|m| m | (TAG_ROOM - 1) == truncate(u64::MAX, width)),
        BinOp::Or => match b {
            Value::Int(bits) => bits < TAG_ROOM,
            Value::Term(t) => pool.range(t).1 < TAG_ROOM,
            _ => false,
        },
        _ => false,
    });
    let (x, y) = (to_term(pool, a, width), to_term(pool, b, width));
    let term = bin_term(pool, op, width, x, y);
    match object {
        Some(obj) => pointer(pool, obj, term),
        None => from_term(pool, term),
    }
}

/// The object that the result of address arithmetic belongs to: one operand is a pointer, the other is not.
fn kept_object(op: BinOp, a: Value, b: Value) -> Option<ObjId> {
    match (op, provenance(a), provenance(b)) {
        (BinOp::Add | BinOp::Sub | BinOp::And | BinOp::Or, Some(obj), None) => Some(obj),
        (BinOp::Add, None, Some(obj)) => Some(obj),
        _ => None,
    }
}

/// Concrete integer arithmetic; operands are zero-extended patterns of `width` bits.
#[inline]
pub(crate) fn bin_u64(op: BinOp, width: u32, a: u64, b: u64) -> u64 {
    let result = match op {
        BinOp::Add => a.wrapping_add(b),
        BinOp::Sub => a.wrapping_sub(b),
        BinOp::Mul => a.wrapping_mul(b),
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::UDiv => a.checked_div(b).unwrap_or(u64::MAX),
        BinOp::URem => a.checked_rem(b).unwrap_or(a),
        BinOp::SDiv => {
            let (x, y) = (sign_extend(a, width), sign_extend(b, width));
            match y {
                0 if x < 0 => 1,
                0 => u64::MAX,
                _ => x.wrapping_div(y) as u64,
            }
        }
        BinOp::SRem => {
            let (x, y) = (sign_extend(a, width), sign_extend(b, width));
            if y == 0 { a } else { x.wrapping_rem(y) as u64 }
        }
        BinOp::Shl => a << shift_amount(b, width),
        BinOp::LShr => a >> shift_amount(b, width),
        BinOp::AShr => (sign_extend(a, width) >> shift_amount(b, width)) as u64,
    };
    truncate(result, width)
}

fn shift_amount(amount: u64, width: u32) -> u32 {
    if width.is_power_of_two() {
        (amount & u64::from(width - 1)) as u32
    } else {
        (amount % u64::from(width)) as u32
    }
}

fn bin_term(pool: &mut TermPool, op: BinOp, width: u32, a: TermId, b: TermId) -> TermId {
    let masked = |pool: &mut TermPool| {
        if width.is_power_of_two() {
            let mask = pool.bv(width, u64::from(width) - 1);
            pool.bvand(b, mask)
        } else {
            b
        }
    };
    match op {
        BinOp::Add => pool.add(a, b),
        BinOp::Sub => pool.sub(a, b),
        BinOp::Mul => pool.mul(a, b),
        BinOp::UDiv => pool.udiv(a, b),
        BinOp::SDiv => pool.sdiv(a, b),
        BinOp::URem => pool.urem(a, b),
        BinOp::SRem => pool.srem(a, b),
        BinOp::Shl => {
            let b = masked(pool);
            pool.shl(a, b)
        }
        BinOp::LShr => {
            let b = masked(pool);
            pool.lshr(a, b)
        }
        BinOp::AShr => {
            let b = masked(pool);
            pool.ashr(a, b)
        }
        BinOp::And => pool.bvand(a, b),
        BinOp::Or => pool.bvor(a, b),
        BinOp::Xor => pool.bvxor(a, b),
    }
}

/// Comparison of integers or addresses of `width` bits.
pub(crate) fn cmp(pool: &mut TermPool, op: CmpOp, width: u32, a: Value, b: Value) -> Value {
    if width <= 64
        && let (Some(x), Some(y)) = (concrete(a), concrete(b))
    {
        return Value::bool(cmp_u64(op, width, x, y));
    }
    let (x, y) = (to_term(pool, a, width), to_term(pool, b, width));
    let term = match op {
        CmpOp::Eq => pool.eq(x, y),
        CmpOp::Ne => pool.ne(x, y),
        CmpOp::Ult => pool.ult(x, y),
        CmpOp::Ule => pool.ule(x, y),
        CmpOp::Slt => pool.slt(x, y),
        CmpOp::Sle => pool.sle(x, y),
    };
    from_term(pool, term)
}

/// Concrete comparison.
#[inline]
pub(crate) fn cmp_u64(op: CmpOp, width: u32, a: u64, b: u64) -> bool {
    match op {
        CmpOp::Eq => a == b,
        CmpOp::Ne => a != b,
        CmpOp::Ult => a < b,
        CmpOp::Ule => a <= b,
        CmpOp::Slt => sign_extend(a, width) < sign_extend(b, width),
        CmpOp::Sle => sign_extend(a, width) <= sign_extend(b, width),
    }
}

/// Conversions between integers, pointers and bit patterns (not floating-point values).
pub(crate) fn cast(pool: &mut TermPool, op: CastOp, from: Ty, to: Ty, ptr_bits: u32, a: Value) -> Value {
    let (from_bits, to_bits) = (from.bits(ptr_bits), to.bits(ptr_bits));
    let signed = op == CastOp::SExt;
    if from_bits == to_bits {
        return a;
    }
    if let Some(v) = concrete(a)
        && to_bits <= 64
        && from_bits <= 64
    {
        let v = if signed { sign_extend(v, from_bits) as u64 } else { v };
        return Value::Int(truncate(v, to_bits));
    }
    let term = to_term(pool, a, from_bits);
    let term = if to_bits < from_bits {
        pool.extract(term, to_bits - 1, 0)
    } else if signed {
        pool.sext(term, to_bits)
    } else {
        pool.zext(term, to_bits)
    };
    from_term(pool, term)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn concrete_arithmetic_wraps_at_the_width() {
        assert_eq!(bin_u64(BinOp::Add, 8, 250, 10), 4);
        assert_eq!(bin_u64(BinOp::Sub, 32, 0, 1), 0xffff_ffff);
        assert_eq!(bin_u64(BinOp::SDiv, 8, 0x80, 0xff), 0x80); // -128 / -1 wraps
        assert_eq!(bin_u64(BinOp::SRem, 32, (-7i32) as u32 as u64, 3), (-1i32) as u32 as u64);
        assert_eq!(bin_u64(BinOp::AShr, 16, 0x8000, 15), 0xffff);
    }

    #[test]
    fn pointer_arithmetic_keeps_the_object_and_differences_do_not() {
        let mut pool = TermPool::new();
        let obj = ObjId::heap(0, 1);
        let p = Value::Ptr { obj, addr: 0x1000 };
        let q = bin(&mut pool, BinOp::Add, 64, p, Value::Int(8));
        assert_eq!(q, Value::Ptr { obj, addr: 0x1008 });
        assert_eq!(bin(&mut pool, BinOp::Sub, 64, q, p), Value::Int(8));
        assert_eq!(bin(&mut pool, BinOp::Or, 64, p, Value::Int(1)), Value::Ptr { obj, addr: 0x1001 });
        assert_eq!(bin(&mut pool, BinOp::And, 64, p, Value::Int(1)), Value::Int(0));
    }
}
