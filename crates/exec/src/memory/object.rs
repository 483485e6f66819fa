//! Memory objects.

use std::rc::Rc;

use selvedge_analysis::InstId;
use selvedge_base::Loc;
use selvedge_program::{Ty, TypeId};

use crate::memory::Content;
use crate::source::Piece;
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
    /// Behind a pointer that came from outside.
    Outside {
        /// How C names that pointer.
        name: Rc<str>,
        /// The type that it points to.
        ty: Option<TypeId>,
    },
    /// `malloc`, `calloc`, ...: the name of the function.
    Call(Rc<str>),
    /// Made by the engine (temporaries, by-value copies).
    Engine(Rc<str>),
    /// The variable arguments of a call.
    Arguments(Rc<[Passed]>),
    /// A text from outside that may be shorter than its object.
    Text {
        /// Its name.
        name: Rc<str>,
        /// Where it begins.
        at: u64,
        /// Its bytes as they came; the first zero among them ends it.
        piece: Piece,
    },
}

/// A variable argument in its object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Passed {
    /// Where it begins.
    pub at: u64,
    /// What it was passed as; `None` for a structure.
    pub ty: Option<Ty>,
}

/// How messages name the object of variable arguments.
const ARGUMENTS: &str = "the variable arguments";

impl Origin {
    /// How a message names the object.
    pub fn describe(&self) -> String {
        match self {
            Origin::Variable { name, .. } | Origin::Text { name, .. } => format!("`{name}`"),
            Origin::Outside { name, .. } => format!("what `{name}` points to"),
            Origin::Call(by) => format!("the block from `{by}`"),
            Origin::Engine(what) => what.to_string(),
            Origin::Arguments(_) => ARGUMENTS.to_string(),
        }
    }

    /// As far as it decides what may be done with the object.
    pub(crate) fn made_by(&self) -> MadeBy {
        match self {
            Origin::Variable { .. } => MadeBy::Variable,
            Origin::Engine(_) | Origin::Arguments(_) => MadeBy::Engine,
            Origin::Outside { .. } => MadeBy::Outside,
            Origin::Text { .. } => MadeBy::World,
            Origin::Call(by) => match &**by {
                "new" => MadeBy::New,
                "new[]" => MadeBy::NewArray,
                MAPPING => MadeBy::Mapping,
                KEPT => MadeBy::World,
                _ => MadeBy::Malloc,
            },
        }
    }

    /// What happened at the place where the object comes from.
    pub(crate) fn made(&self) -> &'static str {
        match self {
            Origin::Variable { .. } => "declared",
            Origin::Call(_) | Origin::Engine(_) | Origin::Arguments(_) | Origin::Text { .. } => "allocated",
            Origin::Outside { .. } => "first looked at",
        }
    }
}

/// The name of what makes [mappings](MadeBy::Mapping).
pub(crate) const MAPPING: &str = "mmap";
/// The name of what makes blocks of the [world](MadeBy::World).
pub(crate) const KEPT: &str = "the world";

/// What made an object, as far as it decides how it may be released and what questions about it are answered with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MadeBy {
    /// The program's text.
    Variable,
    /// The engine.
    Engine,
    /// Whoever calls what is executed.
    Outside,
    /// `malloc` and its relatives.
    Malloc,
    /// `new`.
    New,
    /// `new[]`.
    NewArray,
    /// `mmap`.
    Mapping,
    /// The run-time, to keep what the program did not ask for.
    World,
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
        let Object {
            id,
            base,
            size,
            align,
            status,
            writable,
            is_shared,
            has_locks,
            site,
            origin,
            maker,
            first,
            content: _, // the caller's business
        } = self;
        (id, base, size, align, status) == (&other.id, &other.base, &other.size, &other.align, &other.status)
            && (writable, is_shared, has_locks) == (&other.writable, &other.is_shared, &other.has_locks)
            && (site, maker, first, origin) == (&other.site, &other.maker, &other.first, &other.origin)
    }

    /// What a control state has of it.
    pub(crate) fn shape(&self, maker_number: &impl Fn(InstId) -> u64, out: &mut Vec<u64>) {
        let Object {
            id,
            base,
            size,
            align,
            status,
            writable,
            is_shared,
            origin,
            maker,
            // Whether anything is used there is told by the table of what is: this only saves looking into it.
            has_locks: _,
            // For messages.
            site: _,
            first: _,
            // State variables.
            content: _,
        } = self;
        let status = match status {
            Status::Live => 0u64,
            Status::Freed(_) => 1, // where it was freed is for messages
            Status::External => 2,
            Status::TooLarge => 3,
            Status::OutOfScope => 4,
        };
        // The generation of a local matters once others may have touched it.
        let id = if *is_shared { *id } else { id.denotation() };
        let flags = u64::from(*is_shared) << 1 | u64::from(*writable);
        // How its address may be looked at without relying on the layout, and how it may be released.
        let promises = u64::from(align.trailing_zeros()) << 3 | origin.made_by() as u64;
        let maker = maker.map_or(0, maker_number);
        out.extend([id.key(), *base, *size, maker << 16 | promises << 8 | status << 2 | flags]);
    }
}
