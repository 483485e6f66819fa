//! From the states of a depth-first search to summaries: what is gathered at a state until it is left.
//!
//! Rules R1 to R4: an end of an execution is `true` if it is a good one, else `false`; a step that can go several ways
//! is the disjunction of the ways that were explored; a state is the conjunction of its explored threads; a pruned
//! state is the summary that pruned it. What the search does not hand over contributes nothing, so it is not covered.

use std::rc::Rc;
use std::sync::Arc;

use selvedge_exec::{Control, Fact, FactSet, Leads, Machine, State, leads};
use selvedge_por::{EventTable, Footprint, ThreadId};
use selvedge_solver::Solver;
use selvedge_term::{Assignment, TermId, VarId};
use smallvec::SmallVec;

use crate::boxes::{Bounds, enclose};
use crate::check::{Checker, Covered};
use crate::lasting::{Archive, Harvest};
use crate::linear::Sums;
use crate::pace::Pace;
use crate::recall::Recall;
use crate::rules::Rules;
use crate::size::Counter;
use crate::table::{Key, Limits, Stats, Summary, SummaryTable};
use crate::tails::{Turn, is_tail};
use crate::wp::{Inputs, Made, Steps};

/// Nodes of a formula that is small enough as it is.
const MIN_LARGE: usize = 200;

/// A state that is being explored.
pub struct Open {
    id: u64,
    /// The state whose summary covers this one, entirely or but for some threads.
    covered_by: Option<u64>,
    control: Control,
    key: Key,
    asleep: SmallVec<[ThreadId; 4]>,
    /// What is needed for the threads that are explored.
    formula: TermId,
    /// What is needed for the ways explored so far of the thread that is being explored, if there is one.
    step: Option<Ways>,
    inputs: Inputs,
    is_pruned: bool,
    /// Ways to an end that were explored below.
    n_ends: u64,
    /// One of them is an execution.
    has_executions: bool,
    /// States below, those that were skipped included.
    n_states: u64,
    /// What everything below rests on, if somebody asked for it.
    facts: FactSet,
    /// Where the pointers of the formula lead, if it is that of a summary which covers the state.
    leads: Rc<[(VarId, Leads)]>,
    /// Nothing below has failed.
    is_lasting: bool,
}

impl Open {
    /// A number that no other state of the search has.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// The number of the state whose summary covers this one, entirely or but for some threads.
    pub fn covered_by(&self) -> Option<u64> {
        self.covered_by
    }

    /// What everything below it rests on.
    pub fn facts(&mut self) -> &mut FactSet {
        &mut self.facts
    }

    /// Whether anything below it, or skipped there, is an execution: what contradicts an assumption is none.
    pub fn has_executions(&self) -> bool {
        self.has_executions
    }
}

/// The ways of one step.
struct Ways {
    /// One of them is taken, and all is well after it.
    safe: TermId,
    /// One of them is taken.
    taken: TermId,
}

/// A state that was left.
pub struct Left {
    control: Control,
    key: Key,
    formula: TermId,
    n_ends: u64,
    has_executions: bool,
    n_states: u64,
    facts: FactSet,
    is_lasting: bool,
    /// What is claimed of it, if summaries are to outlive the search and one thread was left.
    tail: Option<Box<Summary>>,
}

impl Left {
    /// Under which values everything below it is safe.
    pub fn formula(&self) -> TermId {
        self.formula
    }
}

/// How an execution has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// Well, or it contradicts an assumption and is none.
    Good,
    /// With a failure that is noted: whoever skips it must not look for it again, but it is there.
    Noted,
    /// With another failure, or somewhere on the way there was one.
    Failed,
}

/// Where a search has come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A state in which all threads rest, and some can go on.
    Rest,
    /// One in which none can: the execution ends here, and is always explored.
    End,
    /// A branch in the middle of a step. Nobody else can move there, so a summary covers it entirely or not at all.
    Branch,
}

