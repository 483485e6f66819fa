//! Messages to the user as data; `report` turns them into text.

/// How serious a message is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    /// Nothing can go on.
    Error,
    /// Something the user should know.
    Warning,
    /// Background.
    Note,
}

/// A line attached to a diagnostic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Note {
    /// Additional facts.
    Info(String),
    /// What the user can do about it.
    Help(String),
}

/// A place in a text that a message is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    /// The file with the text.
    pub file: String,
    /// 1-based line.
    pub line: u32,
    /// 1-based column in bytes.
    pub column: u32,
    /// How many bytes it has; 0 for the word that begins there.
    pub length: u32,
    /// What is to be said of it; may be empty.
    pub label: String,
}

/// A message about the input or the tool, not about the analysed program's behaviour.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How serious it is.
    pub severity: Severity,
    /// One sentence, lower case, no full stop.
    pub message: String,
    /// Where, the most important place first.
    pub marks: Vec<Mark>,
    /// Further lines.
    pub notes: Vec<Note>,
}

impl Diagnostic {
    /// An error with this message.
    pub fn error(message: impl Into<String>) -> Self {
        Diagnostic {
            severity: Severity::Error,
            message: message.into(),
            marks: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// A warning with this message.
    pub fn warning(message: impl Into<String>) -> Self {
        Diagnostic {
            severity: Severity::Warning,
            message: message.into(),
            marks: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Adds a place.
    #[must_use]
    pub fn at(mut self, mark: Mark) -> Self {
        self.marks.push(mark);
        self
    }

    /// Adds what the user can do.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.notes.push(Note::Help(text.into()));
        self
    }

    /// Adds a fact.
    #[must_use]
    pub fn info(mut self, text: impl Into<String>) -> Self {
        self.notes.push(Note::Info(text.into()));
        self
    }
}
