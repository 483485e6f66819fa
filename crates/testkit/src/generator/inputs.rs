//! Inputs of generated programs.

use super::Gen;
use super::ints::Int;
use super::places::Var;
use super::rng::Rng;
use super::tree::Node;
use super::types::Ty;
use super::value::Taint;

/// One input: its type, how many of them are read at once, and the values that its assumption admits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InputSpec {
    /// Type.
    pub ty: Int,
    /// Smallest value.
    pub lo: i128,
    /// Greatest value.
    pub hi: i128,
    /// Elements; more than one for arrays that are made symbolic as a whole.
    pub count: u32,
}

impl InputSpec {
    /// A random admitted value, as the bytes that the program reads; the ends are likely.
    pub fn sample(&self, rng: &mut Rng) -> Vec<u8> {
        let mut bytes = Vec::new();
        for _ in 0..self.count {
            let value = match rng.below(4) {
                0 => self.lo,
                1 => self.hi,
                _ => rng.wide_range(self.lo, self.hi),
            };
            bytes.extend(self.ty.encode(value));
        }
        bytes
    }
}

impl Gen {
    /// Declares the input functions that C programs of verification suites declare themselves.
    pub(super) fn declare_nondet(&mut self) {
        for ty in Int::ALL {
            if ty != Int::SChar {
                let line = format!("extern {} __VERIFIER_nondet_{}(void);", ty.name(), ty.nondet());
                self.top.push(Node::line(line));
            }
        }
        self.top.push(Node::line("extern void __VERIFIER_assume(int);"));
        self.top.push(Node::line("extern void klee_make_symbolic(void *, size_t, const char *);"));
    }

    /// Reads two to four inputs at the start of `main` and sets the budget of forks to what they leave.
    pub(super) fn read_inputs(&mut self, nodes: &mut Vec<Node>) {
        // Small inputs have at most eight values together, and eight times four paths are enough.
        let mut values = 1;
        for _ in 0..self.rng.range(1, 2) {
            let count = i128::from(self.rng.range(2, if values > 2 { 2 } else { 4 }));
            values *= count;
            let ty = self.any_int();
            let (lo, hi) = if ty == Int::Bool {
                (0, 1)
            } else {
                let lo = self.rng.wide_range(-3, 3).max(ty.min());
                (lo, lo + count - 1)
            };
            self.read_input(ty, lo, hi, Taint::Small, nodes);
        }
        self.budget = if values > 4 { 2 } else { 3 };
        for _ in 0..self.rng.range(1, 2) {
            let ty = self.any_int();
            let (mut lo, mut hi) = (ty.min(), ty.max());
            if self.rng.chance(50) && ty != Int::Bool {
                let (a, b) = (self.rng.wide_range(lo, hi), self.rng.wide_range(lo, hi));
                (lo, hi) = (a.min(b), a.max(b));
            }
            self.read_input(ty, lo, hi, Taint::Wide, nodes);
        }
        if self.rng.chance(20) {
            self.read_array(nodes);
        }
    }

    /// An array that is made symbolic as one object.
    fn read_array(&mut self, nodes: &mut Vec<Node>) {
        let name = self.local_name();
        let ty = *self.rng.pick(&[Int::UChar, Int::Short, Int::UInt, Int::Long]);
        let count = self.rng.range(2, 4);
        let array = Ty::Array(Box::new(Ty::Int(ty)), count);
        let declared = self.declare(&array, &name);
        nodes
            .push(Node::line(format!("{declared};\nklee_make_symbolic({name}, sizeof {name}, \"{name}\");")));
        self.inputs.push(InputSpec { ty, lo: ty.min(), hi: ty.max(), count });
        self.add_var(name, array, Taint::Wide);
    }

    fn read_input(&mut self, ty: Int, lo: i128, hi: i128, taint: Taint, nodes: &mut Vec<Node>) {
        let name = self.local_name();
        // `signed char` has no input function of its own.
        let ty = if ty == Int::SChar { Int::Char } else { ty };
        self.inputs.push(InputSpec { ty, lo, hi, count: 1 });
        nodes.push(Node::line(format!("{} {name} = __VERIFIER_nondet_{}();", ty.name(), ty.nondet())));
        let (low, high) = (ty.literal(lo), ty.literal(hi));
        let mut bounds = Vec::new();
        if lo > ty.min() {
            bounds.push(format!("{name} >= {low}"));
        }
        if hi < ty.max() {
            bounds.push(format!("{name} <= {high}"));
        }
        if self.rng.chance(30) {
            nodes.extend(bounds.iter().map(|b| Node::line(format!("__VERIFIER_assume({b});"))));
        } else if !bounds.is_empty() {
            let joint = if self.rng.chance(50) { " && " } else { " & " };
            nodes.push(Node::line(format!("__VERIFIER_assume({});", bounds.join(joint))));
        }
        // An input that is never written keeps its limits, which makes plain arithmetic on it safe.
        let fixed = self.rng.chance(50).then_some((lo, hi));
        self.vars.push(Var { name, ty: Ty::Int(ty), taint, depth: self.depth, fixed, moved_by_loop: false });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_admitted() {
        let mut rng = Rng::new(5);
        let spec = InputSpec { ty: Int::Short, lo: -2, hi: 3, count: 1 };
        for _ in 0..100 {
            let bytes = spec.sample(&mut rng);
            let value = i16::from_le_bytes([bytes[0], bytes[1]]);
            assert!((-2..=3).contains(&value));
        }
    }
}
