//! What is put is found, what is not sound is not, and whatever happens to the file is said in words.

use std::path::Path;

use selvedge_store::{Embedded, Entry, Error, FILE, Found, Key, Kind, Store};

const LIMIT: u64 = 1 << 30;

fn open(folder: &Path) -> Embedded {
    Embedded::open(folder, "this build", LIMIT).expect("a store")
}

fn entry(name: &str, value: &[u8]) -> Entry {
    Entry { kind: Kind::Memory, key: Key::of(&[name.as_bytes()]), value: value.to_vec() }
}

fn get(store: &Embedded, name: &str) -> Found {
    store.get(Kind::Memory, &[Key::of(&[name.as_bytes()])]).expect("it can be read").remove(0)
}

/// Runs a statement on the file behind the store's back.
fn tamper(folder: &Path, statement: &str) {
    let db = rusqlite::Connection::open(folder.join(FILE)).expect("the file");
    assert!(db.execute(statement, []).expect("a statement") > 0);
}

#[test]
fn what_is_put_is_found_after_opening_again() {
    let dir = tempfile::tempdir().expect("a folder");
    let folder = dir.path().join("new/.selvedge");
    open(&folder).put(&[entry("a", b"one"), entry("b", b"")], &[]).expect("it can be written");
    open(&folder).put(&[entry("a", b"two")], &[]).expect("it can be written");
    let store = open(&folder);
    assert_eq!(get(&store, "a"), Found::Value(b"two".to_vec()));
    assert_eq!(get(&store, "b"), Found::Value(Vec::new()));
    assert_eq!(get(&store, "c"), Found::Nothing);
    assert_ne!(Key::of(&[b"ab", b"c"]), Key::of(&[b"a", b"bc"]), "keys know where parts end");
}

#[test]
fn what_another_build_made_is_not_believed() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut other = Embedded::open(dir.path(), "another build", LIMIT).expect("a store");
    other.put(&[entry("a", b"one")], &[]).expect("it can be written");
    drop(other);
    let mut store = open(dir.path());
    assert_eq!(get(&store, "a"), Found::Nothing);
    assert_eq!(store.info().expect("it can be read").foreign, 1);
    // Not even if its entry is given our name.
    tamper(dir.path(), "UPDATE entries SET tool = 'this build'");
    assert_eq!(get(&store, "a"), Found::Damaged);
    assert_eq!(store.verify().expect("it can be read").removed, 1);
    assert_eq!(get(&store, "a"), Found::Nothing);
}

#[test]
fn a_changed_value_key_or_type_is_damage() {
    for statement in [
        "UPDATE entries SET value = x'00' || substr(value, 2)",
        "UPDATE entries SET value = ''",
        "UPDATE entries SET value = 7",
        "UPDATE entries SET checksum = substr(checksum, 2)",
        "UPDATE entries SET checksum = NULL || 'x'",
    ] {
        let dir = tempfile::tempdir().expect("a folder");
        open(dir.path()).put(&[entry("a", b"one")], &[]).expect("it can be written");
        if statement.contains("NULL") {
            let db = rusqlite::Connection::open(dir.path().join(FILE)).expect("the file");
            assert!(db.execute(statement, []).is_err(), "the table has no empty fields");
            continue;
        }
        tamper(dir.path(), statement);
        assert_eq!(get(&open(dir.path()), "a"), Found::Damaged, "{statement}");
    }
}

#[test]
fn a_file_that_is_no_store_is_named_and_left_alone() {
    for (content, layout) in [
        (&b"this is no database, but a text of some length that somebody has put here\n"[..], None),
        (b"", Some(7)),
    ] {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join(FILE);
        std::fs::write(&path, content).expect("written");
        if let Some(layout) = layout {
            let db = rusqlite::Connection::open(&path).expect("the file");
            db.pragma_update(None, "user_version", layout).expect("a version");
        }
        let before = std::fs::read(&path).expect("the file");
        match Embedded::open(dir.path(), "this build", LIMIT) {
            Err(Error::Damaged { .. }) => assert!(layout.is_none()),
            Err(Error::OtherLayout { found, .. }) => assert_eq!(Some(found), layout),
            other => panic!("{:?}", other.err()),
        }
        assert_eq!(std::fs::read(&path).expect("the file"), before);
    }
}

