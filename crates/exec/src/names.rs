//! Source names of places in memory and of state variables, and readable values.

use selvedge_base::Dense;
use selvedge_program::{DebugType, Encoding, FuncId, Program, Reg, TypeId};
use selvedge_term::VarId;

use crate::machine::Machine;
use crate::memory::{Object, Origin};
use crate::outside::InputObject;
use crate::source::{Piece, Source};
use crate::state::State;
use crate::value::{Value, sign_extend};

type Types = Dense<TypeId, DebugType>;

pub(crate) fn strip(types: &Types, mut ty: TypeId) -> Option<TypeId> {
    for _ in 0..64 {
        match types.get(ty)? {
            DebugType::Alias { to, .. } => ty = (*to)?,
            _ => return Some(ty),
        }
    }
    None
}

pub(crate) fn size_of(types: &Types, ty: TypeId, ptr_bytes: u64) -> u64 {
    match strip(types, ty).and_then(|t| types.get(t)) {
        Some(
            DebugType::Basic { size, .. } | DebugType::Record { size, .. } | DebugType::Enum { size, .. },
        ) => *size,
        Some(DebugType::Pointer { .. }) => ptr_bytes,
        Some(DebugType::Array { elem, count }) => size_of(types, *elem, ptr_bytes) * count,
        _ => 0,
    }
}

/// The name of the `len` bytes at `off` of an object, and their source type: `p->next`, `buf[3]`, `s.a.b`.
pub fn cell_name(program: &Program, object: &Object, off: u64, len: u64) -> (String, Option<TypeId>) {
    match &object.origin {
        Origin::Variable { name, ty: Some(ty) } => {
            let mut text = name.to_string();
            let ty = descend(program, &mut text, *ty, off, len);
            (text, ty)
        }
        Origin::Outside { name, ty } => {
            let element = ty.map_or(1, |ty| size_of(&program.types, ty, program.ptr_bytes())).max(1);
            let (count, obj, source) = (object.size / element, object.id, Source::Cell { obj: object.id });
            let (is_variable, is_text, pointers) = (false, false, Vec::new());
            let ty = *ty;
            let name = name.clone();
            InputObject { obj, name, ty, element, count, is_variable, is_text, source, pointers }
                .cell_text(program, off, len)
        }
        origin => {
            let base = match origin {
                Origin::Variable { name, .. } | Origin::Text { name, .. } => name.to_string(),
                Origin::Call(by) => format!("{by}#{}", object.id.index()),
                Origin::Engine(_) | Origin::Arguments(_) | Origin::Outside { .. } => {
                    origin.describe().replace(' ', "_")
                }
            };
            if off == 0 && len == object.size {
                (base, None)
            } else {
                (format!("{base}[{off}..{}]", off + len), None)
            }
        }
    }
}

/// The name of the element at `off` of `size` bytes behind the pointer `name`: `*p`, `p[2]`.
pub(crate) fn outside_name(program: &Program, name: &str, ty: Option<TypeId>, size: u64, off: u64) -> String {
    let element = ty.map_or(1, |ty| size_of(&program.types, ty, program.ptr_bytes())).max(1);
    match (size / element, ty) {
        (1, Some(_)) => format!("*{name}"),
        (_, Some(_)) => format!("{}[{}]", in_parentheses(name), off / element),
        (_, None) => format!("((char *){name})[{off}]"),
    }
}

pub(crate) fn in_parentheses(name: &str) -> String {
    if name.starts_with(['*', '(']) { format!("({name})") } else { name.to_owned() }
}

