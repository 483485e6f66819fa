//! Every kind of bad input gives an error that says what to do, and never a crash.

mod common;

use common::{Folder, load_all, try_load};
use expect_test::{Expect, expect};
use selvedge_base::{Diagnostic, Mark, Note};
use selvedge_frontend::{Error, Options, load, load_with_warnings};

/// Compares an error with its notes; the temporary folder's name is cut.
#[track_caller]
fn check(folder: &Folder, result: Result<selvedge_program::Program, Error>, expected: Expect) {
    let error = result.expect_err("an error");
    let shown = text(&error.to_diagnostic()).replace(&format!("{}/", folder.path().display()), "");
    // Which LLVM 22 it is does not matter.
    let shown = match shown.split_once("Reader: 'LLVM 22.") {
        Some((before, after)) => {
            format!("{before}Reader: 'LLVM 22{}", &after[after.find('\'').unwrap_or(0)..])
        }
        None => shown,
    };
    expected.assert_eq(&shown);
}

fn text(diagnostic: &Diagnostic) -> String {
    let place = |mark: &Mark| format!("{}:{}:{}: ", mark.file, mark.line, mark.column);
    let places: String = diagnostic.marks.iter().map(place).collect();
    let mut text = format!("{places}error: {}\n", diagnostic.message);
    for note in &diagnostic.notes {
        match note {
            Note::Info(info) => text.push_str(&format!("info: {info}\n")),
            Note::Help(help) => text.push_str(&format!("help: {help}\n")),
        }
    }
    text
}

