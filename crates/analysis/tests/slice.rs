//! What matters, dependence by dependence, on programs in the text form of the IR.
//!
//! The expected texts list the accesses and branches of the slice; a star marks relevant accesses: it matters when they
//! happen among the steps of other threads.

use expect_test::{Expect, expect};
use selvedge_analysis::{Point, PointsTo, Properties, Slice};
use selvedge_program::{Inst, Program, parse, print_func, validate};

/// Declarations that the programs share.
const LIBRARY: &str = r#"entry @main
    global @x size 4 align 4 = {}
    global @y size 4 align 4 = {}
    global @z size 4 align 4 = {}
    global @m size 40 align 8 = {}
    global @t size 8 align 8 = {}
    declare @abort()
    declare @input() -> i32
    declare @malloc(%0: i64) -> ptr
    declare @free(%0: ptr)
    declare @pthread_create(%0: ptr, %1: ptr, %2: ptr, %3: ptr) -> i32
    declare @pthread_join(%0: i64, %1: ptr) -> i32
    declare @pthread_mutex_lock(%0: ptr) -> i32
    declare @pthread_mutex_unlock(%0: ptr) -> i32
    declare @pthread_key_create(%0: ptr, %1: ptr) -> i32
    declare @pthread_setspecific(%0: i32, %1: ptr) -> i32
    func @check(%0: i1) {
    bb0: branch %0, bb1, bb2
    bb1: return
    bb2: call @abort()
         unreachable }
"#;

fn program(text: &str) -> Program {
    let text = format!("{LIBRARY}{text}").replace("@input", "@__VERIFIER_nondet_int");
    let program = parse(&text).unwrap_or_else(|e| panic!("{e}"));
    validate(&program).unwrap_or_else(|problems| panic!("{problems:?}"));
    program
}

fn is_access(inst: &Inst) -> bool {
    matches!(
        inst,
        Inst::Load { .. }
            | Inst::Store { .. }
            | Inst::AtomicRmw { .. }
            | Inst::CmpXchg { .. }
            | Inst::MemCopy { .. }
            | Inst::MemSet { .. }
    )
}

#[track_caller]
fn check(text: &str, expected: &Expect) {
    let program = program(text);
    let slice = Slice::new(&program, Properties::default());
    assert_eq!(slice.gave_up(), None);
    let reachable = PointsTo::new(&program);
    let mut found = String::new();
    for (func, function) in program.funcs.enumerate() {
        // What cannot be reached is not looked at.
        if !function.is_defined() || function.name == "check" || !reachable.is_reachable(func) {
            continue;
        }
        let printed = print_func(&program, func);
        let mut lines = printed.lines().skip(1);
        for (block, body) in function.blocks.enumerate() {
            lines.next();
            for (inst, content) in body.insts.iter().enumerate() {
                let line = lines.next().unwrap_or_default();
                let point = Point { func, block, inst };
                let is_branch = matches!(content, Inst::Branch { .. } | Inst::Switch { .. });
                let is_relevant = is_access(content) && slice.is_relevant(point);
                if is_relevant || ((is_access(content) || is_branch) && slice.is_in_slice(point)) {
                    let mark = if is_relevant { '*' } else { '-' };
                    found += &format!("{mark} {}: {}\n", function.name, line.trim());
                }
            }
        }
    }
    expected.assert_eq(&found);
}

