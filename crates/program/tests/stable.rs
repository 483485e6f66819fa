//! Laws of names and digests over random programs: what they must not see, and what they must.

mod generate;

use std::collections::BTreeMap;

use proptest::prelude::*;
use selvedge_base::{Dense, Id, Loc};
use selvedge_program::stable::{Content, Digest, Fingerprint, Names};
use selvedge_program::*;

fn choices() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(any::<u32>(), 0..600)
}

fn fingerprint(program: &Program) -> (Names, Fingerprint) {
    let names = Names::new(program);
    let fingerprint = Content::new(program, &names, |_| false).fingerprint();
    (names, fingerprint)
}

/// All digests by name.
fn digests(program: &Program) -> (BTreeMap<String, Digest>, Digest) {
    let (names, found) = fingerprint(program);
    let funcs = names.funcs().map(|(id, name)| (format!("f {name}"), found.funcs[id]));
    let globals = names.globals().map(|(id, name)| (format!("g {name}"), found.globals[id]));
    (funcs.chain(globals).collect(), found.rest)
}

/// The program with functions and globals in the opposite order.
fn reversed(old: &Program) -> Program {
    let (n_funcs, n_globals) = (old.funcs.len(), old.globals.len());
    let func = |id: FuncId| FuncId::new(n_funcs - 1 - id.index());
    let global = |id: GlobalId| GlobalId::new(n_globals - 1 - id.index());
    let mut new = old.clone();
    new.consts = Dense::new();
    for value in old.consts.iter() {
        new.consts.push(match value {
            Const::Global { global: id, offset } => Const::Global { global: global(*id), offset: *offset },
            Const::Func(id) => Const::Func(func(*id)),
            Const::Block(id, block) => Const::Block(func(*id), *block),
            other => other.clone(),
        });
    }
    new.funcs = old.funcs.iter().rev().cloned().collect();
    new.globals = old.globals.iter().rev().cloned().collect();
    for inst in new.funcs.iter_mut().flat_map(|f| f.blocks.iter_mut()).flat_map(|b| &mut b.insts) {
        if let Inst::Call { callee: Callee::Direct(id), .. } = inst {
            *id = func(*id);
        }
    }
    new.entry = old.entry.map(func);
    new.ctors = old.ctors.iter().map(|id| func(*id)).collect();
    new
}

/// The program as it is after its source was laid out anew and its locals were renamed.
fn rewritten(old: &Program) -> Program {
    let mut new = old.clone();
    new.types = Dense::new();
    let moved = |loc: &mut Loc| {
        if loc.is_known() {
            *loc = Loc { line: loc.line.saturating_mul(2), column: loc.column / 2, ..*loc };
        }
    };
    for global in new.globals.iter_mut() {
        moved(&mut global.loc);
        global.var_ty = None;
    }
    for func in new.funcs.iter_mut() {
        moved(&mut func.loc);
        func.display_name = Some("shown".to_owned());
        for reg in func.regs.iter_mut() {
            (reg.name, reg.var_ty) = (Some("renamed".into()), None);
        }
        for block in func.blocks.iter_mut() {
            block.locs.iter_mut().for_each(moved);
            for inst in &mut block.insts {
                if let Inst::Alloca { name: Some(name), var_ty, .. } = inst {
                    (*name, *var_ty) = ("renamed".into(), None);
                }
            }
        }
    }
    new
}

/// The program with its constants numbered anew, after others.
fn renumbered(old: &Program) -> Program {
    let mut new = old.with_canonical_consts();
    new.add_const(Const::Int { width: 61, value: 5 });
    new
}

