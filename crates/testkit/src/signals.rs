//! Random C programs that send signals to themselves, to be compared with native runs.
//!
//! A program has several cases, chosen by an input; each is a sequence of calls that install handlers, change the mask,
//! send signals and ask what is pending, valid ones and others. Handlers do the same, as long as there is fuel.
//! Everything that happens leaves a number in the output. Nothing comes from outside, so a case has one outcome, unless
//! it waits: then a timer goes off at some time, with a handler of any flags, and the outcomes are those that this allows.

use std::fmt::Write as _;

use crate::generator::Rng;

/// The helpers of all cases; the number of the case comes from the command line if `NATIVE` is defined.
const PRELUDE: &str = r#"
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int fuel = 6;
static const int numbers[] = {SIGUSR1, SIGUSR2, SIGTERM, SIGCHLD, SIGHUP, 40, 41};

static void say(int n)
{
    printf("%d ", n);
    fflush(stdout);
}
static void result(int r)
{
    say(r);
    if (r == -1)
        say(1000 + errno);
}
static void say_set(const sigset_t *set)
{
    int bits = 0;
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
        bits |= (sigismember(set, numbers[i]) == 1) << i;
    say(bits);
}
static void make(sigset_t *set, int bits)
{
    sigemptyset(set);
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (bits >> i & 1)
            sigaddset(set, numbers[i]);
}
static void mask(int how, int bits)
{
    sigset_t set, old;
    sigemptyset(&old);
    make(&set, bits);
    result(sigprocmask(how, &set, &old));
    say_set(&old);
}
static void pending(void)
{
    sigset_t set;
    result(sigpending(&set));
    say_set(&set);
}
static void take(int bits)
{
    sigset_t set;
    siginfo_t info;
    struct timespec now = {0, 0};
    make(&set, bits);
    int got = sigtimedwait(&set, &info, &now);
    result(got);
    if (got > 0)
        say(info.si_code);
}
/* What is pending and not in the mask of the call is handled in it, although it does not wait. */
static void meanwhile(int kind, int bits)
{
    sigset_t set, after;
    struct timespec now = {0, 0};
    struct epoll_event event;
    make(&set, bits);
    int all = epoll_create1(0);
    result(kind == 0   ? ppoll(NULL, 0, &now, &set)
           : kind == 1 ? pselect(0, NULL, NULL, NULL, &now, &set)
                       : epoll_pwait(all, &event, 1, 0, &set));
    close(all);
    sigprocmask(SIG_BLOCK, NULL, &after);
    say_set(&after);
}
static void queue(int number, int value)
{
    union sigval v;
    v.sival_ptr = NULL;
    v.sival_int = value;
    result(sigqueue(getpid(), number, v));
}
static void plain(int number);
static void informed(int number, siginfo_t *info, void *context);
static int known(void (*handler)(int))
{
    if (handler == SIG_DFL) return 0;
    if (handler == SIG_IGN) return 1;
    if (handler == plain) return 2;
    return handler == (void (*)(int))informed ? 3 : 4;
}
static void install(int number, int handler, int flags, int bits)
{
    struct sigaction action = {0}, old = {0};
    make(&action.sa_mask, bits);
    action.sa_flags = flags;
    if (handler == 3) {
        action.sa_flags |= SA_SIGINFO;
        action.sa_sigaction = informed;
    } else {
        action.sa_handler = handler == 0 ? SIG_DFL : handler == 1 ? SIG_IGN : plain;
    }
    int r = sigaction(number, &action, &old);
    result(r);
    if (r == 0) {
        say(known(old.sa_handler));
        say(old.sa_flags & (SA_SIGINFO | SA_RESTART | SA_NODEFER | SA_RESETHAND));
        say_set(&old.sa_mask);
    }
}
static void old_style(int number, int handler)
{
    void (*before)(int) = signal(number, handler == 0 ? SIG_DFL : handler == 1 ? SIG_IGN : plain);
    if (before == SIG_ERR)
        result(-1);
    else
        say(known(before));
}
/* The timer goes off long before the limits of these waits are over, unless the system is slow. */
static int ends[2];
static sem_t rung;
static int gives;
static void ring(int number)
{
    int before = errno;
    say(5000 + number);
    if (gives) {
        (void)!write(ends[1], "x", 1);
        sem_post(&rung);
    }
    errno = before;
}
static int is_part(long seconds, long fraction, long most)
{
    return seconds == 0 && fraction >= 0 && fraction <= most;
}
static void wait_for(int kind, int flags, int gives_too)
{
    struct sigaction action = {0};
    struct itimerval soon = {{0, 0}, {0, 4000}}, never = {{0, 0}, {0, 0}};
    struct timespec time = {0, 40000000}, left = {0, 0};
    struct timeval limit = {0, 40000};
    struct pollfd one = {0};
    struct epoll_event event = {0};
    fd_set set;
    sigset_t blocked, open;
    /* Waits without a limit end by what the handler gives. */
    gives = gives_too || (kind >= 6 && kind <= 8);
    if (pipe(ends) != 0 || sem_init(&rung, 0, 0) != 0)
        exit(1);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGALRM);
    if (kind == 9)
        sigprocmask(SIG_BLOCK, &blocked, &open);
    action.sa_handler = ring;
    action.sa_flags = flags;
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &soon, NULL);
    char byte = 0;
    int n = 0;
    errno = 0;
    switch (kind) {
    case 0: n = usleep(40000); break;
    case 1: n = nanosleep(&time, &left); break;
    case 2: n = clock_nanosleep(CLOCK_MONOTONIC, 0, &time, &left); break;
    case 3:
        one.fd = ends[0];
        one.events = POLLIN;
        n = poll(&one, 1, 40);
        break;
    case 4:
        FD_ZERO(&set);
        FD_SET(ends[0], &set);
        n = select(ends[0] + 1, &set, NULL, NULL, &limit);
        say(is_part(limit.tv_sec, limit.tv_usec, 40000) && (n != 0 || limit.tv_usec == 0));
        break;
    case 5: {
        int all = epoll_create1(0);
        event.events = EPOLLIN;
        epoll_ctl(all, EPOLL_CTL_ADD, ends[0], &event);
        n = epoll_wait(all, &event, 1, 40);
        close(all);
        break;
    }
    case 6:
        clock_gettime(CLOCK_REALTIME, &time);
        time.tv_sec++;
        n = sem_timedwait(&rung, &time);
        break;
    case 7: n = sem_wait(&rung); break;
    case 8: n = (int)read(ends[0], &byte, 1); break;
    case 9: n = sigsuspend(&open); break;
    }
    say(n);
    if (n == -1)
        say(1000 + errno);
    if (kind == 1 || kind == 2)
        say(is_part(left.tv_sec, left.tv_nsec, 40000000));
    setitimer(ITIMER_REAL, &never, NULL);
    if (kind == 9)
        sigprocmask(SIG_SETMASK, &open, NULL);
    signal(SIGALRM, SIG_IGN);
    close(ends[0]);
    close(ends[1]);
    sem_destroy(&rung);
}
static void inner(int number);
static void plain(int number)
{
    say(2000 + number);
    inner(number);
    say(-2000 - number);
}
static void informed(int number, siginfo_t *info, void *context)
{
    (void)context;
    say(3000 + number);
    say(info->si_signo == number);
    say(info->si_code);
    if (info->si_code == SI_QUEUE)
        say(info->si_value.sival_int);
    inner(number);
    say(-3000 - number);
}
"#;

