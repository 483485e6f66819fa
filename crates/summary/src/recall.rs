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
    /// Sets of facts by their position in the archive.
    sets: FxHashMap<u32, Rc<FactSet>>,
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

    /// A set of facts, if all claims in it hold.
    fn facts(
        &mut self,
        (machine, dpor): (&mut Machine<'_>, &mut Dpor),
        position: u32,
    ) -> Option<Rc<FactSet>> {
        if let Some(set) = self.sets.get(&position) {
            return Some(set.clone());
        }
        let archive = self.archive.clone();
        let mut set = FactSet::default();
        for fact in archive.sets.get(position as usize)? {
            let number = match fact {
                Fact::Tail(claim) => {
                    let tail = archive.tails.get(*claim as usize)?;
                    let tail = &tail.summary;
                    let own = |machine: &mut Machine<'_>| {
                        numbered(machine, archive.sets.get(tail.rests_on as usize)?)
                    };
                    Fact::Tail(self.tails.holds(
                        (machine, dpor),
                        (&archive.ground, &mut self.reader),
                        (*claim, tail),
                        own,
                    )?)
                }
                other => other.clone(),
            };
            set.insert(machine.code.as_mut()?.number(&number));
        }
        let set = Rc::new(set);
        self.sets.insert(position, set.clone());
        Some(set)
    }

    /// How to come to a tail that is to be tried again.
    pub(crate) fn way_to_tail(&mut self) -> Option<Vec<Turn>> {
        self.tails.way(&self.archive.tails, self.archive.len())
    }

    /// Compares claims from before with new ones.
    pub(crate) fn compare_tails(
        &mut self,
        machine: &mut Machine<'_>,
        dpor: &mut Dpor,
        solver: &mut dyn Solver,
    ) {
        let Archive { ground, tails, .. } = &*self.archive;
        self.tails.compare((machine, dpor), solver, (ground, &mut self.reader), tails);
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
        let mut positions: FxHashMap<Rc<FactSet>, Option<u32>> = FxHashMap::default();
        let mut export = |sets: &mut Vec<Vec<Fact>>, control: Digest, summary: &Summary| {
            let position = *positions.entry(summary.facts.clone()).or_insert_with(|| {
                let facts: Vec<Fact> = summary.facts.iter().map(|n| code.fact(n).clone()).collect();
                (!facts.contains(&Fact::Fleeting)).then(|| {
                    sets.push(facts);
                    sets.len() as u32 - 1
                })
            });
            Lasting::export(machine, dpor, &mut writer, (control, position?), summary)
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

/// Facts by their numbers in this search.
fn numbered(machine: &mut Machine<'_>, facts: &[Fact]) -> Option<Rc<FactSet>> {
    let code = machine.code.as_mut()?;
    let mut set = FactSet::default();
    facts.iter().for_each(|fact| set.insert(code.number(fact)));
    Some(Rc::new(set))
}
