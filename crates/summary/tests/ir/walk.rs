//! A search that knows nothing but summaries: every thread from every state, depth first. So it shows what summaries
//! decide without `por` and `explore`.

use selvedge_base::Id;
use selvedge_exec::memory::Symbols;
use selvedge_exec::{
    Arguments, Choice, Driver, Machine, Noted, Options, Oracle, PathEnd, SegmentEnd, Sources, State, Stop,
    run_segment, start,
};
use selvedge_por::{Config, Dpor, Footprint, Reduction, ThreadId};
use selvedge_program::Program;
use selvedge_solver::{Solver, SolverConfig, build};
use selvedge_summary::{Checker, Decision, End, Left, Limits, Open, Place, Rules, Summaries};
use selvedge_term::{Assignment, TermId};

/// Programs without inputs ask nothing.
struct NoInputs;

impl Oracle for NoInputs {
    fn choose(&mut self, _: &mut Symbols<'_>, _: &State, _: &[TermId]) -> Choice {
        Choice::Unknown("the program has an input".to_owned())
    }

    fn witness(&mut self, _: &mut Symbols<'_>, _: &State, _: TermId) -> Result<u64, String> {
        Err("the program has an input".to_owned())
    }
}

/// Runs steps to their ends.
struct Stepping<'a, 'p>(&'a mut Machine<'p>);

impl Driver for Stepping<'_, '_> {
    type Left = PathEnd;

    fn run(&mut self, state: &mut State) -> Result<Stop, PathEnd> {
        Ok(self.0.run(state, &mut NoInputs, 100_000))
    }

    fn stopped(&mut self, _: &State, end: &PathEnd) -> Result<Noted, PathEnd> {
        match end {
            PathEnd::Exit(_) | PathEnd::Finding(_) => Ok(Noted::No),
            end => Err(end.clone()),
        }
    }
}

/// A walk through the states of one program.
pub(crate) struct Walk<'p> {
    pub(crate) machine: Machine<'p>,
    solver: Box<dyn Solver>,
    pub(crate) summaries: Summaries,
    dpor: Dpor,
    /// Executions to their ends, and failing ones among them.
    pub(crate) n_ends: u64,
    pub(crate) n_failing: u64,
    /// States that were not explored.
    pub(crate) n_covered: u64,
}

impl<'p> Walk<'p> {
    pub(crate) fn new(program: &'p Program, limits: Limits) -> Walk<'p> {
        let checks = vec![selvedge_exec::FindingKind::Assert];
        let options = Options { checks, ..Options::default() };
        Walk {
            machine: Machine::new(program, options, Sources::default()),
            solver: build(&SolverConfig::default()),
            summaries: Summaries::new(limits, Rules::default()),
            dpor: Dpor::new(Config::new(Reduction::None)),
            n_ends: 0,
            n_failing: 0,
            n_covered: 0,
        }
    }

    fn at_rest(&mut self, mut state: State) -> State {
        let end = run_segment(&mut Stepping(&mut self.machine), &mut state);
        assert_eq!(end, Ok(SegmentEnd::AtRest));
        state
    }

    /// The first state in which all threads rest.
    pub(crate) fn start(&mut self) -> State {
        let first = start(&mut self.machine, &Arguments::default()).expect("it has an entry");
        self.at_rest(first)
    }

    /// The state after a step.
    pub(crate) fn step(&mut self, state: &State, thread: usize) -> State {
        let mut next = state.clone();
        next.grant(thread);
        self.at_rest(next)
    }

    /// The state after these steps.
    pub(crate) fn after(&mut self, steps: &[usize]) -> State {
        let first = self.start();
        steps.iter().fold(first, |state, thread| self.step(&state, *thread))
    }

    pub(crate) fn decide(&mut self, state: &State, place: Place, asleep: &[usize]) -> Decision {
        self.decide_from(state, place, asleep, None)
    }

    fn decide_from(
        &mut self,
        state: &State,
        place: Place,
        asleep: &[usize],
        from: Option<(&State, &Open)>,
    ) -> Decision {
        let model = Assignment::new();
        let mut checker =
            Checker { machine: &mut self.machine, solver: &mut *self.solver, state, model: &model };
        let asleep = asleep.iter().map(|t| ThreadId::new(*t)).collect();
        self.summaries.decide(&mut checker, self.dpor.events_mut(), place, asleep, from)
    }

    /// Explores all that comes after a state, except for what begins with one of the threads that sleep there.
    pub(crate) fn explore(&mut self, state: &State, asleep: &[usize]) -> Option<Left> {
        self.explore_from(state, asleep, None)
    }

    fn explore_from(
        &mut self,
        state: &State,
        asleep: &[usize],
        from: Option<(&State, &Open)>,
    ) -> Option<Left> {
        let enabled: Vec<usize> = (0..state.threads.len()).filter(|t| state.is_enabled(*t)).collect();
        let place = if enabled.is_empty() { Place::End } else { Place::Rest };
        let decision = self.decide_from(state, place, asleep, from);
        if enabled.is_empty() {
            self.n_ends += 1;
            self.n_failing += u64::from(state.has_failed);
        }
        let model = Assignment::new();
        let mut open = match decision {
            Decision::Unknown => None,
            Decision::Explore(open) => Some(open),
            Decision::Covered(mut open, cover) if cover.except.is_empty() => {
                self.n_covered += 1;
                self.summaries.skip(&mut self.machine, &mut open, &cover);
                let footprint = Footprint::default();
                return Some(self.summaries.leave(&mut self.machine, open, (state, &model), footprint));
            }
            // The other half of the rule is the search's.
            Decision::Covered(open, _) => Some(open),
        };
        if let Some(open) = open.as_mut().filter(|_| enabled.is_empty()) {
            let how = if state.has_failed { End::Failed } else { End::Good };
            self.summaries.end(&self.machine, open, how, true);
        }
        for thread in enabled.into_iter().filter(|t| !asleep.contains(t)) {
            let after = self.step(state, thread);
            let left = self.explore_from(&after, &[], open.as_ref().map(|open| (state, open)));
            if let Some(open) = &mut open {
                self.summaries.absorb(&mut self.machine, open, (state, thread), (&after, &model), left);
                self.summaries.finish_step(&mut self.machine, open);
            }
        }
        open.map(|open| self.summaries.leave(&mut self.machine, open, (state, &model), Footprint::default()))
    }
}
