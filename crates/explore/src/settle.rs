//! The segments of a search: limits are looked at on the way, and what stops a thread is reported.

use selvedge_exec::{Driver, Noted, PathEnd, SegmentEnd, State, Stop, run_segment};
use selvedge_term::TermId;

use crate::explorer::{Ended, Explorer, Watch};

/// Gets what stops a thread in the middle, and says whether it is noted.
pub(crate) type Report<'r, 'p> =
    dyn FnMut(&mut Explorer<'p>, &mut Watch<'_, 'p>, &State, &PathEnd) -> Result<Noted, Ended> + 'r;

/// The ways that a segment can go: the number and the condition of each.
pub(crate) type Ways = Vec<(u32, TermId)>;

struct Searching<'a, 'w, 'p> {
    explorer: &'a mut Explorer<'p>,
    watch: &'a mut Watch<'w, 'p>,
    report: &'a mut Report<'a, 'p>,
}

impl Driver for Searching<'_, '_, '_> {
    type Left = Ended;

    fn run(&mut self, state: &mut State) -> Result<Stop, Ended> {
        self.explorer.step(state, self.watch)
    }

    fn stopped(&mut self, state: &State, end: &PathEnd) -> Result<Noted, Ended> {
        match end {
            PathEnd::Exit(_) | PathEnd::Infeasible => Ok(Noted::No),
            _ => (self.report)(self.explorer, self.watch, state, end),
        }
    }
}

/// Runs the threads of `state` that have local work to do, until all rest or the segment can go several ways. `report`
/// gets what stops a thread in the middle, except for the end of the program and failed assumptions.
pub(crate) fn settle<'p>(
    explorer: &mut Explorer<'p>,
    watch: &mut Watch<'_, 'p>,
    state: &mut State,
    report: &mut Report<'_, 'p>,
) -> Result<Option<Ways>, Ended> {
    let end = run_segment(&mut Searching { explorer, watch, report }, state)?;
    match end {
        SegmentEnd::AtRest => Ok(None),
        SegmentEnd::Lost => Err(Ended::Lost),
        SegmentEnd::Forked(ways) => {
            explorer.n_states += ways.len() as u64 - 1;
            Ok(Some(ways))
        }
    }
}
