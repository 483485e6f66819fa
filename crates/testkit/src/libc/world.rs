//! Random arguments of calls about files, clocks and waiting. The names are those that the prelude's `world()` makes, and others.

use crate::generator::Rng;

/// An expression for a hole; `None` if there is no such kind.
pub(super) fn argument(kind: &str, rng: &mut Rng) -> Option<String> {
    let items: &[&str] = match kind {
        "name" => &[
            "f", "f", "d", "e", "l", "dl", "n", "none", "", ".", "f/", "f/x", "d/", "d/x", "d/n", "dl/x",
            "e/n", "none/x", "l/", "./f", "d/../f", "n/", "e/.",
        ],
        "mode" => {
            &["r", "r+", "w", "w+", "a", "a+", "rb", "r+b", "wx", "w+x", "ax", "re", "", "x", "+r", "rw", "R"]
        }
        "options" => &["ab", "abc:", ":abc:", "+ab", "-abc:", "c::", "", ":", "+:c:"],
        "openflags" => &[
            "O_RDONLY",
            "O_WRONLY",
            "O_RDWR",
            "O_RDWR | O_CREAT",
            "O_WRONLY | O_CREAT | O_EXCL",
            "O_WRONLY | O_TRUNC",
            "O_RDONLY | O_DIRECTORY",
            "O_RDONLY | O_NOFOLLOW",
            "O_WRONLY | O_APPEND",
            "O_RDWR | O_NONBLOCK | O_CLOEXEC",
            "O_CREAT | O_EXCL | O_NOFOLLOW",
            "O_RDONLY | O_CREAT | O_DIRECTORY",
            "O_CREAT | O_TRUNC",
        ],
        "whence" => &["SEEK_SET", "SEEK_CUR", "SEEK_END", "-1", "5", "99"],
        "accessmode" => &["F_OK", "R_OK", "W_OK", "X_OK", "R_OK | W_OK | X_OK", "8", "-1"],
        "permissions" => &["644", "755", "600", "444", "0", "777", "222"],
        "descriptor" => &["3", "5", "9", "-1", "20"],
        "dupflags" => &["0", "O_CLOEXEC", "O_NONBLOCK | O_CLOEXEC", "1", "-1"],
        "clock" => &[
            "CLOCK_REALTIME",
            "CLOCK_MONOTONIC",
            "CLOCK_PROCESS_CPUTIME_ID",
            "CLOCK_BOOTTIME",
            "10",
            "99",
            "INT_MAX",
        ],
        "operation" => &["EPOLL_CTL_ADD", "EPOLL_CTL_ADD", "EPOLL_CTL_MOD", "EPOLL_CTL_DEL", "0", "4", "-1"],
        "events" => &[
            "0",
            "EPOLLIN",
            "EPOLLIN | EPOLLOUT",
            "EPOLLIN | EPOLLET",
            "EPOLLOUT | EPOLLET",
            "EPOLLIN | EPOLLONESHOT",
            "EPOLLIN | EPOLLRDHUP",
            "EPOLLIN | EPOLLEXCLUSIVE",
            "EPOLLIN | EPOLLONESHOT | EPOLLEXCLUSIVE",
        ],
        "sockettype" => &[
            "SOCK_STREAM",
            "SOCK_DGRAM",
            "SOCK_SEQPACKET",
            "SOCK_STREAM | SOCK_NONBLOCK",
            "SOCK_DGRAM | SOCK_CLOEXEC",
        ],
        "how" => &["SHUT_RD", "SHUT_WR", "SHUT_RDWR", "3", "-1"],
        "nanoseconds" => &["0", "1", "-1", "1000", "1000000000", "LONG_MAX", "LONG_MIN"],
        _ => return None,
    };
    let item = *rng.pick(items);
    Some(if matches!(kind, "name" | "mode" | "options") { format!("\"{item}\"") } else { item.to_owned() })
}
