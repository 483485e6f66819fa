//! Damaged bitcode and IR: the loader answers, whatever the bytes.
//!
//! LLVM itself crashes on some of these, which is why it reads foreign files in a child process.
//! More mutations: `SELVEDGE_FUZZ_ROUNDS=100000 cargo test -p selvedge-frontend --test fuzz_loader`.

mod common;

use common::{Folder, try_load};
use selvedge_frontend::Error;

const SOURCE: &str = "
    struct node { int value; struct node *next; enum { A, B = 7 } kind; } nodes[3] = {{1, &nodes[1], B}};
    static const char *text = \"abc\"; _Atomic int shared; double ratio = 1.5;
    int f(int a) { switch (a) { case 1: return nodes[a].value; case 2: return text[a]; } return a ? f(a - 1) : 3; }
    int main(int argc, char **argv) {
        for (int i = 0; i < argc; i++) { struct node n = nodes[i % 3]; shared += f(n.value) + (int)ratio; }
        return shared;
    }";

/// A small generator of pseudo-random numbers (xorshift); the tests must not vary.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..4 {
            random.next();
        }
        random
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

fn mutate(original: &[u8], seed: u64) -> Vec<u8> {
    let mut random = Random::new(seed);
    let mut bytes = original.to_vec();
    match random.below(8) {
        0 => bytes.truncate(random.below(original.len())),
        1 => {
            let start = random.below(bytes.len());
            let end = (start + random.below(64)).min(bytes.len());
            bytes.drain(start..end);
        }
        rounds => {
            for _ in 0..1 << (rounds - 2) {
                let at = random.below(bytes.len());
                bytes[at] =
                    if random.below(2) == 0 { bytes[at] ^ 1 << random.below(8) } else { random.next() as u8 };
            }
        }
    }
    bytes
}

fn rounds() -> u64 {
    std::env::var("SELVEDGE_FUZZ_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(150)
}

/// Loads all mutations; gives how many were accepted and rejected.
fn fuzz(folder: &Folder, original: &[u8], suffix: &str) -> (u64, u64) {
    let (mut accepted, mut rejected) = (0, 0);
    for seed in 0..rounds() {
        let path = folder.file(&format!("mutant.{suffix}"), mutate(original, seed));
        match try_load(vec![path], &[]) {
            Ok(_) => accepted += 1,
            Err(Error::Invalid { message }) => panic!("seed {seed}: {message}"),
            Err(_) => rejected += 1,
        }
    }
    (accepted, rejected)
}

#[test]
fn damaged_bitcode_never_crashes_the_loader() {
    let folder = Folder::new();
    let path = folder.bitcode("original", SOURCE, &["-O1", "-Xclang", "-disable-llvm-passes"]);
    let (accepted, rejected) = fuzz(&folder, &std::fs::read(path).expect("bitcode"), "bc");
    assert!(accepted > 0 && rejected > 0, "{accepted} accepted, {rejected} rejected");
}

#[test]
fn damaged_bitcode_without_debug_information_never_crashes_the_loader() {
    let folder = Folder::new();
    let path = folder.bitcode("original", SOURCE, &["-g0", "-O1", "-Xclang", "-disable-llvm-passes"]);
    let (accepted, rejected) = fuzz(&folder, &std::fs::read(path).expect("bitcode"), "bc");
    assert!(accepted > 0 && rejected > 0, "{accepted} accepted, {rejected} rejected");
}

#[test]
fn damaged_ir_never_crashes_the_loader() {
    let folder = Folder::new();
    let path = folder.bitcode("original", SOURCE, &["-S", "-O1", "-Xclang", "-disable-llvm-passes"]);
    let (_, rejected) = fuzz(&folder, &std::fs::read(path).expect("IR"), "ll");
    assert!(rejected > 0, "nothing was rejected");
}
