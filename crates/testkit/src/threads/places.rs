//! Shared memory of every kind, and what is written there.

use crate::generator::Rng;

/// A global of a program: declared, set up and shown if the text of the program names it.
pub(super) struct Global {
    pub(super) name: &'static str,
    pub(super) declaration: &'static str,
    /// Statement of `main` before the first thread; empty for none.
    pub(super) setup: &'static str,
    /// Expressions shown at the end, separated by semicolons.
    pub(super) shown: &'static str,
}

const fn global(
    name: &'static str,
    declaration: &'static str,
    setup: &'static str,
    shown: &'static str,
) -> Global {
    Global { name, declaration, setup, shown }
}

/// All globals, those first that others refer to.
pub(super) const GLOBALS: &[Global] = &[
    global("x", "static cell @x;", "", "@x"),
    global("y", "static cell @y = 1;", "", "@y"),
    global("z", "static cell @z;", "", "@z"),
    global("a", "static cell @a[2] = {0, 2};", "", "@a[0];@a[1]"),
    global("s", "static struct { cell f, g; } @s = {1, 0};", "", "@s.f;@s.g"),
    global("u", "static union { int w; unsigned char b[4]; short h[2]; } @u;", "", "@u.b[0];@u.b[1];@u.h[1]"),
    global("c0", "static struct two @c0 = {{1, 2}};", "", "@c0.v[0];@c0.v[1]"),
    global("c1", "static struct two @c1;", "", "@c1.v[0];@c1.v[1]"),
    global("three", "static struct three @three;", "", "sum(@three)"),
    global("d", "static int @d[3] = {0, 1, 2};", "", "@d[0];@d[1];@d[2]"),
    global("k0", "static struct link @k0 = {&@x, 1};", "", "@k0.to == &@x;@k0.n"),
    global("k1", "static struct link @k1 = {0, 2};", "", "@k1.to == &@x;@k1.n"),
    global("flag", "static cell @flag;", "", "@flag"),
    global("ready", "static cell @ready;", "", "@ready"),
    global("lk", "static cell @lk;", "", "@lk"),
    global("p", "static pointer @p = &@x;", "", "@p == &@x"),
    global("q", "static pointer @q;", "", "@q == 0"),
    global("m0", "static pthread_mutex_t @m0 = PTHREAD_MUTEX_INITIALIZER;", "", ""),
    global("m1", "static pthread_mutex_t @m1;", "pthread_mutex_init(&@m1, 0);", ""),
    global("rec", "static pthread_mutex_t @rec = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;", "", ""),
    global("chk", "static pthread_mutex_t @chk = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;", "", ""),
    global("spin", "static pthread_spinlock_t @spin;", "pthread_spin_init(&@spin, 0);", ""),
    global("cv", "static pthread_cond_t @cv = PTHREAD_COND_INITIALIZER;", "", ""),
    global("sem0", "static sem_t @sem0;", "sem_init(&@sem0, 0, 0);", ""),
    global("sem1", "static sem_t @sem1;", "sem_init(&@sem1, 0, 1);", ""),
    global("rw", "static pthread_rwlock_t @rw = PTHREAD_RWLOCK_INITIALIZER;", "", ""),
    global("bar", "static pthread_barrier_t @bar;", "pthread_barrier_init(&@bar, 0, 2);", ""),
    global("once", "static pthread_once_t @once = PTHREAD_ONCE_INIT;", "", ""),
    global("word", "static cell @word;", "", "@word"),
    global(
        "key",
        "static pthread_key_t @key; static void @gone(void *value) { @z = @z + (int)(long)value; }",
        "pthread_key_create(&@key, @gone);",
        "",
    ),
    global("robust", "static pthread_mutex_t @robust;", "make_robust(&@robust);", ""),
    global("mtx", "static mtx_t @mtx;", "mtx_init(&@mtx, mtx_plain);", ""),
    global("cnd", "static cnd_t @cnd;", "cnd_init(&@cnd);", ""),
    global("flag_once", "static once_flag @flag_once = ONCE_FLAG_INIT;", "", ""),
    global("in", "static struct { unsigned char v[2]; } @in;", "", "@in.v[0] & 1;@in.v[1] & 1"),
    global("number", "static _Atomic unsigned long @number;", "", ""),
    global("n0", "static cell @n0;", "", ""),
    global("n1", "static cell @n1;", "", ""),
    global("mark", "static _Atomic unsigned long @mark;", "", ""),
    global("bump", "static void @set(void) { @x = 2; } static void @bump(void) { @y = @y + 1; }", "", ""),
    global("action", "static void (*_Atomic @action)(void) = @set;", "", ""),
    global("own", "static _Thread_local cell @own;", "", "@own"),
];

