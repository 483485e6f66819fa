//! Inputs between the engine's form (sources and models) and the user's (names, types, bytes).

use selvedge_exec::{FixedInputs, InputRecord, InputType, ObjId, Region, Source, Standing, State};
use selvedge_program::{DebugType, Encoding, Program, TypeId};

use crate::outcome::{Input, InputKind};

/// The inputs of `state`'s path with the values of `fixed`.
pub(crate) fn describe(program: &Program, state: &State, fixed: &FixedInputs) -> Vec<Input> {
    let mut inputs: Vec<Input> = Vec::new();
    for record in state.inputs.iter() {
        let mut bytes = fixed.bytes.get(&record.source).cloned().unwrap_or_default();
        bytes.resize(record.size as usize, 0);
        let mut input = Input {
            name: record.name.to_string(),
            ty: type_name(program, record),
            value: value_text(program, record, &bytes),
            bytes,
            thread: match record.source {
                Source::Input { thread, .. } => thread,
                _ => 0,
            },
            kind: match &record.kind {
                selvedge_exec::InputKind::Program => InputKind::Program,
                selvedge_exec::InputKind::Stdin => InputKind::Stdin,
                selvedge_exec::InputKind::Variable => InputKind::Variable,
                selvedge_exec::InputKind::Arg => InputKind::Arg,
                selvedge_exec::InputKind::Args => InputKind::Args,
                selvedge_exec::InputKind::Environment => InputKind::Environment,
                selvedge_exec::InputKind::File { name, role } => {
                    InputKind::File { name: name.to_string(), role: *role }
                }
            },
        };
        if let (InputType::Decision(number), Some(outside)) = (record.ty, &state.outside) {
            let number = number as usize;
            let is_second = inputs.iter().any(|known| known.name == input.name && known.ty == input.ty);
            let is_null = matches!(outside.pointers[number].standing, Standing::Null);
            input.value = match is_second || is_null {
                true => outside.target_text(program, number),
                false => "not NULL".to_owned(),
            };
        }
        match input.kind {
            InputKind::Args => input.value = quoted(&input.arguments()),
            InputKind::Variable => {
                input.value = input.variable().map_or_else(|| "not set".to_owned(), |text| quoted(&[text]));
            }
            _ => {}
        }
        inputs.push(input);
    }
    // What the path read without anybody having written it is an input, too, if it matters.
    let mut unwritten: Vec<(Source, &Vec<u8>)> = Vec::new();
    #[expect(clippy::iter_over_hash_type, reason = "sorted right below")]
    for (source, bytes) in &fixed.bytes {
        if matches!(source, Source::Uninit { .. } | Source::Undef { .. }) {
            unwritten.push((*source, bytes));
        }
    }
    unwritten.sort();
    for (source, bytes) in unwritten {
        inputs.push(Input {
            name: source_key(source),
            ty: "bytes".to_string(),
            value: hex(bytes),
            bytes: bytes.clone(),
            kind: InputKind::Uninitialised,
            thread: 0,
        });
    }
    make_unique(&mut inputs);
    inputs
}

/// Texts as on a command line.
fn quoted(texts: &[Vec<u8>]) -> String {
    let texts: Vec<String> = texts.iter().map(|text| format!("\"{}\"", text.escape_ascii())).collect();
    texts.join(" ")
}

/// Later inputs of the same name get a number.
fn make_unique(inputs: &mut [Input]) {
    for i in 1..inputs.len() {
        let n = inputs[..i].iter().filter(|x| base_name(&x.name) == inputs[i].name).count();
        if n > 0 {
            inputs[i].name = format!("{}#{}", inputs[i].name, n + 1);
        }
    }
}

pub(crate) fn base_name(name: &str) -> &str {
    match name.rsplit_once('#') {
        Some((base, number)) if number.bytes().all(|b| b.is_ascii_digit()) => base,
        _ => name,
    }
}

/// In front of the name of a second value, with which the execution would have gone another way.
const OTHER: &str = "other ";

fn also(is_other: bool) -> &'static str {
    if is_other { OTHER } else { "" }
}

