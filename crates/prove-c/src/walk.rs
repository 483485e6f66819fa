//! A program and a proof of it, as the checker goes through them.
//!
//! This shares with the search the executor, the ways of a step ([`crate::ways`]) and the solver; neither the graph nor what
//! the search believes. It begins at the start of the program and finds every step from every control state that the
//! checker comes to. For each it looks up what the invariant says: which places may have any value. All other places must
//! have the same value whenever the control state is reached; where they do not, or the control state is not in the
//! invariant, the step is bad.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use selvedge_base::Loc;
use selvedge_exec::{Machine, State, instantiate, join_template, template_key, with_variables};
use selvedge_explore::stuck;
use selvedge_prove::{Ask, BadId, Checkable, Claim, StepId, Stopped, TransitionSystem};
use selvedge_term::{TermId, TermPool};

use crate::proof::{Invariant, Shown, StateName};
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
    at: Loc,
}

struct Bad {
    guards: Vec<TermId>,
    why: String,
}

/// Where a way leads.
enum Arrival {
    At(usize),
    /// It cannot happen.
    Never,
    /// To what the invariant does not say.
    Unforeseen(String),
}

/// The program, as far as the checker has come. Control state 0 is the start.
pub(crate) struct Walk<'a, 'p> {
    machine: &'a mut Machine<'p>,
    invariant: &'a Invariant,
    nodes: Vec<Node>,
    shown: Shown<'p>,
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
        let shown = Shown::new(machine.image.program);
        let nodes = vec![Node::new(start, Vec::new())];
        Walk { machine, invariant, nodes, shown, known: FxHashMap::default() }
    }

    /// Follows one way from a control state where `holds` is claimed: to a step, if the invariant foresees it; else it is bad.
    fn follow(&mut self, ask: &mut Ask, control: usize, holds: &[TermId], way: Way) -> Result<(), Stopped> {
        let Way { guards, end, at, .. } = way;
        let why = match end {
            End::Fails(finding) => finding.message.clone(),
            End::Obstacle(what) => what,
            End::Rest(end) => match self.arrive(ask, holds, &guards, &end)? {
                Arrival::At(to) => {
                    self.nodes[control].steps.push(Step { to, guards, end, at });
                    return Ok(());
                }
                Arrival::Never => return Ok(()),
                Arrival::Unforeseen(why) => why,
            },
        };
        let why = format!("{}: {why}", self.machine.place(at));
        self.nodes[control].bad.push(Bad { guards, why });
        Ok(())
    }

    /// The control state that `end` is in, after a step with these guards.
    fn arrive(
        &mut self,
        ask: &mut Ask,
        holds: &[TermId],
        guards: &[TermId],
        end: &State,
    ) -> Result<Arrival, Stopped> {
        let unforeseen = |why: &str| Ok(Arrival::Unforeseen(why.to_owned()));
        let key = match template_key(self.machine, end) {
            Ok(key) => key,
            Err(why) => return Ok(Arrival::Unforeseen(why)),
        };
        if let Some(&to) = self.known.get(&key) {
            return match join_template(self.machine, &mut self.nodes[to].template.clone(), end) {
                true => unforeseen("a place has another value there"),
                false => Ok(Arrival::At(to)),
            };
        }
        // What cannot happen must not be the first to come to a control state. Elsewhere the checker finds out.
        let goal: Vec<TermId> = holds.iter().chain(guards).copied().collect();
        if !ask.is_possible(&mut self.machine.pool, &goal)? {
            return Ok(Arrival::Never);
        }
        let Some(claim) = self.invariant.get(&StateName::of(&key)) else {
            return unforeseen("a control state is missing");
        };
        let Some(template) = with_variables(self.machine, end, &claim.variables) else {
            return unforeseen("a value is not known there");
        };
        if claim.places != self.shown.state(&template) {
            return unforeseen("the threads do not stand where the proof says");
        }
        let holds = claim.formula(self.machine);
        let to = self.nodes.len();
        self.known.insert(key, to);
        self.nodes.push(Node::new(template, vec![holds]));
        Ok(Arrival::At(to))
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
                self.follow(ask, control, &holds, way)?;
            }
        }
        Ok(())
    }

    fn effect(&self, (_, i): StepId) -> usize {
        i
    }

    fn leads_out(&self, (at, i): StepId, _: usize) -> String {
        format!("{}: a step leads out of the invariant", self.machine.place(self.nodes[at].steps[i].at))
    }

    fn is_bad(&self, (at, i): BadId, _: usize) -> String {
        self.nodes[at].bad[i].why.clone()
    }
}
