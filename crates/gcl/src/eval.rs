//! Values of expressions.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::Zero;

use crate::system::{CmpOp, Expr, State, Value};

/// The value of `expr` in `state`. Expressions of a [`System`](crate::System) are well typed, so that there is one.
pub(crate) fn eval(expr: &Expr, state: &State) -> Value {
    match expr {
        Expr::Const(value) => value.clone(),
        Expr::Var(v) => state[v.0].clone(),
        Expr::Add(_) | Expr::Scale(..) | Expr::Mod(..) => Value::Int(int(expr, state)),
        Expr::Cmp(..) | Expr::Not(_) | Expr::And(_) | Expr::Or(_) => Value::Bool(holds(expr, state)),
    }
}

/// Whether the condition `expr` holds in `state`.
pub(crate) fn holds(expr: &Expr, state: &State) -> bool {
    match expr {
        Expr::Const(Value::Bool(b)) => *b,
        Expr::Var(v) => state[v.0] == Value::Bool(true),
        Expr::Cmp(op, a, b) => {
            let (a, b) = (eval(a, state), eval(b, state));
            match op {
                CmpOp::Eq => a == b,
                CmpOp::Le => a <= b,
                CmpOp::Lt => a < b,
            }
        }
        Expr::Not(inner) => !holds(inner, state),
        Expr::And(items) => items.iter().all(|item| holds(item, state)),
        Expr::Or(items) => items.iter().any(|item| holds(item, state)),
        Expr::Const(_) | Expr::Add(_) | Expr::Scale(..) | Expr::Mod(..) => false,
    }
}

fn int(expr: &Expr, state: &State) -> BigInt {
    match expr {
        Expr::Const(Value::Int(n)) => n.clone(),
        Expr::Var(v) => match &state[v.0] {
            Value::Int(n) => n.clone(),
            _ => BigInt::zero(),
        },
        Expr::Add(items) => items.iter().map(|item| int(item, state)).sum(),
        Expr::Scale(k, inner) => k * int(inner, state),
        Expr::Mod(inner, k) => int(inner, state).mod_floor(k),
        _ => BigInt::zero(),
    }
}
