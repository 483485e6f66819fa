//! The graph of the search over schedules, on the figures of the paper.

use expect_test::expect;

use crate::{Run, Sandbox};

fn graph(name: &str, args: &[&str]) -> Run {
    let file = format!("{}/../../tests/programs/threads/{name}", env!("CARGO_MANIFEST_DIR"));
    let args: Vec<&str> = ["graph", "--gig", &file].into_iter().chain(args.iter().copied()).collect();
    Sandbox::new().run(&args)
}

/// The picture without what is shown on demand, which changes with every simplification of formulas.
fn without_tooltips(dot: &str) -> String {
    let strip = |line: &str| match line.split_once(", tooltip=") {
        Some((start, _)) => format!("{start}];\n"),
        None => format!("{line}\n"),
    };
    dot.lines().skip(3).map(strip).collect()
}

#[test]
fn figure_2_has_one_full_execution_and_four_that_are_pruned() {
    let run = graph("paper/figure2.c", &[]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    expect![[r##"
          "0" [label="main: 54\lthread 1: 42\l"];
          "1" [label="main: 55\lthread 1: 42\l"];
          "2" [label="main: 55\lthread 1: 44\l", style=filled, fillcolor="#c9defa"];
          "3" [label="main: 56\lthread 1: 44\l", style=filled, fillcolor="#c9defa"];
          "4" [label="main: 56\lthread 1: over\l", style=filled, fillcolor="#c9defa"];
          "5" [label="main: over\lthread 1: over\l", style=filled, fillcolor="#cdeccd"];
          "6" [label="main: 55\lthread 1: over\l", style=filled, fillcolor="#c9defa"];
          "7" [label="main: 56\lthread 1: over\l", style="filled,dashed", fillcolor="#e6e6e6"];
          "8" [label="main: 56\lthread 1: 42\l"];
          "9" [label="main: 56\lthread 1: 44\l", style="filled,dashed", fillcolor="#e6e6e6"];
          "10" [label="main: 54\lthread 1: 44\l"];
          "11" [label="main: 55\lthread 1: 44\l", style="filled,dashed", fillcolor="#e6e6e6"];
          "12" [label="main: 54\lthread 1: over\l"];
          "13" [label="main: 55\lthread 1: over\l", style="filled,dashed", fillcolor="#e6e6e6"];
          "0" -> "1" [label="main 54: read x"];
          "1" -> "2" [label="thread 1 42: write x"];
          "2" -> "3" [label="main 55: read x"];
          "3" -> "4" [label="thread 1 44: write x, end"];
          "4" -> "5" [label="main 56: join thread 1"];
          "2" -> "6" [label="thread 1 44: write x, end"];
          "6" -> "7" [label="main 55: read x"];
          "1" -> "8" [label="main 55: read x"];
          "8" -> "9" [label="thread 1 42: write x"];
          "0" -> "10" [label="thread 1 42: write x"];
          "10" -> "11" [label="main 54: read x"];
          "10" -> "12" [label="thread 1 44: write x, end"];
          "12" -> "13" [label="main 54: read x"];
          "7" -> "4" [label="covered by", style=dashed, color=gray, constraint=false];
          "9" -> "3" [label="covered by", style=dashed, color=gray, constraint=false];
          "11" -> "2" [label="covered by", style=dashed, color=gray, constraint=false];
          "13" -> "6" [label="covered by", style=dashed, color=gray, constraint=false];
        }
    "##]]
    .assert_eq(&without_tooltips(&run.stdout));
    // After both reads and the end of the writer, what matters is the assertion.
    let line = run.stdout.lines().find(|l| l.contains("main: 56\\lthread 1: over"));
    assert!(line.is_some_and(|l| l.contains("safe if") && l.contains("a <= b")), "{line:?}");
}

#[test]
fn without_summaries_nothing_is_pruned() {
    let run = graph("paper/figure2.c", &["--reduce", "dpor"]);
    assert_eq!(run.stdout.matches("the end of an execution").count(), 6, "{}", run.stdout);
    assert!(!run.stdout.contains("covered by") && run.stdout.contains("no summary"), "{}", run.stdout);
}

#[test]
fn failures_are_shown() {
    let run = graph("rules/r9_skipped_accesses.c", &[]);
    assert!(run.code == Some(0) && run.stdout.contains("tooltip=\"a failure; no summary\""), "{run:?}");
}

#[test]
fn a_large_graph_is_drawn_in_part() {
    let run = graph("paper/figure2.c", &["--states", "5"]);
    assert!(run.stderr.contains("only the first 5 states are drawn (--states)"), "{run:?}");
    assert_eq!((run.code, run.stdout.matches("tooltip").count()), (Some(0), 5));
}

#[test]
fn a_program_without_threads_has_no_interleavings() {
    let sandbox = Sandbox::new();
    sandbox.file("a.c", "int main(void) { return 0; }\n");
    let run = sandbox.run(&["graph", "--gig", "a.c"]);
    assert!(run.code == Some(2) && run.stderr.contains("starts no thread"), "{run:?}");
    let run = sandbox.run(&["graph", "--states", "5", "a.c"]);
    assert!(run.code == Some(2) && run.stderr.contains("--gig"), "{run:?}");
}
