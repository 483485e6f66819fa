//! Whole SMT-LIB scripts, for logics that have no place in the chain (Horn clauses).

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::ffi::Context;
use super::watchdog::Watchdog;

/// What Z3 prints for `script`, for instance `sat`. Errors are what it says about itself, or that time was up.
pub fn run_script(script: &str, timeout: Option<Duration>) -> Result<String, String> {
    let ctx = Context::new().map_err(|e| e.to_string())?;
    let mut watchdog = Watchdog::new(Arc::new(AtomicBool::new(false)));
    watchdog.begin(ctx.interrupter(), timeout.map(|limit| Instant::now() + limit));
    let output = ctx.eval(script);
    match watchdog.end() {
        Some(why) => Err(why.to_string()),
        None => output.map_err(|e| e.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNTER: &str = "(set-logic HORN)(declare-fun Inv (Int) Bool)
        (assert (forall ((x Int)) (=> (= x 0) (Inv x))))
        (assert (forall ((x Int)) (=> (and (Inv x) (< x 9)) (Inv (+ x 1)))))
        (assert (forall ((x Int)) (=> (and (Inv x) (> x LIMIT)) false)))
        (check-sat)";

    #[test]
    fn horn_clauses_are_decided() {
        assert_eq!(
            run_script(&COUNTER.replace("LIMIT", "9"), None).map(|s| s.trim().to_owned()),
            Ok("sat".into())
        );
        assert_eq!(
            run_script(&COUNTER.replace("LIMIT", "8"), None).map(|s| s.trim().to_owned()),
            Ok("unsat".into())
        );
    }
}
