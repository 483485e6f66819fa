//! Property-directed reachability over control states: a search for an inductive invariant, backwards from what is bad.
//!
//! For every node there is a growing list of *blocked cubes*, each with a level: no execution of at most that many steps
//! comes to the node with values in the cube. A bad step is a cube that must be blocked. A cube is blocked if no step into
//! its node can come from what is not blocked one level below; else the preimage of the cube under such a step must be
//! blocked first, and a preimage at the start of the program is an execution that goes wrong. What was needed to block a
//! cube is found by the solver's unsatisfiable cores, and the rest of the cube is dropped, so that a blocked cube speaks
//! of few predicates. Predicates are never guessed: they are conditions of the program, assertions, and preimages of them.
//!
//! When all blocked cubes of some level hold one level higher, too, they are an inductive invariant.
//!
//! Bradley, "SAT-based model checking without unrolling", VMCAI 2011; on control-flow graphs with preimages as cubes.
//!
//! Guarantee: a run that is returned has the least number of steps. Relies on: exact steps.

use rustc_hash::FxHashMap;
use selvedge_solver::Want;
use selvedge_term::TermId;

use crate::ask::{Asked, Stopped};
use crate::preimage::{Cube, without_inputs};
use crate::search::{Claimed, Found, Work};
use crate::transitions::{StepId, TransitionSystem};

/// A cube that no execution of `level` steps comes to.
#[derive(Clone, Debug)]
pub(crate) struct Blocked {
    pub(crate) cube: Cube,
    level: usize,
}

/// A cube that is to be blocked.
struct Obligation {
    node: usize,
    cube: Cube,
    level: usize,
    /// The step that leads on from here, and the obligation it leads to; `None` for a bad step.
    next: Option<(StepId, usize)>,
}

/// The search.
pub(crate) struct Backward {
    blocked: Vec<Vec<Blocked>>,
    /// Steps that lead to each control state.
    into: Vec<Vec<StepId>>,
    /// Preimages of single conjuncts.
    preimages: FxHashMap<(StepId, TermId), TermId>,
    pub(crate) level: usize,
}

impl Backward {
    pub(crate) fn new(system: &dyn TransitionSystem) -> Self {
        let n = system.n_controls();
        let mut into = vec![Vec::new(); n];
        for control in 0..n {
            for i in 0..system.n_steps(control) {
                into[system.target((control, i))].push((control, i));
            }
        }
        Backward { blocked: vec![Vec::new(); n], into, preimages: FxHashMap::default(), level: 0 }
    }

    /// Takes it for known that no execution ever comes to a control state with values in one of its cubes, which are sorted.
    pub(crate) fn know(&mut self, never: Vec<Vec<Cube>>) {
        for (blocked, cubes) in self.blocked.iter_mut().zip(never) {
            blocked.extend(cubes.into_iter().map(|cube| Blocked { cube, level: usize::MAX }));
        }
    }

    /// Looks for an invariant or a run, with `on_level` told about each new level and the number of blocked cubes.
    pub(crate) fn run(
        &mut self,
        work: &mut Work<'_>,
        on_level: &mut dyn FnMut(usize, usize),
    ) -> Result<Found, Stopped> {
        loop {
            for node in 0..work.system.n_controls() {
                for i in 0..work.system.n_bad(node) {
                    if work.given_up.contains(&(node, i)) {
                        continue;
                    }
                    if let Some(steps) = self.exclude(work, node, i)? {
                        return Ok(Found::Run(steps, (node, i)));
                    }
                }
            }
            if let Some(level) = self.propagate(work)? {
                return Ok(Found::Invariant(self.invariant(level)));
            }
            self.level += 1;
            on_level(self.level, self.blocked.iter().map(Vec::len).sum());
        }
    }

    fn invariant(&self, level: usize) -> Vec<Claimed> {
        let claim = |list: &Vec<Blocked>| Claimed {
            cubes: list.iter().filter(|b| b.level > level).map(|b| b.cube.clone()).collect(),
            is_union: false,
        };
        self.blocked.iter().map(claim).collect()
    }

    /// Shows that a bad step cannot happen within the present level, or gives the steps before it.
    fn exclude(
        &mut self,
        work: &mut Work<'_>,
        node: usize,
        i: usize,
    ) -> Result<Option<Vec<StepId>>, Stopped> {
        loop {
            let guards = work.system.bad_guards((node, i)).to_vec();
            if node != 0 && self.level == 0 {
                return Ok(None);
            }
            let Some(cube) = self.reachable_part(work, node, guards)? else { return Ok(None) };
            if node == 0 {
                return Ok(Some(Vec::new()));
            }
            let obligation = Obligation { node, cube, level: self.level, next: None };
            if let Some(steps) = self.block(work, obligation)? {
                return Ok(Some(steps));
            }
        }
    }

