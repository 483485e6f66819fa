//! One step of one thread on one state, cut by instruction class.
//!
//! Every instruction either completes or leaves the state as it was: it asks all its questions
//! ([`Step::choose`]) before it changes anything, so that after a fork it can simply run again.

mod access;
mod arith;
mod atomic;
mod call;
mod control;
mod copy;
mod float;
mod float_class;
mod foreseen;
mod intrinsic;
mod known_float;
mod layout;
pub(crate) mod lifetime;
mod resolve;
pub(crate) mod rounded;
mod symbolic;
mod text;
mod unwritten;
mod varargs;
mod words;

use selvedge_base::{Id, Loc};
use selvedge_program::{BinOp, Const, ConstExpr, ConstId, Inst, Operand, Reg, Ty};
use selvedge_term::TermId;

use crate::finding::{Bound, Finding, FindingKind, Label, PathEnd, Res, Stop, end};
use crate::machine::{Machine, place};
use crate::ops;
use crate::oracle::{Choice, Oracle};
use crate::source::{Piece, Source};
use crate::state::{Decision, State};
use crate::threads::Phase;
use crate::value::{Value, truncate};

pub(crate) use resolve::{MAX_FORKS, Offset};
pub(crate) use varargs::vararg_align;
pub use words::{CopyProgress, CopyStep};

/// The context of one instruction.
pub(crate) struct Step<'a, 'p> {
    pub(crate) m: &'a mut Machine<'p>,
    pub(crate) st: &'a mut State,
    pub(crate) oracle: &'a mut dyn Oracle,
}

impl<'a, 'p> Step<'a, 'p> {
    /// Runs until the path stops or `budget` instructions were executed.
    pub(crate) fn run(&mut self, budget: u64) -> Stop {
        let mut left = budget;
        loop {
            if left == 0 {
                return Stop::Budget;
            }
            left -= 1;
            let n_undefs = self.st.thread().n_undefs;
            if let Err(stop) = self.one() {
                self.st.cursor = 0;
                if self.st.thread().n_undefs != n_undefs {
                    self.st.thread_mut().n_undefs = n_undefs;
                }
                if matches!(*stop, Stop::Pause)
                    && matches!(self.st.thread().phase, Phase::Waiting(_))
                    && let Some(recorder) = &mut self.m.recorder
                {
                    recorder.take_back();
                }
                match *stop {
                    Stop::End(_) => self.st.thread_mut().decisions.clear(),
                    // It will be executed again.
                    _ => {
                        self.st.steps -= 1;
                        if self.m.options.bounds.max_steps.is_some() {
                            self.st.thread_mut().n_steps -= 1;
                        }
                    }
                }
                return *stop;
            }
        }
    }

    /// Executes one instruction.
    #[inline]
    fn one(&mut self) -> Res<()> {
        let program = self.m.image.program;
        let frame = self.st.frame();
        let inst = &program.funcs[frame.func].blocks[frame.block].insts[frame.idx];
        self.m.n_instructions += 1;
        if let Some(code) = &mut self.m.code {
            code.run(self.m.image.block_number(frame.func, frame.block), place(frame));
        }
        self.st.steps += 1;
        if let Some(max) = self.m.options.bounds.max_steps {
            // Of each thread: others go on, so that what they do is known, which may have to come earlier.
            let thread = self.st.thread_mut();
            thread.n_steps += 1;
            if thread.n_steps > max {
                return end(PathEnd::Bound(Bound::Steps));
            }
        }
        if self.m.recorder.is_some() {
            self.record_line();
        }
        if self.st.outside.is_some() {
            self.settle_operands(inst)?;
        }
        self.execute(inst)?;
        if self.m.sources.take_torn() {
            return crate::finding::unsupported("parts of the bytes of a pointer from outside");
        }
        if !self.st.thread().decisions.is_empty() {
            self.st.thread_mut().decisions.clear();
        }
        self.st.cursor = 0;
        if self.st.granted && self.st.thread().atomic_depth == 0 {
            self.st.end_turn();
        }
        Ok(())
    }

