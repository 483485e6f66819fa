//! What an outcome had from earlier runs, and when these are not used at all.

use crate::outcome::Outcome;

/// What a search had from other versions of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reuse {
    /// Summaries that rest on unchanged code.
    pub kept: u64,
    /// Summaries that rest on unchanged code up to where one thread was left, from where on all is as well as it was.
    pub again: u64,
    /// Summaries whose code has changed.
    pub dropped: u64,
    /// States that were left because such a summary covers them.
    pub used: u64,
    /// There was no search, because an earlier answer stands.
    pub stands: Option<Stands>,
    /// What has become of the failures of the last version.
    pub known_bugs: KnownBugs,
    /// Why nothing was used, if so.
    pub unused: Option<Unused>,
    /// What the change can influence, if an earlier version was known to be safe and it was asked.
    pub checks: Option<Checks>,
    /// The search was for failures that the change can influence.
    pub is_focused: bool,
    /// What became of the proof of an earlier version, where a proof is looked for.
    pub proof: Option<EarlierProof>,
}

/// What became of the proof of an earlier version.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EarlierProof {
    /// There is none.
    None,
    /// The checker has accepted it for this version. When a search found it, in seconds since 1970.
    Holds(u64),
    /// The search began with what is left of it.
    Left {
        /// Conditions of control states that are still there.
        of: u64,
        /// Those of them that still hold.
        holds: u64,
    },
    /// The search was one from scratch, as nothing that it says could be used.
    Useless,
}

/// Instructions that can fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checks {
    /// All of them.
    pub of: u64,
    /// Those that the change can make fail.
    pub impacted: u64,
}

/// An earlier answer that is the answer now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stands {
    /// When a search found it, in seconds since 1970.
    pub since: u64,
    /// Why it stands.
    pub because: StandsBecause,
}

/// Why an earlier answer stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StandsBecause {
    /// Nothing that its executions did has changed.
    Unchanged,
    /// Nothing that changed can make anything fail, wait or end that did not.
    Harmless,
}

/// What becomes of known failures when they are executed again, with the inputs and the schedule of the last version.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct KnownBugs {
    /// They are still there.
    pub same: u64,
    /// Something else fails now.
    pub other: u64,
    /// Nothing fails.
    pub fixed: u64,
}

/// Why a search was one from scratch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unused {
    /// Several workers number threads each for itself.
    Jobs,
    /// The answer depends on addresses, which are others in a program that was edited than in one that is new.
    Addresses,
}

/// Assumptions of answers that depend on addresses.
const OF_ADDRESSES: [&str; 2] = ["layout.address-bits", "layout.address-order"];

impl Outcome {
    /// Whether the answer depends on the addresses that objects have.
    pub fn depends_on_addresses(&self) -> bool {
        let of_bugs = self.bugs.iter().flat_map(|bug| &bug.assumptions);
        self.assumptions.iter().chain(of_bugs).any(|assumption| OF_ADDRESSES.contains(&assumption.id))
    }
}
