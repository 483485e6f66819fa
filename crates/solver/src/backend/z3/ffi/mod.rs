//! The only module that calls the Z3 library: a memory-safe face for the few calls we need.
//!
//! A [`Context`] owns every Z3 object it ever made, in an arena, until it is dropped.
//! Callers hold [`Ast`] handles, which are indices into that arena: a wrong handle panics
//! or names a wrong term but never touches freed memory. The price is that terms are
//! freed all at once; the backend starts a new context when there are too many.
//!
//! Relies on: libz3 4.8.12 or newer; a context is used by one thread at a time, except
//! for [`Interrupter::interrupt`], which Z3 allows from any thread.
#![expect(unsafe_code, reason = "this module is the boundary to the C library")]

mod ops;
mod read;

use std::ffi::{CStr, CString};
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;
use z3_sys::*;

pub(super) use self::ops::{Conversion, Op1, Op2, Op3, OpN, ZRounding};
pub(super) use self::read::Value;

/// A failure reported by Z3, with its message.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("z3: {0}")]
pub(super) struct Z3Error(pub(super) String);

type Result<T> = std::result::Result<T, Z3Error>;

/// A Z3 term of one [`Context`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Ast(u32);

/// A Z3 solver of one [`Context`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SolverId(u32);

/// A sort as the translation names it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum ZSort {
    /// Booleans.
    Bool,
    /// Unbounded integers.
    Int,
    /// Bit-vectors of this width.
    Bv(u32),
    /// Arrays between bit-vectors of these widths.
    Array(u32, u32),
    /// IEEE floats with this many exponent and significand bits (the hidden one counts).
    Fp(u32, u32),
}

/// What a check said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    Sat,
    Unsat,
    Unknown,
}

/// A Z3 context with all its terms and solvers.
pub(super) struct Context {
    raw: Z3_context,
    // Invariant: every element holds one reference, given back in `drop`.
    asts: Vec<Z3_ast>,
    // Invariant: as above.
    solvers: Vec<Z3_solver>,
    sorts: FxHashMap<ZSort, Z3_sort>,
    roundings: FxHashMap<ZRounding, Ast>,
    running: Interrupter,
    scratch: Option<SolverId>,
}

impl Context {
    /// A fresh context. Fails only if Z3 itself does.
    pub(super) fn new() -> Result<Context> {
        let failed = || Z3Error("no context could be made".to_owned());
        // SAFETY: the configuration is made, used and deleted here. The default error
        // handler would end the process, so it is replaced by none before anything else;
        // errors then show as null results.
        unsafe {
            let config = Z3_mk_config().ok_or_else(failed)?;
            let raw = Z3_mk_context_rc(config);
            Z3_del_config(config);
            let raw = raw.ok_or_else(failed)?;
            Z3_set_error_handler(raw, None);
            Ok(Context {
                raw,
                asts: Vec::new(),
                solvers: Vec::new(),
                sorts: FxHashMap::default(),
                roundings: FxHashMap::default(),
                running: Interrupter(Arc::new(Mutex::new(Running(None)))),
                scratch: None,
            })
        }
    }

    /// Number of terms held.
    pub(super) fn len(&self) -> usize {
        self.asts.len()
    }

    fn error(&self) -> Z3Error {
        // SAFETY: the context is alive; the message is a C string that stays valid until the
        // next call, and is copied at once.
        unsafe {
            let message = Z3_get_error_msg(self.raw, Z3_get_error_code(self.raw));
            if message.is_null() {
                return Z3Error("unknown error".to_owned());
            }
            Z3Error(CStr::from_ptr(message).to_string_lossy().into_owned())
        }
    }

    fn get(&self, ast: Ast) -> Z3_ast {
        self.asts[ast.0 as usize]
    }

    fn own(&mut self, ast: Option<Z3_ast>) -> Result<Ast> {
        let ast = ast.ok_or_else(|| self.error())?;
        // SAFETY: `ast` was just returned by this context and nothing else was called since.
        unsafe { Z3_inc_ref(self.raw, ast) };
        let id = Ast(u32::try_from(self.asts.len()).map_err(|_| Z3Error("too many terms".to_owned()))?);
        self.asts.push(ast);
        Ok(id)
    }

    fn sort(&mut self, sort: ZSort) -> Result<Z3_sort> {
        if let Some(&known) = self.sorts.get(&sort) {
            return Ok(known);
        }
        let raw = self.raw;
        // SAFETY: the context is alive, element sorts are owned by the arena.
        let made = unsafe {
            match sort {
                ZSort::Bool => Z3_mk_bool_sort(raw),
                ZSort::Int => Z3_mk_int_sort(raw),
                ZSort::Bv(width) => Z3_mk_bv_sort(raw, width),
                ZSort::Array(index, elem) => {
                    let index = self.sort(ZSort::Bv(index))?;
                    let elem = self.sort(ZSort::Bv(elem))?;
                    Z3_mk_array_sort(raw, index, elem)
                }
                ZSort::Fp(exp, sig) => Z3_mk_fpa_sort(raw, exp, sig),
            }
        };
        let made = made.ok_or_else(|| self.error())?;
        // SAFETY: a sort is a term; the arena takes its reference.
        let as_ast = unsafe { Z3_sort_to_ast(raw, made) };
        self.own(as_ast)?;
        self.sorts.insert(sort, made);
        Ok(made)
    }

