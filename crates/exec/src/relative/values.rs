//! State variables, and what a state says about them.
//!
//! A state variable is the content of some bytes, or a register, at a place in the program. A state gives each a
//! value; with a model of its path condition, a number.

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_term::{Assignment, Constant, Evaluator, Substitution, TermId, VarId};
use smallvec::SmallVec;

use crate::machine::Machine;
use crate::memory::{Cell, CellKind, Content, Symbols};
use crate::ops;
use crate::source::{Piece, Source};
use crate::state::State;
use crate::value::{ObjId, Value};

/// What something holds.
pub(crate) enum Held<T> {
    /// This.
    Is(T),
    /// What it held before.
    Same,
    /// It is not there.
    Gone,
}

/// What state variables are about.
pub(crate) trait Contents {
    /// The content of the object that variables call `obj`.
    fn object(&self, obj: ObjId) -> Held<&Content>;
    /// A register of the frame at `depth` of a thread.
    fn register(&self, thread: u32, depth: u32, reg: u32) -> Held<Value>;
    /// A register as it was at the head of a loop that a thread watches.
    fn watched(&self, thread: u32, probe: u32, reg: u32) -> Held<Value>;
}

impl Contents for State {
    fn object(&self, obj: ObjId) -> Held<&Content> {
        self.mem.denoted(obj).map_or(Held::Gone, |object| Held::Is(&object.content))
    }

    fn register(&self, thread: u32, depth: u32, reg: u32) -> Held<Value> {
        let thread = self.threads.get(thread as usize);
        thread.and_then(|thread| thread.register(depth, reg)).map_or(Held::Gone, Held::Is)
    }

    fn watched(&self, thread: u32, probe: u32, reg: u32) -> Held<Value> {
        let thread = self.threads.get(thread as usize);
        thread.and_then(|thread| thread.watched(probe, reg)).map_or(Held::Gone, Held::Is)
    }
}

/// The value of a variable; the same if it is not about the state.
fn says(cx: &mut Symbols<'_>, state: &impl Contents, var: VarId) -> Held<Value> {
    let Some(piece) = cx.sources.piece(var) else { return Held::Same };
    match piece.source {
        Source::Cell { obj } => match state.object(obj) {
            Held::Is(content) if piece.at + piece.len <= content.len() => {
                Held::Is(read(cx, content, piece.at, piece.len))
            }
            Held::Is(_) | Held::Gone => Held::Gone,
            Held::Same => Held::Same,
        },
        Source::Register { thread, depth, reg } => state.register(thread, depth, reg),
        Source::Watched { thread, probe, reg } => state.watched(thread, probe, reg),
        Source::Input { .. } | Source::Uninit { .. } | Source::Undef { .. } => Held::Same,
    }
}

/// Where a pointer leads: [the object, and whether it is alive](crate::control::leads), or none. The number that a variable
/// stands for does not say it: another object may lie, or have lain, at the same address.
pub type Leads = [u64; 2];

/// Where the pointer leads that `state` gives to a variable; `None` if the variable is not one of the state, or too narrow
/// for a pointer.
pub fn leads(machine: &mut Machine<'_>, state: &State, var: VarId) -> Option<Leads> {
    if machine.pool.width(machine.pool.var_term(var)) != machine.image.program.target.ptr_bits {
        return None;
    }
    match says(&mut machine.symbols(), state, var) {
        Held::Is(value) => Some(crate::control::leads(&state.mem, value)),
        Held::Same | Held::Gone => None,
    }
}

/// The scalar at `off`, unless it is an input that nobody has looked at.
pub(crate) fn read_state(cx: &mut Symbols<'_>, content: &Content, off: u64, len: u64) -> Option<Value> {
    if let Some(value) = content.peek(off, len) {
        return Some(value);
    }
    let mut touched = content.cells().within(off, off + len);
    let is_input = |cell: &Cell| matches!(cell.kind, CellKind::Lazy(source, _) if source.is_input());
    (len <= 8 && !touched.any(is_input)).then(|| read(cx, content, off, len))
}

