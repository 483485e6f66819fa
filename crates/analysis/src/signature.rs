//! The check of a call against what a modelled function takes and gives.
//!
//! Declarations are not to be trusted: `int puts();` allows any call, and a function pointer can have any type. The
//! executor runs a model only on arguments of the number and kinds that it reads, for a result of the kind that it sets;
//! the analyses count every other call as one that can fail.

use selvedge_library::{Gives, Input, Kind, Known, Precision, nondet_suffix};
use selvedge_program::{Arg, FloatKind, Function, Ty};

/// Why a model is not run on a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mismatch {
    /// The call is undefined: too few arguments, or one of another kind.
    Misuse(String),
    /// What the function gets, or what becomes of its result, is not known.
    Unknown(String),
}

/// A call of a modelled function: what the executor and the analyses see of it.
#[derive(Clone, Copy, Debug)]
pub struct Site<'a> {
    /// The function as it is declared.
    pub function: &'a Function,
    /// The arguments.
    pub args: &'a [Arg],
    /// The type of the result, if it is used.
    pub result: Option<Ty>,
    /// The width of a pointer.
    pub ptr_bits: u32,
}

/// The type of a parameter or result; `None` if it is left open.
fn ty(kind: Kind, ptr_bits: u32) -> Option<Ty> {
    Some(match kind {
        Kind::Bits(bits) => Ty::Int(bits),
        Kind::Word => Ty::Int(ptr_bits),
        Kind::Integer => return None,
        Kind::Float(Precision::Single) => Ty::Float(FloatKind::Single),
        Kind::Float(Precision::Double) => Ty::Float(FloatKind::Double),
        Kind::Float(Precision::Extended) => Ty::Float(FloatKind::X87),
    })
}

impl Site<'_> {
    fn word(&self, ty: Ty) -> Ty {
        if ty == Ty::Ptr { Ty::Int(self.ptr_bits) } else { ty }
    }

    /// Checks the call against the signature of a function. Integers of another width than it takes are to be converted,
    /// by position, from one type to the other: of one that is too wide the callee sees the low bits. An error says why
    /// the model must not be run.
    pub fn fit(&self, known: Option<Known>, mut convert: impl FnMut(usize, Ty, Ty)) -> Result<(), Mismatch> {
        let name = &self.function.name;
        let Some(known) = known.filter(|known| known.is_modelled()) else {
            return Err(Mismatch::Unknown(format!("call of `{name}`, which has no model")));
        };
        let signature = known.signature();
        let gives = match signature.gives() {
            Gives::Anything => self.result.map(|ty| self.word(ty)),
            Gives::Nothing => None,
            Gives::One(kind) => ty(kind, self.ptr_bits),
        };
        if let Some(have) = self.result.map(|ty| self.word(ty))
            && gives != Some(have)
        {
            let why = format!("the result of `{name}` is declared as {have}, which it is not");
            return Err(Mismatch::Unknown(why));
        }
        for (i, kind) in signature.params().enumerate() {
            let Some(arg) = self.args.get(i) else {
                return Err(Mismatch::Misuse(format!("call of `{name}` with too few arguments")));
            };
            let have = self.word(arg.ty);
            let want = ty(kind, self.ptr_bits).unwrap_or(have);
            let fits = match (have, want) {
                (Ty::Int(_), Ty::Int(_)) => true,
                _ => have == want && kind != Kind::Integer,
            };
            if !fits || arg.byval.is_some() {
                let (n, have) = (i + 1, arg.ty);
                let why = format!("call of `{name}` with another type for argument {n} ({have} for {want})");
                return Err(Mismatch::Misuse(why));
            }
            let (has, wants) = (have.bits(self.ptr_bits), want.bits(self.ptr_bits));
            if has != wants {
                convert(i, have, want);
            }
        }
        if known == Input::Nondet.into() { self.check_nondet() } else { Ok(()) }
    }

    fn check_nondet(&self) -> Result<(), Mismatch> {
        let name = &self.function.name;
        let why = match (nondet_type(self.function, self.ptr_bits), &self.function.ret[..]) {
            (Err(why), _) => why,
            (Ok(_), [declared]) if self.result.is_some_and(|used| used != *declared) => {
                format!("`{name}` is called by a type that is not its own")
            }
            (Ok(_), _) => return Ok(()),
        };
        Err(Mismatch::Unknown(why))
    }
}

