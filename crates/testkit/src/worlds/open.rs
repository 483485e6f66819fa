//! Programs whose surroundings are open: they end with a small number made of what they find.
//!
//! Within small bounds (two arguments, a variable `V`, standard input, the files `in` and `other`) every number that can
//! come out must be known to the engine, and in the surroundings of one of its executions that execution's number must come
//! out. The number is made of comparisons, so that few paths cover many contents.

use std::fmt::Write as _;

use selvedge_engine::{Config, FileContent, FileRole, InputKind, OtherFiles, Stdin, TestCase, World};

use super::Surroundings;
use crate::generator::Rng;

/// How many different exit codes there are.
const CODES: u32 = 8;
/// Bytes of standard input, of a file and of the variable, at most.
const BOUND: u64 = 2;
/// Bytes of each argument, at most.
const ARGUMENTS: [u64; 2] = [1, 2];

const PRELUDE: &str = "\
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
static unsigned r;
static void mix(int bit) { r = (r * 2 + (bit != 0)) % 8; }
static int shared = -1;
static int got[2];
static void *taker(void *at)
{
    unsigned char byte = 0;
    long n = read(shared, &byte, 1);
    got[(long)at] = n == 1 ? byte >= 'm' : 2;
    return 0;
}
";

/// Whether a seed's program has threads.
pub fn has_threads(seed: u64) -> bool {
    seed % 4 == 3
}

/// The program of a seed. With `-DWANTED=n` it fails an assertion where it would end with code `n`.
pub fn source(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let mut text = PRELUDE.to_owned();
    text.push_str("int main(int argc, char **argv)\n{\n");
    let is_raw = rng.chance(40);
    let at = has_threads(seed).then(|| rng.below(2));
    for number in 0..2 + rng.below(2) {
        if at == Some(number) {
            text.push_str(
                "    shared = open(\"in\", O_RDONLY);\n    pthread_t t;\n    pthread_create(&t, 0, taker, (void *)1);\n    \
                 taker(0);\n    pthread_join(t, 0);\n    mix(got[0] == 1);\n    mix(got[1] == 2);\n    close(shared);\n",
            );
        }
        let _ = writeln!(text, "    {{ {} }}", statement(&mut rng, is_raw));
    }
    text.push_str("#ifdef WANTED\n    if (r == WANTED)\n        abort();\n#endif\n    switch (r) {\n");
    for code in 0..CODES {
        let _ = writeln!(text, "    case {code}: return {code};");
    }
    text.push_str("    }\n    return 99;\n}\n");
    text
}

fn byte(rng: &mut Rng) -> &'static str {
    rng.pick::<&str>(&["'0'", "'5'", "'a'", "'m'", "' '", "'\\n'", "'-'", "'b'", "200"])
}

fn name(rng: &mut Rng) -> &'static str {
    rng.pick::<&str>(&["in", "in", "other"])
}

fn statement(rng: &mut Rng, is_raw: bool) -> String {
    match rng.below(10) {
        0 | 1 => argument(rng),
        2 | 3 => input(rng, is_raw),
        4 => variable(rng),
        5 | 6 => stream(rng),
        7 | 8 => descriptor(rng),
        _ => naming(rng),
    }
}

fn argument(rng: &mut Rng) -> String {
    let which = 1 + rng.below(2);
    match rng.below(5) {
        0 => format!("mix(argv[{which}][0] == {}); mix(strlen(argv[{which}]) > 1);", byte(rng)),
        1 => format!("mix(atoi(argv[{which}]) > {});", rng.below(12)),
        2 => {
            let base = rng.pick::<&str>(&["0", "10", "16"]);
            format!(
                "char *e; long v = strtol(argv[2], &e, {base}); mix(v < 0); mix(*e != 0); mix(v == {});",
                rng.below(12)
            )
        }
        3 => {
            let known = rng.pick::<&str>(&["ab:", ":ab:", "a", "+b"]);
            format!(
                "opterr = 0; for (int o; (o = getopt(argc, argv, \"{known}\")) != -1;) mix(o == 'a' || o == ':'); mix(optind < argc);"
            )
        }
        _ => {
            format!("mix(strcmp(argv[1], argv[2]) {} 0); mix(argc > 2);", rng.pick::<&str>(&["<", "==", ">"]))
        }
    }
}

