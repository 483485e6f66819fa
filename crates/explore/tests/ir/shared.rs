//! Which places two steps touch: symbolic addresses, locals, blocks.

use selvedge_explore::Ended;
use selvedge_irkit::{Flags, Text, Verdict, address_as_a_number, search};

use crate::{agree, check};

/// Writes to an element of `a` that an input selects.
const WRITE_SOME: &str = "%i: i8 = call @__VERIFIER_nondet_uchar()
    %small: i1 = cmp.ult i8 %i, 4i8
    %w: i32 = zext i1 %small to i32
    call @__VERIFIER_assume(i32 %w)
    %n: i64 = zext i8 %i to i64
    %p: ptr = ptradd @a, 0, i64 %n * 4
    store i32 1i32 to %p";

#[test]
fn a_symbolic_address_is_in_conflict_with_what_it_may_be() {
    let program = Text::new()
        .zeros("a", 16)
        .thread("one", WRITE_SOME)
        .thread("two", "%v: i32 = load i32 @a+8\n%c: i1 = cmp.eq i32 %v, 0i32\nassert %c")
        .main("run one two");
    let found = search(&program, &Flags::dpor());
    assert_eq!(found.verdict(), Verdict::Unsafe, "{found}");
    agree(&program, &found);
}

#[test]
fn a_symbolic_address_is_not_in_conflict_with_another_object() {
    let program = Text::new()
        .zeros("a", 16)
        .int("x", 0)
        .thread("one", WRITE_SOME)
        .thread("two", "store i32 1i32 to @x")
        .main("run one two");
    check(&program, "safe: 1 full");
}

#[test]
fn a_symbolic_address_past_the_end_fails() {
    let body = WRITE_SOME.replace("4i8", "5i8");
    let program = Text::new().zeros("a", 16).thread("one", &body).main("run one");
    let found = search(&program, &Flags::dpor());
    assert_eq!(found.verdict(), Verdict::Unsafe, "{found}");
    agree(&program, &found);
}

#[test]
fn two_symbolic_addresses_meet_or_miss_each_other() {
    let read = WRITE_SOME
        .replace("store i32 1i32 to %p", "%v: i32 = load i32 %p\n%c: i1 = cmp.eq i32 %v, 0i32\nassert %c");
    let program =
        Text::new().zeros("a", 16).thread("one", WRITE_SOME).thread("two", &read).main("run one two");
    let found = search(&program, &Flags::dpor());
    assert_eq!(found.verdict(), Verdict::Unsafe, "{found}");
    agree(&program, &found);
}

#[test]
fn a_local_that_nobody_else_knows_makes_no_steps() {
    let own = "%l: ptr = alloca 4 x 1i64 align 4
        store i32 1i32 to %l
        %v: i32 = load i32 %l
        store i32 %v to %l";
    let text = |body: &str| Text::new().int("x", 0).thread("a", body).thread("b", body).main("run a b");
    let (with, without) = (search(&text(own), &Flags::none()), search(&text(""), &Flags::none()));
    assert_eq!(with.full, without.full);
}

#[test]
fn a_local_that_is_handed_over_is_shared() {
    let program =
        Text::new().pointer("p", "p").thread("one", "%q: ptr = load ptr @p\nstore i32 1i32 to %q").main(
            "%l: ptr = alloca 4 x 1i64 align 4
            store i32 0i32 to %l
            store ptr %l to @p
            start one
            %v: i32 = load i32 %l
            join one
            return %v",
        );
    let mut codes = search(&program, &Flags::dpor()).codes;
    codes.sort_unstable();
    assert_eq!(codes, [0, 1]);
    agree(&program, &search(&program, &Flags::dpor()));
}

#[test]
fn parts_of_one_object_are_places_of_their_own() {
    let text = |one: &str, two: &str| {
        let (one, two) = (format!("store i32 1i32 to @a+{one}"), format!("store i32 2i32 to @a+{two}"));
        Text::new().zeros("a", 16).thread("one", &one).thread("two", &two).main("run one two")
    };
    check(&text("0", "4"), "safe: 1 full");
    check(&text("4", "4"), "safe: 2 full");
    check(&text("2", "4"), "safe: 2 full");
}

#[test]
fn a_pointer_that_another_thread_moves_is_followed_each_time() {
    let program = Text::new()
        .int("good", 0)
        .int("bad", 1)
        .pointer("p", "good")
        .thread("mover", "store ptr @bad to @p")
        .thread(
            "reader",
            "%q: ptr = load ptr @p\n%v: i32 = load i32 %q\n%c: i1 = cmp.eq i32 %v, 0i32\nassert %c",
        )
        .main("run mover reader");
    check(&program, "unsafe: 1 full, 1 failed");
}

#[test]
fn an_address_that_reaches_another_thread_as_a_number_ends_a_search_that_relies_on_pointers() {
    let program = address_as_a_number("");
    let found = search(&program, &Flags::dpor());
    assert_eq!((found.ended.clone(), found.verdict()), (Ended::Lost, Verdict::Unknown), "{found}");
    let again = search(&program, &Flags { share_everything: true, ..Flags::dpor() });
    assert_eq!(again.verdict(), Verdict::Safe, "{again}");
}
