//! Random small programs.

use super::{Cell, Op, Program, Test, Val, cell};
use selvedge_por::ROOM;

/// A small generator of numbers (splitmix64): the same seed gives the same programs everywhere.
pub struct Rng(pub u64);

impl Rng {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % n as u64).expect("small")
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// Multiplies the number of programs, and changes them: for long runs by hand.
pub fn factor() -> u64 {
    std::env::var("SELVEDGE_RANDOM_FACTOR").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

/// What may occur in a program.
#[derive(Clone, Copy, Default)]
pub struct Ingredients {
    pub locks: bool,
    /// Try-locks, compare-and-swap, atomic sections.
    pub tries: bool,
    /// Semaphores, read-write locks, barriers.
    pub counters: bool,
    pub conditions: bool,
    pub joins: bool,
    pub choices: bool,
    pub spins: bool,
    pub overlapping: bool,
    /// Every other operation is an atomic section that does one thing or another.
    pub sections: bool,
    /// How many more operations a thread may have than is good for plain enumeration.
    pub extra: usize,
}

impl Ingredients {
    /// Everything, in programs that plain enumeration can deal with.
    pub fn all() -> Ingredients {
        Ingredients {
            locks: true,
            tries: true,
            counters: true,
            conditions: true,
            joins: true,
            choices: true,
            spins: true,
            overlapping: true,
            sections: false,
            extra: 0,
        }
    }
}

const N_CELLS: usize = 3;
// Counters: two mutexes, a semaphore, a read-write lock, a barrier.
const SEMAPHORE: usize = 2;
const LOCK: usize = 3;
const BARRIER: usize = 4;

/// A random program of two to four threads.
pub fn program(rng: &mut Rng, with: Ingredients) -> Program {
    let n_threads = 2 + rng.below(3);
    let budget = [0, 0, 5, 4, 3][n_threads] + with.extra;
    let n_cells = 1 + rng.below(N_CELLS);
    let mut threads: Vec<Vec<Op>> = Vec::new();
    for _ in 0..n_threads {
        let mut ops = Vec::new();
        let mut left = 1 + rng.below(budget);
        while left > 0 {
            left = left.saturating_sub(piece(rng, with, n_cells, &mut ops));
        }
        threads.push(ops);
    }
    if with.joins && rng.one_in(2) {
        let main: Vec<Op> = (1..n_threads).map(Op::Spawn).chain((1..n_threads).map(Op::Join)).collect();
        let body = std::mem::take(&mut threads[0]);
        let at = rng.below(main.len() + 1);
        let shifted = body.into_iter().map(|op| shift(op, at));
        threads[0] = main[..at].iter().copied().chain(shifted).chain(main[at..].iter().copied()).collect();
    }
    let counters = vec![1, 1, rng.below(3) as u32, ROOM, 0];
    let mut program = Program::new(threads, n_cells + 1, counters);
    program.overlapping = with.overlapping;
    program
}

/// The operation with its jumps moved.
fn shift(op: Op, by: usize) -> Op {
    match op {
        Op::JumpIf(a, test, b, target) => Op::JumpIf(a, test, b, target + by),
        Op::Jump(target) => Op::Jump(target + by),
        other => other,
    }
}

fn place(rng: &mut Rng, n_cells: usize) -> Cell {
    match rng.below(8) {
        // An address that depends on a value read before.
        0 => Cell(rng.below(n_cells), Val::Reg(2)),
        _ => cell(rng.below(n_cells)),
    }
}

/// Appends a piece of program and says how many visible operations it counts for.
fn piece(rng: &mut Rng, with: Ingredients, n_cells: usize, ops: &mut Vec<Op>) -> usize {
    loop {
        if with.sections && rng.one_in(2) {
            ops.push(section(rng, n_cells));
            return 1;
        }
        if let Some(n) = drawn(rng, with, n_cells, ops) {
            return n;
        }
    }
}

fn section(rng: &mut Rng, n_cells: usize) -> Op {
    let mut target = || (cell(rng.below(n_cells)), rng.below(3) as i32);
    let (guard, then, other) = (target(), target(), target());
    let or_else = rng.one_in(2).then_some(other);
    let is_known = rng.one_in(2);
    Op::Section { guard: guard.0, wanted: rng.below(2) as i32, then, or_else, is_known }
}

/// A piece of a random kind; `None` if that kind is not wanted.
fn drawn(rng: &mut Rng, with: Ingredients, n_cells: usize, ops: &mut Vec<Op>) -> Option<usize> {
    Some(match rng.below(16) {
        0..=2 => {
            ops.push(Op::Load(rng.below(2), place(rng, n_cells)));
            1
        }
        3..=5 => {
            let val = if rng.one_in(3) { Val::Reg(0) } else { Val::Const(1 + rng.below(2) as i32) };
            ops.push(Op::Store(place(rng, n_cells), val));
            1
        }
        6 => {
            // A load that decides about what follows it.
            ops.push(Op::Load(0, place(rng, n_cells)));
            let jump = ops.len();
            ops.push(Op::Jump(0));
            let n = if rng.one_in(4) { 0 } else { piece(rng, with, n_cells, ops) };
            ops[jump] = Op::JumpIf(Val::Reg(0), Test::Eq, Val::Const(rng.below(2) as i32), ops.len());
            n + 1
        }
        7 => {
            // The index of later accesses: 0 or 1.
            ops.push(Op::Load(2, cell(rng.below(n_cells))));
            ops.push(Op::Mod(2, 2));
            1
        }
        8 if with.locks => {
            let m = rng.below(2);
            ops.push(Op::Lock(m));
            let n = piece(rng, with, n_cells, ops);
            if !rng.one_in(8) {
                ops.push(Op::Unlock(m));
            }
            n + 1
        }
        9 if with.tries => {
            match rng.below(5) {
                0 => ops.push(Op::FetchAdd(1, place(rng, n_cells), 1)),
                1 => {
                    ops.push(Op::Cas(0, place(rng, n_cells), Val::Const(rng.below(2) as i32), Val::Const(1)))
                }
                2 => ops.push(Op::AtomicMove(place(rng, n_cells), cell(rng.below(n_cells)))),
                3 => ops.push(Op::AtomicIf(place(rng, n_cells), cell(rng.below(n_cells)))),
                _ => {
                    let m = rng.below(2);
                    ops.push(Op::TryLock(3, m));
                    let jump = ops.len();
                    ops.push(Op::Jump(0));
                    piece(rng, with, n_cells, ops);
                    ops.push(Op::Unlock(m));
                    ops[jump] = Op::JumpIf(Val::Reg(3), Test::Eq, Val::Const(0), ops.len());
                    return Some(2);
                }
            }
            1
        }
        10 | 11 if with.counters => {
            match rng.below(6) {
                0 => ops.push(Op::SemWait(SEMAPHORE)),
                1 | 2 => ops.push(Op::SemPost(SEMAPHORE)),
                3 => {
                    ops.push(Op::ReadLock(LOCK));
                    piece(rng, with, n_cells, ops);
                    ops.push(Op::ReadUnlock(LOCK));
                    return Some(2);
                }
                4 => {
                    ops.push(Op::WriteLock(LOCK));
                    piece(rng, with, n_cells, ops);
                    ops.push(Op::WriteUnlock(LOCK));
                    return Some(2);
                }
                _ => {
                    ops.push(Op::Arrive(BARRIER));
                    ops.push(Op::Leave(BARRIER, 2));
                    return Some(2);
                }
            }
            1
        }
        12 if with.conditions => {
            match rng.below(3) {
                0 => {
                    ops.extend([Op::Lock(0), Op::Wait(0, 0), Op::Wake(0), Op::Unlock(0)]);
                    return Some(3);
                }
                1 => ops.push(Op::Signal(0)),
                _ => ops.push(Op::Broadcast(0)),
            }
            1
        }
        13 if with.choices => {
            if ops.is_empty() {
                return None;
            }
            ops.push(Op::Choose(rng.below(3), 2));
            0
        }
        14 if with.spins => {
            ops.push(Op::Spin(cell(rng.below(n_cells)), rng.below(2) as i32));
            1
        }
        _ => return None,
    })
}
