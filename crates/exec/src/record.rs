//! The story of one concrete execution: which lines ran and what they wrote.
//!
//! Recording is for replay only; a search never pays for it beyond one test of an option.

use std::collections::BTreeMap;

use selvedge_base::{Id, Loc};
use selvedge_program::{Callee, FuncId, GlobalId, Inst, Reg};

use crate::memory::MadeBy;
use crate::names::{cell_name, value_text};
use crate::state::frame_loc;
use crate::step::Step;
use crate::value::{ObjId, Region, Value};

mod writers;

use writers::Writers;

/// Steps kept at each end of a long execution.
const KEEP: usize = 2000;
/// Writes, and reads, kept of one line.
const MAX_WRITES: usize = 16;

/// Who wrote what a line has read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Writer {
    /// Thread.
    pub thread: u32,
    /// Its step, see [`RecordedStep::number`].
    pub step: u64,
}

/// What a line has read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordedRead {
    /// Name of the cell.
    pub name: String,
    /// Its value.
    pub value: String,
    /// Who wrote it last; `None` if it is as it was in the beginning.
    pub writer: Option<Writer>,
}

/// One source line that ran.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordedStep {
    /// Its position among all steps, from 0.
    pub number: u64,
    /// Thread.
    pub thread: u32,
    /// Function.
    pub func: FuncId,
    /// Line.
    pub loc: Loc,
    /// Depth of the call stack.
    pub depth: usize,
    /// What was read.
    pub reads: Vec<RecordedRead>,
    /// Other threads can write some of it.
    reads_shared: bool,
    /// What was written: name and value.
    pub writes: Vec<(String, String)>,
    /// Threads it started.
    pub creates: Vec<u32>,
    /// The signal that came to the thread before it.
    pub signal: Option<u32>,
    /// Inputs it consumed, by their position among all, and the function that was called for each.
    pub inputs: Vec<(usize, Option<FuncId>)>,
}

/// A call about files or streams that failed although nothing spoke against it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecordedFailure {
    /// The thread that made the call.
    pub thread: u32,
    /// It follows this point that the thread passes, counted from 1.
    pub n_points: u64,
    /// Which point of the program that is.
    pub site: u32,
    /// How often the same call could have failed before: a stream may do so at each byte that it reads.
    pub after: u32,
    /// The number of the error, or one that is none for output that was cut short (`runtime/descriptors.c`).
    pub error: i32,
}

/// Collects steps.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    /// The first steps.
    pub first: Vec<RecordedStep>,
    /// The last steps, if there were more.
    pub last: std::collections::VecDeque<RecordedStep>,
    /// Steps left out between them.
    pub skipped: u64,
    /// All calls that failed.
    pub failures: Vec<RecordedFailure>,
    /// Where each thread took each lock last, by the key of the lock.
    taken: BTreeMap<(usize, u64), (FuncId, Loc)>,
    /// By thread: the last point, and how often the call that follows it could have failed.
    chances: BTreeMap<usize, (u64, u32)>,
    writers: Writers,
    /// By thread: the line that was taken back last.
    set_aside: BTreeMap<u32, RecordedStep>,
}

impl RecordedStep {
    fn new(thread: u32, func: FuncId, loc: Loc, depth: usize) -> RecordedStep {
        RecordedStep {
            number: 0,
            thread,
            func,
            loc,
            depth,
            reads: Vec::new(),
            reads_shared: false,
            writes: Vec::new(),
            creates: Vec::new(),
            signal: None,
            inputs: Vec::new(),
        }
    }
}

impl Recorder {
    fn push(&mut self, mut step: RecordedStep) {
        step.number = self.first.len() as u64 + self.skipped + self.last.len() as u64;
        if self.first.len() < KEEP {
            self.first.push(step);
            return;
        }
        self.last.push_back(step);
        if self.last.len() > KEEP {
            self.last.pop_front();
            self.skipped += 1;
        }
    }

    /// Takes back a line of which others have seen nothing: its thread stopped before it, and will come to it again.
    pub(crate) fn take_back(&mut self) {
        let is_empty = |s: &mut RecordedStep| {
            let is_silent = !s.reads_shared && s.writes.is_empty() && s.creates.is_empty();
            is_silent && s.inputs.is_empty() && s.signal.is_none()
        };
        if self.current().is_some_and(is_empty)
            && let Some(step) = self.last.pop_back().or_else(|| self.first.pop())
        {
            self.set_aside.insert(step.thread, step);
        }
    }

    /// Where `thread` took the lock with this key last.
    pub(crate) fn taken(&self, thread: usize, key: u64) -> Option<(FuncId, Loc)> {
        self.taken.get(&(thread, key)).copied()
    }

