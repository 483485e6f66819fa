//! Random sequences of calls of the thread library in one thread, with valid and invalid arguments.
//!
//! Each call prints its result, so that what the engine prints can be compared with a native run. The writer remembers
//! what the objects are in, as far as it takes to make no call whose behaviour POSIX leaves undefined, or that would
//! never return. Such are left out: locking a plain mutex or a read-write lock that the thread holds, unlocking one that
//! it does not hold, waiting at zero, destroying what is in use, using what was destroyed, joining oneself, values of
//! deleted keys. Also left out is what the real library answers by the state of the machine, as priorities.

use std::fmt::Write as _;

use crate::generator::Rng;

const PRELUDE: &str = r#"#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <threads.h>
#include <time.h>

/* Times that are over, and two that are none. */
static const struct timespec past = {0, 0}, late = {0, 1000000000}, early = {0, -1};
static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER, recursive, checking, robust;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier, other;
static sem_t semaphore, full, refused;
static pthread_attr_t attr;
static pthread_mutexattr_t mutexattr;
static pthread_condattr_t condattr;
static pthread_rwlockattr_t rwlockattr;
static pthread_barrierattr_t barrierattr;
static pthread_key_t keys[3];
static mtx_t mtx, again;
static cnd_t cnd;
static tss_t tss;
static int out, runs, values[3];

static void say(const char *call, int result) { printf("%s: %d\n", call, result); }
static void say_errno(const char *call, int result) { printf("%s: %d %d\n", call, result, result == -1 ? errno : 0); }
static void run(void) { runs++; }
static void make(pthread_mutex_t *mutex, int type, int is_robust)
{
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_settype(&a, type);
    pthread_mutexattr_setrobust(&a, is_robust);
    pthread_mutex_init(mutex, &a);
}

int main(void)
{
    make(&recursive, PTHREAD_MUTEX_RECURSIVE, 0);
    make(&checking, PTHREAD_MUTEX_ERRORCHECK, 0);
    make(&robust, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST);
    pthread_spin_init(&spin, 0);
    pthread_barrier_init(&barrier, 0, 1);
    sem_init(&semaphore, 0, 1);
    sem_init(&full, 0, SEM_VALUE_MAX);
    pthread_attr_init(&attr);
    pthread_mutexattr_init(&mutexattr);
    pthread_condattr_init(&condattr);
    pthread_rwlockattr_init(&rwlockattr);
    pthread_barrierattr_init(&barrierattr);
    mtx_init(&mtx, mtx_timed);
    mtx_init(&again, mtx_plain | mtx_recursive);
    cnd_init(&cnd);
    tss_create(&tss, 0);
    for (int i = 0; i < 3; i++)
        pthread_key_create(&keys[i], 0);
"#;

/// Setters of one number with the getter that must show what became of it.
const SETTERS: [(&str, &str, &str); 16] = [
    ("pthread_attr_setdetachstate", "pthread_attr_getdetachstate", "attr"),
    ("pthread_attr_setscope", "pthread_attr_getscope", "attr"),
    ("pthread_attr_setinheritsched", "pthread_attr_getinheritsched", "attr"),
    ("pthread_attr_setschedpolicy", "pthread_attr_getschedpolicy", "attr"),
    ("pthread_mutexattr_settype", "pthread_mutexattr_gettype", "mutexattr"),
    ("pthread_mutexattr_setrobust", "pthread_mutexattr_getrobust", "mutexattr"),
    ("pthread_mutexattr_setpshared", "pthread_mutexattr_getpshared", "mutexattr"),
    ("pthread_mutexattr_setprotocol", "pthread_mutexattr_getprotocol", "mutexattr"),
    ("pthread_condattr_setclock", "pthread_condattr_getclock", "condattr"),
    ("pthread_condattr_setpshared", "pthread_condattr_getpshared", "condattr"),
    ("pthread_rwlockattr_setpshared", "pthread_rwlockattr_getpshared", "rwlockattr"),
    ("pthread_rwlockattr_setkind_np", "pthread_rwlockattr_getkind_np", "rwlockattr"),
    ("pthread_barrierattr_setpshared", "pthread_barrierattr_getpshared", "barrierattr"),
    ("pthread_setcancelstate", "", ""),
    ("pthread_setcanceltype", "", ""),
    ("pthread_setconcurrency", "", ""),
];

const NUMBERS: [i32; 9] = [-1, 0, 1, 2, 3, 4, 95, i32::MAX, i32::MIN];
const TIMES: [&str; 3] = ["past", "late", "early"];
const CLOCKS: [&str; 4] = ["CLOCK_REALTIME", "CLOCK_MONOTONIC", "CLOCK_THREAD_CPUTIME_ID", "77"];
/// Calls that are always defined and change nothing that others depend on.
const ALWAYS: [&str; 24] = [
    "pthread_cond_signal(&condition)",
    "pthread_cond_broadcast(&condition)",
    "pthread_once(&once, run)",
    "pthread_barrier_wait(&barrier)",
    "pthread_barrier_init(&other, 0, 0)",
    "pthread_barrier_init(&other, 0, 0x7fffffff)",
    "pthread_barrier_init(&other, 0, 0x80000000u)",
    "pthread_setname_np(pthread_self(), \"fifteen letters\")",
    "pthread_setname_np(pthread_self(), \"sixteen letters!\")",
    "pthread_getconcurrency()",
    "pthread_equal(pthread_self(), pthread_self())",
    "pthread_mutex_consistent(&plain)",
    "pthread_mutex_consistent(&robust)",
    "pthread_attr_setstacksize(&attr, 16383)",
    "pthread_attr_setstacksize(&attr, 65536)",
    "pthread_setspecific(12345, &out)",
    "pthread_key_delete(12345)",
    "cnd_signal(&cnd)",
    "cnd_broadcast(&cnd)",
    "thrd_sleep(&past, 0)",
    "thrd_sleep(&late, 0)",
    "thrd_equal(thrd_current(), thrd_current())",
    "tss_set(tss, &out)",
    "runs",
];
const WITH_ERRNO: [&str; 6] = [
    "sched_yield()",
    "sem_init(&refused, 0, SEM_VALUE_MAX + 1u)",
    "sem_init(&refused, 0, ~0u)",
    "sem_post(&full)",
    "sem_getvalue(&full, &out)",
    "sem_clockwait(&full, 77, &past)",
];

/// What the objects are in.
#[derive(Default)]
struct Writer {
    text: String,
    plain: bool,
    robust: bool,
    spin: bool,
    mtx: bool,
    recursive: u32,
    units: u32,
    is_writer: bool,
    readers: u32,
}

/// A program that makes so many calls.
pub fn source(seed: u64, n_calls: u32) -> String {
    let mut rng = Rng::new(seed);
    let mut writer = Writer { text: PRELUDE.to_owned(), units: 1, ..Writer::default() };
    for _ in 0..n_calls {
        match rng.range(0, 9) {
            0 | 1 => writer.mutex(&mut rng),
            2 => writer.other_mutex(&mut rng),
            3 => writer.rwlock(&mut rng),
            4 => writer.semaphore(&mut rng),
            5 => writer.setter(&mut rng),
            6 => writer.key(&mut rng),
            7 => writer.timed(&mut rng),
            8 => writer.c11(&mut rng),
            _ => {
                let call = pick(&mut rng, &ALWAYS);
                writer.say(call);
                let call = pick(&mut rng, &WITH_ERRNO);
                writer.say_errno(call);
            }
        }
    }
    writer.text.push_str("    return 0;\n}\n");
    writer.text
}

fn pick<'a>(rng: &mut Rng, items: &[&'a str]) -> &'a str {
    rng.pick::<&str>(items)
}

