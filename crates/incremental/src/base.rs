//! The last version of which it is known that nothing fails, for a comparison with later ones.
//!
//! Guarantee: the program that comes back is the one that was put in, but for the numbers of its constants.

use selvedge_base::Id;
use selvedge_exec::{CodeNames, Fact, Machine};
use selvedge_program::{BlockId, FuncId, Program, Unordered, parse};
use serde::{Deserialize, Serialize};

use crate::facts::{LastingFact, Places};

/// A version all of whose executions are known to be safe.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Base {
    /// What the caller makes of its answer.
    pub(crate) answer: Vec<u8>,
    version: Version,
    /// What the answer relies on besides code.
    noted: Vec<LastingFact>,
}

/// A program.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Version {
    text: String,
    /// What is not part of the text form.
    has_bitcode: bool,
    unordered: Vec<(u32, (u32, usize), (u32, usize))>,
}

impl Base {
    /// What is to be known of this version. `old` is the base that its answer was found with, if it was; `None` if something
    /// was looked at that is not in the code.
    pub(crate) fn new(
        machine: &Machine<'_>,
        program: &Program,
        names: &CodeNames,
        answer: Vec<u8>,
        old: Option<&Base>,
    ) -> Option<Base> {
        let mut noted: Vec<LastingFact> = Vec::new();
        let code = machine.code.as_ref()?;
        for fact in code.all() {
            if *fact == Fact::Fleeting {
                return None;
            }
            noted.extend(LastingFact::beside_code(fact, names));
        }
        for fact in old.iter().flat_map(|old| &old.noted) {
            if !noted.contains(fact) {
                noted.push(fact.clone());
            }
        }
        Some(Base { answer, version: Version::of(program), noted })
    }

    /// The program.
    pub(crate) fn program(&self) -> Option<Program> {
        self.version.program()
    }

    /// What the answer relies on, as far as it is there in another version.
    pub(crate) fn noted(&self, machine: &mut Machine<'_>, names: &CodeNames) -> Vec<Fact> {
        let mut places = Places::new(machine.image.program, names);
        self.noted.iter().filter_map(|fact| fact.here(machine, &mut places)).collect()
    }
}

impl Version {
    fn of(program: &Program) -> Version {
        let place = |(block, inst): (BlockId, usize)| (block.0, inst);
        let unordered = program.unordered.iter().map(|u| (u.func.0, place(u.first), place(u.second)));
        Version {
            text: program.to_string(),
            has_bitcode: program.has_bitcode,
            unordered: unordered.collect(),
        }
    }

    fn program(&self) -> Option<Program> {
        let mut program = parse(&self.text).ok()?;
        program.has_bitcode = self.has_bitcode;
        let place = |(block, inst): (u32, usize)| (BlockId(block), inst);
        let unordered = self.unordered.iter().map(|(func, first, second)| Unordered {
            func: FuncId(*func),
            first: place(*first),
            second: place(*second),
        });
        program.unordered = unordered.filter(|u| u.func.index() < program.funcs.len()).collect();
        Some(program)
    }
}
