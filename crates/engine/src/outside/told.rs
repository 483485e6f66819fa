//! What is told of memory from outside, as plain data.

/// What one path says about memory from outside.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OutsideCase {
    /// The conjuncts of the path condition in C, in the order in which they were decided.
    pub condition: Vec<String>,
    /// The negation of the last conjunct: under it the path is not taken.
    pub excluded: Option<String>,
    /// Objects that came from outside.
    pub objects: Vec<OutsideObject>,
    /// Pointers that are not null, and whose target makes no difference.
    pub others: usize,
    /// The path depends on where objects lie, which is another matter elsewhere.
    pub sees_layout: bool,
    /// What the function returned; `None` if it did not, or returns nothing.
    pub result: Option<Vec<Cell>>,
    /// The same as expressions over the arguments, for each part that depends on them.
    pub result_texts: Vec<Option<String>>,
}

/// An object that came from outside.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OutsideObject {
    /// How C names it, or the pointer that it was found by.
    pub name: String,
    /// The C type of an element; empty if it is not known.
    pub ty: String,
    /// Bytes of an element.
    pub element: u64,
    /// How many elements there are.
    pub count: u64,
    /// A variable, and not what a pointer leads to.
    pub is_variable: bool,
    /// It was released.
    pub is_freed: bool,
    /// Its content before.
    pub before: Vec<Cell>,
    /// Its content after, as far as it is known.
    pub after: Vec<Cell>,
}

/// A scalar in an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cell {
    /// The way to it: `[0].next`.
    pub path: String,
    /// Its first byte.
    pub offset: u64,
    /// Its C type.
    pub ty: String,
    /// Its value.
    pub value: CellValue,
}

/// The value of a scalar.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CellValue {
    /// A number, as C writes it.
    Number(String),
    /// Bytes of which no more is known.
    Bytes(Vec<u8>),
    /// A null pointer.
    Null,
    /// A pointer into an object from outside.
    Address {
        /// Which one.
        object: usize,
        /// The place in it.
        offset: u64,
    },
    /// A pointer that is not null, and is not used otherwise; each of them is another one.
    Other(usize),
    /// A pointer to memory that did not come from outside.
    Elsewhere,
}
