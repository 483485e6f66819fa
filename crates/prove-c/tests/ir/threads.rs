//! Threads that come to an end: what holds after joins, between sections, at signals.

use selvedge_irkit::Text;

use crate::{ABORT, is_safe, is_unsafe, shared};

const ADD_ONE: &str = "%old: i32 = load i32 @x\n%new: i32 = add i32 %old, 1i32\nstore i32 %new to @x";

const X_IS_2: &str = "%x: i32 = load i32 @x\n%c: i1 = cmp.eq i32 %x, 2i32\nassert %c";

fn pair(body: &str, after: &str) -> selvedge_program::Program {
    shared(&["x"]).thread("a", body).thread("b", body).main(&format!("run a b\n{after}"))
}

#[test]
fn a_lost_update_is_found() {
    let run = is_unsafe(&pair(ADD_ONE, X_IS_2), ABORT).run.expect("it is unsafe");
    assert!(run.turns.contains(&1) && run.turns.contains(&2), "{:?}", run.turns);
}

#[test]
fn an_update_under_a_mutex_is_not_lost() {
    let body = format!("call @pthread_mutex_lock(ptr @m)\n{ADD_ONE}\ncall @pthread_mutex_unlock(ptr @m)");
    is_safe(&pair(&body, X_IS_2));
}

#[test]
fn an_update_in_one_section_is_not_lost() {
    is_safe(&pair(&format!("atomic\n{ADD_ONE}\nend"), X_IS_2));
}

#[test]
fn an_update_in_one_instruction_is_not_lost() {
    is_safe(&pair("%old: i32 = rmw.add.seqcst i32 @x, 1i32", X_IS_2));
}

#[test]
fn locks_in_different_orders_deadlock() {
    let locks = |a: &str, b: &str| {
        format!(
            "call @pthread_mutex_lock(ptr @{a})\ncall @pthread_mutex_lock(ptr @{b})
            call @pthread_mutex_unlock(ptr @{b})\ncall @pthread_mutex_unlock(ptr @{a})"
        )
    };
    let text = || shared(&[]).thread("a", &locks("m", "k"));
    is_unsafe(&text().thread("b", &locks("k", "m")).main("run a b"), "deadlock");
    is_safe(&text().thread("b", &locks("m", "k")).main("run a b"));
}

#[test]
fn a_flag_is_seen_after_the_data() {
    let program = shared(&["data", "flag"])
        .thread("writer", "store i32 1i32 to @data\nstore.release i32 1i32 to @flag")
        .thread(
            "reader",
            "%f: i32 = load.acquire i32 @flag
            %d: i32 = load i32 @data
            %c: i1 = cmp.ule i32 %f, %d
            assert %c",
        )
        .main("run writer reader");
    is_safe(&program);
}

#[test]
fn a_flag_that_is_set_too_early_is_found() {
    let program = shared(&["data", "flag"])
        .thread("writer", "store.release i32 1i32 to @flag\nstore i32 1i32 to @data")
        .thread(
            "reader",
            "%f: i32 = load.acquire i32 @flag
            %d: i32 = load i32 @data
            %c: i1 = cmp.ule i32 %f, %d
            assert %c",
        )
        .main("run writer reader");
    is_unsafe(&program, ABORT);
}

#[test]
fn a_failure_needs_the_inputs_of_two_threads() {
    let body = |cell: &str| format!("%i: i32 = call @__VERIFIER_nondet_int()\nstore i32 %i to @{cell}");
    let program = shared(&["x", "y"]).thread("a", &body("x")).thread("b", &body("y")).main(
        "run a b
        %x: i32 = load i32 @x
        %y: i32 = load i32 @y
        %s: i32 = sub i32 %x, %y
        %c: i1 = cmp.ne i32 %s, 40i32
        assert %c",
    );
    is_unsafe(&program, ABORT);
}

#[test]
fn a_thread_that_waits_for_a_condition_sees_that_it_holds() {
    let program = Text::new()
        .int("x", 0)
        .mutexes(&["m"])
        .zeros("c", 48)
        .thread(
            "waiter",
            "call @pthread_mutex_lock(ptr @m)
            jump bb1
            bb1: %v: i32 = load i32 @x
            %c: i1 = cmp.eq i32 %v, 0i32
            branch %c, bb2, bb3
            bb2: call @pthread_cond_wait(ptr @c, ptr @m)
            jump bb1
            bb3: %w: i32 = load i32 @x
            %d: i1 = cmp.eq i32 %w, 1i32
            assert %d
            call @pthread_mutex_unlock(ptr @m)",
        )
        .thread(
            "waker",
            "call @pthread_mutex_lock(ptr @m)
            store i32 1i32 to @x
            call @pthread_cond_signal(ptr @c)
            call @pthread_mutex_unlock(ptr @m)",
        )
        .main("run waiter waker");
    is_safe(&program);
}

#[test]
fn what_happens_before_a_thread_is_started_is_seen_by_it() {
    let program = shared(&["x"])
        .thread("a", "%v: i32 = load i32 @x\n%c: i1 = cmp.eq i32 %v, 4i32\nassert %c")
        .main("store i32 4i32 to @x\nrun a");
    is_safe(&program);
}
