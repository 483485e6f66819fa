//! Output: the `printf` family, `puts`, `fwrite` to standard output and error, and number formatting
//! for the run-time.
//!
//! These are the functions of programs that have no streams but the console. In others they are C code of the run-time
//! (`frontend/runtime/output.c`), which hands on here what goes to the console.

use selvedge_base::Id;
use selvedge_program::{Arg, BinOp, CastOp, FloatKind, Ty};
use selvedge_term::RoundingMode;

use super::console::NEGATIVE;
use super::{Ending, Model};
use crate::finding::{FindingKind, Res, unsupported};
use crate::float_text::{Parsed, parse_double, parse_extended, parse_single};
use crate::format::{Count, Item, Spec, format_integer, pad, parse};
use crate::ops;
use crate::output::{OutPiece, Stream};
use crate::step::Step;
use crate::value::{Region, Value};
use selvedge_library::Io;

pub(super) fn model(function: Io) -> Model {
    match function {
        Io::Printf => |s, _, a, v| s.print(Stream::Stdout, v[0], Rest::list(a, v, 1)),
        Io::PrintfChecked => |s, _, a, v| s.print(Stream::Stdout, v[1], Rest::list(a, v, 2)),
        Io::Fprintf => |s, _, a, v| {
            let stream = s.stream(v[0])?;
            s.print(stream, v[1], Rest::list(a, v, 2))
        },
        Io::FprintfChecked => |s, _, a, v| {
            let stream = s.stream(v[0])?;
            s.print(stream, v[2], Rest::list(a, v, 3))
        },
        Io::Vprintf => |s, _, _, v| s.print(Stream::Stdout, v[0], Rest::VaList(v[1])),
        Io::Vfprintf => |s, _, _, v| {
            let stream = s.stream(v[0])?;
            s.print(stream, v[1], Rest::VaList(v[2]))
        },
        Io::Puts => |s, _, _, v| s.put_string(Stream::Stdout, v[0], true),
        Io::Fputs => |s, _, _, v| {
            let stream = s.stream(v[1])?;
            s.put_string(stream, v[0], false)
        },
        Io::Putchar => |s, _, _, v| s.put_char(Stream::Stdout, v[0]),
        Io::Fputc | Io::IoPutc => |s, _, _, v| {
            let stream = s.stream(v[1])?;
            s.put_char(stream, v[0])
        },
        Io::Fwrite => |s, _, _, v| {
            let stream = s.stream(v[3])?;
            s.output(0, |s, ending| s.fwrite(stream, v[0], v[1], v[2], ending))
        },
        Io::Fflush => |s, _, _, _| {
            s.output(NEGATIVE, |s, ending| {
                s.output_succeeds(ending);
                s.returns(Value::Int(0))
            })
        },
        Io::Print => |s, _, _, v| {
            let stream = s.descriptor(v[0])?;
            s.fwrite(stream, v[1], Value::Int(1), v[2], Ending::Sure)
        },
        Io::PrintList => |s, _, _, v| {
            let stream = s.descriptor(v[0])?;
            s.print_call(stream, v[1], Rest::VaList(v[2]), Ending::Sure)
        },
        Io::FormatDouble => |s, _, _, v| s.format_double(v[0], v[1], v[2], v[3]),
        Io::ParseDouble => |s, _, _, v| s.parse_float(v[0], v[1], v[2], (FloatKind::Double, parse_double)),
        Io::ParseFloat => |s, _, _, v| s.parse_float(v[0], v[1], v[2], (FloatKind::Single, parse_single)),
        Io::ParseLongDouble => |s, _, _, v| s.parse_float(v[0], v[1], v[2], (FloatKind::X87, parse_extended)),
    }
}

/// How a text is read as a number of a kind.
type ParseFloat = (FloatKind, fn(&[u8], RoundingMode) -> Parsed);

/// The arguments of a `printf` call after its format.
enum Rest {
    /// Passed in the call.
    List(std::vec::IntoIter<(Value, Ty)>),
    /// In a `va_list`.
    VaList(Value),
}

