//! Operators that cut and join bit-vectors: `concat`, `extract`, `zext`, `sext`.
//!
//! A concatenation leans right (`a :: (b :: c)`), has no two adjacent constants, no two
//! adjacent extracts of one term, and no leading zeros (that is `zext`). An extract is
//! not of an extract, a concatenation, an extension or a constant. The sign bit alone is
//! `x < 0`. Extracts move into operators only where that removes an extension or a
//! constant, and only a few levels.

use smallvec::SmallVec;

use crate::node::{Node, TermId};
use crate::pool::TermPool;
use crate::value;

/// How many operators deep an extract is pushed.
const EXTRACT_FUEL: u32 = 6;

/// How many operators deep it is pushed if it does not vanish there.
const OPAQUE_DEPTH: u32 = 3;

/// A run of bits of a term: either zeros or the bits of a term.
#[derive(Clone, Copy, Debug)]
struct Piece {
    width: u32,
    /// `None` for zeros; otherwise the term and the lowest bit taken from it.
    source: Option<(TermId, u32)>,
}

type Pieces = SmallVec<[Piece; 8]>;

impl TermPool {
    /// The bits of `high` above those of `low`.
    pub fn concat(&mut self, high: TermId, low: TermId) -> TermId {
        let low_width = self.width(low);
        let width = self.width(high) + low_width;
        match (*self.node(high), *self.node(low)) {
            _ if self.is_zero(high) => return self.zext(low, width),
            // Adjacent constants are one, also if one of them hides in an extension.
            (Node::Const { .. } | Node::Wide { .. }, Node::Zext(x)) => {
                let zeros = self.bv(low_width - self.width(x), 0);
                let top = self.concat(high, zeros);
                return self.concat(top, x);
            }
            (Node::Zext(x), _) => {
                let joined = self.concat(x, low);
                return self.zext(joined, width);
            }
            (Node::Concat(..), _) => {
                // The left spine of `high` is one long, its right spine may be long.
                let mut parts: SmallVec<[TermId; 8]> = SmallVec::new();
                let mut rest = high;
                while let Node::Concat(first, second) = *self.node(rest) {
                    parts.push(first);
                    rest = second;
                }
                let mut joined = self.concat(rest, low);
                while let Some(part) = parts.pop() {
                    joined = self.concat(part, joined);
                }
                return joined;
            }
            _ => {}
        }
        if let (Some(h), Some(l)) = (self.as_value(high), self.as_value(low)) {
            return self.bv_value(width, &value::concat(&h, low_width, &l, width));
        }
        let (next, rest) = match *self.node(low) {
            Node::Concat(next, rest) => (next, Some(rest)),
            _ => (low, None),
        };
        if let Some(merged) = self.merge_adjacent(high, next) {
            return match rest {
                Some(rest) => self.concat(merged, rest),
                None => merged,
            };
        }
        if self.is_sign_fill(high, next) {
            return self.sext(low, width);
        }
        self.intern_bv(Node::Concat(high, low), width)
    }

    /// One term for two adjacent pieces, if there is one.
    fn merge_adjacent(&mut self, high: TermId, low: TermId) -> Option<TermId> {
        if let Some(merged) = self.merge_choices(high, low) {
            return Some(merged);
        }
        let (x, h, m) = self.as_extract(high)?;
        let k = self.width(low);
        if k > m {
            return None;
        }
        let continues = match self.as_extract(low) {
            Some((y, n, _)) if x == y => m == n + 1,
            // The lower bits of an operation may have become an operation on lower bits.
            _ => self.pushes_extracts(x) && self.extract(x, m - 1, m - k) == low,
        };
        continues.then(|| self.extract(x, h, m - k))
    }

    /// Joins constants, and choices between constants by one condition.
    fn merge_choices(&mut self, high: TermId, low: TermId) -> Option<TermId> {
        let choice = |t| match *self.node(t) {
            Node::Const { .. } | Node::Wide { .. } => Some((None, t, t)),
            Node::Ite(c, a, b) if self.is_const(a) && self.is_const(b) => Some((Some(c), a, b)),
            _ => None,
        };
        let ((c, a, b), (d, x, y)) = (choice(high)?, choice(low)?);
        if c.is_some() && d.is_some() && c != d {
            return None;
        }
        let then = self.concat(a, x);
        match c.or(d) {
            None => Some(then),
            Some(c) => {
                let otherwise = self.concat(b, y);
                Some(self.ite(c, then, otherwise))
            }
        }
    }

