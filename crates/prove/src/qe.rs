//! Quantifier elimination for linear integer arithmetic.
//!
//! Paper: Cooper, "Theorem proving in arithmetic without multiplication", 1972; the cheap cases before it
//! (an equation that can be solved, bounds on one side only, pairs of bounds with factor 1) are exact too.
//! Guarantees: the result is equivalent to `∃x. φ` over the integers and does not mention `x`. Where remainders or
//! factors would need too many cases ([`MAX_CASES`]), there is no result.
//! Relies on: `x` occurs in atoms of linear arithmetic only, possibly under remainders by constants.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use selvedge_term::{Node, Substitution, TermId, TermPool};

use crate::linear::{Atom, Linear, atoms, conjuncts, literal, map_atoms};
use crate::oracle::Unanswered;

/// Values of a remainder, or of a variable up to its period, that are told apart.
const MAX_CASES: u32 = 10_000;

type Result<T> = std::result::Result<T, Unanswered>;

fn few(cases: &BigInt) -> Result<u32> {
    cases.to_u32().filter(|n| *n <= MAX_CASES).ok_or_else(|| {
        Unanswered(format!(
            "a value that can be anything is restricted by remainders or factors with {cases} cases"
        ))
    })
}

/// `∃x. condition`, for several `x`.
pub(crate) fn exists_all(pool: &mut TermPool, xs: &[TermId], condition: TermId) -> Result<TermId> {
    xs.iter().try_fold(condition, |condition, x| exists(pool, *x, condition))
}

fn mentions(pool: &mut TermPool, t: TermId, x: TermId) -> bool {
    let x = pool.var_id(x).expect("a variable is eliminated");
    pool.vars(t).binary_search(&x).is_ok()
}

/// `∃x. condition`.
pub(crate) fn exists(pool: &mut TermPool, x: TermId, condition: TermId) -> Result<TermId> {
    if !mentions(pool, condition, x) {
        return Ok(condition);
    }
    // ∃ goes into disjunctions.
    if let Node::Not(inner) = *pool.node(condition)
        && let Node::And(list) = *pool.node(inner)
    {
        let mut parts = Vec::new();
        for part in pool.list(list).to_vec() {
            let part = pool.not(part);
            parts.push(exists(pool, x, part)?);
        }
        return Ok(pool.or_all(&parts));
    }
    let mut rest = Vec::new();
    let mut about = Vec::new();
    for conjunct in conjuncts(pool, condition) {
        if mentions(pool, conjunct, x) { about.push(conjunct) } else { rest.push(conjunct) }
    }
    let eliminated = conjunction(pool, x, &about)?;
    rest.push(eliminated);
    Ok(pool.and_all(&rest))
}

/// `∃x. ⋀items`, where every item mentions `x`.
fn conjunction(pool: &mut TermPool, x: TermId, items: &[TermId]) -> Result<TermId> {
    if let Some((at, value)) = solved_equation(pool, x, items) {
        let mut substitution = Substitution::new();
        substitution.insert(pool.var_id(x).expect("a variable is eliminated"), value);
        let mut others = Vec::new();
        for (i, item) in items.iter().enumerate() {
            if i != at {
                others.push(substitution.apply(pool, *item));
            }
        }
        return Ok(pool.and_all(&others));
    }
    if let Some(simple) = by_bounds(pool, x, items) {
        return Ok(simple);
    }
    let all = pool.and_all(items);
    let plain = expand_remainders(pool, x, all)?;
    // The expansion may have made a disjunction, or equations that can be solved.
    if plain != all {
        return exists(pool, x, plain);
    }
    cooper(pool, x, all)
}

/// An item `x = value`, and the value.
fn solved_equation(pool: &mut TermPool, x: TermId, items: &[TermId]) -> Option<(usize, TermId)> {
    for (at, item) in items.iter().enumerate() {
        if let Some(Atom::Eq(sum)) = Atom::read(pool, *item) {
            let factor = sum.factor(x);
            let value = sum.without(x).times(&-factor.clone()).build(pool);
            if factor.magnitude().is_one() && !mentions(pool, value, x) {
                return Some((at, value));
            }
        }
    }
    None
}

