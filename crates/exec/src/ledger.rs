//! The ledger of assumptions: which of several possible worlds the paths of a search were explored in.
//!
//! Wherever the engine takes one of several behaviours that the program's surroundings allow, and nobody asked for
//! that one, the path notes it here. A verdict of `safe` is then about the worlds that the ledger describes, and says
//! so; the rows are explained in docs/limitations.md, which a test compares with [`ASSUMPTIONS`].
//!
//! Guarantee: an assumption stands in the ledger if an explored path relied on it, whatever was pruned: what a summary
//! covers was explored once, and noted then.

use std::collections::BTreeSet;

use selvedge_base::Loc;
use selvedge_program::{BlockId, FuncId};

use crate::code::Fact;
use crate::finding::{Res, unsupported};
use crate::machine::{Machine, place};
use crate::state::{State, frame_loc};
use crate::step::Step;

/// Something that is taken for granted.
#[derive(Clone, Copy, Debug)]
pub struct Assumption {
    /// What scripts know it by: `world.stdin-bound`.
    pub id: &'static str,
    /// What is assumed, as the rest of a sentence that begins with "assuming that".
    pub text: &'static str,
}

/// All assumptions that a path can rely on, sorted by id.
pub const ASSUMPTIONS: &[Assumption] = &[
    Assumption {
        id: "calls.convention",
        text: "a call through a pointer of another function type passes integers as x86 does",
    },
    Assumption {
        id: "checks.bitcode",
        text: "what only sources show (lossy shifts and conversions, indices of arrays, alignment) does not happen in bitcode",
    },
    Assumption {
        id: "language.evaluation-order",
        text: "the operands of an expression and the arguments of a call are computed in the order that clang gives them",
    },
    Assumption {
        id: "language.handler-variables",
        text: "variables that handlers of signals use are in memory whenever a signal comes, also those that are not volatile",
    },
    Assumption { id: "layout.address-bits", text: "addresses have the bits that the engine gives them" },
    Assumption {
        id: "layout.address-order",
        text: "unrelated objects lie in memory in the order in which the engine puts them",
    },
    Assumption { id: "layout.neighbours", text: "no object begins where another one ends" },
    Assumption { id: "layout.reuse", text: "released memory is not handed out again at the same address" },
    Assumption { id: "library.errno-kept", text: "what prints and does not fail leaves errno as it is" },
    Assumption {
        id: "library.getenv-kept",
        text: "a text that getenv gave stays as it was when its variable is changed or taken out",
    },
    Assumption {
        id: "library.hash-buckets",
        text: "the order of large hash tables of C++ is that of the engine's numbers of buckets",
    },
    Assumption {
        id: "library.in-handlers",
        text: "handlers of signals may allocate memory and print, as if these functions could be interrupted by themselves",
    },
    Assumption {
        id: "library.narrow-argument",
        text: "an argument that has fewer bits than its function reads has zeros above them",
    },
    Assumption {
        id: "library.print-null",
        text: "a null pointer that is printed as a text by %s gives (null)",
    },
    Assumption { id: "library.realloc-zero", text: "realloc to size zero frees the block and gives null" },
    Assumption { id: "library.usable-size", text: "a block has as many bytes as were asked for" },
    Assumption {
        id: "math.rounding-out-of-range",
        text: "lround, lrint and the like give the least number of their type for what does not fit",
    },
    Assumption {
        id: "memory.bypassed-locals",
        text: "a variable whose declaration only jumps go around keeps its value when its block is entered again",
    },
    Assumption { id: "memory.grows-elsewhere", text: "no mapping of memory can grow where it is" },
    Assumption {
        id: "memory.own-copies",
        text: "copies of structs do what the C library's functions do, although the program brings its own",
    },
    Assumption {
        id: "memory.setjmp-locals",
        text: "locals that were changed since setjmp keep their values after longjmp, also those that are not volatile",
    },
    Assumption {
        id: "numbers.nan-bits",
        text: "a NaN that arithmetic on symbolic numbers makes is positive and quiet",
    },
    Assumption {
        id: "outside.chains",
        text: "no longer chain of pointers comes from outside than --depth allows",
    },
    Assumption {
        id: "outside.freeable",
        text: "memory from outside that is released was allocated by malloc, and its pointer leads to its beginning",
    },
    Assumption {
        id: "outside.globals",
        text: "global variables have their initial values when the function is called",
    },
    Assumption {
        id: "outside.overlap",
        text: "pointers from outside lead to separate objects, or to elements or members of their type in what was looked at before or is not looked at yet, where void pointers lead to elements of any type and pointers to characters to no parts of anything else",
    },
    Assumption {
        id: "outside.sizes",
        text: "a pointer from outside leads to the first of as many elements as --elements and --structs say",
    },
    Assumption { id: "outside.texts-end", text: "texts from outside end within --elements characters" },
    Assumption { id: "prove.waits-end", text: "no loop waits for ever (prove does not look for livelocks)" },
    Assumption {
        id: "threads.nothing-spurious",
        text: "waits on conditions end only when signalled, and weak compare-exchanges fail only with a reason",
    },
    Assumption {
        id: "threads.print-at-once",
        text: "a function that prints reads what it prints in one step, while no other thread writes there",
    },
    Assumption {
        id: "threads.sequential-consistency",
        text: "atomic operations with weaker orders act as sequentially consistent ones",
    },
    Assumption {
        id: "threads.served-later",
        text: "threads that wait while another one waits for somebody outside are served when somebody comes",
    },
    Assumption {
        id: "threads.wide-scalars",
        text: "threads read and write a scalar that is wider than a pointer in one step",
    },
    Assumption {
        id: "world.argv-bound",
        text: "the program gets its name and at most 2 arguments, of up to 4 bytes each",
    },
    Assumption {
        id: "world.clock-range",
        text: "clocks that show the same time agree, never go back, are set to no earlier time, and are read between 1970 and 2106",
    },
    Assumption {
        id: "world.configuration",
        text: "the system is configured in one way: pages of 4096 bytes, 100 clock ticks a second, clocks that count nanoseconds, glibc 2.36",
    },
    Assumption {
        id: "world.datagram-queue",
        text: "a local socket for datagrams takes 11, of which none comes from outside, before those who are not connected to it have to wait, and what one socket has sent and nobody received takes at most 212,992 bytes, with their headers",
    },
    Assumption {
        id: "world.datagrams-arrive",
        text: "datagrams that the program sends itself over the internet arrive at once, in order and only once, and, unless --fail io is given, all of them",
    },
    Assumption {
        id: "world.directory-listing",
        text: "directories hold the names that the program or the user mentions, in that order and with their types, and no others",
    },
    Assumption { id: "world.env-bound", text: "variables of the environment have at most 8 bytes" },
    Assumption {
        id: "world.epoll-order",
        text: "what comes from outside is reported by epoll after what threads have done, in the order in which descriptors were added",
    },
    Assumption { id: "world.failures-bound", text: "no more calls fail than --fail-at-most allows" },
    Assumption {
        id: "world.file-bound",
        text: "files that the program did not make are absent, or regular files of at most 16 bytes that it may use, and nobody else changes files",
    },
    Assumption {
        id: "world.file-facts",
        text: "files lie on one device, belong to the user 1000, have one time, and take the blocks that their size needs",
    },
    Assumption {
        id: "world.identity",
        text: "the process and its user have the number 1000, the host is called localhost, and no users are listed",
    },
    Assumption {
        id: "world.io-succeeds",
        text: "files, streams, pipes and sockets can be opened, read, written and closed, and descriptors 0 to 2 are open",
    },
    Assumption { id: "world.locale-c", text: "there is no locale but C, and the user has chosen it" },
    Assumption { id: "world.memory-succeeds", text: "memory can always be allocated" },
    Assumption {
        id: "world.network",
        text: "the program may use every port and every local address, ports that the system picks are 40000 and those after it, localhost is the only name that is known, a connection that cannot be made is refused, and that an end of a connection is closed, and that nobody is there, is known at once",
    },
    Assumption {
        id: "world.peer-bound",
        text: "at most one peer from outside connects or answers; it has the address of localhost; it sends at most 16 bytes, as one message where messages are sent, of which one read may give less than is there and one look may find nothing yet; it takes all that it is sent",
    },
    Assumption {
        id: "world.peer-parts",
        text: "a peer has the address of localhost; what it sends is one message where messages are sent, or one read may give less than is there, and one look may find nothing yet; it takes all that it is sent",
    },
    Assumption {
        id: "world.pipe-capacity",
        text: "a pipe or a connection takes 4096 bytes before its writer has to wait",
    },
    Assumption { id: "world.program-name", text: "the program is called `program`" },
    Assumption { id: "world.signals-bound", text: "at most one signal arrives from outside" },
    Assumption {
        id: "world.stack-suffices",
        text: "the stack has room for deep calls and large local variables",
    },
    Assumption {
        id: "world.standard-streams",
        text: "standard input, output and error are open; they are terminals or pipes, and ready at any time",
    },
    Assumption {
        id: "world.stdin-bound",
        text: "standard input has at most 16 bytes, and at most one read gives less than is there",
    },
    Assumption {
        id: "world.stdio-unbuffered",
        text: "streams hold no bytes back, and read none ahead, where the program or the other end of a pipe or connection could see it",
    },
    Assumption {
        id: "world.task",
        text: "standard input is empty, no file exists and no peer connects, as in tasks of SV-COMP",
    },
    Assumption {
        id: "world.temporary-names",
        text: "names of temporary files are made of small letters, from aaaaaa on, and nobody else has them",
    },
    Assumption { id: "world.threads-succeed", text: "threads can always be created" },
    Assumption { id: "world.timezone-utc", text: "the local time zone is UTC" },
    Assumption {
        id: "world.umask",
        text: "the file mode creation mask lets the owner use what the program makes",
    },
    Assumption {
        id: "world.undefined-function",
        text: "functions without a body return any value and do nothing else",
    },
    Assumption {
        id: "world.uninterrupted",
        text: "handlers of signals end neither connect nor waits by the system call futex",
    },
    Assumption { id: "world.working-directory", text: "the program starts in /home/user" },
];

