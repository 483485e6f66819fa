//! Where symbolic bytes come from.
//!
//! A *source* is a run of bytes whose values are not known: an input of the program, memory that
//! was never written, or (for relative effects) the content of an object at a segment's start.
//! A piece of a source becomes a variable only when it is read, at the granularity of the first read, so an
//! `int` input is one 32-bit variable and not a concatenation of four bytes. The same piece is the
//! same term in every state: names depend on thread-local history only.
//!
//! When inputs are fixed (replay), pieces are concrete bytes instead.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use selvedge_term::{Assignment, Sort, Substitution, TermId, TermPool, VarId};
use serde::{Deserialize, Serialize};

use crate::value::{ObjId, Value};

/// The identity of a source.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Source {
    /// The `n`-th input consumed by `thread`.
    Input {
        /// Consuming thread.
        thread: u32,
        /// Position in that thread's sequence of inputs.
        n: u32,
    },
    /// Bytes of an object that were never written since it came to life.
    Uninit {
        /// The object; of a local that was declared again while it lived, its slot with a generation of its own.
        obj: ObjId,
        /// What else the same bytes could be, for the property `uninit`.
        other: bool,
    },
    /// An undefined register value, the `n`-th of `thread`.
    Undef {
        /// Thread.
        thread: u32,
        /// Position.
        n: u32,
        /// As above.
        other: bool,
    },
    /// The content of an object at the start of a segment (a state variable).
    Cell {
        /// The object.
        obj: ObjId,
    },
    /// A register of the frame at `depth` of `thread`'s stack at the start of a segment.
    Register {
        /// Thread.
        thread: u32,
        /// Frame, counted from the bottom.
        depth: u32,
        /// Register.
        reg: u32,
    },
    /// A register as it was at the head of a loop that is watched, or what was read there since, at the start of a segment.
    Watched {
        /// Thread.
        thread: u32,
        /// Position among the loops that are watched.
        probe: u32,
        /// Register; from the number of registers on, the position among what was read.
        reg: u32,
    },
}

impl Source {
    /// Another value for what was never written.
    pub(crate) fn other(self) -> Option<Source> {
        match self {
            Source::Uninit { obj, other: false } => Some(Source::Uninit { obj, other: true }),
            Source::Undef { thread, n, other: false } => Some(Source::Undef { thread, n, other: true }),
            _ => None,
        }
    }

    fn is_unwritten(self) -> bool {
        matches!(self, Source::Uninit { .. } | Source::Undef { .. })
    }

    /// Whether it is not about the state at the start of a segment, but comes into the world later.
    pub fn is_input(self) -> bool {
        match self {
            Source::Input { .. } | Source::Uninit { .. } | Source::Undef { .. } => true,
            Source::Cell { .. } | Source::Register { .. } | Source::Watched { .. } => false,
        }
    }
}

/// A piece of a source: `len` bytes from `at`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Piece {
    /// The source.
    pub source: Source,
    /// First byte.
    pub at: u64,
    /// Number of bytes; a register piece has its width in bits instead.
    pub len: u64,
}

/// Fixed values of sources, for replay. Bytes not given are zero.
#[derive(Clone, Debug, Default)]
pub struct FixedInputs {
    /// Bytes of each source in memory order.
    pub bytes: FxHashMap<Source, Vec<u8>>,
    /// What was never written is a variable all the same, so that what depends on it can be told; its value is asked for
    /// where one is needed ([`Sources::settled`]).
    pub keeps_unwritten: bool,
}

impl FixedInputs {
    fn term(&self, pool: &mut TermPool, piece: Piece) -> TermId {
        let bytes: Vec<TermId> = (0..piece.len)
            .map(|i| pool.bv(8, self.read(Piece { at: piece.at + i, len: 1, ..piece })))
            .collect();
        concat_up(pool, &bytes)
    }

    fn read(&self, piece: Piece) -> u64 {
        let bytes = self.bytes.get(&piece.source).map_or(&[][..], |b| &b[..]);
        (0..piece.len.min(8)).fold(0u64, |value, i| {
            let byte = bytes.get((piece.at + i) as usize).copied().unwrap_or(0);
            value | u64::from(byte) << (8 * i)
        })
    }
}