const MAIN: &str = r#"
int __VERIFIER_nondet_int(void);
int main(int argc, char **argv)
{
#ifdef NATIVE
    struct sigaction usual = {.sa_handler = SIG_DFL};
    for (int n = 1; n <= SIGRTMAX; n++)
        sigaction(n, &usual, 0); // a parent may leave some ignored, as nohup does
    chosen = atoi(argv[argc - 1]);
#else
    (void)argc, (void)argv;
    chosen = __VERIFIER_nondet_int();
#endif
    run();
    return 0;
}
"#;

const SIGNALS: [&str; 7] = ["SIGUSR1", "SIGUSR2", "SIGTERM", "SIGCHLD", "SIGHUP", "40", "41"];

/// A signal, now and then one that does not exist or cannot be caught.
fn signal(rng: &mut Rng) -> &'static str {
    match rng.below(16) {
        0 => ["-1", "65", "SIGKILL", "0"][rng.below(4) as usize],
        _ => SIGNALS[rng.below(SIGNALS.len() as u64) as usize],
    }
}

/// A signal that may be sent: not one that always ends the program.
fn sent(rng: &mut Rng) -> &'static str {
    let signal = signal(rng);
    if signal == "SIGKILL" { "SIGUSR1" } else { signal }
}

fn statement(rng: &mut Rng) -> String {
    match rng.below(13) {
        0 | 1 => format!("result(raise({}));", sent(rng)),
        2 => format!("result(kill(getpid(), {}));", sent(rng)),
        3 => format!("result(pthread_kill(pthread_self(), {}));", sent(rng)),
        4 => format!("queue({}, {});", sent(rng), rng.below(100)),
        5 | 6 => {
            let how = ["SIG_BLOCK", "SIG_BLOCK", "SIG_UNBLOCK", "SIG_SETMASK", "9"][rng.below(5) as usize];
            format!("mask({how}, {});", rng.below(128))
        }
        7 => "pending();".to_owned(),
        8 => format!("take({});", rng.below(128)),
        9 => format!("old_style({}, {});", signal(rng), 1 + rng.below(2)),
        10 => format!("meanwhile({}, {});", rng.below(3), rng.below(128) & rng.below(128)),
        _ => {
            let flags = ["0", "SA_RESTART", "SA_NODEFER", "SA_RESETHAND", "SA_RESETHAND | SA_NODEFER"];
            let flags = flags[rng.below(5) as usize];
            let handler = [2, 3, 3, 1, 2][rng.below(5) as usize];
            format!("install({}, {handler}, {flags}, {});", signal(rng), rng.below(128) & rng.below(128))
        }
    }
}

