//! How places are quoted.

use super::*;
use expect_test::{Expect, expect};

fn span(place: Place, label: &str, is_primary: bool) -> Span {
    Span { place, length: 0, label: label.into(), is_primary }
}

fn place(line: u32, column: u32) -> Place {
    Place { file: "a.c".into(), dir: "/src".into(), line, column, function: "main".into() }
}

fn message(spans: Vec<Span>) -> Message<'static> {
    Message { level: Level::ERROR, id: None, title: "wrong".into(), spans, notes: Vec::new() }
}

#[track_caller]
fn check_all(source: &str, spans: Vec<Span>, expected: Expect) {
    let mut sources = Sources::none();
    sources.insert("/src/a.c", source);
    expected.assert_eq(&render(&message(spans), &mut sources, &renderer(false, 80)));
}

#[track_caller]
fn check(source: &str, line: u32, column: u32, expected: Expect) {
    check_all(source, vec![span(place(line, column), "in function main", true)], expected);
}

#[test]
fn the_line_is_quoted_with_two_lines_before_it() {
    let source = "int a;\nint b;\nint c;\nint main(void) {\n    return value;\n}\n";
    check(
        source,
        5,
        12,
        expect![[r#"
            error: wrong
             --> a.c:5:12
              |
            3 | int c;
            4 | int main(void) {
            5 |     return value;
              |            ^^^^^ in function main
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
            error: wrong
             --> a.c:1:3
              |
            1 | x = 1;
              |   ^ in function main
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
            error: wrong
             --> a.c:1:10
              |
            1 |     /* é */ bad();
              |             ^^^ in function main
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
            error: wrong
             --> a.c:2:313
              |
            1 | ...
            2 | ... 0, 0, 0, 0, 0, 0, 0, 0, bad(), 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,...
              |                             ^^^ in function main
        "#]],
    );
    check(
        &source,
        2,
        5,
        expect![[r#"
            error: wrong
             --> a.c:2:5
              |
            1 | int a;
            2 | int x[] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0...
              |     ^ in function main
        "#]],
    );
}

#[test]
fn a_line_without_a_column_or_with_one_that_it_does_not_have_is_marked_as_a_whole() {
    let quoted = |column| {
        let spans = vec![span(place(1, column), "in function main", true)];
        let mut sources = Sources::none();
        sources.insert("/src/a.c", "é;\n");
        render(&message(spans), &mut sources, &renderer(false, 80))
    };
    expect![[r#"
        error: wrong
         --> a.c:1:1
          |
        1 | é;
          | ^^ in function main
    "#]]
    .assert_eq(&quoted(0));
    assert_eq!((quoted(2), quoted(99)), (quoted(0), quoted(0)));
}

#[test]
fn a_line_past_the_end_of_the_file_is_not_quoted() {
    check(
        "x\n",
        7,
        1,
        expect![[r#"
            error: wrong
            --> a.c:7:1
             = note: in function main
             = help: the source file is not there any more, or shorter: the line cannot be quoted
        "#]],
    );
}

#[test]
fn without_debug_information_the_user_is_told_what_to_do() {
    let place = Place { function: "f".into(), ..Place::default() };
    expect![[r#"
        error: wrong
         |
         = note: in function f
         = help: there is no source line: compile with -g
    "#]]
    .assert_eq(&render(
        &message(vec![span(place, "in function f", true)]),
        &mut Sources::none(),
        &renderer(false, 80),
    ));
}

#[test]
fn places_in_one_file_are_quoted_together() {
    let source = "int a;\n\n\n\nint f(void)\n{\n    int *p = malloc(4);\n    free(p);\n    return *p;\n}\n";
    check_all(
        source,
        vec![
            span(place(7, 14), "allocated here", false),
            span(place(8, 5), "freed here", false),
            span(place(9, 12), "in function f", true),
            span(place(1, 0), "declared here", false),
        ],
        expect![[r#"
            error: wrong
             --> a.c:9:12
              |
            1 | int a;
              | ------ declared here
            ...
            7 |     int *p = malloc(4);
              |              ------ allocated here
            8 |     free(p);
              |     ---- freed here
            9 |     return *p;
              |            ^ in function f
        "#]],
    );
}

#[test]
fn two_threads_at_one_place_have_a_label_each() {
    let labels = ["(1) thread 1 writes", "(2) thread 2 writes"];
    let spans = labels.iter().enumerate().map(|(i, label)| span(place(1, 1), label, i == 1));
    check_all(
        "counter++;\n",
        spans.collect(),
        expect![[r#"
        error: wrong
         --> a.c:1:1
          |
        1 | counter++;
          | ^^^^^^^
          | |
          | (1) thread 1 writes
          | (2) thread 2 writes
    "#]],
    );
}

#[test]
fn another_file_has_a_line_that_names_it() {
    let mut sources = Sources::none();
    sources.insert("/src/a.c", "int x = f();\n");
    sources.insert("/src/b.h", "int f(void);\n");
    let other = Place { file: "b.h".into(), ..place(1, 5) };
    let gone = Place { file: "gone.h".into(), ..place(3, 5) };
    let spans = vec![
        span(other, "declared here", false),
        span(place(1, 9), "in function main", true),
        span(gone, "freed here", false),
    ];
    expect![[r#"
        error: wrong
         --> a.c:1:9
          |
        1 | int x = f();
          |         ^ in function main
          |
         ::: b.h:1:5
          |
        1 | int f(void);
          |     - declared here
          |
          = note: freed at gone.h:3:5
    "#]]
    .assert_eq(&render(&message(spans), &mut sources, &renderer(false, 80)));
}

#[test]
fn control_characters_of_a_source_do_not_reach_the_terminal() {
    let mut sources = Sources::none();
    sources.insert("/src/a.c", "/* \x1b[31m \u{9b} */ bad();\n");
    let text = render(&message(vec![span(place(1, 15), "", true)]), &mut sources, &renderer(false, 80));
    assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
}
