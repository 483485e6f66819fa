//! Pairs of items of two sequences, in order.

/// Tables larger than this are not filled.
const MAX_CELLS: usize = 1 << 22;

/// Pairs up equal items so that as many as possible are paired and no two pairs cross; what lies between two pairs is
/// paired in order as far as `is_alike` allows.
pub(crate) fn pairs<T: PartialEq>(
    old: &[T],
    new: &[T],
    is_alike: impl Fn(usize, usize) -> bool,
) -> Vec<(usize, usize)> {
    let mut all = Vec::new();
    let (mut i, mut j) = (0, 0);
    for (a, b) in equal(old, new).into_iter().chain([(old.len(), new.len())]) {
        while i < a && j < b {
            // The rest of a gap that is longer on one side comes unpaired.
            match is_alike(i, j) {
                true => {
                    all.push((i, j));
                    (i, j) = (i + 1, j + 1);
                }
                false if a - i > b - j => i += 1,
                false if a - i < b - j => j += 1,
                false => (i, j) = (i + 1, j + 1),
            }
        }
        if a < old.len() && b < new.len() {
            all.push((a, b));
        }
        (i, j) = (a + 1, b + 1);
    }
    all
}

/// A longest common subsequence.
fn equal<T: PartialEq>(old: &[T], new: &[T]) -> Vec<(usize, usize)> {
    let before = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (&old[before..], &new[before..]);
    let after = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let (n, m) = (old_rest.len() - after, new_rest.len() - after);
    let mut found: Vec<(usize, usize)> = (0..before).map(|i| (i, i)).collect();
    if n > 0 && m > 0 && n.saturating_mul(m) <= MAX_CELLS {
        found.extend(
            middle(&old_rest[..n], &new_rest[..m]).into_iter().map(|(i, j)| (before + i, before + j)),
        );
    }
    found.extend((0..after).map(|i| (before + n + i, before + m + i)));
    found
}

fn middle<T: PartialEq>(old: &[T], new: &[T]) -> Vec<(usize, usize)> {
    let (n, m) = (old.len(), new.len());
    // The length of what the rests from here on have in common.
    let mut common = vec![0u32; (n + 1) * (m + 1)];
    let at = |i: usize, j: usize| i * (m + 1) + j;
    for i in (0..n).rev() {
        for j in (0..m).rev() {
            common[at(i, j)] = match old[i] == new[j] {
                true => common[at(i + 1, j + 1)] + 1,
                false => common[at(i + 1, j)].max(common[at(i, j + 1)]),
            };
        }
    }
    let (mut i, mut j, mut found) = (0, 0, Vec::new());
    while i < n && j < m {
        if old[i] == new[j] {
            found.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if common[at(i + 1, j)] >= common[at(i, j + 1)] {
            i += 1;
        } else {
            j += 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paired(old: &str, new: &str) -> String {
        let (old, new): (Vec<char>, Vec<char>) = (old.chars().collect(), new.chars().collect());
        let alike = |i: usize, j: usize| old[i].is_ascii_digit() == new[j].is_ascii_digit();
        let pairs = pairs(&old, &new, alike);
        assert!(pairs.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1), "{pairs:?}");
        pairs.into_iter().map(|(i, j)| format!("{}{} ", old[i], new[j])).collect()
    }

    #[test]
    fn equal_items_are_paired_and_gaps_are_filled_by_what_is_alike() {
        assert_eq!(paired("abc", "abc"), "aa bb cc ");
        assert_eq!(paired("abc", "axbc"), "aa bb cc ");
        assert_eq!(paired("axbc", "abc"), "aa bb cc ");
        assert_eq!(paired("axc", "ayc"), "aa xy cc ");
        assert_eq!(paired("ax1c", "a2yc"), "aa cc ");
        assert_eq!(paired("a1c", "ayy2c"), "aa 12 cc ");
        assert_eq!(paired("", "abc"), "");
        assert_eq!(paired("abc", "xyz"), "ax by cz ");
    }
}
