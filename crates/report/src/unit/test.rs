//! A test of one path as a C program: it builds the arguments and the memory behind them, calls the function, and
//! compares what comes back and what has become of the memory.
//!
//! Guarantees: it is compiled with the flags of the file itself; it exits with 0 if everything is as predicted, with 1 if
//! something differs, and where the path ends in an error it says so and predicts nothing.

use std::fmt::Write as _;

use selvedge_engine::{Cell, CellValue, InputKind, OutsideCase, OutsideObject, PathEndKind, TestCase};

use super::{Unit, condition, end, is_comparable};

/// Objects with more scalars are compared where they have changed.
const COMPARED: usize = 256;

/// What of a function only its source says.
#[derive(Clone, Copy, Debug)]
pub struct Native<'a> {
    /// The file, so that every folder leads to it.
    pub file: &'a str,
    /// Names of parameters and their types, as in C.
    pub params: &'a [(String, String)],
    /// Arguments for clang.
    pub clang_args: &'a [String],
}

/// The program.
pub fn test(unit: &Unit<'_>, native: Native<'_>, index: usize) -> String {
    let test = &unit.outcome.tests[index];
    let none = OutsideCase::default();
    let outside = test.outside.as_ref().unwrap_or(&none);
    let mut out = String::new();
    let comment = |text: &str| text.replace("*/", "* /").replace('\n', " ");
    let _ = writeln!(out, "/* {}, path {} of {}\n *", unit.function, index + 1, unit.outcome.tests.len());
    let _ =
        writeln!(out, " * if    {}\n * then  {}\n *", comment(&condition(test)), comment(&end(unit, test)));
    let flags: String = native.clang_args.iter().map(|arg| format!(" {arg}")).collect();
    if !is_comparable(test) {
        out.push_str(" * This depends on the program's surroundings, on addresses, or on what was never written: nothing is compared.\n *\n");
    }
    if test.end == PathEndKind::Cut {
        out.push_str(" * The path was not followed to its end: the call may run for ever, or use memory behind what is built here.\n *\n");
    }
    let _ = writeln!(out, " * cc -g{} THIS_FILE && ./a.out\n */", comment(&flags));
    out.push_str("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n");
    let _ =
        writeln!(out, "#define main selvedge_main_of_the_file\n#include {:?}\n#undef main\n", native.file);
    out.push_str(CHECKS);
    let mut body = String::new();
    objects(outside, &mut body);
    variables(outside, native, &mut body);
    fill(outside, &mut body);
    call(unit, test, outside, native, &mut body);
    if body.contains(UNKNOWN) {
        functions(test, &mut out);
    }
    let _ = write!(out, "\nint main(void)\n{{\n{body}}}\n");
    out
}

