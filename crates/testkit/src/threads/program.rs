//! Whole programs: globals, the functions of threads, and a `main` that starts them and shows the final state.

use super::body::Body;
use super::places::{GLOBALS, Scope, names};
use super::pointers::UNSET;
use crate::generator::{Node, Rng, render};

/// A generated program. Its names at file scope begin with `@`, which is replaced when it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// What it was made from.
    pub seed: u64,
    /// The text.
    pub nodes: Vec<Node>,
}

impl Program {
    /// Whether its meaning survives a native build: sections that are atomic by fiat do not, nor does memory that
    /// is accessed in parts or never set.
    pub fn is_native(&self) -> bool {
        let text = render(&self.nodes);
        let in_parts = ["u", "c0", "c1", "three", "d", "k0", "k1"];
        !text.contains("__VERIFIER_atomic")
            && !text.contains("klee_make_symbolic")
            && !text.contains(UNSET)
            && !in_parts.iter().any(|name| names(&text, name))
    }

    /// Whether it has addresses that are not derived from pointers.
    pub fn makes_addresses(&self) -> bool {
        let text = render(&self.nodes);
        text.contains("rebuilt(") || text.contains(UNSET)
    }

    /// Whether a run may end before everything is shown.
    pub fn may_end_early(&self) -> bool {
        render(&self.nodes).contains("exit(")
    }
}

/// What becomes of a thread.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Joined,
    Detached,
    Forgotten,
}

fn fate(rng: &mut Rng) -> Fate {
    match rng.below(12) {
        0 => Fate::Detached,
        1 => Fate::Forgotten,
        _ => Fate::Joined,
    }
}

/// The program of `seed`.
pub fn generate(seed: u64) -> Program {
    let mut rng = Rng::new(seed ^ 0x7412_ead5);
    let mut scope = Scope::new(&mut rng);
    let n_threads = match rng.below(100) {
        0..75 => 2,
        75..95 => 3,
        _ => 4,
    };
    let mut functions = Vec::new();
    let nests = n_threads == 2 && rng.chance(15);
    let mut starts: Vec<u32> = (1..=n_threads).collect();
    if nests {
        starts.pop();
    }
    // Which are given a pointer, and which have a result.
    let takes: Vec<bool> = (1..=n_threads).map(|_| rng.chance(35)).collect();
    let gives: Vec<bool> = (1..=n_threads).map(|_| nests || !rng.chance(15)).collect();
    for number in (1..=n_threads).rev() {
        let child = (nests && number == 1).then(|| (2, fate(&mut rng)));
        let budget = match (n_threads, nests) {
            (2, false) => rng.range(2, 5),
            (2, true) => rng.range(1, 4),
            (4, _) => 1,
            _ => rng.range(1, 3),
        };
        let with = (takes[number as usize - 1], gives[number as usize - 1]);
        functions.push(thread(&mut rng, &mut scope, number, budget as i32, child, with));
    }
    let main = main_function(&mut rng, &mut scope, &starts, (&takes, &gives), &functions);
    let mut nodes = Vec::new();
    let first = Node::line("static void @first(void) { @z = @z + 1; }");
    let mut text = render(&functions) + &render(std::slice::from_ref(&main));
    if names(&text, "first") || names(&text, "key") {
        text += "@z ";
    }
    // What a pointer or a function refers to has to be there.
    if names(&text, "p") || names(&text, "k0") {
        text += "@x ";
    }
    if names(&text, "action") || names(&text, "bump") {
        text += "@bump @x @y ";
    }
    for global in GLOBALS.iter().filter(|g| names(&text, g.name)) {
        nodes.push(Node::line(global.declaration));
    }
    if names(&text, "first") {
        nodes.push(first);
    }
    nodes.extend(functions);
    nodes.push(main);
    Program { seed, nodes }
}

/// Statements of one thread, with a place of its own if they need one.
fn body(rng: &mut Rng, scope: &mut Scope, budget: i32, most: u32) -> Vec<Node> {
    Body { rng, scope, budget, depth: 0, in_section: false, held: Vec::new() }.list(most)
}

