//! The headers that come with Selvedge, embedded so that one binary is enough.

use std::fs;
use std::path::Path;

use crate::Error;

const HEADERS: &[(&str, &str)] = &[
    ("selvedge.h", include_str!("../../../../include/selvedge.h")),
    ("klee/klee.h", include_str!("../../../../include/klee/klee.h")),
    ("bits/c++config.h", CXX_CONFIG),
];

/// In front of libstdc++'s own: the code of `std::string` comes out of its headers, not out of the compiled library, as
/// in its debug mode.
const CXX_CONFIG: &str = "\
#pragma GCC system_header
#include_next <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE -1
";

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
