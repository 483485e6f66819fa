//! Local variables: which of them stay in memory, when they live, and what they hold before they are written.

mod common;

use common::{check, func_text, load_c};
use expect_test::expect;

#[test]
fn scopes_of_locals_are_marked() {
    check(
        "void g(int *); void f(void) { for (;;) { int x; g(&x); } }",
        expect![[r#"
            func @f() {
            bb0:
              %0: ptr = alloca 4 x 1i64 align 4 "x" ty2
              jump bb1
            bb1:
              lifetime.start %0
              call @g(ptr %0)
              lifetime.end %0
              jump bb1
            }
        "#]],
    );
}

#[test]
fn variable_length_arrays_have_a_count_and_free_the_stack() {
    check(
        "void g(int *); void f(int n) { { int a[n]; g(a); } g(0); }",
        expect![[r#"
            func @f(%0: i32 "n" ty2) {
            bb0:
              %1: i64 "__vla_expr0" ty3 = zext i32 %0 to i64
              %2: ptr = stacksave
              %3: ptr = alloca 4 x %1 align 16 "a" ty4
              call @g(ptr %3)
              stackrestore %2
              call @g(ptr null)
              return
            }
        "#]],
    );
}

#[test]
fn a_local_that_may_be_read_before_it_is_written_has_an_arbitrary_value() {
    check(
        "int f(int c) { int x; if (c) x = 5; return x; }",
        expect![[r#"
            func @f(%0: i32 "c" ty2) -> i32 {
            bb0:
              %1: i32 "x" ty2 = freeze i32 undef:i32
              %2: i1 = cmp.ne i32 %0, 0i32
              branch %2, bb1, bb2(%1)
            bb1:
              jump bb2(5i32)
            bb2(%3: i32 "x" ty2):
              return %3
            }
        "#]],
    );
}

#[test]
fn a_local_of_a_loop_body_is_arbitrary_again_in_each_round() {
    check(
        "void use(int); void f(int n) { for (int i = 0; i < n; i++) { int y; if (i == 0) y = 1; use(y); } }",
        expect![[r#"
            func @f(%0: i32 "n" ty2) {
            bb0:
              jump bb1(0i32)
            bb1(%1: i32 "i" ty2):
              %2: i1 = cmp.slt i32 %1, %0
              branch %2, bb2, bb5
            bb2:
              %3: i32 "y" ty2 = freeze i32 undef:i32
              %4: i1 = cmp.eq i32 %1, 0i32
              branch %4, bb3, bb4(%3)
            bb3:
              jump bb4(1i32)
            bb4(%5: i32 "y" ty2):
              call @use(i32 %5)
              %6: i32 "i" ty2 = add.nsw i32 %1, 1i32
              jump bb1(%6)
            bb5:
              return
            }
        "#]],
    );
}

#[test]
fn nothing_is_left_of_first_values_that_no_path_reads() {
    let program = load_c(
        "int escape(int *);
        int find(int *a, int n, int key) {
            for (int i = 0; i < n; i++) { int seen; escape(&seen); int here = a[i]; if (here == key) return i; }
            return -1;
        }
        int main(int argc, char **argv) { int x; int y; if (argc) x = 1; else x = 2; y = x; return find(&y, 1, 3); }",
    );
    for name in ["find", "main"] {
        let text = func_text(&program, name);
        assert!(!text.contains("freeze") && !text.contains("undef"), "{text}");
    }
}

#[test]
fn unoptimised_bitcode_is_brought_into_registers_too() {
    let folder = common::Folder::new();
    let source = "int main(int argc, char **argv) { int sum = 0; while (argc--) sum += argc; return sum; }";
    let bitcode = folder.bitcode("plain", source, &["-O0"]);
    let program = common::load_all(vec![bitcode], &[]);
    let text = func_text(&program, "main");
    assert!(!text.contains("alloca") && !text.contains("load"), "{text}");
}

#[test]
fn a_local_whose_address_is_stored_stays_in_memory() {
    check(
        "int f(void) { int *q; { int y = 5; q = &y; } return *q; }",
        expect![[r#"
            func @f() -> i32 {
            bb0:
              %0: ptr = alloca 4 x 1i64 align 4 "y" ty2
              lifetime.start %0
              store i32 5i32 to %0
              lifetime.end %0
              %1: i32 = load i32 %0
              return %1
            }
        "#]],
    );
}
