//! Bounds on sums, of which only the strongest are kept.
//!
//! Where every interleaving adds numbers in another order, a formula has a bound on another sum for each of them: there are
//! as many as interleavings, and few matter. For numbers that are not negative, `a·x ≤ l` follows from `b·x ≤ m` if each
//! factor of `a` is to `l` at most what that of `b` is to `m`; and `l ≤ a·x` from `m ≤ b·x` if it is at least that.
//!
//! Guarantee: what is made implies what it was made from (R11). It says the same of numbers that are not negative and whose
//! sums do not overflow, and does not hold for others.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_exec::{Machine, State, StateValues};
use selvedge_term::{Assignment, Node, TermId, TermPool, VarId};
use smallvec::SmallVec;

/// Items of a formula that is worth looking at.
const MIN_ITEMS: usize = 8;
const MAX_ITEMS: usize = 4096;
/// Variables of a sum. With these bounds, a sum of numbers of 32 bits has less than 64.
const MAX_VARS: usize = 8;
const MAX_FACTOR: u64 = 1 << 28;
const MAX_WIDTH: u32 = 32;
/// Terms that are looked at to find a sum.
const MAX_TERMS: usize = 256;
/// Items that are remembered; then all are forgotten.
const MAX_KNOWN: usize = 1 << 18;

/// What a sum of multiples of numbers that are not negative is compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    AtMost,
    AtLeast,
}

/// A bound on a sum of multiples of numbers that are not negative.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Bound {
    side: Side,
    /// Variables in their order, and their factors.
    parts: SmallVec<[(VarId, u64); 4]>,
    limit: u64,
}

/// The factor of a variable.
fn factor(parts: &[(VarId, u64)], var: VarId) -> u64 {
    parts.binary_search_by_key(&var, |(v, _)| *v).map_or(0, |i| parts[i].1)
}

impl Bound {
    /// Whether this one is implied by `other`.
    fn follows_from(&self, other: &Bound) -> bool {
        let (here, there) = (u128::from(self.limit), u128::from(other.limit));
        self.side == other.side
            && match self.side {
                Side::AtMost => self.parts.iter().all(|&(var, ours)| {
                    let theirs = factor(&other.parts, var);
                    theirs > 0 && u128::from(ours) * there <= u128::from(theirs) * here
                }),
                Side::AtLeast => other.parts.iter().all(|&(var, theirs)| {
                    u128::from(theirs) * here <= u128::from(factor(&self.parts, var)) * there
                }),
            }
    }

    /// As a term of 64 bits: what is negative at its own width is beyond each limit from above.
    fn term(&self, pool: &mut TermPool) -> TermId {
        let mut sum = pool.bv(64, 0);
        for &(var, factor) in &self.parts {
            let number = pool.var_term(var);
            let (wide, factor) = (pool.zext(number, 64), pool.bv(64, factor));
            let part = pool.mul(wide, factor);
            sum = pool.add(sum, part);
        }
        let limit = pool.bv(64, self.limit);
        match self.side {
            Side::AtMost => pool.ule(sum, limit),
            Side::AtLeast => pool.ule(limit, sum),
        }
    }
}

/// What an item of a formula is implied by: a bound, and one from above that keeps the sum from overflowing.
type Recognised = SmallVec<[Rc<Bound>; 2]>;

/// Bounds on sums, as they were recognised.
#[derive(Default)]
pub(crate) struct Sums {
    known: FxHashMap<TermId, Recognised>,
}

impl Sums {
    /// A formula that implies `formula`, holds in `state` and has fewer bounds on sums, or shorter ones; `None` if there is
    /// none.
    pub(crate) fn strongest(
        &mut self,
        machine: &mut Machine<'_>,
        (state, model): (&State, &Assignment),
        formula: TermId,
    ) -> Option<TermId> {
        let items = items_of(&machine.pool, formula)?;
        let (mut fewer, bounds) = self.fewer(&mut machine.pool, &items)?;
        let mut values = StateValues::new(model);
        for &bound in &bounds {
            values.value(machine, state, bound).filter(|v| v.is_certain && v.value == 1)?;
        }
        fewer.extend(bounds);
        Some(machine.pool.and_all(&fewer))
    }

