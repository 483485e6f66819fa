//! Laws of the text form and the validator over random programs.

mod generate;

use proptest::prelude::*;
use selvedge_base::Loc;
use selvedge_program::*;

fn choices() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(any::<u32>(), 0..600)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.max(1500), failure_persistence: None, ..ProptestConfig::default() })]

    /// forall p. parse(print(p)) = p, up to the numbering of constants; and printing is stable.
    #[test]
    fn parsing_the_text_gives_the_program_back(choices in choices()) {
        let program = generate::program(&choices);
        let text = program.to_string();
        let parsed = match parse(&text) {
            Ok(parsed) => parsed,
            Err(error) => panic!("{error}\n{text}"),
        };
        prop_assert_eq!(&parsed, &program.with_canonical_consts());
        prop_assert_eq!(parsed.to_string(), text);
    }

    #[test]
    fn generated_programs_are_valid(choices in choices()) {
        let program = generate::program(&choices);
        prop_assert_eq!(validate(&program), Ok(()), "{}", program);
    }

    /// Whatever single thing is broken, the validator sees it.
    #[test]
    fn a_broken_program_is_rejected(choices in choices(), how in 0..BREAKERS.len(), at in any::<usize>()) {
        let mut program = generate::program(&choices);
        let (name, breaker) = BREAKERS[how];
        if breaker(&mut program, at) {
            prop_assert!(validate(&program).is_err(), "{}: {}", name, program);
        }
    }

    #[test]
    fn no_text_makes_the_parser_panic(choices in choices(), cut in any::<usize>(), junk in "[ -~]{0,6}") {
        let mut text = generate::program(&choices).to_string();
        let at = cut % (text.len() + 1);
        text.replace_range(at..(at + 3).min(text.len()), &junk);
        if let Ok(program) = parse(&text) {
            let _ = validate(&program);
        }
    }
}

/// Breaks one thing, chosen by the number; false if the program has no such thing.
type Breaker = fn(&mut Program, usize) -> bool;

const BREAKERS: [(&str, Breaker); 11] = [
    ("entry removed", |p, _| p.entry.take().is_some()),
    ("name used twice", |p, _| {
        let name = p.funcs[FuncId(0)].name.clone();
        p.globals.iter_mut().next().map(|g| g.name = name).is_some()
    }),
    ("place of an instruction dropped", |p, at| block(p, at).is_some_and(|b| b.locs.pop().is_some())),
    ("terminator dropped", |p, at| {
        block(p, at).is_some_and(|b| {
            b.locs.pop();
            b.insts.pop().is_some()
        })
    }),
    ("terminator doubled", |p, at| {
        block(p, at).is_some_and(|b| {
            b.insts.push(b.insts[b.insts.len() - 1].clone());
            b.locs.push(Loc::UNKNOWN);
            true
        })
    }),
    ("instruction doubled, so its result is assigned twice", |p, at| {
        block(p, at).is_some_and(|b| {
            let mut assigns = false;
            b.insts[0].for_each_dst(|_| assigns = true);
            b.insts.insert(0, b.insts[0].clone());
            b.locs.push(Loc::UNKNOWN);
            assigns
        })
    }),
    ("operand replaced by an unknown register", |p, at| operand(p, at, |_| Operand::Reg(Reg(u32::MAX)))),
    ("operand replaced by an unknown constant", |p, at| {
        operand(p, at, |_| Operand::Const(ConstId(u32::MAX)))
    }),
    ("operand replaced by a constant of a type nothing uses", |p, at| {
        let odd = p.add_const(Const::Int { width: 13, value: 0 });
        // `copy` takes any type, but then its result has the wrong one; indices and counts name their width.
        operand(p, at, |_| Operand::Const(odd))
    }),
    ("type of a result changed", |p, at| {
        let n = p.funcs.len();
        let func = &mut p.funcs[FuncId((at % n) as u32)];
        let mut result = None;
        for inst in func.blocks.iter().flat_map(|block| &block.insts) {
            // Copies and indirect calls do not name the types of their results.
            if !matches!(inst, Inst::Copy { .. } | Inst::Call { .. }) {
                inst.for_each_dst(|dst| result = Some(dst));
            }
        }
        let odd = Ty::Float(FloatKind::BFloat);
        result.filter(|reg| func.regs[*reg].ty != odd).map(|reg| func.regs[reg].ty = odd).is_some()
    }),
    ("edge to nowhere", |p, at| {
        block(p, at).is_some_and(|b| {
            let last = b.insts.len() - 1;
            if let Inst::Jump { edge } = &mut b.insts[last] {
                edge.target = BlockId(u32::MAX);
                return true;
            }
            false
        })
    }),
];

fn block(p: &mut Program, at: usize) -> Option<&mut Block> {
    let blocks: Vec<&mut Block> = p.funcs.iter_mut().flat_map(|f| f.blocks.iter_mut()).collect();
    let n = blocks.len();
    blocks.into_iter().nth(at % n.max(1))
}

/// Replaces one operand; false if the block has none, or if any operand would do there.
fn operand(p: &mut Program, at: usize, new: impl Fn(Operand) -> Operand) -> bool {
    let Some(block) = block(p, at) else { return false };
    let n = block.insts.len();
    let inst = &mut block.insts[at / 7 % n];
    if matches!(inst, Inst::Alloca { .. }) {
        return false;
    }
    let mut done = false;
    inst.for_each_operand_mut(|operand| {
        if !done {
            *operand = new(*operand);
            done = true;
        }
    });
    done
}
