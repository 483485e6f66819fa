//! The headers that come with Selvedge, embedded so that one binary is enough.

use std::fs;
use std::path::Path;

use crate::Error;

const HEADERS: &[(&str, &str)] = &[
    ("selvedge.h", include_str!("../../../../include/selvedge.h")),
    ("klee/klee.h", include_str!("../../../../include/klee/klee.h")),
];

/// Writes the headers below `dir`.
pub(super) fn write(dir: &Path) -> Result<(), Error> {
    for (name, text) in HEADERS {
        let path = dir.join(name);
        let parent = path.parent().unwrap_or(dir);
        fs::create_dir_all(parent)
            .and_then(|()| fs::write(&path, text))
            .map_err(|source| Error::Temporary { source })?;
    }
    Ok(())
}
