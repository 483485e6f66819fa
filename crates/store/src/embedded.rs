//! A store in one file.
//!
//! The file is an SQLite database: it is the embedded database that is used most, survives a kill at any moment by its
//! journal, lets several processes read and one write, and says in words what is wrong with a damaged file. An entry is a row
//! with its checksum. The layout's number is in the file, and a file of another layout is left alone.
//!
//! The journal is a file beside the database and not the write-ahead log, which could not be read where nothing can be
//! written.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior, params};

use crate::entry::checksum;
use crate::{Entry, Error, Found, Key, Kind, Store};

/// The name of the file in its folder.
pub const FILE: &str = "store.db";

/// The layout of the tables.
pub(crate) const LAYOUT: i64 = 1;

/// How long to wait for other processes.
const PATIENCE: Duration = Duration::from_secs(20);

/// Seconds before a use of an entry is noted again.
const USED_AGAIN: i64 = 3600;

const TABLES: &str = "
    CREATE TABLE entries (
        kind INTEGER NOT NULL,
        key BLOB NOT NULL,
        tool TEXT NOT NULL,
        made INTEGER NOT NULL,
        used INTEGER NOT NULL,
        size INTEGER NOT NULL,
        checksum BLOB NOT NULL,
        value BLOB NOT NULL,
        PRIMARY KEY (kind, key)
    );
    CREATE INDEX entries_by_use ON entries (used);
";

/// A store in a file of a folder.
pub struct Embedded {
    pub(crate) db: Connection,
    pub(crate) path: PathBuf,
    /// The build of the tool that uses it.
    tool: String,
    is_read_only: bool,
    /// Bytes that the file may take.
    limit: u64,
}

impl Embedded {
    /// The store in a folder, made if it is not there. `tool` tells builds of the tool apart; entries beyond `limit` bytes
    /// go, those that were not used for longest first.
    ///
    /// # Errors
    /// If it cannot be made or read.
    pub fn open(folder: &Path, tool: &str, limit: u64) -> Result<Embedded, Error> {
        let path = folder.join(FILE);
        let is_there = path.exists();
        if !is_there {
            std::fs::create_dir_all(folder)
                .map_err(|source| Error::Io { path: folder.to_owned(), source })?;
            // Nobody wants to have it under version control.
            let _ = std::fs::write(folder.join(".gitignore"), "*\n");
        }
        let says = |source| says(&path, source);
        let writing = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let (db, is_read_only) = match open_writable(&path, writing) {
            Ok(db) => (db, false),
            Err(_) if is_there => {
                let reading = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
                (Connection::open_with_flags(&path, reading).map_err(says)?, true)
            }
            Err(source) => return Err(says(source)),
        };
        db.busy_timeout(PATIENCE).map_err(says)?;
        let mut store = Embedded { db, path: path.clone(), tool: tool.to_owned(), is_read_only, limit };
        store.prepare()?;
        Ok(store)
    }

    /// The build of the tool that uses it.
    pub(crate) fn tool(&self) -> &str {
        &self.tool
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn prepare(&mut self) -> Result<(), Error> {
        let layout =
            |db: &Connection| db.pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0));
        match layout(&self.db).map_err(|e| self.says(e))? {
            LAYOUT => return Ok(()),
            0 if !self.is_read_only => {}
            found => return Err(Error::OtherLayout { path: self.path.clone(), found }),
        }
        let path = self.path.clone();
        let made = self.write(|transaction| {
            // Another process may have been faster.
            if layout(transaction)? == 0 {
                transaction.execute_batch(TABLES)?;
                transaction.pragma_update(None, "user_version", LAYOUT)?;
            }
            Ok(())
        });
        match made {
            // Tables of the same name: somebody else's file.
            Err(Error::Database { .. }) => Err(Error::Damaged { path }),
            other => other,
        }
    }

    /// Does all of it or nothing.
    pub(crate) fn write<T>(
        &mut self,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, Error> {
        if self.is_read_only {
            return Err(Error::ReadOnly { path: self.path.clone() });
        }
        let path = self.path.clone();
        let done = || -> rusqlite::Result<T> {
            let transaction = self.db.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let result = work(&transaction)?;
            transaction.commit()?;
            Ok(result)
        };
        done().map_err(|source| says(&path, source))
    }

    pub(crate) fn says(&self, source: rusqlite::Error) -> Error {
        says(&self.path, source)
    }

    /// Notes that entries were used. It does not matter if that cannot be written.
    fn note_uses(&self, kind: Kind, keys: &[Key]) {
        if self.is_read_only {
            return;
        }
        let update = "UPDATE entries SET used = ?3 WHERE kind = ?1 AND key = ?2 AND used < ?3 - ?4";
        for key in keys {
            let done = self.db.execute(update, params![kind.number(), key.0, now(), USED_AGAIN]);
            if done.is_err() {
                return;
            }
        }
    }

    /// Removes entries until the others take no more than `limit` bytes; gives the number of those that went.
    pub(crate) fn shrink(transaction: &Transaction<'_>, limit: u64) -> rusqlite::Result<u64> {
        let size: i64 =
            transaction.query_row("SELECT COALESCE(SUM(size), 0) FROM entries", [], |row| row.get(0))?;
        let mut excess = size.saturating_sub(i64::try_from(limit).unwrap_or(i64::MAX));
        let mut old: Vec<i64> = Vec::new();
        if excess > 0 {
            let mut oldest = transaction.prepare("SELECT rowid, size FROM entries ORDER BY used, made")?;
            let mut rows = oldest.query([])?;
            while excess > 0
                && let Some(row) = rows.next()?
            {
                old.push(row.get(0)?);
                excess -= row.get::<_, i64>(1)?;
            }
        }
        let mut delete = transaction.prepare("DELETE FROM entries WHERE rowid = ?1")?;
        for row in &old {
            delete.execute([row])?;
        }
        Ok(old.len() as u64)
    }
}

