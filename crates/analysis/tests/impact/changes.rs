//! What is a difference, and what is not.

use super::{check, is_same};

const BASE: &str = "
struct pair { char kind; int size; };
static int limit = 3;
static const char *name = \"first\";
static int twice(int n) { return 2 * n; }
int sum(struct pair *p, int n) {
  int total = 0;
  for (int i = 0; i < n; i++)
    total += twice(p[i].size);
  return total > limit ? limit : total;
}
int main(void) {
  struct pair all[3] = { { 1, 2 }, { 3, 4 }, { 5, 6 } };
  int s = sum(all, 3);
  assert(s <= limit && name[0] == 'f');
  return 0;
}
";

fn edited(edits: &[(&str, &str)]) -> String {
    edits.iter().fold(BASE.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    })
}

#[test]
fn layout_comments_order_of_functions_and_names_of_locals_are_no_difference() {
    assert!(is_same(BASE, BASE));
    assert!(is_same(
        BASE,
        &edited(&[("total", "result"), ("int i", "int k"), ("i < n; i++", "k < n; k++"), ("p[i]", "p[k]")])
    ));
    assert!(is_same(BASE, &edited(&[("\n  ", " /* moved */\n\n      "), ("{ return", "{\n return")])));
    assert!(is_same(BASE, &edited(&[("kind", "sort"), ("struct pair", "struct two")])));
    let moved = "static int twice(int n) { return 2 * n; }\n";
    let declared = edited(&[(moved, "static int twice(int);\n")]);
    assert!(is_same(BASE, &format!("{declared}{moved}")));
    assert!(is_same(BASE, &format!("typedef int number; enum {{ unused }};{BASE}")));
}

#[test]
fn types_initialisers_constants_and_calls_are_differences() {
    for (from, to) in [
        ("char kind;", "long kind;"),
        ("char kind; int size;", "int size; char kind;"),
        ("int size;", "short size;"),
        ("limit = 3", "limit = 4"),
        ("static int limit", "static long limit"),
        ("static int limit", "static volatile int limit"),
        ("\"first\"", "\"second\""),
        ("{ 5, 6 }", "{ 5, 7 }"),
        ("2 * n", "2 + n"),
        ("2 * n", "(int)(2u * n)"),
        ("i < n", "i <= n"),
        ("total += twice(p[i].size)", "total += p[i].size"),
        ("? limit : total", "? total : limit"),
        ("sum(all, 3)", "sum(all, 2)"),
    ] {
        assert!(!is_same(BASE, &edited(&[(from, to)])), "{to}");
    }
}

#[test]
fn a_statement_that_is_inserted_is_the_only_one_that_is_added() {
    let text = |inserted: &str| {
        format!(
            "int x, y;
int main(void) {{
  x = nondet_int();
{inserted}
  y = x + 1;
  return 0;
}}
"
        )
    };
    check(
        &text(""),
        &text("  if (x > 7) x = 7; //+fb")
            .replace("y = x + 1;", "y = x + 1; //f")
            .replace("nondet_int();", "nondet_int(); //b"),
    );
    check(&text("  x = 7;"), &text("").replace("y = x + 1;", "y = x + 1; //f"));
}

#[test]
fn swapped_statements_differ_and_others_do_not() {
    let text = |first: &str, second: &str| {
        format!("int x, y, z;\nint main(void) {{\n  z = 1;\n  {first}\n  {second}\n  return 0;\n}}\n")
    };
    let (old, new) = (compile_lines(&text("x = 1;", "y = x;")), compile_lines(&text("y = x;", "x = 1;")));
    let forward = super::found(&old, &new).1.forward;
    assert!(forward.contains(&4) && !forward.contains(&3), "{forward:?}");
}

fn compile_lines(text: &str) -> selvedge_program::Program {
    super::compile(text)
}

#[test]
fn a_break_that_is_gone_influences_what_comes_after_it() {
    let text = |way: &str| {
        format!(
            "int main(void) {{
  int n = 0;
  for (int i = 0; i < 3; i++) {{
    if (nondet_int()) {way}
    n++;
  }}
  assert(n < 3);
  return 0;
}}
"
        )
    };
    let (old, new) = (super::compile(&text("break;")), super::compile(&text("continue;")));
    let forward = super::found(&old, &new).1.forward;
    assert!(forward.contains(&7), "{forward:?}");
}
