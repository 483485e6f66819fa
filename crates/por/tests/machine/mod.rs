//! A small machine for abstract concurrent programs, to drive the reduction in tests.
//!
//! Threads are lists of operations on shared cells, counters and queues, with registers, jumps and data
//! choices; one visible operation is one event, everything else belongs to the step before it.

#![allow(dead_code, unreachable_pub, reason = "each test binary uses its part of the machine")]

pub mod programs;
pub mod random;
pub mod search;

use selvedge_por::{Access, Event, Location, Mode, ROOM, ThreadId};

/// A value: a register or a constant.
#[derive(Clone, Copy, Debug)]
pub enum Val {
    Reg(usize),
    Const(i32),
}

/// A shared cell: a base and an index.
#[derive(Clone, Copy, Debug)]
pub struct Cell(pub usize, pub Val);

pub const fn cell(base: usize) -> Cell {
    Cell(base, Val::Const(0))
}

#[derive(Clone, Copy, Debug)]
pub enum Test {
    Eq,
    Lt,
}

/// One operation. Those from `Load` to `Leave` are visible.
#[derive(Clone, Copy, Debug)]
pub enum Op {
    Load(usize, Cell),
    Store(Cell, Val),
    FetchAdd(usize, Cell, i32),
    /// Result, cell, expected, new.
    Cas(usize, Cell, Val, Val),
    /// In one step: the first cell plus one goes to the second.
    AtomicMove(Cell, Cell),
    /// In one step: if the first cell is not zero, the second becomes zero.
    AtomicIf(Cell, Cell),
    /// In one step: if the first cell has the value, the second is set, else the third if there is one. Whether it is known
    /// what it would do at another time.
    Section {
        guard: Cell,
        wanted: i32,
        then: (Cell, i32),
        or_else: Option<(Cell, i32)>,
        is_known: bool,
    },
    /// Blocks until the cell has the value.
    Spin(Cell, i32),
    Lock(usize),
    Unlock(usize),
    TryLock(usize, usize),
    SemWait(usize),
    SemPost(usize),
    ReadLock(usize),
    ReadUnlock(usize),
    WriteLock(usize),
    WriteUnlock(usize),
    Spawn(usize),
    Join(usize),
    Exit,
    /// Condition, mutex.
    Wait(usize, usize),
    /// The second half of `Wait`, put there by [`Program::new`].
    Wake(usize),
    Signal(usize),
    Broadcast(usize),
    Arrive(usize),
    /// Barrier, threads.
    Leave(usize, u32),
    Set(usize, Val),
    Add(usize, Val),
    Mul(usize, i32),
    Mod(usize, i32),
    /// Jumps if the comparison holds.
    JumpIf(Val, Test, Val, usize),
    Jump(usize),
    /// A data fork.
    Choose(usize, i32),
}

/// A program of threads; those that no `Spawn` names run from the start.
#[derive(Clone, Debug)]
pub struct Program {
    pub threads: Vec<Vec<Op>>,
    pub n_cells: usize,
    /// Initial levels: mutexes 1, semaphores their value, read-write locks `ROOM`, barriers 0.
    pub counters: Vec<u32>,
    pub n_queues: usize,
    /// Whether cells overlap: every access covers the first byte of the next cell as well.
    pub overlapping: bool,
}

impl Program {
    pub fn new(threads: Vec<Vec<Op>>, n_cells: usize, counters: Vec<u32>) -> Program {
        let joined =
            |t: usize| threads.iter().flatten().any(|op| matches!(op, Op::Join(other) if *other == t));
        let with_ends = threads.iter().enumerate().map(|(t, ops)| {
            let mut ops = ops.clone();
            if joined(t) {
                ops.push(Op::Exit);
            }
            ops
        });
        Program { threads: with_ends.collect(), n_cells, counters, n_queues: 1, overlapping: false }
    }
}

