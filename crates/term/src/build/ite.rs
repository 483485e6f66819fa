//! `ite`, for every sort.
//!
//! The condition is neither constant nor negated. With branches 1 and 0 it is an
//! extension of the condition; of width 1 it is `and`/`or`/`=` where a branch is a
//! constant or the condition, and its first branch is not negated. Branches with equal
//! extensions or equal halves are joined inside them.

use crate::node::{Node, TermId};
use crate::pool::TermPool;

impl TermPool {
    /// `a` if `c` holds, otherwise `b`; any sort.
    pub fn ite(&mut self, c: TermId, a: TermId, b: TermId) -> TermId {
        self.assert_truth(c);
        let sort = self.packed_sort(a);
        assert!(self.packed_sort(b) == sort, "{a} and {b} differ in sort");
        if let Some(c) = self.as_bool(c) {
            return if c { a } else { b };
        }
        if a == b {
            return a;
        }
        if let Node::Not(c) = *self.node(c) {
            return self.ite(c, b, a);
        }
        // A branch on the same condition is decided.
        if let Node::Ite(d, x, _) = *self.node(a)
            && c == d
        {
            return self.ite(c, x, b);
        }
        if let Node::Ite(d, _, y) = *self.node(b)
            && c == d
        {
            return self.ite(c, a, y);
        }
        let width = sort.width_or_zero();
        if width == 1 {
            return self.ite_truth(c, a, b);
        }
        if let Node::Eq(x, y) = *self.node(c)
            && ((x, y) == (a, b) || (y, x) == (a, b))
        {
            return b;
        }
        // One condition for two ways to the same branch.
        if let Node::Ite(d, x, y) = *self.node(a) {
            if y == b {
                let both = self.and(c, d);
                return self.ite(both, x, b);
            }
            if x == b {
                let not_d = self.not(d);
                let both = self.and(c, not_d);
                return self.ite(both, y, b);
            }
        }
        if let Node::Ite(d, x, y) = *self.node(b) {
            if x == a {
                let either = self.or(c, d);
                return self.ite(either, a, y);
            }
            if y == a {
                let not_d = self.not(d);
                let either = self.or(c, not_d);
                return self.ite(either, a, x);
            }
        }
        if width != 0
            && let Some(joined) = self.ite_pieces(width, c, a, b)
        {
            return joined;
        }
        self.intern(Node::Ite(c, a, b), sort)
    }

    fn ite_truth(&mut self, c: TermId, a: TermId, b: TermId) -> TermId {
        let (tt, ff) = (self.tt(), self.ff());
        if a == tt || a == c {
            return self.or(c, b);
        }
        if b == ff || b == c {
            return self.and(c, a);
        }
        if b == tt || self.complementary(b, c) {
            return self.implies(c, a);
        }
        if a == ff || self.complementary(a, c) {
            let not_c = self.not(c);
            return self.and(not_c, b);
        }
        if self.complementary(a, b) {
            return self.eq(c, a);
        }
        if let Node::Not(x) = *self.node(a) {
            let y = self.not(b);
            let result = self.ite(c, x, y);
            return self.not(result);
        }
        self.intern_bool(Node::Ite(c, a, b))
    }

    /// Moves the choice inside what both branches share.
    fn ite_pieces(&mut self, width: u32, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
        match (*self.node(a), *self.node(b)) {
            (Node::Const { value: x, .. }, Node::Const { value: y, .. }) => {
                let all = crate::value::mask(width);
                let (cond, minus) = match (x, y) {
                    (1, 0) => (c, false),
                    (0, 1) => (self.not(c), false),
                    _ if (x, y) == (all, 0) => (c, true),
                    _ if (x, y) == (0, all) => (self.not(c), true),
                    _ => return None,
                };
                Some(if minus { self.sext(cond, width) } else { self.zext(cond, width) })
            }
            (Node::Zext(x), Node::Zext(y)) => {
                let inner = self.width(x).max(self.width(y));
                let (x, y) = (self.zext(x, inner), self.zext(y, inner));
                let choice = self.ite(c, x, y);
                Some(self.zext(choice, width))
            }
            (Node::Sext(x), Node::Sext(y)) => {
                let inner = self.width(x).max(self.width(y));
                let (x, y) = (self.sext(x, inner), self.sext(y, inner));
                let choice = self.ite(c, x, y);
                Some(self.sext(choice, width))
            }
            (Node::Zext(x), _) if self.is_const(b) => {
                let y = self.fitting_constant(b, self.width(x), false)?;
                let choice = self.ite(c, x, y);
                Some(self.zext(choice, width))
            }
            (_, Node::Zext(y)) if self.is_const(a) => {
                let x = self.fitting_constant(a, self.width(y), false)?;
                let choice = self.ite(c, x, y);
                Some(self.zext(choice, width))
            }
            (Node::Sext(x), _) if self.is_const(b) => {
                let y = self.fitting_constant(b, self.width(x), true)?;
                let choice = self.ite(c, x, y);
                Some(self.sext(choice, width))
            }
            (_, Node::Sext(y)) if self.is_const(a) => {
                let x = self.fitting_constant(a, self.width(y), true)?;
                let choice = self.ite(c, x, y);
                Some(self.sext(choice, width))
            }
            (Node::Concat(x, u), Node::Concat(y, v)) if self.width(u) == self.width(v) => {
                if x != y && u != v {
                    return None;
                }
                let high = self.ite(c, x, y);
                let low = self.ite(c, u, v);
                Some(self.concat(high, low))
            }
            _ => None,
        }
    }

    /// The constant on `width` bits, if extending that gives it back.
    pub(super) fn fitting_constant(&mut self, c: TermId, width: u32, is_signed: bool) -> Option<TermId> {
        let full = self.width(c);
        let cut = self.extract(c, width - 1, 0);
        let back = if is_signed { self.sext(cut, full) } else { self.zext(cut, full) };
        (back == c).then_some(cut)
    }
}
