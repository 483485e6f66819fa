//! Memory content against a naive model: an object is a list of bytes, each a term.

use proptest::prelude::*;
use selvedge_exec::memory::{Content, Symbols};
use selvedge_exec::{ObjId, Piece, Source, Sources, Value};
use selvedge_term::{Assignment, Sort, TermId, TermPool, eval};

const SIZE: u64 = 24;

#[derive(Clone, Debug)]
enum Op {
    Int { off: u64, len: u64, value: u64 },
    Symbol { off: u64, len: u64, n: u32 },
    Pointer { off: u64, addr: u64 },
    SymPointer { off: u64, n: u32 },
    Lazy { off: u64, len: u64, at: u64 },
    Fill { off: u64, len: u64, byte: u8 },
    Copy { to: u64, from: u64, len: u64 },
    Read { off: u64, len: u64 },
}

fn op() -> impl Strategy<Value = Op> {
    let range = || (0..SIZE, 1..=8u64).prop_filter("in bounds", |(off, len)| off + len <= SIZE);
    let long = || (0..SIZE, 1..=SIZE).prop_filter("in bounds", |(off, len)| off + len <= SIZE);
    prop_oneof![
        (range(), any::<u64>()).prop_map(|((off, len), value)| Op::Int { off, len, value }),
        (range(), 0..4u32).prop_map(|((off, len), n)| Op::Symbol { off, len, n }),
        (0..=SIZE - 8, any::<u64>()).prop_map(|(off, addr)| Op::Pointer { off, addr }),
        (0..=SIZE - 8, 0..2u32).prop_map(|(off, n)| Op::SymPointer { off, n }),
        (long(), 0..8u64).prop_map(|((off, len), at)| Op::Lazy { off, len, at }),
        (long(), any::<u8>()).prop_map(|((off, len), byte)| Op::Fill { off, len, byte }),
        (0..SIZE, 0..SIZE, 1..=SIZE)
            .prop_filter("in bounds", |(to, from, len)| to + len <= SIZE && from + len <= SIZE)
            .prop_map(|(to, from, len)| Op::Copy { to, from, len }),
        range().prop_map(|(off, len)| Op::Read { off, len }),
    ]
}

/// Content, and the same bytes one by one.
struct Twin {
    pool: TermPool,
    sources: Sources,
    content: Content,
    bytes: Vec<TermId>,
}

const SOURCE: Source = Source::Input { thread: 0, n: 0 };

impl Twin {
    fn write(&mut self, off: u64, len: u64, value: Value, term: TermId) {
        let mut cx = Symbols { pool: &mut self.pool, sources: &mut self.sources };
        self.content.write(&mut cx, off, len, value);
        for i in 0..len {
            let byte = self.pool.extract(term, (8 * i + 7) as u32, (8 * i) as u32);
            self.bytes[(off + i) as usize] = byte;
        }
    }

    fn apply(&mut self, op: &Op) {
        match *op {
            Op::Int { off, len, value } => {
                let value = if len == 8 { value } else { value & ((1 << (8 * len)) - 1) };
                let term = self.pool.bv((8 * len) as u32, value);
                self.write(off, len, Value::Int(value), term);
            }
            Op::Symbol { off, len, n } => {
                let term = self.pool.var(&format!("x{n}.{len}"), Sort::Bv((8 * len) as u32));
                self.write(off, len, Value::Term(term), term);
            }
            Op::Pointer { off, addr } => {
                let term = self.pool.bv(64, addr);
                self.write(off, 8, Value::Ptr { obj: ObjId::heap(0, 1), addr }, term);
            }
            Op::SymPointer { off, n } => {
                let term = self.pool.var(&format!("p{n}"), Sort::Bv(64));
                self.write(off, 8, Value::SymPtr { obj: ObjId::heap(0, 1), addr: term }, term);
            }
            Op::Lazy { off, len, at } => {
                let mut cx = Symbols { pool: &mut self.pool, sources: &mut self.sources };
                self.content.put_lazy(&mut cx, off, len, SOURCE, at);
                for i in 0..len {
                    // The model names a source's bytes by their position; they are tied together at the end.
                    self.bytes[(off + i) as usize] = self.pool.var(&format!("s{}", at + i), Sort::Bv(8));
                }
            }
            Op::Fill { off, len, byte } => {
                let mut cx = Symbols { pool: &mut self.pool, sources: &mut self.sources };
                self.content.fill(&mut cx, off, len, byte);
                let term = self.pool.bv(8, byte.into());
                self.bytes[off as usize..(off + len) as usize].fill(term);
            }
            Op::Copy { to, from, len } => {
                let mut cx = Symbols { pool: &mut self.pool, sources: &mut self.sources };
                let part = self.content.slice(&mut cx, from, len);
                self.content.copy_from(&mut cx, to, &part, 0, len);
                self.bytes.copy_within(from as usize..(from + len) as usize, to as usize);
            }
            Op::Read { off, len } => self.check(off, len),
        }
    }

