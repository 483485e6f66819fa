//! Random statements.

use super::Gen;
use super::ints::Int;
use super::places::Access;
use super::tree::Node;
use super::types::Ty;
use super::value::{Op, Taint, Val};

impl Gen {
    /// A block's statements; variables declared in it end with it.
    pub(super) fn block(&mut self, count: u32, nesting: u32) -> Vec<Node> {
        let vars = self.vars.len();
        self.depth += 1;
        let mut nodes = Vec::new();
        for _ in 0..count {
            self.statement(nesting, &mut nodes);
        }
        self.depth -= 1;
        self.vars.truncate(vars);
        nodes
    }

    /// Adds one statement (some need a few lines) to `nodes`.
    pub(super) fn statement(&mut self, nesting: u32, nodes: &mut Vec<Node>) {
        self.work += self.mult;
        let compound = if nesting > 0 && self.work < super::MAX_WORK { 1 } else { 0 };
        let weights = [
            24,            // assignment
            12,            // declaration
            14 * compound, // if
            16 * compound, // loop
            5 * compound,  // switch
            12,            // print
            8,             // checksum
            6,             // call
            5,             // struct assignment
            5,             // pointer
            16 * compound, // library and other idioms
            5,             // assertion that holds
            3,             // break, continue, return or exit
        ];
        match self.rng.weighted(&weights) {
            1 => self.declaration(nodes),
            2 => self.branch(nesting, nodes),
            3 => self.counted_loop(nesting, nodes),
            4 => self.switch(nesting, nodes),
            5 => self.print(nodes),
            6 => {
                let value = self.expr(Taint::Wide, 2);
                nodes.push(Node::line(self.mix(&value.text)));
            }
            7 => {
                if let Some(call) = self.call_statement() {
                    nodes.push(Node::line(format!("{call};")));
                }
            }
            8 => self.struct_assignment(nodes),
            9 => self.pointer(nodes),
            10 => self.idiom(nodes),
            11 => {
                let claim = self.tautology();
                nodes.push(Node::line(format!("assert({claim});")));
            }
            12 => self.leave(nodes),
            _ => self.assignment(nodes),
        }
    }

    fn assignment(&mut self, nodes: &mut Vec<Node>) {
        let Some(place) = self.place(Access::Write) else { return self.declaration(nodes) };
        if self.rng.chance(12) {
            // Narrow types compute in int and unsigned ones wrap: counting up cannot overflow.
            let safe = place.bits.is_some() || !place.ty.signed() || place.ty.bits() < 32;
            if safe && place.ty != Int::Bool {
                let forms = ["++{};", "{}++;", "--{};", "{}--;"];
                let form = self.rng.pick(&forms).replace("{}", &place.text);
                return nodes.push(Node::line(form));
            }
        }
        let value = self.expr(place.taint, 2);
        if self.rng.chance(35) {
            let op = *self.rng.pick(&Op::ALL);
            let hard = matches!(op, Op::Mul | Op::Div | Op::Rem) && value.taint != Taint::Concrete;
            if let Some(right) = Val::compound(op, &place.value(), &value)
                && !hard
            {
                return nodes.push(Node::line(format!("{} {}= {right};", place.text, op.sign())));
            }
        }
        nodes.push(Node::line(format!("{} = {};", place.text, value.text)));
    }

    /// Declares a local variable.
    pub(super) fn declaration(&mut self, nodes: &mut Vec<Node>) {
        let ty = self.any_object();
        let taint = self.any_taint(&ty);
        let name = self.local_name();
        let init = match &ty {
            Ty::Int(_) => self.expr(taint, 2).text,
            Ty::Struct(id) if self.rng.chance(50) => self.struct_value(*id, taint),
            _ => self.initialiser(&ty),
        };
        let volatile = if self.rng.chance(4) && matches!(ty, Ty::Int(_)) { "volatile " } else { "" };
        nodes.push(Node::line(format!("{volatile}{} = {init};", self.declare(&ty, &name))));
        if volatile.is_empty() {
            self.add_var(name, ty, taint);
        } else {
            // Pointers to it would have to be volatile too, so nothing else may find it.
            nodes.push(Node::line(format!("{name} = ({name} & 7) + 1;")));
            let mixed = self.mix(&name);
            nodes.push(Node::line(mixed));
        }
    }

    fn branch(&mut self, nesting: u32, nodes: &mut Vec<Node>) {
        let mut parts = Vec::new();
        let condition = self.condition(Taint::Wide, 2);
        let count = self.rng.range(1, 3);
        parts.push((format!("if ({})", condition.text), self.block(count, nesting - 1)));
        if self.rng.chance(20) {
            let condition = self.condition(Taint::Wide, 1);
            parts.push((format!("else if ({})", condition.text), self.block(1, nesting - 1)));
        }
        if self.rng.chance(45) {
            let count = self.rng.range(1, 2);
            parts.push(("else".to_owned(), self.block(count, nesting - 1)));
        }
        nodes.push(Node::Block { parts, close: String::new() });
    }

