//! Random C++ programs that throw and catch, to be compared with native runs.
//!
//! A program has several cases, chosen by an input; each is a handful of functions with objects to destroy, handlers of
//! many types, loops, and handlers that throw, return or go on. Everything that happens leaves a number in the output.
//! Exceptions that nothing catches, or that leave a `noexcept` function, end in a handler of `std::terminate`.

use std::fmt::Write as _;

use crate::generator::Rng;

/// The classes and helpers of all cases; `input` is the number of the case, from the command line if `NATIVE` is defined.
const PRELUDE: &str = r#"
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <vector>

static void say(int n) { std::printf("%d ", n); }
struct Virtual { int v = 1; virtual ~Virtual() {} };
struct Base : virtual Virtual {
    int a;
    Base(int a) : a(a) {}
    Base(const Base &other) : Virtual(other), a(other.a) { say(100); }
    virtual ~Base() { say(101); }
    virtual int id() const { return 1; }
};
struct Middle : Base {
    int b = 2;
    Middle(int a) : Base(a) {}
    ~Middle() { say(102); }
    int id() const override { return 2; }
};
struct Other { int c = 5; virtual ~Other() {} };
struct Last : Other, Middle {
    int d = 9;
    Last(int a) : Middle(a) {}
    int id() const override { return 3; }
};
struct Hidden : private Other, virtual Virtual {};
struct Guard {
    int n;
    Guard(int n) : n(n) { say(n); }
    ~Guard() { say(-n); }
};
struct Thrower {
    int n;
    Thrower(int n) : n(n) { say(n); }
    ~Thrower() { try { throw n; } catch (int k) { say(-k - 1000); } }
};
static Middle middle(6);
static Last last(7);
"#;

const MAIN: &str = r#"
static void at_terminate() { std::printf("terminate\n"); std::fflush(stdout); std::_Exit(77); }
extern "C" int __VERIFIER_nondet_int();
int main(int argc, char **argv)
{
#ifdef NATIVE
    int input = std::atoi(argv[1]);
#else
    int input = __VERIFIER_nondet_int();
#endif
    std::set_terminate(at_terminate);
"#;

const THROWS: [&str; 16] = [
    "throw 1;",
    "throw 2L;",
    "throw 'c';",
    "throw \"text\";",
    "throw 1.5;",
    "throw Base(3);",
    "throw Middle(4);",
    "throw Last(5);",
    "throw Other();",
    "throw Hidden();",
    "throw &middle;",
    "throw static_cast<Base *>(&last);",
    "throw static_cast<const char *>(nullptr);",
    "throw std::runtime_error(\"r\");",
    "throw std::out_of_range(\"o\");",
    "{ std::vector<int> few(2); say(few.at(k + 1)); }",
];

const HANDLERS: [(&str, &str); 16] = [
    ("int x", "say(200 + x);"),
    ("long x", "say(210 + int(x));"),
    ("double", "say(215);"),
    ("const char *x", "say(220 + (x != nullptr));"),
    ("Base &x", "say(230 + x.id() * 10 + x.a);"),
    ("Middle x", "say(300 + x.b + x.a);"),
    ("const Other &x", "say(320 + x.c);"),
    ("Virtual &x", "say(340 + x.v);"),
    ("Last &x", "say(345 + x.d);"),
    ("Base *x", "say(350 + x->id());"),
    ("const Middle *x", "say(360 + x->b);"),
    ("Virtual *x", "say(365 + x->v);"),
    ("void *", "say(368);"),
    ("std::logic_error &x", "say(370 + x.what()[0]);"),
    ("std::exception &x", "say(500 + x.what()[0]);"),
    ("...", "say(400);"),
];

/// A program with so many cases.
pub fn source(seed: u64, n_cases: u32) -> String {
    let mut text = PRELUDE.to_owned();
    for case in 0..n_cases {
        let mut writer =
            Writer { rng: Rng::new(seed.wrapping_mul(1000) + u64::from(case)), case, n_names: 0 };
        writer.case(&mut text);
    }
    text.push_str(MAIN);
    for case in 0..n_cases {
        let _ = writeln!(text, "    if (input == {case}) case{case}();");
    }
    text.push_str("    std::printf(\"end\\n\");\n    return 0;\n}\n");
    text
}

struct Writer {
    rng: Rng,
    case: u32,
    n_names: u32,
}

impl Writer {
    fn case(&mut self, text: &mut String) {
        let n_functions = self.rng.range(3, 6);
        let case = self.case;
        for f in 0..n_functions {
            let noexcept = if self.rng.chance(6) { " noexcept" } else { "" };
            let body = self.statements(f, 0);
            let (begin, end) = (1000 + f, 2000 + f);
            let _ = writeln!(
                text,
                "static void f{case}_{f}(int k){noexcept} {{ say({begin}); {body} say({end}); }}"
            );
        }
        let handlers = if self.rng.chance(70) {
            "catch (...) { say(3000); }"
        } else {
            "catch (std::exception &) { say(3001); } catch (Base &) { say(3002); }"
        };
        let outermost = n_functions - 1;
        let _ = writeln!(
            text,
            "static void case{case}() {{ for (int k = 0; k < 6; k++) try {{ f{case}_{outermost}(k); }} {handlers} }}"
        );
    }

    fn statements(&mut self, function: u32, depth: u32) -> String {
        let count = self.rng.range(1, 3);
        (0..count).map(|_| self.statement(function, depth)).collect::<Vec<_>>().join(" ")
    }

    fn statement(&mut self, function: u32, depth: u32) -> String {
        let nested = if depth < 2 { 1 } else { 0 };
        match self.rng.weighted(&[20, 5, 25, 25, 20 * nested, 5 * nested]) {
            0 => self.object("Guard"),
            1 => self.object("Thrower"),
            2 => {
                let (every, at) = (self.rng.range(2, 4), self.rng.range(0, 2));
                format!("if (k % {every} == {at}) {}", self.rng.pick(&THROWS))
            }
            3 if function > 0 => {
                let callee = self.rng.range(0, function - 1);
                format!("f{}_{callee}(k + {});", self.case, self.rng.range(0, 2))
            }
            3 => "say(7);".to_owned(),
            4 => self.try_block(function, depth),
            _ => {
                let body = self.statements(function, depth + 1);
                let end = self.rng.pick(&["", "break;", "continue;"]);
                format!("for (int i = 0; i < 2; i++) {{ {body} {end} }}")
            }
        }
    }

    fn object(&mut self, class: &str) -> String {
        self.n_names += 1;
        format!("{class} object{}({});", self.n_names, self.rng.range(1, 90))
    }

    fn try_block(&mut self, function: u32, depth: u32) -> String {
        let mut text = format!("try {{ {} }}", self.statements(function, depth + 1));
        let first = self.rng.index(HANDLERS.len());
        // In the order of the table, and `...` at most once, as the last.
        for (i, (what, does)) in HANDLERS.iter().enumerate() {
            if i != first && !self.rng.chance(12) {
                continue;
            }
            let then = match self.rng.range(0, 6) {
                0 => "throw;".to_owned(),
                1 => "throw 1;".to_owned(),
                2 => "return;".to_owned(),
                3 => self.statements(function, depth + 1),
                _ => String::new(),
            };
            let _ = write!(text, " catch ({what}) {{ {does} {then} }}");
        }
        text
    }
}
