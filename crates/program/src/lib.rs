//! Selvedge's intermediate representation: what the front end produces and every
//! later layer reads.
//!
//! It is LLVM IR made small and regular:
//! - every register holds one *scalar* ([`Ty`]): aggregates and vectors are split into
//!   one register per element by the front end;
//! - blocks have parameters instead of phi nodes ([`Edge`] carries the arguments);
//! - address arithmetic is one instruction, [`Inst::PtrAdd`], in bytes;
//! - what the front end could not lower is an explicit [`Inst::Unsupported`], which
//!   makes a path `unknown` only if it is reached.
//!
//! Guarantees: a program accepted by [`validate`] can be executed without a range or type check
//! on ids. Relies on nothing above it; knows neither LLVM nor terms.

mod bit_field;
mod canonical;
mod consts;
mod debug_type;
mod flow;
mod inst;
mod lexer;
mod mnemonics;
mod module;
mod parse;
mod print;
mod renumber;
pub mod stable;
mod ty;
mod validate;
mod visit;

pub use consts::{Const, ConstExpr, ConstId, InitPiece};
pub use debug_type::{DebugType, Encoding, Field, TypeId};
pub use flow::{Dominators, Flow, Loop, Loops, PostDominators};
pub use inst::{
    Access, Arg, BinOp, Callee, CastOp, CmpOp, Edge, FBinOp, FCmpOp, Inst, IntrinsicOp, Operand, Order,
    RmwOp, Wrap,
};
pub use module::{
    Block, BlockId, FuncId, Function, Global, GlobalId, Program, Reg, RegInfo, SourceFile, Target, Unordered,
};
pub use parse::{ErrorKind, ParseError, parse};
pub use print::print_func;
pub use renumber::Renumbering;
pub use ty::{FloatKind, Ty};
pub use validate::{Problem, Where, Wrong, validate};
