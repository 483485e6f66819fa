//! Lazy initialisation: memory that comes from outside of what is executed.
//!
//! A function of a larger program gets pointers from callers that nobody has written. Such an *input pointer* is a
//! placeholder: a pointer into an object that does not exist. It is copied, stored, passed on and moved like any pointer,
//! and decided when the program looks: compared with null it is null or not, and where its address or what it leads to
//! matters it leads to a new object of its type or is an alias of memory of that type that came from outside as well.
//! Each decision is an input, so that it forks as every choice does, and is repeated by a replay.
//!
//! Guarantees: a placeholder is never looked at as a number: what reads parts of its bytes ends the path as unsupported.
//! What is not offered as a decision (larger arrays, longer chains, other overlaps) is noted in the ledger or cuts the path.
//! Relies on: one thread; pointers with different provenance are never merged into one value.

mod decide;
mod model;
mod types;

use std::rc::Rc;

use selvedge_program::{Program, TypeId};

use crate::memory::Content;
use crate::source::Source;
use crate::value::{ObjId, Value};

pub(crate) use types::Pointee;
pub use types::{Part, parts};

/// How much memory there is behind pointers from outside. Whoever sets a number asks for it; what is `None` is chosen, and
/// then a path that is cut by it is not explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OutsideBounds {
    /// Scalars behind a pointer to one. Default is 4.
    pub elements: Option<u64>,
    /// Structures behind a pointer to one. Default is 1.
    pub structs: Option<u64>,
    /// New objects on the way from a variable along pointers. Default is 3.
    pub depth: Option<u32>,
    /// Texts need not end. Default is false: the last byte behind a pointer to `char` is zero.
    pub open_texts: bool,
}

impl OutsideBounds {
    /// Whether somebody has asked for these sizes.
    pub fn is_chosen(self) -> bool {
        self.elements.is_some() || self.structs.is_some()
    }

    pub(crate) fn elements(self) -> u64 {
        self.elements.unwrap_or(4).max(1)
    }

    pub(crate) fn structs(self) -> u64 {
        self.structs.unwrap_or(1).max(1)
    }

    pub(crate) fn ends_texts(self) -> bool {
        !self.open_texts
    }

    pub(crate) fn depth(self) -> u32 {
        self.depth.unwrap_or(3)
    }
}

/// What is known of an input pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// Nothing.
    Open,
    /// It is not null.
    NotNull,
    /// It is null.
    Null,
    /// It leads to this place.
    To {
        /// The object.
        obj: ObjId,
        /// The place in it.
        offset: u64,
        /// The object was made for this pointer.
        is_new: bool,
    },
}

/// A pointer that came from outside.
#[derive(Clone, Debug)]
pub struct InputPointer {
    /// How C names it: `p->next`.
    pub name: Rc<str>,
    pub(crate) to: Pointee,
    /// New objects on the way to it.
    pub(crate) depth: u32,
    /// What is known of it.
    pub standing: Standing,
}

/// Memory that came from outside.
#[derive(Clone, Debug)]
pub struct InputObject {
    /// The object.
    pub obj: ObjId,
    /// How C names it, or the pointer that leads to it.
    pub name: Rc<str>,
    /// The type of the object, or of one of its elements.
    pub ty: Option<TypeId>,
    /// Bytes of an element.
    pub element: u64,
    /// How many of them; a variable is one.
    pub count: u64,
    /// A variable of the program, and not what a pointer leads to.
    pub is_variable: bool,
    /// A text whose last character is zero.
    pub is_text: bool,
    /// Its bytes as they came.
    pub source: Source,
    /// The pointers in it: where, and their number.
    pub pointers: Vec<(u64, usize)>,
}

impl InputObject {
    /// The `len` bytes at `off`, as C writes them, and their type.
    pub fn cell_text(&self, program: &Program, off: u64, len: u64) -> (String, Option<TypeId>) {
        let mut path = String::new();
        let element = self.element.max(1);
        let inside = if self.is_variable { off } else { off % element };
        let ty = self.ty.and_then(|ty| crate::names::descend(program, &mut path, ty, inside, len));
        if self.is_variable {
            return (format!("{}{path}", self.name), ty);
        }
        match path.strip_prefix('.').filter(|_| off < element) {
            // The first element is what the pointer leads to.
            Some(field) => (format!("{}->{field}", crate::names::in_parentheses(&self.name)), ty),
            None => {
                let size = element * self.count;
                let text = crate::names::outside_name(program, &self.name, self.ty, size, off);
                (format!("{text}{path}"), ty)
            }
        }
    }

