//! An answer as it is kept for later versions of the program.

use std::hash::{Hash, Hasher};

use selvedge_program::Program;
use serde::{Deserialize, Serialize};
use siphasher::sip::SipHasher13;

use crate::config::Config;
use crate::outcome::{Bug, Input};

/// What a search has answered.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Told {
    /// When it did, in seconds since 1970.
    pub(crate) when: u64,
    /// Of what it was asked.
    pub(crate) question: u64,
    /// Nothing fails, within bounds that the user has set.
    pub(crate) is_safe: bool,
    /// Every failure is among those that it knows.
    pub(crate) knows_all: bool,
    /// A bound that the user has set was met, at these places.
    pub(crate) bounds: Vec<String>,
    /// Of the places in the source, if the answer names any.
    pub(crate) lines: Option<u64>,
    /// There is an execution.
    pub(crate) has_executions: bool,
    pub(crate) bugs: Vec<KnownBug>,
}

/// How to make a failure happen again, and how to recognise it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct KnownBug {
    /// Kind, message and function.
    pub(crate) what: (String, String, String),
    pub(crate) inputs: Vec<Input>,
    /// Who started which thread.
    pub(crate) threads: Vec<(u32, u32)>,
    /// The thread of each step.
    pub(crate) steps: Vec<u32>,
    pub(crate) all_shared: bool,
}

impl Told {
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        postcard::to_allocvec(self).expect("nothing in it has no form")
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Told> {
        postcard::from_bytes(bytes).ok()
    }
}

impl KnownBug {
    pub(crate) fn of(bug: &Bug) -> KnownBug {
        KnownBug {
            what: what(bug),
            inputs: bug.inputs.clone(),
            threads: bug.turns.threads.clone(),
            steps: bug.turns.steps.clone(),
            all_shared: bug.turns.all_shared,
        }
    }

    /// Whether `bug` is this one: lines may have moved.
    pub(crate) fn is(&self, bug: &Bug) -> bool {
        self.what == what(bug)
    }
}

fn what(bug: &Bug) -> (String, String, String) {
    (bug.kind.class().to_owned(), bug.message.clone(), bug.location.function.clone())
}

/// What decides the answer besides the program.
pub(crate) fn question(config: &Config) -> u64 {
    let mut hasher = SipHasher13::new();
    let Config { properties, reduction: _, bounds, arguments, surroundings, .. } = config;
    format!("{:?}", (properties, bounds, arguments, surroundings)).hash(&mut hasher);
    hasher.finish()
}

/// The places in the source of all that the user has written.
pub(crate) fn lines(program: &Program) -> u64 {
    let mut hasher = SipHasher13::new();
    for file in program.files.iter() {
        (&file.name, &file.dir).hash(&mut hasher);
    }
    for function in program.funcs.iter().filter(|function| !function.is_runtime) {
        function.name.hash(&mut hasher);
        for block in function.blocks.iter() {
            block.locs.iter().for_each(|loc| (loc.file, loc.line).hash(&mut hasher));
        }
    }
    hasher.finish()
}
