//! Arrays: reads resolve through writes whose indices can be told apart.
//!
//! A select is never of a constant array, of a store at the same index, or of a store
//! at an index that surely differs. A store does not overwrite the store just below at
//! the same index, nor write what is there anyway.

use crate::node::{Node, TermId};
use crate::pool::TermPool;
use crate::sort::{PackedSort, Sort};

impl TermPool {
    #[track_caller]
    fn array_widths(&self, array: TermId) -> (u32, u32) {
        match self.sort(array) {
            Sort::Array { index, elem } => (index, elem),
            other => panic!("{array} is not an array but of sort {other:?}"),
        }
    }

    /// The array that holds `elem` at every index of `index_width` bits.
    pub fn const_array(&mut self, index_width: u32, elem: TermId) -> TermId {
        let sort = Sort::Array { index: index_width, elem: self.width(elem) };
        self.intern(Node::ConstArray(elem), PackedSort::pack(sort))
    }

    /// The element of `array` at `index`.
    pub fn select(&mut self, array: TermId, index: TermId) -> TermId {
        let (index_width, elem_width) = self.array_widths(array);
        assert!(self.width(index) == index_width, "an index of {index_width} bits was expected");
        let mut array = array;
        loop {
            match *self.node(array) {
                Node::ConstArray(elem) => return elem,
                Node::Store(_, at, elem) if at == index => return elem,
                Node::Store(below, at, _) if self.surely_differ(at, index) => array = below,
                _ => return self.intern_bv(Node::Select(array, index), elem_width),
            }
        }
    }

    /// `array` with the element at `index` replaced by `value`.
    pub fn store(&mut self, array: TermId, index: TermId, value: TermId) -> TermId {
        let (index_width, elem_width) = self.array_widths(array);
        assert!(self.width(index) == index_width, "an index of {index_width} bits was expected");
        assert!(self.width(value) == elem_width, "an element of {elem_width} bits was expected");
        let mut array = array;
        while let Node::Store(below, at, _) = *self.node(array)
            && at == index
        {
            array = below;
        }
        match (*self.node(array), *self.node(value)) {
            (Node::ConstArray(elem), _) if elem == value => return array,
            (_, Node::Select(from, at)) if (from, at) == (array, index) => return array,
            _ => {}
        }
        self.intern(Node::Store(array, index, value), self.packed_sort(array))
    }
}