/// Those that can make a failure out of nothing: they fix something at one of many values, or at less than systems
/// usually give, and are noted only where the program meets that. An unsafe execution that relied on one says so; what
/// stands here must not be noted by ordinary programs.
pub const CAN_CAUSE_FAILURES: &[&str] = &[
    "layout.address-bits",
    "layout.address-order",
    "layout.neighbours",
    "layout.reuse",
    "library.hash-buckets",
    "library.realloc-zero",
    "library.usable-size",
    "math.rounding-out-of-range",
    "numbers.nan-bits",
    "world.configuration",
    "world.datagram-queue",
    "world.identity",
    "world.pipe-capacity",
    "world.temporary-names",
    "world.timezone-utc",
];

/// Places that are kept of each assumption: the first ones in the source.
const MAX_PLACES: usize = 8;

/// Names that are kept of what all assumptions are about.
const MAX_SUBJECTS: usize = 64;

/// Where a path relied on an assumption.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reliance {
    /// The place in the user's code.
    pub loc: Loc,
    /// The function and block of that place, if a path was there.
    pub block: Option<(FuncId, BlockId)>,
}

/// What the paths relied on.
#[derive(Clone, Debug)]
pub struct Ledger {
    /// By the position in [`ASSUMPTIONS`]: how often, and the first places in the order of the source.
    entries: Vec<(u64, Vec<Reliance>)>,
    /// What assumptions are about, by position in [`ASSUMPTIONS`]: names of functions.
    subjects: BTreeSet<(usize, String)>,
    /// Steps that were explored already are being run again.
    pub(crate) is_closed: bool,
}

