//! Where inputs come from: the intrinsics of SV-COMP, KLEE, CBMC and Selvedge.

use std::rc::Rc;

use selvedge_por::Mode;
use selvedge_program::{BinOp, CastOp, CmpOp, FuncId, Reg, Ty};
use selvedge_term::TermId;

use super::Model;
use crate::finding::{PathEnd, Res, Stop, end, unsupported};
use crate::memory::Origin;
use crate::ops;
use crate::oracle::Choice;
use crate::source::{Piece, Source};
use crate::state::{Decision, InputKind, InputRecord, InputType};
use crate::step::{Offset, Step};
use crate::value::Value;
use selvedge_library::Input;

/// Sizes of one checked access to fork over.
const MAX_SIZES: usize = 4096;

pub(super) fn model(function: Input) -> Model {
    match function {
        Input::MakeSymbolic => |s, _, _, v| s.make_symbolic(v[0], v[1], v[2], InputKind::Program),
        Input::Outside => |s, _, _, v| s.make_outside(v[0], v[1], v[2]),
        Input::Result => |s, _, _, v| s.note_result(v[0]),
        Input::Environment => |s, _, _, _| s.returns(s.st.environment),
        Input::VariableLength => {
            |s, _, _, _| s.returns(Value::Int(s.m.options.surroundings.variable_length()))
        }
        Input::Variable => |s, _, _, v| {
            if s.m.options.surroundings.sym_env.is_none() {
                s.assumed("world.env-bound");
            }
            s.make_variable(v[0], v[1], v[2])
        },
        Input::Nondet => |s, f, _, _| s.nondet(f),
        Input::Int => |s, _, _, v| s.named_input(v[0], InputType::Signed("int")),
        Input::UInt => |s, _, _, v| s.named_input(v[0], InputType::Unsigned("unsigned int")),
        Input::Char => |s, _, _, v| s.named_input(v[0], InputType::Signed("char")),
        Input::SChar => |s, _, _, v| s.named_input(v[0], InputType::Signed("signed char")),
        Input::UChar => |s, _, _, v| s.named_input(v[0], InputType::Unsigned("unsigned char")),
        Input::Short => |s, _, _, v| s.named_input(v[0], InputType::Signed("short")),
        Input::UShort => |s, _, _, v| s.named_input(v[0], InputType::Unsigned("unsigned short")),
        Input::Long => |s, _, _, v| s.named_input(v[0], InputType::Signed("long")),
        Input::ULong => |s, _, _, v| s.named_input(v[0], InputType::Unsigned("unsigned long")),
        Input::LongLong => |s, _, _, v| s.named_input(v[0], InputType::Signed("long long")),
        Input::ULongLong => |s, _, _, v| s.named_input(v[0], InputType::Unsigned("unsigned long long")),
        Input::Size => |s, _, _, v| s.named_input(v[0], InputType::Unsigned("size_t")),
        Input::Bool => |s, _, _, v| s.named_input(v[0], InputType::Unsigned("_Bool")),
        Input::Float => |s, _, _, v| s.named_input(v[0], InputType::Float("float")),
        Input::Double => |s, _, _, v| s.named_input(v[0], InputType::Float("double")),
        Input::Below => |s, _, _, v| s.range_input(v[0], v[1], v[2], CmpOp::Slt),
        Input::UpTo => |s, _, _, v| s.range_input(v[0], v[1], v[2], CmpOp::Sle),
        Input::Assume => |s, _, a, v| {
            let width = a[0].ty.bits(s.ptr_bits());
            let holds = ops::cmp(&mut s.m.pool, CmpOp::Ne, width, v[0], Value::Int(0));
            s.assume(holds)?;
            s.returns_nothing()
        },
        Input::IsSymbolic => |s, _, _, v| s.returns(Value::bool(ops::concrete(v[0]).is_none())),
        Input::Hint => |s, _, _, _| s.returns_nothing(),
        Input::Choose => |s, _, _, v| s.choose_input(v[0]),
        Input::ObjectSize => |s, _, _, v| s.object_size(v[0]),
        Input::CheckAccess => |s, _, _, v| {
            let size = s.concretise(v[1], s.ptr_bits(), MAX_SIZES, "the size of a checked access")?;
            if size > 0 {
                s.resolve(v[0], size, false)?;
            }
            s.returns_nothing()
        },
        Input::IsReplay => |s, _, _, _| s.returns(Value::Int(0)),
        Input::ValueOfFloat
        | Input::ValueOfDouble
        | Input::ValueOfLong
        | Input::ValueOfLongLong
        | Input::ValueOfInt => |s, _, a, v| {
            let width = a[0].ty.bits(s.ptr_bits());
            let value = s.concretise(v[0], width, 4096, "the argument of klee_get_value")?;
            s.returns(Value::Int(value))
        },
    }
}

