//! Summaries as they are kept. They are most of a memory, and most checks of an unchanged program need none: they stay bytes
//! until a search asks for them.

use std::cell::OnceCell;

use selvedge_summary::Lasting;
use serde::de::Visitor;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A summary, and how many versions in a row could not use it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Kept {
    pub(crate) summary: Lasting,
    pub(crate) n_misses: u8,
}

/// All summaries of a memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Summaries {
    /// What was read, unless something was added.
    bytes: Option<Vec<u8>>,
    list: OnceCell<Vec<Kept>>,
}

impl Summaries {
    /// All of them. If they cannot be read, nothing is known.
    pub(crate) fn all(&self) -> &[Kept] {
        self.list.get_or_init(|| {
            let bytes = self.bytes.as_deref().unwrap_or_default();
            postcard::from_bytes(bytes).unwrap_or_default()
        })
    }

    pub(crate) fn push(&mut self, kept: Kept) {
        self.all();
        self.bytes = None;
        if let Some(list) = self.list.get_mut() {
            list.push(kept);
        }
    }

    pub(crate) fn into_all(self) -> Vec<Kept> {
        self.all();
        self.list.into_inner().unwrap_or_default()
    }
}

impl PartialEq for Summaries {
    fn eq(&self, other: &Self) -> bool {
        self.all() == other.all()
    }
}

impl Serialize for Summaries {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.bytes {
            Some(bytes) => serializer.serialize_bytes(bytes),
            None => serializer.serialize_bytes(&postcard::to_allocvec(self.all()).map_err(S::Error::custom)?),
        }
    }
}

impl<'de> Deserialize<'de> for Summaries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Summaries, D::Error> {
        deserializer.deserialize_bytes(Bytes)
    }
}

struct Bytes;

impl Visitor<'_> for Bytes {
    type Value = Summaries;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("summaries as bytes")
    }

    fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<Summaries, E> {
        if bytes.is_empty() {
            return Err(E::custom("a list has at least its length"));
        }
        Ok(Summaries { bytes: Some(bytes.to_vec()), list: OnceCell::new() })
    }
}