/// Elimination where `x` has factor 1 or -1 in comparisons only.
fn by_bounds(pool: &mut TermPool, x: TermId, items: &[TermId]) -> Option<TermId> {
    let (mut lower, mut upper) = (Vec::new(), Vec::new());
    let mut has_disequation = false;
    for item in items {
        let (atom, positive) = literal(pool, *item);
        match Atom::read(pool, atom)? {
            Atom::Le(sum) => {
                let factor = sum.factor(x);
                let rest = sum.without(x);
                let inside: Vec<TermId> = rest.parts.iter().map(|(p, _)| *p).collect();
                if !factor.magnitude().is_one() || inside.into_iter().any(|p| mentions(pool, p, x)) {
                    return None;
                }
                // x + r ≤ 0 is x ≤ -r; -x + r ≤ 0 is r ≤ x; negated, one more or less.
                match (factor.is_positive(), positive) {
                    (true, true) => upper.push(rest.times(&-BigInt::one())),
                    (false, true) => lower.push(rest),
                    (true, false) => {
                        let mut bound = rest.times(&-BigInt::one());
                        bound.constant += 1;
                        lower.push(bound);
                    }
                    (false, false) => {
                        let mut bound = rest;
                        bound.constant -= 1;
                        upper.push(bound);
                    }
                }
            }
            Atom::Eq(sum) if !positive => {
                let inside: Vec<TermId> = sum.without(x).parts.iter().map(|(p, _)| *p).collect();
                if sum.factor(x).is_zero() || inside.into_iter().any(|p| mentions(pool, p, x)) {
                    return None;
                }
                has_disequation = true;
            }
            _ => return None,
        }
    }
    // On an unbounded side there is always room beside finitely many forbidden values.
    if lower.is_empty() || upper.is_empty() {
        return Some(pool.tt());
    }
    if has_disequation {
        return None;
    }
    let mut pairs = Vec::new();
    for low in &lower {
        for high in &upper {
            let (low, high) = (low.build(pool), high.build(pool));
            pairs.push(pool.ile(low, high));
        }
    }
    Some(pool.and_all(&pairs))
}

/// The condition with every remainder of something that mentions `x` replaced by its possible values,
/// except where it says that a number divides a sum.
fn expand_remainders(pool: &mut TermPool, x: TermId, condition: TermId) -> Result<TermId> {
    let mut failed = None;
    let expanded = map_atoms(pool, condition, &mut |pool, atom| {
        if let Some(Atom::Divides(_, sum)) = Atom::read(pool, atom)
            && sum.parts.iter().all(|(p, _)| pool.var_id(*p).is_some())
        {
            return atom;
        }
        let Some((remainder, inner, d)) = remainder_over(pool, x, atom) else { return atom };
        let mut cases = Vec::new();
        let divisor = pool.as_int(d).expect("the divisor of a remainder is a constant").clone();
        let divisor = few(&divisor).unwrap_or_else(|why| {
            failed = Some(why);
            0
        });
        for r in 0..divisor {
            let r = pool.int(r.into());
            let value = replace(pool, atom, remainder, r);
            let rest = pool.imod(inner, d);
            let is_rest = pool.eq(rest, r);
            cases.push(pool.and(value, is_rest));
        }
        pool.or_all(&cases)
    });
    failed.map_or(Ok(expanded), Err)
}

/// An innermost `inner mod d` in `atom` whose `inner` mentions `x`.
fn remainder_over(pool: &mut TermPool, x: TermId, atom: TermId) -> Option<(TermId, TermId, TermId)> {
    let mut pending = vec![atom];
    let mut found = None;
    while let Some(t) = pending.pop() {
        if let Node::IMod(inner, d) = *pool.node(t)
            && mentions(pool, inner, x)
        {
            found = Some((t, inner, d));
        }
        pending.extend(pool.operands(t));
    }
    found
}

/// `root` with the subterm `old` replaced.
fn replace(pool: &mut TermPool, root: TermId, old: TermId, new: TermId) -> TermId {
    if root == old {
        return new;
    }
    let operands = pool.operands(root);
    if operands.is_empty() {
        return root;
    }
    // Atoms are shallow: sums and remainders of a program's expressions.
    let mapped: Vec<TermId> = operands.iter().map(|o| replace(pool, *o, old, new)).collect();
    pool.rebuild(root, &mapped)
}

