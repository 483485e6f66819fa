//! Control, data and memory dependences within one thread.

use expect_test::expect;

use super::check;

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
fn a_pointer_of_unknown_origin_is_taken_to_touch_nothing_until_it_is_seen_to() {
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
            - main: %0: i64 = load i64 @t
            - main: store i32 1i32 to %1
            - main: %2: i32 = load i32 @x
        "#]],
    );
}
