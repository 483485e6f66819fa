//! What can be checked.

/// A checked property.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Property {
    /// `assert`, `reach_error`, `abort`, traps.
    Assert,
    /// Null, wild, out-of-bounds, use after free/scope, double and invalid free.
    Memory,
    /// Division by zero, `INT_MIN / -1`.
    Div,
    /// Signed overflow, bad shifts.
    Overflow,
    /// Memory never freed and unreachable at exit.
    Leak,
    /// No thread can move. Needs threads.
    Deadlock,
    /// Unordered conflicting accesses. Needs threads.
    Race,
    /// `reach_error` and `__VERIFIER_error` only: assertions and `abort` just end the program.
    Reach,
    /// Memory never freed, reachable at exit or not.
    Cleanup,
    /// A branch, address or output that depends on a value that was never written.
    Uninit,
    /// An index past an array inside a larger object, a variable-length array of no positive length.
    Bounds,
    /// An access whose address does not suit its type.
    Align,
    /// Unsigned arithmetic that wraps around.
    Unsigned,
}

impl Property {
    /// All properties with their command-line names.
    pub const ALL: [(Property, &'static str); 13] = [
        (Property::Assert, "assert"),
        (Property::Memory, "memory"),
        (Property::Div, "div"),
        (Property::Overflow, "overflow"),
        (Property::Leak, "leak"),
        (Property::Deadlock, "deadlock"),
        (Property::Race, "race"),
        (Property::Reach, "reach"),
        (Property::Cleanup, "cleanup"),
        (Property::Uninit, "uninit"),
        (Property::Bounds, "bounds"),
        (Property::Align, "align"),
        (Property::Unsigned, "unsigned"),
    ];

    /// The properties checked when the user names none.
    pub const DEFAULT: [Property; 4] =
        [Property::Assert, Property::Memory, Property::Deadlock, Property::Div];

    /// The name on the command line and in JSON.
    pub fn name(self) -> &'static str {
        Property::ALL.iter().find(|(p, _)| *p == self).expect("every property is listed").1
    }
}
