//! The rules by instruction: what always matters, and what an instruction of the slice depends on.

use selvedge_base::Id;
use selvedge_program::{Callee, FuncId, Inst};

use super::Slicer;
use crate::call_graph::CallKind;
use crate::layout::InstId;
use crate::object::Origin;
use selvedge_library::Action;

/// Whether a call of this model can block, end, start or order threads, end the path, or use up an input.
fn is_control(model: Action) -> bool {
    match model {
        Action::Input
        | Action::MakeSymbolic
        | Action::Assume
        | Action::Assert
        | Action::Fail
        | Action::Error
        | Action::Finding
        | Action::Exit
        | Action::Alloc { .. }
        | Action::Realloc
        | Action::AllocTo
        | Action::Free
        | Action::SetJump
        | Action::Jump
        | Action::Create
        | Action::Join
        | Action::ThreadExit
        | Action::ThreadLeaves
        | Action::Sync
        | Action::SyncRead
        | Action::KeyCreate
        | Action::SetSpecific
        | Action::Once
        | Action::SectionBegins
        | Action::SectionEnds
        | Action::Opaque => true,
        Action::Body
        | Action::Pure
        | Action::PureFallible
        | Action::LookUp
        | Action::PureTo
        | Action::Copy { .. }
        | Action::Set { .. }
        | Action::Print { .. }
        | Action::PrintList
        | Action::PutNumber { .. }
        | Action::PutString { .. }
        | Action::PutBytes { .. }
        | Action::FormatNumber
        | Action::ParseNumber
        | Action::GetSpecific
        | Action::Environment => false,
    }
}

/// Whether arguments matter for more than the call's result and what it writes.
fn needs_arguments(model: Action) -> bool {
    is_control(model) && !matches!(model, Action::Input | Action::Exit | Action::ThreadExit | Action::Fail)
}

