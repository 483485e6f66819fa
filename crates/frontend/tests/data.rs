//! Global variables, initial content, and what debug information says.

mod common;

use common::{Folder, func, func_text, global_text, insts, load_all, load_c, load_c_with, load_ll};
use expect_test::expect;
use selvedge_program::{DebugType, Encoding, InitPiece, Inst, Program, TypeId};

fn keeping(globals: &str, names: &[&str]) -> String {
    let uses: String = names.iter().map(|name| format!("take(&{name});")).collect();
    format!("extern void take(const volatile void *);\n{globals}\nint main(void) {{ {uses} return 0; }}")
}

#[test]
fn plain_data_becomes_bytes_and_addresses_stay_symbolic() {
    let source = keeping(
        "int x; int f(void);
        struct s { char c; short h; int *p; int (*fn)(void); double d; const char *text; } s =
            { 'a', -2, &x, f, 1.5, \"hi\" };
        int *far = &x + 3; long number = (long)&x; char small[8] = \"ab\"; _Bool yes = 1; long double ld = -1;",
        &["s", "far", "number", "small", "yes", "ld"],
    );
    let program = load_c(&source);
    let texts: Vec<String> = ["s", "far", "number", "small", "yes", "ld", ".str"]
        .iter()
        .map(|name| without_types(&global_text(&program, name)))
        .collect();
    expect![[r#"
        global @s size 40 align 8 = { 0: bytes "a\x00\xfe\xff", 8: ptr @x, 16: ptr @f, 30: bytes "\xf8?", 32: ptr @.str }
        global @far size 8 align 8 = { 0: ptr @x+12 }
        global @number size 8 align 8 = { 0: i64 (ptrtoint ptr @x to i64) }
        global @small size 8 align 1 = { 0: bytes "ab" }
        global @yes size 1 align 1 = { 0: bytes "\x01" }
        global @ld size 16 align 16 = { 7: bytes "\x80\xff\xbf" }
        global @.str size 3 align 1 const = { 0: bytes "hi" }"#]].assert_eq(&texts.join("\n"));
}

#[test]
fn large_zero_arrays_cost_nothing() {
    let source =
        keeping("char zero[1 << 28]; char sparse[1 << 20] = { [0] = 1, [500000] = 2 };", &["zero", "sparse"]);
    let program = load_c(&source);
    let init = |name: &str| program.globals.iter().find(|g| g.name == name).and_then(|g| g.init.clone());
    assert_eq!(init("zero"), Some(Vec::new()));
    let pieces = init("sparse").expect("a defined variable");
    let bytes: usize = pieces
        .iter()
        .map(|piece| match piece {
            InitPiece::Bytes { bytes, .. } => bytes.len(),
            _ => 0,
        })
        .sum();
    assert_eq!((pieces.len(), bytes), (2, 2));
}

#[test]
fn pointers_and_longs_follow_the_target() {
    let source =
        keeping("struct s { char c; long l; char *p; long long ll; } s = { 1, 2, &s.c, 3 };", &["s"]);
    let wide = load_c(&source);
    let narrow = load_c_with(&source, &["-m32"]);
    assert_eq!((wide.target.ptr_bits, narrow.target.ptr_bits), (64, 32));
    expect![[r#"global @s size 32 align 8 = { 0: bytes "\x01\x00\x00\x00\x00\x00\x00\x00\x02", 16: ptr @s, 24: bytes "\x03" }"#]].assert_eq(&without_types(&global_text(&wide, "s")));
    expect![[
        r#"global @s size 20 align 4 = { 0: bytes "\x01\x00\x00\x00\x02", 8: ptr @s, 12: bytes "\x03" }"#
    ]]
    .assert_eq(&without_types(&global_text(&narrow, "s")));
}

#[test]
fn what_a_variable_is_stays_known() {
    let source = keeping(
        "const int limit = 3; _Thread_local int mine = 4; extern int elsewhere; _Alignas(64) int wide;",
        &["limit", "mine", "elsewhere", "wide"],
    );
    let program = load_c(&source);
    for (name, expected) in [
        ("limit", "global @limit size 4 align 4 const = { 0: bytes \"\\x03\" }"),
        ("mine", "global @mine size 4 align 4 tls = { 0: bytes \"\\x04\" }"),
        ("elsewhere", "global @elsewhere size 4 align 4 extern"),
        ("wide", "global @wide size 4 align 64 = { }"),
    ] {
        assert_eq!(without_types(&global_text(&program, name)), expected);
    }
}

#[test]
fn aliases_are_resolved_and_indirect_functions_are_declared() {
    let program = load_c(
        "int base[4]; extern int other[4] __attribute__((alias(\"base\")));
        int real(int x) { return x; } int second(int) __attribute__((alias(\"real\")));
        static int (*resolve(void))(int) { return real; } int chosen(int) __attribute__((ifunc(\"resolve\")));
        int main(void) { return second(other[2]) + chosen(1); }",
    );
    expect![[r#"
        func @main() -> i32 {
        bb0:
          %0: i32 = load i32 @base+8
          %1: i32 = call @real(i32 %0)
          %2: i32 = call @chosen(i32 1i32)
          %3: i32 = add.nsw i32 %1, %2
          return %3
        }
    "#]]
    .assert_eq(&func_text(&program, "main"));
    assert!(!func(&program, "chosen").is_defined());
}

#[test]
fn constructors_run_in_the_order_of_their_priority() {
    let folder = Folder::new();
    let one = folder.file(
        "one.c",
        "int x; __attribute__((constructor(300))) static void late(void) { x = 1; }
        __attribute__((constructor)) static void last(void) { x = 2; }
        int main(void) { return 0; }",
    );
    let two = folder
        .file("two.c", "extern int x; __attribute__((constructor(200))) static void early(void) { x = 3; }");
    let program = load_all(vec![one, two], &[]);
    let names: Vec<&str> = program.ctors.iter().map(|&id| program.funcs[id].name.as_str()).collect();
    assert_eq!(names, ["early", "late", "last"]);
}

#[test]
fn unnamed_values_and_undefined_content_are_accepted() {
    let program = load_ll(
        "@0 = global { i32, i32 } { i32 undef, i32 7 }
        @1 = global <4 x i1> <i1 true, i1 false, i1 true, i1 true>
        @2 = global <2 x ptr> <ptr @0, ptr null>
        define i32 @main() { %x = load i32, ptr @0
            %y = load i8, ptr @1
            %z = load ptr, ptr @2
            ret i32 %x }",
    );
    let inits: Vec<_> = program
        .globals
        .iter()
        .filter(|global| !global.is_runtime)
        .filter_map(|global| global.init.clone())
        .collect();
    assert_eq!(inits.len(), 3);
    assert!(matches!(
        inits[0][..],
        [InitPiece::Undef { offset: 0, len: 4 }, InitPiece::Bytes { offset: 4, .. }]
    ));
    assert!(matches!(
        inits[2][..],
        [InitPiece::Scalar { offset: 0, .. }, InitPiece::Scalar { offset: 8, .. }]
    ));
}

// --- debug information ---

fn named_type<'a>(program: &'a Program, wanted: &str) -> &'a DebugType {
    let has_name = |ty: &&DebugType| match ty {
        DebugType::Basic { name, .. }
        | DebugType::Record { name, .. }
        | DebugType::Enum { name, .. }
        | DebugType::Alias { name, .. }
        | DebugType::Other { name } => name == wanted,
        _ => false,
    };
    program.types.iter().find(has_name).unwrap_or_else(|| panic!("no type {wanted}: {:?}", program.types))
}

/// A type as C would write it, roughly.
fn spell(program: &Program, id: TypeId) -> String {
    match &program.types[id] {
        DebugType::Basic { name, .. } | DebugType::Record { name, .. } | DebugType::Enum { name, .. } => {
            name.clone()
        }
        DebugType::Pointer { to } => format!("{}*", to.map_or("void".to_owned(), |to| spell(program, to))),
        DebugType::Array { elem, count } => format!("{}[{count}]", spell(program, *elem)),
        DebugType::Alias { name, .. } | DebugType::Other { name } => name.clone(),
    }
}

#[test]
fn records_have_fields_with_places_and_widths() {
    let program = load_c(&keeping(
        "enum color { RED = -1, BLUE = 1 << 20 };
        typedef unsigned char byte;
        struct node { struct node *next; unsigned low : 3, high : 5; byte grid[2][3]; enum color color;
            union { float f; int i; }; const volatile long *p; } node;",
        &["node"],
    ));
    let DebugType::Record { size, fields, .. } = named_type(&program, "struct node") else {
        panic!("not a record");
    };
    let fields: Vec<String> = fields
        .iter()
        .map(|f| format!("{}: {} at {} bits {}", f.name, spell(&program, f.ty), f.bit_offset, f.bit_size))
        .collect();
    assert_eq!(*size, 32);
    expect![[r#"
        next: struct node* at 0 bits 64
        low: unsigned int at 64 bits 3
        high: unsigned int at 67 bits 5
        grid: byte[3][2] at 72 bits 48
        color: enum color at 128 bits 32
        :  at 160 bits 32
        p: long* at 192 bits 64"#]]
    .assert_eq(&fields.join("\n"));
    let DebugType::Enum { values, .. } = named_type(&program, "enum color") else { panic!("not an enum") };
    assert_eq!(values, &[("RED".to_owned(), -1), ("BLUE".to_owned(), 1 << 20)]);
}

#[test]
fn basic_types_say_how_their_bits_read() {
    let program = load_c(&keeping(
        "int i; unsigned u; char c; _Bool b; double d; unsigned long long ull; signed char sc;",
        &["i", "u", "c", "b", "d", "ull", "sc"],
    ));
    let encoding = |name: &str| match named_type(&program, name) {
        DebugType::Basic { encoding, size, .. } => (*encoding, *size),
        other => panic!("{other:?}"),
    };
    assert_eq!(encoding("int"), (Encoding::Signed, 4));
    assert_eq!(encoding("unsigned int"), (Encoding::Unsigned, 4));
    assert_eq!(encoding("char"), (Encoding::Char, 1));
    assert_eq!(encoding("_Bool"), (Encoding::Bool, 1));
    assert_eq!(encoding("double"), (Encoding::Float, 8));
    assert_eq!(encoding("unsigned long long"), (Encoding::Unsigned, 8));
    assert_eq!(encoding("signed char"), (Encoding::Char, 1));
}

#[test]
fn variables_keep_their_names_in_registers_and_on_the_stack() {
    let program = load_c(
        "struct big { int a[10]; };
        int g(int *); int h(struct big by_value, int plain) { return by_value.a[plain]; }
        int main(int argc, char **argv) {
            int total = 0; int escaped = argc; struct big b = {0};
            for (int i = 0; i < argc; i++) total += g(&escaped);
            return h(b, total);
        }",
    );
    let main = func(&program, "main");
    let names = |function: &selvedge_program::Function| -> Vec<String> {
        let mut names: Vec<String> =
            function.regs.iter().filter_map(|reg| reg.name.as_deref().map(str::to_owned)).collect();
        names.sort();
        names.dedup();
        names
    };
    assert_eq!(names(main), ["argc", "argv", "i", "total"]);
    assert_eq!(names(func(&program, "h")), ["by_value", "plain"]);
    let mut allocas: Vec<(String, String)> = insts(main)
        .filter_map(|inst| match inst {
            Inst::Alloca { name: Some(name), var_ty: Some(ty), .. } => {
                Some((name.to_string(), spell(&program, *ty)))
            }
            _ => None,
        })
        .collect();
    allocas.sort();
    assert_eq!(
        allocas,
        [("b".to_owned(), "struct big".to_owned()), ("escaped".to_owned(), "int".to_owned())]
    );
}

#[test]
fn places_name_the_file_as_the_user_did() {
    let folder = Folder::new();
    folder.file("part.h", "static inline int twice(int x) {\n  return 2 * x;\n}\n");
    let main = folder.file("main.c", "#include \"part.h\"\nint main(void) {\n  return twice(4);\n}\n");
    let program = load_all(vec![main.clone()], &[]);
    let place = |name: &str| {
        let function = func(&program, name);
        let last = function.blocks.iter().last().and_then(|block| block.locs.last()).copied();
        let last = last.expect("an instruction");
        // clang may split a name at a folder that it shares with the working directory.
        let file = &program.files[function.loc.file];
        (std::path::Path::new(&file.dir).join(&file.name), function.loc.line, last.line)
    };
    assert_eq!(place("main"), (main.clone(), 2, 3));
    assert_eq!(place("twice"), (folder.path().join("part.h"), 1, 2));
}

#[test]
fn mangled_functions_keep_the_name_in_the_source() {
    let folder = Folder::new();
    let source = folder
        .file("test.cc", "namespace n { int add(int a) { return a; } } int main() { return n::add(1); }");
    let program = load_all(vec![source], &[]);
    assert_eq!(func(&program, "_ZN1n3addEi").display_name.as_deref(), Some("add"));
    assert_eq!(func(&program, "main").display_name, None);
}

/// Cuts the type's number, which depends on everything before it.
fn without_types(text: &str) -> String {
    let words = text.split(' ').filter(|word| {
        word.strip_prefix("ty")
            .is_none_or(|rest| rest.is_empty() || !rest.chars().all(|c| c.is_ascii_digit()))
    });
    words.collect::<Vec<_>>().join(" ")
}
