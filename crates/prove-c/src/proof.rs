//! The proof object of a C program: an inductive invariant, and its text.
//!
//! ```text
//! selvedge-proof 1
//! system 3f…                                a hash of the program and of what else decides what it does
//! check pdr                                 how it was found; the checker does not rely on it
//! objects seen                              objects are shared once others can know of them (all: from the start)
//! thread 1 = child 0 of 0                   threads by number; 0 is the one that runs `main`
//! variable inside = memory 11 0 4           4 bytes from the first of an object on, in a predicate
//! variable mine%1.0.3.i32 = register 1 0 3 32   a register of a thread's frame, with its width
//! place next = memory 9 0 4                 as `variable`, in no predicate
//! predicate (= inside #x00000000)           predicates in SMT-LIB, numbered from 1
//! state 5a0b77e1c02f9d34 0 lock.c:30, 1 lock.c:12   a control state, and where its threads stand
//! any next inside                           its places that may have any value; all others have one
//! case 1 -2 3|-4                            its states: 1 holds, 2 does not, and 3 does or 4 does not
//! end 8a…                                   SHA-256 of everything above
//! ```
//!
//! The states of a control state are those of all its cases. A control state that is not there is never reached; one that
//! is has its place in the program as its name, and a hash of all that belongs to it to tell it from others there.
//!
//! Guarantee: what was written reads back, in another run and another machine. Relies on: threads have the same numbers.

pub(crate) mod read;
pub(crate) mod write;

use std::collections::BTreeMap;
use std::hash::Hasher as _;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use selvedge_base::Loc;
use selvedge_exec::{Arguments, Machine, Options, Piece, Place, State, Thread};
use selvedge_program::Program;
use selvedge_program::stable::{Content, Hasher, Names};
use selvedge_prove::Cube;
use selvedge_term::TermId;
use siphasher::sip::SipHasher13;

/// A control state: a hash of its [key](selvedge_exec::template_key). Should two have the same, the same is claimed of
/// both, and both are checked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct StateName(u64);

impl StateName {
    pub(crate) fn of(key: &[u64]) -> StateName {
        let mut hasher = SipHasher13::new();
        key.iter().for_each(|word| hasher.write_u64(*word));
        StateName(hasher.finish())
    }

    pub(crate) fn number(self) -> u64 {
        self.0
    }
}

/// What an invariant says about one control state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Claim {
    /// Where the threads stand, for a reader.
    pub(crate) places: String,
    /// Places that may have any value.
    pub(crate) variables: Vec<Piece>,
    /// What holds of their values: one of these conjunctions.
    pub(crate) cases: Vec<Cube>,
}

impl Claim {
    /// What holds, as one condition.
    pub(crate) fn formula(&self, machine: &mut Machine<'_>) -> TermId {
        let pool = &mut machine.pool;
        let cases: Vec<TermId> = self.cases.iter().map(|case| pool.and_all(case)).collect();
        pool.or_all(&cases)
    }
}

/// An inductive invariant: a claim for every control state that can be reached.
pub(crate) type Invariant = BTreeMap<StateName, Claim>;

/// A proof.
#[derive(Clone, Debug)]
pub(crate) struct Proof {
    /// How it was found.
    pub(crate) method: String,
    /// Every object was taken for shared.
    pub(crate) all_shared: bool,
    /// Numbers of threads: which child of which parent each is.
    pub(crate) threads: Vec<(u32, u32)>,
    pub(crate) invariant: Invariant,
}

/// The conditions of which one must hold.
fn literals(machine: &mut Machine<'_>, condition: TermId) -> Vec<TermId> {
    let pool = &mut machine.pool;
    let negated = pool.not(condition);
    let parts = pool.conjuncts(negated);
    parts.into_iter().map(|part| pool.not(part)).collect()
}

/// A hash of the program and of what else decides what it can do.
pub(crate) fn system(program: &Program, options: &Options, arguments: &Arguments) -> String {
    let Options {
        checks,
        bounds,
        surroundings,
        // Written into the proof.
        share_everything: _,
        ignore_waits,
        // Proofs have them all.
        loop_points: _,
        telling_calls,
    } = options;
    let names = Names::new(program);
    let print = Content::new(program, &names, |_| false).fingerprint();
    let mut hasher = Hasher::new("proof");
    for ((_, name), digest) in names.funcs().zip(print.funcs.iter()) {
        hasher.text(name);
        hasher.digest(*digest);
    }
    for ((_, name), digest) in names.globals().zip(print.globals.iter()) {
        hasher.text(name);
        hasher.digest(*digest);
    }
    hasher.digest(print.rest);
    hasher.digest(print.layout);
    let checks: std::collections::BTreeSet<String> = checks.iter().map(|kind| format!("{kind:?}")).collect();
    hasher.text(&format!("{checks:?} {:?} {ignore_waits}", bounds.max_depth));
    hasher.text(&format!("{surroundings:?} {arguments:?} {telling_calls:?}"));
    hasher.finish().to_string()
}

/// Where threads stand, by their numbers.
pub(crate) type Stand = Vec<(usize, Place)>;

/// Where the threads of each control state stand.
pub(crate) type Stands = BTreeMap<StateName, Stand>;

/// Where the threads of a state stand in the user's code, those that do.
pub(crate) fn stand(program: &Program, state: &State) -> Stand {
    let place = |thread: &Rc<Thread>| {
        let mut frames = thread.frames.iter().rev();
        let frame = frames.find(|frame| !program.funcs[frame.func].is_runtime)?;
        Some(Place { func: frame.func, block: frame.block, inst: frame.idx as u32 })
    };
    let all = state.threads.iter().enumerate();
    all.filter_map(|(number, thread)| Some((number, place(thread)?))).collect()
}

/// Places for a reader.
pub(crate) struct Shown<'p> {
    program: &'p Program,
    /// Those that were shown before, with their threads.
    known: FxHashMap<(usize, Place), String>,
}

impl<'p> Shown<'p> {
    pub(crate) fn new(program: &'p Program) -> Shown<'p> {
        Shown { program, known: FxHashMap::default() }
    }

    /// Where threads stand.
    pub(crate) fn stand(&mut self, stand: &[(usize, Place)]) -> String {
        let mut text = String::new();
        for (thread, at) in stand {
            text.push_str(if text.is_empty() { "" } else { ", " });
            let shown = || format!("{thread} {}", place(self.program, *at));
            text.push_str(self.known.entry((*thread, *at)).or_insert_with(shown));
        }
        text
    }

    /// Where the threads of a state stand.
    pub(crate) fn state(&mut self, state: &State) -> String {
        self.stand(&stand(self.program, state))
    }
}

fn place(program: &Program, at: Place) -> String {
    let function = &program.funcs[at.func];
    let loc = function.blocks[at.block].locs.get(at.inst as usize).copied().unwrap_or(Loc::UNKNOWN);
    let file = program.files.get(loc.file).filter(|_| loc.is_known());
    let text = match file {
        Some(file) => format!("{}:{}", file.name.rsplit('/').next().unwrap_or(&file.name), loc.line),
        None => function.name.to_string(),
    };
    text.replace(|c: char| c.is_whitespace() || c.is_control(), "_")
}
