//! The fixtures of `tests/programs` against the real machine.
//!
//! What a fixture expects of Selvedge must be true of the program. Fixtures declared safe are compiled with undefined
//! behaviour trapping (and with AddressSanitizer where it is installed) and run with random inputs: none may fail. Where
//! a fixture states a number of paths, a harness runs it on all inputs over a small alphabet and counts the control
//! flows that occur.

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests")
}

fn clang(file: &Path) -> Command {
    Command::new(if file.extension().is_some_and(|e| e == "cpp") { "clang++-22" } else { "clang-22" })
}

/// Runs a command; a failure shows all it said.
#[track_caller]
fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{stdout}{stderr}", output.status);
    stdout
}

/// All fixtures, in name order.
fn fixtures() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![tests().join("programs")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("folder of fixtures") {
            let path = entry.expect("directory entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "c" || e == "cpp") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The values of `//@ key:` in a fixture.
fn directive(text: &str, key: &str) -> Option<String> {
    let start = format!("//@ {key}:");
    text.lines().find_map(|line| line.trim().strip_prefix(&start)).map(|value| value.trim().to_owned())
}

/// Whether programs can be linked with AddressSanitizer here.
fn has_address_sanitizer(dir: &Path) -> bool {
    let source = dir.join("probe.c");
    std::fs::write(&source, "int main(void) { return 0; }\n").expect("probe");
    let linked = Command::new("clang-22")
        .arg("-fsanitize=address")
        .arg(&source)
        .arg("-o")
        .arg(dir.join("probe"))
        .output();
    linked.is_ok_and(|output| output.status.success())
}

/// The object file of the native input functions, compiled once.
fn inputs_object(dir: &Path, width: &str) -> PathBuf {
    let object = dir.join(format!("inputs{width}.o"));
    if !object.exists() {
        let source = tests().join("native/inputs.c");
        run(Command::new("clang-22").args(["-w", "-O1", width, "-c", "-o"]).arg(&object).arg(source));
    }
    object
}

/// What the first revision that is safe, too, has for the compiler: some fixtures are nothing without a revision.
fn of_a_revision(text: &str) -> Option<String> {
    let mut names = text.lines().filter_map(|line| line.strip_prefix("//@ clang[")?.split_once(']'));
    let is_safe = |name: &str| directive(text, &format!("verdict[{name}]")).is_none_or(|v| v == "safe");
    names.find(|(name, _)| is_safe(name)).map(|(_, rest)| rest.trim_start_matches(':').trim().to_owned())
}

/// Gives the runs of a fixture that failed: crashed, or were stopped by a sanitizer.
fn failures(file: &Path, dir: &Path, address_sanitizer: bool, runs: u32) -> Vec<String> {
    const SANITIZER_EXIT: i32 = 99;
    let text = std::fs::read_to_string(file).expect("fixture");
    let mut options = directive(&text, "clang").unwrap_or_default();
    if let Some(more) = of_a_revision(&text) {
        options = format!("{options} {more}");
    }
    let inputs = inputs_object(dir, if options.contains("-m32") { "-m32" } else { "-m64" });
    let program = dir.join("program");
    let mut compile = clang(file);
    compile.args(["-w", "-g", "-O0", "-fsanitize=undefined", "-fsanitize-trap=undefined"]);
    // AddressSanitizer has its own idea of string functions that a program defines itself.
    if address_sanitizer && !options.contains("-fno-builtin") {
        compile.arg("-fsanitize=address");
    }
    compile.args(options.split_whitespace()).arg(file).arg(&inputs).args(["-lm", "-o"]).arg(&program);
    let built = compile.output().expect("clang starts");
    if !built.status.success() {
        return vec![format!("{compile:?}\n{}", String::from_utf8_lossy(&built.stderr))];
    }

    let mut arguments = Vec::new();
    let flags = directive(&text, "flags").unwrap_or_default();
    let mut words = flags.split_whitespace();
    while let Some(word) = words.next() {
        if word == "--arg" {
            arguments.extend(words.next());
        }
    }
    let mut failed = Vec::new();
    for seed in 0..runs {
        // What a program writes stays in a folder of its own.
        let folder = TempDir::new().expect("temporary directory");
        let output = Command::new(&program)
            .current_dir(folder.path())
            .args(&arguments)
            .env_clear()
            .env("SEED", seed.to_string())
            .env(
                "ASAN_OPTIONS",
                format!("detect_leaks=0:allocator_may_return_null=1:exitcode={SANITIZER_EXIT}"),
            )
            .output()
            .expect("run of a fixture");
        if output.status.code().is_none_or(|code| code == SANITIZER_EXIT) {
            failed.push(format!(
                "{} with SEED={seed}: {}\n{}",
                file.display(),
                output.status,
                String::from_utf8_lossy(&output.stderr)
            ));
            break;
        }
    }
    failed
}

/// Fixtures that are not about this machine: atomic sections that are more than a lock (threads that are started inside
/// wait for their end); files, peers, input, variables and signals that its world does not have, memory from outside; and
/// what only Selvedge declares. So are those that are safe in the engine's layout of memory, which name it.
const NOT_NATIVE: [&str; 12] = [
    "threads/section/starts_threads.c",
    "programs/signals/",
    "programs/world/",
    "programs/outside/",
    "programs/cpp/streams/",
    "regression/environment.c",
    "inputs/nondet_undeclared.c",
    "library/verifier_floats.c",
    "library/verifier_intrinsics.c",
    "threads/race/apart.c",
    "threads/race/atomic_index.c",
    "threads/section/unfinished",
];

#[test]
fn fixtures_declared_safe_never_fail_natively() {
    const RUNS: u32 = 10;
    let probe = TempDir::new().expect("temporary directory");
    let address_sanitizer = has_address_sanitizer(probe.path());
    let safe: Vec<PathBuf> = fixtures()
        .into_iter()
        .filter(|file| {
            let text = std::fs::read_to_string(file).expect("fixture");
            let of_layout = directive(&text, "assumes").is_some_and(|ids| ids.contains("layout."));
            let is_native =
                !of_layout && !NOT_NATIVE.iter().any(|name| file.to_string_lossy().contains(name));
            // Programs to be proved need not have an end.
            is_native
                && directive(&text, "verdict").as_deref() == Some("safe")
                && directive(&text, "command").is_none()
        })
        .collect();
    assert!(safe.len() > 50, "only {} safe fixtures were found", safe.len());
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(safe.len());
    let failed: Vec<String> = std::thread::scope(|scope| {
        let handles: Vec<_> = safe
            .chunks(safe.len().div_ceil(workers))
            .map(|part| {
                scope.spawn(move || {
                    let dir = TempDir::new().expect("temporary directory");
                    let check = |file: &PathBuf| failures(file, dir.path(), address_sanitizer, RUNS);
                    part.iter().flat_map(check).collect::<Vec<_>>()
                })
            })
            .collect();
        handles.into_iter().flat_map(|h| h.join().expect("worker")).collect()
    });
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn stated_numbers_of_paths_are_those_that_occur() {
    // The alphabet has a value for every way in which the fixture can treat one of its inputs.
    let counted = [
        ("paths/insertion_sort.c", "int", "0,1,2,3,4,5"),
        ("paths/insertion_sort_ties.c", "int", "0,1,2,3,4,5"),
        ("paths/bubble_sort.c", "int", "0,1,2,3,4,5"),
        ("paths/maze.c", "char", "'l','r','u','d','x'"),
        ("paths/gcd.c", "unsigned char", "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19"),
        ("paths/state_machine.c", "char", "'o','s','c','f','x'"),
        ("paths/regex.c", "char", "0,'a','b','x'"),
        ("classic/list_reverse_ok.c", "int", "-1,0,1,2,3,4,5,6"),
        ("classic/binary_search_ok.c", "int", "0,2,3,4,5,6,7,8,9,11,12,13,15,17,20"),
        ("classic/double_free_ok.c", "unsigned", "0,2,20"),
        ("types/enums.c", "unsigned", "0,1,2,10"),
        ("control/fibonacci.c", "int", "0,1,2,3,4,5,6,7,8,9"),
        ("control/function_table.c", "unsigned", "0,1,2,3"),
        ("control/switch_sparse.c", "long long", "-1,0x100000000,0,INT64_MIN,5"),
    ];
    let dir = TempDir::new().expect("temporary directory");
    for (name, element, alphabet) in counted {
        let file = tests().join("programs").join(name);
        let text = std::fs::read_to_string(&file).expect("fixture");
        let stated = directive(&text, "executions").unwrap_or_else(|| panic!("{name} states no number"));
        let total = stated.split_whitespace().find_map(|w| w.strip_prefix("total=")).expect("total");

        let (object, program) = (dir.path().join("fixture.o"), dir.path().join("count"));
        run(clang(&file)
            .args(["-w", "-O0", "-fsanitize-coverage=trace-pc", "-Dmain=fixture", "-c", "-o"])
            .arg(&object)
            .arg(&file));
        run(Command::new("clang-22")
            .args(["-O1", "-o"])
            .arg(&program)
            .arg(format!("-DELEMENT={element}"))
            .arg(format!("-DALPHABET={alphabet}"))
            .arg(tests().join("native/count_paths.c"))
            .arg(&object));
        let said = run(&mut Command::new(&program));
        assert_eq!(said.split_whitespace().next(), Some(total), "{name} says {stated}, but there are {said}");
    }
}
