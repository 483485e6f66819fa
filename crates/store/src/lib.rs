//! What outlives a run, by keys that are hashes of all they depend on.
//!
//! [`Store`] is the interface; [`Embedded`] keeps the entries in one file in a folder of the project. An entry is bytes
//! with a checksum; what they mean, only who wrote them knows. Keys and values come in batches, so that a store on a server
//! costs as many round trips as there are batches.
//!
//! Guarantee: a value that is found is the value that was put under this key by the same build of the tool. What is
//! damaged, half written, or of another build is not found.

mod embedded;
mod entry;
mod maintenance;
mod transfer;

pub use embedded::{Embedded, FILE};
pub use entry::{Entry, Found, Key, Kind};
pub use maintenance::{Info, KindInfo, Verified};
pub use transfer::Imported;

use std::path::PathBuf;

/// Why a store cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The folder or a file cannot be made, read or written.
    #[error("cannot use {path}")]
    Io {
        /// The folder or file.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The file is not a store, or damaged.
    #[error("{path} is damaged or no store; remove it, and it will be made anew")]
    Damaged {
        /// The file.
        path: PathBuf,
    },
    /// The file has another layout.
    #[error(
        "{path} has layout {found}, this release reads layout {}; remove it, and it will be made anew",
        embedded::LAYOUT
    )]
    OtherLayout {
        /// The file.
        path: PathBuf,
        /// Its layout.
        found: i64,
    },
    /// Another process has kept it for too long.
    #[error("{path} is in use by another process")]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// Nothing can be written.
    #[error("{path} can be read, but not written")]
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// There is no room on the disk.
    #[error("there is no room on the disk for {path}")]
    Full {
        /// The file.
        path: PathBuf,
    },
    /// Anything else that the database says.
    #[error("{path} cannot be used")]
    Database {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: rusqlite::Error,
    },
    /// A file that is to be imported is not what [`Embedded::export`] writes.
    #[error("{path} is no exported store: {why}")]
    NotExported {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: &'static str,
    },
}

/// A place for what outlives a run.
pub trait Store {
    /// What is kept under these keys, in their order.
    ///
    /// # Errors
    /// If the store cannot be read.
    fn get(&self, kind: Kind, keys: &[Key]) -> Result<Vec<Found>, Error>;

    /// Whether there is something under these keys, in their order. It may turn out to be damaged.
    ///
    /// # Errors
    /// If the store cannot be read.
    fn has(&self, kind: Kind, keys: &[Key]) -> Result<Vec<bool>, Error>;

    /// Keeps all `entries` and removes what is under the keys of `gone`, or does nothing. Entries of the same kind and key are
    /// replaced.
    ///
    /// # Errors
    /// If it cannot be written; what was there before is still there then.
    fn put(&mut self, entries: &[Entry], gone: &[(Kind, Key)]) -> Result<(), Error>;
}
