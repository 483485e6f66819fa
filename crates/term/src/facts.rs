//! Cheap facts about a term's value: an unsigned interval and known bits.
//!
//! Guarantees: for every assignment, the value lies in the interval, has every bit of
//! `ones` set and every bit of `zeros` clear. Computed from the operands' facts when a
//! node is interned; only for widths up to 64.

use crate::node::Node;
use crate::pool::TermPool;
use crate::value::mask;

/// Bits of a value that are the same under every assignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct KnownBits {
    /// Bits that are always 0 (within the width).
    pub zeros: u64,
    /// Bits that are always 1.
    pub ones: u64,
}

/// What is known of a term's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Facts {
    pub(crate) lo: u64,
    pub(crate) hi: u64,
    pub(crate) bits: KnownBits,
}

impl Facts {
    fn top(width: u32) -> Facts {
        let hi = if width == 0 { u64::MAX } else { mask(width) };
        Facts { lo: 0, hi, bits: KnownBits::default() }
    }

    /// The facts of a node whose operands are in the pool; width 0 means no bit-vector.
    pub(crate) fn of(_pool: &TermPool, node: &Node, width: u32) -> Facts {
        match *node {
            Node::Const { value, .. } => {
                Facts { lo: value, hi: value, bits: KnownBits { zeros: !value & mask(width), ones: value } }
            }
            _ => Facts::top(width),
        }
    }
}
