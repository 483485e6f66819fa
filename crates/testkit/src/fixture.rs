//! Fixture headers: what a test program under `tests/programs` says about itself.
//!
//! A fixture is a C, C++, preprocessed or LLVM text file whose comments carry the expectation:
//!
//! ```text
//! //@ verdict: safe | safe(bounded) | unsafe(kind[,kind]) | unknown
//! //@ command: check | prove
//! //@ flags: --check memory,overflow --unwind 4
//! //@ clang: -m32 -DN=3
//! //@ executions: total=720 full<=700 failed=1
//! //@ reason: text that one reason of an unknown verdict contains
//! //@ assumes: world.memory-succeeds layout.reuse     (exactly these; or `nothing`)
//! //@ stdout: text that the program prints on some explored path
//! //@ rev NAME: --search bfs
//!     a[i] = 0;            //~ BUG!           (or `BUG! memory`)
//!     int x = input();     //~ INPUT x=7      (`x=*`: any value)
//! ```
//!
//! With `rev` lines the fixture runs once for each revision, with the revision's flags added;
//! `verdict`, `executions`, `reason`, `assumes` and `stdout` may be given for one revision as `//@ executions[NAME]: ...`,
//! which then replaces the general line; `//@ clang[NAME]: -DN=4` adds arguments for that revision. In LLVM text the comment starts with `;` (`; //@ verdict: safe`).
//! Bugs that `prove` finds are replayed natively, too.
//! Guarantees: a malformed or unknown directive is an error that names its line; nothing is skipped silently.

mod check;
mod suite;

pub use suite::{Case, Failure, Suite, find};

use std::collections::BTreeMap;

use selvedge_engine::BugKind;

/// What the verdict must be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expected {
    /// Exit code 0; `bounded` must be as given here.
    Safe {
        /// A user-set bound cut some path.
        bounded: bool,
    },
    /// Exit code 1; the set of reported kinds equals this one.
    Unsafe {
        /// Names of bug kinds, sorted.
        kinds: Vec<String>,
    },
    /// Exit code 3.
    Unknown,
}

/// One condition on a counter, such as `full<=700`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Count {
    /// Field of `executions` in the JSON report.
    pub field: String,
    /// `true` for `<=`, `false` for `=`.
    pub at_most: bool,
    /// The number.
    pub value: u64,
}

/// A line on which a bug must be reported.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BugMark {
    /// Line as the compiler counts it (line markers of preprocessed files are followed).
    pub line: u32,
    /// Kind, if the mark names one.
    pub kind: Option<String>,
}

/// An input that a reported bug must have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputMark {
    /// Name of the input.
    pub name: String,
    /// Its value; `None` accepts any.
    pub value: Option<String>,
}

/// What is expected of one run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expectation {
    /// The verdict.
    pub verdict: Expected,
    /// Conditions on counters.
    pub executions: Vec<Count>,
    /// Texts that the reasons must contain.
    pub reasons: Vec<String>,
    /// Ids of what the verdict must take for granted, sorted; `None` accepts any.
    pub assumes: Option<Vec<String>>,
    /// Texts that the program's predicted output must contain.
    pub stdout: Vec<String>,
}

/// One run of a fixture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Revision {
    /// Name; empty when the fixture has no revisions.
    pub name: String,
    /// Command-line flags, general ones first.
    pub flags: Vec<String>,
    /// Arguments for clang, after `--`, general ones first.
    pub clang: Vec<String>,
    /// What is expected.
    pub expect: Expectation,
}

/// A parsed fixture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// The command that is run: `check` or `prove`.
    pub command: String,
    /// The runs, in the order of their lines; at least one.
    pub revisions: Vec<Revision>,
    /// Lines where bugs must be reported.
    pub bugs: Vec<BugMark>,
    /// Inputs of the reported bugs.
    pub inputs: Vec<InputMark>,
}

/// Why a fixture cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Error {
    /// No `//@ verdict:` line.
    #[error("the fixture has no `//@ verdict:` line")]
    NoVerdict,
    /// A header or mark that is not understood.
    #[error("line {line}: {problem}")]
    Malformed {
        /// Physical line in the file.
        line: u32,
        /// What is wrong.
        problem: String,
    },
}

const EXECUTION_FIELDS: [&str; 6] = ["total", "full", "pruned", "blocked", "failed", "cut"];

