//! Repository rules that the compiler and clippy do not check.
//!
//! Each rule is a pure function from text to violations, tested with text that breaks it; this file
//! only collects the files and prints what was found.

mod dependencies;
mod docs;
mod duplicates;
pub(crate) mod layers;
mod references;
mod size;
mod source;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::graph;

/// A broken rule.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Violation {
    /// Path from the root of the repository, or the name of a crate.
    place: String,
    /// 1-based; 0 if it is about the whole.
    line: usize,
    pub(crate) message: String,
}

impl Violation {
    pub(crate) fn new(place: &str, line: usize, message: impl Into<String>) -> Self {
        Violation { place: place.to_owned(), line, message: message.into() }
    }
}

/// A text file of the repository.
pub(crate) struct File {
    /// Path from the root, with `/`.
    pub(crate) path: String,
    pub(crate) text: String,
}

impl File {
    fn has_extension(&self, extensions: &[&str]) -> bool {
        let extension = Path::new(&self.path).extension().and_then(|e| e.to_str()).unwrap_or_default();
        extensions.contains(&extension)
    }

    /// Programs of others, kept as they are.
    fn is_third_party(&self) -> bool {
        ["bench/programs/", "bench/real/", "tests/svcomp/"].iter().any(|folder| self.path.starts_with(folder))
    }

    /// Code of Selvedge, not a program to be analysed.
    fn is_our_code(&self) -> bool {
        let folders = ["crates/", "xtask/", "tests/native/", "tests/libc/", "include/"];
        self.has_extension(&["rs", "c", "h", "cc"])
            && folders.iter().any(|folder| self.path.starts_with(folder))
    }
}

/// The cargo that runs us.
pub(crate) fn cargo() -> std::ffi::OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// Checks everything; false if a rule is broken.
pub(crate) fn run(root: &Path) -> Result<bool> {
    let (files, paths) = collect(root)?;
    let crates = layers::read_workspace(root)?;
    let mut violations = layers::check(&crates);
    violations.extend(dependencies::check(&crates, &files));
    violations.extend(graph::check(&crates, &files));
    for file in &files {
        violations.extend(source::check(file));
        violations.extend(size::check(file));
    }
    violations.extend(docs::check(&files, |path| root.join(path).exists()));
    violations.extend(references::check(&files, &paths));
    violations.extend(duplicates::check(&files));
    violations.sort();

    for Violation { place, line, message } in &violations {
        match line {
            0 => println!("{place}: {message}"),
            _ => println!("{place}:{line}: {message}"),
        }
    }
    match violations.len() {
        0 => println!("tidy: {} files, all rules hold", files.len()),
        n => println!("tidy: {n} violations"),
    }
    Ok(violations.is_empty())
}

/// All text files that the rules are about, in path order, and the paths of everything.
fn collect(root: &Path) -> Result<(Vec<File>, BTreeSet<String>)> {
    let (mut files, mut paths) = (Vec::new(), BTreeSet::new());
    let mut pending = vec![PathBuf::new()];
    while let Some(dir) = pending.pop() {
        let path = root.join(&dir);
        for entry in fs::read_dir(&path).with_context(|| format!("cannot list {}", path.display()))? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let below = dir.join(&name);
            let kind = entry.file_type()?;
            if kind.is_dir() {
                let generated = dir.as_os_str().is_empty() && name.starts_with("target");
                if !(generated || name.starts_with('.') && name != ".ci" || name.starts_with("selvedge-out"))
                {
                    paths.insert(below.to_string_lossy().replace('\\', "/"));
                    pending.push(below);
                }
            } else if kind.is_file() {
                let path = below.to_string_lossy().replace('\\', "/");
                if is_text(&name) {
                    let text = fs::read_to_string(root.join(&below))
                        .with_context(|| format!("cannot read {}", below.display()))?;
                    files.push(File { path: path.clone(), text });
                }
                paths.insert(path);
            }
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok((files, paths))
}

fn is_text(name: &str) -> bool {
    const EXTENSIONS: [&str; 10] = ["rs", "md", "toml", "sh", "c", "h", "cc", "i", "yml", "gcl"];
    name == "Makefile" || name.rsplit_once('.').is_some_and(|(_, extension)| EXTENSIONS.contains(&extension))
}
