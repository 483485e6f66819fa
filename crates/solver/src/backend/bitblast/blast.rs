//! Terms to literals, each once.
//!
//! Every bit-vector term gets one literal per bit. Concatenation, extraction and extension
//! only rearrange literals. The walk keeps its own stack.

use rustc_hash::FxHashMap;
use selvedge_base::Id;
use selvedge_term::{Node, Sort, TermId, TermPool, VarId};

use super::gates::Gates;
use super::sat::{Lit, Sat};

/// A multiplication or division whose width is above this is left to the next backend.
const MAX_MUL_WIDTH: u32 = 128;

/// SAT variables after which translation stops, to bound memory.
const MAX_VARS: usize = 20_000_000;

/// What the bit-blaster cannot say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Unsupported(pub(super) &'static str);

/// A run of literals in the arena; length 0 means: not translated yet.
#[derive(Clone, Copy, Default)]
struct Span {
    start: u32,
    len: u32,
}

/// All terms translated so far, over one SAT solver.
pub(super) struct Blaster {
    pub(super) gates: Gates,
    arena: Vec<Lit>,
    spans: Vec<Span>,
    vars: FxHashMap<VarId, Span>,
    stack: Vec<TermId>,
}

impl Blaster {
    pub(super) fn new() -> Blaster {
        Blaster {
            gates: Gates::new(Sat::new()),
            arena: Vec::new(),
            spans: Vec::new(),
            vars: FxHashMap::default(),
            stack: Vec::new(),
        }
    }

    /// The literal of a term of width 1, if it was translated before.
    pub(super) fn known(&self, term: TermId) -> Option<Lit> {
        let span = self.spans.get(term.index())?;
        (span.len != 0).then(|| self.arena[span.start as usize])
    }

    /// The literal of a term of width 1.
    pub(super) fn literal(&mut self, pool: &TermPool, term: TermId) -> Result<Lit, Unsupported> {
        self.translate(pool, term)?;
        Ok(self.word(term)[0])
    }

    /// The literals of a variable that occurred so far, lowest bit first.
    pub(super) fn variable(&self, var: VarId) -> Option<&[Lit]> {
        self.vars.get(&var).map(|&span| self.slice(span))
    }

    fn slice(&self, span: Span) -> &[Lit] {
        &self.arena[span.start as usize..(span.start + span.len) as usize]
    }

    fn word(&self, term: TermId) -> &[Lit] {
        self.slice(self.spans[term.index()])
    }

    fn owned(&self, term: TermId) -> Vec<Lit> {
        self.word(term).to_vec()
    }

    fn bit(&self, term: TermId) -> Lit {
        self.word(term)[0]
    }

    fn translate(&mut self, pool: &TermPool, root: TermId) -> Result<(), Unsupported> {
        if self.spans.len() < pool.len() {
            self.spans.resize(pool.len(), Span::default());
        }
        self.stack.clear();
        self.stack.push(root);
        while let Some(&term) = self.stack.last() {
            if self.spans[term.index()].len != 0 {
                self.stack.pop();
                continue;
            }
            let Sort::Bv(width) = pool.sort(term) else {
                return Err(Unsupported("arrays or integers"));
            };
            let before = self.stack.len();
            for operand in pool.operands(term) {
                // A comparison of arrays or integers is found out before its operands are entered.
                if !matches!(pool.sort(operand), Sort::Bv(_)) {
                    return Err(Unsupported("arrays or integers"));
                }
                if self.spans[operand.index()].len == 0 {
                    self.stack.push(operand);
                }
            }
            if self.stack.len() > before {
                continue;
            }
            if self.gates.sat.vars() > MAX_VARS {
                return Err(Unsupported("circuits this large"));
            }
            let word = self.node(pool, term)?;
            debug_assert_eq!(word.len(), width as usize);
            let span = Span { start: self.arena.len() as u32, len: width };
            self.arena.extend_from_slice(&word);
            self.spans[term.index()] = span;
            if let Node::Var(var) = *pool.node(term) {
                self.vars.insert(var, span);
            }
            self.stack.pop();
        }
        Ok(())
    }

