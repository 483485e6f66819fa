//! Instructions in the text form.

use std::fmt::{self, Display, Formatter, Write};

use super::operand::{Op, Quoted};
use super::{define, func_name, list};
use crate::mnemonics::Word;
use crate::{Access, Callee, Edge, FCmpOp, Function, Inst, Operand, Program, Wrap};

pub(super) fn print_inst(
    f: &mut Formatter<'_>,
    program: &Program,
    func: &Function,
    inst: &Inst,
) -> fmt::Result {
    let mut dsts = Vec::new();
    inst.for_each_dst(|dst| dsts.push(dst));
    if !dsts.is_empty() {
        list(f, &dsts, |f, &dst| define(f, func, dst))?;
        f.write_str(" = ")?;
    }
    let op = |operand: &Operand| Op(program, *operand);
    let to = |edge| EdgeText { program, edge };
    match inst {
        Inst::Bin { op: which, wrap, width, a, b, .. } => {
            write!(f, "{}{} i{width} {}, {}", which.word(), Flags::from(*wrap), op(a), op(b))
        }
        Inst::Cmp { op: which, width, a, b, .. } => {
            write!(f, "cmp.{} i{width} {}, {}", which.word(), op(a), op(b))
        }
        Inst::FBin { op: which, kind, a, b, .. } => {
            write!(f, "{} {kind} {}, {}", which.word(), op(a), op(b))
        }
        Inst::FNeg { kind, a, .. } => write!(f, "fneg {kind} {}", op(a)),
        Inst::FCmp { op: which, kind, a, b, .. } => {
            write!(f, "fcmp{} {kind} {}, {}", Flags::from(*which), op(a), op(b))
        }
        Inst::Cast { op: which, from, to, a, .. } => write!(f, "{} {from} {} to {to}", which.word(), op(a)),
        Inst::Select { ty, cond, a, b, .. } => write!(f, "select {ty} {}, {}, {}", op(cond), op(a), op(b)),
        Inst::Copy { a, .. } => write!(f, "copy {}", op(a)),
        Inst::Freeze { ty, a, .. } => write!(f, "freeze {ty} {}", op(a)),
        Inst::Intrinsic { op: which, ty, args, .. } => {
            write!(f, "intrinsic.{} {ty} (", which.word())?;
            list(f, args, |f, a| write!(f, "{}", op(a)))?;
            f.write_char(')')
        }
        Inst::PtrAdd { base, offset, scaled, .. } => {
            write!(f, "ptradd {}, {offset}", op(base))?;
            for (index, width, scale) in scaled {
                write!(f, ", i{width} {} * {scale}", op(index))?;
            }
            Ok(())
        }
        Inst::Alloca { size, count, align, name, var_ty, .. } => {
            write!(f, "alloca {size} x {} align {align}", op(count))?;
            if let Some(name) = name {
                write!(f, " {}", Quoted::str(name))?;
            }
            match var_ty {
                Some(ty) => write!(f, " {ty}"),
                None => Ok(()),
            }
        }
        Inst::Load { ty, ptr, access, .. } => write!(f, "load{} {ty} {}", Flags::from(*access), op(ptr)),
        Inst::Store { ty, value, ptr, access } => {
            write!(f, "store{} {ty} {} to {}", Flags::from(*access), op(value), op(ptr))
        }
        Inst::MemCopy { to, from, len, overlap } => {
            let word = if *overlap { "memmove" } else { "memcpy" };
            write!(f, "{word} {}, {}, {}", op(to), op(from), op(len))
        }
        Inst::MemSet { to, byte, len } => write!(f, "memset {}, {}, {}", op(to), op(byte), op(len)),
        Inst::AtomicRmw { op: which, ty, ptr, value, order, .. } => {
            write!(f, "rmw.{}.{} {ty} {}, {}", which.word(), order.word(), op(ptr), op(value))
        }
        Inst::CmpXchg { ty, ptr, expected, new, weak, order, failure, .. } => {
            let weak = if *weak { ".weak" } else { "" };
            write!(f, "cmpxchg{weak}.{}.{} {ty} ", order.word(), failure.word())?;
            write!(f, "{}, {}, {}", op(ptr), op(expected), op(new))
        }
        Inst::Fence { order, signal } => {
            write!(f, "fence.{}{}", order.word(), if *signal { ".signal" } else { "" })
        }
        Inst::Lifetime { ptr, start } => {
            write!(f, "lifetime.{} {}", if *start { "start" } else { "end" }, op(ptr))
        }
        Inst::StackSave { .. } => f.write_str("stacksave"),
        Inst::StackRestore { mark } => write!(f, "stackrestore {}", op(mark)),
        Inst::VaStart { list } => write!(f, "va_start {}", op(list)),
        Inst::VaCopy { to, from } => write!(f, "va_copy {}, {}", op(to), op(from)),
        Inst::VaEnd { list } => write!(f, "va_end {}", op(list)),
        Inst::VaArg { ty, list, .. } => write!(f, "va_arg {ty} {}", op(list)),
        Inst::Call { callee, args, .. } => {
            match callee {
                Callee::Direct(target) => write!(f, "call {}(", func_name(program, *target))?,
                Callee::Indirect(target) => write!(f, "call *{}(", op(target))?,
            }
            list(f, args, |f, arg| {
                write!(f, "{} ", arg.ty)?;
                if let Some(size) = arg.byval {
                    write!(f, "byval {size} ")?;
                }
                write!(f, "{}", op(&arg.value))
            })?;
            f.write_char(')')
        }
        Inst::Unsupported { what } => write!(f, "unsupported {}", Quoted::str(what)),
        Inst::Jump { edge } => write!(f, "jump {}", to(edge)),
        Inst::Branch { cond, then, otherwise } => {
            write!(f, "branch {}, {}, {}", op(cond), to(then), to(otherwise))
        }
        Inst::Switch { value, width, cases, default } => {
            write!(f, "switch i{width} {} [", op(value))?;
            list(f, cases, |f, (case, edge)| write!(f, "{case}: {}", to(edge)))?;
            write!(f, "] default {}", to(default))
        }
        Inst::IndirectJump { addr, targets } => {
            write!(f, "goto {} [", op(addr))?;
            list(f, targets, |f, edge| write!(f, "{}", to(edge)))?;
            f.write_char(']')
        }
        Inst::Return { values } => {
            f.write_str(if values.is_empty() { "return" } else { "return " })?;
            list(f, values, |f, value| write!(f, "{}", op(value)))
        }
        Inst::Unreachable => f.write_str("unreachable"),
        Inst::Trap => f.write_str("trap"),
    }
}

