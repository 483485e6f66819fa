//! What the program printed, kept as pieces.
//!
//! Printing a symbolic number must not fork the path over its digits, so a conversion of a symbolic
//! value stays a piece until a model says what the value is.

use std::rc::Rc;

use selvedge_term::{Assignment, Evaluator, RoundingMode, TermId, TermPool};

use crate::format::{Spec, format_double, format_integer};

/// Which stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

/// A part of the output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OutPiece {
    /// Plain bytes.
    Bytes(Vec<u8>),
    /// One symbolic byte.
    Byte(TermId),
    /// An integer conversion of a symbolic value.
    Integer {
        /// The conversion.
        spec: Spec,
        /// The value, of the conversion's width.
        value: TermId,
    },
    /// A conversion of a symbolic `double`.
    Double {
        /// The conversion.
        spec: Spec,
        /// The bits of the value.
        value: TermId,
    },
}

/// Everything printed so far; cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Output {
    last: Option<Rc<Chunk>>,
}

#[derive(Debug)]
struct Chunk {
    stream: Stream,
    piece: OutPiece,
    before: Option<Rc<Chunk>>,
}

impl Drop for Chunk {
    fn drop(&mut self) {
        // A long list must not be dropped recursively.
        let mut before = self.before.take();
        while let Some(chunk) = before {
            match Rc::try_unwrap(chunk) {
                Ok(mut chunk) => before = chunk.before.take(),
                Err(_) => break,
            }
        }
    }
}

impl Output {
    /// Appends a piece.
    pub fn push(&mut self, stream: Stream, piece: OutPiece) {
        if let OutPiece::Bytes(bytes) = &piece {
            if bytes.is_empty() {
                return;
            }
            // Small writes to the same stream share a chunk while nobody else holds it.
            if let Some(last) = self.last.as_mut().and_then(Rc::get_mut)
                && last.stream == stream
                && let OutPiece::Bytes(old) = &mut last.piece
            {
                old.extend_from_slice(bytes);
                return;
            }
        }
        self.last = Some(Rc::new(Chunk { stream, piece, before: self.last.take() }));
    }

    /// What was printed to `stream`, under the values that `model` gives.
    pub fn render(&self, stream: Stream, pool: &TermPool, model: &Assignment) -> Vec<u8> {
        let mut model = Evaluator::new(model);
        let mut chunks = Vec::new();
        let mut next = self.last.as_ref();
        while let Some(chunk) = next {
            if chunk.stream == stream {
                chunks.push(chunk);
            }
            next = chunk.before.as_ref();
        }
        let mut out = Vec::new();
        for chunk in chunks.into_iter().rev() {
            match &chunk.piece {
                OutPiece::Bytes(bytes) => out.extend_from_slice(bytes),
                OutPiece::Byte(t) => out.push(model.eval_u64(pool, *t) as u8),
                OutPiece::Integer { spec, value } => {
                    let value = model.eval_u64(pool, *value);
                    format_integer(spec, value, &mut out);
                }
                OutPiece::Double { spec, value } => {
                    let bits = model.eval_u64(pool, *value);
                    format_double(spec, f64::from_bits(bits), RoundingMode::NearestEven, &mut out);
                }
            }
        }
        out
    }
}
