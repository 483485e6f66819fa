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

mod abstraction;
mod change;
mod step;
mod template;
mod values;

use rustc_hash::FxHashSet;
use selvedge_base::Id;
use selvedge_term::{Assignment, TermId};

use crate::finding::Stop;
use crate::machine::Machine;
use crate::memory::{CellKind, Content, Status, Symbols};
use crate::ops;
use crate::oracle::{Choice, Oracle};
use crate::source::{Piece, Source};
use crate::state::State;
use crate::value::{ObjId, Value};

pub(crate) use abstraction::Abstract;
use abstraction::{abstract_memory, abstract_thread, cell_variable, register_variable};
pub use step::{Extent, RelativeStep, is_new, relative_step};
pub use template::{
    fix_pointer, forget_history, join_template, new_template, open_pointers, template_key,
    template_variables, with_variables,
};
pub use values::{Images, Leads, StateValues, Valued, instantiate, instantiate_all, leads};
pub(crate) use values::{read, read_state};

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
        /// The object, by its [denotation](ObjId::denotation).
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
    let mut state = start.clone();
    state.path.clear();
    abstract_memory(machine, &mut state);
    (0..state.threads.len()).for_each(|t| abstract_thread(machine, &mut state, t));
    let before = state.clone();
    let events = machine.events.replace(Vec::new());
    let mut oracle = ActualOracle::new(start, StateValues::new(model));
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

/// The state variable of a target: its value at the start of a segment.
pub fn state_variable(machine: &mut Machine<'_>, target: Target, bits: u32) -> TermId {
    match target {
        Target::Memory { obj, off, len } => cell_variable(machine, obj, off, len),
        Target::Register { thread, depth, reg } => register_variable(machine, thread, depth, reg, bits),
    }
}

/// Guards that a test leaves out, to show what they are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Omit {
    /// Those of addresses.
    pub addresses: bool,
    /// Those of branches that concrete values decide.
    pub concrete_branches: bool,
    /// Those of branches that inputs decide.
    pub branches: bool,
}

/// Answers as the actual execution did, and notes each answer as a guard.
struct ActualOracle<'a> {
    start: &'a State,
    values: StateValues,
    guards: Vec<TermId>,
    /// The same, to find one again: a step with a long loop has very many.
    known: FxHashSet<TermId>,
    /// Conditions under which the run contradicts an assumption about its own inputs.
    voids: Vec<TermId>,
    /// The next question is an assumption about inputs only.
    assumes: bool,
    /// Some guard relates inputs of the run to the state before it.
    is_mixed: bool,
    omit: Omit,
    /// The next question is about an address.
    pins: bool,
}

impl<'a> ActualOracle<'a> {
    fn new(start: &'a State, values: StateValues) -> Self {
        ActualOracle {
            start,
            values,
            guards: Vec::new(),
            known: FxHashSet::default(),
            voids: Vec::new(),
            assumes: false,
            is_mixed: false,
            omit: Omit::default(),
            pins: false,
        }
    }

    fn value(&mut self, cx: &mut Symbols<'_>, term: TermId) -> Valued {
        let unknown = Valued { value: 0, is_certain: false };
        self.values.value_in(cx, self.start, term).unwrap_or(unknown)
    }

    fn guard(&mut self, cx: &mut Symbols<'_>, cond: TermId) {
        let (new, old) = ActualOracle::is_about_inputs(cx, cond);
        self.is_mixed |= new && old;
        if self.known.insert(cond) {
            self.guards.push(cond);
        }
    }
}

impl Oracle for ActualOracle<'_> {
    fn choose(&mut self, cx: &mut Symbols<'_>, _: &State, conds: &[TermId]) -> Choice {
        let assumes = std::mem::take(&mut self.assumes);
        let pins = std::mem::take(&mut self.pins);
        for (i, &cond) in conds.iter().enumerate() {
            let Valued { value, is_certain } = self.value(cx, cond);
            if value == 1 {
                let is_left_out = match is_certain {
                    _ if pins => self.omit.addresses,
                    true => self.omit.concrete_branches,
                    false => self.omit.branches,
                };
                if is_left_out {
                    return Choice::Only(i);
                }
                if assumes && i == 0 && !self.is_mixed && !ActualOracle::is_about_inputs(cx, cond).1 {
                    let fails = cx.pool.not(cond);
                    let so_far = cx.pool.and_all(&self.guards);
                    let void = cx.pool.and(so_far, fails);
                    self.voids.push(void);
                }
                self.guard(cx, cond);
                return Choice::Only(i);
            }
        }
        Choice::Unknown("the actual state takes none of the alternatives".to_string())
    }

    fn witness(&mut self, cx: &mut Symbols<'_>, _: &State, term: TermId) -> Result<u64, String> {
        Ok(self.value(cx, term).value)
    }

    fn pin(&mut self, cx: &mut Symbols<'_>, term: TermId) -> Option<u64> {
        let Valued { value, is_certain } = self.value(cx, term);
        let pinned = match is_certain {
            true => Some(value),
            false => {
                let actual = self.term_in_start(cx, term);
                cx.pool.as_u64(actual)
            }
        };
        self.pins = pinned.is_some();
        pinned
    }

    fn actual(&mut self, cx: &mut Symbols<'_>, term: TermId) -> Option<TermId> {
        Some(self.term_in_start(cx, term))
    }

    fn are_same(&mut self, cx: &mut Symbols<'_>, pairs: &[(Value, Value)]) -> bool {
        let mut conds = Vec::with_capacity(pairs.len());
        for &(a, b) in pairs {
            let terms = [a, b].map(ops::term_of);
            let Some(width) = terms.iter().flatten().map(|t| cx.pool.width(*t)).next() else { return false };
            let (a, b) = (ops::to_term(cx.pool, a, width), ops::to_term(cx.pool, b, width));
            conds.push(cx.pool.eq(a, b));
        }
        let all = conds.iter().all(|c| cx.pool.as_bool(*c).unwrap_or_else(|| self.value(cx, *c).value == 1));
        if all {
            conds.into_iter().for_each(|c| self.guard(cx, c));
        }
        all
    }

    fn assumption_follows(&mut self) {
        self.assumes = true;
    }
}

fn memory_assignments(machine: &mut Machine<'_>, before: &State, after: &State, effect: &mut Effect) {
    for object in after.mem.objects() {
        let obj = object.id.denotation();
        if object.status != Status::Live {
            continue;
        }
        let fresh = before.mem.get(object.id).is_none_or(|old| old.status != Status::Live);
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
        let term = machine.pool.bv((len * 8) as u32, content.concrete(off, len));
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