/// A name for uninitialised memory from which [`parse_source`] gets the source back.
fn source_key(source: Source) -> String {
    match source {
        Source::Uninit { obj, other } => {
            let region = match obj.region() {
                Region::Global => "global",
                Region::Function => "function",
                Region::Heap => "heap",
                Region::Stack => "stack",
            };
            let (index, generation, thread) = (obj.index(), obj.generation(), obj.thread());
            format!("{}uninitialised {region} {index} {generation} {thread}", also(other))
        }
        Source::Undef { thread, n, other } => format!("{}undefined {thread} {n}", also(other)),
        other => format!("{other:?}"),
    }
}

/// The source that a name made by [`source_key`] stands for.
pub(crate) fn parse_source(name: &str) -> Option<Source> {
    let (other, name) = match name.strip_prefix(OTHER) {
        Some(name) => (true, name),
        None => (false, name),
    };
    let words: Vec<&str> = name.split(' ').collect();
    match words[..] {
        ["uninitialised", region, index, generation, thread] => {
            let (index, thread): (usize, u32) = (index.parse().ok()?, thread.parse().ok()?);
            let obj = match region {
                "global" => ObjId::global(index, thread),
                "heap" => ObjId::heap(thread, index as u64),
                "stack" => ObjId::stack(thread, index as u64, generation.parse().ok()?),
                _ => return None,
            };
            Some(Source::Uninit { obj, other })
        }
        ["undefined", thread, n] => {
            Some(Source::Undef { thread: thread.parse().ok()?, n: n.parse().ok()?, other })
        }
        _ => None,
    }
}

/// Fixes the inputs of a run: the `n`-th recorded input of a thread is the `n`-th that thread consumes;
/// uninitialised memory is matched by name.
pub(crate) fn fix(inputs: &[Input]) -> FixedInputs {
    let mut fixed = FixedInputs::default();
    let mut consumed: Vec<u32> = Vec::new();
    for input in inputs {
        let source = if input.kind == InputKind::Uninitialised {
            parse_source(&input.name)
        } else {
            let thread = input.thread as usize;
            if consumed.len() <= thread {
                consumed.resize(thread + 1, 0);
            }
            consumed[thread] += 1;
            Some(Source::Input { thread: input.thread, n: consumed[thread] - 1 })
        };
        if let Some(source) = source {
            fixed.bytes.insert(source, input.bytes.clone());
        }
    }
    fixed
}

fn type_name(program: &Program, record: &InputRecord) -> String {
    match record.ty {
        InputType::Signed(c) | InputType::Unsigned(c) | InputType::Float(c) => c.to_string(),
        InputType::Pointer | InputType::Decision(_) => "pointer".to_string(),
        InputType::Bytes(ty) => ty.map_or_else(|| format!("{} bytes", record.size), |ty| c_type(program, ty)),
    }
}

pub(crate) fn c_type(program: &Program, ty: TypeId) -> String {
    match program.types.get(ty) {
        Some(DebugType::Basic { name, .. } | DebugType::Other { name }) => name.clone(),
        Some(
            DebugType::Record { name, .. } | DebugType::Enum { name, .. } | DebugType::Alias { name, .. },
        ) => name.clone(),
        Some(DebugType::Pointer { to: Some(to) }) => format!("{} *", c_type(program, *to)),
        Some(DebugType::Pointer { to: None }) => "void *".to_string(),
        Some(DebugType::Array { elem, count }) => format!("{}[{count}]", c_type(program, *elem)),
        None => "bytes".to_string(),
    }
}

fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().take(8).rev().fold(0, |v, b| v << 8 | u64::from(*b))
}

fn value_text(program: &Program, record: &InputRecord, bytes: &[u8]) -> String {
    let raw = little_endian(bytes);
    let bits = (bytes.len() * 8) as u32;
    match record.ty {
        InputType::Signed(_) if bits <= 64 => signed(raw, bits).to_string(),
        InputType::Unsigned("_Bool") => (raw & 1).to_string(),
        InputType::Unsigned(_) if bits <= 64 => raw.to_string(),
        InputType::Float("float") => f32::from_bits(raw as u32).to_string(),
        InputType::Float(_) => f64::from_bits(raw).to_string(),
        InputType::Pointer | InputType::Decision(_) => format!("{raw:#x}"),
        InputType::Bytes(Some(ty)) => typed(program, ty, bytes, 0),
        _ => hex(bytes),
    }
}

