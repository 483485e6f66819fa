//! Integer expressions as text, with what is known about their values, and operators that cannot misbehave.
//!
//! Guarantees: an expression built here from defined operands is defined (no signed overflow, no division by zero
//! or by -1, no bad shift) and its value lies in `lo..=hi`. Plain operators are used where the intervals allow it,
//! so that most arithmetic looks as a person writes it; else it goes through the unsigned type.

use super::ints::Int;

/// How much an expression may depend on inputs. A branch on a `Wide` value may double the number of paths;
/// branches on `Small` ones cannot give more paths than there are values of the small inputs together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Taint {
    /// The same for all inputs, on one path.
    Concrete,
    /// Depends on inputs with few values.
    Small,
    /// Depends on any input.
    Wide,
}

/// A side-effect-free-to-repeat or single-use integer expression.
#[derive(Clone, Debug)]
pub(super) struct Val {
    /// C text that can stand as an operand.
    pub(super) text: String,
    /// Its type (before promotion).
    pub(super) ty: Int,
    /// Smallest possible value.
    pub(super) lo: i128,
    /// Greatest possible value.
    pub(super) hi: i128,
    /// What it may depend on.
    pub(super) taint: Taint,
}

/// Operators of two operands with a result in the common type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
}

impl Op {
    pub(super) const ALL: [Op; 10] =
        [Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Rem, Op::And, Op::Or, Op::Xor, Op::Shl, Op::Shr];

    pub(super) fn sign(self) -> &'static str {
        match self {
            Op::Add => "+",
            Op::Sub => "-",
            Op::Mul => "*",
            Op::Div => "/",
            Op::Rem => "%",
            Op::And => "&",
            Op::Or => "|",
            Op::Xor => "^",
            Op::Shl => "<<",
            Op::Shr => ">>",
        }
    }
}

impl Val {
    /// An operand about which only its type is known.
    pub(super) fn new(text: impl Into<String>, ty: Int, taint: Taint) -> Val {
        Val { text: text.into(), ty, lo: ty.min(), hi: ty.max(), taint }
    }

    /// An operand with known limits.
    pub(super) fn within(text: impl Into<String>, ty: Int, lo: i128, hi: i128, taint: Taint) -> Val {
        Val { text: text.into(), ty, lo, hi, taint }
    }

    /// A constant.
    pub(super) fn literal(ty: Int, value: i128) -> Val {
        Val::within(ty.literal(value), ty, value, value, Taint::Concrete)
    }

    /// Whether a variable or a call occurs in it: their names end in a number, no other lower-case word does.
    pub(super) fn mentions_variable(&self) -> bool {
        self.text.as_bytes().windows(2).any(|w| w[0].is_ascii_lowercase() && w[1].is_ascii_digit())
    }

    /// `(ty)self`
    pub(super) fn cast(&self, ty: Int) -> Val {
        let (lo, hi) = converted(ty, self.lo, self.hi);
        Val::within(format!("(({}){})", ty.name(), self.text), ty, lo, hi, self.taint)
    }

    /// `self & mask` in the promoted type, for a mask of the form 2^k - 1; never negative.
    pub(super) fn masked(&self, mask: i128) -> Val {
        let ty = self.ty.promoted();
        Val::within(format!("({} & {mask})", self.text), ty, 0, mask, self.taint)
    }

    /// A value from 0 to n-1 in a type that can index.
    pub(super) fn reduced(&self, n: i128) -> Val {
        if self.lo >= 0 && self.hi < n {
            return self.clone();
        }
        if n & (n - 1) == 0 {
            return self.masked(n - 1);
        }
        if self.lo >= 0 {
            let ty = self.ty.promoted();
            return Val::within(format!("({} % {n})", self.text), ty, 0, n - 1, self.taint);
        }
        let unsigned = self.ty.unsigned();
        let text = format!("(({}){} % {n})", unsigned.name(), self.text);
        Val::within(text, unsigned, 0, n - 1, self.taint)
    }

    /// A comparison; `sign` is one of C's six.
    pub(super) fn compare(sign: &str, a: &Val, b: &Val) -> Val {
        let taint = a.taint.max(b.taint);
        Val::within(format!("({} {sign} {})", a.text, b.text), Int::Int, 0, 1, taint)
    }

    /// `!self`
    pub(super) fn not(&self) -> Val {
        Val::within(format!("(!{})", self.text), Int::Int, 0, 1, self.taint)
    }

    /// `~self`
    pub(super) fn complement(&self) -> Val {
        let ty = self.ty.promoted();
        let (lo, hi) = if ty.signed() { (-self.hi - 1, -self.lo - 1) } else { (ty.min(), ty.max()) };
        Val::within(format!("(~{})", self.text), ty, lo, hi, self.taint)
    }