/// An input of a type with this name in C.
fn input_type(ty: Ty, c: &'static str) -> InputType {
    match ty {
        Ty::Ptr => InputType::Pointer,
        Ty::Float(_) => InputType::Float(c),
        Ty::Int(_) if c == "pointer" => InputType::Pointer,
        Ty::Int(_) if c == "bytes" => InputType::Bytes(None),
        Ty::Int(_) if c.starts_with("unsigned") || c == "_Bool" => InputType::Unsigned(c),
        Ty::Int(_) => InputType::Signed(c),
    }
}

impl Step<'_, '_> {
    /// The next input of this thread, `size` bytes as an integer; nothing is consumed yet.
    pub(crate) fn peek_input(&mut self, size: u64) -> Value {
        let source = Source::Input { thread: self.st.current as u32, n: self.st.thread().n_inputs };
        self.m.sources.read(&mut self.m.pool, Piece { source, at: 0, len: size })
    }

    /// Consumes the next input and notes what it is.
    pub(crate) fn consume_input(
        &mut self,
        name: Rc<str>,
        ty: InputType,
        size: u64,
        kind: InputKind,
    ) -> Source {
        let loc = self.st.user_loc(self.m.image.program);
        let source = Source::Input { thread: self.st.current as u32, n: self.st.thread().n_inputs };
        let thread = self.st.thread_mut();
        thread.n_inputs += 1;
        if kind != InputKind::Environment {
            // An iteration that uses up an input is no wait.
            thread.probes.clear();
        }
        if self.m.recorder.is_some() {
            self.record_input(self.st.inputs.len());
        }
        Rc::make_mut(&mut self.st.inputs).push(InputRecord { source, name, ty, size, kind, loc });
        source
    }

    /// An anonymous scalar input, named after the variable that receives it.
    fn nondet(&mut self, func: FuncId) -> Res<()> {
        let bits = self.ptr_bits();
        match selvedge_analysis::nondet_type(&self.m.image.program.funcs[func], bits) {
            Ok(Some((ty, c))) => {
                let name: Rc<str> = self.call_target_name().map_or_else(|| Rc::from("input"), Rc::from);
                self.scalar_input(name, input_type(ty, c), ty.bits(bits))
            }
            Ok(None) => self.returns_nothing(),
            Err(why) => unsupported(why),
        }
    }

    /// `--undefined any`: a function without a body writes nothing and returns any value.
    pub(crate) fn any_result(&mut self, func: FuncId) -> Res<()> {
        let program = self.m.image.program;
        let function = &program.funcs[func];
        let dsts = self.call_dsts();
        let caller = &program.funcs[self.st.frame().func];
        let fits = dsts.len() <= function.ret.len()
            && dsts.iter().zip(&function.ret).all(|(dst, ty)| caller.regs[*dst].ty == *ty);
        if !fits {
            return unsupported(format!("any result of `{}`, of the type that it is used as", function.name));
        }
        self.any_results(&function.name, &function.ret)
    }

