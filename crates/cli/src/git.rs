//! What `git` knows of the files that are checked.
//!
//! Guarantee: the user's repository and work tree stay as they are: a version is written with an index of its own into a folder
//! of its own.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::failure::Failure;

/// Where git itself says that things are if it runs us as a hook: not where the files are that we were given.
const NOT_OURS: [&str; 5] =
    ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY"];

/// A version of the repository that some files are in.
#[derive(Clone, Debug)]
pub(crate) struct Revision {
    /// The folder of the work tree.
    pub(crate) root: PathBuf,
    /// As the user named it, and its short hash.
    pub(crate) name: String,
    /// The hash of all files of this version.
    pub(crate) tree: String,
}

impl Revision {
    /// The version `name` of the repository of a file.
    pub(crate) fn find(name: &str, file: &Path) -> Result<Revision, Failure> {
        let folder = match file.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        let root = run(folder, &["rev-parse", "--show-toplevel"], None)?.map_err(|said| {
            let text = format!("{} is in no git repository that --git could look into", file.display());
            Failure::new(text).help(said)
        })?;
        let root = PathBuf::from(root);
        let ask = |what: &str, form: &[&str]| {
            let what = format!("{name}^{{{what}}}");
            let mut args = vec!["rev-parse", "--verify", "--quiet"];
            args.extend(form);
            args.extend(["--end-of-options", &what]);
            run(&root, &args, None)
        };
        let unknown = |said: String| {
            let failure =
                Failure::new(format!("--git {name} is no version of the repository {}", root.display()));
            match said.is_empty() {
                true => failure.help("name a commit, a branch or a tag, such as HEAD or main"),
                false => failure.help(said),
            }
        };
        let tree = ask("tree", &[])?.map_err(unknown)?;
        let name = match ask("commit", &["--short"])? {
            Ok(short) if !name.starts_with(&short) => format!("{name} ({short})"),
            _ => name.to_owned(),
        };
        Ok(Revision { root, name, tree })
    }

    /// The name of a file from the root, if it can be one of the repository's.
    pub(crate) fn name_of(&self, file: &Path) -> Option<PathBuf> {
        let whole = file.parent().and_then(|parent| match parent == Path::new("") {
            true => std::env::current_dir().ok(),
            false => parent.canonicalize().ok(),
        });
        Some(whole?.strip_prefix(&self.root).ok()?.join(file.file_name()?))
    }

    /// Whether this version has a file of this name.
    pub(crate) fn has(&self, name: &Path) -> Result<bool, Failure> {
        let object = format!("{}:{}", self.tree, name.display());
        Ok(run(&self.root, &["cat-file", "-e", &object], None)?.is_ok())
    }

    /// All files of this version, in a folder of their own.
    pub(crate) fn files(&self) -> Result<TempDir, Failure> {
        let failed =
            |said: String| Failure::new(format!("git cannot write the files of {}", self.name)).help(said);
        let folder = TempDir::with_prefix("selvedge-git-")
            .map_err(|error| Failure::new(format!("cannot write a temporary file: {error}")))?;
        let index = folder.path().join("index");
        run(&self.root, &["read-tree", &self.tree], Some(&index))?.map_err(failed)?;
        let prefix = format!("--prefix={}/", tree_in(&folder).display());
        run(&self.root, &["checkout-index", "--all", "--quiet", &prefix], Some(&index))?.map_err(failed)?;
        // A version without files has no folder.
        let tree = tree_in(&folder);
        std::fs::create_dir_all(&tree).map_err(|error| Failure::io("create", &tree, &error))?;
        Ok(folder)
    }
}

/// Where in a folder of [`Revision::files`] these are.
pub(crate) fn tree_in(folder: &TempDir) -> PathBuf {
    folder.path().join("tree")
}

/// What git writes, without the end of the line; the inner error is what it says if it does not do it.
fn run(folder: &Path, args: &[&str], index: Option<&Path>) -> Result<Result<String, String>, Failure> {
    let mut command = Command::new("git");
    command.current_dir(folder).args(args).stdin(Stdio::null()).env("LC_ALL", "C");
    NOT_OURS.iter().for_each(|name| {
        command.env_remove(name);
    });
    if let Some(index) = index {
        command.env("GIT_INDEX_FILE", index);
    }
    let output = command.output().map_err(|error| match error.kind() {
        // The folder of a file that is not there is not there either.
        std::io::ErrorKind::NotFound if folder.is_dir() => {
            Failure::new("--git needs the command `git`, which was not found").help("install git")
        }
        std::io::ErrorKind::NotFound => Failure::new(format!("there is no folder {}", folder.display())),
        _ => Failure::new(format!("cannot run git: {error}")),
    })?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_owned();
    Ok(match output.status.success() {
        true => Ok(text(&output.stdout)),
        false => Err(text(&output.stderr)),
    })
}

/// The arguments of clang, with folders of the work tree `root` replaced by those of `tree`.
pub(crate) fn moved_args(args: &[String], root: &Path, tree: &Path) -> Vec<String> {
    let (root, tree) = (root.display().to_string(), tree.display().to_string());
    let moved = |arg: &String| {
        // A macro is a text of the program.
        let is_macro = arg.starts_with("-D") || arg.starts_with("-U");
        let at = arg.find(&root).filter(|_| !is_macro);
        let end = at.map(|at| at + root.len());
        match (at, end) {
            (Some(at), Some(end)) if arg.len() == end || arg[end..].starts_with('/') => {
                format!("{}{tree}{}", &arg[..at], &arg[end..])
            }
            _ => arg.clone(),
        }
    };
    args.iter().map(moved).collect()
}

/// What stands before the name `inside` in `path`.
pub(crate) fn before(path: &Path, inside: &Path) -> Option<String> {
    let path: &OsStr = path.as_ref();
    path.to_str()?.strip_suffix(inside.to_str()?).map(|text| text.trim_end_matches('/').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_the_work_tree_are_moved_and_nothing_else() {
        let args = [
            "-I/home/me/p/include",
            "-I/home/me/pq",
            "-DX=\"/home/me/p\"",
            "-include",
            "/home/me/p/a.h",
            "-Ib",
        ];
        let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
        let moved = moved_args(&args, Path::new("/home/me/p"), Path::new("/t"));
        assert_eq!(
            moved,
            ["-I/t/include", "-I/home/me/pq", "-DX=\"/home/me/p\"", "-include", "/t/a.h", "-Ib"]
        );
    }

    #[test]
    fn what_stands_before_a_name_is_a_folder() {
        assert_eq!(before(Path::new("../p/src/a.c"), Path::new("src/a.c")), Some("../p".to_owned()));
        assert_eq!(before(Path::new("src/a.c"), Path::new("src/a.c")), Some(String::new()));
        assert_eq!(before(Path::new("link.c"), Path::new("src/a.c")), None);
    }
}