/// What a `printf` call does.
#[derive(Default)]
struct Printed {
    /// The output.
    pieces: Vec<OutPiece>,
    /// What `%n` stores: the place, its type, the length of the output so far.
    lengths: Vec<(Value, Ty, u64)>,
}

/// The length of output in bytes, if it is known.
fn length(pieces: &[OutPiece]) -> Option<u64> {
    pieces.iter().try_fold(0, |sum, piece| match piece {
        OutPiece::Bytes(bytes) => Some(sum + bytes.len() as u64),
        OutPiece::Byte(_) => Some(sum + 1),
        OutPiece::Integer { .. } | OutPiece::Double { .. } => None,
    })
}

impl Rest {
    fn list(args: &[Arg], values: &[Value], skip: usize) -> Rest {
        let rest: Vec<(Value, Ty)> = args.iter().zip(values).skip(skip).map(|(a, v)| (*v, a.ty)).collect();
        Rest::List(rest.into_iter())
    }
}

impl Step<'_, '_> {
    fn stream(&mut self, file: Value) -> Res<Stream> {
        let file = self.settle_pointer(file)?;
        let globals = &self.m.image.program.globals;
        if let Value::Ptr { obj, .. } = file
            && obj.region() == Region::Global
        {
            match globals[selvedge_program::GlobalId::new(obj.index())].name.as_str() {
                "__selvedge_stdout_file" => return Ok(Stream::Stdout),
                "__selvedge_stderr_file" => return Ok(Stream::Stderr),
                _ => {}
            }
        }
        if file == Value::Int(0) {
            return self.finding(FindingKind::Memory, "output to a null stream");
        }
        unsupported("output to a stream other than stdout and stderr")
    }

    fn descriptor(&mut self, fd: Value) -> Res<Stream> {
        match self.settle(fd, 32)? {
            Value::Int(1) => Ok(Stream::Stdout),
            Value::Int(2) => Ok(Stream::Stderr),
            _ => unsupported("output to a file descriptor other than 1 and 2"),
        }
    }

    fn next_argument(&mut self, rest: &mut Rest, ty: Ty) -> Res<Value> {
        match rest {
            Rest::List(values) => match values.next() {
                Some((value, passed)) => {
                    // On the console it changes nothing that other properties could see.
                    if self.m.options.checks(FindingKind::Misuse) {
                        self.check_argument(passed, ty)?;
                    }
                    Ok(value)
                }
                None => self.finding(FindingKind::Misuse, "printf with too few arguments"),
            },
            Rest::VaList(list) => {
                // As `va_start` laid it out: everything is in the stack area.
                let bits = self.ptr_bits();
                let at = if bits == 64 {
                    ops::bin(&mut self.m.pool, BinOp::Add, 64, *list, Value::Int(8))
                } else {
                    *list
                };
                let area = self.load(at, Ty::Ptr)?;
                let area = self.settle_pointer(area)?;
                let area = match area {
                    Value::Ptr { obj, addr } => {
                        Value::Ptr { obj, addr: addr.next_multiple_of(crate::step::vararg_align(ty, bits)) }
                    }
                    other => other,
                };
                let value = self.load(area, ty)?;
                let step = ty.store_size(bits).next_multiple_of(u64::from(bits / 8));
                let advanced = ops::bin(&mut self.m.pool, BinOp::Add, bits, area, Value::Int(step));
                // Advancing the caller's list is part of the call's effect; nothing forks after the last
                // argument, and running again starts from the same format.
                self.store(at, Ty::Ptr, advanced)?;
                Ok(value)
            }
        }
    }

    fn print(&mut self, stream: Stream, format: Value, rest: Rest) -> Res<()> {
        self.output(NEGATIVE, |s, ending| s.print_call(stream, format, rest, ending))
    }

    /// Prints, and does not fail.
    fn print_call(&mut self, stream: Stream, format: Value, mut rest: Rest, ending: Ending) -> Res<()> {
        let saved = match &rest {
            Rest::VaList(_) => Some(self.st.mem.clone()),
            Rest::List(_) => None,
        };
        match self.print_pieces(format, &mut rest) {
            Ok(printed) => {
                let length = length(&printed.pieces);
                let used = self.uses_result();
                let Some(length) = length.or((!used).then_some(0)) else {
                    return unsupported("the result of printing a symbolic number is used");
                };
                for (target, ty, length) in printed.lengths {
                    let bits = ty.bits(self.ptr_bits());
                    self.store(target, ty, Value::Int(crate::value::truncate(length, bits)))?;
                }
                self.push_output(stream, printed.pieces, ending)?;
                self.returns(Value::Int(length))
            }
            Err(stop) => {
                if let Some(mem) = saved {
                    self.st.mem = mem;
                }
                Err(stop)
            }
        }
    }

