//! Sets of small numbers: only the words that have a bit are kept, in order.

use std::cmp::Ordering;

/// 64 neighbouring numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Word {
    /// The first number, divided by 64.
    pub(crate) at: u32,
    pub(crate) bits: u64,
}

impl Word {
    /// Numbers in a word.
    pub(crate) const BITS: u32 = u64::BITS;

    /// The word with one number.
    pub(crate) fn of(number: u32) -> Word {
        Word { at: number / Word::BITS, bits: 1 << (number % Word::BITS) }
    }
}

/// Words of two ordered lists beside each other: the position, and the bits that either has there.
pub(crate) fn zip<'a>(a: &'a [Word], b: &'a [Word]) -> impl Iterator<Item = (u32, u64, u64)> + use<'a> {
    let (mut i, mut j) = (0, 0);
    std::iter::from_fn(move || {
        let order = match (a.get(i), b.get(j)) {
            (None, None) => return None,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(x), Some(y)) => x.at.cmp(&y.at),
        };
        let word = match order {
            Ordering::Less => (a[i].at, a[i].bits, 0),
            Ordering::Greater => (b[j].at, 0, b[j].bits),
            Ordering::Equal => (a[i].at, a[i].bits, b[j].bits),
        };
        i += usize::from(order != Ordering::Greater);
        j += usize::from(order != Ordering::Less);
        Some(word)
    })
}

/// A set of numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct SparseSet {
    words: Vec<Word>,
}

impl SparseSet {
    pub(crate) const EMPTY: SparseSet = SparseSet { words: Vec::new() };

    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The words that have a bit, in order.
    pub(crate) fn words(&self) -> &[Word] {
        &self.words
    }

    /// Adds a number; whether it is new.
    pub(crate) fn insert(&mut self, number: u32) -> bool {
        let word = Word::of(number);
        let place = match self.words.last() {
            Some(last) if last.at < word.at => Err(self.words.len()),
            _ => self.words.binary_search_by_key(&word.at, |w| w.at),
        };
        match place {
            Ok(i) => {
                let is_new = self.words[i].bits & word.bits == 0;
                self.words[i].bits |= word.bits;
                is_new
            }
            Err(i) => {
                self.words.insert(i, word);
                true
            }
        }
    }

    /// The numbers, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> {
        self.words.iter().flat_map(|word| Bits(word.bits).map(|bit| word.at * Word::BITS + bit))
    }

    /// Adds all numbers of another set.
    pub(crate) fn union(&mut self, other: &SparseSet) {
        if !other.is_empty() {
            let words = zip(&self.words, &other.words).map(|(at, a, b)| Word { at, bits: a | b });
            self.words = words.collect();
        }
    }
}

impl FromIterator<u32> for SparseSet {
    fn from_iter<I: IntoIterator<Item = u32>>(numbers: I) -> SparseSet {
        let mut sorted: Vec<u32> = numbers.into_iter().collect();
        sorted.sort_unstable();
        let mut set = SparseSet::default();
        sorted.into_iter().for_each(|number| _ = set.insert(number));
        set
    }
}

/// The positions of the bits of a word, in order.
pub(crate) struct Bits(pub(crate) u64);

impl Iterator for Bits {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let bit = (self.0 != 0).then(|| self.0.trailing_zeros())?;
        self.0 &= self.0 - 1;
        Some(bit)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn random(state: &mut u64, below: u32) -> u32 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((*state >> 33) % u64::from(below)) as u32
    }

    #[test]
    fn sets_do_what_ordered_sets_of_the_standard_library_do() {
        let mut seed = 1;
        for round in 0..500 {
            let below = [70, 700, 20_000][round % 3];
            let mut some = || {
                let n = random(&mut seed, 40);
                (0..n).map(|_| random(&mut seed, below)).collect::<Vec<u32>>()
            };
            let (a, b) = (some(), some());
            let [mut x, y] = [&a, &b].map(|s| s.iter().copied().collect::<SparseSet>());
            let [a, b] = [a, b].map(BTreeSet::from_iter);
            assert!(x.iter().eq(a.iter().copied()));
            x.union(&y);
            assert!(x.iter().eq(a.union(&b).copied()));
            assert!(x.iter().all(|number| !x.clone().insert(number)));
        }
    }
}
