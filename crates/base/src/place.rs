//! Places in the analysed program's source.

use crate::define_id;

define_id!(
    /// A source file of the analysed program.
    pub struct FileId, "file"
);

/// A line and column in a source file. `line == 0` means "not known".
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Loc {
    /// The file.
    pub file: FileId,
    /// 1-based line; 0 if unknown.
    pub line: u32,
    /// 1-based column; 0 if unknown.
    pub column: u32,
}

impl Loc {
    /// The place of an instruction without debug information.
    pub const UNKNOWN: Loc = Loc { file: FileId(u32::MAX), line: 0, column: 0 };

    /// Whether this names a real line.
    pub fn is_known(self) -> bool {
        self.line != 0
    }
}
