//! `check --incremental --git REV`, as a user meets it.

use std::process::Command;

use crate::{Run, Sandbox};

const MAIN: &str = "\
#include <assert.h>
#include <pthread.h>
#include \"counter.h\"
static void *first(void *p) { for (int i = 0; i < 2; i++) a += b; return p; }
static void *second(void *p) { for (int i = 0; i < 2; i++) b += a; return p; }
int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, first, 0);
    pthread_create(&u, 0, second, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(a < LIMIT && b < LIMIT);
    return 0;
}
";
const HEADER: &str = "#define LIMIT 144\nstatic int a = 1, b = 1;\n";

fn git(sandbox: &Sandbox, args: &[&str]) -> String {
    let name =
        ["-c", "user.name=somebody", "-c", "user.email=somebody@example.org", "-c", "commit.gpgsign=false"];
    let run = Command::new("git").current_dir(sandbox.path()).args(name).args(args).output();
    let run = Run::from(run.expect("git is there"));
    assert_eq!(run.code, Some(0), "{run:?}");
    run.stdout
}

/// A repository with one version of a program in a folder.
fn repository() -> Sandbox {
    let sandbox = Sandbox::new();
    git(&sandbox, &["init", "--quiet", "-b", "main"]);
    std::fs::create_dir_all(sandbox.path().join("src")).expect("a folder");
    std::fs::create_dir_all(sandbox.path().join("include")).expect("a folder");
    sandbox.file("src/a.c", MAIN);
    sandbox.file("include/counter.h", HEADER);
    git(&sandbox, &["add", "."]);
    git(&sandbox, &["commit", "--quiet", "-m", "first"]);
    sandbox
}

fn check(sandbox: &Sandbox, flags: &[&str]) -> (Option<i32>, String) {
    let mut args = vec!["check", "--incremental"];
    args.extend(flags);
    args.extend(["src/a.c", "--", "-Iinclude"]);
    let run = sandbox.run(&args);
    (run.code, run.stdout + &run.stderr)
}

#[test]
fn a_version_in_git_is_checked_first_and_once() {
    let sandbox = repository();
    let head = git(&sandbox, &["rev-parse", "--short", "HEAD"]);
    let (code, text) = check(&sandbox, &["--git", "HEAD"]);
    assert_eq!(code, Some(0), "{text}");
    let line = format!("from before: HEAD ({}) was checked first: safe, ", head.trim());
    assert!(text.contains(&line), "{text}");
    // The same files under the same names: nothing is left to explore.
    assert!(text.contains("stands"), "{text}");
    sandbox.file("src/a.c", format!("{MAIN}\n/* edited */\n"));
    let (_, text) = check(&sandbox, &["--git", "main"]);
    assert!(text.contains("from before: main (") && text.contains(") is known"), "{text}");
    assert!(text.contains("stands"), "{text}");
    assert_eq!(git(&sandbox, &["status", "--porcelain"]), " M src/a.c\n", "nothing else is touched");
}

#[test]
fn what_is_included_belongs_to_the_version() {
    let sandbox = repository();
    sandbox.file("include/counter.h", HEADER.replace("144", "5"));
    let (code, text) = check(&sandbox, &["--git", "HEAD"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("was checked first: safe"), "{text}");
    // A version that fails, and the repaired work tree.
    git(&sandbox, &["commit", "--quiet", "-a", "-m", "worse"]);
    sandbox.file("include/counter.h", HEADER);
    let (code, text) = check(&sandbox, &["--git", "HEAD", "--store", "other"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("was checked first: unsafe, "), "{text}");
    let run = sandbox.run(&["check", "src/a.c", "--check-incremental", "--git", "HEAD~1", "--", "-Iinclude"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stdout.contains("HEAD~1 (") && !run.stdout.contains("bug in selvedge"), "{run:?}");
}

#[test]
fn files_may_be_named_from_anywhere() {
    let sandbox = repository();
    let absolute = sandbox.path().join("src/a.c").canonicalize().expect("a file").display().to_string();
    let include = format!("-I{}", sandbox.path().canonicalize().expect("a folder").join("include").display());
    sandbox.file("include/counter.h", "#error not this one\n");
    for (folder, file) in [("src", "a.c"), ("src", "../src/a.c"), ("include", &absolute), ("..", &absolute)] {
        let store = tempfile::tempdir().expect("a folder");
        let store = store.path().display().to_string();
        let args = ["check", "--incremental", "--git", "HEAD", "--store", &store, file, "--", &include];
        let mut command = sandbox.command(&args);
        let run = Run::from(command.current_dir(sandbox.path().join(folder)).output().expect("it starts"));
        assert_eq!(run.code, Some(2), "the work tree does not compile: {run:?}");
        assert!(run.stdout.contains("was checked first: safe"), "{folder} {file}: {run:?}");
    }
}

#[test]
fn what_cannot_be_found_is_said() {
    let sandbox = repository();
    let head = ["--git", "HEAD"];
    let (code, text) = check(&sandbox, &["--git", "nowhere"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("--git nowhere is no version of the repository"), "{text}");
    sandbox.file("src/new.c", "int main(void) { return 0; }\n");
    let run = sandbox.run(&["check", "--incremental", "--git", "HEAD", "src/new.c"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stderr.contains("warning: src/new.c is not in HEAD ("), "{run:?}");

    sandbox.file("include/counter.h", "broken\n");
    git(&sandbox, &["commit", "--quiet", "-a", "-m", "broken"]);
    sandbox.file("include/counter.h", HEADER);
    let (code, text) = check(&sandbox, &head);
    assert_eq!(code, Some(0), "{text}");
    assert!(
        text.contains("warning: HEAD cannot be checked: ") && text.contains("counter.h:1:1: error:"),
        "{text}"
    );

    let mut command = sandbox.command(&["check", "--incremental", "--git", "HEAD", "src/new.c"]);
    let run = Run::from(command.env("PATH", "/nowhere").output().expect("it starts"));
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.stderr.contains("the command `git`"), "{run:?}");

    let outside = Sandbox::new();
    outside.file("a.c", "int main(void) { return 0; }\n");
    let run = outside.run(&["check", "--incremental", "--git", "HEAD", "a.c"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.stderr.contains("a.c is in no git repository"), "{run:?}");
    let run = outside.run(&["check", "--git", "HEAD", "a.c"]);
    assert!(run.code == Some(2) && run.stderr.contains("add --incremental"), "{run:?}");
}
