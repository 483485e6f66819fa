//! The executor: everything that is shared by all states of one run.

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_analysis::{DeadLocals, Point, Slice, Unwinding, faint, holders, live};
use selvedge_base::{Id, Loc};
use selvedge_library::Process;
use selvedge_program::{BlockId, FuncId, Program, Reg};
use selvedge_term::{TermId, TermPool};

use crate::code::{CodeTrace, Fact, FactSet, Place};
use crate::code_names::CodeNames;
use crate::coverage::CoverageMap;
use crate::finding::{FindingKind, Stop};
use crate::image::Image;
use crate::ledger::{Ledger, Reliance};
use crate::memory::Symbols;
use crate::options::Options;
use crate::oracle::Oracle;
use crate::record::Recorder;
use crate::relative::Abstract;
use crate::source::Sources;
use crate::state::{Frame, State};
use crate::step::Step;
use crate::threads::ThreadNames;
use crate::value::ObjId;

/// The executor of one program.
pub struct Machine<'p> {
    /// The loaded program.
    pub image: Image<'p>,
    /// All terms.
    pub pool: TermPool,
    /// Variables of symbolic bytes.
    pub sources: Sources,
    /// Behaviour.
    pub options: Options,
    /// Blocks and edges reached.
    pub coverage: CoverageMap,
    /// What parts of the search depend on, if somebody asked for it.
    pub code: Option<CodeTrace>,
    /// Numbers of places in the code that are not those of the program.
    pub code_names: Option<Arc<CodeNames>>,
    /// Instructions executed so far, over all states.
    pub n_instructions: u64,
    /// What matters, if not everything does: other accesses are no visible steps.
    pub slice: Option<Arc<Slice>>,
    /// Objects with state variables for their contents, as they were last needed.
    pub(crate) abstracts: FxHashMap<ObjId, Abstract>,
    /// Steps of the one path being replayed, if asked for.
    pub recorder: Option<Recorder>,
    /// Places where uninitialised memory was read.
    pub uninitialised: Vec<Loc>,
    uninitialised_seen: FxHashSet<Loc>,
    /// What paths relied on.
    pub ledger: Ledger,
    /// Objects that lead to the program's name.
    pub(crate) names: Vec<ObjId>,
    /// Numbers of threads.
    pub thread_names: ThreadNames,
    /// Exit code of the path that ended last, if it was symbolic.
    pub exit_code: Option<TermId>,
    /// Registers that are live after a call, for the search for leaks; the same calls end most paths.
    pub(crate) live: FxHashMap<(FuncId, BlockId, usize), Rc<[Reg]>>,
    /// Registers that are live at heads of loops, to tell whether an iteration has changed anything.
    live_at_heads: FxHashMap<(FuncId, BlockId), Rc<[Reg]>>,
    /// Locals in memory whose content makes no difference at heads of loops.
    dead_at_heads: FxHashMap<(FuncId, BlockId), Rc<[Reg]>>,
    /// Calls of models that pass just what these take: each with its place and the function.
    pub(crate) fitting_calls: FxHashSet<(FuncId, BlockId, u32, FuncId)>,
    /// Registers that hold the address of a local.
    holders: FxHashMap<(FuncId, Reg), Rc<[Reg]>>,
    /// Whether each register is read again from a place on.
    live_before: FxHashMap<(FuncId, BlockId, usize), Rc<[bool]>>,
    /// Loops of the functions whose iterations were counted or watched.
    loops: FxHashMap<FuncId, Rc<Unwinding>>,
    /// Hashes of whole functions, to tell what depends on all of their code.
    pub(crate) whole_functions: FxHashMap<FuncId, u64>,
    /// The program's `exit`, to run handlers after `main`.
    pub(crate) exit_function: Option<FuncId>,
}

impl<'p> Machine<'p> {
    /// An executor for `program`.
    pub fn new(program: &'p Program, options: Options, sources: Sources) -> Self {
        let mut pool = TermPool::new();
        let mut sources = sources;
        let image = Image::new(program, &mut pool, &mut sources);
        let coverage = CoverageMap::new(image.n_blocks());
        let exit_function = image.library.defined(program, Process::Exit);
        Machine {
            image,
            pool,
            sources,
            options,
            coverage,
            code: None,
            code_names: None,
            n_instructions: 0,
            slice: None,
            abstracts: FxHashMap::default(),
            recorder: None,
            uninitialised: Vec::new(),
            uninitialised_seen: FxHashSet::default(),
            ledger: Ledger::default(),
            names: Vec::new(),
            thread_names: ThreadNames::default(),
            exit_code: None,
            live: FxHashMap::default(),
            live_at_heads: FxHashMap::default(),
            dead_at_heads: FxHashMap::default(),
            fitting_calls: FxHashSet::default(),
            holders: FxHashMap::default(),
            live_before: FxHashMap::default(),
            loops: FxHashMap::default(),
            whole_functions: FxHashMap::default(),
            exit_function,
        }
    }

    /// Runs `state` until its path stops or `budget` instructions were executed.
    pub fn run(&mut self, state: &mut State, oracle: &mut dyn Oracle, budget: u64) -> Stop {
        Step { m: self, st: state, oracle }.run(budget)
    }

    /// Notes from now on what parts of the search depend on.
    pub fn trace_code(&mut self) {
        self.code = Some(CodeTrace::new(self.image.program));
    }

    /// Notes a fact, if somebody asked for it.
    pub(crate) fn note_fact(&mut self, fact: impl FnOnce() -> Fact) {
        if let Some(code) = self.code.as_mut().filter(|_| !self.ledger.is_closed) {
            code.note(fact());
        }
    }

