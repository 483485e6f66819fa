//! What the run-time asks about the program's world of files: what the user said about it, and inputs for the rest.
//!
//! The world itself is C code (`frontend/runtime/world.h`); its state is memory like any other.

use std::rc::Rc;

use selvedge_por::{Access, Location, Mode};
use selvedge_program::{BinOp, CastOp, Ty};

use super::Model;
use crate::finding::{Res, unsupported};
use crate::memory::{KEPT, MAX_OBJECT};
use crate::ops;
use crate::state::{FileRole, InputKind, InputType};
use crate::step::{Offset, Step};
use crate::sync::{Family, key};
use crate::value::Value;
use crate::world::{FileContent, OtherFiles, PEER, Peers, Stdin};
use selvedge_library::World;

/// Sizes of such a block to fork over.
const MAX_SIZES: usize = 4096;

/// What `__selvedge_world` is asked: `enum question` in `world.h`.
const N_FILES: u64 = 0;
const LENGTH_OF_NAME: u64 = 1;
const IS_SYMBOLIC: u64 = 2;
const SIZE_OF_FILE: u64 = 3;
const BOUND_OF_FILES: u64 = 4;
const N_PEERS: u64 = 5;
const BOUND_OF_PEERS: u64 = 6;
const SIZE_OF_PEER: u64 = 7;
const PEER_IS_SYMBOLIC: u64 = 8;
const IO_MAY_FAIL: u64 = 9;

pub(super) fn model(function: World) -> Model {
    match function {
        World::Stdin => |s, _, _, _| s.stdin_byte(),
        World::StdinBound => |s, _, _, _| {
            let bound = match s.m.options.surroundings.world.stdin {
                Stdin::Bytes(_) | Stdin::Exactly(_) => -1,
                Stdin::UpTo(n) => n as i64,
                Stdin::Task => -2,
            };
            s.returns_number(bound)
        },
        World::Keep => |s, _, _, v| s.keep(v[0]),
        World::Answer => |s, _, _, v| s.answer_about_world(v[0], v[1]),
        World::Bytes => |s, _, _, v| s.bytes_of_world(v[0], v[2], v[3]),
        World::WaitsForOutside => |s, _, _, v| {
            let does = s.plain(v[0], 32)? != 0;
            s.st.thread_mut().waits_for_outside = does;
            s.returns_nothing()
        },
        World::FileInput => |s, _, _, v| s.file_input(v),
    }
}

impl Step<'_, '_> {
    fn returns_number(&mut self, number: i64) -> Res<()> {
        let bits = self.ptr_bits();
        self.returns(Value::Int(crate::value::truncate(number as u64, bits)))
    }

    /// The next byte of standard input, or -1. How many there are is the run-time's business if it is not given.
    fn stdin_byte(&mut self) -> Res<()> {
        let end_of_file = Value::Int(u64::from(u32::MAX));
        let pos = self.st.stdin_pos;
        let (available, given) = match &self.m.options.surroundings.world.stdin {
            Stdin::Bytes(bytes) => (bytes.len() as u64, bytes.get(pos as usize).copied()),
            Stdin::Exactly(n) => (*n, None),
            Stdin::UpTo(_) => (u64::MAX, None),
            Stdin::Task => (0, None),
        };
        if self.st.is_concurrent && available > 0 {
            let access = Access::read_write(Location::Sync(key(Family::Stdin, 0)));
            self.gate([access])?;
            self.note(access);
        }
        if pos >= available {
            return self.returns(end_of_file);
        }
        let value = match given {
            Some(byte) => Value::Int(u64::from(byte)),
            None => {
                let value = self.peek_input(1);
                let bits = self.ptr_bits();
                let value = ops::cast(&mut self.m.pool, CastOp::ZExt, Ty::Int(8), Ty::Int(32), bits, value);
                let name = format!("stdin[{pos}]");
                self.consume_input(name.into(), InputType::Unsigned("unsigned char"), 1, InputKind::Stdin);
                value
            }
        };
        self.st.stdin_pos += 1;
        self.returns(value)
    }

    /// A block of zeros that is always there, that nobody releases, and that is no leak.
    fn keep(&mut self, size: Value) -> Res<()> {
        let bits = self.ptr_bits();
        let size = self.concretise(size, bits, MAX_SIZES, "the size of a part of the world")?;
        if size > MAX_OBJECT {
            return unsupported(format!("a file of {size} bytes"));
        }
        let block = self.block(size, 16, KEPT.into(), true)?;
        self.returns(block)
    }

    /// A number that is concrete because the run-time made it.
    fn plain(&mut self, value: Value, bits: u32) -> Res<u64> {
        self.concretise(value, bits, 64, "a question about the world")
    }

