//! Calls and returns.

use std::rc::Rc;

use selvedge_analysis::{Mismatch, Site};
use selvedge_base::Id;
use selvedge_library::{Known, Written};
use selvedge_por::Mode;
use selvedge_program::{Arg, BlockId, Callee, CastOp, FuncId, Inst, Operand, Reg, Ty};

use super::Step;
use super::resolve::MAX_FORKS;
use super::words::{Place, Range};
use crate::code::Fact;
use crate::finding::{Bound, FindingKind, PathEnd, Res, end, unsupported};
use crate::machine::point;
use crate::memory::Origin;
use crate::ops;
use crate::state::Frame;
use crate::value::{ObjId, Region, Value};

/// Calls that every real stack has room for.
const AMPLE_DEPTH: usize = 1000;

/// Call depth at which a path is cut if the user gave none.
pub(crate) const DEFAULT_MAX_DEPTH: u32 = 20_000;

impl Step<'_, '_> {
    pub(super) fn call(&mut self, callee: Callee, args: &[Arg]) -> Res<()> {
        self.note_order();
        let func = match callee {
            Callee::Direct(func) => func,
            Callee::Indirect(operand) => {
                let mut target = self.get(operand);
                if self.st.outside.is_some() {
                    if let Some(name) = self.outside_function(target)? {
                        return self.call_outside(&name);
                    }
                    target = self.settle_input(target)?;
                }
                let func = self.resolve_function(target)?;
                self.m.note_fact(|| Fact::Called(func));
                func
            }
        };
        let mut values: smallvec::SmallVec<[Value; 6]> = args.iter().map(|a| self.get(a.value)).collect();
        let is_defined = self.m.image.program.funcs[func].is_defined();
        if matches!(callee, Callee::Indirect(_)) && is_defined {
            self.adapt_arguments(func, args, &mut values)?;
        }
        if let Some(model) = self.m.image.models[func.index()] {
            self.fit_model(func, model.known, args, &mut values)?;
            return (model.run)(self, func, args, &values);
        }
        let image = &self.m.image;
        let function = &image.program.funcs[func];
        if crate::image::is_absent(image.program, &image.library, func) {
            return self.finding(
                FindingKind::Memory,
                format!("call of `{}`, a weak symbol that nothing defines", function.name),
            );
        }
        if !is_defined && self.m.options.surroundings.undefined_any {
            return self.any_result(func);
        }
        if !is_defined {
            return unsupported(format!("call of `{}`, which is defined nowhere", function.name));
        }
        self.enter(func, args, &values)
    }

    /// A call of a function that nobody knows.
    fn call_outside(&mut self, name: &str) -> Res<()> {
        if !self.m.options.surroundings.undefined_any {
            return unsupported(format!("the function that `{name}` leads to, which comes from outside"));
        }
        let program = self.m.image.program;
        let regs = &program.funcs[self.st.frame().func].regs;
        let types: Vec<Ty> = self.call_dsts().iter().map(|dst| regs[*dst].ty).collect();
        self.any_results(name, &types)
    }

    /// Makes the arguments of a call what the model of `func` takes; ends the path if they cannot be.
    fn fit_model(&mut self, func: FuncId, known: Known, args: &[Arg], values: &mut [Value]) -> Res<()> {
        let frame = self.st.frame();
        let place = (frame.func, frame.block, frame.idx as u32, func);
        if self.m.fitting_calls.contains(&place) {
            return Ok(());
        }
        let bits = self.ptr_bits();
        let (function, result) = (&self.m.image.program.funcs[func], self.call_type());
        let site = Site { function, args, result, ptr_bits: bits };
        let (mut is_widened, mut is_converted) = (false, false);
        let pool = &mut self.m.pool;
        let convert = |i: usize, from: Ty, to: Ty| {
            let is_wider = to.bits(bits) > from.bits(bits);
            let op = if is_wider { CastOp::ZExt } else { CastOp::Trunc };
            values[i] = ops::cast(pool, op, from, to, bits, values[i]);
            is_widened |= is_wider;
            is_converted = true;
        };
        let fits = site.fit(Some(known), convert);
        if is_widened {
            self.assumed("library.narrow-argument");
        }
        match fits {
            Ok(()) => {
                if !is_converted {
                    self.m.fitting_calls.insert(place);
                }
                Ok(())
            }
            Err(Mismatch::Misuse(what)) => self.finding(FindingKind::Misuse, what),
            Err(Mismatch::Unknown(why)) => unsupported(why),
        }
    }

