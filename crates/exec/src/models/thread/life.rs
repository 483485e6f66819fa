//! The life of threads: create, join, detach, exit; attributes; yielding.

use std::rc::Rc;

use selvedge_base::Id;
use selvedge_por::{Access, Location, Mode, ThreadId};
use selvedge_program::{BlockId, FuncId, Ty};

use super::super::{Calls, Model};
use super::mutex::{INCONSISTENT, ROBUST};
use crate::code::Fact;
use crate::finding::{Res, Stop, unsupported};
use crate::memory::{Content, NewObject, Origin, Status};
use crate::ops;
use crate::state::{Frame, Thread};
use crate::step::Step;
use crate::sync::{self, AtEnd, Family, key};
use crate::threads::Phase;
use crate::value::{ObjId, Value};
use selvedge_library::Life;

/// Error numbers of the C library.
pub(super) const EPERM: u64 = 1;
pub(super) const EINTR: u64 = 4;
pub(super) const EAGAIN: u64 = 11;
pub(super) const ENOMEM: u64 = 12;
pub(super) const EBUSY: u64 = 16;
pub(super) const EINVAL: u64 = 22;
pub(super) const EDEADLK: u64 = 35;
pub(super) const EOVERFLOW: u64 = 75;
pub(super) const ETIMEDOUT: u64 = 110;
pub(super) const EOWNERDEAD: u64 = 130;
pub(super) const ENOTRECOVERABLE: u64 = 131;

/// Threads of one execution; their numbers are part of object identities.
const MAX_THREADS: u32 = 1000;
/// With 32-bit addresses there is room for fewer.
const MAX_THREADS_32: u32 = 60;

pub(in crate::models) fn model(function: Life) -> Model {
    match function {
        Life::Create => |s, _, _, v| s.create_thread(v[0], v[1], v[2], v[3]),
        Life::Join => |s, _, _, v| s.join_thread(v[0], v[1]),
        Life::TryJoin => |s, _, _, v| s.try_join(v[0], v[1]),
        Life::Detach => |s, _, _, v| s.detach_thread(v[0]),
        Life::Exit => |s, _, _, v| s.unwind_thread(v[0]),
        Life::Own => |s, _, _, _| {
            let me = s.me();
            s.returns(Value::Int(u64::from(me)))
        },
        Life::Equal => |s, _, _, v| {
            let bits = s.ptr_bits();
            let equal = crate::ops::cmp(&mut s.m.pool, selvedge_program::CmpOp::Eq, bits, v[0], v[1]);
            let equal = s.decide(equal)?;
            s.returns(Value::bool(equal))
        },
        // Scheduling and stacks do not change what can happen under any schedule.
        Life::SchedParam | Life::SchedPrio | Life::Affinity | Life::Yield | Life::ProcessAffinity => {
            |s, _, _, _| s.returns(Value::Int(0))
        }
    }
}

impl Step<'_, '_> {
    fn create_thread(&mut self, out: Value, attr: Value, start: Value, arg: Value) -> Res<()> {
        let func = self.resolve_function(start)?;
        let program = self.m.image.program;
        let function = &program.funcs[func];
        if !function.is_defined() {
            return unsupported(format!("a thread that runs `{}`, which is defined nowhere", function.name));
        }
        let room = u64::from(self.ptr_bits() / 8);
        let out = self.concrete_place(out, room, true)?;
        let is_detached = self.attribute(attr, 0)? == 1;
        // In an atomic section the new thread must not run before its end.
        let is_in_section = self.st.thread().atomic_depth > 0;
        if self.st.is_concurrent || self.st.is_scheduled || is_in_section {
            self.gate([])?;
            self.touch_at(out, room, Mode::Write)?;
        }
        if self.which_failure(Calls::Threads, 1, "pthread_create fails")?.is_some() {
            return self.returns(Value::Int(EAGAIN));
        }
        let parent = self.st.current as u32;
        self.m.note_fact(|| Fact::Started);
        let number = self.m.thread_names.child(parent, self.st.thread().n_children);
        let max = if self.ptr_bits() == 32 { MAX_THREADS_32 } else { MAX_THREADS };
        if number >= max {
            return unsupported(format!("more than {max} threads"));
        }
        if self.st.outside.is_some() {
            return unsupported("a thread in a program with memory from outside");
        }
        let handle = Value::Int(u64::from(number) + 1);
        if !self.st.granted {
            // Once the thread is there this would be a visible step, and the call run again.
            self.store(out, Ty::Ptr, handle)?;
        }
        self.st.thread_mut().n_children += 1;
        self.has_effect();
        if self.m.recorder.is_some() {
            self.record_creation(number);
        }
        self.start_thread(number, func, arg, is_detached);
        self.inherit_signals(number as usize);
        if self.st.granted {
            self.st.event.spawns.push(ThreadId(number));
            self.store(out, Ty::Ptr, handle)?;
        }
        self.returns(Value::Int(0))
    }

