//! What source types say about memory from outside: where pointers lie in a value, and where a value of one type can lie in
//! one of another.
//!
//! Guarantee: no pointers and truth values are made in unions: which member is there is not known. A pointer from elsewhere
//! may lead to any member.

use selvedge_base::Dense;
use selvedge_program::{DebugType, Encoding, Field, Program, TypeId};

use crate::names::{size_of, strip};

type Types = Dense<TypeId, DebugType>;

/// Types nested deeper than this are not looked into.
const MAX_DEPTH: u32 = 16;

/// What a pointer leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pointee {
    /// A value of this type.
    Type(TypeId),
    /// Bytes: `void *`.
    Bytes,
    /// A function.
    Code,
}

/// What a pointer of this type leads to; `None` if it is no pointer.
pub(crate) fn pointee(types: &Types, ty: TypeId) -> Option<Pointee> {
    let DebugType::Pointer { to } = types.get(strip(types, ty)?)? else { return None };
    let Some(to) = to else { return Some(Pointee::Bytes) };
    Some(match strip(types, *to).and_then(|plain| types.get(plain)) {
        None => Pointee::Bytes,
        Some(DebugType::Other { name }) if name == "function" => Pointee::Code,
        Some(DebugType::Other { .. }) => Pointee::Bytes,
        Some(_) => Pointee::Type(*to),
    })
}

/// Where pointers lie in a value of type `ty`, and what they lead to.
pub(crate) fn pointers(program: &Program, ty: TypeId) -> Vec<(u64, Pointee)> {
    let mut found = Vec::new();
    walk(program, ty, Unions::LeftAlone, 0, 0, &mut |at, ty| {
        found.extend(pointee(&program.types, ty).map(|to| (at, to)));
    });
    found
}

/// Where values are that are true or false in a value of type `ty`.
pub(crate) fn truths(program: &Program, ty: TypeId) -> Vec<u64> {
    let mut found = Vec::new();
    walk(program, ty, Unions::LeftAlone, 0, 0, &mut |at, ty| {
        let types = &program.types;
        if matches!(types.get(ty), Some(DebugType::Basic { encoding: Encoding::Bool, size: 1, .. })) {
            found.push(at);
        }
    });
    found
}

/// Where values that a pointer to `wanted` can lead to lie in a value of type `ty`.
pub(crate) fn places(program: &Program, ty: TypeId, wanted: TypeId) -> Vec<u64> {
    let mut found = Vec::new();
    walk(program, ty, Unions::Entered, 0, 0, &mut |at, ty| {
        // Several members of a union may be of this type.
        if is_compatible(&program.types, ty, wanted, 0) && !found.contains(&at) {
            found.push(at);
        }
    });
    found
}

/// The way to the value of type `wanted` at `at` in one of type `ty`: `.a[2]`.
pub(crate) fn path(program: &Program, ty: TypeId, at: u64, wanted: Option<TypeId>) -> Option<String> {
    let types = &program.types;
    let (mut ty, mut at, mut text) = (strip(types, ty)?, at, String::new());
    for _ in 0..MAX_DEPTH {
        if at == 0 && wanted.is_none_or(|wanted| is_compatible(types, ty, wanted, 0)) {
            return Some(text);
        }
        let part = match types.get(ty)? {
            DebugType::Record { fields, .. } => {
                let holds = |field: &&Field| {
                    let size = size_of(types, field.ty, program.ptr_bytes());
                    (field.bit_offset / 8..field.bit_offset / 8 + size).contains(&at)
                };
                let mut holding = fields.iter().rev().filter(holds);
                if overlap(fields) {
                    return holding.find_map(|field| {
                        let rest = path(program, field.ty, at - field.bit_offset / 8, wanted)?;
                        Some(format!("{text}{}{rest}", member(field)))
                    });
                }
                let field = holding.next()?;
                text.push_str(&member(field));
                at -= field.bit_offset / 8;
                field.ty
            }
            DebugType::Array { elem, .. } => {
                let size = size_of(types, *elem, program.ptr_bytes()).max(1);
                text.push_str(&format!("[{}]", at / size));
                at %= size;
                *elem
            }
            _ => return None,
        };
        ty = strip(types, part)?;
    }
    None
}

/// How C goes on to a member; one without a name is passed over.
fn member(field: &Field) -> String {
    if field.name.is_empty() { String::new() } else { format!(".{}", field.name) }
}

/// What is done about members that lie over each other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unions {
    LeftAlone,
    Entered,
}

/// Calls `f` for a value and all its parts, with their places.
fn walk(program: &Program, ty: TypeId, unions: Unions, at: u64, depth: u32, f: &mut dyn FnMut(u64, TypeId)) {
    let types = &program.types;
    let Some(plain) = strip(types, ty).filter(|_| depth < MAX_DEPTH) else { return };
    f(at, plain);
    match types.get(plain) {
        Some(DebugType::Record { fields, .. }) if unions == Unions::Entered || !overlap(fields) => {
            for field in fields.iter().filter(|field| is_whole(types, field, program.ptr_bytes())) {
                walk(program, field.ty, unions, at + field.bit_offset / 8, depth + 1, f);
            }
        }
        Some(DebugType::Array { elem, count }) => {
            let size = size_of(types, *elem, program.ptr_bytes());
            for i in 0..*count {
                walk(program, *elem, unions, at + i * size, depth + 1, f);
            }
        }
        _ => {}
    }
}

