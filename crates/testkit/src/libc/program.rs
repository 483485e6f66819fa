//! A C program that makes a batch of calls, each on its own line of output.

use std::fmt::Write as _;

use super::arguments;
use super::table::Table;
use crate::generator::Rng;

/// One call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// The functions that it exercises.
    pub names: Vec<String>,
    /// The C statements.
    pub code: String,
}

/// A batch of calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// What the random numbers started from.
    pub seed: u64,
    /// The calls, in order; call `n` prints a line that begins with `n:`.
    pub calls: Vec<Call>,
}

/// The program of a seed: `length` rows of the table with their holes filled. Programs of neighbouring seeds go through
/// the table in turn, so that `rows / length` of them make all calls.
///
/// # Errors
/// When a row has a hole that nothing fills.
pub fn generate(table: &Table, seed: u64, length: usize) -> Result<Program, String> {
    let mut rng = Rng::new(seed);
    let first = usize::try_from(seed).unwrap_or(0).wrapping_mul(length);
    let mut calls = Vec::with_capacity(length);
    for index in 0..length {
        let row = &table.rows[first.wrapping_add(index) % table.rows.len()];
        let code = fill(&row.code, &mut rng).map_err(|hole| format!("{}: no {{{hole}}}", row.names[0]))?;
        calls.push(Call { names: row.names.clone(), code });
    }
    Ok(Program { seed, calls })
}

/// Replaces each `{hole}` by a random argument.
fn fill(code: &str, rng: &mut Rng) -> Result<String, String> {
    let mut filled = String::new();
    let mut rest = code;
    while let Some(start) = rest.find('{') {
        let (before, after) = rest.split_at(start);
        filled.push_str(before);
        let end = after.find('}').ok_or_else(|| after.to_owned())?;
        let hole = &after[1..end];
        // Braces that hold no single word are C's own.
        if hole.is_empty() || !hole.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()) {
            filled.push('{');
            rest = &after[1..];
            continue;
        }
        filled.push_str(&arguments::argument(hole, rng).ok_or_else(|| hole.to_owned())?);
        rest = &after[end + 1..];
    }
    filled.push_str(rest);
    Ok(filled)
}

impl Program {
    /// The C text; `prelude` defines what rows use.
    pub fn source(&self, prelude: &str) -> String {
        let mut text = format!("{prelude}\n");
        for (number, call) in self.calls.iter().enumerate() {
            let _ = writeln!(
                text,
                "static void call_{number}(void) {{ start({number}, \"{}\"); {}; end(); }}",
                call.names[0], call.code
            );
        }
        text.push_str("int main(void)\n{\n");
        for number in 0..self.calls.len() {
            let _ = writeln!(text, "    call_{number}();");
        }
        text.push_str("    return 0;\n}\n");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_are_filled_and_braces_of_c_stay() {
        let mut rng = Rng::new(1);
        let filled = fill("int v[] = {1, 2}; I({base})", &mut rng).expect("known holes");
        assert!(filled.starts_with("int v[] = {1, 2}; I(") && !filled.contains("{base}"), "{filled}");
        assert_eq!(fill("{nonsense}", &mut rng), Err("nonsense".to_owned()));
    }
}
