//! What happens after a failure: other threads go on, other executions are explored, and what is noted counts as covered.

use selvedge_exec::FindingKind;
use selvedge_explore::Ended;
use selvedge_irkit::{Flags, Text, Verdict, search};

use crate::{ADD_ONE, pair, team, x_is};
use crate::{agree, check};

#[test]
fn a_search_for_one_failure_stops_at_the_first() {
    let program = team(2, ADD_ONE, &x_is(2));
    let found = search(&program, &Flags { all_bugs: false, ..Flags::dpor() });
    assert_eq!((found.failed, found.ended), (1, Ended::Stopped));
}

#[test]
fn threads_go_on_when_another_one_has_failed() {
    // What `two` does wrong comes after what `one` does wrong in every schedule.
    let program = pair(
        "store i32 1i32 to @x\ncall @abort()",
        "%v: i32 = load i32 @x\n%c: i1 = cmp.eq i32 %v, 0i32\nassert %c",
        "",
    );
    let found = search(&program, &Flags::dpor());
    assert_eq!(found.places().len(), 2, "{:?}", found.places());
    agree(&program, &found);
}

#[test]
fn a_failure_of_each_place_is_noted() {
    let look = "%v: i32 = load i32 @x
        %c: i1 = cmp.eq i32 %v, 0i32
        assert %c
        %w: i32 = load i32 @y
        %d: i1 = cmp.eq i32 %w, 0i32
        assert %d";
    let program = pair("store i32 1i32 to @y\nstore i32 1i32 to @x", look, "");
    let found = search(&program, &Flags::dpor());
    assert_eq!(found.places().len(), 2);
    agree(&program, &found);
}

#[test]
fn a_failure_that_is_noted_counts_as_covered() {
    let program = team(4, ADD_ONE, &x_is(4));
    let noted = search(&program, &Flags::ag());
    let unknown = search(&program, &Flags { note_nothing: true, ..Flags::ag() });
    assert_eq!(noted.places(), unknown.places());
    assert!(noted.executions() < unknown.executions(), "{noted}; where nothing is noted, {unknown}");
}

#[test]
fn a_failure_that_nobody_notes_is_never_covered() {
    let program = team(3, ADD_ONE, &x_is(3));
    let without = search(&program, &Flags::dpor());
    let found = search(&program, &Flags { note_nothing: true, ..Flags::ag() });
    assert_eq!(found.failed, without.failed, "{found}; without summaries {without}");
}

#[test]
fn a_use_of_a_block_that_another_thread_frees_fails_in_one_order() {
    let program = Text::new()
        .pointer("p", "p")
        .thread("one", "%b: ptr = load ptr @p\nstore i32 1i32 to %b")
        .thread("two", "%b: ptr = load ptr @p\ncall @free(ptr %b)")
        .main("%b: ptr = call @malloc(i64 8i64)\nstore ptr %b to @p\nrun one two");
    check(&program, "unsafe: 1 full, 1 failed");
    assert_eq!(search(&program, &Flags::dpor()).failure().kind, FindingKind::Memory);
}

#[test]
fn a_block_that_two_threads_free_is_freed_twice_in_every_order() {
    let free = "%b: ptr = load ptr @p\ncall @free(ptr %b)";
    let program = Text::new()
        .pointer("p", "p")
        .thread("one", free)
        .thread("two", free)
        .main("%b: ptr = call @malloc(i64 8i64)\nstore ptr %b to @p\nrun one two");
    check(&program, "unsafe: 2 failed");
    let kinds: Vec<_> = search(&program, &Flags::dpor()).failures.values().map(|f| f.kind).collect();
    assert_eq!(kinds, [FindingKind::Free, FindingKind::Free]);
}

#[test]
fn what_is_not_checked_is_no_failure() {
    let program = team(2, ADD_ONE, "call @reach_error()");
    let found = search(&program, &Flags { checks: vec![FindingKind::Memory], ..Flags::dpor() });
    assert!(found.failures.is_empty(), "{found}");
}

/// `one` writes `x` and ends the program at once.
fn ends_the_program(after: &str) -> selvedge_program::Program {
    Text::new()
        .int("x", 0)
        .thread("one", "store i32 1i32 to @x\ncall @exit(i32 7i32)")
        .main(&format!("start one\n%v: i32 = load i32 @x\n{after}"))
}

#[test]
fn the_exit_code_is_that_of_the_thread_that_ends_the_program() {
    let mut codes = search(&ends_the_program("return %v"), &Flags::dpor()).codes;
    codes.sort_unstable();
    assert_eq!(codes, [0, 7]);
}

#[test]
fn what_others_do_after_the_end_of_the_program_could_have_come_before_it() {
    let program = ends_the_program("%c: i1 = cmp.eq i32 %v, 0i32\nassert %c");
    let found = search(&program, &Flags::dpor());
    assert_eq!(found.verdict(), Verdict::Unsafe, "{found}");
    agree(&program, &found);
}