    /// Whether extracts of the term may be pushed into it.
    fn pushes_extracts(&self, t: TermId) -> bool {
        matches!(
            *self.node(t),
            Node::Not(_)
                | Node::BvAnd(..)
                | Node::BvOr(..)
                | Node::BvXor(..)
                | Node::Ite(..)
                | Node::Neg(_)
                | Node::Add(..)
                | Node::Mul(..)
        )
    }

    /// The term as bits of another; a sign test is the highest bit.
    fn as_extract(&self, t: TermId) -> Option<(TermId, u32, u32)> {
        match *self.node(t) {
            Node::Extract { term, high, low } => Some((term, high, low)),
            Node::Slt(x, zero) if self.is_zero(zero) => {
                let top = self.width(x) - 1;
                Some((x, top, top))
            }
            _ => None,
        }
    }

    /// Whether `fill` consists of copies of the sign bit of `t`.
    fn is_sign_fill(&self, fill: TermId, t: TermId) -> bool {
        let sign = match *self.node(fill) {
            Node::Sext(x) if self.width(x) == 1 => x,
            _ if self.width(fill) == 1 => fill,
            _ => return false,
        };
        self.is_sign_of(sign, t)
    }

    /// Whether `sign`, of width 1, is the sign bit of `t`.
    fn is_sign_of(&self, sign: TermId, t: TermId) -> bool {
        if self.width(t) == 1 {
            return sign == t;
        }
        match (*self.node(sign), *self.node(t)) {
            (Node::Slt(x, zero), _) if x == t => self.is_zero(zero),
            (_, Node::Sext(x)) => self.is_sign_of(sign, x),
            (_, Node::Extract { term, high, .. }) => self.as_extract(sign) == Some((term, high, high)),
            _ => false,
        }
    }

    /// The bits `high_bit` to `low_bit` of `t`, both inclusive.
    pub fn extract(&mut self, t: TermId, high_bit: u32, low_bit: u32) -> TermId {
        let width = self.width(t);
        assert!(
            low_bit <= high_bit && high_bit < width,
            "there are no bits {high_bit} to {low_bit} in {width} bits"
        );
        self.extract_within(t, high_bit, low_bit, EXTRACT_FUEL)
    }

    fn extract_within(&mut self, t: TermId, high: u32, low: u32, fuel: u32) -> TermId {
        let (mut t, mut high, mut low) = (t, high, low);
        // Concatenations are walked, not recursed into: they can be long.
        let mut upper: SmallVec<[TermId; 4]> = SmallVec::new();
        let mut bits = loop {
            if low == 0 && high == self.width(t) - 1 {
                break t;
            }
            match *self.node(t) {
                Node::Concat(above, below) => {
                    let split = self.width(below);
                    if high < split {
                        t = below;
                    } else if low >= split {
                        (t, high, low) = (above, high - split, low - split);
                    } else {
                        upper.push(self.extract_within(above, high - split, 0, fuel));
                        (t, high) = (below, split - 1);
                    }
                }
                Node::Extract { term, low: offset, .. } => {
                    (t, high, low) = (term, high + offset, low + offset);
                }
                Node::Zext(x) | Node::Sext(x) if high < self.width(x) => t = x,
                _ => break self.extract_once(t, high, low, fuel),
            }
        };
        while let Some(piece) = upper.pop() {
            bits = self.concat(piece, bits);
        }
        bits
    }

