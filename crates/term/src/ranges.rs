//! What a formula is worth if its variables lie in intervals.
//!
//! Guarantee: the value under every assignment within the intervals of the variables lies in the interval of the term.
//! Intervals are of unsigned numbers and do not wrap; terms of more than 64 bits, and operations that are rare in
//! conditions, have no bounds.
//! Checked by: `tests/properties.rs`, `a_range_contains_the_values_of_all_assignments_within`.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::facts::add_modulo;
use crate::node::{Node, TermId, VarId};
use crate::pool::TermPool;
use crate::value::mask;

/// The least and the greatest value.
pub type Range = (u64, u64);

/// Evaluates one term over intervals, again and again.
///
/// Only what depends on a variable whose interval has changed is evaluated anew.
#[derive(Debug)]
pub struct Ranges {
    /// All subterms, each after its operands.
    order: Vec<TermId>,
    /// The places of the operands of all subterms, and where those of each begin.
    operands: Vec<u32>,
    begins: Vec<u32>,
    /// The places of variables.
    vars: FxHashMap<VarId, usize>,
    values: Vec<Range>,
    /// The term is true if and only if all of these are.
    must_hold: Vec<bool>,
    /// Values that have changed, with what they were.
    changed: Vec<(usize, Range)>,
    has_changed: Vec<bool>,
}

fn full(width: u32) -> Range {
    (0, if width == 0 || width > 64 { u64::MAX } else { mask(width) })
}

impl Ranges {
    /// For this term.
    pub fn new(pool: &TermPool, root: TermId) -> Ranges {
        let mut seen = FxHashSet::default();
        let mut stack = vec![root];
        while let Some(t) = stack.pop() {
            if seen.insert(t) {
                stack.extend(pool.operands(t));
            }
        }
        // An operand's id is below its user's.
        let mut order: Vec<TermId> = seen.into_iter().collect();
        order.sort_unstable();
        let places: FxHashMap<TermId, u32> = order.iter().copied().zip(0..).collect();
        let (mut operands, mut begins, mut vars) = (Vec::new(), vec![0], FxHashMap::default());
        for (place, &term) in order.iter().enumerate() {
            operands.extend(pool.operands(term).iter().map(|t| places[t]));
            begins.push(operands.len() as u32);
            if let Node::Var(var) = *pool.node(term) {
                vars.insert(var, place);
            }
        }
        let mut must_hold = vec![false; order.len()];
        pool.conjuncts(root).iter().for_each(|t| must_hold[places[t] as usize] = true);
        let values = vec![(0, 0); order.len()];
        let has_changed = vec![false; order.len()];
        Ranges { order, operands, begins, vars, values, must_hold, changed: Vec::new(), has_changed }
    }

    /// The interval of the term if each variable lies in the one that `of_var` gives.
    pub fn of(&mut self, pool: &TermPool, of_var: impl Fn(VarId) -> Option<Range>) -> Range {
        for place in 0..self.order.len() {
            let term = self.order[place];
            self.values[place] = match *pool.node(term) {
                Node::Var(var) => of_var(var).unwrap_or_else(|| full(width(pool, term))),
                ref node => self.operation(pool, place, node, width(pool, term)),
            };
        }
        self.values.last().copied().unwrap_or((0, u64::MAX))
    }

    /// Gives variables other intervals if the term, which is true, stays so; says whether it does. Precondition: the term
    /// was [evaluated](Self::of) before.
    pub fn stays_true(&mut self, pool: &TermPool, others: impl IntoIterator<Item = (VarId, Range)>) -> bool {
        let mut first = self.order.len();
        for (var, range) in others {
            let Some(&place) = self.vars.get(&var) else { continue };
            first = first.min(place);
            self.change(place, range);
        }
        let mut stays = true;
        for place in first..self.order.len() {
            if self.operands_of(place).iter().any(|operand| self.has_changed[*operand as usize]) {
                let term = self.order[place];
                let range = self.operation(pool, place, pool.node(term), width(pool, term));
                self.change(place, range);
            }
            if self.must_hold[place] && self.values[place] != (1, 1) {
                stays = false;
                break;
            }
        }
        for (place, before) in std::mem::take(&mut self.changed) {
            self.has_changed[place] = false;
            if !stays {
                self.values[place] = before;
            }
        }
        stays
    }

