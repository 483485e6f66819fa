//! Begins and ends the lives of locals for which clang does not say when that is.
//!
//! clang marks where a local's life begins and ends, except for compound literals and for variables of blocks that are
//! jumped into or that a label stands in. A block is known from its debug information: control enters it where an
//! instruction outside is followed by one inside. There the life of its variables begins, and where control leaves it,
//! it ends; a compound literal's life begins when it is first written. A declaration that is reached again makes the
//! value unknown again.
//! Guarantee: a marker is never put where the variable is in scope and in use; too few markers are the error made.
//! Relies on: code that clang has just written for C, before any pass.
#![expect(unsafe_code, reason = "calls the LLVM C API")]

use llvm_sys::core::*;
use llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use rustc_hash::FxHashMap;
use selvedge_library::Process;

use super::{Block, Meta, MetaKind, Module, Op, Value, ValueKind};

/// What clang calls a compound literal; other allocas of that name are none of a user's.
const LITERAL: &str = ".compoundliteral";

/// Position of the scope among the operands of a variable and of a block.
const SCOPE_OF_VARIABLE: usize = 0;
const SCOPE_OF_BLOCK: usize = 1;

/// Names that clang gives to locals of its own, and that a variable could have.
const OWN_NAMES: [&str; 5] = ["retval", "tmp", "saved_stack", "coerce", "nrvo"];

/// The assumption that a read of a variable relies on of which nothing is known but its name: its declaration cannot be
/// reached.
const BYPASSED: &str = "memory.bypassed-locals";

impl<'c> Module<'c> {
    /// Adds the markers.
    pub(crate) fn begin_lives(&self) {
        for function in self.functions().filter(|function| !function.is_declaration()).collect::<Vec<_>>() {
            // Without debug information nothing is known.
            if function.subprogram(self.context()).is_some() {
                self.begin_lives_of(function);
            }
        }
    }

    fn begin_lives_of(&self, function: Value<'_>) {
        let blocks = function.blocks();
        let Some(entry) = blocks.first() else { return };
        let unmarked: Vec<Value<'_>> = entry.instructions().filter(|inst| is_unmarked(*inst)).collect();
        if unmarked.is_empty() {
            return;
        }
        let order: Vec<Value<'_>> = blocks.iter().flat_map(|block| block.instructions()).collect();
        let mut declared: FxHashMap<Value<'_>, (Value<'_>, Meta<'_>)> = FxHashMap::default();
        for inst in &order {
            for record in inst.debug_records(self.context()).into_iter().filter(|record| record.is_declare) {
                let Some(local) = record.value().filter(|local| unmarked.contains(local)) else { continue };
                // The text is the only way to tell a parameter, which is written before.
                let is_parameter = record.variable.text(Some(1)).contains("arg: ");
                if !is_parameter {
                    declared.insert(local, (*inst, record.variable));
                }
            }
        }
        let places = Places::new(self, &blocks);
        for local in unmarked {
            if let Some((place, variable)) = declared.get(&local) {
                // SAFETY: in front of an instruction that the alloca, in the entry, comes before.
                unsafe { self.marker(local, *place, true) };
                if let Some(scope) = variable.operand(SCOPE_OF_VARIABLE).filter(is_block) {
                    self.mark_scope(&places, local, scope, true);
                }
            } else if local.name().starts_with(LITERAL) {
                let Some(first) = order.iter().find(|inst| uses(**inst, local)) else { continue };
                // SAFETY: as above.
                unsafe { self.marker(local, *first, true) };
                if let Some(scope) = places.scope_of(*first).filter(is_block) {
                    self.mark_scope(&places, local, scope, false);
                }
            } else if is_variable(&local.name()) {
                let reads = local.users().filter(|user| {
                    user.kind() == ValueKind::LLVMInstructionValueKind && user.opcode() == Op::LLVMLoad
                });
                for read in reads.collect::<Vec<_>>() {
                    self.assume_at(read, BYPASSED);
                }
            }
        }
    }

