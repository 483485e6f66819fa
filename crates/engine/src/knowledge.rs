//! What is known of other versions of a program when one is verified.

use std::sync::Arc;

use selvedge_exec::{CodeNames, Machine, ThreadNames};
use selvedge_explore::Explorer;
use selvedge_incremental::{Memory, Report};
use selvedge_program::Program;
use selvedge_summary::Archive;

use crate::outcome::Reuse;

/// What is known of a program's versions, and the names that this one shares with them.
#[derive(Debug)]
pub struct Knowledge {
    memory: Memory,
    names: Arc<CodeNames>,
}

/// What a search takes for known.
pub(crate) struct Recall {
    pub(crate) archive: Arc<Archive>,
    pub(crate) report: Report,
    recalled: selvedge_incremental::Recalled,
}

impl Knowledge {
    /// The program with the numbers that its versions share, and what is known of these. All that is done with the program
    /// must be done with the result.
    pub fn of(program: Program, mut memory: Memory) -> (Program, Knowledge) {
        let aligned = selvedge_incremental::align(program, memory.registry());
        (aligned.program, Knowledge { memory, names: Arc::new(aligned.names) })
    }

    /// What is known now.
    pub fn into_memory(self) -> Memory {
        self.memory
    }

    /// Prepares a machine for a search, and says what it may take for known.
    pub(crate) fn recall(&self, machine: &mut Machine<'_>) -> Recall {
        machine.code_names = Some(self.names.clone());
        let mut recalled = self.memory.recall(machine, &self.names);
        machine.thread_names = ThreadNames::from_names(recalled.threads.clone());
        Recall { archive: Arc::new(std::mem::take(&mut recalled.archive)), report: recalled.report, recalled }
    }

    /// Adds what a search has found out, and says what it had from before.
    pub(crate) fn add(&mut self, explorer: &mut Explorer<'_>, recall: &Recall) -> Reuse {
        let harvest = std::mem::take(&mut explorer.harvest);
        self.memory.add(&mut explorer.machine, &self.names, &recall.recalled, harvest);
        let Report { kept, dropped } = recall.report;
        Reuse { kept, dropped, used: explorer.summaries.reused }
    }
}
