//! Bit-vector operators as circuits. A word is a slice of literals, lowest bit first.
//!
//! Guarantee: each function gives exactly the SMT-LIB meaning, division by zero and
//! shifts past the width included. Results are functions of their inputs, also where
//! fresh variables stand for them (`divide_by_constant`).

use super::gates::Gates;
use super::sat::Lit;

type Word = Vec<Lit>;

fn complement(a: &[Lit]) -> Word {
    a.iter().map(|&lit| !lit).collect()
}

fn zeros(width: usize) -> Word {
    vec![Lit::FALSE; width]
}

/// Number of leading constant bits that are all `fill`.
fn constant_top(a: &[Lit], fill: Lit) -> usize {
    a.iter().rev().take_while(|&&lit| lit == fill).count()
}

impl Gates {
    /// `a + b + carry`, modulo the width.
    pub(super) fn add(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> Word {
        let mut sum = Vec::with_capacity(a.len());
        for (i, (&x, &y)) in a.iter().zip(b).enumerate() {
            sum.push(self.xor3(x, y, carry));
            if i + 1 < a.len() {
                carry = self.majority(x, y, carry);
            }
        }
        sum
    }

    pub(super) fn neg(&mut self, a: &[Lit]) -> Word {
        let zero = zeros(a.len());
        self.add(&zero, &complement(a), Lit::TRUE)
    }

    fn sub(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        self.add(a, &complement(b), Lit::TRUE)
    }

    /// Each bit of `a` if `c`, otherwise of `b`.
    pub(super) fn mux_word(&mut self, c: Lit, a: &[Lit], b: &[Lit]) -> Word {
        a.iter().zip(b).map(|(&x, &y)| self.mux(c, x, y)).collect()
    }

    pub(super) fn equal(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let same: Word = a.iter().zip(b).map(|(&x, &y)| !self.xor(x, y)).collect();
        self.and_all(&same)
    }

    /// `a < b`, or `a <= b` if `or_equal`, without sign. One majority gate per bit: the lower
    /// bits decide unless this bit of `b` is above (then yes) or below (then no).
    fn below(&mut self, a: &[Lit], b: &[Lit], or_equal: bool) -> Lit {
        a.iter().zip(b).fold(Lit::constant(or_equal), |lower, (&x, &y)| self.majority(!x, y, lower))
    }

    pub(super) fn ult(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        self.below(a, b, false)
    }

    pub(super) fn slt(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let top = a.len() - 1;
        let lower = self.below(&a[..top], &b[..top], false);
        // The sign bit counts negatively.
        self.majority(a[top], !b[top], lower)
    }

    pub(super) fn mul(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let constants = |word: &[Lit]| word.iter().filter(|lit| lit.is_const()).count();
        // Rows are taken from the operand with more constant bits.
        let (rows, row) = if constants(a) > constants(b) { (a, b) } else { (b, a) };
        if rows.iter().all(|lit| lit.is_const()) {
            return self.mul_by_constant(row, rows);
        }
        let width = a.len();
        let mut sum = zeros(width);
        for (shift, &bit) in rows.iter().enumerate() {
            if bit == Lit::FALSE {
                continue;
            }
            let partial: Word = row[..width - shift].iter().map(|&lit| self.and(bit, lit)).collect();
            let upper = self.add(&sum[shift..], &partial, Lit::FALSE);
            sum.truncate(shift);
            sum.extend(upper);
        }
        sum
    }

    /// Sums shifted copies of `a`, adding and subtracting by the non-adjacent form of the
    /// constant, which has the fewest non-zero digits.
    fn mul_by_constant(&mut self, a: &[Lit], constant: &[Lit]) -> Word {
        let width = a.len();
        let mut sum = zeros(width);
        let mut carry = false;
        for shift in 0..width {
            let bit = constant[shift] == Lit::TRUE;
            let next = constant.get(shift + 1) == Some(&Lit::TRUE);
            let odd = bit != carry;
            // A digit is -1 where a run of ones begins, so that the run becomes one carry.
            let negative = odd && next;
            carry = if odd { next } else { bit && carry };
            if !odd {
                continue;
            }
            let shifted = &a[..width - shift];
            let upper = if negative {
                self.sub(&sum[shift..], shifted)
            } else {
                self.add(&sum[shift..], shifted, Lit::FALSE)
            };
            sum.truncate(shift);
            sum.extend(upper);
        }
        sum
    }

    /// Unsigned quotient and remainder.
    pub(super) fn udivrem(&mut self, n: &[Lit], d: &[Lit]) -> (Word, Word) {
        if d.iter().all(|lit| lit.is_const()) && d.contains(&Lit::TRUE) {
            return self.divide_by_constant(n, d);
        }
        // Restoring division from the top bit down. After k steps the remainder has k bits
        // that can be set, so that only k+1 bits of the divisor take part in a step; if a
        // higher bit of the divisor is set, the step fails.
        let width = n.len();
        let mut quotient = zeros(width);
        let mut remainder: Word = Vec::new();
        for step in (0..width).rev() {
            remainder.insert(0, n[step]);
            let bits = remainder.len();
            let too_big = self.or_all(&d[bits..]);
            let fits = self.below(&d[..bits], &remainder, true);
            let taken = self.and(fits, !too_big);
            let less = self.sub(&remainder, &d[..bits]);
            remainder = self.mux_word(taken, &less, &remainder);
            quotient[step] = taken;
        }
        // With a zero divisor every step succeeds and takes nothing away: quotient all ones,
        // remainder the dividend, as wanted.
        (quotient, remainder)
    }

    /// `n = q·d + r` with `r < d` and without overflow, for fresh `q` and `r`: they are
    /// determined by `n`, and multiplying by a constant is cheap.
    fn divide_by_constant(&mut self, n: &[Lit], d: &[Lit]) -> (Word, Word) {
        let width = n.len();
        let divisor_bits = width - constant_top(d, Lit::FALSE);
        // A divisor of k bits is at least 2^(k-1), so that the quotient has at most
        // width-k+1 bits; the remainder has at most k. Two spare bits show overflow.
        let quotient_bits = width + 1 - divisor_bits;
        let mut quotient: Word = (0..quotient_bits).map(|_| self.sat.new_input()).collect();
        let mut remainder: Word = (0..divisor_bits).map(|_| self.sat.new_input()).collect();
        quotient.resize(width, Lit::FALSE);
        remainder.resize(width, Lit::FALSE);
        let wide = |word: &[Lit]| {
            let mut wide = word.to_vec();
            wide.resize(width + 2, Lit::FALSE);
            wide
        };
        let product = self.mul(&wide(&quotient), &wide(d));
        let total = self.add(&product, &wide(&remainder), Lit::FALSE);
        let exact = self.equal(&total, &wide(n));
        let small = self.ult(&remainder, d);
        for &lit in quotient[..quotient_bits].iter().chain(&remainder[..divisor_bits]) {
            self.sat.depends_on(lit, &[exact, small]);
        }
        self.sat.assert(exact);
        self.sat.assert(small);
        (quotient, remainder)
    }

    fn absolute(&mut self, a: &[Lit]) -> Word {
        let negative = self.neg(a);
        self.mux_word(a[a.len() - 1], &negative, a)
    }

    pub(super) fn sdiv(&mut self, n: &[Lit], d: &[Lit]) -> Word {
        let top = n.len() - 1;
        let (abs_n, abs_d) = (self.absolute(n), self.absolute(d));
        let (quotient, _) = self.udivrem(&abs_n, &abs_d);
        let negative = self.neg(&quotient);
        let differ = self.xor(n[top], d[top]);
        self.mux_word(differ, &negative, &quotient)
    }

    pub(super) fn srem(&mut self, n: &[Lit], d: &[Lit]) -> Word {
        let (abs_n, abs_d) = (self.absolute(n), self.absolute(d));
        let (_, remainder) = self.udivrem(&abs_n, &abs_d);
        let negative = self.neg(&remainder);
        self.mux_word(n[n.len() - 1], &negative, &remainder)
    }

    /// Shifts `a` toward bit 0 by `amount`, letting `fill` in at the top.
    pub(super) fn shift_right(&mut self, a: &[Lit], amount: &[Lit], fill: Lit) -> Word {
        let width = a.len();
        let mut word = a.to_vec();
        let mut past = Vec::new();
        for (stage, &bit) in amount.iter().enumerate() {
            match u32::try_from(stage).ok().and_then(|stage| 1usize.checked_shl(stage)) {
                Some(distance) if distance < width => {
                    word = (0..width)
                        .map(|i| {
                            let from = word.get(i + distance).copied().unwrap_or(fill);
                            self.mux(bit, from, word[i])
                        })
                        .collect();
                }
                _ => past.push(bit),
            }
        }
        let past = self.or_all(&past);
        word.iter().map(|&lit| self.mux(past, fill, lit)).collect()
    }

    /// Shifts `a` away from bit 0 by `amount`: a shift right of the word read backwards.
    pub(super) fn shift_left(&mut self, a: &[Lit], amount: &[Lit]) -> Word {
        let backwards: Word = a.iter().rev().copied().collect();
        let mut shifted = self.shift_right(&backwards, amount, Lit::FALSE);
        shifted.reverse();
        shifted
    }
}
