//! Run-time values and object identities.
//!
//! A value is concrete until it is symbolic: integer arithmetic on [`Value::Int`] builds no term.
//! A pointer is an address that remembers the object it was derived from, so an access knows its
//! object without a search and can never be mistaken for an access to a neighbouring object; where the
//! program treats a pointer as an integer it is its address. An object's address depends on the
//! allocating thread's own history only, so a pointer has the same bits in every interleaving.

use std::fmt;

use selvedge_term::TermId;
use serde::{Deserialize, Serialize};

/// Which family of storage an object belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Region {
    /// A global variable; the index is its `GlobalId`.
    Global,
    /// A function; the index is its `FuncId`.
    Function,
    /// Allocated by `malloc` and friends.
    Heap,
    /// A local variable in memory.
    Stack,
}

/// The identity of a memory object: region, owning thread, index, generation, packed in 56 bits.
///
/// The generation tells apart stack objects that occupy the same slot one after the other, so a
/// pointer to a dead local never denotes its successor. It counts modulo 2^24.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ObjId([u8; 7]);

impl ObjId {
    const INDEX_BITS: u64 = 32;
    const THREAD_BITS: u64 = 10;

    fn pack(region: Region, thread: u32, index: u64, generation: u32) -> ObjId {
        let tag = match region {
            Region::Global => 0u64,
            Region::Function => 1,
            Region::Heap => 2,
            Region::Stack => 3,
        };
        let (index, generation) = match region {
            // Stack: 20 bits of slot, 24 bits of generation; the others: 32 bits of index.
            Region::Stack => (index & 0xf_ffff, u64::from(generation & 0xff_ffff)),
            _ => (index & 0xffff_ffff, 0),
        };
        let bits = tag
            | (u64::from(thread) & 0x3ff) << 2
            | match region {
                Region::Stack => index << 12 | generation << 32,
                _ => index << (2 + ObjId::THREAD_BITS),
            };
        let bytes = bits.to_le_bytes();
        ObjId(bytes[..7].try_into().expect("seven of eight bytes"))
    }

    /// The object of a global variable (`thread` is non-zero for a thread's own copy of a thread-local one).
    pub fn global(index: usize, thread: u32) -> ObjId {
        ObjId::pack(Region::Global, thread, index as u64, 0)
    }

    /// The object that stands for a function's address.
    pub fn function(index: usize) -> ObjId {
        ObjId::pack(Region::Function, 0, index as u64, 0)
    }

    /// The `index`-th heap object of `thread`.
    pub fn heap(thread: u32, index: u64) -> ObjId {
        ObjId::pack(Region::Heap, thread, index, 0)
    }

    /// The object in stack slot `slot` of `thread` with this generation.
    pub fn stack(thread: u32, slot: u64, generation: u32) -> ObjId {
        ObjId::pack(Region::Stack, thread, slot, generation)
    }

    /// The identity that state variables use: locals are named by their place on the stack.
    pub fn denotation(self) -> ObjId {
        match self.region() {
            Region::Stack => ObjId::stack(self.thread(), self.index() as u64, 0),
            _ => self,
        }
    }

    /// The identity as a number.
    pub fn key(self) -> u64 {
        self.bits()
    }

    /// The object with this [key](Self::key).
    pub fn from_key(key: u64) -> ObjId {
        let bytes = key.to_le_bytes();
        let mut id = [0; 7];
        id.copy_from_slice(&bytes[..7]);
        ObjId(id)
    }

    fn bits(self) -> u64 {
        let mut bytes = [0u8; 8];
        bytes[..7].copy_from_slice(&self.0);
        u64::from_le_bytes(bytes)
    }

    /// Which family.
    pub fn region(self) -> Region {
        match self.0[0] & 3 {
            0 => Region::Global,
            1 => Region::Function,
            2 => Region::Heap,
            _ => Region::Stack,
        }
    }

    /// The owning thread.
    pub fn thread(self) -> u32 {
        (self.bits() >> 2 & 0x3ff) as u32
    }

    /// The index within the region (the slot, for stack objects).
    pub fn index(self) -> usize {
        let bits = self.bits();
        match self.region() {
            Region::Stack => (bits >> 12 & 0xf_ffff) as usize,
            _ => (bits >> (2 + ObjId::THREAD_BITS) & ((1 << ObjId::INDEX_BITS) - 1)) as usize,
        }
    }

    /// The generation of a stack object; 0 elsewhere.
    pub fn generation(self) -> u32 {
        match self.region() {
            Region::Stack => (self.bits() >> 32) as u32,
            _ => 0,
        }
    }
}

impl fmt::Debug for ObjId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (thread, index) = (self.thread(), self.index());
        match self.region() {
            Region::Global => write!(f, "global{index}/t{thread}"),
            Region::Function => write!(f, "func{index}"),
            Region::Heap => write!(f, "heap{index}/t{thread}"),
            Region::Stack => write!(f, "stack{index}.{}/t{thread}", self.generation()),
        }
    }
}

/// The value of a register or of an aligned scalar in memory.
///
/// Integers wider than 64 bits and 80/128-bit floats are always [`Value::Term`] (constant terms when
/// concrete). Everything else that is known is `Int` or `Ptr`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// A concrete bit pattern of at most 64 bits, zero-extended. Null is `Int(0)`.
    Int(u64),
    /// A concrete address that was derived from `obj`; as an integer it is just `addr`.
    Ptr {
        /// The object accesses through it must stay in.
        obj: ObjId,
        /// Address, modulo the target's pointer width.
        addr: u64,
    },
    /// As `Ptr`, with a symbolic address of the target's pointer width.
    SymPtr {
        /// The object.
        obj: ObjId,
        /// Address.
        addr: TermId,
    },
    /// A symbolic bit pattern of the width the context says.
    Term(TermId),
}

impl Value {
    /// The value of a comparison.
    pub fn bool(b: bool) -> Value {
        Value::Int(u64::from(b))
    }
}

/// The low `width` bits of `value`.
#[inline]
pub(crate) fn truncate(value: u64, width: u32) -> u64 {
    if width >= 64 { value } else { value & ((1u64 << width) - 1) }
}

/// `value`, a pattern of `width` bits, as a signed number.
#[inline]
pub(crate) fn sign_extend(value: u64, width: u32) -> i64 {
    if width >= 64 { value as i64 } else { ((value << (64 - width)) as i64) >> (64 - width) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identities_unpack_to_what_was_packed() {
        let h = ObjId::heap(3, 0x1234_5678);
        assert_eq!((h.region(), h.thread(), h.index()), (Region::Heap, 3, 0x1234_5678));
        let s = ObjId::stack(7, 0xf_fff0, 0xab_cdef);
        assert_eq!(
            (s.region(), s.thread(), s.index(), s.generation()),
            (Region::Stack, 7, 0xf_fff0, 0xab_cdef)
        );
        assert_ne!(ObjId::stack(7, 5, 1), ObjId::stack(7, 5, 2));
        assert_eq!(ObjId::global(9, 0).index(), 9);
        assert_eq!(ObjId::function(9).region(), Region::Function);
    }

    #[test]
    fn a_value_is_sixteen_bytes() {
        assert_eq!(std::mem::size_of::<Value>(), 16);
    }

    #[test]
    fn sign_extension_keeps_the_sign_bit() {
        assert_eq!(sign_extend(0x80, 8), -128);
        assert_eq!(sign_extend(0x7f, 8), 127);
        assert_eq!(truncate(0x1ff, 8), 0xff);
    }
}
