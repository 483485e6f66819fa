//! One function of a larger program: its paths with their conditions, the errors among them, and tests.
//!
//! Guarantee: an error is called under-constrained unless it happens for all arguments; whether a caller can pass the
//! arguments of one is not known here.

mod json;
mod test;
mod text;

use selvedge_engine::{CellValue, InputKind, Outcome, OutsideCase, PathEndKind, TestCase};

pub use json::{Function, function, json};
pub use test::{Native, test};
pub use text::{Row, row, table, text};

/// What is known of a function after all its paths were looked at.
#[derive(Clone, Copy, Debug)]
pub struct Unit<'a> {
    /// Its name.
    pub function: &'a str,
    /// The names of its parameters.
    pub params: &'a [String],
    /// The file that defines it.
    pub file: &'a str,
    /// What the search found.
    pub outcome: &'a Outcome,
    /// The tests that were written, one for each path; none if nobody asked for them.
    pub tests: &'a [String],
}

impl Unit<'_> {
    /// Branch directions taken, and how many there are.
    fn branches(&self) -> (u64, u64) {
        let function = self.outcome.coverage.functions.iter().find(|f| f.name == self.function);
        function.map_or((0, 0), |f| (f.branches_taken, f.branches))
    }

    /// The paths in which a bug happens.
    fn failing(&self, bug: usize) -> impl Iterator<Item = &TestCase> {
        self.outcome.tests.iter().filter(move |test| test.end == PathEndKind::Bug(bug))
    }

    /// Whether a bug happens whatever the arguments are.
    fn is_certain(&self, bug: usize) -> bool {
        self.failing(bug).any(|test| conjuncts(test).is_empty())
    }

    /// Conditions each of which excludes some of the paths with a bug, and all of them together every one; none if one of
    /// them cannot be told in C.
    fn excluding(&self, bug: usize) -> Vec<&str> {
        let mut found: Vec<&str> = Vec::new();
        for text in self.failing(bug).filter_map(|test| test.outside.as_ref()?.excluded.as_deref()) {
            if !found.contains(&text) {
                found.push(text);
            }
        }
        if found.iter().any(|text| text.contains("...")) { Vec::new() } else { found }
    }
}

fn conjuncts(test: &TestCase) -> &[String] {
    test.outside.as_ref().map_or(&[], |outside| &outside.condition)
}

/// A condition in one line; `always` if there is none.
fn condition(test: &TestCase) -> String {
    let grouped = |text: &String| if text.contains(" || ") { format!("({text})") } else { text.clone() };
    let parts: Vec<String> = conjuncts(test).iter().map(grouped).collect();
    if parts.is_empty() { "always".to_owned() } else { parts.join(" && ") }
}

/// What a path comes to.
fn end(unit: &Unit<'_>, test: &TestCase) -> String {
    match test.end {
        PathEndKind::Bug(bug) => {
            let bug = &unit.outcome.bugs[bug];
            format!("error[{}]: {}", bug.kind.name(), bug.message)
        }
        PathEndKind::Cut => "not followed to its end".to_owned(),
        PathEndKind::Exit(code) => match test.outside.as_ref().and_then(returned) {
            Some(text) => text,
            None => format!("exits with {code}"),
        },
    }
}

fn returned(outside: &OutsideCase) -> Option<String> {
    let cells = outside.result.as_ref()?;
    let texts: Vec<String> = cells
        .iter()
        .enumerate()
        .map(|(i, cell)| {
            let text = outside.result_texts.get(i).cloned().flatten();
            let value = text.unwrap_or_else(|| value(outside, &cell.value));
            if cell.path.is_empty() { value } else { format!("{} = {value}", cell.path) }
        })
        .collect();
    Some(match cells.as_slice() {
        [] => "returns".to_owned(),
        [one] if one.path.is_empty() => format!("returns {}", texts[0]),
        _ => format!("returns {{{}}}", texts.join(", ")),
    })
}

fn value(outside: &OutsideCase, value: &CellValue) -> String {
    match value {
        CellValue::Number(text) => text.clone(),
        CellValue::Bytes(bytes) => {
            let bytes: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            format!("bytes {}", bytes.join(" "))
        }
        CellValue::Null => "NULL".to_owned(),
        CellValue::Address { object, offset } => {
            let object = &outside.objects[*object];
            let index = offset / object.element.max(1);
            match (object.is_variable, offset % object.element.max(1)) {
                (true, 0) if index == 0 => format!("&{}", object.name),
                (false, 0) if index == 0 => object.name.clone(),
                (false, 0) => format!("&{}[{index}]", object.name),
                _ => format!("(char *){} + {offset}", object.name),
            }
        }
        CellValue::Other(_) => "a pointer that is not NULL".to_owned(),
        CellValue::Elsewhere => "a pointer to other memory".to_owned(),
    }
}

/// Whether a native run of a path does what was predicted: not if it depends on files, the clock and the like, on what was
/// never written, or on addresses.
fn is_comparable(test: &TestCase) -> bool {
    let sees_layout = test.outside.as_ref().is_some_and(|outside| outside.sees_layout);
    !sees_layout && test.inputs.iter().all(|input| input.kind == InputKind::Program)
}