fn is_kind_of_bug(word: &str) -> bool {
    BugKind::ALL.iter().any(|kind| kind.name() == word)
}

/// The directives of one scope: the whole fixture, or one revision.
#[derive(Default)]
struct Scope {
    verdict: Option<Expected>,
    clang: Vec<String>,
    executions: Vec<Count>,
    reasons: Vec<String>,
    assumes: Option<Vec<String>>,
    stdout: Vec<String>,
    line: u32,
}

/// Reads the headers and marks of a fixture.
///
/// # Errors
/// The first malformed line, or the missing verdict.
pub fn parse(text: &str) -> Result<Fixture, Error> {
    let mut scopes: BTreeMap<String, Scope> = BTreeMap::new();
    scopes.insert(String::new(), Scope::default());
    let mut revs: Vec<(String, Vec<String>)> = Vec::new();
    let mut flags = Vec::new();
    let (mut bugs, mut inputs) = (Vec::new(), Vec::new());
    let mut command = "check".to_owned();
    let mut presumed = 1;
    for (index, raw) in text.lines().enumerate() {
        let line = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let malformed = |problem: String| Error::Malformed { line, problem };
        if let Some(next) = line_marker(raw) {
            presumed = next;
            continue;
        }
        let here = presumed;
        presumed += 1;
        if let Some(directive) = directive(raw) {
            let (key, value) = directive
                .split_once(':')
                .ok_or_else(|| malformed(format!("`//@ {directive}` has no `:`")))?;
            let (key, value) = (key.trim(), value.trim());
            if value.is_empty() && key != "flags" && !key.starts_with("rev ") {
                return Err(malformed(format!("`//@ {key}:` has no value")));
            }
            if let Some(name) = key.strip_prefix("rev ") {
                let name = name.trim();
                if name.is_empty() || revs.iter().any(|(n, _)| n == name) {
                    return Err(malformed(format!("revision `{name}` is unnamed or given twice")));
                }
                revs.push((name.to_owned(), words(value).map_err(malformed)?));
                continue;
            }
            match key {
                "flags" => flags.extend(words(value).map_err(malformed)?),
                "command" if value == "check" || value == "prove" => command = value.to_owned(),
                "command" => return Err(malformed(format!("`{value}` is not a command of fixtures"))),
                _ => {
                    let (key, rev) = scoped(key).map_err(malformed)?;
                    let scope = scopes.entry(rev.to_owned()).or_default();
                    scope.line = line;
                    scope.set(key, value).map_err(malformed)?;
                }
            }
        } else if let Some(position) = raw.find("//~") {
            match mark(raw[position + 3..].trim()).map_err(malformed)? {
                Mark::Bug(kind) => bugs.push(BugMark { line: here, kind }),
                Mark::Input(input) => inputs.push(input),
            }
        }
    }
    let general = scopes.remove("").unwrap_or_default();
    let mut revisions = Vec::new();
    if revs.is_empty() {
        revs.push((String::new(), Vec::new()));
    }
    for (name, extra) in revs {
        let own = scopes.remove(&name).unwrap_or_default();
        let mut all_flags = flags.clone();
        all_flags.extend(extra);
        let clang = general.clang.iter().chain(&own.clang).cloned().collect();
        revisions.push(Revision { flags: all_flags, clang, expect: own.over(&general)?, name });
    }
    if let Some((name, scope)) = scopes.into_iter().next() {
        return Err(Error::Malformed { line: scope.line, problem: format!("there is no revision `{name}`") });
    }
    Ok(Fixture { command, revisions, bugs, inputs })
}

impl Scope {
    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key {
            "verdict" => {
                if self.verdict.replace(verdict(value)?).is_some() {
                    return Err("the verdict is given twice".to_owned());
                }
            }
            "clang" => self.clang.extend(words(value)?),
            "executions" => {
                for word in value.split_whitespace() {
                    self.executions.push(count(word)?);
                }
            }
            "reason" => self.reasons.push(value.to_owned()),
            "assumes" => {
                let ids = self.assumes.get_or_insert_default();
                ids.extend(value.split_whitespace().filter(|id| *id != "nothing").map(str::to_owned));
                ids.sort();
            }
            "stdout" => self.stdout.push(value.to_owned()),
            _ => return Err(format!("unknown directive `{key}`")),
        }
        Ok(())
    }

    /// This revision's expectation: what it does not say is taken from `general`.
    fn over(self, general: &Scope) -> Result<Expectation, Error> {
        fn or<T: Clone>(own: Vec<T>, general: &[T]) -> Vec<T> {
            if own.is_empty() { general.to_vec() } else { own }
        }
        Ok(Expectation {
            verdict: self.verdict.or_else(|| general.verdict.clone()).ok_or(Error::NoVerdict)?,
            executions: or(self.executions, &general.executions),
            reasons: or(self.reasons, &general.reasons),
            assumes: self.assumes.or_else(|| general.assumes.clone()),
            stdout: or(self.stdout, &general.stdout),
        })
    }
}

