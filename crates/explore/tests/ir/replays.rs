//! Executions that are run again with inputs and schedule fixed.

use selvedge_exec::{FindingKind, PathEnd};
use selvedge_irkit::{Failure, Flags, replayed, search};
use selvedge_program::Program;

use crate::{ADD_ONE, ADD_ONE_LOCKED, pair, team, x_is};

fn failure(program: &Program) -> Failure {
    search(program, &Flags::dpor()).failure().clone()
}

/// How the program ends by this schedule: what is wrong, or its exit code.
#[track_caller]
fn ends(program: &Program, failure: &Failure, schedule: &[u32]) -> Result<i32, FindingKind> {
    let replay = replayed(program, &Flags::dpor(), failure, schedule).expect("it has an entry");
    match replay.end {
        Some(PathEnd::Exit(code)) => Ok(code),
        Some(PathEnd::Finding(finding)) => Err(finding.kind),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_schedule_of_a_failure_names_the_thread_of_each_visible_step() {
    let program = team(2, ADD_ONE, &x_is(2));
    let failure = failure(&program);
    let steps: Vec<u32> = failure.schedule.iter().copied().filter(|t| *t != 0).collect();
    assert_eq!(steps.len(), 6, "two accesses and an end each: {:?}", failure.schedule);
    let accesses = [steps[0], steps[1]];
    assert_ne!(accesses[0], accesses[1], "both read before one writes: {:?}", failure.schedule);
}

#[test]
fn a_failing_schedule_fails_again() {
    let program = team(2, ADD_ONE, &x_is(2));
    let failure = failure(&program);
    assert_eq!(ends(&program, &failure, &failure.schedule), Err(FindingKind::Assert));
}

#[test]
fn another_schedule_ends_otherwise() {
    let program = team(2, ADD_ONE, &x_is(2));
    let failure = failure(&program);
    assert_eq!(ends(&program, &failure, &[0, 1, 1, 1, 0, 2, 2, 2, 0]), Ok(0));
}

#[test]
fn a_schedule_that_ends_early_goes_on_with_whoever_can() {
    let program = team(2, ADD_ONE_LOCKED, "");
    let racy = team(2, ADD_ONE, &x_is(2));
    assert_eq!(ends(&program, &failure(&racy), &[]), Ok(0));
}

#[test]
fn a_deadlock_is_replayed() {
    let locks = |a: &str, b: &str| {
        format!(
            "call @pthread_mutex_lock(ptr @{a})\ncall @pthread_mutex_lock(ptr @{b})
            call @pthread_mutex_unlock(ptr @{b})\ncall @pthread_mutex_unlock(ptr @{a})"
        )
    };
    let program = pair(&locks("m", "k"), &locks("k", "m"), "");
    let failure = failure(&program);
    assert_eq!(ends(&program, &failure, &failure.schedule), Err(FindingKind::Deadlock));
    assert_eq!(ends(&program, &failure, &[1, 1, 1, 1, 1]), Ok(0));
}

#[test]
fn a_schedule_that_runs_a_thread_that_cannot_go_on_is_refused() {
    let take = "call @pthread_mutex_lock(ptr @m)\ncall @pthread_mutex_unlock(ptr @m)";
    let racy = team(2, ADD_ONE, &x_is(2));
    let replay = replayed(&pair(take, take, ""), &Flags::dpor(), &failure(&racy), &[0, 1, 2, 2])
        .expect("it has an entry");
    let Some(PathEnd::Unsupported(why)) = replay.end else { panic!("{:?}", replay.end) };
    assert_eq!(why, "the schedule runs thread 2, which cannot go on there");
}

#[test]
fn a_replay_says_who_made_each_step() {
    let program = team(2, ADD_ONE, &x_is(2));
    let failure = failure(&program);
    let replay = replayed(&program, &Flags::dpor(), &failure, &failure.schedule).expect("it has an entry");
    let threads: Vec<u32> = replay.turns.iter().map(|turn| turn.thread as u32).collect();
    assert_eq!(threads, failure.schedule[..threads.len()]);
}

#[test]
fn the_inputs_of_a_failure_lead_to_it_again() {
    let choose = "%i: i32 = call @__VERIFIER_nondet_int()
        %c: i1 = cmp.eq i32 %i, 99i32
        branch %c, bb1, bb2
        bb1: store i32 99i32 to @x
        jump bb2
        bb2:";
    let program = pair(choose, choose, &x_is(0));
    let failure = failure(&program);
    assert_eq!(ends(&program, &failure, &failure.schedule), Err(FindingKind::Assert));
    let mut harmless = failure.clone();
    harmless.inputs.bytes.clear();
    assert_eq!(ends(&program, &harmless, &[]), Ok(0));
}

#[test]
fn a_failure_that_is_found_with_a_slice_is_replayed_with_all_steps() {
    let one = "store i32 5i32 to @y\nstore i32 1i32 to @x\nstore i32 6i32 to @y";
    let program = pair(one, "store i32 7i32 to @y\nstore i32 2i32 to @x", &x_is(2));
    let whole = search(&program, &Flags::ag());
    let sliced = search(&program, &Flags { slice: true, ..Flags::ag() });
    assert_eq!(sliced.places(), whole.places());
    assert!(sliced.failure().schedule.len() < whole.failure().schedule.len());
}
