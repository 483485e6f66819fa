//! The program's surroundings: files, failures, clocks, signals. The functions of C are C code on top of these.

use crate::action::Action::{Alloc, Assume, Input, MakeSymbolic, Opaque, Pure};
use crate::row::{Row, family};

family! {
    /// Files, and input from outside.
    World {
        /// The next byte of standard input.
        Stdin = Row::new("__selvedge_stdin", ":i", Input);
        /// How long standard input may be.
        StdinBound = Row::hook("__selvedge_stdin_bound", Pure);
        /// Makes memory that is no leak.
        Keep = Row::hook("__selvedge_keep", Alloc { size: [Some(0), None] });
        /// Answers a question about what the user said of the world.
        Answer = Row::hook("__selvedge_world", Pure);
        /// Bytes that the user said are in the world.
        Bytes = Row::hook("__selvedge_world_bytes", MakeSymbolic);
        /// The thread waits for something outside of the program, or does not any more.
        WaitsForOutside = Row::hook("__selvedge_waits_for_outside", Pure);
        /// Makes bytes an input that is a fact about a file.
        FileInput = Row::hook("__selvedge_file_input", MakeSymbolic);
    }
}

family! {
    /// Calls that may fail although nothing speaks against it.
    Failures {
        /// Which of these errors happens, if any.
        MayFail = Row::hook("__selvedge_may_fail", Input);
        /// Notes that a call failed.
        Failed = Row::new("__selvedge_failed", "i:v", Pure);
    }
}

family! {
    /// Clocks.
    Clock {
        /// Any time.
        Time = Row::hook("__selvedge_time", Input);
        /// Goes on only if the condition on a time holds.
        Assume = Row::hook("__selvedge_assume_time", Assume);
        /// Whether the program reads clocks.
        IsRead = Row::hook("__selvedge_clock_is_read", Pure);
        /// Whether clocks stand still.
        IsFixed = Row::hook("__selvedge_clock_is_fixed", Pure);
        /// Whether clocks count nanoseconds.
        Counts = Row::hook("__selvedge_clock_counts", Pure);
    }
}

family! {
    /// Signals.
    Signal {
        /// Does nothing: that it is called says that there are signals.
        Enable = Row::hook("__selvedge_signal_enable", Opaque);
        /// Sets the action of a signal.
        Set = Row::hook("__selvedge_signal_set", Opaque);
        /// Gives the action of a signal.
        Get = Row::hook("__selvedge_signal_get", Opaque);
        /// Changes the mask of the thread.
        Mask = Row::hook("__selvedge_signal_mask", Opaque);
        /// Sets the mask of the thread for the time of a call.
        Suspend = Row::hook("__selvedge_signal_suspend", Opaque);
        /// Sets the mask of the thread when such a call ends.
        Unsuspend = Row::hook("__selvedge_signal_unsuspend", Opaque);
        /// Runs the handlers of signals that are due.
        Due = Row::hook("__selvedge_signal_due", Opaque);
        /// Returns from a handler.
        Return = Row::hook("__selvedge_signal_return", Opaque);
        /// Sends a signal.
        Send = Row::hook("__selvedge_signal_send", Opaque);
        /// The signals that are pending.
        Pending = Row::hook("__selvedge_signal_pending", Opaque);
        /// Waits for one of some signals and takes it.
        Wait = Row::hook("__selvedge_signal_wait", Opaque).waits();
        /// How many handlers have run in the thread.
        Handled = Row::hook("__selvedge_signal_handled", Opaque);
        /// Waits until a handler has run.
        Sleep = Row::hook("__selvedge_signal_sleep", Opaque).waits();
        /// Sets the alarm clock.
        Alarm = Row::hook("__selvedge_signal_alarm", Opaque);
        /// Whether signals can interrupt anything.
        MayInterrupt = Row::hook("__selvedge_may_interrupt", Pure);
        /// How many signals come from outside.
        Given = Row::hook("__selvedge_signals_given", Pure);
        /// Whether a signal interrupts the call under way.
        Interrupts = Row::hook("__selvedge_interrupts", Pure);
        /// A signal arrives.
        Arrive = Row::hook("__selvedge_signal_arrive", Opaque).waits();
    }
}
