//! The ledger of a search as part of its outcome: what the verdict takes for granted, where, and what that may hide.

use rustc_hash::FxHashSet;
use selvedge_base::{Id as _, Loc};
use selvedge_exec::{Ledger, Machine, Reliance};
use selvedge_program::{BlockId, Callee, FuncId, Inst, Order, Program};

use crate::outcome::Assumption;
use crate::places::place;

/// Ids and texts of all assumptions that a verdict can name, sorted by id.
pub fn known_assumptions() -> impl Iterator<Item = (&'static str, &'static str)> {
    selvedge_exec::ASSUMPTIONS.iter().map(|row| (row.id, row.text))
}

/// What the paths of a search relied on.
pub(crate) fn collect(machine: &Machine<'_>) -> Vec<Assumption> {
    let mut ledger = machine.ledger.clone();
    if machine.thread_names.is_in_use() {
        note_weak_orders(&mut ledger, machine.image.program);
    }
    entries(machine, &ledger, |_| true)
}

/// What the one execution of `machine` relied on, and might not fail without.
pub(crate) fn of_failure(machine: &Machine<'_>) -> Vec<Assumption> {
    entries(machine, &machine.ledger, |id| selvedge_exec::CAN_CAUSE_FAILURES.contains(&id))
}

fn entries(machine: &Machine<'_>, ledger: &Ledger, is_wanted: impl Fn(&str) -> bool) -> Vec<Assumption> {
    ledger
        .entries()
        .filter(|(row, ..)| is_wanted(row.id))
        .map(|(row, count, places)| Assumption {
            id: row.id,
            text: match ledger.subjects(row.id)[..] {
                [] => row.text.to_owned(),
                ref names => format!("{}: {}", row.text, names.join(", ")),
            },
            count,
            locations: places
                .iter()
                .filter(|at| at.loc.is_known())
                .map(|at| place(machine.image.program, at.block.map(|(func, _)| func), at.loc))
                .collect(),
            hidden_lines: hidden_lines(machine, places),
        })
        .collect()
}

/// Notes all atomic accesses of the user's code with orders that the engine makes stronger.
pub(crate) fn note_weak_orders(ledger: &mut Ledger, program: &Program) {
    for (func, function) in program.funcs.enumerate().filter(|(_, f)| !f.is_runtime) {
        for (block, content) in function.blocks.enumerate() {
            for (i, inst) in content.insts.iter().enumerate() {
                let orders = match inst {
                    Inst::Load { access, .. } | Inst::Store { access, .. } => [access.order, None],
                    Inst::AtomicRmw { order, .. } => [Some(*order), None],
                    Inst::CmpXchg { order, failure, .. } => [Some(*order), Some(*failure)],
                    _ => [None, None],
                };
                if orders.into_iter().flatten().any(|order| order != Order::SeqCst) {
                    let loc = content.locs.get(i).copied().unwrap_or(Loc::UNKNOWN);
                    note(
                        ledger,
                        "threads.sequential-consistency",
                        Reliance { loc, block: Some((func, block)) },
                    );
                }
            }
        }
    }
}

/// Notes an assumption of the engine's own.
pub(crate) fn note(ledger: &mut Ledger, id: &str, at: Reliance) {
    ledger.note(selvedge_exec::assumption(id).expect("every id has its row"), at);
}

/// Lines of the user's code that can follow one of `places` and that no path reached: another choice there may lead
/// to them. None where nothing is known about what was reached, as after a proof.
fn hidden_lines(machine: &Machine<'_>, places: &[Reliance]) -> u64 {
    if machine.coverage.n_blocks == 0 {
        return 0;
    }
    let program = machine.image.program;
    let (mut reached, mut missed) = (FxHashSet::default(), FxHashSet::default());
    for (func, block) in following(program, places.iter().filter_map(|at| at.block)) {
        if program.funcs[func].is_runtime {
            continue;
        }
        let was_reached = machine.coverage.has_block(machine.image.block_number(func, block));
        let lines = if was_reached { &mut reached } else { &mut missed };
        let locs = &program.funcs[func].blocks[block].locs;
        lines.extend(locs.iter().filter(|loc| loc.is_known()).map(|loc| (loc.file, loc.line)));
    }
    missed.difference(&reached).count() as u64
}

/// The blocks that control can come to from `start`: within the function, into what it calls by name, and back into
/// what calls it.
fn following(program: &Program, start: impl Iterator<Item = (FuncId, BlockId)>) -> Vec<(FuncId, BlockId)> {
    let mut pending: Vec<(FuncId, BlockId)> = start.collect();
    if pending.is_empty() {
        return pending;
    }
    let mut callers: Vec<Vec<(FuncId, BlockId)>> = vec![Vec::new(); program.funcs.len()];
    let called = |inst: &Inst| match inst {
        Inst::Call { callee: Callee::Direct(func), .. } => Some(*func),
        _ => None,
    };
    for (func, function) in program.funcs.enumerate() {
        for (block, content) in function.blocks.enumerate() {
            for callee in content.insts.iter().filter_map(called) {
                callers[callee.index()].push((func, block));
            }
        }
    }
    let mut seen: FxHashSet<(FuncId, BlockId)> = pending.iter().copied().collect();
    let mut order = pending.clone();
    while let Some((func, block)) = pending.pop() {
        let function = &program.funcs[func];
        let insts = &function.blocks[block].insts;
        let into = insts.iter().filter_map(called).filter(|f| program.funcs[*f].is_defined());
        let mut next: Vec<(FuncId, BlockId)> = into.map(|callee| (callee, BlockId(0))).collect();
        next.extend(function.blocks[block].successors().map(|block| (func, block)));
        if matches!(insts.last(), Some(Inst::Return { .. })) {
            next.extend(&callers[func.index()]);
        }
        for place in next {
            if seen.insert(place) {
                order.push(place);
                pending.push(place);
            }
        }
    }
    order
}