    /// A call through another type than the function's own is undefined. What the calling convention does with
    /// integers of another width is known, and old-style declarations rely on it; the rest is a finding.
    fn adapt_arguments(&mut self, func: FuncId, args: &[Arg], values: &mut [Value]) -> Res<()> {
        let function = &self.m.image.program.funcs[func];
        if args.len() < function.params.len() {
            return self
                .finding(FindingKind::Misuse, format!("call of `{}` with too few arguments", function.name));
        }
        let mut is_other = args.len() > function.params.len() && !function.variadic;
        let params = function.params.iter().zip(&function.byval).zip(args).enumerate();
        for (i, ((param, byval), arg)) in params {
            let to = function.regs[*param].ty;
            match self.adapt(values[i], arg.ty, to).filter(|_| *byval == arg.byval) {
                Some(value) => {
                    values[i] = value;
                    is_other |= arg.ty != to;
                }
                None => {
                    let what = format!(
                        "call of `{}` with another type for argument {} ({} for {to})",
                        function.name,
                        i + 1,
                        arg.ty
                    );
                    return self.finding(FindingKind::Misuse, what);
                }
            }
        }
        if is_other {
            self.assumed("calls.convention");
        }
        Ok(())
    }

    /// What a register or stack slot filled with one type holds when it is read as another: of an integer the low
    /// bits, and above them anything. `None` if they are not passed in the same place.
    fn adapt(&mut self, value: Value, from: Ty, to: Ty) -> Option<Value> {
        let bits = self.ptr_bits();
        let is_slot = |ty: Ty| !matches!(ty, Ty::Float(_)) && ty.bits(bits) <= bits;
        if from == to {
            return Some(value);
        }
        if !is_slot(from) || !is_slot(to) {
            return None;
        }
        let (have, want) = (from.bits(bits), to.bits(bits));
        if want <= have {
            let (have, want) = (Ty::Int(have), Ty::Int(want));
            return Some(ops::cast(&mut self.m.pool, CastOp::Trunc, have, want, bits, value));
        }
        let above = self.fresh(want - have);
        let pool = &mut self.m.pool;
        let (above, low) = (ops::to_term(pool, above, want - have), ops::to_term(pool, value, have));
        let term = pool.concat(above, low);
        Some(ops::from_term(pool, term))
    }

    pub(crate) fn resolve_function(&mut self, target: Value) -> Res<FuncId> {
        if let Value::Ptr { obj, addr } = target
            && obj.region() == Region::Function
            && addr == self.m.image.space.function(obj.index())
        {
            return Ok(FuncId::new(obj.index()));
        }
        let bits = self.ptr_bits();
        let addr = self.concretise(target, bits, MAX_FORKS, "a function pointer")?;
        let n = self.m.image.program.funcs.len();
        match self.m.image.space.function_at(addr, n) {
            Some(index) => {
                let func = FuncId::new(index);
                self.check_foreseen_call(func)?;
                Ok(func)
            }
            None if addr == 0 => self.finding(FindingKind::Memory, "call through a null pointer"),
            None => self.finding(FindingKind::Memory, format!("call of {addr:#x}, where no function is")),
        }
    }

