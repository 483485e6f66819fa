//! A formula that has become too large, made small: intervals around the values of the state that it was made at.
//!
//! The formula says from which values everything is safe, and holds in the state itself. Any formula that implies it may
//! stand for it (R11). This one gives each variable an interval, as wide as can be shown to imply the formula by
//! arithmetic on intervals alone: all values if the variable does not matter, all smaller or all greater ones if it
//! matters in one direction, else its value. So where a sum must stay below a bound, states with smaller sums are
//! still recognised.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use selvedge_exec::{Machine, State, StateValues};
use selvedge_term::{Assignment, Range, Ranges, TermId, TermPool, VarId};

/// Variables of a formula that is made smaller.
const MAX_VARS: usize = 64;

/// A small formula that implies `formula` and holds in `state`; `None` if there is none, or if values are not known.
pub(crate) fn enclose(
    machine: &mut Machine<'_>,
    state: &State,
    model: &Assignment,
    formula: TermId,
) -> Option<(TermId, Bounds)> {
    let vars = machine.pool.vars(formula);
    let mut values = StateValues::new(model);
    let mut known: FxHashMap<VarId, Range> = FxHashMap::default();
    for &var in vars.iter() {
        // Inputs to come may have any value.
        let is_future = machine.sources.piece(var).is_none_or(|piece| piece.source.is_input());
        if !is_future {
            let term = machine.pool.var_term(var);
            let valued = values.value(machine, state, term).filter(|valued| valued.is_certain)?;
            if machine.pool.width(term) > 64 || known.len() == MAX_VARS {
                return None;
            }
            known.insert(var, (valued.value, valued.value));
        }
    }
    let pool = &mut machine.pool;
    let mut ranges = Ranges::new(pool, formula);
    if ranges.of(pool, |var| known.get(&var).copied()) != (1, 1) {
        return None;
    }
    let bounded: Vec<VarId> = vars.iter().copied().filter(|var| known.contains_key(var)).collect();
    let mut limited = Vec::new();
    for &var in &bounded {
        let point = known[&var];
        for wider in wider(pool, var, point) {
            if ranges.stays_true(pool, [(var, wider)]) {
                known.insert(var, wider);
                if wider.0 == 0 && wider.1 == point.1 {
                    limited.push(var);
                }
                break;
            }
        }
    }
    // What is limited from above has room to grow, often: all at the same rate.
    let (mut fits, mut fails) = (0, MOST_GROWTH);
    while fails - fits > 1 {
        let rate = u64::midpoint(fits, fails);
        let grown = |var: &VarId| (*var, (known[var].0, grow(pool, *var, known[var].1, rate)));
        match ranges.stays_true(pool, limited.iter().map(grown)) {
            true => fits = rate,
            false => fails = rate,
        }
    }
    for var in limited {
        if let Some((_, hi)) = known.get_mut(&var) {
            *hi = grow(pool, var, *hi, fits);
        }
    }
    let bounds: Vec<TermId> = bounded.iter().map(|var| within(pool, *var, known[var])).collect();
    let formula = pool.and_all(&bounds);
    // Those that may have any value are not bounded.
    let mut bounds = Vec::new();
    for var in bounded {
        if known[&var] != wider(pool, var, (0, 0))[0] {
            bounds.push((var, known[&var]));
        }
    }
    Some((formula, bounds.into()))
}

/// Intervals of variables, in the order of these.
pub(crate) type Bounds = Rc<[(VarId, Range)]>;

/// Whether whatever lies within `inner` lies within `outer`.
pub(crate) fn is_within(inner: &Bounds, outer: &Bounds) -> bool {
    let bound = |var: VarId| inner.binary_search_by_key(&var, |(v, _)| *v).ok().map(|i| inner[i].1);
    outer.iter().all(|(var, (lo, hi))| bound(*var).is_some_and(|(l, h)| *lo <= l && h <= *hi))
}

/// How far bounds are raised at most, in parts of 64.
const MOST_GROWTH: u64 = 64 * 64;

/// A bound that is raised by some parts of 64.
fn grow(pool: &TermPool, var: VarId, bound: u64, rate: u64) -> u64 {
    let width = pool.width(pool.var_term(var));
    let most = (u64::MAX >> (64 - width)) >> 1;
    let more = u128::from(bound) * u128::from(rate) / 64;
    u64::try_from(u128::from(bound) + more).unwrap_or(most).min(most.max(bound))
}

/// Intervals that are tried in place of a value, the widest first.
fn wider(pool: &TermPool, var: VarId, (value, _): Range) -> [Range; 3] {
    let width = pool.width(pool.var_term(var));
    let most = u64::MAX >> (64 - width);
    // Numbers of one sign are in order.
    let sign = 1u64 << (width - 1);
    let (least, greatest) = if value & sign == 0 { (0, most & !sign) } else { (sign, most) };
    [(0, most), (least, value), (value, greatest)]
}

fn within(pool: &mut TermPool, var: VarId, (lo, hi): Range) -> TermId {
    let term = pool.var_term(var);
    let width = pool.width(term);
    let (low, high) = (pool.bv(width, lo), pool.bv(width, hi));
    if lo == hi {
        return pool.eq(term, low);
    }
    let (above, below) = (pool.ule(low, term), pool.ule(term, high));
    pool.and(above, below)
}

#[cfg(test)]
mod tests {
    use selvedge_term::Sort;

    use super::*;

    fn var(pool: &mut TermPool, name: &str, width: u32) -> VarId {
        let term = pool.var(name, Sort::Bv(width));
        pool.var_id(term).expect("a variable")
    }

    #[test]
    fn an_interval_without_a_bound_on_a_variable_does_not_lie_within_one() {
        let mut pool = TermPool::new();
        let (x, y) = (var(&mut pool, "x", 8), var(&mut pool, "y", 8));
        let both: Bounds = Rc::new([(x, (1, 5)), (y, (1, 5))]);
        let one: Bounds = Rc::new([(x, (2, 4))]);
        let wide: Bounds = Rc::new([(x, (0, 5))]);
        assert!(is_within(&both, &wide), "whatever satisfies both satisfies one");
        assert!(!is_within(&one, &both));
        assert!(is_within(&one, &Bounds::default()), "everything lies within no bounds");
    }

    #[test]
    fn intervals_are_widened_to_everything_first_then_to_one_side_of_the_same_sign() {
        let mut pool = TermPool::new();
        let x = var(&mut pool, "x", 8);
        assert_eq!(wider(&pool, x, (5, 5)), [(0, 255), (0, 5), (5, 127)]);
        assert_eq!(wider(&pool, x, (200, 200)), [(0, 255), (128, 200), (200, 255)]);
    }

    #[test]
    fn a_bound_grows_up_to_the_largest_number_that_is_not_negative() {
        let mut pool = TermPool::new();
        let x = var(&mut pool, "x", 8);
        assert_eq!(grow(&pool, x, 10, 64), 20, "64 parts of 64");
        assert_eq!(grow(&pool, x, 100, 64), 127);
        assert_eq!(grow(&pool, x, 200, 64), 200, "one that is beyond it stays");
    }

    #[test]
    fn a_single_value_is_an_equation() {
        let mut pool = TermPool::new();
        let x = var(&mut pool, "x", 8);
        let (term, five) = (pool.var_term(x), pool.bv(8, 5));
        let same = pool.eq(term, five);
        assert_eq!(within(&mut pool, x, (5, 5)), same);
    }
}
