//! Signals, as far as they are no C code (`runtime/signal.c`): actions, masks, sending, and waiting for one.
//!
//! Every operation is one visible step on the signals of its thread and of the process. A signal that the program sends to
//! the running thread is handled before the call returns; others are brought (`bring.rs`).

mod bring;

use std::rc::Rc;

use selvedge_por::{Access, Guard, Mode};
use selvedge_program::Ty;

use super::Model;
use crate::finding::{PathEnd, Res, end, unsupported};
use crate::signals::{
    Action, Alarm, Awaits, CUT_SHORT, Cut, Effect, OF_PROCESS, Origin, SIGABRT, SIGALRM, Sent, Signals,
    add_pending, bit, of_thread,
};
use crate::step::Step;
use crate::threads::Phase;
use crate::value::Value;
use selvedge_library::Signal;

/// Error numbers of the C library.
const ESRCH: u64 = 3;

/// Numbers of signals to fork over.
const MAX_NUMBERS: usize = 65;
/// Sets of signals to fork over.
const MAX_SETS: usize = 64;

/// Ways to change a mask, as the C library numbers them.
const SIG_BLOCK: u64 = 0;
const SIG_UNBLOCK: u64 = 1;

pub(super) fn model(function: Signal) -> Model {
    match function {
        Signal::Enable => |s, _, _, _| s.returns_nothing(),
        Signal::Set => |s, _, _, v| s.set_action(v[0], v[1], v[2], v[3]),
        Signal::Get => |s, _, _, v| s.get_action(v[0], v[1], v[2], v[3]),
        Signal::Mask => |s, _, _, v| s.change_mask(v[0], v[1]),
        Signal::Suspend => |s, _, _, v| s.suspend_mask(v[0]),
        Signal::Unsuspend => |s, _, _, v| s.unsuspend_mask(v[0]),
        Signal::Due => |s, _, _, _| s.run_due(),
        Signal::Return => |s, _, _, v| s.return_from_handler(v[0]),
        Signal::Send => |s, _, _, v| s.send(v[0], v[1], v[2], v[3]),
        Signal::Pending => |s, _, _, _| s.pending_signals(),
        Signal::Wait => |s, _, _, v| s.wait_for_signal(v[0], v[1], v[2], v[3]),
        Signal::Handled => |s, _, _, _| {
            // In a section it is of the section's step: no handler comes after it.
            if s.st.thread().atomic_depth > 0 {
                s.on_signals(None)?;
            }
            let n = s.st.signals_of(s.st.current).map_or(0, |own| own.n_handled);
            s.returns(Value::Int(u64::from(n)))
        },
        Signal::Sleep => |s, _, _, v| s.wait_for_handler(v[0]),
        Signal::Alarm => |s, _, _, v| s.set_alarm(v[0]),
        Signal::MayInterrupt => |s, _, _, _| s.returns(Value::bool(s.st.has_bringers())),
        Signal::Given => |s, _, _, _| {
            let given = s.m.options.surroundings.signals.map_or(u64::from(u32::MAX), u64::from);
            s.returns(Value::Int(given))
        },
        Signal::Interrupts => |s, _, _, v| s.interrupts(v[0]),
        Signal::Arrive => |s, _, _, v| s.bring(v[0]),
    }
}

impl Step<'_, '_> {
    /// What all threads share of signals.
    fn signals(&mut self) -> &mut Signals {
        let left = self.m.options.surroundings.signals.unwrap_or(1);
        Rc::make_mut(self.st.signals.get_or_insert_with(|| Rc::new(Signals::new(left))))
    }

    /// The signals in `left` come from outside, and nobody has said how many there are.
    fn expects_signals(&mut self) {
        if self.m.options.surroundings.signals.is_none() {
            self.assumed("world.signals-bound");
        }
    }

    /// The running thread is about to look at or change signals: its own, those of `thread`, of the process.
    fn on_signals(&mut self, thread: Option<usize>) -> Res<()> {
        if self.m.options.loop_points {
            return unsupported("signals in a proof");
        }
        if !self.st.is_concurrent && !self.st.is_scheduled {
            return Ok(());
        }
        let other = thread.map(|t| Access::read_write(of_thread(t)));
        let own = [Access::read_write(of_thread(self.st.current)), Access::read_write(OF_PROCESS)];
        self.gate(own.into_iter().chain(other))?;
        self.note_signals(own.into_iter().chain(other));
        Ok(())
    }

    /// Notes accesses that order nothing as far as races are concerned.
    fn note_signals(&mut self, accesses: impl IntoIterator<Item = Access>) {
        if self.st.granted {
            self.st.event.accesses.extend(accesses);
            self.has_effect();
        }
    }

