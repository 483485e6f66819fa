//! Where clang is.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Error;

/// The version whose bitcode this crate's LLVM surely reads.
const VERSION: &str = "22";

/// `SELVEDGE_CLANG`, else `clang-22`, else a `clang` of that version on `PATH`.
pub(crate) fn find_clang() -> Result<PathBuf, Error> {
    let named = env::var_os("SELVEDGE_CLANG").filter(|path| !path.is_empty()).map(PathBuf::from);
    search(named, env::var_os("PATH").map(|path| env::split_paths(&path).collect()).unwrap_or_default())
}

fn search(named: Option<PathBuf>, path: Vec<PathBuf>) -> Result<PathBuf, Error> {
    let on_path = |name: &str| path.iter().map(|dir| dir.join(name)).find(|file| is_program(file));
    if let Some(named) = named {
        // A bare name is looked up as a shell would.
        let found = match named.components().count() {
            1 => on_path(&named.to_string_lossy()),
            _ => is_program(&named).then(|| named.clone()),
        };
        let tried = || vec![format!("SELVEDGE_CLANG is `{}`, which is no program", named.display())];
        return found.ok_or_else(|| Error::NoClang { tried: tried() });
    }
    if let Some(found) = on_path("clang-22") {
        return Ok(found);
    }
    let mut tried = vec!["no clang-22 on PATH".to_owned()];
    if let Some(found) = on_path("clang") {
        match major_version(&found) {
            Some(version) if version == VERSION => return Ok(found),
            Some(version) => tried.push(format!("`{}` is of version {version}", found.display())),
            None => tried.push(format!("`{}` does not tell its version", found.display())),
        }
    }
    Err(Error::NoClang { tried })
}

fn is_program(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| metadata.is_file())
}

fn major_version(clang: &Path) -> Option<String> {
    let output = Command::new(clang).arg("--version").output().ok()?;
    parse_version(&String::from_utf8_lossy(&output.stdout))
}

fn parse_version(text: &str) -> Option<String> {
    let after = text.split("clang version ").nth(1)?;
    let major: String = after.chars().take_while(char::is_ascii_digit).collect();
    (!major.is_empty()).then_some(major)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_read_from_the_banner() {
        let banner = "Debian clang version 22.1.8 (1~deb12u1)\nTarget: x86_64-pc-linux-gnu";
        assert_eq!(parse_version(banner).as_deref(), Some("22"));
        assert_eq!(parse_version("gcc (Debian 12.2.0)"), None);
    }

    #[test]
    fn a_wrong_setting_is_named_in_the_error() {
        let error = search(Some("/nowhere/clang".into()), Vec::new()).expect_err("there is no such file");
        assert!(error.to_string().contains("/nowhere/clang"), "{error}");
    }

    #[test]
    fn without_any_clang_the_error_says_what_to_install() {
        let error = search(None, Vec::new()).expect_err("nothing to find");
        let text = format!("{:?}", error.to_diagnostic());
        assert!(text.contains("apt-get install clang-22"), "{text}");
    }
}
