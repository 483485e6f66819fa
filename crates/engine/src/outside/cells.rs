//! The contents of memory from outside, before and after, scalar by scalar.

use std::collections::BTreeMap;

use selvedge_exec::memory::{Content, Status, Symbols};
use selvedge_exec::{
    FixedInputs, InputObject, Machine, Outside, Part, Returned, Source, Standing, State, Value,
    input_pointer, parts,
};
use selvedge_explore::Leaf;
use selvedge_program::{DebugType, Encoding, Program};
use selvedge_term::{Assignment, Evaluator, TermId};

use super::{Cell, CellValue, is_unsigned, plain};
use crate::inputs::c_type;

/// Objects with more parts than this are described by their first ones.
const MAX_PARTS: usize = 4096;

/// How a part of a result depends on arguments.
#[derive(Clone, Copy)]
pub(super) enum Dependence {
    /// It is the same for all of them.
    None,
    /// It is this number.
    Number(TermId),
    /// It does in another way.
    Other,
}

pub(super) struct Reader<'a, 'm, 'p> {
    program: &'a Program,
    machine: &'m mut Machine<'p>,
    state: &'a State,
    model: &'a Assignment,
    outside: &'a Outside,
    fixed: FixedInputs,
    /// Pointers that are not null and lead nowhere, by number.
    others: BTreeMap<usize, usize>,
}

impl<'a, 'm, 'p> Reader<'a, 'm, 'p> {
    pub(super) fn new(
        program: &'a Program,
        machine: &'m mut Machine<'p>,
        leaf: &Leaf<'a>,
        outside: &'a Outside,
    ) -> Self {
        let fixed = machine.sources.bytes_of_model(&machine.pool, leaf.model);
        let others = outside
            .pointers
            .iter()
            .enumerate()
            .filter(|(_, pointer)| pointer.standing == Standing::NotNull)
            .enumerate()
            .map(|(i, (number, _))| (number, i))
            .collect();
        Reader { program, machine, state: leaf.state, model: leaf.model, outside, fixed, others }
    }

    /// How many pointers are not null and lead nowhere.
    pub(super) fn others(&self) -> usize {
        self.others.len()
    }

    pub(super) fn is_freed(&self, object: &InputObject) -> bool {
        let freed = |o: &selvedge_exec::memory::Object| matches!(o.status, Status::Freed(_));
        self.state.mem.get(object.obj).is_some_and(freed)
    }

    /// An object as it came.
    pub(super) fn before(&mut self, index: usize) -> Vec<Cell> {
        let object = &self.outside.objects[index];
        let size = (object.element * object.count) as usize;
        let mut bytes = self.fixed.bytes.get(&object.source).cloned().unwrap_or_default();
        bytes.resize(size, 0);
        if object.is_text {
            bytes[size - 1] = 0;
        }
        let mut found = Vec::new();
        for (prefix, base, part) in self.parts_of(object) {
            let at = base + part.bit / 8;
            let pointer = object.pointers.iter().find(|(place, _)| *place == at && part.bits > 0);
            let value = match pointer {
                Some((_, number)) => self.target(*number),
                None => self.plain(&bytes, base * 8 + part.bit, &part),
            };
            found.push(self.cell(format!("{prefix}{}", part.path), base, &part, value));
        }
        if object.ty.is_none() {
            let (path, ty) = (String::new(), String::new());
            found.push(Cell { path, offset: 0, ty, value: CellValue::Bytes(bytes) });
        }
        found
    }

    /// An object as it is in the end; empty if it is no more.
    pub(super) fn after(&mut self, index: usize) -> Vec<Cell> {
        let object = &self.outside.objects[index];
        let memory = self.state.mem.get(object.obj).filter(|memory| memory.status == Status::Live);
        let Some(content) = memory.map(|memory| memory.content.clone()) else { return Vec::new() };
        let mut found = Vec::new();
        for (prefix, base, part) in self.parts_of(object) {
            if let Some(value) = self.read(&content, base * 8 + part.bit, &part) {
                found.push(self.cell(format!("{prefix}{}", part.path), base, &part, value));
            }
        }
        found
    }

