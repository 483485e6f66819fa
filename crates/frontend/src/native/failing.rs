//! Calls about files and streams that failed in the record although nothing spoke against it.

/// One of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IoFailure {
    /// The thread that makes it.
    pub thread: u32,
    /// It follows this point that the thread passes, counted from 1.
    pub point: u64,
    /// The number of that point in the program.
    pub site: u32,
    /// How often the same call could have failed before.
    pub after: u32,
    /// The number of the error, or one that is none for output that is cut short (`native/failing.c`).
    pub error: i32,
}

/// What the program calls instead.
pub(super) fn own_name(name: &str) -> String {
    format!("selvedge_failing_{name}")
}
