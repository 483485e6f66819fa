//! The last version of which it is known that nothing fails, for a comparison with later ones.
//!
//! Guarantee: the program that comes back is the one that was put in, but for the numbers of its constants.

use selvedge_base::Id;
use selvedge_exec::{Fact, Machine, Place};
use selvedge_program::{BlockId, FuncId, Program, Unordered, parse};
use serde::{Deserialize, Serialize};

/// Function, block and position of an instruction.
type Numbers = (u32, u32, u32);

/// A version all of whose executions are known to be safe.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Base {
    /// What the caller makes of its answer.
    pub(crate) answer: Vec<u8>,
    version: Version,
    noted: Vec<Noted>,
}

/// What the answer relies on besides code. Places are those of the program, as it is kept.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
enum Noted {
    Relied(u32, Option<Numbers>),
    About(u32, String),
    Unwritten(Numbers),
}

/// A program.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Version {
    text: String,
    /// What is not part of the text form.
    has_bitcode: bool,
    unordered: Vec<[Numbers; 2]>,
}

impl Base {
    /// What is to be known of this version; `None` if something was looked at that is not in the code.
    pub(crate) fn new(machine: &Machine<'_>, program: &Program, answer: Vec<u8>) -> Option<Base> {
        let mut noted = Vec::new();
        for fact in machine.code.as_ref()?.all() {
            match fact {
                Fact::Fleeting => return None,
                Fact::Relied(assumption, at) => noted.push(Noted::Relied(*assumption, at.map(numbers))),
                Fact::About(assumption, what) => noted.push(Noted::About(*assumption, what.clone())),
                Fact::Unwritten(at) => noted.push(Noted::Unwritten(numbers(*at))),
                Fact::Ran(_) | Fact::Started | Fact::Called(_) | Fact::Tail(_) => {}
            }
        }
        Some(Base { answer, version: Version::of(program), noted })
    }

    /// The program, and what the answer about it relies on.
    pub(crate) fn program(&self) -> Option<(Program, Vec<Fact>)> {
        let fact = |noted: &Noted| match noted {
            Noted::Relied(assumption, at) => Fact::Relied(*assumption, at.map(place)),
            Noted::About(assumption, what) => Fact::About(*assumption, what.clone()),
            Noted::Unwritten(at) => Fact::Unwritten(place(*at)),
        };
        Some((self.version.program()?, self.noted.iter().map(fact).collect()))
    }
}

fn numbers(at: Place) -> Numbers {
    (at.func.0, at.block.0, at.inst)
}

fn place((func, block, inst): Numbers) -> Place {
    Place { func: FuncId(func), block: BlockId(block), inst }
}

impl Version {
    fn of(program: &Program) -> Version {
        let numbers = |func: FuncId, (block, inst): (BlockId, usize)| (func.0, block.0, inst as u32);
        let unordered = program.unordered.iter().map(|u| [u.first, u.second].map(|at| numbers(u.func, at)));
        Version {
            text: program.to_string(),
            has_bitcode: program.has_bitcode,
            unordered: unordered.collect(),
        }
    }

    fn program(&self) -> Option<Program> {
        let mut program = parse(&self.text).ok()?;
        program.has_bitcode = self.has_bitcode;
        let place = |(_, block, inst): Numbers| (BlockId(block), inst as usize);
        let unordered = self.unordered.iter().map(|[first, second]| Unordered {
            func: FuncId(first.0),
            first: place(*first),
            second: place(*second),
        });
        program.unordered = unordered.filter(|u| u.func.index() < program.funcs.len()).collect();
        Some(program)
    }
}
