//! Random edits of programs, as a person makes them, and renumberings, as a compiler makes them after an edit elsewhere.
//!
//! Edits are made in the IR, so that thousands of versions cost no run of a compiler. What comes out is valid; it need not
//! be sensible.

use selvedge_base::{Id, Loc};
use selvedge_program::{
    Access, BinOp, BlockId, Callee, CastOp, CmpOp, Const, FuncId, Global, GlobalId, InitPiece, Inst, Operand,
    Program, Reg, RegInfo, Renumbering, Ty, validate,
};

use crate::generator::Rng;

/// Makes one edit in a function whose name `is_own` accepts, or in a global variable that such functions use. Says what was
/// done; `None` if nothing was.
pub fn edit(program: &mut Program, rng: &mut Rng, is_own: impl Fn(&str) -> bool) -> Option<&'static str> {
    let before = program.clone();
    // Places that shift.
    program.unordered.clear();
    let funcs: Vec<FuncId> = program
        .funcs
        .enumerate()
        .filter(|(_, f)| f.is_defined() && !f.is_runtime && is_own(&f.name))
        .map(|(id, _)| id)
        .collect();
    let func = *funcs.get(rng.index(funcs.len().max(1)))?;
    let done = match rng.below(15) {
        0..4 => constant(program, rng, func),
        4 | 5 => operator(program, rng, func),
        6 => delete(program, rng, func),
        7 => insert(program, rng, func),
        8 => swap_branch(program, rng, func),
        9 => drop_call(program, rng, func),
        10 => initialiser(program, rng, func),
        11 => move_call(program, rng, func),
        12 => repeat_call(program, rng, func),
        13 => narrow(program, rng, func),
        _ => move_store(program, rng, func),
    };
    if done.is_none() || validate(program).is_err() {
        *program = before;
        return None;
    }
    done
}

/// The places of a function's instructions that are accepted.
fn places(program: &Program, func: FuncId, accept: impl Fn(&Inst) -> bool) -> Vec<(BlockId, usize)> {
    let blocks = program.funcs[func].blocks.enumerate();
    let all = blocks.flat_map(|(block, body)| (0..body.insts.len()).map(move |at| (block, at)));
    all.filter(|(block, at)| accept(&program.funcs[func].blocks[*block].insts[*at])).collect()
}

fn pick<T: Copy>(rng: &mut Rng, items: &[T]) -> Option<T> {
    (!items.is_empty()).then(|| *rng.pick(items))
}

fn constant(program: &mut Program, rng: &mut Rng, func: FuncId) -> Option<&'static str> {
    let number = |operand: &Operand| match operand {
        Operand::Const(id) => match program.consts[*id] {
            Const::Int { width, value } => Some((width, value)),
            _ => None,
        },
        Operand::Reg(_) => None,
    };
    let numbers = |inst: &Inst| {
        let mut all = Vec::new();
        let mut n = 0;
        // The number of a local's elements stays.
        if !matches!(inst, Inst::Alloca { .. } | Inst::MemCopy { .. } | Inst::MemSet { .. }) {
            inst.for_each_operand(|operand| {
                all.extend(number(operand).map(|found| (n, found)));
                n += 1;
            });
        }
        all
    };
    let at = places(program, func, |inst| !numbers(inst).is_empty());
    let (block, at) = pick(rng, &at)?;
    let all = numbers(&program.funcs[func].blocks[block].insts[at]);
    let (which, (width, value)) = pick(rng, &all)?;
    let mask = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
    let new = match rng.below(4) {
        0 => value.wrapping_add(1),
        1 => value.wrapping_sub(1),
        2 => 0,
        _ => rng.below(4),
    } & mask;
    let new = program.add_const(Const::Int { width, value: new });
    let mut n = 0;
    program.funcs[func].blocks[block].insts[at].for_each_operand_mut(|operand| {
        if n == which {
            *operand = Operand::Const(new);
        }
        n += 1;
    });
    Some("another constant")
}

fn operator(program: &mut Program, rng: &mut Rng, func: FuncId) -> Option<&'static str> {
    let at = places(program, func, |inst| matches!(inst, Inst::Bin { .. } | Inst::Cmp { .. }));
    let (block, at) = pick(rng, &at)?;
    match &mut program.funcs[func].blocks[block].insts[at] {
        Inst::Bin { op, wrap, .. } => {
            *op = pick(rng, &[BinOp::Add, BinOp::Sub, BinOp::Mul, BinOp::And, BinOp::Or, BinOp::Xor])?;
            *wrap = Default::default();
        }
        Inst::Cmp { op, .. } => {
            *op = pick(rng, &[CmpOp::Eq, CmpOp::Ne, CmpOp::Ult, CmpOp::Ule, CmpOp::Slt, CmpOp::Sle])?;
        }
        _ => return None,
    }
    Some("another operator")
}