/// Replaces one constant operand of a function by another of its type; whether there is one.
fn change_constant(program: &mut Program, func: FuncId, at: usize) -> bool {
    let consts: Vec<Const> = program.consts.iter().cloned().collect();
    let mut found = Vec::new();
    for (b, block) in program.funcs[func].blocks.enumerate() {
        for (i, inst) in block.insts.iter().enumerate() {
            let mut n = 0;
            inst.for_each_operand(|operand| {
                if let Operand::Const(id) = operand
                    && matches!(consts[id.index()], Const::Int { .. })
                {
                    found.push((b, i, n, *id));
                }
                n += 1;
            });
        }
    }
    if found.is_empty() {
        return false;
    }
    let (block, inst, position, id) = found[at % found.len()];
    let Const::Int { width, value } = consts[id.index()] else { return false };
    let other = program.add_const(Const::Int { width, value: value ^ 1 });
    let mut n = 0;
    program.funcs[func].blocks[block].insts[inst].for_each_operand_mut(|operand| {
        if n == position {
            *operand = Operand::Const(other);
        }
        n += 1;
    });
    true
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.max(800), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn order_layout_names_of_locals_and_numbers_do_not_count(choices in choices()) {
        let program = generate::program(&choices);
        let expected = digests(&program);
        prop_assert_eq!(&digests(&rewritten(&program)), &expected, "{}", program);
        prop_assert_eq!(&digests(&renumbered(&program)), &expected, "{}", program);
        prop_assert_eq!(&digests(&reversed(&program)), &expected, "{}", program);
    }

    #[test]
    fn names_are_unique(choices in choices()) {
        let program = generate::program(&choices);
        let (found, _) = digests(&program);
        prop_assert_eq!(found.len(), program.funcs.len() + program.globals.len());
    }

    #[test]
    fn a_changed_constant_is_seen_in_its_function_and_nowhere_else(choices in choices(), at in any::<usize>()) {
        let old = generate::program(&choices);
        let mut new = old.clone();
        let func = FuncId::new(at % old.funcs.len());
        prop_assume!(change_constant(&mut new, func, at));
        let ((names, before), (_, after)) = (fingerprint(&old), fingerprint(&new));
        for (id, _) in names.funcs() {
            prop_assert_eq!(before.funcs[id] != after.funcs[id], id == func, "{}", old);
        }
    }
}

const TEXT: &str = r#"
    entry @main
    global @n size 4 align 4 = { 0: bytes "\x01" }
    global @p size 8 align 8 = { 0: ptr @n }
    declare @g(%0: i32)
    func @main() -> i32 {
    bb0:
      %0: ptr = alloca 4 x 1i64 align 4 "x"
      store i32 5i32 to %0
      %1: i32 = load i32 %0
      %2: i1 = cmp.slt i32 %1, 7i32
      branch %2, bb1, bb2
    bb1:
      call @g(i32 %1)
      jump bb2
    bb2:
      return 0i32
    }"#;

/// Each replacement is a change of what is executed.
#[test]
fn every_change_of_what_is_executed_is_seen() {
    let old = digests(&parse(TEXT).expect("a program"));
    for (from, to, seen_in) in [
        ("store i32 5i32", "store i32 6i32", "f main"),
        ("store i32 5i32", "store.volatile i32 5i32", "f main"),
        ("store i32 5i32", "store.relaxed i32 5i32", "f main"),
        ("cmp.slt", "cmp.sle", "f main"),
        ("bb1, bb2", "bb2, bb1", "f main"),
        ("alloca 4 x", "alloca 8 x", "f main"),
        ("align 4 \"x\"", "align 8 \"x\"", "f main"),
        ("align 4 \"x\"", "align 4", "f main"),
        ("call @g(i32 %1)", "call @g(i32 4i32)", "f main"),
        ("func @main() -> i32 {", "func @main() -> i32 runtime {", "f main"),
        ("declare @g(%0: i32)", "declare @g(%0: i64)", "f g"),
        ("declare @g(%0: i32)", "declare @g(%0: i32) weak", "f g"),
        ("bytes \"\\x01\"", "bytes \"\\x02\"", "g n"),
        ("@n size 4", "@n size 8", "g n"),
        ("align 4 =", "align 4 const =", "g n"),
        ("align 4 =", "align 4 tls =", "g n"),
        ("ptr @n", "ptr @n+4", "g p"),
        ("entry @main", "entry @main ctors @main", ""),
        ("entry @main", "target 32 entry @main", ""),
    ] {
        let text = TEXT.replacen(from, to, 1);
        assert_ne!(text, TEXT, "{from}");
        let new = digests(&parse(&text).unwrap_or_else(|e| panic!("{to}: {e}")));
        assert_eq!(new.1 != old.1, seen_in.is_empty(), "{to}");
        for (name, digest) in &old.0 {
            assert_eq!(digest != &new.0[name], name == seen_in, "{to} in {name}");
        }
    }
}
