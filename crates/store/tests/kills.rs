//! Processes that write are killed at any moment: what they had put is there, and nothing that is half written is believed.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use selvedge_store::{Embedded, Entry, Found, Key, Kind, Store};

const FOLDER: &str = "SELVEDGE_TEST_STORE";
/// Entries that are put together.
const TOGETHER: u64 = 3;
const BATCHES: u64 = 8;

fn open(folder: &Path) -> Embedded {
    Embedded::open(folder, "this build", 1 << 30).expect("a store that was killed can be opened")
}

fn key(batch: u64, n: u64) -> Key {
    Key::of(&[&batch.to_le_bytes(), &n.to_le_bytes()])
}

/// What a child does until it is killed.
#[test]
fn writes_for_ever_if_it_is_told_to() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let mut store = open(Path::new(&folder));
    for round in std::process::id().. {
        for batch in 0..BATCHES {
            let value = |n| vec![(round as u64 + n) as u8; 3000 + n as usize];
            // All have the same first byte less their number: that shows what was put together.
            let entries: Vec<Entry> = (0..TOGETHER)
                .map(|n| Entry { kind: Kind::Memory, key: key(batch, n), value: value(n) })
                .collect();
            store.put(&entries, &[]).expect("it can be written");
        }
        // Runs write once and go. SQLite gives no turns: who never lets go keeps the others out.
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Looks at everything; gives the number of batches that are there.
fn check(store: &mut Embedded) -> usize {
    let mut n_there = 0;
    for batch in 0..BATCHES {
        let keys: Vec<Key> = (0..TOGETHER).map(|n| key(batch, n)).collect();
        let found = store.get(Kind::Memory, &keys).expect("it can be read");
        let round = |(n, found): (usize, Found)| match found {
            Found::Value(value) => {
                assert_eq!(value.len(), 3000 + n);
                Some(value[0].wrapping_sub(n as u8))
            }
            Found::Nothing => None,
            Found::Damaged => panic!("batch {batch}, entry {n} is half written"),
        };
        let rounds: Vec<Option<u8>> = found.into_iter().enumerate().map(round).collect();
        assert!(
            rounds.iter().all(|round| *round == rounds[0]),
            "batch {batch} was put as a whole: {rounds:?}"
        );
        n_there += usize::from(rounds[0].is_some());
    }
    n_there
}

fn child(folder: &Path) -> std::process::Child {
    Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", "writes_for_ever_if_it_is_told_to"])
        .env(FOLDER, folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("this test can be run")
}

#[test]
fn a_thousand_kills_do_no_harm() {
    let dir = tempfile::tempdir().expect("a folder");
    let (mut most, started) = (0, Instant::now());
    for i in 0..1000u64 {
        // Two at a time, now and then.
        let mut children = vec![child(dir.path())];
        children.extend((i % 4 == 0).then(|| child(dir.path())));
        std::thread::sleep(Duration::from_micros(i * 7919 % 12_000));
        for child in &mut children {
            child.kill().expect("it runs");
            child.wait().expect("it has ended");
        }
        if i % 5 == 0 {
            most = most.max(check(&mut open(dir.path())));
        }
        // A machine that is busy with other things gets through fewer.
        if i > 200 && started.elapsed() > Duration::from_secs(60) {
            break;
        }
    }
    assert_eq!(most, BATCHES as usize, "some children came that far");
    assert_eq!(open(dir.path()).verify().expect("it is sound").removed, 0);
}

#[test]
fn two_processes_write_side_by_side() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut children = [child(dir.path()), child(dir.path())];
    let mut store = open(dir.path());
    let started = Instant::now();
    while check(&mut store) < BATCHES as usize {
        assert!(started.elapsed() < Duration::from_secs(60), "nobody gets through");
    }
    for child in &mut children {
        assert!(child.try_wait().expect("it runs").is_none(), "none of them has failed");
        child.kill().expect("it runs");
        child.wait().expect("it has ended");
    }
}