    fn node(&mut self, pool: &TermPool, term: TermId) -> Result<Vec<Lit>, Unsupported> {
        let width = pool.width(term);
        let size = width as usize;
        let word = match *pool.node(term) {
            Node::Var(_) => (0..width).map(|_| self.gates.sat.new_input()).collect(),
            Node::Const { value, .. } => (0..width).map(|i| Lit::constant(value >> i & 1 == 1)).collect(),
            Node::Wide { value, .. } => {
                let value = pool.wide(value);
                (0..u64::from(width)).map(|i| Lit::constant(value.bit(i))).collect()
            }

            Node::Not(a) => self.word(a).iter().map(|&lit| !lit).collect(),
            Node::And(list) => {
                let lits: Vec<Lit> = pool.list(list).iter().map(|&a| self.bit(a)).collect();
                vec![self.gates.and_all(&lits)]
            }
            Node::BvAnd(a, b) => self.bitwise(a, b, Gates::and),
            Node::BvOr(a, b) => self.bitwise(a, b, Gates::or),
            Node::BvXor(a, b) => self.bitwise(a, b, Gates::xor),

            Node::Neg(a) => {
                let a = self.owned(a);
                self.gates.neg(&a)
            }
            Node::Add(a, b) => {
                let (a, b) = (self.owned(a), self.owned(b));
                self.gates.add(&a, &b, Lit::FALSE)
            }
            Node::Mul(a, b) => {
                let (a, b) = self.factors(a, b)?;
                self.gates.mul(&a, &b)
            }
            Node::Udiv(a, b) => {
                let (a, b) = self.factors(a, b)?;
                self.gates.udivrem(&a, &b).0
            }
            Node::Urem(a, b) => {
                let (a, b) = self.factors(a, b)?;
                self.gates.udivrem(&a, &b).1
            }
            Node::Sdiv(a, b) => {
                let (a, b) = self.factors(a, b)?;
                self.gates.sdiv(&a, &b)
            }
            Node::Srem(a, b) => {
                let (a, b) = self.factors(a, b)?;
                self.gates.srem(&a, &b)
            }
            Node::Shl(a, b) => {
                let (a, b) = (self.owned(a), self.owned(b));
                self.gates.shift_left(&a, &b)
            }
            Node::Lshr(a, b) => {
                let (a, b) = (self.owned(a), self.owned(b));
                self.gates.shift_right(&a, &b, Lit::FALSE)
            }
            Node::Ashr(a, b) => {
                let (a, b) = (self.owned(a), self.owned(b));
                let sign = a[size - 1];
                self.gates.shift_right(&a, &b, sign)
            }

            Node::Concat(high, low) => [self.word(low), self.word(high)].concat(),
            Node::Extract { term: of, high, low } => self.word(of)[low as usize..=high as usize].to_vec(),
            Node::Zext(a) => {
                let mut word = self.owned(a);
                word.resize(size, Lit::FALSE);
                word
            }
            Node::Sext(a) => {
                let mut word = self.owned(a);
                let sign = word[word.len() - 1];
                word.resize(size, sign);
                word
            }

            Node::Eq(a, b) => {
                let (a, b) = (self.owned(a), self.owned(b));
                vec![self.gates.equal(&a, &b)]
            }
            Node::Ult(a, b) => {
                let (a, b) = (self.owned(a), self.owned(b));
                vec![self.gates.ult(&a, &b)]
            }
            Node::Slt(a, b) => {
                let (a, b) = (self.owned(a), self.owned(b));
                vec![self.gates.slt(&a, &b)]
            }
            Node::Ite(c, a, b) => {
                let (c, a, b) = (self.bit(c), self.owned(a), self.owned(b));
                self.gates.mux_word(c, &a, &b)
            }

            Node::Select(..) | Node::Store(..) | Node::ConstArray(_) => return Err(Unsupported("arrays")),
            Node::IntConst(_)
            | Node::IAdd(..)
            | Node::IMul(..)
            | Node::IDiv(..)
            | Node::IMod(..)
            | Node::ILe(..) => return Err(Unsupported("integers")),
            Node::Fp(..) => return Err(Unsupported("floats")),
        };
        Ok(word)
    }

    fn bitwise(&mut self, a: TermId, b: TermId, gate: fn(&mut Gates, Lit, Lit) -> Lit) -> Vec<Lit> {
        let (a, b) = (self.owned(a), self.owned(b));
        a.iter().zip(&b).map(|(&x, &y)| gate(&mut self.gates, x, y)).collect()
    }

    /// The operands of a multiplication or division, if it is not too large.
    fn factors(&self, a: TermId, b: TermId) -> Result<(Vec<Lit>, Vec<Lit>), Unsupported> {
        let (a, b) = (self.owned(a), self.owned(b));
        let constant = b.iter().all(|lit| lit.is_const()) || a.iter().all(|lit| lit.is_const());
        if a.len() > MAX_MUL_WIDTH as usize && !constant {
            return Err(Unsupported("wide multiplication or division"));
        }
        Ok((a, b))
    }
}
