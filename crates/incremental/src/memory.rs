//! What a lineage knows: its numbers, and the summaries of its searches with what each rests on.

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_base::Id;
use selvedge_exec::{CodeNames, Fact, Machine, Place};
use selvedge_program::{BlockId, FuncId, Program};
use selvedge_summary::{Archive, Harvest, Lasting};
use serde::{Deserialize, Serialize};

use crate::registry::Registry;

/// Versions in a row that may change what a summary rests on before it is forgotten: an edit is often undone.
const PATIENCE: u8 = 4;

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
    sets: Vec<Vec<u32>>,
    summaries: Vec<Kept>,
}

/// A summary, and how many versions in a row could not use it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Kept {
    summary: Lasting,
    n_misses: u8,
}

/// A place by the numbers of the lineage.
type LastingPlace = (u32, u32, u32);

/// A fact by the numbers of the lineage.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
enum LastingFact {
    /// The instruction there was executed, and the executor went by this.
    Ran(LastingPlace, u64),
    Started,
    /// A function by its number, and what the executor went by.
    Called(u32, u64),
    Relied(u32, Option<LastingPlace>),
    About(u32, String),
    Unwritten(LastingPlace),
}

/// What was found in a memory for a version.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Summaries whose code is unchanged.
    pub kept: u64,
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
    /// By the position of a summary: whether it holds.
    holds: Vec<bool>,
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

    /// How many summaries there are.
    pub fn len(&self) -> usize {
        self.summaries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.summaries.is_empty()
    }

    /// What holds for the program that `machine` is for, which has the numbers of the lineage.
    pub fn recall(&self, machine: &mut Machine<'_>, names: &CodeNames) -> Recalled {
        let mut places = Places { program: machine.image.program, names, known: FxHashMap::default() };
        let is_here = self.surroundings == machine.surroundings();
        let here: Vec<Option<Fact>> = match is_here {
            true => self.facts.iter().map(|fact| fact.here(machine, &mut places)).collect(),
            false => Vec::new(),
        };
        let mut harvest = Harvest::default();
        let mut positions: Vec<Option<u32>> = Vec::with_capacity(self.sets.len());
        for set in &self.sets {
            let facts: Option<Vec<Fact>> =
                set.iter().map(|fact| here.get(*fact as usize).cloned().flatten()).collect();
            positions.push(facts.map(|facts| {
                harvest.sets.push(facts);
                harvest.sets.len() as u32 - 1
            }));
        }
        let mut holds = Vec::with_capacity(self.summaries.len());
        for Kept { summary, .. } in &self.summaries {
            // What rests on nothing still rests on what surrounds it.
            let position = positions.get(summary.rests_on as usize).copied().flatten().filter(|_| is_here);
            holds.push(position.is_some());
            if let Some(rests_on) = position {
                harvest.summaries.push(summary.resting_on(rests_on));
            }
        }
        let kept = harvest.summaries.len() as u64;
        let report = Report { kept, dropped: self.summaries.len() as u64 - kept };
        let threads = if is_here { self.threads.clone() } else { Vec::new() };
        Recalled { archive: Archive::new(harvest), threads, report, holds }
    }

    /// Adds what a search has found out; `holds` is what was recalled for it.
    pub fn add(
        &mut self,
        machine: &mut Machine<'_>,
        names: &CodeNames,
        recalled: &Recalled,
        harvest: Harvest,
    ) {
        let surroundings = machine.surroundings();
        let is_here = self.surroundings == surroundings;
        let old = std::mem::take(&mut self.summaries);
        let (old_facts, old_sets) = (std::mem::take(&mut self.facts), std::mem::take(&mut self.sets));
        self.surroundings = surroundings;
        self.threads = machine.thread_names.names().to_vec();
        let mut table = Table::default();
        let mut known = FxHashSet::default();
        for summary in harvest.summaries {
            let Some(facts) = harvest.sets.get(summary.rests_on as usize) else { continue };
            let lasting = facts.iter().map(|fact| LastingFact::of(fact, machine, names));
            let lasting: Option<Vec<LastingFact>> = lasting.collect();
            if let Some(lasting) = lasting {
                let summary = summary.resting_on(table.set(lasting));
                known.insert(crate::shape::hash_of(postcard::to_allocvec(&summary).unwrap_or_default()));
                self.summaries.push(Kept { summary, n_misses: 0 });
            }
        }
        for (i, Kept { summary, n_misses }) in old.into_iter().enumerate().filter(|_| is_here) {
            let n_misses = match recalled.holds.get(i) {
                Some(true) => 0,
                _ => n_misses + 1,
            };
            let Some(set) = old_sets.get(summary.rests_on as usize).filter(|_| n_misses <= PATIENCE) else {
                continue;
            };
            let facts = set.iter().filter_map(|fact| old_facts.get(*fact as usize).cloned()).collect();
            let summary = summary.resting_on(table.set(facts));
            if known.insert(crate::shape::hash_of(postcard::to_allocvec(&summary).unwrap_or_default())) {
                self.summaries.push(Kept { summary, n_misses });
            }
        }
        (self.facts, self.sets) = (table.facts, table.sets);
    }
}

