//! Stores as files that can be taken elsewhere.
//!
//! A line that says what the file is, then one record after the other: the length of the rest, then kind, key, checksum,
//! time, the length of the tool's name, that name and the value.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::Path;

use crate::embedded::{Embedded, Row, insert};
use crate::entry::checksum;
use crate::{Error, Kind};

const HEADER: &[u8] = b"selvedge-store 1\n";

/// The longest record that is read.
const MAX_RECORD: u64 = 1 << 32;
/// Bytes of a record before the tool's name.
const FIXED: usize = 1 + 32 + 32 + 8 + 2;

/// What an import has done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Imported {
    /// Entries that are in the store now.
    pub taken: u64,
    /// Entries that were not what was exported.
    pub refused: u64,
}

impl Embedded {
    /// Writes all entries to a file; gives their number.
    ///
    /// # Errors
    /// If the store cannot be read or the file cannot be written.
    pub fn export(&self, path: &Path) -> Result<u64, Error> {
        let says = |source| self.says(source);
        let io = |source| Error::Io { path: path.to_owned(), source };
        let mut file = BufWriter::new(File::create(path).map_err(io)?);
        file.write_all(HEADER).map_err(io)?;
        let query = "SELECT kind, key, checksum, made, tool, value FROM entries ORDER BY kind, key";
        let mut statement = self.db.prepare(query).map_err(says)?;
        let mut rows = statement.query([]).map_err(says)?;
        let mut n = 0;
        while let Some(row) = rows.next().map_err(says)? {
            let record = || -> rusqlite::Result<Vec<u8>> {
                let (key, sum): ([u8; 32], [u8; 32]) = (row.get(1)?, row.get(2)?);
                let (tool, value): (String, Vec<u8>) = (row.get(4)?, row.get(5)?);
                let mut record = vec![row.get::<_, u8>(0)?];
                record.extend(key);
                record.extend(sum);
                record.extend(row.get::<_, i64>(3)?.to_le_bytes());
                record.extend((tool.len() as u16).to_le_bytes());
                record.extend(tool.as_bytes());
                record.extend(value);
                Ok(record)
            };
            // What is damaged stays behind.
            let Ok(record) = record() else { continue };
            file.write_all(&(record.len() as u64).to_le_bytes()).map_err(io)?;
            file.write_all(&record).map_err(io)?;
            n += 1;
        }
        file.flush().map_err(io)?;
        Ok(n)
    }

    /// Adds the entries of a file that [`export`](Self::export) has written.
    ///
    /// # Errors
    /// If it is no such file, or the store cannot be written; nothing is added then.
    pub fn import(&mut self, path: &Path) -> Result<Imported, Error> {
        let io = |source| Error::Io { path: path.to_owned(), source };
        let refuse = |why| Error::NotExported { path: path.to_owned(), why };
        let mut file = BufReader::new(File::open(path).map_err(io)?);
        let mut header = [0; HEADER.len()];
        let begins = file.read_exact(&mut header).is_ok() && header == *HEADER;
        if !begins {
            return Err(refuse("it does not begin like one"));
        }
        let mut records = Vec::new();
        let mut imported = Imported::default();
        loop {
            let mut length = [0; 8];
            match file.read(&mut length[..1]).map_err(io)? {
                0 => break,
                _ => file.read_exact(&mut length[1..]).map_err(|_| refuse("it ends too early"))?,
            }
            let length = u64::from_le_bytes(length);
            if length > MAX_RECORD {
                return Err(refuse("a record is too long"));
            }
            let mut record = Vec::new();
            (&mut file).take(length).read_to_end(&mut record).map_err(io)?;
            if record.len() as u64 != length {
                return Err(refuse("it ends too early"));
            }
            match is_sound(&record) {
                true => records.push(record),
                false => imported.refused += 1,
            }
        }
        self.write(|transaction| {
            for record in &records {
                if let Some(row) = row(record) {
                    insert(transaction, &row)?;
                }
            }
            Ok(())
        })?;
        imported.taken = records.len() as u64;
        Ok(imported)
    }
}

/// The row of a record.
fn row(record: &[u8]) -> Option<Row<'_>> {
    let (fixed, rest) = record.split_at_checked(FIXED)?;
    let tool_len = u16::from_le_bytes(fixed[73..75].try_into().ok()?);
    let (tool, value) = rest.split_at_checked(usize::from(tool_len))?;
    Kind::of_number(fixed[0])?;
    Some(Row {
        kind: fixed[0],
        key: &fixed[1..33],
        sum: &fixed[33..65],
        made: i64::from_le_bytes(fixed[65..73].try_into().ok()?),
        tool: std::str::from_utf8(tool).ok()?,
        value,
    })
}

fn is_sound(record: &[u8]) -> bool {
    row(record).is_some_and(|row| checksum(row.kind, row.key, row.tool, row.value)[..] == *row.sum)
}
