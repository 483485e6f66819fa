//! The circuit: gates, the cone of active ones, and what values of pins imply.

use super::{Lit, Pins, Place, Reason, Sat, Var};

/// A function of up to three literals. Two gates are the same if they are equal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in super::super) enum Gate {
    /// `a ∧ b`.
    And(Lit, Lit),
    /// `a ⊕ b`.
    Xor(Lit, Lit),
    /// `a ⊕ b ⊕ c`, the sum of a full adder.
    Xor3(Lit, Lit, Lit),
    /// At least two of three, the carry of a full adder.
    Majority(Lit, Lit, Lit),
    /// The second if the first, otherwise the third.
    Mux(Lit, Lit, Lit),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Input,
    /// An input that more depends on: its pins are a range of `Sat::extra`.
    Bound,
    And,
    Xor,
    Xor3,
    Majority,
    Mux,
}

const A: Pins = 1;
const B: Pins = 2;
const C: Pins = 4;
const OUT: Pins = 8;

/// The end of a list of users.
const END: u32 = u32::MAX;

/// A gate with its links. While active, it is in the list of users of each input: link `3·g + k`
/// stands for input `k` of gate `g`, and `next[k]` is the link after it.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pins: [Lit; 3],
    next: [u32; 3],
    kind: Kind,
    /// Whether it is in the cone.
    pub(super) active: bool,
}

impl Node {
    const INPUT: Node = Node { pins: [Lit::TRUE; 3], next: [END; 3], kind: Kind::Input, active: false };

    pub(super) fn is_input(&self) -> bool {
        matches!(self.kind, Kind::Input | Kind::Bound)
    }

    fn inputs(&self) -> usize {
        match self.kind {
            Kind::Input | Kind::Bound => 0,
            Kind::And | Kind::Xor => 2,
            Kind::Xor3 | Kind::Majority | Kind::Mux => 3,
        }
    }
}

impl Sat {
    fn new_var(&mut self, node: Node) -> Lit {
        let var = self.nodes.len() as Var;
        // Links are numbered by 32 bits; the blaster refuses circuits long before that.
        assert!(var < END / 3, "too many variables");
        self.nodes.push(node);
        self.users.push(END);
        self.values.extend([0, 0]);
        self.places.push(Place { level: 0, reason: Reason::None });
        self.phases.push(false);
        self.watches.extend([Vec::new(), Vec::new()]);
        self.order.add_var();
        self.seen.push(false);
        Lit::of(var)
    }

    /// A variable that is free.
    pub(in super::super) fn new_input(&mut self) -> Lit {
        self.new_var(Node::INPUT)
    }

    /// The output of a new gate.
    pub(in super::super) fn new_gate(&mut self, gate: Gate) -> Lit {
        let (kind, pins) = match gate {
            Gate::And(a, b) => (Kind::And, [a, b, Lit::TRUE]),
            Gate::Xor(a, b) => (Kind::Xor, [a, b, Lit::TRUE]),
            Gate::Xor3(a, b, c) => (Kind::Xor3, [a, b, c]),
            Gate::Majority(a, b, c) => (Kind::Majority, [a, b, c]),
            Gate::Mux(c, a, b) => (Kind::Mux, [c, a, b]),
        };
        self.new_var(Node { pins, kind, ..Node::INPUT })
    }

    /// The inputs of `lit` if it is the output of a [`Gate::Xor`].
    pub(in super::super) fn xor_inputs(&self, lit: Lit) -> Option<(Lit, Lit)> {
        let node = &self.nodes[lit.var() as usize];
        (node.kind == Kind::Xor && !lit.is_negated()).then(|| (node.pins[0], node.pins[1]))
    }

    /// States that the input `lit` is bound by what is asserted about `others`: whoever depends on
    /// it depends on them.
    pub(in super::super) fn depends_on(&mut self, lit: Lit, others: &[Lit]) {
        let start = self.extra.len() as u32;
        self.extra.extend_from_slice(others);
        let node = &mut self.nodes[lit.var() as usize];
        debug_assert!(node.is_input());
        node.kind = Kind::Bound;
        node.pins = [Lit(start), Lit(self.extra.len() as u32), Lit::TRUE];
    }

    /// Takes the fan-in of `root` into the cone. The cone itself is the queue of the walk.
    pub(super) fn activate(&mut self, root: Lit) {
        let mut next = self.cone.len();
        let first = next;
        self.add_to_cone(root.var());
        while next < self.cone.len() {
            let var = self.cone[next];
            next += 1;
            let node = self.nodes[var as usize];
            if node.kind == Kind::Bound {
                for i in node.pins[0].0..node.pins[1].0 {
                    self.add_to_cone(self.extra[i as usize].var());
                }
            }
            for k in 0..node.inputs() {
                let input = node.pins[k].var();
                let users = &mut self.users[input as usize];
                self.nodes[var as usize].next[k] = *users;
                *users = 3 * var + k as u32;
                self.add_to_cone(input);
            }
        }
        // What is assigned already has its effect on the new gates, too. The last ones, nearest
        // to the inputs, are looked at first.
        for i in first..self.cone.len() {
            let var = self.cone[i];
            if !self.nodes[var as usize].is_input() {
                self.pending.push(var);
            }
        }
    }

