//! Writes the witness of a bug: gathers what the rendering needs from the system.

use selvedge_engine::{BugKind, Outcome};
use selvedge_report::witness::{WitnessOptions, graphml};
use sha2::{Digest, Sha256};

use super::Job;
use super::property::Clause;
use crate::check::VERSION;
use crate::failure::Failure;
use crate::output::Target;

/// Writes the witness of the first bug; without a bug there is none.
pub(crate) fn write(outcome: &Outcome, job: &Job, entry: &str, target: &Target) -> Result<(), Failure> {
    let (Some(bug), Some(file)) = (outcome.bugs.first(), job.files.first()) else { return Ok(()) };
    let bytes = std::fs::read(file).map_err(|e| Failure::io("read", file, &e))?;
    let specification = match &job.specification {
        Some(specification) => specification.text.clone(),
        None => clause(bug.kind).text(),
    };
    let data_model = job.clang_args.iter().rev().find(|a| ["-m32", "-m64"].contains(&a.as_str()));
    let options = WitnessOptions {
        version: VERSION.to_owned(),
        specification,
        program_file: file.display().to_string(),
        program_hash: Sha256::digest(&bytes).iter().map(|b| format!("{b:02x}")).collect(),
        program: String::from_utf8_lossy(&bytes).into_owned(),
        architecture: if data_model.is_some_and(|a| a == "-m32") { "32bit" } else { "64bit" },
        creation_time: selvedge_base::iso8601(crate::incremental::now()),
        entry: entry.to_owned(),
    };
    target.write(graphml(bug, &options).as_bytes())
}

/// The property nearest to a bug that was found without a property file.
fn clause(kind: BugKind) -> Clause {
    Clause::violated_by(kind).unwrap_or(match kind {
        BugKind::Misuse => Clause::ValidDeref,
        BugKind::Operand => Clause::NoOverflow,
        BugKind::Livelock => Clause::NoDeadlock,
        _ => Clause::UnreachCall,
    })
}
