//! Deliberate faults, for programs that are to fail on some of their inputs.
//!
//! Each is of a kind that both the engine and the sanitizers see where it happens: accesses shortly past the end of a
//! whole array, divisions that trap, signed overflow, bad shift amounts, failing assertions, misuse of freed, null and
//! dead objects. Nothing is injected into members of structs, where an overrun stays inside of the object.

use super::Gen;
use super::ints::Int;
use super::tree::Node;
use super::value::{Op, Taint, Val};

impl Gen {
    /// Whether to put a fault here, if faults are wanted at all.
    pub(super) fn fault(&mut self, percent: u32) -> bool {
        self.options.faults && self.rng.chance(percent)
    }

    /// An index that may be up to three elements too large.
    pub(super) fn loose_index(&mut self, n: u32, limit: Taint) -> Val {
        let more = self.rng.range(1, 3);
        self.leaf(limit).reduced(i128::from(n + more))
    }

    /// An operator without its guard.
    pub(super) fn unguarded(&mut self, op: Op, a: &Val, b: &Val) -> Val {
        let shift = matches!(op, Op::Shl | Op::Shr);
        let ty = if shift { a.ty.promoted() } else { Int::common(a.ty, b.ty) };
        // A wider amount is cut to the operand's width before the shift, where its high bits no longer show.
        let narrowed;
        let b = if shift && b.ty.bits() > ty.bits() {
            narrowed = b.cast(Int::Int);
            &narrowed
        } else {
            b
        };
        Val::new(format!("({} {} {})", a.text, op.sign(), b.text), ty, a.taint.max(b.taint))
    }

    /// A pointer that is null or whose object is gone, under a condition.
    pub(super) fn bad_pointer(&mut self, body: &mut Vec<Node>) {
        let (pointer, object) = (self.local_name(), self.local_name());
        let ty = self.any_int().name();
        let start = self.expr(Taint::Wide, 1);
        Gen::emit(body, format!("{ty} {object} = {};", start.text));
        Gen::emit(body, format!("{ty} *{pointer} = &{object};"));
        let condition = self.condition(Taint::Wide, 1);
        match self.rng.below(3) {
            0 => Gen::emit(body, format!("if ({}) {pointer} = 0;", condition.text)),
            1 => {
                let inner = self.local_name();
                body.push(Node::block(
                    format!("if ({})", condition.text),
                    vec![Node::line(format!("{ty} {inner} = 3;\n{pointer} = &{inner};"))],
                ));
            }
            _ => {
                let inner = self.local_name();
                body.push(Node::block(
                    format!("if ({})", condition.text),
                    vec![Node::line(format!(
                        "{ty} *{inner} = calloc(2, sizeof({ty}));\n{pointer} = {inner};\nfree({inner});"
                    ))],
                ));
            }
        }
        if self.rng.chance(50) {
            let mixed = self.mix(&format!("*{pointer}"));
            Gen::emit(body, mixed);
        } else {
            let value = self.expr(Taint::Wide, 1);
            Gen::emit(body, format!("*{pointer} = {};", value.text));
        }
    }
}
