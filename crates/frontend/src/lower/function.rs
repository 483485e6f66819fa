//! One function body: blocks in reverse post-order, each value split into scalar operands.
//!
//! In reverse post-order a definition that dominates a use is lowered before it, so a value's
//! operands are known when it is used; pure rearrangements (`extractvalue` and the like) then need
//! no instructions at all. Phi nodes are the exception and become block parameters.

use rustc_hash::FxHashMap;
use selvedge_base::{Id, Loc};
use selvedge_program::{
    Block as ProgramBlock, BlockId, Edge, FuncId, Function, Inst, Operand, Reg, RegInfo, Ty, TypeId,
    Unordered,
};
use smallvec::{SmallVec, smallvec};

use super::Lowerer;
use super::merge::merge_blocks;
use crate::llvm::{Block, Mark, Op, Type, Value, ValueKind};

/// The scalars of one value.
pub(super) type Scalars = SmallVec<[Operand; 2]>;

/// How labels begin whose statement CBMC runs in a new thread.
const THREAD_LABEL: &str = "__CPROVER_ASYNC_";

/// The state of lowering one function.
pub(super) struct FnLowerer<'a, 'm> {
    pub(super) lowerer: &'a mut Lowerer<'m>,
    pub(super) id: FuncId,
    pub(super) func: Function,
    values: FxHashMap<Value<'m>, Scalars>,
    /// Source variables that values hold, or (allocas) that lie at an address.
    names: FxHashMap<Value<'m>, (Box<str>, Option<TypeId>)>,
    pub(super) block: BlockId,
    /// The block that returns because of an exception.
    pub(super) leaving: Option<BlockId>,
    loc: Loc,
    /// Calls and reads that have no order among others, with their block and position.
    unordered: Vec<(Mark, BlockId, usize)>,
}

/// Lowers the body of `function`, whose reachable blocks are `order`.
pub(super) fn lower_body<'m>(lowerer: &mut Lowerer<'m>, function: Value<'m>, order: &[Block<'m>]) {
    let id = lowerer.funcs[&function];
    let placeholder = lowerer.empty_function(String::new());
    let func = std::mem::replace(&mut lowerer.program.funcs[id], placeholder);
    let mut lowering = FnLowerer {
        lowerer,
        id,
        func,
        values: FxHashMap::default(),
        names: FxHashMap::default(),
        block: BlockId(0),
        leaving: None,
        loc: Loc::UNKNOWN,
        unordered: Vec::new(),
    };
    lowering.collect_names(function, order);
    lowering.bind_params(function);
    for _ in order {
        lowering.func.blocks.push(ProgramBlock::default());
    }
    for &block in order {
        lowering.block_params(block);
        lowering.lower_block(block);
    }
    let (mut func, unordered) = (lowering.func, lowering.unordered);
    let mut moved: Vec<(BlockId, usize)> = func.blocks.ids().map(|block| (block, 0)).collect();
    // Constants name blocks by number, so where labels have addresses the numbers must stay.
    let is_label = |user: Value<'m>| user.kind() == ValueKind::LLVMBlockAddressValueKind;
    if !function.users().any(is_label) {
        moved = merge_blocks(&mut func);
    }
    lowerer.program.funcs[id] = func;
    lowerer.program.unordered.extend(pairs(id, &unordered, &moved));
}

/// What has no order, two by two, at the places where blocks have `moved` to.
fn pairs(id: FuncId, marked: &[(Mark, BlockId, usize)], moved: &[(BlockId, usize)]) -> Vec<Unordered> {
    let mut places = FxHashMap::default();
    for (mark, block, position) in marked {
        let (block, start) = moved[block.index()];
        places.insert(mark.own, (block, start + position));
    }
    let mut found = Vec::new();
    for (mark, ..) in marked {
        for other in &mark.others {
            if let (Some(first), Some(second)) = (places.get(other), places.get(&mark.own)) {
                found.push(Unordered { func: id, first: *first, second: *second });
            }
        }
    }
    found
}

