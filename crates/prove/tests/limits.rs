//! What would take forever is `unknown` at once, with its reason.

mod support;

use selvedge_prove::{Limits, Method, Verdict};
use support::{outcome, program};

#[track_caller]
fn check(text: &str, reason: &str) {
    match outcome(&program(text, &[]), Method::Ase, Limits::default()).verdict {
        Verdict::Unknown { reasons } => assert!(reasons[0].what.contains(reason), "{reasons:?}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn too_many_truth_values_are_not_enumerated() {
    check(
        "var b[40]: bool = nondet; process P { t[i: 0..39]: do b[i] := !b[i]; } bad b[0] && !b[0] || b[1] && deadlock;",
        "initially there are more than",
    );
    let all: Vec<String> = (0..30).map(|i| format!("b[{i}] := nondet")).collect();
    check(
        &format!(
            "var b[30]: bool = false; var x: int = 0; process P {{ t: do {}, x := x + 1; }} safe x >= 0;",
            all.join(", ")
        ),
        "P.t can lead to more than",
    );
}

#[test]
fn remainders_by_large_numbers_are_not_taken_apart() {
    // The second divisor is no machine integer.
    for divisor in ["1000000007", "36893488147419103232"] {
        let text = format!(
            "var x, y: int = 0; process P {{ t: do x := nondet; u: when x mod {divisor} >= 5 do y := 1; }} safe y == 0;"
        );
        check(&text, "remainders or factors");
    }
}