/// The table of variables made from sources.
///
/// Invariant: the variables of one source are disjoint. Copies of unread bytes may be read at another
/// granularity than the original; such a read is put together from the variables there are, so that all
/// readers speak of the same bytes.
#[derive(Default)]
pub struct Sources {
    /// The variables of each source by their first byte, with their length.
    vars: FxHashMap<Source, BTreeMap<u64, (u64, TermId)>>,
    pieces: FxHashMap<VarId, Piece>,
    /// The variables of registers by their width.
    registers: FxHashMap<(Source, u32), TermId>,
    /// How often something was asked for that is not about the state at the start of a segment.
    n_inputs: u64,
    /// `Some`: nothing is symbolic.
    fixed: Option<FixedInputs>,
    /// Bytes of a placeholder for a pointer were read as if they meant something.
    is_torn: bool,
}

impl Sources {
    /// Nothing is symbolic: every source has these bytes.
    pub fn fixed(inputs: FixedInputs) -> Self {
        Sources { fixed: Some(inputs), ..Sources::default() }
    }

    /// Other inputs from now on; `None` makes them symbolic.
    pub fn set_fixed(&mut self, inputs: Option<FixedInputs>) {
        self.fixed = inputs;
    }

    /// Notes that parts of the bytes of a pointer were read; those of a placeholder mean nothing.
    pub(crate) fn tear(&mut self, obj: ObjId) {
        self.is_torn |= crate::outside::number_of(obj).is_some();
    }

    /// Whether bytes of a placeholder were read since this was asked last.
    #[inline]
    pub(crate) fn take_torn(&mut self) -> bool {
        std::mem::take(&mut self.is_torn)
    }

    /// The value of `piece` as an integer of `8 * len` bits.
    pub fn read(&mut self, pool: &mut TermPool, piece: Piece) -> Value {
        let is_fixed = |fixed: &&FixedInputs| !(fixed.keeps_unwritten && piece.source.is_unwritten());
        let Some(fixed) = self.fixed.as_ref().filter(is_fixed) else {
            return Value::Term(self.term(pool, piece));
        };
        if piece.len <= 8 {
            return Value::Int(fixed.read(piece));
        }
        Value::Term(fixed.term(pool, piece))
    }

    /// `term` with the fixed bytes for what was never written.
    pub fn settled(&self, pool: &mut TermPool, term: TermId) -> TermId {
        let Some(fixed) = &self.fixed else { return term };
        let mut values = Substitution::new();
        for &var in pool.vars(term).iter() {
            if let Some(piece) = self.piece(var) {
                let value = fixed.term(pool, piece);
                values.insert(var, value);
            }
        }
        values.apply(pool, term)
    }

    /// The bytes of `piece` as a term over the source's variables; makes those that are missing.
    pub fn term(&mut self, pool: &mut TermPool, piece: Piece) -> TermId {
        let Piece { source, at, len } = piece;
        self.n_inputs += u64::from(source.is_input());
        let vars = self.vars.entry(source).or_default();
        if let Some(&(n, var)) = vars.get(&at)
            && n == len
        {
            return var;
        }
        let end = at + len;
        let first = vars.range(..=at).next_back().filter(|(a, (n, _))| **a + n > at).map_or(at, |(a, _)| *a);
        let overlapping: Vec<(u64, u64, TermId)> =
            vars.range(first..end).map(|(a, (n, var))| (*a, *n, *var)).collect();
        let mut parts = Vec::new();
        let mut next = at;
        for (a, n, var) in overlapping {
            if a > next {
                parts.push(self.make(pool, Piece { source, at: next, len: a - next }));
            }
            let (low, high) = (a.max(at), (a + n).min(end));
            parts.push(pool.extract(var, ((high - a) * 8 - 1) as u32, ((low - a) * 8) as u32));
            next = high;
        }
        if next < end {
            parts.push(self.make(pool, Piece { source, at: next, len: end - next }));
        }
        concat_up(pool, &parts)
    }

    /// A new variable for bytes that have none.
    fn make(&mut self, pool: &mut TermPool, piece: Piece) -> TermId {
        let var = self.named(pool, piece, (piece.len * 8) as u32);
        self.vars.entry(piece.source).or_default().insert(piece.at, (piece.len, var));
        var
    }

