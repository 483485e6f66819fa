//! Functions of generated programs: plain, recursive, and families behind function pointers.

use super::Gen;
use super::calls::{Callee, Fun, Param};
use super::ints::Int;
use super::places::Var;
use super::tree::Node;
use super::types::Ty;
use super::value::{Op, Taint, Val};

/// What a function's body is generated under; restored afterwards.
struct Outer {
    vars: Vec<Var>,
    depth: u32,
    mult: u32,
    budget: u32,
    work: u32,
    in_loop: u32,
}

impl Gen {
    fn enter(&mut self, params: &[Param], budget: u32, mult: u32) -> Outer {
        let globals = self.vars.iter().filter(|v| v.depth == 0).cloned().collect();
        let outer = Outer {
            vars: std::mem::replace(&mut self.vars, globals),
            depth: std::mem::replace(&mut self.depth, 1),
            mult: std::mem::replace(&mut self.mult, mult),
            budget: std::mem::replace(&mut self.budget, budget),
            work: std::mem::replace(&mut self.work, 0),
            in_loop: std::mem::replace(&mut self.in_loop, 0),
        };
        for param in params {
            // Zero where the recursion stops.
            let fixed = param.counts_down.then_some((0, 3));
            let var = Var {
                name: param.name.clone(),
                ty: param.ty.clone(),
                taint: param.taint,
                depth: 1,
                fixed,
                moved_by_loop: false,
            };
            self.vars.push(var);
        }
        outer
    }

    /// Restores the caller's view; gives the work of one call and what is left of the budget.
    fn exit(&mut self, outer: Outer) -> (u32, u32) {
        let result = (self.work + 1, self.budget);
        self.vars = outer.vars;
        self.depth = outer.depth;
        self.mult = outer.mult;
        self.budget = outer.budget;
        self.work = outer.work;
        self.in_loop = outer.in_loop;
        self.ret = None;
        result
    }

    fn param(&mut self) -> Param {
        let name = self.local_name();
        let ty = match self.rng.weighted(&[50, 20, 20]) {
            1 if !self.structs.is_empty() => Ty::Struct(self.rng.index(self.structs.len())),
            2 => {
                let elem = if !self.structs.is_empty() && self.rng.chance(30) {
                    Ty::Struct(self.rng.index(self.structs.len()))
                } else {
                    Ty::Int(self.any_int())
                };
                Ty::Ptr(Box::new(elem), self.rng.range(1, 3))
            }
            _ => Ty::Int(self.any_int()),
        };
        let taint = self.any_taint(&ty);
        Param { name, ty, taint, counts_down: false }
    }

    fn parameter_list(&self, params: &[Param]) -> String {
        let list: Vec<String> = params.iter().map(|p| self.declare(&p.ty, &p.name)).collect();
        if list.is_empty() { "void".to_owned() } else { list.join(", ") }
    }

    /// Static locals: initialised once, kept between calls.
    fn statics(&mut self, nodes: &mut Vec<Node>) {
        if self.rng.chance(30) {
            let ty = if self.rng.chance(70) { Ty::Int(self.any_int()) } else { self.any_object() };
            let taint = self.any_taint(&ty);
            let name = self.local_name();
            let init = self.initialiser(&ty);
            nodes.push(Node::line(format!("static {} = {init};", self.declare(&ty, &name))));
            self.vars.push(Var { name, ty, taint, depth: 0, fixed: None, moved_by_loop: false });
        }
    }

    /// Adds a plain function.
    pub(super) fn new_function(&mut self) {
        let name = self.file_name("f");
        let params: Vec<Param> = (0..self.rng.range(0, 3)).map(|_| self.param()).collect();
        let ret = match self.rng.weighted(&[65, 20, 15]) {
            1 if !self.structs.is_empty() => Some(Ty::Struct(self.rng.index(self.structs.len()))),
            2 => None,
            _ => Some(Ty::Int(self.any_int())),
        };
        let taint = match &ret {
            Some(ty) => self.any_taint(&ty.clone()),
            None => Taint::Concrete,
        };
        let budget = self.rng.range(0, 1);
        let outer = self.enter(&params, budget, 1);
        self.ret = ret.clone().map(|ty| (ty, taint));
        let mut body = Vec::new();
        self.statics(&mut body);
        let count = self.rng.range(1, 4);
        for _ in 0..count {
            self.statement(1, &mut body);
        }
        match &ret {
            Some(Ty::Int(_)) => body.push(Node::line(format!("return {};", self.expr(taint, 2).text))),
            Some(Ty::Struct(id)) => {
                body.push(Node::line(format!("return {};", self.struct_value(*id, taint))))
            }
            _ => {}
        }
        let (work, left) = self.exit(outer);
        let result = match &ret {
            Some(ty) => self.type_name(ty),
            None => "void".to_owned(),
        };
        let head = format!("static {result} {name}({})", self.parameter_list(&params));
        self.top.push(Node::block(head, body));
        self.funs.push(Fun { callee: Callee::Direct(name), params, ret, taint, cost: budget - left, work });
    }

