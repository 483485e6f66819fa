//! The checker of invariants.
//!
//! It shares with the search the executor, the ways of a step ([`crate::ways`]) and the solver; neither the graph nor what
//! the search believes. It begins at the start of the program and follows every step from every control state it comes
//! to. For each it looks up what the invariant says: which places may have any value, and which combinations of values
//! cannot be. All other places must have the same value whenever the control state is reached, every step must lead to
//! values that the invariant allows, and no bad step may be possible.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use selvedge_exec::{Machine, State, instantiate, join_template, template_key, with_variables};
use selvedge_explore::stuck;
use selvedge_prove::{Ask, Stopped};
use selvedge_term::TermId;

use crate::proof::{Invariant, StateName, places};
use crate::ways::{End, moves, ways};

/// Why an invariant is none.
#[derive(Debug)]
pub(crate) enum Rejected {
    Stopped(Stopped),
    Because(String),
}

impl From<Stopped> for Rejected {
    fn from(stopped: Stopped) -> Rejected {
        Rejected::Stopped(stopped)
    }
}

fn because<T>(why: impl Into<String>) -> Result<T, Rejected> {
    Err(Rejected::Because(why.into()))
}

/// Checks an invariant of the program that begins with `start`.
pub(crate) fn check(
    machine: &mut Machine<'_>,
    ask: &mut Ask,
    start: State,
    invariant: &Invariant,
) -> Result<(), Rejected> {
    let mut templates = vec![start];
    // What holds at each; the start is what it is.
    let mut claims: Vec<Option<TermId>> = vec![None];
    let mut known: FxHashMap<Vec<u64>, usize> = FxHashMap::default();
    let mut open = VecDeque::from([0]);
    while let Some(node) = open.pop_front() {
        let template = templates[node].clone();
        let holds: Vec<TermId> = claims[node].into_iter().collect();
        if holds.contains(&machine.pool.ff()) {
            continue;
        }
        let steps = moves(&template);
        if steps.is_empty() && !template.is_cut && stuck(machine, &template).is_some() {
            if ask.is_possible(&mut machine.pool, &holds)? {
                return because("no thread can move in a control state that is not excluded");
            }
            continue;
        }
        for step in steps {
            for way in ways(machine, ask, &template, step)? {
                let mut goal = holds.clone();
                goal.extend_from_slice(&way.guards);
                if !ask.is_possible(&mut machine.pool, &goal)? {
                    continue;
                }
                let place = machine.place(way.at);
                let end = match way.end {
                    End::Fails(finding) => return because(format!("{place}: {}", finding.message)),
                    End::Obstacle(what) => return because(format!("{place}: {what}")),
                    End::Rest(end) => end,
                };
                let key = template_key(machine, &end).map_err(Rejected::Because)?;
                let Some(claim) = invariant.get(&StateName::of(&key)) else {
                    return because(format!("{place}: a control state is missing"));
                };
                let to = match known.get(&key) {
                    Some(to) => *to,
                    None => {
                        let Some(template) = with_variables(machine, &end, &claim.variables) else {
                            return because(format!("{place}: a value is not known there"));
                        };
                        if claim.places != places(machine, &template) {
                            return because(format!(
                                "{place}: the threads do not stand where the proof says"
                            ));
                        }
                        known.insert(key, templates.len());
                        templates.push(template);
                        claims.push(Some(claim.formula(machine)));
                        open.push_back(templates.len() - 1);
                        templates.len() - 1
                    }
                };
                if join_template(machine, &mut templates[to].clone(), &end) {
                    return because(format!("{place}: a place has another value there"));
                }
                if let Some(holds) = claims[to] {
                    let Some(after) = instantiate(machine, &end, holds) else {
                        return because(format!("{place}: there is no such place"));
                    };
                    goal.push(machine.pool.not(after));
                    if ask.is_possible(&mut machine.pool, &goal)? {
                        return because(format!("{place}: a step leads out of the invariant"));
                    }
                }
            }
        }
    }
    Ok(())
}