/// A call that a handler may cut short.
fn wait(rng: &mut Rng) -> String {
    let flags = ["0", "SA_RESTART", "SA_RESTART | SA_NODEFER"][rng.below(3) as usize];
    format!("wait_for({}, {flags}, {});", rng.below(10), rng.below(2))
}

/// Whether a case waits, and so may have several outcomes.
pub fn waits(case: u32) -> bool {
    case.is_multiple_of(4)
}

/// A program with so many cases.
pub fn source(seed: u64, cases: u32) -> String {
    let mut rng = Rng::new(seed);
    let mut text = PRELUDE.to_owned();
    text.push_str(
        "static int chosen;\nstatic void inner(int number)\n{\n    if (fuel-- <= 0)\n        return;\n",
    );
    text.push_str("    switch (chosen * 100 + number) {\n");
    for case in 0..cases {
        for number in SIGNALS {
            if rng.below(3) == 0 {
                let _ = writeln!(text, "    case {case} * 100 + {number}: {} break;", statement(&mut rng));
            }
        }
    }
    text.push_str("    }\n}\nstatic void run(void)\n{\n    switch (chosen) {\n");
    for case in 0..cases {
        let _ = writeln!(text, "    case {case}:");
        // Most signals have a handler, so that programs do not end too soon.
        for number in SIGNALS {
            if rng.below(5) > 0 {
                let handler = 2 + rng.below(2);
                let _ = writeln!(
                    text,
                    "        install({number}, {handler}, 0, {});",
                    rng.below(128) & rng.below(128)
                );
            }
        }
        for _ in 0..6 + rng.below(10) {
            let _ = writeln!(text, "        {}", statement(&mut rng));
        }
        if waits(case) {
            let _ = writeln!(text, "        {}\n        {}", wait(&mut rng), statement(&mut rng));
        }
        text.push_str("        break;\n");
    }
    text.push_str("    }\n}\n");
    text.push_str(MAIN);
    text
}