    fn add_to_cone(&mut self, var: Var) {
        let node = &mut self.nodes[var as usize];
        if !std::mem::replace(&mut node.active, true) {
            self.cone.push(var);
        }
    }

    /// Takes all but the first `keep` variables out of the cone, in reverse order of activation,
    /// in which each of their links is the first of its list.
    pub(super) fn deactivate(&mut self, keep: usize) {
        while self.cone.len() > keep {
            let Some(var) = self.cone.pop() else { return };
            self.nodes[var as usize].active = false;
            let node = self.nodes[var as usize];
            for k in (0..node.inputs()).rev() {
                debug_assert_eq!(self.users[node.pins[k].var() as usize], 3 * var + k as u32);
                self.users[node.pins[k].var() as usize] = node.next[k];
            }
        }
    }

    /// Draws the consequences of `var` having a value in all active gates around it.
    pub(super) fn propagate_gates(&mut self, var: Var) -> Result<(), Reason> {
        let node = &self.nodes[var as usize];
        if node.active && !node.is_input() {
            self.visit(var)?;
        }
        let mut link = self.users[var as usize];
        while link != END {
            let gate = link / 3;
            let next = self.nodes[gate as usize].next[(link % 3) as usize];
            self.visit(gate)?;
            link = next;
        }
        Ok(())
    }

    /// Assigns what the values of the pins of `gate` leave no choice about. `Err` is a conflict.
    pub(super) fn visit(&mut self, gate: Var) -> Result<(), Reason> {
        let Node { pins: [a, b, c], kind, .. } = self.nodes[gate as usize];
        let out = Lit::of(gate);
        let (va, vb, vo) = (self.values[a.index()], self.values[b.index()], self.values[out.index()]);
        match kind {
            Kind::Input | Kind::Bound => Ok(()),
            Kind::And => match (va, vb, vo) {
                (-1, _, 0 | 1) => self.imply(gate, !out, A),
                (_, -1, 0 | 1) => self.imply(gate, !out, B),
                (1, 1, 0 | -1) => self.imply(gate, out, A | B),
                (0, 0, 1) => {
                    self.imply(gate, a, OUT)?;
                    self.imply(gate, b, OUT)
                }
                (0, 1, 1) => self.imply(gate, a, OUT),
                (1, 0, 1) => self.imply(gate, b, OUT),
                (1, 0, -1) => self.imply(gate, !b, A | OUT),
                (0, 1, -1) => self.imply(gate, !a, B | OUT),
                _ => Ok(()),
            },
            Kind::Xor => self.visit_parity(gate, &[(a, va, A), (b, vb, B), (out, vo, OUT)]),
            Kind::Xor3 => {
                let vc = self.values[c.index()];
                self.visit_parity(gate, &[(a, va, A), (b, vb, B), (c, vc, C), (out, vo, OUT)])
            }
            Kind::Majority => {
                let vc = self.values[c.index()];
                for ((x, pin_x), (y, pin_y), (z, vz)) in
                    [((va, A), (vb, B), (c, vc)), ((va, A), (vc, C), (b, vb)), ((vb, B), (vc, C), (a, va))]
                {
                    if x != 0 && x == y {
                        if vo != x {
                            return self.imply(gate, out.negate_if(x < 0), pin_x | pin_y);
                        }
                    } else if vo != 0 && vz == 0 && (x == -vo || y == -vo) {
                        // One input is against the output, so that the others are for it.
                        let against = if x == -vo { pin_x } else { pin_y };
                        self.imply(gate, z.negate_if(vo < 0), against | OUT)?;
                    }
                }
                Ok(())
            }
            Kind::Mux => {
                // Here the pins are: condition, then, otherwise.
                let vc = self.values[c.index()];
                match va {
                    1 => self.visit_equal(gate, (b, vb, B), (out, vo), A),
                    -1 => self.visit_equal(gate, (c, vc, C), (out, vo), A),
                    _ if vb != 0 && vb == vc => {
                        if vo == vb {
                            return Ok(());
                        }
                        self.imply(gate, out.negate_if(vb < 0), B | C)
                    }
                    _ if vo != 0 && vb == -vo => self.imply(gate, !a, B | OUT),
                    _ if vo != 0 && vc == -vo => self.imply(gate, a, C | OUT),
                    _ => Ok(()),
                }
            }
        }
    }

