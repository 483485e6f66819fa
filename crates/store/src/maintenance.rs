//! Looking after a store: what is in it, whether it is sound, what may go.

use crate::embedded::{Embedded, now};
use crate::entry::checksum;
use crate::{Error, Kind};

/// What is in a store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info {
    /// By kind.
    pub kinds: Vec<KindInfo>,
    /// Entries that were made by other builds of the tool.
    pub foreign: u64,
    /// Bytes of the file.
    pub file_size: u64,
}

/// The entries of one kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KindInfo {
    /// Their name.
    pub name: &'static str,
    /// How many there are.
    pub entries: u64,
    /// Bytes that they take.
    pub size: u64,
    /// When the last one was made, in seconds since 1970.
    pub newest: Option<i64>,
}

/// What a look at all entries has found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Verified {
    /// Entries that are what was written.
    pub sound: u64,
    /// Entries that were not, and are gone now.
    pub removed: u64,
}

impl Embedded {
    /// What is in the store.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn info(&self) -> Result<Info, Error> {
        let says = |source| self.says(source);
        let mut kinds = Vec::new();
        for (kind, name) in Kind::ALL {
            let query = "SELECT COUNT(*), COALESCE(SUM(size), 0), MAX(made) FROM entries WHERE kind = ?1";
            let info = self.db.query_row(query, [kind.number()], |row| {
                let count = |i| row.get::<_, i64>(i).map(|n| n.unsigned_abs());
                Ok(KindInfo { name, entries: count(0)?, size: count(1)?, newest: row.get(2)? })
            });
            kinds.push(info.map_err(says)?);
        }
        let query = "SELECT COUNT(*) FROM entries WHERE tool <> ?1";
        let count = |row: &rusqlite::Row<'_>| row.get::<_, i64>(0).map(|n| n.unsigned_abs());
        let foreign = self.db.query_row(query, [self.tool()], count).map_err(says)?;
        let file_size = std::fs::metadata(self.path()).map_or(0, |file| file.len());
        Ok(Info { kinds, foreign, file_size })
    }

    /// Removes what other builds have made, what was not used for `days`, and, if the rest takes more than `limit` bytes, the
    /// oldest. Gives the number of entries that went.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn gc(&mut self, days: Option<u64>, limit: u64) -> Result<u64, Error> {
        let tool = self.tool().to_owned();
        let gone = self.write(|transaction| {
            let mut gone = transaction.execute("DELETE FROM entries WHERE tool <> ?1", [tool])? as u64;
            if let Some(days) = days {
                let since = now().saturating_sub_unsigned(days.saturating_mul(86_400));
                gone += transaction.execute("DELETE FROM entries WHERE used < ?1", [since])? as u64;
            }
            Ok(gone + Embedded::shrink(transaction, limit)?)
        })?;
        self.db.execute_batch("VACUUM").map_err(|source| self.says(source))?;
        Ok(gone)
    }

    /// Looks at the file and at all entries, and removes those that are not what was written.
    ///
    /// # Errors
    /// If the file itself is damaged, or cannot be read.
    pub fn verify(&mut self) -> Result<Verified, Error> {
        let says = |source| self.says(source);
        let check: String =
            self.db.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0)).map_err(says)?;
        if check != "ok" {
            return Err(Error::Damaged { path: self.path().to_owned() });
        }
        let mut damaged: Vec<i64> = Vec::new();
        let mut sound = 0;
        {
            let query = "SELECT rowid, kind, key, tool, checksum, value FROM entries";
            let mut statement = self.db.prepare(query).map_err(says)?;
            let mut rows = statement.query([]).map_err(says)?;
            while let Some(row) = rows.next().map_err(says)? {
                let is_sound = || -> rusqlite::Result<bool> {
                    let (key, value): (Vec<u8>, Vec<u8>) = (row.get(2)?, row.get(5)?);
                    let (tool, sum): (String, Vec<u8>) = (row.get(3)?, row.get(4)?);
                    Ok(checksum(row.get(1)?, &key, &tool, &value)[..] == sum)
                };
                match is_sound() {
                    Ok(true) => sound += 1,
                    Ok(false) | Err(_) => damaged.push(row.get(0).map_err(says)?),
                }
            }
        }
        if !damaged.is_empty() {
            self.write(|transaction| {
                for row in &damaged {
                    transaction.execute("DELETE FROM entries WHERE rowid = ?1", [row])?;
                }
                Ok(())
            })?;
        }
        Ok(Verified { sound, removed: damaged.len() as u64 })
    }
}