    /// `-self`
    pub(super) fn negated(&self) -> Val {
        let ty = self.ty.promoted();
        if !ty.signed() {
            return Val::new(format!("(-{})", self.text), ty, self.taint);
        }
        if self.lo > ty.min() {
            return Val::within(format!("(-{})", self.text), ty, -self.hi, -self.lo, self.taint);
        }
        let text = format!("(({})(-({}){}))", ty.name(), ty.unsigned().name(), self.text);
        Val::new(text, ty, self.taint)
    }

    /// `a op b`, made safe.
    pub(super) fn binary(op: Op, a: &Val, b: &Val) -> Val {
        match op {
            Op::Shl | Op::Shr => shift(op, a, b),
            Op::Div | Op::Rem => divide(op, a, b),
            _ => combine(op, a, b),
        }
    }

    /// The right side `r` for which `a op= r` is the safe form of `a = a op b`, if there is one.
    pub(super) fn compound(op: Op, a: &Val, b: &Val) -> Option<String> {
        let whole = Val::binary(op, a, b).text;
        let right = whole.strip_prefix(&format!("({} {} ", a.text, op.sign()))?;
        Some(right.strip_suffix(')')?.to_owned())
    }
}

/// The interval after conversion of `lo..=hi` to `ty`.
fn converted(ty: Int, lo: i128, hi: i128) -> (i128, i128) {
    if ty == Int::Bool {
        let none = lo == 0 && hi == 0;
        let some = lo > 0 || hi < 0;
        return (i128::from(some), i128::from(!none));
    }
    if ty.holds(lo, hi) { (lo, hi) } else { (ty.min(), ty.max()) }
}

fn combine(op: Op, a: &Val, b: &Val) -> Val {
    let ty = Int::common(a.ty, b.ty);
    let taint = a.taint.max(b.taint);
    let ((al, ah), (bl, bh)) = (converted(ty, a.lo, a.hi), converted(ty, b.lo, b.hi));
    let (lo, hi) = match op {
        Op::Add => (al + bl, ah + bh),
        Op::Sub => (al - bh, ah - bl),
        Op::Mul => {
            // Products of 64-bit values may pass 127 bits only for two full unsigned ranges.
            let corners = [(al, bl), (al, bh), (ah, bl), (ah, bh)];
            let products: Vec<i128> = corners.iter().map(|(x, y)| x.saturating_mul(*y)).collect();
            (products.iter().copied().min().unwrap_or(0), products.iter().copied().max().unwrap_or(0))
        }
        Op::And if al >= 0 && bl >= 0 => (0, ah.min(bh)),
        Op::Or | Op::Xor if al >= 0 && bl >= 0 => (0, (1 << (128 - ah.max(bh).leading_zeros())) - 1),
        _ => (ty.min(), ty.max()),
    };
    let sign = op.sign();
    if ty.holds(lo, hi) {
        return Val::within(format!("({} {sign} {})", a.text, b.text), ty, lo, hi, taint);
    }
    if !ty.signed() {
        return Val::new(format!("({} {sign} {})", a.text, b.text), ty, taint);
    }
    let u = ty.unsigned().name();
    Val::new(format!("(({})(({u}){} {sign} ({u}){}))", ty.name(), a.text, b.text), ty, taint)
}

fn shift(op: Op, a: &Val, b: &Val) -> Val {
    let ty = a.ty.promoted();
    let bits = i128::from(ty.bits());
    let amount = if b.lo >= 0 && b.hi < bits { b.clone() } else { b.masked(bits - 1) };
    let taint = a.taint.max(b.taint);
    let text = format!("({} {} {})", a.text, op.sign(), amount.text);
    if op == Op::Shr {
        let lo = if a.lo < 0 { a.lo } else { a.lo >> amount.hi };
        let hi = if a.hi < 0 { a.hi >> amount.hi } else { a.hi >> amount.lo };
        return Val::within(text, ty, lo, hi, taint);
    }
    if !ty.signed() {
        return Val::new(text, ty, taint);
    }
    if a.lo >= 0 && ty.holds(0, a.hi << amount.hi) {
        return Val::within(text, ty, a.lo << amount.lo, a.hi << amount.hi, taint);
    }
    let text = format!("(({})(({}){} << {}))", ty.name(), ty.unsigned().name(), a.text, amount.text);
    Val::new(text, ty, taint)
}

