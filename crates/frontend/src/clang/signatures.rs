//! What a C file declares, as C writes it: functions with the types of their parameters, and variables.
//!
//! LLVM IR does not say it: structures are passed in pieces there, and types have lost their names. clang's listing of
//! its syntax tree does; only its top two levels are read.
//!
//! Guarantee: a line that is not understood is left out, so that a function may be missing, and none is made up.

use std::path::Path;
use std::process::{Command, Stdio};

use super::find_clang;
use crate::{Error, Options};

/// A function that a file defines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// Its name.
    pub name: String,
    /// The type of its result.
    pub result: String,
    /// Its parameters: their names, if they have one, and their types.
    pub params: Vec<(Option<String>, String)>,
    /// It takes more arguments.
    pub is_variadic: bool,
}

/// A variable that a file defines outside of functions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// It cannot be written.
    pub is_const: bool,
}

/// What a file defines.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Definitions {
    /// Functions, in order.
    pub functions: Vec<Signature>,
    /// Variables, in order.
    pub variables: Vec<Variable>,
}

/// What `file` defines itself, and not what it includes.
pub fn definitions(file: &Path, options: &Options) -> Result<Definitions, Error> {
    let clang = find_clang()?;
    let mut command = Command::new(&clang);
    command.args(["-fsyntax-only", "-w", "-fno-color-diagnostics", "-Xclang", "-ast-dump"]);
    command.args(&options.clang_args).arg(file).stdin(Stdio::null());
    let output = command
        .output()
        .map_err(|source| Error::ClangNotRun { clang: clang.display().to_string(), source })?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(Error::Compile { path: file.to_owned(), stderr });
    }
    Ok(read(&String::from_utf8_lossy(&output.stdout), &file.to_string_lossy()))
}

/// Reads clang's listing of a file of this name.
fn read(listing: &str, file: &str) -> Definitions {
    let mut found = Definitions::default();
    // The function whose parts are read, and whether it belongs to the file.
    let mut open: Option<(Signature, bool)> = None;
    let mut is_here = false;
    for line in listing.lines() {
        is_here = place(line, file).unwrap_or(is_here);
        let Some(top) = line.strip_prefix("|-").or_else(|| line.strip_prefix("`-")) else {
            let part = line.get(2..).and_then(|l| l.strip_prefix("|-").or_else(|| l.strip_prefix("`-")));
            match (part, &mut open) {
                (Some(part), Some((signature, _))) if part.starts_with("ParmVarDecl ") => {
                    signature.params.extend(parameter(part));
                }
                (Some(part), Some(_)) if part.starts_with("CompoundStmt ") => {
                    if let Some((signature, true)) = open.take() {
                        found.functions.push(signature);
                    }
                }
                _ => {}
            }
            continue;
        };
        open = None;
        if top.starts_with("FunctionDecl ") {
            open = function(top).map(|signature| (signature, is_here));
        } else if top.starts_with("VarDecl ") && is_here {
            found.variables.extend(variable(top));
        }
    }
    found
}

/// Whether the place that a line begins with is in `file`; `None` if the line names none, or none in a file of its own.
fn place(line: &str, file: &str) -> Option<bool> {
    let mut is_here = None;
    let (_, rest) = line.split_once(" 0x")?;
    let quoted = rest.find('\'').unwrap_or(rest.len());
    // Of several places the last one counts: the next line is read in its light.
    for word in rest[..quoted].split(['<', '>', ',', ' ']) {
        let mut parts = word.rsplitn(3, ':');
        let is_number =
            |part: Option<&str>| part.is_some_and(|p| !p.is_empty() && p.bytes().all(|b| b.is_ascii_digit()));
        if is_number(parts.next())
            && is_number(parts.next())
            && let Some(name) = parts.next()
            && name != "line"
            && name != "col"
        {
            is_here = Some(name == file);
        }
    }
    is_here
}

/// The last word before the first quoted type, and that type.
fn name_and_type(line: &str) -> Option<(&str, &str)> {
    let (before, rest) = line.split_once('\'')?;
    let (ty, _) = rest.split_once('\'')?;
    Some((before.split_whitespace().next_back()?, ty))
}

fn function(line: &str) -> Option<Signature> {
    let (name, ty) = name_and_type(line)?;
    let (result, _) = split_type(ty)?;
    Some(Signature {
        name: name.to_owned(),
        result: result.trim().to_owned(),
        params: Vec::new(),
        is_variadic: own_params(ty)?.ends_with("..."),
    })
}