impl std::fmt::Display for Program {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (t, ops) in self.threads.iter().enumerate() {
            writeln!(f, "  t{t}: {ops:?}")?;
        }
        write!(f, "  counters {:?}", self.counters)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Thread {
    pub at: usize,
    pub regs: [i32; 4],
    started: bool,
    ended: bool,
    /// Set by a signal while the thread waits for one.
    signalled: bool,
    waiting: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct State {
    pub threads: Vec<Thread>,
    pub cells: Vec<i32>,
    counters: Vec<u32>,
    queues: Vec<Vec<usize>>,
}

// Keys of counters.
const EXIT: u64 = 1 << 32;
const SLEEPER: u64 = 1 << 33;
const QUEUE: u64 = 1 << 34;
const OBJECT: u64 = 7;

impl State {
    /// The initial state, with each thread before its first visible operation; its alternatives if there
    /// are data choices.
    pub fn initial(program: &Program) -> Vec<(u32, State)> {
        let spawned =
            |t: usize| program.threads.iter().flatten().any(|op| matches!(op, Op::Spawn(c) if *c == t));
        let threads =
            (0..program.threads.len()).map(|t| Thread { started: !spawned(t), ..Thread::default() });
        let state = State {
            threads: threads.collect(),
            cells: vec![0; program.n_cells],
            counters: program.counters.clone(),
            queues: vec![Vec::new(); program.n_queues],
        };
        let mut states = vec![(0, state)];
        for t in 0..program.threads.len() {
            let mut settled = Vec::new();
            for (label, state) in states {
                settle(program, state, t, label, &mut settled);
            }
            states = settled;
        }
        states
    }

    fn val(&self, t: usize, val: Val) -> i32 {
        match val {
            Val::Reg(reg) => self.threads[t].regs[reg],
            Val::Const(value) => value,
        }
    }

    fn address(&self, t: usize, cell: Cell) -> usize {
        cell.0 + usize::try_from(self.val(t, cell.1)).expect("an index")
    }

    fn place(&self, program: &Program, t: usize, cell: Cell) -> Location {
        let offset = self.address(t, cell) as u64 * 4;
        Location::bytes(OBJECT, offset, if program.overlapping { 5 } else { 4 })
    }

    /// The next event of a thread and whether it can happen now; `None` if the thread is not there or has
    /// ended.
    pub fn next_event(&self, program: &Program, t: usize) -> Option<(Event, bool)> {
        let thread = &self.threads[t];
        let op = *program.threads[t].get(thread.at)?;
        if !thread.started {
            return None;
        }
        let id = ThreadId(t as u32);
        let place = |cell| self.place(program, t, cell);
        let value = |cell| self.cells[self.address(t, cell)];
        let one = |access| (Event::new(id, [access]), true);
        let guarded = |access: Access| match access.mode.guard() {
            selvedge_por::Guard::Level { level, needs } => (Event::new(id, [access]), level >= needs),
            _ => (Event::new(id, [access]), true),
        };
        Some(match op {
            Op::Load(_, cell) => one(Access::read(place(cell))),
            Op::Store(cell, _) => one(Access::write(place(cell))),
            Op::FetchAdd(_, cell, _) => one(Access::read_write(place(cell))),
            Op::Cas(_, cell, expected, _) => {
                let succeeds = value(cell) == self.val(t, expected);
                (Event::compare_and_swap(id, place(cell), succeeds), true)
            }
            Op::AtomicMove(from, to) => {
                (Event::new(id, [Access::read(place(from)), Access::write(place(to))]), true)
            }
            Op::AtomicIf(guard, to) => {
                let event = Event::new(id, [Access::read(place(guard))]);
                match value(guard) {
                    0 => (event.moved_also([Access::write(place(to))]), true),
                    _ => (Event::new(id, [Access::read(place(guard)), Access::write(place(to))]), true),
                }
            }
            Op::Section { guard, wanted, then, or_else, is_known } => {
                let taken = if value(guard) == wanted { Some(then) } else { or_else };
                let written =
                    |target: Option<(Cell, i32)>| target.map(|(cell, _)| Access::write(place(cell)));
                let event = Event::new(id, [Access::read(place(guard))].into_iter().chain(written(taken)));
                let others = written(Some(then)).into_iter().chain(written(or_else));
                (if is_known { event.moved_also(others) } else { event.moved_unknown() }, true)
            }
            Op::Spin(cell, wanted) => (Event::new(id, [Access::spin(place(cell))]), value(cell) == wanted),
            Op::Lock(m) | Op::SemWait(m) => guarded(Access::wait(m as u64, self.counters[m])),
            Op::Unlock(m) | Op::SemPost(m) | Op::Arrive(m) => one(Access::post(m as u64)),
            Op::TryLock(_, m) => (Event::try_lock(id, m as u64, self.counters[m] == 1), true),
            Op::ReadLock(l) => guarded(Access::lock_shared(l as u64, self.counters[l])),
            Op::ReadUnlock(l) => one(Access::unlock_shared(l as u64)),
            Op::WriteLock(l) => guarded(Access::lock_exclusive(l as u64, self.counters[l])),
            Op::WriteUnlock(l) => one(Access::unlock_exclusive(l as u64)),
            Op::Spawn(child) => (Event::new(id, []).spawning(ThreadId(child as u32)), true),
            Op::Join(child) => {
                guarded(Access::await_level(EXIT + child as u64, u32::from(self.threads[child].ended), 1))
            }
            Op::Exit => one(Access::post(EXIT + t as u64)),
            Op::Wait(c, m) => {
                (Event::new(id, [Access::queue(QUEUE + c as u64), Access::unlock(m as u64)]), true)
            }
            Op::Wake(m) => {
                let slot = Access::await_level(SLEEPER + t as u64, u32::from(thread.signalled), 1);
                let lock = Access::lock(m as u64, self.counters[m] == 1);
                // Waking uses the signal up, so that the next wait of the thread needs another.
                let used = Access::new(slot.location, Mode::Take { guard: slot.mode.guard(), amount: 1 });
                (Event::new(id, [used, lock]), thread.signalled && self.counters[m] == 1)
            }
            Op::Signal(c) | Op::Broadcast(c) => {
                let n = if matches!(op, Op::Signal(_)) { 1 } else { usize::MAX };
                let woken = self.queues[c].iter().take(n).map(|&w| Access::post(SLEEPER + w as u64));
                let event = Event::new(id, std::iter::once(Access::queue(QUEUE + c as u64)).chain(woken));
                // Whom it wakes depends on who waits.
                (event.moved_unknown(), true)
            }
            Op::Leave(b, n) => guarded(Access::await_level(b as u64, self.counters[b], n)),
            Op::Set(..)
            | Op::Add(..)
            | Op::Mul(..)
            | Op::Mod(..)
            | Op::JumpIf(..)
            | Op::Jump(..)
            | Op::Choose(..) => {
                unreachable!("local operations are done with the step before")
            }
        })
    }

    /// Makes the next step of a thread; the successors with the choices taken in it.
    pub fn step(mut self, program: &Program, t: usize) -> Vec<(u32, State)> {
        let op = program.threads[t][self.threads[t].at];
        self.threads[t].at += 1;
        match op {
            Op::Load(to, cell) => self.threads[t].regs[to] = self.cells[self.address(t, cell)],
            Op::Store(cell, val) => {
                let address = self.address(t, cell);
                self.cells[address] = self.val(t, val);
            }
            Op::FetchAdd(to, cell, by) => {
                let address = self.address(t, cell);
                self.threads[t].regs[to] = self.cells[address];
                self.cells[address] += by;
            }
            Op::Cas(to, cell, expected, new) => {
                let address = self.address(t, cell);
                let succeeds = self.cells[address] == self.val(t, expected);
                if succeeds {
                    self.cells[address] = self.val(t, new);
                }
                self.threads[t].regs[to] = i32::from(succeeds);
            }
            Op::AtomicMove(from, to) => {
                let (from, to) = (self.address(t, from), self.address(t, to));
                self.cells[to] = self.cells[from] + 1;
            }
            Op::AtomicIf(guard, to) => {
                let (guard, to) = (self.address(t, guard), self.address(t, to));
                if self.cells[guard] != 0 {
                    self.cells[to] = 0;
                }
            }
            Op::Section { guard, wanted, then, or_else, .. } => {
                let holds = self.cells[self.address(t, guard)] == wanted;
                if let Some((cell, value)) = if holds { Some(then) } else { or_else } {
                    let at = self.address(t, cell);
                    self.cells[at] = value;
                }
            }
            Op::Spin(..) | Op::Join(_) | Op::Leave(..) => {}
            Op::Lock(m) | Op::SemWait(m) | Op::ReadLock(m) => self.counters[m] -= 1,
            Op::Unlock(m) | Op::SemPost(m) | Op::ReadUnlock(m) | Op::Arrive(m) => self.counters[m] += 1,
            Op::TryLock(to, m) => {
                self.threads[t].regs[to] = i32::from(self.counters[m] == 1);
                self.counters[m] = 0;
            }
            Op::WriteLock(l) => self.counters[l] -= ROOM,
            Op::WriteUnlock(l) => self.counters[l] += ROOM,
            Op::Spawn(child) => self.threads[child].started = true,
            Op::Exit => self.threads[t].ended = true,
            Op::Wait(c, m) => {
                self.queues[c].push(t);
                self.counters[m] += 1;
                self.threads[t].waiting = true;
            }
            Op::Wake(m) => {
                self.threads[t].signalled = false;
                self.threads[t].waiting = false;
                self.counters[m] -= 1;
            }
            Op::Signal(c) | Op::Broadcast(c) => {
                let n = if matches!(op, Op::Signal(_)) {
                    1.min(self.queues[c].len())
                } else {
                    self.queues[c].len()
                };
                for waiter in self.queues[c].drain(..n) {
                    self.threads[waiter].signalled = true;
                }
            }
            _ => unreachable!("local operations are done with the step before"),
        }
        let mut successors = Vec::new();
        settle(program, self, t, 0, &mut successors);
        successors
    }
}

/// Does the local operations of a thread up to its next visible one.
fn settle(program: &Program, mut state: State, t: usize, label: u32, settled: &mut Vec<(u32, State)>) {
    while let Some(&op) = program.threads[t].get(state.threads[t].at) {
        let (mut next, old) = (state.threads[t].at + 1, state.threads[t].regs);
        let regs = |reg: usize| old[reg];
        match op {
            Op::Set(to, val) => state.threads[t].regs[to] = state.val(t, val),
            Op::Add(to, val) => state.threads[t].regs[to] = regs(to).wrapping_add(state.val(t, val)),
            Op::Mul(to, by) => state.threads[t].regs[to] = regs(to).wrapping_mul(by),
            Op::Mod(to, by) => state.threads[t].regs[to] = regs(to) % by,
            Op::JumpIf(a, test, b, target) => {
                let (a, b) = (state.val(t, a), state.val(t, b));
                let holds = match test {
                    Test::Eq => a == b,
                    Test::Lt => a < b,
                };
                if holds {
                    next = target;
                }
            }
            Op::Jump(target) => next = target,
            Op::Choose(to, n) => {
                for choice in 0..n {
                    let mut alternative = state.clone();
                    alternative.threads[t].at = next;
                    alternative.threads[t].regs[to] = choice;
                    settle(program, alternative, t, label * 8 + choice as u32 + 1, settled);
                }
                return;
            }
            _ => break,
        }
        state.threads[t].at = next;
    }
    settled.push((label, state));
}
