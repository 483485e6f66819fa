//! Loading, random programs, and explicit-state search.
#![allow(dead_code, reason = "each test uses a part")]

use std::collections::BTreeSet;

use num_bigint::BigInt;
use selvedge_gcl::simulate::{Random, apply, enabled, input_vars, is_true};
use selvedge_gcl::{Sort, State, System, Value, elaborate, parse};
use selvedge_prove::{Gcl, Limits, Method, Options, Outcome, prove};
use sha2::{Digest, Sha256};

/// The program of a text.
pub(crate) fn program(text: &str, defines: &[(String, BigInt)]) -> Gcl {
    let tree = parse(text).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    Gcl(elaborate(&tree, defines).unwrap_or_else(|e| panic!("{e:?}\n{text}")))
}

/// The outcome of one method.
pub(crate) fn outcome(program: &Gcl, method: Method, limits: Limits) -> Outcome {
    prove(program, &Options { method, limits, graph: false }, &mut |_, _| {})
}

/// A program with integers between 0 and 3 and few locations. With `free`, initial values and truth values
/// are nondeterministic in part.
pub(crate) fn random_program(random: &mut Random, free: bool) -> String {
    const TOP: usize = 3;
    let vars = ["x", "y", "z"];
    let mut text = String::new();
    for var in vars {
        if free && random.below(3) == 0 {
            text.push_str(&format!("var {var}: int; init {var} >= 0 && {var} <= {};\n", random.below(3)));
        } else {
            text.push_str(&format!("var {var}: int = {};\n", random.below(TOP)));
        }
    }
    text.push_str("var b: bool = false;\n");
    let condition = |random: &mut Random| {
        let (a, c) = (vars[random.below(3)], vars[random.below(3)]);
        match random.below(7) {
            0 => format!("{a} <= {c}"),
            1 => format!("{a} == {}", random.below(4)),
            2 => format!("{a} + {c} > {}", random.below(5)),
            3 => format!("{a} != {c}"),
            4 => "b".to_owned(),
            5 => format!("({a} + {c}) mod 2 == {}", random.below(2)),
            _ => format!("{a} < {}", 1 + random.below(3)),
        }
    };
    for process in ["P", "Q"] {
        let n = 2 + random.below(2);
        let locations: Vec<String> = (0..n).map(|i| format!("l{i}")).collect();
        text.push_str(&format!("process {process} {{\n    loc {};\n", locations.join(", ")));
        for t in 0..n + random.below(3) {
            let var = vars[random.below(3)];
            let other = vars[random.below(3)];
            // Every assignment keeps the range.
            let (guard, assignment) = match random.below(6) {
                0 => (format!("{var} < {TOP}"), format!("{var} := {var} + 1")),
                1 => (format!("{var} > 0"), format!("{var} := {var} - 1")),
                2 => ("true".to_owned(), format!("{var} := {}", random.below(TOP))),
                3 => ("true".to_owned(), format!("{var} := {TOP} - {other}")),
                4 if free => ("true".to_owned(), format!("b := nondet, {var} := {other}")),
                4 => ("true".to_owned(), format!("b := !b, {var} := {other}")),
                _ => ("true".to_owned(), format!("b := {other} <= {}", random.below(3))),
            };
            let also =
                if random.below(2) == 0 { format!(" && ({})", condition(random)) } else { String::new() };
            text.push_str(&format!(
                "    t{t}: at {} when {guard}{also} do {assignment} goto {};\n",
                locations[random.below(n)],
                locations[random.below(n)]
            ));
        }
        text.push_str("}\n");
    }
    let place = if random.below(2) == 0 { " && P@l1 && Q@l1".to_owned() } else { String::new() };
    text.push_str(&format!("bad {} && {}{place};\n", condition(random), condition(random)));
    text
}

/// Whether a bad state can be reached, by enumeration. Integers of initial states are between 0 and 3.
pub(crate) fn reaches_bad(system: &System) -> bool {
    let mut pending: Vec<State> = vec![Vec::new()];
    for var in &system.vars {
        let choices: Vec<Value> = match &var.sort {
            Sort::Int => (0..=3).map(|n| Value::Int(BigInt::from(n))).collect(),
            Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Sort::Enum(members) => (0..members.len()).map(Value::Member).collect(),
        };
        let extended = pending.iter().flat_map(|s| {
            choices.iter().map(|c| s.iter().cloned().chain(std::iter::once(c.clone())).collect())
        });
        pending = extended.collect();
    }
    let init = system.init();
    pending.retain(|state| is_true(&init, state));
    let bad = system.bad();
    let mut seen: BTreeSet<State> = pending.iter().cloned().collect();
    while let Some(state) = pending.pop() {
        if is_true(&bad, &state) {
            return true;
        }
        for t in enabled(system, &state) {
            let inputs = match input_vars(system, t).len() {
                0 => vec![Vec::new()],
                _ => vec![vec![Value::Bool(false)], vec![Value::Bool(true)]],
            };
            for input in inputs {
                let next = apply(system, &state, t, &input);
                if seen.insert(next.clone()) {
                    pending.push(next);
                }
            }
        }
    }
    false
}

/// `body` with the right sum at the end.
pub(crate) fn signed(body: &[String]) -> String {
    let mut text = body.join("\n");
    text.push('\n');
    let sum: String = Sha256::digest(text.as_bytes()).iter().map(|b| format!("{b:02x}")).collect();
    format!("{text}end {sum}\n")
}
