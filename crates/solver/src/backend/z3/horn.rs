//! Horn clauses: a logic that has no place in the chain, given as an SMT-LIB script.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::ffi::{Context, Verdict};
use super::watchdog::Watchdog;

/// Whether the Horn clauses that `script` asserts have a solution. Errors are what Z3 says about itself, or that time was
/// up or `interrupt` was raised.
pub fn solve_horn(
    script: &str,
    timeout: Option<Duration>,
    interrupt: &Arc<AtomicBool>,
) -> Result<bool, String> {
    let mut ctx = Context::new().map_err(|e| e.to_string())?;
    let mut watchdog = Watchdog::new(Arc::clone(interrupt));
    watchdog.begin(ctx.interrupter(), timeout.map(|limit| Instant::now() + limit));
    let verdict = ctx.new_solver(Some(c"HORN"), None).and_then(|solver| {
        ctx.assert_script(solver, script)?;
        Ok((ctx.check(solver, &[]), ctx.reason_unknown(solver)))
    });
    match (watchdog.end(), verdict) {
        (_, Ok((Verdict::Sat, _))) => Ok(true),
        (_, Ok((Verdict::Unsat, _))) => Ok(false),
        (Some(why), _) => Err(why.to_string()),
        (None, Ok((Verdict::Unknown, why))) => Err(why),
        (None, Err(error)) => Err(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNTER: &str = "(set-logic HORN)(declare-fun Inv (Int) Bool)
        (assert (forall ((x Int)) (=> (= x 0) (Inv x))))
        (assert (forall ((x Int)) (=> (and (Inv x) (< x 9)) (Inv (+ x 1)))))
        (assert (forall ((x Int)) (=> (and (Inv x) (> x LIMIT)) false)))";

    fn run(script: &str) -> Result<bool, String> {
        solve_horn(script, None, &Arc::default())
    }

    #[test]
    fn horn_clauses_are_decided() {
        assert_eq!(run(&COUNTER.replace("LIMIT", "9")), Ok(true));
        assert_eq!(run(&COUNTER.replace("LIMIT", "8")), Ok(false));
    }

    #[test]
    fn a_script_that_cannot_be_read_is_an_error() {
        assert!(run("(assert (= x 1)").is_err());
    }

    #[test]
    fn a_script_without_end_is_stopped_by_time_and_by_the_flag() {
        // The way to the bad state has a step for each number.
        let endless = "(set-logic HORN)(declare-fun Inv (Int) Bool)
            (assert (forall ((x Int)) (=> (= x 0) (Inv x))))
            (assert (forall ((x Int)) (=> (Inv x) (Inv (+ x 1)))))
            (assert (forall ((x Int)) (=> (and (Inv x) (= x 1000000000)) false)))
            ";
        let start = Instant::now();
        let limit = Some(Duration::from_millis(300));
        assert_eq!(
            solve_horn(endless, limit, &Arc::default()),
            Err("the solver reached its time limit".into())
        );
        let raised = Arc::new(AtomicBool::new(true));
        assert!(solve_horn(endless, None, &raised).is_err());
        assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    }
}