impl Writer {
    fn say(&mut self, call: &str) {
        let name = call.replace('"', "'");
        let _ = writeln!(self.text, "    say(\"{name}\", {call});");
    }

    fn say_errno(&mut self, call: &str) {
        let _ = writeln!(self.text, "    say_errno(\"{call}\", {call});");
    }

    fn mutex(&mut self, rng: &mut Rng) {
        let time = pick(rng, &TIMES);
        match (rng.range(0, 4), self.plain) {
            (0, false) => {
                self.say("pthread_mutex_lock(&plain)");
                self.plain = true;
            }
            (1, true) => {
                self.say("pthread_mutex_unlock(&plain)");
                self.plain = false;
            }
            (2, _) => {
                self.say("pthread_mutex_trylock(&plain)");
                self.plain = true;
            }
            (3, _) => {
                self.say(&format!("pthread_mutex_timedlock(&plain, &{time})"));
                self.plain = true;
            }
            _ => {
                let call = pick(
                    rng,
                    &[
                        "pthread_mutex_lock(&checking)",
                        "pthread_mutex_unlock(&checking)",
                        "pthread_mutex_trylock(&checking)",
                    ],
                );
                self.say(call);
                self.say(&format!("pthread_mutex_timedlock(&checking, &{time})"));
            }
        }
    }

    fn other_mutex(&mut self, rng: &mut Rng) {
        match (rng.range(0, 5), self.robust, self.spin) {
            (0, false, _) => {
                self.say("pthread_mutex_lock(&robust)");
                self.robust = true;
            }
            (1, ..) => {
                self.say("pthread_mutex_unlock(&robust)");
                self.robust = false;
            }
            (2, _, false) => {
                self.say("pthread_spin_lock(&spin)");
                self.spin = true;
            }
            (3, _, true) => {
                self.say("pthread_spin_unlock(&spin)");
                self.spin = false;
            }
            (4, ..) => {
                self.say("pthread_spin_trylock(&spin)");
                self.spin = true;
            }
            _ if self.recursive < 4 => {
                let call =
                    pick(rng, &["pthread_mutex_lock(&recursive)", "pthread_mutex_trylock(&recursive)"]);
                self.say(call);
                self.recursive += 1;
            }
            _ => {
                for _ in 0..=self.recursive {
                    self.say("pthread_mutex_unlock(&recursive)");
                }
                self.recursive = 0;
            }
        }
    }

