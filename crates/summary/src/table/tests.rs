//! What the table keeps and what goes.

use selvedge_term::TermPool;
use smallvec::smallvec;

use super::*;

/// A summary made at the state `origin` that says this.
fn summary(formula: TermId, origin: u64) -> Summary {
    Summary {
        formula,
        bounds: None,
        leads: Rc::default(),
        asleep: SmallVec::new(),
        footprint: Footprint::default(),
        origin,
        is_single: false,
        has_executions: true,
        n_states: 1,
        weight: 0,
        facts: Rc::default(),
        is_lasting: true,
        is_recalled: false,
    }
}

fn key(n: u32) -> Key {
    Rc::new([n])
}

fn table(entries: u64) -> SummaryTable {
    SummaryTable::new(Limits { entries, ..Limits::default() })
}

fn origins(table: &SummaryTable, n: u32) -> Vec<u64> {
    table.get(&key(n)).iter().map(|s| s.origin).collect()
}

/// So many formulas, no two alike.
fn formulas(n: u64) -> Vec<TermId> {
    let mut pool = TermPool::new();
    (0..n).map(|i| pool.bv(64, i)).collect()
}

#[test]
fn a_control_state_has_its_summaries_the_newest_last() {
    let f = formulas(2);
    let mut table = table(100);
    table.store(&key(1), summary(f[0], 10), 1);
    table.store(&key(1), summary(f[1], 11), 1);
    assert_eq!((origins(&table, 1), origins(&table, 2)), (vec![10, 11], vec![]));
}

#[test]
fn a_control_state_takes_the_place_of_another() {
    let f = formulas(1);
    let mut table = table(1);
    table.store(&key(1), summary(f[0], 10), 1);
    table.store(&key(2), summary(f[0], 11), 1);
    assert_eq!((origins(&table, 1), origins(&table, 2)), (vec![], vec![11]));
    assert_eq!((table.stats.stored, table.stats.dropped), (2, 1));
}

#[test]
fn a_table_for_nothing_has_one_place() {
    let f = formulas(1);
    let mut table = table(0);
    table.store(&key(1), summary(f[0], 10), 1);
    assert_eq!(origins(&table, 1), [10]);
}

#[test]
fn a_summary_that_says_the_same_replaces_the_older_one() {
    let f = formulas(1);
    let mut table = table(100);
    table.store(&key(1), summary(f[0], 10), 1);
    table.store(&key(1), summary(f[0], 11), 1);
    assert_eq!(origins(&table, 1), [11]);
    assert_eq!(table.stats.dropped, 0, "nothing was lost");
}

#[test]
fn a_summary_under_which_more_threads_slept_replaces_none_under_which_fewer_did() {
    let f = formulas(1);
    let mut table = table(100);
    let sleeping = |origin, asleep| Summary { asleep, ..summary(f[0], origin) };
    table.store(&key(1), sleeping(10, smallvec![]), 1);
    table.store(&key(1), sleeping(11, smallvec![ThreadId(1)]), 1);
    assert_eq!(origins(&table, 1), [10, 11]);
    table.store(&key(1), sleeping(12, smallvec![]), 1);
    assert_eq!(origins(&table, 1), [12], "it covers more than either");
}

#[test]
fn wider_intervals_replace_narrower_ones() {
    let f = formulas(3);
    let mut pool = TermPool::new();
    let term = pool.var("x", selvedge_term::Sort::Bv(32));
    let x = pool.var_id(term).expect("a variable");
    let mut table = table(100);
    let within = |n: usize, range| {
        let bounds: Bounds = Rc::new([(x, range)]);
        Summary { bounds: Some(bounds), ..summary(f[n], n as u64) }
    };
    table.store(&key(1), within(0, (3, 5)), 1);
    table.store(&key(1), within(1, (4, 9)), 1);
    assert_eq!(origins(&table, 1), [0, 1], "neither lies within the other");
    table.store(&key(1), within(2, (0, 9)), 1);
    assert_eq!(origins(&table, 1), [2]);
}

#[test]
fn summaries_whose_pointers_led_elsewhere_are_both_kept() {
    let f = formulas(1);
    let mut pool = TermPool::new();
    let term = pool.var("p", selvedge_term::Sort::Bv(64));
    let p = pool.var_id(term).expect("a variable");
    let mut table = table(100);
    let leading = |origin, leads: &[(VarId, Leads)]| Summary { leads: leads.into(), ..summary(f[0], origin) };
    let [here, there]: [Leads; 2] = [[1, 2], [3, 2]];
    table.store(&key(1), leading(10, &[(p, here)]), 1);
    table.store(&key(1), leading(11, &[(p, there)]), 1);
    assert_eq!(origins(&table, 1), [10, 11]);
}

#[test]
fn one_control_state_keeps_a_fixed_number_of_summaries() {
    let n = MAX_SUMMARIES as u64 + 3;
    let mut table = table(100);
    for (i, formula) in formulas(n).into_iter().enumerate() {
        table.store(&key(1), summary(formula, i as u64), 1);
    }
    let kept = origins(&table, 1);
    assert_eq!((kept.len(), kept[0]), (MAX_SUMMARIES, 3), "the oldest go");
    assert_eq!(table.stats.dropped, 3);
}

#[test]
fn the_oldest_go_when_all_together_weigh_too_much() {
    let f = formulas(3);
    let mut table = table(100);
    let half = table.limits().bytes() / 2;
    for (n, formula) in f.into_iter().enumerate() {
        let heavy = Summary { weight: half - 2 * WEIGHT, ..summary(formula, n as u64) };
        table.store(&key(n as u32), heavy, 1);
    }
    assert_eq!((origins(&table, 0), origins(&table, 1), origins(&table, 2)), (vec![], vec![1], vec![2]));
    assert_eq!(table.stats.dropped, 1);
}

#[test]
fn a_summary_that_is_too_heavy_by_itself_is_not_kept() {
    let f = formulas(1);
    let mut table = table(1);
    let weight = table.limits().bytes();
    table.store(&key(1), Summary { weight, ..summary(f[0], 10) }, 1);
    assert!(origins(&table, 1).is_empty());
}

#[test]
fn halving_forgets_the_older_half() {
    let mut table = table(1000);
    for (n, formula) in formulas(10).into_iter().enumerate() {
        table.store(&key(0), summary(formula, n as u64), 1);
    }
    table.halve();
    assert_eq!(origins(&table, 0), [5, 6, 7, 8, 9]);
    assert_eq!(table.stats.dropped, 5);
}

#[test]
fn clearing_forgets_everything() {
    let f = formulas(2);
    let mut table = table(1000);
    table.store(&key(0), summary(f[0], 1), 1);
    table.store(&key(1), summary(f[1], 2), 1);
    table.clear();
    assert_eq!((origins(&table, 0), origins(&table, 1)), (vec![], vec![]));
    assert_eq!((table.stats.dropped, table.weight), (2, 0));
}

#[test]
fn questions_in_vain_are_asked_ever_more_seldom_until_one_helps() {
    let f = formulas(1);
    let mut table = table(100);
    table.store(&key(1), summary(f[0], 1), 1);
    let asked = |table: &mut SummaryTable, n| (0..n).filter(|_| table.is_worth_asking(&key(1))).count();
    assert_eq!(asked(&mut table, 16), 16);
    assert_eq!(asked(&mut table, 1024 - 16), 6, "32, 64, ... 1024");
    table.has_helped(&key(1));
    assert_eq!(asked(&mut table, 16), 16);
}