    /// The variable of a register, whose width need not be a number of bytes.
    pub(crate) fn register(&mut self, pool: &mut TermPool, source: Source, width: u32) -> TermId {
        self.n_inputs += u64::from(source.is_input());
        if let Some(&var) = self.registers.get(&(source, width)) {
            return var;
        }
        let var = self.named(pool, Piece { source, at: 0, len: u64::from(width) }, width);
        self.registers.insert((source, width), var);
        var
    }

    /// Grows with every use of a source that is not about the state at the start of a segment: what is built while it
    /// stays the same is free of inputs.
    pub fn n_inputs(&self) -> u64 {
        self.n_inputs
    }

    fn named(&mut self, pool: &mut TermPool, piece: Piece, width: u32) -> TermId {
        let term = pool.var(&name_of(piece), Sort::Bv(width));
        self.pieces.insert(pool.var_id(term).expect("a variable"), piece);
        term
    }

    /// What `var` stands for.
    pub fn piece(&self, var: VarId) -> Option<Piece> {
        self.pieces.get(&var).copied()
    }

    /// The variable for a piece of the state at the start of a segment; `None` if it is not one of these, or its bytes
    /// belong to other variables here.
    pub fn state_variable(&mut self, pool: &mut TermPool, piece: Piece) -> Option<TermId> {
        let widest = 1 << 20;
        let term = match piece.source {
            _ if piece.len == 0 || piece.len > widest => return None,
            Source::Cell { .. } => self.term(pool, piece),
            Source::Register { .. } | Source::Watched { .. } if piece.at == 0 => {
                self.register(pool, piece.source, piece.len as u32)
            }
            _ => return None,
        };
        let var = pool.var_id(term)?;
        (self.piece(var) == Some(piece)).then_some(term)
    }

    /// What the variables that are left have been fixed to.
    pub fn fixed_model(&self, pool: &TermPool) -> Assignment {
        let mut model = Assignment::new();
        for (&var, &piece) in self.pieces.iter().filter(|(_, piece)| piece.len <= 8) {
            if let Some(fixed) = &self.fixed {
                model.set_u64(var, pool.width(pool.var_term(var)), fixed.read(piece));
            }
        }
        model
    }

    /// The bytes that `model` gives to the sources it mentions.
    pub fn bytes_of_model(&self, pool: &TermPool, model: &Assignment) -> FixedInputs {
        let mut fixed = FixedInputs::default();
        for (var, value) in model.iter_sorted() {
            let Some(piece) = self.piece(var) else { continue };
            let width = pool.width(pool.var_term(var));
            let mut raw = value.as_big().unwrap_or_default().to_bytes_le();
            raw.resize(width.div_ceil(8) as usize, 0);
            let bytes = fixed.bytes.entry(piece.source).or_default();
            let end = (piece.at as usize) + raw.len();
            if bytes.len() < end {
                bytes.resize(end, 0);
            }
            bytes[piece.at as usize..end].copy_from_slice(&raw);
        }
        fixed
    }
}

/// Concatenation, least significant part first.
fn concat_up(pool: &mut TermPool, parts: &[TermId]) -> TermId {
    let (first, rest) = parts.split_first().expect("pieces are not empty");
    rest.iter().fold(*first, |low, high| pool.concat(*high, low))
}

fn name_of(piece: Piece) -> String {
    let Piece { source, at, len } = piece;
    match source {
        Source::Input { thread, n } => format!("in{n}.t{thread}[{at}+{len}]"),
        Source::Uninit { obj, other } => {
            format!("uninit{}.{obj:?}[{at}+{len}]", if other { "'" } else { "" })
        }
        Source::Undef { thread, n, other } => {
            format!("undef{n}{}.t{thread}[{at}+{len}]", if other { "'" } else { "" })
        }
        Source::Cell { obj } => format!("cell.{obj:?}[{at}+{len}]"),
        Source::Register { thread, depth, reg } => format!("reg.t{thread}.{depth}.{reg}:{len}"),
        Source::Watched { thread, probe, reg } => format!("head.t{thread}.{probe}.{reg}:{len}"),
    }
}