/// The text after `//@` if the line is a directive (only a comment sign of LLVM text may stand before it).
fn directive(raw: &str) -> Option<&str> {
    raw.trim_start().trim_start_matches(';').trim_start().strip_prefix("//@").map(str::trim)
}

/// The line number that `# 12 "file"` or `#line 12` gives to the following line.
fn line_marker(raw: &str) -> Option<u32> {
    let rest = raw.strip_prefix('#')?;
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let digits = rest.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
    digits.parse().ok()
}

/// Splits `executions[NAME]` into key and revision.
fn scoped(key: &str) -> Result<(&str, &str), String> {
    match key.split_once('[') {
        None => Ok((key, "")),
        Some((key, rest)) => match rest.strip_suffix(']') {
            Some(rev) if !rev.is_empty() => Ok((key, rev)),
            _ => Err(format!("`{key}[{rest}` does not name a revision")),
        },
    }
}

fn verdict(value: &str) -> Result<Expected, String> {
    match value {
        "safe" => return Ok(Expected::Safe { bounded: false }),
        "safe(bounded)" => return Ok(Expected::Safe { bounded: true }),
        "unknown" => return Ok(Expected::Unknown),
        _ => {}
    }
    let bad = || format!("`{value}` is not a verdict: use safe, safe(bounded), unsafe(kind) or unknown");
    let list = value.strip_prefix("unsafe(").and_then(|v| v.strip_suffix(')')).ok_or_else(bad)?;
    let mut kinds: Vec<String> = list.split(',').map(|k| k.trim().to_owned()).collect();
    if let Some(unknown) = kinds.iter().find(|k| !is_kind_of_bug(k)) {
        return Err(format!("`{unknown}` is not a kind of bug"));
    }
    kinds.sort();
    kinds.dedup();
    Ok(Expected::Unsafe { kinds })
}

fn count(word: &str) -> Result<Count, String> {
    let (field, at_most, number) = if let Some((field, number)) = word.split_once("<=") {
        (field, true, number)
    } else if let Some((field, number)) = word.split_once('=') {
        (field, false, number)
    } else {
        return Err(format!("`{word}` is not a count: use name=N or name<=N"));
    };
    if !EXECUTION_FIELDS.contains(&field) {
        return Err(format!("`{field}` is not a counter of executions"));
    }
    let value = number.parse().map_err(|_| format!("`{number}` is not a number"))?;
    Ok(Count { field: field.to_owned(), at_most, value })
}

enum Mark {
    Bug(Option<String>),
    Input(InputMark),
}

fn mark(text: &str) -> Result<Mark, String> {
    if let Some(rest) = text.strip_prefix("BUG!") {
        let kind = rest.trim();
        return match kind {
            "" => Ok(Mark::Bug(None)),
            _ if is_kind_of_bug(kind) => Ok(Mark::Bug(Some(kind.to_owned()))),
            _ => Err(format!("`{kind}` is not a kind of bug")),
        };
    }
    if let Some(rest) = text.strip_prefix("INPUT ") {
        let (name, value) =
            rest.split_once('=').ok_or_else(|| format!("`{rest}` is not of the form name=value"))?;
        let value = value.trim();
        let value = (value != "*").then(|| value.to_owned());
        return Ok(Mark::Input(InputMark { name: name.trim().to_owned(), value }));
    }
    Err(format!("unknown mark `//~ {text}`"))
}

