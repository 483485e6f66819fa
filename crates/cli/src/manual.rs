//! Manual pages and shell completions, made from the definition of the flags.

use std::path::Path;

use clap::CommandFactory;

use crate::args::{Cli, CompletionsArgs, ManArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Console, print};

/// `selvedge completions SHELL`.
pub(crate) fn completions(args: &CompletionsArgs, _console: &Console) -> Result<Exit, Failure> {
    let mut command = Cli::command();
    match &args.dir {
        Some(dir) => {
            create(dir)?;
            clap_complete::generate_to(args.shell, &mut command, "selvedge", dir)
                .map_err(|e| Failure::io("write into", dir, &e))?;
        }
        None => {
            // clap_complete panics if it cannot write, so it writes to memory first.
            let mut text = Vec::new();
            clap_complete::generate(args.shell, &mut command, "selvedge", &mut text);
            print(&text)?;
        }
    }
    Ok(Exit::Safe)
}

/// `selvedge man`.
pub(crate) fn man(args: &ManArgs, _console: &Console) -> Result<Exit, Failure> {
    let command = Cli::command();
    match &args.dir {
        Some(dir) => {
            create(dir)?;
            clap_mangen::generate_to(command, dir).map_err(|e| Failure::io("write into", dir, &e))?;
        }
        None => {
            let mut text = Vec::new();
            let page = clap_mangen::Man::new(command);
            page.render(&mut text).map_err(|e| Failure::new(format!("cannot make the manual page: {e}")))?;
            print(&text)?;
        }
    }
    Ok(Exit::Safe)
}

fn create(dir: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(dir).map_err(|e| Failure::io("create", dir, &e))
}
