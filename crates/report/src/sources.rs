//! Source files of the analysed program, read when a report quotes them.
//!
//! Guarantees: a missing, unreadable or non-UTF-8 file never fails a report; the caller is told that there is no text.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A cache of source texts by path.
#[derive(Debug, Default)]
pub struct Sources {
    /// By the bytes of the path: paths are compared by their components, which takes longer.
    files: BTreeMap<OsString, Option<Vec<String>>>,
    from_disk: bool,
}

/// A generated file of this size is not worth reading for a three-line quote.
const MAX_BYTES: u64 = 64 << 20;

impl Sources {
    /// Sources that are read from disk.
    pub fn from_disk() -> Self {
        Sources { files: BTreeMap::new(), from_disk: true }
    }

    /// No sources but those added by [`insert`](Self::insert).
    pub fn none() -> Self {
        Sources::default()
    }

    /// Adds or replaces a text.
    pub fn insert(&mut self, path: impl Into<PathBuf>, text: &str) {
        self.files.insert(path.into().into_os_string(), Some(split(text)));
    }

    /// The lines of `file`, which is relative to `dir`; `None` if there is no such text.
    pub fn lines(&mut self, dir: &str, file: &str) -> Option<&[String]> {
        if file.is_empty() {
            return None;
        }
        let path = Path::new(dir).join(file);
        if !self.files.contains_key(path.as_os_str()) {
            let text = if self.from_disk { read(&path) } else { None };
            self.files.insert(path.clone().into_os_string(), text);
        }
        self.files[path.as_os_str()].as_deref()
    }
}

fn read(path: &Path) -> Option<Vec<String>> {
    let meta = std::fs::metadata(path).ok()?;
    // A named pipe would block the report, a huge file would fill the memory.
    if !meta.is_file() || meta.len() > MAX_BYTES {
        return None;
    }
    let bytes = std::fs::read(path).ok()?;
    Some(split(&String::from_utf8_lossy(&bytes)))
}

fn split(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_names_start_from_the_compilers_directory() {
        let mut sources = Sources::none();
        sources.insert("/src/lib/a.c", "int x;\nint y;\n");
        assert_eq!(sources.lines("/src", "lib/a.c").map(<[_]>::len), Some(2));
        assert_eq!(sources.lines("/other", "/src/lib/a.c").map(<[_]>::len), Some(2));
        assert_eq!(sources.lines("/other", "lib/a.c"), None);
    }

    #[test]
    fn what_cannot_be_read_is_absent() {
        let dir = tempfile::tempdir().expect("temporary directory");
        let path = |name: &str| dir.path().join(name).display().to_string();
        std::fs::write(path("latin1.c"), b"// caf\xe9\nint x;\n").expect("write");
        let mut sources = Sources::from_disk();
        assert_eq!(sources.lines("", &path("none.c")), None);
        assert_eq!(sources.lines("", &path("")), None, "a directory");
        assert_eq!(sources.lines("/", ""), None, "an unknown file");
        assert_eq!(sources.lines("", &path("latin1.c")).map(<[_]>::len), Some(2));
    }
}
