//! Proof objects with one change, for every kind of line, signed anew: what is still accepted must still be an invariant.
//!
//! A changed proof may happen to be right, so that acceptance is compared with random runs: they must stay inside.

mod support;

use num_bigint::BigInt;
use selvedge_gcl::simulate::{Random, is_true, random_run, random_start};
use selvedge_gcl::{Sort, State, Value};
use selvedge_prove::{CheckError, CheckResult, Gcl, Limits, Method, Verdict, check_proof};
use support::{outcome, program, signed};

const PROGRAMS: [&str; 6] =
    ["mutex.gcl", "mutex_increment.gcl", "bakery.gcl", "ticket.gcl", "peterson.gcl", "synapse_any.gcl"];

/// The lines of a proof without the last one.
fn proof_of(name: &str) -> (Gcl, Vec<String>) {
    let path = format!("{}/../../tests/programs/gcl/{name}", env!("CARGO_MANIFEST_DIR"));
    let program = program(&std::fs::read_to_string(path).expect("the fixture exists"), &[]);
    match outcome(&program, Method::Ase, Limits::default()).verdict {
        Verdict::Safe { proof: Some(proof), .. } => {
            let mut lines: Vec<String> = proof.lines().map(str::to_owned).collect();
            lines.pop();
            (program, lines)
        }
        other => panic!("{other:?}"),
    }
}

/// Whether a state is in the union of a proof's states, read by nobody but this test.
fn contains(program: &Gcl, lines: &[String], state: &State) -> bool {
    let holds = |text: &str| is_true(&program.0.condition(text).expect("it was read before"), state);
    let system = program.system();
    let control: Vec<String> = system
        .vars
        .iter()
        .zip(state)
        .enumerate()
        .filter(|(_, (var, _))| var.sort != Sort::Int)
        .map(|(i, (_, value))| system.show_value(selvedge_gcl::VarIdx(i), value))
        .collect();
    let predicates: Vec<bool> =
        lines.iter().filter_map(|l| l.strip_prefix("predicate ")).map(holds).collect();
    lines.iter().filter_map(|l| l.strip_prefix("state")).any(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (place, rest) = words.split_at(control.len());
        if place != control {
            return false;
        }
        match rest[0] {
            ":" => rest[1..].iter().zip(&predicates).all(|(l, p)| l.starts_with('-') != *p),
            _ => holds(&rest[1..].join(" ")),
        }
    })
}

/// The first number of `text` that stands alone changed by `by`.
fn shifted(text: &str, by: i64) -> Option<String> {
    let words: Vec<&str> = text.split(' ').collect();
    let at = words.iter().position(|w| w.parse::<i64>().is_ok())?;
    let mut words: Vec<String> = words.iter().map(|w| (*w).to_owned()).collect();
    words[at] = (words[at].parse::<i64>().ok()? + by).to_string();
    Some(words.join(" "))
}

/// All changes of one line.
fn mutants(line: &str, all: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    let (kind, rest) = line.split_once(' ').unwrap_or((line, ""));
    match kind {
        "selvedge-proof" => {
            found.extend(["selvedge-proof 2", "selvedge-proof", "proof 1"].map(str::to_owned))
        }
        "system" => found.push(format!("system {}", rest.chars().rev().collect::<String>())),
        "check" => found.extend(["check", "check luck"].map(str::to_owned)),
        "control" => found.push(format!("control {rest} Q")),
        "predicate" => {
            found.extend([1, -1].into_iter().filter_map(|by| shifted(line, by)));
            found.push(line.replace("<=", ">="));
            found.push(format!("predicate !({rest})"));
            found.push("predicate true".to_owned());
            found.push("predicate nobody <= 1".to_owned());
        }
        _ => {
            let words: Vec<&str> = rest.split(' ').collect();
            let sign = words.iter().position(|w| *w == ":" || *w == "=").expect("a state has a sign");
            // The control of another state.
            for other in all.iter().filter(|l| l.starts_with("state") && *l != line) {
                let others: Vec<&str> = other.split(' ').skip(1).take(sign).collect();
                if others != words[..sign] {
                    found.push(format!("state {} {}", others.join(" "), words[sign..].join(" ")));
                    break;
                }
            }
            if words[sign] == "=" {
                found.extend([1, -1].into_iter().filter_map(|by| shifted(line, by)));
                found.push(line.replace("==", "<="));
            } else if words.len() > sign + 1 {
                found.push(words[..words.len() - 1].iter().fold("state".to_owned(), |l, w| l + " " + w));
            }
            found.push(line.replacen(words[sign], "?", 1));
        }
    }
    found.retain(|m| m != line);
    found
}

