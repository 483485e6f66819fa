//! Linear arithmetic on machine integers, for states in which everything is known.
//!
//! Most programs without nondeterministic input only have such states, and terms cost a hundred times as
//! much. What does not fit gives `None`, and the caller works with terms.

use selvedge_term::{TermId, TermPool};

use crate::control::small;
use crate::linear::{Atom, Linear};
use crate::model::Update;

/// A sum over data variables, by position.
#[derive(Clone, Debug)]
pub(crate) struct FastSum {
    parts: Vec<(usize, i64)>,
    constant: i64,
}

impl FastSum {
    fn new(data: &[TermId], sum: &Linear) -> Option<FastSum> {
        let mut parts = Vec::with_capacity(sum.parts.len());
        for (part, factor) in &sum.parts {
            parts.push((data.iter().position(|d| d == part)?, small(factor)?));
        }
        Some(FastSum { parts, constant: small(&sum.constant)? })
    }

    fn value(&self, values: &[i64]) -> Option<i128> {
        let mut sum = i128::from(self.constant);
        for (at, factor) in &self.parts {
            sum = sum.checked_add(i128::from(values[*at]) * i128::from(*factor))?;
        }
        Some(sum)
    }
}

#[derive(Clone, Copy, Debug)]
enum Relation {
    Le,
    Eq,
    Divides(i64),
}

/// An atomic condition.
#[derive(Clone, Debug)]
pub(crate) struct FastAtom {
    sum: FastSum,
    relation: Relation,
}

impl FastAtom {
    /// The atom `t` over data variables.
    pub(crate) fn new(pool: &TermPool, data: &[TermId], t: TermId) -> Option<FastAtom> {
        let atom = Atom::read(pool, t)?;
        let sum = FastSum::new(data, atom.sum())?;
        let relation = match &atom {
            Atom::Le(_) => Relation::Le,
            Atom::Eq(_) => Relation::Eq,
            Atom::Divides(d, _) => Relation::Divides(small(d)?),
        };
        Some(FastAtom { sum, relation })
    }

    /// Whether it holds.
    pub(crate) fn holds(&self, values: &[i64]) -> Option<bool> {
        let sum = self.sum.value(values)?;
        Some(match self.relation {
            Relation::Le => sum <= 0,
            Relation::Eq => sum == 0,
            Relation::Divides(d) => sum % i128::from(d) == 0,
        })
    }
}

/// A concurrent assignment without `nondet`.
#[derive(Clone, Debug)]
pub(crate) struct FastUpdate(Vec<(usize, FastSum)>);

impl FastUpdate {
    pub(crate) fn new(pool: &TermPool, data: &[TermId], updates: &[(usize, Update)]) -> Option<FastUpdate> {
        let mut sums = Vec::with_capacity(updates.len());
        for (at, update) in updates {
            let Update::Term(term) = update else { return None };
            sums.push((*at, FastSum::new(data, &Linear::read(pool, *term))?));
        }
        Some(FastUpdate(sums))
    }

    /// The values afterwards.
    pub(crate) fn apply(&self, values: &[i64]) -> Option<Box<[i64]>> {
        let mut next: Box<[i64]> = values.into();
        for (at, sum) in &self.0 {
            next[*at] = i64::try_from(sum.value(values)?).ok()?;
        }
        Some(next)
    }
}