    /// What to decide so that the value of `gate` follows from its inputs' values, unless it does
    /// already, or has no value. Prefers the values that inputs had before.
    pub(super) fn missing(&self, gate: Var) -> Option<Lit> {
        let node = &self.nodes[gate as usize];
        let value = self.values[Lit::of(gate).index()];
        if !node.active || value == 0 {
            return None;
        }
        let [a, b, c] = node.pins;
        let is = |lit: Lit, value: i8| self.values[lit.index()] == value;
        let free = |lit: Lit| self.values[lit.index()] == 0;
        let as_before = |lit: Lit| lit.negate_if(self.phases[lit.var() as usize] == lit.is_negated());
        let was = |lit: Lit, value: i8| (as_before(lit) == lit) == (value > 0);
        let set = |lit: Lit, value: i8| lit.negate_if(value < 0);
        // Of several free pins that could be given the value, one that had it before, else the first.
        let choose = |pins: &[Lit], value: i8| {
            let mut free = pins.iter().copied().filter(|&pin| free(pin));
            let first = free.next()?;
            let preferred = if was(first, value) { None } else { free.find(|&pin| was(pin, value)) };
            Some(set(preferred.unwrap_or(first), value))
        };
        match node.kind {
            Kind::Input | Kind::Bound => None,
            Kind::And if value > 0 => choose(&[a, b], 1),
            Kind::And if is(a, -1) || is(b, -1) => None,
            Kind::And => choose(&[a, b], -1),
            Kind::Xor => [a, b].into_iter().find(|&pin| free(pin)).map(as_before),
            Kind::Xor3 => [a, b, c].into_iter().find(|&pin| free(pin)).map(as_before),
            Kind::Majority => {
                let agreeing = [a, b, c].into_iter().filter(|&pin| is(pin, value)).count();
                if agreeing >= 2 { None } else { choose(&[a, b, c], value) }
            }
            Kind::Mux => {
                // The pins are: condition, then, otherwise.
                if is(b, value) && is(c, value) || is(a, 1) && is(b, value) || is(a, -1) && is(c, value) {
                    return None;
                }
                if free(a) {
                    let then = is(b, value) || free(b) && (was(b, value) || is(c, -value));
                    return Some(set(a, if then { 1 } else { -1 }));
                }
                choose(&[if is(a, 1) { b } else { c }], value)
            }
        }
    }

    /// `lit` and the output are equal because of `why`.
    fn visit_equal(
        &mut self,
        gate: Var,
        (lit, value, pin): (Lit, i8, Pins),
        (out, out_value): (Lit, i8),
        why: Pins,
    ) -> Result<(), Reason> {
        if value != 0 && out_value != value {
            self.imply(gate, out.negate_if(value < 0), why | pin)
        } else if value == 0 && out_value != 0 {
            self.imply(gate, lit.negate_if(out_value < 0), why | OUT)
        } else {
            Ok(())
        }
    }

    /// The number of true pins is even: the output is the parity of the inputs.
    fn visit_parity(&mut self, gate: Var, pins: &[(Lit, i8, Pins)]) -> Result<(), Reason> {
        let mut open = None;
        let mut odd = false;
        let mut all = 0;
        for &(lit, value, pin) in pins {
            all |= pin;
            if value == 0 {
                if open.is_some() {
                    return Ok(());
                }
                open = Some((lit, pin));
            } else {
                odd ^= value > 0;
            }
        }
        match open {
            Some((lit, pin)) => self.imply(gate, lit.negate_if(!odd), all & !pin),
            None if odd => Err(Reason::Gate(gate, all)),
            None => Ok(()),
        }
    }

    /// `lit`, a pin of `gate`, follows from `pins`.
    fn imply(&mut self, gate: Var, lit: Lit, pins: Pins) -> Result<(), Reason> {
        match self.values[lit.index()] {
            0 => self.enqueue(lit, Reason::Gate(gate, pins)),
            1 => {}
            // The pins and this one are at odds, and no other pin is needed to see it.
            _ => return Err(Reason::Gate(gate, pins | self.pin_of(gate, lit))),
        }
        Ok(())
    }

    fn pin_of(&self, gate: Var, lit: Lit) -> Pins {
        if lit.var() == gate {
            return OUT;
        }
        let pins = self.nodes[gate as usize].pins;
        if pins[0].var() == lit.var() {
            A
        } else if pins[1].var() == lit.var() {
            B
        } else {
            C
        }
    }

    /// The clause behind `reason`, as its false literals: for an implied literal all others, for a
    /// conflict all.
    pub(super) fn false_lits(&self, reason: Reason, implied: Option<Lit>, into: &mut Vec<Lit>) {
        into.clear();
        match reason {
            Reason::None => {}
            Reason::Clause(clause) => {
                into.extend(self.clauses.lits(clause).iter().filter(|&&lit| Some(lit) != implied));
            }
            Reason::Gate(gate, pins) => {
                let [a, b, c] = self.nodes[gate as usize].pins;
                for (lit, pin) in [(a, A), (b, B), (c, C), (Lit::of(gate), OUT)] {
                    if pins & pin != 0 {
                        into.push(lit.negate_if(self.values[lit.index()] > 0));
                    }
                }
            }
        }
    }
}
