//! A panic inside a search reaches the caller; nothing waits for ever for a search that is gone.

use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use selvedge_engine::{Config, Hooks, verify};

/// Reads through a null pointer: a bug on the only path.
const PROGRAM: &str = "\
target 64
entry @main

func @main() -> i32 {
bb0:
  %0: i32 = load i32 null
  return %0
}
";

#[test]
fn a_search_that_panics_does_not_hang() {
    let program = selvedge_program::parse(PROGRAM).expect("a program");
    let (sender, receiver) = mpsc::channel::<()>();
    let search = std::thread::spawn(move || {
        // Dropped by the unwinding, which the test waits for.
        let _sender = sender;
        let interrupted = AtomicBool::new(false);
        let mut bug = |_: &_| panic!("from a hook");
        let hooks = Hooks { progress: &mut |_| {}, bug: &mut bug, interrupted: &interrupted };
        verify(&program, &Config::default(), hooks)
    });
    let ended = receiver.recv_timeout(Duration::from_secs(30));
    assert_eq!(ended, Err(RecvTimeoutError::Disconnected), "the search hangs");
    let panic = search.join().expect_err("the hook was called");
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"from a hook"));
}
