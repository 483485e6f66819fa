//! The control state: all of a state that is not a state variable.
//!
//! Two states with equal control states differ only in the contents of memory and of registers, so a formula over
//! these says all there is to say about what may happen next. Everything that a step may look at besides cells and
//! registers must be in here: threads with their stacks of code locations and what they wait for, synchronisation
//! objects, live objects with sizes and addresses. Not in it: what only names things (numbers of inputs, generations
//! of private locals), the order of threads, and output.
//!
//! Some values outside memory and registers (results of threads, values of keys, variadic arguments) are in the
//! control state as they are. In a relative state such a value is a term; it is listed, and has to be pinned. A thread that
//! ends without a result has an undefined one, which may be anything: no value of it is in the control state.
//!
//! Paper: FSE 2015, §4 (global control state).

use std::rc::Rc;

use selvedge_base::Id;
use selvedge_por::{Access, Accesses, Guard, Location, Mode};
use selvedge_term::TermId;

use crate::machine::Machine;
use crate::memory::{Memory, Status};
use crate::ops;
use crate::source::Source;
use crate::state::{Frame, Key, Left, Sleep, State, Thread};
use crate::sync::{Sync, SyncTable};
use crate::threads::{Phase, Probe};
use crate::value::Value;

/// A control state, as words that are equal if and only if the states are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Control {
    /// [What all threads share](Self::N_SHARED), then each thread. States have many parts in common, and share them if one
    /// was made after the other.
    parts: Vec<Rc<[u64]>>,
    /// Values that are not known: part and word that stand for it, and the value.
    open: Vec<(usize, usize, TermId)>,
    /// The part that is being made.
    words: Vec<u64>,
}

/// What stands in front of a value, in place of whether its object is alive, if the value is undefined.
const UNDEFINED: u64 = 3;

/// Where a pointer leads, which its address does not say: another object may lie there by now.
pub(crate) fn leads(mem: &Memory, value: Value) -> [u64; 2] {
    ops::provenance(value).map_or([0, 0], |obj| {
        let is_live = mem.get(obj).is_some_and(|o| o.status == Status::Live);
        [obj.denotation().key(), 1 + u64::from(is_live)]
    })
}

/// A place that is accessed.
pub(crate) fn location_shape(location: Location, out: &mut Vec<u64>) {
    match location {
        Location::Memory { object, offset, len } => out.extend([0, object, offset, len]),
        Location::Sync(key) => out.extend([1, key]),
    }
}

impl Control {
    /// Parts that all threads share: synchronisation, and which objects there are.
    pub const N_SHARED: usize = 2;

    /// The parts, which together are all words.
    pub fn parts(&self) -> &[Rc<[u64]>] {
        &self.parts
    }

    /// Whether it has no unknown values.
    pub fn is_known(&self) -> bool {
        self.open.is_empty()
    }

    /// The unknown values are what they are in `other`, if these conditions hold; `None` if it differs from `other` in
    /// something else.
    pub(crate) fn pinned_to(&self, machine: &mut Machine<'_>, other: &Control) -> Option<Vec<TermId>> {
        let is_open = |part: usize, word: usize| self.open.iter().any(|(p, w, _)| (*p, *w) == (part, word));
        let is_same = |part: usize| {
            let (mine, theirs) = (&self.parts[part], &other.parts[part]);
            let agrees = |word: usize| match is_open(part, word) {
                true => true,
                // Whatever follows is one of the values that an undefined one may have.
                false if is_open(part, word + 1) && theirs[word] == UNDEFINED => true,
                false => mine[word] == theirs[word],
            };
            if Rc::ptr_eq(mine, theirs) || !self.open.iter().any(|(p, ..)| *p == part) {
                return mine == theirs;
            }
            mine.len() == theirs.len() && (0..mine.len()).all(agrees)
        };
        if self.parts.len() != other.parts.len() || !(0..self.parts.len()).all(is_same) {
            return None;
        }
        let is_pinned = |(part, word, _): &&(usize, usize, TermId)| {
            word.checked_sub(1).is_none_or(|before| other.parts[*part][before] != UNDEFINED)
        };
        let pinned = self.open.iter().filter(is_pinned);
        pinned.map(|(part, word, value)| machine.pinned(*value, other.parts[*part][*word])).collect()
    }

