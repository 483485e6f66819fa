//! Random function bodies.
//!
//! Blocks use registers of their own, of the entry block (which dominates all) and the parameters.

use selvedge_program::*;

use super::Gen;

pub(crate) const BIN_OPS: [BinOp; 13] = [
    BinOp::Add,
    BinOp::Sub,
    BinOp::Mul,
    BinOp::UDiv,
    BinOp::SDiv,
    BinOp::URem,
    BinOp::SRem,
    BinOp::Shl,
    BinOp::LShr,
    BinOp::AShr,
    BinOp::And,
    BinOp::Or,
    BinOp::Xor,
];
const CMP_OPS: [CmpOp; 6] = [CmpOp::Eq, CmpOp::Ne, CmpOp::Ult, CmpOp::Ule, CmpOp::Slt, CmpOp::Sle];
const FBIN_OPS: [FBinOp; 5] = [FBinOp::Add, FBinOp::Sub, FBinOp::Mul, FBinOp::Div, FBinOp::Rem];
const INT_RMW: [RmwOp; 11] = [
    RmwOp::Xchg,
    RmwOp::Add,
    RmwOp::Sub,
    RmwOp::And,
    RmwOp::Nand,
    RmwOp::Or,
    RmwOp::Xor,
    RmwOp::Max,
    RmwOp::Min,
    RmwOp::UMax,
    RmwOp::UMin,
];
const ORDERS: [Order; 6] =
    [Order::Unordered, Order::Relaxed, Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst];
const INTRINSICS: [IntrinsicOp; 12] = [
    IntrinsicOp::SAddOverflow,
    IntrinsicOp::UMulOverflow,
    IntrinsicOp::SSubSat,
    IntrinsicOp::UMin,
    IntrinsicOp::Abs,
    IntrinsicOp::CtPop,
    IntrinsicOp::FShl,
    IntrinsicOp::BSwap,
    IntrinsicOp::FAbs,
    IntrinsicOp::CopySign,
    IntrinsicOp::Fma,
    IntrinsicOp::IsFpClass,
];

/// The registers a block may use.
type Scope = Vec<Reg>;

