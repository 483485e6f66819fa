//! `replay --native` of executions in which a thread waits on a descriptor for another thread: the real call finds
//! nothing where it found nothing in the record, and what it found there where it did.

use crate::native::check_fails;

const HEADERS: &str = "#define _GNU_SOURCE
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>
static int ends[2], others[2];
";

/// `thread` runs beside `rest` of `main`, and what fails is said natively, too.
#[track_caller]
fn check_beside(thread: &str, rest: &str, flags: &[&str], words: &[&str]) {
    let source = format!(
        "{HEADERS}static void *run(void *arg) {{\n{thread}\nreturn arg;\n}}\n\
         int main(void) {{\npthread_t thread, second;\n(void)second;\n{rest}\n\
         pthread_join(thread, NULL);\nreturn 0;\n}}\n"
    );
    check_fails(&source, flags, words);
}

const WRITES: &str = r#"write(ends[1], "b", 1);"#;

#[test]
fn a_read_waits_for_a_thread_that_writes() {
    let rest = "char c;
    assert(pipe(ends) == 0);
    pthread_create(&thread, NULL, run, NULL);
    read(ends[0], &c, 1);
    assert(c != 'b');";
    check_beside(WRITES, rest, &[], &["Assertion `c != 'b'' failed"]);
}

#[test]
fn of_two_that_wait_the_recorded_one_comes_first() {
    let thread = "char c = 0;
    read(ends[0], &c, 1);
    assert(c != (char)(intptr_t)arg);";
    for first in ["a", "b"] {
        let rest = format!(
            r#"assert(pipe(ends) == 0);
    pthread_create(&thread, NULL, run, (void *)(intptr_t)'{first}');
    pthread_create(&second, NULL, run, NULL);
    write(ends[1], "a", 1);
    write(ends[1], "b", 1);
    pthread_join(second, NULL);"#
        );
        check_beside(thread, &rest, &[], &["Assertion `c != (char)(intptr_t)arg' failed"]);
    }
}

#[test]
fn poll_select_and_epoll_wait_for_a_thread_that_writes() {
    let looks = [
        "struct pollfd one = {.fd = ends[0], .events = POLLIN};
    int n = poll(&one, 1, -1);",
        "struct pollfd one = {.fd = ends[0], .events = POLLIN};
    int n = ppoll(&one, 1, NULL, NULL);",
        "fd_set set;
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    int n = select(ends[0] + 1, &set, NULL, NULL, NULL);
    assert(FD_ISSET(ends[0], &set));",
        "struct epoll_event event = {.events = EPOLLIN};
    int all = epoll_create1(0);
    epoll_ctl(all, EPOLL_CTL_ADD, ends[0], &event);
    int n = epoll_wait(all, &event, 1, -1);",
    ];
    for look in looks {
        let rest = format!(
            "assert(pipe(ends) == 0);
    pthread_create(&thread, NULL, run, NULL);
    {look}
    assert(n != 1);"
        );
        check_beside(WRITES, &rest, &[], &["Assertion `n != 1' failed"]);
    }
}

#[test]
fn a_limit_runs_out_just_before_what_was_waited_for() {
    let rest = "assert(pipe(ends) == 0);
    pthread_create(&thread, NULL, run, NULL);
    struct pollfd one = {.fd = ends[0], .events = POLLIN};
    int n = poll(&one, 1, 3600000), now = poll(&one, 1, 0);
    assert(n == now);";
    check_beside(WRITES, rest, &[], &["Assertion `n == now' failed"]);
}

#[test]
fn threads_that_wait_for_each_other_really_block() {
    let thread = r#"char c;
    read(others[0], &c, 1);
    write(ends[1], "b", 1);"#;
    let rest = r#"char c;
    assert(pipe(ends) == 0 && pipe(others) == 0);
    pthread_create(&thread, NULL, run, NULL);
    read(ends[0], &c, 1);
    write(others[1], "a", 1);"#;
    let words = ["deadlock", "thread 0 is at bug.c", "thread 1 is at bug.c", "(call of `read`)"];
    check_beside(thread, rest, &[], &words);
}

#[test]
fn a_thread_blocks_after_it_was_woken_for_nothing() {
    let thread = "char c;
    read(ends[0], &c, 1);";
    let rest = r#"assert(pipe(ends) == 0);
    pthread_create(&thread, NULL, run, NULL);
    pthread_create(&second, NULL, run, NULL);
    write(ends[1], "a", 1);
    pthread_join(second, NULL);"#;
    check_beside(thread, rest, &[], &["deadlock", "(call of `read`)"]);
}

#[test]
fn a_server_answers_over_a_pair_of_sockets() {
    let thread = "unsigned char size, bytes[4];
    recv(ends[1], &size, 1, 0);
    ssize_t n = recv(ends[1], bytes, size, MSG_WAITALL);
    unsigned char sum = 0;
    for (ssize_t i = 0; i < n; i++) sum += bytes[i];
    send(ends[1], &sum, 1, 0);";
    let rest = r"unsigned char sum, request[] = {3, 10, 20, 30};
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    pthread_create(&thread, NULL, run, NULL);
    send(ends[0], request, 2, 0);
    send(ends[0], request + 2, 2, 0);
    recv(ends[0], &sum, 1, 0);
    assert(sum != 60);";
    check_beside(thread, rest, &[], &["Assertion `sum != 60' failed"]);
}

#[test]
fn a_counter_of_events_waits_for_room() {
    let thread = "eventfd_write(ends[0], 2);
    eventfd_write(ends[0], 1);";
    let rest = "eventfd_t first = 0, then = 0;
    ends[0] = eventfd(0, 0);
    eventfd_write(ends[0], UINT64_MAX - 1);
    pthread_create(&thread, NULL, run, NULL);
    eventfd_read(ends[0], &first);
    eventfd_read(ends[0], &then);
    assert(then != 3);";
    check_beside(thread, rest, &[], &["Assertion `then != 3' failed"]);
}
