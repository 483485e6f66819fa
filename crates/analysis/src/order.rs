//! Whether the order in which an expression calls functions can be told from what they do.
//!
//! The front end names the pairs of instructions that the language does not order ([`Program::unordered`]). Their order
//! makes a difference if one of them writes what the other reads or writes, or if both talk to the outside.
//! Left out is what a call does to its own locals and to what it has itself allocated, what is done on the way to
//! the end of the program, and that library functions set `errno`, unless the program reads it.
//! Guarantee: apart from that, a pair whose order can be told is found. Relies on: a valid program.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_base::Id;
use selvedge_library::Action;
use selvedge_program::{BlockId, Flow, FuncId, Inst, Operand, Program, SourceFile, Unordered};

use crate::constraints::Builder;
use crate::effects::{Effects, Touched};
use crate::fresh::Fresh;
use crate::layout::{InstId, Layout, Point};
use crate::library::Library;
use crate::object::{ObjectId, Origin, Range};
use crate::threads::is_same_thread;

/// The thread's error number, in the C run-time.
const ERRNO: &str = "__selvedge_errno";

/// The calls whose order within an expression can be told, sorted.
pub fn telling_calls(program: &Program) -> Vec<Point> {
    let pairs: Vec<&Unordered> = program.unordered.iter().filter(|pair| is_users(program, pair)).collect();
    if pairs.is_empty() {
        return Vec::new();
    }
    let layout = Layout::new(program);
    let built = Builder::run(program, &layout);
    let effects = Effects::new(program, &layout, &built);
    let fresh = Fresh::new(program, &built.library);
    let (layout, built) = (&layout, &built);
    let mut search = Search {
        program,
        layout,
        built,
        library: &built.library,
        effects: &effects,
        fresh: &fresh,
        footprints: FxHashMap::default(),
        returning: FxHashMap::default(),
    };
    let is_call = |point: &Point| {
        layout.id(*point).is_some_and(|id| matches!(layout.inst(program, id), Inst::Call { .. }))
    };
    let mut found: Vec<Point> = Vec::new();
    for pair in pairs {
        let at = |(block, inst)| Point { func: pair.func, block, inst };
        let (first, second) = (at(pair.first), at(pair.second));
        if built.solver.is_exhausted() || search.tells(first, second) {
            found.extend([second, first].into_iter().find(is_call));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether the expression is the user's: that headers of the system are right in every order is for their authors to see to.
fn is_users(program: &Program, pair: &Unordered) -> bool {
    let (block, inst) = pair.second;
    let loc = program.funcs[pair.func].blocks[block].locs.get(inst);
    let file = loc.and_then(|loc| program.files.get(loc.file));
    !file.is_some_and(SourceFile::is_of_system)
}

/// What an instruction does, with all that it calls.
#[derive(Default)]
struct Footprint {
    reads: Vec<Touched>,
    writes: Vec<Touched>,
    /// Prints, or starts and awaits threads.
    is_outside: bool,
}

struct Search<'a> {
    program: &'a Program,
    layout: &'a Layout,
    built: &'a Builder<'a>,
    library: &'a Library,
    effects: &'a Effects,
    fresh: &'a Fresh,
    footprints: FxHashMap<InstId, Rc<Footprint>>,
    /// By function: the blocks from which it can return.
    returning: FxHashMap<FuncId, Rc<[bool]>>,
}

impl Search<'_> {
    fn tells(&mut self, first: Point, second: Point) -> bool {
        let (Some(a), Some(b)) = (self.layout.id(first), self.layout.id(second)) else { return true };
        let (a, b) = (self.footprint(a), self.footprint(b));
        let is_more = |touched: &&Touched| !self.is_errno(touched);
        let both: Vec<Touched> = a.writes.iter().filter(is_more).copied().collect();
        a.is_outside && b.is_outside
            || meet(&a.writes, &b.reads)
            || meet(&b.writes, &a.reads)
            || meet(&both, &b.writes)
    }

    fn footprint(&mut self, site: InstId) -> Rc<Footprint> {
        if let Some(known) = self.footprints.get(&site) {
            return known.clone();
        }
        let at = self.layout.point(site);
        let mut open = self.callees(site);
        let mut called: FxHashSet<FuncId> = open.iter().copied().collect();
        let mut all = Footprint::default();
        self.add(site, &mut all);
        while let Some(func) = open.pop() {
            let returning = self.returning(func);
            for (block, body) in self.program.funcs[func].blocks.enumerate() {
                if !returning[block.index()] {
                    continue;
                }
                for inst in 0..body.insts.len() {
                    let Some(id) = self.layout.id(Point { func, block, inst }) else { continue };
                    self.add(id, &mut all);
                    open.extend(self.callees(id).into_iter().filter(|callee| called.insert(*callee)));
                }
            }
        }
        // Frames of callers may be older than the call.
        let mut callers = FxHashSet::from_iter([at.func]);
        let mut open = vec![at.func];
        while let Some(func) = open.pop() {
            for (site, _) in self.built.graph.callers(func).iter().filter(|(_, kind)| is_same_thread(*kind)) {
                let caller = self.layout.point(*site).func;
                if callers.insert(caller) {
                    open.push(caller);
                }
            }
        }
        let old = self.within_reach(site, &all.reads);
        // Nobody else has it, or nobody writes it.
        let is_own = |touched: &Touched| {
            let owner = match self.built.solver.origin(touched.object) {
                Origin::Local(inst) | Origin::Copied(inst, _) => self.layout.point(inst).func,
                Origin::VarArgs(func) => func,
                Origin::Heap(inst) => {
                    return called.contains(&self.layout.point(inst).func) && !old.contains(&touched.object);
                }
                Origin::Global(global) => return self.program.globals[global].is_const,
                _ => return false,
            };
            called.contains(&owner) && !callers.contains(&owner)
        };
        for touched in [&mut all.reads, &mut all.writes] {
            touched.retain(|touched| !is_own(touched));
            touched.sort_unstable();
            touched.dedup();
        }
        let all = Rc::new(all);
        self.footprints.insert(site, all.clone());
        all
    }

    /// The objects that a call which reads `reads` finds when it begins: behind its arguments and behind globals. What a
    /// temporary of the expression leads to was made for it.
    fn within_reach(&self, site: InstId, reads: &[Touched]) -> FxHashSet<ObjectId> {
        let func = self.layout.point(site).func;
        let solver = &self.built.solver;
        let is_temporary = |object: ObjectId| match solver.origin(object) {
            Origin::Local(inst) => {
                matches!(self.layout.inst(self.program, inst), Inst::Alloca { name: None, .. })
            }
            _ => false,
        };
        let is_global = |object: ObjectId| matches!(solver.origin(object), Origin::Global(_));
        let mut open: Vec<ObjectId> = reads.iter().map(|t| t.object).filter(|o| is_global(*o)).collect();
        if let Inst::Call { args, .. } = self.layout.inst(self.program, site) {
            let places = args.iter().flat_map(|arg| self.built.places(func, arg.value));
            open.extend(places.map(|(object, _)| object).filter(|object| !is_temporary(*object)));
        }
        let mut found: FxHashSet<ObjectId> = open.iter().copied().collect();
        while let Some(object) = open.pop() {
            open.extend(solver.content(object).into_iter().filter(|inner| found.insert(*inner)));
        }
        found
    }

    fn callees(&self, site: InstId) -> Vec<FuncId> {
        let callees = self.built.graph.callees(site).iter();
        callees.filter(|(_, kind)| is_same_thread(*kind)).map(|(func, _)| *func).collect()
    }

    /// Adds what an instruction does itself.
    fn add(&self, id: InstId, all: &mut Footprint) {
        let func = self.layout.point(id).func;
        let is_fresh = |operand: Operand| self.fresh.is_fresh(func, operand);
        let inst = self.layout.inst(self.program, id);
        let (mut reads_own, mut writes_own) = (false, false);
        let mut is_sync = false;
        match inst {
            Inst::Load { ptr, .. } => reads_own = is_fresh(*ptr),
            Inst::Store { ptr, .. } | Inst::MemSet { to: ptr, .. } => writes_own = is_fresh(*ptr),
            Inst::AtomicRmw { ptr, .. } | Inst::CmpXchg { ptr, .. } => {
                (reads_own, writes_own) = (is_fresh(*ptr), is_fresh(*ptr));
            }
            Inst::MemCopy { to, from, .. } => (reads_own, writes_own) = (is_fresh(*from), is_fresh(*to)),
            // A local begins or ends: that of the activation.
            Inst::Lifetime { .. } => return,
            Inst::Call { args, .. } => {
                for callee in self.callees(id) {
                    match self.library.action(callee) {
                        // What is made is new.
                        Action::Alloc { .. } => return,
                        Action::Copy { to, from, .. } => {
                            let arg = |i: u8| args.get(usize::from(i)).is_some_and(|arg| is_fresh(arg.value));
                            (reads_own, writes_own) = (arg(from), arg(to));
                        }
                        Action::Set { .. } | Action::Free => {
                            writes_own = args.first().is_some_and(|arg| is_fresh(arg.value));
                        }
                        Action::Sync | Action::SyncRead | Action::Once => is_sync = true,
                        model => all.is_outside |= is_outside(model),
                    }
                }
            }
            _ => {}
        }
        let Some(effect) = self.effects.of(id) else { return };
        let is_runtime = self.program.funcs[func].is_runtime;
        if !reads_own {
            let is_seen = |touched: &&Touched| !(is_runtime && self.is_errno(touched));
            all.reads.extend(effect.reads.iter().filter(is_seen));
        }
        if is_sync {
            all.writes.extend(effect.reads.iter());
        }
        if !writes_own {
            let of_object = |object: &_| Touched { object: *object, range: Range::ALL };
            all.writes.extend(effect.writes.iter().copied().chain(effect.ends.iter().map(of_object)));
        }
    }

    fn is_errno(&self, touched: &Touched) -> bool {
        match self.built.solver.origin(touched.object) {
            Origin::Global(global) => {
                let global = &self.program.globals[global];
                global.is_runtime && global.name == ERRNO
            }
            _ => false,
        }
    }

    /// The blocks from which a function can return.
    fn returning(&mut self, func: FuncId) -> Rc<[bool]> {
        if let Some(known) = self.returning.get(&func) {
            return known.clone();
        }
        let function = &self.program.funcs[func];
        let flow = Flow::new(function);
        let mut returning = vec![false; function.blocks.len()];
        let returns = |inst: &Inst| matches!(inst, Inst::Return { .. });
        let ends = function.blocks.enumerate().filter(|(_, block)| block.insts.last().is_some_and(returns));
        let mut open: Vec<BlockId> = ends.map(|(block, _)| block).collect();
        while let Some(block) = open.pop() {
            if !std::mem::replace(&mut returning[block.index()], true) {
                open.extend(flow.predecessors(block));
            }
        }
        let returning: Rc<[bool]> = returning.into();
        self.returning.insert(func, returning.clone());
        returning
    }
}

/// Whether sorted bytes `ys` have some of `xs`.
fn meet(xs: &[Touched], ys: &[Touched]) -> bool {
    xs.iter().any(|x| {
        let start = ys.partition_point(|y| y.object < x.object);
        let same = ys[start..].iter().take_while(|y| y.object == x.object);
        same.into_iter().any(|y| y.range.overlaps(x.range))
    })
}

/// Whether a model does something that others than the program's memory show.
fn is_outside(model: Action) -> bool {
    matches!(
        model,
        Action::Print { .. }
            | Action::PrintList
            | Action::PutNumber { .. }
            | Action::PutString { .. }
            | Action::PutBytes { .. }
            | Action::Create
            | Action::Join
            | Action::SetSpecific
            | Action::KeyCreate
            | Action::SectionBegins
            | Action::SectionEnds
            | Action::Jump
    )
}