/// The type of the input that `nondet_*` or `__VERIFIER_nondet_*` gives, and its name in C; `None` if it gives nothing.
///
/// It is the declared type. That must not contradict the function's name, and a declaration that says nothing (there is
/// none, or it is `int f();`) must agree with it; the error says what is wrong.
pub fn nondet_type(function: &Function, ptr_bits: u32) -> Result<Option<(Ty, &'static str)>, String> {
    let name = &function.name;
    let declared = match function.ret[..] {
        [] => return Ok(None),
        [ty] => ty,
        _ => return Err(format!("`{name}` gives a structure")),
    };
    let Some(reads_as) = declared_name(declared) else {
        return Err(format!("`{name}` gives a value of type {declared}"));
    };
    let named = nondet_suffix(name).and_then(|what| named_type(what, ptr_bits));
    let is_float = |ty: Ty| matches!(ty, Ty::Float(_));
    match named {
        Some((ty, _)) if is_float(ty) != is_float(declared) => {
            Err(format!("`{name}` is declared to give {declared}, but its name says otherwise"))
        }
        Some((ty, c)) if ty.bits(ptr_bits) == declared.bits(ptr_bits) => Ok(Some((declared, c))),
        _ if function.variadic => {
            Err(format!("call of `{name}` without a prototype that says what it gives"))
        }
        _ => Ok(Some((declared, reads_as))),
    }
}

/// How a value of a declared type reads in C.
pub fn declared_name(ty: Ty) -> Option<&'static str> {
    Some(match ty {
        Ty::Int(1) => "_Bool",
        Ty::Int(8) => "char",
        Ty::Int(16) => "short",
        Ty::Int(32) => "int",
        Ty::Int(64) => "long long",
        Ty::Int(_) => "bytes",
        Ty::Ptr => "pointer",
        Ty::Float(FloatKind::Single) => "float",
        Ty::Float(FloatKind::Double) => "double",
        Ty::Float(_) => return None,
    })
}

/// What the rest of a name such as `nondet_uint` says: the type, and its name in C.
fn named_type(what: &str, ptr_bits: u32) -> Option<(Ty, &'static str)> {
    Some(match what {
        "int" | "int32_t" | "i32" => (Ty::Int(32), "int"),
        "uint" | "unsigned" | "unsigned_int" | "u32" | "uint32_t" => (Ty::Int(32), "unsigned int"),
        "char" | "schar" | "signed_char" | "S8" | "int8_t" | "i8" => (Ty::Int(8), "char"),
        "uchar" | "unsigned_char" | "u8" | "U8" | "uint8_t" => (Ty::Int(8), "unsigned char"),
        "short" | "int16_t" | "i16" => (Ty::Int(16), "short"),
        "ushort" | "unsigned_short" | "u16" | "U16" | "uint16_t" => (Ty::Int(16), "unsigned short"),
        "long" => (Ty::Int(ptr_bits), "long"),
        "ulong" | "unsigned_long" | "size_t" | "sector_t" | "pthread_t" | "uintptr_t" => {
            (Ty::Int(ptr_bits), "unsigned long")
        }
        "longlong" | "long_long" | "loff_t" | "int64" | "int64_t" | "i64" => (Ty::Int(64), "long long"),
        "ulonglong" | "unsigned_long_long" | "u64" | "uint64" | "uint64_t" => {
            (Ty::Int(64), "unsigned long long")
        }
        "int128" => (Ty::Int(128), "__int128"),
        "uint128" => (Ty::Int(128), "unsigned __int128"),
        "bool" | "_Bool" => (Ty::Int(1), "_Bool"),
        "float" => (Ty::Float(FloatKind::Single), "float"),
        "double" => (Ty::Float(FloatKind::Double), "double"),
        "pointer" | "pchar" | "charp" => (Ty::Ptr, "pointer"),
        _ => return None,
    })
}
