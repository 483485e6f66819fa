//! How interleavings are reduced, and what the layers around the search have to know of each reduction.
//!
//! Guarantee: a reduction whose [`Parts`] nobody has decided does not compile, and everybody else asks for these parts,
//! not for the reduction. A list of reductions is one over [`ReductionKind::ALL`].

use selvedge_base::listed_enum;
use selvedge_explore::SummaryLimits;

/// How interleavings are reduced (the three columns of FSE 2015).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reduction {
    /// Plain enumeration.
    None,
    /// Dynamic partial-order reduction.
    Dpor(Dpor),
    /// DPOR, predicate summaries and slicing. Default.
    Ag(Ag),
}

impl Default for Reduction {
    fn default() -> Self {
        Reduction::Ag(Ag::default())
    }
}

listed_enum! {
    /// A reduction without its switches.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum ReductionKind {
        /// [`Reduction::None`].
        None,
        /// [`Reduction::Dpor`].
        Dpor,
        /// [`Reduction::Ag`].
        Ag,
    }
}

/// What a reduction does. Whoever reads one of these need not know which reduction it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parts {
    /// How equivalent interleavings are left out, if they are.
    pub(crate) dpor: Option<Dpor>,
    /// The bounds of the table of summaries, if states that are known to be safe are left out.
    pub(crate) summaries: Option<SummaryLimits>,
    /// Whether only interleavings of what matters are looked at.
    pub(crate) slice: bool,
    /// Whether the search is about assertions, and ends once all of them are known to fail.
    pub(crate) is_guided: bool,
}

impl Reduction {
    /// What it does.
    pub(crate) const fn parts(&self) -> Parts {
        match self {
            Reduction::None => Parts { dpor: None, summaries: None, slice: false, is_guided: false },
            Reduction::Dpor(dpor) => {
                Parts { dpor: Some(*dpor), summaries: None, slice: false, is_guided: false }
            }
            Reduction::Ag(Ag { dpor, summaries, slice }) => {
                Parts { dpor: *dpor, summaries: *summaries, slice: *slice, is_guided: true }
            }
        }
    }

    /// Which one it is.
    pub const fn kind(&self) -> ReductionKind {
        match self {
            Reduction::None => ReductionKind::None,
            Reduction::Dpor(_) => ReductionKind::Dpor,
            Reduction::Ag(_) => ReductionKind::Ag,
        }
    }

    /// The name on the command line and in JSON.
    pub const fn name(&self) -> &'static str {
        self.kind().name()
    }
}

impl ReductionKind {
    /// The name on the command line and in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            ReductionKind::None => "none",
            ReductionKind::Dpor => "dpor",
            ReductionKind::Ag => "ag",
        }
    }

    /// The reduction of this name.
    pub fn named(name: &str) -> Option<ReductionKind> {
        ReductionKind::ALL.iter().copied().find(|kind| kind.name() == name)
    }

    /// The reduction with all its parts.
    pub fn whole(self) -> Reduction {
        match self {
            ReductionKind::None => Reduction::None,
            ReductionKind::Dpor => Reduction::Dpor(Dpor::default()),
            ReductionKind::Ag => Reduction::Ag(Ag::default()),
        }
    }
}

/// The switches of dynamic partial-order reduction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dpor {
    /// What is noted to be explored after a race. Default is wakeup trees.
    pub backtrack: Backtrack,
    /// Let threads sleep that were explored before. Default is true.
    pub sleep: bool,
}

impl Default for Dpor {
    fn default() -> Self {
        Dpor { backtrack: Backtrack::default(), sleep: true }
    }
}

/// What is noted to be explored after a race.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Backtrack {
    /// Sequences of steps: no execution is started in vain. Default.
    #[default]
    WakeupTrees,
    /// Threads; some executions are then started in vain.
    SourceSets,
}

/// The switches of the reduction with summaries and slicing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ag {
    /// Leave out equivalent interleavings. Default is so.
    pub dpor: Option<Dpor>,
    /// Leave out what a summary says is safe, with these bounds of the table of summaries. Default is so.
    pub summaries: Option<SummaryLimits>,
    /// Look only at interleavings of what matters. Default is true.
    pub slice: bool,
}

impl Default for Ag {
    fn default() -> Self {
        Ag { dpor: Some(Dpor::default()), summaries: Some(SummaryLimits::default()), slice: true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_that_of_its_reduction_and_has_a_name_of_its_own() {
        for kind in ReductionKind::ALL {
            assert_eq!(kind.whole().kind(), *kind);
            assert_eq!(ReductionKind::named(kind.name()), Some(*kind));
        }
    }
}