    /// The address of a place in it, as C writes it.
    fn address_text(&self, program: &Program, offset: u64, wanted: Option<TypeId>) -> String {
        let (index, inside) = (offset / self.element.max(1), offset % self.element.max(1));
        let path = self.ty.and_then(|ty| types::path(program, ty, inside, wanted)).unwrap_or_default();
        let name = crate::names::in_parentheses(&self.name);
        match (self.is_variable, index, path.is_empty()) {
            (true, ..) => format!("&{}{path}", self.name),
            (false, 0, true) => self.name.to_string(),
            (false, 0, false) if path.starts_with('.') => format!("&{name}->{}", &path[1..]),
            (false, ..) => format!("&{name}[{index}]{path}"),
        }
    }
}

/// What an execution left behind.
#[derive(Clone, Debug)]
pub struct Returned {
    /// The type.
    pub ty: Option<TypeId>,
    /// The value.
    pub content: Content,
}

/// All that came from outside so far.
#[derive(Clone, Debug, Default)]
pub struct Outside {
    /// Pointers.
    pub pointers: Vec<InputPointer>,
    /// Objects.
    pub objects: Vec<InputObject>,
    /// What the function returned.
    pub result: Option<Returned>,
    /// The path depends on where objects lie.
    pub sees_layout: bool,
}

impl Outside {
    /// What an input pointer is, as C writes it: `NULL`, `&p->next`. A new object is none of those that were there.
    pub fn target_text(&self, program: &Program, number: usize) -> String {
        let pointer = &self.pointers[number];
        match pointer.standing {
            Standing::Open => "any".to_owned(),
            Standing::NotNull => "not NULL".to_owned(),
            Standing::Null => "NULL".to_owned(),
            Standing::To { is_new: true, .. } => "a new object".to_owned(),
            Standing::To { obj, offset, .. } => {
                let wanted = match pointer.to {
                    Pointee::Type(ty) => Some(ty),
                    Pointee::Bytes | Pointee::Code => None,
                };
                let object = self.object(obj);
                object.map_or_else(
                    || "memory".to_owned(),
                    |object| object.address_text(program, offset, wanted),
                )
            }
        }
    }

    /// The object with this identity.
    pub fn object(&self, obj: ObjId) -> Option<&InputObject> {
        self.objects.iter().find(|object| object.obj == obj)
    }
}

/// Threads have smaller numbers, so that no object is mistaken for a placeholder.
const THREAD: u32 = 1023;
/// Where placeholders lie in the address space, where nothing else does.
const FIRST: [u64; 2] = [0xc000_0000, 0x5000_0000_0000];

/// The address of the placeholder with this number.
fn address(number: usize, ptr_bits: u32) -> u64 {
    if ptr_bits == 32 { FIRST[0] + ((number as u64) << 12) } else { FIRST[1] + ((number as u64) << 24) }
}

/// The input pointer with this number, as it is found in memory.
fn placeholder(number: usize, ptr_bits: u32) -> Value {
    Value::Ptr { obj: ObjId::heap(THREAD, number as u64), addr: address(number, ptr_bits) }
}

/// The number of the input pointer that a pointer is or was made from.
#[inline]
pub(crate) fn number_of(obj: ObjId) -> Option<usize> {
    (obj.thread() == THREAD && obj.region() == crate::value::Region::Heap).then(|| obj.index())
}

/// The number of the input pointer that a value is or was made from, and the address that stands for it.
pub fn input_pointer(value: Value, ptr_bits: u32) -> Option<(usize, u64)> {
    number(value).map(|number| (number, address(number, ptr_bits)))
}

/// As [`number_of`], of a value.
#[inline]
fn number(value: Value) -> Option<usize> {
    crate::ops::provenance(value).and_then(number_of)
}
