//! What the executor goes by when it comes to an instruction, as a hash: if it is the same in another program, the
//! instruction does the same there.
//!
//! That is the instruction itself, and what analyses of the code around it say about it: whether it matters to other
//! threads, what can be read again after it, which loop begins there. What it finds in registers and memory is not part of
//! it.
//!
//! Relies on: functions, globals and registers have the same numbers in both programs, and [`CodeNames`](crate::CodeNames) those of blocks
//! and instructions; constant globals of one number have the same content.

use std::hash::{Hash, Hasher as _};

use selvedge_analysis::{Waits, holders, live};
use selvedge_base::Id;
use selvedge_program::{BlockId, Callee, Const, ConstExpr, ConstId, FuncId, Inst, Operand, Reg};
use siphasher::sip::SipHasher13;

use crate::code::Place;
use crate::machine::{Machine, place};
use crate::options::Options;
use crate::state::Frame;

/// What stands in an instruction for operands that are hashed by themselves.
const OPERAND: Operand = Operand::Const(ConstId(0));

impl Machine<'_> {
    /// What the executor goes by at an instruction; `None` if there is none.
    pub fn dependence(&mut self, at: Place) -> Option<u64> {
        let program = self.image.program;
        let function = program.funcs.get(at.func)?;
        let inst = function.blocks.get(at.block)?.insts.get(at.inst as usize)?;
        let mut hasher = SipHasher13::new();
        let point = selvedge_analysis::Point { func: at.func, block: at.block, inst: at.inst as usize };
        if let Some(slice) = &self.slice {
            hasher.write_u8(
                1 | u8::from(slice.is_relevant(point)) << 1 | u8::from(slice.is_in_slice(point)) << 2,
            );
        }
        self.hash_neighbours(at, &mut hasher);
        self.hash_function(at.func, &mut hasher);
        self.hash_inst(at.func, inst, &mut hasher);
        self.hash_flow(at, inst, &mut hasher);
        // A new life gives these registers a new address. Whether one does that is not read again is all the same.
        if let Inst::Lifetime { ptr: Operand::Reg(local), start: true } = inst {
            let live = live::live_after(function, at.block, at.inst as usize);
            let holders = holders(function, *local).into_iter().filter(|reg| live.contains(reg));
            holders.collect::<Vec<Reg>>().hash(&mut hasher);
        }
        // The one thing that is taken from places in the source.
        function.blocks[at.block].is_store_to_bit_field(at.inst as usize).hash(&mut hasher);
        let tells = self.options.telling_calls.binary_search(&point).is_ok();
        hasher.write_u8(u8::from(tells));
        Some(hasher.finish())
    }

    /// What the executor goes by when it calls a function through a pointer, before it comes to the body.
    pub fn call_dependence(&self, func: FuncId) -> Option<u64> {
        self.image.program.funcs.get(func)?;
        let mut hasher = SipHasher13::new();
        self.hash_function(func, &mut hasher);
        Some(hasher.finish())
    }

    /// The instructions before and after one in its block: control comes from there, or goes there, and nothing may have come
    /// in between. A block begins where its number says, and a function with its first block.
    fn hash_neighbours(&self, at: Place, hasher: &mut SipHasher13) {
        let place = |inst| Place { inst, ..at };
        let number = |at: Place| match &self.code_names {
            None => (at.block.0, at.inst),
            Some(names) => names.place(at),
        };
        let before = at.inst.checked_sub(1).map(|before| number(place(before)));
        let n = self.image.program.funcs[at.func].blocks[at.block].insts.len() as u32;
        let after = (at.inst + 1 < n).then(|| number(place(at.inst + 1)));
        (number(at), before, after, at.block.index() == 0).hash(hasher);
    }

    /// What is known of a function without its body.
    fn hash_function(&self, func: FuncId, hasher: &mut SipHasher13) {
        let function = &self.image.program.funcs[func];
        (&function.name, &function.params, &function.byval, &function.ret).hash(hasher);
        (function.variadic, function.is_runtime, function.is_weak, function.is_defined()).hash(hasher);
        for param in &function.params {
            function.regs[*param].ty.hash(hasher);
        }
    }

    fn hash_inst(&self, func: FuncId, inst: &Inst, hasher: &mut SipHasher13) {
        let function = &self.image.program.funcs[func];
        let ty = |reg: &Reg| function.regs.get(*reg).map(|info| info.ty);
        let mut bare = inst.clone();
        bare.for_each_operand_mut(|operand| {
            match operand {
                Operand::Reg(reg) => (0u8, *reg, ty(reg)).hash(hasher),
                Operand::Const(id) => self.hash_const(*id, hasher),
            }
            *operand = OPERAND;
        });
        let looks_at_types = self.options.checks.iter().any(|kind| kind.looks_at_types());
        if let Inst::Alloca { name, var_ty, .. } = &mut bare
            && !looks_at_types
        {
            (*name, *var_ty) = (None, None);
        }
        bare.for_each_target_mut(|target| *target = BlockId(self.block_number_of(func, *target)));
        format!("{bare:?}").hash(hasher);
        if let Inst::Call { callee: Callee::Direct(callee), .. } = inst {
            self.hash_function(*callee, hasher);
        }
    }

    pub(crate) fn hash_const(&self, id: ConstId, hasher: &mut SipHasher13) {
        match &self.image.program.consts[id] {
            Const::Expr(ConstExpr::Cast { op, from, to, arg }) => {
                (1u8, op, from, to).hash(hasher);
                self.hash_const(*arg, hasher);
            }
            Const::Expr(ConstExpr::Bin { op, width, a, b }) => {
                (2u8, op, width).hash(hasher);
                self.hash_const(*a, hasher);
                self.hash_const(*b, hasher);
            }
            Const::Expr(ConstExpr::PtrAdd { base, offset }) => {
                (3u8, offset).hash(hasher);
                self.hash_const(*base, hasher);
            }
            Const::Block(func, block) => (4u8, func, self.block_number_of(*func, *block)).hash(hasher),
            other => (5u8, other).hash(hasher),
        }
    }

    /// Where control can go from an instruction, and the loops there.
    fn hash_flow(&mut self, at: Place, inst: &Inst, hasher: &mut SipHasher13) {
        let program = self.image.program;
        let function = &program.funcs[at.func];
        for target in inst.edges().map(|edge| edge.target) {
            hasher.write_u8(u8::from(self.image.is_back_edge(at.func, at.block, target)));
            for param in &function.blocks[target].params {
                (param, function.regs[*param].ty).hash(hasher);
            }
            self.hash_head(at.func, target, hasher);
        }
        if at.inst == 0 {
            self.hash_head(at.func, at.block, hasher);
        }
        // Iterations are counted by what the whole function looks like.
        if self.options.bounds.unwind.is_some() {
            self.whole_function(at.func).hash(hasher);
        }
        self.hash_watched(at, inst, hasher);
    }

    /// Which loops that may be waits are left by going on, or from an instruction to the next.
    fn hash_watched(&mut self, at: Place, inst: &Inst, hasher: &mut SipHasher13) {
        let n_blocks = self.image.program.funcs[at.func].blocks.len();
        let is_watched = |block: &BlockId| {
            self.image.is_loop_head(at.func, *block) && self.image.waits(at.func, *block) != Waits::Never
        };
        let heads: Vec<BlockId> = (0..n_blocks).map(BlockId::new).filter(is_watched).collect();
        if heads.is_empty() {
            return;
        }
        let unwinding = self.loops(at.func);
        for block in inst.edges().map(|edge| edge.target).chain([at.block]) {
            let around = heads.iter().filter(|head| unwinding.loops.has_block(**head, block));
            let mut numbers: Vec<u32> = around.map(|head| self.block_number_of(at.func, *head)).collect();
            numbers.sort_unstable();
            numbers.hash(hasher);
        }
    }

    fn whole_function(&mut self, func: FuncId) -> u64 {
        if let Some(known) = self.whole_functions.get(&func) {
            return *known;
        }
        let mut hasher = SipHasher13::new();
        for (block, body) in self.image.program.funcs[func].blocks.enumerate() {
            (self.block_number_of(func, block), &body.params).hash(&mut hasher);
            for inst in &body.insts {
                self.hash_inst(func, inst, &mut hasher);
            }
        }
        *self.whole_functions.entry(func).or_insert(hasher.finish())
    }

    fn hash_head(&mut self, func: FuncId, block: BlockId, hasher: &mut SipHasher13) {
        if self.image.is_loop_head(func, block) {
            hasher.write_u8(self.image.waits(func, block) as u8);
            self.live_at_head(func, block).hash(hasher);
            // Looked at where time can end a wait.
            if self.image.clocks.is_some() {
                self.dead_at_head(func, block).hash(hasher);
            }
        }
    }

    fn block_number_of(&self, func: FuncId, block: BlockId) -> u32 {
        self.code_names.as_ref().map_or(block.0, |names| names.block(func, block))
    }

    /// The numbers of the block and of the instruction at which a frame stands.
    pub(crate) fn place_numbers(&self, frame: &Frame) -> (u32, u32) {
        let place = place(frame);
        self.code_names.as_ref().map_or((place.block.0, place.inst), |names| names.place(place))
    }

    /// The number of the instruction that made an object, plus one.
    pub(crate) fn maker_number(&self, maker: selvedge_analysis::InstId) -> u64 {
        let names = self.code_names.as_ref().zip(self.slice.as_ref());
        names.map_or(maker.index() as u64 + 1, |(names, slice)| {
            let point = slice.point(maker);
            let at = Place { func: point.func, block: point.block, inst: point.inst as u32 };
            let mut hasher = SipHasher13::new();
            (at.func, names.place(at)).hash(&mut hasher);
            hasher.finish() >> 16 | 1
        })
    }
}

/// Facts about a whole program that its instructions do not show, as a hash.
impl Machine<'_> {
    /// What the executor goes by everywhere: the address space, thread-local variables, what the library offers.
    pub fn surroundings(&self) -> u64 {
        let mut hasher = SipHasher13::new();
        format!("{:?}", self.image.facts()).hash(&mut hasher);
        // Which calls tell an order, each call knows.
        let options = Options { telling_calls: Default::default(), ..self.options.clone() };
        format!("{options:?}").hash(&mut hasher);
        self.slice.is_some().hash(&mut hasher);
        hasher.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_keeps_its_numbers_unless_it_is_renamed() {
        use crate::code_names::{BlockNames, CodeNames};
        let mut names = CodeNames::default();
        names.rename(FuncId(1), BlockId(2), BlockNames { number: 7, insts: vec![0, 9, 1] });
        let at = |func, block, inst| Place { func: FuncId(func), block: BlockId(block), inst };
        assert_eq!(names.place(at(1, 2, 1)), (7, 9));
        assert_eq!(names.place(at(0, 2, 1)), (2, 1));
        assert_eq!((names.block(FuncId(1), BlockId(2)), names.block(FuncId(1), BlockId(3))), (7, 3));
    }
}