impl Slicer<'_> {
    /// Whether the instruction is in every slice.
    pub(super) fn always_matters(&self, id: InstId) -> bool {
        match self.inputs.layout.inst(self.inputs.program, id) {
            Inst::Lifetime { start: false, .. } | Inst::StackRestore { .. } => true,
            Inst::Call { .. } => self.plain_models(id).any(is_control),
            _ => false,
        }
    }

    fn plain_models(&self, id: InstId) -> impl Iterator<Item = Action> {
        let plain = self.inputs.graph.callees(id).iter().filter(|(_, kind)| *kind == CallKind::Plain);
        plain.map(|(callee, _)| self.inputs.library.action(*callee))
    }

    /// An instruction of the slice: what decides that it is executed, and whether it fails.
    pub(super) fn follow_execution(&mut self, id: InstId) {
        self.follow_control(id);
        self.follow_life(id);
        let func = self.inputs.layout.point(id).func;
        let fails = self.inputs.fails[id.index()];
        match self.inputs.layout.inst(self.inputs.program, id) {
            Inst::Load { ptr, .. }
            | Inst::Store { ptr, .. }
            | Inst::AtomicRmw { ptr, .. }
            | Inst::CmpXchg { ptr, .. }
            | Inst::Lifetime { ptr, .. } => self.operand(func, *ptr),
            Inst::MemCopy { to, from, len, .. } => {
                [to, from, len].into_iter().for_each(|x| self.operand(func, *x));
            }
            Inst::MemSet { to, len, .. } => [to, len].into_iter().for_each(|x| self.operand(func, *x)),
            Inst::VaCopy { to, from } => {
                [to, from].into_iter().for_each(|x| self.operand(func, *x));
                self.want_reads(id);
            }
            Inst::VaStart { list } | Inst::VaEnd { list } | Inst::VaArg { list, .. } => {
                self.operand(func, *list);
                self.want_reads(id);
            }
            Inst::Alloca { count, .. } => self.operand(func, *count),
            Inst::StackRestore { mark } => self.operand(func, *mark),
            Inst::Branch { cond, .. } => self.operand(func, *cond),
            Inst::Switch { value, .. } => self.operand(func, *value),
            Inst::IndirectJump { addr, .. } => self.operand(func, *addr),
            Inst::Bin { a, b, .. } if fails => [a, b].into_iter().for_each(|x| self.operand(func, *x)),
            Inst::Intrinsic { args, .. } if fails => args.iter().for_each(|x| self.operand(func, *x)),
            Inst::Call { callee, args, .. } => {
                if let Callee::Indirect(target) = callee {
                    self.operand(func, *target);
                }
                let by_value = args.iter().filter(|a| a.byval.is_some());
                by_value.for_each(|a| self.operand(func, a.value));
                let needs_all =
                    self.plain_models(id).any(|m| needs_arguments(m) || (fails && m != Action::Body));
                if needs_all {
                    // What a thread is given matters if its function says so.
                    let is_create = self.plain_models(id).all(|m| m == Action::Create);
                    let n = if is_create { 3 } else { args.len() };
                    args.iter().take(n).for_each(|a| self.operand(func, a.value));
                    self.want_reads(id);
                    if self.plain_models(id).any(|m| matches!(m, Action::GetSpecific | Action::SetSpecific)) {
                        self.want_keys();
                    }
                }
            }
            _ => {}
        }
    }

    /// What the instruction reads, writes or returns matters.
    pub(super) fn follow_value(&mut self, id: InstId) {
        let func = self.inputs.layout.point(id).func;
        self.want_reads(id);
        match self.inputs.layout.inst(self.inputs.program, id) {
            Inst::Store { value, .. } | Inst::AtomicRmw { value, .. } => self.operand(func, *value),
            Inst::CmpXchg { expected, new, .. } => {
                [expected, new].into_iter().for_each(|x| self.operand(func, *x));
            }
            Inst::MemSet { byte, .. } => self.operand(func, *byte),
            Inst::VaStart { .. } => self.follow_varargs(func),
            Inst::Call { args, .. } => {
                // Copies made for a callee are its business; what a model writes depends on all arguments.
                if self.plain_models(id).any(|m| m != Action::Body) {
                    args.iter().for_each(|a| self.operand(func, a.value));
                }
                if self.plain_models(id).any(|m| m == Action::Join) {
                    self.want_results();
                }
                if self.plain_models(id).any(|m| m == Action::GetSpecific) {
                    self.want_keys();
                }
            }
            _ => {}
        }
    }

    /// A register that an instruction assigns matters.
    pub(super) fn follow_result(&mut self, id: InstId, reg: usize) {
        let func = self.inputs.layout.point(id).func;
        let inst = self.inputs.layout.inst(self.inputs.program, id);
        match inst {
            Inst::Load { .. } | Inst::AtomicRmw { .. } | Inst::CmpXchg { .. } | Inst::VaArg { .. } => {
                self.value(id)
            }
            Inst::Call { dsts, .. } => {
                let position = dsts.iter().position(|d| self.inputs.layout.reg(func, *d) == reg).unwrap_or(0);
                self.execute(id);
                for &(callee, kind) in self.inputs.graph.callees(id) {
                    if kind == CallKind::Plain && self.inputs.program.funcs[callee].is_defined() {
                        self.follow_returns(callee, Some(position));
                    }
                }
                if self.plain_models(id).any(|m| m != Action::Body) {
                    self.value(id);
                }
            }
            // Pure: it is executed whenever its result is used.
            pure => pure.for_each_operand(|x| self.operand(func, *x)),
        }
    }

    /// Which return a function comes to, and with `position` the result there, matters.
    fn follow_returns(&mut self, func: FuncId, position: Option<usize>) {
        if position.is_none() && std::mem::replace(&mut self.left[func.index()], true) {
            return;
        }
        for (block, body) in self.inputs.program.funcs[func].blocks.enumerate() {
            if let Some(Inst::Return { values }) = body.terminator() {
                self.terminator(func, block);
                if let Some(value) = position.and_then(|i| values.get(i)) {
                    self.operand(func, *value);
                }
            }
        }
    }

    /// Results of threads are read.
    fn want_results(&mut self) {
        if std::mem::replace(&mut self.results_matter, true) {
            return;
        }
        for func in self.inputs.program.funcs.ids() {
            let is_thread = self.inputs.graph.callers(func).iter().any(|(_, kind)| *kind == CallKind::Thread);
            if is_thread {
                self.follow_returns(func, Some(0));
            }
        }
        for id in self.thread_ends.clone() {
            let func = self.inputs.layout.point(id).func;
            if let Inst::Call { args, .. } = self.inputs.layout.inst(self.inputs.program, id) {
                args.iter().for_each(|a| self.operand(func, a.value));
            }
        }
    }

    /// The parameter of a function matters.
    pub(super) fn follow_param(&mut self, func: FuncId, position: usize) {
        for &(site, kind) in self.inputs.graph.callers(func) {
            let caller = self.inputs.layout.point(site).func;
            self.execute(site);
            let inst = self.inputs.layout.inst(self.inputs.program, site);
            match (kind, inst) {
                (CallKind::Plain, Inst::Call { args, .. }) => {
                    if let Some(arg) = args.get(position) {
                        self.operand(caller, arg.value);
                    }
                }
                (CallKind::Thread, Inst::Call { args, .. }) => {
                    if let Some(arg) = args.get(3) {
                        self.operand(caller, arg.value);
                    }
                }
                (CallKind::Destructor, _) => self.want_keys(),
                (_, inst) => inst.for_each_operand(|x| self.operand(caller, *x)),
            }
        }
    }

    fn follow_varargs(&mut self, func: FuncId) {
        let n_params = self.inputs.program.funcs[func].params.len();
        for &(site, _) in self.inputs.graph.callers(func) {
            let caller = self.inputs.layout.point(site).func;
            self.execute(site);
            if let Inst::Call { args, .. } = self.inputs.layout.inst(self.inputs.program, site) {
                for arg in args.iter().skip(n_params) {
                    self.operand(caller, arg.value);
                    if arg.byval.is_some() {
                        self.value(site);
                    }
                }
            }
        }
    }

    /// An access to a local of a function that another thread may be in depends on when that function ends.
    fn follow_life(&mut self, id: InstId) {
        let Some(effect) = self.inputs.effects.of(id) else { return };
        for touched in effect.reads.iter().chain(&*effect.writes) {
            if !self.inputs.sharing.may_die_in_use(touched.object) {
                continue;
            }
            if let Origin::Local(site) | Origin::Copied(site, _) = self.origin(touched.object) {
                let func = self.inputs.layout.point(site).func;
                self.follow_returns(func, None);
                self.execute(site);
            }
        }
    }

    /// Whether it matters when, among the steps of other threads, the instruction happens.
    pub(super) fn is_noticed(&self, id: InstId) -> bool {
        let inst = self.inputs.layout.inst(self.inputs.program, id);
        let at = self.inputs.layout.point(id);
        if !self.inputs.graph.is_reachable(at.func) {
            return true;
        }
        if let Inst::Call { .. } = inst
            && self.plain_models(id).any(is_control)
        {
            return true;
        }
        if let Inst::Return { .. } = inst {
            return self.has_shared_locals(at.func);
        }
        if matches!(inst, Inst::StackRestore { .. }) {
            return true;
        }
        let Some(effect) = self.inputs.effects.of(id) else { return false };
        // A copy of symbolic length is a loop of the run-time, and with a known length one instruction: an execution and
        // its replay must have the same steps.
        let (callees, callers) = (self.inputs.graph.callees(id), self.inputs.graph.callers(at.func));
        let mut kinds = callees.iter().map(|(_, kind)| kind).chain(callers.iter().map(|(_, kind)| kind));
        if kinds.any(|kind| *kind == CallKind::Runtime) {
            return true;
        }
        let may_die = |o: &crate::object::ObjectId| self.inputs.sharing.may_die_in_use(*o);
        let (is_contended, is_endless) = (self.inputs.contended[id.index()], self.inputs.endless[id.index()]);
        (self.valued[id.index()] && is_contended)
            || (is_endless && !effect.reads.is_empty())
            || effect.reads.iter().chain(&*effect.writes).any(|t| may_die(&t.object))
            || effect.ends.iter().any(may_die)
    }

    fn has_shared_locals(&self, func: FuncId) -> bool {
        self.shared_locals[func.index()]
    }
}
