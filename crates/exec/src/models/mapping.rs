//! Anonymous memory mappings, behind `mmap` and `munmap` of the C run-time.
//!
//! A mapping is a heap block of whole pages, filled with zeros, that `free` does not release and that is no leak.
//! Guarantee: what is unmapped cannot be accessed any more; a part of a mapping is never unmapped by itself.

use selvedge_program::CmpOp;

use super::Model;
use crate::finding::{FindingKind, Res, unsupported};
use crate::memory::{Content, MAPPING, MAX_OBJECT, MadeBy, Status};
use crate::ops;
use crate::step::Step;
use crate::value::Value;
use selvedge_library::Mapping;

/// As on x86 and ARM.
const PAGE: u64 = 4096;
/// Sizes of one mapping to fork over.
const MAX_SIZES: usize = 128;

pub(super) fn model(function: Mapping) -> Model {
    match function {
        Mapping::Map => |s, _, _, v| s.map_pages(v[0]),
        Mapping::Unmap => |s, _, _, v| s.unmap_pages(v[0], v[1]),
    }
}

impl Step<'_, '_> {
    /// A mapping of `size` bytes or a few more.
    fn map_pages(&mut self, size: Value) -> Res<()> {
        let bits = self.ptr_bits();
        let size = self.concretise(size, bits, MAX_SIZES, "the size of a mapping")?;
        if size == 0 || size > MAX_OBJECT {
            return unsupported(format!("a mapping of {size} bytes"));
        }
        let size = size.next_multiple_of(PAGE);
        // Allocators that want a mapping on a multiple of its size trim one that is not; let it be one.
        let align = size.next_power_of_two();
        let block = self.block(size, align, MAPPING.into(), true)?;
        self.returns(block)
    }

    /// Ends a whole mapping.
    fn unmap_pages(&mut self, start: Value, size: Value) -> Res<()> {
        let bits = self.ptr_bits();
        let size = self.concretise(size, bits, MAX_SIZES, "the size of a mapping")?.next_multiple_of(PAGE);
        let start = self.settle_pointer(start)?;
        let obj = match start {
            Value::Ptr { obj, .. } | Value::SymPtr { obj, .. } => Some(obj),
            Value::Int(addr) => self.st.mem.find(addr),
            Value::Term(_) => None,
        };
        let object = obj.and_then(|obj| self.st.mem.get(obj));
        let mapping = object.filter(|o| o.origin.made_by() == MadeBy::Mapping);
        let Some((id, base, whole, status)) = mapping.map(|o| (o.id, o.base, o.size, o.status)) else {
            return self.finding(FindingKind::Misuse, "munmap of something that is not a mapping".to_owned());
        };
        if status != Status::Live {
            // Allowed, and without effect, as long as nothing else is there by now; nothing is.
            return self.returns_nothing();
        }
        let at_start = ops::cmp(&mut self.m.pool, CmpOp::Eq, bits, start, Value::Int(base));
        if !self.decide(at_start)? || size != whole {
            return unsupported("munmap of a part of a mapping");
        }
        self.touch_whole(id)?;
        let at = self.st.user_loc(self.m.image.program);
        let object = self.st.mem.get_mut(id).expect("found");
        object.status = Status::Freed(at);
        object.content = Content::default();
        self.has_changed(id);
        self.returns_nothing()
    }
}
