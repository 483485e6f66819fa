//! Models: values of variables.
//!
//! A search keeps a model with every state that is still to be explored, and most differ from the one they were made of in
//! a few variables. So copies share what they have in common: an assignment is a large part that may be shared, and its own
//! values over it. When there are many of its own, it gets a large part for itself; as the bound grows with the root of
//! the size, n copies of n values, each with one more, take room for n to the power of 1.5 of them, not of 2.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::model::Constant;
use crate::node::VarId;

type Values = FxHashMap<VarId, Constant>;

/// Own values that every assignment may have over a shared part.
const MIN_OWN: usize = 8;

/// A model. A variable without a value counts as 0.
#[derive(Clone, Debug, Default)]
pub struct Assignment {
    shared: Rc<Values>,
    /// Values that are not in the shared part, or others than there.
    own: Values,
    /// Variables that have a value.
    len: usize,
}

impl Assignment {
    /// The assignment of 0 to everything.
    pub fn new() -> Self {
        Assignment::default()
    }

    /// The value given to `v`, if any.
    pub fn get(&self, v: VarId) -> Option<&Constant> {
        self.own.get(&v).or_else(|| self.shared.get(&v))
    }

    /// The value given to the bit-vector variable `v`, if any and below 2^64.
    pub fn get_u64(&self, v: VarId) -> Option<u64> {
        self.get(v)?.as_u64()
    }

    /// Gives `v` a value.
    pub fn set(&mut self, v: VarId, value: Constant) {
        let before = self.get(v);
        if before == Some(&value) {
            return;
        }
        self.len += usize::from(before.is_none());
        if self.own.is_empty()
            && let Some(alone) = Rc::get_mut(&mut self.shared)
        {
            alone.insert(v, value);
            return;
        }
        self.own.insert(v, value);
        if self.own.len() > MIN_OWN + 2 * self.shared.len().isqrt() {
            Rc::make_mut(&mut self.shared).extend(self.own.drain());
        }
    }

    /// Gives the bit-vector variable `v` a value.
    pub fn set_u64(&mut self, v: VarId, width: u32, value: u64) {
        self.set(v, Constant::bv(width, value & crate::value::mask(width)));
    }

    /// How many variables have a value.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether no variable has a value.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Variables with their values, by variable.
    pub fn iter_sorted(&self) -> impl Iterator<Item = (VarId, &Constant)> {
        let mut entries: Vec<_> = self.iter().collect();
        entries.sort_unstable_by_key(|&(v, _)| v);
        entries.into_iter()
    }

    /// Takes over the values of `other`, which win where both have one.
    pub fn merge(&mut self, other: &Assignment) {
        for (v, value) in other.iter() {
            self.set(v, value.clone());
        }
    }

    /// Variables with their values, in any order.
    fn iter(&self) -> impl Iterator<Item = (VarId, &Constant)> {
        let below = self.shared.iter().filter(|(v, _)| !self.own.contains_key(v));
        below.chain(&self.own).map(|(&v, value)| (v, value))
    }
}

impl PartialEq for Assignment {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.iter().all(|(v, value)| other.get(v) == Some(value))
    }
}

impl Eq for Assignment {}

#[cfg(test)]
mod tests {
    use super::*;

    fn var(n: usize) -> VarId {
        VarId(n as u32)
    }

    fn numbers(model: &Assignment) -> Vec<u64> {
        model.iter_sorted().filter_map(|(_, value)| value.as_u64()).collect()
    }

    #[test]
    fn copies_change_on_their_own() {
        let mut first = Assignment::new();
        for n in 0..100 {
            first.set_u64(var(n), 32, n as u64);
        }
        let before = first.clone();
        let mut second = first.clone();
        for n in 50..150 {
            second.set_u64(var(n), 32, 1000 + n as u64);
            assert_eq!(second.len(), 100.max(n + 1));
        }
        first.set_u64(var(0), 32, 7);
        let expected: Vec<u64> = (0..50).chain(1050..1150).collect();
        assert_eq!(numbers(&second), expected);
        assert_eq!(numbers(&before), (0..100).collect::<Vec<u64>>());
        assert_eq!((first.get_u64(var(0)), first.get_u64(var(99))), (Some(7), Some(99)));
        assert_ne!(first, before);
    }

    #[test]
    fn equality_is_about_values_and_not_about_what_is_shared() {
        let mut first = Assignment::new();
        (0..100).for_each(|n| first.set_u64(var(n), 32, 1));
        let mut second = first.clone();
        second.set_u64(var(3), 32, 2);
        assert_ne!(first, second);
        second.set_u64(var(3), 32, 1);
        assert_eq!(first, second);
        let mut merged = Assignment::new();
        merged.set_u64(var(3), 32, 9);
        merged.merge(&second);
        assert_eq!(merged, first);
    }

    #[test]
    fn a_long_path_of_models_takes_little_room() {
        let mut models = vec![Assignment::new()];
        for n in 0..1000 {
            let mut next = models[n].clone();
            next.set_u64(var(n), 32, 1);
            models.push(next);
        }
        let mut parts: Vec<&Rc<Values>> = models.iter().map(|model| &model.shared).collect();
        parts.dedup_by(|a, b| Rc::ptr_eq(a, b));
        let n_values: usize = parts.iter().map(|part| part.len()).sum();
        let n_own: usize = models.iter().map(|model| model.own.len()).sum();
        assert_eq!(models[1000].len(), 1000);
        assert!(n_values + n_own < 80_000, "{n_values} and {n_own}, of 500,000 without sharing");
    }
}