    fn signal_number(&mut self, value: Value) -> Res<u32> {
        let number = self.concretise(value, 32, MAX_NUMBERS, "the number of a signal")? as u32;
        if !(1..65).contains(&number) {
            return unsupported(format!("signal {number}"));
        }
        Ok(number)
    }

    fn set_action(&mut self, number: Value, handler: Value, mask: Value, flags: Value) -> Res<()> {
        let number = self.signal_number(number)?;
        let mask = self.concretise(mask, 64, MAX_SETS, "a set of signals")?;
        let flags = self.concretise(flags, 32, MAX_SETS, "flags of a signal")? as u32;
        let handler = match handler {
            Value::Int(_) | Value::Ptr { .. } => handler,
            _ => Value::Int(self.concretise(handler, self.ptr_bits(), MAX_SETS, "a handler of a signal")?),
        };
        let is_default = matches!(handler, Value::Int(0 | 1));
        self.on_signals(None)?;
        let signals = self.signals();
        signals.set_action(number, Action { handler, mask, flags });
        if let Effect::Ignored = signals.effect(number) {
            signals.pending.retain(|sent| sent.signal != number);
            for thread in 0..self.st.threads.len() {
                if self.st.signals_of(thread).is_some() {
                    self.st.signals_of_mut(thread).pending.retain(|sent| sent.signal != number);
                }
            }
        }
        if !is_default {
            self.expects_signals();
            self.call_bringers();
        }
        self.returns_nothing()
    }

    fn get_action(&mut self, number: Value, handler: Value, mask: Value, flags: Value) -> Res<()> {
        let number = self.signal_number(number)?;
        self.on_signals(None)?;
        let action = self.signals().action(number);
        self.store(handler, Ty::Ptr, action.handler)?;
        self.store(mask, Ty::Int(64), Value::Int(action.mask))?;
        self.store(flags, Ty::Int(32), Value::Int(u64::from(action.flags)))?;
        self.returns_nothing()
    }

    /// Changes the mask, and handles what is not blocked any longer in the same step.
    fn change_mask(&mut self, how: Value, set: Value) -> Res<()> {
        let how = self.concretise(how, 32, 3, "how a mask changes")?;
        let set = self.concretise(set, 64, MAX_SETS, "a set of signals")?;
        self.on_signals(None)?;
        let me = self.st.current;
        let before = self.st.mask_of(me);
        let mask = match how {
            SIG_BLOCK => before | set,
            SIG_UNBLOCK => before & !set,
            _ => set,
        };
        if mask != before {
            self.st.signals_of_mut(me).mask = mask;
        }
        self.returns(Value::Int(before))?;
        self.handle_due()
    }

    /// Sets the mask for the time of a call, which handles what is not blocked any longer by itself.
    fn suspend_mask(&mut self, mask: Value) -> Res<()> {
        let mask = self.concretise(mask, 64, MAX_SETS, "a set of signals")?;
        self.on_signals(None)?;
        let own = self.st.signals_of_mut(self.st.current);
        let before = std::mem::replace(&mut own.mask, mask);
        own.restores = Some(before);
        self.returns(Value::Int(before))
    }

    /// Such a call ends, and handles what is not blocked any longer later.
    fn unsuspend_mask(&mut self, mask: Value) -> Res<()> {
        let mask = self.concretise(mask, 64, MAX_SETS, "a set of signals")?;
        self.on_signals(None)?;
        let own = self.st.signals_of_mut(self.st.current);
        (own.mask, own.restores) = (mask, None);
        self.returns_nothing()
    }

    /// Handles what waits and is not blocked: the handlers run before the program goes on, the last one first, as on Linux.
    fn run_due(&mut self) -> Res<()> {
        let me = self.st.current;
        if self.st.next_sent(me, !self.st.mask_of(me)).is_none() {
            return self.returns(Value::Int(0));
        }
        self.on_signals(None)?;
        self.returns(Value::Int(1))?;
        self.handle_due()
    }

    /// The running thread, which has just changed its mask, handles what waits and is not blocked.
    pub(super) fn handle_due(&mut self) -> Res<()> {
        let me = self.st.current;
        while let Some((sent, origin)) = self.st.next_sent(me, !self.st.mask_of(me)) {
            self.st.take_signal(me, sent, origin);
            self.handle(sent)?;
        }
        Ok(())
    }

