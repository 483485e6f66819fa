//! Programs of one thread: loops, inputs, machine integers.

use selvedge_exec::Source;
use selvedge_irkit::{Text, main_only};

use crate::{ABORT, for_ever, is_safe, is_unsafe, shared};

/// Counts from 0 to an input; `%i` is how far it came in the end.
const COUNT: &str = "%n: i32 = call @__VERIFIER_nondet_int()
    jump bb1(0i32)
    bb1(%i: i32): %less: i1 = cmp.ult i32 %i, %n
    branch %less, bb2, bb3
    bb2: %j: i32 = add i32 %i, 1i32
    jump bb1(%j)
    bb3:";

#[test]
fn a_program_without_anything_is_safe() {
    is_safe(&main_only(""));
}

#[test]
fn an_assertion_that_never_holds_fails() {
    let proved = is_unsafe(&main_only("%c: i1 = copy false\nassert %c"), ABORT);
    assert_eq!(proved.run.expect("it is unsafe").turns.len(), 0, "nothing comes before it");
}

#[test]
fn a_loop_to_an_input_ends_at_the_input() {
    is_safe(&main_only(&format!("{COUNT} %c: i1 = cmp.eq i32 %i, %n\nassert %c")));
}

#[test]
fn a_loop_that_may_go_round_five_times_fails_for_the_input_that_does() {
    let program = main_only(&format!("{COUNT} %c: i1 = cmp.ne i32 %i, 5i32\nassert %c"));
    let run = is_unsafe(&program, ABORT).run.expect("it is unsafe");
    assert_eq!(run.inputs.bytes[&Source::Input { thread: 0, n: 0 }], [5, 0, 0, 0]);
}

#[test]
fn two_counters_that_go_together_are_the_same_for_ever() {
    is_safe(&main_only(
        "jump bb1(0i32, 0i32)
        bb1(%a: i32, %b: i32): %c: i1 = cmp.eq i32 %a, %b
        assert %c
        %x: i32 = add i32 %a, 3i32
        %y: i32 = add i32 %b, 3i32
        jump bb1(%x, %y)",
    ));
}

#[test]
fn a_counter_in_steps_of_two_is_even_for_ever_though_it_wraps_around() {
    is_safe(&main_only(
        "jump bb1(0i32)
        bb1(%a: i32): %bit: i32 = and i32 %a, 1i32
        %c: i1 = cmp.eq i32 %bit, 0i32
        assert %c
        %x: i32 = add i32 %a, 2i32
        jump bb1(%x)",
    ));
}

#[test]
fn a_counter_that_wraps_around_comes_back_to_zero() {
    is_unsafe(
        &main_only(
            "jump bb1(1i8)
            bb1(%a: i8): %c: i1 = cmp.ne i8 %a, 0i8
            assert %c
            %x: i8 = mul i8 %a, 4i8
            jump bb1(%x)",
        ),
        ABORT,
    );
}

#[test]
fn what_comes_after_a_loop_without_an_end_is_not_reached() {
    is_safe(&main_only(
        "jump bb1
        bb1: %i: i32 = call @__VERIFIER_nondet_int()
        %c: i1 = cmp.eq i32 %i, %i
        branch %c, bb1, bb2
        bb2: call @abort()",
    ));
}

#[test]
fn an_assumption_holds_from_there_on() {
    is_safe(&main_only(&format!(
        "{COUNT} %c: i1 = cmp.ult i32 %n, 8i32
        %w: i32 = zext i1 %c to i32
        call @__VERIFIER_assume(i32 %w)
        %d: i1 = cmp.ult i32 %i, 8i32
        assert %d"
    )));
}

#[test]
fn what_a_branch_has_excluded_is_known_afterwards() {
    is_safe(&main_only(
        "%i: i32 = call @__VERIFIER_nondet_int()
        %zero: i1 = cmp.eq i32 %i, 0i32
        branch %zero, bb2, bb1
        bb1: %q: i32 = udiv i32 100i32, %i
        jump bb2
        bb2:",
    ));
}

#[test]
fn a_division_by_what_may_be_zero_fails() {
    let program = main_only("%i: i32 = call @__VERIFIER_nondet_int()\n%q: i32 = udiv i32 100i32, %i");
    let run = is_unsafe(&program, "division by zero").run.expect("it is unsafe");
    assert_eq!(run.inputs.bytes.get(&Source::Input { thread: 0, n: 0 }).map_or(0, |b| b.iter().sum()), 0u8);
}

#[test]
fn the_inner_of_two_loops_begins_anew() {
    is_safe(&main_only(
        "jump bb1
        bb1: jump bb2(0i32)
        bb2(%i: i32): %c: i1 = cmp.ule i32 %i, 3i32
        assert %c
        %more: i1 = cmp.ult i32 %i, 3i32
        branch %more, bb3, bb1
        bb3: %j: i32 = add i32 %i, 1i32
        jump bb2(%j)",
    ));
}

#[test]
fn a_function_is_proved_for_each_of_its_calls() {
    let program = Text::new()
        .function("limit", "(%v: i32) -> i32", "%r: i32 = and i32 %v, 7i32\nreturn %r")
        .main(&for_ever(
            "%i: i32 = call @__VERIFIER_nondet_int()
            %l: i32 = call @limit(i32 %i)
            %c: i1 = cmp.ule i32 %l, 7i32
            assert %c",
        ));
    is_safe(&program);
}

#[test]
fn inputs_of_each_round_are_their_own() {
    let program = shared(&["sum"]).main(&for_ever(
        "%i: i32 = call @__VERIFIER_nondet_int()
        %bit: i32 = and i32 %i, 1i32
        %old: i32 = load i32 @sum
        %new: i32 = add i32 %old, %bit
        store i32 %new to @sum
        %c: i1 = cmp.ne i32 %new, 3i32
        assert %c",
    ));
    let run = is_unsafe(&program, ABORT).run.expect("it is unsafe");
    let odd =
        |n| run.inputs.bytes.get(&Source::Input { thread: 0, n }).is_some_and(|bytes| bytes[0] & 1 == 1);
    assert!((0..3).all(odd), "the shortest run has three rounds: {:?}", run.inputs);
}

#[test]
fn a_program_that_ends_itself_is_not_followed() {
    is_safe(&main_only("call @exit(i32 0i32)\ncall @abort()"));
}
