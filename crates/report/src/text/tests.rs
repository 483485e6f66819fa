//! Snapshots of whole text reports.

use super::*;
use crate::sample;
use expect_test::{Expect, expect};
use selvedge_engine::Executions;

#[track_caller]
fn check(outcome: &Outcome, options: &TextOptions, expected: Expect) {
    expected.assert_eq(&render(outcome, &mut sample::sources(), options));
}

#[test]
fn a_bug_reads_like_a_story() {
    let options = TextOptions { replay_files: vec!["out/bug-1.json".into()], ..TextOptions::default() };
    check(
        &sample::unsafe_(),
        &options,
        expect![[r#"
            error[memory]: out-of-bounds read of 4 bytes at offset 40 of "buf" (40 bytes)
             --> sum.c:6:14
              |
            2 | int buf[10];
              | ------------ declared here
            3 | static int sum(int n) {
            4 |     int s = 0;
            5 |     for (int i = 0; i <= n; i++)
            6 |         s += buf[i];
              |              ^^^ in function sum

              inputs
                name            type     value
                n               int      10
                standard input  2 bytes  "a\n"

              call stack
                 0  sum at sum.c:6:14
                      n = 10
                      i = 10
                      s = 0
                 1  main at sum.c:12:12

              steps
                1  sum.c:10  main  n = 10
                2  sum.c:11  main  branch not taken: n < 0
                3  sum.c:12  main  call sum
                4  sum.c:6   sum   read buf[10]

              output of the program
                | start
                | n is \x1b10

              replay: selvedge replay out/bug-1.json

            stats: 12 executions (11 full, 1 failed), 1439 states, 98765 instructions, 1438 solver queries (0.21 s), 31 MiB, lines 6/7 (86 %), branches 5/6 (83 %)
            UNSAFE  1 bug: 12 executions in 0.02 s
        "#]],
    );
}

#[test]
fn quiet_shows_the_headline_the_place_and_the_verdict() {
    let options = TextOptions { detail: Detail::Quiet, ..TextOptions::default() };
    check(
        &sample::unsafe_(),
        &options,
        expect![[r#"
            error[memory]: out-of-bounds read of 4 bytes at offset 40 of "buf" (40 bytes)
            --> sum.c:6:14

            UNSAFE  1 bug: 12 executions in 0.02 s
        "#]],
    );
}

#[test]
fn safe_is_one_line_and_its_statistics() {
    check(
        &sample::safe(),
        &TextOptions::default(),
        expect![[r#"
        stats: 720 executions (720 full), 1439 states, 98765 instructions, 1438 solver queries (0.21 s), 31 MiB, lines 6/7 (86 %), branches 5/6 (83 %)
        SAFE  everything was explored: 720 executions in 0.41 s
    "#]],
    );
}

#[test]
fn safe_says_what_it_takes_for_granted() {
    let assumption = |id, text: &str, locations: Vec<_>, hidden_lines| Assumption {
        id,
        text: text.to_owned(),
        count: 3,
        locations,
        hidden_lines,
    };
    let places = (4..9).map(|line| sample::place(line, 2, "sum")).collect();
    let outcome = Outcome {
        assumptions: vec![
            assumption("world.stdin-bound", "standard input has at most 16 bytes", places, 7),
            assumption("prove.waits-end", "no loop waits for ever", vec![], 0),
        ],
        ..sample::safe()
    };
    check(
        &outcome,
        &TextOptions::default(),
        expect![[r#"
        assumed:
          - standard input has at most 16 bytes [world.stdin-bound] at sum.c:4:2, sum.c:5:2, sum.c:6:2, ...; 7 lines that can follow were never reached
          - no loop waits for ever [prove.waits-end]
        stats: 720 executions (720 full), 1439 states, 98765 instructions, 1438 solver queries (0.21 s), 31 MiB, lines 6/7 (86 %), branches 5/6 (83 %)
        SAFE  everything was explored: 720 executions in 0.41 s, assuming: standard input has at most 16 bytes (sum.c:4); no loop waits for ever
    "#]],
    );
    let quiet = TextOptions { detail: Detail::Quiet, ..TextOptions::default() };
    check(
        &outcome,
        &quiet,
        expect![[r#"
        SAFE  everything was explored: 720 executions in 0.41 s, assuming: standard input has at most 16 bytes (sum.c:4); no loop waits for ever
    "#]],
    );
}

#[test]
fn bounded_safe_names_the_bound_in_the_last_line() {
    let outcome = Outcome {
        bounded: true,
        reasons: vec!["sum.c:5: the loop bound is reached".into()],
        ..sample::safe()
    };
    let options = TextOptions { bounds: vec!["--unwind 3".into()], ..TextOptions::default() };
    check(
        &outcome,
        &options,
        expect![[r#"
            stats: 720 executions (720 full), 1439 states, 98765 instructions, 1438 solver queries (0.21 s), 31 MiB, lines 6/7 (86 %), branches 5/6 (83 %)
            SAFE (bounded)  no bug within --unwind 3: sum.c:5: the loop bound is reached; 720 executions in 0.41 s
        "#]],
    );
}

#[test]
fn unknown_names_its_reasons_and_warns() {
    check(
        &sample::unknown(),
        &TextOptions::default(),
        expect![[r#"
        warning: the assertion in sum.c:9:3 was never reached
        not explored:
          - inline assembly is not supported (sum.c:7:5 in function sum)
          - a path was cut at call depth 20000 (sum.c:12:12 in function main)
        stats: 3 executions (1 full, 2 cut), 1439 states, 98765 instructions, 1438 solver queries (0.21 s), 31 MiB, lines 6/7 (86 %), branches 5/6 (83 %)
        UNKNOWN  because inline assembly is not supported (sum.c:7:5 in function sum) (and 1 more reason listed above); 3 executions in 0.41 s
    "#]],
    );
}

#[test]
fn a_quiet_report_does_not_refer_to_what_it_leaves_out() {
    let options = TextOptions { detail: Detail::Quiet, ..TextOptions::default() };
    let text = render(&sample::unknown(), &mut Sources::none(), &options);
    assert!(text.contains("(and 1 more reason); 3 executions"), "{text}");
}

#[test]
fn statistics_and_coverage_are_tables_when_asked_for() {
    let options = TextOptions { stats: true, coverage: true, ..TextOptions::default() };
    check(
        &sample::safe(),
        &options,
        expect![[r#"
        coverage: lines 6/7 (86 %), branches 5/6 (83 %)
          sum.c      6/7      85.7 %  missed: 12
        statistics:
          executions                       720
            full                           720
            pruned                           0
            failed                           0
            cut                              0
          blocked                            0
          states                          1439
          instructions                   98765
          summaries                          0
            nodes of formulas                0
            dropped                          0
            states compared                  0
            by the solver                    0
            recognised                       0
          solver queries                  1438
            without a backend             1200
          solver time                  0.210 s
          front end                    0.050 s
          slicing                      0.000 s
          search                       0.350 s
          total time                   0.407 s
          peak memory                 31.2 MiB
          tests                              0
          branches taken                5 of 6
        SAFE  everything was explored: 720 executions in 0.41 s
    "#]],
    );
}

#[test]
fn colours_only_add_escapes() {
    let plain = render(&sample::unsafe_(), &mut sample::sources(), &TextOptions::default());
    let options = TextOptions { color: true, ..TextOptions::default() };
    let coloured = render(&sample::unsafe_(), &mut sample::sources(), &options);
    assert!(!plain.contains('\x1b') && coloured.contains('\x1b'));
    let mut stripped = String::new();
    let mut rest = coloured.as_str();
    while let Some(at) = rest.find('\x1b') {
        stripped.push_str(&rest[..at]);
        rest = &rest[at + rest[at..].find('m').expect("an escape ends in m") + 1..];
    }
    stripped.push_str(rest);
    assert_eq!(stripped, plain);
}

#[test]
fn an_empty_search_still_ends_in_a_verdict() {
    let outcome = Outcome {
        verdict: Verdict::Unknown,
        reasons: vec!["interrupted".into()],
        executions: Executions::default(),
        ..sample::safe()
    };
    let text = render(&outcome, &mut Sources::none(), &TextOptions::default());
    assert!(text.ends_with("UNKNOWN  because interrupted; 0 executions in 0.41 s\n"), "{text}");
}

#[test]
fn the_last_line_says_that_a_search_for_all_bugs_was_cut() {
    let outcome =
        Outcome { reasons: vec!["the time limit is reached (--timeout)".to_owned()], ..sample::unsafe_() };
    let options = TextOptions { all_bugs: true, ..TextOptions::default() };
    let text = render(&outcome, &mut Sources::none(), &options);
    let last =
        "UNSAFE  1 bug, maybe more because the time limit is reached (--timeout): 12 executions in 0.02 s\n";
    assert!(text.ends_with(last), "{text}");
}

#[test]
fn long_values_and_output_are_abridged_unless_all_is_asked_for() {
    let mut outcome = sample::unsafe_();
    outcome.bugs[0].inputs[0].value = "7".repeat(500);
    outcome.bugs[0].stdout = (0..50).map(|i| format!("line {i}\n")).collect::<String>().into_bytes();
    let short = render(&outcome, &mut sample::sources(), &TextOptions::default());
    assert!(short.contains("... (500 characters)") && short.contains("(last 10 of 50 lines)"), "{short}");
    let options = TextOptions { detail: Detail::Verbose, ..TextOptions::default() };
    let long = render(&outcome, &mut sample::sources(), &options);
    assert!(long.contains(&"7".repeat(500)) && long.contains("| line 0\n"), "{long}");
}

#[test]
fn diagnostics_show_all_lines_of_a_compilers_message() {
    let message = Diagnostic::error("clang failed on a.c")
        .info("a.c:1:1: error: unknown type\nfoo x;\n^")
        .help("fix it");
    expect![[r#"
        error: clang failed on a.c
         |
         = note: a.c:1:1: error: unknown type
                 foo x;
                 ^
         = help: fix it
    "#]]
    .assert_eq(&diagnostic(&message, &mut Sources::none(), false));
}

#[test]
fn replay_commands_survive_a_shell() {
    assert_eq!(shell_word("out/bug-1.json"), "out/bug-1.json");
    assert_eq!(shell_word("my out/it's.json"), r"'my out/it'\''s.json'");
}

#[test]
fn standard_input_is_one_row_and_arguments_are_strings() {
    let inputs = [
        sample::input("argv[1]", "2 bytes", "2d 66", b"-f", InputKind::Arg),
        sample::input("stdin[0]", "unsigned char", "90", b"Z", InputKind::Stdin),
        sample::input("stdin[1]", "unsigned char", "10", b"\n", InputKind::Stdin),
        sample::input("malloc fails", "bool", "true", &[1], InputKind::Environment),
        sample::input("stdin[2]", "unsigned char", "0", &[0], InputKind::Stdin),
    ];
    let text = format!("inputs\n{}", inputs_table(&inputs, 100));
    expect![[r#"
        inputs
            name                        type      value
            argv[1]                     argument  "-f"
            standard input              3 bytes   "Z\n\0"
            malloc fails (environment)  bool      true
    "#]]
    .assert_eq(&text);
}
