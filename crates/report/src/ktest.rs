//! KTest files, version 3: the test-case format of KLEE, for `ktest-tool` and `klee-replay`.
//!
//! Layout (all numbers are unsigned, 32 bits, big-endian): `KTEST`, version, number of arguments and each as length and
//! bytes, two counts of symbolic arguments, number of objects and each as length and name, length and bytes.
//! Guarantees: [`KTest::decode`] reads what [`KTest::encode`] writes, and refuses anything else without panicking.

use selvedge_engine::{Input, InputKind};

const MAGIC: &[u8; 5] = b"KTEST";
const VERSION: u32 = 3;

/// Why bytes are not a KTest file.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The first five bytes differ.
    #[error("not a ktest file: the first bytes are not `KTEST`")]
    Magic,
    /// A version this crate does not read.
    #[error("ktest version {0} is not supported, only version 3")]
    Version(u32),
    /// The bytes end too early.
    #[error("the ktest file is truncated")]
    Truncated,
    /// There are bytes after the last object.
    #[error("the ktest file has {0} bytes too many")]
    Trailing(usize),
    /// A name is not UTF-8.
    #[error("a name in the ktest file is not UTF-8")]
    Name,
}

/// One test case.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KTest {
    /// The program and its arguments, as on a command line.
    pub args: Vec<String>,
    /// Number of symbolic arguments (0 unless KLEE's own option made them).
    pub sym_argvs: u32,
    /// Their length.
    pub sym_argv_len: u32,
    /// Input objects in the order the program made them: name and bytes.
    pub objects: Vec<(String, Vec<u8>)>,
}

impl KTest {
    /// The test case that feeds `inputs` to the program called `program`.
    ///
    /// Names follow KLEE's run-time: the bytes of standard input are one object `stdin`, arguments are `arg00`, `arg01`, ...
    /// with their terminator. Inputs that a real run does not take from the test driver (failing allocations,
    /// uninitialised memory) are left out: `klee-replay` matches objects by their order.
    pub fn new(program: &str, args: &[String], inputs: &[Input]) -> Self {
        let mut objects: Vec<(String, Vec<u8>)> = Vec::new();
        let mut stdin = Vec::new();
        let mut n_args = 0;
        for input in inputs {
            match input.kind {
                InputKind::Program => objects.push((input.name.clone(), input.bytes.clone())),
                InputKind::Arg => {
                    let terminated = input.bytes.iter().copied().chain([0]).collect();
                    objects.push((format!("arg{n_args:02}"), terminated));
                    n_args += 1;
                }
                InputKind::Args => {
                    for argument in input.arguments() {
                        objects.push((format!("arg{n_args:02}"), argument.into_iter().chain([0]).collect()));
                        n_args += 1;
                    }
                }
                InputKind::Stdin => stdin.extend_from_slice(&input.bytes),
                InputKind::Environment
                | InputKind::Variable
                | InputKind::File { .. }
                | InputKind::Uninitialised => {}
            }
        }
        if !stdin.is_empty() {
            objects.push(("stdin".to_owned(), stdin));
        }
        let args = std::iter::once(program.to_owned()).chain(args.iter().cloned()).collect();
        KTest { args, sym_argvs: 0, sym_argv_len: 0, objects }
    }

