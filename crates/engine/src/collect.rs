//! From the leaves of a search to what the outcome says of them.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::{FxHashSet, FxHasher};
use selvedge_analysis::Slice;
use selvedge_exec::{Bound, Finding, Machine, Options, PathEnd, State, Stream};
use selvedge_explore::{Control, Explorer, Leaf, Limits, SummaryStats};
use selvedge_program::Program;
use selvedge_term::Evaluator;

use crate::assertions::Assertions;
use crate::bugs::{bug, execute, kind_of};
use crate::config::Config;
use crate::inputs;
use crate::outcome::{Bug, Executions, PathEndKind, TestCase, Turns};
use crate::places::{short, user_place};
use crate::shorten::shorten;

/// One program under one configuration.
pub(crate) struct Run<'a> {
    pub(crate) program: &'a Program,
    pub(crate) config: &'a Config,
    pub(crate) options: Options,
    pub(crate) limits: Limits<'a>,
    /// What matters, if not everything does.
    pub(crate) slice: Option<Arc<Slice>>,
}

/// What the leaves of a search add up to.
pub(crate) struct Collected<'a> {
    pub(crate) run: &'a Run<'a>,
    pub(crate) executions: Executions,
    pub(crate) summaries: SummaryStats,
    pub(crate) bounded: bool,
    pub(crate) bounds: Vec<String>,
    pub(crate) unknown: Vec<String>,
    pub(crate) bugs: Vec<Bug>,
    pub(crate) tests: Vec<TestCase>,
    /// There are executions that nobody counted, because they are known.
    pub(crate) has_others: bool,
    /// Test cases of executions with threads.
    seen: FxHashSet<u64>,
    /// What is left to be found, if that is known.
    assertions: Option<Assertions>,
}

impl<'a> Collected<'a> {
    pub(crate) fn new(run: &'a Run<'a>) -> Self {
        Collected {
            run,
            executions: Executions::default(),
            summaries: SummaryStats::default(),
            bounded: false,
            bounds: Vec::new(),
            unknown: Vec::new(),
            bugs: Vec::new(),
            tests: Vec::new(),
            has_others: false,
            seen: FxHashSet::default(),
            assertions: Assertions::new(run.program, run.config),
        }
    }

    /// Whether the program has an execution that comes to its end, or is cut there.
    pub(crate) fn has_executions(&self) -> bool {
        let Executions { full, cut, pruned, .. } = self.executions;
        self.has_others || full + cut + pruned > 0
    }

    /// Notes why the verdict cannot be `safe`.
    pub(crate) fn unknown(&mut self, reason: String) {
        if !self.unknown.contains(&reason) {
            self.unknown.push(reason);
        }
    }

    /// Takes over what the search has counted itself.
    pub(crate) fn count(&mut self, explorer: &Explorer<'_>) {
        self.executions.blocked = explorer.n_blocked;
        self.executions.pruned = explorer.n_pruned;
        self.executions.total += explorer.n_pruned;
        self.summaries = explorer.summaries;
    }

    /// Adds what another worker found; the same bug found twice counts once.
    pub(crate) fn add(
        &mut self,
        executions: Executions,
        bugs: Vec<Bug>,
        tests: Vec<TestCase>,
        unknown: Vec<String>,
        bounds: Vec<String>,
    ) {
        let sum = &mut self.executions;
        sum.total += executions.total;
        sum.full += executions.full;
        sum.pruned += executions.pruned;
        sum.blocked += executions.blocked;
        sum.failed += executions.failed;
        sum.cut += executions.cut;
        let mut renumbered = Vec::with_capacity(bugs.len());
        for bug in bugs {
            let known = self.bugs.iter().position(|b| b.kind == bug.kind && b.location == bug.location);
            renumbered.push(known.unwrap_or(self.bugs.len()));
            if known.is_none() {
                self.bugs.push(bug);
            }
        }
        self.tests.extend(tests.into_iter().map(|mut test| {
            if let PathEndKind::Bug(index) = &mut test.end {
                *index = renumbered[*index];
            }
            test
        }));
        unknown.into_iter().for_each(|reason| self.unknown(reason));
        for reason in bounds {
            self.bound(reason, true);
        }
    }

    fn bound(&mut self, reason: String, by_user: bool) {
        if !by_user {
            return self.unknown(reason);
        }
        self.bounded = true;
        if !self.bounds.contains(&reason) {
            self.bounds.push(reason);
        }
    }

