//! Each class of executions that differ only in the order of independent steps is explored once.

use selvedge_irkit::{Flags, Text, main_only, search};

use crate::{ADD_ONE, ADD_ONE_AT_ONCE, ADD_ONE_LOCKED, pair, team, x_is};
use crate::{check, count};

#[test]
fn a_program_without_threads_has_one_execution() {
    check(&main_only("%x: i32 = add i32 1i32, 2i32"), "safe: 1 full");
}

#[test]
fn two_writes_to_one_place_have_two_orders() {
    check(&pair("store i32 1i32 to @x", "store i32 2i32 to @x", ""), "safe: 2 full");
}

#[test]
fn writes_to_different_places_have_one_order() {
    check(&pair("store i32 1i32 to @x", "store i32 2i32 to @y", ""), "safe: 1 full");
}

#[test]
fn reads_of_one_place_have_one_order() {
    check(&team(3, "%v: i32 = load i32 @x", ""), "safe: 1 full");
}

#[test]
fn a_write_and_reads_double_with_each_reader() {
    for (readers, expected) in
        [(1, "safe: 2 full"), (2, "safe: 4 full"), (3, "safe: 8 full"), (6, "safe: 64 full")]
    {
        let names: Vec<String> = (0..readers).map(|i| format!("r{i}")).collect();
        let text = Text::new().int("x", 0).thread("w", "store i32 1i32 to @x");
        let text = names.iter().fold(text, |text, name| text.thread(name, "%v: i32 = load i32 @x"));
        let program = text.main(&format!("run w {}", names.join(" ")));
        count(&program, expected);
    }
}

#[test]
fn writers_have_all_their_orders() {
    let program = Text::new()
        .int("x", 0)
        .thread("a", "store i32 1i32 to @x")
        .thread("b", "store i32 2i32 to @x")
        .thread("c", "store i32 3i32 to @x")
        .main("run a b c");
    check(&program, "safe: 6 full");
}

#[test]
fn increments_in_two_steps_have_four_traces() {
    check(&team(2, ADD_ONE, ""), "safe: 4 full");
}

#[test]
fn increments_at_once_have_two_traces() {
    check(&team(2, ADD_ONE_AT_ONCE, &x_is(2)), "safe: 2 full");
}

#[test]
fn a_lost_update_is_found_in_two_of_four_traces() {
    let program = team(2, ADD_ONE, &x_is(2));
    check(&program, "unsafe: 2 full, 2 failed");
    assert!(search(&program, &Flags::dpor()).failure().at.starts_with("main "));
}

#[test]
fn sections_under_one_mutex_have_the_orders_of_its_owners() {
    check(&team(2, ADD_ONE_LOCKED, &x_is(2)), "safe: 2 full");
    count(&team(3, ADD_ONE_LOCKED, &x_is(3)), "safe: 6 full");
    count(&team(4, ADD_ONE_LOCKED, &x_is(4)), "safe: 24 full");
}

#[test]
fn sections_under_different_mutexes_have_one_order() {
    let lock = |m: &str| format!("call @pthread_mutex_lock(ptr @{m})\ncall @pthread_mutex_unlock(ptr @{m})");
    check(&pair(&lock("m"), &lock("k"), ""), "safe: 1 full");
}

#[test]
fn a_thread_that_main_waits_for_before_it_writes_has_one_order() {
    let program = Text::new()
        .int("x", 0)
        .thread("one", "store i32 1i32 to @x")
        .main(&format!("run one\nstore i32 2i32 to @x\n{}", x_is(2)));
    check(&program, "safe: 1 full");
}

#[test]
fn what_main_does_beside_a_thread_has_two_orders() {
    let program = Text::new()
        .int("x", 0)
        .thread("one", "store i32 1i32 to @x")
        .main("start one\nstore i32 2i32 to @x\njoin one");
    check(&program, "safe: 2 full");
}

#[test]
fn message_passing_never_shows_the_flag_without_the_data() {
    let writer = "store i32 1i32 to @x\nstore i32 1i32 to @y";
    let reader = "%flag: i32 = load i32 @y
        %data: i32 = load i32 @x
        %bad: i1 = cmp.ult i32 %data, %flag
        %good: i1 = xor i1 %bad, true
        assert %good";
    check(&pair(writer, reader, ""), "safe: 3 full");
}

#[test]
fn store_buffering_never_shows_two_old_values() {
    let program = Text::new()
        .int("x", 0)
        .int("y", 0)
        .int("a", 0)
        .int("b", 0)
        .thread("one", "store i32 1i32 to @x\n%v: i32 = load i32 @y\nstore i32 %v to @a")
        .thread("two", "store i32 1i32 to @y\n%v: i32 = load i32 @x\nstore i32 %v to @b")
        .main(
            "run one two
            %a: i32 = load i32 @a
            %b: i32 = load i32 @b
            %s: i32 = or i32 %a, %b
            %c: i1 = cmp.ne i32 %s, 0i32
            assert %c",
        );
    check(&program, "safe: 3 full");
}

#[test]
fn without_reduction_independent_steps_are_explored_in_every_order() {
    let program = pair("store i32 1i32 to @x", "store i32 2i32 to @y", "");
    assert!(search(&program, &Flags::none()).full > 1);
}

#[test]
fn threads_that_threads_start_are_reduced_alike() {
    let program = Text::new()
        .int("x", 0)
        .thread("inner", "store i32 1i32 to @x")
        .thread("outer", "start inner\nstore i32 2i32 to @x\njoin inner")
        .main("run outer");
    check(&program, "safe: 2 full");
}

#[test]
fn the_order_in_which_threads_are_tried_changes_no_count() {
    use selvedge_explore::ThreadOrder;
    let program = team(2, ADD_ONE, &x_is(2));
    let orders = [ThreadOrder::Meeting, ThreadOrder::Keeping];
    for thread_order in orders.into_iter().chain((0..10).map(ThreadOrder::Shuffled)) {
        let found = search(&program, &Flags { thread_order, ..Flags::dpor() });
        assert_eq!(found.to_string(), "unsafe: 2 full, 2 failed", "{thread_order:?}");
    }
}
