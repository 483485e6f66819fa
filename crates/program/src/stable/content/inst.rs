//! The content of an instruction, field by field.

use super::{Content, Local};
use crate::mnemonics::Word;
use crate::stable::Hasher;
use crate::{Access, Arg, Callee, Edge, FCmpOp, Inst, Operand, Order, Wrap};

impl Content<'_> {
    /// Writes everything about an instruction but the registers that it assigns, which the caller describes.
    #[expect(clippy::too_many_lines, reason = "one arm for each instruction")]
    pub(super) fn inst(&self, out: &mut Hasher, inst: &Inst, local: &mut impl Local) {
        match inst {
            Inst::Bin { dst: _, op, wrap: Wrap { nsw, nuw }, width, a, b } => {
                out.text(op.word());
                out.flag(*nsw);
                out.flag(*nuw);
                out.number(u64::from(*width));
                self.operands(out, local, [a, b]);
            }
            Inst::Cmp { dst: _, op, width, a, b } => {
                out.text("cmp");
                out.text(op.word());
                out.number(u64::from(*width));
                self.operands(out, local, [a, b]);
            }
            Inst::FBin { dst: _, op, kind, a, b } => {
                out.text("fbin");
                out.text(op.word());
                out.text(kind.word());
                self.operands(out, local, [a, b]);
            }
            Inst::FNeg { dst: _, kind, a } => {
                out.text("fneg");
                out.text(kind.word());
                self.operands(out, local, [a]);
            }
            Inst::FCmp { dst: _, op: FCmpOp { lt, eq, gt, unordered }, kind, a, b } => {
                out.text("fcmp");
                [lt, eq, gt, unordered].into_iter().for_each(|flag| out.flag(*flag));
                out.text(kind.word());
                self.operands(out, local, [a, b]);
            }
            Inst::Cast { dst: _, op, from, to, a } => {
                out.text("cast");
                out.text(op.word());
                self.ty(out, *from);
                self.ty(out, *to);
                self.operands(out, local, [a]);
            }
            Inst::Select { dst: _, ty, cond, a, b } => {
                out.text("select");
                self.ty(out, *ty);
                self.operands(out, local, [cond, a, b]);
            }
            Inst::Copy { dst: _, a } => {
                out.text("copy");
                self.operands(out, local, [a]);
            }
            Inst::Freeze { dst: _, ty, a } => {
                out.text("freeze");
                self.ty(out, *ty);
                self.operands(out, local, [a]);
            }
            Inst::Intrinsic { dsts, op, ty, args } => {
                out.text("intrinsic");
                out.number(dsts.len() as u64);
                out.text(op.word());
                self.ty(out, *ty);
                self.operands(out, local, args.iter());
            }
            Inst::PtrAdd { dst: _, base, offset, scaled } => {
                out.text("ptradd");
                self.operands(out, local, [base]);
                out.number(*offset as u64);
                out.number(scaled.len() as u64);
                for (index, width, scale) in scaled {
                    self.operands(out, local, [index]);
                    out.number(u64::from(*width));
                    out.number(*scale as u64);
                }
            }
            // A variable of the program or a temporary of the compiler: leaks and messages tell them apart.
            Inst::Alloca { dst: _, size, count, align, name, var_ty: _ } => {
                out.text("alloca");
                out.number(*size);
                self.operands(out, local, [count]);
                out.number(*align);
                out.flag(name.is_some());
            }
            Inst::Load { dst: _, ty, ptr, access } => {
                out.text("load");
                self.ty(out, *ty);
                self.operands(out, local, [ptr]);
                self.access(out, *access);
            }
            Inst::Store { ty, value, ptr, access } => {
                out.text("store");
                self.ty(out, *ty);
                self.operands(out, local, [value, ptr]);
                self.access(out, *access);
            }
            Inst::MemCopy { to, from, len, overlap } => {
                out.text("memcpy");
                self.operands(out, local, [to, from, len]);
                out.flag(*overlap);
            }
            Inst::MemSet { to, byte, len } => {
                out.text("memset");
                self.operands(out, local, [to, byte, len]);
            }
            Inst::AtomicRmw { dst: _, op, ty, ptr, value, order } => {
                out.text("rmw");
                out.text(op.word());
                self.ty(out, *ty);
                self.operands(out, local, [ptr, value]);
                out.text(order.word());
            }
            Inst::CmpXchg { old: _, ok: _, ty, ptr, expected, new, weak, order, failure } => {
                out.text("cmpxchg");
                self.ty(out, *ty);
                self.operands(out, local, [ptr, expected, new]);
                out.flag(*weak);
                out.text(order.word());
                out.text(failure.word());
            }
            Inst::Fence { order, signal } => {
                out.text("fence");
                out.text(order.word());
                out.flag(*signal);
            }
            Inst::Lifetime { ptr, start } => {
                out.text("lifetime");
                self.operands(out, local, [ptr]);
                out.flag(*start);
            }
            Inst::StackSave { dst: _ } => out.text("stacksave"),
            Inst::StackRestore { mark } => {
                out.text("stackrestore");
                self.operands(out, local, [mark]);
            }
            Inst::VaStart { list } => {
                out.text("va_start");
                self.operands(out, local, [list]);
            }
            Inst::VaCopy { to, from } => {
                out.text("va_copy");
                self.operands(out, local, [to, from]);
            }
            Inst::VaEnd { list } => {
                out.text("va_end");
                self.operands(out, local, [list]);
            }
            Inst::VaArg { dst: _, ty, list } => {
                out.text("va_arg");
                self.ty(out, *ty);
                self.operands(out, local, [list]);
            }
            Inst::Call { dsts, callee, args } => {
                out.text("call");
                out.number(dsts.len() as u64);
                match callee {
                    Callee::Direct(func) => out.text(self.names.func(*func)),
                    Callee::Indirect(target) => {
                        out.text("");
                        self.operands(out, local, [target]);
                    }
                }
                out.number(args.len() as u64);
                let tells = matches!(callee, Callee::Direct(func) if self.tells[*func]);
                for Arg { value, ty, byval } in args {
                    if !(tells && matches!(value, Operand::Const(_))) {
                        self.operands(out, local, [value]);
                    }
                    self.ty(out, *ty);
                    out.option(*byval);
                }
            }
            Inst::Unsupported { what } => {
                out.text("unsupported");
                out.text(what);
            }
            Inst::Jump { edge } => {
                out.text("jump");
                self.edge(out, local, edge);
            }
            Inst::Branch { cond, then, otherwise } => {
                out.text("branch");
                self.operands(out, local, [cond]);
                self.edge(out, local, then);
                self.edge(out, local, otherwise);
            }
            Inst::Switch { value, width, cases, default } => {
                out.text("switch");
                self.operands(out, local, [value]);
                out.number(u64::from(*width));
                out.number(cases.len() as u64);
                for (case, edge) in cases {
                    out.number(*case);
                    self.edge(out, local, edge);
                }
                self.edge(out, local, default);
            }
            Inst::IndirectJump { addr, targets } => {
                out.text("goto");
                self.operands(out, local, [addr]);
                out.number(targets.len() as u64);
                targets.iter().for_each(|edge| self.edge(out, local, edge));
            }
            Inst::Return { values } => {
                out.text("return");
                out.number(values.len() as u64);
                self.operands(out, local, values.iter());
            }
            Inst::Unreachable => out.text("unreachable"),
            Inst::Trap => out.text("trap"),
        }
    }

    fn operands<'o>(
        &self,
        out: &mut Hasher,
        local: &mut impl Local,
        operands: impl IntoIterator<Item = &'o Operand>,
    ) {
        for operand in operands {
            match operand {
                Operand::Reg(reg) => {
                    out.flag(true);
                    local.reg(out, *reg);
                }
                Operand::Const(id) => {
                    out.flag(false);
                    out.digest(self.consts[*id]);
                }
            }
        }
    }

    fn edge(&self, out: &mut Hasher, local: &mut impl Local, Edge { target, args }: &Edge) {
        // Who compares instructions apart from their function compares what edges assign itself.
        if local.block(out, *target) {
            out.number(args.len() as u64);
            self.operands(out, local, args.iter());
        }
    }

    fn access(&self, out: &mut Hasher, Access { volatile, order }: Access) {
        out.flag(volatile);
        out.text(order.map_or("", Order::word));
    }
}
