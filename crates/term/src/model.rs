//! Values of terms.

use std::collections::BTreeMap;

use num_bigint::{BigInt, BigUint};
use num_traits::Zero;

use crate::sort::Sort;
use crate::value::BvValue;

/// The value of a term under an assignment.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Constant {
    /// A bit-vector.
    Bv {
        /// Number of bits.
        width: u32,
        /// The unsigned value, below 2^width.
        value: BvValue,
    },
    /// An integer.
    Int(BigInt),
    /// An array.
    Array(ArrayValue),
}

/// A total array: `default` everywhere but at the indices of `entries`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ArrayValue {
    /// Width of an index.
    pub index_width: u32,
    /// Width of an element.
    pub elem_width: u32,
    /// The element at every other index.
    pub default: BvValue,
    /// The elements that differ. Invariant: none equals `default`.
    pub entries: BTreeMap<BvValue, BvValue>,
}

impl ArrayValue {
    /// The array that is `default` everywhere.
    pub fn new(index_width: u32, elem_width: u32, default: BvValue) -> Self {
        ArrayValue { index_width, elem_width, default, entries: BTreeMap::new() }
    }

    /// The element at `index`.
    pub fn select(&self, index: &BvValue) -> &BvValue {
        self.entries.get(index).unwrap_or(&self.default)
    }

    /// Replaces the element at `index`.
    pub fn store(&mut self, index: BvValue, value: BvValue) {
        if value == self.default {
            self.entries.remove(&index);
        } else {
            self.entries.insert(index, value);
        }
    }
}

impl Constant {
    /// A bit-vector of at most 64 bits.
    pub fn bv(width: u32, value: u64) -> Self {
        debug_assert!(width >= 64 || value >> width == 0, "{value} has more than {width} bits");
        Constant::Bv { width, value: BvValue::Small(value) }
    }

    /// A truth value.
    pub fn bool(b: bool) -> Self {
        Constant::bv(1, u64::from(b))
    }

    /// The value a variable of this sort has if an assignment says nothing.
    pub fn zero(sort: Sort) -> Self {
        match sort {
            Sort::Bv(width) => Constant::bv(width, 0),
            Sort::Int => Constant::Int(BigInt::zero()),
            Sort::Array { index, elem } => Constant::Array(ArrayValue::new(index, elem, 0.into())),
        }
    }

    /// The sort of the value.
    pub fn sort(&self) -> Sort {
        match self {
            Constant::Bv { width, .. } => Sort::Bv(*width),
            Constant::Int(_) => Sort::Int,
            Constant::Array(array) => Sort::Array { index: array.index_width, elem: array.elem_width },
        }
    }

    /// The value of a bit-vector below 2^64.
    pub fn as_u64(&self) -> Option<u64> {
        match self {
            Constant::Bv { value, .. } => value.to_u64(),
            _ => None,
        }
    }

    /// The value of a bit-vector.
    pub fn as_big(&self) -> Option<BigUint> {
        match self {
            Constant::Bv { value, .. } => Some(value.to_big()),
            _ => None,
        }
    }

    /// The value of a bit-vector of width 1.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Constant::Bv { width: 1, value } => Some(!value.is_zero()),
            _ => None,
        }
    }
}