    /// A proper extract of a term that is neither concatenation nor extract.
    fn extract_once(&mut self, t: TermId, high: u32, low: u32, fuel: u32) -> TermId {
        let width = high - low + 1;
        let node = *self.node(t);
        match node {
            Node::Const { value, .. } => return self.bv(width, value >> low),
            Node::Wide { .. } => {
                let value = self.as_value(t).expect("a constant");
                return self.bv_value(width, &value::extract(&value, high, low));
            }
            Node::Zext(x) => {
                let inner = self.width(x);
                if low >= inner {
                    return self.bv(width, 0);
                }
                let kept = self.extract_within(x, inner - 1, low, fuel);
                return self.zext(kept, width);
            }
            Node::Sext(x) => {
                let inner = self.width(x);
                let kept = self.extract_within(x, inner - 1, low.min(inner - 1), fuel);
                return self.sext(kept, width);
            }
            Node::Mul(x, c) => {
                if let Some(k) = self.log2(c) {
                    return self.extract_shifted(x, k, high, low, fuel);
                }
            }
            Node::Not(x) if fuel > 0 && self.gains_from_extract(x, low, fuel) => {
                let x = self.extract_within(x, high, low, fuel - 1);
                return self.bvnot(x);
            }
            _ => {}
        }
        if fuel > 0 && self.gains_from_extract(t, low, fuel) {
            let cut = |pool: &mut TermPool, x| pool.extract_within(x, high, low, fuel - 1);
            match node {
                Node::BvAnd(a, b) => {
                    let (a, b) = (cut(self, a), cut(self, b));
                    return self.bvand(a, b);
                }
                Node::BvOr(a, b) => {
                    let (a, b) = (cut(self, a), cut(self, b));
                    return self.bvor(a, b);
                }
                Node::BvXor(a, b) => {
                    let (a, b) = (cut(self, a), cut(self, b));
                    return self.bvxor(a, b);
                }
                Node::Ite(c, a, b) => {
                    let (a, b) = (cut(self, a), cut(self, b));
                    return self.ite(c, a, b);
                }
                Node::Neg(a) => {
                    let a = cut(self, a);
                    return self.neg(a);
                }
                Node::Add(a, b) => {
                    let (a, b) = (cut(self, a), cut(self, b));
                    return self.add(a, b);
                }
                Node::Mul(a, b) => {
                    let (a, b) = (cut(self, a), cut(self, b));
                    return self.mul(a, b);
                }
                _ => {}
            }
        }
        if low == high && high == self.width(t) - 1 {
            return self.is_negative(t);
        }
        self.intern_bv(Node::Extract { term: t, high, low }, width)
    }

    /// The bits `high` to `low` of `x << k`.
    fn extract_shifted(&mut self, x: TermId, k: u32, high: u32, low: u32, fuel: u32) -> TermId {
        if high < k {
            return self.bv(high - low + 1, 0);
        }
        if low >= k {
            return self.extract_within(x, high - k, low - k, fuel);
        }
        let kept = self.extract_within(x, high - k, 0, fuel);
        let zeros = self.bv(k - low, 0);
        self.concat(kept, zeros)
    }

    /// Whether pushing an extract from bit `low` on into the operands removes nodes, or
    /// at least adds none: it vanishes in all leaves, or, if it takes the lowest bits,
    /// in all but one. (Elsewhere than at the lowest bits one piece of a term stays an
    /// extract of it, by which the pieces are recognised and joined again.)
    fn gains_from_extract(&self, t: TermId, low: u32, fuel: u32) -> bool {
        let may_remain = low == 0 && fuel > EXTRACT_FUEL - OPAQUE_DEPTH;
        self.opaque_leaves(t, low, fuel) <= u32::from(may_remain)
    }

    /// How many extracts remain if one from bit `low` on is pushed into the term.
    fn opaque_leaves(&self, t: TermId, low: u32, fuel: u32) -> u32 {
        let below = |t| if fuel == 0 { 1 } else { self.opaque_leaves(t, low, fuel - 1) };
        match *self.node(t) {
            Node::Const { .. }
            | Node::Wide { .. }
            | Node::Zext(_)
            | Node::Sext(_)
            | Node::Concat(..)
            | Node::Extract { .. } => 0,
            Node::Not(a) => below(a),
            Node::Neg(a) if low == 0 => below(a),
            Node::BvAnd(a, b) | Node::BvOr(a, b) | Node::BvXor(a, b) | Node::Ite(_, a, b) => {
                below(a) + below(b)
            }
            Node::Add(a, b) | Node::Mul(a, b) if low == 0 => below(a) + below(b),
            _ => 1,
        }
    }

