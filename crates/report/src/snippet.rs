//! Quoted source lines with a caret under the place.
//!
//! Guarantees: the caret stands under the named column also after tabs and multi-byte characters (columns of debug
//! information count bytes); a place outside the text gives no quote instead of a wrong one.

use selvedge_engine::Place;

use crate::Sources;
use crate::paint::{Paint, Role, printable};

/// Lines quoted before the one in question.
const CONTEXT: usize = 2;

/// `file:line:column`, as much of it as is known.
pub(crate) fn place_name(place: &Place) -> String {
    let mut name = printable(&place.file);
    if !name.is_empty() && place.line != 0 {
        name.push_str(&format!(":{}", place.line));
        if place.column != 0 {
            name.push_str(&format!(":{}", place.column));
        }
    }
    name
}

/// The arrow line and the quote for `place`, each line ended by a newline. Of lines longer than `max` characters only
/// what is around the column is shown.
pub(crate) fn render(place: &Place, sources: &mut Sources, max: usize, paint: Paint) -> String {
    let name = place_name(place);
    let function = printable(&place.function);
    let known = !name.is_empty() && place.line != 0;
    let quote = if known { sources.lines(&place.dir, &place.file) } else { None };
    let quote = quote.filter(|lines| (place.line as usize) <= lines.len());
    let gutter = place.line.to_string().len();

    let arrow = paint.apply(Role::Gutter, "-->");
    let pad = " ".repeat(gutter);
    let mut out = match (name.is_empty(), function.is_empty()) {
        (true, true) => format!("{pad}{arrow} an unknown place\n"),
        (true, false) => format!("{pad}{arrow} function {function}\n"),
        (false, true) => format!("{pad}{arrow} {name}\n"),
        (false, false) => format!("{pad}{arrow} {name} in function {function}\n"),
    };
    let bar = paint.apply(Role::Gutter, "|");
    let equals = paint.apply(Role::Gutter, "=");
    let help = paint.apply(Role::Note, "help");
    let Some(lines) = quote else {
        let text = if known {
            "the source file is not there any more, or shorter: the line cannot be quoted"
        } else {
            "there is no source line: compile with -g"
        };
        out.push_str(&format!("{pad} {equals} {help}: {text}\n"));
        return out;
    };

    let line = place.line as usize;
    out.push_str(&format!("{pad} {bar}\n"));
    let caret = caret(&lines[line - 1], place.column as usize);
    // One window for all lines keeps them aligned.
    let is_long = printable(lines[line - 1].trim_end()).chars().count() > max;
    let start = match caret {
        Some((indent, _)) if is_long && indent > max / 2 + ELLIPSIS.len() => indent - max / 2,
        _ => 0,
    };
    for number in line.saturating_sub(CONTEXT).max(1)..=line {
        let shown = paint.apply(Role::Gutter, &format!("{number:>gutter$} |"));
        let text = window(&printable(lines[number - 1].trim_end()), start, max);
        out.push_str(format!("{shown} {text}").trim_end());
        out.push('\n');
    }
    if let Some((indent, width)) = caret {
        let cut = if start > 0 { start - ELLIPSIS.len() } else { 0 };
        let room = start.saturating_add(max).saturating_sub(indent).max(1);
        let mark = paint.apply(Role::Error, &"^".repeat(width.min(room)));
        out.push_str(&format!("{pad} {bar} {}{mark}\n", " ".repeat(indent - cut)));
    }
    out
}

/// Stands for what is cut.
const ELLIPSIS: &str = "...";

/// `max` characters of `text` from the `start`th on, with dots where something is missing.
fn window(text: &str, start: usize, max: usize) -> String {
    let length = text.chars().count();
    let before = if start > 0 && length > 0 { ELLIPSIS } else { "" };
    let after = if length > start.saturating_add(max) { ELLIPSIS } else { "" };
    let middle: String = text.chars().skip(start).take(max).collect();
    format!("{before}{middle}{after}")
}

