//! What a search takes from summaries that are known from before.

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_exec::{Fact, FactSet, Machine};
use selvedge_por::Dpor;
use selvedge_solver::Solver;

use crate::ground::{Reader, Writer};
use crate::lasting::{Archive, Harvest, Lasting, LastingTail};
use crate::size::Counter;
use crate::table::{Digest, Summary, SummaryTable};
use crate::tails::{Tail, Tails, Turn, claims_in};

/// What a search takes from an archive.
#[derive(Debug)]
pub(crate) struct Recall {
    archive: Arc<Archive>,
    /// Control states that were looked up.
    asked: FxHashSet<Digest>,
    /// Their summaries that rest on a claim that does not hold yet, by position, and how many held again when they were
    /// looked up.
    waiting: FxHashMap<Digest, (Vec<usize>, u64)>,
    /// Sets of facts by their position in the archive, and facts.
    sets: FxHashMap<u32, Rc<FactSet>>,
    numbers: FxHashMap<u32, u32>,
    /// The claims in each set of facts that was looked at.
    claims: FxHashMap<u32, Vec<u32>>,
    /// Sets of which this search has noted everything.
    vouched: FxHashSet<*const FactSet>,
    reader: Reader,
    pub(crate) tails: Tails,
}

impl Recall {
    pub(crate) fn new(archive: Arc<Archive>) -> Recall {
        let mut tails = Tails::default();
        let unchanged = archive.are_unchanged.iter().copied();
        tails.recall(archive.tails.iter().map(|tail| &tail.summary).zip(unchanged));
        Recall {
            archive,
            asked: FxHashSet::default(),
            waiting: FxHashMap::default(),
            sets: FxHashMap::default(),
            numbers: FxHashMap::default(),
            claims: FxHashMap::default(),
            vouched: FxHashSet::default(),
            reader: Reader::default(),
            tails,
        }
    }

    /// The summaries of a control state that are new: all that hold when it is met for the first time, later those that hold
    /// again. The numbers of their states begin with `first`.
    pub(crate) fn look_up(
        &mut self,
        machine: &mut Machine<'_>,
        dpor: &mut Dpor,
        control: Digest,
        first: u64,
    ) -> Vec<(Summary, usize)> {
        let archive = self.archive.clone();
        let known = archive.summaries.get(&control).map_or(&[][..], Vec::as_slice);
        let n_again = self.tails.n_again();
        let asked = match self.asked.insert(control) {
            true => (0..known.len()).collect(),
            false => match self.waiting.remove(&control) {
                Some((waiting, before)) if before < n_again => waiting,
                Some(other) => {
                    self.waiting.insert(control, other);
                    return Vec::new();
                }
                None => return Vec::new(),
            },
        };
        let (mut counter, mut found, mut waiting) = (Counter::default(), Vec::new(), Vec::new());
        for position in asked {
            let lasting = &known[position];
            let Some(facts) = self.facts((machine, dpor), lasting.rests_on) else {
                waiting.push(position);
                continue;
            };
            let origin = first + found.len() as u64;
            let at = (&archive.ground, &mut self.reader);
            let Some(summary) = lasting.import(machine, dpor, at, facts, origin) else { continue };
            if let Some(n_nodes) = counter.size(&machine.pool, summary.formula, usize::MAX) {
                found.push((summary, n_nodes));
            }
        }
        if !waiting.is_empty() {
            self.waiting.insert(control, (waiting, n_again));
        }
        found
    }

