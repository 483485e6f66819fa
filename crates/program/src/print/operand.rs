//! Names, strings, constants and operands in the text form.

use std::fmt::{self, Display, Formatter, Write};

use crate::mnemonics::Word;
use crate::{ConstExpr, ConstId, FloatKind, Operand, Program};

/// Expressions nested deeper than this print as `<c7>`: a rejected program may even be cyclic.
pub(crate) const MAX_DEPTH: u32 = 256;

/// Bytes in quotes; what is not printable ASCII is escaped as `\x0a`.
pub(super) struct Quoted<'a>(pub(super) &'a [u8]);

impl<'a> Quoted<'a> {
    pub(super) fn str(text: &'a str) -> Self {
        Quoted(text.as_bytes())
    }
}

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for &byte in self.0 {
            match byte {
                b'"' => f.write_str("\\\"")?,
                b'\\' => f.write_str("\\\\")?,
                b' '..=b'~' => f.write_char(byte as char)?,
                _ => write!(f, "\\x{byte:02x}")?,
            }
        }
        f.write_char('"')
    }
}

/// A linkage name: `@main`, or `@"odd name"`.
pub(super) struct Symbol<'a>(pub(super) &'a str);

impl Display for Symbol<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut bytes = self.0.bytes();
        let plain = bytes.next().is_some_and(|b| b.is_ascii_alphabetic() || b"_.$".contains(&b))
            && bytes.all(|b| b.is_ascii_alphanumeric() || b"_.$".contains(&b));
        if plain { write!(f, "@{}", self.0) } else { write!(f, "@{}", Quoted::str(self.0)) }
    }
}

/// An operand.
pub(super) struct Op<'a>(pub(super) &'a Program, pub(super) Operand);

impl Display for Op<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.1 {
            Operand::Reg(reg) => write!(f, "{reg}"),
            Operand::Const(id) => write!(f, "{}", Const::new(self.0, id)),
        }
    }
}

/// A constant, written out.
pub(super) struct Const<'a> {
    program: &'a Program,
    id: ConstId,
    depth: u32,
}

impl<'a> Const<'a> {
    pub(super) fn new(program: &'a Program, id: ConstId) -> Self {
        Const { program, id, depth: 0 }
    }

    fn part(&self, id: ConstId) -> Self {
        Const { program: self.program, id, depth: self.depth + 1 }
    }
}

impl Display for Const<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let program = self.program;
        let Some(value) = program.consts.get(self.id).filter(|_| self.depth < MAX_DEPTH) else {
            return write!(f, "<{}>", self.id);
        };
        match value {
            crate::Const::Int { width, value } => integer(f, *width, *value),
            crate::Const::Wide { width, limbs } => wide(f, *width, limbs),
            crate::Const::Float { kind, bits } => float(f, *kind, *bits),
            crate::Const::Null => f.write_str("null"),
            crate::Const::Global { global, offset } => {
                match program.globals.get(*global) {
                    Some(global) => write!(f, "{}", Symbol(&global.name))?,
                    None => write!(f, "<{global}>")?,
                }
                match offset {
                    0 => Ok(()),
                    _ => write!(f, "+{offset}"),
                }
            }
            crate::Const::Func(func) => f.write_str(&super::func_name(program, *func)),
            crate::Const::Block(func, block) => {
                write!(f, "label({}, {block})", super::func_name(program, *func))
            }
            crate::Const::Undef(ty) => write!(f, "undef:{ty}"),
            crate::Const::Expr(ConstExpr::Cast { op, from, to, arg }) => {
                write!(f, "({} {from} {} to {to})", op.word(), self.part(*arg))
            }
            crate::Const::Expr(ConstExpr::Bin { op, width, a, b }) => {
                write!(f, "({} i{width} {}, {})", op.word(), self.part(*a), self.part(*b))
            }
            crate::Const::Expr(ConstExpr::PtrAdd { base, offset }) => {
                write!(f, "(ptradd {}, {offset})", self.part(*base))
            }
        }
    }
}

/// Signed decimal with the width as suffix: `5i32`, `-1i8`; truth values by name.
fn integer(f: &mut Formatter<'_>, width: u32, value: u64) -> fmt::Result {
    match (width, value) {
        (1, 0) => f.write_str("false"),
        (1, 1) => f.write_str("true"),
        (2..=64, _) if value >> (width - 1) == 1 => {
            let missing = 64 - width;
            write!(f, "{}i{width}", ((value << missing) as i64) >> missing)
        }
        _ => write!(f, "{value}i{width}"),
    }
}

fn wide(f: &mut Formatter<'_>, width: u32, limbs: &[u64]) -> fmt::Result {
    f.write_str("0x")?;
    let mut high_first = limbs.iter().rev().skip_while(|limb| **limb == 0);
    write!(f, "{:x}", high_first.next().copied().unwrap_or(0))?;
    for limb in high_first {
        write!(f, "{limb:016x}")?;
    }
    write!(f, "i{width}")
}

/// Finite `f32` and `f64` as the shortest decimal that reads back exactly, all else as bits.
fn float(f: &mut Formatter<'_>, kind: FloatKind, bits: u128) -> fmt::Result {
    match kind {
        FloatKind::Single => {
            if let Ok(bits) = u32::try_from(bits)
                && f32::from_bits(bits).is_finite()
            {
                return write!(f, "{:?}f32", f32::from_bits(bits));
            }
        }
        FloatKind::Double => {
            if let Ok(bits) = u64::try_from(bits)
                && f64::from_bits(bits).is_finite()
            {
                return write!(f, "{:?}f64", f64::from_bits(bits));
            }
        }
        _ => {}
    }
    write!(f, "{kind}:{bits:#x}")
}