    /// What the function has returned, and how each part depends on its arguments.
    pub(super) fn result(&mut self, result: &Returned) -> Vec<(Cell, Dependence)> {
        let Some(ty) = result.ty else { return Vec::new() };
        let mut found = Vec::new();
        for part in parts(self.program, ty).into_iter().take(MAX_PARTS) {
            if let Some(value) = self.read(&result.content, part.bit, &part) {
                let dependence = self.dependence(&result.content, &part);
                found.push((self.cell(part.path.clone(), 0, &part, value), dependence));
            }
        }
        found
    }

    fn dependence(&mut self, content: &Content, part: &Part) -> Dependence {
        let (first, last) = (part.bit / 8, (part.bit + part.bits).div_ceil(8));
        let mut content = content.clone();
        if last - first <= 8 && !part.is_bit_field {
            return match self.value(&mut content, first, last - first) {
                Value::Term(term) => Dependence::Number(term),
                Value::SymPtr { .. } => Dependence::Other,
                Value::Int(_) | Value::Ptr { .. } => Dependence::None,
            };
        }
        let is_open = |value: Value| matches!(value, Value::Term(_) | Value::SymPtr { .. });
        match (first..last).any(|at| is_open(self.value(&mut content, at, 1))) {
            true => Dependence::Other,
            false => Dependence::None,
        }
    }

    fn cell(&self, path: String, base: u64, part: &Part, value: CellValue) -> Cell {
        Cell { path, offset: base + part.bit / 8, ty: c_type(self.program, part.ty), value }
    }

    /// The parts of all elements of an object: how C names the element, and where it begins.
    fn parts_of(&self, object: &InputObject) -> Vec<(String, u64, Part)> {
        let inside = object.ty.map(|ty| parts(self.program, ty)).unwrap_or_default();
        let mut found = Vec::new();
        for i in 0..object.count {
            let prefix = if object.is_variable { String::new() } else { format!("[{i}]") };
            found.extend(inside.iter().map(|part| (prefix.clone(), i * object.element, part.clone())));
            if found.len() > MAX_PARTS {
                break;
            }
        }
        found.truncate(MAX_PARTS);
        found
    }

    /// What an input pointer leads to.
    fn target(&self, number: usize) -> CellValue {
        match self.outside.pointers[number].standing {
            Standing::Open | Standing::Null => CellValue::Null,
            Standing::NotNull => CellValue::Other(self.others[&number]),
            Standing::To { obj, offset, .. } => self.address(obj, offset),
        }
    }

    fn address(&self, obj: selvedge_exec::ObjId, offset: u64) -> CellValue {
        match self.outside.objects.iter().position(|object| object.obj == obj) {
            Some(object) => CellValue::Address { object, offset },
            None => CellValue::Elsewhere,
        }
    }

    /// A part of a content; `None` if it depends on what was never written.
    fn read(&mut self, content: &Content, bit: u64, part: &Part) -> Option<CellValue> {
        let (first, last) = (bit / 8, (bit + part.bits).div_ceil(8));
        let size = last.saturating_sub(first);
        if size == 0 || last > content.len() {
            return None;
        }
        let is_written =
            !content.has_lazy(first, size, |s| matches!(s, Source::Uninit { .. } | Source::Undef { .. }));
        let mut content = content.clone();
        if size <= 8 && !part.is_bit_field {
            let value = self.value(&mut content, first, size);
            if let Some(value) = self.pointer(value) {
                return Some(value);
            }
        }
        let mut bytes = Vec::with_capacity(size as usize);
        for at in first..last {
            let value = self.value(&mut content, at, 1);
            bytes.push(self.number(value)? as u8);
        }
        is_written.then(|| self.plain(&bytes, bit - first * 8, part))
    }

    fn value(&mut self, content: &mut Content, at: u64, size: u64) -> Value {
        let mut symbols = Symbols { pool: &mut self.machine.pool, sources: &mut self.machine.sources };
        content.read(&mut symbols, at, size)
    }