/// Where the caret starts in the printed line, and how many characters it marks: a whole identifier or number, else one.
fn caret(line: &str, column: usize) -> Option<(usize, usize)> {
    let start = column.checked_sub(1)?;
    let (before, rest) = (line.get(..start)?, line.get(start..)?);
    let word = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').count();
    Some((printable(before).chars().count(), word.max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    #[track_caller]
    fn check(source: &str, line: u32, column: u32, expected: Expect) {
        let mut sources = Sources::none();
        sources.insert("/src/a.c", source);
        let place = Place { file: "a.c".into(), dir: "/src".into(), line, column, function: "main".into() };
        // The headline keeps the indentation visible: `expect!` removes what all lines share.
        expected.assert_eq(&format!("error\n{}", render(&place, &mut sources, 60, Paint::new(false))));
    }

    #[test]
    fn the_line_is_quoted_with_two_lines_before_it() {
        let source = "int a;\nint b;\nint c;\nint main(void) {\n    return value;\n}\n";
        check(
            source,
            5,
            12,
            expect![[r#"
                error
                 --> a.c:5:12 in function main
                  |
                3 | int c;
                4 | int main(void) {
                5 |     return value;
                  |            ^^^^^
            "#]],
        );
    }

    #[test]
    fn the_first_line_has_nothing_before_it() {
        check(
            "x = 1;\n",
            1,
            3,
            expect![[r#"
                error
                 --> a.c:1:3 in function main
                  |
                1 | x = 1;
                  |   ^
            "#]],
        );
    }

    #[test]
    fn tabs_and_multi_byte_characters_do_not_shift_the_caret() {
        check(
            "\t/* é */ bad();\n",
            1,
            11,
            expect![[r#"
                error
                 --> a.c:1:11 in function main
                  |
                1 |     /* é */ bad();
                  |             ^^^
            "#]],
        );
    }

    #[test]
    fn a_very_long_line_is_cut_around_the_column() {
        let source = format!("int a;\nint x[] = {{ {}bad(), {} }};\n", "0, ".repeat(100), "1, ".repeat(100));
        check(
            &source,
            2,
            313,
            expect![[r#"
            error
             --> a.c:2:313 in function main
              |
            1 | ...
            2 | ...0, 0, 0, 0, 0, 0, 0, 0, 0, 0, bad(), 1, 1, 1, 1, 1, 1, 1, 1,...
              |                                  ^^^
        "#]],
        );
        check(
            &source,
            2,
            5,
            expect![[r#"
            error
             --> a.c:2:5 in function main
              |
            1 | int a;
            2 | int x[] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ...
              |     ^
        "#]],
        );
    }

    #[test]
    fn a_column_past_the_end_or_inside_a_character_gives_no_caret() {
        for column in [0, 3, 99] {
            let mut sources = Sources::none();
            sources.insert("a.c", "é;\n".repeat(10).as_str());
            let place = Place {
                file: "a.c".into(),
                line: 10,
                column: column - u32::from(column == 3),
                ..Place::default()
            };
            assert!(!render(&place, &mut sources, 60, Paint::new(false)).contains('^'));
        }
    }

    #[test]
    fn a_line_past_the_end_of_the_file_is_not_quoted() {
        check(
            "x\n",
            7,
            1,
            expect![[r#"
                error
                 --> a.c:7:1 in function main
                  = help: the source file is not there any more, or shorter: the line cannot be quoted
            "#]],
        );
    }

    #[test]
    fn without_debug_information_the_user_is_told_what_to_do() {
        let place = Place { function: "f".into(), ..Place::default() };
        expect![[r#"
            error
             --> function f
              = help: there is no source line: compile with -g
        "#]]
        .assert_eq(&format!("error\n{}", render(&place, &mut Sources::none(), 60, Paint::new(false))));
    }
}
