//! `replay --native` of bugs that need signals, files, standard input or clients: the real program gets them.

use std::os::unix::process::ExitStatusExt;
use std::process::Command;

use crate::Sandbox;
use crate::native::{SIGABRT, check_fails, replay};

#[test]
fn a_signal_interrupts_the_call_in_which_it_came() {
    let source = r#"#include <assert.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>
static int ends[2];
static void on_term(int number) { (void)number, (void)!write(ends[1], "x", 1); }
int main(void) {
    assert(pipe(ends) == 0);
    signal(SIGTERM, on_term);
    struct pollfd one = {.fd = ends[0], .events = POLLIN};
    int n = poll(&one, 1, -1);
    assert(n >= 0);
    return 0;
}
"#;
    check_fails(source, &[], &["Assertion `n >= 0' failed"]);
    let source = r"#include <assert.h>
#include <signal.h>
#include <unistd.h>
static void on_alarm(int number) { (void)number; }
int main(void) {
    signal(SIGALRM, on_alarm);
    alarm(1000);
    unsigned left = sleep(2000);
    assert(left == 0);
    return 0;
}
";
    check_fails(source, &["--signals", "0"], &["Assertion `left == 0' failed"]);
}

#[test]
fn a_signal_comes_where_it_was_recorded() {
    let source = r"#include <assert.h>
#include <signal.h>
static volatile int a, b;
static void on_term(int number) { assert(number == SIGTERM && a == b); }
int main(void) {
    signal(SIGTERM, on_term);
    for (int i = 0; i < 3; i++) { a = i; b = i; }
    return 0;
}
";
    check_fails(source, &[], &["Assertion `number == SIGTERM && a == b' failed"]);
}

const SETTINGS: &str = r#"#include <assert.h>
#include <stdio.h>
int main(void) {
    char line[8];
    FILE *f = fopen("settings", "r");
    if (f && fgets(line, sizeof line, f) && line[0] == 'w' && line[1] == '=')
        assert(line[2] != '0');
    return 0;
}
"#;

#[test]
fn a_file_has_the_content_that_makes_it_fail() {
    let sandbox = Sandbox::new();
    // Yours is not the program's.
    sandbox.file("settings", "w=1\n");
    let run = replay(&sandbox, SETTINGS, &[]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stdout.contains("Assertion `line[2] != '0'' failed"), "{}", run.stdout);
    assert_eq!(std::fs::read(sandbox.path().join("settings")).expect("still there"), b"w=1\n");

    // The files are in the executable; it takes them away again when it has been killed.
    let own = sandbox.path().join("temporary");
    std::fs::create_dir(&own).expect("writable");
    let mut program = Command::new(sandbox.path().join("build/program"));
    let output = program.current_dir("/").env("TMPDIR", &own).output().expect("an executable");
    assert_eq!(output.status.signal(), Some(SIGABRT), "{output:?}");
    let is_empty = || std::fs::read_dir(&own).expect("readable").next().is_none();
    let started = std::time::Instant::now();
    while !is_empty() && started.elapsed().as_secs() < 10 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert!(is_empty(), "{own:?} is not empty");
}

#[test]
fn a_file_that_must_be_absent_is_absent() {
    let source = r#"#include <assert.h>
#include <errno.h>
#include <unistd.h>
int main(void) {
    if (access("here", R_OK) == 0 && access("/usr/lib/there", R_OK) == 0)
        assert(access("lock", F_OK) == 0 && access("/etc/passwd", F_OK) == 0);
    return 0;
}
"#;
    let sandbox = Sandbox::new();
    sandbox.file("lock", "");
    let run = replay(&sandbox, source, &[]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stdout.contains("native: the real program fails in the same way"), "{}", run.stdout);
}

#[test]
fn standard_input_is_read_in_the_recorded_parts() {
    let source = r"#include <assert.h>
#include <unistd.h>
int main(void) {
    char buf[4];
    ssize_t n = read(0, buf, 4);
    if (n == 2 && buf[0] == 'a' && buf[1] == 'b') {
        n = read(0, buf, 4);
        assert(!(n == 3 && buf[2] == 'e'));
    }
    return 0;
}
";
    check_fails(source, &[], &["Assertion `!(n == 3 && buf[2] == 'e')' failed"]);
}

