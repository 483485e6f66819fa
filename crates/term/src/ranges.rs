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
#[derive(Debug)]
pub struct Ranges {
    /// All subterms, each after its operands.
    order: Vec<TermId>,
    places: FxHashMap<TermId, usize>,
    values: Vec<Range>,
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
        let places = order.iter().enumerate().map(|(place, t)| (*t, place)).collect();
        Ranges { values: vec![(0, 0); order.len()], order, places }
    }

    /// The interval of the term if each variable lies in the one that `of_var` gives.
    pub fn of(&mut self, pool: &TermPool, of_var: impl Fn(VarId) -> Option<Range>) -> Range {
        for place in 0..self.order.len() {
            let term = self.order[place];
            self.values[place] = match *pool.node(term) {
                Node::Var(var) => of_var(var).unwrap_or_else(|| full(width(pool, term))),
                ref node => self.operation(pool, node, width(pool, term)),
            };
        }
        self.values.last().copied().unwrap_or((0, u64::MAX))
    }

    fn operation(&self, pool: &TermPool, node: &Node, width: u32) -> Range {
        let of = |t: TermId| self.values[self.places[&t]];
        let truth = |is_true: bool, is_false: bool| (u64::from(is_true), u64::from(!is_false));
        match *node {
            Node::Const { value, .. } => (value, value),
            Node::And(list) => {
                let items = pool.list(list).iter().map(|t| of(*t));
                items.fold((1, 1), |all, item| (all.0.min(item.0), all.1.min(item.1)))
            }
            Node::Eq(a, b) if self::width(pool, a) <= 64 && self::width(pool, a) > 0 => {
                let (a, b) = (of(a), of(b));
                truth(a.0 == a.1 && a == b, a.1 < b.0 || b.1 < a.0)
            }
            Node::Ult(a, b) if self::width(pool, a) <= 64 => {
                let (a, b) = (of(a), of(b));
                truth(a.1 < b.0, a.0 >= b.1)
            }
            Node::Slt(a, b) if self::width(pool, a) <= 64 => {
                let sign = 1u64 << (self::width(pool, a) - 1);
                // With the sign turned over, signed numbers are in the order of unsigned ones.
                let turned = |(lo, hi): Range| {
                    if lo & sign == hi & sign { (lo ^ sign, hi ^ sign) } else { (0, u64::MAX) }
                };
                let (a, b) = (turned(of(a)), turned(of(b)));
                truth(a.1 < b.0, a.0 >= b.1)
            }
            _ if width == 0 || width > 64 => full(width),
            Node::Not(a) => (mask(width) - of(a).1, mask(width) - of(a).0),
            Node::Add(a, b) => {
                let (a, b) = (of(a), of(b));
                let (lo, lo_wraps) = add_modulo(width, a.0, b.0);
                let (hi, hi_wraps) = add_modulo(width, a.1, b.1);
                if lo_wraps == hi_wraps { (lo, hi) } else { full(width) }
            }
            Node::Neg(a) => match of(a) {
                (0, 0) => (0, 0),
                (0, _) => full(width),
                (lo, hi) => ((mask(width) - hi) + 1, (mask(width) - lo) + 1),
            },
            Node::Mul(a, b) => {
                let (a, b) = (of(a), of(b));
                match a.1.checked_mul(b.1) {
                    Some(hi) if hi <= mask(width) => (a.0 * b.0, hi),
                    _ => full(width),
                }
            }
            Node::Zext(a) => of(a),
            Node::Sext(a) => {
                let from = self::width(pool, a);
                let (lo, hi) = of(a);
                let sign = 1u64 << (from - 1);
                match (lo & sign, hi & sign) {
                    (0, 0) => (lo, hi),
                    (0, _) => full(width),
                    _ => (lo | (mask(width) & !mask(from)), hi | (mask(width) & !mask(from))),
                }
            }
            Node::Extract { term, high, low } if self::width(pool, term) <= 64 => {
                let (lo, hi) = of(term);
                let above = |v: u64| v.checked_shr(high + 1).unwrap_or(0);
                match above(lo) == above(hi) {
                    true => (lo >> low & mask(width), hi >> low & mask(width)),
                    false => full(width),
                }
            }
            Node::Concat(a, b) => {
                let low = self::width(pool, b);
                let (a, b) = (of(a), of(b));
                (a.0 << low | b.0, a.1 << low | b.1)
            }
            Node::Ite(c, a, b) => match of(c) {
                (1, _) => of(a),
                (_, 0) => of(b),
                _ => (of(a).0.min(of(b).0), of(a).1.max(of(b).1)),
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
