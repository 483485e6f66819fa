//! When what is known from earlier runs is not used at all.

use crate::outcome::Outcome;

/// Why a search was one from scratch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unused {
    /// Several workers number threads each for itself.
    Jobs,
    /// The answer depends on addresses, which are others in a program that was edited than in one that is new.
    Addresses,
}

/// Assumptions of answers that depend on addresses.
const OF_ADDRESSES: [&str; 2] = ["layout.address-bits", "layout.address-order"];

impl Outcome {
    /// Whether the answer depends on the addresses that objects have.
    pub fn depends_on_addresses(&self) -> bool {
        let of_bugs = self.bugs.iter().flat_map(|bug| &bug.assumptions);
        self.assumptions.iter().chain(of_bugs).any(|assumption| OF_ADDRESSES.contains(&assumption.id))
    }
}
