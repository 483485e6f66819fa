//! Small random programs with two threads and assertions, made of statements that stand on lines of their own.
//!
//! They are cheap to explore, and each statement may be edited without regard to the others.

use crate::generator::Rng;

/// What comes before the programs of a [`batch`].
pub const PREAMBLE: &str = "#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
";

/// One statement on one line. `@` is the prefix of a program.
const STATEMENTS: [&str; 34] = [
    "@x = a;",
    "@x = 2;",
    "@x++;",
    "a = @x;",
    "a = @y;",
    "b = @y + 1;",
    "@y = b;",
    "@y = 3;",
    "@z = @x + a;",
    "b = @z;",
    "a = @twice(b);",
    "@put(&@z, a);",
    "@put(&@x, b);",
    "*@p = a;",
    "a = *@p;",
    "@p = &@z;",
    "@l.second = a;",
    "b = @l.second;",
    "b = @l.first;",
    "if (a > 1)",
    "if (b > a)",
    "if (@z != 2)",
    "for (int i = 0; i < 2; i++)",
    "if (b > 2) goto out;",
    "if (a == 0) return 0;",
    "pthread_mutex_lock(&@m);",
    "pthread_mutex_unlock(&@m);",
    "a = __VERIFIER_nondet_int() & 1;",
    "assert(a < 3);",
    "assert(b != 2);",
    "assert(a + b < 6);",
    "a = 10 / (b - 2);",
    "@q = 0;",
    ";",
];

/// The lines of a program, and which of them may be edited.
pub fn program(rng: &mut Rng) -> (Vec<String>, Vec<usize>) {
    let mut lines: Vec<String> = [
        "int @x = 1, @y, @z = 2, @q = 1;",
        "int *@p = &@y;",
        "struct { int first, second; } @l;",
        "pthread_mutex_t @m = PTHREAD_MUTEX_INITIALIZER;",
        "static int @twice(int v) { return v * 2; }",
        "static void @put(int *to, int v) { *to = v; }",
    ]
    .map(str::to_owned)
    .to_vec();
    let mut editable = Vec::new();
    let body = |rng: &mut Rng, lines: &mut Vec<String>, editable: &mut Vec<usize>, n: u32| {
        for _ in 0..n {
            editable.push(lines.len());
            lines.push((*rng.pick(&STATEMENTS)).to_owned());
        }
    };
    for name in ["one", "two"] {
        lines.push(format!("void *@{name}(void *unused) {{ int a = 0, b = 1;"));
        let n = rng.range(3, 6);
        body(rng, &mut lines, &mut editable, n);
        lines.push("; out: return 0; }".to_owned());
    }
    lines.push("int @main(void) { int a = 1, b = 0; pthread_t s, t;".to_owned());
    let n = rng.range(0, 2);
    body(rng, &mut lines, &mut editable, n);
    lines.push("; pthread_create(&s, 0, @one, 0);".to_owned());
    lines.push("pthread_create(&t, 0, @two, 0);".to_owned());
    if rng.chance(60) {
        editable.push(lines.len());
        lines.push("pthread_join(s, 0);".to_owned());
    }
    let n = rng.range(1, 3);
    body(rng, &mut lines, &mut editable, n);
    lines.push("; out: return 0; }".to_owned());
    (lines, editable)
}

/// The lines after an edit of one of those in `editable`.
pub fn edit(lines: &[String], editable: &[usize], rng: &mut Rng) -> Vec<String> {
    let mut new = lines.to_vec();
    let at = *rng.pick(editable);
    match rng.below(5) {
        0 => new[at] = ";".to_owned(),
        1 if editable.contains(&(at + 1)) => new.swap(at, at + 1),
        2 => new[0] = new[0].replace("@z = 2", "@z = 3"),
        3 => {
            let line = &new[at];
            // What a thread gave is not looked at.
            let digit = line.find(|c: char| c.is_ascii_digit()).filter(|_| !line.contains("join"));
            if let Some(place) = digit {
                let (before, after) = line.split_at(place);
                new[at] = format!("{before}{}{}", rng.range(0, 4), &after[1..]);
            }
        }
        _ => new[at] = (*rng.pick(&STATEMENTS)).to_owned(),
    }
    new
}

/// All programs in one file, each on lines of its own; [`name`] says what they are called.
pub fn batch(programs: &[Vec<String>]) -> String {
    let mut text = PREAMBLE.to_owned();
    for (i, lines) in programs.iter().enumerate() {
        let joined: String = lines.iter().map(|line| format!("{line}\n")).collect();
        text.push_str(&joined.replace('@', &format!("p{i}_")));
    }
    text.push_str("int (*const programs[])(void) = {");
    (0..programs.len()).for_each(|i| text.push_str(&format!(" p{i}_main,")));
    text.push_str("};\nint every_program(void) { return programs[0] != 0; }\n");
    text
}

/// The prefix of all names of a program in a batch. Its entry is `main`.
pub fn name(number: usize) -> String {
    format!("p{number}_")
}
