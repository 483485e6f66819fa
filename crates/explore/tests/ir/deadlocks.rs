//! Executions in which threads wait for ever.

use selvedge_exec::FindingKind;
use selvedge_irkit::{Flags, Text, search};

use crate::pair;
use crate::{agree, check};

fn locks(first: &str, second: &str) -> String {
    format!(
        "call @pthread_mutex_lock(ptr @{first})
        call @pthread_mutex_lock(ptr @{second})
        call @pthread_mutex_unlock(ptr @{second})
        call @pthread_mutex_unlock(ptr @{first})"
    )
}

#[test]
fn locks_taken_in_different_orders_can_deadlock() {
    let program = pair(&locks("m", "k"), &locks("k", "m"), "");
    check(&program, "unsafe: 2 full, 1 failed");
    let failure = search(&program, &Flags::dpor()).failure().clone();
    assert_eq!(failure.kind, FindingKind::Deadlock);
    assert_eq!(failure.labels.len(), 3, "main and both threads wait: {:?}", failure.labels);
}

#[test]
fn locks_taken_in_one_order_cannot_deadlock() {
    check(&pair(&locks("m", "k"), &locks("m", "k"), ""), "safe: 2 full");
}

#[test]
fn a_lock_around_both_orders_prevents_the_deadlock() {
    let guarded = |a, b| {
        format!("call @pthread_mutex_lock(ptr @g)\n{}\ncall @pthread_mutex_unlock(ptr @g)", locks(a, b))
    };
    let program = Text::new()
        .mutexes(&["g", "m", "k"])
        .thread("one", &guarded("m", "k"))
        .thread("two", &guarded("k", "m"))
        .main("run one two");
    check(&program, "safe: 2 full");
}

#[test]
fn a_deadlock_that_nobody_asked_for_is_an_end() {
    let program = pair(&locks("m", "k"), &locks("k", "m"), "");
    let found = search(&program, &Flags { checks: Vec::new(), ..Flags::dpor() });
    assert_eq!(found.to_string(), "safe: 3 full");
}

#[test]
fn a_mutex_that_is_never_released_holds_up_the_other_thread() {
    let take = "call @pthread_mutex_lock(ptr @m)";
    let program = pair(take, take, "");
    check(&program, "unsafe: 2 failed");
}

#[test]
fn the_end_of_main_is_not_held_up_by_threads_that_wait() {
    let program = Text::new()
        .mutexes(&["m"])
        .thread("one", "call @pthread_mutex_lock(ptr @m)")
        .main("call @pthread_mutex_lock(ptr @m)\nstart one");
    let found = search(&program, &Flags::dpor());
    assert_eq!(found.to_string(), "safe: 1 full");
    agree(&program, &found);
}

#[test]
fn a_lost_signal_is_a_deadlock() {
    let program = Text::new()
        .mutexes(&["m"])
        .zeros("c", 48)
        .thread(
            "waiter",
            "call @pthread_mutex_lock(ptr @m)
            call @pthread_cond_wait(ptr @c, ptr @m)
            call @pthread_mutex_unlock(ptr @m)",
        )
        .thread("waker", "call @pthread_cond_signal(ptr @c)")
        .main("run waiter waker");
    check(&program, "unsafe: 1 full, 1 failed");
}

#[test]
fn a_barrier_for_more_threads_than_there_are_is_a_deadlock() {
    let program = Text::new()
        .zeros("b", 32)
        .thread("one", "call @pthread_barrier_wait(ptr @b)")
        .main("call @pthread_barrier_init(ptr @b, ptr null, i32 2i32)\nrun one");
    check(&program, "unsafe: 1 failed");
}

#[test]
fn a_deadlock_in_one_trace_does_not_hide_the_failure_of_another() {
    let look = "%v: i32 = load i32 @x\n%c: i1 = cmp.eq i32 %v, 0i32\nassert %c";
    let first = format!("{}\nstore i32 1i32 to @x", locks("m", "k"));
    let program = pair(&first, &format!("{}\n{look}", locks("k", "m")), "");
    let found = search(&program, &Flags::dpor());
    assert_eq!(found.failures.len(), 2, "{:?}", found.places());
    agree(&program, &found);
}