const CHECKS: &str = "\
static int selvedge_wrong;
static void selvedge_compare(int is_right, const char *what)
{
    if (!is_right) {
        printf(\"differs: %s\\n\", what);
        selvedge_wrong++;
    }
}
static int selvedge_end(void)
{
    printf(\"%s\\n\", selvedge_wrong ? \"not as predicted\" : \"as predicted\");
    return selvedge_wrong != 0;
}
#define SELVEDGE_CHECK(condition) selvedge_compare(!!(condition), #condition)
";

/// The name of an object in the test.
fn name(index: usize, object: &OutsideObject) -> String {
    if object.is_variable {
        return object.name.clone();
    }
    let words: Vec<&str> = object
        .name
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|w| !w.is_empty())
        .collect();
    format!("selvedge_{}_{index}", words.join("_"))
}

/// A type that stands in front of a `*`.
fn has_type(object: &OutsideObject) -> bool {
    let ty = object.ty.trim_end_matches(' ');
    !matches!(ty, "" | "struct" | "union" | "enum" | "function" | "void") && !ty.ends_with(']')
}

/// The name of what is called in place of functions that nobody knows.
const UNKNOWN: &str = "selvedge_unknown_function";

/// Values for functions that nobody knows.
fn functions(test: &TestCase, out: &mut String) {
    let asked = test.inputs.iter().filter(|i| i.kind == InputKind::Program && i.name.contains("()"));
    let values: Vec<String> =
        asked.map(|input| format!("{}LL", input.value)).chain(["0".to_owned()]).collect();
    let _ = writeln!(
        out,
        "static long long {UNKNOWN}(void)\n{{\n    static const long long values[] = {{{}}};\n    static unsigned n;\n    \
         return n < {} ? values[n++] : 0;\n}}",
        values.join(", "),
        values.len(),
    );
}

fn objects(outside: &OutsideCase, out: &mut String) {
    for (i, object) in outside.objects.iter().enumerate().filter(|(_, object)| !object.is_variable) {
        let (name, OutsideObject { count, element, ty, .. }) = (name(i, object), object);
        let _ = match has_type(object) {
            true => {
                writeln!(out, "    {ty} *{name} = calloc({count}, sizeof *{name}); /* {} */", object.name)
            }
            false => writeln!(out, "    char *{name} = calloc({count}, {element}); /* {} */", object.name),
        };
    }
    for i in 0..outside.others {
        let _ = writeln!(out, "    char *selvedge_other{i} = calloc(1, 64);");
    }
}

/// A pointer as an expression of any pointer type.
fn pointer(outside: &OutsideCase, value: &CellValue) -> Option<String> {
    Some(match value {
        CellValue::Null => "0".to_owned(),
        CellValue::Other(i) => format!("(void *)selvedge_other{i}"),
        CellValue::Address { object, offset } => {
            let target = &outside.objects[*object];
            let and = if target.is_variable { "&" } else { "" };
            match offset {
                0 => format!("(void *){and}{}", name(*object, target)),
                _ => format!("(void *)((char *){and}{} + {offset})", name(*object, target)),
            }
        }
        _ => return None,
    })
}

/// The parameters, those of one scalar with their values.
fn variables(outside: &OutsideCase, native: Native<'_>, out: &mut String) {
    let has_unknown = |value: &CellValue| matches!(value, CellValue::Other(_));
    for (param, ty) in native.params {
        let object = outside.objects.iter().find(|object| object.is_variable && object.name == *param);
        let cell = object.and_then(|object| match object.before.as_slice() {
            [one] if one.path.is_empty() => Some(one),
            _ => None,
        });
        let is_function = ty.contains("(*)") || cell.is_some_and(|cell| cell.ty.starts_with("function"));
        let value = match cell.map(|cell| &cell.value) {
            Some(value) if is_function && has_unknown(value) => Some(format!("(void *){UNKNOWN}")),
            Some(CellValue::Number(text)) => Some(text.clone()),
            Some(value) => pointer(outside, value),
            None => None,
        };
        let _ = match value {
            Some(value) => writeln!(out, "    __typeof__({ty}) {param} = {value};"),
            None => writeln!(
                out,
                "    __typeof__({ty}) {param};\n    memset((void *)&{param}, 0, sizeof {param});"
            ),
        };
    }
}

/// A scalar as an expression that can be assigned, if C has a name for it.
fn place(index: usize, object: &OutsideObject, cell: &Cell) -> Option<String> {
    (object.is_variable || has_type(object)).then(|| format!("{}{}", name(index, object), cell.path))
}

/// The address of a scalar.
fn address(index: usize, object: &OutsideObject, cell: &Cell) -> String {
    let and = if object.is_variable { "&" } else { "" };
    format!("(char *){and}{} + {}", name(index, object), cell.offset)
}

fn bytes(bytes: &[u8]) -> String {
    let text: String = bytes.iter().map(|byte| format!("\\x{byte:02x}")).collect();
    format!("\"{text}\"")
}

fn fill(outside: &OutsideCase, out: &mut String) {
    for (i, object) in outside.objects.iter().enumerate() {
        let is_whole = |cell: &Cell| cell.path.is_empty() && object.is_variable;
        for cell in &object.before {
            let is_set = is_whole(cell) && !matches!(cell.value, CellValue::Bytes(_));
            let is_zero = match &cell.value {
                CellValue::Number(text) => text == "0" && !object.is_variable,
                CellValue::Bytes(bytes) => bytes.iter().all(|byte| *byte == 0),
                CellValue::Null => !object.is_variable,
                _ => false,
            };
            if is_set || is_zero {
                continue;
            }
            let _ = match (&cell.value, place(i, object, cell)) {
                (CellValue::Bytes(raw), _) => {
                    writeln!(out, "    memcpy({}, {}, {});", address(i, object, cell), bytes(raw), raw.len())
                }
                (CellValue::Number(text), Some(place)) => writeln!(out, "    {place} = {text};"),
                (CellValue::Other(_), Some(place)) if cell.ty.starts_with("function") => {
                    writeln!(out, "    {place} = (void *){UNKNOWN};")
                }
                (value, Some(place)) => match pointer(outside, value) {
                    Some(value) => writeln!(out, "    {place} = {value};"),
                    None => Ok(()),
                },
                (CellValue::Number(text), None) => {
                    let ty = &cell.ty;
                    writeln!(out, "    *({ty} *)({}) = {text};", address(i, object, cell))
                }
                (value, None) => match pointer(outside, value) {
                    Some(value) => writeln!(out, "    *(void **)({}) = {value};", address(i, object, cell)),
                    None => Ok(()),
                },
            };
        }
    }
}

fn call(unit: &Unit<'_>, test: &TestCase, outside: &OutsideCase, native: Native<'_>, out: &mut String) {
    let args: Vec<&str> = native.params.iter().map(|(name, _)| name.as_str()).collect();
    let call = format!("{}({})", unit.function, args.join(", "));
    let returns = matches!(test.end, PathEndKind::Exit(_)).then_some(outside.result.as_deref()).flatten();
    let returns = returns.filter(|_| is_comparable(test));
    match returns {
        None => {
            let _ = writeln!(out, "    {call};");
            out.push_str("    return 0;\n");
            return;
        }
        Some([]) => {
            let _ = writeln!(out, "    {call};");
        }
        Some(cells) => {
            let _ = writeln!(out, "    __typeof__({call}) selvedge_result = {call};");
            for cell in cells {
                compare(outside, "selvedge_result", "(char *)&selvedge_result", cell, out);
            }
        }
    }
    for (i, object) in outside.objects.iter().enumerate() {
        let is_argument = object.is_variable && native.params.iter().any(|(name, _)| *name == object.name);
        if is_argument || object.is_freed {
            continue;
        }
        let base = name(i, object);
        let and = if object.is_variable { "&" } else { "" };
        for cell in &object.after {
            let is_same = object.before.contains(cell);
            if is_same && object.after.len() > COMPARED {
                continue;
            }
            let named = if has_type(object) || object.is_variable { base.as_str() } else { "" };
            compare(outside, named, &format!("(char *){and}{base}"), cell, out);
        }
    }
    out.push_str("    return selvedge_end();\n");
}

/// Compares a scalar of the object that is called `base`, or is at `address` if it has no name.
fn compare(outside: &OutsideCase, base: &str, address: &str, cell: &Cell, out: &mut String) {
    let place = match base {
        "" => format!("*({} *)({address} + {})", cell.ty, cell.offset),
        base => format!("{base}{}", cell.path),
    };
    let _ = match &cell.value {
        CellValue::Number(text) => writeln!(out, "    SELVEDGE_CHECK({place} == {text});"),
        CellValue::Bytes(raw) => writeln!(
            out,
            "    SELVEDGE_CHECK(memcmp({address} + {}, {}, {}) == 0);",
            cell.offset,
            bytes(raw),
            raw.len()
        ),
        CellValue::Elsewhere => writeln!(out, "    SELVEDGE_CHECK((void *){place} != 0);"),
        CellValue::Other(_) if cell.ty.starts_with("function") => Ok(()),
        value => match pointer(outside, value) {
            Some(value) => writeln!(out, "    SELVEDGE_CHECK((void *){place} == {value});"),
            None => Ok(()),
        },
    };
}
