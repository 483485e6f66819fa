//! What programs mean, and what is said about those that mean nothing.

use selvedge_gcl::{Expr, NamedState, Show, System, Value, load, simulate};

const PETERSON: &str = "
const N = 2;
var turn: int = 0;
var wants[N]: bool = false;
process P[i: 0..N-1] {
    loc idle, wait, crit;
    var n: int = nondet;
    ask: at idle do wants[i] := true, turn := 1 - i goto wait;
    enter: at wait when !wants[1 - i] || turn == i do n := nondet goto crit;
    leave[k: 0..1]: at crit when n == k do wants[i] := false goto idle;
}
safe !(P[0]@crit && P[1]@crit);
";

fn system(text: &str) -> System {
    load(text, &[]).unwrap_or_else(|e| panic!("{e:?}"))
}

#[test]
fn families_are_unrolled_and_named() {
    let system = system(PETERSON);
    let vars: Vec<&str> = system.vars.iter().map(|v| v.name.as_str()).collect();
    assert_eq!(vars, ["turn", "wants[0]", "wants[1]", "P[0]", "P[0].n", "P[1]", "P[1].n"]);
    let names: Vec<&str> = system.transitions.iter().map(|t| t.name.as_str()).collect();
    assert_eq!(names[..4], ["P[0].ask", "P[0].enter", "P[0].leave[0]", "P[0].leave[1]"]);
    assert_eq!(Show(&system, &system.transitions[4].guard).to_string(), "P[1]@idle");
    assert_eq!(
        Show(&system, &system.transitions[1].guard).to_string(),
        "P[0]@wait && ((!(wants[1])) || turn == 0)"
    );
}

#[test]
fn constants_can_be_set_from_outside() {
    let system = load(PETERSON, &[("N".to_owned(), 3.into())]);
    assert!(system.is_err(), "1 - i is outside of the array for the third process");
    let error = load(PETERSON, &[("M".to_owned(), 3.into())]).expect_err("there is no such constant");
    assert_eq!(error.message, "the program has no constant `M` to set");
}

#[test]
fn random_runs_follow_the_rules() {
    let system = system(PETERSON);
    let mut random = simulate::Random::new(7);
    let start = simulate::random_start(&system, &mut random).expect("there is one");
    let trace = simulate::random_run(&system, start, 50, &mut random);
    assert_eq!(
        simulate::replay(&system, &trace),
        Err(simulate::ReplayError::NotBad),
        "all steps are possible, and mutual exclusion holds: {}",
        NamedState(&system, trace.end())
    );
    let mut wrong = trace.clone();
    wrong.steps[0].state[0] = Value::Int(17.into());
    assert!(matches!(simulate::replay(&system, &wrong), Err(simulate::ReplayError::OtherState { .. })));
    let mut wrong = trace;
    wrong.start[0] = Value::Int(17.into());
    assert_eq!(simulate::replay(&system, &wrong), Err(simulate::ReplayError::NotInitial));
}

#[test]
fn deadlock_is_the_negation_of_all_guards() {
    let text = "var x: int = 0; process P { t: when x < 3 do x := x + 1; } bad deadlock;";
    let system = system(text);
    let state = |n: i32| vec![Value::Int(n.into())];
    assert!(simulate::is_true(&system.bad(), &state(3)));
    assert!(!simulate::is_true(&system.bad(), &state(2)));
}

#[test]
fn macros_sums_and_remainders() {
    let text = "
        const N = 3;
        var a[N]: int = 1;
        define total = sum i: 0..N-1 (a[i]);
        define even(x) = x mod 2 == 0;
        process P { t[i: 0..N-1]: when even(total + i) do a[i] := 2 * a[i] - 3; }
        safe forall i: 0..N-1 (a[i] <= 5) && exists i: 0..N-1 (a[i] == 1) => total >= -9;";
    let system = system(text);
    let state: Vec<Value> = [1, 1, 1].map(|n: i32| Value::Int(n.into())).to_vec();
    assert_eq!(simulate::enabled(&system, &state), [1]);
    let next = simulate::apply(&system, &state, 1, &[]);
    assert_eq!(next[1], Value::Int((-1).into()));
    assert_ne!(system.bad(), Expr::bool(false));
}

/// The message, place and help of the error in a program.
fn check(text: &str, expected: &str) {
    let error = load(text, &[]).expect_err("the program is wrong");
    let (line, column) = error.position(text);
    let help = error.help.as_ref().map_or(String::new(), |help| format!(" ({help})"));
    assert_eq!(format!("{line}:{column}: {error}{help}"), expected);
}

