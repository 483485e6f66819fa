//! Hand-made outcomes for the tests of the renderers.

use selvedge_engine::{
    Bug, BugKind, Coverage, Executions, Input, InputKind, Label, LineCoverage, Outcome, PathEndKind, Phases,
    Place, Read, SliceSize, SolverUse, StackFrame, Step, SummaryStats, TestCase, Verdict, Writer,
};

use crate::Sources;

pub(crate) const SOURCE: &str = "\
#include <selvedge.h>
int buf[10];
static int sum(int n) {
    int s = 0;
    for (int i = 0; i <= n; i++)
        s += buf[i];
    return s;
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 10) return 0;
    return sum(n);
}
";

pub(crate) fn place(line: u32, column: u32, function: &str) -> Place {
    Place { file: "sum.c".into(), dir: "/src".into(), line, column, function: function.into() }
}

pub(crate) fn sources() -> Sources {
    let mut sources = Sources::none();
    sources.insert("/src/sum.c", SOURCE);
    sources
}

pub(crate) fn input(name: &str, ty: &str, value: &str, bytes: &[u8], kind: InputKind) -> Input {
    Input { name: name.into(), ty: ty.into(), value: value.into(), bytes: bytes.to_vec(), kind, thread: 0 }
}

/// Everything explored, nothing found.
pub(crate) fn safe() -> Outcome {
    Outcome {
        verdict: Verdict::Safe,
        bounded: false,
        reasons: vec![],
        warnings: vec![],
        assumptions: vec![],
        executions: Executions { total: 720, full: 720, ..Executions::default() },
        states: 1439,
        instructions: 98_765,
        time_s: 0.4071,
        peak_rss_mib: 31.25,
        solver: SolverUse { queries: 1438, cache_hits: 1200, time_s: 0.21 },
        phases: Phases { frontend_s: 0.05, slice_s: 0.0, explore_s: 0.35 },
        slice: SliceSize::default(),
        summaries: SummaryStats::default(),
        bugs: vec![],
        tests: vec![],
        proof: None,
        proof_object: None,
        reuse: None,
        coverage: Coverage {
            files: vec![LineCoverage {
                file: "sum.c".into(),
                covered: vec![4, 5, 6, 7, 10, 11],
                missed: vec![12],
            }],
            branches_taken: 5,
            branches: 6,
            functions: vec![],
        },
    }
}

/// An out-of-bounds read with everything a bug can carry.
pub(crate) fn bug() -> Bug {
    let step = |line, function: &str, text: &str| Step {
        thread: 0,
        place: place(line, 0, function),
        event: text.into(),
        ..Step::default()
    };
    let mut last = step(6, "sum", "read buf[10]");
    let writer = Some(Writer { thread: 0, step: Some(0) });
    last.reads.push(Read { name: "i".into(), value: "10".into(), writer });
    Bug {
        kind: BugKind::Memory,
        message: "out-of-bounds read of 4 bytes at offset 40 of \"buf\" (40 bytes)".into(),
        location: place(6, 14, "sum"),
        stack: vec![
            StackFrame {
                place: place(6, 14, "sum"),
                values: vec![("n".into(), "10".into()), ("i".into(), "10".into()), ("s".into(), "0".into())],
            },
            StackFrame { place: place(12, 12, "main"), values: vec![] },
        ],
        labels: vec![Label {
            text: "declared here".into(),
            thread: None,
            place: place(2, 0, ""),
            callers: vec![],
        }],
        assumptions: vec![],
        thread: 0,
        inputs: vec![
            input("n", "int", "10", &[10, 0, 0, 0], InputKind::Program),
            input("stdin", "bytes", "\"a\\n\"", b"a\n", InputKind::Stdin),
        ],
        schedule: vec![
            step(10, "main", "n = 10"),
            step(11, "main", "branch not taken: n < 0"),
            step(12, "main", "call sum"),
            last,
        ],
        turns: selvedge_engine::Turns::default(),
        stdout: b"start\nn is \x1b10\n".to_vec(),
    }
}

/// One bug, found early; a test for each path.
pub(crate) fn unsafe_() -> Outcome {
    let bug = bug();
    let tests = vec![
        TestCase {
            inputs: vec![input("n", "int", "-1", &[0xff; 4], InputKind::Program)],
            end: PathEndKind::Exit(0),
            stdout: b"start\n".to_vec(),
            outside: None,
        },
        TestCase {
            inputs: bug.inputs.clone(),
            end: PathEndKind::Bug(0),
            stdout: bug.stdout.clone(),
            outside: None,
        },
        TestCase { inputs: vec![], end: PathEndKind::Cut, stdout: vec![], outside: None },
    ];
    Outcome {
        verdict: Verdict::Unsafe,
        executions: Executions { total: 12, full: 11, failed: 1, ..Executions::default() },
        bugs: vec![bug],
        tests,
        time_s: 0.02,
        ..safe()
    }
}

/// Cut in two places.
pub(crate) fn unknown() -> Outcome {
    Outcome {
        verdict: Verdict::Unknown,
        reasons: vec![
            "inline assembly is not supported (sum.c:7:5 in function sum)".into(),
            "a path was cut at call depth 20000 (sum.c:12:12 in function main)".into(),
        ],
        warnings: vec!["the assertion in sum.c:9:3 was never reached".into()],
        executions: Executions { total: 3, full: 1, cut: 2, ..Executions::default() },
        ..safe()
    }
}
