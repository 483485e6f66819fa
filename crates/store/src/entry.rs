//! Entries: keys, values, checksums.

use sha2::{Digest, Sha256};

/// What an entry is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// What is known of the versions of a program.
    Memory,
    /// That a version of a program in a repository was checked.
    Revision,
    /// The last proof of a program.
    Proof,
    /// Part of what is known of the versions of a program: what a search has found out.
    Layer,
}

impl Kind {
    /// All kinds with their names.
    pub const ALL: [(Kind, &'static str); 4] = [
        (Kind::Memory, "programs"),
        (Kind::Layer, "searches"),
        (Kind::Revision, "revisions"),
        (Kind::Proof, "proofs"),
    ];

    /// The number in files.
    pub(crate) fn number(self) -> u8 {
        match self {
            Kind::Memory => 1,
            Kind::Revision => 2,
            Kind::Proof => 3,
            Kind::Layer => 4,
        }
    }

    pub(crate) fn of_number(number: u8) -> Option<Kind> {
        Kind::ALL.iter().map(|(kind, _)| *kind).find(|kind| kind.number() == number)
    }
}

/// A hash of all that an entry depends on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Key(pub [u8; 32]);

impl Key {
    /// The key of some parts: it tells them apart, and where each ends.
    pub fn of(parts: &[&[u8]]) -> Key {
        let mut hasher = Sha256::new();
        for part in parts {
            hasher.update((part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        Key(hasher.finalize().into())
    }
}

/// A value under its key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// What it is.
    pub kind: Kind,
    /// Where.
    pub key: Key,
    /// The value.
    pub value: Vec<u8>,
}

/// What was found under a key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// This value.
    Value(Vec<u8>),
    /// Nothing, or something of another build of the tool.
    Nothing,
    /// Something that is not what was written.
    Damaged,
}

/// What tells whether an entry is what was written.
pub(crate) fn checksum(kind: u8, key: &[u8], tool: &str, value: &[u8]) -> [u8; 32] {
    Key::of(&[&[kind], key, tool.as_bytes(), value]).0
}
