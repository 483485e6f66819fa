//! Floating-point operations: their operands are floats, which terms have as bits.

use super::{Item, Reader};
use crate::float::{FpFormat, FpOp, RoundingMode};
use crate::op::Op;

impl Reader<'_> {
    /// An operation that takes or gives floats.
    pub(super) fn float(&mut self, items: &[Item]) -> Result<Item, String> {
        let none = || "this is no operation on floats".to_owned();
        match items {
            [Item::Word(name), Item::Float(_, bits)] if name == "fp.to_ieee_bv" => Ok(Item::Term(*bits)),
            [Item::Indexed(name, numbers), rest @ ..] => match (&name[..], &numbers[..], rest) {
                ("to_fp", [exp, sig], [Item::Term(bits)]) => {
                    let format = format(*exp, *sig)?;
                    match self.pool.sort(*bits) {
                        crate::Sort::Bv(width) if width == format.width() => Ok(Item::Float(format, *bits)),
                        _ => Err(none()),
                    }
                }
                ("to_fp", [exp, sig], [Item::Word(mode), operand]) if mode == "RNE" => {
                    let to = format(*exp, *sig)?;
                    let op = match operand {
                        Item::Float(from, _) => FpOp::ToFp { from: *from, to },
                        _ => FpOp::FromSInt { to },
                    };
                    self.operation(op, std::slice::from_ref(operand))
                }
                ("to_fp_unsigned", [exp, sig], [Item::Word(mode), operand @ Item::Term(_)])
                    if mode == "RNE" =>
                {
                    let to = format(*exp, *sig)?;
                    self.operation(FpOp::FromUInt { to }, std::slice::from_ref(operand))
                }
                ("fp.to_sbv", [width], [Item::Word(mode), operand @ Item::Float(from, _)])
                    if mode == "RTZ" =>
                {
                    let op = FpOp::ToSInt { from: *from, width: *width };
                    self.operation(op, std::slice::from_ref(operand))
                }
                ("fp.to_ubv", [width], [Item::Word(mode), operand @ Item::Float(from, _)])
                    if mode == "RTZ" =>
                {
                    let op = FpOp::ToUInt { from: *from, width: *width };
                    self.operation(op, std::slice::from_ref(operand))
                }
                _ => Err(none()),
            },
            [Item::Word(name), Item::Word(mode), operands @ ..] => {
                let Some(Item::Float(format, _)) = operands.first() else { return Err(none()) };
                let op = match (&name[..], &mode[..]) {
                    ("fp.add", "RNE") => FpOp::Add(*format),
                    ("fp.sub", "RNE") => FpOp::Sub(*format),
                    ("fp.mul", "RNE") => FpOp::Mul(*format),
                    ("fp.div", "RNE") => FpOp::Div(*format),
                    ("fp.sqrt", "RNE") => FpOp::Sqrt(*format),
                    ("fp.fma", "RNE") => FpOp::Fma(*format),
                    ("fp.roundToIntegral", mode) => {
                        FpOp::RoundToIntegral(*format, rounding(mode).ok_or_else(none)?)
                    }
                    _ => return Err(none()),
                };
                self.operation(op, operands)
            }
            [Item::Word(name), operands @ ..] => {
                let Some(Item::Float(format, _)) = operands.first() else { return Err(none()) };
                let op = match &name[..] {
                    "fp.rem" => FpOp::IeeeRem(*format),
                    "fp.lt" => FpOp::Lt(*format),
                    "fp.leq" => FpOp::Le(*format),
                    "fp.eq" => FpOp::Eq(*format),
                    "fp.isNaN" => FpOp::IsNan(*format),
                    "fp.isInfinite" => FpOp::IsInf(*format),
                    _ => return Err(none()),
                };
                self.operation(op, operands)
            }
            _ => Err(none()),
        }
    }

    /// An operation on operands that are all floats of its format, or all bits if it takes no floats.
    fn operation(&mut self, op: FpOp, operands: &[Item]) -> Result<Item, String> {
        let mut terms = Vec::with_capacity(operands.len());
        for operand in operands {
            terms.push(match (operand, op.operand_format()) {
                (Item::Float(format, bits), Some(wanted)) if *format == wanted => *bits,
                (Item::Term(bits), None) => *bits,
                _ => return Err(format!("{op:?} does not take such operands")),
            });
        }
        match (self.apply(Op::Fp(op), &terms)?, op.result_format()) {
            (Item::Term(bits), Some(format)) => Ok(Item::Float(format, bits)),
            (item, _) => Ok(item),
        }
    }
}

fn format(exp: u32, sig: u32) -> Result<FpFormat, String> {
    match (u8::try_from(exp), u8::try_from(sig)) {
        (Ok(exp_bits), Ok(sig_bits)) => Ok(FpFormat { exp_bits, sig_bits }),
        _ => Err("there is no such format of floats".to_owned()),
    }
}

fn rounding(mode: &str) -> Option<RoundingMode> {
    Some(match mode {
        "RNE" => RoundingMode::NearestEven,
        "RNA" => RoundingMode::NearestAway,
        "RTP" => RoundingMode::Up,
        "RTN" => RoundingMode::Down,
        "RTZ" => RoundingMode::TowardZero,
        _ => return None,
    })
}
