//! Versions of a program: what a run is prepared with, and what it is measured on.
//!
//! A program with edits is copied with all that lies in the folder of its first file. Commands that prepare a run see it as it
//! is, the measured one sees it edited, at the same place.

use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::Program;

/// A change of a file.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Edit {
    /// The file, from the folder of the program's first file.
    pub file: PathBuf,
    /// Text that comes once in it.
    pub from: String,
    /// What takes its place.
    pub to: String,
}

/// The folder that is copied.
fn folder(program: &Program) -> &Path {
    program.files.first().and_then(|file| file.parent()).unwrap_or(Path::new("."))
}

/// Why the edits of a program do not apply, if so.
pub(crate) fn problem(program: &Program) -> Option<String> {
    program.edits.iter().find_map(|edit| {
        let text = std::fs::read_to_string(folder(program).join(&edit.file)).unwrap_or_default();
        let n = text.matches(&edit.from).count();
        let name = edit.file.display();
        (n != 1).then(|| format!("the text that `{}` replaces comes {n} times in {name}", program.name))
    })
}

/// The program in a copy of its folder.
pub(crate) fn copied(program: &Program, to: &Path) -> io::Result<Program> {
    copy(folder(program), to)?;
    let files = program.files.iter().map(|file| match file.strip_prefix(folder(program)) {
        Ok(name) => to.join(name),
        Err(_) => file.clone(),
    });
    Ok(Program { files: files.collect(), ..program.clone() })
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => copy(&entry.path(), &target)?,
            false => drop(std::fs::copy(entry.path(), target)?),
        }
    }
    Ok(())
}

/// Makes the edits of a program that was copied.
pub(crate) fn apply(program: &Program, folder: &Path) -> io::Result<()> {
    for edit in &program.edits {
        let file = folder.join(&edit.file);
        let text = std::fs::read_to_string(&file)?;
        std::fs::write(&file, text.replacen(&edit.from, &edit.to, 1))?;
    }
    Ok(())
}