/// What is known about a state that the search has come to.
pub enum Decision {
    /// Nothing, and no summary of it is made: nobody will ask for its footprint.
    Unknown,
    /// Nothing yet: explore it.
    Explore(Open),
    /// A summary covers it, at least but for some threads. Whether that is skipped is the search's to say, and if so, it
    /// must [tell](Summaries::skip).
    Covered(Open, Cover),
}

/// What covers a state.
pub struct Cover {
    summary: Rc<Summary>,
    /// Threads that slept when the summary was made and are awake now: executions in which one of them comes first are not
    /// covered.
    pub except: Vec<ThreadId>,
    /// What the covered executions do.
    pub footprint: Footprint,
}

impl Cover {
    /// Whether one execution is covered and no more. To skip it saves nothing if another has to be tried on account of it.
    pub fn is_single(&self) -> bool {
        self.summary.is_single
    }
}

/// The summaries of a search.
pub struct Summaries {
    table: SummaryTable,
    rules: Rules,
    steps: Steps,
    counter: Counter,
    sums: Sums,
    pace: Pace,
    has_given_up: bool,
    /// Nodes of terms from which on no more formulas are made.
    max_nodes: Option<u64>,
    n_entered: u64,
    /// What is known from before, if summaries are to outlive the search.
    recall: Option<Recall>,
}

impl Summaries {
    /// No summaries yet.
    pub fn new(limits: Limits, rules: Rules) -> Summaries {
        let table = SummaryTable::new(limits);
        Summaries {
            table,
            rules,
            steps: Steps::default(),
            counter: Counter::default(),
            sums: Sums::default(),
            pace: Pace::default(),
            has_given_up: false,
            max_nodes: None,
            n_entered: 0,
            recall: None,
        }
    }

    /// Uses what is known from before, and keeps what later searches can use.
    pub fn remember(&mut self, archive: Arc<Archive>) {
        self.table.keep_digests();
        self.recall = Some(Recall::new(archive));
    }

    /// Whether summaries are to outlive the search.
    pub fn remembers(&self) -> bool {
        self.recall.is_some()
    }

    /// The summaries that may outlive the search.
    pub fn harvest(&self, machine: &Machine<'_>, events: &EventTable) -> Harvest {
        self.recall
            .as_ref()
            .map_or_else(Harvest::default, |recall| recall.harvest(&self.table, machine, events))
    }

    /// How many claims about tails that have changed hold again. If there are more than when a state was looked up, more may
    /// be known about it.
    pub fn n_tails_again(&self) -> u64 {
        self.recall.as_ref().map_or(0, |recall| recall.tails.n_again())
    }

    /// Compares what earlier versions claim of tails with what this search has found out about theirs.
    pub fn compare_tails(
        &mut self,
        machine: &mut Machine<'_>,
        events: &mut EventTable,
        solver: &mut dyn Solver,
    ) {
        if let Some(recall) = self.recall.as_mut().filter(|recall| recall.tails.has_new()) {
            recall.compare_tails((machine, events), solver, self.rules.claims_follow);
        }
    }

    /// What was counted.
    pub fn stats(&self) -> Stats {
        self.table.stats
    }

    /// Takes no more memory: the older summaries go, the others can still be used, and no more are made.
    pub fn economise(&mut self) {
        if self.max_nodes != Some(0) {
            self.max_nodes = Some(0);
            self.table.halve();
            self.steps.clear();
            self.sums.clear();
        }
    }

    /// Gives memory back, and makes no more summaries.
    pub fn give_up(&mut self) {
        if !self.has_given_up {
            self.table.clear();
            self.steps.clear();
            self.sums.clear();
            self.has_given_up = true;
        }
    }

    /// Whether a summary may be made at a state.
    fn is_active(&mut self, checker: &Checker<'_, '_>) -> bool {
        // What comes after a failure that is not noted is not safe, whatever it is.
        !checker.state.has_failed
            && !self.has_given_up
            && self.pace.is_active(checker, self.table.stats.nodes)
    }

    /// Whether formulas take so much room that no more are made. Those there are can still be used.
    fn is_full(&mut self, machine: &Machine<'_>) -> bool {
        let n_nodes = machine.pool.len() as u64;
        let limits = self.table.limits();
        n_nodes > *self.max_nodes.get_or_insert_with(|| n_nodes.saturating_add(limits.nodes()))
    }

