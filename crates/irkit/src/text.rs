//! Programs from short texts.
//!
//! A body is IR as in docs/ir.md, one instruction a line, without the label of the first block; at its end there is a
//! `return` if nothing else ends it. Registers may have names. Besides instructions there are these lines:
//!
//! | line | meaning |
//! |---|---|
//! | `start NAME` | starts the thread `NAME` |
//! | `start NAME as OTHER` | starts it once more: `OTHER` is joined |
//! | `join NAME` | waits for its end |
//! | `run NAME NAME ...` | starts these threads and waits for them, in this order |
//! | `assert %c` | fails if the bit is 0 |
//! | `atomic`, `end` | around what is one step |

use std::collections::BTreeMap;
use std::fmt::Write;

use selvedge_program::{Program, parse, validate};

/// Library functions that a text may call: name and signature.
const LIBRARY: &[(&str, &str)] = &[
    ("abort", "()"),
    ("exit", "(%0: i32)"),
    ("free", "(%0: ptr)"),
    ("malloc", "(%0: i64) -> ptr"),
    ("reach_error", "()"),
    ("pthread_barrier_init", "(%0: ptr, %1: ptr, %2: i32) -> i32"),
    ("pthread_barrier_wait", "(%0: ptr) -> i32"),
    ("pthread_cond_broadcast", "(%0: ptr) -> i32"),
    ("pthread_cond_signal", "(%0: ptr) -> i32"),
    ("pthread_cond_wait", "(%0: ptr, %1: ptr) -> i32"),
    ("pthread_create", "(%0: ptr, %1: ptr, %2: ptr, %3: ptr) -> i32"),
    ("pthread_exit", "(%0: ptr)"),
    ("pthread_join", "(%0: i64, %1: ptr) -> i32"),
    ("pthread_mutex_lock", "(%0: ptr) -> i32"),
    ("pthread_mutex_trylock", "(%0: ptr) -> i32"),
    ("pthread_mutex_unlock", "(%0: ptr) -> i32"),
    ("pthread_once", "(%0: ptr, %1: ptr) -> i32"),
    ("pthread_rwlock_rdlock", "(%0: ptr) -> i32"),
    ("pthread_rwlock_unlock", "(%0: ptr) -> i32"),
    ("pthread_rwlock_wrlock", "(%0: ptr) -> i32"),
    ("sem_wait", "(%0: ptr) -> i32"),
    ("__selvedge_sem_init", "(%0: ptr, %1: i32) -> i32"),
    ("__VERIFIER_assume", "(%0: i32)"),
    ("__VERIFIER_atomic_begin", "()"),
    ("__VERIFIER_atomic_end", "()"),
    ("__VERIFIER_nondet_int", "() -> i32"),
    ("__VERIFIER_nondet_uchar", "() -> i8"),
];

/// What `assert` calls.
const CHECK: &str =
    "func @check(%0: i1) {\nbb0: branch %0, bb1, bb2\nbb1: return\nbb2: call @abort()\nunreachable }\n";

/// A program in the making.
#[derive(Clone, Default)]
pub struct Text {
    globals: String,
    functions: String,
}

impl Text {
    /// A program with nothing in it.
    pub fn new() -> Text {
        Text::default()
    }

    /// A shared `int`.
    pub fn int(mut self, name: &str, value: i32) -> Text {
        let _ = writeln!(self.globals, "global @{name} size 4 align 4 = {{ 0: i32 {value}i32 }}");
        self
    }

    /// A shared pointer to a global.
    pub fn pointer(mut self, name: &str, target: &str) -> Text {
        let _ = writeln!(self.globals, "global @{name} size 8 align 8 = {{ 0: ptr @{target} }}");
        self
    }

    /// Shared bytes that are zero: an array, a mutex, a condition, a barrier.
    pub fn zeros(mut self, name: &str, size: u32) -> Text {
        let _ = writeln!(self.globals, "global @{name} size {size} align 8 = {{}}");
        self
    }

    /// Mutexes.
    pub fn mutexes(self, names: &[&str]) -> Text {
        names.iter().fold(self, |text, name| text.zeros(name, 40))
    }

