//! Bringing signals: the threads that do, and entering and leaving handlers.

use selvedge_library::{Known, Semaphore, Signal, Written};
use selvedge_por::{Access, Guard, Mode, ThreadId};
use selvedge_program::{self as program, Callee, Inst};

use crate::finding::{Res, unsupported};
use crate::ops;
use crate::signals::{
    Action, Cut, Effect, Interrupted, OF_PROCESS, Origin, SA_NODEFER, SA_RESETHAND, SA_RESTART, Sent, bit,
    of_thread,
};
use crate::step::Step;
use crate::threads::Phase;
use crate::value::{ObjId, Region, Value};

/// Which child of its thread a bringer is: none that the program starts.
const BRINGER: u32 = u32::MAX;

impl Step<'_, '_> {
    /// From here on signals may come to all threads, at any time.
    pub(super) fn call_bringers(&mut self) {
        if self.signals().has_bringers {
            return;
        }
        self.signals().has_bringers = true;
        self.share_with_handlers();
        let threads = 0..self.st.threads.len();
        let is_there = |phase: &Phase| !matches!(phase, Phase::Unborn | Phase::Ended | Phase::Halted);
        let there: Vec<usize> = threads.filter(|t| is_there(&self.st.threads[*t].phase)).collect();
        there.into_iter().for_each(|thread| self.call_bringer(thread));
    }

    /// Starts the thread that brings signals to `thread`, which has just been started or is there already.
    pub(crate) fn call_bringer(&mut self, thread: usize) {
        let Some(func) = self.m.image.library.find(Written::SignalOutside) else { return };
        let number = self.m.thread_names.child(thread as u32, BRINGER);
        self.start_thread(number, func, Value::Int(thread as u64), true);
        if self.st.granted {
            self.st.event.spawns.push(ThreadId(number));
        }
        self.st.signals_of_mut(number as usize).brings_to = Some(thread);
        // A handler sees what is its thread's own.
        for position in 0..self.m.image.thread_locals().len() {
            let global = self.m.image.thread_locals()[position];
            let obj = self.m.image.thread_local(global, thread);
            let addr = self.st.mem.get(obj).map_or(0, |o| o.base);
            self.share_value(Value::Ptr { obj, addr });
        }
    }

    /// A thread that the running one has started blocks what that blocks, and signals may come to it, too.
    pub(crate) fn inherit_signals(&mut self, thread: usize) {
        let mask = self.st.mask_of(self.st.current);
        if mask != 0 {
            self.st.signals_of_mut(thread).mask = mask;
        }
        if self.st.has_bringers() {
            self.call_bringer(thread);
        }
    }

    /// The step of a bringer: a signal comes to its thread, wherever that stands.
    pub(super) fn bring(&mut self, thread: Value) -> Res<()> {
        let thread = ops::concrete(thread).unwrap_or(0) as usize;
        let takes = Access::new(of_thread(thread), Mode::Take { guard: Guard::Unknown, amount: 0 });
        let accesses = [takes, Access::read_write(OF_PROCESS)];
        self.gate(accesses)?;
        let coming = self.st.may_bring(thread);
        let chosen = self.nature_chooses(coming.len(), "which signal arrives")?;
        let Some(&(sent, origin)) = coming.get(chosen) else {
            return unsupported("a signal that nobody sends");
        };
        let looks = self.looks_at_cuts(thread);
        let (was_blocked, places) = if looks { self.st.blocks_at(thread) } else { (false, Vec::new()) };
        self.note_signals(accesses.into_iter().chain(places));
        self.st.take_signal(thread, sent, origin);
        let Effect::Handled(action) = self.signals().effect(sent.signal) else {
            return self.handle(sent);
        };
        let is_own = matches!(origin, Origin::Thread | Origin::Process);
        self.st.signals_of_mut(self.st.current).brought = (!is_own).then_some(sent.signal);
        self.record_signal(thread, sent.signal);
        let me = std::mem::replace(&mut self.st.current, thread);
        // What else waits and is not blocked comes with it, before the first handler begins.
        let entered = self.interrupt(sent, action, was_blocked).and_then(|()| self.handle_due());
        self.st.current = me;
        entered
    }

    /// Puts the frame of a handler onto the stack of the running thread, which did not call it.
    fn interrupt(&mut self, sent: Sent, action: Action, was_blocked: bool) -> Res<()> {
        let thread = self.st.thread_mut();
        let interrupted = Interrupted {
            depth: thread.frames.len(),
            sleep: thread.sleep.take(),
            copying: thread.copying.take(),
            atomic_depth: std::mem::take(&mut thread.atomic_depth),
            last_point: thread.last_point,
            cut: Cut { was_blocked, restarts: action.flags & SA_RESTART != 0 },
        };
        thread.phase = Phase::Local;
        thread.decisions.clear();
        thread.probes.clear();
        thread.rounds.clear();
        thread.spun.clear();
        (thread.idle, thread.woke_alone) = (None, None);
        let own = self.st.signals_of_mut(self.st.current);
        own.interrupted.push(interrupted);
        own.is_fresh = true;
        own.cut = None;
        self.enter_handler(sent, action)
    }

