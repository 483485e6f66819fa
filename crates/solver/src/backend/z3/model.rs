//! Values read from a Z3 model, as an assignment to our variables.

use std::str::FromStr;

use num_bigint::{BigInt, BigUint};
use selvedge_term::{ArrayValue, Assignment, BvValue, Constant, Sort, TermPool, VarId};

use super::ffi::Value;

/// The assignment that `values` (symbol numbers are variable ids) stand for.
/// `None` if one of them does not have the shape its sort should have.
pub(super) fn assignment(pool: &TermPool, values: &[(u32, Value)]) -> Option<Assignment> {
    let mut model = Assignment::new();
    for (number, value) in values {
        let var = VarId(*number);
        model.set(var, constant(pool.var_info(var).sort, value)?);
    }
    Some(model)
}

fn bits(value: &Value) -> Option<BvValue> {
    match value {
        Value::Bool(bit) => Some(BvValue::Small(u64::from(*bit))),
        Value::Small(small) => Some(BvValue::Small(*small)),
        Value::Decimal(text) => BigUint::from_str(text).ok().map(BvValue::from),
        Value::Array(..) => None,
    }
}

fn constant(sort: Sort, value: &Value) -> Option<Constant> {
    match sort {
        Sort::Bv(width) => Some(Constant::Bv { width, value: bits(value)? }),
        Sort::Int => match value {
            Value::Small(small) => Some(Constant::Int(BigInt::from(*small))),
            Value::Decimal(text) => BigInt::from_str(text).ok().map(Constant::Int),
            _ => None,
        },
        Sort::Array { index, elem } => {
            let Value::Array(default, entries) = value else { return None };
            let mut array = ArrayValue::new(index, elem, bits(default)?);
            for (at, value) in entries {
                array.store(bits(at)?, bits(value)?);
            }
            Some(Constant::Array(array))
        }
    }
}
