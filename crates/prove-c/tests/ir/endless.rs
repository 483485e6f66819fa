//! Threads without an end: mutual exclusion by locks of all kinds.

use selvedge_program::Program;

use crate::{ABORT, for_ever, is_safe, is_unsafe, shared};

/// Fails if somebody else is inside as well.
const INSIDE: &str = "store i32 1i32 to @inside
    %alone: i32 = load i32 @inside
    %c: i1 = cmp.eq i32 %alone, 1i32
    assert %c
    store i32 0i32 to @inside";

/// As `INSIDE`, for two threads that each mark their presence by their number.
fn inside(number: u32) -> String {
    format!(
        "store i32 {number}i32 to @inside
        %who: i32 = load i32 @inside
        %c: i1 = cmp.eq i32 %who, {number}i32
        assert %c"
    )
}

fn pair(one: &str, two: &str) -> Program {
    shared(&["inside", "lock", "turn", "f1", "f2", "next", "serving"])
        .thread("a", one)
        .thread("b", two)
        .main("run a b")
}

/// Both threads do this with their numbers, for ever.
fn both(section: impl Fn(u32) -> String) -> Program {
    pair(&for_ever(&section(1)), &for_ever(&section(2)))
}

#[test]
fn a_mutex_keeps_others_out_for_ever() {
    is_safe(&both(|n| {
        format!("call @pthread_mutex_lock(ptr @m)\n{}\ncall @pthread_mutex_unlock(ptr @m)", inside(n))
    }));
}

#[test]
fn two_mutexes_keep_nobody_out() {
    let locked = |m: &str, n| {
        for_ever(&format!(
            "call @pthread_mutex_lock(ptr @{m})\n{}\ncall @pthread_mutex_unlock(ptr @{m})",
            inside(n)
        ))
    };
    is_unsafe(&pair(&locked("m", 1), &locked("k", 2)), ABORT);
}

#[test]
fn without_a_lock_both_come_in() {
    is_unsafe(&both(inside), ABORT);
}

#[test]
fn an_exchange_makes_a_lock() {
    is_safe(&both(|n| {
        format!(
            "%taken: i32 = rmw.xchg.seqcst i32 @lock, 1i32
            %free: i1 = cmp.eq i32 %taken, 0i32
            branch %free, bb2, bb1
            bb2: {}
            store.seqcst i32 0i32 to @lock",
            inside(n)
        )
    }));
}

#[test]
fn a_compare_exchange_makes_a_lock() {
    is_safe(&both(|n| {
        format!(
            "%old: i32, %free: i1 = cmpxchg.seqcst.seqcst i32 @lock, 0i32, 1i32
            branch %free, bb2, bb1
            bb2: {}
            store.seqcst i32 0i32 to @lock",
            inside(n)
        )
    }));
}

#[test]
fn to_look_and_then_take_makes_no_lock() {
    is_unsafe(
        &both(|n| {
            format!(
                "%taken: i32 = load.seqcst i32 @lock
                %free: i1 = cmp.eq i32 %taken, 0i32
                branch %free, bb2, bb1
                bb2: store.seqcst i32 1i32 to @lock
                {}
                store.seqcst i32 0i32 to @lock",
                inside(n)
            )
        }),
        ABORT,
    );
}

/// Peterson's lock; the flag is raised before the turn is given away, or after it.
fn peterson(is_right: bool) -> Program {
    both(|n| {
        let other = 3 - n;
        let (raise, give) =
            (format!("store.seqcst i32 1i32 to @f{n}"), format!("store.seqcst i32 {other}i32 to @turn"));
        let enter = if is_right { format!("{raise}\n{give}") } else { format!("{give}\n{raise}") };
        format!(
            "{enter}
            jump bb2
            bb2: %f: i32 = load.seqcst i32 @f{other}
            %wants: i1 = cmp.eq i32 %f, 1i32
            branch %wants, bb3, bb4
            bb3: %t: i32 = load.seqcst i32 @turn
            %waits: i1 = cmp.eq i32 %t, {other}i32
            branch %waits, bb2, bb4
            bb4: {}
            store.seqcst i32 0i32 to @f{n}",
            inside(n)
        )
    })
}

#[test]
fn petersons_lock_keeps_the_other_out() {
    is_safe(&peterson(true));
}

#[test]
fn petersons_lock_fails_if_the_turn_is_given_first() {
    is_unsafe(&peterson(false), ABORT);
}

#[test]
fn tickets_keep_others_out_though_they_wrap_around() {
    is_safe(&both(|n| {
        format!(
            "%mine: i32 = rmw.add.seqcst i32 @next, 1i32
            jump bb2
            bb2: %now: i32 = load.seqcst i32 @serving
            %turn: i1 = cmp.eq i32 %now, %mine
            branch %turn, bb3, bb2
            bb3: {}
            %old: i32 = rmw.add.seqcst i32 @serving, 1i32",
            inside(n)
        )
    }));
}

#[test]
fn a_turn_that_goes_back_and_forth_keeps_the_other_out() {
    is_safe(&both(|n| {
        format!(
            "%t: i32 = load.seqcst i32 @turn
            %mine: i1 = cmp.eq i32 %t, {}i32
            branch %mine, bb2, bb1
            bb2: {}
            store.seqcst i32 {}i32 to @turn",
            n - 1,
            inside(n),
            2 - n
        )
    }));
}

#[test]
fn sections_for_ever_keep_two_numbers_the_same() {
    is_safe(&pair(
        &for_ever(
            "atomic
            %a: i32 = load i32 @f1
            %b: i32 = add i32 %a, 1i32
            store i32 %b to @f1
            store i32 %b to @f2
            end",
        ),
        &for_ever(
            "atomic
            %a: i32 = load i32 @f1
            %b: i32 = load i32 @f2
            end
            %c: i1 = cmp.eq i32 %a, %b
            assert %c",
        ),
    ));
}

#[test]
fn a_thread_that_counts_for_ever_comes_to_every_small_number() {
    let count = for_ever("%old: i32 = rmw.add.seqcst i32 @next, 1i32");
    let look = "%n: i32 = load.seqcst i32 @next\n%c: i1 = cmp.ne i32 %n, 4i32\nassert %c";
    let run = is_unsafe(&pair(&count, look), ABORT).run.expect("it is unsafe");
    assert!(run.turns.iter().filter(|t| **t == 1).count() >= 4, "{:?}", run.turns);
}

#[test]
fn a_section_that_marks_and_clears_keeps_one_thread_alone() {
    is_safe(&both(|_| {
        format!("call @pthread_mutex_lock(ptr @m)\n{INSIDE}\ncall @pthread_mutex_unlock(ptr @m)")
    }));
}

#[test]
fn threads_that_take_two_locks_in_different_orders_for_ever_deadlock() {
    let locks = |a: &str, b: &str| {
        for_ever(&format!(
            "call @pthread_mutex_lock(ptr @{a})\ncall @pthread_mutex_lock(ptr @{b})
            call @pthread_mutex_unlock(ptr @{b})\ncall @pthread_mutex_unlock(ptr @{a})"
        ))
    };
    is_unsafe(&pair(&locks("m", "k"), &locks("k", "m")), "deadlock");
    is_safe(&pair(&locks("m", "k"), &locks("m", "k")));
}
