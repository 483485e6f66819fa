//! Source files, places, variable names and types from debug information.
//!
//! Types are converted from a work list, not by recursion: chains of structs can be long.

use rustc_hash::FxHashMap;
use selvedge_base::{FileId, Loc};
use selvedge_program::{DebugType, Encoding, Field, Program, SourceFile, TypeId};

use crate::llvm::{Context, Meta, MetaKind, Value};

/// Files whose recorded name starts with this are Selvedge's own C run-time.
const RUNTIME_PREFIX: &str = "selvedge-rt/";

// DWARF tags.
const TAG_ARRAY: u16 = 0x01;
const TAG_CLASS: u16 = 0x02;
const TAG_ENUMERATION: u16 = 0x04;
const TAG_MEMBER: u16 = 0x0d;
const TAG_POINTER: u16 = 0x0f;
const TAG_REFERENCE: u16 = 0x10;
const TAG_STRUCTURE: u16 = 0x13;
const TAG_TYPEDEF: u16 = 0x16;
const TAG_UNION: u16 = 0x17;
const TAG_INHERITANCE: u16 = 0x1c;
const TAG_CONST: u16 = 0x26;
const TAG_VOLATILE: u16 = 0x35;
const TAG_RESTRICT: u16 = 0x37;
const TAG_RVALUE_REFERENCE: u16 = 0x42;
const TAG_ATOMIC: u16 = 0x47;

// Operand positions in LLVM 22's debug nodes.
const NAME: usize = 2;
const BASE_TYPE: usize = 5;
const ELEMENTS: usize = 6;
const ENUMERATOR_NAME: usize = 0;
const VARIABLE_NAME: usize = 1;
const VARIABLE_TYPE: usize = 3;

/// What has been converted so far.
pub(super) struct DebugInfo<'m> {
    context: &'m Context,
    files: FxHashMap<Meta<'m>, FileId>,
    files_by_name: FxHashMap<(String, String), FileId>,
    scope_files: FxHashMap<Meta<'m>, Option<FileId>>,
    types: FxHashMap<Meta<'m>, TypeId>,
    pending: Vec<(Meta<'m>, TypeId)>,
    plain_expressions: FxHashMap<Meta<'m>, bool>,
}

impl<'m> DebugInfo<'m> {
    pub(super) fn new(context: &'m Context) -> Self {
        DebugInfo {
            context,
            files: FxHashMap::default(),
            files_by_name: FxHashMap::default(),
            scope_files: FxHashMap::default(),
            types: FxHashMap::default(),
            pending: Vec::new(),
            plain_expressions: FxHashMap::default(),
        }
    }

    fn file(&mut self, program: &mut Program, file: Meta<'m>) -> FileId {
        if let Some(&id) = self.files.get(&file) {
            return id;
        }
        let (name, dir) = file.file_name_and_dir();
        let key = (name.clone(), dir.clone());
        let id =
            *self.files_by_name.entry(key).or_insert_with(|| program.files.push(SourceFile { name, dir }));
        self.files.insert(file, id);
        id
    }

    /// The place of an instruction. With inlined code this is the innermost place.
    pub(super) fn place(&mut self, program: &mut Program, instruction: Value<'m>) -> Loc {
        let location = instruction.debug_location(self.context).and_then(Meta::location);
        let Some((line, column, scope)) = location else { return Loc::UNKNOWN };
        if line == 0 {
            return Loc::UNKNOWN;
        }
        let file = match self.scope_files.get(&scope) {
            Some(&known) => known,
            None => {
                let file = scope.scope_file().map(|file| self.file(program, file));
                self.scope_files.insert(scope, file);
                file
            }
        };
        file.map_or(Loc::UNKNOWN, |file| Loc { file, line, column })
    }

