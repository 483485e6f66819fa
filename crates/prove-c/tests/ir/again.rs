//! A proof of another version: it is used where it helps, and never believed.

use std::sync::Arc;

use selvedge_exec::{Arguments, CodeNames};
use selvedge_irkit::Text;
use selvedge_program::Program;
use selvedge_prove::Verdict;
use selvedge_prove_c::{Earlier, Kept, Outcome, Subject, prove_again};

use crate::adapter::{limits, options};
use crate::for_ever;

/// Two threads that count under a spin lock, or do not take it; `more` is done after it.
fn counters(takes_lock: bool, more: &str) -> Program {
    let bound = if takes_lock { "1i32" } else { "7i32" };
    let worker = for_ever(&format!(
        "%taken: i32 = rmw.xchg.seqcst i32 @lock, 1i32
        %free: i1 = cmp.ult i32 %taken, {bound}
        branch %free, bb2, bb1
        bb2: %one: i32 = load i32 @one
        %two: i32 = load i32 @two
        %same: i1 = cmp.eq i32 %one, %two
        assert %same
        %more: i32 = add i32 %one, 1i32
        store i32 %more to @one
        store i32 %more to @two
        store.seqcst i32 0i32 to @lock
        {more}"
    ));
    let text = Text::new().int("lock", 0).int("one", 0).int("two", 0).int("hits", 0);
    text.thread("a", &worker).thread("b", &worker).main("run a b")
}

fn again(program: &Program, kept: Option<&Kept>) -> Outcome {
    let names = Arc::new(CodeNames::default());
    let (options, arguments) = (options(), Arguments::default());
    let subject = Subject { program, options: &options, arguments: &arguments, names: Some(&names) };
    prove_again(&subject, &limits(), kept, &mut |_, _| {})
}

fn is_safe(outcome: &Outcome) -> bool {
    matches!(outcome.verdict, Verdict::Safe { .. }) && outcome.kept.is_some()
}

fn kept_of(program: &Program) -> Kept {
    again(program, None).kept.expect("it can be proved")
}

/// The same with other lines.
fn with_lines(kept: &Kept, lines: &str) -> Kept {
    let mut value = serde_json::to_value(kept).expect("JSON");
    value["body"] = lines.into();
    serde_json::from_value(value).expect("the same form")
}

/// The lines of a proof after a change.
fn changed(kept: &Kept, change: impl Fn(&str) -> Option<String>) -> String {
    kept.body().lines().filter_map(change).map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_proof_of_the_same_program_needs_no_search() {
    let program = counters(true, "");
    let first = again(&program, None);
    let second = again(&program, first.kept.as_ref());
    assert!(is_safe(&first) && is_safe(&second));
    assert_eq!((first.earlier, second.earlier), (None, Some(Earlier::Holds)));
    assert_eq!(first.kept, second.kept);
    assert!(5 * second.stats.queries < first.stats.queries, "{:?} {:?}", first.stats, second.stats);
}

#[test]
fn one_more_step_costs_a_part_of_the_search() {
    let (old, new) = (counters(true, ""), counters(true, "store i32 %more to @hits"));
    let fresh = again(&new, None);
    let outcome = again(&new, Some(&kept_of(&old)));
    assert!(is_safe(&outcome), "{:?}", outcome.verdict);
    assert!(matches!(outcome.earlier, Some(Earlier::Left(left)) if left.holds > 0), "{:?}", outcome.earlier);
    assert!(2 * outcome.stats.queries < fresh.stats.queries, "{:?} {:?}", outcome.stats, fresh.stats);
}

#[test]
fn a_proof_of_another_program_does_not_make_it_safe() {
    let (safe, broken) = (counters(true, ""), counters(false, ""));
    let outcome = again(&broken, Some(&kept_of(&safe)));
    assert!(matches!(outcome.verdict, Verdict::Unsafe(_)), "{:?}", outcome.verdict);
    let other = Text::new().int("x", 0).thread("a", "store i32 1i32 to @x").main("run a");
    let outcome = again(&safe, Some(&kept_of(&other)));
    assert!(is_safe(&outcome), "{:?}", outcome.verdict);
    assert_ne!(outcome.earlier, Some(Earlier::Holds));
}

#[test]
fn a_forged_proof_is_not_believed() {
    let (safe, broken) = (counters(true, ""), counters(false, ""));
    let kept = kept_of(&safe);
    let forged = [
        // Nothing can be reached, anything can be reached, nothing is known of half of the control states.
        changed(&kept, |line| (!line.starts_with("case")).then(|| line.to_owned())),
        changed(&kept, |line| Some(line.split_once("case").map_or(line, |_| "case").to_owned())),
        changed(&kept, |line| {
            Some(if line.starts_with("case") {
                line.replace(' ', " -").replace("--", "")
            } else {
                line.to_owned()
            })
        }),
        changed(&kept, |line| (!line.starts_with("thread")).then(|| line.to_owned())),
        changed(&kept, |line| (!line.starts_with("predicate")).then(|| line.to_owned())),
        kept.body()[..kept.body().len() / 2].to_owned(),
        String::new(),
    ];
    for text in &forged {
        let forged = with_lines(&kept, text);
        let outcome = again(&broken, Some(&forged));
        assert!(matches!(outcome.verdict, Verdict::Unsafe(_)), "{text}\n{:?}", outcome.verdict);
        let outcome = again(&safe, Some(&forged));
        assert!(is_safe(&outcome), "{text}\n{:?}", outcome.verdict);
    }
}
