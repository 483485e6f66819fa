//! What the user says about the program's world: standard input, files by name, and peers on the network.
//!
//! The C run-time (`frontend/runtime/world.h`) builds the world out of this when the program first looks at it.

use std::sync::Arc;

/// What inputs about a peer outside of the program are filed under, followed by its number.
pub const PEER: &str = "/dev/peer/";

/// Bytes that standard input, or a file that nobody has mentioned, has at most, or a peer sends.
pub const DEFAULT_BOUND: u64 = 16;

/// Standard input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stdin {
    /// These bytes.
    Bytes(Arc<[u8]>),
    /// Exactly so many bytes of any content.
    Exactly(u64),
    /// Any bytes, at most so many.
    UpTo(u64),
    /// Nothing, as the tasks of SV-COMP are meant to be read.
    Task,
}

/// What a file holds, or a peer sends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FileContent {
    /// These bytes.
    Bytes(Arc<[u8]>),
    /// Any bytes, at most so many.
    UpTo(u64),
}

/// Files that nobody has mentioned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OtherFiles {
    /// Absent, or of any content and at most so many bytes: decided for each name that the program looks up.
    UpTo(u64),
    /// There are none, because the user says so.
    None,
    /// There are none, as the tasks of SV-COMP are meant to be read.
    Task,
}

/// Who is at the other end of the network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Peers {
    /// One peer for each, that sends this.
    Given(Vec<FileContent>),
    /// At most one peer, that sends any bytes, at most so many.
    UpTo(u64),
    /// Nobody, as the tasks of SV-COMP are meant to be read.
    Task,
}

/// What the user says about the world.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct World {
    /// Standard input.
    pub stdin: Stdin,
    /// Files that exist, by name: from the root, or from where the program starts.
    pub files: Vec<(String, FileContent)>,
    /// All others.
    pub others: OtherFiles,
    /// Peers that connect, or are connected to.
    pub peers: Peers,
}

impl Default for World {
    fn default() -> Self {
        World {
            stdin: Stdin::UpTo(DEFAULT_BOUND),
            files: Vec::new(),
            others: OtherFiles::UpTo(DEFAULT_BOUND),
            peers: Peers::UpTo(DEFAULT_BOUND),
        }
    }
}

impl FileContent {
    /// How many bytes there are at most.
    pub fn bound(&self) -> u64 {
        match self {
            FileContent::Bytes(bytes) => bytes.len() as u64,
            FileContent::UpTo(n) => *n,
        }
    }

    /// Whether it can be anything.
    pub fn is_symbolic(&self) -> bool {
        matches!(self, FileContent::UpTo(_))
    }
}

impl World {
    /// The world of a task of SV-COMP, which is nothing but the program.
    pub fn task() -> Self {
        World { stdin: Stdin::Task, files: Vec::new(), others: OtherFiles::Task, peers: Peers::Task }
    }

    /// What a peer sends, if that was said.
    pub fn given_peer(&self, number: usize) -> Option<&FileContent> {
        match &self.peers {
            Peers::Given(peers) => peers.get(number),
            Peers::UpTo(_) | Peers::Task => None,
        }
    }
}