    /// A signal that is not blocked comes to the running thread.
    fn handle(&mut self, sent: Sent) -> Res<()> {
        match self.signals().effect(sent.signal) {
            Effect::Ignored => Ok(()),
            Effect::Handled(action) => self.enter_handler(sent, action),
            Effect::Stops => unsupported("a signal that stops the program"),
            Effect::Ends if sent.signal == SIGABRT => self.aborts("the program is killed by SIGABRT"),
            Effect::Ends => end(PathEnd::Exit(128 + sent.signal as i32)),
        }
    }

    fn return_from_handler(&mut self, mask: Value) -> Res<()> {
        let mask = self.concretise(mask, 64, 1, "a set of signals")?;
        self.on_signals(None)?;
        let me = self.st.current;
        let own = self.st.signals_of_mut(me);
        own.mask = mask;
        own.n_handled += 1;
        self.returns_nothing()?;
        self.handle_due()
    }

    fn send(&mut self, handle: Value, number: Value, code: Value, value: Value) -> Res<()> {
        let me = self.st.current;
        let handle = self.concretise(handle, self.ptr_bits(), 64, "a thread handle")?;
        let target = match handle {
            0 => None,
            _ => Some(self.thread_of(Value::Int(handle), "signal")?),
        };
        if target.is_some_and(|t| self.st.threads[t].is_joined) {
            return self.returns(Value::Int(ESRCH));
        }
        if let Value::Int(0) = number {
            return self.returns(Value::Int(0));
        }
        let signal = self.signal_number(number)?;
        let code = self.concretise(code, 32, 4, "a code of a signal")? as u32;
        let sent = Sent { signal, code, value };
        self.on_signals(target.filter(|t| *t != me))?;
        self.share_value(value);
        let is_open = |s: &Self, t: usize| s.st.mask_of(t) & bit(signal) == 0;
        match target {
            Some(thread) if thread != me => {
                self.send_to_other(thread, sent);
                return self.returns(Value::Int(0));
            }
            Some(_) if !is_open(self, me) => {
                add_pending(&mut self.st.signals_of_mut(me).pending, sent);
                return self.returns(Value::Int(0));
            }
            Some(_) => {}
            None => {
                // Who takes a signal to the process is open.
                let others = (0..self.st.threads.len()).any(|t| {
                    t != me && self.st.is_live(t) && !self.st.is_bringer(t) && self.takes(t, signal)
                });
                let is_mine = is_open(self, me);
                if !is_mine || others && self.nature_chooses(2, "who takes a signal")? == 1 {
                    if self.signals().effect(signal) != Effect::Ignored || !is_mine {
                        add_pending(&mut self.signals().pending, sent);
                    }
                    if others {
                        self.call_bringers();
                    }
                    return self.returns(Value::Int(0));
                }
            }
        }
        if let Effect::Ends | Effect::Stops = self.signals().effect(signal) {
            return self.handle(sent);
        }
        self.returns(Value::Int(0))?;
        self.handle(sent)
    }

    /// Whether `thread` would take this signal: it does not block it, or waits for it.
    fn takes(&self, thread: usize, signal: u32) -> bool {
        let awaits = self.st.signals_of(thread).map_or(Awaits::Nothing, |own| own.awaits);
        self.st.mask_of(thread) & bit(signal) == 0
            || matches!(awaits, Awaits::Signals(set) if set & bit(signal) != 0)
    }

    fn send_to_other(&mut self, thread: usize, sent: Sent) {
        if matches!(self.st.threads[thread].phase, Phase::Ended | Phase::Halted) {
            return;
        }
        let is_blocked = self.st.mask_of(thread) & bit(sent.signal) != 0;
        if self.signals().effect(sent.signal) == Effect::Ignored && !is_blocked {
            return;
        }
        add_pending(&mut self.st.signals_of_mut(thread).pending, sent);
        self.call_bringers();
    }

    fn pending_signals(&mut self) -> Res<()> {
        self.on_signals(None)?;
        let me = self.st.current;
        if self.signals().alarm != Alarm::Off && self.st.mask_of(me) & bit(SIGALRM) != 0 {
            return unsupported("pending signals while an alarm is set");
        }
        let own = self.st.signals_of(me).map_or(&[][..], |own| &own.pending).iter();
        let shared = self.st.signals.iter().flat_map(|s| &s.pending);
        let set = own.chain(shared).fold(0, |set, sent| set | bit(sent.signal));
        self.returns(Value::Int(set))
    }