/// Whether `text` names the global.
pub(super) fn names(text: &str, name: &str) -> bool {
    let wanted = format!("@{name}");
    let is_end = |c: char| !c.is_ascii_alphanumeric() && c != '_';
    text.match_indices(&wanted).any(|(at, _)| text[at + wanted.len()..].starts_with(is_end))
}

/// What one thread can name.
#[derive(Clone, Debug)]
pub(super) struct Scope {
    /// The kinds of places this program uses most: threads must meet somewhere.
    pub(super) focus: Vec<usize>,
    /// Inputs that may still be read.
    pub(super) inputs: u32,
    /// Whether the threads copy more than words.
    pub(super) copies: bool,
    /// Whether the threads use what is rare.
    pub(super) rare: bool,
    /// Whether pointers of unusual origin are used.
    pub(super) detours: bool,
    /// Whether there are accesses that matter to nobody.
    pub(super) noise: bool,
    /// Whether the thread was given a pointer.
    pub(super) has_argument: bool,
    /// Whether the place of each thread's own exists.
    pub(super) uses_mine: bool,
}

/// Kinds of places by index into the table below, and how often each is drawn.
const WEIGHTS: &[u32] = &[12, 10, 4, 5, 4, 4, 3, 5, 4, 2, 6, 3, 2, 2, 1];

/// The same for those that a program uses most: places of one thread only would make a dull program.
const FOCUS: &[u32] = &[12, 8, 2, 4, 4, 4, 3, 5, 3, 0, 6, 0, 3, 1, 0];

impl Scope {
    pub(super) fn new(rng: &mut Rng) -> Scope {
        let n = rng.range(1, 2);
        let focus = (0..n).map(|_| rng.weighted(FOCUS)).collect();
        Scope {
            focus,
            inputs: rng.range(0, 2),
            copies: rng.chance(15),
            rare: rng.chance(20),
            detours: rng.chance(20),
            noise: rng.chance(30),
            has_argument: false,
            uses_mine: false,
        }
    }

    /// An lvalue of type `cell` or another integer.
    pub(super) fn place(&mut self, rng: &mut Rng) -> String {
        let kind = if rng.chance(88) { *rng.pick(&self.focus) } else { rng.weighted(WEIGHTS) };
        match kind {
            1 => "@y".to_owned(),
            2 => "@z".to_owned(),
            3 => format!("@a[{}]", rng.below(2)),
            4 => format!("@a[l{} & 1]", rng.below(2)),
            5 => match self.input(rng) {
                Some(input) => format!("@a[{input}]"),
                None => "@a[1]".to_owned(),
            },
            6 => "@s.f".to_owned(),
            7 => "*@p".to_owned(),
            8 => "@s.g".to_owned(),
            9 => "*@q".to_owned(),
            10 if self.has_argument => "*arg".to_owned(),
            11 => {
                self.uses_mine = true;
                "mine".to_owned()
            }
            12 => (*rng.pick(&["@u.w", "@u.b[1]", "@u.h[0]", "@u.h[1]", "@u.b[0]"])).to_owned(),
            13 => "@flag".to_owned(),
            14 => "@own".to_owned(),
            _ => "@x".to_owned(),
        }
    }

    /// A `cell` whose place does not depend on anything.
    pub(super) fn fixed(&mut self, rng: &mut Rng) -> &'static str {
        match rng.pick(&self.focus) {
            1 => "@y",
            3..=5 => ["@a[0]", "@a[1]"][rng.index(2)],
            6 => "@s.f",
            8 => "@s.g",
            13 => "@flag",
            _ => ["@x", "@x", "@y", "@z"][rng.index(4)],
        }
    }

    /// A new input, if there may be more.
    pub(super) fn input(&mut self, rng: &mut Rng) -> Option<&'static str> {
        self.inputs = self.inputs.checked_sub(1)?;
        Some(if rng.chance(60) { "input()" } else { "choice()" })
    }

    /// A value without visible accesses.
    pub(super) fn value(&mut self, rng: &mut Rng) -> String {
        match rng.below(10) {
            0..=3 => rng.range(0, 3).to_string(),
            4 | 5 => format!("l{}", rng.below(2)),
            6 => format!("l{} + 1", rng.below(2)),
            7 => format!("l0 - l1 + {}", rng.below(3)),
            _ => match self.input(rng) {
                Some(input) => format!("{input} + {}", rng.below(2)),
                None => rng.range(1, 2).to_string(),
            },
        }
    }

    /// A condition without visible accesses.
    pub(super) fn condition(&mut self, rng: &mut Rng) -> String {
        match rng.below(5) {
            0 => "l0 & 1".to_owned(),
            1 => "l0 < l1".to_owned(),
            2 => format!("l1 == {}", rng.below(3)),
            3 => match self.input(rng) {
                Some(input) => input.to_owned(),
                None => "l0 == l1".to_owned(),
            },
            _ => format!("l0 == {}", rng.below(3)),
        }
    }
}
