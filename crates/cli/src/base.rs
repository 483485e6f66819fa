//! `--git REV`: the version that the work tree is compared with is checked first, if the store does not have its answer.
//!
//! Guarantee: the answer about the work tree is that of a run from scratch, whatever is done here: a version that is checked
//! first is one more version whose findings are known, with what each rests on. What goes wrong with it is a warning.

use std::path::{Path, PathBuf};

use selvedge_base::Diagnostic;
use selvedge_engine::{Config, Outcome, Verdict};
use selvedge_frontend::Options;
use selvedge_report::json::verdict_name;
use selvedge_store::Key;

use crate::failure::Failure;
use crate::git::{Revision, before, moved_args, tree_in};
use crate::incremental::{Lineage, Plan};
use crate::output::{Console, Stream};
use crate::progress::Display;
use crate::run::{self, Work};

/// What is checked with what is known, and how.
pub(crate) struct Base<'a> {
    /// The version.
    pub(crate) name: &'a str,
    /// How the work tree is loaded.
    pub(crate) options: &'a Options,
    pub(crate) config: &'a Config,
    pub(crate) plan: &'a Plan,
}

impl Base<'_> {
    /// Checks the version, if its answer is not known; says what was done, in one line.
    pub(crate) fn check(&self, display: &Display, console: &Console) -> Result<Option<String>, Failure> {
        let Some(first) = self.options.files.first() else { return Ok(None) };
        let revision = Revision::find(self.name, first)?;
        let mut names = Vec::new();
        for file in &self.options.files {
            let name = revision.name_of(file);
            if let Some(name) = &name
                && !revision.has(name)?
            {
                let text = format!("{} is not in {}", file.display(), revision.name);
                warn(console, text, "nothing is known of that version");
                return Ok(None);
            }
            names.push(name);
        }
        let here = std::env::current_dir().unwrap_or_default();
        let place = here.strip_prefix(&revision.root).unwrap_or(&here).display().to_string();
        let key = Key::of(&[&self.plan.key.0, revision.tree.as_bytes(), place.as_bytes()]);
        if Lineage::open(self.plan).knows_revision(key) {
            return Ok(Some(format!("{} is known", revision.name)));
        }
        let folder = revision.files()?;
        let options = self.moved(&revision, &names, &tree_in(&folder));
        let work = Work::VerifyAgain(Plan { compares: false, ..self.plan.clone() });
        match run::analyse(options, self.config.clone(), work, display, false) {
            Err(failure) => {
                let said = failure.into_diagnostic();
                let (file, message) = (self.name, first_line(&said));
                warn(
                    console,
                    format!("{file} cannot be checked: {message}"),
                    "nothing is known of that version",
                );
                Ok(None)
            }
            Ok(outcome) => {
                if !self.was_cut(&outcome) {
                    Lineage::open(self.plan).note_revision(key);
                }
                Ok(Some(format!("{} was checked first: {}", revision.name, answer(&outcome))))
            }
        }
    }

    /// Whether it could come to more another time.
    fn was_cut(&self, outcome: &Outcome) -> bool {
        let is_late = self.config.limits.timeout.is_some_and(|limit| outcome.time_s >= limit.as_secs_f64());
        outcome.verdict == Verdict::Unknown && (is_late || run::is_interrupted())
    }

    /// How the version is loaded: the same files of another folder, under the same names.
    fn moved(&self, revision: &Revision, names: &[Option<PathBuf>], tree: &Path) -> Options {
        let here = std::env::current_dir().unwrap_or_default();
        let inside = here.strip_prefix(&revision.root).ok();
        let mut options = self.options.clone();
        options.clang_args = moved_args(&options.clang_args, &revision.root, tree);
        let mut prefix = revision.root.display().to_string();
        for (file, name) in options.files.iter_mut().zip(names) {
            let Some(name) = name else {
                // Outside of the repository, and as it is now.
                *file = here.join(&file);
                continue;
            };
            if inside.is_some() && file.is_relative() && !file.starts_with("..") {
                continue;
            }
            if let Some(named) = before(file, name) {
                prefix = named;
            }
            *file = tree.join(name);
        }
        options.dir = inside.map(|inside| tree.join(inside));
        // Else the names of places would differ.
        options.clang_args.extend([
            format!("-ffile-prefix-map={}={prefix}", tree.display()),
            format!("-fdebug-compilation-dir={}", here.display()),
        ]);
        options
    }
}

fn warn(console: &Console, text: String, help: &str) {
    console.diagnostic(&Diagnostic::warning(text).help(help));
}

/// What is wrong, in one line.
pub(crate) fn first_line(diagnostic: &Diagnostic) -> String {
    use selvedge_base::Note;
    let said = diagnostic.notes.iter().find_map(|note| match note {
        Note::Info(text) => text.lines().find(|line| line.contains("error: ")),
        Note::Help(_) => None,
    });
    said.map_or(diagnostic.message.clone(), str::to_owned)
}

fn answer(outcome: &Outcome) -> String {
    let n = outcome.executions.total;
    let executions = if n == 1 { "1 execution".to_owned() } else { format!("{n} executions") };
    format!("{}, {executions} in {:.2} s", verdict_name(outcome.verdict), outcome.time_s)
}

/// The line of a report.
pub(crate) fn show(line: &str, stream: Stream) -> Result<(), Failure> {
    crate::check::show(stream, format!("from before: {line}\n").as_bytes())
}
