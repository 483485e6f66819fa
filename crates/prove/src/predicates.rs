//! The predicates Φ, and valuations of them.

use rustc_hash::FxHashMap;
use selvedge_term::{Node, TermId, TermPool};

use crate::fast::FastAtom;
use crate::linear::{atoms, literal};

/// A valuation: one bit for each predicate.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Bits(Box<[u64]>);

impl Bits {
    pub(crate) fn new(n: usize) -> Bits {
        Bits(vec![0; n.div_ceil(64)].into())
    }

    pub(crate) fn get(&self, i: usize) -> bool {
        self.0[i / 64] >> (i % 64) & 1 == 1
    }

    pub(crate) fn set(&mut self, i: usize, value: bool) {
        let mask = 1 << (i % 64);
        if value { self.0[i / 64] |= mask } else { self.0[i / 64] &= !mask }
    }
}

/// A condition over predicates, as a program for a stack.
#[derive(Clone, Debug)]
enum Op {
    Const(bool),
    Predicate(usize),
    Not,
    And(usize),
    Eq,
    Ite,
}

/// The set Φ, in the order in which predicates were added.
#[derive(Clone, Default)]
pub(crate) struct Predicates {
    atoms: Vec<TermId>,
    index: FxHashMap<TermId, usize>,
    fast: Vec<Option<FastAtom>>,
    programs: FxHashMap<TermId, Option<Vec<Op>>>,
}

impl Predicates {
    /// These conditions as they are, whether atomic or not.
    pub(crate) fn of(conditions: &[TermId]) -> Predicates {
        let index = conditions.iter().enumerate().map(|(i, c)| (*c, i)).collect();
        let fast = vec![None; conditions.len()];
        Predicates { atoms: conditions.to_vec(), index, fast, programs: FxHashMap::default() }
    }

    pub(crate) fn len(&self) -> usize {
        self.atoms.len()
    }

    pub(crate) fn atoms(&self) -> &[TermId] {
        &self.atoms
    }

    pub(crate) fn contains(&self, atom: TermId) -> bool {
        self.index.contains_key(&atom)
    }

    pub(crate) fn position(&self, atom: TermId) -> Option<usize> {
        self.index.get(&atom).copied()
    }

    pub(crate) fn fast(&self, i: usize) -> Option<&FastAtom> {
        self.fast[i].as_ref()
    }

    /// Adds the atoms of `condition` that are about data; says whether there was a new one.
    pub(crate) fn add(&mut self, pool: &mut TermPool, data: &[TermId], condition: TermId) -> bool {
        let before = self.atoms.len();
        for atom in atoms(pool, condition) {
            let about_data = pool.vars(atom).iter().any(|v| data.contains(&pool.var_term(*v)));
            if about_data && !self.contains(atom) {
                self.index.insert(atom, self.atoms.len());
                self.fast.push(FastAtom::new(pool, data, atom));
                self.atoms.push(atom);
            }
        }
        if self.atoms.len() > before {
            self.programs.clear();
        }
        self.atoms.len() > before
    }

    /// The literals of a valuation.
    pub(crate) fn literals(&self, pool: &mut TermPool, bits: &Bits) -> Vec<TermId> {
        let literal = |(i, atom): (usize, &TermId)| if bits.get(i) { *atom } else { pool.not(*atom) };
        self.atoms.iter().enumerate().map(literal).collect()
    }

    /// The value that a valuation gives to a literal, if it is one of Φ.
    pub(crate) fn decides(&self, pool: &TermPool, bits: &Bits, condition: TermId) -> Option<bool> {
        let (atom, positive) = literal(pool, condition);
        self.position(atom).map(|i| bits.get(i) == positive)
    }

    /// Whether `condition` holds in a valuation; `None` if it has atoms outside of Φ.
    pub(crate) fn holds(&mut self, pool: &TermPool, bits: &Bits, condition: TermId) -> Option<bool> {
        if let Some(constant) = pool.as_bool(condition) {
            return Some(constant);
        }
        if !self.programs.contains_key(&condition) {
            let program = self.compile(pool, condition);
            self.programs.insert(condition, program);
        }
        let program = self.programs[&condition].as_ref()?;
        let mut stack: Vec<bool> = Vec::with_capacity(8);
        for op in program {
            let value = match op {
                Op::Const(b) => *b,
                Op::Predicate(i) => bits.get(*i),
                Op::Not => !stack.pop()?,
                Op::And(n) => {
                    let rest = stack.len() - n;
                    let all = stack[rest..].iter().all(|b| *b);
                    stack.truncate(rest);
                    all
                }
                Op::Eq => stack.pop()? == stack.pop()?,
                Op::Ite => {
                    let (no, yes, condition) = (stack.pop()?, stack.pop()?, stack.pop()?);
                    if condition { yes } else { no }
                }
            };
            stack.push(value);
        }
        stack.pop()
    }

    fn compile(&self, pool: &TermPool, root: TermId) -> Option<Vec<Op>> {
        let mut program = Vec::new();
        // A term, and whether its operands have been seen to.
        let mut stack = vec![(root, false)];
        while let Some((t, ready)) = stack.pop() {
            if let Some(b) = pool.as_bool(t) {
                program.push(Op::Const(b));
                continue;
            }
            if let Some(i) = self.position(t) {
                program.push(Op::Predicate(i));
                continue;
            }
            let operands = pool.operands(t);
            if ready {
                program.push(match *pool.node(t) {
                    Node::Not(_) => Op::Not,
                    Node::And(_) => Op::And(operands.len()),
                    Node::Eq(..) => Op::Eq,
                    _ => Op::Ite,
                });
                continue;
            }
            match *pool.node(t) {
                Node::Not(_) | Node::And(_) | Node::Ite(..) => {}
                Node::Eq(a, _) if pool.sort(a) == selvedge_term::Sort::BOOL => {}
                _ => return None,
            }
            stack.push((t, true));
            stack.extend(operands.into_iter().rev().map(|o| (o, false)));
        }
        Some(program)
    }
}
