//! Many short pieces of bytes, or lists of numbers, in one place of memory, each of which is read when somebody asks for it.
//!
//! What outlives a run is made of these, and most runs look at few of them: to read them back from a file costs one copy,
//! however many there are. A number takes one byte for each seven bits.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Pieces of bytes by their positions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pieces {
    /// Where each one ends.
    ends: Vec<u32>,
    bytes: Vec<u8>,
}

impl Pieces {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Adds what `write` appends to the bytes, and gives its position.
    pub fn push(&mut self, write: impl FnOnce(&mut Vec<u8>)) -> u32 {
        write(&mut self.bytes);
        self.ends.push(self.bytes.len() as u32);
        self.ends.len() as u32 - 1
    }

    /// The piece at a position.
    pub fn get(&self, position: u32) -> Option<&[u8]> {
        let position = position as usize;
        let end = *self.ends.get(position)? as usize;
        let start = position.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        self.bytes.get(start..end)
    }
}

/// Lists of numbers by their positions.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Packed {
    lists: Pieces,
}

impl Packed {
    /// How many lists there are.
    pub fn len(&self) -> usize {
        self.lists.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.lists.is_empty()
    }

    /// Adds a list, and gives its position.
    pub fn push(&mut self, numbers: impl IntoIterator<Item = u64>) -> u32 {
        self.lists.push(|bytes| {
            for mut number in numbers {
                while number >= 0x80 {
                    bytes.push(number as u8 | 0x80);
                    number >>= 7;
                }
                bytes.push(number as u8);
            }
        })
    }

    /// The list at a position.
    pub fn get(&self, position: u32) -> Option<Numbers<'_>> {
        Some(Numbers { bytes: self.lists.get(position)? })
    }
}

/// Lists of numbers, each of which is there once.
#[derive(Clone, Debug, Default)]
pub struct PackedSet {
    all: Packed,
    /// The position of a list by its hash. Should two have the same, the second has none, and may be there twice.
    positions: FxHashMap<u64, u32>,
}

impl PackedSet {
    /// The position of a list, which is added if it is not there.
    pub fn position(&mut self, list: &[u64]) -> u32 {
        let mut hasher = FxHasher::default();
        list.hash(&mut hasher);
        let position = *self.positions.entry(hasher.finish()).or_insert(self.all.len() as u32);
        match self.all.get(position).is_some_and(|known| known.eq(list.iter().copied())) {
            true => position,
            false => self.all.push(list.iter().copied()),
        }
    }

    /// All lists.
    pub fn finish(self) -> Packed {
        self.all
    }
}

/// The numbers of a list. What is no number ends it.
#[derive(Clone, Debug)]
pub struct Numbers<'a> {
    bytes: &'a [u8],
}

impl Iterator for Numbers<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let mut number = 0;
        for (i, byte) in self.bytes.iter().enumerate().take(10) {
            number |= u64::from(byte & 0x7f) << (7 * i);
            if byte & 0x80 == 0 {
                self.bytes = &self.bytes[i + 1..];
                return Some(number);
            }
        }
        self.bytes = &[];
        None
    }
}

/// The number of pieces, where they end, the pieces.
impl Serialize for Pieces {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut all = Vec::with_capacity(4 + 4 * self.ends.len() + self.bytes.len());
        all.extend((self.ends.len() as u32).to_le_bytes());
        self.ends.iter().for_each(|end| all.extend(end.to_le_bytes()));
        all.extend(&self.bytes);
        serializer.serialize_bytes(&all)
    }
}

impl<'de> Deserialize<'de> for Pieces {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Pieces, D::Error> {
        deserializer.deserialize_bytes(Whole)
    }
}

struct Whole;

impl Visitor<'_> for Whole {
    type Value = Pieces;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("pieces of bytes")
    }

    fn visit_bytes<E: Error>(self, all: &[u8]) -> Result<Pieces, E> {
        let word = |bytes: &[u8; 4]| u32::from_le_bytes(*bytes);
        let read = || {
            let (n, rest) = all.split_first_chunk::<4>()?;
            let (ends, bytes) = rest.split_at_checked(4 * word(n) as usize)?;
            let ends: Vec<u32> = ends.as_chunks().0.iter().map(word).collect();
            let is_whole = ends.is_sorted() && ends.last().copied().unwrap_or(0) as usize == bytes.len();
            is_whole.then(|| Pieces { ends, bytes: bytes.to_vec() })
        };
        read().ok_or_else(|| E::custom("pieces that do not end where they should"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LISTS: [&[u64]; 4] = [&[], &[0, 127, 128], &[u64::MAX, 1], &[1 << 35]];

    fn read(bytes: &[u8]) -> Option<Packed> {
        Some(Packed { lists: Whole.visit_bytes::<serde::de::value::Error>(bytes).ok()? })
    }

    fn bytes(Packed { lists }: &Packed) -> Vec<u8> {
        let mut all = (lists.ends.len() as u32).to_le_bytes().to_vec();
        lists.ends.iter().for_each(|end| all.extend(end.to_le_bytes()));
        all.extend(&lists.bytes);
        all
    }

    fn packed() -> Packed {
        let mut packed = Packed::default();
        for (position, list) in (0..).zip(LISTS) {
            assert_eq!(packed.push(list.iter().copied()), position);
        }
        packed
    }

    #[test]
    fn lists_come_back_as_they_were() {
        let again = read(&bytes(&packed())).expect("they are lists");
        for (position, list) in (0..).zip(LISTS) {
            assert_eq!(again.get(position).expect("it is there").collect::<Vec<_>>(), list);
        }
        assert!(again.get(4).is_none());
    }

    #[test]
    fn a_list_is_there_once() {
        let mut set = PackedSet::default();
        let positions: Vec<u32> = LISTS.iter().chain(&LISTS).map(|list| set.position(list)).collect();
        assert_eq!(positions, [0, 1, 2, 3, 0, 1, 2, 3]);
        assert_eq!(set.finish(), packed());
    }

    #[test]
    fn what_is_cut_or_too_long_is_refused() {
        let whole = bytes(&packed());
        assert!((0..whole.len()).all(|n| read(&whole[..n]).is_none()));
        assert!(read(&[&whole[..], &[0]].concat()).is_none());
    }

    #[test]
    fn a_number_without_an_end_ends_the_list() {
        let packed = Packed { lists: Pieces { ends: vec![11], bytes: vec![0xff; 11] } };
        assert_eq!(packed.get(0).expect("it is there").count(), 0);
    }
}
