//! `kpe --version`, and with `--verbose` what this build is and can read.

use kpe::rules::Game;
use kpe::table::{CODEC, FORMAT_VERSION};

use super::exit::Status;
use super::output::Output;

/// The processor features that make a difference, and whether this machine has them.
#[cfg(target_arch = "x86_64")]
fn features() -> [(&'static str, bool, bool); 3] {
    [
        ("popcnt", cfg!(target_feature = "popcnt"), std::arch::is_x86_feature_detected!("popcnt")),
        ("bmi2", cfg!(target_feature = "bmi2"), std::arch::is_x86_feature_detected!("bmi2")),
        ("avx2", cfg!(target_feature = "avx2"), std::arch::is_x86_feature_detected!("avx2")),
    ]
}

#[cfg(not(target_arch = "x86_64"))]
fn features() -> [(&'static str, bool, bool); 0] {
    []
}

pub(super) fn print(verbose: bool) -> anyhow::Result<Status> {
    let mut out = Output::new();
    out.line(concat!("kpe ", env!("CARGO_PKG_VERSION")))?;
    if verbose {
        // Told by scripts/commit.rs to release builds; an archive of the source has no commit.
        out.line(format!("commit    {}", option_env!("KPE_COMMIT").unwrap_or("not recorded in this build")))?;
        out.line(format!("tables    format {FORMAT_VERSION}, codec {CODEC}"))?;
        for name in ["kpe", "gore"] {
            out.line(format!("{name:<9} {}", Game::named(name)?))?;
        }
        out.line(format!("target    {}-{}", std::env::consts::ARCH, std::env::consts::OS))?;
        for (name, used, there) in features() {
            let used = if used { "used" } else { "not used" };
            out.line(format!("{name:<9} {used}, {}", if there { "there" } else { "not there" }))?;
        }
    }
    out.finish()?;
    Ok(Status::Done)
}
