//! Files and standard streams of the real program: what is recorded of them, and whose calls see it.

use super::tables::{C, literal};

/// What the program finds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct World {
    /// Files and directories by their paths from the root; directories above them are made as well.
    pub files: Vec<(String, Node)>,
    /// Standard input stops short after so many bytes.
    pub part: Option<u32>,
    /// Whether each standard stream is a terminal, if somebody asked.
    pub terminals: [Option<bool>; 3],
    /// Peers that connect, in this order.
    pub peers: Vec<Peer>,
}

/// A peer on the network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Peer {
    /// What it sends.
    pub bytes: Vec<u8>,
    /// A read of it stops short after so many bytes.
    pub part: Option<u32>,
}

/// What is under a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Node {
    /// A directory.
    Directory,
    /// A regular file with this content.
    File(Vec<u8>),
}

/// The tables of the world; `is_named` says whether the program names files.
pub(super) fn render(c: &mut C, world: &World, is_named: bool) {
    let mut bytes: Vec<u8> = Vec::new();
    let mut files = Vec::new();
    for (path, node) in &world.files {
        let (is_directory, content) = match node {
            Node::Directory => (1, &[][..]),
            Node::File(content) => (0, content.as_slice()),
        };
        let path = literal(path.as_bytes());
        files.push(format!("{{{path}, {is_directory}, {}, {}}}", content.len(), bytes.len()));
        bytes.extend(content);
    }
    c.line(&format!("const int sv_has_world = {};", u8::from(is_named)));
    c.line(&format!("const size_t sv_n_files = {};", files.len()));
    c.array("const struct sv_file sv_files", files.into_iter());
    c.array("const unsigned char sv_file_bytes", bytes.iter().map(ToString::to_string));
    c.line(&format!("const int sv_has_part = {};", u8::from(world.part.is_some())));
    c.line(&format!("const size_t sv_part = {};", world.part.unwrap_or(0)));
    let terminal = |known: &Option<bool>| known.map_or("-1", |is| if is { "1" } else { "0" }).to_owned();
    c.array("const int sv_terminals", world.terminals.iter().map(terminal));
    render_peers(c, &world.peers);
}

fn render_peers(c: &mut C, peers: &[Peer]) {
    let mut bytes: Vec<u8> = Vec::new();
    let mut rows = Vec::new();
    for Peer { bytes: sent, part } in peers {
        let has_part = u8::from(part.is_some());
        rows.push(format!("{{{}, {}, {has_part}, {}}}", sent.len(), bytes.len(), part.unwrap_or(0)));
        bytes.extend(sent);
    }
    c.line(&format!("const size_t sv_n_peers = {};", rows.len()));
    c.array("const struct sv_peer sv_peers", rows.into_iter());
    c.array("const unsigned char sv_peer_bytes", bytes.iter().map(ToString::to_string));
}
