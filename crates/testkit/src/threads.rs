//! Random programs with threads, and what the searches over their schedules must agree about.
//!
//! [`generate`] writes small C programs with shared memory of every kind and all families of synchronisation.
//! [`compare`] explores each of them by plain enumeration and with every reduction: verdict, bugs and final states
//! must be the same. [`stress`] runs them natively under random schedules: whatever happens there must have been
//! predicted.
//!
//! Guarantees: the same seed gives the same program. Programs end for every input and schedule, or are stuck for
//! ever; what they print does not depend on addresses.

mod body;
mod compare;
mod copies;
mod locks;
mod places;
mod pointers;
mod program;
mod rare;
mod stress;

pub use compare::{Agreement, Seen, agree, compare, explore_batch, observe};
pub use program::{Program, generate};
pub use stress::{Stress, stress};

use std::path::PathBuf;

use selvedge_engine::{Ag, Backtrack, Config, Dpor, Reduction, ReductionKind, SummaryLimits};

use crate::generator::{Node, render};

/// What to compare.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Seeds of the programs.
    pub seeds: std::ops::Range<u64>,
    /// Programs loaded at the same time; each is explored by itself.
    pub batch: usize,
    /// Batches at the same time.
    pub workers: usize,
    /// Executions after which plain enumeration gives a program up.
    pub max_runs: u64,
    /// One batch in so many is also run natively; 0 for none.
    pub stress_every: usize,
    /// Native runs of each program of such a batch, at each optimisation level.
    pub native_runs: u32,
    /// Where programs with a mismatch are written.
    pub keep: PathBuf,
}

/// A disagreement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// The program.
    pub seed: u64,
    /// Between which searches, and about what.
    pub kind: String,
    /// What each of them said.
    pub detail: String,
}

/// Partial-order reduction and nothing else, and the same with slicing.
const PLAIN: &str = "wakeup trees";
const SLICING: &str = "slicing without summaries";

/// The configurations that must agree with plain enumeration.
pub fn reductions() -> Vec<(&'static str, Config)> {
    ReductionKind::ALL.iter().flat_map(|kind| reductions_of(*kind)).collect()
}

/// The configurations with a reduction of this kind.
fn reductions_of(kind: ReductionKind) -> Vec<(&'static str, Config)> {
    let all_bugs = |reduction: Reduction| {
        Config::default().with(|c| {
            c.search.all_bugs = true;
            c.reduction = reduction;
        })
    };
    let sets = Dpor { backtrack: Backtrack::SourceSets, ..Dpor::default() };
    match kind {
        // The one that the others are compared with.
        ReductionKind::None => Vec::new(),
        ReductionKind::Dpor => {
            let of = |dpor: Dpor| all_bugs(Reduction::Dpor(dpor)).with(|c| c.search.tests = true);
            let base = of(Dpor::default());
            vec![
                (PLAIN, base.clone()),
                ("source sets", of(sets)),
                ("everything shared", base.clone().with(|c| c.search.share_everything = true)),
                ("several workers", base.with(|c| c.search.jobs = 3)),
            ]
        }
        ReductionKind::Ag => {
            let of = |ag: Ag| all_bugs(Reduction::Ag(ag));
            let ag = Ag::default();
            let tiny = SummaryLimits { entries: 5, size: 40 };
            vec![
                ("summaries", of(ag)),
                ("summaries alone", of(Ag { dpor: None, ..ag })),
                ("summaries with source sets", of(Ag { dpor: Some(sets), ..ag })),
                ("a tiny table of summaries", of(Ag { summaries: Some(tiny), ..ag })),
                ("summaries of two workers", of(ag).with(|c| c.search.jobs = 2)),
                ("summaries without slicing", of(Ag { slice: false, ..ag })),
                ("summaries alone without slicing", of(Ag { slice: false, dpor: None, ..ag })),
                (SLICING, of(Ag { summaries: None, ..ag })),
            ]
        }
    }
}

/// What stands before the programs of a file.
const PREAMBLE: &str = include_str!("threads/preamble.h");

/// One C file with all `programs`, each with an entry function of its own, called [`entry_name`].
pub fn batch_text(programs: &[Program]) -> String {
    let mut text = String::from(PREAMBLE);
    for program in programs {
        let prefix = format!("p{}_", program.seed);
        text.push_str(&render(&program.nodes).replace('@', &prefix));
    }
    text.push_str("int (*const programs[])(void) = {\n");
    for program in programs {
        text.push_str(&format!("  {},\n", entry_name(program.seed)));
    }
    // Named as the entry, so that all of them are kept.
    text.push_str("};\nint every_program(void) { return programs[0] != 0; }\n");
    text
}

/// One C file with one program, for a person.
pub fn single_text(nodes: &[Node]) -> String {
    format!("{PREAMBLE}{}", render(nodes).replace("@main", "main").replace('@', ""))
}

/// The entry function of a program in the file of its batch.
pub fn entry_name(seed: u64) -> String {
    format!("p{seed}_main")
}
