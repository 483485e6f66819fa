//! Block copies, heap objects and views of objects as bytes.

use crate::generator::Gen;
use crate::generator::ints::Int;
use crate::generator::tree::Node;
use crate::generator::types::Ty;
use crate::generator::value::Taint;

impl Gen {
    /// An integer type whose every bit pattern is a value.
    fn plain_int(&mut self) -> Int {
        match self.any_int() {
            Int::Bool => Int::UChar,
            other => other,
        }
    }

    /// `memcpy`, `memmove` and `memset` on arrays.
    pub(super) fn copy_arrays(&mut self, body: &mut Vec<Node>) {
        if self.rng.chance(25) {
            return self.compare_bytes(body);
        }
        let ty = self.plain_int();
        let n = self.rng.range(3, 6);
        let array = Ty::Array(Box::new(Ty::Int(ty)), n);
        let (a, b) = (self.local_name(), self.local_name());
        for name in [&a, &b] {
            let init = self.initialiser(&array);
            Gen::emit(body, format!("{} = {init};", self.declare(&array, name)));
            self.add_var(name.clone(), array.clone(), Taint::Wide);
        }
        for _ in 0..self.rng.range(2, 4) {
            let count = self.rng.range(1, n);
            let line = match self.rng.below(7) {
                0 => format!("memcpy({a}, {b}, {count} * sizeof *{a});"),
                5 => {
                    let count = self.index(n, Taint::Small);
                    format!("memcpy({a}, {b}, {} * sizeof *{a});", count.text)
                }
                6 => {
                    let from = self.index(n - 1, Taint::Small);
                    format!("memmove({a}, {a} + {}, 2 * sizeof *{a});", from.text)
                }
                1 => format!("memmove({a} + {}, {a}, {count} * sizeof *{a});", n - count),
                2 => format!("memmove({a}, &{a}[{}], {count} * sizeof *{a});", n - count),
                3 => {
                    let value = self.expr(Taint::Wide, 1);
                    format!("memset({b}, {}, {count} * sizeof *{b});", value.text)
                }
                _ => {
                    let (index, value) = (self.index(n, Taint::Wide), self.expr(Taint::Wide, 2));
                    format!("{b}[{}] = {};", index.text, value.text)
                }
            };
            Gen::emit(body, line);
        }
        let mixed = self.mix(&format!("{a}[i] ^ {b}[i]"));
        body.push(Node::block(format!("for (int i = 0; i < {n}; i++)"), vec![Node::line(mixed)]));
    }

    /// Numbers stored and loaded at any byte of a buffer.
    pub(super) fn unaligned(&mut self, body: &mut Vec<Node>) {
        let (buffer, ty, view) = (self.local_name(), self.plain_int(), self.file_name("w"));
        let t = ty.name();
        self.top.push(Node::line(format!("struct {view} {{ {t} v; }} __attribute__((packed, may_alias));")));
        let size = self.rng.range(9, 20);
        let filled = self.rng.range(1, 9);
        Gen::emit(body, format!("unsigned char {buffer}[{size}] = {{1, 2, 3, 4, {filled}}};"));
        let last = size - ty.bytes() + 1;
        for _ in 0..self.rng.range(2, 4) {
            let (direct, store) = (self.rng.chance(60), self.rng.chance(50));
            // A block copy from a symbolic place may cost a path for each place; a single access does not.
            let offset = self.index(last, if direct { Taint::Wide } else { Taint::Small });
            let place = format!("(*(struct {view} *)({buffer} + {})).v", offset.text);
            let stored = self.expr(Taint::Wide, 1).text;
            match (direct, store) {
                (true, true) => Gen::emit(body, format!("{place} = {stored};")),
                (true, false) => {
                    let mixed = self.mix(&place);
                    Gen::emit(body, mixed);
                }
                (false, _) => {
                    let value = self.local_name();
                    Gen::emit(body, format!("{t} {value} = {stored};"));
                    let here = format!("{buffer} + {}", offset.text);
                    if store {
                        Gen::emit(body, format!("memcpy({here}, &{value}, sizeof {value});"));
                    } else {
                        Gen::emit(body, format!("memcpy(&{value}, {here}, sizeof {value});"));
                        let mixed = self.mix(&value);
                        Gen::emit(body, mixed);
                    }
                }
            }
        }
        let mixed = self.mix(&format!("{buffer}[i]"));
        body.push(Node::block(format!("for (int i = 0; i < {size}; i++)"), vec![Node::line(mixed)]));
    }

    /// An array on the heap that may grow.
    pub(super) fn heap_array(&mut self, body: &mut Vec<Node>) {
        let ty = self.plain_int().name();
        let (name, n) = (self.local_name(), self.rng.range(2, 5));
        let cleared = self.rng.chance(40);
        let allocation = if cleared {
            format!("calloc({n}, sizeof({ty}))")
        } else {
            format!("malloc({n} * sizeof({ty}))")
        };
        Gen::emit(body, format!("{ty} *{name} = {allocation};"));
        let fill = |from: u32, to: u32, value: &str| {
            Node::line(format!("for (int i = {from}; i < {to}; i++) {name}[i] = {value};"))
        };
        // The value is evaluated once for each element: no calls in it, as they are paid for once.
        self.calling += 2;
        if !cleared {
            let value = self.expr(Taint::Wide, 1);
            body.push(fill(0, n, &value.text));
        }
        let mut size = n;
        if self.rng.chance(40) {
            size += self.rng.range(1, 3);
            Gen::emit(body, format!("{name} = realloc({name}, {size} * sizeof({ty}));"));
            let value = self.expr(Taint::Wide, 1);
            body.push(fill(n, size, &value.text));
        }
        self.calling -= 2;
        let index = self.index(size, Taint::Wide);
        let value = self.expr(Taint::Wide, 2);
        Gen::emit(body, format!("{name}[{}] = {};", index.text, value.text));
        let mixed = self.mix(&format!("{name}[i]"));
        let bound = if self.fault(10) { "<=" } else { "<" };
        body.push(Node::block(format!("for (int i = 0; i {bound} {size}; i++)"), vec![Node::line(mixed)]));
        Gen::emit(body, format!("free({name});"));
        if self.fault(25) {
            let condition = self.condition(Taint::Wide, 1);
            let again =
                if self.rng.chance(50) { format!("free({name});") } else { format!("{name}[1] = 5;") };
            Gen::emit(body, format!("if ({}) {again}", condition.text));
        }
    }

