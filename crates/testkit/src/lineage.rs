//! Versions of a program, each checked with what is known of those before it, and from scratch.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use selvedge_engine::{
    Config, Hooks, Knowledge, LayerId, Memory, Outcome, StandsBecause, Verdict, verify, verify_again,
};
use selvedge_program::Program;

/// When all searches happen, in seconds since 1970.
pub const DAY: u64 = 1_000_000_000;

/// How what is known is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// What the change can influence, and summaries.
    All,
    /// What the change can influence.
    Impact,
}

/// What is known of the versions of a program.
#[derive(Clone, Debug)]
pub struct Lineage {
    memory: Memory,
    way: Way,
}

impl Lineage {
    /// Nothing is known.
    pub fn new(way: Way) -> Lineage {
        Lineage { memory: Memory::default(), way }
    }

    /// The next version.
    pub fn check(&mut self, program: &Program, config: &Config) -> Outcome {
        // What is kept has to survive the way to the disk and back.
        let before = std::mem::take(&mut self.memory);
        let layers: BTreeMap<LayerId, Vec<u8>> =
            before.layers().map(|(id, bytes)| (id, bytes.to_vec())).collect();
        let read = |ids: &[LayerId]| ids.iter().map(|id| layers.get(id).cloned()).collect();
        let known = Memory::from_bytes(&before.to_bytes(), read).expect("what was written can be read");
        let (program, mut knowledge) = Knowledge::of(program.clone(), known, DAY);
        if self.way == Way::Impact {
            knowledge = knowledge.by_impact_alone();
        }
        let outcome = hooked(|hooks| verify_again(&program, config, hooks, Some(&mut knowledge)));
        self.memory = knowledge.into_memory();
        outcome
    }

    /// In what the answer about the next version differs from one that knows nothing.
    pub fn compare(
        &mut self,
        program: &Program,
        config: &Config,
        fresh: &Outcome,
    ) -> Result<Outcome, String> {
        let again = self.check(program, config);
        match difference(fresh, &again) {
            Some(what) => Err(format!("{:?}: {what}; {:?}", self.way, again.reuse)),
            None => Ok(again),
        }
    }
}

/// The answer of a search that knows nothing.
pub fn from_scratch(program: &Program, config: &Config) -> Outcome {
    hooked(|hooks| verify(program, config, hooks))
}

fn hooked<T>(run: impl FnOnce(Hooks<'_>) -> T) -> T {
    let interrupted = AtomicBool::new(false);
    run(Hooks { progress: &mut |_| {}, bug: &mut |_| {}, interrupted: &interrupted })
}

/// Whether a limit stopped the search.
pub fn is_cut(outcome: &Outcome) -> bool {
    outcome.reasons.iter().any(|reason| reason.contains("limit") || reason.contains("--max-runs"))
}

/// In what two answers to one question differ. One that rests on a comparison of versions may rely on more than a search
/// from scratch, which sees other executions; it must not rely on less.
pub fn difference(fresh: &Outcome, again: &Outcome) -> Option<String> {
    if is_cut(fresh) || is_cut(again) {
        return None;
    }
    let bugs = |outcome: &Outcome| {
        let mut bugs: Vec<String> = outcome
            .bugs
            .iter()
            .map(|bug| format!("{:?} at {}:{}", bug.kind, bug.location.line, bug.location.column))
            .collect();
        bugs.sort();
        bugs
    };
    let reasons = |outcome: &Outcome| {
        let mut reasons = outcome.reasons.clone();
        reasons.sort();
        reasons
    };
    let is_focused = again.reuse.is_some_and(|reuse| {
        reuse.is_focused || reuse.stands.is_some_and(|stands| stands.because == StandsBecause::Harmless)
    });
    let assumed = |outcome: &Outcome| -> Vec<(&str, Vec<_>)> {
        outcome.assumptions.iter().map(|a| (a.id, a.locations.clone())).collect()
    };
    let (few, many) = (assumed(fresh), assumed(again));
    let agree = match is_focused {
        true => few.iter().all(|(id, _)| many.iter().any(|(other, _)| other == id)),
        false => few == many,
    };
    let show = |outcome: &Outcome| {
        let safe = outcome.verdict == Verdict::Safe;
        (safe, outcome.verdict, bugs(outcome), reasons(outcome), outcome.warnings.clone())
    };
    let (one, other) = (show(fresh), show(again));
    match one == other {
        false => Some(format!("{one:?} from scratch, {other:?} with what is known")),
        true if !agree => Some(format!("{few:?} is assumed from scratch, {many:?} with what is known")),
        true => None,
    }
}
