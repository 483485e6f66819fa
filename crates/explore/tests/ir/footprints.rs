//! What is skipped is still in races with what led there (R9), and what slept when a summary was made is tried where it is
//! awake (R8): the search's part of the rules.

use selvedge_explore::{Rules, ThreadOrder};
use selvedge_irkit::{Flags, Text, Verdict, search};
use selvedge_program::Program;

use crate::agree;

/// A rule that is read wrongly loses a failure under some order of threads, and no failure is lost under any if it is
/// read rightly.
#[track_caller]
fn matters(program: &Program, flags: &Flags, read_wrongly: impl Fn(&mut Rules)) {
    let expected = search(program, &Flags { reduce: selvedge_irkit::Reduce::None, ..flags.clone() });
    assert_eq!(expected.verdict(), Verdict::Unsafe);
    let mut does_harm = false;
    let orders = [ThreadOrder::Keeping].into_iter().chain((0..200).map(ThreadOrder::Shuffled));
    for thread_order in orders {
        let right = Flags { thread_order, ..flags.clone() };
        assert_eq!(search(program, &right).places(), expected.places(), "{thread_order:?}");
        let mut wrong = right;
        read_wrongly(&mut wrong.rules);
        does_harm |= search(program, &wrong).verdict() == Verdict::Safe;
        if does_harm {
            break;
        }
    }
    assert!(does_harm, "the wrong reading does no harm");
}

/// `set` writes 2 to `x`, `add` adds 2 in two steps.
fn set_and_add(after: &str) -> Program {
    Text::new()
        .int("x", 1)
        .thread("set", "store i32 2i32 to @x")
        .thread("add", "%v: i32 = load i32 @x\n%w: i32 = add i32 %v, 2i32\nstore i32 %w to @x")
        .main(&format!("start set\nstart add\n{after}"))
}

/// Fails if `set` came between what `add` reads and what it writes, after `main` has looked.
fn late_race() -> Program {
    set_and_add(
        "%before: i32 = load i32 @x
        join set
        %after: i32 = load i32 @x
        %p: i1 = cmp.ult i32 2i32, %before
        %q: i1 = cmp.ne i32 %after, 3i32
        %c: i1 = or i1 %p, %q
        assert %c",
    )
}

#[test]
fn accesses_of_what_is_skipped_are_in_races_with_what_came_before() {
    matters(&late_race(), &Flags::ag(), |rules| rules.footprints_count = false);
}

#[test]
fn a_thread_that_slept_when_a_summary_was_made_is_tried_where_it_is_awake() {
    let program = set_and_add("join set\n%v: i32 = load i32 @x\n%c: i1 = cmp.ne i32 %v, 3i32\nassert %c");
    let found = search(&program, &Flags::ag());
    assert_eq!(found.verdict(), Verdict::Unsafe, "{found}");
    agree(&program, &found);
}

#[test]
fn what_is_skipped_keeps_the_locks_that_it_takes() {
    // The second lock of `one` is in a part that is skipped, and only the race with it shows the deadlock.
    let one = "store i32 0i32 to @x
        call @pthread_mutex_lock(ptr @m)
        call @pthread_mutex_lock(ptr @k)
        call @pthread_mutex_unlock(ptr @k)
        call @pthread_mutex_unlock(ptr @m)";
    let two = "store i32 0i32 to @x
        call @pthread_mutex_lock(ptr @k)
        call @pthread_mutex_lock(ptr @m)
        call @pthread_mutex_unlock(ptr @m)
        call @pthread_mutex_unlock(ptr @k)";
    let program = crate::pair(one, two, "");
    for thread_order in (0..40).map(ThreadOrder::Shuffled) {
        for source_sets in [false, true] {
            let found = search(&program, &Flags { thread_order, source_sets, ..Flags::ag() });
            assert_eq!(found.verdict(), Verdict::Unsafe, "{thread_order:?}: {found}");
        }
    }
}

#[test]
fn a_race_with_the_middle_of_a_skipped_part_is_found_below_a_branch() {
    let program = Text::new()
        .int("x", 1)
        .int("y", 0)
        .thread("set", "store i32 2i32 to @x")
        .thread(
            "add",
            "%i: i32 = call @__VERIFIER_nondet_int()
            %c: i1 = cmp.eq i32 %i, 0i32
            branch %c, bb1, bb2
            bb1: store i32 1i32 to @y
            jump bb3
            bb2: store i32 2i32 to @y
            jump bb3
            bb3: %v: i32 = load i32 @x
            %w: i32 = add i32 %v, 2i32
            store i32 %w to @x",
        )
        .main("run set add\n%v: i32 = load i32 @x\n%c: i1 = cmp.ne i32 %v, 3i32\nassert %c");
    for thread_order in (0..40).map(ThreadOrder::Shuffled) {
        for flags in [Flags::ag(), Flags { source_sets: true, ..Flags::ag() }, Flags::summaries()] {
            let found = search(&program, &Flags { thread_order, ..flags });
            assert_eq!(found.verdict(), Verdict::Unsafe, "{thread_order:?}: {found}");
        }
    }
}

#[test]
fn every_order_of_threads_comes_to_the_same_failures() {
    for program in
        [late_race(), set_and_add("join add\n%v: i32 = load i32 @x\n%c: i1 = cmp.ne i32 %v, 4i32\nassert %c")]
    {
        let expected = search(&program, &Flags::none());
        for thread_order in (0..40).map(ThreadOrder::Shuffled) {
            let found = search(&program, &Flags { thread_order, ..Flags::ag() });
            assert_eq!(found.places(), expected.places(), "{thread_order:?}: {found}");
        }
    }
}
