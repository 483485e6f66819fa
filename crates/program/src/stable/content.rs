//! The digests of functions, globals and the rest of a program.
//!
//! A digest covers what an execution depends on: operations, types, sizes and offsets, constants, what is referred to by
//! name, attributes, and whether a local has a name at all (a temporary of the compiler has none). It leaves out names of
//! locals, places and source types. Registers are numbered in the order in which they are assigned.

mod inst;

use rustc_hash::FxHashMap;
use selvedge_base::Dense;

use super::names::is_numbered;
use super::{Digest, Hasher, Names};
use crate::mnemonics::Word;
use crate::{
    Block, BlockId, Const, ConstExpr, ConstId, FuncId, Function, Global, GlobalId, InitPiece, Program, Reg,
    RegInfo, Target, Ty, Unordered,
};

/// The digests of one program.
#[derive(Clone, Debug)]
pub struct Fingerprint {
    /// By function.
    pub funcs: Dense<FuncId, Digest>,
    /// By global variable.
    pub globals: Dense<GlobalId, Digest>,
    /// What is neither: the target, where the program begins, where its parts come from, the version of the tool, which
    /// knows what library functions do.
    pub rest: Digest,
    /// The order of everything that has an address: the program depends on it only where it looks at addresses.
    pub layout: Digest,
}

/// Hashes parts of one program.
#[derive(Debug)]
pub struct Content<'p> {
    program: &'p Program,
    names: &'p Names,
    /// By function: whether constants handed to it are only shown.
    tells: Dense<FuncId, bool>,
    consts: Dense<ConstId, Digest>,
}

/// How the parts of an instruction that are local to its function are written.
trait Local {
    fn reg(&mut self, out: &mut Hasher, reg: Reg);
    /// Whether the edge to the block says what it assigns.
    fn block(&mut self, out: &mut Hasher, block: BlockId) -> bool;
}

/// Registers by the order of their first appearance, blocks by number.
#[derive(Default)]
struct Numbered(FxHashMap<Reg, u64>);

impl Local for Numbered {
    fn reg(&mut self, out: &mut Hasher, reg: Reg) {
        let next = self.0.len() as u64;
        out.number(*self.0.entry(reg).or_insert(next));
    }

    fn block(&mut self, out: &mut Hasher, block: BlockId) -> bool {
        out.number(u64::from(block.0));
        true
    }
}

/// Not at all.
struct Hidden;

impl Local for Hidden {
    fn reg(&mut self, _: &mut Hasher, _: Reg) {}
    fn block(&mut self, _: &mut Hasher, _: BlockId) -> bool {
        false
    }
}

