//! Abstract objects: what a pointer can point to, one for all concrete objects made at one place.

use selvedge_base::define_id;
use selvedge_program::{FuncId, GlobalId};

use crate::layout::InstId;

define_id!(
    /// An abstract object.
    pub struct ObjectId, "o"
);

/// Where the objects that an abstract object stands for come from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Origin {
    /// A global variable; for a thread-local one the copies of all threads.
    Global(GlobalId),
    /// The code of a function.
    Function(FuncId),
    /// The local variable of an `alloca`, in all calls.
    Local(InstId),
    /// The copy that a call makes of an argument passed by value.
    Copied(InstId, u32),
    /// What calls of an allocation function return at one place.
    Heap(InstId),
    /// The variable arguments of a function.
    VarArgs(FuncId),
    /// `argv`, the environment and the strings they hold.
    Arguments,
}

/// An offset that is not known.
pub(crate) const ANY: i64 = i64::MIN;

/// A byte range in an object: from `offset` (or anywhere), so many bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Range {
    pub(crate) offset: i64,
    pub(crate) len: u64,
}

impl Range {
    pub(crate) const ALL: Range = Range { offset: ANY, len: u64::MAX };

    pub(crate) fn overlaps(self, other: Range) -> bool {
        if self.offset == ANY || other.offset == ANY {
            return true;
        }
        let end = |r: Range| i128::from(r.offset) + i128::from(r.len);
        i128::from(self.offset) < end(other) && i128::from(other.offset) < end(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_overlap_if_they_share_a_byte_or_one_is_anywhere() {
        let at = |offset, len| Range { offset, len };
        assert!(at(0, 4).overlaps(at(3, 1)) && at(3, 1).overlaps(at(0, 4)));
        assert!(!at(0, 4).overlaps(at(4, 4)) && !at(4, 4).overlaps(at(0, 4)));
        assert!(at(8, 1).overlaps(Range::ALL) && at(ANY, 4).overlaps(at(100, 1)));
        assert!(at(i64::MAX, u64::MAX).overlaps(at(i64::MAX, 1)));
    }
}