    fn answer_about_world(&mut self, question: Value, file: Value) -> Res<()> {
        let bits = self.ptr_bits();
        let (question, file) = (self.plain(question, 32)?, self.plain(file, bits)? as usize);
        let world = &self.m.options.surroundings.world;
        let given = || world.files.get(file);
        let answer = match question {
            N_FILES => Some(world.files.len() as i64),
            LENGTH_OF_NAME => given().map(|(name, _)| name.len() as i64),
            IS_SYMBOLIC => given().map(|(_, content)| i64::from(content.is_symbolic())),
            SIZE_OF_FILE => given().map(|(_, content)| content.bound() as i64),
            BOUND_OF_FILES => Some(match world.others {
                OtherFiles::UpTo(n) => n as i64,
                OtherFiles::None => 0,
                OtherFiles::Task => -1,
            }),
            N_PEERS => Some(match &world.peers {
                Peers::Given(peers) => peers.len() as i64,
                Peers::UpTo(_) => -1,
                Peers::Task => -2,
            }),
            BOUND_OF_PEERS => match world.peers {
                Peers::UpTo(n) => Some(n as i64),
                _ => None,
            },
            SIZE_OF_PEER => world.given_peer(file).map(|content| content.bound() as i64),
            PEER_IS_SYMBOLIC => world.given_peer(file).map(|content| i64::from(content.is_symbolic())),
            IO_MAY_FAIL => Some(i64::from(self.m.options.surroundings.failing.io)),
            _ => None,
        };
        match answer {
            Some(answer) => self.returns_number(answer),
            None => unsupported("a question about a file that was not given"),
        }
    }

    fn bytes_of_world(&mut self, to: Value, question: Value, file: Value) -> Res<()> {
        let bits = self.ptr_bits();
        let (question, file) = (self.plain(question, 32)?, self.plain(file, bits)? as usize);
        let world = &self.m.options.surroundings.world;
        let (name, content) = match question {
            SIZE_OF_PEER => (None, world.given_peer(file)),
            _ => world.files.get(file).map(|(name, content)| (name, content)).unzip(),
        };
        let bytes: Vec<u8> = match (question, name, content) {
            (LENGTH_OF_NAME, Some(name), _) => name.as_bytes().to_vec(),
            (SIZE_OF_FILE | SIZE_OF_PEER, _, Some(FileContent::Bytes(bytes))) => bytes.to_vec(),
            _ => return unsupported("bytes of a file that was not given"),
        };
        if bytes.is_empty() {
            return self.returns_nothing();
        }
        let (obj, off) = self.written_range(to, bytes.len() as u64)?;
        let object = self.st.mem.get_mut(obj).expect("resolved");
        let mut cx = self.m.symbols();
        object.content.put(&mut cx, off, &bytes);
        self.record_writer(obj, off, bytes.len() as u64);
        self.returns_nothing()
    }

    /// Where `size` bytes from `to` on are about to be written.
    fn written_range(&mut self, to: Value, size: u64) -> Res<(crate::value::ObjId, u64)> {
        let bits = self.ptr_bits();
        let (obj, off) = self.resolve(to, size, true)?;
        let off = match off {
            Offset::At(off) => off,
            Offset::Sym(t) => self.concretise(Value::Term(t), bits, 64, "a place in the world")?,
        };
        self.touch(obj, Offset::At(off), size, Mode::Write)?;
        self.has_effect();
        Ok((obj, off))
    }

    /// `__selvedge_file_input(to, size, name, length, role)`: fills memory with an input about a file.
    fn file_input(&mut self, values: &[Value]) -> Res<()> {
        let &[to, size, name, length, role] = values else {
            return unsupported("an input about a file of this form");
        };
        let bits = self.ptr_bits();
        let size = self.concretise(size, bits, MAX_SIZES, "the size of a file")?;
        let length = self.plain(length, bits)?;
        let role = match self.plain(role, 32)? {
            0 => FileRole::Exists,
            1 => FileRole::Length,
            2 => FileRole::Content,
            3 => FileRole::Part,
            4 => FileRole::Time,
            5 => FileRole::Terminal,
            6 => FileRole::Late,
            _ => return unsupported("an input of a file of this kind"),
        };
        let mut file = Vec::new();
        for i in 0..length {
            let at = ops::bin(&mut self.m.pool, BinOp::Add, bits, name, Value::Int(i));
            // A symbolic byte is known once the inputs are.
            file.push(ops::concrete(self.load(at, Ty::Int(8))?).map_or(b'?', |byte| byte as u8));
        }
        let file: Rc<str> = String::from_utf8_lossy(&file).into();
        let (obj, off) = self.written_range(to, size)?;
        let (name, ty) = role.describe(&file);
        let source = self.consume_input(name.into(), ty, size, InputKind::File { name: file, role });
        let object = self.st.mem.get_mut(obj).expect("resolved");
        let mut cx = self.m.symbols();
        object.content.put_lazy(&mut cx, off, size, source, 0);
        self.record_writer(obj, off, size);
        self.returns_nothing()
    }
}

impl FileRole {
    /// The name and type of an input for a person.
    fn describe(self, file: &str) -> (String, InputType) {
        let what = match file {
            "/dev/stdin" => "stdin".to_owned(),
            _ => match file.strip_prefix(PEER) {
                Some(number) => format!("peer {number}"),
                None => format!("file {file}"),
            },
        };
        match self {
            FileRole::Exists if file.starts_with(PEER) => {
                (format!("{what}: answers"), InputType::Unsigned("_Bool"))
            }
            FileRole::Exists => (format!("{what}: exists"), InputType::Unsigned("_Bool")),
            FileRole::Length => (format!("{what}: length"), InputType::Unsigned("unsigned int")),
            FileRole::Content if file.starts_with(PEER) => (what, InputType::Bytes(None)),
            FileRole::Content => (file.to_owned(), InputType::Bytes(None)),
            FileRole::Part => (format!("{what}: first part"), InputType::Unsigned("unsigned int")),
            FileRole::Time => (file.to_owned(), InputType::Signed("long long")),
            FileRole::Terminal => (format!("{what}: is a terminal"), InputType::Unsigned("_Bool")),
            FileRole::Late => (format!("{what}: is late"), InputType::Unsigned("_Bool")),
        }
    }
}
