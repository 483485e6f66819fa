//! Programs whose surroundings are known: cases of calls that print what they gave.
//!
//! In half of the cases streams have no buffer, and any call may follow any other. In the others streams are as the system
//! has them; there, what goes through a stream is looked at through that stream only, as a buffer could be seen otherwise.

use std::fmt::Write as _;

use super::Surroundings;
use crate::generator::Rng;

const PRELUDE: &str = include_str!("../../../../tests/native/world_calls.h");

const MAIN: &str = "
int __VERIFIER_nondet_int(void);
int main(int argc, char **argv)
{
#ifdef NATIVE
    int chosen = atoi(argv[1]);
    argv[1] = argv[0], argc--, argv++;
#else
    int chosen = __VERIFIER_nondet_int();
#endif
    /* A signal may end the program. */
    setvbuf(stdout, NULL, _IONBF, 0);
    umask(022);
    return run(chosen, argc, argv);
}
";

/// Names of what there is, what there is not, and what cannot be.
const NAMES: [&str; 16] =
    ["a", "a", "b", "b", "in", "in", "d", "d/x", "d/y", "e", "link", "./a", "d/../b", "in/x", "none/x", "a/"];
const ODD_NAMES: [&str; 7] = ["", ".", "d/..", "d/", "d/.", "d//x", "link/"];
/// In cases with buffers: names for descriptors only.
const PLAIN_NAMES: [&str; 6] = ["a", "b", "in", "d/x", "none/x", "d"];
const TEXTS: [&str; 8] = ["", "x", "hello", "12 34", "a\\nbc\\n", "\\n", "longer than that", "-7 z"];
const MODES: [&str; 12] = ["r", "w", "a", "r+", "w+", "a+", "rb", "wx", "w+x", "rb+", "", "q"];
const FLAGS: [&str; 14] = [
    "O_RDONLY",
    "O_RDWR",
    "O_WRONLY",
    "O_RDWR | O_CREAT",
    "O_WRONLY | O_CREAT | O_TRUNC",
    "O_RDWR | O_CREAT | O_EXCL",
    "O_WRONLY | O_APPEND",
    "O_RDWR | O_APPEND | O_CREAT",
    "O_RDONLY | O_DIRECTORY",
    "O_RDONLY | O_NOFOLLOW",
    "O_RDWR | O_TRUNC",
    "O_RDONLY | O_CREAT | O_CLOEXEC",
    "O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW",
    "O_RDONLY | O_CREAT | O_DIRECTORY",
];
const VARIABLES: [&str; 6] = ["A", "B", "EMPTY", "NONE", "A=B", ""];

/// The surroundings of a seed's program.
pub fn surroundings(seed: u64) -> Surroundings {
    let mut rng = Rng::new(seed ^ 0x77);
    let words = ["-a", "-b", "-bx", "-ab", "--", "-", "7", "-12", "0x1f", "file", "-z", "", "-cq"];
    let args = (0..rng.below(5)).map(|_| rng.pick(&words).as_bytes().to_vec()).collect();
    let env = ["A=1", "EMPTY=", "LONG=a longer value"].map(|text| text.as_bytes().to_vec()).to_vec();
    let stdin = *rng.pick(&["", "x", "one\ntwo\n", "12 34\n-5", "\n\nab", "no end of line", "a b\0c\n"]);
    let content = *rng.pick(&["", "z", "17 abc\n2\n", "first\nsecond\n", "0123456789abcdef", "q\0r\n"]);
    let files = vec![("in".to_owned(), content.into()), ("d/x".to_owned(), b"deep\n".to_vec())];
    Surroundings { args, env, stdin: stdin.into(), files }
}

/// A program with so many cases.
pub fn source(seed: u64, cases: u32) -> String {
    let mut maker = Maker { rng: Rng::new(seed), is_buffered: false, is_raw: false };
    let mut text = PRELUDE.to_owned();
    text.push_str("static int run(int chosen, int argc, char **argv)\n{\n    switch (chosen) {\n");
    for case in 0..cases {
        maker.is_buffered = maker.rng.chance(50);
        maker.is_raw = maker.rng.chance(30);
        let _ = writeln!(text, "    case {case}:");
        let _ = writeln!(text, "        is_unbuffered = {};", u8::from(!maker.is_buffered));
        let threads = has_threads(case).then(|| maker.rng.below(8));
        for number in 0..8 + maker.rng.below(14) {
            if threads == Some(number) {
                let _ = writeln!(text, "        {}", maker.threads());
            }
            let _ = writeln!(text, "        {}", maker.statement());
        }
        let _ = writeln!(text, "        break;");
    }
    text.push_str("    }\n    end();\n    return 0;\n}\n");
    text.push_str(MAIN);
    text
}