fn input(rng: &mut Rng, is_raw: bool) -> String {
    if is_raw {
        let size = 1 + rng.below(3);
        return format!(
            "char b[4] = {{0}}; long n = read(0, b, {size}); mix(n > 1); mix(n == 0 || b[0] > {});",
            byte(rng)
        );
    }
    match rng.below(5) {
        0 => format!("int c = getchar(); mix(c == EOF); mix(c > {});", byte(rng)),
        1 => format!(
            "char l[3]; if (fgets(l, sizeof l, stdin)) {{ mix(l[0] == {}); mix(strlen(l) > 1); }} else mix(feof(stdin));",
            byte(rng)
        ),
        2 => format!("int v = 5; int n = scanf(\"%d\", &v); mix(n == 1); mix(n == EOF); mix(v > {});", rng.below(9)),
        3 => format!("int c = getchar(); if (c != EOF) ungetc(c, stdin); mix(getchar() == {}); mix(feof(stdin));", byte(rng)),
        _ => "char *l = 0; size_t z = 0; long n = getline(&l, &z, stdin); mix(n > 1); mix(n > 0 && l[n - 1] == '\\n'); free(l);"
            .to_owned(),
    }
}

fn variable(rng: &mut Rng) -> String {
    match rng.below(3) {
        0 => format!("char *e = getenv(\"V\"); mix(e != 0); if (e) mix(e[0] > {});", byte(rng)),
        1 => format!(
            "setenv(\"V\", \"m\", {}); mix(strlen(getenv(\"V\")) == 1); mix(*getenv(\"V\") == 'm');",
            rng.below(2)
        ),
        _ => "char *e = getenv(\"V\"); mix(e && atoi(e) > 3); unsetenv(\"V\"); mix(getenv(\"V\") != 0);"
            .to_owned(),
    }
}

fn stream(rng: &mut Rng) -> String {
    let mode = rng.pick::<&str>(&["r", "r", "r+", "a+", "w+", "rx"]);
    let inside = match rng.below(6) {
        0 => format!("int c = fgetc(f); mix(c == EOF); mix(c == {});", byte(rng)),
        1 => format!("int v = 3; mix(fscanf(f, \"%d\", &v) == 1); mix(v > {}); mix(feof(f));", rng.below(12)),
        2 => format!("fseek(f, {}, SEEK_END); mix(ftell(f) > 1); mix(fgetc(f) == EOF);", rng.pick::<&str>(&["0", "-1"])),
        3 => "char b[4]; size_t n = fread(b, 2, 2, f); mix(n == 1); mix(feof(f) != 0);".to_owned(),
        4 => "char b[3]; fseek(f, 0, SEEK_END); mix(fputs(\"zz\", f) >= 0); rewind(f); mix(fgets(b, 3, f) && b[0] == 'z'); mix(ferror(f));".to_owned(),
        _ => "char b[3] = \"\"; mix(fscanf(f, \"%2[a-m]\", b) == 1); mix(fgetc(f) == '\\n');".to_owned(),
    };
    format!(
        "FILE *f = fopen(\"{}\", \"{mode}\"); if (f) {{ {inside} fclose(f); }} else mix(errno == ENOENT);",
        name(rng)
    )
}

fn descriptor(rng: &mut Rng) -> String {
    let flags = rng.pick::<&str>(&[
        "O_RDONLY",
        "O_RDWR",
        "O_RDWR | O_CREAT",
        "O_RDWR | O_APPEND",
        "O_CREAT | O_EXCL | O_RDWR",
    ]);
    let inside = match rng.below(5) {
        0 => format!("char b[3] = {{0}}; mix(read(d, b, {}) > 0); mix(b[0] >= {});", 1 + rng.below(3), byte(rng)),
        1 => format!("mix(lseek(d, {}, SEEK_END) > 0); mix(lseek(d, -1, SEEK_CUR) < 0);", rng.pick::<&str>(&["0", "-2", "1"])),
        2 => format!("char b[3] = {{0}}; write(d, \"q\", 1); mix(pread(d, b, 2, 0) == 2); mix(b[{}] == 'q');", rng.below(2)),
        3 => format!("mix(ftruncate(d, {}) == 0); struct stat s; fstat(d, &s); mix(s.st_size > 1);", rng.below(3)),
        _ => "int e = dup(d); char b = 0, c = 0; read(d, &b, 1); read(e, &c, 1); mix(b == c); mix(c > 'm'); close(e);".to_owned(),
    };
    format!(
        "int d = open(\"{}\", {flags}, 0644); mix(d < 0); if (d >= 0) {{ {inside} close(d); }}",
        name(rng)
    )
}

