//! What a table was measured with, so that results of two states of the code are never taken for one.
//!
//! Guarantees: another binary, another table or another text of a program gives another value, up to collisions of 64
//! bits. Headers that programs include and the binaries of other tools are not looked at.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use crate::{Error, Table};

impl Table {
    /// A short name for this table, its programs and the binary `selvedge`.
    pub fn build(&self, selvedge: &Path) -> Result<String, Error> {
        let mut hash = add(OFFSET, format!("{self:?}").as_bytes());
        let files = self.programs.iter().flat_map(|p| &p.files);
        for path in files.map(PathBuf::as_path).chain([selvedge]) {
            hash = add_file(hash, path)
                .map_err(|source| Error::System { action: format!("read {}", path.display()), source })?;
        }
        Ok(format!("{hash:016x}"))
    }
}

/// Piece by piece: a child's peak of memory begins with what this process holds when it starts it.
fn add_file(mut hash: u64, path: &Path) -> io::Result<u64> {
    let mut file = File::open(path)?;
    let mut piece = vec![0; 1 << 16];
    let mut length: u64 = 0;
    loop {
        let n = file.read(&mut piece)?;
        if n == 0 {
            return Ok(add(hash, &length.to_le_bytes()));
        }
        hash = add(hash, &piece[..n]);
        length += n as u64;
    }
}

/// FNV-1a, because the standard hashes may change with the compiler.
fn add(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(PRIME))
}

const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x100_0000_01b3;

#[cfg(test)]
mod tests {
    use crate::sample::{column, program, table};

    #[test]
    fn the_binary_the_table_and_the_programs_count() {
        let dir = tempfile::tempdir().expect("temporary directory");
        let write = |name: &str, text: &str| {
            let path = dir.path().join(name);
            std::fs::write(&path, text).expect("write");
            path
        };
        let binary = write("selvedge", "one");
        let mut table = table(vec![program("p")], vec![column("c")]);
        table.programs[0].files = vec![write("p.c", "int x;")];
        let first = table.build(&binary).expect("files are there");
        assert_eq!(table.build(&binary).ok(), Some(first.clone()));

        write("p.c", "int y;");
        let other_program = table.build(&binary).expect("files are there");
        write("selvedge", "two");
        let other_binary = table.build(&binary).expect("files are there");
        table.columns[0].command.push("--more".into());
        let other_table = table.build(&binary).expect("files are there");
        let mut all = vec![first, other_program, other_binary, other_table];
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 4, "{all:?}");
        assert!(table.build(&dir.path().join("none")).is_err());
    }
}
