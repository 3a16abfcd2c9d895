//! Tells release builds which commit they are of, for `kpe --version --verbose`: by `KPE_COMMIT`, by the checkout, or by what
//! cargo has noted in the package. A build for development is not told, so that a commit does not build it again.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-env-changed=KPE_COMMIT");
    println!("cargo::rerun-if-changed=scripts/commit.rs");
    if std::env::var_os("KPE_COMMIT").is_some() || std::env::var("PROFILE").as_deref() != Ok("release") {
        return;
    }
    if let Some(commit) = of_package().or_else(of_checkout) {
        println!("cargo::rustc-env=KPE_COMMIT={commit}");
    }
}

/// The commit in `.cargo_vcs_info.json`, which stands in packages alone.
fn of_package() -> Option<String> {
    let text = std::fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let (_, rest) = text.split_once("\"sha1\"")?;
    rest.split('"').nth(1).map(str::to_owned)
}

/// The commit of the checkout this directory is the top of.
fn of_checkout() -> Option<String> {
    if !std::path::Path::new(".git").exists() {
        return None;
    }
    // Both change when another commit is made or checked out, or something is changed since.
    for watched in ["logs/HEAD", "index"] {
        println!("cargo::rerun-if-changed={}", git(&["rev-parse", "--git-path", watched])?);
    }
    ["src", "tables", "Cargo.toml", "Cargo.lock"].iter().for_each(|path| println!("cargo::rerun-if-changed={path}"));
    let changed = !git(&["status", "--porcelain", "--untracked-files=no"])?.is_empty();
    Some(format!("{}{}", git(&["rev-parse", "HEAD"])?, if changed { ", with changes" } else { "" }))
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}