    fn wait_for_signal(&mut self, set: Value, may_time_out: Value, code: Value, value: Value) -> Res<()> {
        let set = self.concretise(set, 64, MAX_SETS, "a set of signals")?;
        let may_time_out = self.concretise(may_time_out, 32, 2, "whether a wait ends")? != 0;
        if self.m.options.loop_points {
            return unsupported("signals in a proof");
        }
        self.expects_signals();
        self.signals();
        let me = self.st.current;
        if self.is_cut_short(|_| true)? {
            self.st.signals_of_mut(me).awaits = Awaits::Nothing;
            return self.returns(Value::Int(u64::from(u32::MAX)));
        }
        self.st.signals_of_mut(me).awaits = if may_time_out { Awaits::Nothing } else { Awaits::Signals(set) };
        let waits = Access::new(of_thread(me), Mode::Await { guard: Guard::Unknown });
        let accesses = [waits, Access::read_write(OF_PROCESS)];
        self.gate(accesses)?;
        let coming = self.st.may_take(me, set);
        let is_late = may_time_out && self.st.next_sent(me, set).is_none();
        let chosen = self.nature_chooses(coming.len() + usize::from(is_late), "which signal is taken")?;
        self.note_signals(accesses);
        self.st.signals_of_mut(me).awaits = Awaits::Nothing;
        let Some(&(sent, origin)) = coming.get(chosen) else {
            return self.returns(Value::Int(0));
        };
        self.store(code, Ty::Int(32), Value::Int(u64::from(sent.code)))?;
        self.store(value, Ty::Ptr, sent.value)?;
        self.st.take_signal(me, sent, origin);
        if origin == Origin::Outside {
            self.record_signal(me, sent.signal);
        }
        self.returns(Value::Int(u64::from(sent.signal)))
    }

    fn wait_for_handler(&mut self, handled: Value) -> Res<()> {
        if self.m.options.loop_points {
            return unsupported("signals in a proof");
        }
        let n = self.concretise(handled, 32, 1, "a number of handlers")? as u32;
        let me = self.st.current;
        self.st.signals_of_mut(me).awaits = Awaits::Handlers(n);
        let waits = Access::new(of_thread(me), Mode::Await { guard: Guard::Unknown });
        self.gate([waits])?;
        self.note_signals([waits]);
        self.st.signals_of_mut(me).awaits = Awaits::Nothing;
        self.returns_nothing()
    }

    /// Whether a handler has interrupted the call that the running thread is in, in a way that ends it. It may also have
    /// run before the call.
    pub(crate) fn is_cut_short(&mut self, ends: impl Fn(Cut) -> bool) -> Res<bool> {
        let me = self.st.current;
        let Some(cut) = self.st.signals_of(me).and_then(|own| own.cut) else { return Ok(false) };
        let is_cut_short = ends(cut) && self.nature_chooses(2, CUT_SHORT)? == 1;
        self.st.signals_of_mut(me).cut = None;
        Ok(is_cut_short)
    }

    /// Whether more than `handled` handlers have run in the running thread.
    pub(crate) fn has_handled(&mut self, handled: Value) -> Res<bool> {
        let n = self.concretise(handled, 32, 1, "a number of handlers")? as u32;
        Ok(self.st.signals_of(self.st.current).is_some_and(|own| own.n_handled != n))
    }

    /// A place in the middle of a call that may take its time, where a handler may run: whether one did and ends the
    /// call. One with `SA_RESTART` does not where the call `restarts`.
    fn interrupts(&mut self, restarts: Value) -> Res<()> {
        if !self.st.has_bringers() {
            return self.returns(Value::Int(0));
        }
        let restarts = self.concretise(restarts, 32, 2, "whether a call restarts")? != 0;
        if self.is_cut_short(|cut| !(restarts && cut.restarts))? {
            return self.returns(Value::Int(1));
        }
        self.gate([])?;
        self.returns(Value::Int(0))
    }

    fn set_alarm(&mut self, kind: Value) -> Res<()> {
        let kind = self.concretise(kind, 32, 3, "a kind of alarm")?;
        self.on_signals(None)?;
        let alarm = match kind {
            0 => Alarm::Off,
            1 => Alarm::Once,
            _ => Alarm::Periodic,
        };
        let before = self.signals().alarm;
        let me = self.st.current;
        // One that has gone off without anybody having noticed is pending.
        let went_off = before != Alarm::Off
            && self.st.mask_of(me) & bit(SIGALRM) != 0
            && self.nature_chooses(2, "an alarm has gone off")? == 1;
        if went_off {
            let sent = Sent { signal: SIGALRM, code: 0x80, value: Value::Int(0) };
            add_pending(&mut self.signals().pending, sent);
        }
        if alarm == Alarm::Periodic {
            self.expects_signals();
        }
        self.signals().alarm = alarm;
        if alarm != Alarm::Off {
            self.call_bringers();
        }
        self.returns(Value::bool(before != Alarm::Off && !went_off))
    }
}
