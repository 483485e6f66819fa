//! Instructions.

use crate::{BlockId, ConstId, FloatKind, FuncId, Reg, Ty, TypeId};

/// A scalar operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    /// The value of a register.
    Reg(Reg),
    /// A constant of the program.
    Const(ConstId),
}

/// A control-flow edge: the target block and the values of its parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// Where to.
    pub target: BlockId,
    /// Assigned in parallel to the target's parameters.
    pub args: Box<[Operand]>,
}

/// Overflow flags of integer arithmetic: overflow is undefined behaviour.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Wrap {
    /// No signed wrap (C's signed arithmetic).
    pub nsw: bool,
    /// No unsigned wrap.
    pub nuw: bool,
}

/// Integer arithmetic, operands and result of one width.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names are LLVM's")]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
}

/// Integer and pointer comparison. Greater-than forms are swapped by the front end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names are LLVM's")]
pub enum CmpOp {
    Eq,
    Ne,
    Ult,
    Ule,
    Slt,
    Sle,
}

/// Conversions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names are LLVM's")]
pub enum CastOp {
    Trunc,
    ZExt,
    SExt,
    PtrToInt,
    IntToPtr,
    /// Same bits, other type.
    Bitcast,
    FpTrunc,
    FpExt,
    FpToUi,
    FpToSi,
    UiToFp,
    SiToFp,
}

/// Floating-point arithmetic.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names are LLVM's")]
pub enum FBinOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
}

/// Floating-point comparison: which of the four outcomes make it true.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct FCmpOp {
    /// True if `a < b`.
    pub lt: bool,
    /// True if `a == b`.
    pub eq: bool,
    /// True if `a > b`.
    pub gt: bool,
    /// True if one of them is a NaN.
    pub unordered: bool,
}

/// Memory orders of C11 that LLVM keeps.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names are C11's")]
pub enum Order {
    Unordered,
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

/// What kind of access a load or store is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Access {
    /// `volatile`.
    pub volatile: bool,
    /// `Some` for atomic accesses.
    pub order: Option<Order>,
}

/// Atomic read-modify-write operations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names are LLVM's")]
pub enum RmwOp {
    Xchg,
    Add,
    Sub,
    And,
    Nand,
    Or,
    Xor,
    Max,
    Min,
    UMax,
    UMin,
    FAdd,
    FSub,
}

/// Pure operations that LLVM has as intrinsics. Unless said otherwise, arguments and the one result have type `ty`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names are LLVM's")]
pub enum IntrinsicOp {
    /// Two results: wrapped sum and overflow bit (`i1`); likewise the next five.
    SAddOverflow,
    UAddOverflow,
    SSubOverflow,
    USubOverflow,
    SMulOverflow,
    UMulOverflow,
    SAddSat,
    UAddSat,
    SSubSat,
    USubSat,
    SMax,
    SMin,
    UMax,
    UMin,
    Abs,
    CtPop,
    /// The second argument (zero is poison) is dropped; zero gives the width.
    Ctlz,
    Cttz,
    BSwap,
    BitReverse,
    /// Three arguments.
    FShl,
    FShr,
    FAbs,
    Sqrt,
    Floor,
    Ceil,
    FTrunc,
    /// `rint`/`nearbyint`: to even.
    Rint,
    /// `round`: half away from zero.
    Round,
    RoundEven,
    CopySign,
    MinNum,
    MaxNum,
    /// Three arguments, one rounding.
    Fma,
    /// Three arguments, two roundings, as x86-64 does without FMA.
    MulAdd,
    /// `llvm.is.fpclass`: second argument is an `i32` mask; the result is `i1`.
    IsFpClass,
}

impl IntrinsicOp {
    /// Number of arguments.
    pub const fn arity(self) -> usize {
        use IntrinsicOp::*;
        match self {
            FShl | FShr | Fma | MulAdd => 3,
            Abs | CtPop | Ctlz | Cttz | BSwap | BitReverse | FAbs | Sqrt | Floor | Ceil | FTrunc | Rint
            | Round | RoundEven => 1,
            SAddOverflow | UAddOverflow | SSubOverflow | USubOverflow | SMulOverflow | UMulOverflow
            | SAddSat | UAddSat | SSubSat | USubSat | SMax | SMin | UMax | UMin | CopySign | MinNum
            | MaxNum | IsFpClass => 2,
        }
    }

    /// Whether a second result says that the operation overflowed.
    pub const fn has_overflow_bit(self) -> bool {
        use IntrinsicOp::*;
        matches!(
            self,
            SAddOverflow | UAddOverflow | SSubOverflow | USubOverflow | SMulOverflow | UMulOverflow
        )
    }

    /// Whether it works on floating-point numbers; the others work on integers.
    pub const fn is_float(self) -> bool {
        use IntrinsicOp::*;
        matches!(
            self,
            FAbs | Sqrt
                | Floor
                | Ceil
                | FTrunc
                | Rint
                | Round
                | RoundEven
                | CopySign
                | MinNum
                | MaxNum
                | Fma
                | MulAdd
                | IsFpClass
        )
    }
}

/// What a call calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee {
    /// A known function, defined or declared.
    Direct(FuncId),
    /// A function pointer.
    Indirect(Operand),
}

