//! C's integer types on a 64-bit System V target: widths, ranges, promotions and conversions.

/// An integer type of C.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Int {
    /// `_Bool`
    Bool,
    /// `char`, signed on x86-64
    Char,
    /// `signed char`
    SChar,
    /// `unsigned char`
    UChar,
    /// `short`
    Short,
    /// `unsigned short`
    UShort,
    /// `int`
    Int,
    /// `unsigned`
    UInt,
    /// `long`
    Long,
    /// `unsigned long`
    ULong,
    /// `long long`
    LLong,
    /// `unsigned long long`
    ULLong,
}

impl Int {
    /// All of them.
    pub const ALL: [Int; 12] = [
        Int::Bool,
        Int::Char,
        Int::SChar,
        Int::UChar,
        Int::Short,
        Int::UShort,
        Int::Int,
        Int::UInt,
        Int::Long,
        Int::ULong,
        Int::LLong,
        Int::ULLong,
    ];

    /// Its name in C.
    pub fn name(self) -> &'static str {
        match self {
            Int::Bool => "_Bool",
            Int::Char => "char",
            Int::SChar => "signed char",
            Int::UChar => "unsigned char",
            Int::Short => "short",
            Int::UShort => "unsigned short",
            Int::Int => "int",
            Int::UInt => "unsigned",
            Int::Long => "long",
            Int::ULong => "unsigned long",
            Int::LLong => "long long",
            Int::ULLong => "unsigned long long",
        }
    }

    /// The ending of the `__VERIFIER_nondet_` function that returns it.
    pub fn nondet(self) -> &'static str {
        match self {
            Int::Bool => "bool",
            Int::Char | Int::SChar => "char",
            Int::UChar => "uchar",
            Int::Short => "short",
            Int::UShort => "ushort",
            Int::Int => "int",
            Int::UInt => "uint",
            Int::Long => "long",
            Int::ULong => "ulong",
            Int::LLong => "longlong",
            Int::ULLong => "ulonglong",
        }
    }

    /// Bits that hold the value (1 for `_Bool`).
    pub fn bits(self) -> u32 {
        match self {
            Int::Bool => 1,
            Int::Char | Int::SChar | Int::UChar => 8,
            Int::Short | Int::UShort => 16,
            Int::Int | Int::UInt => 32,
            Int::Long | Int::ULong | Int::LLong | Int::ULLong => 64,
        }
    }

    /// Bytes in memory.
    pub fn bytes(self) -> u32 {
        self.bits().div_ceil(8)
    }

    /// Whether it has negative values.
    pub fn signed(self) -> bool {
        matches!(self, Int::Char | Int::SChar | Int::Short | Int::Int | Int::Long | Int::LLong)
    }

    /// The smallest value.
    pub fn min(self) -> i128 {
        if self.signed() { -(1 << (self.bits() - 1)) } else { 0 }
    }

    /// The greatest value.
    pub fn max(self) -> i128 {
        (1 << (self.bits() - u32::from(self.signed()))) - 1
    }

    /// Whether all of `low..=high` are values of this type.
    pub fn holds(self, low: i128, high: i128) -> bool {
        self.min() <= low && high <= self.max()
    }

    /// The type after integer promotion.
    pub fn promoted(self) -> Int {
        if self.bits() < 32 { Int::Int } else { self }
    }

    /// The unsigned type of the same width (of the promoted type for narrow ones).
    pub fn unsigned(self) -> Int {
        match self.promoted() {
            Int::Long => Int::ULong,
            Int::LLong => Int::ULLong,
            Int::Int => Int::UInt,
            other => other,
        }
    }

    fn rank(self) -> u32 {
        match self {
            Int::Long | Int::ULong => 1,
            Int::LLong | Int::ULLong => 2,
            _ => 0,
        }
    }

    /// The type in which a binary operator works on operands of types `a` and `b`.
    pub fn common(a: Int, b: Int) -> Int {
        let (a, b) = (a.promoted(), b.promoted());
        if a == b {
            return a;
        }
        if a.signed() == b.signed() {
            return if a.rank() >= b.rank() { a } else { b };
        }
        let (signed, unsigned) = if a.signed() { (a, b) } else { (b, a) };
        if unsigned.rank() >= signed.rank() {
            unsigned
        } else if signed.bits() > unsigned.bits() {
            signed
        } else {
            signed.unsigned()
        }
    }

    /// `value` converted to this type.
    pub fn wrap(self, value: i128) -> i128 {
        if self == Int::Bool {
            return i128::from(value != 0);
        }
        let low = value & ((1 << self.bits()) - 1);
        if low > self.max() { low - (1 << self.bits()) } else { low }
    }

    /// A constant expression of this type or of its promoted type.
    pub fn literal(self, value: i128) -> String {
        let suffix = match self {
            Int::UInt => "U",
            Int::Long => "L",
            Int::ULong => "UL",
            Int::LLong => "LL",
            Int::ULLong => "ULL",
            _ => "",
        };
        // The most negative number has no literal: `-9223372036854775808LL` negates one that does not fit.
        if self.bits() >= 32 && self.signed() && value == self.min() {
            return format!("(-{}{suffix} - 1)", self.max());
        }
        if value < 0 { format!("(-{}{suffix})", -value) } else { format!("{value}{suffix}") }
    }

    /// The bytes of `value` in memory order.
    pub fn encode(self, value: i128) -> Vec<u8> {
        value.to_le_bytes()[..self.bytes() as usize].to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_types_follow_the_usual_conversions() {
        assert_eq!(Int::common(Int::Char, Int::UShort), Int::Int);
        assert_eq!(Int::common(Int::Int, Int::UInt), Int::UInt);
        assert_eq!(Int::common(Int::Long, Int::UInt), Int::Long);
        assert_eq!(Int::common(Int::LLong, Int::ULong), Int::ULLong);
        assert_eq!(Int::common(Int::ULong, Int::LLong), Int::ULLong);
        assert_eq!(Int::common(Int::Long, Int::LLong), Int::LLong);
    }

    #[test]
    fn conversion_wraps_and_bool_tests() {
        assert_eq!(Int::SChar.wrap(200), -56);
        assert_eq!(Int::UChar.wrap(-1), 255);
        assert_eq!(Int::Bool.wrap(256), 1);
        assert_eq!(Int::LLong.wrap(i128::from(u64::MAX)), -1);
    }

    #[test]
    fn the_smallest_values_have_a_legal_spelling() {
        assert_eq!(Int::Int.literal(-(1 << 31)), "(-2147483647 - 1)");
        assert_eq!(Int::Char.literal(-128), "(-128)");
        assert_eq!(Int::ULong.literal(3), "3UL");
    }
}
