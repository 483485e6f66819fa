//! Prints the generated program of a seed: `cargo run -p selvedge-testkit --example generate -- 17`.

use std::io::Write as _;

use selvedge_testkit::generator::{Options, generate};

fn main() -> std::io::Result<()> {
    let seed = std::env::args().nth(1).and_then(|s| s.parse().ok()).unwrap_or(0);
    std::io::stdout().write_all(generate(seed, &Options::default()).source().as_bytes())
}
