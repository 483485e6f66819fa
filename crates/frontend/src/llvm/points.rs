//! Points: calls of `__selvedge_point` before everything that another thread could notice.
//!
//! Which accesses are visible is decided while the program runs, so all of them get a point. The engine and a
//! native build execute the same instrumented code; the `k`-th point that a thread passes is the same in both.
//! Guarantees: nothing but the calls is added, after all passes, so the program does what it did without.
//! Relies on: the same functions in the same order in both builds (`functions`, taken before the run-time
//! is linked).
#![expect(unsafe_code, reason = "calls the LLVM C API")]

use llvm_sys::LLVMTailCallKind;
use llvm_sys::core::*;
use llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use llvm_sys::prelude::*;
use selvedge_library::{Known, Point as Mark, classify};

use super::{Module, Op, Value, ValueKind};

/// Intrinsics that touch memory.
const TOUCHING: [&str; 5] = ["llvm.memcpy", "llvm.memmove", "llvm.memset", "llvm.lifetime", "llvm.va_"];
/// Numbers of points: the function in the upper half, the position in it in the lower one.
const POSITION_BITS: usize = 16;

/// A point and where it is in the source.
pub(crate) struct Point {
    pub(crate) site: u32,
    /// `file:line:column`, empty if unknown.
    pub(crate) place: String,
    /// What is done there: `load`, ``call of `free` ``.
    pub(crate) operation: String,
}

impl<'c> Module<'c> {
    /// The names of the functions that are defined now.
    pub(crate) fn defined_functions(&self) -> Vec<String> {
        self.functions().filter(|f| !f.is_declaration()).map(Value::name).collect()
    }

    /// Adds points to `functions`, as far as they are still there.
    pub(crate) fn add_points(&self, functions: &[String]) -> Vec<Point> {
        let mut points = Vec::new();
        let adder = Adder::new(self);
        for (index, name) in functions.iter().enumerate() {
            let Some(function) = self.function(name).filter(|f| !f.is_declaration()) else { continue };
            adder.instrument(function, index, &mut points);
        }
        points
    }

    /// Keeps reads whose value nobody uses: what fails there must fail in an executable, too.
    pub(crate) fn keep_reads(&self) {
        let functions = self.functions().filter(|f| !f.is_declaration());
        let insts = functions.flat_map(|f| f.blocks()).flat_map(|block| block.instructions());
        for load in insts.filter(|inst| inst.opcode() == Op::LLVMLoad) {
            // SAFETY: a load.
            unsafe { LLVMSetVolatile(load.raw(), 1) };
        }
    }

    /// Keeps divisions whose result nobody uses, by storing what they give.
    pub(crate) fn keep_divisions(&self) {
        const DIVISIONS: [Op; 4] = [Op::LLVMSDiv, Op::LLVMUDiv, Op::LLVMSRem, Op::LLVMURem];
        let adder = Adder::new(self);
        for function in self.functions().filter(|f| !f.is_declaration()) {
            let blocks = function.blocks();
            let Some(first) = blocks.first().and_then(|block| block.instructions().next()) else { continue };
            let insts = blocks.iter().flat_map(|block| block.instructions());
            let divisions: Vec<_> = insts.filter(|inst| DIVISIONS.contains(&inst.opcode())).collect();
            for division in divisions {
                // SAFETY: an instruction that gives a value is never the last of its block, and the first one of an
                // entry block is no phi.
                unsafe {
                    LLVMPositionBuilderBefore(adder.builder, first.raw());
                    let place = LLVMBuildAlloca(adder.builder, LLVMTypeOf(division.raw()), c"".as_ptr());
                    LLVMPositionBuilderBefore(adder.builder, LLVMGetNextInstruction(division.raw()));
                    let store = LLVMBuildStore(adder.builder, division.raw(), place);
                    LLVMSetVolatile(store, 1);
                }
            }
        }
    }

    /// A function of this name and type without a body, made if it is not there.
    pub(super) fn declare(&self, name: &str, ty: LLVMTypeRef) -> LLVMValueRef {
        // SAFETY: a type of this module's context; pointer and length of a string.
        unsafe {
            match self.function(name) {
                Some(function) => function.raw(),
                None => LLVMGetOrInsertFunction(self.raw(), name.as_ptr().cast(), name.len(), ty),
            }
        }
    }
}

struct Adder<'m, 'c> {
    module: &'m Module<'c>,
    builder: LLVMBuilderRef,
    point: LLVMValueRef,
    point_ty: LLVMTypeRef,
    plain_ty: LLVMTypeRef,
}

impl<'m, 'c> Adder<'m, 'c> {
    fn new(module: &'m Module<'c>) -> Self {
        // SAFETY: types and a builder of the module's context.
        unsafe {
            let context = module.context().raw();
            let void = LLVMVoidTypeInContext(context);
            let mut params = [LLVMInt32TypeInContext(context)];
            let point_ty = LLVMFunctionType(void, params.as_mut_ptr(), 1, 0);
            let plain_ty = LLVMFunctionType(void, std::ptr::null_mut(), 0, 0);
            let point = module.declare(Mark::Pass.row().name(), point_ty);
            Adder { module, builder: LLVMCreateBuilderInContext(context), point, point_ty, plain_ty }
        }
    }

