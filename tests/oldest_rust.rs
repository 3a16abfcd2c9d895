//! No dependency needs a newer Rust than Cargo.toml promises. What the code itself needs is watched by clippy
//! (`incompatible_msrv`) and, where it can be had, by that compiler: `scripts/oldest-rust`.

use std::process::Command;

#[test]
fn no_dependency_needs_a_newer_rust_than_promised() {
    let cargo = std::env::var_os("CARGO").expect("tests are run by cargo");
    // Only what is built here is sure to have been fetched.
    let rustc = Command::new("rustc").arg("-vV").output().unwrap();
    let rustc = String::from_utf8(rustc.stdout).unwrap();
    let host = rustc.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let output = Command::new(cargo)
        .args([
            "metadata",
            "--format-version",
            "1",
            "--locked",
            "--offline",
            "--filter-platform",
            host,
            "--manifest-path",
        ])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let version = |text: &str| -> Vec<u32> {
        let mut numbers: Vec<u32> = text.split('.').map(|number| number.parse().unwrap()).collect();
        numbers.resize(3, 0);
        numbers
    };
    let promised = version(env!("CARGO_PKG_RUST_VERSION"));
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 100);
    for package in packages {
        if let Some(needed) = package["rust_version"].as_str() {
            assert!(version(needed) <= promised, "{} {} needs Rust {needed}", package["name"], package["version"]);
        }
    }
}
