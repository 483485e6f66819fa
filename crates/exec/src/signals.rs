//! Signals of a state: actions, masks, what is pending, and what may still arrive.
//!
//! A signal comes to a thread by a *bringer*, a thread of the engine's own that stands before one visible step: to put
//! the frame of a handler onto the stack of its thread. That step excludes every visible step of that thread
//! ([`of_thread`]), so a handler begins between any two of them; what lies between two is private to the thread,
//! and a handler could not tell where in it it began. For this to hold, whatever a handler can reach counts as shared as
//! soon as there are bringers: thread-local variables too, and all locals where `longjmp` may lead out of a handler.
//!
//! Guarantees: nothing here is made before the program installs a handler or sends a signal. Relies on: signals that the
//! program sends to itself are handled before the call returns, as POSIX has it.

use std::rc::Rc;

use selvedge_por::{Access, Guard, Location, Mode};

use crate::state::{Sleep, State};
use crate::step::CopyProgress;
use crate::sync::{Family, address, family, key};
use crate::threads::Phase;
use crate::value::Value;

/// Numbers of signals with a meaning of their own here.
pub(crate) const SIGABRT: u32 = 6;
pub(crate) const SIGALRM: u32 = 14;
/// Signals from here on wait in a queue, as often as they were sent.
const FIRST_QUEUED: u32 = 34;
const SIGCHLD: u32 = 17;
const SIGCONT: u32 = 18;
const SIGURG: u32 = 23;
const SIGWINCH: u32 = 28;
const STOPS: [u32; 4] = [19, 20, 21, 22];

/// `si_code` of a signal from outside, or by `kill`.
pub(crate) const SI_USER: u32 = 0;
/// `si_code` of an alarm.
const SI_KERNEL: u32 = 0x80;

/// The name of the input that says whether a handler ran during a call, and ends it, or before it.
pub const CUT_SHORT: &str = "a handler ran during a call";

/// Flags of an action.
pub(crate) const SA_RESTART: u32 = 0x1000_0000;
pub(crate) const SA_NODEFER: u32 = 0x4000_0000;
pub(crate) const SA_RESETHAND: u32 = 0x8000_0000;

/// What a program wants to happen when a signal comes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Action {
    /// A function, or 0 for the default and 1 for nothing.
    pub handler: Value,
    /// Blocked besides while it runs.
    pub mask: u64,
    /// As given to `sigaction`.
    pub flags: u32,
}

impl Action {
    const DEFAULT: Action = Action { handler: Value::Int(0), mask: 0, flags: 0 };

    fn has_handler(&self) -> bool {
        !matches!(self.handler, Value::Int(0 | 1))
    }
}

/// What becomes of a signal that is not blocked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Effect {
    /// Nothing.
    Ignored,
    /// A handler runs.
    Handled(Action),
    /// The program ends.
    Ends,
    /// The program stops until it is told to go on.
    Stops,
}

/// A signal on its way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sent {
    /// Its number.
    pub signal: u32,
    /// `si_code`.
    pub code: u32,
    /// `si_value`.
    pub value: Value,
}

/// A timer that sends SIGALRM.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Alarm {
    /// None is set.
    #[default]
    Off,
    /// It goes off once.
    Once,
    /// It goes off again and again, each time as if from outside.
    Periodic,
}

/// What all threads share.
#[derive(Clone, Debug)]
pub struct Signals {
    actions: Vec<Action>,
    /// Sent to the process, and not to a thread.
    pub(crate) pending: Vec<Sent>,
    /// How many may still arrive from outside.
    pub(crate) left: u32,
    /// Every thread has a bringer.
    pub(crate) has_bringers: bool,
    /// The timer.
    pub(crate) alarm: Alarm,
}

/// What a thread waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Awaits {
    /// No signal.
    #[default]
    Nothing,
    /// One of these, to take it.
    Signals(u64),
    /// That more than so many handlers have run.
    Handlers(u32),
}