    /// Starts a thread with this number, which only its parent and its position decide.
    pub(crate) fn start_thread(&mut self, number: u32, func: FuncId, arg: Value, is_detached: bool) {
        let index = number as usize;
        while self.st.threads.len() <= index {
            self.st.threads.push(Rc::new(Thread::new()));
        }
        self.st.mem.add_threads(index + 1);
        let program = self.m.image.program;
        let function = &program.funcs[func];
        let mut regs = vec![Value::Int(0); function.regs.len()];
        if let Some(param) = function.params.first() {
            regs[param.index()] = arg;
        }
        let frame = Frame {
            func,
            block: BlockId(0),
            idx: 0,
            regs,
            stack_mark: 0,
            varargs: Rc::from([]),
            loops: Vec::new(),
            token: 1,
            resumes: false,
            atomic: false,
        };
        self.st.threads[index] = Rc::new(Thread {
            frames: vec![Rc::new(frame)],
            n_frames: 1,
            phase: Phase::Local,
            last_turn: self.st.n_turns,
            is_detached,
            rounding: self.st.thread().rounding,
            ..Thread::new()
        });
        self.own_thread_locals(number);
        if let Some(races) = &mut self.st.races {
            Rc::make_mut(races).start(self.st.current, index);
        }
        let block = self.m.image.block_number(func, BlockId(0));
        self.m.coverage.block(block);
        let was_concurrent = std::mem::replace(&mut self.st.is_concurrent, true);
        if !was_concurrent {
            self.share_reachable();
        }
        self.share_value(arg);
    }

    /// Copies of the thread-local variables for a new thread, as they are before `main`.
    fn own_thread_locals(&mut self, number: u32) {
        for position in 0..self.m.image.thread_locals().len() {
            let global = self.m.image.thread_locals()[position];
            let original = self.m.image.memory.get(ObjId::global(global, 0)).expect("all globals are there");
            let name = match &original.origin {
                Origin::Variable { name, ty } => Origin::Variable { name: name.clone(), ty: *ty },
                other => other.clone(),
            };
            let new = NewObject { size: original.size, align: 64, site: original.site, origin: name };
            let content = original.content.clone();
            let made = self.st.mem.alloc_heap(number, new, |_| content);
            debug_assert!(made.is_some_and(|(obj, _)| obj.index() == position));
        }
    }

    /// The error that making a lock or the like ends in, if it fails.
    pub(super) fn error_of_init(&mut self) -> Res<Option<u64>> {
        if !self.m.options.surroundings.failing.threads {
            return Ok(None);
        }
        let which = self.which_failure(Calls::Threads, 2, "initialisation fails")?;
        Ok(which.map(|i| [ENOMEM, EAGAIN][i]))
    }

    /// The thread that a handle names.
    pub(crate) fn thread_of(&mut self, handle: Value, what: &str) -> Res<usize> {
        let bits = self.ptr_bits();
        let handle = self.concretise(handle, bits, 64, "a thread handle")?;
        let index = (handle as usize).wrapping_sub(1);
        let exists = self.st.threads.get(index).is_some_and(|t| t.phase != Phase::Unborn);
        if handle == 0 || !exists {
            return self.misuse(format!("{what} of something that is not a thread"));
        }
        Ok(index)
    }

    fn join_thread(&mut self, handle: Value, out: Value) -> Res<()> {
        let index = self.thread_of(handle, "join")?;
        if index == self.st.current {
            return self.misuse("a thread joins itself");
        }
        if self.st.threads[index].is_joined {
            return self.misuse_of_thread(index, "a thread is joined twice");
        }
        if self.st.threads[index].is_detached {
            return self.misuse_of_thread(index, "a detached thread is joined");
        }
        let out = self.result_place(out)?;
        let ending = key(Family::Ending, index as u64);
        let access = Access::await_level(ending, self.st.sync.level(ending), 1);
        if self.is_cancelled_at(&[access])? {
            return Ok(());
        }
        let is_open = self.st.sync.level(ending) >= 1;
        if self.st.granted && !is_open {
            return unsupported("a thread waits inside an atomic section");
        }
        self.gate([access])?;
        self.note(access);
        self.note_joined(index);
        self.finish_join(index, out)
    }

    /// Only one thread can join another.
    fn note_joined(&mut self, index: usize) {
        self.note(Access::queue(key(Family::Joined, index as u64)));
    }

    /// A thread is joined or detached that was before; if it was not, the other call might be wrong instead.
    fn misuse_of_thread<T>(&mut self, index: usize, message: &str) -> Res<T> {
        if self.st.is_concurrent {
            self.gate([])?;
            self.note_joined(index);
        }
        self.misuse(message)
    }

    fn try_join(&mut self, handle: Value, out: Value) -> Res<()> {
        let index = self.thread_of(handle, "join")?;
        let out = self.result_place(out)?;
        let ending = key(Family::Ending, index as u64);
        self.gate([])?;
        self.note(Access::look(ending));
        if self.st.sync.level(ending) == 0 {
            return self.returns(Value::Int(EBUSY));
        }
        if self.st.threads[index].is_joined || self.st.threads[index].is_detached {
            return self.misuse_of_thread(index, "a thread is joined that was joined or detached before");
        }
        self.note_joined(index);
        self.finish_join(index, out)
    }

