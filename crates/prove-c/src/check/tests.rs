//! Invariants that are none must be rejected.

use std::sync::Arc;

use selvedge_exec::{Arguments, FindingKind, Machine, Options, Sources, start};
use selvedge_irkit::Text;
use selvedge_program::Program;

use super::{Invariant, Rejected, check};
use crate::ask::Ask;
use crate::prove::{Limits, invariant_of};

/// A ticket lock taken without end: the tickets wrap around, and that does no harm.
fn ticket() -> Program {
    let worker = "jump bb1
        bb1: %mine: i32 = rmw.add.seqcst i32 @next, 1i32
        jump bb2
        bb2: %serving: i32 = load.seqcst i32 @serving
        %turn: i1 = cmp.eq i32 %serving, %mine
        branch %turn, bb3, bb2
        bb3: %before: i32 = load i32 @inside
        %in: i32 = add i32 %before, 1i32
        store i32 %in to @inside
        %now: i32 = load i32 @inside
        %alone: i1 = cmp.eq i32 %now, 1i32
        assert %alone
        store i32 %before to @inside
        %old: i32 = rmw.add.seqcst i32 @serving, 1i32
        jump bb1";
    let text = Text::new().int("next", 0).int("serving", 0).int("inside", 0);
    text.thread("a", worker).thread("b", worker).main("run a b")
}

/// A spin lock around two counters that two threads increment for ever; they wrap around.
fn spin_lock() -> Program {
    let worker = "jump bb1
        bb1: %taken: i32 = rmw.xchg.seqcst i32 @lock, 1i32
        %free: i1 = cmp.eq i32 %taken, 0i32
        branch %free, bb2, bb1
        bb2: %one: i32 = load i32 @one
        %two: i32 = load i32 @two
        %same: i1 = cmp.eq i32 %one, %two
        assert %same
        %more: i32 = add i32 %one, 1i32
        store i32 %more to @one
        %most: i32 = add i32 %two, 1i32
        store i32 %most to @two
        store.seqcst i32 0i32 to @lock
        jump bb1";
    let text = Text::new().int("lock", 0).int("one", 0).int("two", 0);
    text.thread("a", worker).thread("b", worker).main("run a b")
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

fn every_change_is_rejected(name: &str, program: &Program) {
    let mut machine = Machine::new(program, options(), Sources::default());
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
    every_change_is_rejected("ticket", &ticket());
}

#[test]
fn changed_invariants_of_a_spin_lock_are_rejected() {
    every_change_is_rejected("spin lock", &spin_lock());
}