    fn print_pieces(&mut self, format: Value, rest: &mut Rest) -> Res<Printed> {
        let format = self.c_string(format)?;
        let bits = self.ptr_bits();
        let items = match parse(&format, bits) {
            Ok(items) => items,
            Err(why) => return unsupported(format!("printf format: {why}")),
        };
        let mut printed = Printed::default();
        for item in items {
            let (mut spec, width, precision) = match item {
                Item::Text(text) => {
                    printed.pieces.push(OutPiece::Bytes(text));
                    continue;
                }
                Item::Conversion { spec, width, precision } => (spec, width, precision),
            };
            if let Some(w) = self.count(width, rest)? {
                if w < 0 {
                    spec.left = true;
                }
                spec.width = w.unsigned_abs() as usize;
            }
            spec.precision = self.count(precision, rest)?.and_then(|p| usize::try_from(p).ok());
            self.convert(spec, rest, &mut printed)?;
        }
        Ok(printed)
    }

    fn count(&mut self, count: Count, rest: &mut Rest) -> Res<Option<i32>> {
        Ok(match count {
            Count::None => None,
            Count::Number(n) => Some(n.min(1 << 20) as i32),
            Count::Star => {
                let value = self.next_argument(rest, Ty::Int(32))?;
                Some(self.concretise(value, 32, 64, "a width in a format")? as u32 as i32)
            }
        })
    }

