//! Idioms: small self-contained blocks of code that plain statements do not give, such as string handling, heap
//! objects, unions, sorting, variable arguments and `setjmp`.
//!
//! Guarantees: as for all statements; moreover an idiom that makes the run-time library branch on content (string
//! functions, sorting, number formatting) has content that depends on small inputs at most.

mod memory;
mod numbers;
mod objects;
mod strings;

use super::Gen;
use super::tree::Node;

impl Gen {
    /// Adds one idiom, in a block of its own.
    pub(super) fn idiom(&mut self, nodes: &mut Vec<Node>) {
        if !self.options.idioms {
            return self.print(nodes);
        }
        self.work += 12 * self.mult;
        let outer = self.vars.len();
        self.depth += 1;
        let mut body = Vec::new();
        let floats = if self.options.floats { 30 } else { 0 };
        if self.fault(12) {
            self.bad_pointer(&mut body);
            self.depth -= 1;
            self.vars.truncate(outer);
            return nodes.push(Node::block("", body));
        }
        match self.rng.weighted(&[14, 10, 10, 8, 7, 6, 5, 8, 8, 5, 5, 4, 6, 5, 4, 4, 8, 8, 5, 5, floats]) {
            0 => self.string_buffer(&mut body),
            1 => self.copy_arrays(&mut body),
            2 => self.heap_array(&mut body),
            3 => self.linked_list(&mut body),
            4 => self.sorting(&mut body),
            5 => self.variable_arguments(&mut body),
            6 => self.long_jump(&mut body),
            7 => self.union_view(&mut body),
            8 => self.byte_view(&mut body),
            9 => self.pointer_to_pointer(&mut body),
            10 => self.checked_arithmetic(&mut body),
            11 => self.variable_length_array(&mut body),
            12 => self.number_loops(&mut body),
            13 => self.string_table(&mut body),
            14 => self.pointer_member(&mut body),
            15 => self.struct_copy(&mut body),
            16 => self.unaligned(&mut body),
            17 => self.pointer_table(&mut body),
            18 => self.wide_product(&mut body),
            19 => self.atomic(&mut body),
            _ => self.floating(&mut body),
        }
        self.depth -= 1;
        self.vars.truncate(outer);
        nodes.push(Node::block("", body));
    }

    /// `line!`-like shorthand: adds a line.
    pub(super) fn emit(body: &mut Vec<Node>, text: impl Into<String>) {
        body.push(Node::line(text));
    }
}
