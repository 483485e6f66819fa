//! Character buffers and string functions.

use crate::generator::Gen;
use crate::generator::ints::Int;
use crate::generator::tree::Node;
use crate::generator::value::{Taint, Val};

const WORDS: [&str; 8] = ["", "a", "zz", "loom", "selvedge", "12", "-7x", "Warp 9"];

impl Gen {
    /// A buffer, a few calls that change it, a few that look at it.
    pub(super) fn string_buffer(&mut self, body: &mut Vec<Node>) {
        let name = self.local_name();
        let capacity = self.rng.range(24, 40);
        let first = *self.rng.pick(&WORDS);
        Gen::emit(body, format!("char {name}[{capacity}] = \"{first}\";"));
        // The last byte stays zero, so there always is an end; `longest` bounds the length for appending.
        let mut longest = first.len() as u32;
        for _ in 0..self.rng.range(1, 3) {
            let word = *self.rng.pick(&WORDS);
            let len = word.len() as u32;
            match self.rng.below(7) {
                0 => {
                    Gen::emit(body, format!("strcpy({name}, \"{word}\");"));
                    longest = longest.max(len);
                }
                1 if longest + len < capacity => {
                    Gen::emit(body, format!("strcat({name}, \"{word}\");"));
                    longest += len;
                }
                2 => {
                    let value = self.expr(Taint::Small, 1);
                    let size = self.rng.range(1, capacity);
                    let ty = value.ty.promoted();
                    let conversion = match ty {
                        Int::UInt => "%u",
                        Int::Long => "%ld",
                        Int::ULong => "%lu",
                        Int::LLong => "%lld",
                        Int::ULLong => "%llu",
                        _ => "%d",
                    };
                    let call =
                        format!("snprintf({name}, {size}, \"{conversion}:%s\", {}, \"{word}\")", value.text);
                    let mixed = self.mix(&call);
                    Gen::emit(body, mixed);
                    longest = capacity - 1;
                }
                3 => {
                    let count = self.rng.range(0, capacity - 2);
                    Gen::emit(body, format!("memset({name}, 'q', {count});"));
                    longest = capacity - 1;
                }
                4 => {
                    let index = self.index(capacity - 1, Taint::Small);
                    let letter = self.expr(Taint::Small, 1).masked(7);
                    Gen::emit(body, format!("{name}[{}] = 'a' + {};", index.text, letter.text));
                    longest = capacity - 1;
                }
                5 => {
                    let count = self.rng.range(0, capacity - 1);
                    Gen::emit(body, format!("strncpy({name}, \"{word}\", {count});"));
                    longest = capacity - 1;
                }
                _ => {
                    let index = self.index(capacity - 1, Taint::Small);
                    let one = format!("{name}[{}]", index.text);
                    Gen::emit(body, format!("{one} = toupper((unsigned char){one});"));
                }
            }
        }
        for _ in 0..self.rng.range(1, 3) {
            let line = self.look_at(&name);
            Gen::emit(body, line);
        }
        if self.rng.chance(25) {
            let at = self.local_name();
            let mixed = self.mix(&format!("*{at}"));
            body.push(Node::block(
                format!("for (const char *{at} = {name}; *{at}; {at}++)"),
                vec![Node::line(mixed)],
            ));
        }
    }

    /// Numbers read from text; only from constants, since an overlong number would be undefined for these functions.
    fn scan(&mut self) -> String {
        let (first, second) = (self.rng.wide_range(-999, 9999), self.rng.range(0, 4000));
        match self.rng.below(4) {
            0 => {
                let (a, b) = (self.local_name(), self.local_name());
                let scan = format!("sscanf(\"{first} %{second:x}\", \"%d %%%x\", &{a}, &{b})");
                let mixed = self.mix(&format!("{a} * 3LL + {b}"));
                let count = self.mix(&scan);
                format!("int {a} = 0;\nunsigned {b} = 0;\n{count}\n{mixed}")
            }
            1 => self.mix(&format!("atoi(\" {first}z\")")),
            2 => self.mix(&format!("strtoul(\"0x{second:X}g\", 0, 0)")),
            _ => {
                let value = self.expr(Taint::Small, 1).cast(Int::Short);
                self.mix(&format!("abs({})", value.text))
            }
        }
    }