    /// Items that together imply these, no more than these: some of them, and bounds in place of the others.
    fn fewer(&mut self, pool: &mut TermPool, items: &[TermId]) -> Option<(Vec<TermId>, Vec<TermId>)> {
        if items.len() < MIN_ITEMS {
            return None;
        }
        if self.known.len() > MAX_KNOWN {
            self.clear();
        }
        let (mut fewer, mut kept): (Vec<TermId>, Vec<Rc<Bound>>) = (Vec::new(), Vec::new());
        for &item in items {
            let bounds = self.known.entry(item).or_insert_with(|| recognise(pool, item).unwrap_or_default());
            if bounds.is_empty() {
                fewer.push(item);
            }
            for bound in bounds {
                if !kept.iter().any(|other| bound.follows_from(other)) {
                    kept.retain(|other| !other.follows_from(bound));
                    kept.push(bound.clone());
                }
            }
        }
        if kept.is_empty() || fewer.len() + kept.len() > items.len() {
            return None;
        }
        let mut bounds = Vec::with_capacity(kept.len());
        for bound in kept {
            let term = bound.term(pool);
            if bound.side == Side::AtMost {
                self.known.insert(term, SmallVec::from_iter([bound]));
            }
            bounds.push(term);
        }
        // A sum of sums is a sum.
        let is_other = fewer.len() + bounds.len() < items.len() || bounds.iter().any(|b| !items.contains(b));
        is_other.then_some((fewer, bounds))
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        *self = Sums::default();
    }
}

/// All items of a conjunction, those of conjunctions in it included; `None` if there are too many.
fn items_of(pool: &TermPool, formula: TermId) -> Option<Vec<TermId>> {
    let (mut open, mut met, mut in_order) = (vec![formula], FxHashSet::default(), Vec::new());
    while let Some(term) = open.pop() {
        if !met.insert(term) {
            continue;
        }
        match *pool.node(term) {
            Node::And(list) => open.extend_from_slice(pool.list(list)),
            _ => in_order.push(term),
        }
        if open.len() + in_order.len() > MAX_ITEMS {
            return None;
        }
    }
    Some(in_order)
}

/// What is compared with a constant in an item of a formula, if all goes well at the width of that.
fn comparison(pool: &TermPool, item: TermId) -> Option<(Side, TermId, u64)> {
    let (item, holds) = match *pool.node(item) {
        Node::Not(inner) => (inner, false),
        _ => (item, true),
    };
    let (Node::Slt(a, b) | Node::Ult(a, b)) = *pool.node(item) else { return None };
    if pool.width(a) > 64 {
        return None;
    }
    // No number that is negative, where signs matter.
    let constant = |term| pool.as_u64(term).filter(|c| c >> (pool.width(term) - 1) == 0);
    match (constant(a), constant(b)) {
        (None, Some(c)) if holds => Some((Side::AtMost, a, c.checked_sub(1)?)),
        (None, Some(c)) => Some((Side::AtLeast, a, c)),
        (Some(c), None) if holds => Some((Side::AtLeast, b, c + 1)),
        (Some(c), None) => Some((Side::AtMost, b, c)),
        _ => None,
    }
}

/// The bounds that an item of a formula is implied by, if it is such an item.
fn recognise(pool: &TermPool, item: TermId) -> Option<Recognised> {
    let (side, term, limit) = comparison(pool, item)?;
    let sum = sum(pool, term)?;
    // All that is added up is at most this: as it is not negative at any width on the way, nothing overflows.
    let greatest = match side {
        Side::AtMost => limit,
        Side::AtLeast => (1 << (sum.narrowest - 1)) - 1,
    };
    if greatest >> (sum.narrowest - 1) != 0 {
        return None;
    }
    let below = Bound { side: Side::AtMost, parts: sum.parts, limit: greatest.checked_sub(sum.constant)? };
    let mut bounds = Recognised::new();
    if side == Side::AtLeast {
        let limit = limit.saturating_sub(sum.constant);
        bounds.push(Rc::new(Bound { side, limit, parts: below.parts.clone() }));
    }
    bounds.push(Rc::new(below));
    Some(bounds)
}

/// A sum, if nothing in it is negative or overflows.
struct Sum {
    parts: SmallVec<[(VarId, u64); 4]>,
    constant: u64,
    /// The least width of a term in it.
    narrowest: u32,
}