struct EdgeText<'a> {
    program: &'a Program,
    edge: &'a Edge,
}

impl Display for EdgeText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.edge.target)?;
        if self.edge.args.is_empty() {
            return Ok(());
        }
        f.write_char('(')?;
        list(f, &self.edge.args, |f, arg| write!(f, "{}", Op(self.program, *arg)))?;
        f.write_char(')')
    }
}

/// Words appended to a mnemonic with dots.
struct Flags(Vec<&'static str>);

impl Flags {
    fn of<const N: usize>(flags: [(bool, &'static str); N]) -> Self {
        Flags(flags.into_iter().filter(|(on, _)| *on).map(|(_, word)| word).collect())
    }
}

impl From<Wrap> for Flags {
    fn from(wrap: Wrap) -> Self {
        Flags::of([(wrap.nsw, "nsw"), (wrap.nuw, "nuw")])
    }
}

impl From<FCmpOp> for Flags {
    fn from(op: FCmpOp) -> Self {
        Flags::of([(op.lt, "lt"), (op.eq, "eq"), (op.gt, "gt"), (op.unordered, "uno")])
    }
}

impl From<Access> for Flags {
    fn from(access: Access) -> Self {
        let mut flags = Flags::of([(access.volatile, "volatile")]);
        flags.0.extend(access.order.map(Word::word));
        flags
    }
}

impl Display for Flags {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|word| write!(f, ".{word}"))
    }
}