    /// A state of which a summary is made, unless it cannot be described.
    fn open(
        &mut self,
        checker: &mut Checker<'_, '_>,
        asleep: SmallVec<[ThreadId; 4]>,
        from: Option<(&State, &Open)>,
    ) -> Option<Open> {
        self.n_entered += 1;
        let like = from.map(|(state, open)| (state, &open.control));
        let control = checker.machine.control(checker.state, like).filter(Control::is_known)?;
        let key = self.table.key(&control, from.map(|(_, open)| (&open.control, &open.key)));
        Some(Open {
            id: self.n_entered,
            covered_by: None,
            control,
            key,
            asleep,
            formula: checker.machine.pool.tt(),
            step: None,
            inputs: Inputs::default(),
            is_pruned: false,
            n_ends: 0,
            has_executions: false,
            n_states: 1,
            facts: FactSet::default(),
            leads: Rc::default(),
            is_lasting: true,
        })
    }

    /// What is known about a state that the search has come to. `asleep` are the threads that sleep there; `from` is where
    /// the search has come from, if it makes a summary of that.
    pub fn decide(
        &mut self,
        checker: &mut Checker<'_, '_>,
        events: &mut EventTable,
        place: Place,
        asleep: SmallVec<[ThreadId; 4]>,
        from: Option<(&State, &Open)>,
    ) -> Decision {
        let open = if self.is_active(checker) { self.open(checker, asleep, from) } else { None };
        let Some(open) = open else { return Decision::Unknown };
        if place == Place::End {
            return Decision::Explore(open);
        }
        self.recall(checker.machine, events, &open.key);
        let cover = self.find(checker, &open.key, &open.asleep);
        match cover.filter(|cover| place == Place::Rest || cover.except.is_empty()) {
            Some(cover) => Decision::Covered(open, cover),
            None if self.is_full(checker.machine) => Decision::Unknown,
            None => Decision::Explore(open),
        }
    }

    /// Whether a state of which a part is explored is entirely covered by what has come to hold since it was looked up.
    pub fn look_again(
        &mut self,
        checker: &mut Checker<'_, '_>,
        events: &mut EventTable,
        open: &Open,
    ) -> Option<Cover> {
        if checker.state.has_failed || self.has_given_up {
            return None;
        }
        if !self.recall(checker.machine, events, &open.key) {
            return None;
        }
        self.find(checker, &open.key, &open.asleep).filter(|cover| cover.except.is_empty())
    }

    /// Looks up what is known from before about a control state. Says whether there is anything new.
    fn recall(&mut self, machine: &mut Machine<'_>, events: &mut EventTable, key: &Key) -> bool {
        let (Some(recall), Some(control)) = (&mut self.recall, self.table.digest(key)) else { return false };
        let found = recall.look_up(machine, events, control, self.n_entered + 1);
        let is_new = !found.is_empty();
        for (summary, n_nodes) in found {
            self.n_entered += 1;
            self.table.stats.recalled += 1;
            self.table.store(key, summary, n_nodes);
        }
        is_new
    }

    fn find(&mut self, checker: &mut Checker<'_, '_>, key: &Key, asleep: &[ThreadId]) -> Option<Cover> {
        let Covered { summary, missing } =
            checker.find(&mut self.table, key, asleep, self.rules.sleep_counts)?;
        let footprint = match self.rules.footprints_count {
            true => summary.footprint.clone(),
            false => Footprint::default(),
        };
        Some(Cover { summary, except: missing, footprint })
    }

    /// The search skips what covers the state.
    pub fn skip(&mut self, machine: &mut Machine<'_>, open: &mut Open, cover: &Cover) {
        let summary = &cover.summary;
        if summary.is_recalled
            && let Some(recall) = &mut self.recall
        {
            self.table.stats.reused += 1;
            recall.vouch(machine, &summary.facts);
        }
        open.facts.union(&summary.facts);
        open.is_lasting &= summary.is_lasting;
        open.covered_by = Some(summary.origin);
        if self.rules.pruned_is_summary {
            open.formula = summary.formula;
        }
        open.leads = summary.leads.clone();
        self.table.stats.hits += 1;
        self.pace.saves(summary.n_states);
        open.n_states = summary.n_states;
        if cover.except.is_empty() {
            open.is_pruned = true;
            open.has_executions = summary.has_executions;
        } else {
            open.asleep.retain(|t| summary.asleep.contains(t));
        }
    }

