//! What works without a program.

use std::process::Stdio;

use crate::{Run, Sandbox};

#[test]
fn help_and_version_succeed_on_standard_output() {
    let sandbox = Sandbox::new();
    let version = sandbox.run(&["--version"]);
    assert_eq!((version.code, version.stdout.starts_with("selvedge ")), (Some(0), true), "{version:?}");
    let help = sandbox.run(&["--help"]);
    assert_eq!(help.code, Some(0));
    for word in ["check", "replay", "graph", "bench", "Examples:", "Exit codes:"] {
        assert!(help.stdout.contains(word), "{word} is missing in\n{}", help.stdout);
    }
    let help = sandbox.run(&["check", "--help"]);
    for word in ["Search:", "Bounds:", "Solver:", "Output:", "Examples:", "--unwind", "--no-solver-cache"] {
        assert!(help.stdout.contains(word), "{word} is missing in\n{}", help.stdout);
    }
}

#[test]
fn completions_and_manual_pages_are_printed_or_written() {
    let sandbox = Sandbox::new();
    for shell in ["bash", "zsh", "fish"] {
        let run = sandbox.run(&["completions", shell]);
        assert!(run.code == Some(0) && run.stdout.contains("selvedge"), "{run:?}");
    }
    let run = sandbox.run(&["man"]);
    assert!(run.code == Some(0) && run.stdout.contains(".TH"), "{run:?}");
    assert_eq!(sandbox.run(&["completions", "bash", "--dir", "made/shell"]).code, Some(0));
    assert_eq!(sandbox.run(&["man", "--dir", "made/man"]).code, Some(0));
    assert!(sandbox.path().join("made/shell/selvedge.bash").exists());
    assert!(sandbox.path().join("made/man/selvedge-check.1").exists());
}

#[test]
fn a_closed_standard_output_is_not_a_failure() {
    let sandbox = Sandbox::new();
    let (reader, writer) = std::io::pipe().expect("pipe");
    drop(reader);
    let output =
        sandbox.command(&["completions", "bash"]).stdout(Stdio::from(writer)).output().expect("starts");
    let run = Run::from(output);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
}

#[test]
fn a_full_disk_is_a_failure() {
    let sandbox = Sandbox::new();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a device of Linux");
    let output =
        sandbox.command(&["completions", "bash"]).stdout(Stdio::from(full)).output().expect("starts");
    let run = Run::from(output);
    assert!(run.code == Some(2) && run.stderr.contains("cannot write to standard output"), "{run:?}");
}

#[test]
fn graphs_are_drawn_for_functions_that_exist() {
    let sandbox = Sandbox::new();
    sandbox.file("a.c", "int f(int x) { return x ? 1 : 2; }\nint main(void) { return f(3); }\n");
    let run = sandbox.run(&["graph", "a.c"]);
    assert!(run.code == Some(0) && run.stdout.contains("2: int main(void) { return f(3); }"), "{run:?}");
    let run = sandbox.run(&["graph", "--kind", "calls", "-o", "g.dot", "a.c"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""), "{run:?}");
    let dot = std::fs::read_to_string(sandbox.path().join("g.dot")).expect("written");
    assert!(dot.contains("label=\"main\"") && dot.contains("->"), "{dot}");
    let run = sandbox.run(&["graph", "--function", "nope", "a.c"]);
    assert!(run.code == Some(2) && run.stderr.contains("does not define a function `nope`"), "{run:?}");
}

#[test]
fn pictures_are_drawn_by_graphviz() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = Sandbox::new();
    sandbox.file("a.c", "int main(void) { return 0; }\n");
    // Stands in for Graphviz: what it gets and what it answers is all that matters here.
    let dot = sandbox.file("dot", "#!/bin/sh\necho \"<svg>$1 $(head -c 7)</svg>\"\n");
    std::fs::set_permissions(&dot, std::fs::Permissions::from_mode(0o755)).expect("own file");
    let path = std::env::var("PATH").expect("a search path");
    let path = format!("{}:{path}", sandbox.path().display());
    let mut command = sandbox.command(&["graph", "--format", "svg", "a.c"]);
    let run = Run::from(command.env("PATH", path).output().expect("starts"));
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "<svg>-Tsvg digraph</svg>\n"), "{run:?}");
}
