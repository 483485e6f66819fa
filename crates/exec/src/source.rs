//! Where symbolic bytes come from.
//!
//! A *source* is a run of bytes whose values are not known: an input of the program, memory that
//! was never written, or (for relative effects) the content of an object at a segment's start.
//! A piece of a source becomes a variable only when it is read, at the granularity of the read, so an
//! `int` input is one 32-bit variable and not a concatenation of four bytes. The same piece is the
//! same variable in every state: names depend on thread-local history only.
//!
//! When inputs are fixed (replay), pieces are concrete bytes instead.

use rustc_hash::FxHashMap;
use selvedge_term::{Assignment, Sort, TermId, TermPool, VarId};

use crate::value::{ObjId, Value};

/// The identity of a source.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Source {
    /// The `n`-th input consumed by `thread`.
    Input {
        /// Consuming thread.
        thread: u32,
        /// Position in that thread's sequence of inputs.
        n: u32,
    },
    /// Bytes of an object that were never written since it came to life the `life`-th time.
    Uninit {
        /// The object.
        obj: ObjId,
        /// How often its lifetime had begun.
        life: u32,
    },
    /// An undefined register value, the `n`-th of `thread`.
    Undef {
        /// Thread.
        thread: u32,
        /// Position.
        n: u32,
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
}

/// A piece of a source: `len` bytes from `at`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
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
}

impl FixedInputs {
    fn read(&self, piece: Piece) -> u64 {
        let bytes = self.bytes.get(&piece.source).map_or(&[][..], |b| &b[..]);
        (0..piece.len.min(8)).fold(0u64, |value, i| {
            let byte = bytes.get((piece.at + i) as usize).copied().unwrap_or(0);
            value | u64::from(byte) << (8 * i)
        })
    }
}

/// The table of variables made from sources.
#[derive(Default)]
pub struct Sources {
    vars: FxHashMap<Piece, TermId>,
    pieces: FxHashMap<VarId, Piece>,
    /// `Some`: nothing is symbolic.
    fixed: Option<FixedInputs>,
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

    /// The value of `piece` as an integer of `8 * len` bits.
    pub fn read(&mut self, pool: &mut TermPool, piece: Piece) -> Value {
        let width = (piece.len * 8) as u32;
        if let Some(fixed) = &self.fixed {
            if piece.len <= 8 {
                return Value::Int(fixed.read(piece));
            }
            let mut term = None;
            for i in (0..piece.len).rev() {
                let byte = pool.bv(8, fixed.read(Piece { at: piece.at + i, len: 1, ..piece }));
                term = Some(term.map_or(byte, |high| pool.concat(high, byte)));
            }
            return Value::Term(term.expect("pieces are not empty"));
        }
        Value::Term(self.variable(pool, piece, width))
    }

    /// The variable for `piece`, of `width` bits.
    pub fn variable(&mut self, pool: &mut TermPool, piece: Piece, width: u32) -> TermId {
        if let Some(&term) = self.vars.get(&piece) {
            return term;
        }
        let name = name_of(piece);
        let term = pool.var(&name, Sort::Bv(width));
        self.vars.insert(piece, term);
        self.pieces.insert(pool.var_id(term).expect("a variable"), piece);
        term
    }

    /// What `var` stands for.
    pub fn piece(&self, var: VarId) -> Option<Piece> {
        self.pieces.get(&var).copied()
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

fn name_of(piece: Piece) -> String {
    let Piece { source, at, len } = piece;
    match source {
        Source::Input { thread, n } => format!("in{n}.t{thread}[{at}+{len}]"),
        Source::Uninit { obj, life } => format!("uninit.{obj:?}.{life}[{at}+{len}]"),
        Source::Undef { thread, n } => format!("undef{n}.t{thread}[{at}+{len}]"),
        Source::Cell { obj } => format!("cell.{obj:?}[{at}+{len}]"),
        Source::Register { thread, depth, reg } => format!("reg.t{thread}.{depth}.{reg}:{len}"),
    }
}
