//! What a lineage knows: its numbers, and what its searches have found out, with what each finding rests on.

use rustc_hash::FxHashSet;
use selvedge_exec::{CodeNames, Fact, FactSet, Machine, Place};
use selvedge_program::Program;
use selvedge_summary::{Archive, Ground, Harvest, Lasting, LastingTail};
use serde::{Deserialize, Serialize};

use crate::base::Base;
use crate::facts::{self, LastingFact, Places, Table};
use crate::kept::{Kept, Summaries};
use crate::moved::Moved;
use crate::registry::Registry;

/// Versions in a row that may change what a summary rests on before it is forgotten: an edit is often undone.
const PATIENCE: u8 = 4;

/// Answers that are kept.
const ANSWERS: usize = 4;

/// What is known about the versions of one program.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Memory {
    registry: Registry,
    /// What held for the program as a whole when the summaries were made.
    surroundings: u64,
    /// Names of threads by their numbers: parent and position.
    threads: Vec<(u32, u32)>,
    facts: Vec<LastingFact>,
    /// Sets of facts by their positions.
    sets: Vec<FactSet>,
    /// What these are made of.
    ground: Ground,
    summaries: Summaries,
    /// What is claimed of the ends of executions, when one thread is left: [`LastingFact::Tail`] is a position here.
    tails: Vec<LastingTail>,
    /// Answers of whole searches, the last one first.
    answers: Vec<Answered>,
    /// The last version that is known to be safe.
    base: Option<Base>,
}

/// The answer of a search.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Answered {
    /// What all its executions rest on; none if there were others that nobody looked at.
    basis: Option<Basis>,
    /// What the caller makes of it.
    answer: Vec<u8>,
}

/// What decides how all executions of a program go.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Basis {
    surroundings: u64,
    /// How they begin.
    beginning: u64,
    /// The set of all facts.
    rests_on: u32,
}

/// What a search leaves behind.
pub struct Found {
    /// Its summaries.
    pub harvest: Harvest,
    /// Its answer, if it came to one.
    pub answer: Option<Answer>,
}

/// The answer of a search.
pub struct Answer {
    /// What it says.
    pub bytes: Vec<u8>,
    /// All executions of the program were looked at, and their facts noted.
    pub is_of_all: bool,
}

/// What was found in a memory for a version.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Summaries whose code is unchanged.
    pub kept: u64,
    /// Summaries whose code is unchanged up to where one thread was left: they hold if what is claimed of that does.
    pub waiting: u64,
    /// Summaries whose code has changed.
    pub dropped: u64,
}

/// What a search may take for known.
#[derive(Debug, Default)]
pub struct Recalled {
    /// Summaries that hold.
    pub archive: Archive,
    /// Numbers of threads that they speak of.
    pub threads: Vec<(u32, u32)>,
    /// How many.
    pub report: Report,
    /// By the position of a summary: whether it holds, if all claims that it rests on do.
    holds: Vec<bool>,
    /// By the position of a claim: whether the code that it rests on is unchanged.
    are_unchanged: Vec<bool>,
}

/// An answer all of whose executions are those of this version.
#[derive(Clone, Debug)]
pub struct Standing {
    /// What it says.
    pub answer: Vec<u8>,
    /// What the search had noted.
    pub facts: Vec<Fact>,
}

impl Recalled {
    /// A summary that held in other circumstances is not forgotten.
    pub fn also_holds(&mut self, other: &Recalled) {
        for (holds, also) in self.holds.iter_mut().zip(&other.holds) {
            *holds |= also;
        }
    }
}

impl Memory {
    /// The numbers.
    pub fn registry(&mut self) -> &mut Registry {
        &mut self.registry
    }