#[test]
fn no_input() {
    check(
        &Folder::new(),
        load(&Options::default()),
        expect![[r#"
        error: no input file was given
        help: name at least one .c, .i, .cc, .bc or .ll file
    "#]],
    );
}

#[test]
fn a_missing_file() {
    let folder = Folder::new();
    check(
        &folder,
        try_load(vec![folder.path().join("gone.c")], &[]),
        expect![[r#"
        error: cannot read `gone.c`: No such file or directory (os error 2)
    "#]],
    );
}

#[test]
fn a_directory() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path().join("dir.c")).expect("a directory");
    check(
        &folder,
        try_load(vec![folder.path().join("dir.c")], &[]),
        expect![[r#"
        error: `dir.c` is a directory, not a program
    "#]],
    );
}

#[test]
fn an_unknown_suffix() {
    let folder = Folder::new();
    check(
        &folder,
        try_load(vec![folder.file("notes.txt", "int main;")], &[]),
        expect![[r#"
        error: `notes.txt` is of no known kind
        help: known kinds are .c .i .cc .cpp .cxx .bc and .ll
    "#]],
    );
}

#[test]
fn an_empty_source_has_no_main() {
    let folder = Folder::new();
    check(
        &folder,
        try_load(vec![folder.file("empty.c", "")], &[]),
        expect![[r#"
        error: there is no function `main` to start from
        help: no input defines a function that could be called from outside
    "#]],
    );
}

#[test]
fn a_syntax_error_shows_what_clang_said() {
    let folder = Folder::new();
    check(
        &folder,
        try_load(vec![folder.file("bad.c", "int main(void) { return 0 }\n")], &[]),
        expect![[r#"
        error: `bad.c` does not compile
        info: bad.c:1:26: error: expected ';' after return statement
            1 | int main(void) { return 0 }
              |                          ^
              |                          ;
        1 error generated.
    "#]],
    );
}

#[test]
fn a_wrong_clang_argument_shows_what_clang_said() {
    let folder = Folder::new();
    let source = folder.file("ok.c", "int main(void) { return 0; }");
    check(
        &folder,
        try_load(vec![source], &["-std=c72"]),
        expect![[r#"
        error: `ok.c` does not compile
        info: error: invalid value 'c72' in '-std=c72'
        note: use 'c89', 'c90', or 'iso9899:1990' for 'ISO C 1990' standard
        note: use 'iso9899:199409' for 'ISO C 1990 with amendment 1' standard
        note: use 'gnu89' or 'gnu90' for 'ISO C 1990 with GNU extensions' standard
        note: use 'c99' or 'iso9899:1999' for 'ISO C 1999' standard
        note: use 'gnu99' for 'ISO C 1999 with GNU extensions' standard
        note: use 'c11' or 'iso9899:2011' for 'ISO C 2011' standard
        note: use 'gnu11' for 'ISO C 2011 with GNU extensions' standard
        note: use 'c17', 'iso9899:2017', 'c18', or 'iso9899:2018' for 'ISO C 2017' standard
        note: use 'gnu17' or 'gnu18' for 'ISO C 2017 with GNU extensions' standard
        note: use 'c23' or 'iso9899:2024' for 'ISO C 2023' standard
        note: use 'gnu23' for 'ISO C 2023 with GNU extensions' standard
        note: use 'c2y' for 'Working Draft for ISO C2y' standard
        note: use 'gnu2y' for 'Working Draft for ISO C2y with GNU extensions' standard
    "#]],
    );
}

#[test]
fn no_main_lists_the_functions_there_are() {
    let folder = Folder::new();
    let source = folder.file("lib.c", "int first(void) { return 0; } static int hidden(void) { return 1; } int second(void) { return hidden(); }");
    check(
        &folder,
        try_load(vec![source], &[]),
        expect![[r#"
        error: there is no function `main` to start from
        help: functions defined here: first, second, hidden
    "#]],
    );
}

#[test]
fn a_declared_main_is_not_enough() {
    let folder = Folder::new();
    let source = folder.file("lib.c", "int main(void); int start(void) { return main(); }");
    check(
        &folder,
        try_load(vec![source], &[]),
        expect![[r#"
        error: there is no function `main` to start from
        help: functions defined here: start
    "#]],
    );
}

#[test]
fn another_entry_can_be_named() {
    let folder = Folder::new();
    let source = folder.file("lib.c", "int first(int x) { return x; } int main(void) { return first(1); }");
    let mut options = Options { files: vec![source], entry: "first".to_owned(), ..Options::default() };
    let program = load(&options).expect("a program");
    let entry = program.entry.expect("an entry");
    assert_eq!(program.funcs[entry].name, "first");
    options.entry = "no such".to_owned();
    check(
        &folder,
        load(&options),
        expect![[r#"
        error: there is no function `no such` to start from
        help: functions defined here: first, main
    "#]],
    );
}

#[test]
fn an_entry_may_be_a_static_function_that_nothing_calls() {
    let folder = Folder::new();
    let lib = folder.file("lib.c", "int other(void) { return 1; }");
    let hidden = folder.file("hidden.c", "static int twice(int x) { return 2 * x; }");
    let mut options = Options { files: vec![lib, hidden], entry: "twice".to_owned(), ..Options::default() };
    let program = load(&options).expect("a program");
    let entry = &program.funcs[program.entry.expect("an entry")];
    assert!(entry.name == "twice" && entry.is_defined());
    options.entry = "thrice".to_owned();
    check(
        &folder,
        load(&options),
        expect![[r#"
        error: there is no function `thrice` to start from
        help: functions defined here: other
    "#]],
    );
}

#[test]
fn loading_stops_when_asked_to() {
    let folder = Folder::new();
    let source = folder.file("a.c", "int main(void) { return 0; }");
    let options = Options { files: vec![source], ..Options::default() };
    options.stop.store(true, std::sync::atomic::Ordering::Relaxed);
    assert!(matches!(load(&options), Err(Error::Stopped)));
}

/// Bitcode, bit by bit. Only records without abbreviations, in blocks of abbreviation width 3.
#[derive(Default)]
struct Bits(Vec<bool>);

impl Bits {
    fn fixed(&mut self, value: u64, width: u32) {
        self.0.extend((0..width).map(|bit| value >> bit & 1 == 1));
    }

    /// A number in groups of `width` bits, the highest of which says that another group follows.
    fn variable(&mut self, mut value: u64, width: u32) {
        let more = 1 << (width - 1);
        while value >= more {
            self.fixed(value & (more - 1) | more, width);
            value >>= width - 1;
        }
        self.fixed(value, width);
    }

    fn align(&mut self) {
        self.0.resize(self.0.len().next_multiple_of(32), false);
    }

    fn record(&mut self, code: u64, operands: &[u64]) {
        self.fixed(3, 3);
        for &number in [code, operands.len() as u64].iter().chain(operands) {
            self.variable(number, 6);
        }
    }

    /// A block at the top level, where abbreviations have width 2.
    fn block(&mut self, id: u64, content: impl FnOnce(&mut Bits)) {
        let mut inner = Bits::default();
        content(&mut inner);
        inner.fixed(0, 3);
        inner.align();
        self.fixed(1, 2);
        self.variable(id, 8);
        self.variable(3, 4);
        self.align();
        self.fixed(inner.0.len() as u64 / 32, 32);
        self.0.extend(inner.0);
    }

    fn bytes(&self) -> Vec<u8> {
        self.0.chunks(8).map(|byte| byte.iter().rev().fold(0, |b, &bit| b << 1 | u8::from(bit))).collect()
    }
}

/// A file of another LLVM: who wrote it, the epoch of the format, and the version of the module.
fn foreign_bitcode(producer: &str, epoch: u64, version: u64) -> Vec<u8> {
    const IDENTIFICATION_BLOCK: u64 = 13;
    const MODULE_BLOCK: u64 = 8;
    let mut bits = Bits::default();
    bits.fixed(0xdec0_4342, 32);
    bits.block(IDENTIFICATION_BLOCK, |block| {
        block.record(1, &producer.bytes().map(u64::from).collect::<Vec<_>>());
        block.record(2, &[epoch]);
    });
    bits.block(MODULE_BLOCK, |block| block.record(1, &[version]));
    bits.bytes()
}

#[track_caller]
fn check_foreign(bitcode: &[u8], expected: Expect) {
    let folder = Folder::new();
    let file = folder.path().join("other.bc");
    std::fs::write(&file, bitcode).expect("a file");
    check(&folder, try_load(vec![file], &[]), expected);
}

#[test]
fn bitcode_of_a_newer_llvm_is_refused_with_the_reason() {
    // An epoch that this LLVM does not know.
    check_foreign(
        &foreign_bitcode("LLVM99.0.0", 1, 2),
        expect![[r#"
        error: `other.bc` is not valid LLVM bitcode: other.bc: error: Incompatible epoch: Bitcode '1' vs current: '0'
        help: the bitcode was written by a newer LLVM; this version reads up to LLVM 22
    "#]],
    );
    // The epoch is known, something inside is not.
    check_foreign(
        &foreign_bitcode("LLVM99.0.0", 0, 77),
        expect![[r#"
        error: `other.bc` is not valid LLVM bitcode: other.bc: error: Invalid value (Producer: 'LLVM99.0.0' Reader: 'LLVM 22')
        help: the bitcode was written by a newer LLVM; this version reads up to LLVM 22
    "#]],
    );
}

#[test]
fn damaged_bitcode_of_this_llvm_is_not_called_new() {
    check_foreign(
        &foreign_bitcode("LLVM22.1.0", 0, 77),
        expect![[r#"
        error: `other.bc` is not valid LLVM bitcode: other.bc: error: Invalid value (Producer: 'LLVM22.1.0' Reader: 'LLVM 22')
        help: make the file again with `clang-22 -emit-llvm -g -c`
    "#]],
    );
}

#[test]
fn a_symbol_defined_twice() {
    let folder = Folder::new();
    let one = folder.file("one.c", "int shared = 1; int main(void) { return shared; }");
    let two = folder.file("two.c", "int shared = 2;");
    check(
        &folder,
        try_load(vec![one, two], &[]),
        expect![[r#"
            error: cannot link `two.c`: Linking globals named 'shared': symbol multiply defined!
            help: leave one of the files out, or make one of the definitions `static`
        "#]],
    );
}

#[test]
fn two_mains() {
    let folder = Folder::new();
    let one = folder.file("one.c", "int main(void) { return 1; }");
    let two = folder.file("two.c", "int main(void) { return 2; }");
    check(
        &folder,
        try_load(vec![one, two], &[]),
        expect![[r#"
            error: cannot link `two.c`: Linking globals named 'main': symbol multiply defined!
            help: leave one of the files out, or make one of the definitions `static`
        "#]],
    );
}

#[test]
fn files_for_different_targets() {
    let folder = Folder::new();
    let one = folder.file("one.c", "int main(void) { return 1; }");
    let two = folder.bitcode("two", "int other(void) { return 2; }", &["-m32"]);
    check(
        &folder,
        try_load(vec![one, two], &[]),
        expect![[r#"
        error: cannot link `two.bc`: it is for a 32-bit target, the files before it for 64 bits
    "#]],
    );
}

#[test]
fn a_target_that_is_not_modelled() {
    let folder = Folder::new();
    let source = folder.file(
        "big.ll",
        "target datalayout = \"E-m:e-i64:64-n32:64\"\ntarget triple = \"powerpc64-unknown-linux-gnu\"
        define i32 @main() { ret i32 0 }",
    );
    check(
        &folder,
        try_load(vec![source], &[]),
        expect![[r#"
            error: unsupported target: powerpc64-unknown-linux-gnu (64-bit pointers)
            help: compile for 32- or 64-bit x86 (--target=x86_64-linux-gnu)
        "#]],
    );
}

#[test]
fn empty_bitcode() {
    let folder = Folder::new();
    check(
        &folder,
        try_load(vec![folder.file("empty.bc", "")], &[]),
        expect![[r#"
            error: `empty.bc` is not valid LLVM bitcode: the file is empty
            help: make the file again with `clang-22 -emit-llvm -g -c`
        "#]],
    );
}

#[test]
fn random_bytes_as_bitcode() {
    let folder = Folder::new();
    let bytes: Vec<u8> = (0..200u32).map(|i| (i * 167 + 13) as u8).collect();
    check(
        &folder,
        try_load(vec![folder.file("noise.bc", bytes)], &[]),
        expect![[r#"
            error: `noise.bc` is not valid LLVM bitcode: it does not begin like bitcode
            help: make the file again with `clang-22 -emit-llvm -g -c`
        "#]],
    );
}

#[test]
fn truncated_bitcode() {
    let folder = Folder::new();
    let whole = std::fs::read(folder.bitcode("whole", "int main(void) { return 0; }", &[])).expect("bitcode");
    let half = folder.file("half.bc", &whole[..whole.len() / 2]);
    let error = try_load(vec![half.clone()], &[]).expect_err("half a file is no program");
    // What LLVM stumbles over depends on where the cut falls, and that on the length of path names.
    let diagnostic = error.to_diagnostic();
    let expected = format!("`{}` is not valid LLVM bitcode: ", half.display());
    assert!(diagnostic.message.starts_with(&expected), "{diagnostic:?}");
    assert!(format!("{:?}", diagnostic.notes).contains("clang-22 -emit-llvm"), "{diagnostic:?}");
}

#[test]
fn text_that_is_no_ir() {
    let folder = Folder::new();
    check(
        &folder,
        try_load(vec![folder.file("words.ll", "this is not IR\n")], &[]),
        expect![[r#"
        words.ll:1:1: error: `words.ll` is not valid LLVM IR: expected top-level entity
    "#]],
    );
}

#[test]
fn ir_that_breaks_its_rules() {
    let folder = Folder::new();
    let source = folder
        .file("broken.ll", "define i32 @main() { %a = add i32 %b, 1\n %b = add i32 1, 1\n ret i32 %a }");
    check(
        &folder,
        try_load(vec![source], &[]),
        expect![[r#"
        error: `broken.ll` is not valid LLVM IR: Instruction does not dominate all uses!
          %b = add i32 1, 1
          %a = add i32 %b, 1
    "#]],
    );
}

#[test]
fn warnings_are_kept_for_the_user() {
    let folder = Folder::new();
    let source = folder.file("warn.c", "int main(void) { int x = 1; if (x = 2) return 1; return 0; }");
    let loaded =
        load_with_warnings(&Options { files: vec![source], ..Options::default() }).expect("a program");
    assert!(
        loaded.warnings.contains("using the result of an assignment as a condition"),
        "{}",
        loaded.warnings
    );
}

#[test]
fn a_file_name_may_contain_anything() {
    let folder = Folder::new();
    let source = folder.file("a b'c\"d-ü.c", "int main(void) { return 0; }");
    let bitcode = folder.bitcode("x y", "int other(void) { return 1; }", &[]);
    let program = load_all(vec![source, bitcode], &[]);
    assert!(program.entry.is_some());
}
