//! A small deterministic random source (SplitMix64).
//!
//! Guarantees: the sequence depends on the seed only, on every platform and in every version of this crate;
//! a seed in a bug report therefore names a program for as long as the generator itself is unchanged.

/// The random source.
#[derive(Clone, Debug)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// A source for `seed`.
    pub fn new(seed: u64) -> Self {
        // Neighbouring seeds must not give neighbouring streams.
        let mut rng = Rng { state: seed ^ 0x5e1f_ed6e_0000_0001 };
        rng.next();
        Rng { state: rng.next() ^ seed.rotate_left(32) }
    }

    /// The next 64 bits.
    #[expect(clippy::should_implement_trait, reason = "an endless source is no iterator")]
    pub fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n` (0 if `n` is 0).
    pub fn below(&mut self, n: u64) -> u64 {
        if n == 0 { 0 } else { self.next() % n }
    }

    /// A number from `low` to `high`, both included.
    pub fn range(&mut self, low: u32, high: u32) -> u32 {
        let width = u64::from(high.saturating_sub(low)) + 1;
        low + u32::try_from(self.below(width)).unwrap_or(0)
    }

    /// A value from `low` to `high`, both included.
    pub fn wide_range(&mut self, low: i128, high: i128) -> i128 {
        let width = u128::try_from(high - low).unwrap_or(0) + 1;
        let raw = (u128::from(self.next()) << 64) | u128::from(self.next());
        low + i128::try_from(raw % width).unwrap_or(0)
    }

    /// True with a probability of `percent` in a hundred.
    pub fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < u64::from(percent)
    }

    /// One of `items`, which must not be empty.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.index(items.len())]
    }

    /// An index below `len`.
    pub fn index(&mut self, len: usize) -> usize {
        usize::try_from(self.below(len as u64)).unwrap_or(0)
    }

    /// An index into `weights`, drawn in proportion to them.
    pub fn weighted(&mut self, weights: &[u32]) -> usize {
        let total: u64 = weights.iter().map(|w| u64::from(*w)).sum();
        let mut left = self.below(total);
        for (index, weight) in weights.iter().enumerate() {
            if left < u64::from(*weight) {
                return index;
            }
            left -= u64::from(*weight);
        }
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_seeds_give_equal_sequences_and_others_do_not() {
        let take = |seed| {
            let mut rng = Rng::new(seed);
            (0..4).map(|_| rng.next()).collect::<Vec<_>>()
        };
        assert_eq!(take(7), take(7));
        assert_ne!(take(7), take(8));
    }

    #[test]
    fn ranges_include_both_ends() {
        let mut rng = Rng::new(1);
        let drawn: Vec<u32> = (0..200).map(|_| rng.range(2, 4)).collect();
        assert!([2, 3, 4].iter().all(|n| drawn.contains(n)) && drawn.iter().all(|n| (2..=4).contains(n)));
        assert!((0..100).all(|_| (-1..=1).contains(&rng.wide_range(-1, 1))));
    }

    #[test]
    fn a_weight_of_zero_is_never_drawn() {
        let mut rng = Rng::new(3);
        assert!((0..200).all(|_| rng.weighted(&[0, 3, 0, 1]) % 2 == 1));
    }
}