    /// The rules it goes by.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The execution ends in this state. It may contradict an assumption, and be none.
    pub fn end(&mut self, machine: &Machine<'_>, open: &mut Open, how: End, is_execution: bool) {
        open.has_executions = is_execution;
        open.is_lasting = how == End::Good;
        if how == End::Failed {
            open.formula = machine.pool.ff();
        }
    }

    /// All ways of the step of a thread are explored.
    pub fn finish_step(&mut self, machine: &mut Machine<'_>, open: &mut Open) {
        let Some(ways) = open.step.take() else { return };
        open.inputs.clear();
        let pool = &mut machine.pool;
        let safe = match self.rules.unexplored_is_unknown {
            true => ways.safe,
            false => {
                let elsewhere = pool.not(ways.taken);
                pool.or(ways.safe, elsewhere)
            }
        };
        open.formula = match self.rules.all_threads_count {
            true => pool.and(open.formula, safe),
            false if open.formula == pool.tt() => safe,
            false => pool.or(open.formula, safe),
        };
        if !self.rules.finished_only && open.formula != pool.ff() {
            let summary = summary_of(open, (None, Rc::default()), Footprint::default());
            self.table.store(&open.key, summary, 0);
        }
    }

    /// The state is left: everything below it is explored.
    pub fn leave(
        &mut self,
        machine: &mut Machine<'_>,
        mut open: Open,
        (state, model): (&State, &Assignment),
        footprint: Footprint,
    ) -> Left {
        self.finish_step(machine, &mut open);
        let mut leads = open.leads.clone();
        if !open.is_pruned && open.formula != machine.pool.ff() {
            let limit = self.table.limits().size;
            let mut n_nodes = self.counter.size(&machine.pool, open.formula, limit);
            if n_nodes.is_none_or(|n| n > MIN_LARGE)
                && let Some(strongest) = self.sums.strongest(machine, (state, model), open.formula)
            {
                open.formula = strongest;
                n_nodes = self.counter.size(&machine.pool, strongest, limit);
            }
            let mut bounds = None;
            if n_nodes.is_none()
                && let Some((small, within)) = enclose(machine, state, model, open.formula)
            {
                (open.formula, bounds) = (small, Some(within));
                n_nodes = self.counter.size(&machine.pool, small, limit);
            }
            match n_nodes {
                Some(n_nodes) => {
                    leads = self.leads(machine, state, open.formula);
                    let summary = summary_of(&open, (bounds, leads.clone()), footprint.clone());
                    self.table.store(&open.key, summary, n_nodes);
                }
                None => {
                    self.table.stats.dropped += 1;
                    open.formula = machine.pool.ff();
                }
            }
        }
        let is_tail = self.recall.is_some() && open.is_lasting && state.has_one_thread();
        let tail = is_tail.then(|| Box::new(summary_of(&open, (None, leads), footprint)));
        Left {
            tail,
            control: open.control,
            key: open.key,
            formula: open.formula,
            n_ends: open.n_ends.max(1),
            has_executions: open.has_executions,
            n_states: open.n_states,
            facts: open.facts,
            is_lasting: open.is_lasting,
        }
    }

    /// Where the pointers of a formula lead in a state.
    fn leads(&self, machine: &mut Machine<'_>, state: &State, formula: TermId) -> Rc<[(VarId, Leads)]> {
        if !self.rules.pointers_lead_alike {
            return Rc::default();
        }
        let vars = machine.pool.vars(formula);
        vars.iter().filter_map(|&var| Some((var, leads(machine, state, var)?))).collect()
    }