    /// The scalar at `off` equals the concatenation of the model's bytes, for one assignment of all variables.
    fn check(&mut self, off: u64, len: u64) {
        let mut cx = Symbols { pool: &mut self.pool, sources: &mut self.sources };
        let peeked = self.content.peek(off, len);
        let value = self.content.read(&mut cx, off, len);
        if let Some(peeked) = peeked {
            assert_eq!(peeked, value, "peek and read agree");
        }
        let width = (8 * len) as u32;
        let term = match value {
            Value::Int(v) | Value::Ptr { addr: v, .. } => self.pool.bv(width, v),
            Value::Term(t) | Value::SymPtr { addr: t, .. } => t,
        };
        assert_eq!(self.pool.width(term), width);
        let mut expected = self.bytes[off as usize];
        for i in 1..len {
            expected = self.pool.concat(self.bytes[(off + i) as usize], expected);
        }
        let model = self.model();
        assert_eq!(
            eval(&self.pool, term, &model),
            eval(&self.pool, expected, &model),
            "{len} bytes at {off}"
        );
    }

    /// Arbitrary values, the same for a source's byte whether the model or a variable of the source names it.
    fn model(&mut self) -> Assignment {
        let byte = |i: u64| (i * 37 + 11) & 0xff;
        let mut model = Assignment::new();
        for at in 0..SIZE + 8 {
            let term = self.pool.var(&format!("s{at}"), Sort::Bv(8));
            model.set_u64(self.pool.var_id(term).unwrap(), 8, byte(at));
        }
        for at in 0..SIZE + 8 {
            let term = self.sources.term(&mut self.pool, Piece { source: SOURCE, at, len: 1 });
            for &var in self.pool.vars(term).iter() {
                let piece = self.sources.piece(var).expect("a source's variable");
                let value = (0..piece.len).fold(num_bigint::BigUint::ZERO, |v, i| {
                    v | num_bigint::BigUint::from(byte(piece.at + i)) << (8 * i)
                });
                let width = (8 * piece.len) as u32;
                let constant = self.pool.bv_wide(width, value);
                model.set(var, eval(&self.pool, constant, &Assignment::new()));
            }
        }
        for n in 0..4u32 {
            for len in 1..=8u64 {
                let term = self.pool.var(&format!("x{n}.{len}"), Sort::Bv((8 * len) as u32));
                let value = 0x0123_4567_89ab_cdefu64.rotate_left(7 * n + len as u32);
                model.set_u64(self.pool.var_id(term).unwrap(), (8 * len) as u32, value >> (64 - 8 * len));
            }
            let term = self.pool.var(&format!("p{n}"), Sort::Bv(64));
            model.set_u64(self.pool.var_id(term).unwrap(), 64, 0xfeed_0000_0000_0000 + u64::from(n));
        }
        model
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]
    #[test]
    fn content_reads_back_what_was_written_byte_by_byte(ops in prop::collection::vec(op(), 1..25)) {
        let mut pool = TermPool::new();
        let zero = pool.bv(8, 0);
        let mut twin = Twin {
            pool,
            sources: Sources::default(),
            content: Content::zeroed(SIZE),
            bytes: vec![zero; SIZE as usize],
        };
        for op in &ops {
            twin.apply(op);
        }
        for len in [1, 3, 4, 8] {
            for off in 0..=SIZE - len {
                twin.check(off, len);
            }
        }
    }
}