/// The parameters of a function itself: one that gives a pointer to a function has them inside, `int (*(char, ...))(int)`.
fn own_params(ty: &str) -> Option<&str> {
    let (result, params) = split_type(ty)?;
    match split_type(result.trim_end()) {
        Some((_, inner)) if inner.starts_with('*') => own_params(inner),
        _ => Some(params),
    }
}

/// `int (char, ...)` at the parenthesis that the last one closes.
fn split_type(ty: &str) -> Option<(&str, &str)> {
    let inner = ty.strip_suffix(')')?;
    let mut depth = 0;
    for (at, c) in inner.char_indices().rev() {
        match c {
            ')' => depth += 1,
            '(' if depth == 0 => return Some((&inner[..at], &inner[at + 1..])),
            '(' => depth -= 1,
            _ => {}
        }
    }
    None
}

fn parameter(line: &str) -> Option<(Option<String>, String)> {
    let (name, ty) = name_and_type(line)?;
    let has_name = !name.contains(':') && name != "sloc>" && !name.starts_with("0x");
    Some((has_name.then(|| name.to_owned()), ty.to_owned()))
}

fn variable(line: &str) -> Option<Variable> {
    let (name, ty) = name_and_type(line)?;
    let after = line.rsplit_once('\'').map_or("", |(_, after)| after);
    if after.split_whitespace().any(|word| word == "extern") {
        return None;
    }
    let element = ty.split('[').next().unwrap_or(ty).trim();
    let is_const = match element.rsplit_once('*') {
        Some((_, qualifiers)) => qualifiers.split_whitespace().any(|word| word == "const"),
        None => element.split_whitespace().any(|word| word == "const"),
    };
    Some(Variable { name: name.to_owned(), is_const })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LISTING: &str = "\
TranslationUnitDecl 0x1 <<invalid sloc>> <invalid sloc>
|-FunctionDecl 0x2 </usr/include/string.h:1:1, line:3:9> line:1:5 used helper 'int (int)' inline
| |-ParmVarDecl 0x3 <col:1, col:5> col:5 used x 'int'
| `-CompoundStmt 0x4 <col:9>
|-VarDecl 0x5 <dir/a.c:2:1, col:12> col:12 used count 'int' static cinit
|-VarDecl 0x5 <line:3:1, col:12> col:12 used names 'const char *const[3]' static cinit
|-VarDecl 0x5 <line:4:1, col:12> col:12 used text 'const char *'
|-VarDecl 0x5 <line:5:1, col:12> col:12 other 'int' extern
|-FunctionDecl 0x6 <line:6:1, col:13> col:5 declared 'int (int)'
| `-ParmVarDecl 0x7 <col:10> col:13 'int'
|-FunctionDecl 0x8 <line:7:1, col:131> col:19 f 'int (*(struct node *, cb, int, ...))(int)' static
| |-ParmVarDecl 0x9 <col:21, col:34> col:34 used n 'struct node *'
| |-ParmVarDecl 0xa <col:71, col:74> col:74 c 'cb':'int (*)(void *, int)'
| |-ParmVarDecl 0xb <col:106> col:109 'int'
| `-CompoundStmt 0xc <col:116, col:131>
`-FunctionDecl 0xd <line:8:1, col:56> col:13 g 'struct node (void)'
  `-CompoundStmt 0xe <col:21, col:56>
";

    #[test]
    fn definitions_of_the_file_itself_are_found_with_their_types() {
        let found = read(LISTING, "dir/a.c");
        let names: Vec<&str> = found.functions.iter().map(|f| f.name.as_str()).collect();
        assert_eq!(names, ["f", "g"]);
        let f = &found.functions[0];
        assert!(f.is_variadic);
        let named = |name: &str, ty: &str| (Some(name.to_owned()), ty.to_owned());
        assert_eq!(f.params, [named("n", "struct node *"), named("c", "cb"), (None, "int".to_owned())]);
        assert_eq!(
            (found.functions[1].result.as_str(), found.functions[1].is_variadic),
            ("struct node", false)
        );
        let variables: Vec<(&str, bool)> =
            found.variables.iter().map(|v| (v.name.as_str(), v.is_const)).collect();
        assert_eq!(variables, [("count", false), ("names", true), ("text", false)]);
    }

    #[test]
    fn the_parameters_of_a_type_are_those_of_its_last_parentheses() {
        assert_eq!(split_type("void (int, int (*)(void))"), Some(("void ", "int, int (*)(void)")));
        assert_eq!(split_type("int"), None);
    }
}
