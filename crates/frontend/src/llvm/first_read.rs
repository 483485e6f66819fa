//! Whether a slot that clang made for itself can be read before it is written.
//!
//! Where a scope can be left in several ways, the way is remembered as a number in a slot, and control flow alone shows
//! paths that no execution takes. Here a path is a block together with the numbers that the slots hold.
//! Guarantee: "no" means that no execution reads the local first. A search that grows too large says yes.
//! Relies on: slots that hold constants and are read by switches only (`cleanup::is_slot`).

use rustc_hash::FxHashSet;

use super::{Block, Module, Op, Value, ValueKind};

/// Pairs of a block and numbers to look at.
const MAX_VISITED: usize = 20_000;

/// Asks about the locals of one function.
pub(super) struct FirstRead<'m, 'c> {
    module: &'m Module<'c>,
    entry: Block<'m>,
    slots: Vec<Value<'m>>,
}

/// What the slots hold; `None` before the first store.
type Numbers = Vec<Option<u64>>;

impl<'m, 'c> FirstRead<'m, 'c> {
    pub(super) fn new(module: &'m Module<'c>, entry: Block<'m>, slots: Vec<Value<'m>>) -> Self {
        FirstRead { module, entry, slots }
    }

    /// Whether an execution can read `local` before it writes it.
    pub(super) fn can_be_unwritten(&mut self, local: Value<'m>) -> bool {
        let mut seen: FxHashSet<(Block<'m>, Numbers)> = FxHashSet::default();
        let mut open = vec![(self.entry, vec![None; self.slots.len()])];
        while let Some((block, mut numbers)) = open.pop() {
            if !seen.insert((block, numbers.clone())) {
                continue;
            }
            if seen.len() > MAX_VISITED {
                return true;
            }
            match self.walk(block, local, &mut numbers) {
                Met::Read => return true,
                Met::Write => {}
                Met::Nothing => {
                    let next = self.successors(block, &numbers);
                    open.extend(next.into_iter().map(|block| (block, numbers.clone())));
                }
            }
        }
        false
    }

    /// What a block does to the local first; until then, what it leaves in the slots.
    fn walk(&self, block: Block<'m>, local: Value<'m>, numbers: &mut Numbers) -> Met {
        for inst in block.instructions() {
            let operands = (0..inst.n_operands()).map(|i| inst.operand(i));
            let is_store = inst.opcode() == Op::LLVMStore;
            if is_store && inst.operand(1) == local {
                return Met::Write;
            }
            if is_store && let Some(slot) = self.slots.iter().position(|slot| *slot == inst.operand(1)) {
                numbers[slot] = Some(inst.operand(0).int_limbs(self.module.context())[0]);
            }
            let is_marker = inst.opcode() == Op::LLVMCall
                && inst.callee().kind() == ValueKind::LLVMFunctionValueKind
                && inst.callee().name().starts_with("llvm.lifetime.");
            // Whatever else is done to its address may read it.
            if !is_marker && operands.into_iter().any(|operand| operand == local) {
                return Met::Read;
            }
        }
        Met::Nothing
    }

    fn successors(&self, block: Block<'m>, numbers: &Numbers) -> Vec<Block<'m>> {
        let Some(end) = block.terminator() else { return Vec::new() };
        let all = end.successors();
        if end.opcode() != Op::LLVMSwitch {
            return all;
        }
        let load = end.operand(0);
        let is_load = load.kind() == ValueKind::LLVMInstructionValueKind
            && load.opcode() == Op::LLVMLoad
            && load.block() == block;
        let slot = self.slots.iter().position(|slot| is_load && *slot == load.operand(0));
        let Some(number) = slot.and_then(|slot| numbers[slot]) else { return all };
        let context = self.module.context();
        let cases = end.switch_cases();
        let case = cases.iter().find(|(case, _)| case.int_limbs(context)[0] == number);
        match case {
            Some((_, target)) => vec![*target],
            None => all.first().copied().into_iter().collect(),
        }
    }
}

enum Met {
    Read,
    Write,
    Nothing,
}