    /// Place and source name of a function.
    pub(super) fn subprogram(&mut self, program: &mut Program, subprogram: Meta<'m>) -> (Loc, String) {
        let loc = match subprogram.scope_file() {
            Some(file) => {
                let file = self.file(program, file);
                Loc { file, line: subprogram.subprogram_line(), column: 0 }
            }
            None => Loc::UNKNOWN,
        };
        (loc, subprogram.string_operand(NAME))
    }

    /// Place and type of a global variable.
    pub(super) fn global(&mut self, program: &mut Program, info: Meta<'m>) -> (Loc, Option<TypeId>) {
        let loc = match info.variable_file() {
            Some(file) => {
                let file = self.file(program, file);
                Loc { file, line: info.variable_line(), column: 0 }
            }
            None => Loc::UNKNOWN,
        };
        (loc, info.operand(VARIABLE_TYPE).and_then(|ty| self.type_id(program, ty)))
    }

    pub(super) fn is_runtime_file(&self, program: &Program, file: FileId) -> bool {
        program.files.get(file).is_some_and(|file| file.name.starts_with(RUNTIME_PREFIX))
    }

    /// Name and type of a local variable.
    pub(super) fn local(&mut self, program: &mut Program, variable: Meta<'m>) -> (String, Option<TypeId>) {
        let ty = variable.operand(VARIABLE_TYPE).and_then(|ty| self.type_id(program, ty));
        (variable.string_operand(VARIABLE_NAME), ty)
    }

    /// Whether a `DIExpression` is empty: the value is the variable, not a part of it.
    pub(super) fn is_plain(&mut self, expression: Meta<'m>) -> bool {
        *self.plain_expressions.entry(expression).or_insert_with(|| expression.text(None).contains("()"))
    }

    /// The id of a type; qualifiers are looked through. `None` is `void`.
    pub(super) fn type_id(&mut self, program: &mut Program, mut ty: Meta<'m>) -> Option<TypeId> {
        loop {
            if !ty.is_type() {
                return None;
            }
            match ty.tag() {
                TAG_CONST | TAG_VOLATILE | TAG_RESTRICT | TAG_ATOMIC => ty = ty.operand(BASE_TYPE)?,
                _ => break,
            }
        }
        if let Some(&id) = self.types.get(&ty) {
            return Some(id);
        }
        let id = program.types.push(DebugType::Other { name: String::new() });
        self.types.insert(ty, id);
        self.pending.push((ty, id));
        Some(id)
    }

    /// Converts what was promised an id.
    pub(super) fn finish(&mut self, program: &mut Program) {
        while let Some((ty, id)) = self.pending.pop() {
            let converted = self.convert(program, ty);
            program.types[id] = converted;
        }
    }

    fn base(&mut self, program: &mut Program, ty: Meta<'m>) -> Option<TypeId> {
        ty.operand(BASE_TYPE).and_then(|base| self.type_id(program, base))
    }

    /// The base type where one is required; `void` becomes a type of that name.
    fn base_or_void(&mut self, program: &mut Program, ty: Meta<'m>) -> TypeId {
        match self.base(program, ty) {
            Some(id) => id,
            None => program.types.push(DebugType::Other { name: "void".to_owned() }),
        }
    }

    fn convert(&mut self, program: &mut Program, ty: Meta<'m>) -> DebugType {
        let name = ty.type_name();
        let size = ty.type_bits().div_ceil(8);
        match ty.kind() {
            MetaKind::LLVMDIBasicTypeMetadataKind => {
                DebugType::Basic { encoding: encoding(&ty.text(Some(NAME))), name, size }
            }
            MetaKind::LLVMDISubroutineTypeMetadataKind => DebugType::Other { name: "function".to_owned() },
            MetaKind::LLVMDIDerivedTypeMetadataKind => match ty.tag() {
                TAG_POINTER | TAG_REFERENCE | TAG_RVALUE_REFERENCE => {
                    DebugType::Pointer { to: self.base(program, ty) }
                }
                TAG_TYPEDEF => DebugType::Alias { name, to: self.base(program, ty) },
                _ => DebugType::Other { name },
            },
            MetaKind::LLVMDICompositeTypeMetadataKind => match ty.tag() {
                TAG_ARRAY => self.array(program, ty),
                TAG_STRUCTURE | TAG_CLASS | TAG_UNION => self.record(program, ty, &name, size),
                TAG_ENUMERATION => {
                    DebugType::Enum { name: tagged("enum", &name), size, values: enumerators(ty) }
                }
                _ => DebugType::Other { name },
            },
            _ => DebugType::Other { name },
        }
    }