#[test]
fn pages_that_are_overwritten_are_found_out() {
    let dir = tempfile::tempdir().expect("a folder");
    let value: Vec<u8> = (0..200_000u32).flat_map(u32::to_le_bytes).collect();
    open(dir.path()).put(&[entry("a", &value), entry("b", b"x")], &[]).expect("it can be written");
    let path = dir.path().join(FILE);
    let good = std::fs::read(&path).expect("the file");
    for at in (100..good.len()).step_by(good.len() / 40) {
        let mut bad = good.clone();
        let end = (at + 64).min(bad.len());
        bad[at..end].iter_mut().for_each(|byte| *byte ^= 0x5a);
        std::fs::write(&path, &bad).expect("written");
        let Ok(store) = Embedded::open(dir.path(), "this build", LIMIT) else { continue };
        match store.get(Kind::Memory, &[Key::of(&[b"a"])]) {
            Ok(found) => assert!(
                matches!(&found[0], Found::Damaged | Found::Nothing)
                    || found[0] == Found::Value(value.clone()),
                "nothing else is believed"
            ),
            Err(Error::Damaged { .. } | Error::Database { .. }) => {}
            Err(other) => panic!("{other:?}"),
        }
    }
}

#[test]
fn the_oldest_go_when_there_is_too_much() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut store = Embedded::open(dir.path(), "this build", 5000).expect("a store");
    for name in ["a", "b", "c", "d"] {
        store.put(&[entry(name, &[1; 1500])], &[]).expect("it can be written");
        std::thread::sleep(std::time::Duration::from_millis(1100));
    }
    assert_eq!(get(&store, "a"), Found::Nothing);
    assert_eq!(get(&store, "d"), Found::Value(vec![1; 1500]));
    assert_eq!(store.gc(None, 1600).expect("it can be written"), 2);
    assert_eq!(get(&store, "d"), Found::Value(vec![1; 1500]));
}

#[test]
fn a_store_can_be_taken_elsewhere() {
    let (here, there) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let file = here.path().join("exported");
    let mut store = open(here.path());
    store.put(&[entry("a", b"one"), entry("b", b"two")], &[]).expect("it can be written");
    assert_eq!(store.export(&file).expect("it can be written"), 2);
    let mut other = open(there.path());
    assert_eq!(other.import(&file).expect("it can be read").taken, 2);
    assert_eq!(get(&other, "b"), Found::Value(b"two".to_vec()));

    let good = std::fs::read(&file).expect("the file");
    for cut in [0, 5, 20, good.len() - 1] {
        std::fs::write(&file, &good[..cut]).expect("written");
        assert!(matches!(other.import(&file), Err(Error::NotExported { .. })), "cut to {cut}");
    }
    let mut bad = good.clone();
    *bad.last_mut().expect("not empty") ^= 1;
    std::fs::write(&file, &bad).expect("written");
    let imported = other.import(&file).expect("it can be read");
    assert_eq!((imported.taken, imported.refused), (1, 1));
    assert!(matches!(other.import(&here.path().join("nowhere")), Err(Error::Io { .. })));
}

#[test]
fn a_store_that_cannot_be_written_can_be_read() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = tempfile::tempdir().expect("a folder");
    let folder = dir.path().join("store");
    open(&folder).put(&[entry("a", b"one")], &[]).expect("it can be written");
    let (file, folder_mode) = (folder.join(FILE), std::fs::Permissions::from_mode(0o555));
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o444)).expect("a mode");
    std::fs::set_permissions(&folder, folder_mode).expect("a mode");
    let mut store = open(&folder);
    assert_eq!(get(&store, "a"), Found::Value(b"one".to_vec()));
    let written = store.put(&[entry("b", b"two")], &[]);
    // Root may write everywhere.
    assert!(matches!(written, Ok(()) | Err(Error::ReadOnly { .. })), "{written:?}");
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).expect("a mode");
}