    /// A way of the step of `thread` from `before` has been explored: it led to `after`, which was left. Without `left`,
    /// nothing is known about what comes after it. If this makes a new claim about a tail, gives its number: the search knows
    /// the [way](Self::note_way) there.
    pub fn absorb(
        &mut self,
        machine: &mut Machine<'_>,
        open: &mut Open,
        (before, thread): (&State, usize),
        (after, model): (&State, &Assignment),
        left: Option<Left>,
    ) -> Option<u32> {
        let ff = machine.pool.ff();
        let ways = open.step.get_or_insert(Ways { safe: ff, taken: ff });
        let left = left?;
        open.n_ends += left.n_ends;
        // A failing execution is counted when it fails.
        open.has_executions |= left.has_executions || after.n_noted > before.n_noted;
        let claim = left.tail.filter(|_| !before.has_one_thread());
        let claim = claim.and_then(|claim| self.claim(machine, &left.key, *claim));
        match claim {
            Some((fact, _)) => open.facts.insert(fact),
            None => open.facts.union(&left.facts),
        }
        let new = claim.and_then(|(_, new)| new);
        open.is_lasting &= left.is_lasting && after.n_noted == before.n_noted;
        open.n_states = open.n_states.saturating_add(left.n_states);
        let is_pointless = open.formula == ff || left.formula == ff;
        if is_pointless && self.rules.unexplored_is_unknown {
            return new;
        }
        self.table.stats.formulas += 1;
        let made = Made {
            before: (before, &open.key),
            thread,
            after: (after, &left.key),
            control: &left.control,
            model,
            n_instructions: after.steps - before.steps,
        };
        let (inputs, omit) = (&mut open.inputs, self.rules.omit());
        let needed = self.steps.weakest_precondition(machine, &made, left.formula, inputs, omit);
        if let Some(needed) = needed {
            ways.safe = machine.pool.or(ways.safe, needed.formula);
            ways.taken = machine.pool.or(ways.taken, needed.way);
        }
        new
    }

    /// A state that no step led to was left. If one thread is left there, this is a claim about a tail, and gives its number
    /// if it is new.
    pub fn claim_alone(&mut self, machine: &mut Machine<'_>, left: Option<Left>) -> Option<u32> {
        let left = left?;
        self.claim(machine, &left.key, *left.tail?)?.1
    }

    /// The number of the fact that a tail which begins at the control state of `key` is safe, and of the claim if it is new.
    fn claim(&mut self, machine: &mut Machine<'_>, key: &Key, claim: Summary) -> Option<(u32, Option<u32>)> {
        let control = self.table.digest(key)?;
        let recall = self.recall.as_mut().filter(|_| is_tail(machine, &claim.facts))?;
        let n_known = recall.tails.claims().len();
        let claim = recall.tails.claim(control, claim);
        let is_new = claim as usize == n_known;
        Some((machine.code.as_mut()?.number(&Fact::Tail(claim)), is_new.then_some(claim)))
    }

    /// Notes how the search has come to where a tail begins.
    pub fn note_way(&mut self, claim: u32, way: Vec<Turn>) {
        if let Some(recall) = &mut self.recall {
            recall.tails.note_way(claim, way);
        }
    }

    /// How to come to where a tail begins of which a claim from before is to be tried again; `None` if there is none, or if
    /// it takes less to search. A claim is asked for once.
    pub fn way_to_tail(&mut self) -> Option<Vec<Turn>> {
        self.recall.as_mut()?.way_to_tail()
    }
}

/// What is known about the control state of a state that is being left.
fn summary_of(
    open: &Open,
    (bounds, leads): (Option<Bounds>, Rc<[(VarId, Leads)]>),
    footprint: Footprint,
) -> Summary {
    let weight = footprint.weight() + 24 * leads.len() as u64 + open.facts.weight();
    Summary {
        formula: open.formula,
        bounds,
        leads,
        asleep: open.asleep.clone(),
        footprint,
        origin: open.id,
        is_single: open.n_ends <= 1,
        has_executions: open.has_executions,
        n_states: open.n_states,
        weight,
        facts: open.facts.clone().into(),
        is_lasting: open.is_lasting,
        is_recalled: false,
    }
}