    fn execute(&mut self, inst: &'p Inst) -> Res<()> {
        match inst {
            Inst::Bin { dst, op, wrap, width, a, b } => self.bin(*dst, *op, *wrap, *width, *a, *b),
            Inst::Cmp { dst, op, width, a, b } => {
                let (a, b) = (self.get(*a), self.get(*b));
                self.look_at_cmp(*op, *width, a, b);
                let value = ops::cmp(&mut self.m.pool, *op, *width, a, b);
                self.finish(*dst, value)
            }
            Inst::Cast { dst, op, from, to, a } => self.cast(*dst, *op, *from, *to, *a),
            Inst::Select { dst, ty, cond, a, b } => self.select(*dst, *ty, *cond, *a, *b),
            Inst::Copy { dst, a } | Inst::Freeze { dst, a, .. } => {
                let value = self.get(*a);
                self.finish(*dst, value)
            }
            Inst::FBin { dst, op, kind, a, b } => self.float_bin(*dst, *op, *kind, *a, *b),
            Inst::FNeg { dst, kind, a } => self.float_neg(*dst, *kind, *a),
            Inst::FCmp { dst, op, kind, a, b } => self.float_cmp(*dst, *op, *kind, *a, *b),
            Inst::Intrinsic { dsts, op, ty, args } => self.intrinsic(dsts, *op, *ty, args),

            Inst::PtrAdd { dst, base, offset, scaled } => self.ptr_add(*dst, *base, *offset, scaled),
            Inst::Alloca { dst, size, count, align, name, var_ty } => {
                self.alloca(*dst, *size, *count, *align, name.as_deref(), *var_ty)
            }
            Inst::Load { dst, ty, ptr, access } => {
                let ptr = self.get(*ptr);
                self.note_plain_access(ptr, *access);
                let value = self.load(ptr, *ty)?;
                self.finish(*dst, value)
            }
            Inst::Store { ty, value, ptr, access } => {
                let (value, ptr) = (self.get(*value), self.get(*ptr));
                self.note_plain_access(ptr, *access);
                self.store(ptr, *ty, value)?;
                self.next()
            }
            Inst::MemCopy { to, from, len, overlap } => {
                let (to, from, len) = (self.get(*to), self.get(*from), self.get(*len));
                self.mem_copy(to, from, len, *overlap)
            }
            Inst::MemSet { to, byte, len } => {
                let (to, byte, len) = (self.get(*to), self.get(*byte), self.get(*len));
                self.mem_set(to, byte, len)
            }
            Inst::Lifetime { ptr, start } => self.lifetime(*ptr, *start),
            Inst::StackSave { dst } => {
                let mark = self.st.mem.stack_mark(self.st.current as u32);
                self.finish(*dst, Value::Int(mark as u64))
            }
            Inst::StackRestore { mark } => {
                let mark = self.get(*mark);
                let mark = self.concretise(mark, self.ptr_bits(), 1, "a mark of the stack")?;
                self.touch_stack(mark as usize)?;
                self.st.release_stack(self.st.current as u32, mark as usize);
                self.next()
            }
            Inst::AtomicRmw { dst, op, ty, ptr, value, .. } => self.atomic_rmw(*dst, *op, *ty, *ptr, *value),
            Inst::CmpXchg { old, ok, ty, ptr, expected, new, weak, failure, .. } => {
                let may_fail = *weak && self.m.options.surroundings.spurious_wakeups;
                if *weak && !may_fail {
                    self.assumed("threads.nothing-spurious");
                }
                self.cmp_xchg((*old, *ok), *ty, *ptr, (*expected, *new), may_fail, *failure)
            }
            Inst::Fence { order, signal } => {
                if !signal {
                    self.order_fence(*order);
                }
                self.next()
            }

            Inst::VaStart { list } => self.va_start(*list),
            Inst::VaCopy { to, from } => self.va_copy(*to, *from),
            Inst::VaEnd { .. } => self.next(),
            Inst::VaArg { dst, ty, list } => self.va_arg(*dst, *ty, *list),

            Inst::Call { callee, args, .. } => self.call(*callee, args),
            Inst::Unsupported { what } => crate::finding::unsupported(what.to_string()),

            Inst::Jump { edge } => self.jump(edge),
            Inst::Branch { cond, then, otherwise } => self.branch(*cond, then, otherwise),
            Inst::Switch { value, width, cases, default } => self.switch(*value, *width, cases, default),
            Inst::IndirectJump { addr, targets } => self.indirect_jump(*addr, targets),
            Inst::Return { values } => self.ret(values),
            Inst::Unreachable => self.finding(
                FindingKind::Assert,
                "control reached a place the compiler marked unreachable (for example, the end of a function that must return a value)",
            ),
            Inst::Trap => self.aborts("the program trapped"),
        }
    }

    /// The value of an operand. An undefined constant is a fresh value.
    #[inline]
    pub(crate) fn get(&mut self, operand: Operand) -> Value {
        match operand {
            Operand::Reg(reg) => self.st.frame().regs[reg.index()],
            Operand::Const(id) => match self.m.image.constant(id) {
                Some(value) => value,
                None => self.special_constant(id),
            },
        }
    }