/// How an atom restricts `x`, whose factor is 1 or -1 once all are scaled.
enum About {
    Nothing,
    /// `x + r ≤ 0`
    Upper(Linear),
    /// `-x + r ≤ 0`
    Lower(Linear),
    /// `x + r = 0`
    Equal(Linear),
    /// `d | x + r`
    Divides(BigInt, Linear),
}

fn cooper(pool: &mut TermPool, x: TermId, condition: TermId) -> Result<TermId> {
    let list = atoms(pool, condition);
    let mut scale = BigInt::one();
    for atom in &list {
        if let Some(read) = Atom::read(pool, *atom) {
            let factor = read.sum().factor(x);
            if !factor.is_zero() {
                scale = scale.lcm(&factor);
            }
        }
    }
    let mut period = scale.clone();
    let mut about = rustc_hash::FxHashMap::default();
    let (mut lower, mut upper): (Vec<Linear>, Vec<Linear>) = (Vec::new(), Vec::new());
    let shifted = |sum: &Linear, by: i32| {
        let mut sum = sum.clone();
        sum.constant += by;
        sum
    };
    for atom in list {
        let kind = scaled(pool, x, atom, &scale);
        match &kind {
            About::Nothing => {}
            // x ≤ -r, or negated x > -r: values just below and above matter.
            About::Upper(rest) => {
                let bound = rest.times(&-BigInt::one());
                upper.push(shifted(&bound, 1));
                lower.push(bound);
            }
            About::Lower(rest) => {
                lower.push(shifted(rest, -1));
                upper.push(rest.clone());
            }
            About::Equal(rest) => {
                let bound = rest.times(&-BigInt::one());
                lower.push(shifted(&bound, -1));
                lower.push(bound.clone());
                upper.push(shifted(&bound, 1));
                upper.push(bound);
            }
            About::Divides(d, _) => period = period.lcm(d),
        }
        about.insert(atom, kind);
    }
    let from_below = lower.len() <= upper.len();
    let bounds = if from_below { lower } else { upper };
    let mut cases = Vec::new();
    for j in 1..=few(&period)? {
        let step = if from_below { BigInt::from(j) } else { -BigInt::from(j) };
        let at = Linear { parts: Vec::new(), constant: step.clone() };
        cases.push(instance(pool, condition, &about, &scale, &at, Some(from_below)));
        for bound in &bounds {
            let mut at = bound.clone();
            at.constant += &step;
            cases.push(instance(pool, condition, &about, &scale, &at, None));
        }
    }
    Ok(pool.or_all(&cases))
}

fn scaled(pool: &mut TermPool, x: TermId, atom: TermId, scale: &BigInt) -> About {
    let Some(read) = Atom::read(pool, atom) else { return About::Nothing };
    let factor = read.sum().factor(x);
    if factor.is_zero() {
        return About::Nothing;
    }
    let by = scale / factor.abs();
    let rest = read.sum().without(x).times(&by);
    match read {
        Atom::Le(_) if factor.is_positive() => About::Upper(rest),
        Atom::Le(_) => About::Lower(rest),
        Atom::Eq(_) if factor.is_positive() => About::Equal(rest),
        Atom::Eq(_) => About::Equal(rest.times(&-BigInt::one())),
        Atom::Divides(d, _) if factor.is_positive() => About::Divides(d * by, rest),
        Atom::Divides(d, _) => About::Divides(d * by, rest.times(&-BigInt::one())),
    }
}

