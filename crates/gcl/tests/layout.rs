//! The formatter: one layout, the same program, all comments.

use proptest::prelude::*;
use selvedge_gcl::{format, load, parse};

const UGLY: &str = "// A title.
const   N=2 ;


// about x
var x:int=0;   // behind x
enum C{a,b}
process P[i:0..N-1]{ // behind the brace
loc idle,busy;

// before t
t:at idle|busy when((x>0)&&(!(x==1)))||x+1-(2-x)<2*(x+1)do x:=(x),
   // inside
   x:=x goto idle;
// at the end
}
safe (x>=0)=>((x<9)=>(true));
// last
";

const NEAT: &str = "// A title.
const N = 2;

// about x
var x: int = 0;  // behind x
enum C { a, b }
process P[i: 0..N - 1] {  // behind the brace
    loc idle, busy;

    // before t
    // inside
    t: at idle | busy when x > 0 && !(x == 1) || x + 1 - (2 - x) < 2 * (x + 1) do x := x, x := x goto idle;
    // at the end
}
safe x >= 0 => x < 9 => true;
// last
";

#[test]
fn everything_has_its_place() {
    let tree = parse(UGLY).expect("it parses");
    assert_eq!(format(&tree), NEAT);
    let again = parse(NEAT).expect("it parses");
    assert_eq!(format(&again), NEAT);
}

#[test]
fn long_transitions_are_broken() {
    let long = "var counter: int = 0;
process P {
    loc a, b;
    t: at a when counter >= 1 && counter <= 1000000 && counter != 500000 && counter != 500001
        do counter := counter + counter + counter + counter + counter + counter + counter - 1
        goto b;
}
";
    let flat = long.replace("\n        do", " do").replace("\n        goto", " goto");
    for text in [long, &flat] {
        assert_eq!(format(&parse(text).expect("it parses")), long);
    }
}

fn arith() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![Just("x".to_owned()), Just("y".to_owned()), (0..9i32).prop_map(|n| n.to_string())];
    leaf.prop_recursive(4, 24, 3, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) + ({b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) - ({b})")),
            inner.clone().prop_map(|a| format!("-({a})")),
            inner.clone().prop_map(|a| format!("3 * ({a})")),
            inner.prop_map(|a| format!("({a}) mod 5")),
        ]
    })
}

fn condition() -> impl Strategy<Value = String> {
    let leaf = (arith(), 0..6usize, arith()).prop_map(|(a, op, b)| {
        let op = ["==", "!=", "<", "<=", ">", ">="][op];
        format!("({a}) {op} ({b})")
    });
    leaf.prop_recursive(4, 24, 3, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) && ({b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) || ({b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) => ({b})")),
            inner.prop_map(|a| format!("!({a})")),
        ]
    })
}

proptest! {
    #[test]
    fn the_layout_has_the_same_meaning_and_is_stable(guard in condition(), value in arith()) {
        let text = format!("var x, y: int = 0; process P {{ t: when {guard} do x := {value}; }} safe {guard};");
        let tree = parse(&text).expect("it parses");
        let neat = format(&tree);
        let mut ours = load(&text, &[]).expect("it is linear");
        let mut theirs = load(&neat, &[]).expect("the layout is a program");
        // Places differ, nothing else.
        for system in [&mut ours, &mut theirs] {
            system.transitions.iter_mut().for_each(|t| t.span = Default::default());
        }
        prop_assert_eq!(ours, theirs);
        prop_assert_eq!(format(&parse(&neat).expect("it parses")), neat);
    }

    #[test]
    fn no_text_makes_the_front_end_panic(text in "[a-z0-9 :=;{}()@.,<>!&|+*\\[\\]-]{0,120}") {
        let _ = load(&text, &[]);
        let _ = load(&format!("var x: int = 0; process P {{ {text} }}"), &[]);
    }
}