    /// Copies of the arguments passed by value; `None` if the instruction needs more steps for them.
    fn copy_arguments(&mut self, args: &[Arg], values: &[Value]) -> Res<Option<Vec<ObjId>>> {
        if let Some(copying) = self.copying() {
            return Ok(self.go_on_copying(None)?.then(|| copying.made.clone()));
        }
        // They must be readable before anything changes.
        let mut sources: Vec<(u64, Option<Place>)> = Vec::new();
        for (size, value) in args.iter().zip(values).filter_map(|(arg, value)| Some((arg.byval?, *value))) {
            let from = match size {
                0 => None,
                _ => match self.concrete_place(value, size, false)? {
                    Value::Ptr { obj, addr } => Some(Place { obj, addr }),
                    _ => None,
                },
            };
            sources.push((size, from));
        }
        let takes_steps = self.st.thread().atomic_depth == 0
            && sources.iter().filter_map(|(_, from)| *from).any(|from| self.st.is_exposed(from.obj));
        if !takes_steps {
            for (size, from) in &sources {
                self.touch_at(from.map_or(Value::Int(0), Place::value), *size, Mode::Read)?;
            }
        }
        let (mut copies, mut ranges) = (Vec::new(), Vec::new());
        for (size, from) in sources {
            let origin = Origin::Engine("a struct argument".into());
            let (obj, addr) = self.new_stack_object(size, 16, origin, false)?;
            copies.push(obj);
            ranges.push(Range { to: Place { obj, addr }, from, len: size, is_backward: false });
        }
        if takes_steps {
            return Ok(self.begin_copy(ranges, copies.clone(), None)?.then_some(copies));
        }
        for Range { to, from, len, .. } in ranges {
            if let Some(from) = from {
                self.copy_at_once(to.value(), from.value(), len)?;
            }
        }
        Ok(Some(copies))
    }

    /// Pushes a frame for `func`.
    pub(crate) fn enter(&mut self, func: FuncId, args: &[Arg], values: &[Value]) -> Res<()> {
        let program = self.m.image.program;
        let function = &program.funcs[func];
        let max_depth = self.m.options.bounds.max_depth.unwrap_or(DEFAULT_MAX_DEPTH) as usize;
        if self.st.thread().frames.len() >= max_depth {
            return end(PathEnd::Bound(Bound::Depth));
        }
        if self.st.thread().frames.len() == AMPLE_DEPTH {
            self.assumed("world.stack-suffices");
        }
        let thread = self.st.current as u32;
        let mut stack_mark = self.st.mem.stack_mark(thread);
        let mut values: smallvec::SmallVec<[Value; 6]> = values.into();
        if args.iter().any(|arg| arg.byval.is_some()) {
            let Some(copies) = self.copy_arguments(args, &values)? else { return Ok(()) };
            stack_mark = copies.first().map_or(stack_mark, |obj| obj.index());
            let by_value = args.iter().zip(&mut values).filter(|(arg, _)| arg.byval.is_some());
            for ((_, value), obj) in by_value.zip(copies) {
                *value = Value::Ptr { obj, addr: self.st.mem.get(obj).expect("on the stack").base };
            }
        }
        let mut regs = vec![Value::Int(0); function.regs.len()];
        for (param, value) in function.params.iter().zip(&values) {
            regs[param.index()] = *value;
        }
        let is_atomic = self.m.image.library.known(func).is_some_and(Known::is_atomic);
        let varargs: Rc<[_]> = args
            .iter()
            .zip(&values)
            .skip(function.params.len())
            .map(|(arg, value)| (*value, arg.ty, arg.byval))
            .collect();
        let t = self.st.thread_mut();
        t.n_frames += 1;
        t.atomic_depth += u32::from(is_atomic);
        let token = t.n_frames;
        t.frames.push(Rc::new(Frame {
            func,
            block: BlockId(0),
            idx: 0,
            regs,
            stack_mark,
            varargs,
            loops: Vec::new(),
            token,
            resumes: false,
            atomic: is_atomic,
        }));
        self.m.coverage.block(self.m.image.block_number(func, BlockId(0)));
        if self.m.recorder.is_some() {
            self.record_call(func);
        }
        Ok(())
    }

    /// Notes that another compiler could have made this call earlier or later.
    #[inline]
    fn note_order(&mut self) {
        if !self.m.options.telling_calls.is_empty()
            && self.m.options.telling_calls.binary_search(&point(self.st.frame())).is_ok()
        {
            self.assumed("language.evaluation-order");
        }
    }