    fn record(&mut self, program: &mut Program, ty: Meta<'m>, name: &str, size: u64) -> DebugType {
        let keyword = if ty.tag() == TAG_UNION { "union" } else { "struct" };
        let mut fields = Vec::new();
        for member in elements(ty) {
            let is_member = member.is(MetaKind::LLVMDIDerivedTypeMetadataKind)
                && matches!(member.tag(), TAG_MEMBER | TAG_INHERITANCE);
            // Static members have no offset and no size of their own.
            if !is_member || member.type_bits() == 0 {
                continue;
            }
            fields.push(Field {
                name: member.type_name(),
                bit_offset: member.type_bit_offset(),
                bit_size: member.type_bits(),
                ty: self.base_or_void(program, member),
            });
        }
        DebugType::Record { name: tagged(keyword, name), size, fields }
    }

    /// An array; each further dimension becomes an array of arrays.
    fn array(&mut self, program: &mut Program, ty: Meta<'m>) -> DebugType {
        let mut counts: Vec<u64> = elements(ty)
            .into_iter()
            .map(|range| range.operand(0).and_then(Meta::constant_int).map_or(0, |n| n.max(0) as u64))
            .collect();
        let mut elem = self.base_or_void(program, ty);
        let outermost = if counts.is_empty() { 0 } else { counts.remove(0) };
        for count in counts.into_iter().rev() {
            elem = program.types.push(DebugType::Array { elem, count });
        }
        DebugType::Array { elem, count: outermost }
    }
}

fn elements(ty: Meta<'_>) -> Vec<Meta<'_>> {
    ty.operand(ELEMENTS).map(|list| list.operands().into_iter().flatten().collect()).unwrap_or_default()
}

fn tagged(keyword: &str, name: &str) -> String {
    if name.is_empty() { String::new() } else { format!("{keyword} {name}") }
}

/// Enumerators; the C API has no accessor for their values, so LLVM's text is read.
fn enumerators(ty: Meta<'_>) -> Vec<(String, i64)> {
    let read = |enumerator: Meta<'_>| {
        let text = enumerator.text(Some(ENUMERATOR_NAME));
        let value = text.split("value: ").nth(1)?;
        let digits: String = value.chars().take_while(|c| *c == '-' || c.is_ascii_digit()).collect();
        // Unsigned 64-bit enumerators keep their bits.
        let value = digits.parse::<i64>().or_else(|_| digits.parse::<u64>().map(|v| v as i64)).ok()?;
        Some((enumerator.string_operand(ENUMERATOR_NAME), value))
    };
    elements(ty)
        .into_iter()
        .filter(|meta| meta.is(MetaKind::LLVMDIEnumeratorMetadataKind))
        .filter_map(read)
        .collect()
}

/// How a basic type reads, from LLVM's text for it (there is no accessor).
fn encoding(text: &str) -> Encoding {
    let name = text.split("encoding: DW_ATE_").nth(1).unwrap_or_default();
    let name: String = name.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    match name.as_str() {
        "signed" | "signed_fixed" => Encoding::Signed,
        "signed_char" | "unsigned_char" | "UTF" => Encoding::Char,
        "boolean" => Encoding::Bool,
        "float" | "complex_float" => Encoding::Float,
        _ => Encoding::Unsigned,
    }
}
