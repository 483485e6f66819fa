//! Whether the order in which an expression calls functions can be told from what they do.
//!
//! The front end names the pairs of instructions that the language does not order ([`Program::unordered`]). Their order
//! makes a difference if one of them writes what the other reads or writes, or if both talk to the outside.
//! Left out is what a call does to its own locals and to what it has itself allocated, what is done on the way to
//! the end of the program, and that library functions set `errno`, unless the program reads it.
//! Guarantee: apart from that, a pair whose order can be told is found; where that is too much work, every pair is taken
//! for one. Relies on: a valid program.

use std::cell::OnceCell;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_base::Id;
use selvedge_library::{Action, ERRNO};
use selvedge_program::{BlockId, Flow, FuncId, Inst, Operand, Program, SourceFile, Unordered};

use crate::constraints::Builder;
use crate::effects::{Effects, Touched};
use crate::fresh::Fresh;
use crate::layout::{InstId, Layout, Point};
use crate::library::Library;
use crate::object::{ObjectId, Origin, Range};
use crate::threads::is_same_thread;

/// Steps of the points-to analysis before it is given up, for a search can do without: less than a second.
const MAX_WORK: u64 = 20_000_000;
/// Steps before everything that is left counts as telling: less than a second.
const MAX_STEPS: usize = 20_000_000;

/// The calls whose order within an expression can be told, sorted.
pub fn telling_calls(program: &Program) -> Vec<Point> {
    if pairs(program).next().is_none() {
        return Vec::new();
    }
    let layout = Layout::new(program);
    let built = Builder::run_within(program, &layout, MAX_WORK);
    if built.solver.is_exhausted() {
        return calls_of(program, &layout, |_, _| true);
    }
    let effects = Effects::new(program, &layout, &built);
    let fresh = Fresh::new(program, &built.library);
    let mut search = Search::new(program, &layout, &built, (&effects, &fresh));
    calls_of(program, &layout, |first, second| search.tells(first, second))
}

