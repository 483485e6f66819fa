//! Memory objects.

use std::rc::Rc;

use selvedge_analysis::InstId;
use selvedge_base::{Id, Loc};
use selvedge_program::TypeId;

use crate::memory::Content;
use crate::value::ObjId;

/// Whether an object may be accessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// It may.
    Live,
    /// It was freed there.
    Freed(Loc),
    /// Declared but defined nowhere in the program.
    External,
    /// Larger than what is modelled.
    TooLarge,
    /// Its scope ended (stack objects).
    OutOfScope,
}

/// What made an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A variable of the program.
    Variable {
        /// Its name.
        name: Rc<str>,
        /// Its source type.
        ty: Option<TypeId>,
    },
    /// `malloc`, `calloc`, ...: the name of the function.
    Call(Rc<str>),
    /// Made by the engine (variadic arguments, program arguments, by-value copies).
    Engine(Rc<str>),
}

impl Origin {
    /// How a message names the object.
    pub fn describe(&self) -> String {
        match self {
            Origin::Variable { name, .. } => format!("`{name}`"),
            Origin::Call(by) => format!("the block from `{by}`"),
            Origin::Engine(what) => what.to_string(),
        }
    }

    /// What happened at the place where the object comes from.
    pub(crate) fn made(&self) -> &'static str {
        match self {
            Origin::Variable { .. } => "declared",
            Origin::Call(_) | Origin::Engine(_) => "allocated",
        }
    }
}

/// A memory object.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its identity.
    pub id: ObjId,
    /// First address.
    pub base: u64,
    /// Size in bytes.
    pub size: u64,
    /// What its address is promised to be a multiple of.
    pub align: u32,
    /// Whether it may be accessed.
    pub status: Status,
    /// Whether it may be written.
    pub writable: bool,
    /// Whether a thread other than its own can reach it.
    pub is_shared: bool,
    /// Whether a synchronisation object was ever used in it.
    pub has_locks: bool,
    /// Where it was allocated or defined.
    pub site: Loc,
    /// What made it.
    pub origin: Origin,
    /// The instruction that made it, where that is asked for: with a slice, and not for what exists from the beginning.
    pub maker: Option<InstId>,
    /// Its identity when its slot of the stack was made: less than now if a loop has entered its block again since.
    pub first: ObjId,
    /// Its bytes; empty once dead.
    pub content: Content,
}

impl Object {
    /// The same object with another content.
    pub(crate) fn with_content(&self, content: Content) -> Object {
        Object {
            id: self.id,
            base: self.base,
            size: self.size,
            align: self.align,
            status: self.status,
            writable: self.writable,
            is_shared: self.is_shared,
            has_locks: self.has_locks,
            site: self.site,
            origin: self.origin.clone(),
            maker: self.maker,
            first: self.first,
            content,
        }
    }

    /// Whether two objects differ in nothing but their contents.
    pub(crate) fn is_like(&self, other: &Object) -> bool {
        let shape = |o: &Object| (o.id, o.base, o.size, o.status, o.writable, o.is_shared, o.site, o.maker);
        shape(self) == shape(other)
    }

    /// What a control state has of it. The generation of a local matters once others may have touched it.
    pub(crate) fn shape(&self, out: &mut Vec<u64>) {
        let id = if self.is_shared { self.id } else { self.id.denotation() };
        let status = match self.status {
            Status::Live => 0u64,
            Status::Freed(_) => 1,
            Status::External => 2,
            Status::TooLarge => 3,
            Status::OutOfScope => 4,
        };
        out.extend([id.key(), self.base, self.size]);
        let maker = self.maker.map_or(0, |maker| maker.index() as u64 + 1);
        out.push(maker << 8 | status << 2 | u64::from(self.is_shared) << 1 | u64::from(self.writable));
    }
}