    /// A part of `guards` at `node` that is not blocked at the present level.
    fn reachable_part(
        &mut self,
        work: &mut Work<'_>,
        node: usize,
        guards: Vec<TermId>,
    ) -> Result<Option<Cube>, Stopped> {
        let Some(mut goal) = self.not_blocked(work, node, self.level) else { return Ok(None) };
        goal.extend_from_slice(&guards);
        match work.ask.ask(work.system.pool(), &goal, Want::Model)? {
            Asked::Core(_) => Ok(None),
            Asked::Model(model) => Ok(Some(without_inputs(work.system, guards, &model))),
        }
    }

    /// What is known of the states that executions of `level` steps come to `node` with. `None`: there are none.
    fn not_blocked(&mut self, work: &mut Work<'_>, node: usize, level: usize) -> Option<Vec<TermId>> {
        if node == 0 {
            return Some(Vec::new());
        }
        if level == 0 {
            return None;
        }
        let mut all = Vec::new();
        for i in 0..self.blocked[node].len() {
            if self.blocked[node][i].level < level {
                continue;
            }
            if self.blocked[node][i].cube.is_empty() {
                return None;
            }
            let cube = work.system.pool().and_all(&self.blocked[node][i].cube);
            all.push(work.system.pool().not(cube));
        }
        Some(all)
    }

    fn is_blocked(&self, node: usize, cube: &Cube, level: usize) -> bool {
        self.blocked[node].iter().any(|b| b.level >= level && is_subset(&b.cube, cube))
    }

    /// Blocks a cube, and all that must be blocked for it; or gives the steps of a run.
    fn block(&mut self, work: &mut Work<'_>, first: Obligation) -> Result<Option<Vec<StepId>>, Stopped> {
        let mut stack = vec![first];
        while let Some(top) = stack.last() {
            let (node, level, cube) = (top.node, top.level, top.cube.clone());
            if self.is_blocked(node, &cube, level) {
                stack.pop();
                continue;
            }
            match self.predecessor(work, node, &cube, level)? {
                Ok(core) => {
                    let cube = self.shorten(work, node, core, level)?;
                    self.add(node, cube, level);
                    stack.pop();
                }
                Err((edge, cube)) => {
                    let next = Some((edge, stack.len() - 1));
                    if edge.0 == 0 {
                        return Ok(Some(steps(&stack, edge)));
                    }
                    stack.push(Obligation { node: edge.0, cube, level: level - 1, next });
                }
            }
        }
        Ok(None)
    }

    /// Whether no step leads into the cube from what is not blocked one level below: then a part of the cube that no step
    /// leads into either. Else such a step, and the preimage of the cube.
    fn predecessor(
        &mut self,
        work: &mut Work<'_>,
        node: usize,
        cube: &Cube,
        level: usize,
    ) -> Result<Result<Cube, (StepId, Cube)>, Stopped> {
        let mut needed = vec![false; cube.len()];
        for i in 0..self.into[node].len() {
            let edge = self.into[node][i];
            match self.try_edge(work, node, cube, level, edge, Want::Core)? {
                Tried::Never(parts) => {
                    for (needed, part) in needed.iter_mut().zip(parts) {
                        *needed |= part;
                    }
                }
                Tried::From => match self.try_edge(work, node, cube, level, edge, Want::Model)? {
                    Tried::Preimage(preimage) => return Ok(Err((edge, preimage))),
                    _ => return Err(Stopped::Limit("the solver contradicts itself".to_string())),
                },
                Tried::Preimage(preimage) => return Ok(Err((edge, preimage))),
            }
        }
        Ok(Ok(cube.iter().zip(needed).filter(|(_, needed)| *needed).map(|(atom, _)| *atom).collect()))
    }

