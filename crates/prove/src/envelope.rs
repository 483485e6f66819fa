//! What every proof object has around it, whatever language its program is in.
//!
//! ```text
//! selvedge-proof 1
//! system 3f…            a hash of what was proved: the program and what matters beside it
//! check safe-fragment   how it was found; no checker relies on it
//! …                     the invariant, as its language writes it
//! end 8a…               SHA-256 of everything above
//! ```
//!
//! The last line guards against damage only: a proof is right if the checker says so, whoever wrote it.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

/// Why a text is no proof object.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Error {
    /// Not this format.
    #[error("line {line}: {what}")]
    Syntax {
        /// From 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// Another program's.
    #[error("the proof is about another program")]
    OtherSystem,
    /// The sum at the end is wrong.
    #[error("the proof is damaged: its sum does not match")]
    Damaged,
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A proof object about `system`, whose invariant is `body`, in whole lines.
pub fn seal(system: &str, check: &str, body: &str) -> String {
    let mut text = format!("selvedge-proof 1\nsystem {system}\ncheck {check}\n{body}");
    let sum = hex(&Sha256::digest(text.as_bytes()));
    let _ = writeln!(text, "end {sum}");
    text
}

/// A proof object that is whole and about the right system.
pub struct Opened<'t> {
    /// How it was found.
    pub check: &'t str,
    /// The lines of the invariant, numbered from 0 in the whole text.
    pub lines: std::iter::Enumerate<std::str::Lines<'t>>,
}

/// Opens a proof object about `system`.
pub fn open<'t>(text: &'t str, system: &str) -> Result<Opened<'t>, Error> {
    let body_end = text.trim_end().rfind('\n').map_or(0, |at| at + 1);
    let (body, last) = text.split_at(body_end);
    let sum = hex(&Sha256::digest(body.as_bytes()));
    let mut lines = body.lines().enumerate();
    let error = |line: usize, what: String| Error::Syntax { line: line + 1, what };
    let mut field = |key: &str| -> Result<&'t str, Error> {
        let (at, line) = lines.next().ok_or_else(|| error(0, format!("`{key}` is missing")))?;
        let rest = line.strip_prefix(key).ok_or_else(|| error(at, format!("expected `{key}`")))?;
        Ok(rest.trim())
    };
    if field("selvedge-proof")? != "1" {
        return Err(error(0, "this version of the format is not known".to_owned()));
    }
    if last.trim_end() != format!("end {sum}") {
        return Err(Error::Damaged);
    }
    if field("system")? != system {
        return Err(Error::OtherSystem);
    }
    let check = field("check")?;
    Ok(Opened { check, lines })
}
