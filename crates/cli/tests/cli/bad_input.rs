//! Wrong command lines and inputs: exit code 2, the right words, and nothing written.

use crate::Sandbox;

#[track_caller]
fn check(sandbox: &Sandbox, args: &[&str], words: &[&str]) {
    let run = sandbox.run(args);
    assert_eq!(run.code, Some(2), "{args:?}: {run:?}");
    assert_eq!(run.stdout, "", "{args:?}: errors belong on standard error");
    for word in words {
        assert!(run.stderr.contains(word), "{args:?}: {word:?} is missing in\n{}", run.stderr);
    }
    assert!(!run.stderr.contains("panic"), "{}", run.stderr);
}

#[test]
fn wrong_flags_are_refused() {
    let sandbox = Sandbox::new();
    sandbox.file("ok.c", "int main(void) { return 0; }");
    check(&sandbox, &[], &["Usage"]);
    check(&sandbox, &["chek", "ok.c"], &["unrecognized subcommand", "chek"]);
    check(&sandbox, &["check"], &["<FILE>"]);
    check(&sandbox, &["check", "--frobnicate", "ok.c"], &["unexpected argument", "--frobnicate"]);
    check(&sandbox, &["check", "--check", "asert", "ok.c"], &["unknown property `asert`", "memory"]);
    check(&sandbox, &["check", "--unwind", "many", "ok.c"], &["--unwind", "many"]);
    check(&sandbox, &["check", "--sym-args", "100000000000", "ok.c"], &["--sym-args", "too long"]);
    check(&sandbox, &["check", "--timeout", "0", "ok.c"], &["--timeout"]);
    check(&sandbox, &["check", "--max-runs", "0", "ok.c"], &["--max-runs"]);
    check(&sandbox, &["check", "--jobs", "0", "ok.c"], &["--jobs 0", "from 1 to"]);
    let pointless = ["check", "--reduce", "none", "--no-sleep", "ok.c"];
    check(&sandbox, &pointless, &["--no-sleep changes nothing with --reduce none"]);
    check(&sandbox, &["check", "--json", "-", "--lcov", "-", "ok.c"], &["standard output"]);
}

#[test]
fn worlds_that_cannot_be_are_refused() {
    let sandbox = Sandbox::new();
    sandbox.file("ok.c", "int main(void) { return 0; }");
    sandbox.file("small.txt", "abc");
    std::fs::create_dir(sandbox.path().join("folder")).expect("directory");
    let large = std::fs::File::create(sandbox.path().join("large")).expect("file");
    large.set_len(1 << 30).expect("a sparse file");
    let refused = |flags: &[&str], words: &[&str]| {
        check(&sandbox, &[&["check"], flags, &["ok.c"]].concat(), words);
    };
    refused(&["--file", "missing.txt"], &["--file", "missing.txt", "No such file"]);
    refused(&["--file", "in=missing.txt"], &["missing.txt", "No such file"]);
    refused(&["--file", "folder"], &["--file", "folder", "is a directory"]);
    refused(&["--file", "large"], &["large", "more than 1048576 bytes"]);
    refused(&["--file", "/dev/zero"], &["--file", "/dev/zero", "not a regular file"]);
    let made = std::process::Command::new("mkfifo").arg(sandbox.path().join("pipe")).status();
    assert!(made.expect("mkfifo runs").success());
    let _socket = std::os::unix::net::UnixListener::bind(sandbox.path().join("socket")).expect("a socket");
    for special in ["pipe", "socket"] {
        refused(&["--file", &format!("in={special}")], &["--file", special, "not a regular file"]);
        refused(&["--stdin", special], &["--stdin", special, "not a regular file"]);
        refused(&["--peer", special], &["--peer", special, "not a regular file"]);
    }
    refused(&["--file", "=small.txt"], &["does not name a file"]);
    refused(&["--file", "../x=small.txt"], &["../x", "does not name a file"]);
    refused(&["--file", "/dev/null=small.txt"], &["/dev/null", "something else"]);
    refused(&["--file", "a=small.txt", "--sym-file", "/home/user/a=3"], &["given twice"]);
    refused(&["--file", "a=small.txt", "--file", "a/b=small.txt"], &["`a`", "`a/b`", "cannot both be files"]);
    refused(&["--sym-file", "a"], &["--sym-file a", "no size"]);
    refused(&["--sym-file", "a=many"], &["many", "no number of bytes"]);
    refused(&["--sym-file", "a=-1"], &["-1", "no number of bytes"]);
    refused(&["--sym-file", "a=1000000000000"], &["--sym-file", "too many"]);
    refused(&["--sym-stdin", "1000000000000"], &["--sym-stdin", "too many"]);
    refused(&["--stdin", "missing.txt"], &["--stdin", "missing.txt", "No such file"]);
    refused(&["--stdin", "folder"], &["--stdin", "is a directory", "what the program reads"]);
    refused(&["--peer", "folder"], &["--peer", "is a directory", "what the peer sends"]);
    refused(
        &["--stdin", "small.txt", "--sym-stdin", "2"],
        &["--stdin", "--sym-stdin", "cannot be used with"],
    );
}