impl Machine<'_> {
    /// The name of a variable in a formula about `state`, for a person.
    pub fn variable_name(&self, state: &State, var: VarId) -> String {
        self.sources.piece(var).map_or_else(|| "input".to_owned(), |piece| self.piece_name(state, piece))
    }

    /// The name of what a piece stands for in `state`, for a person.
    pub fn piece_name(&self, state: &State, piece: Piece) -> String {
        match piece.source {
            Source::Cell { obj } => state.mem.denoted(obj).map_or_else(
                || format!("{obj:?}"),
                |object| cell_name(self.image.program, object, piece.at, piece.len).0,
            ),
            Source::Register { thread, depth, reg } => {
                let frame = state.threads.get(thread as usize).and_then(|t| t.frames.get(depth as usize));
                self.register_name(frame.map(|f| f.func), reg)
            }
            Source::Watched { thread, probe, reg } => {
                let probe = state.threads.get(thread as usize).and_then(|t| t.probes.get(probe as usize));
                format!("{} before", self.register_name(probe.map(|p| p.frame().func), reg))
            }
            Source::Input { .. } | Source::Uninit { .. } | Source::Undef { .. } => "input".to_owned(),
        }
    }

    fn register_name(&self, function: Option<FuncId>, reg: u32) -> String {
        let function = function.map(|f| &self.image.program.funcs[f]);
        let info = function.and_then(|f| f.regs.get(Reg(reg)));
        match (info.and_then(|i| i.name.as_ref()), function) {
            (Some(name), _) => name.to_string(),
            (None, Some(function)) => format!("{}%{reg}", function.name),
            (None, None) => format!("%{reg}"),
        }
    }

    /// The name of the place at an address, such as `&a[1]`, if there is something.
    pub fn address_name(&self, state: &State, address: u64) -> Option<String> {
        let object = state.mem.get(state.mem.find(address)?)?;
        let offset = address - object.base;
        match offset {
            0 => Some(format!("&{}", cell_name(self.image.program, object, 0, object.size).0)),
            _ => Some(format!("&{} + {offset}", cell_name(self.image.program, object, 0, object.size).0)),
        }
    }

    /// The name of some bytes of the object with this [key](crate::ObjId::key).
    pub fn bytes_name(&self, state: &State, key: u64, off: u64, len: u64) -> String {
        let object = state.mem.objects().find(|o| o.id.key() == key || o.id.denotation().key() == key);
        object.map_or_else(
            || "memory".to_owned(),
            |o| cell_name(self.image.program, o, off, len.min(o.size.saturating_sub(off))).0,
        )
    }
}

/// Extends `text` by the path to the bytes at `off` of a value of type `ty`.
pub(crate) fn descend(
    program: &Program,
    text: &mut String,
    ty: TypeId,
    off: u64,
    len: u64,
) -> Option<TypeId> {
    let types = &program.types;
    let (mut ty, mut off) = (ty, off);
    for _ in 0..64 {
        let plain = strip(types, ty)?;
        match types.get(plain)? {
            DebugType::Array { elem, .. } => {
                let size = size_of(types, *elem, program.ptr_bytes());
                if size == 0 {
                    break;
                }
                text.push_str(&format!("[{}]", off / size));
                off %= size;
                ty = *elem;
            }
            DebugType::Record { fields, .. } => {
                let field = fields
                    .iter()
                    .rev()
                    .find(|f| f.bit_offset / 8 <= off && off * 8 < f.bit_offset + f.bit_size.max(1));
                let Some(field) = field else { break };
                if !field.name.is_empty() {
                    text.push('.');
                    text.push_str(&field.name);
                }
                off -= (field.bit_offset / 8).min(off);
                ty = field.ty;
            }
            _ => return (off == 0 && size_of(types, ty, program.ptr_bytes()) == len).then_some(ty),
        }
    }
    None
}

/// A concrete value as its source type reads it.
pub fn value_text(program: &Program, value: Value, bits: u32, ty: Option<TypeId>) -> String {
    let v = match value {
        Value::Int(v) => v,
        Value::Ptr { addr, .. } => return format!("{addr:#x}"),
        Value::SymPtr { .. } | Value::Term(_) => return "?".to_string(),
    };
    match ty.and_then(|t| strip(&program.types, t)).and_then(|t| program.types.get(t)) {
        Some(DebugType::Basic { encoding: Encoding::Unsigned, .. }) => v.to_string(),
        Some(DebugType::Basic { encoding: Encoding::Bool, .. }) => (v & 1 != 0).to_string(),
        Some(DebugType::Basic { encoding: Encoding::Char, .. }) => match u8::try_from(v) {
            Ok(c) if c.is_ascii_graphic() || c == b' ' => format!("{} '{}'", sign_extend(v, bits), c as char),
            _ => sign_extend(v, bits).to_string(),
        },
        Some(DebugType::Basic { encoding: Encoding::Float, size: 4, .. }) => {
            f32::from_bits(v as u32).to_string()
        }
        Some(DebugType::Basic { encoding: Encoding::Float, size: 8, .. }) => f64::from_bits(v).to_string(),
        Some(DebugType::Pointer { .. }) => {
            if v == 0 {
                "NULL".to_string()
            } else {
                format!("{v:#x}")
            }
        }
        Some(DebugType::Enum { values, .. }) => {
            let number = sign_extend(v, bits);
            match values.iter().find(|(_, n)| *n == number) {
                Some((name, _)) => name.clone(),
                None => number.to_string(),
            }
        }
        _ => sign_extend(v, bits).to_string(),
    }
}