impl Default for Ledger {
    fn default() -> Self {
        Ledger {
            entries: vec![(0, Vec::new()); ASSUMPTIONS.len()],
            subjects: BTreeSet::new(),
            is_closed: false,
        }
    }
}

impl Ledger {
    /// Notes that a path relied on `assumption`, a position in [`ASSUMPTIONS`].
    pub fn note(&mut self, assumption: usize, at: Reliance) {
        if self.is_closed {
            return;
        }
        let (count, places) = &mut self.entries[assumption];
        *count += 1;
        // The order in which a search comes to them depends on what it can leave out.
        if let Err(position) = places.binary_search_by_key(&at.loc, |known| known.loc) {
            places.insert(position, at);
            places.truncate(MAX_PLACES);
        }
    }

    /// Notes what an assumption is about.
    pub(crate) fn note_subject(&mut self, assumption: usize, subject: &str) {
        if self.subjects.len() < MAX_SUBJECTS {
            self.subjects.insert((assumption, subject.to_owned()));
        }
    }

    /// Adds what another search of the same program relied on.
    pub fn merge(&mut self, other: Ledger) {
        for ((count, places), (more, elsewhere)) in self.entries.iter_mut().zip(other.entries) {
            *count += more;
            places.extend(elsewhere);
            places.sort_by_key(|at| at.loc);
            places.dedup_by_key(|at| at.loc);
            places.truncate(MAX_PLACES);
        }
        self.subjects.extend(other.subjects);
    }

