//! Inline assembly: the instructions that C programs use it for, translated one by one.
//!
//! Atomic updates, fences, hints, the counter of the processor, bit scans, moves and simple arithmetic of x86 have the
//! instructions of our IR as their meaning: a locked update is one atomic instruction, with the same events, and one
//! without the prefix is a read and a write. Where the processor leaves a result open, it is any value.
//! Guarantees: exact or, where the manual leaves a result open, every value; what is not in the table is refused as a
//! whole, with its text.
//! Relies on: clang's choice of constraints; registers that a program changes without saying so are refused.
//! Not covered: jumps, string instructions, vectors and floating-point numbers, pairs of registers (`cmpxchg16b`).

mod flags;
mod machine;
mod table;
mod text;

use selvedge_program::{Inst, Order};

use self::machine::Machine;
use super::function::FnLowerer;
use crate::llvm::{InlineAsm, Value};

impl<'m> FnLowerer<'_, 'm> {
    /// Lowers a call of inline assembly, or says what was not understood, having emitted nothing.
    pub(super) fn inline_asm(&mut self, inst: Value<'m>, asm: &InlineAsm) -> Result<(), String> {
        let (block, length) = (self.block, self.func.blocks[self.block].insts.len());
        self.translate(inst, asm).map_err(|why| {
            let body = &mut self.func.blocks[block];
            body.insts.truncate(length);
            body.locs.truncate(length);
            let lines = asm.code.split(['\n', ';']).map(str::trim).filter(|line| !line.is_empty());
            let text = lines.collect::<Vec<_>>().join("; ");
            let text = if text.is_empty() { format!("\"{}\"", asm.constraints) } else { text };
            format!("inline assembly `{text}`{why}")
        })
    }

    /// The error is a remark to be put after the text, or empty.
    fn translate(&mut self, inst: Value<'m>, asm: &InlineAsm) -> Result<(), String> {
        if asm.is_intel {
            return Err(" in Intel's syntax".to_owned());
        }
        let lines = text::parse_code(&asm.code).ok_or_else(String::new)?;
        let (constraints, clobbers) = text::parse_constraints(&asm.constraints).ok_or_else(String::new)?;
        let mut machine = Machine::new(self, inst, &constraints, clobbers)?;
        for line in &lines {
            machine.execute(line)?;
        }
        let results = machine.results()?;
        let is_barrier = !machine.touches_memory() && asm.constraints.contains("~{memory}");
        self.bind(inst, results);
        if is_barrier {
            self.emit(Inst::Fence { order: Order::SeqCst, signal: true });
        }
        Ok(())
    }
}
