//! The functions of a program that have a row in the table of library functions.
//!
//! Each function is classified by its name once, here; analyses, executor and engine ask by number from then on.
//! Guarantee: for a function whose meaning is the engine's, [`Action`] names everything it reads, writes and calls.
//! One that is neither the program's own code nor in the table is [`Action::Opaque`]: a call of it ends a path as
//! unsupported, so its effects need no description, but reaching it counts as a possible failure.

use rustc_hash::FxHashMap;
use selvedge_base::Id;
use selvedge_library::{Action, Known, classify};
use selvedge_program::{FuncId, Function, Program};

/// What the names of a program's functions mean.
#[derive(Clone, Debug)]
pub struct Library {
    known: Vec<Option<Known>>,
    actions: Vec<Action>,
    funcs: FxHashMap<Known, Vec<FuncId>>,
}

impl Library {
    /// Classifies all functions.
    pub fn new(program: &Program) -> Library {
        let known: Vec<Option<Known>> = program.funcs.iter().map(|f| classify(&f.name)).collect();
        let actions = program.funcs.iter().zip(&known).map(|(f, known)| action(f, *known)).collect();
        let mut funcs: FxHashMap<Known, Vec<FuncId>> = FxHashMap::default();
        for (func, known) in program.funcs.ids().zip(&known) {
            if let Some(known) = known {
                funcs.entry(*known).or_default().push(func);
            }
        }
        Library { known, actions, funcs }
    }

    /// What the function's name means, whether or not the program has a body for it.
    pub fn known(&self, func: FuncId) -> Option<Known> {
        self.known[func.index()]
    }

    /// The function if its meaning is the engine's, not a body's.
    pub fn modelled(&self, func: FuncId) -> Option<Known> {
        self.known(func).filter(|known| self.action(func) != Action::Body && known.is_modelled())
    }

    /// What a call of the function does.
    pub fn action(&self, func: FuncId) -> Action {
        self.actions[func.index()]
    }

    /// The functions of the program that are this one, which may have several names.
    pub fn all(&self, known: impl Into<Known>) -> &[FuncId] {
        self.funcs.get(&known.into()).map_or(&[], Vec::as_slice)
    }

    /// Whether the program has the function, with or without a body.
    pub fn has(&self, known: impl Into<Known>) -> bool {
        !self.all(known).is_empty()
    }

    /// The first function of the program that is this one.
    pub fn find(&self, known: impl Into<Known>) -> Option<FuncId> {
        self.all(known).first().copied()
    }

    /// Likewise, with a body.
    pub fn defined(&self, program: &Program, known: impl Into<Known>) -> Option<FuncId> {
        self.all(known).iter().copied().find(|func| program.funcs[*func].is_defined())
    }
}

fn action(function: &Function, known: Option<Known>) -> Action {
    match known.map(Known::action) {
        Some(Action::Error) => Action::Error,
        _ if function.is_defined() => Action::Body,
        Some(action) if known.is_some_and(Known::is_modelled) => action,
        _ => Action::Opaque,
    }
}

#[cfg(test)]
mod tests {
    use selvedge_library::{Heap, Process, Written};

    use super::*;

    #[test]
    fn a_body_wins_except_for_the_error() {
        let text = "entry @other
            declare @malloc(%0: i64) -> ptr
            declare @atexit(%0: ptr) -> i32
            func @free(%0: ptr) {
            bb0:
                return
            }
            func @__VERIFIER_error() {
            bb0:
                return
            }
            func @reach_error() {
            bb0:
                return
            }
            func @other() {
            bb0:
                return
            }";
        let program = selvedge_program::parse(text).expect("a program");
        let library = Library::new(&program);
        let of = |name: &str| library.modelled(program.func_named(name).expect("in the text"));
        assert_eq!(of("malloc"), Some(Heap::Malloc.into()));
        assert_eq!((of("free"), of("atexit"), of("other")), (None, None, None));
        assert_eq!(
            (of("reach_error"), of("__VERIFIER_error")),
            (Some(Process::Error.into()), Some(Process::Error.into()))
        );
        assert_eq!(library.all(Process::Error).len(), 2);
        assert!(library.has(Written::AtExit) && library.defined(&program, Written::AtExit).is_none());
        assert_eq!(library.action(program.func_named("atexit").unwrap()), Action::Opaque);
    }
}
