//! `selvedge store`: looks after what runs with `--incremental` have found out.

use std::path::PathBuf;

use selvedge_store::{Embedded, Error, FILE, Info, KindInfo, Verified};

use crate::args::{StoreArgs, StoreCommand};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::incremental::{FOLDER, LIMIT};
use crate::output::print;
use crate::tool;

/// Runs the command.
pub(crate) fn run(args: &StoreArgs) -> Result<Exit, Failure> {
    let folder = args.store.clone().unwrap_or_else(|| PathBuf::from(FOLDER));
    let imports = matches!(args.what, StoreCommand::Import { .. });
    if !imports && !folder.join(FILE).exists() {
        return Err(Failure::new(format!("there is no store in {}", folder.display()))
            .help("`selvedge check --incremental` makes one; --store DIR names another folder"));
    }
    let limit = match &args.what {
        StoreCommand::Gc { limit, .. } => limit.saturating_mul(1 << 20),
        _ => LIMIT,
    };
    let mut store = Embedded::open(&folder, &tool::identity(), limit)?;
    let text = match &args.what {
        StoreCommand::Info => info(&store, &store.info()?),
        StoreCommand::Gc { unused, .. } => format!("{} removed\n", entries(store.gc(*unused, limit)?)),
        StoreCommand::Verify => {
            let Verified { sound, removed } = store.verify()?;
            match removed {
                0 => format!("{} as they were written\n", entries(sound)),
                _ => format!(
                    "{} as they were written, {} damaged and removed\n",
                    entries(sound),
                    entries(removed)
                ),
            }
        }
        StoreCommand::Export { file } => {
            format!("{} written to {}\n", entries(store.export(file)?), file.display())
        }
        StoreCommand::Import { file } => {
            let imported = store.import(file)?;
            match imported.refused {
                0 => format!("{} added\n", entries(imported.taken)),
                refused => {
                    format!("{} added, {} damaged and left out\n", entries(imported.taken), entries(refused))
                }
            }
        }
    };
    print(text.as_bytes())?;
    Ok(Exit::Safe)
}

fn entries(n: u64) -> String {
    if n == 1 { "1 entry".to_owned() } else { format!("{n} entries") }
}

fn info(store: &Embedded, info: &Info) -> String {
    let mut text = format!("{}: {}\n", store.path().display(), size(info.file_size));
    for KindInfo { name, entries: n, size: bytes, newest } in &info.kinds {
        let age = newest.map_or(String::new(), |newest| format!(", the newest of {}", ago(newest)));
        text.push_str(&format!("  {name}: {}, {}{age}\n", entries(*n), size(*bytes)));
    }
    if info.foreign > 0 {
        text.push_str(&format!(
            "  {} of other builds of selvedge, which this one does not use (`selvedge store gc` removes them)\n",
            entries(info.foreign)
        ));
    }
    text
}

fn size(bytes: u64) -> String {
    match bytes {
        0..10_240 => format!("{bytes} bytes"),
        10_240..10_485_760 => format!("{} KiB", bytes >> 10),
        _ => format!("{} MiB", bytes >> 20),
    }
}

fn ago(seconds: i64) -> String {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let since = now.map_or(0, |now| now.as_secs().saturating_sub(seconds.unsigned_abs()));
    match since {
        0..120 => format!("{since} seconds ago"),
        120..7_200 => format!("{} minutes ago", since / 60),
        7_200..172_800 => format!("{} hours ago", since / 3600),
        _ => format!("{} days ago", since / 86_400),
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let failure = Failure::new(error.to_string());
        match std::error::Error::source(&error) {
            Some(source) => failure.help(source.to_string()),
            None => failure,
        }
    }
}
