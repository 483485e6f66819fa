//! What is said of a function: one [`Row`], and the macro that makes a typed family of rows.
//!
//! A row is built by `const` functions, so that it names only what is not the rule. A family is an enumeration with one
//! variant for each row; whoever gives each of them a meaning does so by a `match` that the compiler checks.

use crate::action::Action;

/// Everything that is known of a function, or of several that do not differ.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Its names, with blanks between them.
    pub(crate) names: &'static str,
    /// What it takes and gives, see [`crate::Signature`].
    pub(crate) signature: &'static str,
    /// What it reads, writes, calls and ends.
    pub action: Action,
    /// Whether it can make its thread wait for others.
    pub waits: bool,
    /// When an execution outside of the engine (`replay --native`) calls a function of ours instead.
    pub native: &'static [Native],
    /// Of a function about time: which arguments are addresses, and what it does there. It does nothing else that its
    /// caller could see.
    pub about_time: Option<&'static [(u8, Use)]>,
    /// Which argument is a buffer that it may fill, and which ones make up how many bytes, as a product.
    pub may_fill: Option<(u8, &'static [u8])>,
    /// What it does, in a sentence.
    pub does: &'static str,
}

/// When `replay --native` has the program call a version of ours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Native {
    /// Always, and the parts of the run-time that are linked to the program call it as well.
    Everywhere,
    /// Always, by the program.
    Program,
    /// As `Program`, and the function takes the name of a file, so the recorded files are built.
    NamesFiles,
    /// Even where the program has a body of its own for it: the call is the error.
    Error,
    /// As `IfCallFails`; parts of the run-time that are linked to the program may call it as well.
    IfMemoryFails,
    /// If the making of threads and locks may fail.
    IfThreadsFail,
    /// If the record has a copy that was made in steps.
    IfCopied,
    /// If the record has a call that failed although nothing spoke against it.
    IfCallFails,
}

/// What a function does with what an argument points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// Reads it, at most.
    Reads,
    /// Writes all of it, so many words.
    Fills(u64),
    /// Writes some of it, perhaps.
    Writes,
}

impl Row {
    pub(crate) const fn new(names: &'static str, signature: &'static str, action: Action) -> Row {
        Row {
            names,
            signature,
            action,
            waits: false,
            native: &[],
            about_time: None,
            may_fill: None,
            does: "",
        }
    }

    /// A function that only the run-time or the compiler calls: its arguments need no check.
    pub(crate) const fn hook(names: &'static str, action: Action) -> Row {
        Row::new(names, ".:?", action)
    }

    pub(crate) const fn waits(self) -> Row {
        Row { waits: true, ..self }
    }

    pub(crate) const fn native(self, native: &'static [Native]) -> Row {
        Row { native, ..self }
    }

    pub(crate) const fn about_time(self, uses: &'static [(u8, Use)]) -> Row {
        Row { about_time: Some(uses), ..self }
    }

    pub(crate) const fn may_fill(self, buffer: u8, size: &'static [u8]) -> Row {
        Row { may_fill: Some((buffer, size)), ..self }
    }

    pub(crate) const fn does(self, does: &'static str) -> Row {
        Row { does, ..self }
    }

    /// Its name, or the first one.
    pub fn name(&self) -> &'static str {
        self.names().next().unwrap_or_default()
    }

    /// Its names.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.names.split_ascii_whitespace()
    }
}

/// Makes a family: an enumeration whose variants are rows, or another type that holds one. The documentation of a
/// variant is what the function does.
macro_rules! family {
    ($(#[$about:meta])* $family:ident { $($rest:tt)* }) => {
        $crate::row::family! { $(#[$about])* $family: $crate::row::Row { $($rest)* } }
    };
    ($(#[$about:meta])* $family:ident: $row_type:ty { $(#[doc = $does:literal] $variant:ident = $row:expr;)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum $family {
            $(#[doc = $does] $variant,)*
        }

        impl $family {
            /// All of them.
            pub const ALL: &[$family] = &[$($family::$variant),*];
            const ROWS: &[$row_type] = &[$($row.does($does)),*];

            /// What is known of it.
            pub fn row(self) -> &'static $row_type {
                &Self::ROWS[self as usize]
            }
        }
    };
}

pub(crate) use family;
