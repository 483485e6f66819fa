//! Why a command could not be carried out: wrong input, never a finding.
//!
//! Guarantees: the message names every cause, outermost first, and becomes exit code 2.

use std::error::Error;
use std::path::Path;

use selvedge_base::Diagnostic;

/// A usage or input error.
#[derive(Debug)]
pub(crate) struct Failure(Diagnostic);

impl Failure {
    /// A failure with this message: one sentence, lower case, no full stop.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Failure(Diagnostic::error(message))
    }

    /// A failure of the system on `path`.
    pub(crate) fn io(action: &str, path: &Path, error: &std::io::Error) -> Self {
        Failure::new(format!("cannot {action} {}: {error}", path.display()))
    }

    /// A failure with the message of `error` and its causes.
    pub(crate) fn from_error(error: &(dyn Error + 'static)) -> Self {
        let mut message = error.to_string();
        let mut source = error.source();
        while let Some(cause) = source {
            let text = cause.to_string();
            // Some errors repeat their cause in their own message.
            if !message.contains(&text) {
                message.push_str(": ");
                message.push_str(&text);
            }
            source = cause.source();
        }
        Failure::new(message)
    }

    /// A failure that is described already.
    pub(crate) fn from_diagnostic(diagnostic: Diagnostic) -> Self {
        Failure(diagnostic)
    }

    /// Adds what the user can do.
    pub(crate) fn help(self, text: impl Into<String>) -> Self {
        Failure(self.0.help(text))
    }

    pub(crate) fn into_diagnostic(self) -> Diagnostic {
        self.0
    }
}

impl From<selvedge_report::testcase::Error> for Failure {
    fn from(error: selvedge_report::testcase::Error) -> Self {
        use selvedge_report::testcase::Error as E;
        let failure = Failure::from_error(&error);
        match error {
            E::Foreign(_) => failure.help("name a new or an empty directory"),
            E::NotADirectory(_) => failure.help("name a directory"),
            E::Io { .. } => failure,
        }
    }
}
