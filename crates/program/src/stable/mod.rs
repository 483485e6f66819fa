//! Names and content hashes that an edit elsewhere leaves as they are.
//!
//! Ids number things in the order in which one compilation met them, so any edit renumbers them. What is to be compared
//! between two versions of a program, or kept for the next one, is named and hashed here instead:
//! - [`Names`]: functions and globals by name, those that share one also by file; unnamed constants by content;
//! - [`Fingerprint`]: one [`Digest`] for each function and global, and one for the rest of the program;
//! - an instruction by the name of its function, the number of its block and its position there, which mean the same in
//!   every program in which the function has the same digest.
//!
//! Guarantees: names are unique in a program. Two functions with one digest are equal up to the numbers of ids, the
//! places in the source and the names of locals, under the correspondence of globals and functions by name. What an
//! execution depends on is the digests of the functions and globals that it meets, the digest of the rest, and where
//! the program looks at addresses also the digest of the layout.
//! Relies on: SHA-256, of which half is kept, has no collisions.
//! Checked by: each part is taken apart field by field, so that a new field does not compile before somebody has decided;
//! `tests/stable.rs` edits random programs.

mod content;
mod digest;
mod names;

pub use content::{Content, Fingerprint};
pub use digest::{Digest, Hasher};
pub use names::Names;