/// The condition at `scale·x = at`; with `infinite`, for `x` beyond all bounds below (or above) whose
/// remainders are those of `at`.
fn instance(
    pool: &mut TermPool,
    condition: TermId,
    about: &rustc_hash::FxHashMap<TermId, About>,
    scale: &BigInt,
    at: &Linear,
    infinite: Option<bool>,
) -> TermId {
    let plus = |rest: &Linear| {
        let mut sum = rest.clone();
        at.parts.iter().for_each(|(p, f)| sum.add(*p, f));
        sum.constant += &at.constant;
        sum
    };
    let mapped = map_atoms(pool, condition, &mut |pool, atom| match (&about[&atom], infinite) {
        (About::Nothing, _) => atom,
        (About::Upper(_), Some(below)) => pool.bool(below),
        (About::Lower(_), Some(below)) => pool.bool(!below),
        (About::Equal(_), Some(_)) => pool.ff(),
        (About::Divides(d, rest), _) => Atom::Divides(d.clone(), plus(rest)).build(pool),
        (About::Upper(rest), None) => Atom::Le(plus(rest)).build(pool),
        (About::Lower(rest), None) => {
            let mut sum = rest.clone();
            at.parts.iter().for_each(|(p, f)| sum.add(*p, &-f));
            sum.constant -= &at.constant;
            Atom::Le(sum).build(pool)
        }
        (About::Equal(rest), None) => Atom::Eq(plus(rest)).build(pool),
    });
    let whole = Atom::Divides(scale.clone(), at.clone()).build(pool);
    pool.and(mapped, whole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use selvedge_gcl::simulate::Random;
    use selvedge_term::{Assignment, Constant, Sort, eval};

    /// A random literal over `x` and `y`, with factors up to 3, sometimes under a remainder.
    fn random_literal(pool: &mut TermPool, random: &mut Random, x: TermId, y: TermId) -> TermId {
        let mut sum = Linear { parts: Vec::new(), constant: BigInt::from(random.below(13)) - 6 };
        sum.add(x, &(BigInt::from(random.below(7)) - 3));
        sum.add(y, &(BigInt::from(random.below(5)) - 2));
        let literal = match random.below(5) {
            0 | 1 => Atom::Le(sum).build(pool),
            2 => Atom::Eq(sum).build(pool),
            3 => Atom::Divides(BigInt::from(2 + random.below(3)), sum).build(pool),
            _ => {
                let inner = sum.build(pool);
                let d = pool.int(BigInt::from(3));
                let remainder = pool.imod(inner, d);
                pool.ile(remainder, x)
            }
        };
        if random.below(2) == 0 { pool.not(literal) } else { literal }
    }

    #[test]
    fn elimination_equals_enumeration() {
        let mut random = Random::new(1);
        for round in 0..1500 {
            let mut pool = TermPool::new();
            let (x, y) = (pool.var("x", Sort::Int), pool.var("y", Sort::Int));
            let mut cubes = Vec::new();
            for _ in 0..1 + random.below(2) {
                let literals: Vec<TermId> =
                    (0..1 + random.below(4)).map(|_| random_literal(&mut pool, &mut random, x, y)).collect();
                cubes.push(pool.and_all(&literals));
            }
            let condition = pool.or_all(&cubes);
            let eliminated = exists(&mut pool, x, condition).expect("periods are small");
            assert!(!mentions(&mut pool, eliminated, x), "round {round}");
            let (x_id, y_id) = (pool.var_id(x).expect("var"), pool.var_id(y).expect("var"));
            for y_value in -6..=6 {
                let holds = |x_value: i32, t: TermId| {
                    let mut model = Assignment::new();
                    model.set(x_id, Constant::Int(x_value.into()));
                    model.set(y_id, Constant::Int(y_value.into()));
                    eval(&pool, t, &model).as_bool().expect("a condition")
                };
                // Bounds are at most 18 away, periods at most 36.
                let expected = (-60..=60).any(|x_value| holds(x_value, condition));
                assert_eq!(holds(0, eliminated), expected, "round {round}, y = {y_value}");
            }
        }
    }

    #[test]
    fn remainders_with_too_many_cases_have_no_result() {
        for divisor in ["1000000007", "36893488147419103232"] {
            let mut pool = TermPool::new();
            let (x, y) = (pool.var("x", Sort::Int), pool.var("y", Sort::Int));
            let divisor = pool.int(divisor.parse().expect("a number"));
            let rest = pool.imod(x, divisor);
            let below = pool.ile(rest, y);
            assert!(exists(&mut pool, x, below).is_err());
        }
    }
}