    /// Lets every execution note that it relies on an assumption.
    pub(crate) fn assume_at_start(&self, entry: &str, id: &str) {
        let function = self.function(entry).filter(|function| !function.is_declaration());
        let blocks = function.map(|function| function.blocks()).unwrap_or_default();
        if let Some(first) = blocks.first().and_then(|block| block.instructions().next()) {
            self.assume_at(first, id);
        }
    }

    /// Lets an execution note that it relies on an assumption when it comes to a line of a source. A line that has no
    /// code is of a macro or of what is never called: the end of the name is all that is compared.
    pub(crate) fn assume_at_line(&self, file: &str, line: u32, id: &str) {
        let base = |name: &str| name.rsplit('/').next().unwrap_or_default().to_owned();
        let is_there = |inst: &Value<'_>| {
            let place = inst.debug_location(self.context()).and_then(|place| place.location());
            place.is_some_and(|(at, _, scope)| {
                at == line && scope.scope_file().is_some_and(|f| base(&f.file_name_and_dir().0) == base(file))
            })
        };
        for function in self.functions().filter(|function| !function.is_declaration()).collect::<Vec<_>>() {
            let blocks = function.blocks();
            let mut insts = blocks.iter().flat_map(|block| block.instructions());
            if let Some(place) = insts.find(|inst| !is_head(*inst) && is_there(inst)) {
                self.assume_at(place, id);
            }
        }
    }

    /// Lets an execution note that it relies on an assumption when it comes to `place`.
    fn assume_at(&self, place: Value<'_>, id: &str) {
        let Ok(id) = std::ffi::CString::new(id) else { return };
        // SAFETY: a call with the address of a text, in front of an instruction that is no phi node.
        unsafe {
            let context = self.context().raw();
            let builder = LLVMCreateBuilderInContext(context);
            LLVMPositionBuilderBefore(builder, place.raw());
            LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(place.raw()));
            let mut params = [LLVMPointerTypeInContext(context, 0)];
            let ty = LLVMFunctionType(LLVMVoidTypeInContext(context), params.as_mut_ptr(), 1, 0);
            let callee = self.declare(Process::Assumed.row().name(), ty);
            let mut args = [LLVMBuildGlobalString(builder, id.as_ptr(), c"".as_ptr())];
            LLVMBuildCall2(builder, ty, callee, args.as_mut_ptr(), 1, c"".as_ptr());
            LLVMDisposeBuilder(builder);
        }
    }

    /// Markers where control leaves a scope, and with `enters` where it enters it.
    fn mark_scope<'m>(&'m self, places: &Places<'m, 'c>, local: Value<'m>, scope: Meta<'m>, enters: bool) {
        let mut ends = Vec::new();
        for step in &places.steps {
            match (places.is_inside(step.from, scope), places.is_inside(step.to, scope)) {
                // SAFETY: in front of an instruction after the entry's allocas; not among phi nodes.
                (false, true) if enters => unsafe { self.marker(local, step.leaving, true) },
                (true, false) => ends.push(step.arriving),
                _ => {}
            }
        }
        ends.sort_unstable_by_key(|place| place.raw());
        ends.dedup();
        for place in ends {
            // SAFETY: as above.
            unsafe { self.marker(local, place, false) };
        }
    }

    /// # Safety
    /// `local` is an alloca of the entry, and a call can stand in front of `place`.
    unsafe fn marker(&self, local: Value<'_>, place: Value<'_>, begins: bool) {
        let name = if begins { "llvm.lifetime.start" } else { "llvm.lifetime.end" };
        // SAFETY: by the contract above; the intrinsic is overloaded on the pointer's type.
        unsafe {
            let context = self.context().raw();
            let id = LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len());
            let mut types = [LLVMTypeOf(local.raw())];
            let intrinsic = LLVMGetIntrinsicDeclaration(self.raw(), id, types.as_mut_ptr(), types.len());
            let ty = LLVMIntrinsicGetType(context, id, types.as_mut_ptr(), types.len());
            let builder = LLVMCreateBuilderInContext(context);
            LLVMPositionBuilderBefore(builder, place.raw());
            LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(place.raw()));
            let mut args = [local.raw()];
            LLVMBuildCall2(builder, ty, intrinsic, args.as_mut_ptr(), 1, c"".as_ptr());
            LLVMDisposeBuilder(builder);
        }
    }
}