    fn current(&mut self) -> Option<&mut RecordedStep> {
        if self.last.is_empty() { self.first.last_mut() } else { self.last.back_mut() }
    }
}

impl Step<'_, '_> {
    pub(crate) fn record_line(&mut self) {
        let program = self.m.image.program;
        let frame = self.st.frame();
        if program.funcs[frame.func].is_runtime {
            return;
        }
        let loc = frame_loc(program, frame);
        if !loc.is_known() {
            return;
        }
        let (thread, func, depth) = (self.st.current as u32, frame.func, self.st.thread().frames.len());
        let Some(recorder) = &mut self.m.recorder else { return };
        let same = recorder.current().is_some_and(|s| {
            s.signal.is_none()
                && (s.thread, s.func, s.loc.file, s.loc.line, s.depth)
                    == (thread, func, loc.file, loc.line, depth)
        });
        if !same {
            let mut step = RecordedStep::new(thread, func, loc, depth);
            if let Some(before) = recorder.set_aside.remove(&thread)
                && (before.func, before.loc.line, before.depth) == (func, loc.line, depth)
            {
                step.reads = before.reads;
            }
            recorder.push(step);
        }
    }

    pub(crate) fn record_call(&mut self, _func: FuncId) {
        // Entering a function shows as its first line; arguments show as its parameters' values.
        let program = self.m.image.program;
        let frame = self.st.frame();
        let function = &program.funcs[frame.func];
        if function.is_runtime {
            return;
        }
        let writes: Vec<(String, String)> = function
            .params
            .iter()
            .filter_map(|p| {
                let info = &function.regs[*p];
                let name = info.name.as_ref()?;
                let bits = info.ty.bits(program.target.ptr_bits);
                Some((name.to_string(), value_text(program, frame.regs[p.index()], bits, info.var_ty)))
            })
            .collect();
        let (thread, depth) = (self.st.current as u32, self.st.thread().frames.len());
        let step = RecordedStep { writes, ..RecordedStep::new(thread, frame.func, function.loc, depth) };
        if let Some(recorder) = &mut self.m.recorder {
            recorder.push(step);
        }
    }

    /// The running thread starts thread `number`.
    pub(crate) fn record_creation(&mut self, number: u32) {
        if let Some(step) = self.m.recorder.as_mut().and_then(Recorder::current) {
            step.creates.push(number);
        }
    }

    /// A signal comes to `thread`, at the line of the user's code where that stands.
    pub(crate) fn record_signal(&mut self, thread: usize, signal: u32) {
        let program = self.m.image.program;
        let Some(recorder) = &mut self.m.recorder else { return };
        let mut frames = self.st.threads[thread].frames.iter().enumerate().rev();
        let Some((depth, frame)) = frames.find(|(_, f)| !program.funcs[f.func].is_runtime) else { return };
        let step = RecordedStep::new(thread as u32, frame.func, frame_loc(program, frame), depth);
        recorder.push(RecordedStep { signal: Some(signal), ..step });
    }

    /// The running thread consumes the input at `position`.
    pub(crate) fn record_input(&mut self, position: usize) {
        let frame = self.st.frame();
        let function = &self.m.image.program.funcs[frame.func];
        let called = match &function.blocks[frame.block].insts[frame.idx] {
            Inst::Call { callee: Callee::Direct(called), .. } if !function.is_runtime => Some(*called),
            _ => None,
        };
        if let Some(step) = self.m.recorder.as_mut().and_then(Recorder::current) {
            step.inputs.push((position, called));
        }
    }

    /// The running thread takes the lock with this key.
    pub(crate) fn record_lock(&mut self, key: u64) {
        if self.m.recorder.is_none() {
            return;
        }
        let place = self.st.user_frames(self.m.image.program, self.st.current).next();
        if let (Some(recorder), Some(place)) = (&mut self.m.recorder, place) {
            recorder.taken.insert((self.st.current, key), place);
        }
    }

    /// The call under way could have failed here, and perhaps does.
    pub(crate) fn record_chance(&mut self) {
        let Some(recorder) = &mut self.m.recorder else { return };
        let point = self.st.thread().n_points;
        let (at, n) = recorder.chances.entry(self.st.current).or_insert((point, 0));
        *n = if *at == point { *n + 1 } else { 1 };
        *at = point;
    }

    /// It does fail, with this number.
    pub(crate) fn record_failure(&mut self, error: i32) {
        let Some(recorder) = &mut self.m.recorder else { return };
        let (thread, current) = (self.st.thread(), self.st.current);
        let after = recorder.chances.get(&current).map_or(0, |(_, n)| n.saturating_sub(1));
        recorder.failures.push(RecordedFailure {
            thread: current as u32,
            n_points: thread.n_points,
            site: thread.last_point,
            after,
            error,
        });
    }