#[cfg(test)]
mod tests {
    use selvedge_engine::{Cell, FunctionCoverage, OutsideObject, Verdict};

    use super::*;
    use crate::sample;
    use crate::text::Detail;
    use expect_test::expect;

    fn cell(path: &str, ty: &str, value: CellValue) -> Cell {
        Cell { path: path.to_owned(), offset: 0, ty: ty.to_owned(), value }
    }

    fn number(text: &str) -> CellValue {
        CellValue::Number(text.to_owned())
    }

    /// `int first(int *p, int n)`: null without elements, and an error that depends on `n`.
    fn outcome() -> Outcome {
        let variable = |name: &str, ty: &str, value: CellValue| OutsideObject {
            name: name.to_owned(),
            ty: ty.to_owned(),
            element: 8,
            count: 1,
            is_variable: true,
            before: vec![cell("", ty, value)],
            ..OutsideObject::default()
        };
        let array = OutsideObject {
            name: "p".to_owned(),
            ty: "int".to_owned(),
            element: 4,
            count: 1,
            before: vec![cell("[0]", "int", number("5"))],
            after: vec![cell("[0]", "int", number("6"))],
            ..OutsideObject::default()
        };
        let to_array = CellValue::Address { object: 2, offset: 0 };
        let test = |end, condition: &[&str], p: CellValue, result: Option<CellValue>| TestCase {
            inputs: Vec::new(),
            end,
            stdout: Vec::new(),
            outside: Some(OutsideCase {
                condition: condition.iter().map(|text| (*text).to_owned()).collect(),
                excluded: Some("n > 0".to_owned()),
                objects: vec![variable("p", "int *", p), variable("n", "int", number("1")), array.clone()],
                result: result.map(|value| vec![cell("", "int", value)]),
                ..OutsideCase::default()
            }),
        };
        let mut outcome = sample::unsafe_();
        outcome.tests = vec![
            test(PathEndKind::Exit(0), &["p == NULL"], CellValue::Null, Some(number("0"))),
            test(PathEndKind::Exit(0), &["p != NULL", "n > 0"], to_array.clone(), Some(number("6"))),
            test(PathEndKind::Bug(0), &["p != NULL", "n < 1"], to_array, None),
        ];
        outcome.bugs.truncate(1);
        outcome.assumptions.clear();
        outcome.coverage.functions =
            vec![FunctionCoverage { name: "first".to_owned(), branches_taken: 3, branches: 4 }];
        outcome
    }

    fn params() -> [String; 2] {
        ["p".to_owned(), "n".to_owned()]
    }

    #[test]
    fn the_report_lists_paths_and_says_what_excludes_an_error() {
        let (outcome, params) = (outcome(), params());
        let unit =
            Unit { function: "first", params: &params, file: "first.c", outcome: &outcome, tests: &[] };
        expect![[r#"
            first(p, n) in first.c
               1  p == NULL           returns 0
               2  p != NULL && n > 0  returns 6
               3  p != NULL && n < 1  error[memory]: out-of-bounds read of 4 bytes at offset 40 of "buf" (40 bytes)

            error[memory, under-constrained]: out-of-bounds read of 4 bytes at offset 40 of "buf" (40 bytes)
              --> sum.c:6
              if p != NULL && n < 1
              not if the caller sees to it that n > 0

            branches: 3 of 4 taken (75 %)
            UNSAFE  1 error under-constrained: callers may never pass such arguments; 3 paths in 0.02 s
        "#]]
        .assert_eq(&text(&unit, Detail::Normal, false));
        assert_eq!(unit.outcome.verdict, Verdict::Unsafe);
    }

    #[test]
    fn a_test_builds_the_memory_and_compares_what_is_left_of_it() {
        let (outcome, names) = (outcome(), params());
        let unit = Unit { function: "first", params: &names, file: "first.c", outcome: &outcome, tests: &[] };
        let params = [("p".to_owned(), "int *".to_owned()), ("n".to_owned(), "int".to_owned())];
        let native = Native { file: "/src/first.c", params: &params, clang_args: &["-DN=4".to_owned()] };
        let program = test(&unit, native, 1);
        let (head, main) = program.split_once("int main(void)\n").expect("a program");
        assert!(head.contains(" * if    p != NULL && n > 0\n * then  returns 6\n"), "{head}");
        assert!(
            head.contains("cc -g -DN=4 THIS_FILE") && head.contains("#include \"/src/first.c\""),
            "{head}"
        );
        expect![[r#"
            {
                int *selvedge_p_2 = calloc(1, sizeof *selvedge_p_2); /* p */
                __typeof__(int *) p = (void *)selvedge_p_2;
                __typeof__(int) n = 1;
                selvedge_p_2[0] = 5;
                __typeof__(first(p, n)) selvedge_result = first(p, n);
                SELVEDGE_CHECK(selvedge_result == 6);
                SELVEDGE_CHECK(selvedge_p_2[0] == 6);
                return selvedge_end();
            }
        "#]]
        .assert_eq(main);
        let failing = test(&unit, native, 2);
        assert!(
            failing.contains("then  error[memory]") && !failing.contains("    SELVEDGE_CHECK("),
            "{failing}"
        );
    }
}
