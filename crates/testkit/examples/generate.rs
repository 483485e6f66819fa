//! Prints the generated program of a seed: `cargo run -p selvedge-testkit --example generate -- 17`, with `threads 17` for
//! one with threads.

use std::io::Write as _;

use selvedge_testkit::generator::{Options, generate};
use selvedge_testkit::threads;

fn main() -> std::io::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let seed = args.last().and_then(|s| s.parse().ok()).unwrap_or(0);
    let text = match args.first().is_some_and(|a| a == "threads") {
        true => threads::single_text(&threads::generate(seed).nodes),
        false => generate(seed, &Options::default()).source(),
    };
    std::io::stdout().write_all(text.as_bytes())
}
