//! Executions that end with threads that wait for ever.

use selvedge_exec::{Finding, FindingKind, Label, Machine, PathEnd, Phase, State};

/// What is wrong with a state in which no thread can move: the thread to blame, and a finding. `None` if all
/// have ended, if a clock or somebody outside would let them go on, if the program has (its end is not held up by
/// waiting threads), or if nobody asked.
pub fn stuck(machine: &Machine<'_>, state: &State) -> Option<(usize, Finding)> {
    if state.exited.is_some() || !machine.options.checks(FindingKind::Deadlock) {
        return None;
    }
    let live = waiting(state);
    if live.iter().any(|&t| state.waits_for_time(t)) {
        return None;
    }
    if live.iter().any(|&t| state.waits_for_outside(t)) {
        return stuck_beside_server(machine, state, &live);
    }
    let is_spinning = |t: &usize| matches!(state.threads[*t].phase, Phase::Spinning(_));
    let labels = live.iter().flat_map(|&t| labels(machine, state, t)).collect();
    let (kind, message) = if live.iter().any(is_spinning) {
        (FindingKind::Livelock, "livelock: threads spin and wait for what no thread will do")
    } else {
        (FindingKind::Deadlock, "deadlock: every thread that has not ended waits for ever")
    };
    Some((blamed(state, &live)?, Finding { kind, message: message.to_string(), labels }))
}

/// As [`stuck`], where a thread waits for somebody outside. Whoever comes, locks are released by those who hold them and
/// threads end by themselves, so threads that need each other for that wait for ever. What else a thread waits for, one
/// that goes on might give it ([`note_served_later`]).
fn stuck_beside_server(machine: &Machine<'_>, state: &State, live: &[usize]) -> Option<(usize, Finding)> {
    let going = going_on(state, live);
    let stuck: Vec<usize> = live.iter().copied().filter(|t| !going.contains(t)).collect();
    let message = "deadlock: threads wait for ever while another one waits for somebody outside".to_string();
    let labels = live.iter().flat_map(|&t| labels(machine, state, t)).collect();
    Some((blamed(state, &stuck)?, Finding { kind: FindingKind::Deadlock, message, labels }))
}

/// Threads of `live` that may go on if one that waits for somebody outside does: all but those that need one that has
/// ended, or each other.
fn going_on(state: &State, live: &[usize]) -> Vec<usize> {
    let mut going: Vec<usize> = Vec::new();
    loop {
        let before = going.len();
        for &thread in live {
            // What a thread would have done that was stopped for good is not known.
            let helps = |t: &usize| going.contains(t) || state.threads[*t].phase == Phase::Halted;
            if !going.contains(&thread) && state.waits_for_threads(thread).iter().all(helps) {
                going.push(thread);
            }
        }
        if going.len() == before {
            return going;
        }
    }
}

/// Who waits with a lock in hand, or for something others could have done, says more than who joins.
fn blamed(state: &State, threads: &[usize]) -> Option<usize> {
    let joins = |t: &usize| state.waits_for_end_of(*t).is_some();
    threads.iter().copied().find(|t| !joins(t)).or_else(|| threads.first().copied())
}

/// Threads that have not ended, where none can move.
fn waiting(state: &State) -> Vec<usize> {
    (0..state.threads.len()).filter(|&t| state.is_live(t) && !state.is_bringer(t)).collect()
}

/// How an execution ended in which nothing is wrong with the threads.
pub(crate) fn regular_end(machine: &Machine<'_>, state: &State) -> PathEnd {
    if state.exited.is_none() && (0..state.threads.len()).any(|t| state.waits_for_time(t)) {
        // Clocks do not stand still for ever.
        return PathEnd::Infeasible;
    }
    let leaks = [FindingKind::Leak, FindingKind::Cleanup].iter().any(|k| machine.options.checks(*k));
    let has_ended = (0..state.threads.len()).all(|t| !state.is_live(t) || state.is_bringer(t));
    if leaks && has_ended && state.exited.is_none() {
        // Only `exit` looks for leaks, and it did not run.
        return PathEnd::Unsupported("leaks of a program that ends with its last thread".to_string());
    }
    PathEnd::Exit(state.exited.unwrap_or(0))
}

/// Notes which threads wait in a state that is no deadlock only because another thread waits for somebody outside. Who
/// joins one that waits for somebody outside waits for nothing else.
pub fn note_served_later(machine: &mut Machine<'_>, state: &State) {
    if state.exited.is_some() || !machine.options.checks(FindingKind::Deadlock) {
        return;
    }
    let live = waiting(state);
    let is_outside = |thread: usize| {
        let mut chain =
            std::iter::successors(Some(thread), |&t| state.waits_for_end_of(t)).take(state.threads.len());
        chain.any(|t| state.waits_for_outside(t))
    };
    if live.iter().any(|&t| state.waits_for_outside(t)) {
        for &thread in live.iter().filter(|&&t| !is_outside(t)) {
            machine.assumed_of_thread(state, thread, "threads.served-later");
        }
    }
}

/// The locks that a thread has taken, in the order of their places in memory, and what it waits for.
fn labels(machine: &Machine<'_>, state: &State, thread: usize) -> Vec<Label> {
    let stack = state.user_frames(machine.image.program, thread).collect();
    let what = match &state.threads[thread].phase {
        Phase::Spinning(_) => "spins".to_string(),
        _ => machine.waits_for(state, thread),
    };
    let mut labels = machine.locks_taken(state, thread);
    labels.push(Label::of_thread(thread, what, stack));
    labels
}
