//! What a search takes from summaries that are known from before.

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_exec::{Fact, FactSet, Machine};
use selvedge_por::EventTable;
use selvedge_solver::Solver;

use crate::ground::{Reader, Writer};
use crate::lasting::{Archive, Claimed, Harvest, Lasting, LastingTail, Layer};
use crate::size::Counter;
use crate::table::{Digest, Summary, SummaryTable};
use crate::tails::{Tail, Tails, Turn, claims_in};

/// A summary, a set of facts or the like by its layer and its position there.
type At = (u32, u32);

/// What a search takes from an archive.
#[derive(Debug)]
pub(crate) struct Recall {
    archive: Arc<Archive>,
    /// Control states that were looked up.
    asked: FxHashSet<Digest>,
    /// Their summaries that rest on a claim that does not hold yet, and how many held again when they were looked up.
    waiting: FxHashMap<Digest, (Vec<At>, u64)>,
    /// Sets of facts by where they are in the archive, and facts.
    sets: FxHashMap<At, Rc<FactSet>>,
    numbers: FxHashMap<u32, u32>,
    /// The claims in each set of facts that was looked at.
    claims: FxHashMap<At, Vec<u32>>,
    /// Sets of which this search has noted everything.
    vouched: FxHashSet<*const FactSet>,
    /// What was read of each layer.
    readers: Vec<Reader>,
    counter: Counter,
    pub(crate) tails: Tails,
}

impl Recall {
    pub(crate) fn new(archive: Arc<Archive>) -> Recall {
        let mut tails = Tails::default();
        tails.recall(&archive);
        let readers = archive.layers.iter().map(|_| Reader::default()).collect();
        Recall {
            archive,
            asked: FxHashSet::default(),
            waiting: FxHashMap::default(),
            sets: FxHashMap::default(),
            numbers: FxHashMap::default(),
            claims: FxHashMap::default(),
            vouched: FxHashSet::default(),
            readers,
            counter: Counter::default(),
            tails,
        }
    }

