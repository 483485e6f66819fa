//! `prove --incremental`, as a user meets it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use super::{program, text};

/// A folder with one C program, which is proved with what the store in the folder knows.
struct Folder(TempDir);

impl Folder {
    /// With one of the programs to prove.
    fn with(name: &str) -> Folder {
        let folder = Folder(tempfile::tempdir().expect("temporary directory"));
        folder.write(&source(name));
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, source: &str) {
        std::fs::write(self.path("a.c"), source).expect("it can be written");
    }

    fn run(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_selvedge"));
        command.args(args).current_dir(self.0.path()).output().expect("the binary runs")
    }

    /// The verdict, what became of the last proof, the questions to the solver, and what is said.
    fn prove(&self, flags: &[&str]) -> (String, String, u64, String) {
        let mut args = vec!["prove", "--incremental", "--json", "out.json", "a.c"];
        args.extend(flags);
        let out = self.run(&args);
        let report = std::fs::read_to_string(self.path("out.json")).expect("a report");
        let report: Value = serde_json::from_str(&report).expect("JSON");
        let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let queries = report["solver"]["queries"].as_u64().expect("a number");
        let said = text(&out.stdout) + &text(&out.stderr);
        (word(&report["verdict"]), word(&report["incremental"]["proof"]["status"]), queries, said)
    }
}

fn source(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/prove");
    std::fs::read_to_string(folder.join(name)).expect("it can be read")
}

/// The source with something else in it.
fn with(source: &str, changes: &[(&str, &str)]) -> String {
    changes.iter().fold(source.to_owned(), |source, (from, to)| {
        assert!(source.contains(from), "{from}");
        source.replace(from, to)
    })
}

const COUNTED: [(&str, &str); 2] =
    [("static int inside;", "static int inside, hits;"), ("inside--;", "inside--;\n    hits++;")];

#[test]
fn the_last_proof_holds_for_edits_that_keep_the_invariant() {
    let peterson = source("peterson.c");
    let folder = Folder::with("peterson.c");
    let (verdict, status, from_scratch, said) = folder.prove(&[]);
    assert_eq!((&verdict[..], &status[..]), ("safe", "none"), "{said}");
    let edits = [
        with(&peterson, &[("static atomic_int", "/* moved */\n\n\nstatic atomic_int")]),
        with(&peterson, &[("static int inside;", "static const char *name = \"x\";\nstatic int inside;")]),
        with(&peterson, &[("assert(inside == 1)", "assert(inside < 2)")]),
        with(
            &peterson,
            &[("int me = (int)(long)argument;", "long raw = (long)argument;\n  int me = (int)raw;")],
        ),
    ];
    for edit in edits {
        folder.write(&edit);
        let (verdict, status, queries, said) = folder.prove(&[]);
        assert_eq!((&verdict[..], &status[..]), ("safe", "holds"), "{said}\n{edit}");
        assert!(
            said.contains("from before: the last proof, of 20") && said.contains("still holds"),
            "{said}"
        );
        assert!(20 * queries < from_scratch, "{queries} questions after {from_scratch}");
    }
}

#[test]
fn a_search_begins_with_what_is_left_of_the_last_proof() {
    for name in ["peterson.c", "ticket.c"] {
        let folder = Folder::with(name);
        let (_, _, from_scratch, _) = folder.prove(&[]);
        folder.write(&with(&source(name), &COUNTED));
        let (verdict, status, queries, said) = folder.prove(&[]);
        assert_eq!((&verdict[..], &status[..]), ("safe", "begun-with"), "{said}");
        assert!(said.contains("conditions of the last proof, "), "{said}");
        assert!(10 * queries < from_scratch, "{name}: {queries} questions after {from_scratch}");
        assert_eq!(folder.prove(&[]).1, "holds", "what was found is kept");
    }
}

