//! What is checked.

/// The properties that decide what counts as a failure.
///
/// Invalid accesses, divisions by zero and misuse of library functions are not here: whether or not they are checked,
/// nothing is known about what follows one, so reaching one always matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Properties {
    /// Failed assertions, `abort`, traps.
    pub assertions: bool,
    /// Calls of `reach_error` and `__VERIFIER_error`.
    pub errors: bool,
    /// Threads that wait for ever, spinning ones included.
    pub deadlocks: bool,
    /// Signed overflow.
    pub overflows: bool,
    /// Shift amounts and other operands that are out of range.
    pub operands: bool,
    /// Memory that is lost or not released at the end. Everything matters for this one.
    pub leaks: bool,
    /// Data races. Everything matters for this one.
    pub races: bool,
}

impl Properties {
    /// Nothing counts but what always does.
    pub const NONE: Properties = Properties {
        assertions: false,
        errors: false,
        deadlocks: false,
        overflows: false,
        operands: false,
        leaks: false,
        races: false,
    };

    /// The checked property for which everything matters, if there is one.
    pub(crate) const fn everything_matters(self) -> Option<&'static str> {
        match self {
            Properties { races: true, .. } => Some("data races are checked"),
            Properties { leaks: true, .. } => Some("leaks are checked"),
            Properties {
                races: false,
                leaks: false,
                // `Failing` names the instructions that can fail because of these.
                assertions: _,
                errors: _,
                overflows: _,
                operands: _,
                // That a thread goes on always matters; `Analysis::can_spin` names the loops that may not end.
                deadlocks: _,
            } => None,
        }
    }

    /// What counts here or there.
    #[must_use]
    pub fn or(self, other: Properties) -> Properties {
        let Properties { assertions, errors, deadlocks, overflows, operands, leaks, races } = other;
        Properties {
            assertions: self.assertions || assertions,
            errors: self.errors || errors,
            deadlocks: self.deadlocks || deadlocks,
            overflows: self.overflows || overflows,
            operands: self.operands || operands,
            leaks: self.leaks || leaks,
            races: self.races || races,
        }
    }
}

impl Default for Properties {
    fn default() -> Self {
        Properties { assertions: true, errors: true, deadlocks: true, ..Properties::NONE }
    }
}