fn sum(pool: &TermPool, term: TermId) -> Option<Sum> {
    // Terms come after their operands, so that each is looked at when all its factors are known.
    let mut open = BTreeMap::from([(term, 1u64)]);
    let mut sum = Sum { parts: SmallVec::new(), constant: 0, narrowest: u32::MAX };
    for _ in 0..MAX_TERMS {
        let Some((term, factor)) = open.pop_last() else {
            sum.parts.sort_unstable();
            return Some(sum).filter(|sum| !sum.parts.is_empty());
        };
        if factor >= MAX_FACTOR {
            return None;
        }
        if let Some(value) = pool.as_u64(term) {
            sum.constant = sum.constant.checked_add(factor.checked_mul(value)?)?;
            continue;
        }
        sum.narrowest = sum.narrowest.min(pool.width(term));
        let mut add = |term: TermId, times: u64| {
            let all = open.entry(term).or_insert(0);
            *all = all.checked_add(factor.checked_mul(times)?)?;
            Some(())
        };
        let power = |exponent: u64| 1u64.checked_shl(u32::try_from(exponent).ok()?);
        match *pool.node(term) {
            Node::Var(var) if pool.width(term) <= MAX_WIDTH && sum.parts.len() < MAX_VARS => {
                sum.parts.push((var, factor));
            }
            Node::Add(a, b) => add(a, 1).and_then(|()| add(b, 1))?,
            Node::Mul(a, b) => match (pool.as_u64(a), pool.as_u64(b)) {
                (Some(times), _) if times > 0 => add(b, times)?,
                (_, Some(times)) if times > 0 => add(a, times)?,
                _ => return None,
            },
            Node::Shl(a, by) => add(a, power(pool.as_u64(by)?)?)?,
            Node::Concat(a, low) if pool.as_u64(low) == Some(0) => {
                add(a, power(u64::from(pool.width(low)))?)?
            }
            Node::Zext(a) | Node::Sext(a) => add(a, 1)?,
            _ => return None,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use selvedge_term::{Assignment, Evaluator, Sort, TermId, TermPool, VarId};

    use super::Sums;

    /// A bound: factors of the variables, a constant, a limit, which side, and whether
    /// signs matter, it is wide, and numbers are extended with their signs.
    type Item = (Vec<u64>, u64, u64, bool, [bool; 3]);

    fn items() -> impl Strategy<Value = Vec<Item>> {
        let factors = prop::collection::vec(0u64..4, 3);
        let item = (factors, 0u64..8, any::<bool>(), any::<[bool; 3]>());
        // Limits that some points satisfy all of.
        let high = prop_oneof![1 => 0u64..9, 20 => 100u64..256];
        let item = (item, 0u64..12, high).prop_map(|((factors, constant, is_upper, flags), low, high)| {
            (factors, constant, if is_upper { high } else { low }, is_upper, flags)
        });
        prop::collection::vec(item, 12..20)
    }

    fn term(pool: &mut TermPool, item: &Item) -> TermId {
        let (factors, constant, limit, is_upper, [is_signed, is_wide, is_extended]) = item;
        let width = if *is_wide { 16 } else { 8 };
        let mut sum = pool.bv(width, *constant);
        for (i, factor) in factors.iter().enumerate() {
            let var = variable(pool, i);
            let var = pool.var_term(var);
            let number = if *is_extended { pool.sext(var, width) } else { pool.zext(var, width) };
            let factor = pool.bv(width, *factor);
            let part = pool.mul(factor, number);
            sum = pool.add(sum, part);
        }
        let limit = pool.bv(width, *limit);
        match (is_upper, is_signed) {
            (true, true) => pool.slt(sum, limit),
            (true, false) => pool.ule(sum, limit),
            (false, true) => pool.sle(limit, sum),
            (false, false) => pool.ult(limit, sum),
        }
    }

    fn variable(pool: &mut TermPool, i: usize) -> VarId {
        let term = pool.var(&format!("x{i}"), Sort::Bv(8));
        pool.var_id(term).expect("a variable")
    }

    fn holds(pool: &mut TermPool, items: &[TermId], values: &[u64]) -> bool {
        let mut model = Assignment::new();
        for (i, value) in values.iter().enumerate() {
            model.set_u64(variable(pool, i), 8, *value);
        }
        let mut evaluator = Evaluator::new(&model);
        items.iter().all(|item| evaluator.eval_bool(pool, *item))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn fewer_items_imply_all(items in items()) {
            let mut pool = TermPool::new();
            let terms: Vec<TermId> = items.iter().map(|item| term(&mut pool, item)).collect();
            let Some((mut fewer, bounds)) = Sums::default().fewer(&mut pool, &terms) else { return Ok(()) };
            fewer.extend(bounds);
            // Small numbers, and those where signs change and sums overflow.
            let numbers = [0, 1, 2, 5, 11, 17, 29, 43, 64, 85, 120, 127, 128, 171, 250, 255];
            for (x, y, z) in triples(&numbers) {
                let point = [x, y, z];
                prop_assert!(!holds(&mut pool, &fewer, &point) || holds(&mut pool, &terms, &point), "{point:?}");
            }
        }
    }

    #[test]
    fn a_number_whose_sign_is_extended_is_not_what_it_is_without() {
        let mut pool = TermPool::new();
        let flags = [false, true, true];
        let mut items: Vec<Item> = (100..112).map(|limit| (vec![0, 1, 0], 0, limit, true, flags)).collect();
        items.push((vec![1, 0, 1], 0, 200, true, flags));
        let terms: Vec<TermId> = items.iter().map(|item| term(&mut pool, item)).collect();
        let (mut fewer, bounds) = Sums::default().fewer(&mut pool, &terms).expect("one bound on y is enough");
        fewer.extend(bounds);
        assert!(holds(&mut pool, &fewer, &[127, 0, 0]) && !holds(&mut pool, &fewer, &[128, 0, 0]));
    }

    fn triples(numbers: &[u64]) -> Vec<(u64, u64, u64)> {
        let pairs = numbers.iter().flat_map(|x| numbers.iter().map(move |y| (*x, *y)));
        pairs.flat_map(|(x, y)| numbers.iter().map(move |z| (x, y, *z))).collect()
    }
}