    pub(crate) fn record_register(&mut self, reg: Reg, value: Value) {
        let program = self.m.image.program;
        let function = &program.funcs[self.st.frame().func];
        if function.is_runtime {
            return;
        }
        let info = &function.regs[reg];
        let Some(name) = &info.name else { return };
        let text = value_text(program, value, info.ty.bits(program.target.ptr_bits), info.var_ty);
        self.record_text(name.to_string(), text);
    }

    /// A scalar is read.
    pub(crate) fn record_read(&mut self, obj: ObjId, off: u64, size: u64, value: Value) {
        let program = self.m.image.program;
        if program.funcs[self.st.frame().func].is_runtime {
            return;
        }
        let Some(object) = self.st.mem.get(obj) else { return };
        let (name, ty) = cell_name(program, object, off, size);
        let value = value_text(program, value, (size * 8) as u32, ty);
        let is_shared = self.is_visible(obj);
        let Some(recorder) = &mut self.m.recorder else { return };
        let read = RecordedRead { name, value, writer: recorder.writers.last(obj, off, size) };
        let Some(step) = recorder.current() else { return };
        step.reads_shared |= is_shared;
        if step.reads.len() < MAX_WRITES && !step.reads.contains(&read) {
            step.reads.push(read);
        }
    }

    /// Bytes have a new value now, whoever's code it is that writes them.
    pub(crate) fn record_writer(&mut self, obj: ObjId, off: u64, len: u64) {
        let thread = self.st.current as u32;
        let Some(recorder) = &mut self.m.recorder else { return };
        let Some(step) = recorder.current().map(|step| step.number) else { return };
        recorder.writers.note(obj, off, len, Writer { thread, step });
    }

    pub(crate) fn record_write(&mut self, obj: ObjId, off: u64, size: u64, value: Value) {
        self.record_writer(obj, off, size);
        let program = self.m.image.program;
        if program.funcs[self.st.frame().func].is_runtime {
            return;
        }
        let Some(object) = self.st.mem.get(obj) else { return };
        let (name, ty) = cell_name(program, object, off, size);
        let text = value_text(program, value, (size * 8) as u32, ty);
        self.record_text(name, text);
    }

    /// Bytes have been copied there: a word shows as the variables in it, more as their number.
    pub(crate) fn record_copy(&mut self, obj: ObjId, off: u64, len: u64) {
        self.record_writer(obj, off, len);
        let program = self.m.image.program;
        if self.is_of_runtime(obj) {
            return;
        }
        let Some(object) = self.st.mem.get(obj) else { return };
        let mut texts = Vec::new();
        let mut at = 0;
        while at < len {
            let sizes = if len == 1 { &[1][..] } else { &[8, 4, 2] };
            let scalar = sizes.iter().copied().filter(|size| *size <= len - at).find_map(|size| {
                let (name, ty) = cell_name(program, object, off + at, size);
                let value = object.content.peek(off + at, size).filter(|_| ty.is_some() && len <= 8)?;
                Some((size, name, value_text(program, value, (size * 8) as u32, ty)))
            });
            let (size, name, text) = scalar.unwrap_or_else(|| {
                let rest = len - at;
                (rest, cell_name(program, object, off + at, rest).0, format!("{rest} bytes"))
            });
            texts.push((name, text));
            at += size;
        }
        for (name, text) in texts {
            self.record_text(name, text);
        }
    }

    /// Whether an object is the run-time's own: a variable, a local of its functions, or a part of the world.
    fn is_of_runtime(&self, obj: ObjId) -> bool {
        let program = self.m.image.program;
        match obj.region() {
            Region::Global => program.globals.get(GlobalId::new(obj.index())).is_some_and(|g| g.is_runtime),
            Region::Heap => {
                let origin = self.st.mem.get(obj).map(|object| &object.origin);
                origin.is_some_and(|origin| origin.made_by() == MadeBy::World)
            }
            Region::Stack => {
                let frames = self.st.thread().frames.iter().rev();
                let mark = frames.take_while(|f| program.funcs[f.func].is_runtime).last();
                mark.is_some_and(|frame| {
                    self.st.mem.stack_objects(self.st.current, frame.stack_mark, usize::MAX).any(|o| o == obj)
                })
            }
            Region::Function => false,
        }
    }

    fn record_text(&mut self, name: String, text: String) {
        let Some(step) = self.m.recorder.as_mut().and_then(Recorder::current) else { return };
        if let Some(entry) = step.writes.iter_mut().find(|(n, _)| *n == name) {
            entry.1 = text;
        } else if step.writes.len() < MAX_WRITES {
            step.writes.push((name, text));
        }
    }
}
