//! The relative effect of a segment: the same instructions over *state variables*.
//!
//! Executing a segment changes the actual state. Its relative effect says what the segment does to *any*
//! state at the same place: `guards` over the values at its start under which exactly this path is taken
//! (branch outcomes, concrete ones too; resolved addresses; bounds), and a parallel assignment
//! `cell or register := term over values at the start`. Weakest preconditions, memoized functions and
//! transition systems are algebra on these (architecture: segments over state variables).
//!
//! Law (tested): from any state at the same control location that satisfies the guards, running the segment
//! gives the state the assignment says.
//!
//! It is computed on demand by running the segment a second time from a state in which every cell and register
//! is replaced by its variable, with an oracle that answers by the actual state. Rules R5 and R6 of the
//! reduction (addresses and concrete branches are guards) hold by construction: whatever the run asks, it asks
//! this oracle, and every answer is noted as a guard.

use std::rc::Rc;

use selvedge_base::Id;
use selvedge_term::{Assignment, Evaluator, Substitution, TermId, TermPool};

use crate::finding::Stop;
use crate::machine::Machine;
use crate::memory::{CellKind, Content, Status, Symbols};
use crate::ops;
use crate::oracle::{Choice, Oracle};
use crate::source::{Piece, Source, Sources};
use crate::state::State;
use crate::value::{ObjId, Value};

/// What an access does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AccessKind {
    /// Reads.
    Read,
    /// Writes.
    Write,
}

/// An access to memory, as partial-order reduction sees it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Event {
    /// Thread.
    pub thread: u32,
    /// Object.
    pub obj: ObjId,
    /// First byte.
    pub off: u64,
    /// Bytes.
    pub len: u64,
    /// Read or write.
    pub kind: AccessKind,
}

/// Something that a segment assigns to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Target {
    /// Bytes of an object.
    Memory {
        /// The object.
        obj: ObjId,
        /// First byte.
        off: u64,
        /// Bytes.
        len: u64,
    },
    /// A register of a frame.
    Register {
        /// Thread.
        thread: u32,
        /// Frame, from the bottom.
        depth: u32,
        /// Register.
        reg: u32,
    },
}

/// The relative effect of a segment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Effect {
    /// What must hold at the start.
    pub guards: Vec<TermId>,
    /// What changes; terms over the values at the start.
    pub assign: Vec<(Target, TermId)>,
    /// Accesses, in order.
    pub events: Vec<Event>,
}

/// Why there is no relative effect.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoEffect(pub String);

/// The relative effect of the next `n` instructions of `start`, on the path that `model` (of the path condition
/// at the segment's end) takes.
pub fn relative_effect(
    machine: &mut Machine<'_>,
    start: &State,
    model: &Assignment,
    n: u64,
) -> Result<Effect, NoEffect> {
    let mut state = abstracted(machine, start);
    let before = state.clone();
    let events = machine.events.replace(Vec::new());
    let mut oracle = ActualOracle { start, model, guards: Vec::new() };
    let stop = machine.run(&mut state, &mut oracle, n);
    let recorded = std::mem::replace(&mut machine.events, events).unwrap_or_default();
    match stop {
        Stop::Budget => {}
        other => return Err(NoEffect(format!("the segment stopped early: {other:?}"))),
    }
    let guards = oracle.guards;
    let mut effect = Effect { guards, assign: Vec::new(), events: recorded };
    memory_assignments(machine, &before, &state, &mut effect);
    register_assignments(machine, &before, &state, &mut effect);
    Ok(effect)
}

/// `start` with every live cell and every register replaced by its state variable.
fn abstracted(machine: &mut Machine<'_>, start: &State) -> State {
    let mut state = start.clone();
    state.path.clear();
    let ids: Vec<ObjId> = start.mem.objects().filter(|o| o.status == Status::Live).map(|o| o.id).collect();
    for obj in ids {
        let object = state.mem.get_mut(obj).expect("listed");
        object.content = Content::lazy(object.size, Source::Cell { obj });
    }
    let program = machine.image.program;
    for t in 0..state.threads.len() {
        for depth in 0..state.threads[t].frames.len() {
            let thread = Rc::make_mut(&mut state.threads[t]);
            let frame = Rc::make_mut(&mut thread.frames[depth]);
            let function = &program.funcs[frame.func];
            for (reg, info) in function.regs.enumerate() {
                let bits = info.ty.bits(program.target.ptr_bits);
                let var = register_variable(machine, t as u32, depth as u32, reg.index() as u32, bits);
                frame.regs[reg.index()] = Value::Term(var);
            }
        }
    }
    state
}

fn register_variable(machine: &mut Machine<'_>, thread: u32, depth: u32, reg: u32, bits: u32) -> TermId {
    machine.sources.register(&mut machine.pool, Source::Register { thread, depth, reg }, bits)
}

/// The state variable of a target: its value at the start of a segment.
pub fn state_variable(machine: &mut Machine<'_>, target: Target, bits: u32) -> TermId {
    match target {
        Target::Memory { obj, off, len } => {
            machine.sources.term(&mut machine.pool, Piece { source: Source::Cell { obj }, at: off, len })
        }
        Target::Register { thread, depth, reg } => register_variable(machine, thread, depth, reg, bits),
    }
}

/// The value that `state` gives to the state variables of `term`.
pub fn instantiate(machine: &mut Machine<'_>, state: &State, term: TermId) -> TermId {
    let Machine { pool, sources, .. } = machine;
    actual(pool, sources, state, term)
}