fn signed(raw: u64, bits: u32) -> i64 {
    if bits == 0 || bits >= 64 { raw as i64 } else { ((raw << (64 - bits)) as i64) >> (64 - bits) }
}

/// Bytes as text if they are printable, else as hexadecimal numbers.
fn hex(bytes: &[u8]) -> String {
    let text: Vec<String> = bytes.iter().take(64).map(|b| format!("{b:02x}")).collect();
    let more = if bytes.len() > 64 { " ..." } else { "" };
    format!("{}{more}", text.join(" "))
}

/// A value of a source type, down to scalars.
fn typed(program: &Program, ty: TypeId, bytes: &[u8], depth: u32) -> String {
    let Some(debug) = program.types.get(ty) else { return hex(bytes) };
    let raw = little_endian(bytes);
    let bits = (bytes.len().min(8) * 8) as u32;
    if depth > 8 {
        return hex(bytes);
    }
    match debug {
        DebugType::Alias { to: Some(to), .. } => typed(program, *to, bytes, depth + 1),
        DebugType::Basic { encoding, .. } => match encoding {
            Encoding::Signed => signed(raw, bits).to_string(),
            Encoding::Unsigned => raw.to_string(),
            Encoding::Char if raw > 0 && (raw as u8).is_ascii_graphic() => format!("'{}'", raw as u8 as char),
            Encoding::Char => signed(raw, bits).to_string(),
            Encoding::Bool => (raw & 1 != 0).to_string(),
            Encoding::Float if bytes.len() == 4 => f32::from_bits(raw as u32).to_string(),
            Encoding::Float => f64::from_bits(raw).to_string(),
        },
        DebugType::Enum { values, .. } => {
            let number = signed(raw, bits);
            values
                .iter()
                .find(|(_, n)| *n == number)
                .map_or_else(|| number.to_string(), |(name, _)| name.clone())
        }
        DebugType::Pointer { .. } => format!("{raw:#x}"),
        DebugType::Array { elem, count } if *count > 0 && (bytes.len() as u64).is_multiple_of(*count) => {
            let size = bytes.len() / *count as usize;
            if size == 1 && bytes.iter().all(|b| *b == 0 || b.is_ascii_graphic() || *b == b' ') {
                let text: String = bytes
                    .iter()
                    .map(|b| if *b == 0 { "\\0".to_string() } else { (*b as char).to_string() })
                    .collect();
                return format!("\"{text}\"");
            }
            let items: Vec<String> =
                bytes.chunks(size.max(1)).take(32).map(|c| typed(program, *elem, c, depth + 1)).collect();
            let more = if *count > 32 { ", ..." } else { "" };
            format!("{{{}{more}}}", items.join(", "))
        }
        DebugType::Record { fields, .. } => {
            let items: Vec<String> = fields
                .iter()
                .map(|f| {
                    let value = if f.bit_offset % 8 == 0 && f.bit_size % 8 == 0 {
                        let (start, len) = ((f.bit_offset / 8) as usize, (f.bit_size / 8) as usize);
                        match bytes.get(start..start + len) {
                            Some(part) => typed(program, f.ty, part, depth + 1),
                            None => "?".to_string(),
                        }
                    } else {
                        let byte = (f.bit_offset / 8) as usize;
                        let part = little_endian(bytes.get(byte..).unwrap_or_default());
                        let shifted = part >> (f.bit_offset % 8);
                        (shifted & ((1u64 << f.bit_size.min(63)) - 1)).to_string()
                    };
                    format!(".{} = {value}", f.name)
                })
                .collect();
            format!("{{{}}}", items.join(", "))
        }
        _ => hex(bytes),
    }
}