    /// The bytes of the file. Lengths beyond 32 bits cannot be written; such an object is longer than any KLEE accepts.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let number = |out: &mut Vec<u8>, n: usize| {
            out.extend_from_slice(
                &u32::try_from(n).expect("a test case is shorter than 4 GiB").to_be_bytes(),
            );
        };
        let text = |out: &mut Vec<u8>, bytes: &[u8]| {
            number(out, bytes.len());
            out.extend_from_slice(bytes);
        };
        out.extend_from_slice(MAGIC);
        out.extend_from_slice(&VERSION.to_be_bytes());
        number(&mut out, self.args.len());
        for arg in &self.args {
            text(&mut out, arg.as_bytes());
        }
        out.extend_from_slice(&self.sym_argvs.to_be_bytes());
        out.extend_from_slice(&self.sym_argv_len.to_be_bytes());
        number(&mut out, self.objects.len());
        for (name, bytes) in &self.objects {
            text(&mut out, name.as_bytes());
            text(&mut out, bytes);
        }
        out
    }

    /// Reads a file.
    pub fn decode(bytes: &[u8]) -> Result<Self, Error> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(Error::Magic)?;
        let mut reader = Reader { rest };
        match reader.number()? {
            VERSION => {}
            other => return Err(Error::Version(other)),
        }
        let mut test = KTest::default();
        for _ in 0..reader.number()? {
            test.args.push(reader.name()?);
        }
        test.sym_argvs = reader.number()?;
        test.sym_argv_len = reader.number()?;
        for _ in 0..reader.number()? {
            let name = reader.name()?;
            test.objects.push((name, reader.text()?.to_vec()));
        }
        if reader.rest.is_empty() { Ok(test) } else { Err(Error::Trailing(reader.rest.len())) }
    }
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn number(&mut self) -> Result<u32, Error> {
        let (head, rest) = self.rest.split_first_chunk::<4>().ok_or(Error::Truncated)?;
        self.rest = rest;
        Ok(u32::from_be_bytes(*head))
    }

    fn text(&mut self) -> Result<&'a [u8], Error> {
        let len = self.number()? as usize;
        let (head, rest) = self.rest.split_at_checked(len).ok_or(Error::Truncated)?;
        self.rest = rest;
        Ok(head)
    }

    fn name(&mut self) -> Result<String, Error> {
        String::from_utf8(self.text()?.to_vec()).map_err(|_| Error::Name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{self, input};

    #[test]
    fn the_bytes_are_those_klee_writes() {
        let test =
            KTest { args: vec!["a.bc".into()], objects: vec![("x".into(), vec![1, 2])], ..KTest::default() };
        let expected: &[&[u8]] = &[
            b"KTEST",
            &[0, 0, 0, 3],
            &[0, 0, 0, 1],
            &[0, 0, 0, 4],
            b"a.bc",
            &[0, 0, 0, 0],
            &[0, 0, 0, 0],
            &[0, 0, 0, 1],
            &[0, 0, 0, 1],
            b"x",
            &[0, 0, 0, 2],
            &[1, 2],
        ];
        assert_eq!(test.encode(), expected.concat());
    }

    #[test]
    fn written_files_are_read_back_and_every_prefix_is_refused() {
        let test = KTest::new("sum.c", &["-v".into()], &sample::bug().inputs);
        let bytes = test.encode();
        assert_eq!(KTest::decode(&bytes), Ok(test));
        for end in 0..bytes.len() {
            assert!(KTest::decode(&bytes[..end]).is_err(), "prefix of {end} bytes was accepted");
        }
    }

    #[test]
    fn foreign_bytes_are_refused_with_the_reason() {
        assert_eq!(KTest::decode(b"ELF"), Err(Error::Magic));
        assert_eq!(KTest::decode(b"KTEST\0\0\0\x04"), Err(Error::Version(4)));
        assert_eq!(KTest::decode(b"KTEST\0\0\0\x03\xff\xff\xff\xff"), Err(Error::Truncated));
        let mut bytes = KTest::default().encode();
        bytes.push(0);
        assert_eq!(KTest::decode(&bytes), Err(Error::Trailing(1)));
    }

    #[test]
    fn only_inputs_that_a_driver_feeds_become_objects_named_as_klee_does() {
        let inputs = [
            input("argv[1]", "1 byte", "2d", b"-", InputKind::Arg),
            input("stdin[0]", "unsigned char", "97", b"a", InputKind::Stdin),
            input("n", "int", "1", &[1, 0, 0, 0], InputKind::Program),
            input("malloc fails", "bool", "1", &[1], InputKind::Environment),
            input("buf[0]", "char", "7", &[7], InputKind::Uninitialised),
            input("stdin[1]", "unsigned char", "98", b"b", InputKind::Stdin),
        ];
        let test = KTest::new("p", &[], &inputs);
        let objects: Vec<(&str, &[u8])> =
            test.objects.iter().map(|(n, b)| (n.as_str(), b.as_slice())).collect();
        assert_eq!(objects, [("arg00", &b"-\0"[..]), ("n", &[1, 0, 0, 0]), ("stdin", b"ab")]);
    }
}