    /// One step into a cube.
    fn try_edge(
        &mut self,
        work: &mut Work<'_>,
        node: usize,
        cube: &Cube,
        level: usize,
        edge: StepId,
        want: Want,
    ) -> Result<Tried, Stopped> {
        let nothing = || Tried::Never(vec![false; cube.len()]);
        let Some(mut goal) = self.not_blocked(work, edge.0, level - 1) else { return Ok(nothing()) };
        if edge.0 == node && level > 1 {
            let this = work.system.pool().and_all(cube);
            goal.push(work.system.pool().not(this));
        }
        let known = goal.len();
        goal.extend_from_slice(work.system.guards(edge));
        let n_guards = goal.len();
        for atom in cube {
            let atom = self.preimage(work, edge, *atom)?;
            goal.push(atom);
        }
        match work.ask.ask(work.system.pool(), &goal, want)? {
            Asked::Core(core) => {
                Ok(Tried::Never(goal[n_guards..].iter().map(|atom| core.contains(atom)).collect()))
            }
            Asked::Model(_) if want == Want::Core => Ok(Tried::From),
            Asked::Model(model) => {
                let atoms = goal.split_off(known);
                Ok(Tried::Preimage(without_inputs(work.system, atoms, &model)))
            }
        }
    }

    fn preimage(&mut self, work: &mut Work<'_>, edge: StepId, atom: TermId) -> Result<TermId, Stopped> {
        if let Some(known) = self.preimages.get(&(edge, atom)) {
            return Ok(*known);
        }
        let new = work.system.before(edge, atom).ok_or_else(|| {
            Stopped::Limit("a step leads to a state without a place of its node".to_string())
        })?;
        self.preimages.insert((edge, atom), new);
        Ok(new)
    }

    /// Drops what is not needed for a cube to be blocked.
    fn shorten(
        &mut self,
        work: &mut Work<'_>,
        node: usize,
        mut cube: Cube,
        level: usize,
    ) -> Result<Cube, Stopped> {
        let mut i = 0;
        while i < cube.len() {
            let mut shorter = cube.clone();
            shorter.remove(i);
            match self.blocks(work, node, &shorter, level)? {
                Some(core) => {
                    // What is left before `i` was needed, and still is unless the core says otherwise.
                    i = core.iter().filter(|a| cube[..i].contains(a)).count();
                    cube = core;
                }
                None => i += 1,
            }
        }
        Ok(cube)
    }

    /// As [`predecessor`](Self::predecessor), without a preimage.
    fn blocks(
        &mut self,
        work: &mut Work<'_>,
        node: usize,
        cube: &Cube,
        level: usize,
    ) -> Result<Option<Cube>, Stopped> {
        let mut needed = vec![false; cube.len()];
        for i in 0..self.into[node].len() {
            match self.try_edge(work, node, cube, level, self.into[node][i], Want::Core)? {
                Tried::Never(parts) => {
                    for (needed, part) in needed.iter_mut().zip(parts) {
                        *needed |= part;
                    }
                }
                _ => return Ok(None),
            }
        }
        Ok(Some(cube.iter().zip(needed).filter(|(_, needed)| *needed).map(|(atom, _)| *atom).collect()))
    }

    fn add(&mut self, node: usize, cube: Cube, level: usize) {
        let list = &mut self.blocked[node];
        list.retain(|b| b.level > level || !is_subset(&cube, &b.cube));
        list.push(Blocked { cube, level });
    }

    /// Lifts blocked cubes as far as they go. A level with no cube of its own is an invariant.
    fn propagate(&mut self, work: &mut Work<'_>) -> Result<Option<usize>, Stopped> {
        for level in 1..=self.level {
            for node in 1..work.system.n_controls() {
                let mut i = 0;
                while i < self.blocked[node].len() {
                    if self.blocked[node][i].level == level {
                        let cube = self.blocked[node][i].cube.clone();
                        if let Some(cube) = self.blocks(work, node, &cube, level + 1)? {
                            self.blocked[node].remove(i);
                            self.add(node, cube, level + 1);
                            continue;
                        }
                    }
                    i += 1;
                }
            }
            if !self.blocked.iter().flatten().any(|b| b.level == level) {
                return Ok(Some(level));
            }
        }
        Ok(None)
    }
}

/// What is known of one step into a cube.
enum Tried {
    /// It never does; which conjuncts of the cube are to blame.
    Never(Vec<bool>),
    /// It may.
    From,
    /// It may, from here.
    Preimage(Cube),
}

/// The steps of a run whose first step is `first`, from the obligations on the stack.
fn steps(stack: &[Obligation], first: StepId) -> Vec<StepId> {
    let mut steps = vec![first];
    let mut at = stack.len() - 1;
    while let Some((edge, next)) = stack[at].next {
        steps.push(edge);
        at = next;
    }
    steps
}

/// Whether each of `a` is in `b`; both are sorted.
fn is_subset(a: &Cube, b: &Cube) -> bool {
    let mut rest = b.iter();
    a.iter().all(|x| rest.any(|y| y == x))
}