    /// The memory as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        postcard::to_allocvec(self).expect("nothing in it has no form")
    }

    /// The memory of these bytes; `None` if they are not those of one.
    pub fn from_bytes(bytes: &[u8]) -> Option<Memory> {
        postcard::from_bytes(bytes).ok()
    }

    /// Whether no version was checked yet.
    pub fn is_new(&self) -> bool {
        self.registry == Registry::default()
    }

    /// How many summaries there are.
    pub fn len(&self) -> usize {
        self.summaries.all().len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.summaries.all().is_empty()
    }

    /// What holds for the program that `machine` is for, which has the numbers of the lineage.
    pub fn recall(&self, machine: &mut Machine<'_>, names: &CodeNames) -> Recalled {
        let is_here = self.surroundings == machine.surroundings();
        if !is_here {
            let dropped = self.len() as u64;
            let report = Report { dropped, ..Report::default() };
            return Recalled { holds: vec![false; self.len()], report, ..Recalled::default() };
        }
        let here = self.facts_here(machine, names);
        let all_here = present(&here);
        let holds_here: Vec<bool> = self.sets.iter().map(|set| set.is_within(&all_here)).collect();
        let is_here = |summary: &Lasting| holds_here.get(summary.rests_on as usize) == Some(&true);
        let tails: Vec<(LastingTail, bool)> =
            self.tails.iter().map(|tail| (tail.clone(), is_here(&tail.summary))).collect();
        let is_open = |fact: &Option<Fact>| match fact {
            Some(Fact::Tail(claim)) => !tails.get(*claim as usize).is_some_and(|tail| tail.1),
            _ => false,
        };
        let mut open = FactSet::default();
        (0..).zip(&here).filter(|(_, fact)| is_open(fact)).for_each(|(number, _)| open.insert(number));
        let (mut all, mut report, mut holds) =
            (Vec::new(), Report::default(), Vec::with_capacity(self.len()));
        for Kept { summary, .. } in self.summaries.all() {
            holds.push(is_here(summary));
            if !is_here(summary) {
                report.dropped += 1;
                continue;
            }
            match self.sets[summary.rests_on as usize].is_apart(&open) {
                true => report.kept += 1,
                false => report.waiting += 1,
            }
            all.push(summary.clone());
        }
        let are_unchanged = tails.iter().map(|(_, is_unchanged)| *is_unchanged).collect();
        Recalled {
            archive: Archive::new(self.ground.clone(), all, (here, self.sets.clone()), tails),
            threads: self.threads.clone(),
            report,
            holds,
            are_unchanged,
        }
    }

    /// Which facts hold in this version.
    fn facts_here(&self, machine: &mut Machine<'_>, names: &CodeNames) -> Vec<Option<Fact>> {
        let mut places = Places::new(machine.image.program, names);
        self.facts.iter().map(|fact| fact.here(machine, &mut places)).collect()
    }

    /// The last answer.
    pub fn last_answer(&self) -> Option<&[u8]> {
        self.answers.first().map(|answered| &answered.answer[..])
    }

    /// The newest answer that `is_wanted` and that is the answer for this version as well, because each execution of the one
    /// is one of the other.
    pub fn standing(
        &self,
        machine: &mut Machine<'_>,
        names: &CodeNames,
        is_wanted: impl Fn(&[u8]) -> bool,
    ) -> Option<Standing> {
        let surroundings = machine.surroundings();
        let wanted = self.answers.iter().filter(|answered| is_wanted(&answered.answer));
        let candidates: Vec<(&Basis, &Answered)> = wanted
            .filter_map(|answered| Some((answered.basis.as_ref()?, answered)))
            .filter(|(basis, _)| basis.surroundings == surroundings)
            .collect();
        if candidates.is_empty() {
            return None;
        }
        let here = self.facts_here(machine, names);
        candidates.into_iter().find_map(|(basis, answered)| {
            let set = self.sets.get(basis.rests_on as usize)?;
            let facts: Vec<Fact> =
                set.iter().map(|fact| here.get(fact as usize).cloned().flatten()).collect::<Option<_>>()?;
            let is_same_beginning = machine.beginning(ran(&facts)) == basis.beginning;
            is_same_beginning.then(|| Standing { answer: answered.answer.clone(), facts })
        })
    }

    /// Puts an answer that needed no search first; what `standing` was, it goes on resting on that.
    pub fn answer_again(&mut self, answer: Vec<u8>, standing: Option<&Standing>) {
        let before = standing.and_then(|known| self.answers.iter().position(|a| a.answer == known.answer));
        let basis = before.and_then(|position| self.answers.remove(position).basis);
        self.answers.insert(0, Answered { basis, answer });
        self.answers.truncate(ANSWERS);
    }

    /// The last version that is known to be safe: its answer, the program, and what the answer relies on besides its code.
    pub fn safe_version(&self) -> Option<(&[u8], Program, Vec<Fact>)> {
        let base = self.base.as_ref()?;
        let (program, noted) = base.program()?;
        Some((&base.answer, program, noted))
    }

    /// Notes that this version is safe, and what was noted in its search.
    pub fn keep_safe_version(&mut self, machine: &Machine<'_>, program: &Program, answer: Vec<u8>) {
        if let Some(base) = Base::new(machine, program, answer) {
            self.base = Some(base);
        }
    }

    /// Adds what a search has found out; `recalled` is what was known to it. Gives the number of summaries that hold again
    /// because what is claimed of the ends of executions does.
    pub fn add(
        &mut self,
        machine: &mut Machine<'_>,
        names: &CodeNames,
        recalled: &Recalled,
        found: Found,
    ) -> u64 {
        let surroundings = machine.surroundings();
        let is_here = self.surroundings == surroundings;
        let mut old = std::mem::take(self);
        let mut table = Table::default();
        let mut known: FxHashSet<Lasting> = FxHashSet::default();
        let Found { harvest, answer } = found;
        let Harvest { ground, summaries, facts, sets, tails, standing } = harvest;
        self.threads = machine.thread_names.names().to_vec();
        let mut lasting = facts::Lasting::new(machine, names, &mut table);
        let mut claims = Vec::with_capacity(tails.len());
        for tail in tails {
            let kept = tail.and_then(|tail| {
                let position = lasting.set(&facts, sets.get(tail.summary.rests_on as usize)?)?;
                self.tails.push(tail.resting_on(position));
                Some(self.tails.len() as u32 - 1)
            });
            claims.push(kept);
        }
        lasting.claims = claims;
        let sets: Vec<Option<u32>> = sets.iter().map(|set| lasting.set(&facts, set)).collect();
        for summary in summaries {
            let position = sets.get(summary.rests_on as usize).copied().flatten();
            if let Some(position) = position {
                let summary = summary.resting_on(position);
                known.insert(summary.clone());
                self.summaries.push(Kept { summary, n_misses: 0 });
            }
        }
        if let Some(answer) = answer {
            let basis = answer.is_of_all.then(|| basis(&mut lasting, surroundings)).flatten();
            self.answers.push(Answered { basis, answer: answer.bytes });
        }
        let claims = std::mem::take(&mut lasting.claims);
        let standing = standing.iter().map(|now| claims.get((*now)? as usize).copied().flatten());
        let (facts, sets) = (std::mem::take(&mut old.facts), std::mem::take(&mut old.sets));
        let mut moved = Moved::new(facts, sets, std::mem::take(&mut old.tails), standing.collect());
        let mut n_again = 0;
        if is_here {
            let known = (recalled, &mut known);
            n_again = self.carry_over(old.summaries.into_all(), known, &mut moved, &mut table);
        }
        self.keep_answers(old.answers, &mut moved, &mut table);
        self.registry = old.registry;
        self.base = old.base;
        self.surroundings = surroundings;
        (self.facts, self.sets) = (table.facts, table.sets);
        self.ground = ground.unwrap_or(old.ground);
        self.keep_used();
        n_again
    }

    /// Keeps answers from before, as long as there is room.
    fn keep_answers(&mut self, old: Vec<Answered>, moved: &mut Moved, table: &mut Table) {
        for Answered { basis, answer } in old {
            let basis = basis.and_then(|basis| {
                let rests_on = moved.set(basis.rests_on, table, &mut self.tails)?;
                Some(Basis { rests_on, ..basis })
            });
            let is_new = self.answers.iter().all(|known| known.basis != basis || known.answer != answer);
            if is_new && self.answers.len() < ANSWERS {
                self.answers.push(Answered { basis, answer });
            }
        }
    }

    /// Keeps summaries from before that are not `known` anew. Gives the number of those that hold again because what they
    /// claim of the ends of executions does.
    fn carry_over(
        &mut self,
        old: Vec<Kept>,
        (recalled, known): (&Recalled, &mut FxHashSet<Lasting>),
        moved: &mut Moved,
        table: &mut Table,
    ) -> u64 {
        let mut n_again = 0;
        let is_open = |claim: u32| recalled.are_unchanged.get(claim as usize) != Some(&true);
        for (i, Kept { summary, n_misses }) in old.into_iter().enumerate() {
            let open = moved.claims(summary.rests_on).filter(|claim| is_open(*claim));
            let (n_open, n_standing) =
                open.fold((0, 0), |(n, m), claim| (n + 1, m + usize::from(moved.stands(claim))));
            let holds = recalled.holds.get(i) == Some(&true) && n_open == n_standing;
            n_again += u64::from(holds && n_open > 0);
            let n_misses = if holds { 0 } else { n_misses + 1 };
            if n_misses > PATIENCE {
                continue;
            }
            let Some(position) = moved.set(summary.rests_on, table, &mut self.tails) else { continue };
            let summary = summary.resting_on(position);
            if known.insert(summary.clone()) {
                self.summaries.push(Kept { summary, n_misses });
            }
        }
        n_again
    }

    /// Forgets what no summary is made of any more.
    fn keep_used(&mut self) {
        let used = || {
            self.summaries.all().iter().map(|kept| &kept.summary).chain(self.tails.iter().map(|t| &t.summary))
        };
        let formulas: Vec<u32> = used().map(Lasting::formula).collect();
        let footprints: Vec<u32> = used().map(Lasting::footprint).collect();
        let leads: Vec<u32> = used().map(Lasting::leads).collect();
        let by = self.ground.keep(formulas, leads, footprints);
        let tails: Option<Vec<LastingTail>> = self.tails.iter().map(|tail| tail.renumbered(&by)).collect();
        let summaries: Option<Vec<Kept>> = std::mem::take(&mut self.summaries)
            .into_all()
            .into_iter()
            .map(|Kept { summary, n_misses }| Some(Kept { summary: summary.renumbered(&by)?, n_misses }))
            .collect();
        // All of it is there, or nothing can be relied on.
        let (tails, summaries) = tails.zip(summaries).unwrap_or_default();
        self.tails = tails;
        summaries.into_iter().for_each(|kept| self.summaries.push(kept));
    }
}

/// The set of those facts that hold.
fn present(here: &[Option<Fact>]) -> FactSet {
    let mut set = FactSet::default();
    (0..).zip(here).filter(|(_, fact)| fact.is_some()).for_each(|(number, _)| set.insert(number));
    set
}

/// The instructions that were executed.
fn ran(facts: &[Fact]) -> impl Iterator<Item = Place> {
    facts.iter().filter_map(|fact| match fact {
        Fact::Ran(at) => Some(*at),
        _ => None,
    })
}

/// What all executions of the search rest on, if it can be said.
fn basis(lasting: &mut facts::Lasting<'_, '_>, surroundings: u64) -> Option<Basis> {
    let code = lasting.machine.code.as_ref()?;
    let (all, set) = (code.numbered().to_vec(), code.everything().clone());
    let facts: Vec<Fact> = code.all().cloned().collect();
    let beginning = lasting.machine.beginning(ran(&facts));
    let rests_on = lasting.set(&all, &set)?;
    Some(Basis { surroundings, beginning, rests_on })
}