    /// Adds a function that calls itself, at most three levels deep.
    pub(super) fn new_recursion(&mut self) {
        let name = self.file_name("r");
        let ty = self.any_int();
        let taint = self.any_taint(&Ty::Int(ty));
        let depth = self.local_name();
        let count =
            Param { name: depth.clone(), ty: Ty::Int(Int::Int), taint: Taint::Small, counts_down: true };
        let value = Param { name: self.local_name(), ty: Ty::Int(ty), taint, counts_down: false };
        let params = vec![count, value];
        let taint = taint.max(Taint::Small);
        // Nothing in it may fork on wide values, since it runs a few times for each call.
        let outer = self.enter(&params, 0, 4);
        let stop = self.expr(taint, 1);
        let mut body = vec![Node::line(format!("if ({depth} <= 0) return {};", stop.text))];
        self.statics(&mut body);
        for _ in 0..self.rng.range(0, 2) {
            self.statement(1, &mut body);
        }
        let next = self.expr(params[1].taint, 1);
        let inner = Val::new(format!("{name}({depth} - 1, {})", next.text), ty, taint);
        let op = *self.rng.pick(&[Op::Add, Op::Sub, Op::Xor, Op::Or]);
        let other = self.expr(taint, 1);
        let again = self.rng.chance(20);
        let result = Val::binary(op, &inner, &other);
        // Binary recursion now and then: eight activations instead of three.
        let result = if again { Val::binary(Op::Xor, &inner, &result) } else { result };
        body.push(Node::line(format!("return {};", result.text)));
        let (work, _) = self.exit(outer);
        let head = format!("static {} {name}({})", ty.name(), self.parameter_list(&params));
        self.top.push(Node::block(head, body));
        let ret = Some(Ty::Int(ty));
        let work = work * if again { 4 } else { 1 };
        self.funs.push(Fun { callee: Callee::Direct(name), params, ret, taint, cost: 0, work });
    }

    /// Adds two or three functions of one type with a table of pointers to them, and maybe a callback taker.
    pub(super) fn new_family(&mut self) {
        let ret = self.any_int();
        let types: Vec<Int> = (0..self.rng.range(1, 2)).map(|_| self.any_int()).collect();
        let taint = self.any_taint(&Ty::Int(ret));
        let list = types.iter().map(|t| t.name()).collect::<Vec<_>>().join(", ");
        let members = self.rng.range(2, 3);
        let (mut names, mut work, mut params) = (Vec::new(), 0, Vec::new());
        for _ in 0..members {
            let name = self.file_name("m");
            params = Vec::new();
            for ty in &types {
                params.push(Param { name: self.local_name(), ty: Ty::Int(*ty), taint, counts_down: false });
            }
            let outer = self.enter(&params, 0, 1);
            self.ret = Some((Ty::Int(ret), taint));
            let mut body = Vec::new();
            for _ in 0..self.rng.range(0, 1) {
                self.statement(1, &mut body);
            }
            body.push(Node::line(format!("return {};", self.expr(taint, 2).text)));
            work = work.max(self.exit(outer).0);
            let head = format!("static {} {name}({})", ret.name(), self.parameter_list(&params));
            self.top.push(Node::block(head, body));
            names.push(name);
        }
        let table = self.file_name("t");
        let qualifier = if self.rng.chance(50) { "const " } else { "" };
        let ret_name = ret.name();
        let text =
            format!("static {ret_name} (*{qualifier}{table}[{members}])({list}) = {{{}}};", names.join(", "));
        self.top.push(Node::line(text));
        let callee = if self.rng.chance(40) {
            let apply = self.file_name("a");
            let names: Vec<String> = params.iter().map(|p| p.name.clone()).collect();
            let head = format!(
                "static {ret_name} {apply}({ret_name} (*f)({list}), {})",
                self.parameter_list(&params)
            );
            let call = format!("f({})", names.join(", "));
            let second = Val::new(names[0].clone(), types[0], taint);
            let value = Val::binary(Op::Xor, &Val::new(call, ret, taint), &second);
            self.top.push(Node::block(head, vec![Node::line(format!("return {};", value.text))]));
            Callee::Callback { apply, table, entries: members }
        } else {
            Callee::Table(table, members)
        };
        self.funs.push(Fun { callee, params, ret: Some(Ty::Int(ret)), taint, cost: 0, work });
    }
}