impl<'m> FnLowerer<'_, 'm> {
    fn collect_names(&mut self, function: Value<'m>, order: &[Block<'m>]) {
        let context = self.lowerer.module.context();
        let params = function.params();
        let byval = (0..params.len() as u32).filter(|&index| function.param_byval(index).is_some());
        let byval: Vec<Value<'m>> = byval.map(|index| params[index as usize]).collect();
        for &block in order {
            for instruction in block.instructions() {
                for record in instruction.debug_records(context) {
                    if !self.lowerer.debug.is_plain(record.expression) {
                        continue;
                    }
                    let Some(value) = record.value() else { continue };
                    let is_alloca = value.kind() == ValueKind::LLVMInstructionValueKind
                        && value.opcode() == Op::LLVMAlloca;
                    // An address is not the variable itself, except that an object on the stack is
                    // named after what it holds.
                    let is_object = is_alloca || byval.contains(&value);
                    if record.is_declare != is_object || value.is_constant() {
                        continue;
                    }
                    let (name, ty) = self.lowerer.debug.local(&mut self.lowerer.program, record.variable);
                    if !name.is_empty() {
                        self.names.entry(value).or_insert((name.into(), ty));
                    }
                }
            }
        }
    }

    fn bind_params(&mut self, function: Value<'m>) {
        let mut next = 0;
        for param in function.params() {
            let count = self.lowerer.shapes.tys_or_empty(param.ty()).len();
            let regs = self.func.params[next..next + count].to_vec();
            next += count;
            if let ([reg], Some((name, ty))) = (regs.as_slice(), self.names.get(&param)) {
                let info = &mut self.func.regs[*reg];
                (info.name, info.var_ty) = (Some(name.clone()), *ty);
            }
            self.values.insert(param, regs.into_iter().map(Operand::Reg).collect());
        }
    }

    fn block_params(&mut self, block: Block<'m>) {
        let id = self.lowerer.block_ids[&block];
        for phi in block.phis() {
            let scalars = self.new_regs_for(phi);
            let regs = scalars.iter().filter_map(|scalar| match scalar {
                Operand::Reg(reg) => Some(*reg),
                Operand::Const(_) => None,
            });
            self.func.blocks[id].params.extend(regs);
            self.values.insert(phi, scalars);
        }
        if block.landing_pad().is_some() {
            let selector = self.new_reg(Ty::Int(32));
            self.func.blocks[id].params.push(selector);
        }
    }

    fn lower_block(&mut self, block: Block<'m>) {
        self.block = self.lowerer.block_ids[&block];
        let mut starts_thread = block.name().starts_with(THREAD_LABEL);
        for instruction in block.instructions() {
            self.loc = self.lowerer.debug.place(&mut self.lowerer.program, instruction);
            if instruction.opcode() == Op::LLVMPHI {
                continue;
            }
            if std::mem::take(&mut starts_thread) {
                self.unsupported("a label __CPROVER_ASYNC_..., whose statement runs in a thread of its own");
            }
            self.lower_instruction(block, instruction);
            // A trap ends the block early; what follows it in LLVM's block is dead.
            if self.is_terminated() {
                return;
            }
        }
        // A verified block ends in a terminator; one that could not be lowered leaves this.
        self.emit(Inst::Unreachable);
    }

    fn is_terminated(&self) -> bool {
        self.func.blocks[self.block].insts.last().is_some_and(Inst::is_terminator)
    }

    fn lower_instruction(&mut self, block: Block<'m>, instruction: Value<'m>) {
        let (at, start) = (self.block, self.func.blocks[self.block].insts.len());
        let lowered = match instruction.opcode() {
            Op::LLVMRet
            | Op::LLVMBr
            | Op::LLVMSwitch
            | Op::LLVMIndirectBr
            | Op::LLVMUnreachable
            | Op::LLVMInvoke
            | Op::LLVMCallBr
            | Op::LLVMResume
            | Op::LLVMCleanupRet
            | Op::LLVMCatchRet
            | Op::LLVMCatchSwitch => self.terminator(block, instruction),
            Op::LLVMCall => self.plain_call(instruction),
            Op::LLVMLandingPad => self.landing_pad(instruction),
            Op::LLVMAlloca
            | Op::LLVMLoad
            | Op::LLVMStore
            | Op::LLVMGetElementPtr
            | Op::LLVMFence
            | Op::LLVMAtomicCmpXchg
            | Op::LLVMAtomicRMW
            | Op::LLVMVAArg => self.memory(instruction),
            Op::LLVMExtractValue
            | Op::LLVMInsertValue
            | Op::LLVMExtractElement
            | Op::LLVMInsertElement
            | Op::LLVMShuffleVector
            | Op::LLVMBitCast => self.rearrange(instruction),
            _ => self.arithmetic(instruction),
        };
        if let Err(what) = lowered {
            self.unsupported(&what);
            self.bind_undef(instruction);
        }
        if let Some(mark) = self.lowerer.module.unordered_mark(instruction) {
            let made = &self.func.blocks[at].insts[start..];
            let is_it = |inst: &Inst| matches!(inst, Inst::Call { .. } | Inst::Load { .. });
            self.unordered.extend(made.iter().position(is_it).map(|i| (mark, at, start + i)));
        }
    }

    // --- operands and results ---

    /// The scalars of an operand.
    pub(super) fn operands(&mut self, value: Value<'m>) -> Result<Scalars, String> {
        if let Some(known) = self.values.get(&value) {
            return Ok(known.clone());
        }
        if value.is_constant() {
            let constants = self.lowerer.constant(value)?;
            return Ok(constants.iter().map(|&id| Operand::Const(id)).collect());
        }
        Err(format!("the operand {}", value.text()))
    }

    /// An operand that is one scalar.
    pub(super) fn operand(&mut self, value: Value<'m>) -> Result<Operand, String> {
        match *self.operands(value)? {
            [one] => Ok(one),
            _ => Err(format!("the operand {}", value.text())),
        }
    }

    /// The scalar type of a value.
    pub(super) fn scalar_ty(&self, value: Value<'m>) -> Result<Ty, String> {
        let ty = value.ty();
        self.lowerer.shapes.scalar(ty).ok_or_else(|| format!("the type {ty}"))
    }

    pub(super) fn tys(&mut self, ty: Type<'m>) -> Result<Vec<Ty>, String> {
        Ok(self.lowerer.shapes.shape(ty)?.tys().collect())
    }

    pub(super) fn new_reg(&mut self, ty: Ty) -> Reg {
        self.func.regs.push(RegInfo { ty, name: None, var_ty: None })
    }

    /// A register for the result of `value`, which is one scalar, named after its variable.
    pub(super) fn result_reg(&mut self, value: Value<'m>, ty: Ty) -> Reg {
        let (name, var_ty) = match self.names.get(&value) {
            Some((name, var_ty)) => (Some(name.clone()), *var_ty),
            None => (None, None),
        };
        let reg = self.func.regs.push(RegInfo { ty, name, var_ty });
        self.bind(value, smallvec![Operand::Reg(reg)]);
        reg
    }

    /// Fresh registers for all scalars of a value.
    fn new_regs_for(&mut self, value: Value<'m>) -> Scalars {
        let tys = self.lowerer.shapes.tys_or_empty(value.ty());
        match *tys {
            [ty] => smallvec![Operand::Reg(self.result_reg(value, ty))],
            _ => tys.into_iter().map(|ty| Operand::Reg(self.new_reg(ty))).collect(),
        }
    }

    pub(super) fn bind(&mut self, value: Value<'m>, scalars: Scalars) {
        self.values.insert(value, scalars);
    }

    fn bind_undef(&mut self, value: Value<'m>) {
        let tys = self.lowerer.shapes.tys_or_empty(value.ty());
        let scalars = tys.into_iter().map(|ty| Operand::Const(self.lowerer.undef(ty))).collect();
        self.bind(value, scalars);
    }

    /// The name and type of the variable that lives in an alloca.
    pub(super) fn variable_of(&self, value: Value<'m>) -> (Option<Box<str>>, Option<TypeId>) {
        match self.names.get(&value) {
            Some((name, ty)) => (Some(name.clone()), *ty),
            None => (None, None),
        }
    }

    pub(super) fn int(&mut self, width: u32, value: u64) -> Operand {
        Operand::Const(self.lowerer.int_const(width, value))
    }

    pub(super) fn ptr_bits(&self) -> u32 {
        self.lowerer.program.target.ptr_bits
    }

    // --- emission ---

    pub(super) fn emit(&mut self, inst: Inst) {
        let block = &mut self.func.blocks[self.block];
        block.insts.push(inst);
        block.locs.push(self.loc);
    }

    pub(super) fn unsupported(&mut self, what: &str) {
        self.emit(Inst::Unsupported { what: what.into() });
    }

    /// Appends an empty block and goes on there.
    pub(super) fn start_new_block(&mut self) -> BlockId {
        let id = self.func.blocks.push(ProgramBlock::default());
        self.block = id;
        id
    }

    /// The edge from LLVM block `from` to `to`, with the values of its phi nodes.
    pub(super) fn edge(&mut self, from: Block<'m>, to: Block<'m>) -> Result<Edge, String> {
        let mut args = Vec::new();
        for phi in to.phis() {
            let incoming = phi.incoming().into_iter().find(|(block, _)| *block == from);
            let Some((_, value)) = incoming else { return Err("a phi without this edge".to_owned()) };
            match self.operands(value) {
                Ok(scalars) => args.extend(scalars),
                Err(what) => {
                    // The value is needed only if this edge is taken, but saying so here is safe:
                    // it can only turn an answer into `unknown`.
                    self.unsupported(&what);
                    for ty in self.lowerer.shapes.tys_or_empty(phi.ty()) {
                        args.push(Operand::Const(self.lowerer.undef(ty)));
                    }
                }
            }
        }
        Ok(Edge { target: self.lowerer.block_ids[&to], args: args.into() })
    }
}