#[test]
fn what_an_assertion_reads_matters_and_the_rest_does_not() {
    check(
        "func @main() {
        bb0: store i32 1i32 to @x
             store i32 2i32 to @y
             %0: i32 = load i32 @x
             %1: i32 = load i32 @y
             %2: i1 = cmp.eq i32 %0, 1i32
             call @check(i1 %2)
             return }",
        &expect![[r#"
            - main: store i32 1i32 to @x
            - main: %0: i32 = load i32 @x
        "#]],
    );
}

/// Figure 5 of the paper: the branch on `p` and what it guards do not matter.
#[test]
fn a_branch_matters_if_it_decides_what_is_asserted() {
    check(
        "func @main() {
        bb0: %0: i32 = call @input()
             %1: i1 = trunc i32 %0 to i1
             %2: i32 = call @input()
             %3: i1 = trunc i32 %2 to i1
             branch %1, bb1, bb2
        bb1: store i32 7i32 to @y
             jump bb2
        bb2: store i32 5i32 to @z
             branch %3, bb3, bb4
        bb3: %4: i32 = load i32 @z
             store i32 %4 to @x
             jump bb4
        bb4: %5: i32 = load i32 @x
             %6: i1 = cmp.ne i32 %5, 0i32
             call @check(i1 %6)
             return }",
        &expect![[r#"
            - main: store i32 5i32 to @z
            - main: branch %3, bb3, bb4
            - main: %4: i32 = load i32 @z
            - main: store i32 %4 to @x
            - main: %5: i32 = load i32 @x
        "#]],
    );
}

#[test]
fn values_are_followed_through_block_parameters_calls_and_results() {
    check(
        "func @pick(%0: i1, %1: i32, %2: i32) -> i32 {
        bb0: branch %0, bb1(%1), bb1(%2)
        bb1(%3: i32): return %3 }
        func @main() {
        bb0: %0: i32 = load i32 @x
             %1: i32 = load i32 @y
             %2: i32 = load i32 @z
             %3: i1 = cmp.eq i32 %2, 0i32
             %4: i32 = call @pick(i1 %3, i32 %0, i32 0i32)
             %5: i32 = call @pick(i1 true, i32 0i32, i32 %1)
             %6: i1 = cmp.eq i32 %4, 0i32
             call @check(i1 %6)
             return }",
        &expect![[r#"
            - pick: branch %0, bb1(%1), bb1(%2)
            - main: %0: i32 = load i32 @x
            - main: %1: i32 = load i32 @y
            - main: %2: i32 = load i32 @z
        "#]],
    );
}

/// Figure 2 of the paper.
#[test]
fn writes_of_another_thread_to_what_is_read_matter() {
    check(
        "func @writer(%0: ptr) -> ptr {
        bb0: store i32 10i32 to @x
             store i32 1i32 to @y
             store i32 20i32 to @x
             return null }
        func @main() {
        bb0: %0: i32 = call @pthread_create(ptr @t, ptr null, ptr @writer, ptr null)
             %1: i32 = load i32 @x
             %2: i32 = load i32 @x
             %3: i1 = cmp.sle i32 %1, %2
             call @check(i1 %3)
             return }",
        &expect![[r#"
            * writer: store i32 10i32 to @x
            * writer: store i32 20i32 to @x
            * main: %1: i32 = load i32 @x
            * main: %2: i32 = load i32 @x
        "#]],
    );
}

/// Figure 4 of the paper: nothing in it can fail, so nothing matters.
#[test]
fn two_threads_that_only_count_have_nothing_that_matters() {
    check(
        "func @count(%0: ptr) -> i32 {
        bb0: %1: i32 = load i32 %0
             %2: i32 = add.nsw i32 %1, 1i32
             store i32 %2 to %0
             return %1 }
        func @work() {
        bb0: return }
        func @thread(%0: ptr) -> ptr {
        bb0: %1: i32 = call @count(ptr @x)
             %2: i1 = cmp.eq i32 %1, 0i32
             branch %2, bb1, bb2
        bb1: call @work()
             jump bb3
        bb2: call @work()
             jump bb3
        bb3: %3: i32 = call @count(ptr @y)
             %4: i1 = cmp.eq i32 %3, 0i32
             branch %4, bb4, bb5
        bb4: call @work()
             jump bb6
        bb5: jump bb6
        bb6: return null }
        func @main() {
        bb0: %0: i32 = call @input()
             store i32 %0 to @x
             %1: i32 = call @pthread_create(ptr @t, ptr null, ptr @thread, ptr null)
             %2: ptr = call @thread(ptr null)
             return }",
        &expect![[r#""#]],
    );
}

#[test]
fn a_loop_that_waits_matters_although_its_value_is_not_used() {
    check(
        "func @wait(%0: ptr) -> ptr {
        bb0: jump bb1
        bb1: %1: i32 = load.seqcst i32 @x
             %2: i32 = load i32 @z
             %3: i1 = cmp.eq i32 %1, 0i32
             branch %3, bb1, bb2
        bb2: return null }
        func @main() {
        bb0: %0: i32 = call @pthread_create(ptr @t, ptr null, ptr @wait, ptr null)
             store.seqcst i32 1i32 to @x
             store i32 1i32 to @z
             return }",
        &expect![[r#"
            * wait: %1: i32 = load.seqcst i32 @x
            * wait: %2: i32 = load i32 @z
            - wait: branch %3, bb1, bb2
            * main: store.seqcst i32 1i32 to @x
        "#]],
    );
}

#[test]
fn reads_in_a_loop_without_an_end_are_seen() {
    check(
        "func @main() {
        bb0: jump bb1
        bb1: %0: i32 = load i32 @x
             store i32 1i32 to @y
             jump bb1 }",
        &expect![[r#"
            * main: %0: i32 = load i32 @x
        "#]],
    );
}

#[test]
fn what_one_thread_alone_touches_is_not_relevant() {
    check(
        "func @first(%0: ptr) -> ptr {
        bb0: %1: i32 = load i32 @x
             %2: i1 = cmp.eq i32 %1, 0i32
             call @check(i1 %2)
             store i32 1i32 to @x
             return null }
        func @second(%0: ptr) -> ptr {
        bb0: %1: i32 = load i32 @y
             %2: i1 = cmp.eq i32 %1, 0i32
             call @check(i1 %2)
             store i32 1i32 to @y
             return null }
        func @main() {
        bb0: %0: i32 = call @pthread_create(ptr @t, ptr null, ptr @first, ptr null)
             jump bb1
        bb1: %1: i32 = call @pthread_create(ptr @t, ptr null, ptr @second, ptr null)
             %2: i32 = call @input()
             %3: i1 = trunc i32 %2 to i1
             branch %3, bb1, bb2
        bb2: return }",
        &expect![[r#"
            - first: %1: i32 = load i32 @x
            - first: store i32 1i32 to @x
            * second: %1: i32 = load i32 @y
            * second: store i32 1i32 to @y
            - main: branch %3, bb1, bb2
        "#]],
    );
}

#[test]
fn a_loop_that_counts_to_a_constant_does_not_matter_whatever_it_does() {
    check(
        "func @thread(%0: ptr) -> ptr {
        bb0: jump bb1(0i32)
        bb1(%1: i32): %2: i1 = cmp.slt i32 %1, 9i32
             branch %2, bb2, bb4
        bb2: %3: i32 = load i32 @x
             %4: i1 = cmp.eq i32 %3, %1
             branch %4, bb4, bb3
        bb3: %5: i32 = add.nsw i32 %1, 1i32
             jump bb1(%5)
        bb4: return null }
        func @main() {
        bb0: %0: i32 = call @pthread_create(ptr @t, ptr null, ptr @thread, ptr null)
             store i32 3i32 to @x
             return }",
        &expect![[r#""#]],
    );
}

#[test]
fn a_branch_around_a_lock_matters_and_what_the_lock_protects_does_not() {
    check(
        "func @main() {
        bb0: %0: i32 = load i32 @x
             %1: i1 = cmp.eq i32 %0, 0i32
             branch %1, bb1, bb2
        bb1: %2: i32 = call @pthread_mutex_lock(ptr @m)
             %3: i32 = load i32 @y
             store i32 %3 to @z
             %4: i32 = call @pthread_mutex_unlock(ptr @m)
             jump bb2
        bb2: return }",
        &expect![[r#"
            - main: %0: i32 = load i32 @x
            - main: branch %1, bb1, bb2
        "#]],
    );
}

#[test]
fn fields_are_told_apart_and_a_copy_reads_all_it_copies() {
    check(
        "global @a size 16 align 8 = {}
        global @b size 16 align 8 = {}
        func @main() {
        bb0: store i32 1i32 to @a
             store i32 2i32 to @a+4
             memcpy @b, @a, 16i64
             %0: i32 = load i32 @b+4
             %1: i1 = cmp.eq i32 %0, 2i32
             call @check(i1 %1)
             store i32 3i32 to @b+8
             return }",
        &expect![[r#"
            - main: store i32 1i32 to @a
            - main: store i32 2i32 to @a+4
            - main: memcpy @b, @a, 16i64
            - main: %0: i32 = load i32 @b+4
        "#]],
    );
}

/// With a known length it is one instruction, with a symbolic one a loop of the run-time: the steps must be the same.
#[test]
fn a_copy_of_unknown_length_is_relevant_and_so_is_the_loop_that_makes_it() {
    check(
        "global @a size 16 align 8 = {}
        global @b size 16 align 8 = {}
        func @__selvedge_memcpy_loop(%0: ptr, %1: ptr, %2: i64) runtime {
        bb0: %3: i8 = load i8 %1
             store i8 %3 to %0
             return }
        func @main() {
        bb0: %0: i32 = call @input()
             %1: i64 = sext i32 %0 to i64
             memcpy @b, @a, %1
             return }",
        &expect![[r#"
            * __selvedge_memcpy_loop: %3: i8 = load i8 %1
            * __selvedge_memcpy_loop: store i8 %3 to %0
            * main: memcpy @b, @a, %1
        "#]],
    );
}

#[test]
fn a_write_to_an_unknown_element_may_be_to_any_but_only_of_its_array() {
    check(
        "global @a size 16 align 4 = {}
        global @log size 16 align 4 = {}
        func @main() {
        bb0: %0: i32 = call @input()
             %1: ptr = ptradd @a, 0, i32 %0 * 4
             %2: ptr = ptradd @log, 0, i32 %0 * 4
             store i32 1i32 to %1
             store i32 1i32 to %2
             %3: i32 = load i32 @a+8
             %4: i1 = cmp.eq i32 %3, 0i32
             call @check(i1 %4)
             return }",
        &expect![[r#"
            - main: store i32 1i32 to %1
            - main: store i32 1i32 to %2
            - main: %3: i32 = load i32 @a+8
        "#]],
    );
}

#[test]
fn an_address_that_may_be_wrong_matters_and_what_is_there_does_not() {
    check(
        "global @log size 16 align 4 = {}
        func @main() {
        bb0: %0: i32 = load i32 @x
             %1: ptr = ptradd @log, 0, i32 %0 * 4
             %2: i32 = load i32 @y
             store i32 %2 to %1
             return }",
        &expect![[r#"
            - main: %0: i32 = load i32 @x
            - main: store i32 %2 to %1
        "#]],
    );
}

#[test]
fn functions_behind_pointers_are_followed() {
    check(
        "global @table size 16 align 8 = { 0: ptr @set_x, 8: ptr @set_y }
        func @set_x() {
        bb0: store i32 1i32 to @x
             return }
        func @set_y() {
        bb0: store i32 1i32 to @y
             return }
        func @never() {
        bb0: store i32 2i32 to @x
             return }
        func @main() {
        bb0: %0: ptr = load ptr @table
             call *%0()
             %1: i32 = load i32 @x
             %2: i1 = cmp.eq i32 %1, 1i32
             call @check(i1 %2)
             return }",
        &expect![[r#"
            - set_x: store i32 1i32 to @x
            - main: %0: ptr = load ptr @table
            - main: %1: i32 = load i32 @x
        "#]],
    );
}

#[test]
fn whether_a_function_calls_itself_matters() {
    check(
        "func @down(%0: i32) {
        bb0: %1: i32 = load i32 @x
             %2: i1 = cmp.slt i32 %1, %0
             branch %2, bb1, bb2
        bb1: call @down(i32 %0)
             jump bb2
        bb2: store i32 0i32 to @y
             return }
        func @main() {
        bb0: call @down(i32 3i32)
             return }",
        &expect![[r#"
            - down: %1: i32 = load i32 @x
            - down: branch %2, bb1, bb2
        "#]],
    );
}

#[test]
fn threads_started_in_a_loop_write_where_their_arguments_point() {
    check(
        "global @a size 8 align 4 = {}
        func @thread(%0: ptr) -> ptr {
        bb0: store i32 1i32 to %0
             store i32 1i32 to @y
             return null }
        func @main() {
        bb0: jump bb1(0i32)
        bb1(%0: i32): %1: i1 = cmp.slt i32 %0, 2i32
             branch %1, bb2, bb3
        bb2: %2: ptr = ptradd @a, 0, i32 %0 * 4
             %3: i32 = call @pthread_create(ptr @t, ptr null, ptr @thread, ptr %2)
             %4: i32 = add.nsw i32 %0, 1i32
             jump bb1(%4)
        bb3: %5: i32 = load i32 @a+4
             %6: i1 = cmp.eq i32 %5, 1i32
             call @check(i1 %6)
             return }",
        &expect![[r#"
            * thread: store i32 1i32 to %0
            - main: branch %1, bb2, bb3
            * main: %5: i32 = load i32 @a+4
        "#]],
    );
}

#[test]
fn results_of_threads_are_followed_to_where_they_are_joined() {
    check(
        "global @r size 8 align 8 = {}
        func @thread(%0: ptr) -> ptr {
        bb0: %1: i32 = load i32 @x
             %2: i64 = sext i32 %1 to i64
             %3: ptr = inttoptr i64 %2 to ptr
             %4: i32 = load i32 @y
             return %3 }
        func @main() {
        bb0: %0: i32 = call @pthread_create(ptr @t, ptr null, ptr @thread, ptr null)
             %1: i64 = load i64 @t
             %2: i32 = call @pthread_join(i64 %1, ptr @r)
             %3: i64 = load i64 @r
             %4: i1 = cmp.eq i64 %3, 0i64
             call @check(i1 %4)
             return }",
        &expect![[r#"
            - thread: %1: i32 = load i32 @x
            - main: %1: i64 = load i64 @t
            - main: %3: i64 = load i64 @r
        "#]],
    );
}

#[test]
fn a_heap_block_that_is_freed_must_be_used_in_time_and_one_that_is_not_need_not() {
    check(
        "global @p size 8 align 8 = {}
        global @q size 8 align 8 = {}
        func @thread(%0: ptr) -> ptr {
        bb0: %1: ptr = load ptr @p
             store i32 1i32 to %1
             %2: ptr = load ptr @q
             store i32 2i32 to %2
             return null }
        func @main() {
        bb0: %0: ptr = call @malloc(i64 4i64)
             store ptr %0 to @p
             %1: ptr = call @malloc(i64 4i64)
             store ptr %1 to @q
             %2: i32 = call @pthread_create(ptr @t, ptr null, ptr @thread, ptr null)
             call @free(ptr %0)
             return }",
        &expect![[r#"
            * thread: %1: ptr = load ptr @p
            * thread: store i32 1i32 to %1
            * thread: %2: ptr = load ptr @q
            - thread: store i32 2i32 to %2
            * main: store ptr %0 to @p
            * main: store ptr %1 to @q
        "#]],
    );
}

#[test]
fn a_local_that_another_thread_knows_ends_with_its_function() {
    check(
        "func @thread(%0: ptr) -> ptr {
        bb0: store i32 1i32 to %0
             return null }
        func @main() {
        bb0: %0: ptr = alloca 4 x 1i64 align 4
             %1: ptr = alloca 4 x 1i64 align 4
             %2: i32 = call @pthread_create(ptr @t, ptr null, ptr @thread, ptr %0)
             store i32 3i32 to %1
             return }",
        &expect![[r#"
            * thread: store i32 1i32 to %0
        "#]],
    );
}

#[test]
fn atomic_updates_matter_through_what_they_read_and_write() {
    check(
        "func @thread(%0: ptr) -> ptr {
        bb0: %1: i32 = rmw.add.seqcst i32 @x, 1i32
             %2: i32 = rmw.add.seqcst i32 @y, 1i32
             %3: i32, %4: i1 = cmpxchg.seqcst i32 @z, 0i32, 1i32
             return null }
        func @main() {
        bb0: %0: i32 = call @pthread_create(ptr @t, ptr null, ptr @thread, ptr null)
             %1: i32 = rmw.add.seqcst i32 @x, 1i32
             %2: i1 = cmp.slt i32 %1, 2i32
             call @check(i1 %2)
             %3: i32 = load i32 @z
             return }",
        &expect![[r#"
            * thread: %1: i32 = rmw.add.seqcst i32 @x, 1i32
            * main: %1: i32 = rmw.add.seqcst i32 @x, 1i32
        "#]],
    );
}

#[test]
fn whether_a_destructor_runs_depends_on_the_value_of_its_key() {
    check(
        "global @key size 4 align 4 = {}
        func @destroy(%0: ptr) {
        bb0: %1: i32 = load i32 @x
             %2: i1 = cmp.eq i32 %1, 0i32
             call @check(i1 %2)
             return }
        func @main() {
        bb0: %0: i32 = call @pthread_key_create(ptr @key, ptr @destroy)
             %1: i32 = load i32 @key
             %2: i32 = load i32 @y
             %3: i64 = sext i32 %2 to i64
             %4: ptr = inttoptr i64 %3 to ptr
             %5: i32 = call @pthread_setspecific(i32 %1, ptr %4)
             return }",
        &expect![[r#"
            - destroy: %1: i32 = load i32 @x
            - main: %1: i32 = load i32 @key
            - main: %2: i32 = load i32 @y
        "#]],
    );
}

#[test]
fn whether_an_input_is_used_up_matters() {
    check(
        "func @main() {
        bb0: %0: i32 = load i32 @x
             %1: i1 = cmp.eq i32 %0, 0i32
             branch %1, bb1, bb2
        bb1: %2: i32 = call @input()
             store i32 %2 to @y
             jump bb2
        bb2: return }",
        &expect![[r#"
            - main: %0: i32 = load i32 @x
            - main: branch %1, bb1, bb2
        "#]],
    );
}

#[test]
fn a_pointer_that_can_be_anything_touches_everything() {
    check(
        "func @main() {
        bb0: %0: i64 = load i64 @t
             %1: ptr = inttoptr i64 %0 to ptr
             store i32 1i32 to %1
             %2: i32 = load i32 @x
             %3: i1 = cmp.eq i32 %2, 0i32
             call @check(i1 %3)
             store i32 1i32 to @y
             return }",
        &expect![[r#"
            * main: %0: i64 = load i64 @t
            * main: store i32 1i32 to %1
            * main: %2: i32 = load i32 @x
        "#]],
    );
}

#[test]
fn with_races_or_leaks_checked_everything_matters() {
    let program = program("func @main() { bb0: store i32 1i32 to @x return }");
    let point = Point { func: program.entry.unwrap(), block: selvedge_program::BlockId(0), inst: 0 };
    let slice = |properties| Slice::new(&program, properties);
    assert!(!slice(Properties::default()).is_relevant(point));
    assert!(slice(Properties { races: true, ..Properties::default() }).is_relevant(point));
    assert!(slice(Properties { leaks: true, ..Properties::default() }).thread_may_fail([]));
}
