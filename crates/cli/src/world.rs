//! From flags to the program's world of files, with the host's files read in.
//!
//! Guarantee: a flag that cannot be meant is refused, never narrowed.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use selvedge_engine::{FileContent, OtherFiles, Peers, Stdin, World};

use crate::args::EnvironmentArgs;
use crate::failure::Failure;

/// Bytes of a host file that are given to the program.
const MAX_GIVEN: u64 = 1 << 20;
/// Bytes of a file or of standard input that may be anything.
const MAX_SYMBOLIC: u64 = 4096;

/// The world that the flags describe.
pub(crate) fn world(args: &EnvironmentArgs) -> Result<World, Failure> {
    let mut world = World::default();
    if let Some(file) = &args.stdin {
        world.stdin = Stdin::Bytes(read("--stdin", file)?);
    } else if let Some(n) = args.sym_stdin {
        world.stdin = Stdin::Exactly(bounded("--sym-stdin", n, "standard input")?);
    }
    for file in &args.file {
        let (name, host) = file.split_once('=').unwrap_or((file, file));
        add(&mut world, "--file", name, FileContent::Bytes(read("--file", Path::new(host))?))?;
    }
    for file in &args.sym_file {
        let Some((name, size)) = file.rsplit_once('=') else {
            return Err(Failure::new(format!("--sym-file {file} has no size"))
                .help("give a name and how many bytes the file has at most: --sym-file config.txt=8"));
        };
        let Ok(size) = size.parse::<u64>() else {
            return Err(Failure::new(format!("`{size}` in --sym-file {file} is no number of bytes")));
        };
        let size = bounded("--sym-file", size, name)?;
        add(&mut world, "--sym-file", name, FileContent::UpTo(size))?;
    }
    if !args.peer.is_empty() || !args.sym_peers.is_empty() {
        let given = args.peer.iter().map(|file| Ok(FileContent::Bytes(read("--peer", file)?)));
        let open =
            args.sym_peers.iter().map(|&n| Ok(FileContent::UpTo(bounded("--sym-peers", n, "a peer")?)));
        world.peers = Peers::Given(given.chain(open).collect::<Result<_, Failure>>()?);
    }
    if args.no_files {
        world.others = OtherFiles::None;
    }
    Ok(world)
}

/// Whether a flag says something about the world: then a task of SV-COMP is run in that world.
pub(crate) fn is_described(args: &EnvironmentArgs) -> bool {
    args.no_files
        || args.stdin.is_some()
        || !args.peer.is_empty()
        || !args.sym_peers.is_empty()
        || args.sym_stdin.is_some()
        || !args.file.is_empty()
        || !args.sym_file.is_empty()
}

fn add(world: &mut World, flag: &str, name: &str, content: FileContent) -> Result<(), Failure> {
    let parts = || name.split('/').filter(|part| !part.is_empty());
    let is_plain = parts().next().is_some() && parts().all(|part| part != "." && part != "..");
    if !is_plain || name.ends_with('/') || name.contains('\0') {
        return Err(Failure::new(format!("{flag} `{name}` does not name a file"))
            .help("give a name without `.` and `..`, from where the program starts or from the root"));
    }
    let key = |name: &str| {
        let parts: Vec<&str> = name.split('/').filter(|part| !part.is_empty()).collect();
        if name.starts_with('/') { parts.join("/") } else { format!("home/user/{}", parts.join("/")) }
    };
    let new = key(name);
    for (known, _) in &world.files {
        let known_key = key(known);
        if known_key == new {
            return Err(Failure::new(format!("the file `{name}` is given twice")));
        }
        let is_below =
            |inner: &str, outer: &str| inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('/'));
        if is_below(&known_key, &new) || is_below(&new, &known_key) {
            return Err(Failure::new(format!("`{known}` and `{name}` cannot both be files")));
        }
    }
    if matches!(new.as_str(), "home" | "home/user" | "tmp" | "dev") || new.starts_with("dev/") {
        return Err(Failure::new(format!("{flag} `{name}`: the program's world has something else there")));
    }
    world.files.push((name.to_owned(), content));
    Ok(())
}

fn bounded(flag: &str, size: u64, what: &str) -> Result<u64, Failure> {
    if size <= MAX_SYMBOLIC {
        return Ok(size);
    }
    Err(Failure::new(format!("{flag}: {size} bytes of any content are too many for {what}"))
        .help(format!("give at most {MAX_SYMBOLIC} bytes; a few dozen are explored in reasonable time")))
}

/// The content of a file of the host.
fn read(flag: &str, path: &Path) -> Result<Arc<[u8]>, Failure> {
    let failure = |error: &std::io::Error| Failure::io(&format!("read, for {flag},"), path, error);
    let metadata = std::fs::metadata(path).map_err(|e| failure(&e))?;
    if metadata.is_dir() {
        let help = match flag {
            "--stdin" => "give a file with what the program reads",
            "--peer" => "give a file with what the peer sends",
            _ => "give the files in it one by one",
        };
        return Err(Failure::new(format!("{flag}: {} is a directory", path.display())).help(help));
    }
    // Reading a pipe or a device may wait for ever; the null device is the usual empty file.
    if !metadata.is_file() && path != Path::new("/dev/null") {
        return Err(Failure::new(format!("{flag}: {} is not a regular file", path.display()))
            .help("copy what can be read from it into a file, and give that one"));
    }
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(|e| failure(&e))?;
    file.take(MAX_GIVEN + 1).read_to_end(&mut bytes).map_err(|e| failure(&e))?;
    if bytes.len() as u64 > MAX_GIVEN {
        return Err(Failure::new(format!("{flag}: {} has more than {MAX_GIVEN} bytes", path.display()))
            .help("give a part of the file that is large enough for what is to be checked"));
    }
    Ok(bytes.into())
}
