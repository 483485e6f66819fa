//! Straightens the ways out of scopes, before `mem2reg`.
//!
//! Where a scope has locals whose life ends, clang sends all ways out of it (falling through,
//! `return`, `break`) through one block that ends those lives, and remembers in a slot where to go on.
//! After `mem2reg` that is a switch on a number that each path knows, and the function's result
//! seems to travel through every loop. Here each such block is copied for each number, and every path
//! goes through its own copy.
//! Guarantees: the same instructions are executed in the same order; only the slot is gone.
//! Relies on: code as clang emits it, where values that cross blocks live in allocas; a block that
//! does not fit is left alone.
#![expect(unsafe_code, reason = "calls the LLVM C API")]

use llvm_sys::core::*;
use llvm_sys::debuginfo::{LLVMInstructionGetDebugLoc, LLVMInstructionSetDebugLoc};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Block, Module, Op, Value, ValueKind};

/// A block with more instructions is not worth a copy. clang makes them of a few markers and calls.
const MAX_COPIED: usize = 64;

impl<'c> Module<'c> {
    /// Straightens all functions.
    pub(crate) fn thread_cleanups(&self) {
        for function in self.functions().filter(|function| !function.is_declaration()) {
            let Some(&entry) = function.blocks().first() else { continue };
            let slots: Vec<Value<'_>> = entry.instructions().filter(|inst| is_slot(*inst)).collect();
            if slots.is_empty() {
                continue;
            }
            // What the source switches on stays as the source has it.
            let variables = self.declared_variables(function);
            for slot in slots.into_iter().filter(|slot| !variables.contains(slot)) {
                let (known, copies) = (FxHashMap::default(), FxHashMap::default());
                Threading { module: self, slot, known, copies, copied: Vec::new() }.run();
            }
        }
    }

    /// The allocas that hold variables of the source.
    pub(super) fn declared_variables<'m>(&'m self, function: Value<'m>) -> FxHashSet<Value<'m>> {
        let instructions = function.blocks().into_iter().flat_map(|block| block.instructions());
        let records = instructions.flat_map(|inst| inst.debug_records(self.context()));
        records.filter(|record| record.is_declare).filter_map(|record| record.value()).collect()
    }
}

