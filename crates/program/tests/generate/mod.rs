//! Random valid programs, built from a list of choices so that `proptest` can shrink them.
//!
//! Every instruction and every kind of constant can appear. An exhausted list of choices gives
//! zeros, which pick the smallest thing everywhere, so generation always ends.

mod insts;

use selvedge_base::{Dense, FileId, Loc};
use selvedge_program::*;

/// Types that registers get; the last ones are rare in C but must survive.
pub(crate) const TYPES: [Ty; 10] = [
    Ty::Int(32),
    Ty::Int(1),
    Ty::Int(8),
    Ty::Int(64),
    Ty::Ptr,
    Ty::Float(FloatKind::Double),
    Ty::Float(FloatKind::Single),
    Ty::Int(37),
    Ty::Int(128),
    Ty::Float(FloatKind::X87),
];

/// Signature of a function, fixed before bodies are made so that calls can refer to it.
#[derive(Clone)]
struct Signature {
    params: Vec<Ty>,
    byval: Vec<Option<u64>>,
    ret: Vec<Ty>,
    variadic: bool,
    defined: bool,
    blocks: usize,
}

pub(crate) struct Gen<'a> {
    choices: &'a [u32],
    at: usize,
    program: Program,
    signatures: Vec<Signature>,
    n_globals: u32,
    n_types: u32,
}

/// A valid program made from `choices`.
pub(crate) fn program(choices: &[u32]) -> Program {
    let program = Program::new(Target { ptr_bits: 64 });
    let mut g = Gen { choices, at: 0, program, signatures: Vec::new(), n_globals: 0, n_types: 0 };
    if g.flip() {
        g.program.target.ptr_bits = 32;
    }
    for index in 0..=g.pick(2) {
        let name = g.name("file", index);
        g.program.files.push(SourceFile { name, dir: "/\u{e9}\"\\".into() });
    }
    g.n_types = g.pick(9);
    for _ in 0..g.n_types {
        let ty = g.debug_type();
        g.program.types.push(ty);
    }
    g.n_globals = g.pick(5);
    let n_funcs = 1 + g.pick(4);
    for index in 0..n_funcs {
        let signature = g.signature(index == 0);
        g.signatures.push(signature);
    }
    for index in 0..g.n_globals {
        let global = g.global(index);
        g.program.globals.push(global);
    }
    for index in 0..n_funcs {
        let func = g.function(index);
        g.program.funcs.push(func);
    }
    g.program.entry = Some(FuncId(0));
    if g.signatures[0].params.is_empty() && g.flip() {
        g.program.ctors = vec![FuncId(0)];
    }
    g.program
}

