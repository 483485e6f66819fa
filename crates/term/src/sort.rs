//! Sorts of terms, and their packed form (one `u32` beside each node).
//!
//! Booleans are bit-vectors of width 1; there is no separate Boolean sort.

/// The sort of a term.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    /// A bit-vector of this many bits (at least 1).
    Bv(u32),
    /// A total array from bit-vectors of `index` bits to bit-vectors of `elem` bits.
    Array {
        /// Width of an index.
        index: u32,
        /// Width of an element.
        elem: u32,
    },
    /// An unbounded integer.
    Int,
}

impl Sort {
    /// The sort of truth values.
    pub const BOOL: Sort = Sort::Bv(1);
}

const ARRAY_TAG: u32 = 1 << 31;
const INT_TAG: u32 = 1 << 30;

/// A [`Sort`] in 32 bits: a width as it is, an array as two fields under a tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PackedSort(u32);

impl PackedSort {
    pub(crate) const INT: PackedSort = PackedSort(INT_TAG);
    pub(crate) const BOOL: PackedSort = PackedSort(1);

    pub(crate) fn bv(width: u32) -> Self {
        assert!(width > 0 && width < INT_TAG, "a bit-vector cannot have {width} bits");
        PackedSort(width)
    }

    pub(crate) fn pack(sort: Sort) -> Self {
        match sort {
            Sort::Bv(width) => PackedSort::bv(width),
            Sort::Int => PackedSort::INT,
            Sort::Array { index, elem } => {
                assert!(index > 0 && index < 1 << 14, "an array index cannot have {index} bits");
                assert!(elem > 0 && elem < 1 << 16, "an array element cannot have {elem} bits");
                PackedSort(ARRAY_TAG | index << 16 | elem)
            }
        }
    }

    pub(crate) fn unpack(self) -> Sort {
        if self.0 & ARRAY_TAG != 0 {
            Sort::Array { index: (self.0 >> 16) & 0x3fff, elem: self.0 & 0xffff }
        } else if self == PackedSort::INT {
            Sort::Int
        } else {
            Sort::Bv(self.0)
        }
    }

    /// The width if this is a bit-vector, otherwise 0.
    #[inline]
    pub(crate) fn width_or_zero(self) -> u32 {
        if self.0 & (ARRAY_TAG | INT_TAG) == 0 { self.0 } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_keeps_every_sort_apart() {
        for sort in [
            Sort::Bv(1),
            Sort::Bv(64),
            Sort::Bv(1 << 23),
            Sort::Int,
            Sort::Array { index: 64, elem: 8 },
            Sort::Array { index: 1, elem: 1 },
        ] {
            assert_eq!(PackedSort::pack(sort).unpack(), sort);
        }
        assert_eq!(PackedSort::INT.width_or_zero(), 0);
        assert_eq!(PackedSort::bv(17).width_or_zero(), 17);
    }
}
