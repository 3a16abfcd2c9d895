//! The tables that are part of the program: unlocked even layers, made by `scripts/embed`.

/// Table files in memory: each with its path below a root of tables, such as `kpe-skip-same-remains/n04.kpt`.
pub type EmbeddedFiles = &'static [(&'static str, &'static [u8])];

/// The files below `tables/` with these paths.
macro_rules! files {
    ($($path:literal)*) => {
        &[$(($path, include_bytes!(concat!("../../tables/", $path)))),*]
    };
}

/// The table files built into the program.
#[must_use]
pub const fn embedded() -> EmbeddedFiles {
    files! {}
}