/// The scalar at `off`, without changing the content.
pub(crate) fn read(cx: &mut Symbols<'_>, content: &Content, off: u64, len: u64) -> Value {
    if let Some(value) = content.peek(off, len) {
        return value;
    }
    match content.cells().after(off).next() {
        Some(cell) if cell.off <= off && off + len <= cell.off + cell.len => match cell.kind {
            CellKind::Lazy(source, at) => {
                return cx.sources.read(cx.pool, Piece { source, at: at + (off - cell.off), len });
            }
            CellKind::Term(_) | CellKind::Ptr(_) | CellKind::SymPtr(..) => {}
        },
        _ => {}
    }
    content.clone().read(cx, off, len)
}

/// The value that `state` gives to the state variables of `term`; `None` if it has not all of them.
pub fn instantiate(machine: &mut Machine<'_>, state: &State, term: TermId) -> Option<TermId> {
    instantiated(&mut machine.symbols(), state, term)
}

/// As [`instantiate`], of a conjunction of `items`; `images` are those of this state, and of no other.
pub fn instantiate_all(
    machine: &mut Machine<'_>,
    state: &State,
    images: &mut Images,
    items: &[TermId],
) -> Option<TermId> {
    let mut all = Vec::with_capacity(items.len());
    for item in items {
        let Instance { same, changed } = images.instances(&mut machine.symbols(), state, *item)?;
        all.extend(same);
        all.extend(changed);
    }
    Some(machine.pool.and_all(&all))
}

/// As [`instantiate`].
pub(crate) fn instantiated(cx: &mut Symbols<'_>, state: &State, term: TermId) -> Option<TermId> {
    let Instance { mut same, changed } = Images::default().instances(cx, state, term)?;
    same.extend(changed);
    match same[..] {
        [single] => Some(single),
        _ => Some(cx.pool.and_all(&same)),
    }
}

/// The items of a conjunction after their variables have been replaced.
pub(crate) struct Instance {
    /// Those of which nothing has changed.
    pub(crate) same: Vec<TermId>,
    /// What has become of the others.
    pub(crate) changed: Vec<TermId>,
}

/// What a state says about the variables and terms that it was asked about.
#[derive(Default)]
pub struct Images {
    seen: FxHashMap<VarId, bool>,
    subst: Substitution,
    /// Items that change, with what they become.
    changed: FxHashMap<TermId, TermId>,
    /// Items that do not.
    same: FxHashSet<TermId>,
}

impl Images {
    /// Replaces the state variables of `term`, item by item: a formula is a long conjunction, a step changes little of
    /// it, and nothing needs to be known about the formula as a whole. Always asked about the same state.
    pub(crate) fn instances(
        &mut self,
        cx: &mut Symbols<'_>,
        state: &impl Contents,
        term: TermId,
    ) -> Option<Instance> {
        let items = cx.pool.conjuncts(term);
        let mut instance = Instance { same: Vec::with_capacity(items.len()), changed: Vec::new() };
        let mut new: SmallVec<[TermId; 8]> = SmallVec::new();
        for item in items {
            if self.same.contains(&item) {
                instance.same.push(item);
            } else if let Some(image) = self.changed.get(&item) {
                instance.changed.push(*image);
            } else if self.changes(cx, state, item)? {
                new.push(item);
            } else {
                self.same.insert(item);
                instance.same.push(item);
            }
        }
        for item in new {
            let image = self.subst.apply(cx.pool, item);
            self.changed.insert(item, image);
            instance.changed.push(image);
        }
        Some(instance)
    }

    /// Whether some variable of `item` stands for something else in `state`.
    fn changes(&mut self, cx: &mut Symbols<'_>, state: &impl Contents, item: TermId) -> Option<bool> {
        let mut is_changed = false;
        for &var in cx.pool.vars(item).iter() {
            is_changed |= match self.seen.get(&var) {
                Some(is_changed) => *is_changed,
                None => {
                    let is_changed = replaces(cx, state, var, &mut self.subst)?;
                    self.seen.insert(var, is_changed);
                    is_changed
                }
            };
        }
        Some(is_changed)
    }
}