    /// A constant that is not the same at every use: an address in thread-local storage, or undefined.
    fn special_constant(&mut self, id: ConstId) -> Value {
        let program = self.m.image.program;
        let bits = self.ptr_bits();
        match &program.consts[id] {
            Const::Undef(ty) => self.undefined(*ty),
            Const::Global { global, offset } => {
                let base = self.thread_local(global.index());
                ops::bin(&mut self.m.pool, BinOp::Add, bits, base, Value::Int(truncate(*offset as u64, bits)))
            }
            Const::Expr(ConstExpr::Cast { op, from, to, arg }) => {
                let arg = self.get(Operand::Const(*arg));
                ops::cast(&mut self.m.pool, *op, *from, *to, bits, arg)
            }
            Const::Expr(ConstExpr::Bin { op, width, a, b }) => {
                let (a, b) = (self.get(Operand::Const(*a)), self.get(Operand::Const(*b)));
                ops::bin(&mut self.m.pool, *op, *width, a, b)
            }
            Const::Expr(ConstExpr::PtrAdd { base, offset }) => {
                let base = self.get(Operand::Const(*base));
                ops::bin(&mut self.m.pool, BinOp::Add, bits, base, Value::Int(truncate(*offset as u64, bits)))
            }
            _ => Value::Int(0),
        }
    }

    /// The running thread's `errno`; `None` if the program never looks at it.
    pub(crate) fn errno_place(&self) -> Option<Value> {
        self.m.image.errno.map(|global| self.thread_local(global))
    }

    /// The running thread's own copy of a thread-local variable.
    fn thread_local(&self, global: usize) -> Value {
        let obj = self.m.image.thread_local(global, self.st.current);
        let addr = self.st.mem.get(obj).map_or(0, |o| o.base);
        Value::Ptr { obj, addr }
    }

    fn undefined(&mut self, ty: Ty) -> Value {
        let program = self.m.image.program;
        let bits = ty.bits(program.target.ptr_bits);
        self.fresh(bits)
    }

    /// Any value of so many bits.
    pub(crate) fn fresh(&mut self, bits: u32) -> Value {
        let program = self.m.image.program;
        let thread = self.st.current as u32;
        let n = self.st.thread().n_undefs;
        self.st.thread_mut().n_undefs += 1;
        let bytes = u64::from(bits.div_ceil(8));
        let piece = Piece { source: Source::Undef { thread, n, other: false }, at: 0, len: bytes };
        let value = self.m.sources.read(&mut self.m.pool, piece);
        let wide = Ty::Int((bytes * 8) as u32);
        let cast = selvedge_program::CastOp::Trunc;
        ops::cast(&mut self.m.pool, cast, wide, Ty::Int(bits), program.target.ptr_bits, value)
    }

    /// Sets a register.
    #[inline]
    pub(crate) fn set(&mut self, reg: Reg, value: Value) {
        if self.m.recorder.is_some() {
            self.record_register(reg, value);
        }
        self.st.frame_mut().set(reg, value);
    }

    /// Goes on with the next instruction.
    #[inline]
    pub(crate) fn next(&mut self) -> Res<()> {
        self.st.frame_mut().idx += 1;
        Ok(())
    }

    /// Sets a register and goes on.
    #[inline]
    pub(crate) fn finish(&mut self, reg: Reg, value: Value) -> Res<()> {
        if self.m.recorder.is_some() {
            self.record_register(reg, value);
        }
        let frame = self.st.frame_mut();
        frame.set(reg, value);
        frame.idx += 1;
        Ok(())
    }

    /// Which of several exclusive and exhaustive conditions holds? Stops with a fork if more than one can.
    pub(crate) fn choose(&mut self, conds: &[TermId]) -> Res<usize> {
        if let Some(i) = conds.iter().position(|&c| self.m.pool.as_bool(c) == Some(true)) {
            return Ok(i);
        }
        if let Some(i) = self.answered(conds) {
            return Ok(i);
        }
        let open: Vec<TermId> = conds.iter().copied().filter(|&c| !self.m.pool.is_const(c)).collect();
        let index_of = |k: usize| conds.iter().position(|&c| c == open[k]).expect("from conds");
        match self.oracle.choose(&mut self.m.symbols(), self.st, &open) {
            Choice::Only(k) => {
                let i = index_of(k);
                self.answer(Decision::Choice(i as u32, conds[i]));
                Ok(i)
            }
            Choice::Several(ks) => {
                let alternatives = ks.into_iter().map(|k| (index_of(k) as u32, open[k])).collect();
                Err(Box::new(Stop::Fork(alternatives)))
            }
            Choice::Unknown(why) => end(PathEnd::SolverUnknown(why)),
        }
    }

