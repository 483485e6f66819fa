//! Loops: counted, bounded by small inputs, over pointers.
//!
//! Guarantees: no statement of a body writes the counter, so every loop ends after at most [`MAX_TRIPS`] rounds.

use super::Gen;
use super::ints::Int;
use super::places::Var;
use super::tree::Node;
use super::types::Ty;
use super::value::Taint;

const MAX_TRIPS: u32 = 5;

impl Gen {
    /// Adds a loop of a random form.
    pub(super) fn counted_loop(&mut self, nesting: u32, nodes: &mut Vec<Node>) {
        match self.rng.weighted(&[45, 20, 12, 10, 13]) {
            1 => self.input_bounded(nesting, nodes),
            2 => self.count_down(nesting, nodes),
            3 => self.do_while(nesting, nodes),
            4 => self.pointer_walk(nesting, nodes),
            _ => self.for_loop(nesting, nodes),
        }
    }

    /// The statements of a body that runs at most `trips` times, with `counter` fixed in it.
    fn body(&mut self, trips: u32, counter: Option<Var>, nesting: u32) -> Vec<Node> {
        let (vars, mult) = (self.vars.len(), self.mult);
        self.vars.extend(counter);
        self.mult = mult.saturating_mul(trips);
        self.in_loop += 1;
        let count = self.rng.range(1, 3);
        let body = self.block(count, nesting - 1);
        self.in_loop -= 1;
        self.mult = mult;
        self.vars.truncate(vars);
        body
    }

    fn counter(&mut self, ty: Int, lo: i128, hi: i128, taint: Taint) -> Var {
        Var {
            name: self.local_name(),
            ty: Ty::Int(ty),
            taint,
            depth: self.depth,
            fixed: Some((lo, hi)),
            moved_by_loop: false,
        }
    }

    fn for_loop(&mut self, nesting: u32, nodes: &mut Vec<Node>) {
        let trips = self.rng.range(2, MAX_TRIPS);
        let ty = *self.rng.pick(&[Int::Int, Int::Int, Int::UInt, Int::UChar, Int::Short, Int::Long]);
        let counter = self.counter(ty, 0, i128::from(trips) - 1, Taint::Concrete);
        let (name, ty) = (counter.name.clone(), ty.name());
        let body = self.body(trips, Some(counter), nesting);
        let head = match self.rng.below(4) {
            0 => format!("for ({ty} {name} = {}; {name} < {trips}; {name} += 2)", self.rng.range(0, 1)),
            1 if ty != "unsigned" && ty != "unsigned char" => {
                format!("for ({ty} {name} = {}; {name} >= 0; {name}--)", trips - 1)
            }
            2 => format!("for ({ty} {name} = 0; {name} != {trips}; ++{name})"),
            _ => format!("for ({ty} {name} = 0; {name} < {trips}; {name}++)"),
        };
        nodes.push(Node::block(head, body));
    }

    /// The number of rounds depends on small inputs: one path for each number.
    fn input_bounded(&mut self, nesting: u32, nodes: &mut Vec<Node>) {
        let bound = self.expr(Taint::Small, 1).masked(3);
        let counter = self.counter(Int::Int, 0, 2, Taint::Concrete);
        let name = counter.name.clone();
        // The bound may change in the body; it stays below four, and the counter only grows.
        let body = self.body(3, Some(counter), nesting);
        nodes.push(Node::block(format!("for (int {name} = 0; {name} < {}; {name}++)", bound.text), body));
    }

    fn count_down(&mut self, nesting: u32, nodes: &mut Vec<Node>) {
        let start = self.expr(Taint::Small, 1).masked(3);
        let counter = self.counter(Int::Int, 0, 2, start.taint);
        let name = counter.name.clone();
        let body = self.body(3, Some(counter), nesting);
        // Its own block, so that declaration and loop are kept or dropped together.
        let inner = vec![
            Node::line(format!("int {name} = {};", start.text)),
            Node::block(format!("while ({name}-- > 0)"), body),
        ];
        nodes.push(Node::block("", inner));
    }

    fn do_while(&mut self, nesting: u32, nodes: &mut Vec<Node>) {
        let trips = self.rng.range(1, 4);
        let counter = self.counter(Int::UInt, 0, i128::from(trips) - 1, Taint::Concrete);
        let name = counter.name.clone();
        let body = self.body(trips, Some(counter), nesting);
        let inner = vec![
            Node::line(format!("unsigned {name} = 0;")),
            Node::Block {
                parts: vec![("do".to_owned(), body)],
                close: format!("while (++{name} < {trips});"),
            },
        ];
        nodes.push(Node::block("", inner));
    }

    /// `for (T *p = a; p < a + n; p++)`
    fn pointer_walk(&mut self, nesting: u32, nodes: &mut Vec<Node>) {
        let arrays: Vec<usize> = (0..self.vars.len())
            .filter(|i| matches!(&self.vars[*i].ty, Ty::Array(elem, _) if matches!(**elem, Ty::Int(_))))
            .collect();
        if arrays.is_empty() {
            return self.for_loop(nesting, nodes);
        }
        let array = self.vars[*self.rng.pick(&arrays)].clone();
        let Ty::Array(elem, n) = array.ty else { return };
        let name = self.local_name();
        let walker = Var {
            name: name.clone(),
            ty: Ty::Ptr(elem.clone(), 1),
            taint: array.taint,
            depth: array.depth,
            fixed: None,
            moved_by_loop: true,
        };
        let mut body = self.body(n, Some(walker), nesting);
        if self.rng.chance(50) {
            let distance = self.mix(&format!("{name} - {}", array.name));
            body.push(Node::line(distance));
        }
        let declared = self.declare(&Ty::Ptr(elem, 1), &name);
        let sign = if self.rng.chance(50) { "<" } else { "!=" };
        let head = format!("for ({declared} = {a}; {name} {sign} {a} + {n}; {name}++)", a = array.name);
        nodes.push(Node::block(head, body));
    }
}
