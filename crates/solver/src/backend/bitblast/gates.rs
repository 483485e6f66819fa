//! Logic gates over SAT literals: constants are folded, and equal gates are one gate.
//!
//! Guarantee: every assignment of the inputs extends to the gates, in one way only. So adding
//! gates cannot make a satisfiable set of clauses unsatisfiable, and an assignment of some
//! gates with all that they depend on extends to all others.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::sat::{Gate, Lit, Sat};

/// Literals up to which an exclusive or is kept as a sorted chain.
const MAX_SUMMANDS: usize = 6;

type Sum = SmallVec<[Lit; 2 * MAX_SUMMANDS]>;

/// The gates made so far, over one SAT solver.
pub(super) struct Gates {
    pub(super) sat: Sat,
    made: FxHashMap<Gate, Lit>,
}

impl Gates {
    pub(super) fn new(sat: Sat) -> Gates {
        Gates { sat, made: FxHashMap::default() }
    }

    /// The output of `gate`, whose inputs are normalised.
    fn output(&mut self, gate: Gate) -> Lit {
        *self.made.entry(gate).or_insert_with(|| self.sat.new_gate(gate))
    }

    pub(super) fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        // Constants come first in the order.
        if a == Lit::FALSE || a == !b {
            return Lit::FALSE;
        }
        if a == Lit::TRUE || a == b {
            return b;
        }
        self.output(Gate::And(a, b))
    }

    pub(super) fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// `a ⊕ b`. Sums of few literals are kept in one form, whatever the order they were made in:
    /// a chain over the sorted literals. Search alone is slow to see that two orders agree.
    pub(super) fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        // Signs move to the output.
        let flip = a.is_negated() != b.is_negated();
        let (a, b) = (a.negate_if(a.is_negated()), b.negate_if(b.is_negated()));
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == b {
            return Lit::constant(flip);
        }
        if a == Lit::TRUE {
            return b.negate_if(!flip);
        }
        let mut sum = Sum::default();
        if !(self.add_summands(a, &mut sum) && self.add_summands(b, &mut sum)) {
            return self.output(Gate::Xor(a, b)).negate_if(flip);
        }
        sum.sort_unstable();
        let mut chain = None;
        let mut rest = &sum[..];
        while let [first, tail @ ..] = rest {
            // Of an even number of equal literals nothing is left.
            if tail.first() == Some(first) {
                rest = &tail[1..];
                continue;
            }
            rest = tail;
            chain = Some(match chain {
                None => *first,
                // A summand may itself be a chain that was not opened.
                Some(chain) if chain == *first => Lit::FALSE,
                Some(Lit::FALSE) => *first,
                Some(chain) => self.output(Gate::Xor(chain, *first)),
            });
        }
        chain.unwrap_or(Lit::FALSE).negate_if(flip)
    }

    /// Adds the literals that `lit` is a chain of, as far as they are few.
    fn add_summands(&self, mut lit: Lit, sum: &mut Sum) -> bool {
        for _ in 0..MAX_SUMMANDS {
            match self.sat.xor_inputs(lit) {
                Some((chain, last)) => {
                    sum.push(last);
                    lit = chain;
                }
                None => {
                    sum.push(lit);
                    return true;
                }
            }
        }
        false
    }

    /// `a ⊕ b ⊕ c`, the sum bit of a full adder.
    pub(super) fn xor3(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let flip = a.is_negated() ^ b.is_negated() ^ c.is_negated();
        let mut lits = [a, b, c].map(|lit| lit.negate_if(lit.is_negated()));
        lits.sort_unstable();
        let [a, b, c] = lits;
        if a == b {
            return c.negate_if(flip);
        }
        if b == c {
            return a.negate_if(flip);
        }
        if a == Lit::TRUE {
            return self.xor(b, c).negate_if(!flip);
        }
        self.output(Gate::Xor3(a, b, c)).negate_if(flip)
    }

    /// At least two of three, the carry bit of a full adder.
    pub(super) fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut lits = [a, b, c];
        lits.sort_unstable();
        let [a, b, c] = lits;
        if a == b || b == c {
            return b;
        }
        // A literal and its negation are neighbours in the order.
        if a == !b {
            return c;
        }
        if b == !c {
            return a;
        }
        if a == Lit::TRUE {
            return self.or(b, c);
        }
        if a == Lit::FALSE {
            return self.and(b, c);
        }
        // Majority is its own dual: keep the first input positive.
        let flip = a.is_negated();
        let [a, b, c] = [a, b, c].map(|lit| lit.negate_if(flip));
        self.output(Gate::Majority(a, b, c)).negate_if(flip)
    }

    /// `a` if `c`, otherwise `b`.
    pub(super) fn mux(&mut self, c: Lit, a: Lit, b: Lit) -> Lit {
        let (c, a, b) = if c.is_negated() { (!c, b, a) } else { (c, a, b) };
        if c == Lit::TRUE || a == b {
            return a;
        }
        if a == !b {
            return !self.xor(c, a);
        }
        if a == Lit::TRUE || a == c {
            return self.or(c, b);
        }
        if a == Lit::FALSE || a == !c {
            return self.and(!c, b);
        }
        if b == Lit::TRUE || b == !c {
            return self.or(!c, a);
        }
        if b == Lit::FALSE || b == c {
            return self.and(c, a);
        }
        let flip = a.is_negated();
        let (a, b) = (a.negate_if(flip), b.negate_if(flip));
        self.output(Gate::Mux(c, a, b)).negate_if(flip)
    }

    /// The conjunction of all, as a balanced tree.
    pub(super) fn and_all(&mut self, lits: &[Lit]) -> Lit {
        let mut row = lits.to_vec();
        row.sort_unstable();
        row.dedup();
        row.retain(|&lit| lit != Lit::TRUE);
        if row.first() == Some(&Lit::FALSE) || row.windows(2).any(|w| w[0] == !w[1]) {
            return Lit::FALSE;
        }
        while row.len() > 1 {
            row =
                row.chunks(2).map(|pair| if let [a, b] = *pair { self.and(a, b) } else { pair[0] }).collect();
        }
        row.first().copied().unwrap_or(Lit::TRUE)
    }

    /// The disjunction of all.
    pub(super) fn or_all(&mut self, lits: &[Lit]) -> Lit {
        let negated: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
        !self.and_all(&negated)
    }
}
