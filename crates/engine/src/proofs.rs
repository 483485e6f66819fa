//! What is known of the versions of a program from attempts to prove it.
//!
//! Guarantee: nothing of it is believed. A proof of an earlier version is checked for this one, and a failure is executed.

use std::sync::Arc;

use selvedge_exec::CodeNames;
use selvedge_incremental::Registry;
use selvedge_program::Program;
use selvedge_prove_c::Kept;
use serde::{Deserialize, Serialize};

use crate::config::Config;
use crate::told::{KnownBug, question};

/// What is kept between versions.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Proofs {
    registry: Registry,
    last: Option<Last>,
}

/// The last version that was proved or refuted.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Last {
    /// In seconds since 1970.
    when: u64,
    /// Of what was asked.
    question: u64,
    proof: Option<Kept>,
    bug: Option<KnownBug>,
}

impl Proofs {
    /// Whether no version is known.
    pub fn is_new(&self) -> bool {
        self.registry == Registry::default()
    }

    /// As bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        postcard::to_allocvec(self).expect("nothing in it has no form")
    }

    /// Those of these bytes; `None` if they are none.
    pub fn from_bytes(bytes: &[u8]) -> Option<Proofs> {
        postcard::from_bytes(bytes).ok()
    }
}

/// What is known of other versions when a version is proved.
#[derive(Debug)]
pub struct Proved {
    proofs: Proofs,
    names: Arc<CodeNames>,
    now: u64,
}

impl Proved {
    /// The program with the numbers that its versions share, and what is known of these. `now` is the time in seconds since
    /// 1970.
    pub fn of(program: Program, mut proofs: Proofs, now: u64) -> (Program, Proved) {
        let aligned = selvedge_incremental::align(program, &mut proofs.registry);
        (aligned.program, Proved { proofs, names: Arc::new(aligned.names), now })
    }

    /// What is known now.
    pub fn into_proofs(self) -> Proofs {
        self.proofs
    }

    pub(crate) fn names(&self) -> &Arc<CodeNames> {
        &self.names
    }

    fn last(&self, config: &Config) -> Option<&Last> {
        self.proofs.last.as_ref().filter(|last| last.question == question(config))
    }

    /// The last proof for the same question, and when a search found it.
    pub(crate) fn proof(&self, config: &Config) -> Option<(&Kept, u64)> {
        let last = self.last(config)?;
        Some((last.proof.as_ref()?, last.when))
    }

    /// The failure of the last version.
    pub(crate) fn bug(&self, config: &Config) -> Option<&KnownBug> {
        self.last(config)?.bug.as_ref()
    }

    /// Keeps the proof of this version. A proof that still holds has the date of the search that found it.
    pub(crate) fn keep_proof(&mut self, config: &Config, proof: Kept, since: Option<u64>) {
        let when = since.unwrap_or(self.now);
        self.proofs.last = Some(Last { when, question: question(config), proof: Some(proof), bug: None });
    }

    /// Keeps a failure of this version, and the last proof, as it may be repaired.
    pub(crate) fn keep_bug(&mut self, config: &Config, bug: KnownBug) {
        let (proof, when) = match self.last(config) {
            Some(Last { proof: Some(proof), when, .. }) => (Some(proof.clone()), *when),
            _ => (None, self.now),
        };
        self.proofs.last = Some(Last { when, question: question(config), proof, bug: Some(bug) });
    }
}
