//! Prints the program that files become: `cargo run --example dump_ir -- FILE.. [-- CLANG-ARGS]`.

use std::io::Write;

use selvedge_frontend::{Options, load_with_warnings};

fn main() -> std::io::Result<()> {
    let mut args = std::env::args().skip(1);
    let files = args.by_ref().take_while(|arg| arg != "--").map(Into::into).collect();
    let options = Options { files, clang_args: args.collect(), ..Options::default() };
    let start = std::time::Instant::now();
    match load_with_warnings(&options) {
        Ok(loaded) => {
            writeln!(std::io::stderr(), "{}loaded in {:?}", loaded.warnings, start.elapsed())?;
            write!(std::io::stdout(), "{}", loaded.program)
        }
        Err(error) => writeln!(std::io::stderr(), "{:#?}", error.to_diagnostic()),
    }
}
