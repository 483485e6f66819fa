//! Declarations: constants, types, variables, macros, processes and their transitions, properties.

use super::{Parser, Result};
use crate::ast::{
    Expr, ExprKind, Init, Item, ItemKind, Local, LocalKind, Process, Range, TransitionDecl, Type, VarDecl,
};
use crate::token::Token;

impl Parser {
    pub(super) fn item(&mut self) -> Result<Item> {
        let start = self.span();
        let kind = if self.eat("const") {
            let name = self.name("the name of a constant")?;
            self.expect("=")?;
            let value = self.expr()?;
            self.expect(";")?;
            ItemKind::Const(name, value)
        } else if self.eat("enum") {
            let name = self.name("the name of an enumeration")?;
            self.expect("{")?;
            let members = self.names("the name of a member")?;
            self.expect("}")?;
            self.eat(";");
            ItemKind::Enum(name, members)
        } else if self.eat("var") {
            ItemKind::Var(self.var_decl()?)
        } else if self.eat("define") {
            let name = self.name("the name of a macro")?;
            let mut params = Vec::new();
            if self.eat("(") {
                params = self.names("the name of a parameter")?;
                self.expect(")")?;
            }
            self.expect("=")?;
            let body = self.expr()?;
            self.expect(";")?;
            ItemKind::Define(name, params, body)
        } else if self.eat("init") {
            let expr = self.expr()?;
            self.expect(";")?;
            ItemKind::Init(expr)
        } else if self.is(&Token::Sign("safe")) || self.is(&Token::Sign("bad")) {
            let bad = self.is(&Token::Sign("bad"));
            self.advance();
            let expr = self.expr()?;
            self.expect(";")?;
            ItemKind::Property { bad, expr }
        } else if self.eat("process") {
            ItemKind::Process(self.process()?)
        } else {
            return Err(self.unexpected("a declaration").help(
                "a declaration starts with `const`, `enum`, `var`, `define`, `init`, `process`, `safe` or `bad`",
            ));
        };
        Ok(Item { kind, span: start.to(self.last()) })
    }

    fn var_decl(&mut self) -> Result<VarDecl> {
        let mut names = Vec::new();
        loop {
            let name = self.name("the name of a variable")?;
            let mut size = None;
            if self.eat("[") {
                size = Some(self.expr()?);
                self.expect("]")?;
            }
            names.push((name, size));
            if !self.eat(",") {
                break;
            }
        }
        self.expect(":")?;
        let ty = if self.eat("int") {
            Type::Int
        } else if self.eat("bool") {
            Type::Bool
        } else {
            Type::Enum(self.name("`int`, `bool` or the name of an enumeration")?)
        };
        let init = if self.eat("=") { Some(self.value()?) } else { None };
        self.expect(";")?;
        Ok(VarDecl { names, ty, init })
    }

    fn value(&mut self) -> Result<Init> {
        let span = self.span();
        if self.eat("nondet") { Ok(Init::Nondet(span)) } else { Ok(Init::Value(self.expr()?)) }
    }

    pub(super) fn range(&mut self) -> Result<Range> {
        let name = self.name("the name of an index")?;
        self.expect(":")?;
        let low = self.sum()?;
        self.expect("..")?;
        let high = self.sum()?;
        Ok(Range { name, low, high })
    }

    fn bracketed_range(&mut self) -> Result<Option<Range>> {
        if !self.eat("[") {
            return Ok(None);
        }
        let range = self.range()?;
        self.expect("]")?;
        Ok(Some(range))
    }

    fn process(&mut self) -> Result<Process> {
        let name = self.name("the name of a process")?;
        let range = self.bracketed_range()?;
        self.expect("{")?;
        let mut locals = Vec::new();
        while !self.eat("}") {
            let start = self.span();
            let kind = if self.eat("loc") {
                let names = self.names("the name of a location")?;
                self.expect(";")?;
                LocalKind::Locations(names)
            } else if self.eat("var") {
                LocalKind::Var(self.var_decl()?)
            } else {
                LocalKind::Transition(Box::new(self.transition()?))
            };
            locals.push(Local { kind, span: start.to(self.last()) });
        }
        Ok(Process { name, range, locals })
    }

    fn transition(&mut self) -> Result<TransitionDecl> {
        if !matches!(self.peek(), Token::Name(_)) {
            return Err(self.unexpected("`loc`, `var`, `}` or the name of a transition"));
        }
        let name = self.name("the name of a transition")?;
        let range = self.bracketed_range()?;
        self.expect(":")?;
        let mut at = Vec::new();
        if self.eat("at") {
            at.push(self.name("the name of a location")?);
            while self.eat("|") {
                at.push(self.name("the name of a location")?);
            }
        }
        let when = if self.eat("when") { Some(self.expr()?) } else { None };
        let mut assigns = Vec::new();
        if self.eat("do") {
            loop {
                let start = self.span();
                let path = self.path()?;
                let target = Expr { kind: ExprKind::Path(path), span: start.to(self.last()) };
                self.expect(":=")?;
                assigns.push((target, self.value()?));
                if !self.eat(",") {
                    break;
                }
            }
        }
        let goto = if self.eat("goto") { Some(self.name("the name of a location")?) } else { None };
        if !self.eat(";") {
            return Err(self.unexpected("`;`").help(
                "the parts of a transition come in the order `at`, `when`, `do`, `goto`, each at most once",
            ));
        }
        Ok(TransitionDecl { name, range, at, when, assigns, goto })
    }
}
