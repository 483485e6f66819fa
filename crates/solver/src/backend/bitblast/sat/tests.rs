//! Random circuits, compared with trying all assignments of the inputs.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::{Gate, Limits, Lit, Sat};

struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

fn no_limits() -> Limits {
    Limits { conflicts: u64::MAX, deadline: None, interrupt: Arc::new(AtomicBool::new(false)) }
}

/// A circuit with the value of every variable under every assignment of the inputs, as bits.
struct Tabled {
    sat: Sat,
    tables: Vec<u64>,
    lits: Vec<Lit>,
}

const INPUTS: usize = 6;

impl Tabled {
    fn new() -> Tabled {
        let mut tabled = Tabled { sat: Sat::new(), tables: vec![u64::MAX], lits: Vec::new() };
        for i in 0..INPUTS {
            let table = (0..64).filter(|row| row >> i & 1 == 1).fold(0, |table, row| table | 1 << row);
            let lit = tabled.sat.new_input();
            tabled.lits.push(lit);
            tabled.tables.push(table);
        }
        tabled
    }

    fn table(&self, lit: Lit) -> u64 {
        let table = self.tables[lit.var() as usize];
        if lit.is_negated() { !table } else { table }
    }

    fn random_lit(&self, rng: &mut Rng) -> Lit {
        self.lits[rng.below(self.lits.len())].negate_if(rng.below(2) == 0)
    }

    fn add_gate(&mut self, rng: &mut Rng) {
        let (a, b, c) = (self.random_lit(rng), self.random_lit(rng), self.random_lit(rng));
        // Pins of a gate are over different variables.
        if a.var() == b.var() || b.var() == c.var() || a.var() == c.var() {
            return;
        }
        let (x, y, z) = (self.table(a), self.table(b), self.table(c));
        let (gate, table) = match rng.below(5) {
            0 => (Gate::And(a, b), x & y),
            1 => (Gate::Xor(a, b), x ^ y),
            2 => (Gate::Xor3(a, b, c), x ^ y ^ z),
            3 => (Gate::Majority(a, b, c), x & y | x & z | y & z),
            _ => (Gate::Mux(a, b, c), x & y | !x & z),
        };
        let out = self.sat.new_gate(gate);
        self.lits.push(out);
        self.tables.push(table);
    }

    fn possible(&self, lits: &[Lit]) -> u64 {
        lits.iter().fold(u64::MAX, |rows, &lit| rows & self.table(lit))
    }

    fn check(&mut self, assumptions: &[Lit]) {
        let rows = self.possible(assumptions);
        match self.sat.solve(assumptions, &no_limits()) {
            Ok(true) => {
                let row =
                    (0..INPUTS).filter(|&i| self.sat.value(self.lits[i])).fold(0, |row, i| row | 1 << i);
                assert!(rows >> row & 1 == 1, "row {row} is no model of {assumptions:?}");
            }
            Ok(false) => {
                assert_eq!(rows, 0, "{assumptions:?} has models");
                let core: Vec<Lit> =
                    assumptions.iter().copied().filter(|&lit| self.sat.blamed(lit)).collect();
                assert_eq!(self.possible(&core), 0, "the core {core:?} has models");
            }
            Err(stop) => panic!("stopped without limits: {stop:?}"),
        }
    }
}

#[test]
fn growing_circuits_under_changing_assumptions_are_decided_right() {
    for seed in 0..300 {
        let mut rng = Rng(seed);
        let mut tabled = Tabled::new();
        let mut assumptions = Vec::new();
        for _ in 0..60 {
            for _ in 0..rng.below(6) {
                tabled.add_gate(&mut rng);
            }
            // As along a path: mostly longer, now and then back.
            match rng.below(4) {
                0 => assumptions.truncate(rng.below(assumptions.len() + 1)),
                _ => assumptions.push(tabled.random_lit(&mut rng)),
            }
            tabled.check(&assumptions);
            if tabled.possible(&assumptions) == 0 {
                assumptions.pop();
            }
        }
    }
}

#[test]
fn learning_from_many_conflicts_stays_right() {
    for seed in 0..20 {
        let mut rng = Rng(1_000 + seed);
        let mut tabled = Tabled::new();
        for _ in 0..400 {
            tabled.add_gate(&mut rng);
        }
        // Clauses are dropped all the time.
        tabled.sat.max_learnts = 10;
        for _ in 0..200 {
            let assumptions: Vec<Lit> = (0..1 + rng.below(4)).map(|_| tabled.random_lit(&mut rng)).collect();
            tabled.check(&assumptions);
        }
    }
}

#[test]
fn an_interrupt_stops_the_search() {
    let mut sat = Sat::new();
    // Two words whose parities must differ although they are equal: no quick way out.
    let words: Vec<(Lit, Lit)> = (0..40).map(|_| (sat.new_input(), sat.new_input())).collect();
    let mut parities = (Lit::FALSE, Lit::FALSE);
    let mut assumptions = Vec::new();
    for (i, &(a, b)) in words.iter().enumerate() {
        let differ = sat.new_gate(Gate::Xor(a, b));
        assumptions.push(!differ);
        parities = if i == 0 {
            (a, b)
        } else {
            (sat.new_gate(Gate::Xor(parities.0, a)), sat.new_gate(Gate::Xor(parities.1, b)))
        };
    }
    assumptions.push(sat.new_gate(Gate::Xor(parities.0, parities.1)));
    assert_eq!(sat.solve(&assumptions, &Limits { conflicts: 5, ..no_limits() }), Err(super::Stop::Conflicts));
    let raised = Limits { interrupt: Arc::new(AtomicBool::new(true)), ..no_limits() };
    assert_eq!(sat.solve(&assumptions, &raised), Err(super::Stop::Interrupted));
}