/// Where a thread was when a signal came, as far as its stack does not say.
#[derive(Clone, Debug)]
pub(crate) struct Interrupted {
    /// Where the frame of the handler lies in the stack.
    pub(crate) depth: usize,
    pub(crate) sleep: Option<Sleep>,
    pub(crate) copying: Option<Rc<CopyProgress>>,
    pub(crate) atomic_depth: u32,
    /// The last point of a native build that it had passed.
    pub(crate) last_point: u32,
    /// What the call that it was in may make of it.
    pub(crate) cut: Cut,
}

/// How a handler has interrupted a call that looks at it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cut {
    /// The thread could not go on when the signal came, or only because time was over.
    pub(crate) was_blocked: bool,
    /// The handler has `SA_RESTART`.
    pub(crate) restarts: bool,
}

/// What a thread has of its own.
#[derive(Clone, Debug, Default)]
pub struct ThreadSignals {
    /// Blocked signals.
    pub(crate) mask: u64,
    /// In a call that has set the mask for its own time: what was blocked before. The first handler that runs in the call
    /// returns to it, so that what comes after that stays pending if it was blocked.
    pub(crate) restores: Option<u64>,
    /// Sent to this thread.
    pub(crate) pending: Vec<Sent>,
    pub(crate) awaits: Awaits,
    /// Handlers that have run to their ends.
    pub(crate) n_handled: u32,
    /// Handlers that a bringer has started, innermost last.
    pub(crate) interrupted: Vec<Interrupted>,
    /// A signal came, and the thread has made no visible step since.
    pub(crate) is_fresh: bool,
    /// The call that it is in was interrupted: it may fail with `EINTR`.
    pub(crate) cut: Option<Cut>,
    /// It is the bringer of this thread.
    pub(crate) brings_to: Option<usize>,
    /// What it has brought last, if that came from outside.
    pub(crate) brought: Option<u32>,
}

/// The name of a signal.
pub fn signal_name(signal: u32) -> String {
    const NAMES: [&str; 31] = [
        "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE",
        "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU", "XFSZ",
        "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS",
    ];
    match NAMES.get((signal as usize).wrapping_sub(1)) {
        Some(name) => format!("SIG{name}"),
        None if signal == FIRST_QUEUED => "SIGRTMIN".to_string(),
        None => format!("SIGRTMIN+{}", signal.wrapping_sub(FIRST_QUEUED)),
    }
}

/// The set of one signal.
pub(crate) const fn bit(signal: u32) -> u64 {
    1 << (signal - 1)
}

/// The place that stands for a thread's signals: read by each of its visible steps.
pub(crate) const fn of_thread(thread: usize) -> Location {
    Location::Sync(key(Family::Signal, thread as u64 + 1))
}

/// The place that stands for the signals of the process.
pub(crate) const OF_PROCESS: Location = Location::Sync(key(Family::Signal, 0));

impl Signals {
    pub(crate) fn new(left: u32) -> Signals {
        let (actions, pending) = (vec![Action::DEFAULT; 65], Vec::new());
        Signals { actions, pending, left, has_bringers: false, alarm: Alarm::Off }
    }

    pub(crate) fn action(&self, signal: u32) -> Action {
        self.actions[signal as usize]
    }

    pub(crate) fn set_action(&mut self, signal: u32, action: Action) {
        self.actions[signal as usize] = action;
    }

    pub(crate) fn effect(&self, signal: u32) -> Effect {
        let action = self.action(signal);
        match action.handler {
            Value::Int(1) => Effect::Ignored,
            Value::Int(0) if matches!(signal, SIGCHLD | SIGCONT | SIGURG | SIGWINCH) => Effect::Ignored,
            Value::Int(0) if STOPS.contains(&signal) => Effect::Stops,
            Value::Int(0) => Effect::Ends,
            _ => Effect::Handled(action),
        }
    }
}

/// Adds a signal to those that wait; one that waits already is not added again unless signals of its number queue.
pub(crate) fn add_pending(pending: &mut Vec<Sent>, sent: Sent) {
    if sent.signal >= FIRST_QUEUED || !pending.iter().any(|p| p.signal == sent.signal) {
        pending.push(sent);
    }
}