/// Facts and sets of facts, each once.
#[derive(Default)]
struct Table {
    facts: Vec<LastingFact>,
    numbers: FxHashMap<LastingFact, u32>,
    sets: Vec<Vec<u32>>,
    positions: FxHashMap<Vec<u32>, u32>,
}

impl Table {
    fn set(&mut self, facts: Vec<LastingFact>) -> u32 {
        let mut set = Vec::with_capacity(facts.len());
        for fact in facts {
            let next = self.facts.len() as u32;
            let number = *self.numbers.entry(fact.clone()).or_insert(next);
            if number == next {
                self.facts.push(fact);
            }
            set.push(number);
        }
        set.sort_unstable();
        set.dedup();
        let next = self.sets.len() as u32;
        let position = *self.positions.entry(set.clone()).or_insert(next);
        if position == next {
            self.sets.push(set);
        }
        position
    }
}

impl LastingFact {
    fn of(fact: &Fact, machine: &mut Machine<'_>, names: &CodeNames) -> Option<LastingFact> {
        let place = |place: &Place| {
            let (block, inst) = names.place(*place);
            (place.func.0, block, inst)
        };
        Some(match fact {
            Fact::Ran(at) => LastingFact::Ran(place(at), machine.dependence(*at)?),
            Fact::Started => LastingFact::Started,
            Fact::Called(func) => LastingFact::Called(func.0, machine.call_dependence(*func)?),
            Fact::Relied(assumption, at) => LastingFact::Relied(*assumption, at.as_ref().map(place)),
            Fact::About(assumption, subject) => LastingFact::About(*assumption, subject.clone()),
            Fact::Unwritten(at) => LastingFact::Unwritten(place(at)),
            Fact::Fleeting => return None,
        })
    }

    /// The fact in a version, if it is one there.
    fn here(&self, machine: &mut Machine<'_>, places: &mut Places<'_>) -> Option<Fact> {
        Some(match self {
            LastingFact::Ran(at, dependence) => {
                let at = places.find(*at)?;
                (machine.dependence(at) == Some(*dependence)).then_some(Fact::Ran(at))?
            }
            LastingFact::Started => Fact::Started,
            LastingFact::Called(func, dependence) => {
                let func = FuncId(*func);
                (machine.call_dependence(func) == Some(*dependence)).then_some(Fact::Called(func))?
            }
            LastingFact::Relied(assumption, None) => Fact::Relied(*assumption, None),
            LastingFact::Relied(assumption, Some(at)) => Fact::Relied(*assumption, Some(places.find(*at)?)),
            LastingFact::About(assumption, subject) => Fact::About(*assumption, subject.clone()),
            LastingFact::Unwritten(at) => Fact::Unwritten(places.find(*at)?),
        })
    }
}

/// Finds places of a program by the numbers of its lineage.
struct Places<'a> {
    program: &'a Program,
    names: &'a CodeNames,
    known: FxHashMap<u32, FxHashMap<(u32, u32), Place>>,
}

impl Places<'_> {
    fn find(&mut self, (func, block, inst): LastingPlace) -> Option<Place> {
        let function = self.program.funcs.get(FuncId(func))?;
        let names = self.names;
        let of_function = || {
            let place =
                |(block, inst)| Place { func: FuncId(func), block: BlockId::new(block), inst: inst as u32 };
            let blocks = function.blocks.iter().enumerate();
            let all = blocks.flat_map(|(b, body)| (0..body.insts.len()).map(move |inst| (b, inst)));
            all.map(|at| (names.place(place(at)), place(at))).collect()
        };
        self.known.entry(func).or_insert_with(of_function).get(&(block, inst)).copied()
    }
}
