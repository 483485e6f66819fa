//! Reads untrusted bitcode or IR in a child process.
//!
//! LLVM's readers are not made for hostile input: of 300 random mutations of a small bitcode file
//! about thirteen made them crash, run out of memory, or end the process with a fatal error. So a
//! file that was not just written by clang is first read by a forked child, which hands back what
//! LLVM understood, written out again. Only that, well-formed by construction, is read by us.
//!
//! Guarantees: whatever the file contains, this returns. The child has a limit on time and memory,
//! and LLVM's own output to standard error goes nowhere.
//! Relies on: no other thread of this process is inside LLVM at the moment of the fork, since a lock
//! that it holds would stay locked in the child. [`LlvmGuard`] sees to that.
#![expect(unsafe_code, reason = "forks the process")]

use std::fs::File;
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::os::fd::AsRawFd;
use std::sync::{RwLock, RwLockReadGuard};

use crate::Error;
use crate::clang::IrFile;
use crate::llvm::Context;

/// A child that needs longer is stopped. Whole-program bitcode of 8 MB takes about a second.
const MAX_SECONDS: u32 = 120;

/// A child that needs more memory fails to get it.
const MAX_BYTES: libc::rlim_t = 16 << 30;

/// How plain and wrapped bitcode begin.
const MARKS: [&[u8]; 2] = [b"BC\xc0\xde", b"\xde\xc0\x17\x0b"];

/// First byte of the child's answer.
const ACCEPTED: u8 = b'+';
const REJECTED: u8 = b'-';

/// Held for reading by whoever is inside LLVM, for writing by whoever forks. It protects no data:
/// it only keeps the two apart.
static LLVM_IN_USE: RwLock<()> = RwLock::new(());

/// While this lives, the process does not fork here.
pub(crate) struct LlvmGuard(#[expect(dead_code, reason = "held, not read")] RwLockReadGuard<'static, ()>);

impl LlvmGuard {
    pub(crate) fn enter() -> Self {
        LlvmGuard(LLVM_IN_USE.read().unwrap_or_else(std::sync::PoisonError::into_inner))
    }
}

/// Gives the file as well-formed bitcode.
pub(crate) fn sanitise(file: &IrFile) -> Result<Vec<u8>, Error> {
    let temporary = |source| Error::Temporary { source };
    let bad = |message| Error::BadIr { path: file.path.clone(), form: file.form, message };
    if file.bytes.is_empty() {
        return Err(bad("the file is empty".to_owned()));
    }
    if file.form == "bitcode" && !MARKS.iter().any(|mark| file.bytes.starts_with(mark)) {
        return Err(bad("it does not begin like bitcode".to_owned()));
    }
    let (mut reader, writer) = std::io::pipe().map_err(temporary)?;
    let mut noise = tempfile::tempfile().map_err(temporary)?;

    let guard = LLVM_IN_USE.write().unwrap_or_else(std::sync::PoisonError::into_inner);
    // SAFETY: the child touches nothing but its own memory, the pipe and the temporary file, and
    // leaves by `_exit`. No other thread is inside LLVM (see the module's documentation), and glibc
    // keeps its allocator usable across a fork.
    let child = unsafe { libc::fork() };
    if child == 0 {
        drop(reader);
        be_the_child(file, writer, &noise);
    }
    drop(guard);
    drop(writer);
    if child < 0 {
        return Err(temporary(std::io::Error::last_os_error()));
    }

    let mut answer = Vec::new();
    let read = reader.read_to_end(&mut answer);
    let mut status = 0;
    // SAFETY: waits for the child made above; `status` is a place for the answer.
    while unsafe { libc::waitpid(child, &raw mut status, 0) } < 0
        && std::io::Error::last_os_error().kind() == ErrorKind::Interrupted
    {}
    read.map_err(temporary)?;
    match answer.split_first() {
        Some((&ACCEPTED, bitcode)) if libc::WIFEXITED(status) => Ok(bitcode.to_vec()),
        Some((&REJECTED, message)) => Err(bad(printable(&String::from_utf8_lossy(message)))),
        _ => Err(bad(crash_message(status, &mut noise))),
    }
}

/// LLVM quotes the input, which may be anything and of any length.
fn printable(message: &str) -> String {
    const SHOWN: usize = 2000;
    let is_fine = |c: &char| *c == '\n' || (!c.is_control() && *c != char::REPLACEMENT_CHARACTER);
    let mut text: String = message.chars().take(SHOWN).map(|c| if is_fine(&c) { c } else { '?' }).collect();
    if message.chars().nth(SHOWN).is_some() {
        text.push_str("...");
    }
    text
}

/// What to say about a child that gave no answer.
fn crash_message(status: i32, noise: &mut File) -> String {
    let mut text = String::new();
    let read = noise.seek(SeekFrom::Start(0)).and_then(|_| noise.read_to_string(&mut text));
    let fatal = text.lines().find_map(|line| line.strip_prefix("LLVM ERROR: "));
    match fatal {
        Some(message) if read.is_ok() => format!("LLVM gave up on it: {message}"),
        _ if libc::WIFSIGNALED(status) && libc::WTERMSIG(status) == libc::SIGALRM => {
            format!("LLVM did not finish reading it within {MAX_SECONDS} seconds")
        }
        _ if libc::WIFSIGNALED(status) => {
            format!("LLVM crashed while reading it (signal {})", libc::WTERMSIG(status))
        }
        _ => "LLVM ended without an answer while reading it".to_owned(),
    }
}

fn be_the_child(file: &IrFile, mut answer: std::io::PipeWriter, noise: &File) -> ! {
    let limit = libc::rlimit { rlim_cur: MAX_BYTES, rlim_max: MAX_BYTES };
    let no_core = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: plain system calls; file descriptor 2 is replaced in this process only. The default
    // actions make LLVM's crashes silent instead of going to handlers that the parent installed.
    unsafe {
        libc::dup2(noise.as_raw_fd(), libc::STDERR_FILENO);
        libc::setrlimit(libc::RLIMIT_AS, &raw const limit);
        libc::setrlimit(libc::RLIMIT_CORE, &raw const no_core);
        for signal in [
            libc::SIGSEGV,
            libc::SIGBUS,
            libc::SIGABRT,
            libc::SIGALRM,
            libc::SIGINT,
            libc::SIGTERM,
            libc::SIGPIPE,
        ] {
            libc::signal(signal, libc::SIG_DFL);
        }
        libc::alarm(MAX_SECONDS);
        // Nobody wants the answer of a child whose parent has given up.
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
    }
    // A panic here would unwind into a copy of the caller's stack.
    let work = std::panic::catch_unwind(|| {
        let context = Context::new();
        let module = context.parse(&file.path.to_string_lossy(), &file.bytes)?;
        module.verify()?;
        let bitcode = module.to_bitcode();
        // A reader that corrupted its memory may have written nonsense; better found here.
        context.parse("", &bitcode)?.verify()?;
        Ok::<Vec<u8>, String>(bitcode)
    });
    let (tag, content) = match work {
        Ok(Ok(bitcode)) => (ACCEPTED, bitcode),
        Ok(Err(message)) => (REJECTED, message.into_bytes()),
        Err(_) => (REJECTED, b"the reader failed".to_vec()),
    };
    let sent = answer.write_all(&[tag]).and_then(|()| answer.write_all(&content));
    // SAFETY: ends the child at once, without running what the parent registered for its exit.
    unsafe { libc::_exit(i32::from(sent.is_err())) }
}