    /// The summaries of a control state that are new: all that hold when it is met for the first time, later those that hold
    /// again. The numbers of their states begin with `first`.
    pub(crate) fn look_up(
        &mut self,
        machine: &mut Machine<'_>,
        events: &mut EventTable,
        control: Digest,
        first: u64,
    ) -> Vec<(Summary, usize)> {
        let archive = self.archive.clone();
        let n_again = self.tails.n_again();
        let asked: Vec<At> = match self.asked.insert(control) {
            true => (0..)
                .zip(&archive.layers)
                .flat_map(|(layer, (all, holds))| {
                    all.of(control).filter(|i| holds.get(*i) == Some(&true)).map(move |i| (layer, i as u32))
                })
                .collect(),
            false => match self.waiting.remove(&control) {
                Some((waiting, before)) if before < n_again => waiting,
                Some(other) => {
                    self.waiting.insert(control, other);
                    return Vec::new();
                }
                None => return Vec::new(),
            },
        };
        let (mut found, mut waiting) = (Vec::new(), Vec::new());
        for (layer, position) in asked {
            let known = &archive.layers[layer as usize].0;
            let lasting = &known.summaries()[position as usize];
            let Some(facts) = self.facts((machine, events), (layer, lasting.rests_on)) else {
                waiting.push((layer, position));
                continue;
            };
            let origin = first + found.len() as u64;
            let at = (&known.ground, &mut self.readers[layer as usize]);
            let Some(summary) = lasting.import(machine, events, at, facts, origin) else { continue };
            if let Some(n_nodes) = self.counter.size(&machine.pool, summary.formula, usize::MAX) {
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
        (machine, events): (&mut Machine<'_>, &mut EventTable),
        at: At,
    ) -> Option<Rc<FactSet>> {
        if let Some(set) = self.sets.get(&at) {
            return Some(set.clone());
        }
        let archive = self.archive.clone();
        let known = archive.layers.get(at.0 as usize)?.0.sets.get(at.1)?;
        if self.rests_on_open_claim(at, &known) {
            return None;
        }
        let mut set = FactSet::default();
        for fact in known.iter() {
            set.insert(match archive.facts.get(fact as usize)?.as_ref()? {
                Fact::Tail(claim) => {
                    let claim = self.claim((machine, events), *claim)?;
                    machine.code.as_mut()?.number(&Fact::Tail(claim))
                }
                other => self.number(machine, fact, other)?,
            });
        }
        let set = Rc::new(set);
        self.sets.insert(at, set.clone());
        Some(set)
    }

    /// Whether a claim in a set of facts does not hold, or not yet.
    fn rests_on_open_claim(&mut self, at: At, set: &FactSet) -> bool {
        let archive = &self.archive;
        let claims = self.claims.entry(at).or_insert_with(|| {
            let claim = |fact: u32| match archive.facts.get(fact as usize) {
                Some(Some(Fact::Tail(claim))) => Some(*claim),
                _ => None,
            };
            set.iter().filter_map(claim).collect()
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
    fn claim(
        &mut self,
        (machine, events): (&mut Machine<'_>, &mut EventTable),
        position: u32,
    ) -> Option<u32> {
        if let Some(known) = self.tails.standing_at(position) {
            return known;
        }
        let archive = self.archive.clone();
        let (layer, LastingTail { summary: tail, .. }) = archive.claim(position)?;
        // What a tail rests on names no claim.
        let facts = self.facts((machine, events), (layer, tail.rests_on))?;
        let at = (&archive.layers[layer as usize].0.ground, &mut self.readers[layer as usize]);
        let claim = tail.import(machine, events, at, facts, 0);
        self.tails.take_over(position, tail.control, claim)
    }

    /// How to come to a tail that is to be tried again.
    pub(crate) fn way_to_tail(&mut self) -> Option<Vec<Turn>> {
        self.tails.way(&self.archive)
    }

    /// Compares claims from before with new ones.
    pub(crate) fn compare_tails(
        &mut self,
        at: (&mut Machine<'_>, &mut EventTable),
        solver: &mut dyn Solver,
        must_follow: bool,
    ) {
        self.tails.compare(at, (solver, must_follow), (&self.archive, &mut self.readers));
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

    /// All new summaries of a search that may outlive it, and the claims that they rest on.
    pub(crate) fn harvest(
        &self,
        table: &SummaryTable,
        machine: &Machine<'_>,
        events: &EventTable,
    ) -> Harvest {
        let mut writer = Writer::default();
        let (mut all, mut tails, mut sets, mut claims) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut positions: FxHashMap<Rc<FactSet>, u32> = FxHashMap::default();
        let mut export = |sets: &mut Vec<Rc<FactSet>>, control: Digest, summary: &Summary| {
            let position = *positions.entry(summary.facts.clone()).or_insert_with(|| {
                sets.push(summary.facts.clone());
                sets.len() as u32 - 1
            });
            Lasting::export((machine, events), &mut writer, (control, position), summary)
        };
        let before = self.tails.unchanged(&self.archive);
        for (number, Tail { control, summary, way }) in (0..).zip(self.tails.claims()) {
            claims.push(match before.get(&number) {
                Some(position) => Claimed::Before(*position),
                None => match export(&mut sets, *control, summary) {
                    Some(summary) => {
                        tails.push(LastingTail { summary, way: way.clone() });
                        Claimed::New(tails.len() as u32 - 1)
                    }
                    None => Claimed::Fleeting,
                },
            });
        }
        for (control, summary) in table.lasting().filter(|(_, summary)| !summary.is_recalled) {
            all.extend(export(&mut sets, control, summary));
        }
        let layer = Layer::new(writer.finish(), all, tails);
        Harvest { layer, sets, claims, standing: self.tails.standing() }
    }
}
