//! Joins, condition variables, barriers, loops that wait.

use selvedge_exec::FindingKind;
use selvedge_irkit::{Flags, Text, Verdict, search};

use crate::{agree, check};
use crate::{pair, x_is};

/// Waits on the condition `c` until `x` is not 0.
const WAIT: &str = "call @pthread_mutex_lock(ptr @m)
    jump bb1
    bb1: %v: i32 = load i32 @x
    %c: i1 = cmp.eq i32 %v, 0i32
    branch %c, bb2, bb3
    bb2: call @pthread_cond_wait(ptr @c, ptr @m)
    jump bb1
    bb3: call @pthread_mutex_unlock(ptr @m)";

fn wake(how: &str) -> String {
    format!(
        "call @pthread_mutex_lock(ptr @m)
        store i32 1i32 to @x
        call @pthread_cond_{how}(ptr @c)
        call @pthread_mutex_unlock(ptr @m)"
    )
}

fn monitor() -> Text {
    Text::new().int("x", 0).mutexes(&["m"]).zeros("c", 48)
}

#[test]
fn a_thread_that_waits_for_a_condition_is_woken() {
    let program = monitor().thread("waiter", WAIT).thread("waker", &wake("signal")).main("run waiter waker");
    check(&program, "safe: 2 full");
}

#[test]
fn a_signal_wakes_one_thread_and_a_broadcast_all() {
    for (how, expected) in [("signal", Verdict::Unsafe), ("broadcast", Verdict::Safe)] {
        let program =
            monitor().thread("a", WAIT).thread("b", WAIT).thread("waker", &wake(how)).main("run a b waker");
        let found = search(&program, &Flags::dpor());
        assert_eq!(found.verdict(), expected, "{how}: {found}");
        assert!(found.failures.values().all(|f| f.kind == FindingKind::Deadlock));
        agree(&program, &found);
    }
}

#[test]
fn a_wait_that_may_end_without_a_reason_looks_again() {
    let program = monitor().thread("waiter", WAIT).thread("waker", &wake("signal")).main("run waiter waker");
    let found = search(&program, &Flags { spurious_wakeups: true, ..Flags::dpor() });
    assert_eq!(found.verdict(), Verdict::Safe, "{found}");
}

#[test]
fn a_wait_that_does_not_look_again_fails_when_it_ends_without_a_reason() {
    let once = "call @pthread_mutex_lock(ptr @m)
        %v: i32 = load i32 @x
        %c: i1 = cmp.eq i32 %v, 0i32
        branch %c, bb1, bb2
        bb1: call @pthread_cond_wait(ptr @c, ptr @m)
        jump bb2
        bb2: %w: i32 = load i32 @x
        %d: i1 = cmp.ne i32 %w, 0i32
        assert %d
        call @pthread_mutex_unlock(ptr @m)";
    let program = monitor().thread("waiter", once).thread("waker", &wake("signal")).main("run waiter waker");
    assert_eq!(search(&program, &Flags::dpor()).verdict(), Verdict::Safe);
    let found = search(&program, &Flags { spurious_wakeups: true, ..Flags::dpor() });
    assert_eq!(found.verdict(), Verdict::Unsafe);
}

#[test]
fn a_join_orders_what_comes_after_it() {
    check(&pair("store i32 1i32 to @x", "store i32 1i32 to @y", &x_is(1)), "safe: 1 full");
}

#[test]
fn threads_that_join_each_other_deadlock() {
    let program = Text::new()
        .zeros("id", 8)
        .thread("one", "%h: i64 = load i64 @id\ncall @pthread_join(i64 %h, ptr null)")
        .main("start one\n%h: i64 = load i64 %id_one\nstore i64 %h to @id\njoin one");
    let found = search(&program, &Flags::dpor());
    assert_eq!(found.verdict(), Verdict::Unsafe, "{found}");
}

#[test]
fn threads_that_meet_at_a_barrier_see_what_was_done_before_it() {
    let meet = |mine: &str, other: &str| {
        format!(
            "store i32 1i32 to @{mine}
            call @pthread_barrier_wait(ptr @b)
            %v: i32 = load i32 @{other}
            %c: i1 = cmp.eq i32 %v, 1i32
            assert %c"
        )
    };
    let program = Text::new()
        .int("x", 0)
        .int("y", 0)
        .zeros("b", 32)
        .thread("one", &meet("x", "y"))
        .thread("two", &meet("y", "x"))
        .main("call @pthread_barrier_init(ptr @b, ptr null, i32 2i32)\nrun one two");
    let found = search(&program, &Flags::dpor());
    assert_eq!(found.verdict(), Verdict::Safe, "{found}");
    agree(&program, &found);
}

/// Spins until `x` is 1.
const SPIN: &str = "jump bb1
    bb1: %v: i32 = load.acquire i32 @x
    %c: i1 = cmp.eq i32 %v, 1i32
    branch %c, bb2, bb1
    bb2:";

#[test]
fn a_loop_that_waits_ends_when_another_thread_lets_it() {
    let program = pair(SPIN, "store.release i32 1i32 to @x", &x_is(1));
    let found = search(&program, &Flags::dpor());
    assert_eq!(found.verdict(), Verdict::Safe, "{found}");
    assert!(found.full <= 2, "{found}");
    agree(&program, &found);
}

#[test]
fn a_loop_that_waits_for_what_nobody_does_is_a_livelock() {
    let program = pair(SPIN, "store.release i32 2i32 to @x", "");
    let found = search(&program, &Flags::dpor());
    let kinds: Vec<_> = found.failures.values().map(|f| f.kind).collect();
    assert_eq!(kinds, [FindingKind::Livelock], "{found}");
    agree(&program, &found);
}

#[test]
fn a_trylock_that_fails_does_not_wait() {
    let holder = "call @pthread_mutex_lock(ptr @m)\ncall @pthread_mutex_unlock(ptr @m)";
    let trier = "%r: i32 = call @pthread_mutex_trylock(ptr @m)
        %c: i1 = cmp.eq i32 %r, 0i32
        branch %c, bb1, bb2
        bb1: call @pthread_mutex_unlock(ptr @m)
        jump bb2
        bb2:";
    check(&pair(holder, trier, ""), "safe: 3 full");
}

#[test]
fn readers_of_a_lock_do_not_hold_each_other_up() {
    let read =
        "call @pthread_rwlock_rdlock(ptr @l)\n%v: i32 = load i32 @x\ncall @pthread_rwlock_unlock(ptr @l)";
    let text = Text::new().int("x", 0).zeros("l", 56).thread("a", read).thread("b", read);
    check(&text.clone().main("run a b"), "safe: 1 full");
    let write =
        "call @pthread_rwlock_wrlock(ptr @l)\nstore i32 1i32 to @x\ncall @pthread_rwlock_unlock(ptr @l)";
    check(&text.thread("w", write).main("run a w"), "safe: 2 full");
}

#[test]
fn what_happens_once_happens_once() {
    let once = "call @pthread_once(ptr @o, ptr @init)";
    let program = Text::new()
        .int("x", 0)
        .zeros("o", 8)
        .function("init", "()", &format!("{}\nreturn", crate::ADD_ONE))
        .thread("a", once)
        .thread("b", once)
        .main(&format!("run a b\n{}", x_is(1)));
    let found = search(&program, &Flags::dpor());
    assert_eq!(found.verdict(), Verdict::Safe, "{found}");
    agree(&program, &found);
}
