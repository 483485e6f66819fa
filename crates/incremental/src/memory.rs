//! What a lineage knows: its numbers, and what its searches have found out, with what each finding rests on.
//!
//! What a search has found out is a layer of its own, which stays as it is: the next version reads of it what it asks for, and
//! writes only what is new. From time to time all layers become one ([`compact`](crate::compact)).

use selvedge_exec::{CodeNames, Fact, FactSet, Machine, Place};
use selvedge_program::Program;
use selvedge_summary::{Archive, Claim, Claimed, Harvest};
use serde::{Deserialize, Serialize};

use crate::base::Base;
use crate::facts::{self, LastingFact, Places, Sets, Table};
use crate::kept::{Kept, LayerId};
use crate::recalled::{Recalled, Report};
use crate::registry::Registry;

/// Versions in a row that may change what a summary rests on before it is forgotten: an edit is often undone.
pub(crate) const PATIENCE: u8 = 4;

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
    pub(crate) facts: Vec<LastingFact>,
    pub(crate) layers: Vec<Kept>,
    /// What is claimed of the ends of executions, when one thread is left, by layer and position there:
    /// [`LastingFact::Tail`] is a position here.
    pub(crate) claims: Vec<(u32, u32)>,
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
    /// All facts.
    rests_on: FactSet,
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

/// An answer all of whose executions are those of this version.
#[derive(Clone, Debug)]
pub struct Standing {
    /// What it says.
    pub answer: Vec<u8>,
    /// What the search had noted.
    pub facts: Vec<Fact>,
}

impl Memory {
    /// The numbers.
    pub fn registry(&mut self) -> &mut Registry {
        &mut self.registry
    }

    /// The memory as bytes, without its layers.
    pub fn to_bytes(&self) -> Vec<u8> {
        postcard::to_allocvec(self).expect("nothing in it has no form")
    }

    /// The memory of these bytes; `None` if they are not those of one. `read` gives the bytes of layers; one that is not
    /// there, or not what was written, has no summaries.
    pub fn from_bytes(bytes: &[u8], read: impl FnOnce(&[LayerId]) -> Vec<Option<Vec<u8>>>) -> Option<Memory> {
        let mut memory: Memory = postcard::from_bytes(bytes).ok()?;
        let ids: Vec<LayerId> = memory.layers.iter().map(Kept::id).collect();
        let found = read(&ids).into_iter().chain(std::iter::repeat_with(|| None));
        memory.layers.iter_mut().zip(found).for_each(|(layer, bytes)| layer.fill(bytes));
        Some(memory)
    }

    /// Its layers, as bytes.
    pub fn layers(&self) -> impl Iterator<Item = (LayerId, &[u8])> {
        self.layers.iter().map(|layer| (layer.id(), layer.bytes()))
    }

    /// Whether no version was checked yet.
    pub fn is_new(&self) -> bool {
        self.registry == Registry::default()
    }

