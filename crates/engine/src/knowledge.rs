//! What is known of other versions of a program when one is verified.

use std::sync::Arc;

use selvedge_exec::{CodeNames, Fact, Machine, ThreadNames};
use selvedge_explore::Explorer;
use selvedge_incremental::{Answer, Found, Memory, Report, Standing};
use selvedge_program::Program;
use selvedge_summary::Archive;

use crate::config::Config;
use crate::impacted;
use crate::reuse::Reuse;
use crate::told::Told;

/// What is known of a program's versions, and the names that this one shares with them.
#[derive(Debug)]
pub struct Knowledge {
    memory: Memory,
    names: Arc<CodeNames>,
    now: u64,
    by_impact: bool,
}

/// What a search takes for known.
pub(crate) struct Recall {
    pub(crate) archive: Arc<Archive>,
    pub(crate) report: Report,
    recalled: selvedge_incremental::Recalled,
}

impl Recall {
    /// Takes the place of another one, whose summaries are not forgotten because of that.
    pub(crate) fn instead_of(mut self, other: &Recall) -> Recall {
        self.recalled.also_holds(&other.recalled);
        self
    }
}

impl Knowledge {
    /// The program with the numbers that its versions share, and what is known of these. All that is done with the program
    /// must be done with the result. `now` is the time in seconds since 1970, for who reads the answers later.
    pub fn of(program: Program, mut memory: Memory, now: u64) -> (Program, Knowledge) {
        let aligned = selvedge_incremental::align(program, memory.registry());
        (aligned.program, Knowledge { memory, names: Arc::new(aligned.names), now, by_impact: false })
    }

    /// Without summaries: a search goes by what the change can influence, and by nothing else.
    #[must_use]
    pub fn by_impact_alone(self) -> Knowledge {
        Knowledge { by_impact: true, ..self }
    }

    pub(crate) fn is_by_impact(&self) -> bool {
        self.by_impact
    }

    /// The last version that is known to be safe: its answer, the program, and what the answer relies on.
    pub(crate) fn safe_version(&self) -> Option<(Told, Program, Vec<Fact>)> {
        let (answer, program, noted) = self.memory.safe_version()?;
        Some((Told::from_bytes(answer)?, program, noted))
    }

    /// Keeps a version to compare the next with, if its answer allows that. The machine has noted what the answer relies on.
    pub(crate) fn keep_safe_version(
        &mut self,
        machine: &Machine<'_>,
        program: &Program,
        config: &Config,
        told: &Told,
    ) {
        if impacted::is_base(told, config) && impacted::can_compare(program, config) {
            self.memory.keep_safe_version(machine, program, told.to_bytes());
        }
    }

    /// What is known now.
    pub fn into_memory(self) -> Memory {
        self.memory
    }

    pub(crate) fn now(&self) -> u64 {
        self.now
    }

    /// Gives a machine the names that the versions share.
    pub(crate) fn introduce(&self, machine: &mut Machine<'_>) {
        machine.code_names = Some(self.names.clone());
    }

    /// Prepares a machine for a search, and says what it may take for known.
    pub(crate) fn recall(&self, machine: &mut Machine<'_>) -> Recall {
        self.introduce(machine);
        let mut recalled = self.memory.recall(machine, &self.names);
        machine.thread_names = ThreadNames::from_names(recalled.threads.clone());
        Recall { archive: Arc::new(std::mem::take(&mut recalled.archive)), report: recalled.report, recalled }
    }

    /// The answer about the last version.
    pub(crate) fn last_answer(&self) -> Option<Told> {
        Told::from_bytes(self.memory.last_answer()?)
    }

    /// The newest answer that `is_wanted` and is that about this version as well.
    pub(crate) fn standing(
        &self,
        machine: &mut Machine<'_>,
        is_wanted: impl Fn(&Told) -> bool,
    ) -> Option<(Told, Standing)> {
        let is_wanted = |bytes: &[u8]| Told::from_bytes(bytes).is_some_and(|told| is_wanted(&told));
        let standing = self.memory.standing(machine, &self.names, is_wanted)?;
        Some((Told::from_bytes(&standing.answer)?, standing))
    }

    /// Notes what was answered without a search.
    pub(crate) fn answer_again(&mut self, told: &Told, standing: Option<&Standing>) {
        self.memory.answer_again(told.to_bytes(), standing);
    }

    /// Adds what a search has found out, and says what it had from before. `told` is its answer, and whether all executions
    /// were looked at for it.
    pub(crate) fn add(
        &mut self,
        explorer: &mut Explorer<'_>,
        recall: &Recall,
        told: Option<(Told, bool)>,
    ) -> Reuse {
        let harvest = std::mem::take(&mut explorer.harvest);
        let answer = told.map(|(told, is_of_all)| Answer { bytes: told.to_bytes(), is_of_all });
        let found = Found { harvest, answer };
        let again = self.memory.add(&mut explorer.machine, &self.names, &recall.recalled, found);
        let Report { kept, waiting, dropped } = recall.report;
        let dropped = dropped + waiting - again.min(waiting);
        Reuse { kept, again, dropped, used: explorer.summaries.reused, ..Reuse::default() }
    }
}
