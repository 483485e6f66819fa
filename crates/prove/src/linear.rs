//! Terms read as linear arithmetic: sums of variables with factors, and the atoms made of them.

use num_bigint::BigInt;
use num_traits::{One, Zero};
use selvedge_term::{Node, Sort, TermId, TermPool};

/// `Σ factor·part + constant`; parts are variables, or remainders that are not taken apart.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Linear {
    pub(crate) parts: Vec<(TermId, BigInt)>,
    pub(crate) constant: BigInt,
}

impl Linear {
    /// The integer term `t`.
    pub(crate) fn read(pool: &TermPool, t: TermId) -> Linear {
        let mut sum = Linear::default();
        sum.accumulate(pool, t, &BigInt::one());
        sum
    }

    fn accumulate(&mut self, pool: &TermPool, t: TermId, factor: &BigInt) {
        let mut pending = vec![(t, factor.clone())];
        while let Some((t, factor)) = pending.pop() {
            match *pool.node(t) {
                Node::IAdd(a, b) => {
                    pending.push((a, factor.clone()));
                    pending.push((b, factor));
                }
                Node::IMul(a, b) if pool.as_int(b).is_some() => {
                    let k = pool.as_int(b).expect("it was just looked at");
                    pending.push((a, factor * k));
                }
                Node::IntConst(id) => self.constant += factor * pool.int_value(id),
                _ => self.add(t, &factor),
            }
        }
    }

    /// Adds `factor·part`.
    pub(crate) fn add(&mut self, part: TermId, factor: &BigInt) {
        match self.parts.iter().position(|(p, _)| *p == part) {
            Some(at) => {
                self.parts[at].1 += factor;
                if self.parts[at].1.is_zero() {
                    self.parts.remove(at);
                }
            }
            None if !factor.is_zero() => self.parts.push((part, factor.clone())),
            None => {}
        }
    }

    /// The factor of `part`.
    pub(crate) fn factor(&self, part: TermId) -> BigInt {
        self.parts.iter().find(|(p, _)| *p == part).map_or_else(BigInt::zero, |(_, f)| f.clone())
    }

    /// Without `part`.
    pub(crate) fn without(&self, part: TermId) -> Linear {
        let parts = self.parts.iter().filter(|(p, _)| *p != part).cloned().collect();
        Linear { parts, constant: self.constant.clone() }
    }

    /// All factors and the constant times `k`.
    pub(crate) fn times(&self, k: &BigInt) -> Linear {
        if k.is_zero() {
            return Linear::default();
        }
        let parts = self.parts.iter().map(|(p, f)| (*p, f * k)).collect();
        Linear { parts, constant: &self.constant * k }
    }

    /// As a term.
    pub(crate) fn build(&self, pool: &mut TermPool) -> TermId {
        let mut sum = pool.int(self.constant.clone());
        for (part, factor) in &self.parts {
            let factor = pool.int(factor.clone());
            let product = pool.imul(*part, factor);
            sum = pool.iadd(sum, product);
        }
        sum
    }
}

/// An atomic condition on integers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Atom {
    /// `sum ≤ 0`
    Le(Linear),
    /// `sum = 0`
    Eq(Linear),
    /// The number divides the sum.
    Divides(BigInt, Linear),
}

impl Atom {
    /// The atom that `t` is, if it is one and not negated.
    pub(crate) fn read(pool: &TermPool, t: TermId) -> Option<Atom> {
        match *pool.node(t) {
            Node::ILe(a, b) => Some(Atom::Le(difference(pool, a, b))),
            Node::Eq(a, b) if pool.sort(a) == Sort::Int => {
                if let Node::IMod(inner, d) = *pool.node(a)
                    && let (Some(d), Some(rest)) = (pool.as_int(d), pool.as_int(b))
                    && *rest >= BigInt::zero()
                    && rest < d
                {
                    let mut sum = Linear::read(pool, inner);
                    sum.constant -= rest;
                    return Some(Atom::Divides(d.clone(), sum));
                }
                Some(Atom::Eq(difference(pool, a, b)))
            }
            _ => None,
        }
    }

    pub(crate) fn sum(&self) -> &Linear {
        match self {
            Atom::Le(sum) | Atom::Eq(sum) | Atom::Divides(_, sum) => sum,
        }
    }

    /// As a term.
    pub(crate) fn build(&self, pool: &mut TermPool) -> TermId {
        let zero = pool.int(BigInt::zero());
        let sum = self.sum().build(pool);
        match self {
            Atom::Le(_) => pool.ile(sum, zero),
            Atom::Eq(_) => pool.eq(sum, zero),
            Atom::Divides(d, _) => {
                let d = pool.int(d.clone());
                let rest = pool.imod(sum, d);
                pool.eq(rest, zero)
            }
        }
    }
}

fn difference(pool: &TermPool, a: TermId, b: TermId) -> Linear {
    let mut sum = Linear::read(pool, a);
    sum.accumulate(pool, b, &-BigInt::one());
    sum
}

/// Whether a term of width 1 is made of truth values (and not of anything else).
fn is_connective(pool: &TermPool, t: TermId) -> bool {
    match *pool.node(t) {
        Node::Not(_) | Node::And(_) => true,
        Node::Eq(a, _) => pool.sort(a) == Sort::BOOL,
        Node::Ite(..) => true,
        _ => false,
    }
}

/// The conditions that a condition is made of, without negations, each once, in order of appearance;
/// constants are left out.
pub(crate) fn atoms(pool: &TermPool, root: TermId) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    let mut pending = vec![root];
    while let Some(t) = pending.pop() {
        if pool.is_const(t) || !seen.insert(t) {
            continue;
        }
        if is_connective(pool, t) {
            pending.extend(pool.operands(t).into_iter().rev());
        } else {
            found.push(t);
        }
    }
    found
}

/// `root` with every atom replaced by what `f` makes of it.
pub(crate) fn map_atoms(
    pool: &mut TermPool,
    root: TermId,
    f: &mut dyn FnMut(&mut TermPool, TermId) -> TermId,
) -> TermId {
    let mut done: rustc_hash::FxHashMap<TermId, TermId> = rustc_hash::FxHashMap::default();
    let mut stack = vec![root];
    while let Some(&t) = stack.last() {
        if done.contains_key(&t) {
            stack.pop();
            continue;
        }
        if pool.is_const(t) {
            done.insert(t, t);
        } else if is_connective(pool, t) {
            let operands = pool.operands(t);
            let open: Vec<TermId> = operands.iter().copied().filter(|o| !done.contains_key(o)).collect();
            if open.is_empty() {
                let mapped: Vec<TermId> = operands.iter().map(|o| done[o]).collect();
                let made = pool.rebuild(t, &mapped);
                done.insert(t, made);
            } else {
                stack.extend(open);
            }
        } else {
            let made = f(pool, t);
            done.insert(t, made);
        }
    }
    done[&root]
}

/// The conjuncts of a condition.
pub(crate) fn conjuncts(pool: &TermPool, t: TermId) -> Vec<TermId> {
    match *pool.node(t) {
        Node::And(list) => pool.list(list).to_vec(),
        _ if t == pool.tt() => Vec::new(),
        _ => vec![t],
    }
}

/// The condition without its negation, and whether it had none.
pub(crate) fn literal(pool: &TermPool, t: TermId) -> (TermId, bool) {
    match *pool.node(t) {
        Node::Not(inner) => (inner, false),
        _ => (t, true),
    }
}
