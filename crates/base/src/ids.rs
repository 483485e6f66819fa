//! Typed ids and tables indexed by them.
//!
//! An id is a `u32` that can only index the table it was made for, prints as a
//! short readable name (`bb3`, `%12`, `f4`), and is handed out densely from zero.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A dense, typed index. Implemented by the [`define_id!`](crate::define_id) macro.
pub trait Id: Copy + Eq + Ord + fmt::Debug {
    /// The id with this index.
    fn new(index: usize) -> Self;
    /// The index of this id.
    fn index(self) -> usize;
}

/// Defines a `u32` newtype that implements [`Id`] and prints as `prefix` + number.
#[macro_export]
macro_rules! define_id {
    ($(#[$meta:meta])* $vis:vis struct $name:ident, $prefix:literal) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis struct $name(pub u32);

        impl $crate::Id for $name {
            fn new(index: usize) -> Self {
                $name(u32::try_from(index).expect(concat!("too many ", stringify!($name), "s")))
            }
            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(self, f)
            }
        }
    };
}

/// A vector indexed by a typed id.
#[derive(Clone, PartialEq, Eq)]
pub struct Dense<I: Id, T> {
    items: Vec<T>,
    key: PhantomData<fn(I) -> I>,
}

impl<I: Id, T> Dense<I, T> {
    /// An empty table.
    pub const fn new() -> Self {
        Dense { items: Vec::new(), key: PhantomData }
    }

    /// Appends `item` and returns its id.
    pub fn push(&mut self, item: T) -> I {
        let id = I::new(self.items.len());
        self.items.push(item);
        id
    }

    /// The id the next [`push`](Self::push) will return.
    pub fn next_id(&self) -> I {
        I::new(self.items.len())
    }

    /// Number of items.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether the table is empty.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The item, or `None` if the id is out of range.
    pub fn get(&self, id: I) -> Option<&T> {
        self.items.get(id.index())
    }

    /// Items in id order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    /// Ids in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + use<I, T> {
        (0..self.items.len()).map(I::new)
    }

    /// Ids with their items, in order.
    pub fn enumerate(&self) -> impl DoubleEndedIterator<Item = (I, &T)> {
        self.items.iter().enumerate().map(|(i, item)| (I::new(i), item))
    }

    /// Items in id order, mutable.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.items.iter_mut()
    }
}

impl<I: Id, T> Default for Dense<I, T> {
    fn default() -> Self {
        Dense::new()
    }
}

impl<I: Id, T> Index<I> for Dense<I, T> {
    type Output = T;
    #[inline]
    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for Dense<I, T> {
    #[inline]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}

impl<I: Id, T> FromIterator<T> for Dense<I, T> {
    fn from_iter<It: IntoIterator<Item = T>>(iter: It) -> Self {
        Dense { items: iter.into_iter().collect(), key: PhantomData }
    }
}

impl<I: Id, T> IntoIterator for Dense<I, T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

impl<I: Id, T: fmt::Debug> fmt::Debug for Dense<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.enumerate()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::define_id!(
        /// An id for the test.
        struct Thing, "thing"
    );

    #[test]
    fn ids_are_handed_out_densely_and_print_readably() {
        let mut table: Dense<Thing, &str> = Dense::new();
        let a = table.push("a");
        let b = table.push("b");
        assert_eq!((a.index(), b.index()), (0, 1));
        assert_eq!(format!("{b}"), "thing1");
        assert_eq!(table[b], "b");
        assert_eq!(table.get(Thing(2)), None);
    }
}