    /// Notes once more what was noted in a part that is not run again.
    pub fn note_again(&mut self, facts: &FactSet) {
        let Some(code) = &mut self.code else { return };
        code.include(facts);
        let program = self.image.program;
        for fact in facts.iter().map(|number| code.fact(number)) {
            match fact {
                Fact::Ran(at) => self.coverage.block(self.image.block_number(at.func, at.block)),
                Fact::Relied(assumption, at) => {
                    let loc = at.map_or(Loc::UNKNOWN, |at| at.loc(program));
                    let block = at.map(|at| (at.func, at.block));
                    self.ledger.note(*assumption as usize, Reliance { loc, block });
                }
                Fact::About(assumption, subject) => self.ledger.note_subject(*assumption as usize, subject),
                Fact::Unwritten(at) => {
                    let loc = at.loc(program);
                    if self.uninitialised_seen.insert(loc) {
                        self.uninitialised.push(loc);
                    }
                }
                Fact::Started => self.thread_names.is_in_use = true,
                Fact::Called(_) | Fact::Tail(_) | Fact::Fleeting => {}
            }
        }
    }

    /// Terms and variables, for operations on memory content.
    pub(crate) fn symbols(&mut self) -> Symbols<'_> {
        Symbols { pool: &mut self.pool, sources: &mut self.sources }
    }

    /// Registers of a frame's function that are used after the place where it stands.
    pub(crate) fn live_after(&mut self, frame: &Frame) -> Rc<[Reg]> {
        let program = self.image.program;
        let place = (frame.func, frame.block, frame.idx);
        let compute = || live::live_after(&program.funcs[frame.func], frame.block, frame.idx).into();
        self.live.entry(place).or_insert_with(compute).clone()
    }

    /// Whether each register of a frame's function may be read before it is assigned again.
    pub(crate) fn live_before(&mut self, frame: &Frame) -> Rc<[bool]> {
        let program = self.image.program;
        let place = (frame.func, frame.block, frame.idx);
        let compute = || live::live_before(&program.funcs[frame.func], frame.block, frame.idx).into();
        self.live_before.entry(place).or_insert_with(compute).clone()
    }

    /// Registers that are used from the head of a loop on, and make a difference.
    pub(crate) fn live_at_head(&mut self, func: FuncId, block: BlockId) -> Rc<[Reg]> {
        let program = self.image.program;
        let (overflow, can_cancel) = (self.options.checks(FindingKind::Overflow), self.image.can_cancel);
        let compute = || {
            let context = faint::Context { program, library: &self.image.library, overflow, can_cancel };
            let needed = faint::needed(context, &program.funcs[func]);
            let live = live::live_at(&program.funcs[func], block).into_iter();
            live.filter(|reg| needed[reg.index()]).collect()
        };
        self.live_at_heads.entry((func, block)).or_insert_with(compute).clone()
    }

    /// The loops of a function.
    pub(crate) fn loops(&mut self, func: FuncId) -> Rc<Unwinding> {
        let function = &self.image.program.funcs[func];
        self.loops.entry(func).or_insert_with(|| Rc::new(Unwinding::new(function))).clone()
    }

    /// The registers that hold the address of a local of `func`.
    pub(crate) fn holders(&mut self, func: FuncId, local: Reg) -> Rc<[Reg]> {
        let function = &self.image.program.funcs[func];
        let compute = || holders(function, local).into();
        self.holders.entry((func, local)).or_insert_with(compute).clone()
    }

    /// Locals in memory that are written before they are read from the head of a loop on.
    pub(crate) fn dead_at_head(&mut self, func: FuncId, block: BlockId) -> Rc<[Reg]> {
        let program = self.image.program;
        let compute = || {
            let locals = DeadLocals::new(program, &self.image.library, &program.funcs[func]);
            locals.map(|locals| locals.dead_at(block)).unwrap_or_default().into()
        };
        self.dead_at_heads.entry((func, block)).or_insert_with(compute).clone()
    }

    /// Whether other threads must be able to come in before the instruction at which a frame stands.
    #[inline]
    pub(crate) fn is_relevant(&self, frame: &Frame) -> bool {
        self.slice.as_ref().is_none_or(|slice| slice.is_relevant(point(frame)))
    }

    /// Whether it matters where control goes after the instruction at which a frame stands.
    #[inline]
    pub(crate) fn decides(&self, frame: &Frame) -> bool {
        self.slice.as_ref().is_none_or(|slice| slice.is_in_slice(point(frame)))
    }

    /// `file:line:column` (without a column if there is none), or that it is not known.
    pub fn place(&self, loc: Loc) -> String {
        match self.image.program.files.get(loc.file) {
            Some(file) if loc.is_known() && loc.column == 0 => format!("{}:{}", file.name, loc.line),
            Some(file) if loc.is_known() => format!("{}:{}:{}", file.name, loc.line, loc.column),
            _ => "an unknown place".to_string(),
        }
    }

    pub(crate) fn uninitialised_read(&mut self, state: &State) {
        let user = state.user_frame(self.image.program);
        if let Some(frame) = user {
            self.note_fact(|| Fact::Unwritten(place(frame)));
        }
        let loc = state.user_loc(self.image.program);
        if self.uninitialised_seen.insert(loc) {
            self.uninitialised.push(loc);
        }
    }
}

/// Where a frame stands.
pub fn point(frame: &Frame) -> Point {
    Point { func: frame.func, block: frame.block, inst: frame.idx }
}

/// As [`point`], for what is noted of code.
pub(crate) fn place(frame: &Frame) -> Place {
    Place { func: frame.func, block: frame.block, inst: frame.idx as u32 }
}
