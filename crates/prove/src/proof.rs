//! The proof object: an inductive invariant, and its text.
//!
//! ```text
//! selvedge-proof 1
//! system 3f…                          SHA-256 of the transition system
//! check safe-fragment                 how it was found; the checker does not rely on it
//! control P[0] P[1]                   control variables, in the order of the values below
//! predicate s <= P[0].t               predicates, numbered from 1
//! state idle crit : 1 -2              all states with this control in which 1 holds and 2 does not
//! state idle idle = s == 0 && t == 0  all states with this control that satisfy the condition
//! end 8a…                             SHA-256 of everything above
//! ```
//!
//! The invariant is the union of the states. The last line guards against damage only: a proof is right if
//! the checker says so, whoever wrote it.

use std::fmt::Write as _;

use num_bigint::BigInt;
use selvedge_term::{TermId, TermPool, smtlib};
use sha2::{Digest, Sha256};

use crate::envelope::{Error, Opened, hex, open, seal};
use crate::model::{Kind, Language, Model, Update};
use crate::outcome::Check;
use crate::predicates::Bits;

/// States with one control state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Cube {
    /// Values of the control variables.
    pub(crate) control: Vec<u32>,
    /// A valuation of the predicates,
    pub(crate) bits: Option<Bits>,
    /// and conditions.
    pub(crate) conditions: Vec<TermId>,
}

/// An invariant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Proof {
    pub(crate) check: Check,
    pub(crate) predicates: Vec<TermId>,
    pub(crate) cubes: Vec<Cube>,
}

/// A sum that tells systems apart.
pub(crate) fn digest(pool: &TermPool, model: &Model) -> String {
    let mut sum = Sha256::new();
    let mut line = |text: String| {
        sum.update(text.as_bytes());
        sum.update(b"\n");
    };
    for var in &model.vars {
        line(format!("{} {:?}", var.name, var.kind));
    }
    line(smtlib::print_term(pool, model.init));
    line(smtlib::print_term(pool, model.bad));
    for transition in &model.transitions {
        line(format!("{} {}", transition.name, smtlib::print_term(pool, transition.guard)));
        for (var, update) in &transition.updates {
            match update {
                Update::Term(term) => line(format!("{var} {}", smtlib::print_term(pool, *term))),
                Update::Any => line(format!("{var} any")),
            }
        }
    }
    hex(&sum.finalize())
}

fn control_vars(model: &Model) -> Vec<usize> {
    (0..model.vars.len()).filter(|i| model.vars[*i].kind != Kind::Data).collect()
}

impl Proof {
    /// The text.
    pub(crate) fn write(&self, pool: &TermPool, model: &Model, language: &dyn Language) -> String {
        let vars = control_vars(model);
        let names: Vec<&str> = vars.iter().map(|v| model.vars[*v].name.as_str()).collect();
        let mut text = format!("control {}", names.join(" ")).trim_end().to_owned();
        text.push('\n');
        for predicate in &self.predicates {
            let _ = writeln!(text, "predicate {}", language.show(pool, model, *predicate));
        }
        for cube in &self.cubes {
            text.push_str("state");
            for (var, value) in vars.iter().zip(&cube.control) {
                let _ = write!(text, " {}", language.show_value(*var, &BigInt::from(*value)));
            }
            match &cube.bits {
                Some(bits) => {
                    text.push_str(" :");
                    for i in 0..self.predicates.len() {
                        let _ = write!(text, " {}{}", if bits.get(i) { "" } else { "-" }, i + 1);
                    }
                }
                None => {
                    let conditions: Vec<String> =
                        cube.conditions.iter().map(|c| language.show(pool, model, *c)).collect();
                    let all = if conditions.is_empty() { "true".to_owned() } else { conditions.join(" && ") };
                    let _ = write!(text, " = {all}");
                }
            }
            text.push('\n');
        }
        seal(&digest(pool, model), self.check.name(), &text)
    }

    /// Reads a text that [`write`](Self::write) made for the same system.
    pub(crate) fn read(
        pool: &mut TermPool,
        model: &Model,
        language: &dyn Language,
        text: &str,
    ) -> Result<Proof, Error> {
        let Opened { check, mut lines } = open(text, &digest(pool, model))?;
        let error = |line: usize, what: &str| Error::Syntax { line: line + 1, what: what.to_owned() };
        let check = Check::from_name(check).ok_or_else(|| error(2, "there is no such check"))?;
        let vars = control_vars(model);
        let names: Vec<&str> = vars.iter().map(|v| model.vars[*v].name.as_str()).collect();
        let first = lines.next().and_then(|(_, line)| line.strip_prefix("control"));
        if first.map(str::trim) != Some(&names.join(" ")) {
            return Err(error(3, "these are not the control variables of the program"));
        }
        let mut proof = Proof { check, predicates: Vec::new(), cubes: Vec::new() };
        for (at, line) in lines {
            if let Some(predicate) = line.strip_prefix("predicate ") {
                if !proof.cubes.is_empty() {
                    return Err(error(at, "predicates come before states"));
                }
                let term = language.read(pool, model, predicate).map_err(|what| error(at, &what))?;
                proof.predicates.push(term);
            } else if let Some(state) = line.strip_prefix("state") {
                let cube = read_state(pool, model, language, &vars, proof.predicates.len(), state);
                proof.cubes.push(cube.map_err(|what| error(at, &what))?);
            } else {
                return Err(error(at, "expected `predicate` or `state`"));
            }
        }
        Ok(proof)
    }
}

fn read_state(
    pool: &mut TermPool,
    model: &Model,
    language: &dyn Language,
    vars: &[usize],
    n_predicates: usize,
    text: &str,
) -> Result<Cube, String> {
    let mut words = text.split(' ').filter(|word| !word.is_empty()).peekable();
    let mut control = Vec::with_capacity(vars.len());
    for var in vars {
        let Kind::Control(size) = model.vars[*var].kind else { continue };
        let word = words.next().unwrap_or_default();
        let value = (0..size).find(|v| language.show_value(*var, &BigInt::from(*v)) == word);
        control.push(value.ok_or_else(|| format!("`{word}` is no value of {}", model.vars[*var].name))?);
    }
    match words.next() {
        Some(":") => {
            let mut bits = Bits::new(n_predicates);
            let mut count = 0;
            for (i, word) in words.enumerate() {
                let number: i64 = word.parse().map_err(|_| format!("`{word}` is no literal"))?;
                if number.unsigned_abs() != i as u64 + 1 || i >= n_predicates {
                    return Err("literals are the predicates in order, each once".to_owned());
                }
                bits.set(i, number > 0);
                count += 1;
            }
            if count != n_predicates {
                return Err(format!("{count} literals for {n_predicates} predicates"));
            }
            Ok(Cube { control, bits: Some(bits), conditions: Vec::new() })
        }
        Some("=") => {
            let rest: Vec<&str> = words.collect();
            let condition = language.read(pool, model, &rest.join(" "))?;
            Ok(Cube { control, bits: None, conditions: vec![condition] })
        }
        _ => Err("expected `:` or `=` after the control values".to_owned()),
    }
}