    /// Any values of these types, as the results of a call.
    pub(crate) fn any_results(&mut self, name: &str, results: &[Ty]) -> Res<()> {
        let bits = self.ptr_bits();
        let dsts: Vec<Reg> = self.call_dsts().to_vec();
        let reads_as = |ty: &Ty| Some(input_type(*ty, selvedge_analysis::declared_name(*ty)?));
        let types: Option<Vec<InputType>> = results.iter().map(reads_as).collect();
        let Some(types) = types else {
            return unsupported(format!("any result of `{name}`, of the type that it is used as"));
        };
        self.m.assumed_of(self.st, "world.undefined-function", name);
        for (i, ty) in types.into_iter().enumerate() {
            let width = results[i].bits(bits);
            let size = u64::from(width.div_ceil(8));
            let raw = self.peek_input(size);
            let (wide, narrow) = (Ty::Int((size * 8) as u32), Ty::Int(width));
            let value = ops::cast(&mut self.m.pool, CastOp::Trunc, wide, narrow, bits, raw);
            self.consume_input(format!("{name}()").into(), ty, size, InputKind::Program);
            if let Some(dst) = dsts.get(i) {
                self.set(*dst, value);
            }
        }
        self.next()
    }

    fn named_input(&mut self, name: Value, ty: InputType) -> Res<()> {
        let name = String::from_utf8_lossy(&self.c_string(name)?).into_owned();
        let bits = match ty {
            InputType::Signed(c) | InputType::Unsigned(c) | InputType::Float(c) => match c {
                "_Bool" => 1,
                "char" | "signed char" | "unsigned char" => 8,
                "short" | "unsigned short" => 16,
                "int" | "unsigned int" | "float" => 32,
                "long long" | "unsigned long long" | "double" => 64,
                _ => self.ptr_bits(),
            },
            InputType::Pointer | InputType::Bytes(_) | InputType::Decision(_) => self.ptr_bits(),
        };
        self.scalar_input(name.into(), ty, bits)
    }

    fn scalar_input(&mut self, name: Rc<str>, ty: InputType, bits: u32) -> Res<()> {
        let size = u64::from(bits.div_ceil(8));
        let raw = self.peek_input(size);
        let ptr_bits = self.ptr_bits();
        let (wide, narrow) = (Ty::Int((size * 8) as u32), Ty::Int(bits));
        let value = ops::cast(&mut self.m.pool, CastOp::Trunc, wide, narrow, ptr_bits, raw);
        self.consume_input(name, ty, size, InputKind::Program);
        self.returns(value)
    }

    /// `__selvedge_variable`: a block gets a byte that says whether a variable is there, and its text.
    fn make_variable(&mut self, block: Value, size: Value, name: Value) -> Res<()> {
        let source = Source::Input { thread: self.st.current as u32, n: self.st.thread().n_inputs };
        self.fill_with_input(block, size, name, InputKind::Variable)?;
        if let (Value::Ptr { obj, .. }, Some(size)) = (block, ops::concrete(size))
            && let Some(record) = self.st.inputs.last().filter(|record| record.source == source)
        {
            let (name, piece) = (record.name.clone(), Piece { source, at: 1, len: size - 1 });
            self.st.mem.get_mut(obj).expect("just written").origin = Origin::Text { name, at: 1, piece };
        }
        let is_there = self.m.sources.read(&mut self.m.pool, Piece { source, at: 0, len: 1 });
        self.returns(is_there)
    }

    fn make_symbolic(&mut self, ptr: Value, size: Value, name: Value, kind: InputKind) -> Res<()> {
        self.fill_with_input(ptr, size, name, kind)?;
        self.returns_nothing()
    }

    fn fill_with_input(&mut self, ptr: Value, size: Value, name: Value, kind: InputKind) -> Res<()> {
        let bits = self.ptr_bits();
        let size = self.concretise(size, bits, 64, "the size of a symbolic object")?;
        let name = self.settle_pointer(name)?;
        let name: Rc<str> = if self.is_null(name)? {
            "unnamed".into()
        } else {
            String::from_utf8_lossy(&self.c_string(name)?).as_ref().into()
        };
        if size == 0 {
            return Ok(());
        }
        let (obj, off) = self.resolve(ptr, size, true)?;
        let off = match off {
            Offset::At(off) => off,
            Offset::Sym(t) => self.concretise(Value::Term(t), bits, 64, "the place of a symbolic object")?,
        };
        self.touch(obj, Offset::At(off), size, Mode::Write)?;
        self.has_effect();
        let object = self.st.mem.get(obj).expect("resolved");
        let ty = crate::names::cell_name(self.m.image.program, object, off, size).1;
        let ty = match (&object.origin, ty) {
            (_, Some(ty)) => Some(ty),
            (Origin::Variable { ty, .. }, None) if off == 0 && size == object.size => *ty,
            _ => None,
        };
        let source = self.consume_input(name, InputType::Bytes(ty), size, kind);
        let object = self.st.mem.get_mut(obj).expect("resolved");
        let mut cx = self.m.symbols();
        object.content.put_lazy(&mut cx, off, size, source, 0);
        self.record_writer(obj, off, size);
        Ok(())
    }