/// A part of a value that is not made of others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// The way to it: `.a[2]`.
    pub path: String,
    /// Where it begins, in bits.
    pub bit: u64,
    /// Its size in bits.
    pub bits: u64,
    /// Its type; a union is a part as it is.
    pub ty: TypeId,
    /// It is a member of that many bits.
    pub is_bit_field: bool,
}

/// The parts of a value of type `ty`, in order.
pub fn parts(program: &Program, ty: TypeId) -> Vec<Part> {
    let mut found = Vec::new();
    add_parts(program, ty, String::new(), 0, 0, &mut found);
    found
}

fn add_parts(program: &Program, ty: TypeId, path: String, bit: u64, depth: u32, out: &mut Vec<Part>) {
    let types = &program.types;
    let Some(plain) = strip(types, ty).filter(|_| depth < MAX_DEPTH) else { return };
    match types.get(plain) {
        Some(DebugType::Record { fields, .. }) if !overlap(fields) => {
            for field in fields {
                let dot = if field.name.is_empty() { "" } else { "." };
                let (path, at) = (format!("{path}{dot}{}", field.name), bit + field.bit_offset);
                if is_whole(types, field, program.ptr_bytes()) {
                    add_parts(program, field.ty, path, at, depth + 1, out);
                } else {
                    out.push(Part { path, bit: at, bits: field.bit_size, ty: field.ty, is_bit_field: true });
                }
            }
        }
        Some(DebugType::Array { elem, count }) => {
            let size = size_of(types, *elem, program.ptr_bytes());
            for i in 0..*count {
                add_parts(program, *elem, format!("{path}[{i}]"), bit + i * size * 8, depth + 1, out);
            }
        }
        _ => {
            let bits = size_of(types, plain, program.ptr_bytes()) * 8;
            out.push(Part { path, bit, bits, ty: plain, is_bit_field: false });
        }
    }
}

/// Whether members lie over each other, as those of a union do.
pub(crate) fn overlap(fields: &[Field]) -> bool {
    let starts = fields.windows(2).any(|pair| pair[1].bit_offset < pair[0].bit_offset + pair[0].bit_size);
    starts && fields.len() > 1
}

/// Whether a member is no bit-field.
fn is_whole(types: &Types, field: &Field, ptr_bytes: u64) -> bool {
    field.bit_offset.is_multiple_of(8) && field.bit_size == size_of(types, field.ty, ptr_bytes) * 8
}

/// Whether a pointer to the one may lead to the other.
fn is_compatible(types: &Types, a: TypeId, b: TypeId, depth: u32) -> bool {
    let (Some(a), Some(b)) = (strip(types, a), strip(types, b)) else { return false };
    if a == b || depth >= MAX_DEPTH {
        return true;
    }
    match (types.get(a), types.get(b)) {
        (
            Some(DebugType::Basic { size: x, encoding: e, .. }),
            Some(DebugType::Basic { size: y, encoding: f, .. }),
        ) => {
            // Signed and unsigned integers of one size may be used for each other.
            let kind = |encoding: &Encoding| match encoding {
                Encoding::Signed | Encoding::Unsigned | Encoding::Char => 0,
                Encoding::Bool => 1,
                Encoding::Float => 2,
            };
            x == y && kind(e) == kind(f)
        }
        (Some(DebugType::Pointer { to: x }), Some(DebugType::Pointer { to: y })) => match (x, y) {
            (Some(x), Some(y)) => is_compatible(types, *x, *y, depth + 1),
            (None, None) => true,
            _ => false,
        },
        (
            Some(DebugType::Record { name: n, size: x, .. }),
            Some(DebugType::Record { name: m, size: y, .. }),
        )
        | (Some(DebugType::Enum { name: n, size: x, .. }), Some(DebugType::Enum { name: m, size: y, .. })) => {
            !n.is_empty() && n == m && x == y
        }
        (Some(DebugType::Enum { size: x, .. }), Some(DebugType::Basic { size: y, encoding, .. }))
        | (Some(DebugType::Basic { size: y, encoding, .. }), Some(DebugType::Enum { size: x, .. })) => {
            x == y && !matches!(encoding, Encoding::Float)
        }
        (Some(DebugType::Array { elem: x, count: n }), Some(DebugType::Array { elem: y, count: m })) => {
            n == m && is_compatible(types, *x, *y, depth + 1)
        }
        _ => false,
    }
}

/// Whether it is plain `char`, of which texts are made.
pub(crate) fn is_char(types: &Types, ty: TypeId) -> bool {
    matches!(
        strip(types, ty).and_then(|plain| types.get(plain)),
        Some(DebugType::Basic { name, size: 1, encoding: Encoding::Char }) if name == "char"
    )
}

/// Whether it is made of parts with names.
pub(crate) fn is_record(types: &Types, ty: TypeId) -> bool {
    matches!(strip(types, ty).and_then(|plain| types.get(plain)), Some(DebugType::Record { .. }))
}
