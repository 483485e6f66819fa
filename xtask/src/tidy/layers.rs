//! Layering: which crate may use which.
//!
//! `cargo xtask graph` writes the table into `ARCHITECTURE.md`. A crate uses lower layers only, except for those of
//! [`SAME_LAYER`]; development crates (irkit, testkit, xtask) may use everything and are used in tests only;
//! some libraries belong to one crate.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::Violation;

/// Crates (without the `selvedge-` prefix) by layer, lowest first.
const LAYERS: [&[&str]; 8] = [
    &["base"],
    &["term", "program", "trace", "library", "store"],
    &["frontend", "solver", "analysis", "gcl", "por"],
    &["exec", "summary"],
    &["explore", "prove"],
    &["compose", "incremental", "prove-c"],
    &["engine", "report", "bench"],
    &["selvedge"],
];

/// Crates for development only.
const DEV: [&str; 3] = ["irkit", "testkit", "xtask"];

/// User and used crate of one layer.
const SAME_LAYER: [(&str, &str); 2] = [("report", "engine"), ("summary", "exec")];

/// Uses that the layers would allow and the design does not.
const FORBIDDEN: [(&str, &str, &str); 11] = [
    ("solver", "program", "the solver knows terms, never programs"),
    ("solver", "trace", "the solver knows terms, never runs"),
    ("por", "term", "por works on abstract events"),
    ("por", "program", "por works on abstract events"),
    ("por", "solver", "por works on abstract events"),
    ("summary", "frontend", "summary works on recorded segments"),
    ("exec", "frontend", "exec gets a finished program"),
    ("report", "exec", "report renders plain data of the engine"),
    ("report", "prove", "proofs are reached through the engine"),
    ("selvedge", "prove", "proofs are reached through the engine"),
    ("selvedge", "prove-c", "proofs are reached through the engine"),
];

/// Libraries, and features of crates, that only these crates may use.
const OWNED: [(&str, &[&str]); 6] = [
    ("llvm-sys", &["frontend"]),
    ("z3-sys", &["solver"]),
    ("z3", &["solver"]),
    ("batsat", &["solver"]),
    ("engine/test-switches", &["testkit"]),
    ("anyhow", &["selvedge", "testkit", "bench", "xtask"]),
];

/// A crate of the workspace.
#[derive(Debug)]
pub(crate) struct Crate {
    /// The name of the package without `selvedge-`.
    pub(crate) name: String,
    /// Its folder, from the root.
    pub(crate) folder: String,
    /// Names of dependencies and whether each is for tests only.
    pub(crate) uses: Vec<(String, bool)>,
    /// Features of them that it asks for, as `engine/test-switches`, likewise.
    features: Vec<(String, bool)>,
}

impl Crate {
    /// The path of its manifest.
    pub(crate) fn manifest(&self) -> String {
        format!("{}/Cargo.toml", self.folder)
    }

    #[cfg(test)]
    /// A crate in its usual folder; `~` marks a use in tests only.
    pub(crate) fn for_tests(name: &str, uses: &[&str]) -> Crate {
        let uses = uses.iter().map(|u| match u.strip_prefix('~') {
            Some(dev) => (dev.to_owned(), true),
            None => ((*u).to_owned(), false),
        });
        let folder = format!("crates/{}", if name == "selvedge" { "cli" } else { name });
        Crate { name: name.to_owned(), folder, uses: uses.collect(), features: Vec::new() }
    }
}

/// The layer of a crate of this workspace.
pub(crate) fn layer(name: &str) -> Option<usize> {
    LAYERS.iter().position(|names| names.contains(&name))
}

/// The name that code uses a dependency by.
pub(crate) fn ident(used: &str) -> String {
    let is_ours = layer(used).is_some() || DEV.contains(&used);
    let name = if is_ours && used != "selvedge" { format!("selvedge-{used}") } else { used.to_owned() };
    name.replace('-', "_")
}

