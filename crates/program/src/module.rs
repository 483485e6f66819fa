//! Programs, functions, blocks, globals.

use rustc_hash::FxHashMap;
use selvedge_base::{Dense, FileId, Loc, define_id};

use crate::{CastOp, Const, ConstExpr, ConstId, DebugType, InitPiece, Inst, Ty, TypeId};

define_id!(
    /// A function of the program, defined or only declared.
    pub struct FuncId, "f"
);
define_id!(
    /// A global variable.
    pub struct GlobalId, "g"
);
define_id!(
    /// A basic block of one function; `bb0` is the entry.
    pub struct BlockId, "bb"
);
define_id!(
    /// A virtual register of one function.
    pub struct Reg, "%"
);

/// What the program was compiled for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    /// 32 or 64.
    pub ptr_bits: u32,
}

/// A source file by the name the compiler recorded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceFile {
    /// Name as given to the compiler.
    pub name: String,
    /// Directory that relative names start from.
    pub dir: String,
}

impl SourceFile {
    /// Whether this belongs to the system, as headers of the C++ library do.
    pub fn is_of_system(&self) -> bool {
        self.name.starts_with("/usr/")
    }
}

/// A whole linked program.
#[derive(Clone, Debug)]
pub struct Program {
    /// Target data model.
    pub target: Target,
    /// All functions.
    pub funcs: Dense<FuncId, Function>,
    /// All global variables.
    pub globals: Dense<GlobalId, Global>,
    /// Interned constants.
    pub consts: Dense<ConstId, Const>,
    /// Source-level types.
    pub types: Dense<TypeId, DebugType>,
    /// Source files.
    pub files: Dense<FileId, SourceFile>,
    /// `main`, if there is one.
    pub entry: Option<FuncId>,
    /// Functions to run before `main`, in order (constructors).
    pub ctors: Vec<FuncId>,
    /// Parts of it came as bitcode: functions of headers may have been put into others there.
    pub has_bitcode: bool,
    /// What one expression does in an order that the language leaves open; not part of the text form.
    pub unordered: Vec<Unordered>,
    pub(crate) const_index: FxHashMap<Const, ConstId>,
}

impl Program {
    /// An empty program for `target`.
    pub fn new(target: Target) -> Self {
        Program {
            target,
            funcs: Dense::new(),
            globals: Dense::new(),
            consts: Dense::new(),
            types: Dense::new(),
            files: Dense::new(),
            entry: None,
            ctors: Vec::new(),
            has_bitcode: false,
            unordered: Vec::new(),
            const_index: FxHashMap::default(),
        }
    }

    /// Interns a constant.
    pub fn add_const(&mut self, value: Const) -> ConstId {
        if let Some(&id) = self.const_index.get(&value) {
            return id;
        }
        let id = self.consts.push(value.clone());
        self.const_index.insert(value, id);
        id
    }

    /// Whether a constant is a number, or has one in it, that says where an object lies.
    pub fn is_address_as_number(&self, id: ConstId) -> bool {
        match &self.consts[id] {
            Const::Expr(ConstExpr::Cast { op: CastOp::PtrToInt, .. }) => true,
            Const::Expr(ConstExpr::Cast { arg, .. } | ConstExpr::PtrAdd { base: arg, .. }) => {
                self.is_address_as_number(*arg)
            }
            Const::Expr(ConstExpr::Bin { a, b, .. }) => {
                [a, b].into_iter().any(|x| self.is_address_as_number(*x))
            }
            _ => false,
        }
    }

    /// Forgets all constants; whoever calls this renumbers their uses.
    pub(crate) fn clear_consts(&mut self) {
        self.consts = Dense::new();
        self.const_index.clear();
    }

    /// The function of this name.
    pub fn func_named(&self, name: &str) -> Option<FuncId> {
        self.funcs.enumerate().find(|(_, f)| f.name == name).map(|(id, _)| id)
    }

    /// Whether it begins with `main`, to which the system gives arguments.
    pub fn begins_with_main(&self) -> bool {
        self.entry.is_some_and(|entry| self.funcs[entry].name == "main")
    }

    /// Width of a pointer in bytes.
    pub fn ptr_bytes(&self) -> u64 {
        u64::from(self.target.ptr_bits / 8)
    }
}

/// Two instructions of one expression that the compiler could have put in the other order: calls, or a call and a load.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unordered {
    /// Their function.
    pub func: FuncId,
    /// Block and position of the one that comes first here.
    pub first: (BlockId, usize),
    /// Block and position of the other.
    pub second: (BlockId, usize),
}

/// A function.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// Linkage name.
    pub name: String,
    /// Name in the source, if it differs (C++, Rust).
    pub display_name: Option<String>,
    /// Registers that receive the arguments.
    pub params: Vec<Reg>,
    /// For each parameter: size of the object that a by-value pointer argument is copied from.
    pub byval: Vec<Option<u64>>,
    /// Types of the returned scalars; empty for `void`.
    pub ret: Vec<Ty>,
    /// Whether more arguments may follow.
    pub variadic: bool,
    /// Registers.
    pub regs: Dense<Reg, RegInfo>,
    /// Blocks; empty for a declaration.
    pub blocks: Dense<BlockId, Block>,
    /// Where it is defined.
    pub loc: Loc,
    /// Part of Selvedge's own C run-time (`strlen` and the like): reports show the caller's line.
    pub is_runtime: bool,
    /// A weak reference: without a definition its address is null.
    pub is_weak: bool,
}

impl Function {
    /// Whether there is a body.
    pub fn is_defined(&self) -> bool {
        !self.blocks.is_empty()
    }
}

/// What is known about a register.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RegInfo {
    /// Its type.
    pub ty: Ty,
    /// The source variable it holds, if debug information says so.
    pub name: Option<Box<str>>,
    /// That variable's type.
    pub var_ty: Option<TypeId>,
}

/// A basic block: straight-line code and one terminator at the end.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Block {
    /// Registers assigned from the arguments of the incoming [`Edge`](crate::Edge).
    pub params: Vec<Reg>,
    /// Instructions; the last one, and only that, is a terminator.
    pub insts: Vec<Inst>,
    /// Source place of each instruction (same length as `insts`).
    pub locs: Vec<Loc>,
}

/// A global variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Global {
    /// Linkage name.
    pub name: String,
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// Initial content; `None` for an external declaration.
    pub init: Option<Vec<InitPiece>>,
    /// Writing to it is an error.
    pub is_const: bool,
    /// One copy for each thread.
    pub thread_local: bool,
    /// Where it is defined.
    pub loc: Loc,
    /// Source-level type.
    pub var_ty: Option<TypeId>,
    /// Part of Selvedge's own C run-time.
    pub is_runtime: bool,
}