/// The first of those that wait and are in `set`, by number and then by age.
fn first(pending: &[Sent], set: u64) -> Option<Sent> {
    pending.iter().filter(|sent| set & bit(sent.signal) != 0).min_by_key(|sent| sent.signal).copied()
}

/// Where a signal comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    /// It was sent to the thread.
    Thread,
    /// It was sent to the process.
    Process,
    /// The timer.
    Timer,
    /// Somebody else.
    Outside,
}

impl State {
    /// What `thread` has of signals.
    pub(crate) fn signals_of(&self, thread: usize) -> Option<&ThreadSignals> {
        self.threads[thread].signals.as_deref()
    }

    /// As [`signals_of`](Self::signals_of), to change it.
    pub(crate) fn signals_of_mut(&mut self, thread: usize) -> &mut ThreadSignals {
        Rc::make_mut(&mut self.threads[thread]).signals.get_or_insert_default()
    }

    /// The signals that `thread` blocks.
    pub(crate) fn mask_of(&self, thread: usize) -> u64 {
        self.signals_of(thread).map_or(0, |s| s.mask)
    }

    /// The thread that `thread` brings signals to, if it does.
    pub fn brings_to(&self, thread: usize) -> Option<usize> {
        self.signals_of(thread)?.brings_to
    }

    /// What `thread` has brought last, if that came from outside and not from the program itself.
    pub fn brought(&self, thread: usize) -> Option<u32> {
        self.signals_of(thread)?.brought
    }

    /// Whether `thread` is one of those that bring signals, and none of the program's.
    pub fn is_bringer(&self, thread: usize) -> bool {
        self.signals_of(thread).is_some_and(|s| s.brings_to.is_some())
    }

    /// Whether the running thread is in a handler that was brought.
    #[inline]
    pub(crate) fn is_in_handler(&self) -> bool {
        self.signals_of(self.current).is_some_and(|own| !own.interrupted.is_empty())
    }

    /// Whether a thread of the program may be running besides the current one, or has run without having been joined.
    pub(crate) fn has_other_threads(&self) -> bool {
        let others = (0..self.threads.len()).filter(|t| *t != self.current && !self.is_bringer(*t));
        self.is_concurrent
            && others
                .map(|t| &self.threads[t])
                .any(|t| t.phase != Phase::Unborn && !(t.phase == Phase::Ended && t.is_joined))
    }

    /// Whether signals may arrive between any two steps.
    #[inline]
    pub(crate) fn has_bringers(&self) -> bool {
        self.signals.as_ref().is_some_and(|s| s.has_bringers)
    }

    /// The signal in `set` that comes next of those that were sent to `thread` or the process.
    pub(crate) fn next_sent(&self, thread: usize, set: u64) -> Option<(Sent, Origin)> {
        let own = self.signals_of(thread).and_then(|s| first(&s.pending, set)).map(|s| (s, Origin::Thread));
        let shared = || self.signals.as_ref().and_then(|s| first(&s.pending, set));
        own.or_else(|| shared().map(|s| (s, Origin::Process)))
    }

    /// What may come to `thread` now, of the signals in `set`: from outside those that `is_welcome`.
    fn coming(&self, thread: usize, set: u64, is_welcome: impl Fn(u32) -> bool) -> Vec<(Sent, Origin)> {
        let Some(signals) = &self.signals else { return Vec::new() };
        let mut coming: Vec<_> = self.next_sent(thread, set).into_iter().collect();
        let alarm = Sent { signal: SIGALRM, code: SI_KERNEL, value: Value::Int(0) };
        match signals.alarm {
            _ if set & bit(SIGALRM) == 0 => {}
            Alarm::Once => coming.push((alarm, Origin::Timer)),
            Alarm::Periodic if signals.left > 0 => coming.push((alarm, Origin::Outside)),
            Alarm::Off | Alarm::Periodic => {}
        }
        if signals.left > 0 {
            let others = (1..65).filter(|s| set & bit(*s) != 0 && is_welcome(*s));
            let sent = |signal| Sent { signal, code: SI_USER, value: Value::Int(0) };
            coming.extend(others.map(|signal| (sent(signal), Origin::Outside)));
        }
        coming
    }

