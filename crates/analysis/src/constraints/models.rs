//! Constraints of library functions.

use selvedge_program::{Inst, Operand};

use super::{Builder, Passed, Site};
use crate::call_graph::CallKind;
use crate::layout::InstId;
use crate::object::Origin;
use crate::points_to::{Flow, Node};
use selvedge_library::{Action, Written};

impl Builder<'_> {
    /// A call of a function without a body.
    pub(super) fn model(&mut self, id: InstId, model: Action, args: &[Passed], dsts: &[Node]) {
        let arg = |i: u8| args.get(usize::from(i)).and_then(|a| a.node);
        let dst = dsts.first().copied();
        let ptr_bytes = self.program.ptr_bytes();
        match model {
            Action::Alloc { size } => {
                let known = size.iter().flatten().try_fold(1u64, |product, i| {
                    product.checked_mul(u64::try_from(self.argument(id, usize::from(*i))?).ok()?)
                });
                if let Some(dst) = dst {
                    self.allocate(id, dst, known);
                }
            }
            Action::Realloc => {
                let Some(dst) = dst else { return };
                self.allocate(id, dst, None);
                if let Some(old) = arg(0) {
                    self.solver.transfer(dst, old, None);
                }
            }
            Action::AllocTo => {
                let made = self.solver.node();
                self.allocate(id, made, None);
                if let Some(to) = arg(0) {
                    self.solver.flow(to, Flow::Store(made, ptr_bytes));
                }
            }
            Action::Copy { to, from, len, is_end, .. } => {
                let len = self.argument(id, usize::from(len)).map(|n| n as u64);
                if let (Some(to), Some(from)) = (arg(to), arg(from)) {
                    self.solver.transfer(to, from, len);
                }
                if let (Some(dst), Some(to)) = (dst, arg(to)) {
                    self.solver.flow(to, if is_end { Flow::Smeared(dst) } else { Flow::To(dst) });
                }
                if len.is_none() {
                    let order = if arg(0).is_some() && to == 1 { [1, 0, 2] } else { [0, 1, 2] };
                    for called in [Written::MemcpyLoop, Written::MemmoveLoop] {
                        self.runtime_loop(id, called, args, order);
                    }
                }
            }
            Action::Set { len } => {
                if let (Some(dst), Some(to)) = (dst, arg(0)) {
                    self.solver.flow(to, Flow::To(dst));
                }
                if self.argument(id, usize::from(len)).is_none() {
                    self.runtime_loop(id, Written::MemsetLoop, args, [0, 1, 2]);
                }
            }
            Action::ParseNumber => {
                if let (Some(text), Some(end)) = (arg(0), arg(1)) {
                    let inside = self.solver.node();
                    self.solver.flow(text, Flow::Smeared(inside));
                    self.solver.flow(end, Flow::Store(inside, ptr_bytes));
                }
            }
            Action::Create => self.callback(id, 2, CallKind::Thread, args.get(3).copied()),
            Action::Once => self.callback(id, 1, CallKind::Callback, None),
            Action::KeyCreate => {
                let value = Passed { node: Some(self.key_values), byval: None };
                self.callback(id, 1, CallKind::Destructor, Some(value));
            }
            Action::SetSpecific => {
                if let Some(value) = arg(1) {
                    self.solver.flow(value, Flow::To(self.key_values));
                }
            }
            Action::GetSpecific => {
                if let Some(dst) = dst {
                    self.solver.flow(self.key_values, Flow::To(dst));
                }
            }
            Action::ThreadExit | Action::ThreadLeaves => {
                if let Some(value) = arg(0) {
                    self.solver.flow(value, Flow::To(self.thread_results));
                }
            }
            Action::Join => {
                if let Some(out) = arg(1) {
                    self.solver.flow(out, Flow::Store(self.thread_results, ptr_bytes));
                }
            }
            Action::Environment => {
                let arguments = self.arguments();
                if let Some(dst) = dst {
                    self.solver.add(dst, arguments);
                }
            }
            // Numbers only.
            Action::Body
            | Action::Input
            | Action::MakeSymbolic
            | Action::Pure
            | Action::PureFallible
            | Action::LookUp
            | Action::PureTo
            | Action::Assume
            | Action::Assert
            | Action::Fail
            | Action::Error
            | Action::Finding
            | Action::Exit
            | Action::Free
            | Action::Print { .. }
            | Action::PrintList
            | Action::PutNumber { .. }
            | Action::PutString { .. }
            | Action::PutBytes { .. }
            | Action::FormatNumber
            | Action::SetJump
            | Action::Jump
            | Action::Sync
            | Action::SyncRead
            | Action::SectionBegins
            | Action::SectionEnds
            | Action::Opaque => {}
        }
    }

    fn allocate(&mut self, id: InstId, dst: Node, size: Option<u64>) {
        let object = self.solver.object(Origin::Heap(id), size);
        let place = self.solver.place(object, 0);
        self.solver.add(dst, place);
    }

    /// A constant argument of the call.
    fn argument(&self, id: InstId, index: usize) -> Option<i64> {
        match self.layout.inst(self.program, id) {
            Inst::Call { args, .. } => crate::defs::constant(self.program, args.get(index)?.value),
            _ => None,
        }
    }

    /// The function in an argument is called with another argument.
    fn callback(&mut self, id: InstId, function: usize, kind: CallKind, value: Option<Passed>) {
        let func = self.layout.point(id).func;
        let Inst::Call { args, .. } = self.layout.inst(self.program, id) else { return };
        let Some(target) = args.get(function).map(|a| a.value) else { return };
        let site = Site { inst: id, kind, args: value.into_iter().collect(), dsts: Vec::new() };
        let is_constant = matches!(target, Operand::Const(_));
        self.indirect(func, target, site);
        if is_constant {
            self.graph.indirect.remove(&id);
        }
    }

    /// A copy of symbolic length is a loop of the C run-time.
    fn runtime_loop(&mut self, id: InstId, called: Written, args: &[Passed], order: [usize; 3]) {
        let Some(target) = self.library.find(called) else { return };
        let args = order.iter().filter_map(|i| args.get(*i).copied()).collect();
        self.sites.push(Site { inst: id, kind: CallKind::Runtime, args, dsts: Vec::new() });
        self.connect(self.sites.len() - 1, target);
    }
}
