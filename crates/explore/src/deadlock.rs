//! Executions that end with threads that wait for ever.

use selvedge_exec::{Finding, FindingKind, Machine, PathEnd, Phase, State, frame_loc};

/// What is wrong with a state in which no thread can move: the thread to blame, and a finding. `None` if all
/// have ended, if a clock or somebody outside would let one go on, if the program has (its end is not held up by waiting threads), or if nobody asked.
pub fn stuck(machine: &Machine<'_>, state: &State) -> Option<(usize, Finding)> {
    if state.exited.is_some() || !machine.options.checks(FindingKind::Deadlock) {
        return None;
    }
    let live: Vec<usize> =
        (0..state.threads.len()).filter(|&t| state.is_live(t) && !state.is_bringer(t)).collect();
    if live.iter().any(|&t| state.waits_for_time(t) || state.waits_for_outside(t)) {
        return None;
    }
    let is_spinning = |t: &usize| matches!(state.threads[*t].phase, Phase::Spinning(_));
    // Who waits with a lock in hand, or for something others could have done, says more than who joins.
    let joins = |t: &usize| state.waits_for_end_of(*t).is_some();
    let blamed = live.iter().copied().find(|t| !joins(t)).or_else(|| live.first().copied())?;
    let notes = live.iter().map(|&t| describe(machine, state, t)).collect();
    let (kind, message) = if live.iter().any(is_spinning) {
        (FindingKind::Livelock, "livelock: threads spin and wait for what no thread will do")
    } else {
        (FindingKind::Deadlock, "deadlock: every thread that has not ended waits for ever")
    };
    Some((blamed, Finding { kind, message: message.to_string(), notes }))
}

/// How an execution ended in which nothing is wrong with the threads.
pub(crate) fn regular_end(machine: &Machine<'_>, state: &State) -> PathEnd {
    if state.exited.is_none() && (0..state.threads.len()).any(|t| state.waits_for_time(t)) {
        // Clocks do not stand still for ever.
        return PathEnd::Infeasible;
    }
    if state.exited.is_none() && machine.options.checks(FindingKind::Deadlock) && leaves_others_waiting(state)
    {
        return PathEnd::Unsupported(
            "a deadlock of threads while another one waits for somebody outside".to_string(),
        );
    }
    let leaks = [FindingKind::Leak, FindingKind::Cleanup].iter().any(|k| machine.options.checks(*k));
    let has_ended = (0..state.threads.len()).all(|t| !state.is_live(t) || state.is_bringer(t));
    if leaks && has_ended && state.exited.is_none() {
        // Only `exit` looks for leaks, and it did not run.
        return PathEnd::Unsupported("leaks of a program that ends with its last thread".to_string());
    }
    PathEnd::Exit(state.exited.unwrap_or(0))
}

/// Whether a thread waits for somebody outside and others wait for something else: these may go on when somebody comes,
/// or never. Who joins a thread that waits for somebody outside is no such case.
fn leaves_others_waiting(state: &State) -> bool {
    let live = || (0..state.threads.len()).filter(|&t| state.is_live(t) && !state.is_bringer(t));
    let goes_on = |thread: usize| {
        let mut chain =
            std::iter::successors(Some(thread), |&t| state.waits_for_end_of(t)).take(state.threads.len());
        chain.any(|t| state.waits_for_outside(t))
    };
    live().any(|t| state.waits_for_outside(t)) && live().any(|t| !goes_on(t))
}

fn describe(machine: &Machine<'_>, state: &State, thread: usize) -> String {
    let program = machine.image.program;
    let place = state.threads[thread]
        .frames
        .iter()
        .rev()
        .find(|f| !program.funcs[f.func].is_runtime)
        .map_or_else(|| "an unknown place".to_string(), |f| machine.place(frame_loc(program, f)));
    let what = match &state.threads[thread].phase {
        Phase::Spinning(_) => "spins".to_string(),
        _ => machine.waits_for(state, thread),
    };
    format!("thread {thread} {what} at {place}")
}
