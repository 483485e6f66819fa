//! The text form, as a person sees it.

use expect_test::expect;
use selvedge_base::{FileId, Loc};

use crate::*;

#[test]
fn a_small_function_reads_like_the_source() {
    let mut p = Program::new(Target { ptr_bits: 64 });
    let file = p.files.push(SourceFile { name: "sum.c".into(), dir: "/src".into() });
    let int = p.types.push(DebugType::Basic { name: "int".into(), size: 4, encoding: Encoding::Signed });
    let zero = Operand::Const(p.add_const(Const::Int { width: 32, value: 0 }));
    let minus = Operand::Const(p.add_const(Const::Int { width: 32, value: u64::from(u32::MAX) }));
    let mut regs = selvedge_base::Dense::new();
    let n = regs.push(RegInfo { ty: Ty::Int(32), name: Some("n".into()), var_ty: Some(int) });
    let i = regs.push(RegInfo { ty: Ty::Int(32), name: None, var_ty: None });
    let less = regs.push(RegInfo { ty: Ty::BOOL, name: None, var_ty: None });
    let next = regs.push(RegInfo { ty: Ty::Int(32), name: None, var_ty: None });
    let at = |line| Loc { file, line, column: 3 };
    let head = BlockId(1);
    let blocks = [
        Block {
            params: vec![],
            insts: vec![Inst::Jump { edge: Edge { target: head, args: [Operand::Reg(n)].into() } }],
            locs: vec![at(2)],
        },
        Block {
            params: vec![i],
            insts: vec![
                Inst::Cmp { dst: less, op: CmpOp::Slt, width: 32, a: zero, b: Operand::Reg(i) },
                Inst::Bin {
                    dst: next,
                    op: BinOp::Add,
                    wrap: Wrap { nsw: true, nuw: false },
                    width: 32,
                    a: Operand::Reg(i),
                    b: minus,
                },
                Inst::Branch {
                    cond: Operand::Reg(less),
                    then: Edge { target: head, args: [Operand::Reg(next)].into() },
                    otherwise: Edge { target: BlockId(2), args: [].into() },
                },
            ],
            locs: vec![at(3), Loc::UNKNOWN, Loc { file: FileId(u32::MAX), line: 3, column: 0 }],
        },
        Block { params: vec![], insts: vec![Inst::Return { values: [zero].into() }], locs: vec![at(4)] },
    ];
    let main = p.funcs.push(Function {
        name: "count down".into(),
        display_name: None,
        params: vec![n],
        byval: vec![None],
        ret: vec![Ty::Int(32)],
        variadic: false,
        regs,
        blocks: blocks.into_iter().collect(),
        loc: at(1),
        is_runtime: false,
        is_weak: false,
    });
    p.entry = Some(main);
    expect![[r#"
        target 64
        entry @"count down"
        file file0 "sum.c" in "/src"
        type ty0 = basic "int" 4 signed

        func @"count down"(%0: i32 "n" ty0) -> i32 !file0:1:3 {
        bb0:
          jump bb1(%0) !file0:2:3
        bb1(%1: i32):
          %2: i1 = cmp.slt i32 0i32, %1 !file0:3:3
          %3: i32 = add.nsw i32 %1, -1i32
          branch %2, bb1(%3), bb2 !?:3:0
        bb2:
          return 0i32 !file0:4:3
        }
    "#]]
    .assert_eq(&p.to_string());
    assert_eq!(parse(&p.to_string()), Ok(p.with_canonical_consts()));
    assert_eq!(validate(&p), Ok(()));
}

#[test]
fn a_broken_program_still_prints() {
    let mut p = Program::new(Target { ptr_bits: 64 });
    p.entry = Some(FuncId(7));
    let cyclic = ConstId(0);
    let loops = p.add_const(Const::Expr(ConstExpr::PtrAdd { base: cyclic, offset: 1 }));
    assert_eq!(loops, cyclic);
    let block = Block {
        params: vec![Reg(9)],
        insts: vec![Inst::Return { values: [Operand::Const(cyclic), Operand::Const(ConstId(5))].into() }],
        locs: vec![],
    };
    p.funcs.push(Function {
        name: String::new(),
        display_name: None,
        params: vec![Reg(3)],
        byval: vec![],
        ret: vec![],
        variadic: true,
        regs: selvedge_base::Dense::new(),
        blocks: [block].into_iter().collect(),
        loc: Loc::UNKNOWN,
        is_runtime: false,
        is_weak: false,
    });
    let text = p.to_string();
    assert!(text.contains("entry <f7>") && text.contains("<c5>") && text.contains("<%9>"), "{text}");
    assert!(parse(&text).is_err());
}
