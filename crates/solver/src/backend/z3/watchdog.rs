//! A thread that stops a Z3 check when its time is up or the interrupt flag is raised.
//!
//! Z3's own time limit starts a timer for every check, and Z3 knows nothing of our flag.
//! One thread per backend looks every few milliseconds instead; starting and ending a
//! check costs one uncontended lock each. The thread is started by the first check that
//! can be stopped at all, sleeps for good when no check has run for a while, and ends
//! with the backend.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::ffi::Interrupter;
use crate::query::Why;

/// How often a running check is looked at.
const TICK: Duration = Duration::from_millis(5);
/// Looks without a running check before the thread sleeps until it is woken.
const IDLE_TICKS: u32 = 200;

/// Watches the checks of one backend, one at a time.
pub(super) struct Watchdog {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    state: Mutex<State>,
    wake: Condvar,
    interrupt: Arc<AtomicBool>,
}

#[derive(Default)]
struct State {
    job: Option<Job>,
    fired: Option<Why>,
    asleep: bool,
    quit: bool,
}

struct Job {
    interrupter: Interrupter,
    deadline: Option<Instant>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self) {
        let mut idle = 0;
        let mut state = self.lock();
        while !state.quit {
            idle = if state.job.is_some() { 0 } else { idle + 1 };
            if idle > IDLE_TICKS {
                state.asleep = true;
                state = self.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
                state.asleep = false;
                continue;
            }
            let why = state.job.as_ref().and_then(|job| {
                if self.interrupt.load(Ordering::Relaxed) {
                    Some(Why::Interrupted)
                } else {
                    job.deadline.is_some_and(|at| Instant::now() >= at).then_some(Why::Timeout)
                }
            });
            if let (Some(why), Some(job)) = (why, &state.job) {
                // Said again at each look: Z3 may not have reached its search yet.
                job.interrupter.interrupt();
                state.fired.get_or_insert(why);
            }
            state = self.wake.wait_timeout(state, TICK).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Watchdog {
    /// A watchdog for checks that `interrupt` may stop.
    pub(super) fn new(interrupt: Arc<AtomicBool>) -> Watchdog {
        let shared =
            Arc::new(Shared { state: Mutex::new(State::default()), wake: Condvar::new(), interrupt });
        Watchdog { shared, thread: None }
    }

    /// A check begins that must end by `deadline`.
    pub(super) fn begin(&mut self, interrupter: Interrupter, deadline: Option<Instant>) {
        if self.thread.is_none() {
            let shared = Arc::clone(&self.shared);
            // Without a thread the check still runs, it only cannot be stopped.
            self.thread =
                std::thread::Builder::new().name("z3-watchdog".to_owned()).spawn(move || shared.run()).ok();
        }
        let mut state = self.shared.lock();
        state.job = Some(Job { interrupter, deadline });
        state.fired = None;
        if state.asleep {
            self.shared.wake.notify_one();
        }
    }

    /// The check has ended. Tells why if it was stopped.
    pub(super) fn end(&mut self) -> Option<Why> {
        let mut state = self.shared.lock();
        state.job = None;
        state.fired.take()
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.shared.lock().quit = true;
        self.shared.wake.notify_one();
        if let Some(thread) = self.thread.take() {
            // It cannot have panicked, and there is nobody to tell.
            let _ = thread.join();
        }
    }
}
