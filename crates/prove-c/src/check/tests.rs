//! Invariants that are none must be rejected.

use std::path::Path;
use std::sync::Arc;

use selvedge_exec::{Arguments, FindingKind, Machine, Options, Sources, start};
use selvedge_program::Program;

use super::{Invariant, Rejected, check};
use crate::ask::Ask;
use crate::prove::{Limits, invariant_of};

fn fixture(name: &str) -> Program {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/prove").join(name);
    let options = selvedge_frontend::Options { files: vec![file], ..Default::default() };
    selvedge_frontend::load(&options).expect("a valid program")
}

fn options() -> Options {
    let checks = vec![FindingKind::Assert, FindingKind::Error, FindingKind::Memory, FindingKind::Deadlock];
    Options { checks, loop_points: true, ..Options::default() }
}

/// Whether the checker accepts an invariant.
fn is_accepted(machine: &mut Machine<'_>, invariant: &Invariant) -> bool {
    let mut ask = Ask::new(None, Arc::default());
    let first = start(machine, &Arguments::default()).expect("it has an entry");
    match check(machine, &mut ask, first, invariant) {
        Ok(()) => true,
        Err(Rejected::Because(_)) => false,
        Err(Rejected::Stopped(why)) => panic!("{why}"),
    }
}

fn every_change_is_rejected(name: &str) {
    let program = fixture(name);
    let mut machine = Machine::new(&program, options(), Sources::default());
    let invariant = invariant_of(&mut machine, &Limits::default()).expect("it can be proved");
    assert!(is_accepted(&mut machine, &invariant), "{name}: what was found is right");

    let (tt, ff) = (machine.pool.tt(), machine.pool.ff());
    let mut everything = invariant.clone();
    everything.values_mut().for_each(|claim| claim.holds = Some(tt));
    assert!(!is_accepted(&mut machine, &everything), "{name}: if anything may be, bad things happen");

    let mut keys: Vec<Vec<u64>> = invariant.keys().cloned().collect();
    keys.sort();
    let (mut n_missing, mut n_variables) = (0, 0);
    for key in keys.iter().filter(|key| invariant[*key].holds != Some(ff)) {
        let mut less = invariant.clone();
        less.remove(key);
        let is_needed = !is_accepted(&mut machine, &less);
        let mut nothing = invariant.clone();
        nothing.get_mut(key).expect("it is there").holds = Some(ff);
        let is_reached = !is_accepted(&mut machine, &nothing);
        assert_eq!(
            is_needed, is_reached,
            "{name}: control states are left out, or claimed not to be reached"
        );
        n_missing += usize::from(is_needed);
        for i in 0..invariant[key].variables.len() {
            let mut constant = invariant.clone();
            constant.get_mut(key).expect("it is there").variables.remove(i);
            n_variables += usize::from(!is_accepted(&mut machine, &constant));
        }
    }
    assert!(
        n_missing > 10 && n_variables > 10,
        "{name}: {n_missing} control states, {n_variables} variables"
    );
}

#[test]
fn changed_invariants_of_a_ticket_lock_are_rejected() {
    every_change_is_rejected("ticket.c");
}

#[test]
fn changed_invariants_of_a_spin_lock_are_rejected() {
    every_change_is_rejected("spin_counter.c");
}
