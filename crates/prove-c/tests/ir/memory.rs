//! Objects, addresses, pointers.

use selvedge_irkit::{Text, main_only};

use crate::{ABORT, for_ever, is_safe, is_unknown, is_unsafe};

/// Goes over an array of four, up to a bound.
fn over_array(bound: u32) -> String {
    format!(
        "jump bb1(0i64)
        bb1(%i: i64): %c: i1 = cmp.ult i64 %i, {bound}i64
        branch %c, bb2, bb3
        bb2: %p: ptr = ptradd @a, 0, i64 %i * 4
        store i32 1i32 to %p
        %j: i64 = add i64 %i, 1i64
        jump bb1(%j)
        bb3:"
    )
}

#[test]
fn a_loop_within_an_array_is_safe() {
    is_safe(&Text::new().zeros("a", 16).main(&over_array(4)));
}

#[test]
fn a_loop_past_an_array_fails() {
    is_unsafe(&Text::new().zeros("a", 16).main(&over_array(5)), "out-of-bounds write of 4 bytes");
}

#[test]
fn an_index_that_is_masked_stays_within() {
    let program = Text::new().zeros("a", 8).main(&for_ever(
        "%n: i8 = call @__VERIFIER_nondet_uchar()
        %m: i8 = and i8 %n, 1i8
        %i: i64 = zext i8 %m to i64
        %p: ptr = ptradd @a, 0, i64 %i * 4
        %v: i32 = load i32 %p
        %w: i32 = add i32 %v, 1i32
        store i32 %w to %p",
    ));
    is_safe(&program);
}

#[test]
fn an_index_that_is_an_input_fails_for_some() {
    let program = Text::new().zeros("a", 16).main(
        "%n: i8 = call @__VERIFIER_nondet_uchar()
        %i: i64 = zext i8 %n to i64
        %p: ptr = ptradd @a, 0, i64 %i * 4
        store i32 1i32 to %p",
    );
    is_unsafe(&program, "out-of-bounds write of 4 bytes");
}

#[test]
fn a_pointer_that_changes_between_two_objects_leads_to_one_of_them() {
    let program = Text::new().int("x", 1).int("y", 1).pointer("p", "x").main(&for_ever(
        "%i: i32 = call @__VERIFIER_nondet_int()
        %c: i1 = cmp.eq i32 %i, 0i32
        %t: ptr = select ptr %c, @x, @y
        store ptr %t to @p
        %q: ptr = load ptr @p
        %v: i32 = load i32 %q
        %d: i1 = cmp.eq i32 %v, 1i32
        assert %d",
    ));
    is_safe(&program);
}

#[test]
fn a_block_that_is_freed_is_not_used_again() {
    is_safe(&main_only(
        "%b: ptr = call @malloc(i64 4i64)
        store i32 1i32 to %b
        %v: i32 = load i32 %b
        call @free(ptr %b)
        %c: i1 = cmp.eq i32 %v, 1i32
        assert %c",
    ));
}

#[test]
fn a_block_that_is_used_after_it_is_freed_fails() {
    is_unsafe(
        &main_only("%b: ptr = call @malloc(i64 4i64)\ncall @free(ptr %b)\nstore i32 1i32 to %b"),
        "write of 4 bytes",
    );
}

#[test]
fn blocks_without_an_end_are_unknown_though_each_is_freed() {
    let program = main_only(&for_ever(
        "%b: ptr = call @malloc(i64 4i64)
        store i32 1i32 to %b
        call @free(ptr %b)",
    ));
    is_unknown(&program, "more than 100 objects are allocated");
}

#[test]
fn a_local_keeps_its_value_over_a_call() {
    let program = Text::new()
        .function("other", "()", "%l: ptr = alloca 4 x 1i64 align 4\nstore i32 9i32 to %l\nreturn")
        .main(
            "%l: ptr = alloca 4 x 1i64 align 4
            store i32 5i32 to %l
            jump bb1
            bb1: call @other()
            %v: i32 = load i32 %l
            %c: i1 = cmp.eq i32 %v, 5i32
            assert %c
            jump bb1",
        );
    is_safe(&program);
}

#[test]
fn two_bytes_of_a_word_are_told_apart() {
    let program = Text::new().int("x", 0).main(
        "store i8 1i8 to @x+1
        %v: i32 = load i32 @x
        %c: i1 = cmp.eq i32 %v, 256i32
        assert %c
        %d: i1 = cmp.eq i32 %v, 1i32
        assert %d",
    );
    is_unsafe(&program, ABORT);
}
