//! Repository rules that the compiler and clippy do not check.
//!
//! Each rule is a pure function from text to violations, tested with text that breaks it; this file
//! only collects the files and prints what was found.

mod docs;
mod layers;
mod source;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// A broken rule.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Violation {
    /// Path from the root of the repository, or the name of a crate.
    place: String,
    /// 1-based; 0 if it is about the whole.
    line: usize,
    message: String,
}

impl Violation {
    fn new(place: &str, line: usize, message: impl Into<String>) -> Self {
        Violation { place: place.to_owned(), line, message: message.into() }
    }
}

/// A text file of the repository.
pub(crate) struct File {
    /// Path from the root, with `/`.
    path: String,
    text: String,
}

impl File {
    fn has_extension(&self, extensions: &[&str]) -> bool {
        let extension = Path::new(&self.path).extension().and_then(|e| e.to_str()).unwrap_or_default();
        extensions.contains(&extension)
    }
}

/// The cargo that runs us.
pub(crate) fn cargo() -> std::ffi::OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// Checks everything; false if a rule is broken.
pub(crate) fn run(root: &Path) -> Result<bool> {
    let files = collect(root)?;
    let mut violations = layers::check(&layers::read_workspace(root)?);
    for file in &files {
        violations.extend(source::check(file));
    }
    violations.extend(docs::check(&files, |path| root.join(path).exists()));
    violations.sort();

    for (path, lines) in source::long_files(&files) {
        println!("note: {path} has {lines} lines; look for a seam");
    }
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

/// All text files that the rules are about, in path order.
fn collect(root: &Path) -> Result<Vec<File>> {
    let mut files = Vec::new();
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
                    pending.push(below);
                }
            } else if kind.is_file() && is_text(&name) {
                let text = fs::read_to_string(root.join(&below))
                    .with_context(|| format!("cannot read {}", below.display()))?;
                files.push(File { path: below.to_string_lossy().replace('\\', "/"), text });
            }
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

fn is_text(name: &str) -> bool {
    const EXTENSIONS: [&str; 10] = ["rs", "md", "toml", "sh", "c", "h", "cc", "i", "yml", "gcl"];
    name == "Makefile" || name.rsplit_once('.').is_some_and(|(_, extension)| EXTENSIONS.contains(&extension))
}