fn delete(program: &mut Program, rng: &mut Rng, func: FuncId) -> Option<&'static str> {
    let at = places(program, func, |inst| matches!(inst, Inst::Store { .. } | Inst::Fence { .. }));
    let (block, at) = pick(rng, &at)?;
    let body = &mut program.funcs[func].blocks[block];
    body.insts.remove(at);
    body.locs.remove(at);
    Some("a deleted statement")
}

fn insert(program: &mut Program, rng: &mut Rng, func: FuncId) -> Option<&'static str> {
    let is_place = |(id, global): (GlobalId, &Global)| {
        // Locks are larger. What it does to write over one is not modelled, and whether a search comes to it is its own affair.
        let fits =
            (4..40).contains(&global.size) && global.align >= 4 && !global.is_const && !global.thread_local;
        (fits && !global.is_runtime && global.init.is_some()).then_some(id)
    };
    let globals: Vec<GlobalId> = program.globals.enumerate().filter_map(is_place).collect();
    let global = pick(rng, &globals)?;
    let at = places(program, func, |inst| !matches!(inst, Inst::Alloca { .. }));
    let (block, at) = pick(rng, &at)?;
    let value = program.add_const(Const::Int { width: 32, value: rng.below(3) });
    let ptr = program.add_const(Const::Global { global, offset: 0 });
    let store = Inst::Store {
        ty: Ty::Int(32),
        value: Operand::Const(value),
        ptr: Operand::Const(ptr),
        access: Access::default(),
    };
    let body = &mut program.funcs[func].blocks[block];
    let loc = body.locs[at];
    body.insts.insert(at, store);
    body.locs.insert(at, loc);
    Some("an inserted statement")
}

fn swap_branch(program: &mut Program, rng: &mut Rng, func: FuncId) -> Option<&'static str> {
    let at = places(program, func, |inst| matches!(inst, Inst::Branch { .. }));
    let (block, at) = pick(rng, &at)?;
    if let Inst::Branch { then, otherwise, .. } = &mut program.funcs[func].blocks[block].insts[at] {
        std::mem::swap(then, otherwise);
    }
    Some("a negated condition")
}

/// A call that has at most one result is not made: a lock that is not taken, a thread that is not started.
fn drop_call(program: &mut Program, rng: &mut Rng, func: FuncId) -> Option<&'static str> {
    let number = |inst: &Inst| match inst {
        Inst::Call { dsts, callee: Callee::Direct(_), .. } => match dsts[..] {
            [] => Some(None),
            [dst] => match program.funcs[func].regs[dst].ty {
                Ty::Int(width) => Some(Some((dst, width))),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    };
    let at = places(program, func, |inst| number(inst).is_some());
    let (block, at) = pick(rng, &at)?;
    match number(&program.funcs[func].blocks[block].insts[at])? {
        None => {
            let body = &mut program.funcs[func].blocks[block];
            body.insts.remove(at);
            body.locs.remove(at);
        }
        Some((dst, width)) => {
            let zero = program.add_const(Const::Int { width, value: 0 });
            program.funcs[func].blocks[block].insts[at] = Inst::Copy { dst, a: Operand::Const(zero) };
        }
    }
    Some("a call that is not made")
}

fn initialiser(program: &mut Program, rng: &mut Rng, func: FuncId) -> Option<&'static str> {
    let mut used: Vec<GlobalId> = Vec::new();
    for inst in program.funcs[func].blocks.iter().flat_map(|block| &block.insts) {
        inst.for_each_operand(|operand| {
            if let Operand::Const(id) = operand
                && let Const::Global { global, .. } = program.consts[*id]
            {
                used.push(global);
            }
        });
    }
    used.retain(|global| {
        let global = &program.globals[*global];
        !global.is_runtime && global.init.is_some() && (4..64).contains(&global.size)
    });
    let global = &mut program.globals[pick(rng, &used)?];
    let bytes = vec![rng.below(5) as u8; 1].into();
    global.init = Some(vec![InitPiece::Bytes { offset: 0, bytes }]);
    Some("another initialiser")
}

/// A store comes later, or earlier.
fn move_store(program: &mut Program, rng: &mut Rng, func: FuncId) -> Option<&'static str> {
    let is_constant =
        |inst: &Inst| matches!(inst, Inst::Store { value: Operand::Const(_), ptr: Operand::Const(_), .. });
    let at = places(program, func, is_constant);
    let (block, at) = pick(rng, &at)?;
    let body = &mut program.funcs[func].blocks[block];
    let to = rng.index(body.insts.len() - 1);
    let (inst, loc) = (body.insts.remove(at), body.locs.remove(at));
    body.insts.insert(to, inst);
    body.locs.insert(to, loc);
    Some("a moved statement")
}

