//! The C run-time against the host's libc.
//!
//! Each file of `runtime/` is compiled for the host, all its symbols get the prefix `rt_`, and the harness in
//! `tests/native/runtime/` calls both implementations with fixed edge cases and some hundred thousand random arguments.
//! Undefined behaviour inside the run-time traps. What the engine would provide (`malloc`, the hooks) is the harness's.

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Threads, what waits for them, and what C++ has: they only call what the engine itself provides, or are not libc's.
const ONLY_ENGINE: [&str; 41] = [
    "address.c",
    "message.c",
    "attributes.c",
    "threads.c",
    "timedwait.c",
    "chrono.c",
    "cast.c",
    "complex.c",
    "cin.c",
    "cxx.c",
    "exceptions.c",
    "extract.c",
    "fenv.c",
    "fstream.c",
    "iosbase.c",
    "istream.c",
    "ostream.c",
    "plainstream.c",
    "signal.c",
    "stderror.c",
    "stdexcept.c",
    "stdstate.c",
    "stdthread.c",
    "stringstream.c",
    "strstream.c",
    "threadlocal.c",
    "types.c",
    "channel.c",
    "pipe.c",
    "poll.c",
    "waiting.c",
    "connect.c",
    "epoll.c",
    "epollwait.c",
    "eventfd.c",
    "timerfd.c",
    "masking.c",
    "peer.c",
    "socket.c",
    "sockopt.c",
    "transfer.c",
];

/// Files of `dir` with the extension `.c`, in name order.
fn c_files(dir: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(dir)
        .unwrap_or_else(|e| panic!("{}: {e}", dir.display()))
        .map(|entry| entry.expect("directory entry").path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "c"))
        .filter(|path| !ONLY_ENGINE.iter().any(|name| path.ends_with(name)))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no C files in {}", dir.display());
    files
}

/// Runs a command and gives its standard output; a failure shows all it said.
#[track_caller]
fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{stdout}{stderr}", output.status);
    stdout
}

/// Compiles the C files of `dir` with warnings as errors; gives the object files.
fn compile(dir: &Path, out: &Path, flags: &[&str]) -> Vec<PathBuf> {
    let mut objects = Vec::new();
    for file in c_files(dir) {
        let object = out.join(file.file_name().expect("file name")).with_extension("o");
        run(Command::new("clang-22")
            .args(["-Wall", "-Wextra", "-Werror", "-std=gnu17", "-c", "-o"])
            .arg(&object)
            .args(flags)
            .arg(&file));
        objects.push(object);
    }
    objects
}

fn behaves_like_libc(width: &str, linker_emulation: &str) {
    // The prefix also falls on symbols that position-independent code refers to, so there is none.
    let host = [width, "-O1", "-fno-builtin", "-fno-pic", "-fno-pie"];
    let trapping = ["-fsanitize=undefined", "-fsanitize-trap=undefined"];
    let dir = TempDir::new().expect("temporary directory");
    let (runtime_dir, harness_dir) = (dir.path().join("runtime"), dir.path().join("harness"));
    std::fs::create_dir(&runtime_dir).expect("directory for the run-time");
    std::fs::create_dir(&harness_dir).expect("directory for the harness");

    let runtime = compile(
        &repository().join("crates/frontend/runtime"),
        &runtime_dir,
        &[host.as_slice(), trapping.as_slice()].concat(),
    );
    let joined = dir.path().join("runtime.o");
    run(Command::new("ld").args(["-m", linker_emulation, "-r", "-o"]).arg(&joined).args(&runtime));
    run(Command::new("objcopy").arg("--prefix-symbols=rt_").arg(&joined));

    let harness = compile(&repository().join("tests/native/runtime"), &harness_dir, &host);
    let program = dir.path().join("compare");
    run(Command::new("clang-22").args([width, "-no-pie", "-o"]).arg(&program).args(&harness).arg(&joined));
    let said = run(&mut Command::new(&program));
    let comparisons: u64 =
        said.split_whitespace().next().and_then(|n| n.parse().ok()).unwrap_or_else(|| panic!("{said}"));
    assert!(comparisons > 1_000_000, "only {comparisons} comparisons were made");
}

#[test]
fn the_run_time_behaves_like_the_hosts_libc_with_64_bits() {
    behaves_like_libc("-m64", "elf_x86_64");
}

#[test]
fn the_run_time_behaves_like_the_hosts_libc_with_32_bits() {
    behaves_like_libc("-m32", "elf_i386");
}

#[test]
fn the_run_time_compiles_as_the_front_end_compiles_it_without_warnings() {
    for width in ["-m64", "-m32"] {
        let dir = TempDir::new().expect("temporary directory");
        let flags = [width, "-O0", "-Xclang", "-disable-O0-optnone", "-fno-builtin", "-g", "-emit-llvm"];
        compile(&repository().join("crates/frontend/runtime"), dir.path(), &flags);
    }
}
