//! What a part of the search depends on besides values: the code that it ran, and what it noted.
//!
//! Summaries that outlive a run say on which instructions they rest. An instruction that was executed below a state, on
//! any way, is a [`Fact`] of that state; so is what the ledger and the warnings have to say of it, because whoever skips
//! the part must still say it. Facts have small numbers, so that sets of them are short.
//!
//! Nothing is noted, and nothing is paid, unless somebody [asks](crate::Machine::trace_code).

use rustc_hash::FxHashMap;
use selvedge_base::{Loc, Packed};
use selvedge_program::{BlockId, FuncId, Program};
use serde::{Deserialize, Serialize};

/// Something that was done or noted.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Fact {
    /// The instruction was executed.
    Ran(Place),
    /// A thread was started.
    Started,
    /// The function was called through a pointer.
    Called(FuncId),
    /// An [assumption](crate::ASSUMPTIONS) was relied on, in code of the user if the place is known.
    Relied(u32, Option<Place>),
    /// What such an assumption is about.
    About(u32, String),
    /// Memory was read here before it was written.
    Unwritten(Place),
    /// One thread is left, and from here on all is well: a claim by its number, which only summaries know. Not noted, and in
    /// sets only.
    Tail(u32),
    /// Something was looked at that no instruction says: what rests on it is good for this run only.
    Fleeting,
}

/// An instruction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// Function.
    pub func: FuncId,
    /// Block.
    pub block: BlockId,
    /// Position in it.
    pub inst: u32,
}

impl Place {
    /// Where it is in the sources.
    pub fn loc(self, program: &Program) -> Loc {
        let block = program.funcs.get(self.func).and_then(|func| func.blocks.get(self.block));
        block.and_then(|block| block.locs.get(self.inst as usize)).copied().unwrap_or(Loc::UNKNOWN)
    }
}

/// A set of facts.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct FactSet {
    words: Vec<u64>,
}

impl FactSet {
    /// Adds a fact by its number.
    pub fn insert(&mut self, number: u32) {
        let word = number as usize / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (number % 64);
    }

    /// Adds all facts of another set.
    pub fn union(&mut self, other: &FactSet) {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            *mine |= theirs;
        }
    }

    /// Whether none of its facts is in another set.
    pub fn is_apart(&self, other: &FactSet) -> bool {
        self.words.iter().zip(&other.words).all(|(mine, theirs)| mine & theirs == 0)
    }

    /// Whether all its facts are in another set.
    pub fn is_within(&self, other: &FactSet) -> bool {
        let theirs = other.words.iter().copied().chain(std::iter::repeat(0));
        self.words.iter().zip(theirs).all(|(mine, theirs)| mine & !theirs == 0)
    }

    /// The numbers of its facts, in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        let bits = |(i, word): (usize, &u64)| {
            let word = *word;
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| i as u32 * 64 + bit)
        };
        self.words.iter().enumerate().flat_map(bits)
    }

    /// Bytes that it takes.
    pub fn weight(&self) -> u64 {
        8 * self.words.len() as u64
    }
}

/// Sets of facts by their positions, each of which is read when somebody asks for it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct FactSets {
    /// Their words.
    sets: Packed,
}

impl FactSets {
    /// Adds a set, and gives its position.
    pub fn push(&mut self, set: &FactSet) -> u32 {
        self.sets.push(set.words.iter().copied())
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// The set at a position.
    pub fn get(&self, position: u32) -> Option<FactSet> {
        Some(FactSet { words: self.sets.get(position)?.collect() })
    }
}

/// All facts of a search, and those that are new since somebody asked.
#[derive(Debug)]
pub struct CodeTrace {
    /// For each block, by its program-wide number: the number of its first instruction.
    first: Vec<u32>,
    /// By the number of an instruction: the number of the fact that it was executed, plus one.
    ran: Vec<u32>,
    facts: Vec<Fact>,
    numbers: FxHashMap<Fact, u32>,
    /// By the number of a fact: when it was last noted.
    noted: Vec<u32>,
    now: u32,
    new: Vec<u32>,
    /// Everything that was ever noted.
    all: FactSet,
}

impl CodeTrace {
    /// Nothing noted of a program.
    pub(crate) fn new(program: &Program) -> CodeTrace {
        let (mut first, mut n) = (Vec::new(), 0);
        for block in program.funcs.iter().flat_map(|func| func.blocks.iter()) {
            first.push(n);
            n += block.insts.len() as u32;
        }
        CodeTrace {
            first,
            ran: vec![0; n as usize],
            facts: Vec::new(),
            numbers: FxHashMap::default(),
            noted: Vec::new(),
            now: 1,
            new: Vec::new(),
            all: FactSet::default(),
        }
    }

    /// An instruction is executed, in the block of this program-wide number.
    #[inline]
    pub(crate) fn run(&mut self, block_number: usize, place: Place) {
        let inst = (self.first[block_number] + place.inst) as usize;
        match self.ran[inst] {
            0 => self.ran[inst] = self.note(Fact::Ran(place)) + 1,
            number => self.renew(number - 1),
        }
    }

    #[inline]
    fn renew(&mut self, number: u32) {
        let noted = &mut self.noted[number as usize];
        if *noted != self.now {
            *noted = self.now;
            self.new.push(number);
            self.all.insert(number);
        }
    }

    /// The number of a fact.
    pub fn number(&mut self, fact: &Fact) -> u32 {
        if let Some(&number) = self.numbers.get(fact) {
            return number;
        }
        let number = self.facts.len() as u32;
        self.facts.push(fact.clone());
        self.numbers.insert(fact.clone(), number);
        self.noted.push(0);
        number
    }

    /// Notes a fact, and gives its number.
    pub(crate) fn note(&mut self, fact: Fact) -> u32 {
        let number = self.number(&fact);
        self.renew(number);
        number
    }

    /// What was noted in a part that is not run again counts as noted, for the search as a whole.
    pub(crate) fn include(&mut self, facts: &FactSet) {
        self.all.union(facts);
    }

    /// Everything that was noted since the beginning.
    pub fn all(&self) -> impl Iterator<Item = &Fact> {
        self.all.iter().map(|number| self.fact(number))
    }

    /// Everything that was noted since the beginning, by number.
    pub fn everything(&self) -> &FactSet {
        &self.all
    }

    /// All facts that have numbers.
    pub fn numbered(&self) -> &[Fact] {
        &self.facts
    }

    /// A fact by its number.
    pub fn fact(&self, number: u32) -> &Fact {
        &self.facts[number as usize]
    }

    /// Adds what is new since the last call to a set, or forgets it.
    pub fn take(&mut self, into: Option<&mut FactSet>) {
        if let Some(set) = into {
            self.new.iter().for_each(|number| set.insert(*number));
        }
        self.new.clear();
        self.now += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_gets_what_was_noted_in_it() {
        let mut trace = CodeTrace::new(&Program::new(selvedge_program::Target { ptr_bits: 64 }));
        let (a, b) = (Fact::About(1, "a".into()), Fact::Fleeting);
        trace.note(a.clone());
        trace.note(a.clone());
        let mut first = FactSet::default();
        trace.take(Some(&mut first));
        trace.note(b.clone());
        trace.take(None);
        trace.note(b);
        trace.note(a);
        let mut second = FactSet::default();
        trace.take(Some(&mut second));
        assert_eq!(first.iter().collect::<Vec<_>>(), [0]);
        assert_eq!(second.iter().collect::<Vec<_>>(), [0, 1]);
        first.union(&second);
        assert_eq!(first, second);
    }
}