impl Gen<'_> {
    fn raw(&mut self) -> u32 {
        self.at += 1;
        self.choices.get(self.at - 1).copied().unwrap_or(0)
    }

    /// A number below `n`.
    fn pick(&mut self, n: u32) -> u32 {
        self.raw() % n.max(1)
    }

    fn flip(&mut self) -> bool {
        self.pick(2) == 1
    }

    fn wide(&mut self) -> u64 {
        u64::from(self.raw()) << 32 | u64::from(self.raw())
    }

    fn small(&mut self) -> i64 {
        i64::from(self.pick(64)) - 32
    }

    fn of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.pick(items.len() as u32) as usize]
    }

    fn ty(&mut self) -> Ty {
        self.of(&TYPES)
    }

    fn tys(&mut self, at_most: u32) -> Vec<Ty> {
        (0..self.pick(at_most + 1)).map(|_| self.ty()).collect()
    }

    /// A name that is unique by `kind` and `index`, and sometimes needs quoting.
    fn name(&mut self, kind: &str, index: u32) -> String {
        match self.pick(4) {
            0 => format!("{kind}{index}"),
            1 => format!(".{kind}.{index}$"),
            2 => format!("{index} {kind} \"\\\n\u{1f9f5}"),
            _ => format!("{index}{kind}::<T>"),
        }
    }

    fn loc(&mut self) -> Loc {
        match self.pick(4) {
            0 => Loc::UNKNOWN,
            1 => Loc { file: Loc::UNKNOWN.file, line: self.pick(3), column: 1 },
            _ => {
                let file = FileId(self.pick(self.program.files.len() as u32));
                Loc { file, line: self.pick(100), column: self.pick(100) }
            }
        }
    }

    fn type_id(&mut self) -> Option<TypeId> {
        if self.n_types == 0 || self.flip() { None } else { Some(TypeId(self.pick(self.n_types))) }
    }

    fn debug_type(&mut self) -> DebugType {
        let encodings =
            [Encoding::Signed, Encoding::Unsigned, Encoding::Char, Encoding::Bool, Encoding::Float];
        let name = self.name("t", 0);
        match (self.pick(7), self.type_id()) {
            (1, to) => DebugType::Pointer { to },
            (2, Some(ty)) => {
                let field = |index| Field { name: format!("m{index}"), bit_offset: index, bit_size: 3, ty };
                DebugType::Record { name, size: self.wide(), fields: (0..3).map(field).collect() }
            }
            (2, None) => DebugType::Record { name, size: 0, fields: vec![] },
            (3, Some(elem)) => DebugType::Array { elem, count: self.wide() },
            (4, to) => DebugType::Alias { name, to },
            (5, _) => {
                DebugType::Enum { name, size: 4, values: vec![("A".into(), -1), ("B".into(), i64::MAX)] }
            }
            (6, _) => DebugType::Other { name },
            _ => DebugType::Basic { name, size: 4, encoding: self.of(&encodings) },
        }
    }

    fn signature(&mut self, entry: bool) -> Signature {
        let params = self.tys(3);
        let byval = params.iter().map(|ty| (*ty == Ty::Ptr && self.flip()).then_some(24)).collect();
        let defined = entry || self.pick(3) > 0;
        let blocks = if defined { 1 + self.pick(5) as usize } else { 0 };
        Signature { params, byval, ret: self.tys(2), variadic: self.flip(), defined, blocks }
    }

    fn global(&mut self, index: u32) -> Global {
        let name = self.name("g", index);
        let ptr_bits = self.program.target.ptr_bits;
        let mut pieces = Vec::new();
        let mut offset = 0;
        for _ in 0..self.pick(5) {
            offset += u64::from(self.pick(3));
            let (piece, len) = match self.pick(3) {
                0 => {
                    let bytes: Box<[u8]> = (0..self.pick(6)).map(|_| self.raw() as u8).collect();
                    let len = bytes.len() as u64;
                    (InitPiece::Bytes { offset, bytes }, len)
                }
                1 => (InitPiece::Undef { offset, len: 3 }, 3),
                _ => {
                    let ty = self.ty();
                    (InitPiece::Scalar { offset, ty, value: self.constant(ty) }, ty.store_size(ptr_bits))
                }
            };
            pieces.push(piece);
            offset += len;
        }
        Global {
            name,
            size: offset + u64::from(self.pick(3)),
            align: 1 << self.pick(5),
            init: if self.pick(4) == 3 { None } else { Some(pieces) },
            is_const: self.flip(),
            thread_local: self.flip(),
            loc: self.loc(),
            var_ty: self.type_id(),
            is_runtime: self.flip(),
        }
    }

    /// A constant of type `ty`.
    fn constant(&mut self, ty: Ty) -> ConstId {
        self.constant_within(ty, 3)
    }

    fn constant_within(&mut self, ty: Ty, depth: u32) -> ConstId {
        let value = match (self.pick(6), ty) {
            (5, _) => Const::Undef(ty),
            (4, Ty::Int(width)) if depth > 0 => {
                let (a, b) = (self.constant_within(ty, depth - 1), self.constant_within(ty, depth - 1));
                Const::Expr(ConstExpr::Bin { op: self.of(&insts::BIN_OPS), width, a, b })
            }
            (3, Ty::Int(_)) if depth > 0 => {
                let arg = self.constant_within(Ty::Ptr, depth - 1);
                Const::Expr(ConstExpr::Cast { op: CastOp::PtrToInt, from: Ty::Ptr, to: ty, arg })
            }
            (_, Ty::Int(width @ ..=64)) => {
                let value = if self.flip() { u64::from(self.pick(9)) } else { self.wide() };
                Const::Int { width, value: value & (u64::MAX >> (64 - width)) }
            }
            (_, Ty::Int(width)) => {
                let limbs = (0..width.div_ceil(64)).map(|_| self.wide() >> (self.pick(2) * 40)).collect();
                Const::Wide { width, limbs }
            }
            (_, Ty::Float(kind)) => {
                let bits = u128::from(self.wide()) << 64 | u128::from(self.wide());
                Const::Float { kind, bits: bits & (u128::MAX >> (128 - kind.bits())) }
            }
            (1, Ty::Ptr) if self.n_globals > 0 => {
                let global = GlobalId(self.pick(self.n_globals));
                Const::Global { global, offset: self.small() }
            }
            (2, Ty::Ptr) => Const::Func(FuncId(self.pick(self.signatures.len() as u32))),
            (3, Ty::Ptr) => Const::Block(FuncId(0), BlockId(self.pick(self.signatures[0].blocks as u32))),
            (4, Ty::Ptr) if depth > 0 => {
                let base = self.constant_within(Ty::Ptr, depth - 1);
                Const::Expr(ConstExpr::PtrAdd { base, offset: self.small() })
            }
            (_, Ty::Ptr) => Const::Null,
        };
        self.program.add_const(value)
    }

    fn function(&mut self, index: u32) -> Function {
        let signature = self.signatures[index as usize].clone();
        let mut regs = Dense::new();
        let params: Vec<Reg> = signature.params.iter().map(|ty| self.reg(&mut regs, *ty)).collect();
        if self.pick(4) == 3 {
            let ty = self.ty();
            self.reg(&mut regs, ty);
        }
        let mut func = Function {
            name: self.name("f", index),
            display_name: if self.flip() { Some(self.name("shown", 0)) } else { None },
            params,
            byval: signature.byval.clone(),
            ret: signature.ret.clone(),
            variadic: signature.variadic,
            regs,
            blocks: Dense::new(),
            loc: self.loc(),
            is_runtime: self.flip(),
            is_weak: self.flip(),
        };
        if signature.defined {
            self.body(&mut func, signature.blocks);
        }
        func
    }

    fn reg(&mut self, regs: &mut Dense<Reg, RegInfo>, ty: Ty) -> Reg {
        let name = if self.flip() { Some(self.name("x", 0).into()) } else { None };
        let var_ty = self.type_id();
        regs.push(RegInfo { ty, name, var_ty })
    }
}
