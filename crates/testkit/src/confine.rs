//! Native programs of random tests: each in a folder of its own, and without the rights of the system's own user.
//!
//! Random programs remove, rename and write what they name. Guarantees: they start in an empty folder that is gone
//! afterwards, and can change nothing that the user `nobody` cannot change, also where tests run as root (as in
//! containers). Calls then fail for want of permission as they do for an ordinary user.

use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// The user and the group with no rights of their own.
const NOBODY: u32 = 65534;

/// A folder for one run, with the program beside it.
#[derive(Debug)]
pub struct Confined {
    folder: TempDir,
    is_root: bool,
}

impl Confined {
    /// Makes the folder and a copy of the executable that everybody may run.
    ///
    /// # Errors
    /// When a file cannot be made.
    pub fn new(executable: &Path) -> std::io::Result<Confined> {
        let folder = tempfile::tempdir()?;
        let is_root = std::fs::metadata(folder.path())?.uid() == 0;
        let confined = Confined { folder, is_root };
        let open = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(confined.folder.path(), open.clone())?;
        std::fs::copy(executable, confined.program())?;
        std::fs::set_permissions(confined.program(), open)?;
        confined.make_folder(&confined.home())?;
        Ok(confined)
    }

    /// The executable.
    pub fn program(&self) -> PathBuf {
        self.folder.path().join("program")
    }

    /// Where the program starts.
    pub fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// Puts a file below the folder where the program starts; it may read and write it. A name that ends in
    /// a slash is a folder.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn put(&self, name: &str, bytes: &[u8]) -> std::io::Result<()> {
        let mut folder = self.home();
        let mut parts: Vec<&str> = name.split('/').collect();
        let last = parts.pop().unwrap_or_default();
        for part in parts {
            folder.push(part);
            self.make_folder(&folder)?;
        }
        if last.is_empty() {
            return Ok(());
        }
        let path = folder.join(last);
        std::fs::write(&path, bytes)?;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644))?;
        self.give(&path)
    }

    /// A command that runs in the folder with the rights of nobody.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.home()).env_clear();
        if self.is_root {
            // This also drops all further groups.
            command.uid(NOBODY).gid(NOBODY);
        }
        command
    }

    fn make_folder(&self, path: &Path) -> std::io::Result<()> {
        if !path.is_dir() {
            std::fs::create_dir(path)?;
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755))?;
            self.give(path)?;
        }
        Ok(())
    }

    fn give(&self, path: &Path) -> std::io::Result<()> {
        if self.is_root { chown(path, Some(NOBODY), Some(NOBODY)) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::process::run;

    #[test]
    fn a_confined_program_has_its_folder_and_no_rights() {
        let confined = Confined::new(Path::new("/bin/sh")).expect("a folder");
        confined.put("d/in", b"text").expect("a file");
        let mut command = confined.command(confined.program());
        command.args([
            "-c",
            "cat d/in && echo >> d/in && test ! -w / && test ! -w /dev && test ! -w ../program",
        ]);
        command.env("PATH", "/usr/bin:/bin");
        let ended = run(&mut command, b"", Duration::from_secs(20)).expect("sh runs");
        assert_eq!((ended.code, &ended.stdout[..]), (Some(0), &b"text"[..]));
    }
}