/// From one instruction with a place in the source to the next.
struct Step<'m> {
    from: Value<'m>,
    to: Value<'m>,
    /// Where a marker stands that is passed on the way, and maybe on others that leave here.
    leaving: Value<'m>,
    /// The same for ways that arrive there.
    arriving: Value<'m>,
}

/// Where control goes in the source.
struct Places<'m, 'c> {
    module: &'m Module<'c>,
    steps: Vec<Step<'m>>,
}

impl<'m, 'c> Places<'m, 'c> {
    fn new(module: &'m Module<'c>, blocks: &[Block<'m>]) -> Self {
        let mut places = Places { module, steps: Vec::new() };
        for block in blocks {
            let located: Vec<Value<'m>> =
                block.instructions().filter(|inst| places.scope_of(*inst).is_some()).collect();
            for pair in located.windows(2) {
                let (from, to) = (pair[0], pair[1]);
                places.steps.push(Step { from, to, leaving: to, arriving: to });
            }
            let (Some(&from), Some(leaving)) = (located.last(), block.terminator()) else { continue };
            for next in leaving.successors() {
                let to = next.instructions().find(|inst| places.scope_of(*inst).is_some());
                let arriving = next.instructions().find(|inst| !is_head(*inst));
                if let (Some(to), Some(arriving)) = (to, arriving) {
                    places.steps.push(Step { from, to, leaving, arriving });
                }
            }
        }
        // Phi nodes stay together.
        places.steps.retain(|step| !is_head(step.leaving) && !is_head(step.arriving));
        places
    }

    /// The scope of an instruction that the source shows; code that clang adds has line 0.
    fn scope_of(&self, inst: Value<'m>) -> Option<Meta<'m>> {
        let (line, _, scope) = inst.debug_location(self.module.context())?.location()?;
        (line != 0).then_some(scope)
    }

    fn is_inside(&self, inst: Value<'m>, scope: Meta<'m>) -> bool {
        let mut at = self.scope_of(inst);
        while let Some(inner) = at {
            if inner == scope {
                return true;
            }
            at = is_block(&inner).then(|| inner.operand(SCOPE_OF_BLOCK)).flatten();
        }
        false
    }
}

fn is_block(scope: &Meta<'_>) -> bool {
    scope.is(MetaKind::LLVMDILexicalBlockMetadataKind)
        || scope.is(MetaKind::LLVMDILexicalBlockFileMetadataKind)
}

/// What stands at the beginning of a block.
fn is_head(inst: Value<'_>) -> bool {
    matches!(inst.opcode(), Op::LLVMPHI | Op::LLVMLandingPad | Op::LLVMAlloca)
}

/// A local of fixed size without a mark of its life.
fn is_unmarked(inst: Value<'_>) -> bool {
    inst.opcode() == Op::LLVMAlloca
        && inst.operand(0).kind() == ValueKind::LLVMConstantIntValueKind
        && !inst.users().any(|user| {
            user.kind() == ValueKind::LLVMInstructionValueKind
                && user.opcode() == Op::LLVMCall
                && user.callee().kind() == ValueKind::LLVMFunctionValueKind
                && user.callee().name().starts_with("llvm.lifetime.")
        })
}

/// Whether an alloca without a declaration has a name that a variable of the source can have.
fn is_variable(name: &str) -> bool {
    let is_word = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    is_word && !name.is_empty() && !name.starts_with("__vla") && !OWN_NAMES.contains(&stem)
}

fn uses(inst: Value<'_>, local: Value<'_>) -> bool {
    (0..inst.n_operands()).any(|index| inst.operand(index) == local)
}
