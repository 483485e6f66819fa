//! Random C programs that read locals before they write them, to be compared with native runs.
//!
//! A program moves values of some locals around (copies, members, arrays, calls, globals, blocks that are entered again, a
//! thread), few of which were ever written, and ends with a small number made of them as its exit status. Natively that
//! number depends on what memory is filled with; the engine must know each of them. A value that was never written is the
//! same wherever it was copied to, which the program asserts here and there.
//! Guarantees: no undefined behaviour but the reads themselves, which compiled without optimisation give what is there.

mod compare;

use std::fmt::Write as _;

pub use compare::{Comparison, compare};

use crate::generator::Rng;

/// How many different exit statuses there are.
pub const STATUSES: u32 = 8;

const PRELUDE: &str = "\
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct pair { int a; char c; short s; };
union both { unsigned u; unsigned char bytes[4]; };
int g[4] = {1, 2, 3, 4};
struct pair gp = {1, 2, 3};
static int same(int v) { return v; }
static int none(int c) { if (c & 1) return c; }
static struct pair half(int v) { struct pair p; p.c = (char)v; return p; }
static void put(int *to, int v) { *to = v; }
static void *thread(void *from) { g[1] = *(int *)from; g[2] = g[1] + 1; return 0; }
extern void reach_error(void);
";

/// Whether the program of a seed writes everything before it reads it.
pub fn is_written(seed: u64) -> bool {
    seed % 4 == 3
}

/// The program of a seed. With `-DWANTED=n` it fails an assertion where it would end with status `n`.
pub fn source(seed: u64) -> String {
    let mut rng = Maker { rng: Rng::new(seed), is_written: is_written(seed) };
    let mut text = PRELUDE.to_owned();
    text.push_str("int main(void)\n{\n    unsigned r = 0;\n    struct pair q = {1, 2, 3};\n");
    text.push_str(match rng.is_written {
        true => {
            "    int x0 = 3, x1 = 9, x2 = 5, a[4] = {1};\n    struct pair p = {0};\n    union both b = {0};\n"
        }
        false => "    int x0, x1, x2 = 5, a[4];\n    struct pair p;\n    union both b;\n    a[1] = 7;\n",
    });
    for _ in 0..rng.range(4, 10) {
        statement(&mut rng, &mut text, 1);
    }
    let parts = ["x0", "x1", "x2", "a[0]", "a[1]", "p.a", "p.c", "q.s", "b.u", "g[1]", "g[3]", "gp.a", "r"];
    let (first, second) = (pick(&mut rng, &parts), pick(&mut rng, &parts));
    writeln!(text, "    r += (unsigned)({first}) ^ (unsigned)({second}) >> {};", rng.below(9))
        .expect("a string takes all");
    writeln!(text, "    r %= {STATUSES};\n#ifdef WANTED\n    assert(r != WANTED);\n    return 0;")
        .expect("a string takes all");
    text.push_str("#else\n    return (int)r;\n#endif\n}\n");
    text
}

struct Maker {
    rng: Rng,
    is_written: bool,
}

impl Maker {
    fn below(&mut self, n: u64) -> u64 {
        self.rng.below(n)
    }

    fn range(&mut self, low: u32, high: u32) -> u32 {
        self.rng.range(low, high)
    }
}

fn pick<'a>(rng: &mut Maker, from: &[&'a str]) -> &'a str {
    from[rng.below(from.len() as u64) as usize]
}

/// A place that can be written.
fn place(rng: &mut Maker) -> &'static str {
    pick(rng, &["x0", "x1", "x2", "a[0]", "a[2]", "p.a", "q.a", "g[0]", "g[1]", "gp.a", "g[r & 3]"])
}

/// A value, written or not.
fn value(rng: &mut Maker) -> String {
    let plain = [
        "x0",
        "x1",
        "x2",
        "a[0]",
        "a[1]",
        "a[3]",
        "p.a",
        "p.c",
        "q.s",
        "(int)b.u",
        "b.bytes[1]",
        "g[0]",
        "g[2]",
        "gp.c",
    ];
    let simple = pick(rng, &plain);
    match rng.below(8) {
        0 => format!("same({simple})"),
        1 => format!("({simple} & {})", rng.below(16)),
        2 => format!("({simple} ^ {simple})"),
        3 => format!("(int)((unsigned){simple} + {}u)", rng.below(100)),
        4 if !rng.is_written => format!("none({simple})"),
        _ => simple.to_owned(),
    }
}

fn statement(rng: &mut Maker, text: &mut String, depth: usize) {
    let pad = "    ".repeat(depth);
    let (to, from) = (place(rng), value(rng));
    let line = match rng.below(14) {
        0..=3 => format!("{to} = {from};"),
        4 => format!("put(&x1, {from}); assert(x1 == x1);"),
        5 => "memcpy(&g[2], &a[2], 2 * sizeof(int)); assert(g[3] == a[3]);".to_owned(),
        6 => "q = p; assert(q.a == p.a && q.c == p.c);".to_owned(),
        7 if !rng.is_written => format!("gp = half({from}); x2 += gp.c & 1;"),
        8 => format!("b.bytes[{}] = 3; r += b.u & 7;", rng.below(4)),
        9 if !rng.is_written => {
            let bits = rng.below(4) + 1;
            format!(
                "{{ int *h = malloc(8); if (h) {{ h[0] = {from}; r += (unsigned)h[1] & {bits}; free(h); }} }}"
            )
        }
        10 => {
            format!("{{ pthread_t t; x1 = {from}; pthread_create(&t, 0, thread, &x1); pthread_join(t, 0); }}")
        }
        11 if !rng.is_written => format!(
            "for (int i = 0; i < 2; i++) {{ int y; if (i) {{ r += y & 1; }} y = {from}; x2 ^= y & 3; }}"
        ),
        kind if depth < 3 => {
            let condition = format!("({from}) & {}", 1 << rng.below(4));
            let head = if kind == 12 { "if" } else { "if (!r) {} else if" };
            writeln!(text, "{pad}{head} ({condition}) {{").expect("a string takes all");
            statement(rng, text, depth + 1);
            writeln!(text, "{pad}}} else {{").expect("a string takes all");
            statement(rng, text, depth + 1);
            "}".to_owned()
        }
        _ => format!("r += (unsigned){from} & 3;"),
    };
    writeln!(text, "{pad}{line}").expect("a string takes all");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_names_one_program() {
        assert_eq!(source(7), source(7));
        assert_ne!(source(7), source(8));
    }
}
