//! Programs with published numbers of executions, from their descriptions.

use super::{Cell, Op, Program, Test, Val, cell};

const R0: Val = Val::Reg(0);
const R1: Val = Val::Reg(1);

/// `n` writers `a[i] = a[i-1] + 1` and a reader that scans from `n` down until it finds a zero.
pub fn lastzero(n: usize) -> Program {
    let mut threads = vec![vec![
        Op::Set(0, Val::Const(n as i32)),
        Op::Load(1, Cell(0, R0)),
        Op::JumpIf(R1, Test::Eq, Val::Const(0), 5),
        Op::Add(0, Val::Const(-1)),
        Op::Jump(1),
    ]];
    threads.extend(
        (1..=n).map(|i| vec![Op::Load(0, cell(i - 1)), Op::Add(0, Val::Const(1)), Op::Store(cell(i), R0)]),
    );
    Program::new(threads, n + 1, vec![])
}

/// One writer and `n` readers of one variable.
pub fn readers(n: usize) -> Program {
    let mut threads = vec![vec![Op::Store(cell(0), Val::Const(1))]];
    threads.extend((0..n).map(|_| vec![Op::Load(0, cell(0))]));
    Program::new(threads, 1, vec![])
}

/// Two threads doing `i += j` and `j += i`, `n` times each; the main thread joins both and reads the results.
pub fn fib(n: usize) -> Program {
    let main = vec![
        Op::Store(cell(0), Val::Const(1)),
        Op::Store(cell(1), Val::Const(1)),
        Op::Spawn(1),
        Op::Spawn(2),
        Op::Join(1),
        Op::Join(2),
        Op::Load(0, cell(0)),
        Op::Load(1, cell(1)),
    ];
    let adding = |to: usize, from: usize| {
        let round = [Op::Load(0, cell(from)), Op::Load(1, cell(to)), Op::Add(1, R0), Op::Store(cell(to), R1)];
        round.repeat(n)
    };
    Program::new(vec![main, adding(0, 1), adding(1, 0)], 2, vec![])
}

/// `n` threads put four messages each into a hash table of 128 places with linear probing by
/// compare-and-swap.
pub fn indexer(n: usize) -> Program {
    const SIZE: i32 = 128;
    let thread = |t: usize| {
        let mut ops = Vec::new();
        for message in 1..=4 {
            let w = message * 11 + t as i32;
            let start = ops.len();
            ops.extend([
                Op::Set(0, Val::Const((w * 7) % SIZE)),
                Op::Cas(1, Cell(0, R0), Val::Const(0), Val::Const(w)),
                Op::JumpIf(R1, Test::Eq, Val::Const(1), start + 6),
                Op::Add(0, Val::Const(1)),
                Op::Mod(0, SIZE),
                Op::Jump(start + 1),
            ]);
        }
        ops
    };
    Program::new((0..n).map(thread).collect(), SIZE as usize, vec![])
}

/// Two threads with `n` writes each, all to different cells.
pub fn independent_writes(n: usize) -> Program {
    let thread = |t: usize| (0..n).map(|i| Op::Store(cell(t * n + i), Val::Const(1))).collect();
    Program::new((0..2).map(thread).collect(), 2 * n, vec![])
}

/// `n` threads that increment one variable under one mutex.
pub fn locked_increments(n: usize) -> Program {
    let thread = vec![
        Op::Lock(0),
        Op::Load(0, cell(0)),
        Op::Add(0, Val::Const(1)),
        Op::Store(cell(0), R0),
        Op::Unlock(0),
    ];
    Program::new(vec![thread; n], 1, vec![1])
}

/// `n` threads that take one mutex `rounds` times each.
pub fn rounds(n: usize, rounds: usize) -> Program {
    let thread = [Op::Lock(0), Op::Unlock(0)].repeat(rounds);
    Program::new(vec![thread; n], 0, vec![1])
}

/// Dining philosophers who take the lower fork first if `ordered`, else the left one.
pub fn philosophers(n: usize, ordered: bool) -> Program {
    let thread = |t: usize| {
        let (left, right) = (t, (t + 1) % n);
        let (first, second) = if ordered && left > right { (right, left) } else { (left, right) };
        vec![Op::Lock(first), Op::Lock(second), Op::Unlock(second), Op::Unlock(first)]
    };
    Program::new((0..n).map(thread).collect(), 0, vec![1; n])
}