    /// The constant symbol of this number, which [`model`](Self::model) gives back.
    ///
    /// It gets a text name: Z3 uses number names for auxiliary constants of its own, and would
    /// take one of ours for one of these.
    pub(super) fn symbol(&mut self, number: u32, sort: ZSort) -> Result<Ast> {
        let sort = self.sort(sort)?;
        let name = CString::new(format!("v{number}")).map_err(|_| Z3Error("no name".to_owned()))?;
        // SAFETY: context, sort and name are alive; a symbol needs no reference.
        let made = unsafe {
            Z3_mk_string_symbol(self.raw, name.as_ptr())
                .and_then(|symbol| Z3_mk_const(self.raw, symbol, sort))
        };
        self.own(made)
    }

    /// A Boolean symbol that equals no other.
    pub(super) fn fresh_bool(&mut self) -> Result<Ast> {
        let sort = self.sort(ZSort::Bool)?;
        // SAFETY: the prefix is a C string that lives through the call.
        let made = unsafe { Z3_mk_fresh_const(self.raw, c"p".as_ptr(), sort) };
        self.own(made)
    }

    /// True or false.
    pub(super) fn bool(&mut self, value: bool) -> Result<Ast> {
        // SAFETY: the context is alive.
        let made = unsafe { if value { Z3_mk_true(self.raw) } else { Z3_mk_false(self.raw) } };
        self.own(made)
    }

    /// A number of a bit-vector sort that fits into 64 bits.
    pub(super) fn small(&mut self, value: u64, sort: ZSort) -> Result<Ast> {
        let sort = self.sort(sort)?;
        // SAFETY: context and sort are alive.
        let made = unsafe { Z3_mk_unsigned_int64(self.raw, value, sort) };
        self.own(made)
    }

    /// A number of any number sort, in decimal.
    pub(super) fn decimal(&mut self, value: &str, sort: ZSort) -> Result<Ast> {
        let sort = self.sort(sort)?;
        let text = CString::new(value).map_err(|_| Z3Error("not a number".to_owned()))?;
        // SAFETY: context, sort and text live through the call.
        let made = unsafe { Z3_mk_numeral(self.raw, text.as_ptr(), sort) };
        self.own(made)
    }

    /// An empty solver that is thrown away when the next one is asked for.
    pub(super) fn scratch_solver(&mut self, logic: Option<&CStr>, rlimit: Option<u32>) -> Result<SolverId> {
        let solver = self.make_solver(logic, rlimit)?;
        match self.scratch {
            Some(id) => {
                let old = std::mem::replace(&mut self.solvers[id.0 as usize], solver);
                // SAFETY: the old solver's one reference was held by the slot it just left.
                unsafe { Z3_solver_dec_ref(self.raw, old) };
                Ok(id)
            }
            None => {
                let id = self.keep(solver);
                self.scratch = Some(id);
                Ok(id)
            }
        }
    }

    /// A solver for a logic (`QF_ABV`), or the general one.
    pub(super) fn new_solver(&mut self, logic: Option<&CStr>, rlimit: Option<u32>) -> Result<SolverId> {
        let solver = self.make_solver(logic, rlimit)?;
        Ok(self.keep(solver))
    }

    fn keep(&mut self, solver: Z3_solver) -> SolverId {
        self.solvers.push(solver);
        SolverId(self.solvers.len() as u32 - 1)
    }

    /// A solver that holds one reference, which the caller must give to `solvers`.
    fn make_solver(&mut self, logic: Option<&CStr>, rlimit: Option<u32>) -> Result<Z3_solver> {
        // SAFETY: the logic's name lives through the call. A symbol needs no reference.
        let made = unsafe {
            match logic {
                Some(name) => Z3_mk_string_symbol(self.raw, name.as_ptr())
                    .and_then(|symbol| Z3_mk_solver_for_logic(self.raw, symbol)),
                None => Z3_mk_solver(self.raw),
            }
        };
        let solver = made.ok_or_else(|| self.error())?;
        // SAFETY: the solver was just made; the parameter set is made, referenced, used and
        // released here.
        unsafe {
            Z3_solver_inc_ref(self.raw, solver);
            if let Some(params) = Z3_mk_params(self.raw) {
                Z3_params_inc_ref(self.raw, params);
                // Otherwise Z3 catches Ctrl-C during a check, and nobody else gets to know of it.
                if let Some(name) = Z3_mk_string_symbol(self.raw, c"ctrl_c".as_ptr()) {
                    Z3_params_set_bool(self.raw, params, name, false);
                }
                if let Some(limit) = rlimit
                    && let Some(name) = Z3_mk_string_symbol(self.raw, c"rlimit".as_ptr())
                {
                    Z3_params_set_uint(self.raw, params, name, limit);
                }
                Z3_solver_set_params(self.raw, solver, params);
                Z3_params_dec_ref(self.raw, params);
            }
        }
        Ok(solver)
    }

