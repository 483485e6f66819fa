//! Names of functions and globals that an edit elsewhere leaves as they are.
//!
//! The compiler numbers what shares a name (`step.3`, `main.counter.1`) and what has none (`.str.17`). Here a number at the
//! end does not count: what shares a name is told apart by its file, and after that by the order in which it comes;
//! a constant without a name is called after its content.
//! Guarantee: no two functions and no two globals of one program have the same name.

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_base::{Dense, Loc};

use super::Hasher;
use crate::{FuncId, Global, GlobalId, InitPiece, Program};

/// The names of one program.
#[derive(Clone, Debug)]
pub struct Names {
    funcs: Dense<FuncId, String>,
    globals: Dense<GlobalId, String>,
}

impl Names {
    /// Names everything in `program`.
    pub fn new(program: &Program) -> Names {
        let funcs = program.funcs.iter().map(|f| (without_number(&f.name).to_owned(), f.loc));
        let globals = program.globals.iter().map(|g| (base_name(g), g.loc));
        Names {
            funcs: unique(program, funcs.collect()).into_iter().collect(),
            globals: unique(program, globals.collect()).into_iter().collect(),
        }
    }

    /// The name of a function.
    pub fn func(&self, id: FuncId) -> &str {
        &self.funcs[id]
    }

    /// The name of a global variable.
    pub fn global(&self, id: GlobalId) -> &str {
        &self.globals[id]
    }

    /// Whether a global is called after its content: then whoever refers to it says all about it.
    pub fn is_content(&self, id: GlobalId) -> bool {
        self.globals[id].starts_with('.') && self.globals[id].contains(':')
    }

    /// All functions with their names.
    pub fn funcs(&self) -> impl Iterator<Item = (FuncId, &str)> {
        self.funcs.enumerate().map(|(id, name)| (id, name.as_str()))
    }

    /// All globals with their names.
    pub fn globals(&self) -> impl Iterator<Item = (GlobalId, &str)> {
        self.globals.enumerate().map(|(id, name)| (id, name.as_str()))
    }
}

/// `name` without a number that the compiler appended. Names of C and C++ have no dots.
fn without_number(name: &str) -> &str {
    let base = name.trim_end_matches(|c: char| c.is_ascii_digit());
    match base.strip_suffix('.') {
        Some(base) if !base.is_empty() && base.len() + 1 < name.len() => base,
        _ => name,
    }
}

/// Whether the compiler appended a number.
pub(super) fn is_numbered(name: &str) -> bool {
    without_number(name).len() < name.len()
}

fn base_name(global: &Global) -> String {
    let base = without_number(&global.name);
    let is_nameless = global.is_const && !global.thread_local && base.starts_with('.');
    match content(global).filter(|_| is_nameless) {
        Some(content) => format!("{base}:{content}"),
        None => base.to_owned(),
    }
}

/// The hash of a constant that refers to nothing.
fn content(global: &Global) -> Option<String> {
    let mut hasher = Hasher::new("nameless");
    hasher.number(global.size);
    hasher.number(global.align);
    for piece in global.init.as_ref()? {
        let InitPiece::Bytes { offset, bytes } = piece else { return None };
        hasher.number(*offset);
        hasher.data(bytes);
    }
    Some(hasher.finish().to_string())
}

/// The names, those that come several times with their file, and with a number if that is not enough.
fn unique(program: &Program, entries: Vec<(String, Loc)>) -> Vec<String> {
    let mut uses: FxHashMap<String, usize> = FxHashMap::default();
    for (name, _) in &entries {
        *uses.entry(name.clone()).or_default() += 1;
    }
    let mut given: FxHashMap<String, usize> = FxHashMap::default();
    let mut taken: FxHashSet<String> = FxHashSet::default();
    let finished = entries.into_iter().map(|(name, loc)| {
        let named = match uses[&name] {
            1 => name,
            _ => format!("{name}@{}", file_name(program, loc)),
        };
        loop {
            let number = given.entry(named.clone()).or_default();
            *number += 1;
            let name = if *number == 1 { named.clone() } else { format!("{named}#{number}") };
            if taken.insert(name.clone()) {
                return name;
            }
        }
    });
    finished.collect()
}

/// The last part of the file's name: two versions of a program are rarely in one directory.
fn file_name(program: &Program, loc: Loc) -> &str {
    let file = program.files.get(loc.file).filter(|_| loc.is_known());
    file.map_or("", |f| f.name.rsplit('/').next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> (Vec<String>, Vec<String>) {
        let names = Names::new(&crate::parse(text).expect("a program"));
        (
            names.funcs().map(|(_, name)| name.to_owned()).collect(),
            names.globals().map(|(_, name)| name.to_owned()).collect(),
        )
    }

    #[test]
    fn numbers_of_the_compiler_do_not_count() {
        for (name, base) in [("f.12", "f"), ("f.1.2", "f.1"), ("v2", "v2"), (".str.3", ".str"), (".3", ".3")]
        {
            assert_eq!(without_number(name), base);
        }
    }

    #[test]
    fn what_shares_a_name_is_told_apart_by_file_and_then_by_order() {
        let text = r#"
            file file0 "lib/a.c" in "/src"
            file file1 "lib/b.c" in "/src"
            global @n size 4 align 4 = {} !file0:1:0
            global @n.1 size 4 align 4 = {} !file1:1:0
            global @n.7 size 4 align 4 = {} !file1:9:0
            func @main() !file0:3:0 { bb0: return }
            func @step() !file0:5:0 { bb0: return }
            func @step.2() !file1:5:0 { bb0: return }"#;
        let (funcs, globals) = names(text);
        assert_eq!(funcs, ["main", "step@a.c", "step@b.c"]);
        assert_eq!(globals, ["n@a.c", "n@b.c", "n@b.c#2"]);
    }

    #[test]
    fn nameless_constants_are_called_after_their_content() {
        let of = |first: &str, second: &str| {
            let text = format!(
                "global @.str size 2 align 1 const = {{ 0: bytes \"{first}\" }}
                 global @.str.1 size 2 align 1 const = {{ 0: bytes \"{second}\" }}"
            );
            names(&text).1
        };
        let (there, back) = (of("a", "b"), of("b", "a"));
        assert_eq!((&there[0], &there[1]), (&back[1], &back[0]));
        assert_ne!(there[0], there[1]);
        let same = of("a", "a");
        assert_eq!(same[1], format!("{}#2", same[0]));
    }
}
