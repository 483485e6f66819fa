//! Which build of the tool this is: what one build has found out, another does not believe.

use std::fs::File;

use object::read::{Object as _, ReadCache};
use sha2::{Digest, Sha256};

/// A text that no other build has.
pub(crate) fn identity() -> String {
    let version = env!("CARGO_PKG_VERSION");
    let path = std::env::current_exe().ok();
    match path.and_then(|path| File::open(path).ok()).and_then(build_of) {
        Some(build) => format!("{version} {build}"),
        // Nobody can tell: then nothing is the same twice.
        None => format!("{version} of process {}", std::process::id()),
    }
}

/// The linker's identification of an executable; of all of it, if the linker has given none.
fn build_of(mut file: File) -> Option<String> {
    let cache = ReadCache::new(&file);
    let from_linker =
        object::File::parse(&cache).ok().and_then(|file| file.build_id().ok().flatten().map(<[u8]>::to_vec));
    let id = from_linker.or_else(|| {
        use std::io::Seek as _;
        let mut hasher = Sha256::new();
        file.rewind().ok()?;
        std::io::copy(&mut file, &mut hasher).ok()?;
        Some(hasher.finalize().to_vec())
    })?;
    Some(id.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_build_knows_itself() {
        assert_eq!(super::identity(), super::identity());
        assert!(!super::identity().contains("process"));
    }
}
