//! Small C programs and what they become.

use std::path::PathBuf;

use selvedge_frontend::{Options, load};
use selvedge_program::{Inst, Program};

fn program(source: &str) -> Program {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let path: PathBuf = dir.path().join("test.c");
    std::fs::write(&path, source).expect("a written source");
    match load(&Options { files: vec![path], ..Options::default() }) {
        Ok(program) => program,
        Err(error) => panic!("{:?}", error.to_diagnostic()),
    }
}

#[test]
fn one_access_in_the_source_is_one_load_or_store() {
    let program = program("int x; int main(void) { x++; return x; }");
    let main = &program.funcs[program.entry.expect("main")];
    let accesses: Vec<_> = main
        .blocks
        .iter()
        .flat_map(|b| &b.insts)
        .filter(|i| matches!(i, Inst::Load { .. } | Inst::Store { .. }))
        .collect();
    assert_eq!(accesses.len(), 3, "{accesses:?}");
}
