//! What each instruction reads and writes in memory.
//!
//! Guarantee: the bytes an instruction itself reads or writes, in any execution, are in these sets; what the functions
//! it calls do is theirs. Reads without influence on values or failures (the text that is printed) are included.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use selvedge_base::Id;
use selvedge_program::{FuncId, Inst, Operand, Program};

use crate::call_graph::{CallGraph, CallKind};
use crate::constraints::Builder;
use crate::defs::constant;
use crate::layout::{InstId, Layout};
use crate::object::{ObjectId, Origin, Range};
use crate::points_to::SetId;
use selvedge_library::Action;

/// Bytes of an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Touched {
    pub(crate) object: ObjectId,
    pub(crate) range: Range,
}

/// Bytes, in order. Instructions that use the same pointer, or one that points to the same places, share them.
pub(crate) type Bytes = Arc<[Touched]>;

/// What one instruction does to memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Effect {
    pub(crate) reads: Bytes,
    pub(crate) writes: Bytes,
    /// Objects whose life it ends.
    pub(crate) ends: Vec<ObjectId>,
}

impl Effect {
    fn is_none(&self) -> bool {
        self.reads.is_empty() && self.writes.is_empty() && self.ends.is_empty()
    }
}

/// An effect that is put together from several.
#[derive(Default)]
struct Draft {
    reads: Vec<Touched>,
    writes: Vec<Touched>,
    ends: Vec<ObjectId>,
}

impl Draft {
    fn finish(mut self) -> Effect {
        for touched in [&mut self.reads, &mut self.writes] {
            // Not unstable: what is in order already makes up most of it.
            touched.sort();
            touched.dedup();
        }
        Effect { reads: self.reads.into(), writes: self.writes.into(), ends: self.ends }
    }
}

/// The effects of all instructions that have one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Effects {
    by_inst: FxHashMap<InstId, Effect>,
}

/// Bytes that a synchronisation object can have.
const SYNC_BYTES: u64 = 64;

impl Effects {
    pub(crate) fn new(program: &Program, layout: &Layout, built: &Builder<'_>) -> Effects {
        let mut all = Effects::default();
        let (shared, contents) = (RefCell::default(), RefCell::default());
        let ctx = Ctx { program, layout, built, graph: &built.graph, shared, contents };
        for i in 0..layout.n_insts() {
            let id = InstId::new(i);
            if !built.graph.is_reachable(layout.point(id).func) {
                continue;
            }
            let effect = ctx.effect(id);
            if !effect.is_none() {
                all.by_inst.insert(id, effect);
            }
        }
        all
    }

    /// The effect of an instruction, if it has one.
    pub(crate) fn of(&self, id: InstId) -> Option<&Effect> {
        self.by_inst.get(&id)
    }
}

struct Ctx<'a> {
    program: &'a Program,
    layout: &'a Layout,
    built: &'a Builder<'a>,
    graph: &'a CallGraph,
    /// So many bytes at the places of a set.
    shared: RefCell<FxHashMap<(SetId, u64), Bytes>>,
    /// By object: those that its bytes lead to.
    contents: RefCell<FxHashMap<ObjectId, Rc<[ObjectId]>>>,
}