/// The calls of the pairs that are wanted, sorted.
fn calls_of(
    program: &Program,
    layout: &Layout,
    mut is_wanted: impl FnMut(Point, Point) -> bool,
) -> Vec<Point> {
    let is_call = |point: &Point| {
        layout.id(*point).is_some_and(|id| matches!(layout.inst(program, id), Inst::Call { .. }))
    };
    let mut found: Vec<Point> = Vec::new();
    for pair in pairs(program) {
        let at = |(block, inst)| Point { func: pair.func, block, inst };
        let (first, second) = (at(pair.first), at(pair.second));
        if is_wanted(first, second) {
            found.extend([second, first].into_iter().find(is_call));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// What is unordered in expressions of the user: that headers of the system are right in every order is for their authors
/// to see to.
fn pairs(program: &Program) -> impl Iterator<Item = &Unordered> {
    program.unordered.iter().filter(|pair| {
        let (block, inst) = pair.second;
        let loc = program.funcs[pair.func].blocks[block].locs.get(inst);
        let file = loc.and_then(|loc| program.files.get(loc.file));
        !file.is_some_and(SourceFile::is_of_system)
    })
}

/// What is done to memory, sorted.
#[derive(Default)]
struct Footprint {
    reads: Vec<Touched>,
    writes: Vec<Touched>,
    /// Prints, or starts and awaits threads.
    is_outside: bool,
}

impl Footprint {
    fn extend(&mut self, other: &Footprint) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.is_outside |= other.is_outside;
    }

    fn sort(&mut self) {
        for touched in [&mut self.reads, &mut self.writes] {
            // Not unstable: what functions do, each in order already, is put together.
            touched.sort();
            touched.dedup();
        }
    }

    fn len(&self) -> usize {
        self.reads.len() + self.writes.len()
    }
}

/// What a function does itself on the way to its return.
struct Body {
    does: Footprint,
    callees: Vec<FuncId>,
}

/// Functions with all that they call, and what they do together.
struct Called {
    does: Footprint,
    functions: FxHashSet<FuncId>,
}

/// An instruction, with all that it calls.
struct Site {
    id: InstId,
    itself: Footprint,
    called: Rc<Called>,
    /// The functions that can be under way when it is reached, whose frames may be older.
    callers: Rc<FxHashSet<FuncId>>,
    /// The objects that it finds when it begins.
    found: OnceCell<FxHashSet<ObjectId>>,
}

impl Site {
    /// What it reads, or what it writes, in parts.
    fn touched(&self, is_read: bool) -> [&[Touched]; 2] {
        [&self.itself, &self.called.does].map(|part| if is_read { &*part.reads } else { &*part.writes })
    }

    fn is_outside(&self) -> bool {
        self.itself.is_outside || self.called.does.is_outside
    }
}

struct Search<'a> {
    program: &'a Program,
    layout: &'a Layout,
    built: &'a Builder<'a>,
    library: &'a Library,
    effects: &'a Effects,
    fresh: &'a Fresh,
    sites: FxHashMap<InstId, Rc<Site>>,
    bodies: FxHashMap<FuncId, Rc<Body>>,
    /// By the functions that are called first.
    called: FxHashMap<Vec<FuncId>, Rc<Called>>,
    callers: FxHashMap<FuncId, Rc<FxHashSet<FuncId>>>,
    /// By object: those that its bytes lead to.
    contents: FxHashMap<ObjectId, Rc<[ObjectId]>>,
    n_steps: usize,
}

impl<'a> Search<'a> {
    fn new(
        program: &'a Program,
        layout: &'a Layout,
        built: &'a Builder<'a>,
        (effects, fresh): (&'a Effects, &'a Fresh),
    ) -> Self {
        Search {
            program,
            layout,
            built,
            library: &built.library,
            effects,
            fresh,
            sites: FxHashMap::default(),
            bodies: FxHashMap::default(),
            called: FxHashMap::default(),
            callers: FxHashMap::default(),
            contents: FxHashMap::default(),
            n_steps: 0,
        }
    }

    fn tells(&mut self, first: Point, second: Point) -> bool {
        let (Some(a), Some(b)) = (self.layout.id(first), self.layout.id(second)) else { return true };
        if self.n_steps > MAX_STEPS {
            return true;
        }
        let (a, b) = (self.site(a), self.site(b));
        a.is_outside() && b.is_outside()
            || self.meet(&a, &b, true)
            || self.meet(&b, &a, true)
            || self.meet(&a, &b, false)
    }

    /// Whether one writes what the other reads, or writes: only what others than itself see.
    fn meet(&mut self, writer: &Site, other: &Site, is_read: bool) -> bool {
        for xs in writer.touched(false) {
            for mut ys in other.touched(is_read) {
                for x in xs {
                    self.n_steps += 1;
                    ys = &ys[ys.partition_point(|y| y.object < x.object)..];
                    let same = ys.iter().take_while(|y| y.object == x.object);
                    if same.into_iter().any(|y| y.range.overlaps(x.range))
                        && (is_read || !self.is_errno(x))
                        && !self.is_own(writer, x.object)
                        && !self.is_own(other, x.object)
                    {
                        return true;
                    }
                }
            }
        }
        false
    }

    fn site(&mut self, id: InstId) -> Rc<Site> {
        if let Some(known) = self.sites.get(&id) {
            return known.clone();
        }
        let mut itself = Footprint::default();
        self.add(id, &mut itself);
        itself.sort();
        let called = self.called(self.callees(id));
        let callers = self.callers(self.layout.point(id).func);
        let site = Rc::new(Site { id, itself, called, callers, found: OnceCell::new() });
        self.sites.insert(id, site.clone());
        site
    }

    fn called(&mut self, first: Vec<FuncId>) -> Rc<Called> {
        if let Some(known) = self.called.get(&first) {
            return known.clone();
        }
        let mut open = first.clone();
        let mut functions: FxHashSet<FuncId> = open.iter().copied().collect();
        let mut does = Footprint::default();
        while let Some(func) = open.pop() {
            let body = self.body(func);
            self.n_steps += body.does.len() + 1;
            does.extend(&body.does);
            open.extend(body.callees.iter().filter(|callee| functions.insert(**callee)));
        }
        does.sort();
        let called = Rc::new(Called { does, functions });
        self.called.insert(first, called.clone());
        called
    }

    fn body(&mut self, func: FuncId) -> Rc<Body> {
        if let Some(known) = self.bodies.get(&func) {
            return known.clone();
        }
        let mut body = Body { does: Footprint::default(), callees: Vec::new() };
        let returning = self.returning(func);
        for (block, insts) in self.program.funcs[func].blocks.enumerate() {
            if !returning[block.index()] {
                continue;
            }
            for inst in 0..insts.insts.len() {
                let Some(id) = self.layout.id(Point { func, block, inst }) else { continue };
                self.add(id, &mut body.does);
                body.callees.extend(self.callees(id));
            }
        }
        self.n_steps += body.does.len();
        body.does.sort();
        body.callees.sort_unstable();
        body.callees.dedup();
        let body = Rc::new(body);
        self.bodies.insert(func, body.clone());
        body
    }

    /// A function and those that call it, and their callers.
    fn callers(&mut self, func: FuncId) -> Rc<FxHashSet<FuncId>> {
        if let Some(known) = self.callers.get(&func) {
            return known.clone();
        }
        let mut callers = FxHashSet::from_iter([func]);
        let mut open = vec![func];
        while let Some(func) = open.pop() {
            for (site, _) in self.built.graph.callers(func).iter().filter(|(_, kind)| is_same_thread(*kind)) {
                self.n_steps += 1;
                let caller = self.layout.point(*site).func;
                if callers.insert(caller) {
                    open.push(caller);
                }
            }
        }
        let callers = Rc::new(callers);
        self.callers.insert(func, callers.clone());
        callers
    }

    /// Whether nobody but the site has an object, or nobody writes it.
    fn is_own(&mut self, site: &Site, object: ObjectId) -> bool {
        let called = &site.called.functions;
        let owner = match self.built.solver.origin(object) {
            Origin::Local(inst) | Origin::Copied(inst, _) => self.layout.point(inst).func,
            Origin::VarArgs(func) => func,
            Origin::Heap(inst) => {
                return called.contains(&self.layout.point(inst).func) && !self.finds(site, object);
            }
            Origin::Global(global) => return self.program.globals[global].is_const,
            _ => return false,
        };
        called.contains(&owner) && !site.callers.contains(&owner)
    }

    /// Whether a site finds an object when it begins: behind its arguments and behind globals. What a temporary of the
    /// expression leads to was made for it.
    fn finds(&mut self, site: &Site, object: ObjectId) -> bool {
        if let Some(found) = site.found.get() {
            return found.contains(&object);
        }
        let func = self.layout.point(site.id).func;
        let solver = &self.built.solver;
        let is_temporary = |object: ObjectId| match solver.origin(object) {
            Origin::Local(inst) => {
                matches!(self.layout.inst(self.program, inst), Inst::Alloca { name: None, .. })
            }
            _ => false,
        };
        let is_global = |object: &ObjectId| matches!(solver.origin(*object), Origin::Global(_));
        let reads = site.touched(true).into_iter().flatten().map(|touched| touched.object);
        let mut open: Vec<ObjectId> = reads.filter(is_global).collect();
        if let Inst::Call { args, .. } = self.layout.inst(self.program, site.id) {
            let places = args.iter().flat_map(|arg| self.built.places(func, arg.value));
            open.extend(places.map(|(object, _)| object).filter(|object| !is_temporary(*object)));
        }
        let mut found: FxHashSet<ObjectId> = open.iter().copied().collect();
        while let Some(object) = open.pop() {
            let content = self.contents.entry(object).or_insert_with(|| solver.content(object).into());
            self.n_steps += content.len();
            open.extend(content.iter().filter(|inner| found.insert(**inner)));
        }
        site.found.get_or_init(|| found).contains(&object)
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
    fn returning(&self, func: FuncId) -> Vec<bool> {
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
        returning
    }
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

#[cfg(test)]
mod tests {
    use selvedge_program::{Unordered, parse, validate};

    use super::*;

    /// `main` makes these calls, of which each two neighbours have no order; which of them tell, and the steps it took.
    fn told(functions: &str, calls: &[String]) -> (Vec<usize>, usize) {
        let mut text =
            format!("entry @main\ndeclare @malloc(%0: i64) -> ptr\n{functions}func @main() {{\nbb0: ");
        calls.iter().for_each(|call| text.push_str(&format!("call {call}\n")));
        text.push_str("return }\n");
        let mut program = parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let func = program.entry.expect("there is an entry");
        let pair = |i| Unordered { func, first: (BlockId(0), i), second: (BlockId(0), i + 1) };
        program.unordered = (0..calls.len() - 1).map(pair).collect();
        validate(&program).unwrap_or_else(|problems| panic!("{problems:?}"));
        let layout = Layout::new(&program);
        let built = Builder::run(&program, &layout);
        let (effects, fresh) =
            (Effects::new(&program, &layout, &built), Fresh::new(&program, &built.library));
        let mut search = Search::new(&program, &layout, &built, (&effects, &fresh));
        let found = calls_of(&program, &layout, |first, second| search.tells(first, second));
        assert_eq!(found, telling_calls(&program));
        (found.into_iter().map(|point| point.inst).collect(), search.n_steps)
    }

    /// The tellers among calls of the functions `f0`, `f1`, ... with these bodies.
    fn tellers(bodies: &[&str]) -> Vec<usize> {
        let function = |(i, body): (usize, &&str)| format!("func @f{i}() {{\nbb0: {body}\nreturn }}\n");
        let functions: String = bodies.iter().enumerate().map(function).collect();
        let calls: Vec<String> = (0..bodies.len()).map(|i| format!("@f{i}()")).collect();
        told(&format!("global @g size 4 align 4 = {{}}\n{functions}"), &calls).0
    }

    #[test]
    fn a_write_of_what_the_other_reads_or_writes_tells() {
        let (write, read) = ("store i32 1i32 to @g", "%0: i32 = load i32 @g");
        assert_eq!(tellers(&[write, write]), [1]);
        assert_eq!(tellers(&[read, write]), [1]);
        assert_eq!(tellers(&[write, read]), [1]);
        assert_eq!(tellers(&[read, read]), [0; 0]);
        assert_eq!(tellers(&["call @f1()", write, read]), [1, 2], "what is called counts");
    }

    #[test]
    fn what_a_call_allocates_is_its_own_until_others_can_find_it() {
        let own = "%0: ptr = call @malloc(i64 8i64)\nstore i32 1i32 to %0";
        assert_eq!(tellers(&[own, own]), [0; 0]);
        let shared = "%0: ptr = call @malloc(i64 8i64)\nstore ptr %0 to @g";
        assert_eq!(tellers(&[shared, own]), [0; 0]);
        assert_eq!(tellers(&[shared, "%0: ptr = load ptr @g\nstore i32 1i32 to %0"]), [1]);
    }

    /// The steps for so many functions that call each other in a circle, each with a block of its own.
    fn circle(n: usize) -> usize {
        let function = |i: usize| {
            let next = (i + 1) % n;
            format!(
                "func @f{i}(%0: ptr) {{\nbb0: %1: ptr = call @malloc(i64 8i64)\nstore i32 1i32 to %0\ncall @f{next}(ptr %1)\nreturn }}\n"
            )
        };
        let functions: String = (0..n).map(function).collect();
        let calls: Vec<String> = (0..n).map(|i| format!("@f{i}(ptr null)")).collect();
        let (tellers, steps) = told(&functions, &calls);
        assert_eq!(tellers, [0; 0]);
        steps
    }

    #[test]
    fn a_pair_costs_what_its_functions_do_once() {
        assert_eq!((circle(20), circle(40)), (3_120, 12_640));
    }
}
