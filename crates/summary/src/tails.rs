//! What the last thread does when all others have ended.
//!
//! Most programs end in one thread: it joins the others and looks at what they have left. A summary of a state before that
//! need not rest on the code of this *tail*. It rests on a claim about the state in which the tail begins: from these
//! values on, all is well. If the tail has changed, the claim is tried on the new version, by the one execution that
//! explores the new tail from there, and all summaries that rest on it hold again.
//!
//! Guarantee: a claim is taken over if the new tail was explored, nothing failed in it, its formula follows from that of the
//! claim, and its events are the same, one after the other. So whoever rests on the claim has a safe state after its step
//! (rules R2, R4), and the races with what comes before are those that were looked at then (R9).
//! Relies on: a tail starts no thread, so that its events have one order and nothing else can be tried in it (R3, R8).

use std::rc::Rc;

use rustc_hash::FxHashMap;
use selvedge_exec::{Fact, FactSet, Machine};
use selvedge_por::EventTable;
use selvedge_solver::{Answer, Query, Solver, Want};
use selvedge_term::TermId;
use serde::{Deserialize, Serialize};

use crate::ground::Reader;
use crate::lasting::Archive;
use crate::table::{Digest, Summary};

/// A claim about the state in which a tail begins.
#[derive(Debug)]
pub(crate) struct Tail {
    pub(crate) control: Digest,
    pub(crate) summary: Rc<Summary>,
    /// How the search has come there; empty if it does not know.
    pub(crate) way: Vec<Turn>,
}

/// A step on the way to a tail.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Turn {
    /// The thread that makes it; none for what comes before the first step.
    pub thread: Option<u32>,
    /// The branches that it takes.
    pub branches: Vec<u32>,
}

/// What is known about a claim from before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Known {
    /// The code that it rests on is unchanged, or not: nobody has asked for it yet.
    Unchanged,
    Changed,
    /// It holds, as a claim of this search.
    Holds(u32),
    /// It cannot be understood.
    Lost,
}

/// The claims of a search, and those from before.
#[derive(Debug, Default)]
pub(crate) struct Tails {
    claims: Vec<Tail>,
    by_formula: FxHashMap<(Digest, TermId), Vec<u32>>,
    /// By position in the archive.
    known: Vec<Known>,
    /// Those from before whose code has changed, by control state.
    changed: FxHashMap<Digest, Vec<u32>>,
    /// Claims of this search with which some from before can be compared.
    new: Vec<u32>,
    /// How many of those with changed code hold again.
    n_again: u64,
    /// Those before this position were asked for.
    n_asked: usize,
    /// How many held again when the last one was asked for.
    n_again_before: u64,
}

/// With fewer summaries a search is short, and going straight to an end may cost more than it saves.
const MIN_SUMMARIES: usize = 64;

impl Tails {
    /// Takes claims from before into account.
    pub(crate) fn recall(&mut self, archive: &Archive) {
        for (position, claim) in (0..).zip(&archive.claims) {
            self.known.push(match archive.claim(position) {
                Some(_) if claim.is_unchanged => Known::Unchanged,
                Some((_, tail)) => {
                    self.changed.entry(tail.summary.control).or_default().push(position);
                    Known::Changed
                }
                None => Known::Lost,
            });
        }
    }

    /// The claims from before that are claims of this search with the code that they had, by their numbers here.
    pub(crate) fn unchanged(&self, archive: &Archive) -> FxHashMap<u32, u32> {
        let unchanged = |(position, known): (u32, &Known)| match known {
            Known::Holds(number) if archive.claims[position as usize].is_unchanged => {
                Some((*number, position))
            }
            _ => None,
        };
        (0..).zip(&self.known).filter_map(unchanged).collect()
    }

    /// All claims of this search.
    pub(crate) fn claims(&self) -> &[Tail] {
        &self.claims
    }

    /// How many claims whose code has changed hold again: when there are more, summaries that did not hold may do so.
    pub(crate) fn n_again(&self) -> u64 {
        self.n_again
    }

    /// For each claim from before: its number in this search, if it holds.
    pub(crate) fn standing(&self) -> Vec<Option<u32>> {
        let number = |known: &Known| match known {
            Known::Holds(number) => Some(*number),
            Known::Unchanged | Known::Changed | Known::Lost => None,
        };
        self.known.iter().map(number).collect()
    }

    /// The number of a claim; if some from before are about the same control state, they can be compared with it.
    pub(crate) fn claim(&mut self, control: Digest, summary: Summary) -> u32 {
        let known = self.by_formula.entry((control, summary.formula)).or_default();
        let is_same = |n: &&u32| {
            let other = &self.claims[**n as usize].summary;
            other.leads == summary.leads && other.asleep == summary.asleep && other.facts == summary.facts
        };
        if let Some(number) = known.iter().find(is_same) {
            return *number;
        }
        let number = self.claims.len() as u32;
        known.push(number);
        if self.changed.contains_key(&control) && !summary.is_recalled {
            self.new.push(number);
        }
        self.claims.push(Tail { control, summary: Rc::new(summary), way: Vec::new() });
        number
    }

    /// The number of a claim from before, if it holds; `None` if its code is unchanged and nobody has asked for it yet.
    pub(crate) fn standing_at(&self, position: u32) -> Option<Option<u32>> {
        match *self.known.get(position as usize)? {
            Known::Holds(number) => Some(Some(number)),
            Known::Changed | Known::Lost => Some(None),
            Known::Unchanged => None,
        }
    }

