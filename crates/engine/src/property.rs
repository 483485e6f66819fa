//! What can be checked, and what the layers around the search have to know of each property.
//!
//! Guarantee: a property whose [`Facts`] nobody has decided does not compile; nothing else is asked by the name of a
//! property, except where a flag, a format or the list of assertions is about that one.

use selvedge_analysis::Properties;
use selvedge_base::listed_enum;
use selvedge_exec::FindingKind;

listed_enum! {
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
}

/// What is known of a property. Whoever rests on one of these answers says at the match why.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// The name on the command line and in JSON.
    pub name: &'static str,
    /// The classes of findings that violate it.
    pub kinds: &'static [FindingKind],
    /// What decides whether an execution violates it.
    pub about: About,
    /// What can fail because of it. Calls that sanitizers have put in, invalid accesses and divisions by zero always
    /// can.
    pub fails: Properties,
    /// Which lists of properties have it.
    pub chosen: Chosen,
    /// What it needs to be told of the source.
    pub mark: Option<SourceMark>,
}

/// What decides whether an execution violates a property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum About {
    /// What one step finds in registers and memory.
    Steps,
    /// Whether threads wait for ever.
    Waits,
    /// Which blocks of memory there are at the end.
    Blocks,
    /// From which objects pointers were derived.
    Pointers,
    /// Which accesses came before which.
    Order,
    /// Whether values were ever written.
    Written,
}

/// Which lists of properties have one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Chosen {
    /// Those that are checked when the user names none, and `all`.
    ByDefault,
    /// `all`.
    InAll,
    /// None: most programs are meant to violate it.
    ByName,
}

/// What only the source shows, so that clang has to mark it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SourceMark {
    /// Shifts and conversions.
    Overflow,
    /// The bounds of arrays.
    Bounds,
    /// Types of accesses.
    Align,
    /// Unsigned arithmetic.
    Unsigned,
}

impl Property {
    /// What is known of it.
    pub const fn facts(self) -> Facts {
        use FindingKind as Kind;
        let none = Properties::NONE;
        match self {
            Property::Assert => Facts {
                name: "assert",
                kinds: &[Kind::Assert, Kind::Error],
                about: About::Steps,
                fails: Properties { assertions: true, errors: true, ..none },
                chosen: Chosen::ByDefault,
                mark: None,
            },
            Property::Memory => Facts {
                name: "memory",
                kinds: &[Kind::Memory, Kind::Free, Kind::Misuse],
                about: About::Steps,
                fails: none,
                chosen: Chosen::ByDefault,
                mark: None,
            },
            Property::Div => Facts {
                name: "div",
                kinds: &[Kind::Div, Kind::DivOverflow],
                about: About::Steps,
                fails: none,
                chosen: Chosen::ByDefault,
                mark: None,
            },
            Property::Overflow => Facts {
                name: "overflow",
                kinds: &[Kind::Overflow, Kind::Operand, Kind::DivOverflow],
                about: About::Steps,
                fails: Properties { overflows: true, operands: true, ..none },
                chosen: Chosen::InAll,
                mark: Some(SourceMark::Overflow),
            },
            Property::Leak => Facts {
                name: "leak",
                kinds: &[Kind::Leak],
                about: About::Pointers,
                fails: Properties { leaks: true, ..none },
                chosen: Chosen::InAll,
                mark: None,
            },
            Property::Deadlock => Facts {
                name: "deadlock",
                kinds: &[Kind::Deadlock, Kind::Livelock],
                about: About::Waits,
                fails: Properties { deadlocks: true, ..none },
                chosen: Chosen::ByDefault,
                mark: None,
            },
            Property::Race => Facts {
                name: "race",
                kinds: &[Kind::Race],
                about: About::Order,
                fails: Properties { races: true, ..none },
                chosen: Chosen::InAll,
                mark: None,
            },
            Property::Reach => Facts {
                name: "reach",
                kinds: &[Kind::Error],
                about: About::Steps,
                fails: Properties { errors: true, ..none },
                chosen: Chosen::InAll,
                mark: None,
            },
            Property::Cleanup => Facts {
                name: "cleanup",
                kinds: &[Kind::Cleanup],
                about: About::Blocks,
                fails: Properties { leaks: true, ..none },
                chosen: Chosen::ByName,
                mark: None,
            },
            Property::Uninit => Facts {
                name: "uninit",
                kinds: &[Kind::Uninit],
                about: About::Written,
                fails: none,
                chosen: Chosen::InAll,
                mark: None,
            },
            Property::Bounds => Facts {
                name: "bounds",
                kinds: &[Kind::Bounds],
                about: About::Steps,
                fails: none,
                chosen: Chosen::InAll,
                mark: Some(SourceMark::Bounds),
            },
            Property::Align => Facts {
                name: "align",
                kinds: &[Kind::Align],
                about: About::Steps,
                fails: none,
                chosen: Chosen::InAll,
                mark: Some(SourceMark::Align),
            },
            Property::Unsigned => Facts {
                name: "unsigned",
                kinds: &[Kind::Unsigned],
                about: About::Steps,
                fails: none,
                chosen: Chosen::ByName,
                mark: Some(SourceMark::Unsigned),
            },
        }
    }

    /// The name on the command line and in JSON.
    pub const fn name(self) -> &'static str {
        self.facts().name
    }

    /// The property with this name.
    pub fn named(name: &str) -> Option<Property> {
        Property::ALL.iter().copied().find(|property| property.name() == name)
    }

    /// The properties checked when the user names none.
    pub fn defaults() -> Vec<Property> {
        let is_default = |property: &Property| property.facts().chosen == Chosen::ByDefault;
        Property::ALL.iter().copied().filter(is_default).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bugs::kind_of;
    use crate::outcome::BugKind;

    #[test]
    fn a_bug_violates_a_property_that_was_checked_for_its_kind() {
        for kind in BugKind::ALL {
            let facts = kind.property().facts();
            assert!(
                facts.kinds.iter().any(|k| kind_of(*k) == *kind),
                "{kind:?} is no kind of {}",
                facts.name
            );
        }
    }

    #[test]
    fn names_of_properties_are_told_apart() {
        for property in Property::ALL {
            assert_eq!(Property::named(property.name()), Some(*property));
        }
    }
}