/// A connection that can write: whether it can is known when it tries.
fn open_writable(path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    let db = Connection::open_with_flags(path, flags)?;
    db.busy_timeout(PATIENCE)?;
    db.pragma_update(None, "journal_mode", "TRUNCATE")?;
    if db.is_readonly(rusqlite::MAIN_DB)? {
        return Err(rusqlite::Error::SqliteFailure(
            rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_READONLY),
            None,
        ));
    }
    Ok(db)
}

impl Store for Embedded {
    fn get(&self, kind: Kind, keys: &[Key]) -> Result<Vec<Found>, Error> {
        let says = |source| self.says(source);
        let query = "SELECT tool, checksum, value FROM entries WHERE kind = ?1 AND key = ?2";
        let mut statement = self.db.prepare_cached(query).map_err(says)?;
        let mut all = Vec::with_capacity(keys.len());
        for key in keys {
            let row = statement.query_row(params![kind.number(), key.0], |row| {
                Ok((row.get::<_, String>(0)?, row.get::<_, Vec<u8>>(1)?, row.get::<_, Vec<u8>>(2)?))
            });
            all.push(match row {
                Ok((tool, _, _)) if tool != self.tool => Found::Nothing,
                Ok((tool, sum, value)) => match checksum(kind.number(), &key.0, &tool, &value)[..] == sum {
                    true => Found::Value(value),
                    false => Found::Damaged,
                },
                Err(rusqlite::Error::QueryReturnedNoRows) => Found::Nothing,
                // A row whose fields have other types.
                Err(rusqlite::Error::InvalidColumnType(..)) => Found::Damaged,
                Err(source) => return Err(says(source)),
            });
        }
        drop(statement);
        self.note_uses(kind, keys);
        Ok(all)
    }

    fn has(&self, kind: Kind, keys: &[Key]) -> Result<Vec<bool>, Error> {
        let query = "SELECT EXISTS (SELECT 1 FROM entries WHERE kind = ?1 AND key = ?2 AND tool = ?3)";
        let mut statement = self.db.prepare_cached(query).map_err(|source| self.says(source))?;
        let has = |key: &Key| statement.query_row(params![kind.number(), key.0, self.tool], |row| row.get(0));
        keys.iter().map(has).collect::<Result<_, _>>().map_err(|source| self.says(source))
    }

    fn put(&mut self, entries: &[Entry], gone: &[(Kind, Key)]) -> Result<(), Error> {
        let (tool, limit) = (self.tool.clone(), self.limit);
        self.write(|transaction| {
            for Entry { kind, key, value } in entries {
                let kind = kind.number();
                let sum = checksum(kind, &key.0, &tool, value);
                insert(transaction, &Row { kind, key: &key.0, tool: &tool, made: now(), sum: &sum, value })?;
            }
            let mut remove =
                transaction.prepare_cached("DELETE FROM entries WHERE kind = ?1 AND key = ?2")?;
            for (kind, key) in gone {
                remove.execute(params![kind.number(), key.0])?;
            }
            // To add up the sizes of all entries takes a while if there are many.
            match bytes_in_use(transaction)? > limit {
                true => Embedded::shrink(transaction, limit).map(|_| ()),
                false => Ok(()),
            }
        })
    }
}

/// What the entries take, and what the file needs besides.
fn bytes_in_use(db: &Connection) -> rusqlite::Result<u64> {
    let number = |name| db.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let pages = number("page_count")? - number("freelist_count")?;
    Ok((pages * number("page_size")?).unsigned_abs())
}

/// A row of the table.
pub(crate) struct Row<'a> {
    pub(crate) kind: u8,
    pub(crate) key: &'a [u8],
    pub(crate) tool: &'a str,
    pub(crate) made: i64,
    pub(crate) sum: &'a [u8],
    pub(crate) value: &'a [u8],
}

pub(crate) fn insert(transaction: &Transaction<'_>, row: &Row<'_>) -> rusqlite::Result<()> {
    let Row { kind, key, tool, made, sum, value } = row;
    let insert = "INSERT OR REPLACE INTO entries (kind, key, tool, made, used, size, checksum, value)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
    transaction.prepare_cached(insert)?.execute(params![
        kind,
        key,
        tool,
        made,
        now(),
        (value.len() + key.len() + 64) as i64,
        sum,
        value
    ])?;
    Ok(())
}

/// Seconds since 1970.
pub(crate) fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64)
}

/// What the database says, in words.
fn says(path: &Path, source: rusqlite::Error) -> Error {
    let path = path.to_owned();
    match source.sqlite_error_code() {
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Error::Damaged { path },
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Error::Busy { path },
        Some(ErrorCode::ReadOnly) => Error::ReadOnly { path },
        Some(ErrorCode::DiskFull) => Error::Full { path },
        _ => Error::Database { path, source },
    }
}
