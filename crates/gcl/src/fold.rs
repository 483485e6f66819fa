//! Constructors of expressions that decide what constants decide.

use num_bigint::BigInt;
use num_traits::{One, Zero};

use crate::system::{CmpOp, Expr, Value};

/// A product.
pub(crate) fn scale(factor: &BigInt, expr: Expr) -> Expr {
    match expr {
        _ if factor.is_zero() => Expr::Const(Value::Int(BigInt::zero())),
        expr if factor.is_one() => expr,
        Expr::Const(Value::Int(n)) => Expr::Const(Value::Int(n * factor)),
        Expr::Scale(k, inner) => scale(&(k * factor), *inner),
        expr => Expr::Scale(factor.clone(), Box::new(expr)),
    }
}

/// A sum, with constants added up.
pub(crate) fn add(items: Vec<Expr>) -> Expr {
    let mut constant = BigInt::zero();
    let mut rest = Vec::with_capacity(items.len());
    for item in items {
        match item {
            Expr::Const(Value::Int(n)) => constant += n,
            other => rest.push(other),
        }
    }
    if rest.is_empty() {
        return Expr::Const(Value::Int(constant));
    }
    if !constant.is_zero() {
        rest.push(Expr::Const(Value::Int(constant)));
    }
    if rest.len() == 1 { rest.remove(0) } else { Expr::Add(rest) }
}

/// A conjunction or disjunction, decided where constants decide it.
pub(crate) fn junction(items: Vec<Expr>, conjunction: bool) -> Expr {
    let mut rest = Vec::with_capacity(items.len());
    for item in items {
        match item {
            Expr::Const(Value::Bool(b)) if b == conjunction => {}
            Expr::Const(Value::Bool(_)) => return Expr::bool(!conjunction),
            Expr::And(inner) if conjunction => rest.extend(inner),
            Expr::Or(inner) if !conjunction => rest.extend(inner),
            other => rest.push(other),
        }
    }
    match rest.len() {
        0 => Expr::bool(conjunction),
        1 => rest.remove(0),
        _ if conjunction => Expr::And(rest),
        _ => Expr::Or(rest),
    }
}

/// A comparison, decided if both sides are constants.
pub(crate) fn compare(op: CmpOp, a: Expr, b: Expr) -> Expr {
    match (&a, &b) {
        (Expr::Const(x), Expr::Const(y)) => Expr::bool(match op {
            CmpOp::Eq => x == y,
            CmpOp::Le => x <= y,
            CmpOp::Lt => x < y,
        }),
        (_, Expr::Const(Value::Bool(true))) if op == CmpOp::Eq => a,
        (_, Expr::Const(Value::Bool(false))) if op == CmpOp::Eq => a.negated(),
        (Expr::Const(_), _) if op == CmpOp::Eq => compare(op, b, a),
        _ => Expr::Cmp(op, Box::new(a), Box::new(b)),
    }
}
