//! Functions and blocks of the text form, and the registers they describe.

use std::collections::BTreeMap;

use super::{ErrorKind, Parsed, Parser};
use crate::lexer::Token;
use crate::{Block, Function, Reg, RegInfo};

/// Registers described so far. Invariant: one description for each register.
#[derive(Default)]
pub(super) struct Regs(BTreeMap<Reg, RegInfo>);

impl Regs {
    fn describe(&mut self, reg: Reg, info: RegInfo) -> Parsed<()> {
        match self.0.get(&reg) {
            Some(known) if *known != info => Err(ErrorKind::RegisterConflict(reg.to_string())),
            _ => {
                self.0.insert(reg, info);
                Ok(())
            }
        }
    }
}

impl Parser {
    pub(super) fn function(&mut self, defined: bool) -> Parsed<()> {
        let mut regs = Regs::default();
        let (name, mut params, mut byval, mut variadic) = (self.symbol()?, Vec::new(), Vec::new(), false);
        self.punct("(")?;
        if !self.eat(")") {
            loop {
                if self.eat("...") {
                    variadic = true;
                    break;
                }
                params.push(self.description(&mut regs)?);
                byval.push(if self.eat_word("byval") { Some(self.number("size")?) } else { None });
                if !self.eat(",") {
                    break;
                }
            }
            self.punct(")")?;
        }
        let ret = if self.eat("->") { self.comma_list(Parser::ty)? } else { Vec::new() };
        let is_runtime = self.eat_word("runtime");
        let is_weak = self.eat_word("weak");
        let display_name = if self.eat_word("display") { Some(self.string()?) } else { None };
        let loc = self.optional_loc()?;
        let mut func = Function {
            name,
            display_name,
            params,
            byval,
            ret,
            variadic,
            regs: selvedge_base::Dense::new(),
            blocks: selvedge_base::Dense::new(),
            loc,
            is_runtime,
            is_weak,
        };
        if defined || *self.peek() == Token::Punct("{") {
            self.body(&mut func, &mut regs, defined)?;
        }
        for (reg, info) in regs.0 {
            let next = func.regs.next_id();
            if reg != next {
                return Err(ErrorKind::RegisterMissing(next.to_string()));
            }
            func.regs.push(info);
        }
        self.program.funcs.push(func);
        Ok(())
    }

    fn body(&mut self, func: &mut Function, regs: &mut Regs, defined: bool) -> Parsed<()> {
        self.punct("{")?;
        while self.eat_word("reg") {
            self.description(regs)?;
        }
        if defined {
            loop {
                self.block(func, regs)?;
                if *self.peek() == Token::Punct("}") {
                    break;
                }
            }
        }
        self.punct("}")
    }

    fn block(&mut self, func: &mut Function, regs: &mut Regs) -> Parsed<()> {
        self.numbered("bb", func.blocks.next_id().0)?;
        let mut block = Block::default();
        if *self.peek() == Token::Punct("(") {
            block.params = self.list_in("(", ")", |p| p.description(regs))?;
        }
        self.punct(":")?;
        while !self.at_block_end() {
            block.insts.push(self.inst(regs)?);
            block.locs.push(self.optional_loc()?);
        }
        func.blocks.push(block);
        Ok(())
    }

    /// Whether a label or the end of the function stands here. No mnemonic starts with `bb` and a digit.
    fn at_block_end(&self) -> bool {
        match self.peek() {
            Token::Punct("}") | Token::End => true,
            Token::Word(word) => word
                .strip_prefix("bb")
                .is_some_and(|rest| rest.bytes().next().is_some_and(|b| b.is_ascii_digit())),
            _ => false,
        }
    }

    /// A register with its type, and its variable if it has one: `%3: i32 "x" ty4`.
    pub(super) fn description(&mut self, regs: &mut Regs) -> Parsed<Reg> {
        let Token::Reg(index) = *self.peek() else { return Err(self.expected("a register")) };
        self.at += 1;
        self.punct(":")?;
        let ty = self.ty()?;
        let name = if matches!(self.peek(), Token::Text(_)) { Some(self.string()?.into()) } else { None };
        let var_ty = self.optional_type()?;
        regs.describe(Reg(index), RegInfo { ty, name, var_ty })?;
        Ok(Reg(index))
    }
}