/// Whether a case has threads, and so perhaps several outcomes.
pub fn has_threads(case: u32) -> bool {
    case % 6 == 5
}

struct Maker {
    rng: Rng,
    is_buffered: bool,
    /// Standard input is read by `read`.
    is_raw: bool,
}

impl Maker {
    fn slot(&mut self) -> u64 {
        self.rng.below(3)
    }

    fn pick(&mut self, from: &[&'static str]) -> &'static str {
        from[self.rng.index(from.len())]
    }

    /// A name for calls that are no streams'.
    fn name(&mut self) -> &'static str {
        match (self.is_buffered, self.rng.below(10)) {
            (true, _) => self.pick(&PLAIN_NAMES),
            (false, 0) => self.pick(&ODD_NAMES),
            (false, _) => self.pick(&NAMES),
        }
    }

    /// A name that is opened: also one that is not the program's own, which no other call may get.
    fn opened_name(&mut self) -> &'static str {
        if self.rng.chance(5) { "/dev/null" } else { self.name() }
    }

    /// A name for a stream in a slot.
    fn stream_name(&mut self, slot: u64) -> String {
        match self.is_buffered {
            true if self.rng.chance(20) => "none/s".to_owned(),
            true => format!("s{slot}"),
            false => self.opened_name().to_owned(),
        }
    }

