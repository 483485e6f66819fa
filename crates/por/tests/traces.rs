//! Exact sets of traces of tiny programs, one for each way in which threads can meet.
//!
//! A trace is written as the threads of its least linearisation, step by step; `!` at the end says that
//! some thread is stuck. Plain enumeration and both reductions must give the same list.

mod machine;

use std::collections::BTreeSet;

use machine::search::{Made, Visitor, explore};
use machine::{Op, Program, State, Test, Val, cell};
use selvedge_por::{Config, Dpor, ROOM, Reduction, dependent};

struct Texts<'a> {
    program: &'a Program,
    found: Vec<String>,
}

impl Visitor for Texts<'_> {
    fn complete(&mut self, made: &[Made], end: &State, _: &Dpor) -> bool {
        let mut left: Vec<&Made> = made.iter().collect();
        let mut text = String::new();
        while !left.is_empty() {
            let is_minimal =
                |at: usize| left[..at].iter().all(|earlier| !dependent(&earlier.event, &left[at].event));
            let minimal = (0..left.len()).filter(|&at| is_minimal(at));
            let at = minimal.min_by_key(|&at| left[at].event.thread).expect("a first step");
            let step = left.remove(at);
            text.push_str(&step.event.thread.0.to_string());
            if step.choice > 0 {
                text.push((b'a' - 1 + step.choice as u8) as char);
            }
        }
        if (0..self.program.threads.len()).any(|t| end.next_event(self.program, t).is_some()) {
            text.push('!');
        }
        self.found.push(text);
        true
    }
}

#[track_caller]
fn check(program: &Program, expected: &[&str]) {
    let texts = |reduction| {
        let mut texts = Texts { program, found: Vec::new() };
        let stats = explore(program, Config::new(reduction), &mut texts).expect("nothing stops it");
        (texts.found, stats)
    };
    let expected: BTreeSet<String> = expected.iter().map(|text| (*text).to_owned()).collect();
    assert_eq!(texts(Reduction::None).0.into_iter().collect::<BTreeSet<_>>(), expected);
    for reduction in [Reduction::Source, Reduction::Optimal] {
        let (found, stats) = texts(reduction);
        assert_eq!(found.len(), expected.len(), "{reduction:?} {found:?} {stats:?}");
        assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected, "{reduction:?}");
        if reduction == Reduction::Optimal {
            assert_eq!(stats.n_blocked, 0);
        }
    }
}

fn program(threads: &[&[Op]], counters: &[u32]) -> Program {
    Program::new(threads.iter().map(|ops| ops.to_vec()).collect(), 4, counters.to_vec())
}

const WRITE_X: Op = Op::Store(cell(0), Val::Const(1));
const READ_X: Op = Op::Load(0, cell(0));
const WRITE_Y: Op = Op::Store(cell(1), Val::Const(1));
const READ_Y: Op = Op::Load(1, cell(1));

#[test]
fn no_threads_have_one_empty_trace() {
    check(&program(&[], &[]), &[""]);
    check(&program(&[&[], &[]], &[]), &[""]);
}

#[test]
fn writes_to_one_place_come_in_either_order() {
    check(&program(&[&[WRITE_X], &[WRITE_X]], &[]), &["01", "10"]);
    check(&program(&[&[WRITE_X], &[READ_X]], &[]), &["01", "10"]);
}

#[test]
fn reads_and_writes_to_different_places_commute() {
    check(&program(&[&[READ_X], &[READ_X]], &[]), &["01"]);
    check(&program(&[&[WRITE_X], &[WRITE_Y], &[READ_X, READ_Y]], &[]), &["0122", "0221", "1202", "2021"]);
}

#[test]
fn store_buffering_has_three_outcomes_of_four() {
    check(&program(&[&[WRITE_X, READ_Y], &[WRITE_Y, READ_X]], &[]), &["0011", "0101", "1100"]);
}

#[test]
fn a_mutex_orders_its_sections() {
    let section = [Op::Lock(0), Op::Unlock(0)];
    check(&program(&[&section, &section], &[1]), &["0011", "1100"]);
    check(
        &program(&[&section, &section, &section], &[1]),
        &["001122", "002211", "110022", "112200", "220011", "221100"],
    );
}

#[test]
fn a_lock_that_is_never_released_is_reversed_although_the_other_never_runs() {
    check(&program(&[&[Op::Lock(0)], &[Op::Lock(0), Op::Unlock(0)]], &[1]), &["0!", "110"]);
    check(&program(&[&[Op::Lock(0)], &[Op::Lock(0)]], &[1]), &["0!", "1!"]);
}