    /// A set of facts, if all of it holds.
    fn facts(
        &mut self,
        (machine, dpor): (&mut Machine<'_>, &mut Dpor),
        position: u32,
    ) -> Option<Rc<FactSet>> {
        if let Some(set) = self.sets.get(&position) {
            return Some(set.clone());
        }
        let archive = self.archive.clone();
        if self.rests_on_open_claim(position) {
            return None;
        }
        let mut set = FactSet::default();
        for fact in archive.sets.get(position as usize)?.iter() {
            set.insert(match archive.facts.get(fact as usize)?.as_ref()? {
                Fact::Tail(claim) => {
                    let claim = self.claim((machine, dpor), *claim)?;
                    machine.code.as_mut()?.number(&Fact::Tail(claim))
                }
                other => self.number(machine, fact, other)?,
            });
        }
        let set = Rc::new(set);
        self.sets.insert(position, set.clone());
        Some(set)
    }

    /// Whether a claim in a set of facts does not hold, or not yet.
    fn rests_on_open_claim(&mut self, position: u32) -> bool {
        let archive = &self.archive;
        let claims = self.claims.entry(position).or_insert_with(|| {
            let facts = archive.sets.get(position as usize).into_iter().flat_map(FactSet::iter);
            let claim = |fact: u32| match archive.facts.get(fact as usize) {
                Some(Some(Fact::Tail(claim))) => Some(*claim),
                _ => None,
            };
            facts.filter_map(claim).collect()
        });
        claims.iter().any(|claim| self.tails.standing_at(*claim) == Some(None))
    }

    /// The number of a fact in this search, by that in the archive.
    fn number(&mut self, machine: &mut Machine<'_>, position: u32, fact: &Fact) -> Option<u32> {
        if let Some(number) = self.numbers.get(&position) {
            return Some(*number);
        }
        let number = machine.code.as_mut()?.number(fact);
        self.numbers.insert(position, number);
        Some(number)
    }

    /// The number of a claim in this search, by that in the archive, if it holds.
    fn claim(&mut self, (machine, dpor): (&mut Machine<'_>, &mut Dpor), position: u32) -> Option<u32> {
        if let Some(known) = self.tails.standing_at(position) {
            return known;
        }
        let archive = self.archive.clone();
        let tail = &archive.tails.get(position as usize)?.summary;
        // What a tail rests on names no claim.
        let facts = self.facts((machine, dpor), tail.rests_on)?;
        let at = (&archive.ground, &mut self.reader);
        let claim = tail.import(machine, dpor, at, facts, 0);
        self.tails.take_over(position, tail.control, claim)
    }

    /// How to come to a tail that is to be tried again.
    pub(crate) fn way_to_tail(&mut self) -> Option<Vec<Turn>> {
        self.tails.way(&self.archive.tails, self.archive.len())
    }

    /// Compares claims from before with new ones.
    pub(crate) fn compare_tails(
        &mut self,
        at: (&mut Machine<'_>, &mut Dpor),
        solver: &mut dyn Solver,
        must_follow: bool,
    ) {
        let Archive { ground, tails, .. } = &*self.archive;
        self.tails.compare(at, (solver, must_follow), (ground, &mut self.reader), tails);
    }

    /// A part is skipped on account of a summary from before: what its executions would have noted is noted.
    pub(crate) fn vouch(&mut self, machine: &mut Machine<'_>, facts: &Rc<FactSet>) {
        if !self.vouched.insert(Rc::as_ptr(facts)) {
            return;
        }
        let claims = claims_in(machine, facts);
        if claims.is_empty() {
            return machine.note_again(facts);
        }
        let Some(code) = &machine.code else { return };
        let mut own = FactSet::default();
        facts.iter().filter(|n| !matches!(code.fact(*n), Fact::Tail(_))).for_each(|n| own.insert(n));
        machine.note_again(&own);
        for claim in claims {
            let facts = self.tails.claims()[claim as usize].summary.facts.clone();
            if self.vouched.insert(Rc::as_ptr(&facts)) {
                machine.note_again(&facts);
            }
        }
    }

    /// All summaries of a search that may outlive it, and the claims that they rest on.
    pub(crate) fn harvest(&self, table: &SummaryTable, machine: &Machine<'_>, dpor: &Dpor) -> Harvest {
        let Some(code) = &machine.code else { return Harvest::default() };
        let mut writer = Writer::new(machine, self.archive.ground.clone(), &self.reader);
        let mut harvest = Harvest { standing: self.tails.standing(), ..Harvest::default() };
        harvest.facts = code.numbered().to_vec();
        let mut positions: FxHashMap<Rc<FactSet>, u32> = FxHashMap::default();
        let mut export = |sets: &mut Vec<FactSet>, control: Digest, summary: &Summary| {
            let position = *positions.entry(summary.facts.clone()).or_insert_with(|| {
                sets.push((*summary.facts).clone());
                sets.len() as u32 - 1
            });
            Lasting::export(machine, dpor, &mut writer, (control, position), summary)
        };
        for Tail { control, summary, way } in self.tails.claims() {
            let summary = export(&mut harvest.sets, *control, summary);
            harvest.tails.push(summary.map(|summary| LastingTail { summary, way: way.clone() }));
        }
        for (control, summary) in table.lasting() {
            harvest.summaries.extend(export(&mut harvest.sets, control, summary));
        }
        harvest.ground = Some(writer.finish());
        harvest
    }
}
