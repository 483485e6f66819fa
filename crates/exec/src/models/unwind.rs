//! Exceptions of C++: whether anything on the stack catches one, and what a type catches.
//!
//! The front end has made exceptions into returns (`frontend/src/lower/unwind.rs`), the run-time has the rest of the
//! machinery (`runtime/exceptions.c`); here is the part that needs to see the stack and the types.
//!
//! A handler is looked for before anything is left, as in the C++ ABI of Itanium: without one no destructor runs. The
//! clauses on the stack are the arguments of the calls of `__selvedge_landing` that follow the calls under way.
//! Guarantee: a call that is not followed by one is not passed by, it ends in `unknown`.
//! Relies on: type information laid out as in that ABI, with the tables of `runtime/types.c`.

use selvedge_program::{Arg, BinOp, Callee, Inst, Program, Ty};

use super::Model;
use crate::finding::{Res, unsupported};
use crate::ops;
use crate::step::Step;
use crate::value::{Value, truncate};
use selvedge_library::Unwind;

/// What the first entry of a type's table holds; as in `runtime/types.c`.
mod kind {
    pub(super) const CLASS: u64 = 1;
    pub(super) const CLASS_WITH_BASE: u64 = 2;
    pub(super) const CLASS_WITH_BASES: u64 = 3;
    pub(super) const POINTER: u64 = 4;
    pub(super) const OTHER: u64 = 5;
}

/// Flags of a base class.
const VIRTUAL: u64 = 1;
const PUBLIC: u64 = 2;
/// Bases deep in a hierarchy are looked for so far.
const MAX_DEPTH: u32 = 64;

pub(super) fn model(function: Unwind) -> Model {
    match function {
        Unwind::FindHandler => |s, _, _, v| s.find_handler(v[0], v[1]),
        Unwind::Catches => |s, _, _, v| {
            let offset = s.catches(v[0], v[1], v[2])?;
            let bits = s.ptr_bits();
            s.returns(Value::Int(truncate(offset.unwrap_or(u64::MAX), bits)))
        },
        Unwind::MustUnwind => |s, _, _, _| {
            // The innermost frame is the run-time's, which asks.
            let depth = s.st.thread().frames.len() - 1;
            let must = s.must_unwind(depth)?;
            s.returns(Value::bool(must))
        },
        Unwind::Leaves => |s, _, _, v| {
            s.has_effect();
            let thread = s.st.thread_mut();
            (thread.is_leaving, thread.ignores_cancel, thread.result) = (true, true, v[0]);
            s.returns_nothing()
        },
        Unwind::Terminate => |s, _, _, v| s.terminate(v[0], v[1]),
    }
}

