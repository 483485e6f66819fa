//! The syntax tree: what was written, with places.

use num_bigint::BigInt;

use crate::error::Span;
pub use crate::token::Comment;

/// A name with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// A whole source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// Declarations in order.
    pub items: Vec<Item>,
    /// All comments in order.
    pub comments: Vec<Comment>,
    /// The text this was parsed from; the formatter reads blank lines from it.
    pub source: String,
}

/// A declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// What is declared.
    pub kind: ItemKind,
    /// From its first word to its semicolon or brace.
    pub span: Span,
}

/// Kinds of declarations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ItemKind {
    /// `const N = 3;`
    Const(Name, Expr),
    /// `enum Color { red, green }`
    Enum(Name, Vec<Name>),
    /// `var x: int = 0;`
    Var(VarDecl),
    /// `define busy(i) = P[i]@crit;`
    Define(Name, Vec<Name>, Expr),
    /// `init x < y;`
    Init(Expr),
    /// `safe ...;` or, negated, `bad ...;`
    Property {
        /// Whether the states described are the bad ones.
        bad: bool,
        /// The states.
        expr: Expr,
    },
    /// `process P[i: 1..N] { ... }`
    Process(Process),
}

/// `var x, y[N]: int = 0;`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VarDecl {
    /// Names, with the size if it is an array.
    pub names: Vec<(Name, Option<Expr>)>,
    /// Their type.
    pub ty: Type,
    /// The initial value.
    pub init: Option<Init>,
}

/// A type as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Type {
    /// `int`
    Int,
    /// `bool`
    Bool,
    /// The name of an enumeration.
    Enum(Name),
}

/// What a variable is at the start, or becomes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Init {
    /// A value.
    Value(Expr),
    /// Any value.
    Nondet(Span),
}

/// `[i: 1..N]`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Range {
    /// The index.
    pub name: Name,
    /// First value.
    pub low: Expr,
    /// Last value.
    pub high: Expr,
}

/// A process or a family of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Process {
    /// Its name.
    pub name: Name,
    /// The index of a family.
    pub range: Option<Range>,
    /// Locations and variables in order, before the transitions.
    pub locals: Vec<Local>,
}

/// A line of a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Local {
    /// What it is.
    pub kind: LocalKind,
    /// From its first word to its semicolon.
    pub span: Span,
}

/// Kinds of lines of a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LocalKind {
    /// `loc idle, busy;`; the first is where the process starts.
    Locations(Vec<Name>),
    /// A variable of each process of the family.
    Var(VarDecl),
    /// A transition or a family of them.
    Transition(Box<TransitionDecl>),
}

/// `enter[j: 0..N-1]: at idle when x > 0 do x := 1, y := nondet goto busy;`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TransitionDecl {
    /// Its name.
    pub name: Name,
    /// The index of a family.
    pub range: Option<Range>,
    /// Locations from which it can be taken; any if empty.
    pub at: Vec<Name>,
    /// Its guard.
    pub when: Option<Expr>,
    /// Concurrent assignments.
    pub assigns: Vec<(Expr, Init)>,
    /// The location it leads to, if another.
    pub goto: Option<Name>,
}

/// An expression with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where.
    pub span: Span,
}

/// Operators between two expressions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinOp {
    /// `*`
    Mul,
    /// `mod`
    Mod,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `=>`
    Implies,
}

impl BinOp {
    /// As written.
    pub fn sign(self) -> &'static str {
        match self {
            BinOp::Mul => "*",
            BinOp::Mod => "mod",
            BinOp::Eq => "==",
            BinOp::Ne => "!=",
            BinOp::Lt => "<",
            BinOp::Le => "<=",
            BinOp::Gt => ">",
            BinOp::Ge => ">=",
            BinOp::Implies => "=>",
        }
    }
}

/// What unrolling a range makes of its bodies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fold {
    /// `forall`
    All,
    /// `exists`
    Any,
    /// `sum`
    Sum,
}

/// Kinds of expressions. Chains of `&&`, `||`, `+` are flat, so that depth comes from nesting only.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExprKind {
    /// A number.
    Number(BigInt),
    /// `true` or `false`
    Bool(bool),
    /// No transition is possible.
    Deadlock,
    /// `a`, `a[e]`, `P[e].t`: a variable, constant, enumerator, index or macro without parameters.
    Path(Path),
    /// `P[e]@crit`; without a process, of the process it stands in.
    At(Option<Path>, Name),
    /// `busy(e, e)`
    Call(Name, Vec<Expr>),
    /// `-e`
    Neg(Box<Expr>),
    /// `!e`
    Not(Box<Expr>),
    /// Summands, each with whether it is subtracted.
    Sum(Vec<(bool, Expr)>),
    /// `e && e && ..`
    And(Vec<Expr>),
    /// `e || e || ..`
    Or(Vec<Expr>),
    /// Any other operator.
    Binary(BinOp, Box<Expr>, Box<Expr>),
    /// `forall i: a..b (e)`
    Fold(Fold, Box<Range>, Box<Expr>),
}

/// `name[index].field[index]`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Path {
    /// The first name.
    pub name: Name,
    /// Its index.
    pub index: Option<Box<Expr>>,
    /// A variable of a process, with its index.
    pub field: Option<(Name, Option<Box<Expr>>)>,
}