    /// Calls a function of the C run-time in place of the current instruction.
    pub(crate) fn call_runtime(&mut self, called: Written, values: &[Value]) -> Res<()> {
        let program = self.m.image.program;
        let Some(func) = self.m.image.library.defined(program, called) else {
            let name = called.row().name();
            return unsupported(format!("this needs the run-time function `{name}`, which is not linked"));
        };
        let args: Vec<Arg> = program.funcs[func]
            .params
            .iter()
            .map(|p| Arg { value: Operand::Reg(Reg(0)), ty: program.funcs[func].regs[*p].ty, byval: None })
            .collect();
        self.enter(func, &args, values)
    }

    pub(super) fn ret(&mut self, values: &[Operand]) -> Res<()> {
        let values: smallvec::SmallVec<[Value; 2]> = values.iter().map(|v| self.get(*v)).collect();
        self.return_values(&values)
    }

    /// Leaves the innermost frame with these results.
    pub(crate) fn return_values(&mut self, values: &[Value]) -> Res<()> {
        if self.st.thread().frames.len() == 1 {
            return self.return_from_entry(values);
        }
        let thread = self.st.current as u32;
        let mark = self.st.frame().stack_mark;
        self.touch_stack(mark)?;
        let frame = self.st.thread_mut().frames.pop().expect("more than one");
        if frame.atomic {
            self.st.thread_mut().atomic_depth -= 1;
        }
        self.st.release_stack(thread, frame.stack_mark);
        self.leave_loops();
        if frame.resumes {
            self.resume_interrupted();
            return Ok(());
        }
        let program = self.m.image.program;
        let caller = self.st.frame();
        let call = &program.funcs[caller.func].blocks[caller.block].insts[caller.idx];
        if let Inst::Call { dsts, .. } = call {
            if dsts.len() > values.len() {
                return unsupported("the result of a function is used that returns none");
            }
            let (callee, caller) = (&program.funcs[frame.func], &program.funcs[caller.func]);
            for (i, (dst, value)) in dsts.iter().zip(values).enumerate() {
                // The engine calls run-time functions in place of other instructions, without a call's types.
                let have = callee.ret.get(i).copied().unwrap_or(caller.regs[*dst].ty);
                let Some(value) = self.adapt(*value, have, caller.regs[*dst].ty) else {
                    let what = format!("the result of `{}` is used as another type", callee.name);
                    return self.finding(FindingKind::Misuse, what);
                };
                self.set(*dst, value);
            }
        }
        self.next()
    }

    /// `main` returned: run `exit` with its value, if the program has one that does something.
    fn return_from_entry(&mut self, values: &[Value]) -> Res<()> {
        if self.st.thread().is_leaving {
            let result = self.st.thread().result;
            return self.end_thread(result);
        }
        let code = values.first().copied().unwrap_or(Value::Int(0));
        if self.st.current != 0 {
            return self.end_thread(code);
        }
        let program = self.m.image.program;
        let frame = self.st.frame();
        let is_main = Some(frame.func) == program.entry;
        if is_main && let Some(exit) = self.m.exit_function {
            let ty = Ty::Int(32);
            let arg = Arg { value: Operand::Reg(Reg(0)), ty, byval: None };
            // The frame of `main` stays as the caller; `exit` does not return.
            return self.enter(exit, &[arg], &[code]);
        }
        self.exit(code)
    }

    /// Ends the program.
    pub(crate) fn exit(&mut self, code: Value) -> Res<()> {
        self.check_written(code, "the exit status")?;
        if self.st.has_bringers() {
            // Signals that come before this find the program as it is now.
            self.gate([])?;
        }
        self.check_written(code, "the exit status")?;
        self.check_leaks()?;
        // Which code it is does not split the path: any one will do for the report.
        let code = match ops::concrete(code) {
            Some(code) => code as u32 as i32,
            None => {
                let term = ops::to_term(&mut self.m.pool, code, 32);
                self.m.exit_code = Some(term);
                0
            }
        };
        end(PathEnd::Exit(code))
    }
}
