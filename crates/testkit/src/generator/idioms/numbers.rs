//! Number loops, checked arithmetic, variable-length arrays and concrete floating point.

use crate::generator::Gen;
use crate::generator::ints::Int;
use crate::generator::tree::Node;
use crate::generator::value::Taint;

impl Gen {
    /// The overflow built-ins, which give the wrapped result and whether it is wrong.
    pub(super) fn checked_arithmetic(&mut self, body: &mut Vec<Node>) {
        let ty = *self.rng.pick(&[Int::Int, Int::UInt, Int::Long, Int::ULLong, Int::Int]);
        let op = *self.rng.pick(&["add", "sub", "mul"]);
        let (result, wrong) = (self.local_name(), self.local_name());
        let a = self.expr(Taint::Wide, 1);
        // Products of two unknowns are slow to solve; here only the constant side may be large.
        let b = if op == "mul" { self.constant(ty) } else { self.expr(Taint::Wide, 1) };
        let (a, b) = (a.cast(ty), b.cast(ty));
        Gen::emit(body, format!("{} {result};", ty.name()));
        Gen::emit(
            body,
            format!("_Bool {wrong} = __builtin_{op}_overflow({}, {}, &{result});", a.text, b.text),
        );
        let mixed = self.mix(&format!("{result} ^ {wrong}"));
        Gen::emit(body, mixed);
    }

    /// Arithmetic on 128 bits.
    pub(super) fn wide_product(&mut self, body: &mut Vec<Node>) {
        let name = self.local_name();
        let a = self.expr(Taint::Wide, 1).cast(Int::ULong);
        let b = self.constant(Int::ULong);
        let signed = if self.rng.chance(50) { "unsigned " } else { "" };
        // The factors have 64 and 63 bits, so the signed product fits as well.
        Gen::emit(body, format!("{signed}__int128 {name} = (__int128){} * (long)({} >> 1);", a.text, b.text));
        let line = match self.rng.below(3) {
            0 => format!("{name} >>= {};", self.rng.range(1, 90)),
            1 => format!("{name} ^= (unsigned __int128){} << {};", a.text, self.rng.range(0, 100)),
            _ => format!("{name} += {};", a.text),
        };
        Gen::emit(body, line);
        let mixed = self.mix(&format!("(unsigned long long)({name} >> 64) * 3 ^ (unsigned long long){name}"));
        Gen::emit(body, mixed);
    }

    /// An array whose length is only known when it is reached.
    pub(super) fn variable_length_array(&mut self, body: &mut Vec<Node>) {
        let (length, name) = (self.local_name(), self.local_name());
        let ty = self.any_int().name();
        let size = self.expr(Taint::Concrete, 1).masked(3);
        Gen::emit(body, format!("int {length} = 1 + {};", size.text));
        Gen::emit(body, format!("{ty} {name}[{length}];"));
        self.calling += 2;
        let value = self.expr(Taint::Wide, 1);
        self.calling -= 2;
        Gen::emit(body, format!("for (int i = 0; i < {length}; i++) {name}[i] = {};", value.text));
        let mixed = self.mix(&format!("{name}[{length} - 1] + sizeof {name}"));
        Gen::emit(body, mixed);
    }

    /// Loops whose number of rounds depends on a value in an unobvious way.
    pub(super) fn number_loops(&mut self, body: &mut Vec<Node>) {
        let (a, b) = (self.local_name(), self.local_name());
        let first = self.expr(Taint::Small, 1).masked(255);
        match self.rng.below(3) {
            0 => {
                Gen::emit(body, format!("unsigned {a} = {}, {b} = 0;", first.text));
                body.push(Node::block(
                    format!("while ({a})"),
                    vec![Node::line(format!("{a} &= {a} - 1;\n{b}++;"))],
                ));
            }
            1 => {
                let second = self.expr(Taint::Small, 1).masked(63);
                Gen::emit(body, format!("int {a} = {}, {b} = {};", first.text, second.text));
                body.push(Node::block(
                    format!("while ({b} != 0)"),
                    vec![Node::line(format!("int t = {a} % {b};\n{a} = {b};\n{b} = t;"))],
                ));
            }
            _ => {
                Gen::emit(body, format!("int {a} = 1 + {}, {b} = 0;", first.text));
                body.push(Node::block(
                    format!("while ({a} > 1 && {b} < 12)"),
                    vec![Node::line(format!("{a} = {a} % 2 ? 3 * {a} + 1 : {a} / 2;\n{b}++;"))],
                ));
            }
        }
        let mixed = self.mix(&format!("{a} * 100ULL + {b}"));
        Gen::emit(body, mixed);
    }

    /// Arithmetic, comparisons and conversions of concrete floating values.
    pub(super) fn floating(&mut self, body: &mut Vec<Node>) {
        let (a, b) = (self.local_name(), self.local_name());
        let ty = if self.rng.chance(60) { "double" } else { "float" };
        let start = self.float_literal();
        let whole = self.expr(Taint::Concrete, 1);
        Gen::emit(body, format!("{ty} {a} = {start}, {b} = ({ty}){};", whole.text));
        for _ in 0..self.rng.range(1, 4) {
            let literal = self.float_literal();
            let line = match self.rng.below(8) {
                0 => format!("{a} = {a} + {b} * {literal};"),
                1 => format!("{b} -= {a};"),
                2 => format!("{a} *= {literal};"),
                3 => format!("{b} = {a} / (1.5 + {literal} * {literal});"),
                4 => format!("{a} = {a} < {b} ? -{a} : {b};"),
                5 => format!("{b} = fabs({b}) + sqrt(fabs({a}));"),
                6 => format!("{a} = floor({a} / 3) + ceil({b} / 7);"),
                _ => format!("{a} = (float){a} + 1;"),
            };
            Gen::emit(body, line);
        }
        for name in [&a, &b] {
            // Outside of this range the conversion would be undefined; a NaN fails the comparison as well.
            let mixed = self.mix(&format!("{name} > -1e15 && {name} < 1e15 ? (long long){name} : 7"));
            Gen::emit(body, mixed);
        }
        if self.rng.chance(40) {
            let form = *self.rng.pick(&["%.3f", "%g", "%e", "%.0f"]);
            Gen::emit(body, format!("printf(\"{form}\\n\", {a});"));
        }
        let mixed = self.mix(&format!("({a} <= {b}) + 2 * ({a} == {a}) + 4 * ({b} != {a})"));
        Gen::emit(body, mixed);
    }
}
