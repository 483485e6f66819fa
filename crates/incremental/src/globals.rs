//! Numbers of global variables.
//!
//! A variable that can change keeps its number while its name, size and alignment stay: what it holds, each state
//! knows. A constant, and a thread-local variable, whose first content every new thread looks at, must also
//! have the same content; so a number says what is in a constant, in all versions. String literals have no names that
//! mean anything.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHashMap;
use selvedge_base::Id;
use selvedge_program::{Const, ConstExpr, ConstId, GlobalId, InitPiece, Program};
use siphasher::sip::SipHasher13;

use crate::registry::{GlobalEntry, Registry};
use crate::shape::hash_of;

/// The number of each global of the program; new ones are entered into the registry. `funcs` are the numbers of functions.
pub(crate) fn numbers(program: &Program, funcs: &[usize], registry: &mut Registry) -> Vec<GlobalId> {
    let mut free: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
    for (number, entry) in registry.globals.iter().enumerate().rev() {
        free.entry(entry.identity).or_default().push(number);
    }
    let mut finder = Finder { program, funcs, known: vec![None; program.globals.len()], open: Vec::new() };
    let number = |id: GlobalId| {
        let global = &program.globals[id];
        let identity = finder.identity(id);
        let number = free.get_mut(&identity).and_then(Vec::pop).unwrap_or_else(|| {
            registry.globals.push(GlobalEntry { identity, size: global.size, align: global.align });
            registry.globals.len() - 1
        });
        GlobalId::new(number)
    };
    program.globals.ids().map(number).collect()
}

struct Finder<'a> {
    program: &'a Program,
    funcs: &'a [usize],
    known: Vec<Option<u64>>,
    /// Constants whose content is being looked at.
    open: Vec<GlobalId>,
}

impl Finder<'_> {
    fn identity(&mut self, id: GlobalId) -> u64 {
        if let Some(known) = self.known[id.index()] {
            return known;
        }
        let global = &self.program.globals[id];
        let place = (global.size, global.align, global.is_const, global.thread_local, global.init.is_some());
        let mut hasher = SipHasher13::new();
        place.hash(&mut hasher);
        let is_fixed = global.is_const || global.thread_local;
        if !is_fixed || !is_nameless(&global.name) {
            global.name.hash(&mut hasher);
        }
        if is_fixed && !self.open.contains(&id) {
            self.open.push(id);
            for piece in global.init.iter().flatten() {
                match piece {
                    InitPiece::Bytes { offset, bytes } => (0u8, offset, bytes).hash(&mut hasher),
                    InitPiece::Undef { offset, len } => (1u8, offset, len).hash(&mut hasher),
                    InitPiece::Scalar { offset, ty, value } => {
                        (2u8, offset, ty).hash(&mut hasher);
                        self.hash_const(*value, &mut hasher);
                    }
                }
            }
            self.open.pop();
        }
        let identity = hasher.finish();
        // Within a circle of constants, what was found out is about the one that was asked for first.
        if self.open.is_empty() {
            self.known[id.index()] = Some(identity);
        }
        identity
    }

    fn hash_const(&mut self, id: ConstId, hasher: &mut SipHasher13) {
        match &self.program.consts[id] {
            Const::Global { global, offset } => (1u8, self.identity(*global), offset).hash(hasher),
            Const::Func(func) => (2u8, self.funcs[func.index()]).hash(hasher),
            // Its number may change with any edit of the function.
            Const::Block(func, block) => (3u8, self.funcs[func.index()], hash_of(block)).hash(hasher),
            Const::Expr(ConstExpr::Cast { op, from, to, arg }) => {
                (4u8, op, from, to).hash(hasher);
                self.hash_const(*arg, hasher);
            }
            Const::Expr(ConstExpr::Bin { op, width, a, b }) => {
                (5u8, op, width).hash(hasher);
                self.hash_const(*a, hasher);
                self.hash_const(*b, hasher);
            }
            Const::Expr(ConstExpr::PtrAdd { base, offset }) => {
                (6u8, offset).hash(hasher);
                self.hash_const(*base, hasher);
            }
            other => (7u8, other).hash(hasher),
        }
    }
}

/// Whether a compiler gave the name to a literal.
fn is_nameless(name: &str) -> bool {
    name == ".str"
        || name.starts_with(".str.")
        || name.starts_with("__const.")
        || name.starts_with("__PRETTY_FUNCTION__")
}
