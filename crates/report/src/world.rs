//! The files and the standard input that one execution met, put together from its inputs and what the user gave.
//!
//! Guarantee: a real program that finds exactly these files and this standard input finds what the execution found, as
//! far as the execution looked.

use std::collections::BTreeMap;

use selvedge_engine::{FileContent, FileRole, Input, InputKind, PEER, Peers, Stdin, World};

/// Names of inputs about the standard streams.
const CONSOLES: [&str; 3] = ["/dev/stdin", "/dev/stdout", "/dev/stderr"];
/// The name of inputs that are random bytes, from whichever device.
const RANDOM: &str = "/dev/random";

/// What is under a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// Nothing.
    Absent,
    /// A directory.
    Directory,
    /// A regular file with this content.
    File(Vec<u8>),
}

/// The world of one execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundWorld {
    /// The bytes of standard input that were read, or all that were given.
    pub stdin: Vec<u8>,
    /// One `read` of standard input stopped short after so many bytes, counted from the beginning.
    pub part: Option<u32>,
    /// Whether standard input, output and errors are terminals, if the program asked.
    pub terminals: [Option<bool>; 3],
    /// What was read from `/dev/random`.
    pub random: Vec<u8>,
    /// Names from where the program starts, or from the root if they begin with a slash.
    pub names: BTreeMap<String, Found>,
    /// Peers that connect or answer, in this order.
    pub peers: Vec<FoundPeer>,
}

/// A peer on the network.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FoundPeer {
    /// What it sends.
    pub bytes: Vec<u8>,
    /// One read of it stopped short after so many bytes, counted from the beginning.
    pub part: Option<u32>,
}

impl FoundPeer {
    fn given(content: &FileContent) -> FoundPeer {
        match content {
            FileContent::Bytes(bytes) => FoundPeer { bytes: bytes.to_vec(), part: None },
            FileContent::UpTo(_) => FoundPeer::default(),
        }
    }

    fn learn(&mut self, role: FileRole, input: &[u8]) {
        match role {
            FileRole::Length => self.bytes = vec![0; number(input)],
            FileRole::Content => {
                let n = self.bytes.len().min(input.len());
                self.bytes[..n].copy_from_slice(&input[..n]);
            }
            FileRole::Part => self.part = Some(number(input) as u32),
            _ => {}
        }
    }
}

/// The world that an execution with these inputs met.
pub fn found(world: &World, inputs: &[Input]) -> FoundWorld {
    let mut stdin: Vec<u8> = match &world.stdin {
        Stdin::Bytes(bytes) => bytes.to_vec(),
        _ => inputs
            .iter()
            .filter(|i| i.kind == InputKind::Stdin)
            .flat_map(|i| i.bytes.iter().copied())
            .collect(),
    };
    // What was not read may be anything.
    if let Stdin::Exactly(n) = world.stdin {
        stdin.resize(n as usize, 0);
    }
    let mut names = BTreeMap::new();
    let (mut part, mut terminals, mut random) = (None, [None; 3], Vec::new());
    let mut peers: Vec<FoundPeer> = match &world.peers {
        Peers::Given(given) => given.iter().map(FoundPeer::given).collect(),
        Peers::UpTo(_) => vec![FoundPeer::default()],
        Peers::Task => Vec::new(),
    };
    for (name, content) in &world.files {
        let bytes = match content {
            FileContent::Bytes(bytes) => bytes.to_vec(),
            // Its length and content follow, unless nothing was asked about it.
            FileContent::UpTo(_) => Vec::new(),
        };
        names.insert(name.clone(), Found::File(bytes));
    }
    for input in inputs {
        let InputKind::File { name, role } = &input.kind else { continue };
        let bytes = &input.bytes;
        let console = CONSOLES.iter().position(|console| console == name);
        match (console, role) {
            (Some(0), FileRole::Part) => part = Some(number(bytes) as u32),
            (Some(i), FileRole::Terminal) => terminals[i] = Some(bytes.first().is_some_and(|b| b & 1 != 0)),
            _ => {}
        }
        if console.is_some() {
            continue;
        }
        if let Some(which) = name.strip_prefix(PEER) {
            let which = which.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
            if let Some(peer) = which.and_then(|which| peers.get_mut(which)) {
                peer.learn(*role, bytes);
            }
            continue;
        }
        if name == RANDOM {
            random.extend(bytes);
            continue;
        }
        match role {
            FileRole::Exists => {
                let exists = input.bytes.first().is_some_and(|b| b & 1 != 0);
                // A length will follow if it is no directory.
                names.insert(name.clone(), if exists { Found::Directory } else { Found::Absent });
            }
            FileRole::Length => {
                names.insert(name.clone(), Found::File(vec![0; number(bytes)]));
            }
            FileRole::Content => {
                if let Some(Found::File(content)) = names.get_mut(name) {
                    let n = content.len().min(input.bytes.len());
                    content[..n].copy_from_slice(&input.bytes[..n]);
                }
            }
            FileRole::Part | FileRole::Time | FileRole::Terminal | FileRole::Late => {}
        }
    }
    FoundWorld { stdin, part, terminals, random, names, peers }
}

/// An `unsigned int` in memory order.
fn number(bytes: &[u8]) -> usize {
    bytes.iter().take(4).rev().fold(0, |n, b| n << 8 | usize::from(*b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::input;

    #[test]
    fn the_files_of_an_execution_are_put_together() {
        let about = |name: &str, role, bytes: &[u8]| {
            input("x", "bytes", "", bytes, InputKind::File { name: name.into(), role })
        };
        let inputs = [
            about("a.txt", FileRole::Exists, &[1]),
            about("a.txt", FileRole::Length, &[2, 0, 0, 0]),
            about("a.txt", FileRole::Content, b"hello"),
            about("b", FileRole::Exists, &[0]),
            about("/etc", FileRole::Exists, &[1]),
            about("/dev/stdin", FileRole::Length, &[1, 0, 0, 0]),
            about("/dev/stdin", FileRole::Part, &[3, 0, 0, 0]),
            about("/dev/stdout", FileRole::Terminal, &[1]),
            about("/dev/random", FileRole::Content, b"rr"),
            about("/dev/peer/1", FileRole::Length, &[1, 0, 0, 0]),
            about("/dev/peer/1", FileRole::Content, b"pq"),
            about("/dev/peer/1", FileRole::Part, &[1, 0, 0, 0]),
            input("stdin[0]", "unsigned char", "65", b"A", InputKind::Stdin),
        ];
        let world =
            World { files: vec![("c".into(), FileContent::Bytes(b"x"[..].into()))], ..World::default() };
        let found = found(&world, &inputs);
        assert_eq!((&found.stdin[..], &found.random[..]), (&b"A"[..], &b"rr"[..]));
        assert_eq!((found.part, found.terminals), (Some(3), [None, Some(true), None]));
        assert_eq!(found.peers, [FoundPeer { bytes: b"p".to_vec(), part: Some(1) }]);
        let names: Vec<(&str, &Found)> = found.names.iter().map(|(name, f)| (name.as_str(), f)).collect();
        let file = |bytes: &[u8]| Found::File(bytes.to_vec());
        assert_eq!(
            names,
            [("/etc", &Found::Directory), ("a.txt", &file(b"he")), ("b", &Found::Absent), ("c", &file(b"x"))]
        );
    }
}
