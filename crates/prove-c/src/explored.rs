//! A control graph as a transition system for the searches.

use selvedge_exec::{Machine, Source, State, Value, instantiate, is_new};
use selvedge_prove::{BadId, Reason, Searchable, StepId, TransitionSystem};
use selvedge_term::{TermId, TermPool, VarId};

use crate::graph::{Graph, Why};

/// A control graph and the machine that it was made with.
pub(crate) struct Explored<'a, 'p> {
    pub(crate) machine: &'a mut Machine<'p>,
    pub(crate) graph: &'a Graph,
}

impl TransitionSystem for Explored<'_, '_> {
    fn pool(&mut self) -> &mut TermPool {
        &mut self.machine.pool
    }

    fn n_controls(&self) -> usize {
        self.graph.nodes.len()
    }

    fn n_steps(&self, control: usize) -> usize {
        self.graph.nodes[control].out.len()
    }

    fn target(&self, step: StepId) -> usize {
        self.graph.edge(step).to
    }

    fn guards(&self, step: StepId) -> &[TermId] {
        &self.graph.edge(step).guards
    }

    fn before(&mut self, step: StepId, condition: TermId) -> Option<TermId> {
        instantiate(self.machine, &self.graph.edge(step).end, condition)
    }

    fn n_bad(&self, control: usize) -> usize {
        self.graph.nodes[control].bad.len()
    }

    fn bad_guards(&self, (at, i): BadId) -> &[TermId] {
        &self.graph.nodes[at].bad[i].guards
    }
}

impl Searchable for Explored<'_, '_> {
    fn obstacle(&self, (at, i): BadId) -> Option<Reason> {
        let bad = &self.graph.nodes[at].bad[i];
        match &bad.why {
            Why::Wrong(_) => None,
            Why::Unknown(what) => {
                let at = bad.at.is_known().then(|| self.machine.place(bad.at));
                Some(Reason { at, what: what.clone() })
            }
        }
    }

    fn is_input(&self, var: VarId) -> bool {
        is_new(self.machine, var)
    }

    fn is_state(&self, var: VarId) -> bool {
        self.machine.sources.piece(var).is_some() && !self.is_input(var)
    }

    fn here(&mut self, control: usize, predicate: TermId) -> Option<TermId> {
        let graph = self.graph;
        let template = &graph.nodes[control].template;
        let vars = self.machine.pool.vars(predicate);
        if !vars.iter().all(|var| is_there(self.machine, template, *var)) {
            return None;
        }
        instantiate(self.machine, template, predicate)
    }
}

/// Whether a template has the place that a variable stands for. A register that is not read again is none: in another
/// function it has another meaning.
fn is_there(machine: &Machine<'_>, template: &State, var: VarId) -> bool {
    match machine.sources.piece(var).map(|p| p.source) {
        Some(Source::Register { thread, depth, reg }) => {
            let frame = template.threads.get(thread as usize).and_then(|t| t.frames.get(depth as usize));
            let value = frame.and_then(|f| f.regs.get(reg as usize)).copied();
            let term = machine.pool.var_term(var);
            matches!(value, Some(Value::Term(t) | Value::SymPtr { addr: t, .. }) if t == term)
        }
        Some(Source::Cell { .. }) => true,
        _ => false,
    }
}