fn divide(op: Op, a: &Val, b: &Val) -> Val {
    // The divisor becomes positive; -1 would overflow for the most negative dividend.
    let b =
        if b.lo > 0 { b.clone() } else { Val::binary(Op::Add, &b.masked(15), &Val::literal(Int::Int, 1)) };
    let ty = Int::common(a.ty, b.ty);
    let ((al, ah), (bl, bh)) = (converted(ty, a.lo, a.hi), converted(ty, b.lo, b.hi));
    let taint = a.taint.max(b.taint);
    let (lo, hi) = if op == Op::Div {
        ((al / bl).min(al / bh), (ah / bl).max(ah / bh))
    } else {
        (if al < 0 { (1 - bh).max(al) } else { 0 }, if ah > 0 { (bh - 1).min(ah) } else { 0 })
    };
    Val::within(format!("({} {} {})", a.text, op.sign(), b.text), ty, lo, hi, taint)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn v(text: &str, ty: Int) -> Val {
        Val::new(text, ty, Taint::Wide)
    }

    #[test]
    fn narrow_sums_are_plain_and_wide_ones_go_through_unsigned() {
        assert_eq!(Val::binary(Op::Add, &v("a", Int::Short), &v("b", Int::Char)).text, "(a + b)");
        let sum = Val::binary(Op::Add, &v("a", Int::Int), &v("b", Int::Int));
        assert_eq!(sum.text, "((int)((unsigned)a + (unsigned)b))");
    }

    #[test]
    fn products_of_promoted_unsigned_shorts_are_not_plain() {
        let product = Val::binary(Op::Mul, &v("a", Int::UShort), &v("b", Int::UShort));
        assert_eq!(product.text, "((int)((unsigned)a * (unsigned)b))");
    }

    #[test]
    fn divisors_are_positive() {
        let quotient = Val::binary(Op::Div, &v("a", Int::Int), &v("b", Int::Int));
        assert_eq!(quotient.text, "(a / ((b & 15) + 1))");
        assert_eq!((quotient.lo, quotient.hi), (Int::Int.min(), Int::Int.max()));
        let rest = Val::binary(Op::Rem, &v("a", Int::Int), &Val::literal(Int::Int, 7));
        assert_eq!((rest.text.as_str(), rest.lo, rest.hi), ("(a % 7)", -6, 6));
    }

    #[test]
    fn a_positive_divisor_that_turns_unsigned_keeps_its_value() {
        let quotient = Val::binary(Op::Div, &v("a", Int::Int), &Val::literal(Int::UInt, 3));
        assert_eq!((quotient.text.as_str(), quotient.lo), ("(a / 3U)", 0));
    }

    #[test]
    fn shift_amounts_are_masked_by_the_promoted_width() {
        assert_eq!(Val::binary(Op::Shr, &v("a", Int::Char), &v("b", Int::Int)).text, "(a >> (b & 31))");
        let left = Val::binary(Op::Shl, &v("a", Int::Long), &v("b", Int::Int));
        assert_eq!(left.text, "((long)((unsigned long)a << (b & 63)))");
    }

    #[test]
    fn compound_assignment_is_offered_only_where_it_cannot_overflow() {
        assert_eq!(Val::compound(Op::Add, &v("a", Int::UInt), &v("b", Int::Int)).as_deref(), Some("b"));
        assert_eq!(Val::compound(Op::Add, &v("a", Int::Int), &v("b", Int::Int)), None);
        assert_eq!(
            Val::compound(Op::Div, &v("a", Int::Int), &v("b", Int::Int)).as_deref(),
            Some("((b & 15) + 1)")
        );
    }

    #[test]
    fn constant_expressions_mention_no_variable() {
        assert!(!v("((int)((unsigned long)(-12L)) + sizeof(short [3]))", Int::Int).mentions_variable());
        assert!(v("(3 + v12)", Int::Int).mentions_variable());
    }

    /// Every operator over small operands, against the same operator on numbers.
    #[test]
    fn results_lie_in_the_stated_interval() {
        let sets = [(-3, 5), (0, 6), (2, 4), (-7, -2)];
        for op in Op::ALL {
            for (al, ah) in sets {
                for (bl, bh) in sets {
                    let a = Val::within("a", Int::Int, al, ah, Taint::Wide);
                    let b = Val::within("b", Int::Int, bl, bh, Taint::Wide);
                    let result = Val::binary(op, &a, &b);
                    for x in al..=ah {
                        for y in bl..=bh {
                            let divisor = if bl > 0 { y } else { (y & 15) + 1 };
                            let amount = if bl >= 0 { y } else { y & 31 };
                            let exact = match op {
                                Op::Add => x + y,
                                Op::Sub => x - y,
                                Op::Mul => x * y,
                                Op::Div => x / divisor,
                                Op::Rem => x % divisor,
                                Op::And => x & y,
                                Op::Or => x | y,
                                Op::Xor => x ^ y,
                                Op::Shl => x << amount,
                                Op::Shr => x >> amount,
                            };
                            let value = Int::Int.wrap(exact);
                            assert!((result.lo..=result.hi).contains(&value), "{x} {op:?} {y} in {result:?}");
                        }
                    }
                }
            }
        }
    }
}