#[test]
fn crossed_locks_can_deadlock() {
    let a = [Op::Lock(0), Op::Lock(1), Op::Unlock(1), Op::Unlock(0)];
    let b = [Op::Lock(1), Op::Lock(0), Op::Unlock(0), Op::Unlock(1)];
    check(&program(&[&a, &b], &[1, 1]), &["00001111", "01!", "11101000"]);
}

#[test]
fn a_try_succeeds_or_fails_but_never_waits() {
    let trying = [Op::TryLock(0, 0), Op::JumpIf(Val::Reg(0), Test::Eq, Val::Const(0), 3), Op::Unlock(0)];
    check(&program(&[&[Op::Lock(0), Op::Unlock(0)], &trying], &[1]), &["0011", "010", "1100"]);
}

#[test]
fn a_compare_and_swap_that_fails_is_a_read() {
    let cas = Op::Cas(0, cell(0), Val::Const(0), Val::Const(1));
    check(&program(&[&[cas], &[cas]], &[]), &["01", "10"]);
    // Of three, one succeeds and the other two fail in any order.
    check(&program(&[&[cas], &[cas], &[cas]], &[]), &["012", "102", "201"]);
}

#[test]
fn a_semaphore_waits_for_a_post() {
    check(&program(&[&[Op::SemPost(0)], &[Op::SemWait(0)]], &[0]), &["01"]);
    check(&program(&[&[Op::SemPost(0)], &[Op::SemWait(0)]], &[1]), &["01", "10"]);
    check(&program(&[&[Op::SemWait(0)], &[Op::SemWait(0)]], &[1]), &["0!", "1!"]);
    // Posts commute with each other, but not with waiting.
    check(&program(&[&[Op::SemPost(0)], &[Op::SemPost(0)], &[Op::SemWait(0)]], &[0]), &["012", "021", "120"]);
}

#[test]
fn readers_of_a_lock_commute_and_a_writer_excludes_them() {
    let reading = [Op::ReadLock(0), Op::ReadUnlock(0)];
    let writing = [Op::WriteLock(0), Op::WriteUnlock(0)];
    check(&program(&[&reading, &reading], &[ROOM]), &["0011"]);
    check(&program(&[&reading, &reading, &writing], &[ROOM]), &["001122", "002211", "112200", "220011"]);
}

#[test]
fn a_join_waits_for_the_end() {
    let main = [Op::Spawn(1), Op::Spawn(2), Op::Join(1), Op::Join(2), READ_X];
    // Thread ends are steps of their own, so that 1 and 2 have two each.
    check(&program(&[&main, &[WRITE_X], &[WRITE_Y]], &[]), &["001102200"]);
    check(&program(&[&main, &[WRITE_X], &[WRITE_X]], &[]), &["001102200", "002110200"]);
}

#[test]
fn a_signal_before_the_wait_is_lost() {
    let waiting = [Op::Lock(0), Op::Wait(0, 0), Op::Wake(0), Op::Unlock(0)];
    check(&program(&[&waiting, &[Op::Signal(0)]], &[1]), &["00100", "010!"]);
}

#[test]
fn a_barrier_lets_all_pass_together() {
    let passing = [WRITE_X, Op::Arrive(0), Op::Leave(0, 2), READ_X];
    check(&program(&[&passing, &passing], &[0]), &["00110011", "10010011"]);
}

#[test]
fn a_spinning_read_waits_for_its_value() {
    check(&program(&[&[WRITE_X], &[Op::Spin(cell(0), 1)]], &[]), &["01"]);
    let toggling = [WRITE_X, Op::Store(cell(0), Val::Const(0))];
    check(&program(&[&toggling, &[Op::Spin(cell(0), 1)]], &[]), &["00!", "010"]);
}

#[test]
fn independent_data_choices_give_each_pair_once() {
    let choosing = |read| [read, Op::Choose(2, 2)];
    check(&program(&[&choosing(READ_X), &choosing(READ_Y)], &[]), &["0a1a", "0a1b", "0b1a", "0b1b"]);
}

#[test]
fn a_race_in_one_alternative_is_reversed_for_all() {
    // Thread 0 writes x only if it chose 1 after its read of y.
    let maybe = [READ_Y, Op::Choose(2, 2), Op::JumpIf(Val::Reg(2), Test::Eq, Val::Const(0), 4), WRITE_X];
    check(&program(&[&maybe, &[READ_X]], &[]), &["0a1", "0b01", "0b10"]);
}
