//! Terms as SMT-LIB 2 text, for query logs and for people.
//!
//! Guarantees: the text is a function of the terms' structure and the order in which
//! the pool made them; it is linear in the size of the graph, because terms used more
//! than once or too long to repeat get a name. Terms of width 1 print as `Bool`.
//!
//! Differs from the standard in two places: constant arrays are written as the solvers
//! agree to (`(as const ...)`), and [`print_term`] uses Z3's `fp.to_ieee_bv`. A
//! [`script`] needs no such function: it names the pattern of a floating-point result
//! by a fresh variable, and fixes the pattern of NaN.

mod names;
mod read;
mod render;

use std::fmt::Write;

use rustc_hash::FxHashSet;
use selvedge_base::Id;

use crate::node::{Node, TermId};
use crate::pool::TermPool;
use crate::sort::Sort;
pub use read::read_term;
use render::{FpBits, Renderer};

/// One term, with `let` for shared subterms.
pub fn print_term(pool: &TermPool, t: TermId) -> String {
    let order = reachable(pool, &[t]);
    let mut renderer = Renderer::new(pool, &order, &[t], FpBits::Z3Function);
    let mut text = String::new();
    let mut open = 0;
    for &u in &order {
        if let Some((name, definition)) = renderer.visit(u) {
            let _ = write!(text, "(let (({name} {definition})) ");
            open += 1;
        }
    }
    text.push_str(renderer.text(t));
    text.extend(std::iter::repeat_n(')', open));
    text
}

/// A complete script that asks whether the assertions can hold together.
pub fn script(pool: &TermPool, assertions: &[TermId]) -> String {
    let order = reachable(pool, assertions);
    let mut renderer = Renderer::new(pool, &order, assertions, FpBits::FreshVariable);
    let mut text = String::new();
    let _ = writeln!(text, "(set-logic {})", logic(pool, &order));
    for &t in &order {
        if pool.var_id(t).is_some() {
            let _ =
                writeln!(text, "(declare-fun {} () {})", renderer.text_of_var(t), sort_name(pool.sort(t)));
        }
    }
    for &t in &order {
        if let Some((name, definition)) = renderer.visit(t) {
            let _ = match *pool.node(t) {
                Node::Fp(op, _) if op.result_format().is_some() => {
                    render::define_pattern(&mut text, op, &name, &definition)
                }
                _ => writeln!(text, "(define-fun {name} () {} {definition})", sort_name(pool.sort(t))),
            };
        }
    }
    for &t in assertions {
        let _ = writeln!(text, "(assert {})", renderer.text(t));
    }
    text.push_str("(check-sat)\n");
    text
}

/// All subterms in id order, which puts operands before their users.
fn reachable(pool: &TermPool, roots: &[TermId]) -> Vec<TermId> {
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut order = Vec::new();
    let mut stack = roots.to_vec();
    while let Some(t) = stack.pop() {
        if seen.insert(t) {
            order.push(t);
            stack.extend(pool.operands(t));
        }
    }
    order.sort_unstable();
    order
}

fn sort_name(sort: Sort) -> String {
    match sort {
        Sort::Bv(1) => "Bool".to_owned(),
        Sort::Bv(width) => format!("(_ BitVec {width})"),
        Sort::Int => "Int".to_owned(),
        Sort::Array { index, elem } => format!("(Array (_ BitVec {index}) (_ BitVec {elem}))"),
    }
}

/// The smallest usual logic that has everything the terms use. Z3 knows constant arrays
/// in no logic but `ALL`.
fn logic(pool: &TermPool, order: &[TermId]) -> &'static str {
    let (mut arrays, mut floats, mut bits, mut ints, mut nonlinear) = (false, false, false, false, false);
    if order.iter().any(|&t| matches!(pool.node(t), Node::ConstArray(_))) {
        return "ALL";
    }
    for &t in order {
        match pool.sort(t) {
            Sort::Bv(1) => {}
            Sort::Bv(_) => bits = true,
            Sort::Array { .. } => arrays = true,
            Sort::Int => ints = true,
        }
        match *pool.node(t) {
            Node::Fp(..) => floats = true,
            Node::IMul(_, b) | Node::IDiv(_, b) | Node::IMod(_, b) => nonlinear |= !pool.is_const(b),
            _ => {}
        }
    }
    match (ints, arrays, floats, bits) {
        (true, false, false, false) if nonlinear => "QF_NIA",
        (true, false, false, false) => "QF_LIA",
        (true, ..) => "ALL",
        (false, true, true, _) => "QF_ABVFP",
        (false, true, false, _) => "QF_ABV",
        (false, false, true, _) => "QF_BVFP",
        (false, false, false, _) => "QF_BV",
    }
}

/// The name of a shared term. A variable's printed name never starts with one `$`.
fn shared_name(t: TermId) -> String {
    format!("$t{}", t.index())
}