/// Adds what stands for `var` in `state`; whether that is something else. `None` if the state has nothing for it.
fn replaces(
    cx: &mut Symbols<'_>,
    state: &impl Contents,
    var: VarId,
    subst: &mut Substitution,
) -> Option<bool> {
    match says(cx, state, var) {
        Held::Same => Some(false),
        Held::Gone => None,
        Held::Is(value) => {
            let this = cx.pool.var_term(var);
            let value = ops::to_term(cx.pool, value, cx.pool.width(this));
            if value != this {
                subst.insert(var, value);
            }
            Some(value != this)
        }
    }
}

/// What a variable is, as far as a value of a term is concerned.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    /// A state variable with a concrete value.
    Concrete,
    /// A state variable whose value depends on inputs.
    Symbolic,
    /// Not a state variable.
    Free,
    /// The state has no such thing.
    Missing,
}

/// The value of a term over state variables, in one state and under one model of its path condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Valued {
    /// The value, of at most 64 bits.
    pub value: u64,
    /// Whether it is the same under every model.
    pub is_certain: bool,
}

/// Evaluates terms over state variables in one state.
pub struct StateValues {
    evaluator: Evaluator<Assignment>,
    known: FxHashMap<VarId, Known>,
}

impl StateValues {
    /// For a state with this model of its path condition.
    pub fn new(model: &Assignment) -> StateValues {
        StateValues { evaluator: Evaluator::new(model.clone()), known: FxHashMap::default() }
    }

    /// The value of `term` in `state`, always the same one; `None` if it speaks of what `state` has not.
    pub fn value(&mut self, machine: &mut Machine<'_>, state: &State, term: TermId) -> Option<Valued> {
        self.value_in(&mut machine.symbols(), state, term)
    }

    pub(crate) fn value_in(&mut self, cx: &mut Symbols<'_>, state: &State, term: TermId) -> Option<Valued> {
        let items = cx.pool.conjuncts(term);
        if items.len() == 1 {
            return self.value_of(cx, state, term);
        }
        let mut all = Valued { value: 1, is_certain: true };
        for item in items {
            let Valued { value, is_certain } = self.value_of(cx, state, item)?;
            if value == 0 {
                return Some(Valued { value, is_certain });
            }
            all.is_certain &= is_certain;
        }
        Some(all)
    }

    fn value_of(&mut self, cx: &mut Symbols<'_>, state: &State, term: TermId) -> Option<Valued> {
        let mut is_certain = true;
        for &var in cx.pool.vars(term).iter() {
            let known = match self.known.get(&var) {
                Some(known) => *known,
                None => {
                    let known = self.learn(cx, state, var);
                    self.known.insert(var, known);
                    known
                }
            };
            match known {
                Known::Concrete => {}
                Known::Symbolic | Known::Free => is_certain = false,
                Known::Missing => return None,
            }
        }
        Some(Valued { value: self.evaluator.eval_u64(cx.pool, term), is_certain })
    }

    fn learn(&mut self, cx: &mut Symbols<'_>, state: &State, var: VarId) -> Known {
        let width = cx.pool.width(cx.pool.var_term(var));
        match says(cx, state, var) {
            Held::Same => Known::Free,
            Held::Gone => Known::Missing,
            Held::Is(Value::Int(v) | Value::Ptr { addr: v, .. }) => {
                self.evaluator.assign(var, Constant::bv(width, v));
                Known::Concrete
            }
            Held::Is(Value::Term(t) | Value::SymPtr { addr: t, .. }) => {
                let value = self.evaluator.eval(cx.pool, t);
                self.evaluator.assign(var, value);
                Known::Symbolic
            }
        }
    }
}
