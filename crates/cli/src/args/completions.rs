//! Flags of `completions`.

use std::path::PathBuf;

use clap::Args;

const EXAMPLES: &str = "\
Examples:
  selvedge completions bash > selvedge.bash
  selvedge completions --dir ~/.zfunc zsh";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,

    /// Write the file into this directory instead of standard output
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
}
