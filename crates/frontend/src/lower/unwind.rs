//! Exceptions of C++: made into ordinary control flow.
//!
//! A function that throws returns, and leaves the exception in a variable of its thread; the run-time
//! (`runtime/exceptions.c`) has it. After each call that may end so, a call of `__selvedge_landing` asks whether it did,
//! and whether the landing pad of the call is to be entered; if not, this function returns as well.
//! So every later layer sees branches and returns, and needs to know nothing of exceptions.
//!
//! As in the C++ ABI of Itanium the run-time looks for a handler before anything is left. To do so the engine walks up
//! the stack and reads the arguments of the calls of `__selvedge_landing` that follow the calls under way
//! (`exec/src/models/unwind.rs`).
//! Guarantee: that a call is not followed by one is never trusted. The walk then ends in `unknown`.

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_library::{Cancel, Known, Unwind, Written, classify};
use selvedge_program::{Arg, BlockId, Callee, Edge, FuncId, Inst, Operand, Ty};
use smallvec::smallvec;

use super::Lowerer;
use super::function::FnLowerer;
use crate::llvm::{Block, Clause, Module, Op, Value, ValueKind};

/// What `__selvedge_landing` says if no exception is on its way, and if it goes on to the caller.
const NONE: u64 = u32::MAX as u64;
const PASSES: u64 = NONE - 1;

/// Functions of the engine. What calls them, in the run-time, ends with an exception, or with the end of its thread,
/// which destroys what the thread's functions have as an exception does.
const RAISES: [Unwind; 2] = [Unwind::FindHandler, Unwind::Leaves];
/// Functions of the run-time that lowered code calls, and the engine.
pub(crate) const ENTRIES: [Written; 4] = [Written::Landing, Written::Land, Written::Resume, Written::Leave];

/// Which calls may end with an exception.
pub(super) struct Unwinding<'m> {
    /// The functions that an exception may leave.
    functions: FxHashSet<Value<'m>>,
    /// The address of one of them is taken.
    by_pointer: bool,
    /// Threads may be cancelled, in any function without a body.
    can_cancel: bool,
    /// The numbers of types that are caught, 1 and above.
    types: FxHashMap<Value<'m>, u32>,
}

impl<'m> Unwinding<'m> {
    pub(super) fn new(module: &'m Module<'m>) -> Self {
        let is_linked =
            module.function(Written::Landing.row().name()).is_some_and(|function| !function.is_declaration());
        let mut found = Unwinding {
            functions: RAISES
                .iter()
                .filter_map(|raises| module.function(raises.row().name()))
                .flat_map(callers)
                .collect(),
            by_pointer: false,
            can_cancel: is_linked && module.function(Cancel::Request.row().name()).is_some(),
            types: FxHashMap::default(),
        };
        if !is_linked {
            return found;
        }
        let mut calls = Vec::new();
        for function in module.functions().filter(|function| !function.is_declaration()) {
            let instructions = function.blocks().into_iter().flat_map(|block| block.instructions());
            calls.extend(instructions.filter(|inst| is_call(*inst)).map(|inst| (function, inst)));
        }
        loop {
            let before = (found.functions.len(), found.by_pointer);
            for &(function, call) in &calls {
                if !found.functions.contains(&function) && found.may_unwind(call) && !is_held(call) {
                    found.functions.insert(function);
                }
            }
            found.by_pointer = found.functions.iter().any(|function| is_address_taken(*function));
            if before == (found.functions.len(), found.by_pointer) {
                return found;
            }
        }
    }

    /// Whether a call may end with an exception.
    pub(super) fn may_unwind(&self, call: Value<'m>) -> bool {
        let mut callee = call.callee();
        while callee.kind() == ValueKind::LLVMGlobalAliasValueKind {
            callee = callee.aliasee();
        }
        match callee.kind() {
            ValueKind::LLVMFunctionValueKind if callee.is_declaration() => {
                let name = callee.name();
                self.can_cancel
                    && !name.starts_with("llvm.")
                    && !matches!(classify(&name), Some(Known::Unwind(_)))
            }
            ValueKind::LLVMFunctionValueKind => self.functions.contains(&callee),
            ValueKind::LLVMInlineAsmValueKind => false,
            _ => self.by_pointer,
        }
    }

    /// The number that a landing pad gives for this type.
    pub(super) fn type_number(&mut self, ty: Value<'m>) -> u32 {
        let next = self.types.len() as u32 + 1;
        *self.types.entry(ty).or_insert(next)
    }
}

fn is_call(inst: Value<'_>) -> bool {
    matches!(inst.opcode(), Op::LLVMCall | Op::LLVMInvoke)
}

