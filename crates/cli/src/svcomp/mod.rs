//! Verification tasks of SV-COMP: what is asked, and the answer in the competition's words.
//!
//! Guarantees: `TRUE` only for an unbounded `safe`; `FALSE(p)` only for a bug that violates a clause that was asked
//! for; anything else is `UNKNOWN`.

pub(crate) mod property;
mod task;
pub(crate) mod witness;

use std::path::{Path, PathBuf};

use selvedge_engine::{Outcome, Verdict};

use crate::args::CheckArgs;
use crate::failure::Failure;
use property::{Clause, Specification};
use task::{Expected, Task, TaskProperty};

/// Tasks are older than the compilers that refuse these.
const OLD_C: [&str; 4] = [
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-function-pointer-types",
];

fn old_c() -> Vec<String> {
    OLD_C.iter().map(|&flag| flag.to_owned()).collect()
}

/// One check: a program and what is asked about it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Job {
    /// The program.
    pub(crate) files: Vec<PathBuf>,
    /// Arguments for clang.
    pub(crate) clang_args: Vec<String>,
    /// A property file, instead of `--check`.
    pub(crate) specification: Option<Specification>,
    /// The right answer, if the task tells.
    expected: Option<Expected>,
}

/// What a command line asks for: the checks, and the properties that cannot be checked with the reason.
pub(crate) fn jobs(args: &CheckArgs) -> Result<(Vec<Job>, Vec<String>), Failure> {
    let chosen = args.svcomp.property.as_deref().map(read_property).transpose()?;
    let Some(file) = args.files.iter().find(|f| Task::is_task(f)) else {
        if args.svcomp.svcomp && chosen.is_none() {
            return Err(
                Failure::new("--svcomp needs a property").help("name a property file with --property")
            );
        }
        let mut clang_args = if chosen.is_some() { old_c() } else { Vec::new() };
        clang_args.extend(args.clang_args.iter().cloned());
        let files = args.files.clone();
        return Ok((vec![Job { files, clang_args, specification: chosen, expected: None }], Vec::new()));
    };
    if args.files.len() > 1 {
        return Err(
            Failure::new("a task definition must be the only file").help("it names its input files itself")
        );
    }
    let task = read_task(file)?;
    // What the user says comes later, and clang listens to the last.
    let mut clang_args = old_c();
    clang_args.extend(task.data_model.iter().map(|m| m.flag().to_owned()));
    clang_args.extend(args.clang_args.iter().cloned());
    let job = Job { files: task.files.clone(), clang_args, ..Job::default() };
    if let (Some(specification), Some(path)) = (chosen, &args.svcomp.property) {
        let expected = task.properties.iter().find(|p| is_same_property(&p.file, path));
        let expected = expected.and_then(|p| p.expected.clone());
        return Ok((vec![Job { specification: Some(specification), expected, ..job }], Vec::new()));
    }
    if !args.search.check.is_empty() || task.properties.is_empty() {
        if args.svcomp.svcomp {
            return Err(
                Failure::new("--svcomp needs a property").help("name a property file with --property")
            );
        }
        return Ok((vec![job], Vec::new()));
    }
    of_task(args, &task, &job)
}

/// The checks for all properties of a task.
fn of_task(args: &CheckArgs, task: &Task, job: &Job) -> Result<(Vec<Job>, Vec<String>), Failure> {
    let choose = |why: &str| {
        let names: Vec<String> = task.properties.iter().map(|p| p.file.display().to_string()).collect();
        Failure::new(format!("the task has several properties, but {why}"))
            .help(format!("choose one with --property: {}", names.join(", ")))
    };
    if let [TaskProperty { file, expected }] = task.properties.as_slice() {
        let specification = Some(read_property(file)?);
        return Ok((vec![Job { specification, expected: expected.clone(), ..job.clone() }], Vec::new()));
    }
    if args.svcomp.svcomp {
        return Err(choose("--svcomp answers one"));
    }
    let (mut jobs, mut refused) = (Vec::new(), Vec::new());
    for TaskProperty { file, expected } in &task.properties {
        let text = std::fs::read_to_string(file).map_err(|e| Failure::io("read", file, &e))?;
        match Specification::parse(&text) {
            Ok(specification) => {
                let (specification, expected) = (Some(specification), expected.clone());
                jobs.push(Job { specification, expected, ..job.clone() });
            }
            Err(error) => refused.push(format!("{}: {error}", file.display())),
        }
    }
    let output = &args.output;
    let has_output = output.out.is_some() || output.json.is_some() || output.ktest.is_some();
    if jobs.len() > 1 && (has_output || output.lcov.is_some() || args.svcomp.witness.is_some()) {
        return Err(choose("reports in files are about one"));
    }
    if jobs.is_empty() {
        return Err(Failure::new(format!("no property of the task is supported: {}", refused.join("; "))));
    }
    Ok((jobs, refused))
}

