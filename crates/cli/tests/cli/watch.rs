//! `selvedge watch`, with saves as editors make them.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use crate::Sandbox;

const SAFE: &str = "#include <assert.h>\n#include \"n.h\"\nstatic int n = N;\nint main(void) { assert(n == 2); return 0; }\n";

/// A machine that is busy with other things takes its time.
const PATIENCE: Duration = Duration::from_secs(60);

/// A watch that is under way, ended when dropped.
struct Watch {
    child: Child,
    lines: Receiver<String>,
}

impl Watch {
    fn start(sandbox: &Sandbox, args: &[&str]) -> Watch {
        let mut command = sandbox.command(&["watch"]);
        command.args(args).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("it starts");
        let stdout = BufReader::new(child.stdout.take().expect("it is a pipe"));
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            stdout.lines().map_while(Result::ok).all(|line| sender.send(line).is_ok())
        });
        Watch { child, lines }
    }

    /// The next line that has the word; those before it are about something that was saved in between.
    #[track_caller]
    fn line_with(&self, word: &str) -> String {
        let (started, mut before) = (Instant::now(), Vec::new());
        while let Ok(line) = self.lines.recv_timeout(PATIENCE.saturating_sub(started.elapsed())) {
            if line.contains(word) {
                return line;
            }
            before.push(line);
        }
        panic!("no line with {word}, but {before:?}");
    }

    /// Ctrl-C.
    fn interrupt(&mut self) -> Option<i32> {
        let id = self.child.id().to_string();
        let sent = std::process::Command::new("kill").args(["-INT", &id]).status().expect("it runs");
        assert!(sent.success());
        self.child.wait().expect("it ends").code()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Writes a file beside, and gives it the name.
fn save(sandbox: &Sandbox, name: &str, content: &str) {
    let beside =
        sandbox.path().join(format!(".{}.swp", Path::new(name).file_name().expect("a name").display()));
    let mut file = std::fs::File::create(&beside).expect("a file");
    file.write_all(content.as_bytes()).expect("written");
    file.sync_all().expect("written");
    drop(file);
    std::fs::rename(&beside, sandbox.path().join(name)).expect("renamed");
}

#[test]
fn every_save_of_a_file_or_header_gets_a_line() {
    let sandbox = Sandbox::new();
    sandbox.file("a.c", SAFE);
    sandbox.file("n.h", "#define N 2\n");
    let mut watch = Watch::start(&sandbox, &["a.c"]);
    assert!(watch.line_with("SAFE").starts_with("a.c  SAFE  1 execution in "));
    // A header of which nothing but a macro is used.
    save(&sandbox, "n.h", "#define N 3\n");
    let line = watch.line_with("UNSAFE");
    assert!(line.starts_with("a.c  UNSAFE  a.c:4:") && line.contains("; 1 execution in "), "{line}");
    save(&sandbox, "n.h", "#define N 3\n#error not yet\n");
    let line = watch.line_with("ERROR");
    assert!(line.contains("error: not yet"), "{line}");
    save(&sandbox, "n.h", "#define N 2\n");
    let line = watch.line_with("SAFE");
    assert!(line.contains("nothing that matters has changed"), "{line}");
    save(&sandbox, "a.c", &SAFE.replace("n == 2", "n == 4"));
    watch.line_with("UNSAFE");
    // What is not there cannot be looked at, and is noticed all the same.
    save(&sandbox, "a.c", &format!("#include \"new.h\"\n{SAFE}"));
    assert!(watch.line_with("ERROR").contains("'new.h' file not found"));
    save(&sandbox, "new.h", "");
    watch.line_with("SAFE");
    assert_eq!(watch.interrupt(), Some(0));
}

#[test]
fn each_file_is_a_program_and_only_those_concerned_are_checked() {
    let sandbox = Sandbox::new();
    sandbox
        .file("one.c", "#include <assert.h>\nint f(void);\nint main(void) { assert(f() > 0); return 0; }\n");
    sandbox.file(
        "three.c",
        "#include <assert.h>\nint f(void);\nint main(void) { assert(f() > 2); return 0; }\n",
    );
    sandbox.file("f.c", "int f(void) { return 3; }\n");
    let mut watch = Watch::start(&sandbox, &["one.c", "three.c", "--with", "f.c"]);
    assert!(watch.line_with("one.c").starts_with("one.c    SAFE"));
    assert!(watch.line_with("three.c").starts_with("three.c  SAFE"));
    save(&sandbox, "f.c", "int f(void) { return 1; }\n");
    assert!(watch.line_with("one.c ").contains(" SAFE"));
    assert!(watch.line_with("three.c ").contains("UNSAFE"));
    save(&sandbox, "three.c", "int main(void) { return 0; }\n");
    assert!(watch.line_with(" SAFE").starts_with("three.c"), "the other one has nothing new");
    assert_eq!(watch.interrupt(), Some(0));
}

#[test]
fn a_save_during_a_check_stops_it() {
    let sandbox = Sandbox::new();
    let long = "\
#include <pthread.h>
static int a, b, c;
static void *run(void *p) { for (int i = 0; i < 9; i++) { a += b; b += c; c += a; } return p; }
int main(void)
{
    pthread_t t[4];
    for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, run, 0);
    for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
    if (a == 12345) __builtin_trap();
    return 0;
}
";
    sandbox.file("a.c", long);
    let mut watch = Watch::start(&sandbox, &["a.c", "--timeout", "600"]);
    std::thread::sleep(Duration::from_millis(1500));
    assert!(watch.lines.try_recv().is_err(), "the check takes longer than this test");
    save(&sandbox, "a.c", "int main(void) { return 0; }\n");
    assert!(watch.line_with("SAFE").contains("1 execution"));
    save(&sandbox, "a.c", long);
    std::thread::sleep(Duration::from_millis(700));
    let started = Instant::now();
    assert_eq!(watch.interrupt(), Some(0));
    assert!(started.elapsed() < PATIENCE, "the check was stopped");
}

#[test]
fn what_is_wrong_with_the_command_line_is_said_at_once() {
    let sandbox = Sandbox::new();
    sandbox.file("a.c", SAFE);
    for (args, word) in [
        (&["watch", "nowhere.c"][..], "cannot read nowhere.c"),
        (&["watch", "a.c", "--jobs", "0"], "--jobs 0"),
        (&["watch"], "FILE"),
    ] {
        let run = sandbox.run(args);
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.stderr.contains(word), "{run:?}");
    }
}