    fn rwlock(&mut self, rng: &mut Rng) {
        let is_free = !self.is_writer && self.readers == 0;
        let (clock, time) = (pick(rng, &CLOCKS[..2]), pick(rng, &TIMES));
        match rng.range(0, 6) {
            0 => {
                self.say("pthread_rwlock_rdlock(&rwlock)");
                self.readers += u32::from(!self.is_writer);
            }
            1 => {
                self.say("pthread_rwlock_tryrdlock(&rwlock)");
                self.readers += u32::from(!self.is_writer);
            }
            2 => {
                self.say("pthread_rwlock_trywrlock(&rwlock)");
                self.is_writer |= is_free;
            }
            3 => {
                self.say(&format!("pthread_rwlock_clockwrlock(&rwlock, {clock}, &{time})"));
                self.is_writer |= is_free && time == "past";
            }
            4 => {
                self.say(&format!("pthread_rwlock_timedrdlock(&rwlock, &{time})"));
                self.readers += u32::from(!self.is_writer && time == "past");
            }
            _ if is_free => {
                self.say("pthread_rwlock_wrlock(&rwlock)");
                self.is_writer = true;
            }
            _ => {
                self.say("pthread_rwlock_unlock(&rwlock)");
                match self.is_writer {
                    true => self.is_writer = false,
                    false => self.readers -= 1,
                }
            }
        }
    }

    fn semaphore(&mut self, rng: &mut Rng) {
        let time = pick(rng, &TIMES);
        match rng.range(0, 4) {
            0 if self.units > 0 => self.say_errno("sem_wait(&semaphore)"),
            1 => self.say_errno("sem_trywait(&semaphore)"),
            2 => {
                self.say_errno(&format!("sem_timedwait(&semaphore, &{time})"));
                self.units += u32::from(time != "past" && self.units > 0);
            }
            _ => {
                self.say_errno("sem_post(&semaphore)");
                self.units += 2;
            }
        }
        self.units = self.units.saturating_sub(1);
        self.text.push_str("    sem_getvalue(&semaphore, &out);\n");
        self.say("out");
    }

    fn setter(&mut self, rng: &mut Rng) {
        let (set, get, object) = *rng.pick(&SETTERS);
        let number = *rng.pick(&NUMBERS);
        match get {
            "" if set == "pthread_setconcurrency" => self.say(&format!("{set}({number})")),
            "" => {
                self.say(&format!("{set}({number}, &out)"));
                self.say("out");
                // Nothing here may be cancelled, and the engine refuses what could be at any time.
                self.say(&format!("{set}(0, &out)"));
                self.say("out");
            }
            get => {
                self.say(&format!("{set}(&{object}, {number})"));
                let _ = writeln!(self.text, "    {get}(&{object}, &out);");
                self.say("out");
            }
        }
    }

    fn key(&mut self, rng: &mut Rng) {
        let which = rng.index(3);
        if rng.chance(30) {
            // The number of a deleted key may be that of a new one at any time.
            self.say(&format!("pthread_key_delete(keys[{which}])"));
            self.say(&format!("pthread_key_delete(keys[{which}])"));
            self.say(&format!("pthread_key_create(&keys[{which}], 0)"));
        } else {
            self.say(&format!("pthread_getspecific(keys[{which}]) != 0"));
            self.say(&format!("pthread_setspecific(keys[{which}], &values[{which}])"));
            self.say(&format!("pthread_getspecific(keys[{which}]) == &values[{which}]"));
        }
    }

    /// Waits that end at once: the time is over, or is none.
    fn timed(&mut self, rng: &mut Rng) {
        let (clock, time) = (pick(rng, &CLOCKS), pick(rng, &TIMES));
        self.say(&format!("clock_nanosleep({clock}, 0, &{time}, 0)"));
        if !self.plain {
            self.say("pthread_mutex_lock(&plain)");
            self.plain = true;
        }
        self.say(&format!("pthread_cond_timedwait(&condition, &plain, &{time})"));
        self.say(&format!("pthread_cond_clockwait(&condition, &plain, {clock}, &{time})"));
        self.say(&format!("pthread_mutex_clocklock(&plain, {clock}, &{time})"));
    }

    fn c11(&mut self, rng: &mut Rng) {
        let time = pick(rng, &TIMES);
        match (rng.range(0, 3), self.mtx) {
            (0, false) => self.say("mtx_lock(&mtx)"),
            (1, _) => self.say("mtx_trylock(&mtx)"),
            (2, _) => self.say(&format!("mtx_timedlock(&mtx, &{time})")),
            (_, true) => {
                self.say(&format!("cnd_timedwait(&cnd, &mtx, &{time})"));
                self.say("mtx_unlock(&mtx)");
                self.mtx = false;
                return;
            }
            _ => {
                self.say("mtx_lock(&again)");
                self.say("mtx_trylock(&again)");
                self.say("mtx_unlock(&again)");
                self.say("mtx_unlock(&again)");
                return;
            }
        }
        self.mtx = true;
    }
}
