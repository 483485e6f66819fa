//! Registers whose values make no difference: counters of attempts, above all.
//!
//! A lock that spins often counts how often it tried, and yields the processor every so many times. Such a counter changes
//! in every iteration, but it only decides whether something without an effect is done, so that an iteration still ends
//! as it began. These registers are *faint*: they only flow into faint registers, and into branches of which both ways
//! meet again with nothing done in between.
//! Guarantee: two states of a function that differ in faint registers only do the same from there on, but for calls
//! without an effect; every other instruction comes in the same order with the same operands.
//! Relies on: registers being assigned once, so that being faint is no matter of place.

use selvedge_base::Id;
use selvedge_library::{Cancel, Known, Life, Point, Written};
use selvedge_program::{BinOp, Block, Callee, CastOp, Const, Edge, Function, Inst, Operand, Program, Reg};

use crate::library::Library;

/// Blocks on a way through a branch that may do nothing.
const MAX_BLOCKS: usize = 4;

/// What the answer depends on besides the code.
#[derive(Clone, Copy, Debug)]
pub struct Context<'p> {
    /// The program.
    pub program: &'p Program,
    /// What the names of its functions mean.
    pub library: &'p Library,
    /// Arithmetic that overflows is an error.
    pub overflow: bool,
    /// Threads may be cancelled, so that a sleep is more than nothing.
    pub can_cancel: bool,
}

/// Whether the value of each register makes a difference.
pub fn needed(context: Context<'_>, function: &Function) -> Vec<bool> {
    let mut finder = Finder { context, function, needed: vec![false; function.regs.len()], changed: true };
    while std::mem::take(&mut finder.changed) {
        for block in function.blocks.iter() {
            block.insts.iter().for_each(|inst| finder.look_at(inst));
        }
    }
    finder.needed
}

struct Finder<'a> {
    context: Context<'a>,
    function: &'a Function,
    needed: Vec<bool>,
    changed: bool,
}