    fn convert(&mut self, mut spec: Spec, rest: &mut Rest, printed: &mut Printed) -> Res<()> {
        let bits = self.ptr_bits();
        match spec.conv {
            b's' | b'c' if spec.wide => {
                return unsupported("wide characters that are printed on the console");
            }
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'c' => {
                if spec.conv == b'c' {
                    spec.bits = 8;
                }
                let passed = if spec.bits <= 32 { 32 } else { 64 };
                let value = self.next_argument(rest, Ty::Int(passed))?;
                self.look_at_printed(value);
                let (from, to) = (Ty::Int(passed), Ty::Int(spec.bits));
                match ops::cast(&mut self.m.pool, CastOp::Trunc, from, to, bits, value) {
                    Value::Int(v) | Value::Ptr { addr: v, .. } => {
                        let mut out = Vec::new();
                        format_integer(&spec, v, &mut out);
                        printed.pieces.push(OutPiece::Bytes(out));
                    }
                    Value::Term(value) | Value::SymPtr { addr: value, .. } => {
                        printed.pieces.push(OutPiece::Integer { spec, value });
                    }
                }
            }
            b's' => {
                let value = self.next_argument(rest, Ty::Ptr)?;
                self.string_pieces(&spec, value, &mut printed.pieces)?;
            }
            b'p' => {
                let value = self.next_argument(rest, Ty::Ptr)?;
                self.look_at_printed(value);
                let addr = self.concretise(value, bits, 64, "a printed pointer")?;
                let text = if addr == 0 { "(nil)".to_string() } else { format!("{addr:#x}") };
                let mut out = Vec::new();
                pad(&spec, b"", text.as_bytes(), false, &mut out);
                printed.pieces.push(OutPiece::Bytes(out));
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A'
                if spec.conv | 32 != b'a' || !spec.long_double =>
            {
                let kind = if spec.long_double { FloatKind::X87 } else { FloatKind::Double };
                let value = self.next_argument(rest, Ty::Float(kind))?;
                let value = self.settle(value, kind.bits())?;
                let mode = self.st.thread().rounding;
                if let (FloatKind::Double, Value::Term(value)) = (kind, value)
                    && self.exact_double(kind, Value::Term(value)).is_none()
                {
                    if mode != RoundingMode::NearestEven {
                        return unsupported("printing a symbolic number that is not rounded to nearest");
                    }
                    printed.pieces.push(OutPiece::Double { spec, value });
                    return Ok(());
                }
                let Some(number) = self.exact_double(kind, value) else {
                    return unsupported("printing a symbolic or very long `long double`");
                };
                let mut out = Vec::new();
                crate::format::format_double(&spec, number, mode, &mut out);
                printed.pieces.push(OutPiece::Bytes(out));
            }
            b'n' => {
                let target = self.next_argument(rest, Ty::Ptr)?;
                let Some(length) = length(&printed.pieces) else {
                    return unsupported("%n after a symbolic number");
                };
                let target = self.concrete_place(target, u64::from(spec.bits / 8), true)?;
                printed.lengths.push((target, Ty::Int(spec.bits), length));
            }
            other => return unsupported(format!("conversion %{} in a format", other as char)),
        }
        Ok(())
    }

    /// The characters of a string, up to its end or the precision.
    fn string_pieces(&mut self, spec: &Spec, string: Value, pieces: &mut Vec<OutPiece>) -> Res<()> {
        let string = self.settle_pointer(string)?;
        if self.is_null(string)? {
            self.assumed("library.print-null");
            let mut out = Vec::new();
            pad(spec, b"", b"(null)", false, &mut out);
            pieces.push(OutPiece::Bytes(out));
            return Ok(());
        }
        self.reads_at_once(string);
        let bits = self.ptr_bits();
        let mut chars: Vec<OutPiece> = Vec::new();
        let mut at = string;
        while spec.precision.is_none_or(|p| chars.len() < p) {
            let byte = self.load(at, Ty::Int(8))?;
            let end = ops::cmp(&mut self.m.pool, selvedge_program::CmpOp::Eq, 8, byte, Value::Int(0));
            if self.decide(end)? {
                break;
            }
            chars.push(match byte {
                Value::Int(b) => OutPiece::Bytes(vec![b as u8]),
                other => OutPiece::Byte(ops::to_term(&mut self.m.pool, other, 8)),
            });
            at = ops::bin(&mut self.m.pool, BinOp::Add, bits, at, Value::Int(1));
        }
        let fill = OutPiece::Bytes(vec![b' '; spec.width.saturating_sub(chars.len())]);
        if spec.left {
            pieces.extend(chars);
            pieces.push(fill);
        } else {
            pieces.push(fill);
            pieces.extend(chars);
        }
        Ok(())
    }

    /// Other threads never write in the middle of what is printed.
    fn reads_at_once(&mut self, from: Value) {
        if self.st.is_concurrent
            && ops::provenance(from)
                .and_then(|obj| self.st.mem.get(obj))
                .is_some_and(|o| o.is_shared && o.writable)
        {
            self.assumed("threads.print-at-once");
        }
    }

    fn push_output(&mut self, stream: Stream, pieces: Vec<OutPiece>, ending: Ending) -> Res<()> {
        self.note_in_handler();
        for piece in &pieces {
            if let OutPiece::Byte(value) | OutPiece::Integer { value, .. } | OutPiece::Double { value, .. } =
                piece
            {
                self.check_term_written(*value, "the output")?;
            }
        }
        self.output_succeeds(ending);
        for piece in pieces {
            self.st.output.push(stream, piece);
        }
        Ok(())
    }

    fn put_string(&mut self, stream: Stream, string: Value, newline: bool) -> Res<()> {
        self.output(NEGATIVE, |s, ending| s.put_string_on(stream, string, newline, ending))
    }

    fn put_string_on(&mut self, stream: Stream, string: Value, newline: bool, ending: Ending) -> Res<()> {
        // Unlike `%s`, these have no text for a null pointer.
        self.resolve(string, 1, false)?;
        let mut pieces = Vec::new();
        self.string_pieces(&Spec::default(), string, &mut pieces)?;
        self.push_output(stream, pieces, ending)?;
        if newline {
            self.st.output.push(stream, OutPiece::Bytes(vec![b'\n']));
        }
        self.returns(Value::Int(1))
    }

    fn put_char(&mut self, stream: Stream, c: Value) -> Res<()> {
        self.output(NEGATIVE, |s, ending| s.put_char_on(stream, c, ending))
    }

    fn put_char_on(&mut self, stream: Stream, c: Value, ending: Ending) -> Res<()> {
        let bits = self.ptr_bits();
        let byte = ops::cast(&mut self.m.pool, CastOp::Trunc, Ty::Int(32), Ty::Int(8), bits, c);
        let piece = match byte {
            Value::Int(b) => OutPiece::Bytes(vec![b as u8]),
            other => OutPiece::Byte(ops::to_term(&mut self.m.pool, other, 8)),
        };
        self.push_output(stream, vec![piece], ending)?;
        let result = ops::cast(&mut self.m.pool, CastOp::ZExt, Ty::Int(8), Ty::Int(32), bits, byte);
        self.returns(result)
    }

    fn fwrite(&mut self, stream: Stream, from: Value, size: Value, count: Value, ending: Ending) -> Res<()> {
        let bits = self.ptr_bits();
        let size = self.concretise(size, bits, 64, "the size of a write")?;
        let n = self.concretise(count, bits, 64, "the length of a write")?;
        self.reads_at_once(from);
        let mut at = from;
        let mut pieces = Vec::new();
        for _ in 0..size.saturating_mul(n) {
            match self.load(at, Ty::Int(8))? {
                Value::Int(b) => pieces.push(OutPiece::Bytes(vec![b as u8])),
                other => pieces.push(OutPiece::Byte(ops::to_term(&mut self.m.pool, other, 8))),
            }
            at = ops::bin(&mut self.m.pool, BinOp::Add, bits, at, Value::Int(1));
        }
        self.push_output(stream, pieces, ending)?;
        self.returns(Value::Int(if size == 0 { 0 } else { n }))
    }

    /// `snprintf(buf, n, spec, value)` for one floating-point conversion.
    fn format_double(&mut self, buf: Value, n: Value, spec: Value, value: Value) -> Res<()> {
        let format = self.c_string(spec)?;
        let bits = self.ptr_bits();
        let value = self.settle(value, 64)?;
        let Some(value) = ops::concrete(value) else {
            return unsupported("printing a symbolic floating-point number");
        };
        let n = self.concretise(n, bits, 64, "the size of a buffer")?;
        let (mut spec, width, precision) = match parse(&format, bits).as_deref() {
            Ok([Item::Conversion { spec, width, precision }]) => (spec.clone(), *width, *precision),
            _ => return unsupported("a floating-point conversion of this form"),
        };
        if let Count::Number(w) = width {
            spec.width = w;
        }
        if let Count::Number(p) = precision {
            spec.precision = Some(p);
        }
        let mut out = Vec::new();
        crate::format::format_double(&spec, f64::from_bits(value), self.st.thread().rounding, &mut out);
        let stored = out.len().min((n as usize).saturating_sub(1));
        let mut at = buf;
        for byte in out[..stored].iter().copied().chain((n > 0).then_some(0)) {
            self.store(at, Ty::Int(8), Value::Int(u64::from(byte)))?;
            at = ops::bin(&mut self.m.pool, BinOp::Add, bits, at, Value::Int(1));
        }
        self.returns(Value::Int(out.len() as u64))
    }

    /// `strtod`, `strtof` and `strtold`, which also say whether the number is out of range; the text is made concrete.
    fn parse_float(&mut self, text: Value, end: Value, range: Value, (kind, parse): ParseFloat) -> Res<()> {
        let bytes = self.c_string(text)?;
        let parsed = parse(&bytes, self.st.thread().rounding);
        let end = self.settle_pointer(end)?;
        let bits = self.ptr_bits();
        let end = match self.is_null(end)? {
            true => None,
            false => Some(self.concrete_place(end, u64::from(bits / 8), true)?),
        };
        self.store(range, Ty::Int(32), Value::Int(u64::from(parsed.out_of_range)))?;
        if let Some(end) = end {
            let at = ops::bin(&mut self.m.pool, BinOp::Add, bits, text, Value::Int(parsed.used as u64));
            self.store(end, Ty::Ptr, at)?;
        }
        let number = self.value_of_pattern(kind, parsed.bits);
        self.returns(number)
    }
}