fn callers(function: Value<'_>) -> impl Iterator<Item = Value<'_>> {
    let is_instruction = |user: &Value<'_>| user.kind() == ValueKind::LLVMInstructionValueKind;
    function.users().filter(is_instruction).map(|user| user.block().function())
}

/// Whether an exception that the call ends with stays in the function, unless its code throws again.
fn is_held(call: Value<'_>) -> bool {
    let pad = call.opcode() == Op::LLVMInvoke;
    let pad = pad.then(|| call.successors()[1].landing_pad()).flatten();
    // What is done for a cleanup ends in a `resume`, unless it does not end at all.
    pad.is_some_and(|pad| !pad.is_cleanup() && pad.clauses().iter().any(is_catch_all))
}

fn is_catch_all(clause: &Clause<'_>) -> bool {
    matches!(clause, Clause::Catch(ty) if ty.kind() == ValueKind::LLVMConstantPointerNullValueKind)
}

fn is_address_taken(function: Value<'_>) -> bool {
    function.users().any(|user| {
        let is_callee = user.kind() == ValueKind::LLVMInstructionValueKind
            && is_call(user)
            && user.callee() == function
            && !user.call_args().contains(&function);
        !is_callee
    })
}

impl<'m> Lowerer<'m> {
    fn unwinding_function(&self, entry: Written) -> Result<FuncId, String> {
        let name = entry.row().name();
        let found = self.program.func_named(name).filter(|id| self.program.funcs[*id].is_runtime);
        found.ok_or_else(|| format!("an exception, without `{name}` of the run-time"))
    }
}

impl<'m> FnLowerer<'_, 'm> {
    /// After a call without a landing pad: leaves the function if the call ended with an exception.
    pub(super) fn pass_on(&mut self) -> Result<(), String> {
        let selector = self.ask_for_landing(None)?;
        let here = self.block;
        let next = self.start_new_block();
        self.block = here;
        let passes = self.leaving_edge();
        let cases = Box::new([(NONE, Edge { target: next, args: Box::default() })]);
        self.emit(Inst::Switch { value: selector, width: 32, cases, default: passes });
        self.block = next;
        Ok(())
    }

    /// After the call of an `invoke`.
    pub(super) fn land_or_go_on(&mut self, from: Block<'m>, invoke: Value<'m>) -> Result<(), String> {
        let normal = self.edge(from, invoke.successors()[0])?;
        if !self.lowerer.unwinding.may_unwind(invoke) {
            self.emit(Inst::Jump { edge: normal });
            return Ok(());
        }
        let to = invoke.successors()[1];
        let pad = to.landing_pad().ok_or("an exception without a landing pad")?;
        let selector = self.ask_for_landing(Some(pad))?;
        let mut landing = self.edge(from, to)?;
        landing.args = landing.args.iter().copied().chain([selector]).collect();
        let passes = self.leaving_edge();
        let cases = Box::new([(NONE, normal), (PASSES, passes)]);
        self.emit(Inst::Switch { value: selector, width: 32, cases, default: landing });
        Ok(())
    }

    /// Calls `__selvedge_landing` with what the landing pad catches: a number and a type for each clause, and 0.
    fn ask_for_landing(&mut self, pad: Option<Value<'m>>) -> Result<Operand, String> {
        let landing = self.lowerer.unwinding_function(Written::Landing)?;
        let int = |lowering: &mut Self, n: u32| Arg {
            value: lowering.int(32, u64::from(n)),
            ty: Ty::Int(32),
            byval: None,
        };
        let is_cleanup = pad.is_some_and(Value::is_cleanup);
        let mut args = vec![int(self, u32::from(is_cleanup))];
        for clause in pad.map(Value::clauses).unwrap_or_default() {
            let Clause::Catch(ty) = clause else { return Err("an exception specification".to_owned()) };
            let number = self.lowerer.unwinding.type_number(ty);
            args.push(int(self, number));
            args.push(Arg { value: self.operand(ty)?, ty: Ty::Ptr, byval: None });
        }
        args.push(int(self, 0));
        let dst = self.new_reg(Ty::Int(32));
        self.emit(Inst::Call { dsts: [dst].into(), callee: Callee::Direct(landing), args: args.into() });
        Ok(Operand::Reg(dst))
    }

    /// Takes the exception that has arrived at a landing pad; its number is the block's last parameter.
    pub(super) fn landing_pad(&mut self, pad: Value<'m>) -> Result<(), String> {
        let land = self.lowerer.unwinding_function(Written::Land)?;
        let selector = self.func.blocks[self.block].params.last().copied();
        let selector = selector.ok_or("a landing pad that nothing leads to")?;
        let dst = self.new_reg(Ty::Ptr);
        self.emit(Inst::Call { dsts: [dst].into(), callee: Callee::Direct(land), args: Box::default() });
        self.bind(pad, smallvec![Operand::Reg(dst), Operand::Reg(selector)]);
        Ok(())
    }

    /// The exception goes on its way to the caller.
    pub(super) fn resume(&mut self, inst: Value<'m>) -> Result<(), String> {
        let resume = self.lowerer.unwinding_function(Written::Resume)?;
        let exception = self.operands(inst.operand(0))?;
        let exception = *exception.first().ok_or("an exception without a value")?;
        let args = [Arg { value: exception, ty: Ty::Ptr, byval: None }].into();
        self.emit(Inst::Call { dsts: Box::default(), callee: Callee::Direct(resume), args });
        let leave = self.leaving_edge();
        self.emit(Inst::Jump { edge: leave });
        Ok(())
    }

    /// To the block that returns because of an exception. Nobody looks at the result.
    fn leaving_edge(&mut self) -> Edge {
        let target = match self.leaving {
            Some(block) => block,
            None => {
                let here = self.block;
                let block: BlockId = self.start_new_block();
                let tys = self.func.ret.clone();
                let values = tys.into_iter().map(|ty| Operand::Const(self.lowerer.zero(ty))).collect();
                self.emit(Inst::Return { values });
                self.block = here;
                self.leaving = Some(block);
                block
            }
        };
        Edge { target, args: Box::default() }
    }
}