    /// What the bringer of `thread` may bring now.
    pub(crate) fn may_bring(&self, thread: usize) -> Vec<(Sent, Origin)> {
        let Some(signals) = &self.signals else { return Vec::new() };
        let rests = matches!(self.threads[thread].phase, Phase::Waiting(_) | Phase::Spinning(_));
        if !rests {
            return Vec::new();
        }
        self.coming(thread, !self.mask_of(thread), |signal| signals.action(signal).has_handler())
    }

    /// Whether `thread` could not make its next step, or only because a limit of time lets it, and the places that
    /// this depends on.
    pub(crate) fn blocks_at(&self, thread: usize) -> (bool, Vec<Access>) {
        let waits_for = |access: &&Access| match access.location {
            Location::Sync(key) => !matches!(family(key), Some(Family::Signal | Family::Cancel)),
            Location::Memory { .. } => false,
        };
        let places: Vec<Access> = self.next_accesses(thread).iter().filter(waits_for).copied().collect();
        let is_zero = |access: &Access| match (access.mode, access.location) {
            (Mode::Read, Location::Sync(key)) => self.sync.level(key) == 0,
            _ => false,
        };
        let is_blocked = !self.is_enabled(thread) || places.iter().any(is_zero);
        (is_blocked, places.into_iter().map(|a| Access::read(a.location)).collect())
    }

    /// What a thread that waits for one of the signals in `set` may take.
    pub(crate) fn may_take(&self, thread: usize, set: u64) -> Vec<(Sent, Origin)> {
        self.coming(thread, set, |_| true)
    }

    /// Whether `thread` need not wait any longer for what it awaits.
    pub(crate) fn is_awaited_there(&self, thread: usize) -> bool {
        let Some(own) = self.signals_of(thread) else { return false };
        match own.awaits {
            Awaits::Nothing => true,
            Awaits::Signals(set) => !self.may_take(thread, set).is_empty(),
            Awaits::Handlers(n) => own.n_handled != n,
        }
    }

    /// Whether the step of a bringer, or a thread's own wait for a signal, can happen; `key` is of the thread.
    pub(crate) fn is_signal_there(&self, mode: Mode, key: u64) -> bool {
        let Some(thread) = (address(key) as usize).checked_sub(1) else { return true };
        match (family(key), mode) {
            (Some(Family::Signal), Mode::Take { .. }) => !self.may_bring(thread).is_empty(),
            (Some(Family::Signal), _) => self.is_awaited_there(thread),
            _ => true,
        }
    }

    /// The access by which each visible step of `thread` keeps its place before or after the signals that come to it.
    pub(crate) fn heeds_signals(&self, thread: usize) -> Option<Access> {
        if !self.has_bringers() || self.is_bringer(thread) {
            return None;
        }
        let is_fresh = self.signals_of(thread).is_some_and(|own| own.is_fresh);
        let mode = if is_fresh { Mode::Await { guard: Guard::Unknown } } else { Mode::Read };
        Some(Access::new(of_thread(thread), mode))
    }

    /// The signal has been taken from where it came from.
    pub(crate) fn take_signal(&mut self, thread: usize, sent: Sent, origin: Origin) {
        let remove = |pending: &mut Vec<Sent>| {
            if let Some(i) = pending.iter().position(|p| *p == sent) {
                pending.remove(i);
            }
        };
        match origin {
            Origin::Thread => remove(&mut self.signals_of_mut(thread).pending),
            Origin::Process | Origin::Timer | Origin::Outside => {
                let Some(signals) = &mut self.signals else { return };
                let signals = Rc::make_mut(signals);
                match origin {
                    Origin::Process => remove(&mut signals.pending),
                    Origin::Timer => signals.alarm = Alarm::Off,
                    _ => signals.left -= 1,
                }
            }
        }
    }
}