    /// The part is complete; the one that `like` has is taken if it is the same.
    fn close(&mut self, like: Option<&Control>) {
        let known = like.and_then(|like| like.parts.get(self.parts.len()));
        self.parts.push(match known {
            Some(known) if **known == *self.words => known.clone(),
            _ => self.words.as_slice().into(),
        });
        self.words.clear();
    }

    fn word(&mut self, word: u64) {
        self.words.push(word);
    }

    fn flag(&mut self, flag: bool) {
        self.words.push(u64::from(flag));
    }

    /// Synchronisation objects, and keys of thread-specific data.
    fn synchronisation(&mut self, objects: &SyncTable, keys: &[Key]) {
        for (key, Sync { level, owner, count, kind, queue, written }) in objects.iter() {
            self.words.extend([key, (*level).into(), (*owner).into(), (*count).into(), (*kind).into()]);
            self.word(*written);
            self.word(queue.len() as u64);
            self.words.extend(queue.iter().map(|t| u64::from(*t)));
        }
        self.word(keys.len() as u64);
        self.words.extend(keys.iter().map(|key| match key {
            Key::Deleted => 0,
            Key::Plain => 1,
            Key::Destroying(f) => f.index() as u64 + 2,
        }));
    }

    /// How a thread sleeps, if it does.
    fn sleep(&mut self, sleep: Option<Sleep>) {
        self.word(sleep.map_or(0, |Sleep { count, is_fruitless, left }| {
            let left = match left {
                None => 0,
                Some(Left::Woken) => 1,
                Some(Left::Cancelled) => 2,
            };
            1 | u64::from(is_fruitless) << 1 | left << 2 | u64::from(count) << 32
        }));
    }

    /// The values of keys, and those that clean-up handlers get.
    fn held_values(&mut self, mem: &Memory, specific: &[(u32, Value)], cleanup: &[Value]) {
        self.word(specific.len() as u64);
        for (key, value) in specific {
            self.word(u64::from(*key));
            self.value(mem, *value);
        }
        self.word(cleanup.len() as u64);
        cleanup.iter().for_each(|value| self.value(mem, *value));
    }

    /// Where a pointer leads.
    fn provenance(&mut self, mem: &Memory, value: Value) {
        self.words.extend(leads(mem, value));
    }

    /// A value that is no state variable.
    fn value(&mut self, mem: &Memory, value: Value) {
        self.provenance(mem, value);
        match value {
            Value::Int(v) | Value::Ptr { addr: v, .. } => self.word(v),
            Value::Term(t) | Value::SymPtr { addr: t, .. } => {
                self.open.push((self.parts.len(), self.words.len(), t));
                self.word(0);
            }
        }
    }

    fn locations(&mut self, locations: &[Location]) {
        self.word(locations.len() as u64);
        locations.iter().for_each(|l| location_shape(*l, &mut self.words));
    }

    fn accesses(&mut self, accesses: &Accesses) {
        self.word(accesses.len() as u64);
        accesses.iter().for_each(|a| self.access(*a));
    }

    fn access(&mut self, access: Access) {
        location_shape(access.location, &mut self.words);
        let (mode, guard, amount) = match access.mode {
            Mode::Read => (0, Guard::Open, 0),
            Mode::Write => (1, Guard::Open, 0),
            Mode::ReadWrite => (2, Guard::Open, 0),
            Mode::Take { guard, amount } => (3, guard, amount),
            Mode::Give { amount } => (4, Guard::Open, amount),
            Mode::TakeShared { guard, amount } => (5, guard, amount),
            Mode::GiveShared { amount } => (6, Guard::Open, amount),
            Mode::Await { guard } => (7, guard, 0),
            Mode::Spin => (8, Guard::Open, 0),
        };
        // The level when the thread came to wait is history; the present one is that of the counter.
        let guard = match guard {
            Guard::Open => 0,
            Guard::Level { needs, .. } => 2 + u64::from(needs),
            Guard::Unknown => 1,
        };
        self.words.extend([mode, guard, u64::from(amount)]);
    }
}