    /// An `int` from `low`, and below (`Slt`) or up to (`Sle`) `high`.
    fn range_input(&mut self, low: Value, high: Value, name: Value, to_high: CmpOp) -> Res<()> {
        let name = String::from_utf8_lossy(&self.c_string(name)?).into_owned();
        let value = self.peek_input(4);
        let above = ops::cmp(&mut self.m.pool, CmpOp::Sle, 32, low, value);
        let below = ops::cmp(&mut self.m.pool, to_high, 32, value, high);
        let inside = ops::bin(&mut self.m.pool, BinOp::And, 1, above, below);
        self.assume(inside)?;
        self.consume_input(name.into(), InputType::Signed("int"), 4, InputKind::Program);
        self.returns(value)
    }

    /// A number below `n`.
    fn choose_input(&mut self, n: Value) -> Res<()> {
        let bits = self.ptr_bits();
        let size = u64::from(bits / 8);
        let value = self.peek_input(size);
        let below = ops::cmp(&mut self.m.pool, CmpOp::Ult, bits, value, n);
        self.assume(below)?;
        self.consume_input("choice".into(), InputType::Unsigned("unsigned long"), size, InputKind::Program);
        self.returns(value)
    }

    /// The size of the object that starts at a pointer.
    fn object_size(&mut self, ptr: Value) -> Res<()> {
        let (obj, _) = self.resolve(ptr, 0, false)?;
        let size = self.st.mem.get(obj).expect("resolved").size;
        self.returns(Value::Int(size))
    }

    /// Goes on only where `cond` holds.
    pub(crate) fn assume(&mut self, cond: Value) -> Res<()> {
        self.assume_apart(cond, true)
    }

    /// As [`assume`](Self::assume). `may_be_late`: something that another thread does may come too early for the condition
    /// to hold.
    pub(crate) fn assume_apart(&mut self, cond: Value, may_be_late: bool) -> Res<()> {
        let holds = match cond {
            Value::Int(b) => b & 1 != 0,
            _ => {
                let c = ops::to_term(&mut self.m.pool, cond, 1);
                let not_c = self.m.pool.not(c);
                if let Some(i) = self.answered(&[c, not_c]) {
                    i == 0
                } else {
                    let concerns_others = may_be_late && self.may_concern_others(c);
                    if !concerns_others {
                        self.oracle.assumption_follows();
                    }
                    match self.oracle.choose(&mut self.m.symbols(), self.st, &[c, not_c]) {
                        Choice::Only(i) => {
                            self.answer(Decision::Choice(i as u32, [c, not_c][i]));
                            i == 0
                        }
                        // The side on which the assumption fails is no execution at all, but what other
                        // threads do there could also have come before.
                        Choice::Several(_) => {
                            let fails = concerns_others.then_some((1, not_c));
                            return Err(Box::new(Stop::Fork([(0, c)].into_iter().chain(fails).collect())));
                        }
                        Choice::Unknown(why) => return end(PathEnd::SolverUnknown(why)),
                    }
                }
            }
        };
        if holds { Ok(()) } else { end(PathEnd::Infeasible) }
    }

    /// Whether another thread may know something about a condition: not if it is about inputs that this thread
    /// has consumed since its last visible step.
    fn may_concern_others(&mut self, cond: TermId) -> bool {
        let (me, since) = (self.st.current as u32, self.st.thread().n_inputs_seen);
        self.st.is_concurrent
            && self.m.pool.vars(cond).iter().any(|&var| {
                !matches!(self.m.sources.piece(var).map(|p| p.source),
                    Some(Source::Input { thread, n }) if thread == me && n >= since)
            })
    }
}