fn actual(pool: &mut TermPool, sources: &mut Sources, state: &State, term: TermId) -> TermId {
    let mut subst = Substitution::new();
    for &var in pool.vars(term).iter() {
        let Some(piece) = sources.piece(var) else { continue };
        let value = match piece.source {
            Source::Cell { obj } => {
                let Some(object) = state.mem.get(obj) else { continue };
                let mut content = object.content.clone();
                let mut cx = Symbols { pool, sources };
                content.read(&mut cx, piece.at, piece.len)
            }
            Source::Register { thread, depth, reg } => {
                state.threads[thread as usize].frames[depth as usize].regs[reg as usize]
            }
            _ => continue,
        };
        let width = pool.width(pool.var_term(var));
        let value = ops::to_term(pool, value, width);
        subst.insert(var, value);
    }
    subst.apply(pool, term)
}

/// Answers as the actual execution did, and notes each answer as a guard.
struct ActualOracle<'a> {
    start: &'a State,
    model: &'a Assignment,
    guards: Vec<TermId>,
}

impl ActualOracle<'_> {
    fn value(&mut self, cx: &mut Symbols<'_>, term: TermId) -> (TermId, u64) {
        let term = actual(cx.pool, cx.sources, self.start, term);
        let value = Evaluator::new(self.model).eval_u64(cx.pool, term);
        (term, value)
    }
}

impl Oracle for ActualOracle<'_> {
    fn choose(&mut self, cx: &mut Symbols<'_>, _: &State, conds: &[TermId]) -> Choice {
        for (i, &cond) in conds.iter().enumerate() {
            if self.value(cx, cond).1 == 1 {
                self.guards.push(cond);
                return Choice::Only(i);
            }
        }
        Choice::Unknown("the actual state takes none of the alternatives".to_string())
    }

    fn witness(&mut self, cx: &mut Symbols<'_>, _: &State, term: TermId) -> Result<u64, String> {
        Ok(self.value(cx, term).1)
    }

    fn pin(&mut self, cx: &mut Symbols<'_>, term: TermId) -> Option<u64> {
        let (actual, value) = self.value(cx, term);
        cx.pool.is_const(actual).then_some(value)
    }
}

fn memory_assignments(machine: &mut Machine<'_>, before: &State, after: &State, effect: &mut Effect) {
    for object in after.mem.objects() {
        let obj = object.id;
        if object.status != Status::Live {
            continue;
        }
        let fresh =
            before.mem.get(obj).is_none_or(|old| old.status != Status::Live || old.life != object.life);
        let content = &object.content;
        let mut end = 0;
        for cell in content.cells() {
            assign_bytes(machine, obj, content, end, cell.off, effect);
            end = cell.off + cell.len;
            let target = Target::Memory { obj, off: cell.off, len: cell.len };
            let bits = (cell.len * 8) as u32;
            match cell.kind {
                CellKind::Lazy(source, at) if source == (Source::Cell { obj }) && at == cell.off => {}
                CellKind::Lazy(source, at) => assign_copy(machine, obj, cell.off, end, (source, at), effect),
                CellKind::Ptr(_) => assign_bytes(machine, obj, content, cell.off, end, effect),
                CellKind::Term(t) | CellKind::SymPtr(_, t) => {
                    if fresh || state_variable(machine, target, bits) != t {
                        effect.assign.push((target, t));
                    }
                }
            }
        }
        assign_bytes(machine, obj, content, end, content.len(), effect);
    }
}

/// Concrete bytes were written: they are assigned, in pieces of at most eight.
fn assign_bytes(
    machine: &mut Machine<'_>,
    obj: ObjId,
    content: &Content,
    from: u64,
    to: u64,
    effect: &mut Effect,
) {
    let mut off = from;
    while off < to {
        let len = (to - off).min(8);
        let bytes = &content.bytes()[off as usize..(off + len) as usize];
        let value = bytes.iter().rev().fold(0u64, |v, b| v << 8 | u64::from(*b));
        let term = machine.pool.bv((len * 8) as u32, value);
        effect.assign.push((Target::Memory { obj, off, len }, term));
        off += len;
    }
}

/// Bytes that were copied without being read: they are what they were copied from.
fn assign_copy(
    machine: &mut Machine<'_>,
    obj: ObjId,
    from: u64,
    to: u64,
    (source, at): (Source, u64),
    effect: &mut Effect,
) {
    let mut off = from;
    while off < to {
        let len = (to - off).min(8);
        let piece = Piece { source, at: at + (off - from), len };
        let value = machine.sources.read(&mut machine.pool, piece);
        let term = ops::to_term(&mut machine.pool, value, (len * 8) as u32);
        effect.assign.push((Target::Memory { obj, off, len }, term));
        off += len;
    }
}

fn register_assignments(machine: &mut Machine<'_>, before: &State, after: &State, effect: &mut Effect) {
    let program = machine.image.program;
    for (t, thread) in after.threads.iter().enumerate() {
        for (depth, frame) in thread.frames.iter().enumerate() {
            let old = before.threads[t].frames.get(depth).filter(|f| f.token == frame.token);
            for (reg, info) in program.funcs[frame.func].regs.enumerate() {
                let value = frame.regs[reg.index()];
                if old.is_some_and(|f| f.regs[reg.index()] == value) {
                    continue;
                }
                let bits = info.ty.bits(program.target.ptr_bits);
                let term = ops::to_term(&mut machine.pool, value, bits);
                let target =
                    Target::Register { thread: t as u32, depth: depth as u32, reg: reg.index() as u32 };
                effect.assign.push((target, term));
            }
        }
    }
}
