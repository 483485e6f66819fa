//! Layers as they are kept. They are most of a memory, and most checks of an unchanged program need none: they stay bytes until
//! a search asks for them.

use std::cell::OnceCell;
use std::hash::Hasher;
use std::sync::Arc;

use selvedge_summary::Layer;
use serde::{Deserialize, Serialize};
use siphasher::sip128::{Hasher128, SipHasher13};

use crate::memory::PATIENCE;
use crate::recalled::Hold;

/// The name of a layer: a hash of its bytes.
pub type LayerId = [u64; 2];

/// A layer of a memory.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Kept {
    id: LayerId,
    /// By the position of a summary: how many versions in a row could not use it.
    n_misses: Vec<u8>,
    /// What was read or is to be written.
    #[serde(skip)]
    bytes: Arc<Vec<u8>>,
    #[serde(skip)]
    layer: OnceCell<Arc<Layer>>,
}

impl Kept {
    /// What a search has found out, if it is anything.
    pub(crate) fn new(layer: Layer) -> Option<Kept> {
        let n_misses = vec![0; layer.summaries().len()];
        (!layer.summaries().is_empty() || !layer.tails().is_empty()).then(|| Kept::of(&layer, n_misses))
    }

    /// A layer with summaries that are of some age.
    pub(crate) fn of(layer: &Layer, n_misses: Vec<u8>) -> Kept {
        let bytes = postcard::to_allocvec(layer).expect("nothing in it has no form");
        // Who has written it seldom asks for it: it is read again then.
        Kept { id: id(&bytes), n_misses, bytes: bytes.into(), layer: OnceCell::new() }
    }

    pub(crate) fn id(&self) -> LayerId {
        self.id
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How many summaries it has.
    pub(crate) fn len(&self) -> usize {
        self.n_misses.len()
    }

    /// How many of them are not to be forgotten.
    pub(crate) fn n_alive(&self) -> usize {
        self.n_misses.iter().filter(|misses| **misses <= PATIENCE).count()
    }

    /// By the position of a summary: how many versions in a row could not use it.
    pub(crate) fn n_misses(&self) -> &[u8] {
        &self.n_misses
    }

    /// Gives it the bytes that were read for it. Without them, it has no summaries.
    pub(crate) fn fill(&mut self, bytes: Option<Vec<u8>>) {
        match bytes {
            Some(bytes) => self.bytes = bytes.into(),
            None => {
                self.n_misses.clear();
                self.layer = OnceCell::from(Arc::default());
            }
        }
    }

    /// What is in it.
    pub(crate) fn layer(&self) -> &Arc<Layer> {
        self.layer.get_or_init(|| Arc::new(postcard::from_bytes(&self.bytes).unwrap_or_default()))
    }

    /// Notes which of its summaries were of no use for a version, by their positions and what they rest on. Gives the number
    /// of those that hold again.
    pub(crate) fn age(&mut self, holds: impl Fn(usize, u32) -> Hold) -> u64 {
        let layer = self.layer().clone();
        let mut n_again = 0;
        for (i, (misses, summary)) in self.n_misses.iter_mut().zip(layer.summaries()).enumerate() {
            let hold = holds(i, summary.rests_on);
            *misses = if hold == Hold::Not { misses.saturating_add(1) } else { 0 };
            n_again += u64::from(hold == Hold::Again);
        }
        n_again
    }
}

impl PartialEq for Kept {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && self.n_misses == other.n_misses
    }
}

fn id(bytes: &[u8]) -> LayerId {
    let mut hasher = SipHasher13::new();
    hasher.write(bytes);
    let hash = hasher.finish128();
    [hash.h1, hash.h2]
}
