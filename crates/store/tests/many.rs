//! A store that is very large is opened, read and written as fast as a small one.

use std::io::Write as _;
use std::time::{Duration, Instant};

use selvedge_store::{Embedded, Entry, Found, Key, Kind, Store};

const LIMIT: u64 = 1 << 40;

fn key(n: u64) -> Key {
    Key::of(&[&n.to_le_bytes()])
}

fn entry(n: u64) -> Entry {
    Entry { kind: Kind::Memory, key: key(n), value: n.to_le_bytes().repeat(30) }
}

/// `SELVEDGE_STORE_ENTRIES` says how many there are.
#[test]
fn a_million_entries_are_opened_in_an_instant() {
    let n: u64 = std::env::var("SELVEDGE_STORE_ENTRIES").ok().and_then(|n| n.parse().ok()).unwrap_or(30_000);
    let dir = tempfile::tempdir().expect("a folder");
    let open = || Embedded::open(dir.path(), "this build", LIMIT).expect("a store");
    let entries: Vec<Entry> = (0..n).map(entry).collect();
    let mut store = open();
    entries.chunks(10_000).for_each(|some| store.put(some, &[]).expect("it can be written"));
    drop(store);
    // Somebody else may have the machine for a while.
    let (mut fastest, mut fastest_put) = (Duration::MAX, Duration::MAX);
    for i in 0..10 {
        let started = Instant::now();
        let mut store = open();
        let found = store.get(Kind::Memory, &[key(i * 7919 % n)]).expect("it can be read");
        fastest = fastest.min(started.elapsed());
        assert_eq!(found, [Found::Value(entry(i * 7919 % n).value)]);
        let started = Instant::now();
        store.put(&[entry(n + i)], &[]).expect("it can be written");
        fastest_put = fastest_put.min(started.elapsed());
    }
    let started = Instant::now();
    let mut store = open();
    // A half of it must go, all of which was made in a few seconds.
    let size = store.info().expect("it can be read").kinds[0].size;
    let gone = store.gc(None, size / 2).expect("it can be written");
    assert!(gone >= n / 2, "{gone} have gone");
    let _ = writeln!(std::io::stderr(), "{gone} of them removed in {:?}", started.elapsed());
    let _ = writeln!(
        std::io::stderr(),
        "{n} entries: opened and read in {fastest:?}, written in {fastest_put:?}"
    );
    assert!(fastest < Duration::from_millis(50), "opening takes {fastest:?}");
    assert!(fastest_put < Duration::from_millis(500), "writing takes {fastest_put:?}");
}