impl<'p> Content<'p> {
    /// Prepares `program`, whose names are `names`. `tells` says of which functions the arguments are only shown: those that
    /// report a failed assertion get the line, which moves with every edit above it.
    pub fn new(program: &'p Program, names: &'p Names, tells: impl Fn(FuncId) -> bool) -> Content<'p> {
        let tells = program.funcs.ids().map(tells).collect();
        let mut content = Content { program, names, tells, consts: Dense::new() };
        // An expression only uses earlier constants.
        for value in program.consts.iter() {
            let digest = content.constant(value);
            content.consts.push(digest);
        }
        content
    }

    /// The digests of everything.
    pub fn fingerprint(&self) -> Fingerprint {
        let mut unordered: FxHashMap<FuncId, Vec<&Unordered>> = FxHashMap::default();
        for pair in &self.program.unordered {
            unordered.entry(pair.func).or_default().push(pair);
        }
        let pairs = |id: FuncId| unordered.get(&id).map_or(&[][..], Vec::as_slice);
        Fingerprint {
            funcs: self.program.funcs.enumerate().map(|(id, f)| self.function(id, f, pairs(id))).collect(),
            globals: self.program.globals.enumerate().map(|(id, g)| self.global(id, g)).collect(),
            rest: self.rest(),
            layout: self.layout(),
        }
    }

    fn rest(&self) -> Digest {
        let Program {
            target: Target { ptr_bits },
            // Each has its own digest.
            funcs: _,
            globals: _,
            // Part of what uses them.
            consts: _,
            const_index: _,
            unordered: _,
            // Only shown.
            types: _,
            files: _,
            entry,
            ctors,
            has_bitcode,
        } = self.program;
        let mut out = Hasher::new("program");
        // What library functions do is the tool's business.
        out.text(env!("CARGO_PKG_VERSION"));
        out.number(u64::from(*ptr_bits));
        out.text(entry.map_or("", |func| self.names.func(func)));
        out.number(ctors.len() as u64);
        ctors.iter().for_each(|func| out.text(self.names.func(*func)));
        out.flag(*has_bitcode);
        out.finish()
    }

    fn layout(&self) -> Digest {
        let mut out = Hasher::new("layout");
        for (global, (_, name)) in self.program.globals.iter().zip(self.names.globals()) {
            out.text(name);
            out.number(global.size);
            out.number(global.align);
        }
        self.names.funcs().for_each(|(_, name)| out.text(name));
        out.finish()
    }

    /// A function, declared or defined, under its name.
    fn function(&self, id: FuncId, function: &Function, unordered: &[&Unordered]) -> Digest {
        let mut out = Hasher::new("function");
        out.text(self.names.func(id));
        self.signature(&mut out, function);
        let mut local = Numbered::default();
        let describe = |out: &mut Hasher, local: &mut Numbered, reg: Reg| {
            local.reg(out, reg);
            let RegInfo { ty, name: _, var_ty: _ } = &function.regs[reg];
            self.ty(out, *ty);
        };
        function.params.iter().for_each(|reg| describe(&mut out, &mut local, *reg));
        for block in function.blocks.iter() {
            let Block { params, insts, locs: _ } = block;
            out.number(params.len() as u64);
            params.iter().for_each(|reg| describe(&mut out, &mut local, *reg));
            out.number(insts.len() as u64);
            for (at, inst) in insts.iter().enumerate() {
                inst.for_each_dst(|reg| describe(&mut out, &mut local, reg));
                self.inst(&mut out, inst, &mut local);
                out.flag(block.is_store_to_bit_field(at));
            }
        }
        for Unordered { func: _, first, second } in unordered {
            for (block, inst) in [first, second] {
                out.number(u64::from(block.0));
                out.number(*inst as u64);
            }
        }
        out.finish()
    }

    /// What callers and the engine know of a function besides its body.
    fn signature(&self, out: &mut Hasher, function: &Function) {
        let Function {
            // The linkage name without the number that the compiler appends is part of the stable name; the engine knows
            // functions by the whole of it.
            name,
            display_name: _,
            params,
            byval,
            ret,
            variadic,
            // Described where they are assigned.
            regs: _,
            blocks,
            loc: _,
            is_runtime,
            is_weak,
        } = function;
        out.flag(is_numbered(name));
        out.number(params.len() as u64);
        byval.iter().for_each(|size| out.option(*size));
        out.number(ret.len() as u64);
        ret.iter().for_each(|ty| self.ty(out, *ty));
        out.flag(*variadic);
        out.number(blocks.len() as u64);
        out.flag(*is_runtime);
        out.flag(*is_weak);
    }

    fn global(&self, id: GlobalId, global: &Global) -> Digest {
        let Global { name: _, size, align, init, is_const, thread_local, loc: _, var_ty: _, is_runtime } =
            global;
        let mut out = Hasher::new("global");
        out.text(self.names.global(id));
        out.number(*size);
        out.number(*align);
        out.option(init.as_ref().map(|pieces| pieces.len() as u64));
        for piece in init.iter().flatten() {
            match piece {
                InitPiece::Bytes { offset, bytes } => {
                    out.text("bytes");
                    out.number(*offset);
                    out.data(bytes);
                }
                InitPiece::Scalar { offset, ty, value } => {
                    out.text("scalar");
                    out.number(*offset);
                    self.ty(&mut out, *ty);
                    out.digest(self.consts[*value]);
                }
                InitPiece::Undef { offset, len } => {
                    out.text("undef");
                    out.number(*offset);
                    out.number(*len);
                }
            }
        }
        [is_const, thread_local, is_runtime].into_iter().for_each(|flag| out.flag(*flag));
        out.finish()
    }

    fn constant(&self, value: &Const) -> Digest {
        let mut out = Hasher::new("constant");
        match value {
            Const::Int { width, value } => {
                out.text("int");
                out.number(u64::from(*width));
                out.number(*value);
            }
            Const::Wide { width, limbs } => {
                out.text("wide");
                out.number(u64::from(*width));
                limbs.iter().for_each(|limb| out.number(*limb));
            }
            Const::Float { kind, bits } => {
                out.text("float");
                out.text(kind.word());
                out.data(&bits.to_le_bytes());
            }
            Const::Null => out.text("null"),
            Const::Global { global, offset } => {
                out.text("global");
                out.text(self.names.global(*global));
                out.number(*offset as u64);
            }
            Const::Func(func) => {
                out.text("func");
                out.text(self.names.func(*func));
            }
            Const::Block(func, block) => {
                out.text("block");
                out.text(self.names.func(*func));
                out.number(u64::from(block.0));
            }
            Const::Undef(ty) => {
                out.text("undef");
                self.ty(&mut out, *ty);
            }
            Const::Expr(ConstExpr::Cast { op, from, to, arg }) => {
                out.text(op.word());
                self.ty(&mut out, *from);
                self.ty(&mut out, *to);
                out.digest(self.consts[*arg]);
            }
            Const::Expr(ConstExpr::Bin { op, width, a, b }) => {
                out.text(op.word());
                out.number(u64::from(*width));
                out.digest(self.consts[*a]);
                out.digest(self.consts[*b]);
            }
            Const::Expr(ConstExpr::PtrAdd { base, offset }) => {
                out.text("ptradd");
                out.digest(self.consts[*base]);
                out.number(*offset as u64);
            }
        }
        out.finish()
    }

    /// A constant by its content.
    pub fn constant_digest(&self, id: ConstId) -> Digest {
        self.consts[id]
    }

    /// What an instruction is apart from the registers that it names and where it goes.
    pub fn shape(&self, func: FuncId, block: BlockId, index: usize) -> Digest {
        let function = &self.program.funcs[func];
        let body = &function.blocks[block];
        let mut out = Hasher::new("instruction");
        let inst = &body.insts[index];
        inst.for_each_dst(|reg| self.ty(&mut out, function.regs[reg].ty));
        self.inst(&mut out, inst, &mut Hidden);
        out.flag(body.is_store_to_bit_field(index));
        out.finish()
    }

    fn ty(&self, out: &mut Hasher, ty: Ty) {
        match ty {
            Ty::Int(width) => {
                out.text("int");
                out.number(u64::from(width));
            }
            Ty::Ptr => out.text("ptr"),
            Ty::Float(kind) => out.text(kind.word()),
        }
    }
}
