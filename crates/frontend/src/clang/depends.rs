//! Which files a program is made of.

use std::path::{Path, PathBuf};
use std::sync::PoisonError;

use crate::Options;

/// Adds files to those that the caller wants to know of.
pub(super) fn note(options: &Options, files: impl IntoIterator<Item = PathBuf>) {
    let Some(read) = &options.read else { return };
    let in_place = |file: PathBuf| options.dir.as_ref().map_or(file.clone(), |dir| dir.join(&file));
    read.lock().unwrap_or_else(PoisonError::into_inner).extend(files.into_iter().map(in_place));
}

/// The files in a rule of `make` that clang has written, without those in `own`.
pub(super) fn files(rule: &str, own: &Path) -> Vec<PathBuf> {
    let (_, names) = rule.split_once(": ").unwrap_or_default();
    let (mut files, mut name) = (Vec::new(), String::new());
    let mut chars = names.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek().copied()) {
            ('\\', Some('\n')) => {}
            ('\\', Some(next @ (' ' | '#' | '\\'))) => {
                name.push(next);
                chars.next();
            }
            ('$', Some('$')) => {
                name.push('$');
                chars.next();
            }
            (' ' | '\n', _) => files.push(std::mem::take(&mut name)),
            _ => name.push(c),
        }
    }
    files.push(name);
    let files = files.into_iter().filter(|name| !name.is_empty()).map(PathBuf::from);
    files.filter(|file| !file.starts_with(own)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_read_as_make_reads_it() {
        let rule = "program: a.c \\\n  /tmp/own/selvedge.h with\\ blank.h \\\n  \\#1/c$$.h\n";
        let names: Vec<PathBuf> = ["a.c", "with blank.h", "#1/c$.h"].map(PathBuf::from).to_vec();
        assert_eq!(files(rule, Path::new("/tmp/own")), names);
        assert!(files("", Path::new("/tmp/own")).is_empty());
    }
}