    /// Takes over a claim from before whose code is unchanged. Gives its number, if it could be understood.
    pub(crate) fn take_over(
        &mut self,
        position: u32,
        control: Digest,
        claim: Option<Summary>,
    ) -> Option<u32> {
        let number = claim.map(|claim| self.claim(control, claim));
        if let Some(known) = self.known.get_mut(position as usize) {
            *known = number.map_or(Known::Lost, Known::Holds);
        }
        number
    }

    /// Notes how the search has come to where a tail begins.
    pub(crate) fn note_way(&mut self, claim: u32, way: Vec<Turn>) {
        let known = &mut self.claims[claim as usize].way;
        if known.is_empty() {
            *known = way;
        }
    }

    /// How to come to a tail of which a claim has changed code; each is asked for once. There is none if the ways are longer
    /// than what the search would do without them, if that is little, or if the last way was gone in vain: the next claims are
    /// not likely to follow either.
    pub(crate) fn way(&mut self, archive: &Archive) -> Option<Vec<Turn>> {
        let n_all = archive.claims.len();
        let way = |known: &[Known], i: usize| match known.get(i) {
            Some(Known::Changed) => archive.claim(i as u32).map(|(_, tail)| &tail.way),
            _ => None,
        };
        if self.n_asked == 0 {
            let n_turns: usize = (0..n_all).filter_map(|i| way(&self.known, i)).map(Vec::len).sum();
            let n_summaries = archive.len();
            if n_turns > n_summaries || n_summaries < MIN_SUMMARIES {
                self.n_asked = n_all;
            }
        } else if self.n_again == self.n_again_before {
            self.n_asked = n_all;
        }
        self.n_again_before = self.n_again;
        while self.n_asked < n_all {
            self.n_asked += 1;
            if let Some(way) = way(&self.known, self.n_asked - 1).filter(|way| !way.is_empty()) {
                return Some(way.clone());
            }
        }
        None
    }

    /// Whether there is something to [compare](Self::compare).
    pub(crate) fn has_new(&self) -> bool {
        !self.new.is_empty()
    }

    /// Compares claims from before with new ones about the same control states.
    pub(crate) fn compare(
        &mut self,
        (machine, events): (&mut Machine<'_>, &mut EventTable),
        (solver, must_follow): (&mut dyn Solver, bool),
        (archive, readers): (&Archive, &mut [Reader]),
    ) {
        for number in std::mem::take(&mut self.new) {
            let (control, new) = {
                let Tail { control, summary, .. } = &self.claims[number as usize];
                (*control, summary.clone())
            };
            let mut left = self.changed.remove(&control).unwrap_or_default();
            left.retain(|position| {
                let Some((layer, tail)) = archive.claim(*position) else { return false };
                let layer = layer as usize;
                let at = (&archive.layers[layer].0.ground, &mut readers[layer]);
                let Some(old) = tail.summary.import(machine, events, at, new.facts.clone(), 0) else {
                    self.known[*position as usize] = Known::Lost;
                    return false;
                };
                let follows = !must_follow || follows((machine, &mut *solver), &old, &new);
                if follows {
                    let number = self.claim(control, old);
                    self.note_way(number, tail.way.clone());
                    self.known[*position as usize] = Known::Holds(number);
                    self.n_again += 1;
                }
                !follows
            });
            if !left.is_empty() {
                self.changed.insert(control, left);
            }
        }
    }
}

/// Whether the new claim says all that the old one says.
fn follows((machine, solver): (&mut Machine<'_>, &mut dyn Solver), old: &Summary, new: &Summary) -> bool {
    let is_like = old.footprint.is_same_sequence(&new.footprint)
        && old.has_executions == new.has_executions
        && new.leads.iter().all(|leads| old.leads.contains(leads))
        && new.asleep.iter().all(|thread| old.asleep.contains(thread));
    if !is_like {
        return false;
    }
    let known = machine.pool.conjuncts(old.formula);
    let rest: Vec<TermId> =
        machine.pool.conjuncts(new.formula).into_iter().filter(|item| !known.contains(item)).collect();
    rest.into_iter().all(|item| {
        let wrong = machine.pool.not(item);
        match machine.pool.as_bool(wrong) {
            Some(is_wrong) => !is_wrong,
            None => {
                let query = Query { path: &known, goal: &[wrong], want: Want::Verdict };
                matches!(solver.check(&mut machine.pool, &query), Answer::Unsat(_))
            }
        }
    })
}

/// The claims that a set of facts names.
pub(crate) fn claims_in(machine: &Machine<'_>, facts: &FactSet) -> Vec<u32> {
    let Some(code) = &machine.code else { return Vec::new() };
    let claim = |number| match code.fact(number) {
        Fact::Tail(claim) => Some(*claim),
        _ => None,
    };
    facts.iter().filter_map(claim).collect()
}

/// Whether a set of facts is that of a tail: no thread is started, and nothing rests on a claim.
pub(crate) fn is_tail(machine: &Machine<'_>, facts: &FactSet) -> bool {
    let Some(code) = &machine.code else { return false };
    facts.iter().all(|number| !matches!(code.fact(number), Fact::Started | Fact::Tail(_)))
}