    fn switch(&mut self, nesting: u32, nodes: &mut Vec<Node>) {
        // Four ways at most: two forks.
        let wide = self.spend(2);
        let value = self.expr(if wide { Taint::Wide } else { Taint::Small }, 2);
        if wide && value.taint < Taint::Wide {
            self.refund(2);
        }
        let signed = value.ty.promoted().signed() && self.rng.chance(30);
        let selector =
            if signed { Val::binary(Op::Rem, &value, &Val::literal(Int::Int, 3)) } else { value.masked(3) };
        let labels: Vec<i128> = if signed { vec![-2, -1, 1, 2] } else { vec![0, 1, 2, 3] };
        let given = self.rng.range(1, 3) as usize;
        let skip = self.rng.index(labels.len() - given + 1);
        let mut body = Vec::new();
        for label in &labels[skip..skip + given] {
            let count = self.rng.range(1, 2);
            // Falling through into the next case is part of the language.
            let end = if self.rng.chance(75) { "break;" } else { "" };
            let block = Node::Block {
                parts: vec![(format!("case {label}:"), self.block(count, nesting - 1))],
                close: end.to_owned(),
            };
            body.push(block);
        }
        if self.rng.chance(60) {
            body.push(Node::block("default:", self.block(1, nesting - 1)));
        }
        nodes.push(Node::block(format!("switch ({})", selector.text), body));
    }

    /// Prints a value; the conversions all match the argument's promoted type.
    pub(super) fn print(&mut self, nodes: &mut Vec<Node>) {
        let form = self.rng.weighted(&[50, 8, 8, 6, 6, 6, 6, 5, 5]);
        // Some forms repeat the value; calls are paid for once, so these have none.
        let no_calls = u32::from(form >= 4) * 2;
        self.calling += no_calls;
        let value = self.expr(Taint::Wide, 2);
        self.calling -= no_calls;
        let text = &value.text;
        let line = match form {
            1 => format!("printf(\"%d\\n\", (int){text});"),
            2 => format!("printf(\"%u,\", (unsigned){text});"),
            3 => format!("printf(\"%lx \", (unsigned long){text});"),
            4 => format!("printf(\"a=%ld b=%hhu\\n\", (long){text}, (unsigned char){text});"),
            5 => format!(
                "printf(\"[%5d|%-4u|%03d]\\n\", (short){text}, (unsigned char){text}, (signed char){text});"
            ),
            6 => format!("printf(\"%llu%%\\n\", (unsigned long long){text});"),
            7 => format!("printf(\"%hd %X\\n\", (short){text}, (unsigned){text});"),
            8 => {
                let letter = self.expr(Taint::Concrete, 1).masked(15);
                format!("putchar('a' + {});", letter.text)
            }
            _ => format!("printf(\"%lld\\n\", (long long){text});"),
        };
        nodes.push(Node::line(line));
    }

    fn struct_assignment(&mut self, nodes: &mut Vec<Node>) {
        let targets: Vec<(String, usize, Taint)> = self
            .vars
            .iter()
            .filter_map(|v| match (&v.ty, v.fixed) {
                (Ty::Struct(id), None) => Some((v.name.clone(), *id, v.taint)),
                (Ty::Ptr(elem, _), None) => match **elem {
                    Ty::Struct(id) => Some((format!("*{}", v.name), id, v.taint)),
                    _ => None,
                },
                _ => None,
            })
            .collect();
        if targets.is_empty() {
            return self.assignment(nodes);
        }
        let (text, id, taint) = self.rng.pick(&targets).clone();
        let value = self.struct_value(id, taint);
        nodes.push(Node::line(format!("{text} = {value};")));
    }

    /// Declares a pointer or lets one point elsewhere.
    fn pointer(&mut self, nodes: &mut Vec<Node>) {
        let pointers: Vec<usize> = (0..self.vars.len())
            .filter(|i| matches!(self.vars[*i].ty, Ty::Ptr(..)) && !self.vars[*i].moved_by_loop)
            .collect();
        if !pointers.is_empty() && self.rng.chance(40) {
            let var = self.vars[*self.rng.pick(&pointers)].clone();
            if let Ty::Ptr(elem, n) = &var.ty
                && let Some(target) = self.address(elem, *n, var.taint, var.depth)
            {
                return nodes.push(Node::line(format!("{} = {target};", var.name)));
            }
        }
        let targets: Vec<usize> = (0..self.vars.len()).filter(|i| self.vars[*i].fixed.is_none()).collect();
        if targets.is_empty() {
            return self.assignment(nodes);
        }
        let var = self.vars[*self.rng.pick(&targets)].clone();
        let (elem, n) = match &var.ty {
            Ty::Array(elem, n) if self.rng.chance(80) => ((**elem).clone(), self.rng.range(1, *n)),
            Ty::Ptr(elem, n) => ((**elem).clone(), self.rng.range(1, *n)),
            other => (other.clone(), 1),
        };
        let depth = self.depth;
        if let Some(target) = self.address(&elem, n, var.taint, depth) {
            let name = self.local_name();
            let ty = Ty::Ptr(Box::new(elem), n);
            nodes.push(Node::line(format!("{} = {target};", self.declare(&ty, &name))));
            self.add_var(name, ty, var.taint);
        }
    }

    /// Leaves a loop, a switch, the function or the program, under a condition.
    fn leave(&mut self, nodes: &mut Vec<Node>) {
        let mut ways = vec!["exit"];
        if self.in_loop > 0 {
            ways.extend(["break", "break", "continue"]);
        }
        if self.ret.is_some() {
            ways.extend(["return", "return"]);
        }
        let way = *self.rng.pick(&ways);
        let action = match way {
            "exit" => {
                if !self.rng.chance(30) {
                    return self.assignment(nodes);
                }
                format!("exit({});", self.expr(Taint::Wide, 1).masked(127).text)
            }
            "return" => match self.ret.clone() {
                Some((Ty::Int(_), taint)) => format!("return {};", self.expr(taint, 1).text),
                Some((Ty::Struct(id), taint)) => format!("return {};", self.struct_value(id, taint)),
                _ => return self.assignment(nodes),
            },
            other => format!("{other};"),
        };
        let condition = self.condition(Taint::Wide, 1);
        nodes.push(Node::line(format!("if ({}) {action}", condition.text)));
    }
}