    /// A function with this signature (`(%x: i32) -> i32`); its body is complete.
    pub fn function(mut self, name: &str, signature: &str, body: &str) -> Text {
        self.add(name, signature, body, "");
        self
    }

    /// What the thread `name` does; its argument is `%arg`.
    pub fn thread(mut self, name: &str, body: &str) -> Text {
        self.add(name, "(%arg: ptr) -> ptr", body, "return null");
        self
    }

    /// What `main` does: the end of the text.
    #[track_caller]
    pub fn main(mut self, body: &str) -> Program {
        self.add("main", "() -> i32", body, "return 0i32");
        let Text { globals, mut functions } = self;
        if functions.contains("@check(") {
            functions += CHECK;
        }
        let mut text = format!("entry @main\n{globals}");
        for (name, signature) in LIBRARY {
            if functions.contains(&format!("@{name}(")) {
                let _ = writeln!(text, "declare @{name}{signature}");
            }
        }
        text += &functions;
        let program = parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        validate(&program).unwrap_or_else(|problems| panic!("{problems:?}\n{text}"));
        program
    }

    fn add(&mut self, name: &str, signature: &str, body: &str, last: &str) {
        let lines: Vec<String> = body.lines().map(expand).collect();
        let last = if lines.last().is_some_and(|line| is_terminator(line)) { "" } else { last };
        let text = format!("{signature} {{\nbb0:\n{}\n{last}\n}}\n", lines.join("\n"));
        self.functions += &format!("func @{name}{}", number_registers(&text));
    }
}

/// A program without other threads.
#[track_caller]
pub fn main_only(body: &str) -> Program {
    Text::new().main(body)
}

/// A line of a body as IR.
fn expand(line: &str) -> String {
    if let Some((label, rest)) = line.split_once(": ").filter(|(label, _)| is_label(label)) {
        return format!("{label}: {}", expand(rest));
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        ["start", name] => start(name, name),
        ["start", function, "as", name] => start(function, name),
        ["join", name] => join(name),
        ["run", ..] => {
            let all: Vec<String> = words[1..].iter().map(|name| start(name, name)).collect();
            let joins: Vec<String> = words[1..].iter().map(|name| join(name)).collect();
            all.join("\n") + "\n" + &joins.join("\n")
        }
        ["assert", condition] => format!("call @check(i1 {condition})"),
        ["atomic"] => "call @__VERIFIER_atomic_begin()".to_owned(),
        ["end"] => "call @__VERIFIER_atomic_end()".to_owned(),
        _ => line.to_owned(),
    }
}

/// Whether nothing comes after this line.
fn is_terminator(line: &str) -> bool {
    let instruction = line.rsplit_once(": ").map_or(line, |(_, rest)| rest);
    let word = instruction.split_whitespace().next().unwrap_or_default();
    ["jump", "branch", "switch", "return", "unreachable"].contains(&word)
}

/// Whether this is the label of a block without parameters.
fn is_label(text: &str) -> bool {
    text.trim().strip_prefix("bb").is_some_and(|number| number.bytes().all(|b| b.is_ascii_digit()))
}

fn start(function: &str, name: &str) -> String {
    format!(
        "%id_{name}: ptr = alloca 8 x 1i64 align 8\n\
         call @pthread_create(ptr %id_{name}, ptr null, ptr @{function}, ptr null)"
    )
}

fn join(name: &str) -> String {
    format!("%of_{name}: i64 = load i64 %id_{name}\ncall @pthread_join(i64 %of_{name}, ptr null)")
}

/// The text of one function with its registers numbered in the order in which they are first mentioned.
fn number_registers(text: &str) -> String {
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        let (before, from) = rest.split_at(at);
        out += before;
        let is_end = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
        let end = from[1..].find(is_end).map_or(from.len(), |end| end + 1);
        let next = numbers.len();
        let number = *numbers.entry(&from[..end]).or_insert(next);
        out += &format!("%{number}");
        rest = &from[end..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::number_registers;

    #[test]
    fn a_name_has_one_number() {
        assert_eq!(number_registers("%a = %b + %a, %c"), "%0 = %1 + %0, %2");
    }

    #[test]
    fn a_number_is_a_name_like_others() {
        assert_eq!(number_registers("%7 %x %7"), "%0 %1 %0");
    }
}