    fn look_at(&mut self, name: &str) -> String {
        let word = *self.rng.pick(&WORDS);
        match self.rng.below(12) {
            0 => self.mix(&format!("strlen({name})")),
            7 => self.scan(),
            8 => self.mix(&format!("strstr({name}, \"{word}\") != 0")),
            9 => {
                let letter = *self.rng.pick(&['a', 'e', 'q', '2']);
                self.mix(&format!("strrchr({name}, '{letter}') ? strrchr({name}, '{letter}') - {name} : -1"))
            }
            10 => {
                let function = *self.rng.pick(&["strspn", "strcspn"]);
                self.mix(&format!("{function}({name}, \"aqz12\")"))
            }
            11 => {
                let (to, value) = (self.local_name(), self.expr(Taint::Small, 1).cast(Int::Short));
                let mixed = self.mix(&format!(
                    "sprintf({to}, \"%+05d/%x/%c\", {0}, (unsigned){0}, {name}[0] ? {name}[0] : '-')",
                    value.text
                ));
                format!("char {to}[64];\n{mixed}\nputs({to});")
            }
            1 => {
                // Only the sign of a comparison is fixed by the language.
                let one = format!("strcmp({name}, \"{word}\")");
                self.mix(&format!("({one} > 0) - ({one} < 0)"))
            }
            2 => {
                let letter = *self.rng.pick(&['a', 'q', 'z', ':', '9']);
                self.mix(&format!("strchr({name}, '{letter}') ? strchr({name}, '{letter}') - {name} : -1"))
            }
            3 => format!("printf(\"%s\\n\", {name});"),
            4 => format!("puts({name});"),
            5 => self.mix(&format!("strtol({name}, 0, 10)")),
            6 => {
                let count = self.rng.range(0, 6);
                let one = format!("strncmp({name}, \"{word}\", {count})");
                self.mix(&format!("({one} > 0) * 2 + ({one} < 0)"))
            }
            _ => self.mix(&format!(
                "!!isalpha((unsigned char){name}[0]) + 2 * !!isdigit((unsigned char){name}[1])"
            )),
        }
    }

    /// A table of string constants.
    pub(super) fn string_table(&mut self, body: &mut Vec<Node>) {
        let name = self.local_name();
        let count = self.rng.range(2, 3);
        let words: Vec<String> = (0..count).map(|_| format!("\"{}\"", self.rng.pick(&WORDS))).collect();
        let keep = if self.rng.chance(50) { "static " } else { "" };
        Gen::emit(body, format!("{keep}const char *{name}[{count}] = {{{}}};", words.join(", ")));
        let index = self.index(count, Taint::Small);
        let line = match self.rng.below(3) {
            0 => format!("printf(\"<%s>\\n\", {name}[{}]);", index.text),
            1 => self.mix(&format!("strlen({name}[{}])", index.text)),
            _ => self.mix(&format!("{name}[{}][0]", index.text)),
        };
        Gen::emit(body, line);
    }

    /// Sorting with a comparison function, then searching.
    pub(super) fn sorting(&mut self, body: &mut Vec<Node>) {
        let ty = *self.rng.pick(&[Int::Int, Int::Short, Int::ULong, Int::UChar]);
        let (compare, name) = (self.file_name("c"), self.local_name());
        let t = ty.name();
        // How often it is called is the library's business: it must not show in the trace of a path.
        let order = if self.rng.chance(50) { "(x > y) - (x < y)" } else { "(x < y) - (x > y)" };
        let text = format!(
            "__attribute__((no_sanitize(\"coverage\"))) static int {compare}(const void *a, const void *b) {{\n  {t} x = *(const {t} *)a, y = *(const {t} *)b;\n  \
             return {order};\n}}"
        );
        self.top.push(Node::line(text));
        let count = self.rng.range(2, 5);
        let mut items = Vec::new();
        for _ in 0..count {
            let limit = if self.rng.chance(30) { Taint::Small } else { Taint::Concrete };
            items.push(self.expr(limit, 1).text);
        }
        Gen::emit(body, format!("{t} {name}[{count}] = {{{}}};", items.join(", ")));
        Gen::emit(body, format!("qsort({name}, {count}, sizeof {name}[0], {compare});"));
        let sum = self.mix(&format!("{name}[i]"));
        body.push(Node::block(format!("for (int i = 0; i < {count}; i++)"), vec![Node::line(sum)]));
        if self.rng.chance(50) {
            let key = self.local_name();
            let at = self.rng.range(0, count - 1);
            Gen::emit(body, format!("{t} {key} = {name}[{at}];"));
            let call = format!("bsearch(&{key}, {name}, {count}, sizeof {name}[0], {compare})");
            // Equal elements may be found in any order, so only the value counts.
            let found = self.mix(&format!("*({t} *){call}"));
            Gen::emit(body, found);
        }
    }

    /// Memory comparison and search, over bytes that depend on small inputs at most.
    pub(super) fn compare_bytes(&mut self, body: &mut Vec<Node>) {
        let (a, b) = (self.local_name(), self.local_name());
        let count = self.rng.range(2, 5);
        for name in [&a, &b] {
            let items: Vec<String> = (0..count).map(|_| self.expr(Taint::Small, 1).masked(3).text).collect();
            Gen::emit(body, format!("unsigned char {name}[{count}] = {{{}}};", items.join(", ")));
        }
        let one = format!("memcmp({a}, {b}, {})", self.rng.range(1, count));
        let mixed = self.mix(&format!("({one} > 0) - ({one} < 0)"));
        Gen::emit(body, mixed);
        let byte = Val::literal(Int::Int, i128::from(self.rng.range(0, 3))).text;
        let mixed = self.mix(&format!("memchr({a}, {byte}, {count}) != 0"));
        Gen::emit(body, mixed);
    }
}