    fn instrument(&self, function: Value<'m>, index: usize, points: &mut Vec<Point>) {
        let is_atomic = classify(&function.name()).is_some_and(Known::is_atomic);
        let visible: Vec<Value<'m>> = function
            .blocks()
            .into_iter()
            .flat_map(|b| b.instructions().filter(|i| needs_point(*i)))
            .collect();
        let first = function.blocks().first().and_then(|block| block.instructions().next());
        for (position, inst) in visible.into_iter().enumerate() {
            let site = (index << POSITION_BITS | position.min((1 << POSITION_BITS) - 1)) as u32;
            points.push(Point { site, place: self.place(inst), operation: operation(inst) });
            // SAFETY: the callee takes one 32-bit number.
            unsafe {
                let number =
                    LLVMConstInt(LLVMInt32TypeInContext(self.module.context().raw()), site.into(), 0);
                self.call_before(inst, self.point_ty, self.point, &mut [number]);
            }
            if is_atomic && inst.opcode() == Op::LLVMRet {
                let leave = self.module.declare(Mark::Leave.row().name(), self.plain_ty);
                // SAFETY: the callee takes nothing.
                unsafe { self.call_before(inst, self.plain_ty, leave, &mut []) };
            }
        }
        if let Some(first) = first.filter(|_| is_atomic) {
            // Before the point of the first instruction, if it has one.
            let place = function.blocks().first().and_then(|b| b.instructions().next()).unwrap_or(first);
            let enter = self.module.declare(Mark::Enter.row().name(), self.plain_ty);
            // SAFETY: the callee takes nothing; the first instruction of an entry block is no phi.
            unsafe { self.call_before(place, self.plain_ty, enter, &mut []) };
        }
    }

    /// # Safety
    /// `args` must fit `ty`, the type of `callee`; `inst` must not be a phi.
    unsafe fn call_before(
        &self,
        inst: Value<'m>,
        ty: LLVMTypeRef,
        callee: LLVMValueRef,
        args: &mut [LLVMValueRef],
    ) {
        // SAFETY: by the contract above; a null location is allowed.
        unsafe {
            LLVMPositionBuilderBefore(self.builder, inst.raw());
            LLVMSetCurrentDebugLocation2(self.builder, LLVMInstructionGetDebugLoc(inst.raw()));
            LLVMBuildCall2(self.builder, ty, callee, args.as_mut_ptr(), args.len() as u32, c"".as_ptr());
        }
    }

    fn place(&self, inst: Value<'m>) -> String {
        let location = inst.debug_location(self.module.context()).and_then(|l| l.location());
        let Some((line, column, scope)) = location else { return String::new() };
        let file = scope.scope_file().map(|f| f.file_name_and_dir().0).unwrap_or_default();
        format!("{file}:{line}:{column}")
    }
}

impl Drop for Adder<'_, '_> {
    fn drop(&mut self) {
        // SAFETY: ours.
        unsafe { LLVMDisposeBuilder(self.builder) }
    }
}

/// Whether another thread could notice the instruction.
fn needs_point(inst: Value<'_>) -> bool {
    match inst.opcode() {
        Op::LLVMLoad | Op::LLVMStore | Op::LLVMAtomicRMW | Op::LLVMAtomicCmpXchg | Op::LLVMVAArg => true,
        // The end of a function ends the lives of its locals. Nothing may stand between a `musttail` call and it.
        Op::LLVMRet => !follows_must_tail(inst),
        Op::LLVMCall | Op::LLVMInvoke | Op::LLVMCallBr => {
            let callee = inst.callee();
            let is_function = callee.kind() == ValueKind::LLVMFunctionValueKind;
            let name = if is_function { callee.name() } else { String::new() };
            !name.starts_with("llvm.") || TOUCHING.iter().any(|prefix| name.starts_with(prefix))
        }
        _ => false,
    }
}

/// What an instruction with a point does, for a person.
fn operation(inst: Value<'_>) -> String {
    match inst.opcode() {
        Op::LLVMLoad => "load".to_owned(),
        Op::LLVMStore => "store".to_owned(),
        Op::LLVMAtomicRMW | Op::LLVMAtomicCmpXchg => "atomic update".to_owned(),
        Op::LLVMVAArg => "variable argument".to_owned(),
        Op::LLVMRet => "return".to_owned(),
        _ if inst.callee().kind() != ValueKind::LLVMFunctionValueKind => "call through a pointer".to_owned(),
        _ => match inst.callee().name() {
            name if name.starts_with("llvm.memcpy") || name.starts_with("llvm.memmove") => "copy".to_owned(),
            name if name.starts_with("llvm.memset") => "fill".to_owned(),
            name if name.starts_with("llvm.lifetime") => "scope of a variable".to_owned(),
            name => format!("call of `{name}`"),
        },
    }
}

fn follows_must_tail(inst: Value<'_>) -> bool {
    let before = inst.block().instructions().take_while(|i| *i != inst).last();
    before.filter(|i| i.opcode() == Op::LLVMCall).is_some_and(|call| {
        // SAFETY: a call.
        let kind = unsafe { LLVMGetTailCallKind(call.raw()) };
        kind == LLVMTailCallKind::LLVMTailCallKindMustTail
    })
}