fn thread(
    rng: &mut Rng,
    scope: &mut Scope,
    number: u32,
    budget: i32,
    child: Option<(u32, Fate)>,
    (takes_pointer, gives_result): (bool, bool),
) -> Node {
    scope.has_argument = takes_pointer;
    scope.uses_mine = false;
    let mut inner = body(rng, scope, budget, 6);
    if let Some((child, fate)) = child {
        let argument = if takes_pointer { "arg" } else { "0" };
        let at = rng.index(inner.len() + 1);
        inner.insert(
            at,
            Node::line(format!("pthread_t t; pthread_create(&t, 0, @w{child}, (void *){argument});")),
        );
        match fate {
            Fate::Joined => {
                inner.push(Node::line("void *r = 0; pthread_join(t, &r); l0 += (int)(long)r & 1;"));
            }
            Fate::Detached => inner.push(Node::line("pthread_detach(t);")),
            Fate::Forgotten => {}
        }
    }
    let mut nodes = vec![Node::line("int l0 = 0, l1 = 0;")];
    if takes_pointer {
        nodes.push(Node::line("cell *arg = argument;"));
    }
    if scope.uses_mine {
        nodes.push(Node::line("cell mine = 0;"));
    }
    nodes.extend(inner);
    // What the thread saw is part of the final state, unless it ends without a result.
    if gives_result {
        nodes.push(Node::line("return (void *)(long)((l0 & 7) | (l1 & 7) << 3);"));
    }
    Node::block(format!("static void *@w{number}(void *argument)"), nodes)
}

/// Starts a thread, with a cell or without.
fn start(rng: &mut Rng, scope: &mut Scope, number: u32, takes_pointer: bool) -> Node {
    let argument = match (takes_pointer, rng.below(4)) {
        (false, _) => "0",
        (true, 0) => "&@y",
        (true, 1) => "&@s.f",
        (true, 2) => "(cell *)calloc(1, sizeof(cell))",
        (true, _) => {
            scope.uses_mine = true;
            "&mine"
        }
    };
    Node::line(format!(
        "pthread_t t{number}; void *r{number} = 0; pthread_create(&t{number}, 0, @w{number}, {argument});"
    ))
}

/// Joins a thread and takes its result.
fn join(rng: &mut Rng, number: u32) -> Node {
    let join = format!("pthread_join(t{number}, &r{number});");
    Node::line(match rng.below(12) {
        0 => format!("if (pthread_tryjoin_np(t{number}, &r{number}) != 0) {{ l1 += 1; {join} }}"),
        _ => join,
    })
}

fn main_function(
    rng: &mut Rng,
    scope: &mut Scope,
    starts: &[u32],
    (takes, gives): (&[bool], &[bool]),
    functions: &[Node],
) -> Node {
    scope.has_argument = false;
    scope.uses_mine = false;
    let mut inner = Vec::new();
    let mut text = render(functions);
    if names(&text, "q") && rng.chance(70) {
        inner.push(Node::line("@q = malloc(sizeof(cell)); *@q = 1;"));
    }
    let fates: Vec<(u32, Fate)> = starts
        .iter()
        .map(|&number| {
            inner.push(start(rng, scope, number, takes[number as usize - 1]));
            (number, fate(rng))
        })
        .collect();
    if rng.chance(25) {
        let budget = rng.range(1, 2) as i32;
        inner.extend(body(rng, scope, budget, 2));
    }
    let mut shown: Vec<String> = Vec::new();
    for &(number, fate) in &fates {
        match fate {
            Fate::Joined if !gives[number as usize - 1] => {
                inner.push(Node::line(format!("pthread_join(t{number}, 0);")));
            }
            Fate::Joined => {
                inner.push(join(rng, number));
                shown.push(format!("(int)(long)r{number}"));
                shown.push(format!("(int)(long)r{number} >> 3"));
            }
            Fate::Detached => inner.push(Node::line(format!("pthread_detach(t{number});"))),
            Fate::Forgotten => {}
        }
    }
    if rng.chance(30) {
        inner.extend(Body { rng, scope, budget: 1, depth: 2, in_section: true, held: Vec::new() }.list(1));
        inner.push(Node::line(format!("assert({} != {});", scope.fixed(rng), rng.range(2, 4))));
    }
    text += &render(&inner);
    let all_joined = fates.iter().all(|(_, fate)| *fate == Fate::Joined);
    let mut places: Vec<&str> = Vec::new();
    for global in GLOBALS.iter().filter(|g| !g.shown.is_empty() && names(&text, g.name)) {
        places.extend(global.shown.split(';'));
    }
    if scope.uses_mine {
        places.push("mine");
    }
    if !all_joined {
        // Each of these reads can come between the steps of threads that still run.
        places.truncate(1);
    }
    shown.extend(places.iter().map(|p| (*p).to_owned()));
    shown.push("l0".to_owned());
    inner.extend(shown.iter().map(|s| Node::line(format!("show({s});"))));
    let mut nodes = vec![Node::line("int l0 = 0, l1 = 0;")];
    if scope.uses_mine {
        nodes.push(Node::line("cell mine = 0;"));
    }
    for global in GLOBALS.iter().filter(|g| !g.setup.is_empty() && names(&text, g.name)) {
        nodes.push(Node::line(global.setup));
    }
    nodes.extend(inner);
    nodes.push(Node::line("return 0;"));
    Node::block("int @main(void)", nodes)
}