    /// How many summaries there are.
    pub fn len(&self) -> usize {
        self.layers.iter().map(Kept::len).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What holds for the program that `machine` is for, which has the numbers of the lineage.
    pub fn recall(&self, machine: &mut Machine<'_>, names: &CodeNames) -> Recalled {
        if self.surroundings != machine.surroundings() {
            let report = Report { dropped: self.len() as u64, ..Report::default() };
            return Recalled::nothing(report);
        }
        let here = self.facts_here(machine, names);
        let all_here = present(&here);
        let is_unchanged = |(layer, position): (u32, u32)| {
            let layer = self.layers.get(layer as usize)?.layer();
            let tail = layer.tails().get(position as usize)?;
            Some(layer.sets.get(tail.summary.rests_on)?.is_within(&all_here))
        };
        let claims = self.claims.iter().map(|&(layer, position)| {
            let is_unchanged = is_unchanged((layer, position)) == Some(true);
            Claim { layer, position, is_unchanged }
        });
        let archive = Archive { layers: Vec::new(), facts: here, claims: claims.collect() };
        let mut recalled = Recalled::new(archive, self.threads.clone());
        self.layers.iter().for_each(|layer| recalled.add(layer.layer(), &all_here));
        recalled
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
            let fact = |fact| here.get(fact as usize).cloned().flatten();
            let facts: Vec<Fact> = basis.rests_on.iter().map(fact).collect::<Option<_>>()?;
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
        let Found { harvest: Harvest { mut layer, sets, claims, standing }, answer } = found;
        self.threads = machine.thread_names.names().to_vec();
        if !recalled.is_here {
            self.layers.clear();
            self.claims.clear();
            self.surroundings = machine.surroundings();
        }
        let mut table = Table::of(std::mem::take(&mut self.facts));
        let facts = machine.code.as_ref().map_or_else(Vec::new, |code| code.numbered().to_vec());
        let mut lasting = facts::Lasting::new(&facts, machine, names);
        let lasts = |rests_on: u32| sets.get(rests_on as usize).is_some_and(|set| lasting.lasts(set));
        let is_lasting: Vec<bool> = layer.tails().iter().map(|tail| lasts(tail.summary.rests_on)).collect();
        let slots = self.slots(&claims, &standing, &is_lasting);
        let positions: Vec<Option<u32>> = slots.iter().map(|slots| slots.first().copied()).collect();
        lasting.number(&mut table, &positions);
        let mut kept = Sets::default();
        let moved: Vec<Option<u32>> = sets.iter().map(|set| Some(kept.position(lasting.set(set)?))).collect();
        let number = self.layers.len() as u32;
        let positions = layer.rest_on(kept.all, &moved);
        let mut stands = vec![false; self.claims.len()];
        for (claimed, slots) in claims.iter().zip(&slots) {
            let position = match claimed {
                Claimed::New(position) => positions.get(*position as usize).copied().flatten(),
                Claimed::Fleeting | Claimed::Before(_) => None,
            };
            for slot in slots.iter().map(|slot| *slot as usize) {
                stands[slot] = true;
                if let Some(position) = position {
                    self.claims[slot] = (number, position);
                }
            }
        }
        let n_again = self.age(recalled, &stands);
        self.layers.extend(Kept::new(layer));
        if let Some(answer) = answer {
            let basis = if answer.is_of_all { basis(machine, &lasting, self.surroundings) } else { None };
            let new = Answered { basis, answer: answer.bytes };
            self.answers.retain(|known| *known != new);
            self.answers.insert(0, new);
            self.answers.truncate(ANSWERS);
        }
        self.facts = table.facts;
        self.compact();
        n_again
    }

    /// The positions that each claim of a search has here: those of claims from before which it is now, or one of its own.
    fn slots(&mut self, claims: &[Claimed], standing: &[Option<u32>], is_lasting: &[bool]) -> Vec<Vec<u32>> {
        let mut slots: Vec<Vec<u32>> = vec![Vec::new(); claims.len()];
        for (before, number) in (0..self.claims.len() as u32).zip(standing) {
            if let Some(slots) = number.and_then(|number| slots.get_mut(number as usize)) {
                slots.push(before);
            }
        }
        for (claimed, slots) in claims.iter().zip(&mut slots) {
            match claimed {
                Claimed::Before(_) => {}
                Claimed::New(position) if is_lasting[*position as usize] => {
                    if slots.is_empty() {
                        slots.push(self.claims.len() as u32);
                        self.claims.push((u32::MAX, u32::MAX));
                    }
                }
                Claimed::New(_) | Claimed::Fleeting => slots.clear(),
            }
        }
        slots
    }

    /// Notes which summaries from before were of no use for this version. Gives the number of those that hold again because
    /// what they claim of the ends of executions does.
    fn age(&mut self, recalled: &Recalled, stands: &[bool]) -> u64 {
        let mut n_again = 0;
        for (layer, known) in (0..).zip(&mut self.layers) {
            n_again += known.age(|i, rests_on| recalled.holds(layer, i, rests_on, stands));
        }
        n_again
    }

    /// Gives facts new numbers where answers rest on them; without a set of them, it cannot be said what an answer rests on.
    pub(crate) fn renumber_answers(&mut self, mut moved: impl FnMut(&FactSet) -> Option<FactSet>) {
        for answered in &mut self.answers {
            answered.basis = answered.basis.take().and_then(|basis| {
                let rests_on = moved(&basis.rests_on)?;
                Some(Basis { rests_on, ..basis })
            });
        }
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
fn basis(machine: &Machine<'_>, lasting: &facts::Lasting, surroundings: u64) -> Option<Basis> {
    let code = machine.code.as_ref()?;
    let facts: Vec<Fact> = code.all().cloned().collect();
    let beginning = machine.beginning(ran(&facts));
    Some(Basis { surroundings, beginning, rests_on: lasting.set(code.everything())? })
}