    fn text(&mut self) -> &'static str {
        self.pick(&TEXTS)
    }

    fn offset(&mut self) -> i64 {
        i64::try_from(self.rng.below(14)).unwrap_or(0) - 3
    }

    fn whence(&mut self) -> &'static str {
        self.pick(&["SEEK_SET", "SEEK_SET", "SEEK_CUR", "SEEK_END", "SEEK_END", "9"])
    }

    fn statement(&mut self) -> String {
        match self.rng.weighted(&[40, 25, 45, 6, 4]) {
            0 => self.descriptor(),
            1 => self.naming(),
            2 => self.stream(),
            3 => self.environment(),
            _ => self.argument(),
        }
    }

    fn descriptor(&mut self) -> String {
        let (slot, other) = (self.slot(), self.slot());
        match self.rng.below(25) {
            0..=4 => {
                format!(
                    "open_({slot}, \"{}\", {}, 0{});",
                    self.opened_name(),
                    self.pick(&FLAGS),
                    self.pick(&["644", "600", "755", "400", "0"])
                )
            }
            5 => format!("close_({slot});"),
            6..=8 => format!("read_({slot}, {});", self.rng.below(12)),
            9..=11 => format!("write_({slot}, \"{}\");", self.text()),
            12 => format!("pread_({slot}, {}, {});", self.rng.below(8), self.offset()),
            13 => format!("pwrite_({slot}, \"{}\", {});", self.text(), self.offset()),
            14 | 15 => format!("lseek_({slot}, {}, {});", self.offset(), self.whence()),
            16 => format!("ftruncate_({slot}, {});", self.offset()),
            17 => format!("dup_({slot}, {other});"),
            18 => format!("dup2_({slot}, {other});"),
            19 => format!("dupfd({slot}, {other}, {});", self.pick(&["0", "5", "-1", "20"])),
            20 => format!("get_flags({slot});"),
            21 => format!("set_flags({slot}, {});", self.pick(&["0", "O_APPEND", "O_NONBLOCK"])),
            22 => format!("fstat_({slot});"),
            23 => match self.rng.below(3) {
                0 => format!("pipe_({slot}, {other});"),
                1 => {
                    format!("poll_({slot}, {});", self.pick(&["POLLIN", "POLLOUT", "POLLIN | POLLOUT", "0"]))
                }
                _ => format!("writev_({slot}, \"{}\", \"{}\");", self.text(), self.text()),
            },
            _ => match self.rng.below(5) {
                0 => format!("readv_({slot}, {}, {});", self.rng.below(6), self.rng.below(6)),
                1 => format!("fsync_({slot});"),
                2 => format!("make_temporary({slot});"),
                3 => "signal(SIGPIPE, SIG_IGN);".to_owned(),
                _ if self.is_raw => format!("read_stdin({});", self.rng.below(10)),
                _ => format!("pipe_({slot}, {other});"),
            },
        }
    }

    fn naming(&mut self) -> String {
        let (name, other) = (self.name(), self.name());
        match self.rng.below(16) {
            0 => {
                format!(
                    "access_(\"{name}\", {});",
                    self.pick(&["F_OK", "R_OK", "W_OK", "R_OK | W_OK", "X_OK", "64"])
                )
            }
            1 | 2 => format!("stat_(\"{name}\");"),
            3 => format!("lstat_(\"{name}\");"),
            4 => format!("say(\"unlink\", unlink(\"{name}\"));"),
            5 => format!("say(\"remove\", remove(\"{name}\"));"),
            6 | 7 => format!("say(\"rename\", rename(\"{name}\", \"{other}\"));"),
            8 => format!("say(\"link\", link(\"{name}\", \"{other}\"));"),
            9 => format!("say(\"symlink\", symlink(\"{name}\", \"{other}\"));"),
            10 => format!("readlink_(\"{name}\", {});", self.pick(&["0", "1", "30"])),
            11 => format!("say(\"mkdir\", mkdir(\"{name}\", 0755));"),
            12 => format!("say(\"rmdir\", rmdir(\"{name}\"));"),
            13 => format!("say(\"truncate\", truncate(\"{name}\", {}));", self.offset()),
            14 => format!("list(\"{name}\");"),
            _ => match self.rng.below(4) {
                0 if !self.is_buffered => {
                    format!("say(\"chdir\", chdir(\"{}\"));", self.pick(&["d", ".", "none", "in", ""]))
                }
                1 => format!(
                    "say(\"chmod\", chmod(\"{name}\", {}));",
                    self.pick(&["0600", "0755", "0644", "0", "0444"])
                ),
                2 => format!("say(\"umask\", umask({}));", self.pick(&["0", "022", "077"])),
                _ => format!("show(\"{name}\");"),
            },
        }
    }

    fn stream(&mut self) -> String {
        let mut slot = self.slot();
        if !self.is_raw && self.rng.chance(15) {
            slot = 3;
        }
        let text = self.text();
        match self.rng.below(26) {
            0..=4 if slot == 3 => "take_stdin(3);".to_owned(),
            0..=4 => format!("fopen_({slot}, \"{}\", \"{}\");", self.stream_name(slot), self.pick(&MODES)),
            5 => format!("fclose_({slot});"),
            6 | 7 => format!("fgetc_({slot});"),
            8 | 9 => format!("fgets_({slot}, {});", 1 + self.rng.below(9)),
            10 => format!("fread_({slot}, {}, {});", self.rng.below(4), self.rng.below(8)),
            11 => format!("getline_({slot}, {});", self.pick(&["'\\n'", "'\\n'", "'b'", "' '"])),
            12 => format!(
                "fscanf_({slot}, \"{}\");",
                self.pick(&["%d", "%2d", " %d", "%x", "%i", "%*d%d", "%*s%d"])
            ),
            13 => format!(
                "scan_word({slot}, \"{}\");",
                self.pick(&["%9s", "%3s", "%9[a-z]", "%9[^\\n]", "%1c", "x%2s"])
            ),
            14 => format!("ungetc_({slot}, {});", self.pick(&["'u'", "'\\n'", "-1", "200"])),
            15 => format!("fputc_({slot}, {});", self.pick(&["'p'", "'\\n'", "300"])),
            16 | 17 => format!("fputs_({slot}, \"{text}\");"),
            18 => format!(
                "fwrite_({slot}, \"0123456789abcdef\", {}, {});",
                self.rng.below(4),
                self.rng.below(5)
            ),
            19 => format!("fprintf_({slot}, {}, \"{text}\");", self.offset()),
            20 | 21 => format!("fseek_({slot}, {}, {});", self.offset(), self.whence()),
            22 => format!("ftell_({slot});"),
            23 => match self.rng.below(4) {
                0 => format!("rewind_({slot});"),
                1 => format!("fflush_({slot});"),
                2 => format!("clearerr_({slot});"),
                _ => format!("remember({slot});"),
            },
            24 if self.is_buffered => {
                let how = self.pick(&["_IOFBF", "_IOLBF", "_IONBF", "7"]);
                format!("setvbuf_({slot}, {how}, {});", self.pick(&["0", "1", "64"]))
            }
            24 if slot < 3 => format!("fdopen_({slot}, \"{}\");", self.pick(&MODES)),
            25 if slot < 3 => match self.rng.below(3) {
                0 => format!("tmpfile_({slot});"),
                _ => format!("freopen_({slot}, \"{}\", \"{}\");", self.stream_name(slot), self.pick(&MODES)),
            },
            _ => format!("ftell_({slot});"),
        }
    }

    fn environment(&mut self) -> String {
        let name = self.pick(&VARIABLES);
        match self.rng.below(6) {
            0 | 1 => format!("getenv_(\"{name}\");"),
            2 | 3 => {
                format!("setenv_(\"{name}\", \"{}\", {});", self.pick(&["", "2", "x=y"]), self.rng.below(2))
            }
            4 => format!("unsetenv_(\"{name}\");"),
            _ => format!(
                "{{ static char text[] = \"{}\"; putenv_(text); }}",
                self.pick(&["A=9", "B", "NONE=", "EMPTY=e"])
            ),
        }
    }

    fn argument(&mut self) -> String {
        match self.rng.below(3) {
            0 => "say(\"argc\", argc);".to_owned(),
            1 => {
                let base = self.pick(&["0", "10", "16"]);
                format!("for (int i = 1; i < argc; i++) number(argv[i], {base});")
            }
            _ => format!(
                "options(argc, argv, \"{}\");",
                self.pick(&["ab", "ab:", ":ab:", "+a", "-ab:", "b::c"])
            ),
        }
    }

    fn threads(&mut self) -> String {
        let (one, two) = (self.pick(&["x", "yz"]), self.pick(&["1", "23"]));
        let flags = self.pick(&[
            "O_WRONLY | O_CREAT",
            "O_WRONLY | O_CREAT | O_APPEND",
            "O_WRONLY | O_CREAT | O_TRUNC",
        ]);
        match self.rng.below(6) {
            0 => format!(
                "two(append, (struct job){{\"t\", \"{one}\", {flags}, -1, 1}}, append, (struct job){{\"t\", \"{two}\", {flags}, -1, {}}}); show(\"t\");",
                1 + self.rng.below(2)
            ),
            1 => format!(
                "open_(0, \"t\", {flags}, 0644); two(append, (struct job){{\"t\", \"{one}\", 0, 0, 1}}, append, (struct job){{\"t\", \"{two}\", {flags}, {}, 2}}); show(\"t\");",
                self.pick(&["0", "-1"])
            ),
            2 => format!(
                "two(make, (struct job){{\"t\", \"{one}\"}}, make, (struct job){{\"{}\", \"{two}\"}}); show(\"t\");",
                self.pick(&["t", "t", "none/t"])
            ),
            3 => format!(
                "two(move, (struct job){{\"in\", \"t\"}}, {}); show(\"t\"); show(\"u\");",
                self.pick(&[
                    "move, (struct job){\"in\", \"u\"}",
                    "move, (struct job){\"t\", \"u\"}",
                    "make, (struct job){\"t\", \"new\"}",
                    "append, (struct job){\"in\", \"+\", O_WRONLY | O_APPEND, -1, 1}"
                ])
            ),
            4 => format!(
                "{{ int ends[2]; say(\"pipe\", pipe(ends)); two(feed, (struct job){{\"\", \"{one}\", 0, ends[1]}}, drain, (struct job){{\"\", \"\", 0, ends[0], {}}}); close(ends[0]); }}",
                1 + self.rng.below(3)
            ),
            _ => format!(
                "fopen_(0, \"t\", \"{}\"); two(print, (struct job){{\"\", \"{one}\", 0, 0, 1}}, print, (struct job){{\"\", \"{two}\", 0, 0, 2}}); fclose_(0); show(\"t\");",
                self.pick(&["w", "a"])
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_names_one_program_and_its_surroundings() {
        assert_eq!(source(7, 3), source(7, 3));
        assert_ne!(source(7, 3), source(8, 3));
        assert_eq!(surroundings(7), surroundings(7));
    }
}
