//! What files looked like when they were last looked at.
//!
//! They are looked at a few times a second instead of waiting for events of the system: a program is made of some hundred files
//! at most, which takes less than a millisecond, and saves by renaming, mounted and remote folders need no special case.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// How much earlier than it is the time of a file may be: the system's clock for files goes in steps.
const STEP: Duration = Duration::from_millis(50);

/// What tells one content of a file from the next; none if it is not there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Stamp {
    modified: Option<SystemTime>,
    size: u64,
    /// Of a file its number, which a save by renaming changes; of a folder what is in it.
    number: u64,
}

/// Files and folders, and what they looked like.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    files: BTreeMap<PathBuf, Option<Stamp>>,
}

impl Seen {
    /// Looks again; says whether anything has changed.
    pub(crate) fn look(&mut self) -> bool {
        let mut has_changed = false;
        for (file, stamp) in &mut self.files {
            let now = self::stamp(file);
            has_changed |= now != *stamp;
            *stamp = now;
        }
        has_changed
    }

    /// The files from now on. Those of before stay if `and_before`. Says whether one that was not there before has changed since
    /// `started`.
    pub(crate) fn set(&mut self, files: Vec<PathBuf>, and_before: bool, started: SystemTime) -> bool {
        let mut before = std::mem::take(&mut self.files);
        let mut is_newer = false;
        for file in files {
            let known = before.remove(&file);
            let stamp = known.unwrap_or_else(|| {
                let now = self::stamp(&file);
                let modified = now.and_then(|stamp| stamp.modified);
                is_newer |= modified.is_some_and(|modified| modified + STEP > started);
                now
            });
            self.files.insert(file, stamp);
        }
        if and_before {
            self.files.extend(before);
        }
        is_newer
    }
}

fn stamp(path: &Path) -> Option<Stamp> {
    use std::os::unix::fs::MetadataExt as _;
    let metadata = std::fs::metadata(path).ok()?;
    if metadata.is_dir() {
        return Some(Stamp { modified: None, size: 0, number: files_in(path) });
    }
    Some(Stamp { modified: metadata.modified().ok(), size: metadata.len(), number: metadata.ino() })
}

/// A hash of the names in a folder that a program may include.
fn files_in(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<_> = entries.map(|entry| entry.file_name()).collect();
    // Editors keep files of their own beside those that are edited.
    names.retain(|name| {
        let name = name.to_string_lossy();
        let is_of_an_editor = name.starts_with('.') || name.ends_with('~') || name.ends_with(".tmp");
        !is_of_an_editor && !name.starts_with("selvedge-")
    });
    names.sort();
    let mut hasher = DefaultHasher::new();
    names.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saves_of_every_kind_are_noticed() {
        let dir = tempfile::tempdir().expect("a folder");
        let file = dir.path().join("a.c");
        std::fs::write(&file, "one").expect("written");
        let mut seen = Seen::default();
        let later = SystemTime::now() + Duration::from_secs(9);
        assert!(!seen.set(vec![file.clone(), dir.path().join("none.h")], false, later));
        assert!(!seen.look());
        std::fs::write(&file, "three").expect("written");
        assert!(seen.look() && !seen.look());
        // By renaming, with the same length.
        std::fs::write(dir.path().join("new"), "seven").expect("written");
        std::fs::rename(dir.path().join("new"), &file).expect("renamed");
        assert!(seen.look() && !seen.look());
        std::fs::write(dir.path().join("none.h"), "").expect("written");
        assert!(seen.look() && !seen.look());
        std::fs::remove_file(&file).expect("removed");
        assert!(seen.look() && !seen.look());
    }

    #[test]
    fn what_changed_before_it_was_known_to_matter_is_noticed() {
        let dir = tempfile::tempdir().expect("a folder");
        let header = dir.path().join("a.h");
        let long_ago = SystemTime::UNIX_EPOCH;
        std::fs::write(&header, "").expect("written");
        assert!(Seen::default().set(vec![header.clone()], false, long_ago));
        let mut seen = Seen::default();
        seen.set(vec![header.clone()], false, SystemTime::now() + Duration::from_secs(9));
        assert!(!seen.set(vec![header.clone()], false, long_ago), "it was known");
        seen.set(Vec::new(), true, long_ago);
        std::fs::remove_file(&header).expect("removed");
        assert!(seen.look(), "it stays");
    }

    #[test]
    fn a_folder_changes_with_its_files() {
        let dir = tempfile::tempdir().expect("a folder");
        let mut seen = Seen::default();
        seen.set(vec![dir.path().to_owned()], false, SystemTime::now());
        std::fs::write(dir.path().join(".a.c.swp"), "").expect("written");
        assert!(!seen.look());
        std::fs::write(dir.path().join("new.h"), "").expect("written");
        assert!(seen.look() && !seen.look());
    }
}
