//! Sets of places, each kept once: many nodes hold the same, and what became of two sets is remembered.
//!
//! Paper: Barbar and Sui, "Hash consed points-to sets", SAS 2021.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use selvedge_base::{Dense, define_id};

use super::Place;
use crate::sparse_set::{Word, zip};

define_id!(
    /// A set of places.
    pub(crate) struct SetId, "s"
);

impl SetId {
    /// The set without places.
    pub(super) const EMPTY: SetId = SetId(0);

    pub(super) fn is_empty(self) -> bool {
        self == SetId::EMPTY
    }
}

struct Set {
    words: Rc<[Word]>,
    /// The sum over its words, so that a set with a few words more is found without looking at all.
    hash: u64,
}

/// All sets.
pub(super) struct Sets {
    sets: Dense<SetId, Set>,
    /// By hash, or the next free number behind it.
    known: FxHashMap<u64, SetId>,
    /// Two sets, what they are together, and what is new to the first.
    joined: FxHashMap<(SetId, SetId), (SetId, SetId)>,
    /// Words that were looked at.
    pub(super) n_work: u64,
}

impl Sets {
    pub(super) fn new() -> Sets {
        let mut sets =
            Sets { sets: Dense::new(), known: FxHashMap::default(), joined: FxHashMap::default(), n_work: 0 };
        sets.keep(&[]);
        sets
    }

    /// The set of these words, which are in order and not empty.
    pub(super) fn keep(&mut self, words: &[Word]) -> SetId {
        self.n_work += words.len() as u64;
        let hash = words.iter().fold(0, |sum: u64, word| sum.wrapping_add(hash(*word)));
        self.keep_hashed(words, hash)
    }

    fn keep_hashed(&mut self, words: &[Word], hash: u64) -> SetId {
        let mut at = hash;
        while let Some(&known) = self.known.get(&at) {
            if *self.sets[known].words == *words {
                return known;
            }
            at = at.wrapping_add(1);
        }
        let id = self.sets.push(Set { words: words.into(), hash });
        self.known.insert(at, id);
        id
    }

    pub(super) fn of(&mut self, place: Place) -> SetId {
        self.keep(&[Word::of(place.0)])
    }

    pub(super) fn words(&self, set: SetId) -> &Rc<[Word]> {
        &self.sets[set].words
    }

    /// A set with what comes to it, and what is new to it.
    pub(super) fn join(&mut self, to: SetId, coming: SetId) -> (SetId, SetId) {
        if coming.is_empty() || to == coming {
            return (to, SetId::EMPTY);
        }
        if to.is_empty() {
            return (coming, coming);
        }
        if let Some(&known) = self.joined.get(&(to, coming)) {
            return known;
        }
        let joined = self.join_words(to, coming);
        self.joined.insert((to, coming), joined);
        joined
    }

    fn join_words(&mut self, to: SetId, coming: SetId) -> (SetId, SetId) {
        let known = &self.sets[to].words;
        let mut sum = self.sets[to].hash;
        let (mut at, mut copied) = (0, 0);
        let (mut all, mut fresh) = (Vec::new(), Vec::new());
        for word in &*self.sets[coming].words {
            at = seek(known, at, word.at);
            let there = known.get(at).filter(|w| w.at == word.at);
            let bits = there.map_or(0, |w| w.bits);
            let news = without_details(bits, word.bits) & !bits;
            if news == 0 {
                continue;
            }
            fresh.push(Word { at: word.at, bits: news });
            let now = Word { at: word.at, bits: bits | news };
            sum = sum.wrapping_add(hash(now)).wrapping_sub(there.map_or(0, |w| hash(*w)));
            all.extend_from_slice(&known[copied..at]);
            all.push(now);
            copied = at + usize::from(there.is_some());
        }
        self.n_work += self.sets[coming].words.len() as u64;
        if fresh.is_empty() {
            return (to, SetId::EMPTY);
        }
        all.extend_from_slice(&known[copied..]);
        self.n_work += all.len() as u64;
        (self.keep_hashed(&all, sum), self.keep(&fresh))
    }

    /// What two nodes with these sets hold if they become one, and what either of them has not handed on: for each node,
    /// its set and its news.
    pub(super) fn merge(&mut self, a: (SetId, SetId), b: (SetId, SetId)) -> (SetId, SetId) {
        if a == b {
            return a;
        }
        let [done_a, done_b] = [a, b].map(|(set, news)| self.without(set, news));
        let common = zip(&self.sets[done_a].words, &self.sets[done_b].words)
            .map(|(at, a, b)| Word { at, bits: a & b });
        let common: Vec<Word> = common.filter(|word| word.bits != 0).collect();
        let common = self.keep(&common);
        let all =
            zip(&self.sets[a.0].words, &self.sets[b.0].words).map(|(at, a, b)| Word { at, bits: a | b });
        let all: Vec<Word> = all.collect();
        let all = self.keep(&all);
        (all, self.without(all, common))
    }

    fn without(&mut self, set: SetId, other: SetId) -> SetId {
        if set == other || other.is_empty() {
            return if other.is_empty() { set } else { SetId::EMPTY };
        }
        let rest =
            zip(&self.sets[set].words, &self.sets[other].words).map(|(at, a, b)| Word { at, bits: a & !b });
        let rest: Vec<Word> = rest.filter(|word| word.bits != 0).collect();
        self.keep(&rest)
    }
}

fn hash(word: Word) -> u64 {
    let mixed = (word.bits ^ u64::from(word.at).rotate_right(20)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// The first position from `start` on whose word is not before `at`, which is more often near than far.
fn seek(words: &[Word], start: usize, at: u32) -> usize {
    let (mut low, mut step) = (start, 1);
    while words.get(low + step - 1).is_some_and(|word| word.at < at) {
        low += step;
        step *= 2;
    }
    let high = (low + step - 1).min(words.len());
    low + words[low..high].partition_point(|word| word.at < at)
}

/// What is new of the places in one object: anywhere in it includes every place in it.
fn without_details(known: u64, coming: u64) -> u64 {
    match (known & 1, coming & 1) {
        (1, _) => 0,
        (_, 1) => 1,
        _ => coming,
    }
}
