//! What needs care: assembly, calls through other types, exceptions, whole programs.

use crate::common::{self, check, func, func_text, insts, load_c, load_c_with, load_ll, unsupported};
use expect_test::expect;
use selvedge_program::Inst;

#[test]
fn barriers_in_assembly_are_understood_and_other_assembly_is_not() {
    let program = load_c(
        "int main(int argc, char **argv) {
            int x = argc;
            __asm__ volatile(\"\" ::: \"memory\");
            __asm__ volatile(\"mfence\" ::: \"memory\");
            __asm__(\"\" : \"+r\"(x));
            __asm__ volatile(\"rep; nop\");
            if (argc > 5) __asm__ volatile(\"cpuid; lock; incl %0\" : \"+m\"(x));
            return x;
        }",
    );
    assert_eq!(unsupported(&program, "main"), ["inline assembly `cpuid; lock; incl $0`"]);
    let fences: Vec<bool> = insts(func(&program, "main"))
        .filter_map(|inst| match inst {
            Inst::Fence { signal, .. } => Some(*signal),
            _ => None,
        })
        .collect();
    assert_eq!(fences, [true, false], "one compiler barrier, one machine barrier");
}

#[test]
fn a_call_through_another_type_is_checked_like_an_indirect_call() {
    check(
        "int g(int a, long b) { return a + (int)b; }
        int h();
        int f(void) { return ((int (*)(int))g)(1) + h(1, 2.5); }",
        expect![[r#"
            func @f() -> i32 {
            bb0:
              %0: i32 = call *@g(i32 1i32)
              %1: i32 = call @h(i32 1i32, f64 2.5f64)
              %2: i32 = add.nsw i32 %0, %1
              return %2
            }
        "#]],
    );
}

#[test]
fn a_trap_ends_its_block() {
    check(
        "int f(int x) { if (x) __builtin_trap(); return 1; }",
        expect![[r#"
            func @f(%0: i32 "x" ty2) -> i32 {
            bb0:
              %1: i1 = cmp.ne i32 %0, 0i32
              branch %1, bb1, bb2
            bb1:
              trap
            bb2:
              return 1i32
            }
        "#]],
    );
}

#[test]
fn thread_local_variables_are_used_like_others() {
    check(
        "_Thread_local int t; int f(void) { return ++t; }",
        expect![[r#"
        func @f() -> i32 {
        bb0:
          %0: i32 = load i32 @t
          %1: i32 = add.nsw i32 %0, 1i32
          store i32 %1 to @t
          return %1
        }
    "#]],
    );
}

#[test]
fn what_the_ir_lacks_is_unsupported_where_it_stands() {
    let program = load_ll(
        "define i32 @main(i32 %x, <vscale x 2 x i32> %v, ptr addrspace(256) %seg) {
            %f = call i32 @llvm.fptosi.sat.i32.f32(float 1.0)
            %o = load i32, ptr addrspace(256) %seg
            %r = atomicrmw uinc_wrap ptr null, i32 5 seq_cst
            %s = add i32 %f, %r
            ret i32 %s
        }
        declare i32 @llvm.fptosi.sat.i32.f32(float)",
    );
    assert_eq!(
        unsupported(&program, "main"),
        [
            "the intrinsic llvm.fptosi.sat.i32.f32",
            "an access to address space 256",
            "the atomic operation UIncWrap",
        ]
    );
}

#[test]
fn bit_vectors_and_wide_switches_are_lowered() {
    let program = load_ll(
        "define i32 @main(ptr %p, i128 %w) {
            %v = load <8 x i1>, ptr %p
            %n = xor <8 x i1> %v, splat (i1 true)
            store <8 x i1> %n, ptr %p
            %b = bitcast <8 x i1> %n to i8
            %e = extractelement <8 x i1> %v, i32 3
            switch i128 %w, label %d [ i128 18446744073709551616, label %a
                                       i128 3, label %b1 ]
        a:  ret i32 1
        b1: %z = zext i8 %b to i32
            ret i32 %z
        d:  %s = select i1 %e, [2 x i32] [i32 1, i32 2], [2 x i32] zeroinitializer
            %f = extractvalue [2 x i32] %s, 1
            ret i32 %f
        }",
    );
    assert_eq!(unsupported(&program, "main"), [""; 0]);
    let text = func_text(&program, "main");
    assert!(text.contains("load i8"), "{text}");
    assert!(text.contains("cmp.eq i128"), "{text}");
}

#[test]
fn a_call_that_throws_is_followed_by_the_question_where_it_lands() {
    let folder = common::Folder::new();
    let source = folder.file(
        "test.cc",
        "struct Guard { ~Guard(); }; void g();
        int main() { try { Guard a; g(); throw 5; } catch (int e) { return e; } return 0; }",
    );
    let program = common::load_all(vec![source], &[]);
    assert_eq!(unsupported(&program, "main"), [""; 0]);
    let text = func_text(&program, "main");
    let thrown = text.split("call @__cxa_throw").nth(1).and_then(|rest| rest.lines().nth(1));
    assert!(
        thrown.is_some_and(|line| line.contains("call @__selvedge_landing(i32 1i32, i32 1i32, ptr @_ZTIi")),
        "{text}"
    );
}

/// Lifetime markers come with `-O1`; it must not change what is accessed.
#[test]
fn the_accesses_are_those_of_an_unoptimised_build() {
    let source = include_str!("../programs/mixed.c");
    let folder = common::Folder::new();
    let plain = folder.bitcode(
        "plain",
        source,
        &[
            "-O0",
            "-Xclang",
            "-disable-O0-optnone",
            "-fsanitize=builtin",
            "-fno-sanitize-recover=all",
            "-fsanitize-minimal-runtime",
        ],
    );
    let plain = common::load_all(vec![plain], &[]);
    let ours = load_c(source);
    let accesses = |program: &selvedge_program::Program, name: &str| {
        let text = func_text(program, name);
        let is_access = |line: &&str| {
            [" load", " store", " call", " rmw", " cmpxchg", " memcpy", " branch", " alloca"]
                .iter()
                .any(|word| line.contains(word))
        };
        let kind = |line: &str| line.split_whitespace().find(|word| word.len() > 3).map(str::to_owned);
        text.lines().filter(is_access).filter_map(kind).count()
    };
    let mut compared = 0;
    for function in plain.funcs.iter().filter(|f| f.is_defined() && !f.is_runtime) {
        // There all locals stay in memory, also those that clang makes for itself, and these differ.
        if func_text(&plain, &function.name).contains("setjmp") {
            continue;
        }
        assert_eq!(accesses(&plain, &function.name), accesses(&ours, &function.name), "{}", function.name);
        compared += 1;
    }
    assert!(compared >= 10, "only {compared} functions were compared");
}

#[test]
fn everything_in_a_large_mixed_program_is_lowered_for_both_widths() {
    let source = include_str!("../programs/mixed.c");
    for args in [&[][..], &["-m32"][..]] {
        let program = load_c_with(source, args);
        for function in program.funcs.iter().filter(|f| f.is_defined()) {
            assert_eq!(unsupported(&program, &function.name), [""; 0], "{} {args:?}", function.name);
        }
    }
}
