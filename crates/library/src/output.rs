//! Output, streams, and what the program can see of them.

use crate::action::Action::{
    FormatNumber, Input, ParseNumber, Print, PrintList, Pure, PutBytes, PutNumber, PutString, Sync,
};
use crate::row::Native::IfCallFails;
use crate::row::{Row, family};

family! {
    /// Output on the console, and conversions of floating-point numbers.
    Io {
        /// Prints to standard output.
        Printf = Row::new("printf", "p.:i", Print { format: 0, to_console: true }).native(&[IfCallFails]);
        /// `printf`, with checks by the compiler.
        PrintfChecked = Row::new("__printf_chk", "ip.:i", Print { format: 1, to_console: true });
        /// Prints to a stream.
        Fprintf = Row::new("fprintf", "pp.:i", Print { format: 1, to_console: false }).native(&[IfCallFails]);
        /// `fprintf`, with checks by the compiler.
        FprintfChecked = Row::new("__fprintf_chk", "pip.:i", Print { format: 2, to_console: false });
        /// Prints a list of arguments to standard output.
        Vprintf = Row::new("vprintf", "pp:i", PrintList).native(&[IfCallFails]);
        /// Prints a list of arguments to a stream.
        Vfprintf = Row::new("vfprintf", "ppp:i", PrintList).native(&[IfCallFails]);
        /// Writes a line to standard output.
        Puts = Row::new("puts", "p:i", PutString { text: 0, to_console: true }).native(&[IfCallFails]);
        /// Writes a string to a stream.
        Fputs = Row::new("fputs fputs_unlocked", "pp:i", PutString { text: 0, to_console: false })
            .native(&[IfCallFails]);
        /// Writes a character to standard output.
        Putchar = Row::new("putchar putchar_unlocked", "i:i", PutNumber { to_console: true })
            .native(&[IfCallFails]);
        /// Writes a character to a stream.
        Fputc = Row::new("fputc putc putc_unlocked", "ip:i", PutNumber { to_console: false })
            .native(&[IfCallFails]);
        /// `putc` of old headers.
        IoPutc = Row::new("_IO_putc", "ip:i", PutNumber { to_console: false });
        /// Writes bytes to a stream.
        Fwrite = Row::new("fwrite fwrite_unlocked", "pppp:p", PutBytes { from: 0 }).native(&[IfCallFails]);
        /// Hands the output of a stream on.
        Fflush = Row::new("fflush fflush_unlocked", "p:i", Pure).native(&[IfCallFails]);
        /// Writes bytes to the console.
        Print = Row::hook("__selvedge_print", PutBytes { from: 1 });
        /// Prints a list of arguments to the console.
        PrintList = Row::hook("__selvedge_print_list", PrintList);
        /// Writes a number as text into memory.
        FormatDouble = Row::new("__selvedge_format_double", "pppd:i", FormatNumber);
        /// Reads a `double` in memory.
        ParseDouble = Row::new("__selvedge_strtod", "ppp:d", ParseNumber);
        /// Reads a `float` in memory.
        ParseFloat = Row::new("__selvedge_strtof", "ppp:f", ParseNumber);
        /// Reads a `long double` in memory.
        ParseLongDouble = Row::new("__selvedge_strtold", "ppp:x", ParseNumber);
    }
}

family! {
    /// Locks of streams.
    StreamLock {
        /// Takes or gives the lock of a stream.
        Lock = Row::new("flockfile funlockfile", "p:v", Sync);
        /// Takes the lock of a stream if it is free.
        TryLock = Row::new("ftrylockfile", "p:i", Sync);
    }
}

family! {
    /// What the program can see of its output.
    Console {
        /// Whether output fails now.
        Fails = Row::hook("__selvedge_console_fails", Input);
        /// Bytes that go into a file, a pipe or a connection.
        Shown = Row::hook("__selvedge_shown", PutBytes { from: 0 });
        /// Whether the program can use the result of the call.
        ResultIsUsed = Row::hook("__selvedge_result_is_used", Pure);
    }
}

family! {
    /// What the program can see of `errno`.
    Errno {
        /// Whether the program can look at `errno` before it is set again.
        IsUsed = Row::hook("__selvedge_errno_is_used", Pure);
    }
}
