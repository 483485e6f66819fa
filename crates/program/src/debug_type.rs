//! Source-level types from debug information, for names and value formatting only.
//! Nothing in the semantics depends on them.

use selvedge_base::define_id;

define_id!(
    /// A source-level type.
    pub struct TypeId, "ty"
);

/// How the bits of a basic type read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Encoding {
    /// Two's complement.
    Signed,
    /// Natural number.
    Unsigned,
    /// `char`-like: shown as number and character.
    Char,
    /// `_Bool`.
    Bool,
    /// Floating point.
    Float,
}

/// A member of a struct or union.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Field {
    /// Name; empty for anonymous members.
    pub name: String,
    /// Offset from the start of the struct, in bits.
    pub bit_offset: u64,
    /// Size in bits (differs from the type's size for bit-fields).
    pub bit_size: u64,
    /// Type.
    pub ty: TypeId,
}

/// A source-level type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum DebugType {
    /// `int`, `unsigned char`, `double`, ...
    Basic {
        /// Source name.
        name: String,
        /// Size in bytes.
        size: u64,
        /// How to read the bits.
        encoding: Encoding,
    },
    /// A pointer or reference; `None` is `void *`.
    Pointer {
        /// What it points to.
        to: Option<TypeId>,
    },
    /// A struct, class or union.
    Record {
        /// Source name, with `struct`/`union`; may be empty.
        name: String,
        /// Size in bytes.
        size: u64,
        /// Members; those of a union overlap.
        fields: Vec<Field>,
    },
    /// An array.
    Array {
        /// Element type.
        elem: TypeId,
        /// Number of elements (0 if unknown).
        count: u64,
    },
    /// An enumeration.
    Enum {
        /// Source name.
        name: String,
        /// Size in bytes.
        size: u64,
        /// Enumerators.
        values: Vec<(String, i64)>,
    },
    /// A `typedef`.
    Alias {
        /// Source name.
        name: String,
        /// The aliased type.
        to: Option<TypeId>,
    },
    /// Function types, `void`, and what is not decoded.
    Other {
        /// Text to show.
        name: String,
    },
}