    /// Adds one leaf.
    pub(crate) fn leaf(&mut self, machine: &mut Machine<'_>, leaf: &Leaf<'_>) -> Control {
        // Most leaves are full executions, and those name no place.
        let at = match leaf.end {
            PathEnd::Exit(_) => String::new(),
            _ => short(&user_place(self.run.program, leaf.state)),
        };
        self.executions.total += 1;
        tracing::debug!(target: "explore", number = self.executions.total, end = ?leaf.end, "execution");
        let mut bug_index = None;
        match leaf.end {
            PathEnd::Exit(_) => self.executions.full += 1,
            PathEnd::Finding(finding) => {
                self.executions.failed += 1;
                bug_index = self.finding(machine, leaf, finding, &at);
            }
            PathEnd::Unchecked(finding) => {
                self.executions.cut += 1;
                let property = kind_of(finding.kind).name();
                self.unknown(format!(
                    "{at}: {}; nothing is known about what follows, and the property {property} is not checked",
                    finding.message
                ));
            }
            PathEnd::Bound(bound) => {
                self.executions.cut += 1;
                let presumed = self.run.config.presumed;
                let (text, by_user) = match bound {
                    Bound::Unwind => {
                        (format!("{at}: the loop bound is reached (--unwind)"), !presumed.unwind)
                    }
                    Bound::Steps => (format!("{at}: the step bound is reached (--max-steps)"), true),
                    Bound::Depth => (
                        format!("{at}: calls nest too deeply (--max-depth)"),
                        self.run.config.bounds.max_depth.is_some() && !presumed.max_depth,
                    ),
                    Bound::Outside => (
                        format!("{at}: more memory behind a pointer than was chosen (--elements, --structs)"),
                        self.run.config.surroundings.outside.is_chosen(),
                    ),
                };
                self.bound(text, by_user);
            }
            PathEnd::Unsupported(what) => {
                self.executions.cut += 1;
                self.unknown(format!("{at}: not supported: {what}"));
            }
            PathEnd::SolverUnknown(why) => {
                self.executions.cut += 1;
                self.unknown(format!("{at}: {why}"));
            }
            PathEnd::Infeasible => unreachable!("the search drops infeasible paths"),
        }
        if self.run.config.search.tests {
            let test = test_case(self.run.program, machine, leaf, bug_index);
            // Schedules differ more often than what they do.
            if !leaf.state.is_scheduled || self.seen.insert(fingerprint(&test)) {
                self.tests.push(test);
            }
        }
        machine.exit_code = None;
        let mut is_nothing_left = || match (leaf.end, &mut self.assertions) {
            (PathEnd::Finding(finding), Some(left)) => left.fails(leaf.state, finding.kind),
            _ => false,
        };
        match bug_index {
            Some(_) if !self.run.config.search.all_bugs || is_nothing_left() => Control::Stop,
            Some(_) => Control::Noted,
            None => Control::Continue,
        }
    }

    /// Where among the bugs a finding is; one that is not known yet is added if it happens again with concrete inputs.
    fn finding(
        &mut self,
        machine: &mut Machine<'_>,
        leaf: &Leaf<'_>,
        finding: &Finding,
        at: &str,
    ) -> Option<usize> {
        let kind = kind_of(finding.kind);
        let place = user_place(self.run.program, leaf.state);
        let known = self.bugs.iter().position(|b| b.kind == kind && b.location == place);
        if known.is_some() {
            return known;
        }
        let fixed = machine.sources.bytes_of_model(&machine.pool, leaf.model);
        let turns = Turns {
            threads: machine.thread_names.names().to_vec(),
            steps: leaf.schedule.to_vec(),
            all_shared: self.run.options.share_everything,
            points: None,
        };
        let is_wanted = |state: &State, end: &PathEnd| {
            matches!(end, PathEnd::Finding(f) if f.kind == finding.kind)
                && user_place(self.run.program, state) == place
        };
        let turns = shorten(self.run, &fixed, turns, &is_wanted);
        let execution = execute(self.run, fixed, &turns, &is_wanted);
        let end = execution.as_ref().and_then(|execution| execution.end.clone());
        match (execution, end) {
            (Some(execution), Some(PathEnd::Finding(confirmed)))
                if confirmed.kind == finding.kind && execution.place == place =>
            {
                self.bugs.push(bug(self.run.program, execution, &confirmed));
                Some(self.bugs.len() - 1)
            }
            (Some(_), None) => {
                self.unknown(format!(
                    "{at}: \"{}\" could not be confirmed: the execution that shows it comes to no end",
                    finding.message
                ));
                None
            }
            (_, end) => {
                self.unknown(format!(
                    "{at}: internal error: \"{}\" did not happen when re-executed with the found inputs (it ended with {end:?})",
                    finding.message
                ));
                None
            }
        }
    }
}

/// Tells apart what an execution consumes and does, whatever its schedule.
fn fingerprint(test: &TestCase) -> u64 {
    let mut hasher = FxHasher::default();
    for input in &test.inputs {
        (input.thread, &input.name, &input.bytes).hash(&mut hasher);
    }
    let end = match test.end {
        PathEndKind::Exit(code) => (0, i64::from(code)),
        PathEndKind::Bug(index) => (1, index as i64),
        PathEndKind::Cut => (2, 0),
    };
    (end, &test.stdout).hash(&mut hasher);
    hasher.finish()
}

fn test_case(
    program: &Program,
    machine: &mut Machine<'_>,
    leaf: &Leaf<'_>,
    bug_index: Option<usize>,
) -> TestCase {
    let fixed = machine.sources.bytes_of_model(&machine.pool, leaf.model);
    let end = match (leaf.end, bug_index) {
        (_, Some(index)) => PathEndKind::Bug(index),
        (PathEnd::Exit(code), None) => PathEndKind::Exit(match machine.exit_code {
            Some(term) => Evaluator::new(&**leaf.model).eval_u64(&machine.pool, term) as u32 as i32,
            None => *code,
        }),
        _ => PathEndKind::Cut,
    };
    TestCase {
        inputs: inputs::describe(program, leaf.state, &fixed),
        end,
        stdout: leaf.state.output.render(Stream::Stdout, &machine.pool, leaf.model),
        outside: crate::outside::case(program, machine, leaf),
    }
}
