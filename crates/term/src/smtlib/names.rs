//! Printed names of variables: valid symbols, all different.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::node::VarId;
use crate::pool::TermPool;

/// Symbols with a meaning in the logics we print.
const RESERVED: &[&str] = &[
    "_", "!", "as", "let", "exists", "forall", "match", "par", "true", "false", "not", "and", "or", "xor",
    "ite", "distinct", "concat", "extract", "select", "store", "const", "div", "mod", "abs", "fp", "RNE",
    "RNA", "RTP", "RTN", "RTZ", "Bool", "Int", "Real", "Array", "BitVec", "String", "to_fp", "assert",
    "push", "pop", "exit", "repeat", "reset", "echo",
];

/// Names for the variables, in the order given.
pub(super) fn assign(pool: &TermPool, vars: impl Iterator<Item = VarId>) -> FxHashMap<VarId, String> {
    let mut used: FxHashSet<String> = FxHashSet::default();
    let mut names = FxHashMap::default();
    for v in vars {
        let base = symbol(&pool.var_info(v).name);
        let mut name = base.clone();
        let mut n = 1;
        // Variables of one name and different sorts are told apart by a number.
        while !used.insert(name.clone()) {
            n += 1;
            name = format!("{base}#{n}");
        }
        names.insert(v, quote(name));
    }
    names
}

/// The name without characters that no symbol may have, and apart from all symbols
/// that mean something else.
fn symbol(name: &str) -> String {
    let name: String =
        name.chars().map(|c| if c == '|' || c == '\\' || c.is_control() { '_' } else { c }).collect();
    let taken = name.is_empty()
        || name.starts_with('$')
        || ["bv", "fp."].iter().any(|prefix| name.starts_with(prefix))
        || RESERVED.contains(&name.as_str());
    if taken { format!("$${name}") } else { name }
}

fn quote(name: String) -> String {
    let simple = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    let plain = name.chars().all(simple)
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.chars().any(|c| c.is_ascii_alphanumeric());
    if plain && !name.contains('#') { name } else { format!("|{name}|") }
}