    /// A list of heap nodes, built, walked and freed.
    pub(super) fn linked_list(&mut self, body: &mut Vec<Node>) {
        let (node, head, at) = (self.file_name("n"), self.local_name(), self.local_name());
        let ty = self.any_int().name();
        self.top.push(Node::line(format!("struct {node} {{ {ty} value; struct {node} *next; }};")));
        Gen::emit(body, format!("struct {node} *{head} = 0;"));
        let bound = self.expr(Taint::Small, 1).masked(3);
        self.calling += 2;
        let value = self.expr(Taint::Wide, 1);
        self.calling -= 2;
        body.push(Node::block(
            format!("for (int i = 0; i < 1 + {}; i++)", bound.text),
            vec![Node::line(format!(
                "struct {node} *{at} = malloc(sizeof *{at});\n{at}->value = {};\n{at}->next = {head};\n{head} = {at};",
                value.text
            ))],
        ));
        let mixed = self.mix(&format!("{at}->value"));
        body.push(Node::block(
            format!("for (struct {node} *{at} = {head}; {at}; {at} = {at}->next)"),
            vec![Node::line(mixed)],
        ));
        body.push(Node::block(
            format!("while ({head})"),
            vec![Node::line(format!("struct {node} *{at} = {head}->next;\nfree({head});\n{head} = {at};"))],
        ));
    }

    /// One object seen as several types through a union; every byte read has been written.
    pub(super) fn union_view(&mut self, body: &mut Vec<Node>) {
        let (tag, name) = (self.file_name("u"), self.local_name());
        let wide = *self.rng.pick(&[Int::UInt, Int::Int, Int::ULong, Int::LLong]);
        let bytes = wide.bytes();
        let narrow = if bytes == 8 { Int::UInt } else { Int::Short };
        // The widest member is first, so that the initialiser covers all bytes.
        let text = format!(
            "union {tag} {{ {} w; {} n; unsigned char b[{bytes}]; struct {{ {} lo, hi; }} h; }};",
            wide.name(),
            narrow.name(),
            narrow.name()
        );
        self.top.push(Node::line(text));
        let start = self.expr(Taint::Wide, 2);
        Gen::emit(body, format!("union {tag} {name} = {{{}}};", start.text));
        for _ in 0..self.rng.range(1, 3) {
            let value = self.expr(Taint::Wide, 2);
            match self.rng.below(4) {
                0 => {
                    Gen::emit(body, format!("{name}.w = {};", value.text));
                    let mixed = self.mix(&format!("{name}.n"));
                    Gen::emit(body, mixed);
                }
                1 => {
                    let index = self.index(bytes, Taint::Wide);
                    Gen::emit(body, format!("{name}.b[{}] = {};", index.text, value.text));
                    let mixed = self.mix(&format!("{name}.w"));
                    Gen::emit(body, mixed);
                }
                2 => {
                    Gen::emit(body, format!("{name}.h.hi = {};", value.text));
                    let mixed = self.mix(&format!("{name}.h.lo + 3 * {name}.b[{}]", bytes - 1));
                    Gen::emit(body, mixed);
                }
                _ => {
                    let copy = self.local_name();
                    Gen::emit(body, format!("union {tag} {copy} = {name};"));
                    let mixed = self.mix(&format!("{copy}.w"));
                    Gen::emit(body, mixed);
                }
            }
        }
    }

    /// An object read, and maybe written, through `unsigned char *`.
    pub(super) fn byte_view(&mut self, body: &mut Vec<Node>) {
        let ty = self.plain_int();
        let (name, bytes) = (self.local_name(), self.local_name());
        let depth = self.depth;
        let target = match self.address(&Ty::Int(ty), 1, Taint::Wide, depth) {
            Some(target) => target,
            None => {
                let value = self.expr(Taint::Wide, 2);
                Gen::emit(body, format!("{} {name} = {};", ty.name(), value.text));
                format!("&{name}")
            }
        };
        Gen::emit(body, format!("unsigned char *{bytes} = (unsigned char *)({target});"));
        if self.rng.chance(50) {
            let index = self.index(ty.bytes(), Taint::Wide);
            let value = self.expr(Taint::Wide, 1);
            Gen::emit(body, format!("{bytes}[{}] = {};", index.text, value.text));
        }
        let mixed = self.mix(&format!("{bytes}[i]"));
        body.push(Node::block(
            format!("for (unsigned i = 0; i < sizeof({}); i++)", ty.name()),
            vec![Node::line(mixed)],
        ));
    }
}