fn read_task(path: &Path) -> Result<Task, Failure> {
    let text = std::fs::read_to_string(path).map_err(|e| Failure::io("read", path, &e))?;
    let dir = path.parent().unwrap_or(Path::new(""));
    let task = Task::parse(&text, dir).map_err(|e| Failure::new(format!("{}: {e}", path.display())))?;
    match task.files.iter().find(|f| !f.is_file()) {
        Some(missing) => {
            Err(Failure::new(format!("{}: input file {} does not exist", path.display(), missing.display())))
        }
        None => Ok(task),
    }
}

fn read_property(path: &Path) -> Result<Specification, Failure> {
    let text = std::fs::read_to_string(path).map_err(|e| Failure::io("read", path, &e))?;
    Specification::parse(&text).map_err(|e| Failure::new(format!("{}: {e}", path.display())))
}

/// The same file, or one of the same name: tasks and competitions keep copies of the property files.
fn is_same_property(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b) || a.file_name() == b.file_name()
}

/// An answer in the competition's words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Answer {
    True,
    False(Clause),
    Unknown,
}

impl std::fmt::Display for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Answer::True => f.write_str("TRUE"),
            Answer::False(clause) => write!(f, "FALSE({})", clause.name()),
            Answer::Unknown => f.write_str("UNKNOWN"),
        }
    }
}

/// Takes bugs out of `outcome` that violate no clause of the specification; the verdict is then not `unsafe`.
pub(crate) fn keep_violations(outcome: &mut Outcome, specification: &Specification) {
    let is_asked = |kind| Clause::violated_by(kind).is_some_and(|c| specification.clauses.contains(&c));
    let name = specification.name();
    for bug in outcome.bugs.iter().filter(|b| !is_asked(b.kind)) {
        let place = &bug.location;
        outcome.reasons.push(format!(
            "{}:{}: {}; this is wrong, but no violation of {name}, and nothing is known about what follows",
            place.file, place.line, bug.message
        ));
        outcome.verdict = Verdict::Unknown;
    }
    outcome.bugs.retain(|b| is_asked(b.kind));
    if !outcome.bugs.is_empty() {
        outcome.verdict = Verdict::Unsafe;
    }
}

/// The answer that an outcome gives.
pub(crate) fn answer(outcome: &Outcome) -> Answer {
    let violated = || outcome.bugs.iter().find_map(|b| Clause::violated_by(b.kind));
    match outcome.verdict {
        Verdict::Safe if !outcome.bounded => Answer::True,
        Verdict::Unsafe => violated().map_or(Answer::Unknown, Answer::False),
        Verdict::Safe | Verdict::Unknown => Answer::Unknown,
    }
}

/// The answer and whether it is the expected one, for people.
pub(crate) fn summary(job: &Job, specification: &Specification, answer: Answer) -> String {
    let head = format!("{}: {answer}", specification.name());
    let Some(expected) = &job.expected else { return head };
    let agrees = match answer {
        Answer::Unknown => None,
        Answer::True => Some(expected.verdict),
        Answer::False(clause) => {
            let is_right = |name: &String| name == clause.name();
            Some(!expected.verdict && expected.subproperty.as_ref().is_none_or(is_right))
        }
    };
    let wanted = match (&expected.subproperty, expected.verdict) {
        (Some(name), false) => format!("false({name})"),
        (_, verdict) => verdict.to_string(),
    };
    match agrees {
        Some(true) => format!("{head}, as the task expects"),
        Some(false) => format!("{head}, but the task expects {wanted}"),
        None => format!("{head}; the task expects {wanted}"),
    }
}