    fn solver(&self, id: SolverId) -> Z3_solver {
        self.solvers[id.0 as usize]
    }

    /// Opens a level.
    pub(super) fn push(&mut self, solver: SolverId) {
        // SAFETY: context and solver are alive.
        unsafe { Z3_solver_push(self.raw, self.solver(solver)) }
    }

    /// Closes `levels` levels, of which there must be as many.
    pub(super) fn pop(&mut self, solver: SolverId, levels: u32) {
        // SAFETY: context and solver are alive; too many levels is an error that Z3 reports.
        unsafe { Z3_solver_pop(self.raw, self.solver(solver), levels) }
    }

    /// Asserts a Boolean term on the current level.
    pub(super) fn assert(&mut self, solver: SolverId, ast: Ast) {
        // SAFETY: context, solver and term are alive.
        unsafe { Z3_solver_assert(self.raw, self.solver(solver), self.get(ast)) }
    }

    /// Checks what is asserted, together with `assumptions`, which are Boolean symbols.
    pub(super) fn check(&mut self, solver: SolverId, assumptions: &[Ast]) -> Verdict {
        let raw: Vec<Z3_ast> = assumptions.iter().map(|&a| self.get(a)).collect();
        self.running.set(Some(self.raw));
        // SAFETY: context, solver and terms are alive; pointer and length are of one vector.
        let verdict = unsafe {
            if raw.is_empty() {
                Z3_solver_check(self.raw, self.solver(solver))
            } else {
                Z3_solver_check_assumptions(self.raw, self.solver(solver), raw.len() as u32, raw.as_ptr())
            }
        };
        self.running.set(None);
        match verdict {
            Z3_L_TRUE => Verdict::Sat,
            Z3_L_FALSE => Verdict::Unsat,
            _ => Verdict::Unknown,
        }
    }

    /// Why the last check said `Unknown`.
    pub(super) fn reason_unknown(&self, solver: SolverId) -> String {
        // SAFETY: context and solver are alive; the text is copied at once.
        unsafe {
            let text = Z3_solver_get_reason_unknown(self.raw, self.solver(solver));
            if text.is_null() { String::new() } else { CStr::from_ptr(text).to_string_lossy().into_owned() }
        }
    }

    /// Asserts what an SMT-LIB script asserts; its commands are not executed.
    pub(super) fn assert_script(&mut self, solver: SolverId, script: &str) -> Result<()> {
        let script = CString::new(script).map_err(|_| Z3Error("the script has a zero byte".to_owned()))?;
        self.running.set(Some(self.raw));
        // SAFETY: context, solver and script live through the call.
        let code = unsafe {
            Z3_solver_from_string(self.raw, self.solver(solver), script.as_ptr());
            Z3_get_error_code(self.raw)
        };
        self.running.set(None);
        if code == ErrorCode::Ok { Ok(()) } else { Err(self.error()) }
    }

    /// A handle by which another thread can stop a running check.
    pub(super) fn interrupter(&self) -> Interrupter {
        self.running.clone()
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: each object of the arena holds exactly the one reference taken in `own` and
        // `new_solver`; no handle can be used after this.
        unsafe {
            for &solver in &self.solvers {
                Z3_solver_dec_ref(self.raw, solver);
            }
            for &ast in &self.asts {
                Z3_dec_ref(self.raw, ast);
            }
            Z3_del_context(self.raw);
        }
    }
}

/// Stops a running check of one context, from another thread.
#[derive(Clone)]
pub(super) struct Interrupter(Arc<Mutex<Running>>);

/// The context while a check runs in it. Whoever holds the lock and sees one may interrupt it:
/// `Context::check` cannot return, and so the context cannot be dropped, before the lock is free.
struct Running(Option<Z3_context>);

// SAFETY: the pointer is used only for `Z3_interrupt`, which is documented to be callable from
// another thread while the context is in use.
unsafe impl Send for Running {}

impl Interrupter {
    fn set(&self, running: Option<Z3_context>) {
        // Nothing panics while the lock is held, so that poisoning means nothing here.
        self.0.lock().unwrap_or_else(PoisonError::into_inner).0 = running;
    }

    /// Makes the running check, if there is one, come back as unknown.
    pub(super) fn interrupt(&self) {
        let running = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(context) = running.0 {
            // SAFETY: the context is alive while it is set here and the lock is held.
            unsafe { Z3_interrupt(context) }
        }
    }
}