impl Machine<'_> {
    /// The control state of a state in which every thread waits, has ended, or is stuck, or one has come to a
    /// [branch](State::is_at_branch); `like` is a state with much in common. `None` if it has something that summaries do
    /// not know: places for `longjmp`, signals, a thread that goes round in circles with locks.
    pub fn control(&mut self, state: &State, like: Option<(&State, &Control)>) -> Option<Control> {
        let State {
            threads,
            current,
            mem,
            stdin_pos,
            jumps,
            sync,
            keys,
            signals,
            is_concurrent,
            is_scheduled,
            exited,
            is_cut,
            // What is known of the state variables; formulas are compared with it.
            path: _,
            // Names of inputs, and what was printed: nothing reads them back.
            inputs: _,
            output: _,
            // How long the path is: nothing depends on it.
            steps: _,
            depth: _,
            // The same from the start on.
            environment: _,
            // Of the instruction that is executed: at rest and at a branch there is none.
            cursor: _,
            // In which order threads are tried.
            n_turns: _,
            fair_until: _,
            // Of the step under way: at a branch nothing of it is left to others to see, and it is no section.
            rounds: _,
            granted: _,
            event: _,
            before_section: _,
            // With races there are no summaries and no proofs.
            races: _,
            // Failures that are noted count as covered; after another one there are no summaries.
            n_noted: _,
            has_failed: _,
            // Only in programs with one thread.
            outside,
        } = state;
        if !jumps.is_empty() || signals.is_some() || outside.is_some() {
            return None;
        }
        let known = like.map(|(_, control)| control);
        let mut c = Control { parts: Vec::with_capacity(2 + threads.len()), ..Control::default() };
        c.synchronisation(sync, keys);
        c.word(exited.map_or(0, |code| 1 << 32 | u64::from(code as u32)));
        c.word(*stdin_pos);
        c.flag(*is_concurrent);
        c.flag(*is_scheduled);
        c.flag(*is_cut);
        // In the middle of a step, who is making it.
        c.word(if state.is_under_way() { *current as u64 + 1 } else { 0 });
        c.close(known);
        mem.shape(&|maker| self.maker_number(maker), &mut c.words);
        c.close(known);
        // What a thread is like depends on the thread, and on which objects are alive.
        let like = like.filter(|(_, known)| known.is_known() && Rc::ptr_eq(&known.parts[1], &c.parts[1]));
        for (t, thread) in threads.iter().enumerate() {
            match like {
                Some((state, known)) if state.threads.get(t).is_some_and(|t| Rc::ptr_eq(t, thread)) => {
                    c.parts.push(known.parts[Control::N_SHARED + t].clone());
                }
                _ => {
                    self.thread_control(&mut c, mem, thread)?;
                    c.close(known);
                }
            }
        }
        Some(c)
    }

    fn thread_control(&mut self, c: &mut Control, mem: &Memory, thread: &Thread) -> Option<()> {
        match &thread.phase {
            Phase::Unborn => c.word(0),
            Phase::Local => c.word(1),
            Phase::Waiting(accesses) => {
                c.word(2);
                c.accesses(accesses);
            }
            Phase::Spinning(places) => {
                c.word(if thread.time_ends_wait { 6 } else { 3 });
                c.locations(places);
            }
            Phase::Ended => c.word(4),
            Phase::Halted => c.word(5),
        }
        // One that is not born yet is as all are before they are.
        if thread.phase != Phase::Unborn {
            self.life_control(c, mem, thread)?;
        }
        Some(())
    }

    fn life_control(&mut self, c: &mut Control, mem: &Memory, thread: &Thread) -> Option<()> {
        let Thread {
            frames,
            waits_for_outside,
            n_children,
            atomic_depth,
            n_held,
            is_detached,
            is_joined,
            result,
            specific,
            n_destructors,
            sleep,
            copying,
            spun,
            probes,
            woke_alone,
            ignores_cancel,
            rounding,
            cleanup,
            ends_at,
            is_leaving,
            idle,
            // The caller has them: the second counts for a thread that spins.
            phase: _,
            time_ends_wait: _,
            // Numbers that name the next input, undefined value or frame. Loops that are watched have the differences.
            n_inputs: _,
            n_natural: _,
            n_readings: _,
            n_undefs: _,
            n_frames: _,
            // Which inputs others may know of. From the start of a relative step on, those from before it are state
            // variables, about which a failed assumption is always a way of its own.
            n_inputs_seen: _,
            // For replay.
            n_points: _,
            last_point: _,
            // With a bound on steps there are no summaries.
            n_steps: _,
            // In which order threads are tried.
            last_turn: _,
            // See `Rounds`.
            rounds: _,
            // Without signals of the state there are none of threads.
            signals: _,
            // Of the instruction that is executed: at rest and at a branch there is none.
            decisions: _,
        } = thread;
        // Whether a reading has decided anything since is not told by the state.
        let has_read_clock = probes.iter().any(|probe| probe.has_read_clock(thread));
        if idle.is_some() || woke_alone.is_some() || has_read_clock {
            return None;
        }
        c.words.extend([
            u64::from(*n_children) << 32 | u64::from(*n_held),
            u64::from(*atomic_depth) << 32 | u64::from(*n_destructors),
            ends_at.map_or(0, |depth| depth as u64 + 1),
            u64::from(*is_detached)
                | u64::from(*is_joined) << 1
                | u64::from(*ignores_cancel) << 2
                | u64::from(*is_leaving) << 3
                | u64::from(*waits_for_outside) << 4
                | (*rounding as u64) << 5,
        ]);
        c.sleep(*sleep);
        c.flag(copying.is_some());
        if let Some(progress) = copying {
            progress.shape(mem, &mut c.words);
        }
        match self.is_undefined(*result) {
            true => c.words.extend([0, UNDEFINED, 0]),
            false => c.value(mem, *result),
        }
        c.held_values(mem, specific, cleanup);
        c.locations(spun);
        self.stack_control(c, mem, thread, frames, probes);
        Some(())
    }

    /// The functions under way, and the loops in them that are watched.
    fn stack_control(
        &mut self,
        c: &mut Control,
        mem: &Memory,
        thread: &Thread,
        frames: &[Rc<Frame>],
        probes: &[Rc<Probe>],
    ) {
        c.word(frames.len() as u64);
        frames.iter().for_each(|frame| self.frame_control(c, mem, frame));
        c.word(probes.len() as u64);
        for probe in probes {
            let live = self.live_at_head(probe.frame().func, probe.header());
            let header = self
                .code_names
                .as_ref()
                .map_or(probe.header().0, |names| names.block(probe.frame().func, probe.header()));
            probe.shape((thread, mem), header, &live, &mut c.words);
        }
    }

    fn frame_control(&mut self, c: &mut Control, mem: &Memory, frame: &Frame) {
        let Frame {
            func,
            block: _, // and
            idx: _,   // are numbered by `place_numbers`
            stack_mark,
            varargs,
            loops,
            resumes,
            atomic,
            regs: _,  // state variables
            token: _, // a name, for `longjmp` and for loops that are watched, which are left with their frame
        } = frame;
        let (block, idx) = self.place_numbers(frame);
        c.words.extend([
            (func.index() as u64) << 32 | u64::from(block),
            u64::from(idx) << 32 | *stack_mark as u64,
            u64::from(*resumes) | u64::from(*atomic) << 1 | (varargs.len() as u64) << 2,
        ]);
        // The types and sizes are those of the call, at which the caller stands.
        for (value, _ty, _size) in varargs.iter() {
            c.value(mem, *value);
        }
        if self.options.bounds.unwind.is_some() {
            c.word(loops.len() as u64);
            c.words.extend(loops.iter().flat_map(|(block, n)| [block.index() as u64, *n]));
        }
    }

    /// Whether a value was never given.
    pub(crate) fn is_undefined(&self, value: Value) -> bool {
        let Value::Term(term) = value else { return false };
        let piece = self.pool.var_id(term).and_then(|var| self.sources.piece(var));
        piece.is_some_and(|piece| matches!(piece.source, Source::Undef { .. } | Source::Uninit { .. }))
    }

    /// The condition under which an open value of a control state is `word`; `None` if it is too wide.
    pub(crate) fn pinned(&mut self, value: TermId, word: u64) -> Option<TermId> {
        let width = self.pool.width(value);
        if width > 64 {
            return None;
        }
        let word = ops::to_term(&mut self.pool, Value::Int(word), width);
        Some(self.pool.eq(value, word))
    }
}