impl Gen<'_> {
    pub(super) fn body(&mut self, func: &mut Function, n_blocks: usize) {
        for index in 0..n_blocks {
            let tys = if index == 0 { Vec::new() } else { self.tys(2) };
            let params = tys.into_iter().map(|ty| self.reg(&mut func.regs, ty)).collect();
            func.blocks.push(Block { params, ..Block::default() });
        }
        let mut entry_scope = func.params.clone();
        for block in func.blocks.ids().collect::<Vec<_>>() {
            let mut scope = entry_scope.clone();
            scope.extend(&func.blocks[block].params);
            for _ in 0..self.pick(6) {
                let inst = self.inst(func, &scope);
                inst.for_each_dst(|dst| scope.push(dst));
                self.push(func, block, inst);
            }
            let last = self.terminator(func, &scope);
            self.push(func, block, last);
            if block == BlockId(0) {
                entry_scope = scope;
            }
        }
    }

    fn push(&mut self, func: &mut Function, block: BlockId, inst: Inst) {
        let loc = self.loc();
        func.blocks[block].insts.push(inst);
        func.blocks[block].locs.push(loc);
    }

    fn operand(&mut self, func: &Function, scope: &Scope, ty: Ty) -> Operand {
        let fitting: Vec<Reg> = scope.iter().copied().filter(|reg| func.regs[*reg].ty == ty).collect();
        if fitting.is_empty() || self.pick(3) == 2 {
            Operand::Const(self.constant(ty))
        } else {
            Operand::Reg(self.of(&fitting))
        }
    }

    fn order(&mut self) -> Order {
        self.of(&ORDERS)
    }

    fn access(&mut self) -> Access {
        Access { volatile: self.flip(), order: if self.flip() { Some(self.order()) } else { None } }
    }

    fn int_width(&mut self) -> u32 {
        self.of(&[32, 64, 8, 1, 37, 128])
    }

    fn float_kind(&mut self) -> FloatKind {
        self.of(&[FloatKind::Double, FloatKind::Single, FloatKind::X87])
    }

    fn inst(&mut self, func: &mut Function, scope: &Scope) -> Inst {
        macro_rules! op {
            ($ty:expr) => {{
                let ty = $ty;
                self.operand(func, scope, ty)
            }};
        }
        macro_rules! dst {
            ($ty:expr) => {
                self.reg(&mut func.regs, $ty)
            };
        }
        let word = Ty::Int(self.program.target.ptr_bits);
        match self.pick(30) {
            0 => {
                let width = self.int_width();
                let (a, b) = (op!(Ty::Int(width)), op!(Ty::Int(width)));
                let wrap = Wrap { nsw: self.flip(), nuw: self.flip() };
                Inst::Bin { dst: dst!(Ty::Int(width)), op: self.of(&BIN_OPS), wrap, width, a, b }
            }
            1 => {
                let pointers = self.flip();
                let width = if pointers { self.program.target.ptr_bits } else { self.int_width() };
                let ty = if pointers { Ty::Ptr } else { Ty::Int(width) };
                let (a, b) = (op!(ty), op!(ty));
                Inst::Cmp { dst: dst!(Ty::BOOL), op: self.of(&CMP_OPS), width, a, b }
            }
            2 => {
                let kind = self.float_kind();
                let (a, b) = (op!(Ty::Float(kind)), op!(Ty::Float(kind)));
                Inst::FBin { dst: dst!(Ty::Float(kind)), op: self.of(&FBIN_OPS), kind, a, b }
            }
            3 => {
                let kind = self.float_kind();
                let a = op!(Ty::Float(kind));
                Inst::FNeg { dst: dst!(Ty::Float(kind)), kind, a }
            }
            4 => {
                let kind = self.float_kind();
                let (a, b) = (op!(Ty::Float(kind)), op!(Ty::Float(kind)));
                let op = FCmpOp { lt: self.flip(), eq: self.flip(), gt: self.flip(), unordered: self.flip() };
                Inst::FCmp { dst: dst!(Ty::BOOL), op, kind, a, b }
            }
            5 => {
                let (op, from, to) = self.of(&[
                    (CastOp::Trunc, Ty::Int(64), Ty::Int(8)),
                    (CastOp::ZExt, Ty::Int(8), Ty::Int(128)),
                    (CastOp::SExt, Ty::Int(1), Ty::Int(37)),
                    (CastOp::PtrToInt, Ty::Ptr, Ty::Int(64)),
                    (CastOp::IntToPtr, Ty::Int(32), Ty::Ptr),
                    (CastOp::Bitcast, Ty::Int(32), Ty::Float(FloatKind::Single)),
                    (CastOp::FpTrunc, Ty::Float(FloatKind::X87), Ty::Float(FloatKind::Half)),
                    (CastOp::FpExt, Ty::Float(FloatKind::Single), Ty::Float(FloatKind::Quad)),
                    (CastOp::FpToUi, Ty::Float(FloatKind::Double), Ty::Int(8)),
                    (CastOp::FpToSi, Ty::Float(FloatKind::Double), Ty::Int(37)),
                    (CastOp::UiToFp, Ty::Int(128), Ty::Float(FloatKind::BFloat)),
                    (CastOp::SiToFp, Ty::Int(1), Ty::Float(FloatKind::Double)),
                ]);
                let a = op!(from);
                Inst::Cast { dst: dst!(to), op, from, to, a }
            }
            6 => {
                let ty = self.ty();
                let (cond, a, b) = (op!(Ty::BOOL), op!(ty), op!(ty));
                Inst::Select { dst: dst!(ty), ty, cond, a, b }
            }
            7 => {
                let ty = self.ty();
                let a = op!(ty);
                Inst::Copy { dst: dst!(ty), a }
            }
            8 => {
                let ty = self.ty();
                let a = op!(ty);
                Inst::Freeze { dst: dst!(ty), ty, a }
            }
            9 => self.intrinsic(func, scope),
            10 => {
                let base = op!(Ty::Ptr);
                let scaled = (0..self.pick(3))
                    .map(|_| {
                        let width = self.int_width();
                        (op!(Ty::Int(width)), width, self.small())
                    })
                    .collect();
                Inst::PtrAdd { dst: dst!(Ty::Ptr), base, offset: self.small(), scaled }
            }
            11 => {
                let width = self.int_width();
                let count = op!(Ty::Int(width));
                let name = if self.flip() { Some(self.name("var", 0).into()) } else { None };
                let (size, align, var_ty) = (self.wide(), 1 << self.pick(6), self.type_id());
                Inst::Alloca { dst: dst!(Ty::Ptr), size, count, align, name, var_ty }
            }
            12 | 13 => {
                let ty = self.ty();
                let ptr = op!(Ty::Ptr);
                Inst::Load { dst: dst!(ty), ty, ptr, access: self.access() }
            }
            14 | 15 => {
                let ty = self.ty();
                Inst::Store { ty, value: op!(ty), ptr: op!(Ty::Ptr), access: self.access() }
            }
            16 => {
                Inst::MemCopy { to: op!(Ty::Ptr), from: op!(Ty::Ptr), len: op!(word), overlap: self.flip() }
            }
            17 => Inst::MemSet { to: op!(Ty::Ptr), byte: op!(Ty::Int(8)), len: op!(word) },
            18 => {
                let (ty, op) = match self.pick(3) {
                    0 => (Ty::Int(self.int_width()), self.of(&INT_RMW)),
                    1 => (Ty::Ptr, RmwOp::Xchg),
                    _ => (Ty::Float(FloatKind::Double), self.of(&[RmwOp::FAdd, RmwOp::FSub, RmwOp::Xchg])),
                };
                let (ptr, value) = (op!(Ty::Ptr), op!(ty));
                Inst::AtomicRmw { dst: dst!(ty), op, ty, ptr, value, order: self.order() }
            }
            19 => {
                let ty = if self.flip() { Ty::Ptr } else { Ty::Int(self.int_width()) };
                let (ptr, expected, new) = (op!(Ty::Ptr), op!(ty), op!(ty));
                let (old, ok, weak) = (dst!(ty), dst!(Ty::BOOL), self.flip());
                let (order, failure) = (self.order(), self.order());
                Inst::CmpXchg { old, ok, ty, ptr, expected, new, weak, order, failure }
            }
            20 => Inst::Fence { order: self.order(), signal: self.flip() },
            21 => Inst::Lifetime { ptr: op!(Ty::Ptr), start: self.flip() },
            22 => Inst::StackSave { dst: dst!(Ty::Ptr) },
            23 => Inst::StackRestore { mark: op!(Ty::Ptr) },
            24 => Inst::VaStart { list: op!(Ty::Ptr) },
            25 => Inst::VaCopy { to: op!(Ty::Ptr), from: op!(Ty::Ptr) },
            26 => Inst::VaEnd { list: op!(Ty::Ptr) },
            27 => {
                let ty = self.ty();
                let list = op!(Ty::Ptr);
                Inst::VaArg { dst: dst!(ty), ty, list }
            }
            28 => Inst::Unsupported { what: self.name("odd", 1).into() },
            _ => self.call(func, scope),
        }
    }

    fn intrinsic(&mut self, func: &mut Function, scope: &Scope) -> Inst {
        let op = self.of(&INTRINSICS);
        let ty = if op.is_float() { Ty::Float(self.float_kind()) } else { Ty::Int(self.int_width()) };
        let mut args: Vec<Operand> = (0..op.arity()).map(|_| self.operand(func, scope, ty)).collect();
        let mut results = vec![ty];
        if op == IntrinsicOp::IsFpClass {
            args[1] = self.operand(func, scope, Ty::Int(32));
            results = vec![Ty::BOOL];
        } else if op.has_overflow_bit() {
            results.push(Ty::BOOL);
        }
        let dsts = results.into_iter().map(|ty| self.reg(&mut func.regs, ty)).collect();
        Inst::Intrinsic { dsts, op, ty, args: args.into() }
    }

    fn call(&mut self, func: &mut Function, scope: &Scope) -> Inst {
        let index = self.pick(self.signatures.len() as u32);
        let target = self.signatures[index as usize].clone();
        let mut args = Vec::new();
        for (ty, byval) in target.params.iter().zip(&target.byval) {
            args.push(Arg { value: self.operand(func, scope, *ty), ty: *ty, byval: *byval });
        }
        if target.variadic {
            for ty in self.tys(2) {
                args.push(Arg { value: self.operand(func, scope, ty), ty, byval: None });
            }
        }
        let callee = if self.pick(3) == 2 {
            Callee::Indirect(self.operand(func, scope, Ty::Ptr))
        } else {
            Callee::Direct(FuncId(index))
        };
        let mut dsts = Vec::new();
        if self.flip() {
            dsts = target.ret.iter().map(|ty| self.reg(&mut func.regs, *ty)).collect();
        }
        Inst::Call { dsts: dsts.into(), callee, args: args.into() }
    }

    fn edge(&mut self, func: &Function, scope: &Scope) -> Edge {
        // Not back to the entry: its registers would no longer dominate the rest in a readable way.
        let n = func.blocks.len() as u32;
        let target = BlockId(if n > 1 { 1 + self.pick(n - 1) } else { 0 });
        let tys: Vec<Ty> = func.blocks[target].params.iter().map(|param| func.regs[*param].ty).collect();
        Edge { target, args: tys.into_iter().map(|ty| self.operand(func, scope, ty)).collect() }
    }

    fn terminator(&mut self, func: &Function, scope: &Scope) -> Inst {
        match self.pick(7) {
            0 => {
                let values = func.ret.iter().map(|ty| self.operand(func, scope, *ty)).collect();
                Inst::Return { values }
            }
            1 => Inst::Jump { edge: self.edge(func, scope) },
            2 => Inst::Branch {
                cond: self.operand(func, scope, Ty::BOOL),
                then: self.edge(func, scope),
                otherwise: self.edge(func, scope),
            },
            3 => {
                let width = self.of(&[32, 8, 64, 1]);
                let value = self.operand(func, scope, Ty::Int(width));
                let n_cases = u64::from(self.pick(if width == 1 { 3 } else { 5 }));
                let cases = (0..n_cases).map(|case| (case, self.edge(func, scope))).collect();
                Inst::Switch { value, width, cases, default: self.edge(func, scope) }
            }
            4 => {
                let addr = self.operand(func, scope, Ty::Ptr);
                let targets = (0..self.pick(3)).map(|_| self.edge(func, scope)).collect();
                Inst::IndirectJump { addr, targets }
            }
            5 => Inst::Trap,
            _ => Inst::Unreachable,
        }
    }
}