/// Asks cargo for the crates of the workspace.
pub(crate) fn read_workspace(root: &Path) -> Result<Vec<Crate>> {
    let output = Command::new(super::cargo())
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .current_dir(root)
        .output()
        .context("cannot run cargo metadata")?;
    if !output.status.success() {
        bail!("cargo metadata failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    let metadata: Value = serde_json::from_slice(&output.stdout).context("cargo metadata gave no JSON")?;
    parse(&metadata).context("cargo metadata has an unexpected form")
}

fn parse(metadata: &Value) -> Option<Vec<Crate>> {
    let mut crates = Vec::new();
    for package in metadata["packages"].as_array()? {
        let (mut uses, mut features) = (Vec::new(), Vec::new());
        for dependency in package["dependencies"].as_array()? {
            let (name, in_tests) = (short(dependency["name"].as_str()?), dependency["kind"] == "dev");
            let asked = dependency["features"].as_array().into_iter().flatten();
            features.extend(asked.filter_map(|f| Some((format!("{name}/{}", f.as_str()?), in_tests))));
            uses.push((name, in_tests));
        }
        let manifest = Path::new(package["manifest_path"].as_str()?);
        let folder = manifest.strip_prefix(metadata["workspace_root"].as_str()?).ok()?.parent()?;
        crates.push(Crate {
            name: short(package["name"].as_str()?),
            folder: folder.to_string_lossy().replace('\\', "/"),
            uses,
            features,
        });
    }
    Some(crates)
}

/// The name without `selvedge-`.
pub(crate) fn short(name: &str) -> String {
    name.strip_prefix("selvedge-").unwrap_or(name).to_owned()
}

/// Violations of the layering.
pub(crate) fn check(crates: &[Crate]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for Crate { name, uses, features, .. } in crates {
        let mut report = |message: String| violations.push(Violation::new(name, 0, message));
        let own_layer = layer(name);
        let is_dev = DEV.contains(&name.as_str());
        if own_layer.is_none() && !is_dev {
            report("this crate has no layer: add it to the table in xtask/src/tidy/layers.rs".to_owned());
            continue;
        }
        for (used, in_tests) in uses.iter().chain(features) {
            if let Some((_, owners)) = OWNED.iter().find(|(library, _)| library == used)
                && !owners.contains(&name.as_str())
            {
                report(format!("uses {used}, which belongs to {}", owners.join(", ")));
            }
            if *in_tests || is_dev {
                continue;
            }
            if DEV.contains(&used.as_str()) {
                report(format!("uses the development crate {used} outside of tests"));
            }
            if let Some((_, _, why)) = FORBIDDEN.iter().find(|(user, other, _)| user == name && other == used)
            {
                report(format!("uses {used}: {why}"));
            }
            if let (Some(own), Some(other)) = (own_layer, layer(used))
                && other >= own
                && !SAME_LAYER.contains(&(name.as_str(), used.as_str()))
            {
                report(format!("layer {own} uses {used} of layer {other}: a crate uses lower layers only"));
            }
        }
    }
    violations
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Messages for one crate that uses others; `~` marks a use in tests only.
    fn messages(name: &str, uses: &[&str]) -> Vec<String> {
        check(&[Crate::for_tests(name, uses)]).into_iter().map(|v| v.message).collect()
    }

    #[test]
    fn lower_layers_may_be_used() {
        assert_eq!(messages("explore", &["base", "term", "exec", "serde"]), [""; 0]);
        assert_eq!(messages("report", &["engine"]), [""; 0]);
        assert_eq!(messages("selvedge", &["report", "engine", "frontend", "anyhow"]), [""; 0]);
    }

    #[test]
    fn a_use_of_the_same_or_a_higher_layer_is_reported() {
        assert_eq!(
            messages("term", &["program"]),
            ["layer 1 uses program of layer 1: a crate uses lower layers only"]
        );
        assert_eq!(
            messages("exec", &["explore"]),
            ["layer 3 uses explore of layer 4: a crate uses lower layers only"]
        );
        assert_eq!(messages("engine", &["report"]).len(), 1);
    }

    #[test]
    fn what_the_design_forbids_is_reported_although_the_layers_fit() {
        assert_eq!(
            messages("solver", &["term", "program"]),
            ["uses program: the solver knows terms, never programs"]
        );
    }

    #[test]
    fn libraries_stay_with_their_owners() {
        assert_eq!(messages("exec", &["z3-sys"]), ["uses z3-sys, which belongs to solver"]);
        assert_eq!(messages("exec", &["~z3-sys"]), ["uses z3-sys, which belongs to solver"]);
        assert_eq!(messages("solver", &["z3-sys"]), [""; 0]);
    }

    #[test]
    fn the_command_line_gets_no_switches_of_tests() {
        let engine = json!({"name": "selvedge-engine", "kind": null, "features": ["test-switches"]});
        let manifest = "/w/crates/cli/Cargo.toml";
        let package = json!({"name": "selvedge", "manifest_path": manifest, "dependencies": [engine]});
        let crates = parse(&json!({"workspace_root": "/w", "packages": [package]})).expect("understood");
        let messages: Vec<String> = check(&crates).into_iter().map(|v| v.message).collect();
        assert_eq!(messages, ["uses engine/test-switches, which belongs to testkit"]);
    }

    #[test]
    fn development_crates_are_for_tests_only() {
        assert_eq!(messages("solver", &["~testkit"]), [""; 0]);
        assert_eq!(messages("solver", &["testkit"]), ["uses the development crate testkit outside of tests"]);
        assert_eq!(messages("testkit", &["engine", "report", "xtask"]), [""; 0]);
    }

    #[test]
    fn a_crate_without_a_layer_is_reported() {
        assert_eq!(messages("stuff", &[]).len(), 1);
    }

    #[test]
    fn cargo_metadata_is_understood() {
        let metadata = json!({ "workspace_root": "/x", "packages": [{
            "name": "selvedge-exec", "manifest_path": "/x/crates/exec/Cargo.toml", "dependencies": [
            { "name": "selvedge-term", "kind": null }, { "name": "proptest", "kind": "dev" } ] }] });
        let crates = parse(&metadata).expect("the form is right");
        assert_eq!((crates[0].name.as_str(), crates[0].folder.as_str()), ("exec", "crates/exec"));
        assert_eq!(crates[0].uses, [("term".to_owned(), false), ("proptest".to_owned(), true)]);
        assert!(parse(&json!({ "packages": [{}] })).is_none());
    }
}
