//! Memory: allocation, mappings, copies, and questions about pointers.

use crate::action::Action::{Alloc, AllocTo, Copy, Free, Realloc, Set, Sync};
use crate::row::Native::{IfCopied, IfMemoryFails};
use crate::row::{Row, family};

/// Which allocation and release belong together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operator {
    /// `malloc`, `free` and relatives.
    Malloc,
    /// `new` and `delete`.
    New,
    /// `new[]` and `delete[]`.
    NewArray,
}

family! {
    /// Allocation and release.
    Heap {
        /// Makes an object of so many bytes.
        Malloc = Row::new("malloc valloc", "p:p", Alloc { size: [Some(0), None] }).native(&[IfMemoryFails]);
        /// Makes an object of so many bytes, for `delete`.
        New = Row::new("_Znwm _Znwj", "p:p", Alloc { size: [Some(0), None] });
        /// Makes an array of so many bytes, for `delete[]`.
        NewArray = Row::new("_Znam _Znaj", "p:p", Alloc { size: [Some(0), None] });
        /// Makes an array of zeros.
        Calloc = Row::new("calloc", "pp:p", Alloc { size: [Some(0), Some(1)] }).native(&[IfMemoryFails]);
        /// Makes an object of another size with the same content.
        Realloc = Row::new("realloc", "pp:p", Realloc).native(&[IfMemoryFails]);
        /// Makes an array of another length with the same content.
        ReallocArray = Row::new("reallocarray", "ppp:p", Realloc).native(&[IfMemoryFails]);
        /// Makes an object at a multiple of a power of two.
        AlignedAlloc = Row::new("aligned_alloc", "pp:p", Alloc { size: [Some(1), None] }).native(&[IfMemoryFails]);
        /// Makes an object at a multiple of the next power of two.
        Memalign = Row::new("memalign", "pp:p", Alloc { size: [Some(1), None] }).native(&[IfMemoryFails]);
        /// Makes an object at a multiple of a power of two, and stores its address.
        PosixMemalign = Row::new("posix_memalign", "ppp:i", AllocTo).native(&[IfMemoryFails]);
        /// Releases an object.
        Free = Row::new("free cfree", "p.:v", Free);
        // Sized forms have one more argument, which says nothing new.
        /// Releases an object of `new`.
        Delete = Row::new("_ZdlPv _ZdlPvm _ZdlPvj", "p.:v", Free);
        /// Releases an array of `new[]`.
        DeleteArray = Row::new("_ZdaPv _ZdaPvm _ZdaPvj", "p.:v", Free);
        // It looks at an object's size and life, which frees of other threads end: no better than `Sync`.
        /// Tells the size of an object.
        UsableSize = Row::new("malloc_usable_size", "p:p", Sync);
    }
}

family! {
    /// Pages for `mmap`, which is C code.
    Mapping {
        /// Makes pages.
        Map = Row::new("__selvedge_map", "p:p", Alloc { size: [Some(0), None] });
        /// Takes pages away.
        Unmap = Row::new("__selvedge_unmap", "pp:v", Free);
    }
}

const fn copy(is_end: bool, overlap: bool) -> crate::Action {
    Copy { to: 0, from: 1, len: 2, is_end, overlap }
}

family! {
    /// Copies and fills.
    Copying {
        /// Copies bytes that do not overlap.
        Memcpy = Row::new("memcpy", "ppp:p", copy(false, false)).native(&[IfCopied]);
        /// `memcpy`, with the room at the target.
        MemcpyChecked = Row::new("__memcpy_chk", "pppp:p", copy(false, false)).native(&[IfCopied]);
        /// Copies bytes and gives the end of the target.
        Mempcpy = Row::new("mempcpy", "ppp:p", copy(true, false)).native(&[IfCopied]);
        /// Copies bytes that may overlap.
        Memmove = Row::new("memmove", "ppp:p", copy(false, true)).native(&[IfCopied]);
        /// `memmove`, with the room at the target.
        MemmoveChecked = Row::new("__memmove_chk", "pppp:p", copy(false, true)).native(&[IfCopied]);
        /// Copies bytes that may overlap, source first.
        Bcopy = Row::new("bcopy", "ppp:v", Copy { to: 1, from: 0, len: 2, is_end: false, overlap: true })
            .native(&[IfCopied]);
        /// Fills bytes.
        Memset = Row::new("memset", "pip:p", Set { len: 2 }).native(&[IfCopied]);
        /// `memset`, with the room at the target.
        MemsetChecked = Row::new("__memset_chk", "pipp:p", Set { len: 2 }).native(&[IfCopied]);
        /// Fills bytes with zero.
        Bzero = Row::new("bzero explicit_bzero", "pp:v", Set { len: 1 }).native(&[IfCopied]);
    }
}

family! {
    /// Questions about pointers, as CBMC and ESBMC ask them, and the run-time. All look at lives that frees of other threads end.
    Pointers {
        /// Whether so many bytes can be read.
        Readable = Row::new("__CPROVER_r_ok __ESBMC_r_ok", "pp:t", Sync);
        /// Whether so many bytes can be written.
        Writable = Row::new("__CPROVER_w_ok __CPROVER_rw_ok __ESBMC_w_ok __ESBMC_rw_ok", "pp:t", Sync);
        /// The size of the object.
        ObjectSize = Row::new("__CPROVER_OBJECT_SIZE __ESBMC_get_object_size", "p:p", Sync);
        /// The distance from the begin of the object.
        Offset = Row::new("__CPROVER_POINTER_OFFSET __ESBMC_POINTER_OFFSET", "p:p", Sync);
        /// A number for the object.
        Object = Row::new("__CPROVER_POINTER_OBJECT __ESBMC_POINTER_OBJECT", "p:p", Sync);
        /// Whether two pointers have the same object.
        SameObject = Row::new("__CPROVER_same_object __ESBMC_same_object", "pp:t", Sync);
        /// Whether the object was allocated.
        IsDynamic = Row::new("__CPROVER_DYNAMIC_OBJECT", "p:t", Sync);
        /// Fails unless so many bytes can be written.
        MustFit = Row::hook("__selvedge_must_fit", Sync);
        /// How many bytes there are up to the end of the object; fails if none can be written.
        Room = Row::hook("__selvedge_room", Sync);
    }
}