    /// Puts the frame of a handler onto the stack of the running thread, which goes on where it stands when it returns.
    pub(super) fn enter_handler(&mut self, sent: Sent, action: Action) -> Res<()> {
        self.rounds_for_signals()?;
        let me = self.st.current;
        let itself = if action.flags & SA_NODEFER == 0 { bit(sent.signal) } else { 0 };
        let own = self.st.signals_of_mut(me);
        let before = own.restores.take().unwrap_or(own.mask);
        own.mask |= action.mask | itself;
        if action.flags & SA_RESETHAND != 0 {
            self.signals().set_action(sent.signal, Action { handler: Value::Int(0), ..action });
        }
        let number = |n: u32| Value::Int(u64::from(n));
        let values = [
            action.handler,
            number(sent.signal),
            number(action.flags),
            Value::Int(before),
            number(sent.code),
            sent.value,
        ];
        self.call_runtime(Written::SignalHandle, &values)?;
        self.st.frame_mut().resumes = true;
        Ok(())
    }

    /// The frame of a function that the engine has entered is gone: if that was a handler, its thread is again as it was.
    pub(crate) fn resume_interrupted(&mut self) {
        let depth = self.st.thread().frames.len();
        let me = self.st.current;
        if self.st.signals_of(me).is_none_or(|own| own.interrupted.last().is_none_or(|i| i.depth != depth)) {
            return;
        }
        let looks = self.looks_at_cuts(me);
        let own = self.st.signals_of_mut(me);
        let Some(was) = own.interrupted.pop() else { return };
        own.cut = looks.then_some(was.cut);
        let thread = self.st.thread_mut();
        thread.sleep = was.sleep;
        thread.copying = was.copying;
        thread.atomic_depth = was.atomic_depth;
        thread.decisions.clear();
        // A native build passes the point again.
        (thread.n_points, thread.last_point) = (thread.n_points + 1, was.last_point);
        self.st.cursor = 0;
    }

    /// Whether the call at which `thread` stands asks if a handler has interrupted it.
    fn looks_at_cuts(&self, thread: usize) -> bool {
        let Some(frame) = self.st.threads[thread].frames.last() else { return false };
        let program = self.m.image.program;
        let Inst::Call { callee: Callee::Direct(func), .. } =
            &program.funcs[frame.func].blocks[frame.block].insts[frame.idx]
        else {
            return false;
        };
        matches!(
            self.m.image.library.known(*func),
            Some(
                Known::Semaphore(Semaphore::Wait | Semaphore::TimedWait | Semaphore::PollWait)
                    | Known::Signal(Signal::Wait | Signal::Interrupts)
            )
        )
    }

    /// A handler accesses a variable that a compiler may keep in a register meanwhile: one of static storage, neither by
    /// a volatile nor by an atomic access.
    #[inline]
    pub(crate) fn note_plain_access(&mut self, ptr: Value, access: program::Access) {
        if !access.volatile && access.order.is_none() && self.st.is_in_handler() {
            self.note_handler_variable(ptr);
        }
    }

    fn note_handler_variable(&mut self, ptr: Value) {
        let is_global = |obj: &ObjId| obj.region() == Region::Global;
        let object = ops::provenance(ptr).filter(is_global).and_then(|obj| self.st.mem.get(obj));
        let is_runtime = self.m.image.program.funcs[self.st.frame().func].is_runtime;
        if object.is_some_and(|object| object.writable) && !is_runtime {
            self.assumed("language.handler-variables");
        }
    }

    /// A function is called that handlers must not call, as it could interrupt itself.
    pub(crate) fn note_in_handler(&mut self) {
        if self.st.is_in_handler() {
            self.assumed("library.in-handlers");
        }
    }

    /// A jump has left the handlers above the innermost frame for good.
    pub(crate) fn leave_handlers(&mut self) -> Res<()> {
        let (me, depth) = (self.st.current, self.st.thread().frames.len());
        if self.st.signals_of(me).is_none_or(|own| own.interrupted.is_empty()) {
            return Ok(());
        }
        while let Some(was) = self.st.signals_of_mut(me).interrupted.pop_if(|was| was.depth >= depth) {
            if was.sleep.is_some() || was.copying.is_some() {
                return unsupported("a jump from a signal handler out of the middle of a call");
            }
            self.st.thread_mut().atomic_depth = was.atomic_depth;
        }
        Ok(())
    }
}