impl Finder<'_> {
    fn need(&mut self, operand: Operand) {
        if let Operand::Reg(reg) = operand
            && !std::mem::replace(&mut self.needed[reg.index()], true)
        {
            self.changed = true;
        }
    }

    fn is_needed(&self, reg: Reg) -> bool {
        self.needed[reg.index()]
    }

    fn look_at(&mut self, inst: &Inst) {
        match inst {
            Inst::Jump { edge } => self.follow(edge),
            Inst::Branch { cond, then, otherwise } => {
                self.follow(then);
                self.follow(otherwise);
                if !self.makes_no_difference(then, otherwise) {
                    self.need(*cond);
                }
            }
            Inst::Switch { value, cases, default, .. } => {
                cases.iter().for_each(|(_, edge)| self.follow(edge));
                self.follow(default);
                self.need(*value);
            }
            Inst::IndirectJump { addr, targets } => {
                targets.iter().for_each(|edge| self.follow(edge));
                self.need(*addr);
            }
            _ if self.does_nothing(inst) => {}
            _ => {
                let mut result = None;
                inst.for_each_dst(|reg| result = Some(reg));
                let is_unused = result.is_some_and(|reg| !self.is_needed(reg));
                if !(is_unused && self.is_pure(inst)) {
                    inst.for_each_operand(|operand| self.need(*operand));
                }
            }
        }
    }

    /// What becomes a parameter that is needed is needed.
    fn follow(&mut self, edge: &Edge) {
        let params = &self.function.blocks[edge.target].params;
        for (param, arg) in params.iter().zip(&edge.args) {
            if self.is_needed(*param) {
                self.need(*arg);
            }
        }
    }

    /// Whether an instruction only computes its one result, and cannot fail.
    fn is_pure(&self, inst: &Inst) -> bool {
        match inst {
            Inst::Bin { op: BinOp::Add | BinOp::Sub | BinOp::Mul, wrap, .. } => {
                !self.context.overflow || !(wrap.nsw || wrap.nuw)
            }
            Inst::Bin { op: BinOp::And | BinOp::Or | BinOp::Xor, .. } => true,
            // Amounts and divisors may be wrong.
            Inst::Bin { op: BinOp::Shl | BinOp::LShr | BinOp::AShr, width, b, .. } => {
                !self.context.overflow && self.constant(*b).is_some_and(|amount| amount < u64::from(*width))
            }
            Inst::Bin { op: BinOp::UDiv | BinOp::URem, b, .. } => self.constant(*b).is_some_and(|b| b != 0),
            Inst::Bin { op: BinOp::SDiv | BinOp::SRem, width, b, .. } => {
                let is_plain = |b: u64| b != 0 && b < 1 << (*width - 1).min(63);
                self.constant(*b).is_some_and(is_plain)
            }
            Inst::Cast { op, .. } => matches!(op, CastOp::Trunc | CastOp::ZExt | CastOp::SExt),
            Inst::Cmp { .. } | Inst::Select { .. } | Inst::Copy { .. } => true,
            _ => false,
        }
    }

    fn constant(&self, operand: Operand) -> Option<u64> {
        let Operand::Const(id) = operand else { return None };
        match &self.context.program.consts[id] {
            Const::Int { value, .. } => Some(*value),
            _ => None,
        }
    }

    /// Whether an instruction is a call that has no effect and whose result is not needed.
    fn does_nothing(&self, inst: &Inst) -> bool {
        let Inst::Call { dsts, callee: Callee::Direct(callee), .. } = inst else { return false };
        let Some(known) = self.context.library.known(*callee) else { return false };
        let callee = &self.context.program.funcs[*callee];
        let is_nothing = match known {
            Known::Life(Life::Yield) | Known::Point(Point::Pass) => !callee.is_defined(),
            Known::Written(Written::Sleep) => callee.is_runtime && !self.context.can_cancel,
            Known::Cancel(Cancel::Test) => !callee.is_defined() && !self.context.can_cancel,
            _ => false,
        };
        is_nothing && dsts.iter().all(|reg| !self.is_needed(*reg))
    }

    /// Whether both ways meet in the same block with the same values and nothing done.
    fn makes_no_difference(&self, then: &Edge, otherwise: &Edge) -> bool {
        let (first, second) = (self.ends(then), self.ends(otherwise));
        first.iter().any(|a| second.iter().any(|b| self.are_alike(a, b)))
    }

    /// The edges to which a way comes without anything having been done.
    fn ends<'e>(&'e self, edge: &'e Edge) -> Vec<&'e Edge> {
        let mut ends = vec![edge];
        while ends.len() <= MAX_BLOCKS {
            let block = &self.function.blocks[ends[ends.len() - 1].target];
            match block.insts.last() {
                Some(Inst::Jump { edge }) if self.is_idle(block) => ends.push(edge),
                _ => break,
            }
        }
        ends
    }

    /// Whether a block does nothing before its last instruction.
    fn is_idle(&self, block: &Block) -> bool {
        let is_idle = |inst: &Inst| {
            let mut is_needed = false;
            inst.for_each_dst(|reg| is_needed |= self.is_needed(reg));
            !is_needed && (self.is_pure(inst) || self.does_nothing(inst))
        };
        let params_are_faint = block.params.iter().all(|param| !self.is_needed(*param));
        params_are_faint && block.insts[..block.insts.len() - 1].iter().all(is_idle)
    }

    fn are_alike(&self, a: &Edge, b: &Edge) -> bool {
        let params = &self.function.blocks[a.target].params;
        let mut args = params.iter().zip(a.args.iter().zip(&b.args));
        a.target == b.target && args.all(|(param, (a, b))| a == b || !self.is_needed(*param))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A loop that counts in %1 and yields now and then; `after` uses the counter or not.
    fn spin(after: &str, middle: &str) -> Vec<bool> {
        let text = format!(
            r#"
target 64
entry @f
global @lock size 4 align 4 = {{ }}
declare @sched_yield() -> i32
func @f() -> i32 {{
bb0:
  jump bb1(0i32)
bb1(%0: i32):
  %1: i32 = load i32 @lock
  %2: i1 = cmp.eq i32 %1, 0i32
  branch %2, bb4, bb2
bb2:
  %3: i32 = add i32 %0, 1i32
  %4: i32 = and i32 %3, 63i32
  %5: i1 = cmp.eq i32 %4, 0i32
  branch %5, bb3, bb1(%3)
bb3:
  {middle}
  jump bb1(%3)
bb4:
  return {after}
}}
"#
        );
        let program = selvedge_program::parse(&text).expect("valid");
        let library = Library::new(&program);
        let context = Context { program: &program, library: &library, overflow: false, can_cancel: false };
        needed(context, &program.funcs[program.entry.expect("given")])
    }

    #[test]
    fn a_counter_of_attempts_is_faint() {
        let needed = spin("0i32", "call @sched_yield()");
        assert_eq!(needed[..6], [false, true, true, false, false, false][..], "{needed:?}");
    }

    #[test]
    fn a_counter_that_is_used_afterwards_or_decides_what_is_done_is_not() {
        assert!(spin("%0", "call @sched_yield()")[0]);
        assert!(spin("0i32", "store i32 1i32 to @lock")[0]);
    }
}