struct Threading<'m, 'c> {
    module: &'m Module<'c>,
    slot: Value<'m>,
    /// What the slot holds at the end of a block.
    known: FxHashMap<Block<'m>, u64>,
    copies: FxHashMap<(Block<'m>, u64), Block<'m>>,
    copied: Vec<Block<'m>>,
}

impl<'m> Threading<'m, '_> {
    fn run(mut self) {
        let mut sources = Vec::new();
        for user in self.slot.users().filter(|user| user.opcode() == Op::LLVMStore) {
            let block = user.block();
            if self.last_store(block) == Some(user) {
                self.known.insert(block, user.operand(0).int_limbs(self.module.context())[0]);
                sources.push(block);
            }
        }
        // The uses of a value come in no useful order; the order of blocks is that of the source.
        let position: FxHashMap<Block<'m>, usize> = match sources.first() {
            Some(block) => block.function().blocks().into_iter().zip(0..).collect(),
            None => return,
        };
        sources.sort_by_key(|block| position[block]);
        while let Some(source) = sources.pop() {
            let value = self.known[&source];
            if let Some(copy) = self.redirect(source, value) {
                self.known.insert(copy, value);
                sources.push(copy);
            }
        }
        self.delete_unreachable();
    }

    /// Deletes the blocks that every path now goes around.
    fn delete_unreachable(self) {
        let mut seen = FxHashSet::default();
        for block in self.copied {
            if !seen.insert(block) {
                continue;
            }
            let successors = block.terminator().map(Value::successors).unwrap_or_default();
            let has_phis = successors.into_iter().any(|successor| successor.phis().next().is_some());
            if block.is_used() || has_phis {
                continue;
            }
            // SAFETY: nothing jumps to the block, its values are used in it alone (see `copy`), and no
            // handle of it is used after this.
            unsafe { LLVMDeleteBasicBlock(block.raw()) };
        }
    }

    fn last_store(&self, block: Block<'m>) -> Option<Value<'m>> {
        let is_store = |inst: &Value<'m>| inst.opcode() == Op::LLVMStore && inst.operand(1) == self.slot;
        block.instructions().filter(is_store).last()
    }

    /// If `source` jumps to a block that switches on the slot, sends it to a copy for `value`. Gives
    /// the copy if it is new.
    fn redirect(&mut self, source: Block<'m>, value: u64) -> Option<Block<'m>> {
        let jump = source.terminator()?;
        let &[shared] = &jump.successors()[..] else { return None };
        if jump.opcode() != Op::LLVMBr {
            return None;
        }
        let (copy, is_new) = match self.copies.get(&(shared, value)) {
            Some(&copy) => (copy, false),
            None => {
                let target = self.target_of(shared, value)?;
                let copy = self.copy(shared, target)?;
                self.copies.insert((shared, value), copy);
                self.copied.push(shared);
                (copy, true)
            }
        };
        // SAFETY: an unconditional branch has one successor; the old one has no phi nodes.
        unsafe { LLVMSetSuccessor(jump.raw(), 0, copy.raw()) };
        is_new.then_some(copy)
    }

    /// Where a block that ends in a switch on the slot goes if the slot holds `value`.
    fn target_of(&self, block: Block<'m>, value: u64) -> Option<Block<'m>> {
        let switch = block.terminator()?;
        if switch.opcode() != Op::LLVMSwitch || self.last_store(block).is_some() {
            return None;
        }
        let load = switch.operand(0);
        let is_fitting = is_instruction(load, Op::LLVMLoad)
            && load.operand(0) == self.slot
            && load.block() == block
            && block.phis().next().is_none()
            && block.instructions().count() <= MAX_COPIED;
        if !is_fitting {
            return None;
        }
        let context = self.module.context();
        let cases = switch.switch_cases();
        let case = cases.iter().find(|(case, _)| case.int_limbs(context)[0] == value);
        let target = case.map(|(_, block)| *block).or_else(|| switch.successors().first().copied())?;
        target.phis().next().is_none().then_some(target)
    }

    /// A copy of a block that jumps to `target` at its end. `None` if its values are used elsewhere.
    fn copy(&self, block: Block<'m>, target: Block<'m>) -> Option<Block<'m>> {
        let is_local = |inst: Value<'m>| inst.users().all(|user| is_in(user, block));
        if !block.instructions().all(is_local) {
            return None;
        }
        let mut copies: FxHashMap<Value<'m>, Value<'m>> = FxHashMap::default();
        // SAFETY: the new block gets clones of all instructions but the last, with operands inside the
        // block exchanged for their clones, and a jump as its terminator.
        unsafe {
            let context = self.module.context().raw();
            let copy = Block::wrap(LLVMInsertBasicBlockInContext(context, block.raw(), c"".as_ptr()))?;
            let builder = LLVMCreateBuilderInContext(context);
            LLVMPositionBuilderAtEnd(builder, copy.raw());
            for inst in block.instructions() {
                let is_last = inst.next_instruction().is_none();
                if is_last {
                    let jump = LLVMBuildBr(builder, target.raw());
                    let place = LLVMInstructionGetDebugLoc(inst.raw());
                    LLVMInstructionSetDebugLoc(jump, place);
                    break;
                }
                let clone = LLVMInstructionClone(inst.raw());
                LLVMInsertIntoBuilder(builder, clone);
                for index in 0..inst.n_operands() {
                    if let Some(known) = copies.get(&inst.operand(index)) {
                        LLVMSetOperand(clone, index, known.raw());
                    }
                }
                copies.insert(inst, Value::expect(clone));
            }
            LLVMDisposeBuilder(builder);
            Some(copy)
        }
    }
}

fn is_instruction(value: Value<'_>, op: Op) -> bool {
    value.kind() == ValueKind::LLVMInstructionValueKind && value.opcode() == op
}

fn is_in<'m>(user: Value<'m>, block: Block<'m>) -> bool {
    user.kind() == ValueKind::LLVMInstructionValueKind && user.block() == block
}

/// An alloca that only holds constants for a switch to choose by.
pub(super) fn is_slot(inst: Value<'_>) -> bool {
    if inst.opcode() != Op::LLVMAlloca {
        return false;
    }
    let is_switched_on = |load: Value<'_>| load.users().all(|user| is_instruction(user, Op::LLVMSwitch));
    let mut loads = 0;
    let is_fitting = inst.users().all(|user| {
        if is_instruction(user, Op::LLVMLoad) {
            loads += 1;
            return !user.is_volatile() && is_switched_on(user);
        }
        is_instruction(user, Op::LLVMStore)
            && !user.is_volatile()
            && user.operand(0).kind() == ValueKind::LLVMConstantIntValueKind
    });
    is_fitting && loads > 0
}
