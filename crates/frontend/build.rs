//! Compiles the C run-time (`runtime/*.c`) to bitcode for 64 and 32 bits, to be embedded.
//!
//! Each file becomes a unit with the list of symbols it defines, so that a program is linked only
//! with the units it needs, as with a static library. The list is read from textual IR because that
//! needs no tool besides clang.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let runtime = manifest.join("runtime");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", runtime.display());
    println!("cargo::rerun-if-env-changed=SELVEDGE_CLANG");

    let mut sources = Vec::new();
    if let Ok(entries) = fs::read_dir(&runtime) {
        for entry in entries {
            let path = entry.expect("the run-time folder is readable").path();
            println!("cargo::rerun-if-changed={}", path.display());
            if path.extension().is_some_and(|extension| extension == "c") {
                sources.push(path);
            }
        }
    }
    sources.sort();

    let clang = env::var("SELVEDGE_CLANG").unwrap_or_else(|_| "clang-22".to_owned());
    let mut table = String::from("pub(crate) static UNITS: &[Unit] = &[\n");
    for source in &sources {
        for bits in [64, 32] {
            match compile(&clang, &runtime, source, bits, &out) {
                Ok(entry) => table.push_str(&entry),
                Err(message) => {
                    for line in message.lines() {
                        println!("cargo::error={line}");
                    }
                    return;
                }
            }
        }
    }
    table.push_str("];\n");
    fs::write(out.join("runtime_units.rs"), table).expect("OUT_DIR is writable");
}

/// Compiles one file for one target; gives its entry in the table of units.
fn compile(clang: &str, runtime: &Path, source: &Path, bits: u32, out: &Path) -> Result<String, String> {
    let stem = source.file_stem().expect("a source has a name").to_string_lossy().into_owned();
    let text_path = out.join(format!("{stem}.{bits}.ll"));
    let bitcode_path = out.join(format!("{stem}.{bits}.bc"));
    let clang_run = |args: &[&str], input: &Path, output: &Path| {
        let result = Command::new(clang)
            .args(args)
            .arg(input)
            .arg("-o")
            .arg(output)
            .current_dir(runtime)
            .output()
            .map_err(|error| {
                format!(
                    "cannot run `{clang}` to compile Selvedge's C run-time: {error}\n\
                     install clang-22 (on Debian: apt-get install clang-22) or set SELVEDGE_CLANG to its path"
                )
            })?;
        if result.status.success() {
            return Ok(());
        }
        let stderr = String::from_utf8_lossy(&result.stderr);
        let help = if bits == 32 && stderr.contains("file not found") {
            "\nthe headers for -m32 may be missing (on Debian: apt-get install gcc-multilib)"
        } else {
            ""
        };
        Err(format!("`{}` does not compile with -m{bits}:\n{stderr}{help}", source.display()))
    };
    let machine = format!("-m{bits}");
    let map = format!("-ffile-prefix-map={}=selvedge-rt", runtime.display());
    // The same way as programs are compiled: see `src/clang/compile.rs`.
    let flags = [
        machine.as_str(),
        "-std=gnu17",
        // Exceptions and the ends of threads pass through, as in a C library.
        "-fexceptions",
        "-O1",
        "-Xclang",
        "-disable-llvm-passes",
        "-U__OPTIMIZE__",
        "-g",
        &map,
        "-fdebug-compilation-dir=.",
        "-emit-llvm",
    ];
    clang_run(&[&flags[..], &["-S"]].concat(), source, &text_path)?;
    // The name of the module is not covered by the prefix map, and no path of this machine shall be
    // in the product.
    let text = fs::read_to_string(&text_path).map_err(|error| error.to_string())?;
    let text = text.replace(&runtime.display().to_string(), "selvedge-rt");
    fs::write(&text_path, &text).map_err(|error| error.to_string())?;
    clang_run(
        &["-emit-llvm", "-c", "-x", "ir", "-O1", "-Xclang", "-disable-llvm-passes"],
        &text_path,
        &bitcode_path,
    )?;

    let mut entry = String::new();
    writeln!(entry, "    Unit {{").expect("writing to a string");
    writeln!(entry, "        name: {:?},", format!("selvedge-rt/{stem}.c")).expect("writing to a string");
    writeln!(entry, "        bits: {bits},").expect("writing to a string");
    writeln!(
        entry,
        "        always: {},",
        text.contains("@llvm.compiler.used") || text.contains("@llvm.used")
    )
    .expect("writing to a string");
    writeln!(entry, "        defines: &{:?},", defined_symbols(&text)).expect("writing to a string");
    writeln!(entry, "        bitcode: include_bytes!({:?}),", bitcode_path).expect("writing to a string");
    writeln!(entry, "    }},").expect("writing to a string");
    Ok(entry)
}

/// Names of the functions and variables that textual IR defines for other modules.
fn defined_symbols(text: &str) -> Vec<String> {
    let mut names: Vec<String> = text.lines().filter_map(defined_symbol).collect();
    names.sort();
    names
}

fn defined_symbol(line: &str) -> Option<String> {
    let is_local = |words: &str| words.split(' ').any(|word| matches!(word, "internal" | "private"));
    let symbol = |rest: &str| {
        let name: String =
            rest.chars().take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$')).collect();
        (!name.is_empty() && !name.starts_with("llvm.")).then_some(name)
    };
    // Offered only where something else needs the unit: see `PASSIVE` in `runtime/output.c`.
    if line.contains("section \"selvedge.passive\"") {
        return None;
    }
    if let Some(rest) = line.strip_prefix("define ") {
        let (before, after) = rest.split_once('@')?;
        return if is_local(before) { None } else { symbol(after) };
    }
    let rest = line.strip_prefix('@')?;
    let (name, value) = rest.split_once(" = ")?;
    let words = value.split(" global ").next()?.split(" constant ").next()?;
    if is_local(words) || words.split(' ').any(|word| word == "external") { None } else { symbol(name) }
}
