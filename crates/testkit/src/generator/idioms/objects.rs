//! Pointers to pointers and in structs, whole-object copies, variable arguments and non-local jumps.

use crate::generator::Gen;
use crate::generator::ints::Int;
use crate::generator::tree::Node;
use crate::generator::types::Ty;
use crate::generator::value::Taint;

impl Gen {
    /// Two objects of one type reached through `T **`.
    pub(super) fn pointer_to_pointer(&mut self, body: &mut Vec<Node>) {
        let ty = self.any_int();
        let t = ty.name();
        let names: Vec<String> = (0..4).map(|_| self.local_name()).collect();
        let [a, b, p, q] = &names[..] else { return };
        let (first, second) = (self.expr(Taint::Wide, 1), self.expr(Taint::Wide, 1));
        Gen::emit(body, format!("{t} {a} = {}, {b} = {};", first.text, second.text));
        Gen::emit(body, format!("{t} *{p} = &{a}, **{q} = &{p};"));
        let value = self.expr(Taint::Wide, 2);
        Gen::emit(body, format!("**{q} = {};", value.text));
        let choice = self.condition(Taint::Wide, 1);
        Gen::emit(body, format!("if ({}) *{q} = &{b};", choice.text));
        let value = self.expr(Taint::Wide, 1);
        Gen::emit(body, format!("*{p} = {};", value.text));
        let mixed = self.mix(&format!("{a} + 5ULL * {b} + ({p} == &{a})"));
        Gen::emit(body, mixed);
    }

    /// Objects reached through a table of pointers and an index from the inputs.
    pub(super) fn pointer_table(&mut self, body: &mut Vec<Node>) {
        let t = self.any_int().name();
        let names: Vec<String> = (0..3).map(|_| self.local_name()).collect();
        let [a, b, table] = &names[..] else { return };
        let (first, second) = (self.expr(Taint::Wide, 1), self.expr(Taint::Wide, 1));
        Gen::emit(body, format!("{t} {a}[2] = {{{}, 1}}, {b} = {};", first.text, second.text));
        Gen::emit(body, format!("{t} *{table}[3] = {{{a} + 1, &{b}, {a}}};"));
        for _ in 0..self.rng.range(1, 2) {
            // Two objects: one fork for each access through a symbolic pointer.
            let limit = if self.spend(1) { Taint::Wide } else { Taint::Small };
            let index = self.index(3, limit);
            let value = self.expr(Taint::Wide, 1);
            Gen::emit(body, format!("*{table}[{}] = {};", index.text, value.text));
        }
        let mixed = self.mix(&format!("{a}[0] + 3ULL * {a}[1] + 7ULL * {b}"));
        Gen::emit(body, mixed);
    }

    /// Atomic operations of the only thread.
    pub(super) fn atomic(&mut self, body: &mut Vec<Node>) {
        let ty = *self.rng.pick(&[Int::UInt, Int::ULong, Int::UChar, Int::UShort]);
        let (name, expected) = (self.local_name(), self.local_name());
        let t = ty.name();
        let start = self.expr(Taint::Wide, 1);
        Gen::emit(body, format!("_Atomic {t} {name} = {};", start.text));
        for _ in 0..self.rng.range(1, 3) {
            let value = self.expr(Taint::Wide, 1);
            let operator = *self.rng.pick(&["+", "-", "|", "&", "^"]);
            Gen::emit(body, format!("{name} {operator}= {};", value.text));
        }
        let (old, new) = (self.expr(Taint::Wide, 1), self.expr(Taint::Wide, 1));
        if self.spend(1) {
            Gen::emit(body, format!("{t} {expected} = {};", old.text));
            let call =
                format!("__c11_atomic_compare_exchange_strong(&{name}, &{expected}, {}, 5, 5)", new.text);
            let mixed = self.mix(&format!("{call} + 2 * {expected}"));
            Gen::emit(body, mixed);
        }
        let mixed = self.mix(&format!("__c11_atomic_exchange(&{name}, 3, 5) + {name}"));
        Gen::emit(body, mixed);
    }

