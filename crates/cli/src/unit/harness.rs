//! The program that calls one function with arguments from outside, in C: it includes the function's file, so that the
//! compiler reads types, macros and the assumption as it reads the file.

use std::fmt::Write as _;
use std::path::Path;

use selvedge_frontend::{Definitions, Signature};

use crate::args::GlobalsArg;

/// Where the program begins.
pub(super) const ENTRY: &str = "selvedge_unit_entry";

/// The names of a function's parameters and their types; what has no name gets one.
pub(super) fn params(function: &Signature) -> Vec<(String, String)> {
    let named = |(i, (name, ty)): (usize, &(Option<String>, String))| {
        (name.clone().unwrap_or_else(|| format!("argument{}", i + 1)), ty.clone())
    };
    function.params.iter().enumerate().map(named).collect()
}

/// The program for `function` of the file at `path`.
pub(super) fn program(
    path: &Path,
    definitions: &Definitions,
    function: &Signature,
    assume: &[String],
    globals: GlobalsArg,
) -> String {
    let params = params(function);
    let mut out = String::new();
    let _ = writeln!(out, "#include {:?}", path.display().to_string());
    out.push_str(
        "#ifndef NULL\n#define NULL ((void *)0)\n#endif\n\
         void selvedge_outside(void *, __SIZE_TYPE__, const char *);\n\
         void selvedge_assume(_Bool);\n\
         void __selvedge_assumed(const char *);\n\
         void __selvedge_result(const void *, __SIZE_TYPE__);\n",
    );
    let list: Vec<String> = params.iter().map(|(name, ty)| format!("__typeof__({ty}) {name}")).collect();
    let list = if list.is_empty() { "void".to_owned() } else { list.join(", ") };
    for (i, condition) in assume.iter().enumerate() {
        let _ = writeln!(out, "static _Bool selvedge_assumption{i}({list})\n{{\n#line 1 \"--assume\"");
        let _ = writeln!(out, "return !!({condition});\n}}");
    }
    let _ = writeln!(out, "int {ENTRY}(void)\n{{");
    let changing = definitions.variables.iter().filter(|variable| !variable.is_const);
    match globals {
        GlobalsArg::Any => {
            for name in changing.map(|variable| &variable.name) {
                let _ = writeln!(out, "    selvedge_outside((void *)&{name}, sizeof {name}, \"{name}\");");
            }
        }
        GlobalsArg::Initial => {
            if changing.count() > 0 {
                out.push_str("    __selvedge_assumed(\"outside.globals\");\n");
            }
        }
    }
    for (i, (name, ty)) in params.iter().enumerate() {
        let _ = writeln!(out, "    __typeof__({ty}) selvedge_argument{i};");
        let _ = writeln!(
            out,
            "    selvedge_outside((void *)&selvedge_argument{i}, sizeof selvedge_argument{i}, \"{name}\");"
        );
    }
    let args: Vec<String> = (0..params.len()).map(|i| format!("selvedge_argument{i}")).collect();
    let args = args.join(", ");
    for i in 0..assume.len() {
        let _ = writeln!(out, "    selvedge_assume(selvedge_assumption{i}({args}));");
    }
    let call = format!("{}({args})", function.name);
    if function.result == "void" {
        let _ = writeln!(out, "    {call};\n    __selvedge_result(0, 0);");
    } else {
        let _ = writeln!(out, "    __typeof__({call}) selvedge_result = {call};");
        out.push_str("    __selvedge_result((const void *)&selvedge_result, sizeof selvedge_result);\n");
    }
    out.push_str("    return 0;\n}\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_argument_without_a_name_gets_one_and_assumptions_see_the_parameters() {
        let function = Signature {
            name: "f".to_owned(),
            result: "int".to_owned(),
            params: vec![(Some("p".to_owned()), "char *".to_owned()), (None, "int".to_owned())],
            is_variadic: false,
        };
        let definitions = Definitions::default();
        let text =
            program(Path::new("/a.c"), &definitions, &function, &["p != NULL".to_owned()], GlobalsArg::Any);
        assert!(text.starts_with("#include \"/a.c\"\n"), "{text}");
        assert!(text.contains("(__typeof__(char *) p, __typeof__(int) argument2)"), "{text}");
        assert!(text.contains("return !!(p != NULL);"), "{text}");
        assert!(text.contains("selvedge_result = f(selvedge_argument0, selvedge_argument1);"), "{text}");
    }
}