#[test]
fn changed_lines_of_every_kind_are_rejected_or_still_invariants() {
    let (mut rejected, mut unreadable, mut accepted) = (0, 0, 0);
    for name in PROGRAMS {
        let (program, lines) = proof_of(name);
        let system = program.system();
        let states: Vec<State> = (0..40)
            .filter_map(|seed| {
                let mut random = Random::new(seed);
                let start = random_start(system, &mut random)?;
                Some(random_run(system, start, 60, &mut random))
            })
            .flat_map(|run| std::iter::once(run.start).chain(run.steps.into_iter().map(|s| s.state)))
            .collect();
        assert!(states.len() > 200, "{name}: there are runs to compare with");
        for state in &states {
            assert!(contains(&program, &lines, state), "{name}: a run leaves the invariant");
        }
        for at in 0..lines.len() {
            for mutant in mutants(&lines[at], &lines) {
                let mut changed = lines.clone();
                changed[at] = mutant.clone();
                match check_proof(&program, &signed(&changed), &Limits::default()) {
                    Err(CheckError::Proof(_)) => unreadable += 1,
                    Ok(CheckResult::Rejected(_)) => rejected += 1,
                    Ok(CheckResult::Accepted) => {
                        accepted += 1;
                        let outside = states.iter().find(|state| !contains(&program, &changed, state));
                        assert!(
                            outside.is_none(),
                            "{name}: `{mutant}` is accepted, but {outside:?} is outside"
                        );
                        assert!(
                            lines[at].starts_with("predicate") || lines[at].contains(" = "),
                            "{name}: `{mutant}`"
                        );
                    }
                    Err(CheckError::Unanswered(why)) => panic!("{name}, `{mutant}`: {why}"),
                }
            }
        }
        // Without one of the lines at the top, or with the order changed.
        for at in 0..4 {
            let mut changed = lines.clone();
            changed.remove(at);
            assert!(check_proof(&program, &signed(&changed), &Limits::default()).is_err(), "{name}");
        }
        let mut changed = lines.clone();
        changed.push("predicate 1 <= 2".to_owned());
        assert!(check_proof(&program, &signed(&changed), &Limits::default()).is_err(), "{name}");
    }
    assert!(
        rejected > 200 && unreadable > 50,
        "{rejected} rejected, {unreadable} unreadable, {accepted} accepted"
    );
    assert!(accepted * 10 < rejected, "{rejected} rejected, {unreadable} unreadable, {accepted} accepted");
}

#[test]
fn runs_are_replayed_and_changed_runs_are_not() {
    for name in [
        "bounded_bakery_defect.gcl",
        "rax_defect.gcl",
        "rax_reach.gcl",
        "ticket_defect.gcl",
        "ticket_defect_any_start.gcl",
        "ticket_reach.gcl",
    ] {
        let path = format!("{}/../../tests/programs/gcl/{name}", env!("CARGO_MANIFEST_DIR"));
        let program = program(&std::fs::read_to_string(path).expect("the fixture exists"), &[]);
        for method in [Method::Ase, Method::Ur] {
            let outcome = outcome(&program, method, Limits::default());
            let Verdict::Unsafe(run) = outcome.verdict else { panic!("{name} is unsafe") };
            let trace = program.trace(&run);
            let replay = |trace| selvedge_gcl::simulate::replay(program.system(), &trace);
            assert_eq!(replay(trace.clone()), Ok(()), "{name}");
            for at in 0..trace.steps.len() {
                let mut without = trace.clone();
                without.steps.remove(at);
                assert!(replay(without).is_err(), "{name} without step {}", at + 1);
                for (var, value) in trace.steps[at].state.iter().enumerate() {
                    let mut other = trace.clone();
                    other.steps[at].state[var] = match value {
                        Value::Int(n) => Value::Int(n + BigInt::from(1)),
                        Value::Bool(b) => Value::Bool(!b),
                        Value::Member(i) => Value::Member(i + 1),
                    };
                    assert!(replay(other).is_err(), "{name} with another value at step {}", at + 1);
                }
            }
        }
    }
}
