//! Atomic sections are one step to other threads.

use selvedge_irkit::{Flags, Text, Verdict, search};

use crate::{ADD_ONE, pair, team, x_is};
use crate::{agree, check};

#[test]
fn a_section_is_one_step() {
    let body = format!("atomic\n{ADD_ONE}\nend");
    check(&team(2, &body, &x_is(2)), "safe: 2 full");
    check(&team(3, &body, &x_is(3)), "safe: 6 full");
}

#[test]
fn nobody_sees_the_middle_of_a_section() {
    let both = "atomic\nstore i32 1i32 to @x\nstore i32 1i32 to @y\nend";
    let look = "atomic
        %x: i32 = load i32 @x
        %y: i32 = load i32 @y
        end
        %c: i1 = cmp.eq i32 %x, %y
        assert %c";
    check(&pair(both, look, ""), "safe: 2 full");
}

#[test]
fn who_looks_in_two_steps_sees_what_comes_between() {
    let both = "atomic\nstore i32 1i32 to @x\nstore i32 1i32 to @y\nend";
    let look = "%x: i32 = load i32 @x
        %y: i32 = load i32 @y
        %c: i1 = cmp.eq i32 %x, %y
        assert %c";
    check(&pair(both, look, ""), "unsafe: 2 full, 1 failed");
}

#[test]
fn sections_over_different_places_are_independent() {
    check(
        &pair("atomic\nstore i32 1i32 to @x\nend", "atomic\nstore i32 1i32 to @y\nend", ""),
        "safe: 1 full",
    );
}

#[test]
fn a_section_that_fails_happens_up_to_its_failure_alone() {
    let program = pair("atomic\nstore i32 1i32 to @x\ncall @abort()\nend", "store i32 2i32 to @x", "");
    let found = search(&program, &Flags::dpor());
    assert_eq!(found.verdict(), Verdict::Unsafe, "{found}");
    agree(&program, &found);
}

#[test]
fn a_section_with_an_input_goes_all_its_ways_at_once() {
    let choose = "atomic
        %i: i32 = call @__VERIFIER_nondet_int()
        %c: i1 = cmp.eq i32 %i, 0i32
        branch %c, bb1, bb2
        bb1: store i32 1i32 to @x
        store i32 1i32 to @y
        jump bb3
        bb2: store i32 2i32 to @x
        store i32 2i32 to @y
        jump bb3
        bb3:
        end";
    let look = "atomic
        %x: i32 = load i32 @x
        %y: i32 = load i32 @y
        end
        %c: i1 = cmp.eq i32 %x, %y
        assert %c";
    check(&pair(choose, look, ""), "safe: 4 full");
}

#[test]
fn a_section_that_assumes_what_does_not_hold_waits_for_it() {
    // With SV-COMP's meaning: a section whose assumption fails does not happen in that execution.
    let take = "atomic
        %x: i32 = load i32 @x
        %c: i1 = cmp.eq i32 %x, 0i32
        %w: i32 = zext i1 %c to i32
        call @__VERIFIER_assume(i32 %w)
        store i32 1i32 to @x
        end
        %y: i32 = load i32 @y
        %d: i1 = cmp.eq i32 %y, 0i32
        assert %d
        store i32 1i32 to @y
        store i32 0i32 to @y
        store i32 0i32 to @x";
    let found = search(&pair(take, take, ""), &Flags::dpor());
    assert_eq!(found.verdict(), Verdict::Safe, "{found}");
    agree(&pair(take, take, ""), &found);
}

#[test]
fn a_lock_in_a_section_that_is_held_elsewhere_holds_up_the_section() {
    let program = Text::new()
        .int("x", 0)
        .mutexes(&["m"])
        .thread("holder", "call @pthread_mutex_lock(ptr @m)\nstore i32 1i32 to @x\nstore i32 0i32 to @x\ncall @pthread_mutex_unlock(ptr @m)")
        .thread(
            "section",
            "call @pthread_mutex_lock(ptr @m)
            %v: i32 = load i32 @x
            call @pthread_mutex_unlock(ptr @m)
            %c: i1 = cmp.eq i32 %v, 0i32
            assert %c",
        )
        .main("run holder section");
    check(&program, "safe: 2 full");
}