#[test]
fn errors_name_the_place_and_the_reason() {
    let in_process =
        |t: &str| format!("var x: int = 0;\nvar b: bool = false;\nprocess P {{\n  loc l;\n  {t}\n}}\n");
    check(&in_process("t: when y > 0;"), "5:11: there is no variable `y`");
    check(&in_process("t: when xx > 0;"), "5:11: there is no variable `xx` (did you mean `x`?)");
    check(&in_process("t: when count > 0;"), "5:11: there is no variable `count`");
    check(&in_process("t: when b > 0;"), "5:11: expected a value of type int, found bool");
    check(&in_process("t: when x;"), "5:11: expected a value of type bool, found int");
    check(&in_process("t: do x := b;"), "5:14: expected a value of type int, found bool");
    check(
        &in_process("t: do x := x * x;"),
        "5:14: this product is not linear: one factor must be a constant (nonlinear arithmetic cannot be decided, so it is refused)",
    );
    check(
        &in_process("t: do x := 7 mod x;"),
        "5:20: this remainder is not linear: the divisor must be a constant (nonlinear arithmetic cannot be decided, so it is refused)",
    );
    check(&in_process("t: do x := x mod 0;"), "5:20: the divisor of `mod` must be positive");
    check(&in_process("t: at m;"), "5:9: process `P` has no location `m`");
    check(&in_process("t: do x := 1, x := 2;"), "5:17: `x` is assigned twice in one transition");
    check(&in_process("t: do z := 1;"), "5:9: there is no variable `z`");
    check(&in_process("t: when x = 0;"), "5:13: expected an operator, found `=` (equality is `==`)");
    check(&in_process("t: when 0 < x < 3;"), "5:17: comparisons cannot be chained (use `&&`)");
    check(
        &in_process("t: do x := nondet + 1;"),
        "5:21: expected `;`, found `+` (the parts of a transition come in the order `at`, `when`, `do`, `goto`, each at most once)",
    );
    check(&in_process("t: when (x > 0;"), "5:17: expected `)`, found `;`");
    check(&in_process("t: when x & 1;"), "5:13: the character `&` has no meaning (conjunction is `&&`)");
    check(&in_process("t: when deadlock;"), "5:11: `deadlock` is for `safe` and `bad` only");
    check(&in_process("t: do x := 1; t: do x := 2;"), "5:17: the name `t` is declared twice in its process");
    check(
        &in_process("var n: int = 0;"),
        "3:9: process `P` has no transitions (a transition is `name: at location when guard do x := e goto location;`)",
    );
    check(
        "var x: int; process P { t: do x := 1; }",
        "1:5: the variable `x` has no initial value (give it one with `= value` or an `init`, or write `= nondet` if it can have any)",
    );
    check(
        "var a[3]: int = 0; process P { t: when a[3] > 0; }",
        "1:42: the index 3 is outside of `a`, which has 3 elements",
    );
    check(
        "var i, a[3]: int = 0; process P { t: when a[i] > 0; }",
        "1:45: an index must be a constant (for a variable index write a family of transitions: `t[j: 0..N-1]: when i == j do ...`)",
    );
    check("var x: int = 0;", "1:1: the program has no process");
    check(
        "define f(a) = f(a); var x: int = 0; process P { t: when f(1) == 1; }",
        "1:15: the macro `f` uses itself",
    );
    check("process P[i: 1..0] { t: when true; }", "1:9: the family `P` is empty");
    check(
        "var x: int = 0; process P { t[i: 0..1000000000]: when x > i; }",
        "1:34: a range may have at most 10000 values",
    );
    check("const N = 3; process P { t: do N := 4; }", "1:32: `N` is a constant and cannot be assigned");
    check("var x: colour = 0; process P { t: when true; }", "1:8: there is no type `colour`");
    check(
        "vr x: int;",
        "1:1: expected a declaration, found `vr` (a declaration starts with `const`, `enum`, `var`, `define`, `init`, `process`, `safe` or `bad`)",
    );
}

#[test]
fn deep_nesting_is_an_error_and_long_chains_are_not() {
    let deep =
        format!("var x: int = 0; process P {{ t: when {}x > 0{}; }}", "(".repeat(5000), ")".repeat(5000));
    assert_eq!(load(&deep, &[]).expect_err("too deep").message, "expressions are nested too deeply");
    let deep = format!("var b: bool = true; process P {{ t: when {}b; }}", "!".repeat(100_000));
    assert_eq!(load(&deep, &[]).expect_err("too deep").message, "expressions are nested too deeply");
    let long = format!("var x: int = 0; process P {{ t: when {}x > 0; }}", "x != 1 && ".repeat(20_000));
    assert!(load(&long, &[]).is_ok());
    let blow = "var x: int = 0; process P { t: when forall a: 0..9999 (forall b: 0..9999 (x > a + b)); }";
    assert!(load(blow, &[]).expect_err("too large").message.contains("too large"));
}

#[test]
fn short_texts_that_mean_endless_ones_are_refused() {
    let refused = |text: &str, why: &str| {
        let error = load(text, &[]).expect_err(why);
        assert!(error.message.contains(why), "{error}");
    };
    let in_process = |guard: &str| format!("var x: int = 0; process P {{ t: when {guard} > 0; }}");
    // Parameters double the expression at each level.
    let doubled = format!("{}x{}", "f(".repeat(60), ")".repeat(60));
    refused(&format!("define f(a) = a + a - 3 * a; {}", in_process(&doubled)), "too large");
    // Macros on macros make it deep.
    let nested = |f: &str, inner: &str| format!("{}{inner}{}", format!("{f}(").repeat(40), ")".repeat(40));
    let (g, h) = (nested("f", "a"), nested("g", "a"));
    let deep = format!("define f(a) = 2 * (1 + a); define g(a) = {g}; define h(a) = {h};");
    refused(&format!("{deep} {}", in_process("h(x)")), "nested too deeply");
    // Numbers square at each line.
    let squares: String = (1..40).map(|i| format!("const a{i} = a{} * a{};\n", i - 1, i - 1)).collect();
    refused(&format!("const a0 = 10;\n{squares} {}", in_process("x")), "more than 3000 digits");
    refused(&in_process(&"7".repeat(4_000)), "more than 3000 digits");
    assert!(load(&in_process(&"7".repeat(2_000)), &[]).is_ok());
    // Families of families.
    refused("process P[i: 1..10000] { loc a; t[j: 1..10000]: at a goto a; }", "at most 100000 transitions");
    refused("process P[i: 1..10000] { var x[10000]: int = 0; t: do x[0] := 1; }", "at most 100000 variables");
}
