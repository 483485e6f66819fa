//! The hash of a content, and the writer that makes it.

use std::fmt;

use sha2::{Digest as _, Sha256};

/// The hash of some content: the first half of its SHA-256.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 16]);

impl Digest {
    /// Its bytes, for storing it.
    pub const fn bytes(self) -> [u8; 16] {
        self.0
    }

    /// The digest with these bytes.
    pub const fn from_bytes(bytes: [u8; 16]) -> Digest {
        Digest(bytes)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Takes a content, piece by piece. Each piece says how long it is, so that different pieces never read the same.
#[derive(Clone, Debug, Default)]
pub struct Hasher(Sha256);

impl Hasher {
    /// A hasher for one kind of content; the word keeps kinds apart.
    pub fn new(kind: &str) -> Hasher {
        let mut hasher = Hasher::default();
        hasher.text(kind);
        hasher
    }

    /// A text.
    pub fn text(&mut self, text: &str) {
        self.data(text.as_bytes());
    }

    /// Bytes.
    pub fn data(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.update(bytes);
    }

    /// A number, or an id that means the same everywhere.
    pub fn number(&mut self, number: u64) {
        self.0.update(number.to_le_bytes());
    }

    /// A truth value.
    pub fn flag(&mut self, flag: bool) {
        self.0.update([u8::from(flag)]);
    }

    /// A number that may be missing.
    pub fn option(&mut self, number: Option<u64>) {
        self.flag(number.is_some());
        self.number(number.unwrap_or(0));
    }

    /// The digest of a part.
    pub fn digest(&mut self, digest: Digest) {
        self.0.update(digest.0);
    }

    /// The digest of everything that came so far.
    pub fn finish(self) -> Digest {
        let full = self.0.finalize();
        let mut half = [0; 16];
        half.copy_from_slice(&full[..16]);
        Digest(half)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_do_not_run_into_each_other() {
        let of = |pieces: &[&str]| {
            let mut hasher = Hasher::new("test");
            pieces.iter().for_each(|p| hasher.text(p));
            hasher.finish()
        };
        assert_eq!(of(&["ab", "c"]), of(&["ab", "c"]));
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
        assert_ne!(Hasher::new("a").finish(), Hasher::new("b").finish());
    }

    #[test]
    fn the_hash_is_the_same_in_every_build() {
        let digest = Hasher::new("selvedge").finish();
        assert_eq!(Digest::from_bytes(digest.bytes()), digest);
        assert_eq!(digest.to_string(), "73985eedb9185834ee20914610b2c98d");
    }
}
