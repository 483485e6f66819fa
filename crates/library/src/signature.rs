//! What a function takes and gives.
//!
//! A signature is written as one letter for each parameter, a colon, and one for the result:
//! `i` 32 bits, `q` 64 bits, `h` 16, `b` 8, `t` one bit; `p` a pointer or an integer of its width; `n` an integer of any
//! width; `f`, `d` and `x` floating-point numbers (of 32, 64 and 80 bits), `r` one of the function's own precision;
//! `v` no result, `?` a result that the function itself looks after; `.` ends the parameters: whatever follows is not
//! looked at, or by the function itself.

use crate::math::Precision;

/// What a function takes and gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signature {
    pub(crate) text: &'static str,
    pub(crate) precision: Precision,
}

/// A parameter or a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// An integer of so many bits.
    Bits(u32),
    /// A pointer, or an integer of its width.
    Word,
    /// An integer of any width.
    Integer,
    /// A floating-point number.
    Float(Precision),
}

/// The result of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gives {
    /// None.
    Nothing,
    /// What the call wants: the function itself looks after it.
    Anything,
    /// One.
    One(Kind),
}

impl Signature {
    /// The parameters that every call must have.
    pub fn params(self) -> impl Iterator<Item = Kind> {
        let params = self.text.split(':').next().unwrap_or_default();
        params.bytes().map_while(move |letter| self.kind(letter))
    }

    /// The result.
    pub fn gives(self) -> Gives {
        match self.text.bytes().last() {
            Some(b'v') | None => Gives::Nothing,
            Some(letter) => self.kind(letter).map_or(Gives::Anything, Gives::One),
        }
    }

    fn kind(self, letter: u8) -> Option<Kind> {
        Some(match letter {
            b't' => Kind::Bits(1),
            b'b' => Kind::Bits(8),
            b'h' => Kind::Bits(16),
            b'i' => Kind::Bits(32),
            b'q' => Kind::Bits(64),
            b'p' => Kind::Word,
            b'n' => Kind::Integer,
            b'f' => Kind::Float(Precision::Single),
            b'd' => Kind::Float(Precision::Double),
            b'x' => Kind::Float(Precision::Extended),
            b'r' => Kind::Float(self.precision),
            _ => return None,
        })
    }

    /// Whether the text follows the rules of the module.
    #[cfg(test)]
    pub(crate) fn is_well_formed(self) -> bool {
        let Some((params, result)) = self.text.split_once(':') else { return false };
        let known = params.strip_suffix('.').unwrap_or(params);
        known.bytes().all(|letter| self.kind(letter).is_some())
            && result.len() == 1
            && (matches!(result, "v" | "?") || self.kind(result.as_bytes()[0]).is_some() && result != "n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_read_letter_by_letter() {
        let signature = Signature { text: "pr.:r", precision: Precision::Single };
        assert!(signature.is_well_formed());
        let params: Vec<Kind> = signature.params().collect();
        assert_eq!(params, [Kind::Word, Kind::Float(Precision::Single)]);
        assert_eq!(signature.gives(), Gives::One(Kind::Float(Precision::Single)));
    }

    #[test]
    fn open_and_empty_results_differ() {
        let gives = |text| Signature { text, precision: Precision::Double }.gives();
        assert_eq!(gives(".:?"), Gives::Anything);
        assert_eq!(gives("p:v"), Gives::Nothing);
        assert!(!Signature { text: "p.i:v", precision: Precision::Double }.is_well_formed());
    }
}
