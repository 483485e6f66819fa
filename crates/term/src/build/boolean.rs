//! Truth values: conjunction and negation; everything else is made of them.
//!
//! A conjunction lists its items by the id of the atom (the item without its negation),
//! has at least two, no constant, no duplicate, no nested conjunction and no complement.
//! Inside a negated conjunction among its items, literals decided by the other items
//! are gone: `a ∧ ¬(a ∧ b)` is `a ∧ ¬b`. A disjunction is `¬(¬a ∧ ¬b)`, exclusive or
//! is a negated `=`; `=` has no negated operand.
//! Conjunctions longer than [`LONGEST`] are not flattened, so that building one item by
//! item does not become quadratic.

use selvedge_base::Id;
use smallvec::SmallVec;

use crate::node::{Node, TermId};
use crate::pool::TermPool;

/// How long a conjunction may get by flattening.
const LONGEST: usize = 48;

type Items = SmallVec<[TermId; 16]>;

impl TermPool {
    /// `¬a`.
    #[inline]
    pub fn not(&mut self, a: TermId) -> TermId {
        self.assert_truth(a);
        self.bvnot(a)
    }

    #[inline]
    #[track_caller]
    pub(super) fn assert_truth(&self, a: TermId) {
        assert!(self.width(a) == 1, "{a} is not a truth value");
    }

    /// The item without its negation.
    #[inline]
    fn atom(&self, t: TermId) -> TermId {
        match *self.node(t) {
            Node::Not(x) => x,
            _ => t,
        }
    }

    /// `a ∧ b`.
    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        self.assert_truth(a);
        self.assert_truth(b);
        let (tt, ff) = (self.tt(), self.ff());
        if a == b || b == tt {
            return a;
        }
        if a == tt {
            return b;
        }
        if a == ff || b == ff || self.complementary(a, b) {
            return ff;
        }
        let simple = |t| match *self.node(t) {
            Node::And(_) => false,
            Node::Not(x) => !matches!(*self.node(x), Node::And(_)),
            _ => true,
        };
        if simple(a) && simple(b) {
            let items = if self.atom(a) < self.atom(b) { [a, b] } else { [b, a] };
            return self.intern_conjunction(&items);
        }
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
        self.assert_truth(a);
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
        let mut flat = Items::new();
        for &item in items {
            self.assert_truth(item);
            match *self.node(item) {
                Node::And(list) if self.list(list).len() + flat.len() <= LONGEST => {
                    flat.extend_from_slice(self.list(list));
                }
                _ => flat.push(item),
            }
        }
        if !self.order_items(&mut flat) {
            return self.ff();
        }
        if flat.len() <= LONGEST && self.shorten_clauses(&mut flat) {
            // Shortened clauses can be items of other conjunctions, or decide others.
            return self.and_all(&flat);
        }
        match flat[..] {
            [] => self.tt(),
            [single] => single,
            _ => self.intern_conjunction(&flat),
        }
    }

    /// The items of a conjunction, or the term itself.
    pub fn conjuncts(&self, t: TermId) -> SmallVec<[TermId; 8]> {
        match *self.node(t) {
            Node::And(list) => SmallVec::from_slice(self.list(list)),
            _ => SmallVec::from_slice(&[t]),
        }
    }

    /// Sorts, drops true items and duplicates; false if the items contradict.
    fn order_items(&self, items: &mut Items) -> bool {
        if items.contains(&self.ff()) {
            return false;
        }
        let tt = self.tt();
        // Each atom is looked up once, and the sort is the stable one because it makes use of the order that is there:
        // the items of conjunctions are sorted.
        let key = |t: TermId| (self.atom(t).index() as u64) << 32 | t.index() as u64;
        let mut keys: SmallVec<[u64; 64]> = items.iter().filter(|t| **t != tt).map(|t| key(*t)).collect();
        keys.sort();
        keys.dedup();
        items.clear();
        items.extend(keys.iter().map(|key| TermId::new(*key as u32 as usize)));
        !keys.windows(2).any(|pair| pair[0] >> 32 == pair[1] >> 32)
    }

    /// The items of `c` if `t` is `¬c` of a conjunction, that is, a clause.
    fn as_clause(&self, t: TermId) -> Option<&[TermId]> {
        match *self.node(t) {
            Node::Not(x) => match *self.node(x) {
                Node::And(list) => Some(self.list(list)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Drops clauses that other items satisfy and literals that other items refute.
    /// Returns whether anything changed.
    fn shorten_clauses(&mut self, items: &mut Items) -> bool {
        if !items.iter().any(|&item| self.as_clause(item).is_some()) {
            return false;
        }
        let before: Items = items.clone();
        let mut changed = false;
        for at in 0..items.len() {
            let Some(negated) = self.as_clause(before[at]) else { continue };
            if negated.len() > LONGEST {
                continue;
            }
            let holds = |t: TermId| {
                before.binary_search_by_key(&(self.atom(t), t), |&item| (self.atom(item), item)).is_ok()
            };
            let fails = |t: TermId| {
                let atom = self.atom(t);
                let found = before.binary_search_by_key(&atom, |&item| self.atom(item));
                found.is_ok_and(|i| before[i] != t && i != at)
            };
            // The clause says that one of these does not hold.
            if negated.iter().any(|&t| fails(t)) {
                items[at] = self.tt();
                changed = true;
            } else if negated.iter().any(|&t| holds(t)) {
                let open: Items = negated.iter().copied().filter(|&t| !holds(t)).collect();
                let all = self.and_all(&open);
                items[at] = self.not(all);
                changed = true;
            }
        }
        changed
    }

    fn intern_conjunction(&mut self, items: &[TermId]) -> TermId {
        let list = self.intern_list(items);
        self.intern_bool(Node::And(list))
    }

    /// The disjunction of all items; false if there are none.
    pub fn or_all(&mut self, items: &[TermId]) -> TermId {
        let negated: Items = items.iter().map(|&item| self.not(item)).collect();
        let none = self.and_all(&negated);
        self.not(none)
    }
}
