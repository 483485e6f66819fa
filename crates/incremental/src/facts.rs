//! Facts by the numbers of a lineage: what is kept of one version, and what of it holds in another.

use rustc_hash::FxHashMap;
use selvedge_base::Id;
use selvedge_exec::{CodeNames, Fact, FactSet, FactSets, Machine, Place};
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

/// Facts, each once.
#[derive(Default)]
pub(crate) struct Table {
    pub(crate) facts: Vec<LastingFact>,
    numbers: FxHashMap<LastingFact, u32>,
}

impl Table {
    /// These facts, whose numbers stay.
    pub(crate) fn of(facts: Vec<LastingFact>) -> Table {
        let numbers = facts.iter().cloned().zip(0..).collect();
        Table { facts, numbers }
    }

    /// The number of a fact.
    pub(crate) fn fact(&mut self, fact: LastingFact) -> u32 {
        let next = self.facts.len() as u32;
        let number = *self.numbers.entry(fact.clone()).or_insert(next);
        if number == next {
            self.facts.push(fact);
        }
        number
    }
}

/// Sets of facts, each once.
#[derive(Default)]
pub(crate) struct Sets {
    pub(crate) all: FactSets,
    positions: FxHashMap<FactSet, u32>,
}

impl Sets {
    /// The position of a set of facts.
    pub(crate) fn position(&mut self, set: FactSet) -> u32 {
        match self.positions.get(&set) {
            Some(position) => *position,
            None => {
                let position = self.all.push(&set);
                self.positions.insert(set, position);
                position
            }
        }
    }
}

/// Makes the facts of one search lasting.
pub(crate) struct Lasting {
    /// By the number of a fact in the search: what it is for other versions. Claims are not there: they are numbered by each
    /// search for itself.
    facts: Vec<Option<LastingFact>>,
    /// The same for claims, by the number of the fact.
    claims: FxHashMap<u32, u32>,
    /// By the number of a fact in the search: its number in the memory, if it has one there.
    numbers: Vec<Option<u32>>,
    /// Facts that have the same number there: with a new memory, all of them.
    same: FactSet,
}

impl Lasting {
    pub(crate) fn new(all: &[Fact], machine: &mut Machine<'_>, names: &CodeNames) -> Lasting {
        let facts = all.iter().map(|fact| LastingFact::of(fact, machine, names)).collect();
        let claim = |(number, fact): (u32, &Fact)| match fact {
            Fact::Tail(claim) => Some((number, *claim)),
            _ => None,
        };
        let claims = (0..).zip(all).filter_map(claim).collect();
        Lasting { facts, claims, numbers: Vec::new(), same: FactSet::default() }
    }

    /// Whether a set is good for other versions, apart from claims.
    pub(crate) fn lasts(&self, set: &FactSet) -> bool {
        set.iter()
            .all(|n| self.facts.get(n as usize).is_some_and(Option::is_some) || self.claims.contains_key(&n))
    }

    /// Gives the facts numbers in a memory; `claims` are the positions there of the search's claims.
    pub(crate) fn number(&mut self, table: &mut Table, claims: &[Option<u32>]) {
        for (number, fact) in (0..).zip(std::mem::take(&mut self.facts)) {
            let claim = || {
                let claim = self.claims.get(&number)?;
                Some(LastingFact::Tail(claims.get(*claim as usize).copied().flatten()?))
            };
            let lasting = fact.or_else(claim).map(|fact| table.fact(fact));
            if lasting == Some(number) {
                self.same.insert(number);
            }
            self.numbers.push(lasting);
        }
    }

    /// A set of facts with the numbers that they have in the memory; `None` if one is good for this run only.
    pub(crate) fn set(&self, set: &FactSet) -> Option<FactSet> {
        if set.is_within(&self.same) {
            return Some(set.clone());
        }
        let mut lasting = FactSet::default();
        for number in set.iter() {
            lasting.insert(self.numbers.get(number as usize).copied().flatten()?);
        }
        Some(lasting)
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
