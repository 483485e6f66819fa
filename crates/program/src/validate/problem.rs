//! What the validator can find wrong.

use crate::{BlockId, ConstId, FuncId, GlobalId, Program, Reg, Ty};

/// One violated invariant.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{place_name}: {wrong}")]
pub struct Problem {
    /// Where, by ids.
    pub place: Where,
    /// Where, by names.
    pub place_name: String,
    /// What.
    pub wrong: Wrong,
}

/// A part of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Where {
    /// The program as a whole.
    Program,
    /// A constant.
    Const(ConstId),
    /// A global.
    Global(GlobalId),
    /// A function as a whole.
    Func(FuncId),
    /// A block as a whole.
    Block(FuncId, BlockId),
    /// An instruction, by its index in the block.
    Inst(FuncId, BlockId, usize),
}

impl Where {
    pub(super) fn describe(self, program: &Program) -> String {
        let func =
            |id: FuncId| program.funcs.get(id).map_or_else(|| id.to_string(), |f| format!("@{}", f.name));
        match self {
            Where::Program => "program".to_owned(),
            Where::Const(id) => id.to_string(),
            Where::Global(id) => {
                program.globals.get(id).map_or_else(|| id.to_string(), |g| format!("@{}", g.name))
            }
            Where::Func(f) => func(f),
            Where::Block(f, b) => format!("{}, {b}", func(f)),
            Where::Inst(f, b, i) => format!("{}, {b}, instruction {i}", func(f)),
        }
    }
}

/// Which invariant is violated, and by what.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say it")]
pub enum Wrong {
    #[error("pointers have {0} bits, not 32 or 64")]
    PointerWidth(u32),
    #[error("there is no entry function")]
    NoEntry,
    #[error("{0} has no body")]
    NotDefined(FuncId),
    #[error("constructor {0} takes parameters")]
    CtorParams(FuncId),
    #[error("a function or global without a name")]
    EmptyName,
    #[error("the name `{0}` is used twice")]
    DuplicateName(String),
    #[error("{0} does not exist")]
    OutOfRange(String),
    #[error("{0} is not a possible integer width")]
    Width(u32),
    #[error("bits above the width are set, or the number of limbs is wrong")]
    ConstBits,
    #[error("a constant expression uses {0}, which does not come before it")]
    ConstOrder(ConstId),
    #[error("constant expression nested too deeply")]
    ConstDepth,
    #[error("alignment {0} is not a power of two")]
    Alignment(u64),
    #[error("the initialiser at offset {0} overlaps the one before it")]
    InitOrder(u64),
    #[error("the initialiser at offset {0} exceeds the object")]
    InitRange(u64),
    #[error("{params} parameters but {byval} by-value entries")]
    ByvalCount { params: usize, byval: usize },
    #[error("the entry block has parameters")]
    EntryParams,
    #[error("{insts} instructions but {locs} places")]
    LocCount { insts: usize, locs: usize },
    #[error("the block does not end in a terminator")]
    NoTerminator,
    #[error("a terminator before the end of the block")]
    EarlyTerminator,
    #[error("{0} is assigned twice")]
    AssignedTwice(Reg),
    #[error("{0} is used but never assigned")]
    NeverAssigned(Reg),
    #[error("{0} is used where it may not be assigned yet")]
    NotDominated(Reg),
    #[error("expected {expected}, found {found}")]
    Type { expected: String, found: Ty },
    #[error("no conversion from {from} to {to} by this cast")]
    Cast { from: Ty, to: Ty },
    #[error("this operation is not defined on {0}")]
    OperationType(Ty),
    #[error("{expected} arguments expected, {found} given")]
    ArgCount { expected: usize, found: usize },
    #[error("{expected} results expected, {found} registers given")]
    ResultCount { expected: usize, found: usize },
    #[error("{expected} values expected by {target}, {found} given")]
    EdgeCount { target: BlockId, expected: usize, found: usize },
    #[error("argument {0} and its parameter are not both passed by value with the same size")]
    Byval(usize),
    #[error("case {0} does not fit the width")]
    CaseRange(u64),
    #[error("case {0} appears twice")]
    CaseTwice(u64),
}