impl Ctx<'_> {
    fn shared(&self, func: FuncId, ptr: Operand, len: u64) -> Bytes {
        let Some(node) = self.built.node(func, ptr) else { return Bytes::default() };
        let solver = &self.built.solver;
        let mut shared = self.shared.borrow_mut();
        let bytes = shared.entry((solver.set_of(node), len)).or_insert_with(|| {
            let places = solver.places_of(node).into_iter();
            places.map(|(object, offset)| Touched { object, range: Range { offset, len } }).collect()
        });
        bytes.clone()
    }

    fn at(&self, func: FuncId, ptr: Operand, len: u64) -> Vec<Touched> {
        self.shared(func, ptr, len).to_vec()
    }

    fn whole(&self, func: FuncId, ptr: Operand) -> Vec<Touched> {
        let places = self.built.places(func, ptr);
        places.into_iter().map(|(object, _)| Touched { object, range: Range::ALL }).collect()
    }

    /// The objects that the bytes of these lead to, in order.
    fn behind(&self, objects: &[Touched]) -> Vec<Touched> {
        let solver = &self.built.solver;
        let mut contents = self.contents.borrow_mut();
        let mut is_behind = vec![false; solver.n_objects()];
        for Touched { object, .. } in objects {
            let content = contents.entry(*object).or_insert_with(|| solver.content(*object).into());
            content.iter().for_each(|object| is_behind[object.index()] = true);
        }
        let behind = is_behind.iter().enumerate().filter(|(_, is_behind)| **is_behind);
        behind.map(|(i, _)| Touched { object: ObjectId::new(i), range: Range::ALL }).collect()
    }

    fn length(&self, len: Operand) -> u64 {
        constant(self.program, len).and_then(|n| u64::try_from(n).ok()).unwrap_or(u64::MAX)
    }

    fn effect(&self, id: InstId) -> Effect {
        let func = self.layout.point(id).func;
        let bits = self.program.target.ptr_bits;
        let mut effect = Effect::default();
        match self.layout.inst(self.program, id) {
            Inst::Load { ty, ptr, .. } => effect.reads = self.shared(func, *ptr, ty.store_size(bits)),
            Inst::Store { ty, ptr, .. } => effect.writes = self.shared(func, *ptr, ty.store_size(bits)),
            Inst::AtomicRmw { ty, ptr, .. } | Inst::CmpXchg { ty, ptr, .. } => {
                effect.reads = self.shared(func, *ptr, ty.store_size(bits));
                effect.writes = effect.reads.clone();
            }
            Inst::MemCopy { to, from, len, .. } => {
                effect.reads = self.shared(func, *from, self.length(*len));
                effect.writes = self.shared(func, *to, self.length(*len));
            }
            Inst::MemSet { to, len, .. } => effect.writes = self.shared(func, *to, self.length(*len)),
            other => return self.other_effect(id, other).finish(),
        }
        effect
    }

    fn other_effect(&self, id: InstId, inst: &Inst) -> Draft {
        let func = self.layout.point(id).func;
        let mut effect = Draft::default();
        match inst {
            Inst::Lifetime { ptr, .. } => {
                // The content is gone, and where the scope begins anew the last variable is.
                effect.writes = self.whole(func, *ptr);
                effect.ends = effect.writes.iter().map(|t| t.object).collect();
            }
            Inst::VaStart { list } => {
                effect.writes = self.whole(func, *list);
                effect.writes.extend(self.varargs(func));
            }
            Inst::VaCopy { to, from } => {
                effect.reads = self.whole(func, *from);
                effect.writes = self.whole(func, *to);
            }
            Inst::VaArg { list, .. } => {
                effect.reads = self.whole(func, *list);
                effect.writes = effect.reads.clone();
                // The list points to the area; whose is found through it.
                effect.reads.extend(self.behind(&effect.reads));
            }
            Inst::Call { args, .. } => {
                for (i, arg) in args.iter().enumerate() {
                    if let Some(size) = arg.byval {
                        effect.reads.extend(self.at(func, arg.value, size));
                        let copy = self.built.solver.object_of(Origin::Copied(id, i as u32));
                        effect.writes.extend(copy.map(|object| Touched { object, range: Range::ALL }));
                    }
                }
                let operands: Vec<Operand> = args.iter().map(|a| a.value).collect();
                for (callee, kind) in self.graph.callees(id) {
                    if *kind == CallKind::Plain {
                        self.model(id, self.built.library.action(*callee), &operands, &mut effect);
                    }
                }
            }
            _ => {}
        }
        effect
    }

    fn varargs(&self, func: FuncId) -> Option<Touched> {
        let object = self.built.solver.object_of(Origin::VarArgs(func))?;
        Some(Touched { object, range: Range::ALL })
    }

    fn model(&self, id: InstId, model: Action, args: &[Operand], effect: &mut Draft) {
        let func = self.layout.point(id).func;
        let word = self.program.ptr_bytes();
        let at = |i: usize, len: u64| args.get(i).map_or_else(Vec::new, |a| self.at(func, *a, len));
        let whole = |i: usize| args.get(i).map_or_else(Vec::new, |a| self.whole(func, *a));
        let made = |effect: &mut Draft| {
            let object = self.built.solver.object_of(Origin::Heap(id));
            effect.writes.extend(object.map(|object| Touched { object, range: Range::ALL }));
        };
        match model {
            Action::MakeSymbolic => {
                let len = args.get(1).map_or(u64::MAX, |len| self.length(*len));
                effect.writes.extend(at(0, len));
                effect.reads.extend(whole(2));
            }
            Action::Input | Action::Fail => (0..args.len()).for_each(|i| effect.reads.extend(whole(i))),
            Action::Alloc { .. } => made(effect),
            Action::Realloc => {
                made(effect);
                effect.reads.extend(whole(0));
                effect.ends.extend(whole(0).iter().map(|t| t.object));
            }
            Action::AllocTo => {
                made(effect);
                effect.writes.extend(at(0, word));
            }
            Action::Free => effect.ends.extend(whole(0).iter().map(|t| t.object)),
            Action::Copy { to, from, len, .. } => {
                let len = args.get(usize::from(len)).map_or(u64::MAX, |len| self.length(*len));
                effect.reads.extend(at(usize::from(from), len));
                effect.writes.extend(at(usize::from(to), len));
            }
            Action::Set { len } => {
                let len = args.get(usize::from(len)).map_or(u64::MAX, |len| self.length(*len));
                effect.writes.extend(at(0, len));
            }
            // `%n` writes; strings, streams and lists are read, the lists with what they point to.
            Action::Print { .. } | Action::PrintList | Action::PutString { .. } | Action::PutBytes { .. } => {
                let direct: Vec<Touched> = (0..args.len()).flat_map(whole).collect();
                let behind = self.behind(&direct);
                if model == Action::PrintList {
                    effect.reads.extend(self.behind(&behind));
                    effect.writes.extend(&behind);
                }
                if matches!(model, Action::Print { .. } | Action::PrintList) {
                    effect.writes.extend(&direct);
                }
                effect.reads.extend(direct.into_iter().chain(behind));
            }
            // Types are constants; an object's own type is behind it, and that of a thrown pointer one step further.
            Action::LookUp => {
                let direct: Vec<Touched> = (0..args.len()).flat_map(whole).collect();
                effect.reads.extend(self.behind(&direct));
                effect.reads.extend(direct);
            }
            Action::FormatNumber => {
                effect.writes.extend(whole(0));
                (0..args.len()).for_each(|i| effect.reads.extend(whole(i)));
            }
            Action::ParseNumber => {
                effect.reads.extend(whole(0));
                effect.writes.extend(at(1, word));
                effect.writes.extend(at(2, 4));
            }
            Action::PureTo => effect.writes.extend(at(1, 8)),
            Action::SetJump => effect.writes.extend(at(0, 8)),
            Action::Jump => effect.reads.extend(whole(0)),
            Action::Create => {
                effect.writes.extend(at(0, word));
                effect.reads.extend(whole(1));
            }
            Action::Join => effect.writes.extend(at(1, word)),
            Action::Sync | Action::SyncRead | Action::Once => {
                // The executor looks at the bytes of an object that was initialised by its definition.
                (0..args.len()).for_each(|i| effect.reads.extend(at(i, SYNC_BYTES)));
                if model == Action::SyncRead {
                    effect.writes.extend(at(1, 4));
                }
            }
            Action::KeyCreate => effect.writes.extend(at(0, 4)),
            Action::Body
            | Action::Pure
            | Action::PureFallible
            | Action::Assume
            | Action::Assert
            | Action::Error
            | Action::Finding
            | Action::Exit
            | Action::PutNumber { .. }
            | Action::ThreadExit
            | Action::ThreadLeaves
            | Action::SetSpecific
            | Action::GetSpecific
            | Action::SectionBegins
            | Action::SectionEnds
            | Action::Environment
            | Action::Opaque => {}
        }
    }
}