    fn change(&mut self, place: usize, range: Range) {
        let before = std::mem::replace(&mut self.values[place], range);
        if before != range {
            self.changed.push((place, before));
            self.has_changed[place] = true;
        }
    }

    fn operands_of(&self, place: usize) -> &[u32] {
        &self.operands[self.begins[place] as usize..self.begins[place + 1] as usize]
    }

    fn operation(&self, pool: &TermPool, place: usize, node: &Node, width: u32) -> Range {
        let operands = self.operands_of(place);
        let of = |nth: usize| self.values[operands[nth] as usize];
        let truth = |is_true: bool, is_false: bool| (u64::from(is_true), u64::from(!is_false));
        match *node {
            Node::Const { value, .. } => (value, value),
            Node::And(_) => {
                let items = (0..operands.len()).map(of);
                items.fold((1, 1), |all, item| (all.0.min(item.0), all.1.min(item.1)))
            }
            Node::Eq(a, _) if self::width(pool, a) <= 64 && self::width(pool, a) > 0 => {
                let (a, b) = (of(0), of(1));
                truth(a.0 == a.1 && a == b, a.1 < b.0 || b.1 < a.0)
            }
            Node::Ult(a, _) if self::width(pool, a) <= 64 => {
                let (a, b) = (of(0), of(1));
                truth(a.1 < b.0, a.0 >= b.1)
            }
            Node::Slt(a, _) if self::width(pool, a) <= 64 => {
                let sign = 1u64 << (self::width(pool, a) - 1);
                // With the sign turned over, signed numbers are in the order of unsigned ones.
                let turned = |(lo, hi): Range| {
                    if lo & sign == hi & sign { (lo ^ sign, hi ^ sign) } else { (0, u64::MAX) }
                };
                let (a, b) = (turned(of(0)), turned(of(1)));
                truth(a.1 < b.0, a.0 >= b.1)
            }
            _ if width == 0 || width > 64 => full(width),
            Node::Not(_) => (mask(width) - of(0).1, mask(width) - of(0).0),
            Node::Add(..) => {
                let (a, b) = (of(0), of(1));
                let (lo, lo_wraps) = add_modulo(width, a.0, b.0);
                let (hi, hi_wraps) = add_modulo(width, a.1, b.1);
                if lo_wraps == hi_wraps { (lo, hi) } else { full(width) }
            }
            Node::Neg(_) => match of(0) {
                (0, 0) => (0, 0),
                (0, _) => full(width),
                (lo, hi) => ((mask(width) - hi) + 1, (mask(width) - lo) + 1),
            },
            Node::Mul(..) => {
                let (a, b) = (of(0), of(1));
                match a.1.checked_mul(b.1) {
                    Some(hi) if hi <= mask(width) => (a.0 * b.0, hi),
                    _ => full(width),
                }
            }
            Node::Zext(_) => of(0),
            Node::Sext(a) => {
                let from = self::width(pool, a);
                let (lo, hi) = of(0);
                let sign = 1u64 << (from - 1);
                match (lo & sign, hi & sign) {
                    (0, 0) => (lo, hi),
                    (0, _) => full(width),
                    _ => (lo | (mask(width) & !mask(from)), hi | (mask(width) & !mask(from))),
                }
            }
            Node::Extract { term, high, low } if self::width(pool, term) <= 64 => {
                let (lo, hi) = of(0);
                let above = |v: u64| v.checked_shr(high + 1).unwrap_or(0);
                match above(lo) == above(hi) {
                    true => (lo >> low & mask(width), hi >> low & mask(width)),
                    false => full(width),
                }
            }
            Node::Concat(_, b) => {
                let low = self::width(pool, b);
                let (a, b) = (of(0), of(1));
                (a.0 << low | b.0, a.1 << low | b.1)
            }
            Node::Ite(..) => match of(0) {
                (1, _) => of(1),
                (_, 0) => of(2),
                _ => (of(1).0.min(of(2).0), of(1).1.max(of(2).1)),
            },
            _ => full(width),
        }
    }
}

fn width(pool: &TermPool, term: TermId) -> u32 {
    match pool.sort(term) {
        crate::sort::Sort::Bv(width) => width,
        _ => 0,
    }
}