    /// `t` with zeros above it, `to_width` bits in all.
    pub fn zext(&mut self, t: TermId, to_width: u32) -> TermId {
        let width = self.width(t);
        assert!(to_width >= width, "cannot extend {width} bits to {to_width}");
        if to_width == width {
            return t;
        }
        match *self.node(t) {
            Node::Const { value, .. } => self.bv(to_width, value),
            Node::Wide { .. } => {
                let value = self.as_value(t).expect("a constant");
                self.bv_value(to_width, &value)
            }
            Node::Zext(x) => self.zext(x, to_width),
            Node::Ite(c, a, b) if self.is_const(a) && self.is_const(b) => {
                let (a, b) = (self.zext(a, to_width), self.zext(b, to_width));
                self.ite(c, a, b)
            }
            _ => self.intern_bv(Node::Zext(t), to_width),
        }
    }

    /// `t` with copies of its sign bit above it, `to_width` bits in all.
    pub fn sext(&mut self, t: TermId, to_width: u32) -> TermId {
        let width = self.width(t);
        assert!(to_width >= width, "cannot extend {width} bits to {to_width}");
        if to_width == width {
            return t;
        }
        match self.known_sign(t) {
            Some(false) => return self.zext(t, to_width),
            Some(true) => {
                let ones = self.all_ones(to_width - width);
                return self.concat(ones, t);
            }
            None => {}
        }
        match *self.node(t) {
            Node::Sext(x) => self.sext(x, to_width),
            Node::Ite(c, a, b) if self.is_const(a) && self.is_const(b) => {
                let (a, b) = (self.sext(a, to_width), self.sext(b, to_width));
                self.ite(c, a, b)
            }
            _ => self.intern_bv(Node::Sext(t), to_width),
        }
    }

    /// The term as zeros and other pieces, highest first, if it has any zeros.
    fn pieces(&self, t: TermId) -> Option<Pieces> {
        let mut pieces = Pieces::new();
        let mut rest = t;
        loop {
            match *self.node(rest) {
                Node::Concat(high, low) => {
                    pieces.push(self.piece(high));
                    rest = low;
                }
                Node::Zext(x) => {
                    pieces.push(Piece { width: self.width(rest) - self.width(x), source: None });
                    rest = x;
                }
                Node::Mul(x, c) if let Some(k) = self.log2(c) => {
                    pieces.push(Piece { width: self.width(rest) - k, source: Some((x, 0)) });
                    pieces.push(Piece { width: k, source: None });
                    break;
                }
                _ => {
                    pieces.push(self.piece(rest));
                    break;
                }
            }
        }
        pieces.iter().any(|piece| piece.source.is_none()).then_some(pieces)
    }

    fn piece(&self, t: TermId) -> Piece {
        let source = if self.is_zero(t) { None } else { Some((t, 0)) };
        Piece { width: self.width(t), source }
    }

    /// `a | b` (which is then also `a ^ b`) as one concatenation, if at every bit one of
    /// them is visibly 0.
    pub(super) fn join_disjoint(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let has_pieces = |t| matches!(*self.node(t), Node::Zext(_) | Node::Concat(..) | Node::Mul(..));
        if !has_pieces(a) || !has_pieces(b) {
            return None;
        }
        let (mut xs, mut ys) = (self.pieces(a)?, self.pieces(b)?);
        xs.reverse();
        ys.reverse();
        let mut joined = Pieces::new();
        while let (Some(x), Some(y)) = (xs.pop(), ys.pop()) {
            let width = x.width.min(y.width);
            for (piece, queue) in [(x, &mut xs), (y, &mut ys)] {
                if piece.width > width {
                    queue.push(Piece { width: piece.width - width, ..piece });
                }
            }
            let source = match (x.source, y.source) {
                (Some(_), Some(_)) => return None,
                (Some((t, low)), None) => Some((t, low + x.width - width)),
                (None, Some((t, low))) => Some((t, low + y.width - width)),
                (None, None) => None,
            };
            joined.push(Piece { width, source });
        }
        let mut result = None;
        for piece in joined.iter().rev() {
            let bits = match piece.source {
                None => self.bv(piece.width, 0),
                Some((t, low)) => self.extract(t, low + piece.width - 1, low),
            };
            result = Some(match result {
                None => bits,
                Some(below) => self.concat(bits, below),
            });
        }
        result
    }
}