#[test]
fn files_of_the_user_and_paths_lead_where_they_did() {
    let source = r#"#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
    char buf[64], temporary[] = "/tmp/XXXXXX";
    FILE *f = fopen("/etc/motd", "r");
    if (!f || !fgets(buf, sizeof buf, f) || strcmp(buf, "given\n") || fclose(f)) return 1;
    if (!getcwd(buf, sizeof buf) || strcmp(buf, "/home/user") || chdir("data")) return 2;
    if (access("/etc/hostname", F_OK) == 0 || access("../../../../etc/passwd", F_OK) == 0) return 3;
    if (access("/../home/user/data/any", F_OK) || mkdir("../new", 0755)) return 4;
    if (symlink("/home/user/new", "link") || readlink("link", buf, sizeof buf) != 14) return 5;
    if (!realpath("link", buf) || strcmp(buf, "/home/user/new")) return 6;
    if (mkstemp(temporary) != 3 || rename(temporary, "link/moved") || access("../new/moved", W_OK)) return 7;
    int any = open("/home/user/data/any", O_RDONLY);
    if (any != 4 || read(any, buf, 3) != 2 || memcmp(buf, "xy", 2)) return 8;
    struct stat facts;
    if (!isatty(0) || isatty(1) || fstat(0, &facts) || !S_ISCHR(facts.st_mode)) return 9;
    assert(0);
}
"#;
    let sandbox = Sandbox::new();
    sandbox.file("motd", "given\n");
    let run =
        replay(&sandbox, source, &["--no-files", "--file", "/etc/motd=motd", "--sym-file", "data/any=3"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stdout.contains("native: the real program fails in the same way"), "{}", run.stdout);
}

#[test]
fn the_clients_of_a_server_come_again() {
    let source = include_str!("../../../../tests/programs/world/net/two_peers.c");
    let run = replay(&Sandbox::new(), source, &["--sym-peers", "1,1"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stdout.contains("native: the real program fails in the same way"), "{}", run.stdout);

    // A server that waits for its next client lets its threads go on, and one read stops short.
    let source = r#"
#include <assert.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

static void *serve(void *arg) {
    char line[4];
    ssize_t n = recv((int)(intptr_t)arg, line, sizeof line, 0), more;
    if (n == 2 && memcmp(line, "ab", 2) == 0 && (more = recv((int)(intptr_t)arg, line, sizeof line, 0)) > 0)
        assert(line[0] != 'c');
    return 0;
}

int main(void) {
    int server = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in name = {.sin_family = AF_INET};
    if (bind(server, (struct sockaddr *)&name, sizeof name) || listen(server, 1)) return 1;
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, 0, serve, (void *)(intptr_t)accept(server, 0, 0));
    }
}
"#;
    let run = replay(&Sandbox::new(), source, &[]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stdout.contains("native: the real program fails in the same way"), "{}", run.stdout);
}

#[test]
fn a_datagram_from_outside_comes_again() {
    let source = r#"
        #include <arpa/inet.h>
        #include <assert.h>
        #include <netinet/in.h>
        #include <string.h>
        #include <sys/socket.h>
        int main(void)
        {
            int s = socket(AF_INET, SOCK_DGRAM, 0);
            struct sockaddr_in name = {.sin_family = AF_INET, .sin_port = htons(7979)};
            assert(s >= 0);
            if (bind(s, (struct sockaddr *)&name, sizeof name) < 0)
                return 1;
            char text[8];
            if (recvfrom(s, text, sizeof text, 0, NULL, NULL) == 3)
                assert(memcmp(text, "hey", 3) != 0);
        }"#;
    let run = replay(&Sandbox::new(), source, &[]);
    assert!(run.stdout.contains("the real program fails in the same way"), "{run:?}");
}

#[test]
fn a_datagram_from_outside_comes_to_a_local_address() {
    let source = r"
        #include <assert.h>
        #include <stddef.h>
        #include <sys/socket.h>
        #include <sys/un.h>
        int main(void)
        {
            int s = socket(AF_UNIX, SOCK_DGRAM, 0);
            struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = {0, 's', 'v', 'r', 't'}};
            assert(s >= 0);
            if (bind(s, (struct sockaddr *)&name, offsetof(struct sockaddr_un, sun_path) + 5) < 0)
                return 1;
            char text[8];
            if (recv(s, text, sizeof text, 0) == 2)
                assert(text[1] != 'y');
        }";
    let run = replay(&Sandbox::new(), source, &[]);
    assert!(run.stdout.contains("the real program fails in the same way"), "{run:?}");
}