/// A call with constant arguments comes later, or earlier: a lock that is held for longer.
fn move_call(program: &mut Program, rng: &mut Rng, func: FuncId) -> Option<&'static str> {
    let is_constant = |inst: &Inst| match inst {
        Inst::Call { args, .. } => args.iter().all(|arg| matches!(arg.value, Operand::Const(_))),
        _ => false,
    };
    let at = places(program, func, is_constant);
    let (from, at) = pick(rng, &at)?;
    let to = if rng.chance(50) { from } else { BlockId::new(rng.index(program.funcs[func].blocks.len())) };
    let body = &mut program.funcs[func].blocks[from];
    let (inst, loc) = (body.insts.remove(at), body.locs.remove(at));
    let body = &mut program.funcs[func].blocks[to];
    let place = rng.index(body.insts.len());
    body.insts.insert(place, inst);
    body.locs.insert(place, loc);
    Some("a moved call")
}

/// A call happens twice: another thread that does the same.
fn repeat_call(program: &mut Program, rng: &mut Rng, func: FuncId) -> Option<&'static str> {
    let at = places(program, func, |inst| matches!(inst, Inst::Call { .. }));
    let (block, at) = pick(rng, &at)?;
    let function = &mut program.funcs[func];
    let mut copy = function.blocks[block].insts[at].clone();
    copy.for_each_dst_mut(|dst| *dst = function.regs.push(function.regs[*dst].clone()));
    let body = &mut function.blocks[block];
    let loc = body.locs[at];
    body.insts.insert(at, copy);
    body.locs.insert(at, loc);
    Some("a call that happens twice")
}

/// A variable is read as if it were a `char`.
fn narrow(program: &mut Program, rng: &mut Rng, func: FuncId) -> Option<&'static str> {
    let at = places(program, func, |inst| matches!(inst, Inst::Load { ty: Ty::Int(32), .. }));
    let (block, at) = pick(rng, &at)?;
    let function = &mut program.funcs[func];
    let info = RegInfo { ty: Ty::Int(8), name: None, var_ty: None };
    let narrow = function.regs.push(info);
    let body = &mut function.blocks[block];
    let Inst::Load { dst, ty, .. } = &mut body.insts[at] else { return None };
    let wide = std::mem::replace(dst, narrow);
    *ty = Ty::Int(8);
    let (op, from, to) = (CastOp::SExt, Ty::Int(8), Ty::Int(32));
    let loc = body.locs[at];
    body.insts.insert(at + 1, Inst::Cast { dst: wide, op, from, to, a: Operand::Reg(narrow) });
    body.locs.insert(at + 1, loc);
    Some("another type")
}

/// The same program with other numbers for functions, globals, registers and blocks.
pub fn shuffle(program: &Program, rng: &mut Rng) -> Program {
    let mut program = program.clone();
    program.unordered.clear();
    for function in program.funcs.iter_mut().filter(|f| f.blocks.len() > 2) {
        // The entry stays where it is.
        let order: Vec<usize> =
            permutation(rng, function.blocks.len() - 1).into_iter().map(|i| i + 1).collect();
        let number = |block: usize| if block == 0 { 0 } else { order[block - 1] };
        let blocks = std::mem::take(&mut function.blocks);
        let mut placed: Vec<_> = blocks.into_iter().enumerate().map(|(i, body)| (number(i), body)).collect();
        placed.sort_by_key(|(at, _)| *at);
        function.blocks = placed.into_iter().map(|(_, body)| body).collect();
        for inst in function.blocks.iter_mut().flat_map(|block| &mut block.insts) {
            inst.for_each_target_mut(|target| *target = BlockId::new(number(target.index())));
        }
    }
    let mut permutation_of = |n| permutation(rng, n);
    let map = Renumbering {
        funcs: permutation_of(program.funcs.len()).into_iter().map(FuncId::new).collect(),
        n_funcs: program.funcs.len(),
        globals: permutation_of(program.globals.len()).into_iter().map(GlobalId::new).collect(),
        vacant_globals: Vec::new(),
        regs: program.funcs.iter().map(|function| Some(regs_of(function, &mut permutation_of))).collect(),
    };
    program.renumbered(&map)
}

/// Another global variable and a longer file before everything else: addresses and lines are no longer what they were.
pub fn add_elsewhere(program: &mut Program, rng: &mut Rng) {
    let name = format!("elsewhere{}", rng.below(1_000_000));
    program.globals.push(Global {
        name,
        size: 8,
        align: 8,
        init: Some(Vec::new()),
        is_const: false,
        thread_local: false,
        loc: Loc::UNKNOWN,
        var_ty: None,
        is_runtime: false,
    });
}

fn regs_of(
    function: &selvedge_program::Function,
    order: &mut impl FnMut(usize) -> Vec<usize>,
) -> (Vec<Reg>, usize) {
    let n = function.regs.len();
    (order(n).into_iter().map(Reg::new).collect(), n)
}

fn permutation(rng: &mut Rng, n: usize) -> Vec<usize> {
    let mut all: Vec<usize> = (0..n).collect();
    for i in (1..n).rev() {
        all.swap(i, rng.index(i + 1));
    }
    all
}