/// An actual argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arg {
    /// The value.
    pub value: Operand,
    /// Its type (needed for variadic calls).
    pub ty: Ty,
    /// The pointer stands for a copy of an object of this many bytes.
    pub byval: Option<u64>,
}

/// An instruction. Terminators come last.
#[derive(Clone, PartialEq, Debug)]
#[expect(missing_docs, reason = "fields are named after their role; each variant is documented")]
pub enum Inst {
    /// Integer arithmetic.
    Bin { dst: Reg, op: BinOp, wrap: Wrap, width: u32, a: Operand, b: Operand },
    /// Comparison of integers or pointers of `width` bits.
    Cmp { dst: Reg, op: CmpOp, width: u32, a: Operand, b: Operand },
    /// Floating-point arithmetic.
    FBin { dst: Reg, op: FBinOp, kind: FloatKind, a: Operand, b: Operand },
    /// Floating-point negation (flips the sign bit, of NaNs too).
    FNeg { dst: Reg, kind: FloatKind, a: Operand },
    /// Floating-point comparison.
    FCmp { dst: Reg, op: FCmpOp, kind: FloatKind, a: Operand, b: Operand },
    /// Conversion.
    Cast { dst: Reg, op: CastOp, from: Ty, to: Ty, a: Operand },
    /// `cond ? a : b`.
    Select { dst: Reg, ty: Ty, cond: Operand, a: Operand, b: Operand },
    /// Copy of a value.
    Copy { dst: Reg, a: Operand },
    /// LLVM's freeze: pins down an undefined value.
    Freeze { dst: Reg, ty: Ty, a: Operand },
    /// A pure intrinsic.
    Intrinsic { dsts: Box<[Reg]>, op: IntrinsicOp, ty: Ty, args: Box<[Operand]> },

    /// `base + offset + sum(index * scale)`, in bytes; indices are sign-extended from their width.
    PtrAdd { dst: Reg, base: Operand, offset: i64, scaled: Box<[(Operand, u32, i64)]> },
    /// A stack object of `size * count` bytes, alive until the function returns.
    Alloca { dst: Reg, size: u64, count: Operand, align: u64, name: Option<Box<str>>, var_ty: Option<TypeId> },
    /// Reads memory.
    Load { dst: Reg, ty: Ty, ptr: Operand, access: Access },
    /// Writes memory.
    Store { ty: Ty, value: Operand, ptr: Operand, access: Access },
    /// `memcpy` or, if `overlap`, `memmove`. `len` is as wide as a pointer.
    MemCopy { to: Operand, from: Operand, len: Operand, overlap: bool },
    /// `memset`. `len` is as wide as a pointer, `byte` is `i8`.
    MemSet { to: Operand, byte: Operand, len: Operand },
    /// Atomic read-modify-write; `dst` gets the old value.
    AtomicRmw { dst: Reg, op: RmwOp, ty: Ty, ptr: Operand, value: Operand, order: Order },
    /// Atomic compare-exchange; `old` gets the old value, `ok` (`i1`) whether it was equal.
    CmpXchg {
        old: Reg,
        ok: Reg,
        ty: Ty,
        ptr: Operand,
        expected: Operand,
        new: Operand,
        weak: bool,
        /// If the exchange happens.
        order: Order,
        /// If it does not, and the instruction is a read.
        failure: Order,
    },
    /// A memory fence; `signal` only orders against signal handlers.
    Fence { order: Order, signal: bool },
    /// The lifetime of the stack object begins (`start`) or ends.
    Lifetime { ptr: Operand, start: bool },
    /// `dst` gets a mark of the stack; `StackRestore` frees what was allocated since.
    StackSave { dst: Reg },
    /// See `StackSave`.
    StackRestore { mark: Operand },

    /// `va_start` on the list at `list`.
    VaStart { list: Operand },
    /// `va_copy`.
    VaCopy { to: Operand, from: Operand },
    /// `va_end`.
    VaEnd { list: Operand },
    /// LLVM's `va_arg` instruction (clang expands most uses itself).
    VaArg { dst: Reg, ty: Ty, list: Operand },

    /// A call; `dsts` is empty if the result is not used, else one register for each returned scalar.
    Call { dsts: Box<[Reg]>, callee: Callee, args: Box<[Arg]> },
    /// Something the front end does not lower; the text says what.
    Unsupported { what: Box<str> },

    /// Unconditional jump.
    Jump { edge: Edge },
    /// Two-way branch on an `i1`.
    Branch { cond: Operand, then: Edge, otherwise: Edge },
    /// Multi-way branch on an integer of at most 64 bits.
    Switch { value: Operand, width: u32, cases: Box<[(u64, Edge)]>, default: Edge },
    /// Computed goto.
    IndirectJump { addr: Operand, targets: Box<[Edge]> },
    /// Return; one operand for each returned scalar.
    Return { values: Box<[Operand]> },
    /// Control never gets here (undefined behaviour if it does).
    Unreachable,
    /// `__builtin_trap` and the like: the process dies.
    Trap,
}

impl Inst {
    /// Whether this ends a block.
    pub fn is_terminator(&self) -> bool {
        matches!(
            self,
            Inst::Jump { .. }
                | Inst::Branch { .. }
                | Inst::Switch { .. }
                | Inst::IndirectJump { .. }
                | Inst::Return { .. }
                | Inst::Unreachable
                | Inst::Trap
        )
    }
}
