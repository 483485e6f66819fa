//! A program and a proof of it, as the checker goes through them.
//!
//! This shares with the search the executor, the ways of a step ([`crate::ways`]) and the solver; neither the graph nor what
//! the search believes. It begins at the start of the program and finds every step from every control state that the
//! checker comes to. For each it looks up what the invariant says: which places may have any value. All other places must
//! have the same value whenever the control state is reached; where they do not, or the control state is not in the
//! invariant, the step is bad.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use selvedge_exec::{Machine, State, instantiate, join_template, template_key, with_variables};
use selvedge_explore::stuck;
use selvedge_prove::{Ask, BadId, Checkable, Claim, StepId, Stopped, TransitionSystem};
use selvedge_term::{TermId, TermPool};

use crate::proof::{Invariant, StateName, places};
use crate::ways::{End, Way, moves, ways};

/// A control state that the checker has come to.
struct Node {
    template: State,
    claim: Rc<Claim>,
    /// What is claimed, as one condition; nothing of the start.
    holds: Vec<TermId>,
    steps: Vec<Step>,
    bad: Vec<Bad>,
}

struct Step {
    to: usize,
    guards: Vec<TermId>,
    end: Box<State>,
    place: String,
}

struct Bad {
    guards: Vec<TermId>,
    why: String,
}

/// The program, as far as the checker has come. Control state 0 is the start.
pub(crate) struct Walk<'a, 'p> {
    machine: &'a mut Machine<'p>,
    invariant: &'a Invariant,
    nodes: Vec<Node>,
    known: FxHashMap<Vec<u64>, usize>,
}

impl Node {
    fn new(template: State, holds: Vec<TermId>) -> Node {
        let claim = Rc::new(Claim::of(vec![holds.clone()]));
        Node { template, claim, holds, steps: Vec::new(), bad: Vec::new() }
    }
}

impl<'a, 'p> Walk<'a, 'p> {
    pub(crate) fn new(machine: &'a mut Machine<'p>, invariant: &'a Invariant, start: State) -> Walk<'a, 'p> {
        Walk { machine, invariant, nodes: vec![Node::new(start, Vec::new())], known: FxHashMap::default() }
    }

    /// The step that is one way, if the invariant foresees it; else why not.
    fn step(&mut self, way: Way) -> Result<Step, Bad> {
        let Way { guards, end, at, .. } = way;
        let place = self.machine.place(at);
        let end = match end {
            End::Fails(finding) => return Err(Bad { guards, why: format!("{place}: {}", finding.message) }),
            End::Obstacle(what) => return Err(Bad { guards, why: format!("{place}: {what}") }),
            End::Rest(end) => end,
        };
        match self.arrive(&end) {
            Ok(to) => Ok(Step { to, guards, end, place }),
            Err(why) => Err(Bad { guards, why: format!("{place}: {why}") }),
        }
    }

    /// The control state that `end` is in.
    fn arrive(&mut self, end: &State) -> Result<usize, String> {
        let key = template_key(self.machine, end)?;
        let known = self.known.get(&key).copied();
        let to = match known {
            Some(to) => to,
            None => {
                let claim = self.invariant.get(&StateName::of(&key)).ok_or("a control state is missing")?;
                let template = with_variables(self.machine, end, &claim.variables);
                let template = template.ok_or("a value is not known there")?;
                if claim.places != places(self.machine, &template) {
                    return Err("the threads do not stand where the proof says".to_owned());
                }
                let holds = claim.formula(self.machine);
                self.known.insert(key, self.nodes.len());
                self.nodes.push(Node::new(template, vec![holds]));
                self.nodes.len() - 1
            }
        };
        match join_template(self.machine, &mut self.nodes[to].template.clone(), end) {
            true => Err("a place has another value there".to_owned()),
            false => Ok(to),
        }
    }
}

impl TransitionSystem for Walk<'_, '_> {
    fn pool(&mut self) -> &mut TermPool {
        &mut self.machine.pool
    }

    fn n_controls(&self) -> usize {
        self.nodes.len()
    }

    fn n_steps(&self, control: usize) -> usize {
        self.nodes[control].steps.len()
    }

    fn target(&self, (at, i): StepId) -> usize {
        self.nodes[at].steps[i].to
    }

    fn guards(&self, (at, i): StepId) -> &[TermId] {
        &self.nodes[at].steps[i].guards
    }

    fn before(&mut self, (at, i): StepId, condition: TermId) -> Option<TermId> {
        instantiate(self.machine, &self.nodes[at].steps[i].end, condition)
    }

    fn n_bad(&self, control: usize) -> usize {
        self.nodes[control].bad.len()
    }

    fn bad_guards(&self, (at, i): BadId) -> &[TermId] {
        &self.nodes[at].bad[i].guards
    }
}

impl Checkable for Walk<'_, '_> {
    fn predicates(&self) -> &[TermId] {
        &[]
    }

    fn claim(&self, control: usize) -> Rc<Claim> {
        self.nodes[control].claim.clone()
    }

    fn leave(&mut self, ask: &mut Ask, control: usize) -> Result<(), Stopped> {
        let (template, holds) = (self.nodes[control].template.clone(), self.nodes[control].holds.clone());
        let moves = moves(&template);
        if moves.is_empty() && !template.is_cut && stuck(self.machine, &template).is_some() {
            let why = "no thread can move in a control state that is not excluded".to_owned();
            self.nodes[control].bad.push(Bad { guards: Vec::new(), why });
        }
        for step in moves {
            for way in ways(self.machine, ask, &template, step)? {
                let goal: Vec<TermId> = holds.iter().chain(&way.guards).copied().collect();
                // What cannot happen must not be the first to come to a control state.
                if !ask.is_possible(&mut self.machine.pool, &goal)? {
                    continue;
                }
                match self.step(way) {
                    Ok(step) => self.nodes[control].steps.push(step),
                    Err(bad) => self.nodes[control].bad.push(bad),
                }
            }
        }
        Ok(())
    }

    fn effect(&self, (_, i): StepId) -> usize {
        i
    }

    fn leads_out(&self, (at, i): StepId, _: usize) -> String {
        format!("{}: a step leads out of the invariant", self.nodes[at].steps[i].place)
    }

    fn is_bad(&self, (at, i): BadId, _: usize) -> String {
        self.nodes[at].bad[i].why.clone()
    }
}