    /// The alternative of `conds` that this instruction was given when it ran before.
    pub(crate) fn answered(&mut self, conds: &[TermId]) -> Option<usize> {
        match self.st.thread().decisions.get(self.st.cursor).copied() {
            Some(Decision::Choice(i, cond)) if conds.get(i as usize) == Some(&cond) => {
                self.st.cursor += 1;
                Some(i as usize)
            }
            Some(_) => {
                self.forget_answers();
                None
            }
            None => None,
        }
    }

    /// The answer to the next question of an instruction that depends on nothing but registers.
    pub(crate) fn decided(&mut self) -> Option<usize> {
        match self.st.thread().decisions.get(self.st.cursor) {
            Some(Decision::Choice(i, _)) => {
                let i = *i as usize;
                self.st.cursor += 1;
                Some(i)
            }
            _ => None,
        }
    }

    /// Notes an answer for when the instruction runs again.
    pub(crate) fn answer(&mut self, decision: Decision) {
        self.st.thread_mut().decisions.push(decision);
        self.st.cursor += 1;
    }

    /// Another thread has changed what the instruction asks about since it asked first: the rest is asked anew.
    fn forget_answers(&mut self) {
        let cursor = self.st.cursor;
        self.st.thread_mut().decisions.truncate(cursor);
    }

    /// Does `cond` (1 bit) hold? Stops with a fork if it can go both ways.
    pub(crate) fn decide(&mut self, cond: Value) -> Res<bool> {
        match cond {
            Value::Int(b) => Ok(b & 1 != 0),
            _ => {
                let c = ops::to_term(&mut self.m.pool, cond, 1);
                let not_c = self.m.pool.not(c);
                Ok(self.choose(&[c, not_c])? == 0)
            }
        }
    }

    /// A value that `term` can have here, the same when the instruction runs again.
    pub(crate) fn witness(&mut self, term: TermId) -> Res<u64> {
        if let Some(v) = self.m.pool.as_u64(term) {
            return Ok(v);
        }
        match self.st.thread().decisions.get(self.st.cursor).copied() {
            Some(Decision::Witness(v, of)) if of == term => {
                self.st.cursor += 1;
                return Ok(v);
            }
            Some(_) => self.forget_answers(),
            None => {}
        }
        match self.oracle.witness(&mut self.m.symbols(), self.st, term) {
            Ok(v) => {
                self.answer(Decision::Witness(v, term));
                Ok(v)
            }
            Err(why) => end(PathEnd::SolverUnknown(why)),
        }
    }

    /// Makes a value concrete by forking over what it can be; gives up after `limit` values.
    pub(crate) fn concretise(&mut self, value: Value, width: u32, limit: usize, what: &str) -> Res<u64> {
        if let Some(v) = ops::concrete(value) {
            return Ok(v);
        }
        self.check_written(value, what)?;
        let term = ops::to_term(&mut self.m.pool, value, width);
        for _ in 0..limit {
            let v = self.witness(term)?;
            let c = self.m.pool.bv(width, v);
            let eq = self.m.pool.eq(term, c);
            let ne = self.m.pool.not(eq);
            if self.choose(&[eq, ne])? == 0 {
                return Ok(v);
            }
        }
        crate::finding::unsupported(format!("{what} can have more than {limit} values"))
    }

    /// Reports something wrong with the program; ends the path.
    pub(crate) fn finding<T>(&mut self, kind: FindingKind, message: impl Into<String>) -> Res<T> {
        self.finding_at(kind, message, &[])
    }

    /// As [`finding`](Self::finding), with other places and what happened there; those that are not known are left out.
    pub(crate) fn finding_at<T>(
        &mut self,
        kind: FindingKind,
        message: impl Into<String>,
        places: &[(&str, Loc)],
    ) -> Res<T> {
        let known = places.iter().filter(|(_, loc)| loc.is_known());
        let labels = known.map(|(text, loc)| Label::at(text, *loc)).collect();
        self.finding_with(kind, message, labels)
    }

    /// As [`finding`](Self::finding), with other places.
    pub(crate) fn finding_with<T>(
        &mut self,
        kind: FindingKind,
        message: impl Into<String>,
        labels: Vec<Label>,
    ) -> Res<T> {
        let finding = std::rc::Rc::new(Finding { kind, message: message.into(), labels });
        if self.m.options.checks(kind) {
            end(PathEnd::Finding(finding))
        } else {
            end(PathEnd::Unchecked(finding))
        }
    }

    /// Width of a pointer in bits.
    pub(crate) fn ptr_bits(&self) -> u32 {
        self.m.image.program.target.ptr_bits
    }
}
