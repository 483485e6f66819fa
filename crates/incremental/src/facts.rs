//! Facts by the numbers of a lineage: what is kept of one version, and what of it holds in another.

use rustc_hash::FxHashMap;
use selvedge_base::Id;
use selvedge_exec::{CodeNames, Fact, FactSet, Machine, Place};
use selvedge_program::{BlockId, FuncId, Program};
use serde::{Deserialize, Serialize};

/// A place by the numbers of the lineage.
type LastingPlace = (u32, u32, u32);

/// A fact by the numbers of the lineage.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) enum LastingFact {
    /// The instruction there was executed, and the executor went by this.
    Ran(LastingPlace, u64),
    Started,
    /// A function by its number, and what the executor went by.
    Called(u32, u64),
    Relied(u32, Option<LastingPlace>),
    About(u32, String),
    Unwritten(LastingPlace),
    /// What is claimed of the end of executions, by its position in the memory.
    Tail(u32),
}

/// Facts and sets of facts, each once.
#[derive(Default)]
pub(crate) struct Table {
    pub(crate) facts: Vec<LastingFact>,
    numbers: FxHashMap<LastingFact, u32>,
    pub(crate) sets: Vec<FactSet>,
    positions: FxHashMap<FactSet, u32>,
}

impl Table {
    /// The number of a fact.
    pub(crate) fn fact(&mut self, fact: LastingFact) -> u32 {
        let next = self.facts.len() as u32;
        let number = *self.numbers.entry(fact.clone()).or_insert(next);
        if number == next {
            self.facts.push(fact);
        }
        number
    }

    /// The position of a set of facts.
    pub(crate) fn set(&mut self, set: FactSet) -> u32 {
        let next = self.sets.len() as u32;
        let position = *self.positions.entry(set.clone()).or_insert(next);
        if position == next {
            self.sets.push(set);
        }
        position
    }
}

/// Makes the facts of one version lasting: each once, though many sets have it.
pub(crate) struct Lasting<'a, 'p> {
    pub(crate) machine: &'a mut Machine<'p>,
    pub(crate) names: &'a CodeNames,
    pub(crate) table: &'a mut Table,
    /// By number of a claim in the search: its position in the memory.
    pub(crate) claims: Vec<Option<u32>>,
    /// By number of a fact in the search: its number in the memory, if it has one there.
    known: Vec<Option<Option<u32>>>,
}

impl<'a, 'p> Lasting<'a, 'p> {
    pub(crate) fn new(machine: &'a mut Machine<'p>, names: &'a CodeNames, table: &'a mut Table) -> Self {
        Lasting { machine, names, table, claims: Vec::new(), known: Vec::new() }
    }

    /// The position of a set of facts, which have numbers; `None` if one is good for this run only.
    pub(crate) fn set(&mut self, facts: &[Fact], set: &FactSet) -> Option<u32> {
        let mut lasting = FactSet::default();
        for number in set.iter() {
            let known = match self.known.get(number as usize).copied().flatten() {
                Some(known) => known,
                None => {
                    let known = self.number(facts.get(number as usize)?);
                    self.known.resize(self.known.len().max(number as usize + 1), None);
                    self.known[number as usize] = Some(known);
                    known
                }
            };
            lasting.insert(known?);
        }
        Some(self.table.set(lasting))
    }

    /// The number of a fact; `None` if it is good for this run only.
    pub(crate) fn number(&mut self, fact: &Fact) -> Option<u32> {
        let lasting = match fact {
            Fact::Tail(claim) => LastingFact::Tail(self.claims.get(*claim as usize).copied().flatten()?),
            other => LastingFact::of(other, self.machine, self.names)?,
        };
        Some(self.table.fact(lasting))
    }
}

impl LastingFact {
    /// The fact for other versions; `None` if it is good for this run only.
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
            // Claims are numbered by each search for itself.
            Fact::Tail(_) | Fact::Fleeting => return None,
        })
    }

    /// The fact in a version, if it is one there.
    pub(crate) fn here(&self, machine: &mut Machine<'_>, places: &mut Places<'_>) -> Option<Fact> {
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
            LastingFact::Tail(claim) => Fact::Tail(*claim),
        })
    }
}

/// Finds places of a program by the numbers of its lineage.
pub(crate) struct Places<'a> {
    program: &'a Program,
    names: &'a CodeNames,
    known: FxHashMap<u32, FxHashMap<(u32, u32), Place>>,
}

impl<'a> Places<'a> {
    pub(crate) fn new(program: &'a Program, names: &'a CodeNames) -> Places<'a> {
        Places { program, names, known: FxHashMap::default() }
    }

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
