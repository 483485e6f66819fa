//! Several inputs, the run-time, headers, and functions that harnesses do not declare.

mod common;

use common::{Folder, func, func_text, load_all, load_c, load_c_with, try_load};
use expect_test::expect;
use selvedge_program::Ty;

#[test]
fn sources_bitcode_and_ir_are_linked() {
    let folder = Folder::new();
    let one = folder.file("one.c", "int two(int); int three(int); static int own(int x) { return x; } int main(void) { return two(1) + three(own(2)); }");
    let two = folder.bitcode(
        "two",
        "static int own(int x) { return x + 1; } int two(int x) { return own(x); }",
        &[],
    );
    let three = folder.file("three.ll", "define i32 @three(i32 %x) { ret i32 %x }");
    let program = load_all(vec![one, two, three], &[]);
    // Functions of one name in two files are told apart, and both keep the name in the source.
    let mut defined: Vec<&str> = program
        .funcs
        .iter()
        .filter(|f| f.is_defined() && !f.is_runtime)
        .map(|f| f.display_name.as_deref().unwrap_or(&f.name))
        .collect();
    defined.sort_unstable();
    assert_eq!(defined, ["main", "own", "own", "three", "two"]);
}

#[test]
fn a_source_with_its_own_memcpy_is_linked_with_bitcode() {
    let folder = Folder::new();
    let source = "#include <string.h>
void *memcpy(void *to, const void *from, size_t n) { char *t = to; while (n--) *t++ = 7; return to; }
int other(char *);
int main(void) { char b[4]; memcpy(b, \"abc\", 4); return other(b); }";
    let one = folder.file("one.c", source);
    let two = folder.bitcode("two", "int other(char *p) { return p[0]; }", &[]);
    let program = load_all(vec![one, two], &[]);
    assert!(func(&program, "memcpy").is_defined() && !func(&program, "memcpy").is_runtime);
    assert!(func(&program, "other").is_defined());
}

#[test]
fn what_the_entry_does_not_need_is_gone() {
    let program = load_c("int unused(void) { return 1; } int table[100]; int main(void) { return 0; }");
    assert!(program.func_named("unused").is_none());
    assert!(program.globals.iter().all(|global| global.is_runtime));
}

#[test]
fn functions_of_the_library_come_from_the_run_time() {
    for args in [&[][..], &["-m32"][..]] {
        let program =
            load_c_with("#include <string.h>\nint main(int c, char **v) { return (int)strlen(v[0]); }", args);
        let strlen = func(&program, "strlen");
        assert!(strlen.is_defined() && strlen.is_runtime, "{args:?}");
        assert!(program.files[strlen.loc.file].name.starts_with("selvedge-rt/"));
        assert_eq!(strlen.ret, [Ty::Int(program.target.ptr_bits)]);
        assert!(!func(&program, "main").is_runtime);
    }
}

#[test]
fn the_programs_own_definition_wins() {
    let program = load_c(
        "#include <stddef.h>
        size_t strlen(const char *s) { return 7; }
        char *strchr(const char *s, int c);
        int main(int c, char **v) { return (int)strlen(v[0]) + (strchr(v[0], 'x') != 0); }",
    );
    assert!(!func(&program, "strlen").is_runtime);
    assert!(func(&program, "strchr").is_runtime);
}

#[test]
fn unused_parts_of_the_run_time_are_not_linked() {
    let program = load_c("int main(void) { return 0; }");
    assert!(program.func_named("strlen").is_none());
    assert!(program.func_named("exit").is_some(), "the engine itself calls it");
}

#[test]
fn harness_functions_need_no_declaration() {
    let program = load_c(
        "int main(void) {
            unsigned long l = __VERIFIER_nondet_ulong();
            double d = __VERIFIER_nondet_double();
            char *p = __VERIFIER_nondet_pchar();
            klee_make_symbolic(&l, sizeof l, \"l\");
            __VERIFIER_assume(l > 3);
            if (p && d > 1) reach_error();
            assert(l != 5);
            return 0;
        }",
    );
    assert_eq!(func(&program, "__VERIFIER_nondet_ulong").ret, [Ty::Int(64)]);
    assert_eq!(func(&program, "__VERIFIER_nondet_pchar").ret, [Ty::Ptr]);
    assert!(func_text(&program, "main").contains("call @__assert_fail"));
}

#[test]
fn an_old_standard_does_not_give_harness_functions_the_wrong_type() {
    let program = load_c_with("int main(void) { return __VERIFIER_nondet_ulong() > 3; }", &["-std=gnu89"]);
    assert_eq!(func(&program, "__VERIFIER_nondet_ulong").ret, [Ty::Int(64)]);
}

#[test]
fn the_programs_own_declarations_are_left_alone() {
    let program = load_c(
        "extern unsigned __VERIFIER_nondet_int();
        extern void abort(void);
        void reach_error() { abort(); }
        void __VERIFIER_assert(int cond) { if (!cond) { reach_error(); } }
        int main(void) { long x = __VERIFIER_nondet_int(); __VERIFIER_assert(x + __VERIFIER_nondet_long()); return 0; }",
    );
    assert!(func(&program, "reach_error").is_defined());
    assert_eq!(func(&program, "__VERIFIER_nondet_long").ret, [Ty::Int(64)]);
    assert_eq!(func(&program, "__VERIFIER_nondet_int").ret, [Ty::Int(32)]);
}

#[test]
fn other_undeclared_functions_are_still_errors() {
    let folder = Folder::new();
    let source = folder.file("test.c", "int main(void) { return helper(__VERIFIER_nondet_int()); }");
    let error = try_load(vec![source], &[]).expect_err("an undeclared function");
    let text = format!("{:?}", error.to_diagnostic());
    assert!(
        text.contains("undeclared function 'helper'") && !text.contains("function '__VERIFIER"),
        "{text}"
    );
}

#[test]
fn bundled_headers_work_in_c_and_in_cxx() {
    let source = "#include <selvedge.h>\n#include <klee/klee.h>\n
        int main(void) {
            int x = selvedge_int(\"x\"); unsigned char buffer[4];
            selvedge_symbolic(buffer, sizeof buffer, \"buffer\");
            klee_make_symbolic(&x, sizeof x, \"x\"); klee_assume(x > 0);
            selvedge_assume(selvedge_double(\"d\") > 1.0);
            selvedge_assert(buffer); klee_assert(x > 0);
            return 0;
        }";
    let folder = Folder::new();
    for (name, args) in [
        ("test.c", &[][..]),
        ("test.cc", &[][..]),
        ("old.c", &["-std=c99", "-m32"][..]),
        ("new.cc", &["-std=c++23"][..]),
    ] {
        let program = load_all(vec![folder.file(name, source)], args);
        assert!(program.func_named("selvedge_symbolic").is_some(), "{name}");
        assert!(program.func_named("klee_make_symbolic").is_some(), "{name}");
    }
}

#[test]
fn arguments_reach_clang() {
    let folder = Folder::new();
    folder.file("extra.h", "#define BASE 40\n");
    let source = folder.file("test.c", "#include <extra.h>\nint main(void) { return BASE + MORE; }");
    let include = format!("-I{}", folder.path().display());
    let program = load_all(vec![source], &[&include, "-DMORE=2"]);
    expect![[r#"
        func @main() -> i32 {
        bb0:
          return 42i32
        }
    "#]]
    .assert_eq(&func_text(&program, "main"));
}

#[test]
fn preprocessed_files_are_c() {
    let folder = Folder::new();
    let source = folder.file(
        "test.i",
        "# 1 \"original.c\"\n# 1 \"<built-in>\"\nextern int printf(const char *, ...);\n# 10 \"original.c\"\nint main(void) { return 3; }\n",
    );
    let program = load_all(vec![source], &[]);
    let main = func(&program, "main");
    assert_eq!((program.files[main.loc.file].name.as_str(), main.loc.line), ("original.c", 10));
}

#[test]
fn the_same_input_gives_the_same_program() {
    let source = include_str!("programs/mixed.c");
    let folder = Folder::new();
    let path = folder.file("test.c", source);
    let first = load_all(vec![path.clone()], &[]).to_string();
    let second = load_all(vec![path], &[]).to_string();
    assert!(first == second, "two loads differ");
}
