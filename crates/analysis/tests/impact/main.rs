//! Differences and their impact, by source line.
//!
//! Lines of the new version carry marks: `//+` is added, `//~` is modified, `//f` and `//b` are in the forward and backward
//! impact. What is not marked must not be found.

mod changes;
mod paper;
mod precision;

use std::collections::BTreeSet;

use selvedge_analysis::{Change, Diff, Impact, Point, Properties};
use selvedge_frontend::Options;
use selvedge_program::{Inst, Program};

const HEADER: &str = "#include <pthread.h>\n#include <assert.h>\nint nondet_int(void);\n";

pub(crate) fn compile(text: &str) -> Program {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("program.c");
    std::fs::write(&file, format!("{HEADER}{text}")).expect("written");
    let options = Options { files: vec![file], clang_args: vec!["-w".to_owned()], ..Options::default() };
    selvedge_frontend::load(&options).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// What is said of the lines of the new version, as the marks of a text.
#[derive(PartialEq, Eq, Debug, Default)]
pub(crate) struct Lines {
    pub(crate) added: BTreeSet<usize>,
    pub(crate) modified: BTreeSet<usize>,
    pub(crate) forward: BTreeSet<usize>,
    pub(crate) backward: BTreeSet<usize>,
}

fn marked(text: &str) -> Lines {
    let mut lines = Lines::default();
    for (number, line) in text.lines().enumerate() {
        let marks = line.split_once("//").map_or("", |(_, marks)| marks);
        for (mark, set) in [
            ('+', &mut lines.added),
            ('~', &mut lines.modified),
            ('f', &mut lines.forward),
            ('b', &mut lines.backward),
        ] {
            if marks.contains(mark) {
                set.insert(number + 1);
            }
        }
    }
    lines
}

fn found(old: &Program, new: &Program) -> (Diff, Lines) {
    let diff = Diff::new(old, new);
    let impact = Impact::new(old, new, &diff, Properties::default());
    assert_eq!(impact.everything(), None);
    let mut lines = Lines::default();
    let mut same = BTreeSet::new();
    for (func, function) in new.funcs.enumerate().filter(|(_, f)| !f.is_runtime) {
        for (block, body) in function.blocks.enumerate() {
            for (inst, (what, loc)) in body.insts.iter().zip(&body.locs).enumerate() {
                let is_header = (loc.line as usize) <= HEADER.lines().count();
                // Jumps are where the compiler needs them; locals begin with their function.
                let is_hidden = match what {
                    Inst::Jump { edge } => edge.args.is_empty(),
                    other => matches!(other, Inst::Alloca { .. }),
                };
                if is_header || is_hidden {
                    continue;
                }
                let line = loc.line as usize - HEADER.lines().count();
                let point = Point { func, block, inst };
                match diff.new_change(point) {
                    Change::Same(_) => same.insert(line),
                    Change::Modified(_) => lines.modified.insert(line),
                    Change::Alone => lines.added.insert(line),
                };
                if impact.reaches_new(&diff, point) {
                    lines.forward.insert(line);
                }
                if impact.comes_from_new(&diff, point) {
                    lines.backward.insert(line);
                }
            }
        }
    }
    // A line with something of the old version is not new.
    let known: Vec<usize> = lines.added.intersection(&same).copied().collect();
    lines.added.retain(|line| !same.contains(line) && !lines.modified.contains(line));
    lines.modified.extend(known);
    (diff, lines)
}

/// Compares two versions with the marks of the new one.
#[track_caller]
pub(crate) fn check(old: &str, new: &str) {
    let (_, found) = found(&compile(old), &compile(new));
    assert_eq!(found, marked(new), "left: found, right: expected");
}

/// The first text of `new` stands for the other one in `old`.
#[track_caller]
pub(crate) fn check_edit(new: &str, from: &str, to: &str) {
    assert!(new.contains(to), "{to}");
    check(&new.replacen(to, from, 1), new);
}

/// Whether nothing differs between two texts.
pub(crate) fn is_same(old: &str, new: &str) -> bool {
    let (old, new) = (compile(old), compile(new));
    let (diff, lines) = found(&old, &new);
    assert_eq!(diff.is_empty(), lines == Lines::default() && diff.globals().iter().all(|g| g.is_same));
    diff.is_empty()
}