    /// The number that a value is in the model; `None` if that is not known.
    fn number(&mut self, value: Value) -> Option<u64> {
        let term = match value {
            Value::Int(number) => return Some(number),
            Value::Ptr { .. } | Value::SymPtr { .. } => return None,
            Value::Term(term) => term,
        };
        let is_unwritten = |source: Source| matches!(source, Source::Uninit { .. } | Source::Undef { .. });
        let vars = self.machine.pool.vars(term);
        let knows = |var: &selvedge_term::VarId| {
            self.machine.sources.piece(*var).is_some_and(|piece| !is_unwritten(piece.source))
        };
        vars.iter().all(knows).then(|| Evaluator::new(self.model).eval_u64(&self.machine.pool, term))
    }

    /// A pointer, if it is one that is not null.
    fn pointer(&mut self, value: Value) -> Option<CellValue> {
        let bits = self.program.target.ptr_bits;
        let input = input_pointer(value, bits);
        let (obj, addr) = match value {
            Value::Ptr { obj, addr } => (obj, addr),
            Value::SymPtr { obj, addr } => {
                (obj, Evaluator::new(self.model).eval_u64(&self.machine.pool, addr))
            }
            Value::Int(_) | Value::Term(_) => return None,
        };
        let distance = |base: u64| {
            if bits == 32 {
                u64::from((addr as u32).wrapping_sub(base as u32))
            } else {
                addr.wrapping_sub(base)
            }
        };
        match input {
            Some((number, base)) => Some(match (self.target(number), distance(base)) {
                (value, 0) => value,
                (CellValue::Address { object, offset }, distance) => {
                    CellValue::Address { object, offset: offset.wrapping_add(distance) }
                }
                // So far from a pointer that leads nowhere.
                _ => CellValue::Elsewhere,
            }),
            None => {
                let base = self.state.mem.get(obj).map_or(addr, |object| object.base);
                Some(self.address(obj, distance(base)))
            }
        }
    }

    /// A part of plain bytes.
    fn plain(&self, bytes: &[u8], bit: u64, part: &Part) -> CellValue {
        let (first, last) = ((bit / 8) as usize, (bit + part.bits).div_ceil(8) as usize);
        let own = &bytes[first..last.min(bytes.len())];
        if own.len() > 8 {
            return CellValue::Bytes(own.to_vec());
        }
        let all = own.iter().rev().fold(0u64, |all, byte| all << 8 | u64::from(*byte)) >> (bit % 8);
        let raw = if part.bits >= 64 { all } else { all & ((1 << part.bits) - 1) };
        let signed = match part.bits {
            0 | 64.. => raw as i64,
            bits => ((raw << (64 - bits)) as i64) >> (64 - bits),
        };
        let float = |value: f64, text: String| {
            if value.is_finite() { CellValue::Number(text) } else { CellValue::Bytes(own.to_vec()) }
        };
        match plain(self.program, part.ty) {
            Some(DebugType::Basic { encoding: Encoding::Float, size: 4, .. }) => {
                let value = f32::from_bits(raw as u32);
                float(f64::from(value), format!("{value:?}f"))
            }
            Some(DebugType::Basic { encoding: Encoding::Float, size: 8, .. }) => {
                let value = f64::from_bits(raw);
                float(value, format!("{value:?}"))
            }
            Some(ty)
                if is_unsigned(ty) && !matches!(ty, DebugType::Basic { encoding: Encoding::Bool, .. }) =>
            {
                CellValue::Number(if part.bits > 32 { format!("{raw}u") } else { raw.to_string() })
            }
            Some(DebugType::Basic { encoding: Encoding::Bool, .. }) => {
                CellValue::Number((raw & 1).to_string())
            }
            Some(
                DebugType::Basic { encoding: Encoding::Signed | Encoding::Char, .. } | DebugType::Enum { .. },
            ) => {
                CellValue::Number(match signed {
                    // C has no literal for it.
                    i64::MIN => "(-9223372036854775807 - 1)".to_owned(),
                    _ => signed.to_string(),
                })
            }
            Some(DebugType::Pointer { .. }) if raw == 0 => CellValue::Null,
            _ => CellValue::Bytes(own.to_vec()),
        }
    }
}