fn naming(rng: &mut Rng) -> String {
    match rng.below(5) {
        0 => format!(
            "struct stat s; int n = stat(\"{}\", &s); mix(n == 0); if (n == 0) mix(s.st_size > 1);",
            name(rng)
        ),
        1 => format!("mix(access(\"{}\", R_OK) == 0);", name(rng)),
        2 => "mix(rename(\"other\", \"in\") == 0);".to_owned(),
        3 => format!("mix(unlink(\"{}\") == 0); mix(access(\"other\", F_OK) == 0);", name(rng)),
        _ => format!("mix(mkdir(\"{}\", 0755) == 0); mix(access(\"other/x\", F_OK) == 0);", name(rng)),
    }
}

/// What the engine is told of the surroundings: only how large things are.
pub fn config() -> Config {
    let world = World {
        stdin: Stdin::UpTo(BOUND),
        files: vec![("in".to_owned(), FileContent::UpTo(BOUND))],
        others: OtherFiles::UpTo(BOUND),
        ..World::default()
    };
    Config::default().with(|c| {
        c.surroundings.world = world;
        c.arguments.symbolic = ARGUMENTS.to_vec();
        c.arguments.open = false;
        c.surroundings.sym_env = Some(BOUND);
    })
}

/// Surroundings within these bounds.
pub fn random_surroundings(seed: u64, sample: u32) -> Surroundings {
    let mut rng = Rng::new(seed ^ (u64::from(sample) << 32) ^ 0x99);
    let text = |rng: &mut Rng, most: u64| -> Vec<u8> {
        let alphabet = b"0159ab mz-:\n\xc8";
        (0..rng.below(most + 1)).map(|_| *rng.pick(alphabet)).collect()
    };
    let args = ARGUMENTS.iter().map(|most| text(&mut rng, *most)).collect();
    let mut around = Surroundings { args, ..Surroundings::default() };
    if rng.chance(60) {
        around.env.push([b"V=", &text(&mut rng, BOUND)[..]].concat());
    }
    around.stdin = text(&mut rng, BOUND);
    around.files.push(("in".to_owned(), text(&mut rng, BOUND)));
    if rng.chance(50) {
        around.files.push(("other".to_owned(), text(&mut rng, BOUND)));
    }
    around
}

/// The surroundings that an execution names, and whether a native run in them is that execution: no read gave less than
/// there was.
pub fn surroundings_of(test: &TestCase) -> (Surroundings, bool) {
    let mut around = Surroundings::default();
    let length = |wanted: &str| {
        test.inputs.iter().find_map(|input| match &input.kind {
            InputKind::File { name, role: FileRole::Length } if name == wanted => {
                Some(input.bytes.iter().rev().fold(0, |sum, byte| sum << 8 | usize::from(*byte)))
            }
            _ => None,
        })
    };
    let mut is_plain = true;
    for input in &test.inputs {
        match &input.kind {
            InputKind::Stdin => around.stdin.extend(&input.bytes),
            InputKind::Arg => {
                around.args.push(input.bytes.iter().copied().take_while(|byte| *byte != 0).collect());
            }
            InputKind::Variable => {
                around.env.extend(input.variable().map(|text| [input.name.as_bytes(), b"=", &text].concat()));
            }
            // Of a file there is a length as well.
            InputKind::File { name, role: FileRole::Exists }
                if input.bytes[0] & 1 != 0 && length(name).is_none() =>
            {
                around.files.push((format!("{name}/"), Vec::new()));
            }
            InputKind::File { name, role: FileRole::Content } => {
                let bytes = input.bytes.iter().copied().take(length(name).unwrap_or(0)).collect();
                around.files.push((name.clone(), bytes));
            }
            InputKind::File { role: FileRole::Part, .. } => is_plain = false,
            _ => {}
        }
    }
    // What is known to be there and was not looked at.
    if !around.files.iter().any(|(name, _)| name == "in") {
        around.files.push(("in".to_owned(), Vec::new()));
    }
    if let Some(length) = length("/dev/stdin") {
        around.stdin.resize(length, 0);
    }
    (around, is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_names_one_program() {
        assert_eq!(source(7), source(7));
        assert_ne!(source(7), source(8));
        assert_ne!(random_surroundings(7, 1), random_surroundings(7, 2));
    }
}
