//! Random sequential C programs without undefined behaviour, from a seed.
//!
//! Guarantees: the program depends on the seed and the options only. For every input that passes its assumptions it
//! ends normally within a bounded number of steps and without undefined or unspecified behaviour that two builds by
//! clang could resolve differently; it reads only what it has written; every assertion in it holds (unless faults are
//! asked for). The number of
//! paths is at most about thirty: branches on inputs with many values are paid for from a budget of forks, and the
//! inputs that may be branched on freely have few values together.
//! Relies on: a 64-bit little-endian System V target.
//! Not covered: goto, threads, symbolic floating point, `long double`, `__int128`.
//! Checked by: `tests/generator.rs` (sanitizers, two optimisation levels).

mod calls;
mod expr;
mod faults;
mod functions;
mod idioms;
mod inputs;
mod ints;
mod loops;
mod places;
mod rng;
mod stmt;
mod tree;
mod types;
mod value;

pub use inputs::InputSpec;
pub use ints::Int;
pub use rng::Rng;
pub use tree::{Node, render, size};
pub use value::Taint;

use calls::Fun;
use places::Var;
use types::{Struct, Ty};

/// Statements executed by one run, about: keeps the engine's part short.
const MAX_WORK: u32 = 1200;

/// What a generated program may contain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Floating point on concrete values.
    pub floats: bool,
    /// Library calls, heap, unions, variable arguments and so on.
    pub idioms: bool,
    /// Faults that some inputs run into.
    pub faults: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { floats: true, idioms: true, faults: false }
    }
}

/// A generated program.
#[derive(Clone, Debug)]
pub struct Generated {
    /// What it came from.
    pub seed: u64,
    /// Its text as a tree, for the shrinker.
    pub nodes: Vec<Node>,
    /// Its inputs in the order they are read.
    pub inputs: Vec<InputSpec>,
}

impl Generated {
    /// The C text.
    pub fn source(&self) -> String {
        render(&self.nodes)
    }
}

/// The program of a seed.
pub fn generate(seed: u64, options: &Options) -> Generated {
    let mut rng = Rng::new(seed);
    // Not every program has floats: most C code has none, and they hide integer faults behind unsupported parts.
    let floats = options.floats && rng.chance(25);
    let mut r#gen = Gen {
        rng,
        options: Options { floats, ..options.clone() },
        seed,
        structs: Vec::new(),
        vars: Vec::new(),
        funs: Vec::new(),
        top: Vec::new(),
        crc: String::new(),
        depth: 0,
        next_name: 0,
        nesting: 0,
        calling: 0,
        mult: 1,
        budget: 0,
        work: 0,
        in_loop: 0,
        ret: None,
        inputs: Vec::new(),
    };
    r#gen.program();
    Generated { seed, nodes: r#gen.top, inputs: r#gen.inputs }
}

/// The state of a generation.
struct Gen {
    rng: Rng,
    options: Options,
    seed: u64,
    structs: Vec<Struct>,
    /// Variables in scope, outermost first.
    vars: Vec<Var>,
    funs: Vec<Fun>,
    /// File-level text so far.
    top: Vec<Node>,
    /// Name of the checksum.
    crc: String,
    /// Block depth; 0 is file level.
    depth: u32,
    next_name: u32,
    /// Places inside the index of a place.
    nesting: u32,
    /// Calls inside the arguments of a call.
    calling: u32,
    /// How often the current statement runs in one activation of its function, at most.
    mult: u32,
    /// Forks on `Wide` values that the current function may still add to one of its activations.
    budget: u32,
    /// Statements executed so far by one activation.
    work: u32,
    in_loop: u32,
    /// Result type of the current function, if it may return early.
    ret: Option<(Ty, Taint)>,
    inputs: Vec<InputSpec>,
}

impl Gen {
    /// A name at file level; the seed in it lets many programs share one translation unit.
    fn file_name(&mut self, kind: &str) -> String {
        self.next_name += 1;
        format!("{kind}{}_{}", self.next_name, self.seed)
    }

    /// A name inside a function.
    fn local_name(&mut self) -> String {
        self.next_name += 1;
        format!("v{}", self.next_name)
    }

    /// Takes `forks` for each execution of the current statement from the budget, if it has them.
    fn spend(&mut self, forks: u32) -> bool {
        let cost = forks * self.mult;
        let enough = cost <= self.budget;
        if enough {
            self.budget -= cost;
        }
        enough
    }

    fn refund(&mut self, forks: u32) {
        self.budget += forks * self.mult;
    }

    fn program(&mut self) {
        for name in ["assert", "setjmp", "stdarg", "stdio", "stdlib", "string", "ctype", "math"] {
            self.top.push(Node::line(format!("#include <{name}.h>")));
        }
        self.declare_nondet();
        for _ in 0..self.rng.range(0, 3) {
            self.new_struct();
        }
        self.crc = self.file_name("crc");
        self.top.push(Node::line(format!("static unsigned long long {} = 1;", self.crc)));
        // No expression reads the checksum: products chained over the whole run tell a solver's patience, not its truth.
        for _ in 0..self.rng.range(1, 4) {
            self.new_global();
        }
        if self.rng.chance(30) {
            self.new_global_pointer();
        }
        for _ in 0..self.rng.range(1, 3) {
            match self.rng.weighted(&[65, 15, 20]) {
                1 => self.new_recursion(),
                2 => self.new_family(),
                _ => self.new_function(),
            }
        }
        self.main();
    }

    fn new_global(&mut self) {
        let ty = self.any_object();
        let taint = self.any_taint(&ty);
        let name = self.file_name("g");
        let declared = self.declare(&ty, &name);
        let init = if self.rng.chance(75) { format!(" = {}", self.initialiser(&ty)) } else { String::new() };
        self.top.push(Node::line(format!("static {declared}{init};")));
        self.add_var(name, ty, taint);
    }

    /// A pointer to a part of another global: an address as initialiser.
    fn new_global_pointer(&mut self) {
        let targets: Vec<Var> = self.vars.clone();
        let target = self.rng.pick(&targets).clone();
        let (elem, n) = match target.ty {
            Ty::Array(elem, n) => (*elem, self.rng.range(1, n)),
            other => (other, 1),
        };
        if let Some(address) = self.address(&elem, n, target.taint, 0) {
            let name = self.file_name("q");
            let ty = Ty::Ptr(Box::new(elem), n);
            self.top.push(Node::line(format!("static {} = {address};", self.declare(&ty, &name))));
            self.add_var(name, ty, target.taint);
        }
    }

    fn main(&mut self) {
        self.depth = 1;
        self.work = 0;
        let mut body = Vec::new();
        self.read_inputs(&mut body);
        for _ in 0..self.rng.range(1, 3) {
            self.declaration(&mut body);
        }
        for _ in 0..self.rng.range(5, 10) {
            self.statement(2, &mut body);
        }
        self.call_all(&mut body);
        self.print(&mut body);
        body.push(Node::line(format!("printf(\"%llu\\n\", {});", self.crc)));
        let code = if self.rng.chance(50) { format!("(int)({} & 63)", self.crc) } else { "0".to_owned() };
        body.push(Node::line(format!("return {code};")));
        self.top.push(Node::block("int main(void)", body));
    }
}