impl<'p> Step<'_, 'p> {
    /// 1 if some call under way catches an exception of this type, else 0.
    fn find_handler(&mut self, thrown: Value, object: Value) -> Res<()> {
        let program = self.m.image.program;
        // The innermost frame is the run-time's, which asks.
        for depth in (0..self.st.thread().frames.len() - 1).rev() {
            let Some(landing) = self.landing(depth) else {
                let inner = &program.funcs[self.st.thread().frames[depth + 1].func];
                let name = inner.display_name.as_ref().unwrap_or(&inner.name);
                return unsupported(format!("an exception leaves `{name}`, which a library called"));
            };
            for clause in clauses(landing) {
                let clause = self.get(clause.value);
                if self.catches(thrown, clause, object)?.is_some() {
                    return self.returns(Value::Int(1));
                }
            }
        }
        self.returns(Value::Int(0))
    }

    /// The arguments of the call of `__selvedge_landing` after the call that a frame is in, if it is followed by one.
    fn landing(&self, depth: usize) -> Option<&'p [Arg]> {
        let frames = &self.st.thread().frames;
        let frame = &frames[depth];
        let program: &'p Program = self.m.image.program;
        let block = &program.funcs[frame.func].blocks[frame.block];
        let is_call = frames.get(depth + 1).is_none_or(|inner| !inner.resumes);
        match block.insts.get(frame.idx + 1) {
            Some(Inst::Call { callee: Callee::Direct(func), args, .. })
                if is_call && Some(*func) == self.m.image.landing =>
            {
                Some(args)
            }
            _ => None,
        }
    }

    /// Whether the `n_frames` outermost calls under way have landing pads, so that the thread must not just end.
    pub(crate) fn must_unwind(&mut self, n_frames: usize) -> Res<bool> {
        if self.m.image.landing.is_none() {
            return Ok(false);
        }
        let landings: Vec<Option<&[Arg]>> = (0..n_frames).map(|depth| self.landing(depth)).collect();
        let mut has_pads = false;
        for args in landings.iter().flatten() {
            let is_cleanup = self.get(args[0].value) != Value::Int(0);
            has_pads |= is_cleanup || clauses(args).next().is_some();
        }
        if !has_pads {
            return Ok(false);
        }
        if landings.iter().any(Option::is_none) || !self.st.thread().cleanup.is_empty() {
            return unsupported(
                "the end of a thread in a function of C that C++ has called, or the other way",
            );
        }
        Ok(true)
    }

    /// Where in a thrown object, or behind a thrown pointer, that lies which a handler for `clause` is given. `None`
    /// if it does not catch the exception.
    fn catches(&mut self, thrown: Value, clause: Value, object: Value) -> Res<Option<u64>> {
        if ops::concrete(clause) == Some(0) {
            return Ok(Some(0));
        }
        let word = u64::from(self.ptr_bits() / 8);
        // Not an exception of C++: the thread ends.
        if ops::concrete(thrown) == Some(0) {
            let is_for_it = self.c_string_at(clause, word)? == b"N10__cxxabiv115__forced_unwindE";
            return Ok(is_for_it.then_some(0));
        }
        let kinds = (self.kind_of(thrown)?, self.kind_of(clause)?);
        if kinds != (kind::POINTER, kind::POINTER) {
            let names = (self.c_string_at(thrown, word)?, self.c_string_at(clause, word)?);
            if names.0 == b"Dn" && kinds.1 == kind::POINTER {
                return Ok(Some(0));
            }
            // Pointers to members, which a null pointer becomes as well, and which gain qualifiers.
            if names.1.starts_with(b"M")
                && names.0 != names.1
                && (names.0 == b"Dn" || names.0.starts_with(b"M"))
            {
                return unsupported("a pointer to a member that is thrown and caught with another type");
            }
            return self.offset_of_base(thrown, clause, object);
        }
        if self.is_same_type(thrown, clause)? {
            return Ok(Some(0));
        }
        // `T *` is caught as `const T *`, as `void *`, and as a pointer to a base.
        let flags = |s: &mut Self, ty| s.number_at(ty, 2 * word, Ty::Int(32));
        let (has, allows) = (flags(self, thrown)?, flags(self, clause)?);
        if has & !allows & 7 != 0 {
            return Ok(None);
        }
        let (from, to) = (self.pointer_at(thrown, 3 * word)?, self.pointer_at(clause, 3 * word)?);
        if self.c_string_at(to, word)? == b"v" {
            let is_function = is_function(&self.c_string_at(from, word)?);
            return Ok((!is_function).then_some(0));
        }
        let kinds = (self.kind_of(from)?, self.kind_of(to)?);
        if kinds == (kind::POINTER, kind::POINTER) && !self.is_same_type(from, to)? {
            return unsupported("a pointer to a pointer that is thrown and caught with other qualifiers");
        }
        let pointee = self.pointer_at(object, 0)?;
        self.offset_of_base(from, to, pointee)
    }

    /// Where the one base `to` lies in an object of class `from`, if it is public. Also 0 if they are the same type.
    fn offset_of_base(&mut self, from: Value, to: Value, object: Value) -> Res<Option<u64>> {
        let mut found = Vec::new();
        self.find_bases((from, to), object, Way { offset: 0, is_public: true, depth: 0 }, &mut found)?;
        let is_one = found.windows(2).all(|two| two[0].offset == two[1].offset);
        let public = found.iter().find(|way| way.is_public);
        Ok(public.filter(|_| is_one).map(|way| way.offset))
    }

    /// Appends all ways from a class to a base, `to`. The part of the object that has the class `from` is `part`.
    fn find_bases(
        &mut self,
        (from, to): (Value, Value),
        part: Value,
        way: Way,
        found: &mut Vec<Way>,
    ) -> Res<()> {
        if self.is_same_type(from, to)? {
            found.push(way);
            return Ok(());
        }
        if way.depth > MAX_DEPTH {
            return unsupported("a class with more than 64 levels of bases");
        }
        let word = u64::from(self.ptr_bits() / 8);
        match self.kind_of(from)? {
            kind::CLASS | kind::POINTER | kind::OTHER => Ok(()),
            kind::CLASS_WITH_BASE => {
                let base = self.pointer_at(from, 2 * word)?;
                self.find_bases((base, to), part, Way { depth: way.depth + 1, ..way }, found)
            }
            kind::CLASS_WITH_BASES => {
                let count = self.number_at(from, 2 * word + 4, Ty::Int(32))?;
                for i in 0..count {
                    let entry = 2 * word + 8 + i * 2 * word;
                    let base = self.pointer_at(from, entry)?;
                    let flags = self.number_at(from, entry + word, self.word_type())?;
                    let mut distance = self.sign_extended(flags) >> 8;
                    let is_null = ops::concrete(part) == Some(0);
                    if flags & VIRTUAL != 0 && is_null {
                        // Nothing lies there; a virtual base is one and the same wherever it is named.
                        let Some(address) = ops::concrete(base) else {
                            return unsupported("a symbolic type of an exception");
                        };
                        distance = (address as i64).wrapping_sub(way.offset as i64);
                    } else if flags & VIRTUAL != 0 {
                        let table = self.pointer_at(part, 0)?;
                        let there = self.number_at(table, distance as u64, self.word_type())?;
                        distance = self.sign_extended(there);
                    }
                    let inner = if is_null { part } else { self.moved(part, distance as u64) };
                    let further = Way {
                        offset: way.offset.wrapping_add(distance as u64),
                        is_public: way.is_public && flags & PUBLIC != 0,
                        depth: way.depth + 1,
                    };
                    self.find_bases((base, to), inner, further, found)?;
                }
                Ok(())
            }
            _ => unsupported("an exception of a type that is not described as in the C++ ABI"),
        }
    }

    /// Type information of several files may describe the same type; its name decides.
    fn is_same_type(&mut self, a: Value, b: Value) -> Res<bool> {
        if a == b {
            return Ok(true);
        }
        let word = u64::from(self.ptr_bits() / 8);
        Ok(self.c_string_at(a, word)? == self.c_string_at(b, word)?)
    }

    fn kind_of(&mut self, ty: Value) -> Res<u64> {
        let table = self.pointer_at(ty, 0)?;
        self.number_at(table, 0, self.word_type())
    }

    fn word_type(&self) -> Ty {
        Ty::Int(self.ptr_bits())
    }

    fn sign_extended(&self, n: u64) -> i64 {
        let unused = 64 - self.ptr_bits();
        (n << unused) as i64 >> unused
    }

    fn moved(&mut self, at: Value, offset: u64) -> Value {
        let bits = self.ptr_bits();
        ops::bin(&mut self.m.pool, BinOp::Add, bits, at, Value::Int(truncate(offset, bits)))
    }

    fn pointer_at(&mut self, at: Value, offset: u64) -> Res<Value> {
        let at = self.moved(at, offset);
        self.load(at, Ty::Ptr)
    }

    fn number_at(&mut self, at: Value, offset: u64, ty: Ty) -> Res<u64> {
        let at = self.moved(at, offset);
        let value = self.load(at, ty)?;
        self.concretise(value, ty.bits(self.ptr_bits()), 1, "type information")
    }

    fn c_string_at(&mut self, at: Value, offset: u64) -> Res<Vec<u8>> {
        let text = self.pointer_at(at, offset)?;
        self.c_string(text)
    }

    /// `std::terminate`: because of an exception of the type with this name, if it is not null. The second says why.
    fn terminate(&mut self, name: Value, reason: Value) -> Res<()> {
        const UNCAUGHT: u64 = 1;
        const STOPPED: u64 = 2;
        let reason = self.concretise(reason, 32, 1, "a reason")?;
        if reason == STOPPED {
            return self.aborts("the end of a thread is caught and not thrown again");
        }
        if ops::concrete(name) == Some(0) {
            return self.aborts("`std::terminate` is called");
        }
        let name = type_name(&self.c_string(name)?);
        let message = match reason {
            UNCAUGHT => format!("an exception of type `{name}` is thrown and not caught"),
            _ => format!("`std::terminate` is called because of an exception of type `{name}`"),
        };
        self.aborts(message)
    }
}