#[test]
fn a_change_that_breaks_the_program_is_found_and_found_again() {
    let folder = Folder::with("peterson.c");
    folder.prove(&[]);
    folder.write(&source("peterson_bad.c"));
    let (verdict, _, _, said) = folder.prove(&["--out", "result"]);
    assert_eq!(verdict, "unsafe", "{said}");
    let out = folder.run(&["replay", "result/bug-1.json"]);
    assert_eq!(out.status.code(), Some(1), "{}", text(&out.stderr));
    folder.write(&format!("// moved\n{}", source("peterson_bad.c")));
    let (verdict, _, queries, said) = folder.prove(&[]);
    assert_eq!((&verdict[..], queries), ("unsafe", 0), "{said}");
    assert!(said.contains("from before: the known failure is still there"), "{said}");
    folder.write(&source("peterson.c"));
    let (verdict, status, _, said) = folder.prove(&[]);
    assert_eq!(
        (&verdict[..], &status[..]),
        ("safe", "begun-with"),
        "the proof before the failure is kept: {said}"
    );
    assert!(said.contains("the known failure does not happen any more"), "{said}");
}

/// One thread looks for what nobody sets.
fn looking(body: &str) -> String {
    format!(
        "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n
static atomic_int set;
static void *worker(void *argument) {{ {body} return argument; }}
int main(void) {{
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  pthread_join(a, 0);
  return 0;
}}\n"
    )
}

#[test]
fn a_known_failure_that_is_now_a_livelock_does_not_happen_any_more() {
    let waits = looking("while (!atomic_load(&set)) { }");
    let alone = Folder::with("ticket.c");
    alone.write(&waits);
    let from_scratch = alone.prove(&[]).0;
    assert_eq!(from_scratch, "safe", "a proof does not look for livelocks");
    let folder = Folder::with("ticket.c");
    folder.write(&looking("assert(atomic_load(&set));"));
    assert_eq!(folder.prove(&[]).0, "unsafe");
    folder.write(&waits);
    let (verdict, _, _, said) = folder.prove(&[]);
    assert_eq!(verdict, from_scratch, "{said}");
    assert!(said.contains("the known failure does not happen any more"), "{said}");
}

#[test]
fn what_the_store_says_is_not_believed() {
    // The proof of one program under the key of another, which has the same functions and fails.
    let folder = Folder::with("ticket.c");
    folder.prove(&[]);
    folder.write(&source("ticket_bad.c"));
    let (verdict, _, _, said) = folder.prove(&[]);
    assert_eq!(verdict, "unsafe", "{said}");
    // Bytes of the entry are others.
    folder.write(&source("ticket.c"));
    folder.prove(&[]);
    let file = folder.path(".selvedge/store.db");
    let mut bytes = std::fs::read(&file).expect("the store is there");
    let at = bytes.windows(11).rposition(|word| word == b"predicate (").expect("a proof is kept");
    bytes[at..at + 40].fill(b'1');
    std::fs::write(&file, bytes).expect("it can be written");
    let (verdict, status, _, said) = folder.prove(&[]);
    assert_eq!((&verdict[..], &status[..]), ("safe", "none"), "{said}");
    assert!(said.contains("is damaged and is not used"), "{said}");
    std::fs::write(&file, "not a database, whatever else it may be, and long enough\n").expect("written");
    let (verdict, status, _, said) = folder.prove(&[]);
    assert_eq!((&verdict[..], &status[..]), ("safe", "none"), "{said}");
    assert!(said.contains("warning: the store is not used"), "{said}");
}

#[test]
fn a_proof_of_other_properties_or_arguments_is_another_one() {
    let folder = Folder::with("spin_counter.c");
    folder.prove(&[]);
    for flags in [&["--check", "assert"][..], &["--", "-DNDEBUG"], &["--check", "overflow"]] {
        let (_, status, _, said) = folder.prove(flags);
        assert_eq!(status, "none", "{flags:?}: {said}");
    }
    assert_eq!(folder.prove(&[]).1, "holds");
}

#[test]
fn flags_that_do_not_fit_are_refused() {
    let folder = Folder::with("ticket.c");
    let gcl = program("ticket.gcl").display().to_string();
    for (args, word) in [
        (&["prove", "a.c", "--incremental", "--proof", "p"][..], "--proof"),
        (&["prove", "a.c", "--store", "x"], "--incremental"),
        (&["prove", "a.c", "--store-limit", "5"], "--incremental"),
        (&["prove", &gcl, "--incremental"], "--incremental is for C programs"),
    ] {
        let out = folder.run(args);
        assert_eq!(out.status.code(), Some(2), "{args:?}");
        assert!(text(&out.stderr).contains(word), "{}", text(&out.stderr));
    }
}
