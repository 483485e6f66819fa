//! The system as constrained Horn clauses for Z3's Spacer: a second opinion for comparison.

use std::fmt::Write as _;

use selvedge_term::{Sort, TermId, TermPool, smtlib};

use crate::model::{Kind, Model, Update};
use crate::outcome::Limits;

/// What Spacer says: safe, not safe, or why it does not know.
pub(crate) fn solve(pool: &mut TermPool, model: &Model, limits: &Limits) -> Result<bool, String> {
    let script = script(pool, model);
    selvedge_solver::solve_horn(&script, limits.timeout, &limits.interrupt)
        .map_err(|why| format!("spacer gives no answer: {why}"))
}

fn sort(pool: &TermPool, term: TermId) -> String {
    match pool.sort(term) {
        Sort::Bv(1) => "Bool".to_owned(),
        Sort::Bv(width) => format!("(_ BitVec {width})"),
        _ => "Int".to_owned(),
    }
}

/// `(=> body head)` for all variables.
fn clause(text: &mut String, quantified: &[(String, String)], body: &str, head: &str) {
    let vars: Vec<String> = quantified.iter().map(|(name, sort)| format!("({name} {sort})")).collect();
    let _ = writeln!(text, "(assert (forall ({}) (=> {body} {head})))", vars.join(" "));
}

/// The clauses: the invariant holds initially, is kept by transitions, and excludes bad states.
fn script(pool: &mut TermPool, model: &Model) -> String {
    let mut text = String::from("(set-logic HORN)\n");
    let sorts: Vec<String> = model.vars.iter().map(|v| sort(pool, v.term)).collect();
    let names: Vec<String> = model.vars.iter().map(|v| smtlib::print_term(pool, v.term)).collect();
    let before: Vec<(String, String)> = names.iter().cloned().zip(sorts.iter().cloned()).collect();
    let _ = writeln!(text, "(declare-fun Inv ({}) Bool)", sorts.join(" "));
    let inv = |values: &[String]| match values.is_empty() {
        true => "Inv".to_owned(),
        false => format!("(Inv {})", values.join(" ")),
    };
    // Patterns that are no value of an enumeration are not states.
    let mut in_range = Vec::new();
    for var in &model.vars {
        if let Kind::Control(size) = var.kind
            && u64::from(size) < 1u64 << pool.width(var.term)
        {
            let limit = pool.bv(pool.width(var.term), u64::from(size));
            in_range.push(pool.ult(var.term, limit));
        }
    }
    let valid = pool.and_all(&in_range);
    let valid = smtlib::print_term(pool, valid);
    let init = smtlib::print_term(pool, model.init);
    clause(&mut text, &before, &format!("(and {valid} {init})"), &inv(&names));
    for (k, t) in model.transitions.iter().enumerate() {
        let mut quantified = before.clone();
        let mut after = names.clone();
        let mut range = "true".to_owned();
        for (var, update) in &t.updates {
            after[*var] = match update {
                Update::Term(term) => smtlib::print_term(pool, *term),
                Update::Any => {
                    let name = format!("any!{k}!{var}");
                    quantified.push((name.clone(), sorts[*var].clone()));
                    if let Kind::Control(size) = model.vars[*var].kind
                        && u64::from(size) < 1u64 << pool.width(model.vars[*var].term)
                    {
                        let width = pool.width(model.vars[*var].term);
                        range = format!("(and {range} (bvult {name} (_ bv{size} {width})))");
                    }
                    name
                }
            };
        }
        let guard = smtlib::print_term(pool, t.guard);
        clause(&mut text, &quantified, &format!("(and {range} {guard} {})", inv(&names)), &inv(&after));
    }
    let bad = smtlib::print_term(pool, model.bad);
    clause(&mut text, &before, &format!("(and {bad} {})", inv(&names)), "false");
    text
}
