//! Conditions over a model's variables as text, in the syntax of the guarded-command language.

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use selvedge_term::{Node, TermId, TermPool};

use crate::linear::{Atom, Linear};
use crate::model::Model;

/// The text of `condition`, which is made of linear atoms and connectives.
pub(crate) fn show(pool: &TermPool, model: &Model, condition: TermId) -> String {
    if let Some(constant) = pool.as_bool(condition) {
        return constant.to_string();
    }
    match *pool.node(condition) {
        Node::And(list) => {
            let parts: Vec<String> = pool.list(list).iter().map(|t| part(pool, model, *t)).collect();
            parts.join(" && ")
        }
        Node::Not(inner) => match *pool.node(inner) {
            Node::And(_) => format!("!({})", show(pool, model, inner)),
            _ => literal(pool, model, inner, false),
        },
        _ => literal(pool, model, condition, true),
    }
}

fn part(pool: &TermPool, model: &Model, t: TermId) -> String {
    match *pool.node(t) {
        Node::And(_) => format!("({})", show(pool, model, t)),
        _ => show(pool, model, t),
    }
}

fn literal(pool: &TermPool, model: &Model, t: TermId, positive: bool) -> String {
    match Atom::read(pool, t) {
        Some(Atom::Le(sum)) => sides(pool, model, &sum, if positive { "<=" } else { ">" }),
        Some(Atom::Eq(sum)) => sides(pool, model, &sum, if positive { "==" } else { "!=" }),
        Some(Atom::Divides(d, sum)) => {
            let sign = if positive { "==" } else { "!=" };
            format!("({}) mod {d} {sign} 0", side(pool, model, &sum.parts, &sum.constant))
        }
        None => {
            let name = name(pool, model, t);
            if positive { name } else { format!("!{name}") }
        }
    }
}

/// `sum ⋈ 0` with nothing negative on either side.
fn sides(pool: &TermPool, model: &Model, sum: &Linear, sign: &str) -> String {
    let mut parts = sum.parts.clone();
    let position = |t: &TermId| model.vars.iter().position(|v| v.term == *t);
    parts.sort_by_key(|(p, _)| position(p));
    let (left, right): (Vec<_>, Vec<_>) = parts.into_iter().partition(|(_, f)| f.is_positive());
    let right: Vec<(TermId, BigInt)> = right.into_iter().map(|(p, f)| (p, -f)).collect();
    // A constant goes to the right, unless something there would be subtracted for it.
    let constant = -&sum.constant;
    let (left_constant, right_constant) = if constant.is_negative() && !right.is_empty() {
        (-constant, BigInt::zero())
    } else {
        (BigInt::zero(), constant)
    };
    let (left, right) =
        (side(pool, model, &left, &left_constant), side(pool, model, &right, &right_constant));
    format!("{left} {sign} {right}")
}

fn side(pool: &TermPool, model: &Model, parts: &[(TermId, BigInt)], constant: &BigInt) -> String {
    let mut text = String::new();
    for (part, factor) in parts {
        let name = name(pool, model, *part);
        let size = factor.magnitude();
        let product = if size.is_one() { name } else { format!("{size} * {name}") };
        text = match (text.is_empty(), factor.is_negative()) {
            (true, false) => product,
            (true, true) => format!("-{product}"),
            (false, false) => format!("{text} + {product}"),
            (false, true) => format!("{text} - {product}"),
        };
    }
    match (text.is_empty(), constant.is_zero()) {
        (true, _) => constant.to_string(),
        (false, true) => text,
        (false, false) if constant.is_negative() => format!("{text} - {}", constant.magnitude()),
        (false, false) => format!("{text} + {constant}"),
    }
}

fn name(pool: &TermPool, model: &Model, part: TermId) -> String {
    if let Some(var) = model.vars.iter().find(|v| v.term == part) {
        return var.name.clone();
    }
    if let Node::IMod(inner, d) = *pool.node(part) {
        let inner = Linear::read(pool, inner);
        let d = pool.as_int(d).map_or_else(String::new, ToString::to_string);
        return format!("(({}) mod {d})", side(pool, model, &inner.parts, &inner.constant));
    }
    selvedge_term::smtlib::print_term(pool, part)
}
