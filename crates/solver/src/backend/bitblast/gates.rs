//! Logic gates over SAT literals: constant folding, one gate per function and inputs,
//! clauses for both directions.
//!
//! Guarantee: a gate's output variable is determined by its inputs in every model of the
//! clauses. Nothing is ever asserted about inputs, so that adding gates cannot make a
//! satisfiable set of clauses unsatisfiable.

use rustc_hash::FxHashMap;

use super::sat::{Lit, Sat};

/// A gate with normalised inputs.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Gate {
    And(Lit, Lit),
    Xor(Lit, Lit),
    Xor3(Lit, Lit, Lit),
    Majority(Lit, Lit, Lit),
    Mux(Lit, Lit, Lit),
}

/// The gates made so far, over one SAT solver.
pub(super) struct Gates {
    pub(super) sat: Sat,
    made: FxHashMap<Gate, Lit>,
    clause: Vec<Lit>,
}

impl Gates {
    pub(super) fn new(sat: Sat) -> Gates {
        Gates { sat, made: FxHashMap::default(), clause: Vec::new() }
    }

    /// The output of `gate`, and whether it is new and needs its clauses.
    fn output(&mut self, gate: Gate) -> (Lit, bool) {
        if let Some(&known) = self.made.get(&gate) {
            return (known, false);
        }
        let out = self.sat.new_lit();
        self.made.insert(gate, out);
        (out, true)
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
        let (out, new) = self.output(Gate::And(a, b));
        if new {
            self.sat.add_clause(&[!out, a]);
            self.sat.add_clause(&[!out, b]);
            self.sat.add_clause(&[out, !a, !b]);
        }
        out
    }

    pub(super) fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

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
        let (out, new) = self.output(Gate::Xor(a, b));
        if new {
            self.sat.add_clause(&[!out, a, b]);
            self.sat.add_clause(&[!out, !a, !b]);
            self.sat.add_clause(&[out, !a, b]);
            self.sat.add_clause(&[out, a, !b]);
        }
        out.negate_if(flip)
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
        let (out, new) = self.output(Gate::Xor3(a, b, c));
        if new {
            for row in 0..8u32 {
                let (x, y, z) = (row & 1 == 1, row & 2 == 2, row & 4 == 4);
                let sum = x ^ y ^ z;
                self.sat.add_clause(&[a.negate_if(x), b.negate_if(y), c.negate_if(z), out.negate_if(!sum)]);
            }
        }
        out.negate_if(flip)
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
        let (out, new) = self.output(Gate::Majority(a, b, c));
        if new {
            for (x, y) in [(a, b), (a, c), (b, c)] {
                self.sat.add_clause(&[out, !x, !y]);
                self.sat.add_clause(&[!out, x, y]);
            }
        }
        out.negate_if(flip)
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
        let (out, new) = self.output(Gate::Mux(c, a, b));
        if new {
            self.sat.add_clause(&[!c, !a, out]);
            self.sat.add_clause(&[!c, a, !out]);
            self.sat.add_clause(&[c, !b, out]);
            self.sat.add_clause(&[c, b, !out]);
            // Redundant, but lets the output follow from equal branches.
            self.sat.add_clause(&[!a, !b, out]);
            self.sat.add_clause(&[a, b, !out]);
        }
        out.negate_if(flip)
    }

    /// The conjunction of all.
    pub(super) fn and_all(&mut self, lits: &[Lit]) -> Lit {
        let mut clause = std::mem::take(&mut self.clause);
        clause.clear();
        clause.extend_from_slice(lits);
        clause.sort_unstable();
        clause.dedup();
        clause.retain(|&lit| lit != Lit::TRUE);
        let contradiction = clause.first() == Some(&Lit::FALSE) || clause.windows(2).any(|w| w[0] == !w[1]);
        let out = match clause.len() {
            _ if contradiction => Lit::FALSE,
            0 => Lit::TRUE,
            1 => clause[0],
            2 => self.and(clause[0], clause[1]),
            _ => {
                // Not shared: long conjunctions are memoised by the term they stand for.
                let out = self.sat.new_lit();
                for lit in &mut clause {
                    self.sat.add_clause(&[!out, *lit]);
                    *lit = !*lit;
                }
                clause.push(out);
                self.sat.add_clause(&clause);
                out
            }
        };
        self.clause = clause;
        out
    }

    /// The disjunction of all.
    pub(super) fn or_all(&mut self, lits: &[Lit]) -> Lit {
        let negated: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
        !self.and_all(&negated)
    }
}
