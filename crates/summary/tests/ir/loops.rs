//! Loops: how often one has gone round is a value like others, so that a summary serves other rounds.

use selvedge_irkit::{Flags, Text, Verdict, search};
use selvedge_program::Program;

/// Two threads that each go round so often and add one to `x` at once.
fn counting(rounds: u32, after: &str) -> Program {
    let body = format!(
        "jump bb1(0i32)
        bb1(%i: i32): %c: i1 = cmp.ult i32 %i, {rounds}i32
        branch %c, bb2, bb3
        bb2: %old: i32 = rmw.add.seqcst i32 @x, 1i32
        %j: i32 = add i32 %i, 1i32
        jump bb1(%j)
        bb3:"
    );
    Text::new().int("x", 0).thread("a", &body).thread("b", &body).main(&format!("run a b\n{after}"))
}

fn x_is(value: u32) -> String {
    format!("%x: i32 = load i32 @x\n%d: i1 = cmp.eq i32 %x, {value}i32\nassert %d")
}

#[test]
fn executions_grow_with_the_rounds_and_not_with_their_orders() {
    // By partial orders there are 2, 6, 20, 70 executions.
    for (rounds, traces) in [(1, 2), (2, 6), (3, 20), (4, 70)] {
        let program = counting(rounds, &x_is(2 * rounds));
        let dpor = search(&program, &Flags::dpor());
        assert_eq!(dpor.to_string(), format!("safe: {traces} full"));
        let both = search(&program, &Flags::ag());
        assert_eq!(both.verdict(), Verdict::Safe);
        assert!(both.executions() <= u64::from(rounds * rounds + 1), "{rounds} rounds: {both}");
    }
}

#[test]
fn a_failure_after_loops_is_found() {
    let program = counting(3, &x_is(5));
    for flags in [Flags::dpor(), Flags::ag(), Flags::summaries()] {
        assert_eq!(search(&program, &flags).verdict(), Verdict::Unsafe);
    }
}

#[test]
fn a_bound_on_rounds_is_part_of_what_is_compared() {
    let program = counting(3, &x_is(6));
    for unwind in 0..5 {
        let dpor = search(&program, &Flags { unwind: Some(unwind), ..Flags::dpor() });
        let both = search(&program, &Flags { unwind: Some(unwind), ..Flags::ag() });
        assert_eq!(both.verdict(), dpor.verdict(), "{unwind}: {both}, without summaries {dpor}");
        assert_eq!(both.cuts, dpor.cuts);
    }
}

#[test]
fn rounds_whose_number_is_an_input_are_recognised() {
    let body = "%n: i32 = call @__VERIFIER_nondet_int()
        %m: i32 = and i32 %n, 3i32
        jump bb1(0i32)
        bb1(%i: i32): %c: i1 = cmp.ult i32 %i, %m
        branch %c, bb2, bb3
        bb2: %old: i32 = rmw.add.seqcst i32 @x, 1i32
        %j: i32 = add i32 %i, 1i32
        jump bb1(%j)
        bb3:";
    let after = "%x: i32 = load i32 @x\n%d: i1 = cmp.ule i32 %x, 6i32\nassert %d";
    let program =
        Text::new().int("x", 0).thread("a", body).thread("b", body).main(&format!("run a b\n{after}"));
    let (dpor, both) = (search(&program, &Flags::dpor()), search(&program, &Flags::ag()));
    assert_eq!((dpor.verdict(), both.verdict()), (Verdict::Safe, Verdict::Safe));
    assert!(2 * both.executions() < dpor.executions(), "{both}; without summaries {dpor}");
}

#[test]
fn a_loop_that_starts_threads_again_is_recognised_from_round_to_round() {
    let program = Text::new()
        .int("x", 0)
        .thread("t", "%old: i32 = rmw.add.seqcst i32 @x, 1i32")
        .thread("u", "%old: i32 = rmw.add.seqcst i32 @x, 2i32")
        .main(
            "%a: ptr = alloca 8 x 1i64 align 8
            %b: ptr = alloca 8 x 1i64 align 8
            jump bb1(0i32)
            bb1(%i: i32): %c: i1 = cmp.ult i32 %i, 3i32
            branch %c, bb2, bb3
            bb2: call @pthread_create(ptr %a, ptr null, ptr @t, ptr null)
            call @pthread_create(ptr %b, ptr null, ptr @u, ptr null)
            %h: i64 = load i64 %a
            call @pthread_join(i64 %h, ptr null)
            %k: i64 = load i64 %b
            call @pthread_join(i64 %k, ptr null)
            %j: i32 = add i32 %i, 1i32
            jump bb1(%j)
            bb3: %x: i32 = load i32 @x
            %d: i1 = cmp.eq i32 %x, 9i32
            assert %d",
        );
    assert_eq!(search(&program, &Flags::dpor()).to_string(), "safe: 8 full");
    let both = search(&program, &Flags::ag());
    assert_eq!(both.to_string(), "safe: 1 full, 3 pruned");
}