    /// A struct that holds a pointer and a function pointer.
    pub(super) fn pointer_member(&mut self, body: &mut Vec<Node>) {
        let ty = self.any_int();
        let (tag, fun) = (self.file_name("p"), self.file_name("h"));
        let (object, holder) = (self.local_name(), self.local_name());
        let t = ty.name();
        self.top.push(Node::line(format!(
            "struct {tag} {{ {t} *at; unsigned char pad; {t} (*get)(struct {tag} *); }};\n\
             static {t} {fun}(struct {tag} *self) {{ return *self->at; }}"
        )));
        let value = self.expr(Taint::Wide, 2);
        Gen::emit(body, format!("{t} {object} = {};", value.text));
        Gen::emit(body, format!("struct {tag} {holder} = {{&{object}, 3, {fun}}};"));
        let value = self.expr(Taint::Wide, 1);
        Gen::emit(body, format!("*{holder}.at = {};", value.text));
        let mixed = self.mix(&format!("{holder}.pad + 0ULL + {holder}.get(&{holder})"));
        Gen::emit(body, mixed);
    }

    /// `memcpy` of a whole struct.
    pub(super) fn struct_copy(&mut self, body: &mut Vec<Node>) {
        let structs: Vec<usize> = (0..self.structs.len()).filter(|i| !self.structs[*i].floats).collect();
        if structs.is_empty() {
            return self.pointer_member(body);
        }
        let ty = Ty::Struct(*self.rng.pick(&structs));
        let Ty::Struct(id) = ty else { return };
        let (a, b) = (self.local_name(), self.local_name());
        let value = self.struct_value(id, Taint::Wide);
        Gen::emit(body, format!("{} = {value};", self.declare(&ty, &a)));
        let init = self.initialiser(&ty);
        Gen::emit(body, format!("{} = {init};", self.declare(&ty, &b)));
        Gen::emit(body, format!("memcpy(&{b}, &{a}, sizeof {b});"));
        self.add_var(b, ty, Taint::Wide);
        for _ in 0..2 {
            // The newest variable is the copy: read one of its members.
            let var = self.vars.last().cloned();
            if let Some(var) = var
                && let Some(place) = self.member_of(&var)
            {
                let mixed = self.mix(&place.text);
                Gen::emit(body, mixed);
            }
        }
    }

    /// A function with `...` that takes its arguments in a fixed order of types.
    pub(super) fn variable_arguments(&mut self, body: &mut Vec<Node>) {
        let fun = self.file_name("v");
        let types: Vec<Int> = (0..self.rng.range(1, 7)).map(|_| self.any_int().promoted()).collect();
        let with_double = self.options.floats && self.rng.chance(50);
        let mut text =
            format!("static long long {fun}(int n, ...) {{\n  va_list ap;\n  unsigned long long sum = n;\n");
        text.push_str("  va_start(ap, n);\n");
        for ty in &types {
            text.push_str(&format!("  sum = sum * 7 + (unsigned long long)va_arg(ap, {});\n", ty.name()));
        }
        if with_double {
            text.push_str("  sum += (unsigned long long)(long long)va_arg(ap, double);\n");
        }
        text.push_str("  va_end(ap);\n  return (long long)sum;\n}");
        self.top.push(Node::line(text));
        let mut args = vec![self.expr(Taint::Small, 1).masked(7).text];
        for ty in &types {
            let value = self.expr(Taint::Wide, 1);
            args.push(value.cast(*ty).text);
        }
        if with_double {
            args.push(self.float_literal());
        }
        let mixed = self.mix(&format!("{fun}({})", args.join(", ")));
        Gen::emit(body, mixed);
    }

    /// `setjmp` and a function that may jump back. Nothing local changes between the two.
    pub(super) fn long_jump(&mut self, body: &mut Vec<Node>) {
        let (buffer, count, fun) = (self.file_name("j"), self.file_name("k"), self.file_name("l"));
        let argument = self.local_name();
        let limit = self.rng.range(0, 2);
        self.top.push(Node::line(format!(
            "static jmp_buf {buffer};\nstatic int {count};\nstatic void {fun}(int k) {{\n  {count} += k;\n  \
             if (k > {limit}) longjmp({buffer}, k);\n  {count} += 10;\n}}"
        )));
        let value = self.expr(Taint::Small, 1).masked(3);
        Gen::emit(body, format!("int {argument} = {};", value.text));
        let inner = vec![Node::line(format!("{fun}({argument});")), Node::line(self.mix("1"))];
        let back = vec![Node::line(self.mix(&count))];
        body.push(Node::Block {
            parts: vec![(format!("if (setjmp({buffer}) == 0)"), inner), ("else".to_owned(), back)],
            close: String::new(),
        });
    }
}
