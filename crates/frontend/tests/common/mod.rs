//! What the tests share: sources in a temporary folder, and programs as text without places.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::path::{Path, PathBuf};

use expect_test::Expect;
use selvedge_frontend::{Error, Options, load};
use selvedge_program::{Function, Inst, Program, print_func};

/// A folder with input files that is removed at the end of the test.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Folder(tempfile::tempdir().expect("a temporary folder"))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, content).expect("a written file");
        path
    }

    /// clang's bitcode for a C source.
    pub(crate) fn bitcode(&self, name: &str, source: &str, flags: &[&str]) -> PathBuf {
        let input = self.file(&format!("{name}.c"), source);
        let output = self.0.path().join(format!("{name}.bc"));
        let status = std::process::Command::new("clang-22")
            .args(["-w", "-g", "-emit-llvm"])
            .args(if flags.contains(&"-S") { &[][..] } else { &["-c"][..] })
            .args(flags)
            .arg(&input)
            .arg("-o")
            .arg(&output)
            .status()
            .expect("clang runs");
        assert!(status.success(), "clang compiles {name}");
        output
    }
}

pub(crate) fn try_load(files: Vec<PathBuf>, args: &[&str]) -> Result<Program, Error> {
    let clang_args = args.iter().map(|arg| (*arg).to_owned()).collect();
    load(&Options { files, clang_args, ..Options::default() })
}

#[track_caller]
pub(crate) fn load_all(files: Vec<PathBuf>, args: &[&str]) -> Program {
    try_load(files, args).unwrap_or_else(|error| panic!("{:#?}", error.to_diagnostic()))
}

#[track_caller]
pub(crate) fn load_c_with(source: &str, args: &[&str]) -> Program {
    let folder = Folder::new();
    load_all(vec![folder.file("test.c", source)], args)
}

/// The program of a C source.
#[track_caller]
pub(crate) fn load_c(source: &str) -> Program {
    load_c_with(source, &[])
}

/// The program of textual LLVM IR.
#[track_caller]
pub(crate) fn load_ll(source: &str) -> Program {
    let folder = Folder::new();
    load_all(vec![folder.file("test.ll", source)], &[])
}

/// A function's text without source places.
pub(crate) fn func_text(program: &Program, name: &str) -> String {
    let id = program.func_named(name).unwrap_or_else(|| panic!("no function {name}"));
    without_places(&print_func(program, id))
}

pub(crate) fn without_places(text: &str) -> String {
    let mut lines = String::new();
    for line in text.lines() {
        let end = line.find(" !file").unwrap_or(line.len());
        lines.push_str(&line[..end]);
        // The opening brace follows the place of a function.
        if end < line.len() && line.ends_with('{') {
            lines.push_str(" {");
        }
        lines.push('\n');
    }
    lines
}

/// The line of a global variable without its place.
pub(crate) fn global_text(program: &Program, name: &str) -> String {
    let text = program.to_string();
    let start = format!("global @{name} ");
    let line = text.lines().find(|line| line.starts_with(&start));
    without_places(line.unwrap_or_else(|| panic!("no global {name}"))).trim_end().to_owned()
}

pub(crate) fn func<'a>(program: &'a Program, name: &str) -> &'a Function {
    &program.funcs[program.func_named(name).unwrap_or_else(|| panic!("no function {name}"))]
}

pub(crate) fn insts(function: &Function) -> impl Iterator<Item = &Inst> {
    function.blocks.iter().flat_map(|block| &block.insts)
}

/// What a function could not lower.
pub(crate) fn unsupported(program: &Program, name: &str) -> Vec<String> {
    let what = insts(func(program, name)).filter_map(|inst| match inst {
        Inst::Unsupported { what } => Some(what.to_string()),
        _ => None,
    });
    what.collect()
}

/// Compares the text of function `f` of a C source.
#[track_caller]
pub(crate) fn check(source: &str, expected: Expect) {
    let source =
        format!("{source}\nextern void take(void *);\nint main(void) {{ take((void *)f); return 0; }}");
    expected.assert_eq(&func_text(&load_c(&source), "f"));
}