    fn result_place(&mut self, out: Value) -> Res<Option<Value>> {
        if self.is_null(out)? {
            return Ok(None);
        }
        let room = u64::from(self.ptr_bits() / 8);
        Ok(Some(self.concrete_place(out, room, true)?))
    }

    fn finish_join(&mut self, index: usize, out: Option<Value>) -> Res<()> {
        if let Some(out) = out {
            let result = self.result_of(index);
            self.store(out, Ty::Ptr, result)?;
        }
        // Nobody can ask for the result again.
        let thread = Rc::make_mut(&mut self.st.threads[index]);
        (thread.is_joined, thread.result) = (true, Value::Int(0));
        self.has_effect();
        self.st.update_concurrent();
        self.returns(Value::Int(0))
    }

    /// The result of a thread that has ended.
    fn result_of(&mut self, index: usize) -> Value {
        let result = self.st.threads[index].result;
        let is_relative = ops::term_of(result)
            .is_some_and(|term| self.oracle.actual(&mut self.m.symbols(), term).is_some());
        // What is said about an undefined value has to hold for all.
        match is_relative && self.m.is_undefined(result) {
            true => self.fresh(self.ptr_bits()),
            false => result,
        }
    }

    fn detach_thread(&mut self, handle: Value) -> Res<()> {
        let index = self.thread_of(handle, "detach")?;
        if self.st.threads[index].is_joined || self.st.threads[index].is_detached {
            return self.misuse_of_thread(index, "a thread is detached that was joined or detached before");
        }
        if self.st.is_concurrent {
            // Whether it comes before or after the end of the thread makes no difference, only to a join.
            let ending = Location::Sync(key(Family::Ending, index as u64));
            let access = Access::new(ending, Mode::Give { amount: 0 });
            self.gate([access])?;
            self.note(access);
            self.note_joined(index);
        }
        Rc::make_mut(&mut self.st.threads[index]).is_detached = true;
        self.has_effect();
        self.returns(Value::Int(0))
    }

    /// What the running thread gives back when it ends: robust mutexes, and a `pthread_once` whose function it
    /// did not finish.
    fn given_at_end(&self) -> Vec<u64> {
        let me = self.me();
        let held = self.st.sync.iter().filter(|(_, s)| s.owner == me);
        held.filter(|(key, s)| match sync::facts(*key).map(|facts| facts.at_end) {
            Some(AtEnd::GivenIfRobust) => s.kind & ROBUST != 0,
            Some(AtEnd::Given) => true,
            Some(AtEnd::Kept) | None => false,
        })
        .map(|(key, _)| key)
        .collect()
    }

    fn give_at_end(&mut self, key: u64) {
        let is_mutex = sync::family(key) == Some(Family::Mutex);
        let object = self.sync(key);
        object.owner = 0;
        object.level = 1;
        object.count = 0;
        if is_mutex {
            object.kind |= INCONSISTENT;
        }
    }

    /// The running thread's copies of thread-local variables; those of `main` live as long as the program.
    fn own_copies(&self) -> Vec<ObjId> {
        let thread = self.st.current;
        let count = if thread == 0 { 0 } else { self.m.image.thread_locals().len() };
        (0..count).map(|position| ObjId::heap(thread as u32, position as u64)).collect()
    }

    /// The running thread ends with this result.
    pub(crate) fn end_thread(&mut self, result: Value) -> Res<()> {
        if self.run_destructor()? {
            return Ok(());
        }
        if self.st.current == 0 && self.m.image.has_exit_handlers {
            return unsupported(
                "handlers of `atexit`, or destructors, in a program that ends with its last thread",
            );
        }
        self.touch_stack(0)?;
        let number = self.st.current as u64;
        let locals = self.own_copies();
        for &local in &locals {
            self.touch_whole(local)?;
        }
        let ending = key(Family::Ending, number);
        let given = self.given_at_end();
        let accesses = given.iter().map(|at| Access::unlock(*at)).chain([Access::post(ending)]);
        if self.st.is_concurrent {
            self.gate(accesses.clone())?;
            accesses.for_each(|access| self.note(access));
        }
        given.iter().for_each(|at| self.give_at_end(*at));
        self.share_value(result);
        self.sync(ending).level = 1;
        self.st.release_stack(number as u32, 0);
        for local in locals {
            let object = self.st.mem.get_mut(local).expect("made when the thread began");
            object.status = Status::OutOfScope;
            object.content = Content::default();
        }
        let thread = self.st.thread_mut();
        thread.frames.clear();
        thread.decisions.clear();
        thread.probes.clear();
        thread.result = result;
        thread.phase = Phase::Ended;
        self.st.end_turn();
        Err(Box::new(Stop::Pause))
    }
}
