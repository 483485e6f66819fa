//! Truth values: conjunction and negation, everything else by them; and `ite`.

use smallvec::SmallVec;

use crate::node::{Node, TermId};
use crate::pool::TermPool;

impl TermPool {
    /// `¬a`.
    pub fn not(&mut self, a: TermId) -> TermId {
        assert!(self.width(a) == 1, "{a} is not a truth value");
        self.bvnot(a)
    }

    /// `a ∧ b`.
    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        self.and_all(&[a, b])
    }

    /// `a ∨ b`.
    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = (self.not(a), self.not(b));
        let neither = self.and(a, b);
        self.not(neither)
    }

    /// `a ≠ b` of truth values.
    pub fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        let same = self.eq(a, b);
        self.not(same)
    }

    /// `a → b`.
    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let not_b = self.not(b);
        let counterexample = self.and(a, not_b);
        self.not(counterexample)
    }

    /// The conjunction of all items; true if there are none.
    pub fn and_all(&mut self, items: &[TermId]) -> TermId {
        let mut flat: SmallVec<[TermId; 16]> = SmallVec::new();
        for &item in items {
            assert!(self.width(item) == 1, "{item} is not a truth value");
            match *self.node(item) {
                Node::And(list) => flat.extend_from_slice(self.list(list)),
                _ => flat.push(item),
            }
        }
        let atom = |pool: &TermPool, t: TermId| match *pool.node(t) {
            Node::Not(x) => x,
            _ => t,
        };
        flat.retain(|t| *t != self.tt());
        flat.sort_unstable_by_key(|&t| (atom(self, t), t));
        flat.dedup();
        let complementary = flat.windows(2).any(|pair| atom(self, pair[0]) == atom(self, pair[1]));
        if complementary || flat.contains(&self.ff()) {
            return self.ff();
        }
        match flat[..] {
            [] => self.tt(),
            [single] => single,
            _ => {
                let list = self.intern_list(&flat);
                self.intern_bool(Node::And(list))
            }
        }
    }

    /// The disjunction of all items; false if there are none.
    pub fn or_all(&mut self, items: &[TermId]) -> TermId {
        let negated: SmallVec<[TermId; 16]> = items.iter().map(|&item| self.not(item)).collect();
        let none = self.and_all(&negated);
        self.not(none)
    }

    /// `a` if `c` holds, otherwise `b`; any sort.
    pub fn ite(&mut self, c: TermId, a: TermId, b: TermId) -> TermId {
        assert!(self.width(c) == 1, "{c} is not a truth value");
        let sort = self.sorts[a.0 as usize];
        assert!(self.sorts[b.0 as usize] == sort, "{a} and {b} differ in sort");
        if let Some(c) = self.as_bool(c) {
            return if c { a } else { b };
        }
        if a == b {
            return a;
        }
        if let Node::Not(c) = *self.node(c) {
            return self.ite(c, b, a);
        }
        if sort.width_or_zero() == 1 {
            match (self.as_bool(a), self.as_bool(b)) {
                (Some(true), _) => return self.or(c, b),
                (Some(false), _) => {
                    let not_c = self.not(c);
                    return self.and(not_c, b);
                }
                (_, Some(true)) => return self.implies(c, a),
                (_, Some(false)) => return self.and(c, a),
                _ => {}
            }
        }
        self.intern(Node::Ite(c, a, b), sort)
    }
}