#[test]
fn wrong_programs_are_refused() {
    let sandbox = Sandbox::new();
    sandbox.file("syntax.c", "int main(void) { retrun 0; }");
    sandbox.file("library.c", "int helper(void) { return 1; }");
    sandbox.file("empty.c", "");
    sandbox.file("notes.txt", "hello");
    sandbox.file("noise.bc", [0u8, 1, 2, 3, 255, 254]);
    sandbox.file("truncated.bc", b"BC\xc0\xde\x35\x14\x00\x00");
    // An identification block with epoch 1, and a module block with nothing but its version.
    const NEWER: &[u8] = b"\x42\x43\xc0\xde\x35\x0c\x00\x00\x05\x00\x00\x00\x0b\x14\x56\x60\x05\x5b\x68\x85\x3c\xc8\x03\x37\x80\x03\x37\x80\x83\x09\x41\x00\x21\x0c\x00\x00\x01\x00\x00\x00\x0b\x02\x01\x00";
    sandbox.file("newer.bc", NEWER);
    sandbox.file("broken.ll", "define i32 @main() { ret i32 }");
    std::fs::create_dir(sandbox.path().join("folder.c")).expect("directory");
    check(&sandbox, &["check", "missing.c"], &["missing.c", "No such file"]);
    check(&sandbox, &["check", "folder.c"], &["folder.c", "directory"]);
    check(&sandbox, &["check", "syntax.c"], &["syntax.c:1:", "retrun", "error:"]);
    check(&sandbox, &["check", "library.c"], &["no function `main`", "helper"]);
    check(&sandbox, &["check", "--entry", "nope", "library.c"], &["no function `nope`"]);
    check(&sandbox, &["check", "empty.c"], &["no function `main`"]);
    check(&sandbox, &["check", "notes.txt"], &["notes.txt", "kind"]);
    check(&sandbox, &["check", "noise.bc"], &["noise.bc", "bitcode"]);
    check(&sandbox, &["check", "truncated.bc"], &["truncated.bc", "bitcode"]);
    check(&sandbox, &["check", "newer.bc"], &["newer.bc", "written by a newer LLVM"]);
    check(&sandbox, &["check", "broken.ll"], &["broken.ll", "IR"]);
    check(&sandbox, &["check", "syntax.c", "--", "--no-such-clang-flag"], &["--no-such-clang-flag"]);
    check(&sandbox, &["graph", "missing.c"], &["missing.c"]);
}

#[test]
fn unwritable_outputs_are_found_before_the_program_is_compiled() {
    let sandbox = Sandbox::new();
    // That the program does not compile shows that the output was looked at first.
    sandbox.file("bad.c", "int main(");
    std::fs::create_dir(sandbox.path().join("mine")).expect("directory");
    sandbox.file("mine/thesis.tex", "x");
    check(
        &sandbox,
        &["check", "--out", "mine", "bad.c"],
        &["mine", "not made by selvedge", "empty directory"],
    );
    check(&sandbox, &["check", "--ktest", "mine", "bad.c"], &["not made by selvedge"]);
    check(&sandbox, &["check", "--out", "bad.c", "bad.c"], &["bad.c", "is a file"]);
    check(&sandbox, &["check", "--out", "/proc/selvedge", "bad.c"], &["cannot create"]);
    check(&sandbox, &["check", "--json", "none/a.json", "bad.c"], &["cannot write", "none/a.json"]);
    check(&sandbox, &["check", "--json", "mine", "bad.c"], &["cannot write", "mine"]);
    check(&sandbox, &["check", "--json", "bad.c", "bad.c"], &["one of the input files"]);
    check(&sandbox, &["check", "--lcov", "none/a.info", "bad.c"], &["cannot write"]);
    check(&sandbox, &["check", "--log-queries", "bad.c/q", "bad.c"], &["cannot create"]);
    check(&sandbox, &["graph", "-o", "none/g.dot", "bad.c"], &["cannot write"]);
}

#[test]
fn a_failed_run_leaves_no_report_behind() {
    let sandbox = Sandbox::new();
    sandbox.file("bad.c", "int main(");
    check(&sandbox, &["check", "--json", "a.json", "--lcov", "a.info", "bad.c"], &["does not compile"]);
    assert!(!sandbox.path().join("a.json").exists() && !sandbox.path().join("a.info").exists());
}

#[test]
fn wrong_replay_files_are_refused() {
    let sandbox = Sandbox::new();
    sandbox.file("empty.json", "");
    sandbox.file("report.json", "{\"schema\": 1}");
    sandbox.file("cut.json", "{\"format\": \"selvedge-replay\", \"vers");
    sandbox.file("new.json", "{\"format\": \"selvedge-replay\", \"version\": 99}");
    sandbox.file("noise.json", [0xffu8, 0xfe, 0x00]);
    check(&sandbox, &["replay", "none.json"], &["none.json", "No such file"]);
    check(&sandbox, &["replay", "empty.json"], &["truncated"]);
    check(&sandbox, &["replay", "report.json"], &["not a replay file", "bug-1.json"]);
    check(&sandbox, &["replay", "cut.json"], &["truncated"]);
    check(&sandbox, &["replay", "new.json"], &["version 99", "this release"]);
    check(&sandbox, &["replay", "noise.json"], &["not JSON"]);
}
