//! The solver against the reference: the same constraints, the same result.
//!
//! Constraints are those of programs (`tests/programs`, with the functions that the solver itself has found to be called)
//! and random ones. What a set says of an object is compared without details that do not matter: beside "anywhere in it",
//! the offsets depend on the order of the work, and with them which cells of an object hold what all loads of it find. So
//! does which offsets of an object are the few that are told apart; the reference is told them.
//!
//! `SELVEDGE_RANDOM_FACTOR` multiplies the number of systems and programs.

use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_base::Id;

use super::reference::Reference;
use super::{Flow, Node, Place, Solver};
use crate::constraints::Builder;
use crate::layout::{InstId, Layout};
use crate::object::{ANY, ObjectId, Origin, Range};

/// A constraint as it was given to the solver, or the answer.
#[derive(Clone, Copy, Debug)]
pub(super) enum Given {
    Node(Node),
    Cell(ObjectId, Range, Node),
    Add(Node, Place),
    Flow(Node, Flow),
    Transfer(Node, Node, Option<u64>),
}

/// How much was compared.
#[derive(Default, Debug)]
struct Seen {
    sets: usize,
    places: usize,
    merged: usize,
    /// Objects of which no more offsets are told apart.
    full: usize,
}

fn without_details(mut places: Vec<(ObjectId, i64)>) -> Vec<(ObjectId, i64)> {
    let anywhere: Vec<ObjectId> =
        places.iter().filter(|(_, o)| *o == ANY).map(|(object, _)| *object).collect();
    places.retain(|(object, offset)| *offset == ANY || anywhere.binary_search(object).is_err());
    places
}

/// Gives everything that the solver was given to the reference, and compares the results.
fn compare(solver: &Solver, n_regs: usize, what: &str, seen: &mut Seen) {
    let mut reference = Reference::new(n_regs);
    for (id, object) in solver.objects.enumerate() {
        assert_eq!(reference.object(object.origin, object.size()), id);
        for &offset in &object.offsets {
            reference.place(id, offset);
        }
        seen.full += usize::from(object.offsets.len() == super::MAX_OFFSETS);
    }
    let mut nodes: FxHashMap<Node, Node> = (0..n_regs).map(|i| (Node::new(i), Node::new(i))).collect();
    let mut cells = FxHashSet::default();
    for given in &solver.script {
        match *given {
            Given::Node(node) => _ = nodes.insert(node, reference.node()),
            Given::Cell(object, range, node) => {
                cells.insert(node);
                nodes.insert(node, reference.cell(object, range));
            }
            Given::Add(node, place) => {
                let (object, offset) = solver.at(place);
                let place = reference.place(object, offset);
                reference.add(nodes[&node], place);
            }
            Given::Flow(node, flow) => {
                let flow = match flow {
                    Flow::To(to) => Flow::To(nodes[&to]),
                    Flow::Shifted(to, by) => Flow::Shifted(nodes[&to], by),
                    Flow::Smeared(to) => Flow::Smeared(nodes[&to]),
                    Flow::Load(into, len) => Flow::Load(nodes[&into], len),
                    Flow::Store(from, len) => Flow::Store(nodes[&from], len),
                    Flow::CopyTo(_) | Flow::CopyFrom(_) | Flow::Callee(_) => flow,
                };
                reference.flow(nodes[&node], flow);
            }
            Given::Transfer(to, from, len) => reference.transfer(nodes[&to], nodes[&from], len),
        }
    }
    reference.solve();
    for (&here, &there) in nodes.iter().filter(|(here, _)| !cells.contains(here)) {
        let (mine, theirs) = (solver.places_of(here), reference.places_of(there));
        seen.sets += 1;
        seen.places += mine.len();
        seen.merged += usize::from(solver.merged[here] != here);
        assert_eq!(without_details(mine), without_details(theirs), "{what}: {here}");
    }
    for object in solver.objects.ids() {
        assert_eq!(solver.content(object), reference.content(object), "{what}: content of {object}");
    }
}

fn factor() -> usize {
    std::env::var("SELVEDGE_RANDOM_FACTOR").ok().and_then(|v| v.parse().ok()).unwrap_or(1)
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn node(&mut self, n: usize) -> Node {
        Node::new(self.below(n as u64) as usize)
    }
}

/// Random constraints, in a few rounds as when calls are found.
fn system(seed: u64) -> (Solver, usize) {
    let mut random = Random(seed);
    let n = 4 + random.below(40) as usize;
    let mut solver = Solver::new(n);
    let n_objects = 1 + random.below(12);
    for i in 0..n_objects {
        let size = [Some(1), Some(8), Some(24), Some(48), None][random.below(5) as usize];
        solver.object(Origin::Heap(InstId::new(i as usize)), size);
    }
    for _ in 0..1 + random.below(3) {
        for _ in 0..random.below(12) {
            let place = solver.place(ObjectId(random.below(n_objects) as u32), random.below(30) as i64 - 2);
            solver.add(random.node(n), place);
        }
        for _ in 0..random.below(3 * n as u64) {
            let (from, to) = (random.node(n), random.node(n));
            let len = [1, 4, 8, 16, u64::MAX][random.below(5) as usize];
            let by = [-8, -1, 1, 4, 8, 8, 16, 40][random.below(8) as usize];
            match random.below(12) {
                0..=4 => solver.flow(from, Flow::To(to)),
                5 | 6 => solver.flow(from, Flow::Shifted(to, by)),
                7 => solver.flow(from, Flow::Smeared(to)),
                8 | 9 => solver.flow(from, Flow::Load(to, len)),
                10 => solver.flow(from, Flow::Store(to, len)),
                _ => solver.transfer(to, from, Some(len).filter(|len| *len != u64::MAX)),
            }
        }
        solver.solve();
    }
    (solver, n)
}

#[test]
fn random_constraints_have_the_same_solution() {
    let mut seen = Seen::default();
    for seed in 0..4_000 * factor() as u64 {
        let (solver, n) = system(seed);
        compare(&solver, n, &format!("seed {seed}"), &mut seen);
    }
    assert!(seen.merged > 1_000 && seen.places > 100_000 && seen.full > 100, "{seen:?}");
}

fn programs(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).expect("the folder of fixtures").flatten() {
        let path = entry.path();
        match path.extension().and_then(|e| e.to_str()) {
            _ if path.is_dir() => programs(&path, found),
            Some("c" | "cpp" | "cc") => found.push(path),
            _ => {}
        }
    }
}

#[test]
fn constraints_of_programs_have_the_same_solution() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let mut found = Vec::new();
    programs(&root, &mut found);
    found.sort_unstable();
    let mut sample: Vec<PathBuf> = found.into_iter().step_by((24 / factor()).max(1)).collect();
    sample.extend(["containers", "exceptions", "virtual"].map(|name| root.join(format!("cpp/{name}.cpp"))));
    let (mut seen, mut n_programs) = (Seen::default(), 0);
    for file in sample {
        let what = file.display().to_string();
        let clang_args = vec!["-w".to_owned()];
        let options = selvedge_frontend::Options { files: vec![file], clang_args, ..Default::default() };
        // Some need arguments of their own, or are there to be refused.
        let Ok(program) = selvedge_frontend::load(&options) else { continue };
        let layout = Layout::new(&program);
        let built = Builder::run(&program, &layout);
        compare(&built.solver, layout.n_regs(), &what, &mut seen);
        n_programs += 1;
    }
    assert!(n_programs > 20 && seen.merged > 100 && seen.places > 10_000, "{n_programs} programs, {seen:?}");
}
