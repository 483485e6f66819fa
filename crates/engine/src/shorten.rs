//! Schedules with fewer switches between threads, for people to read.
//!
//! A search finds some schedule that fails. Moving a run of steps of one thread next to its neighbours of the same
//! thread often fails in the same way. Each candidate is executed; only one that ends as wanted is kept, so the
//! result is as real as what it started from.

use std::sync::Arc;
use std::time::{Duration, Instant};

use selvedge_analysis::Slice;
use selvedge_exec::{FixedInputs, Machine, PathEnd, State, ThreadNames};
use selvedge_explore::replay;

use crate::bugs::{TURNS_PER_STEP, fixed_sources};
use crate::collect::Run;
use crate::outcome::Turns;

/// Executions spent on one bug.
const MAX_TRIES: u32 = 400;
/// Time spent on one bug.
const MAX_TIME: Duration = Duration::from_millis(500);
/// Visible steps of an execution that is tried, if its schedule is not a long one: another schedule may lead into a loop
/// without an end.
const MAX_TURNS: usize = 10_000;

/// A schedule that ends as wanted, with as few switches as could be found in a short time.
pub(crate) fn shorten(
    run: &Run<'_>,
    fixed: &FixedInputs,
    turns: Turns,
    is_wanted: &dyn Fn(&State, &PathEnd) -> bool,
) -> Turns {
    let started = Instant::now();
    let mut tries = 0;
    let mut best = turns;
    if let Some(slice) = &run.slice
        && let Some(steps) = attempt(run, fixed, &best.threads, &best.steps, Some(slice), is_wanted)
    {
        // Everything that others could notice is a step from here on, whether it matters or not.
        best.steps = steps;
    }
    let mut from = 0;
    while let Some((candidate, at)) = next_candidate(&best.steps, from) {
        if tries >= MAX_TRIES || started.elapsed() >= MAX_TIME {
            break;
        }
        tries += 1;
        match attempt(run, fixed, &best.threads, &candidate, None, is_wanted) {
            Some(steps) if switches(&steps) < switches(&best.steps) => {
                best.steps = steps;
                from = 0;
            }
            _ => from = at + 1,
        }
    }
    best
}

/// The thread that runs before any visible step.
const MAIN: u32 = 0;

/// How often the thread changes.
fn switches(steps: &[u32]) -> usize {
    let first = steps.first().is_some_and(|t| *t != MAIN);
    usize::from(first) + steps.windows(2).filter(|pair| pair[0] != pair[1]).count()
}

/// The next schedule in which the thread before a switch goes on: its next steps are brought forward to the first
/// switch at or after `from`.
fn next_candidate(steps: &[u32], from: usize) -> Option<(Vec<u32>, usize)> {
    for at in from..steps.len() {
        let thread = if at == 0 { MAIN } else { steps[at - 1] };
        if steps[at] == thread {
            continue;
        }
        let Some(next) = (at..steps.len()).find(|&i| steps[i] == thread) else { continue };
        let end = (next..steps.len()).find(|&i| steps[i] != thread).unwrap_or(steps.len());
        let mut candidate = Vec::with_capacity(steps.len());
        candidate.extend_from_slice(&steps[..at]);
        candidate.extend_from_slice(&steps[next..end]);
        candidate.extend_from_slice(&steps[at..next]);
        candidate.extend_from_slice(&steps[end..]);
        return Some((candidate, at));
    }
    None
}

/// Executes a schedule; the steps it took if it ends as wanted.
fn attempt(
    run: &Run<'_>,
    fixed: &FixedInputs,
    threads: &[(u32, u32)],
    steps: &[u32],
    slice: Option<&Arc<Slice>>,
    is_wanted: &dyn Fn(&State, &PathEnd) -> bool,
) -> Option<Vec<u32>> {
    let mut machine = Machine::new(run.program, run.options.clone(), fixed_sources(run, fixed));
    machine.thread_names = ThreadNames::from_names(threads.to_vec());
    let limits = (&run.limits, MAX_TURNS.max(TURNS_PER_STEP * steps.len()));
    let replayed = replay(&mut machine, &run.config.arguments, steps, limits, slice, is_wanted)?;
    let end = replayed.end?;
    is_wanted(&replayed.state, &end).then(|| replayed.turns.iter().map(|s| s.thread as u32).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_candidate_brings_the_next_steps_of_a_thread_forward() {
        assert_eq!(next_candidate(&[0, 1, 0, 0, 2], 1), Some((vec![0, 0, 0, 1, 2], 1)));
        assert_eq!(next_candidate(&[0, 1, 0, 0, 1], 2), Some((vec![0, 1, 1, 0, 0], 2)));
        assert_eq!(next_candidate(&[1, 0, 2], 0), Some((vec![0, 1, 2], 0)), "main ran before");
        assert_eq!(next_candidate(&[0, 0, 1, 2], 1), None);
        assert_eq!(switches(&[0, 1, 1, 0]), 2);
    }
}
