//! Longest common subsequences.
//!
//! Guarantee: the pairs are in order on both sides, and the keys of each pair are equal. For sequences of usual length no
//! longer list of pairs exists; in longer ones only keys that come once on each side begin a match.

use rustc_hash::FxHashMap;

/// Size of the largest table: some milliseconds.
const MAX_TABLE: usize = 1 << 22;

/// Pairs of positions in `a` and `b`.
pub(crate) fn align(a: &[u64], b: &[u64]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    append(a, b, (0, 0), &mut pairs);
    pairs
}

fn append(a: &[u64], b: &[u64], (start_a, start_b): (usize, usize), pairs: &mut Vec<(usize, usize)>) {
    let head = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    pairs.extend((0..head).map(|i| (start_a + i, start_b + i)));
    let (rest_a, rest_b) = (&a[head..], &b[head..]);
    let tail = rest_a.iter().rev().zip(rest_b.iter().rev()).take_while(|(x, y)| x == y).count();
    let (mid_a, mid_b) = (&rest_a[..rest_a.len() - tail], &rest_b[..rest_b.len() - tail]);
    let start = (start_a + head, start_b + head);
    if mid_a.len().saturating_mul(mid_b.len()) <= MAX_TABLE {
        table(mid_a, mid_b, start, pairs);
    } else {
        by_anchors(mid_a, mid_b, start, pairs);
    }
    let (end_a, end_b) = (start.0 + mid_a.len(), start.1 + mid_b.len());
    pairs.extend((0..tail).map(|i| (end_a + i, end_b + i)));
}

fn table(a: &[u64], b: &[u64], (start_a, start_b): (usize, usize), pairs: &mut Vec<(usize, usize)>) {
    if a.is_empty() || b.is_empty() {
        return;
    }
    let width = b.len() + 1;
    // The longest match of what follows; its length is at most the root of the table's size.
    let mut best = vec![0u16; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            best[i * width + j] = match a[i] == b[j] {
                true => best[(i + 1) * width + j + 1] + 1,
                false => best[(i + 1) * width + j].max(best[i * width + j + 1]),
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        if a[i] == b[j] {
            pairs.push((start_a + i, start_b + j));
            (i, j) = (i + 1, j + 1);
        } else if best[(i + 1) * width + j] >= best[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
}

/// Splits at keys that come once on each side; without any, nothing is paired.
fn by_anchors(a: &[u64], b: &[u64], (start_a, start_b): (usize, usize), pairs: &mut Vec<(usize, usize)>) {
    let places = |keys: &[u64]| {
        let mut found: FxHashMap<u64, Option<usize>> = FxHashMap::default();
        for (at, key) in keys.iter().enumerate() {
            found.entry(*key).and_modify(|place| *place = None).or_insert(Some(at));
        }
        found
    };
    let (once_a, once_b) = (places(a), places(b));
    let common = a.iter().filter_map(|key| Some(((*once_a.get(key)?)?, (*once_b.get(key)?)?)));
    let anchors = increasing(&common.collect::<Vec<_>>());
    let (mut from_a, mut from_b) = (0, 0);
    for (i, j) in anchors {
        append(&a[from_a..=i], &b[from_b..=j], (start_a + from_a, start_b + from_b), pairs);
        (from_a, from_b) = (i + 1, j + 1);
    }
    if from_a > 0 {
        append(&a[from_a..], &b[from_b..], (start_a + from_a, start_b + from_b), pairs);
    }
}

/// The longest part of `pairs`, whose first numbers increase, in which the second ones do as well.
fn increasing(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (at, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| pairs[*end].1 < pair.1);
        before.push(length.checked_sub(1).map(|i| ends[i]));
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut chain = Vec::new();
    let mut at = ends.last().copied();
    while let Some(here) = at {
        chain.push(pairs[here]);
        at = before[here];
    }
    chain.reverse();
    chain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matched(a: &str, b: &str) -> String {
        let keys = |text: &str| text.bytes().map(u64::from).collect::<Vec<_>>();
        align(&keys(a), &keys(b)).into_iter().map(|(i, _)| char::from(a.as_bytes()[i])).collect()
    }

    #[test]
    fn the_longest_common_part_is_found() {
        assert_eq!(matched("abcdef", "abxdef"), "abdef");
        assert_eq!(matched("xaxbxcx", "abc"), "abc");
        assert_eq!(matched("abc", ""), "");
        assert_eq!(matched("ab", "ba").len(), 1);
    }

    #[test]
    fn long_sequences_are_split_where_a_key_comes_once() {
        let a: Vec<u64> = (0..5000).map(|i| if i % 2 == 0 { 1_000_000 } else { i }).collect();
        let mut b = a.clone();
        b[0] = 7_000_000;
        b.insert(2500, 8_000_000);
        b.push(9_000_000);
        let pairs = align(&a, &b);
        assert!(pairs.iter().all(|(i, j)| a[*i] == b[*j]));
        assert!(pairs.windows(2).all(|w| w[0].0 < w[1].0 && w[0].1 < w[1].1));
        assert_eq!(pairs.len(), 4999);
    }
}
