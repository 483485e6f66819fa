//! Threads that sleep, and executions that are begun in vain.

use selvedge_explore::ThreadOrder;
use selvedge_irkit::{Flags, Text, search};
use selvedge_program::Program;

use crate::agree;
use crate::{ADD_ONE, team, x_is};

#[test]
fn wakeup_trees_begin_nothing_in_vain() {
    for program in [team(2, ADD_ONE, &x_is(2)), team(3, ADD_ONE, "")] {
        assert_eq!(search(&program, &Flags::dpor()).blocked, 0);
    }
}

/// Figure 4 of the paper on optimal reduction, with a branch in `p` and two in `s`.
fn in_vain() -> Program {
    let (zero, one) = ("store i32 1i32 to @z", "store i32 1i32 to @x");
    Text::new()
        .int("x", 0)
        .int("y", 0)
        .int("z", 0)
        .thread(
            "p",
            &format!(
                "%m: i32 = load i32 @x
                %c: i1 = cmp.eq i32 %m, 0i32
                branch %c, bb1, bb2
                bb1: {zero}
                jump bb2
                bb2:"
            ),
        )
        .thread("q", one)
        .thread("r", "store i32 1i32 to @y")
        .thread(
            "s",
            &format!(
                "%n: i32 = load i32 @z
                %l: i32 = load i32 @y
                %c: i1 = cmp.eq i32 %n, 1i32
                branch %c, bb1, bb3
                bb1: %d: i1 = cmp.eq i32 %l, 0i32
                branch %d, bb2, bb3
                bb2: {one}
                jump bb3
                bb3:"
            ),
        )
        .main("run p q r s")
}

#[test]
fn source_sets_begin_executions_in_vain_and_find_the_same() {
    let program = in_vain();
    let trees = search(&program, &Flags::dpor());
    assert_eq!(trees.blocked, 0);
    let mut in_vain = 0;
    for seed in 0..20 {
        let thread_order = ThreadOrder::Shuffled(seed);
        let sets = search(&program, &Flags { source_sets: true, thread_order, ..Flags::dpor() });
        assert_eq!((sets.verdict(), sets.full), (trees.verdict(), trees.full));
        in_vain += sets.blocked;
    }
    assert!(in_vain > 0);
}

#[test]
fn without_sleep_sets_executions_are_repeated_and_none_is_lost() {
    let program = team(3, ADD_ONE, &x_is(3));
    let with = search(&program, &Flags { source_sets: true, ..Flags::dpor() });
    let without = search(&program, &Flags { source_sets: true, sleep: false, ..Flags::dpor() });
    assert!(without.executions() > with.executions(), "{without}, with sleep sets {with}");
    assert_eq!(without.places(), with.places());
}

#[test]
fn a_step_whose_event_depends_on_an_input_is_explored_in_all_its_ways() {
    let program = Text::new()
        .int("x", 0)
        .int("y", 0)
        .thread(
            "one",
            "%i: i32 = call @__VERIFIER_nondet_int()
            %c: i1 = cmp.eq i32 %i, 0i32
            %p: ptr = select ptr %c, @x, @y
            store i32 1i32 to %p",
        )
        .thread("two", "store i32 2i32 to @x")
        .main("run one two");
    let found = search(&program, &Flags::dpor());
    assert_eq!(found.to_string(), "safe: 3 full");
    agree(&program, &found);
}

#[test]
fn ways_below_one_step_sleep_together() {
    let program = Text::new()
        .int("x", 0)
        .int("y", 0)
        .thread(
            "one",
            "%i: i32 = call @__VERIFIER_nondet_int()
            store i32 %i to @x
            %v: i32 = load i32 @x
            %c: i1 = cmp.slt i32 %v, 5i32
            branch %c, bb1, bb2
            bb1: store i32 1i32 to @y
            jump bb3
            bb2: store i32 2i32 to @y
            jump bb3
            bb3:",
        )
        .thread("two", "store i32 3i32 to @y")
        .main("run one two");
    let found = search(&program, &Flags::dpor());
    assert_eq!(found.to_string(), "safe: 4 full", "two orders for each way");
    agree(&program, &found);
}