/// Splits at blanks; single or double quotes keep a word together.
fn words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in text.chars() {
        match quote {
            Some(q) if c == q => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err("a quote is not closed".to_owned());
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(text: &str) -> String {
        parse(text).expect_err("the fixture is malformed").to_string()
    }

    #[test]
    fn all_directives_and_marks_are_read() {
        let text = "// A test.\n//@ verdict: unsafe(memory,assert)\n//@ flags: --check memory -D 'a b'\n//@ clang: -m32\n\
             //@ executions: total=7 full<=6\n  a[i] = 0; //~ BUG! memory\n  f(); //~ INPUT x=-3\n//@ stdout: hi: there\n";
        let fixture = parse(text).expect("well formed");
        assert_eq!(fixture.bugs, [BugMark { line: 6, kind: Some("memory".to_owned()) }]);
        assert_eq!(fixture.inputs, [InputMark { name: "x".to_owned(), value: Some("-3".to_owned()) }]);
        let [rev] = &fixture.revisions[..] else { panic!("one revision expected") };
        assert_eq!(rev.flags, ["--check", "memory", "-D", "a b"]);
        assert_eq!(rev.clang, ["-m32"]);
        let kinds = vec!["assert".to_owned(), "memory".to_owned()];
        assert_eq!(rev.expect.verdict, Expected::Unsafe { kinds });
        assert_eq!(rev.expect.executions[1], Count { field: "full".to_owned(), at_most: true, value: 6 });
        assert_eq!(rev.expect.stdout, ["hi: there"]);
    }

    #[test]
    fn a_revision_adds_flags_and_overrides_what_it_states() {
        let text = "//@ verdict: safe\n//@ executions: total=4\n//@ flags: --a\n//@ rev one: --b\n\
                    //@ rev two:\n//@ executions[two]: total=5\n//@ clang: -DA\n//@ clang[two]: -DB\n";
        let fixture = parse(text).expect("well formed");
        let totals: Vec<u64> = fixture.revisions.iter().map(|r| r.expect.executions[0].value).collect();
        assert_eq!(totals, [4, 5]);
        assert_eq!(fixture.revisions[0].flags, ["--a", "--b"]);
        assert_eq!(fixture.revisions[1].flags, ["--a"]);
        assert_eq!(fixture.revisions[0].clang, ["-DA"]);
        assert_eq!(fixture.revisions[1].clang, ["-DA", "-DB"]);
    }

    #[test]
    fn line_markers_of_preprocessed_files_move_the_marks() {
        let text = "//@ verdict: unsafe(assert)\n# 10 \"x.c\"\nint a;\nreach(); //~ BUG!\n";
        assert_eq!(parse(text).expect("well formed").bugs[0].line, 11);
    }

    #[test]
    fn llvm_comments_may_carry_directives() {
        assert!(parse("; //@ verdict: unknown\n").is_ok());
    }

    #[test]
    fn malformed_headers_are_errors_with_their_line() {
        assert_eq!(problem("int x;\n"), "the fixture has no `//@ verdict:` line");
        assert_eq!(problem("\n//@ verdict safe\n"), "line 2: `//@ verdict safe` has no `:`");
        assert!(problem("//@ verdict: fine\n").starts_with("line 1: `fine` is not a verdict"));
        assert_eq!(problem("//@ verdict: unsafe(bad)\n"), "line 1: `bad` is not a kind of bug");
        assert_eq!(problem("//@ verdict: safe\n//@ verdict: safe\n"), "line 2: the verdict is given twice");
        assert_eq!(problem("//@ colour: red\n"), "line 1: unknown directive `colour`");
        assert_eq!(problem("//@ command: replay\n"), "line 1: `replay` is not a command of fixtures");
        assert!(problem("//@ executions: total~4\n").starts_with("line 1: `total~4` is not a count"));
        assert_eq!(problem("//@ executions: runs=4\n"), "line 1: `runs` is not a counter of executions");
        assert_eq!(problem("//@ executions: total=four\n"), "line 1: `four` is not a number");
        assert_eq!(problem("x; //~ BUGS\n"), "line 1: unknown mark `//~ BUGS`");
        assert_eq!(problem("x; //~ INPUT a\n"), "line 1: `a` is not of the form name=value");
        assert_eq!(problem("//@ flags: 'open\n"), "line 1: a quote is not closed");
        assert_eq!(problem("//@ verdict:\n"), "line 1: `//@ verdict:` has no value");
        assert_eq!(
            problem("//@ verdict: safe\n//@ executions[x]: total=1\n"),
            "line 2: there is no revision `x`"
        );
    }
}