/// How a base is reached in an object.
#[derive(Clone, Copy)]
struct Way {
    offset: u64,
    is_public: bool,
    depth: u32,
}

/// Whether a type is that of a function, possibly `noexcept`.
fn is_function(mangled: &[u8]) -> bool {
    mangled.starts_with(b"F") || mangled.starts_with(b"DoF")
}

/// The types among the arguments of `__selvedge_landing`: a number for cleanup, then number and type of each clause,
/// then 0.
fn clauses(args: &[Arg]) -> impl Iterator<Item = &Arg> {
    args[1..].chunks_exact(2).map(|pair| &pair[1])
}

/// A type's name as the source has it, for the common kinds of mangled names; else as it is.
fn type_name(mangled: &[u8]) -> String {
    let text = String::from_utf8_lossy(mangled).into_owned();
    readable(&text).unwrap_or(text)
}

fn readable(mangled: &str) -> Option<String> {
    let (prefix, rest) = match mangled.strip_prefix("St") {
        Some(rest) => ("std::", rest),
        None => ("", mangled),
    };
    if let Some(pointee) = rest.strip_prefix("PK") {
        return Some(format!("const {} *", readable(pointee)?));
    }
    if let Some(pointee) = rest.strip_prefix('P') {
        return Some(format!("{} *", readable(pointee)?));
    }
    if let Some(nested) = rest.strip_prefix('N').and_then(|rest| rest.strip_suffix('E')) {
        let mut parts = Vec::new();
        let mut rest = nested;
        while !rest.is_empty() {
            let (part, after) = identifier(rest)?;
            parts.push(if part == "_GLOBAL__N_1" { "(anonymous namespace)" } else { part });
            rest = after;
        }
        return Some(parts.join("::"));
    }
    if let Some((name, "")) = identifier(rest) {
        return Some(format!("{prefix}{name}"));
    }
    Some(
        match mangled {
            "v" => "void",
            "b" => "bool",
            "c" => "char",
            "a" => "signed char",
            "h" => "unsigned char",
            "s" => "short",
            "t" => "unsigned short",
            "i" => "int",
            "j" => "unsigned int",
            "l" => "long",
            "m" => "unsigned long",
            "x" => "long long",
            "y" => "unsigned long long",
            "f" => "float",
            "d" => "double",
            "e" => "long double",
            _ => return None,
        }
        .to_owned(),
    )
}

/// A length and so many characters; and what follows them.
fn identifier(text: &str) -> Option<(&str, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let length: usize = text[..digits].parse().ok()?;
    text[digits..].split_at_checked(length)
}

#[cfg(test)]
mod tests {
    use super::type_name;

    #[test]
    fn names_of_types_are_readable() {
        for (mangled, name) in [
            ("i", "int"),
            ("PKc", "const char *"),
            ("St12out_of_range", "std::out_of_range"),
            ("8my_error", "my_error"),
            ("N3net12_GLOBAL__N_15ErrorE", "net::(anonymous namespace)::Error"),
            ("P8my_error", "my_error *"),
            ("9short", "9short"),
            ("3boxIiE", "3boxIiE"),
        ] {
            assert_eq!(type_name(mangled.as_bytes()), name, "{mangled}");
        }
    }
}