    /// What an assumption is about, where that has names.
    pub fn subjects(&self, id: &str) -> Vec<&str> {
        let wanted = assumption(id);
        let of_it = self.subjects.iter().filter(|(index, _)| Some(*index) == wanted);
        of_it.map(|(_, name)| name.as_str()).collect()
    }

    /// What was relied on, how often, and where.
    pub fn entries(&self) -> impl Iterator<Item = (&'static Assumption, u64, &[Reliance])> {
        let all = ASSUMPTIONS.iter().zip(&self.entries);
        all.filter(|(_, (count, _))| *count > 0)
            .map(|(assumption, (count, places))| (assumption, *count, places.as_slice()))
    }
}

/// The position of an id in [`ASSUMPTIONS`].
pub fn assumption(id: &str) -> Option<usize> {
    ASSUMPTIONS.binary_search_by(|assumption| assumption.id.cmp(id)).ok()
}

impl Machine<'_> {
    /// Notes that the path of `state` relies on an assumption.
    pub(crate) fn assumed(&mut self, state: &State, id: &'static str) {
        let index = assumption(id).expect("every id that the engine uses has its row");
        self.note_assumption(state, index);
    }

    /// As `assumed`, about something that has a name.
    pub(crate) fn assumed_of(&mut self, state: &State, id: &'static str, subject: &str) {
        self.assumed(state, id);
        if !self.ledger.is_closed {
            let index = assumption(id).expect("noted just now");
            self.ledger.note_subject(index, subject);
            self.note_fact(|| Fact::About(index as u32, subject.to_owned()));
        }
    }

    /// Notes that an execution which ends in `state` relies on an assumption about what `thread` does there.
    pub fn assumed_of_thread(&mut self, state: &State, thread: usize, id: &'static str) {
        let index = assumption(id).expect("every id that the engine uses has its row");
        self.note_place(state, thread, index);
    }

    fn note_assumption(&mut self, state: &State, index: usize) {
        self.note_place(state, state.current, index);
    }

    fn note_place(&mut self, state: &State, thread: usize, index: usize) {
        let program = self.image.program;
        let mut frames = state.threads[thread].frames.iter().rev();
        let frame = frames.find(|frame| !program.funcs[frame.func].is_runtime);
        let at = frame.map_or(Reliance { loc: Loc::UNKNOWN, block: None }, |frame| Reliance {
            loc: frame_loc(program, frame),
            block: Some((frame.func, frame.block)),
        });
        self.note_fact(|| Fact::Relied(index as u32, frame.map(|frame| place(frame))));
        self.ledger.note(index, at);
    }
}

impl Step<'_, '_> {
    /// Notes that this path relies on an assumption.
    pub(crate) fn assumed(&mut self, id: &'static str) {
        self.m.assumed(self.st, id);
    }

    /// `__selvedge_assumed`: the run-time names the assumption.
    pub(crate) fn assumed_by_name(&mut self, id: &[u8]) -> Res<()> {
        let id = String::from_utf8_lossy(id);
        match assumption(&id) {
            Some(index) => self.m.note_assumption(self.st, index),
            None => return unsupported(format!("the assumption {id}, which has no row in the ledger")),
        }
        self.returns_nothing()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_are_sorted_and_found() {
        assert!(ASSUMPTIONS.is_sorted_by(|a, b| a.id < b.id));
        for (index, row) in ASSUMPTIONS.iter().enumerate() {
            assert_eq!(assumption(row.id), Some(index));
        }
        assert_eq!(assumption("world.no-such"), None);
        assert!(CAN_CAUSE_FAILURES.iter().all(|id| assumption(id).is_some()));
    }

    #[test]
    fn a_closed_ledger_takes_nothing_and_merging_adds_up() {
        let at = |line| Reliance { loc: Loc { line, ..Loc::UNKNOWN }, block: None };
        let mut ledger = Ledger::default();
        ledger.note(0, at(1));
        ledger.note(0, at(1));
        ledger.is_closed = true;
        ledger.note(1, at(1));
        let mut other = Ledger::default();
        other.note(0, at(2));
        other.note(0, at(1));
        ledger.merge(other);
        let entries: Vec<_> =
            ledger.entries().map(|(a, count, places)| (a.id, count, places.len())).collect();
        assert_eq!(entries, [(ASSUMPTIONS[0].id, 4, 2)]);
    }
}
