//! The tables that are part of the program: unlocked even layers, made by `scripts/embed`.

/// Table files in memory: each with its path below a root of tables, such as `kpe-skip-same-remains/n04.kpt`.
pub type EmbeddedFiles = &'static [(&'static str, &'static [u8])];

/// The files below `tables/` with these paths.
macro_rules! files {
    ($($path:literal)*) => {
        &[$(($path, include_bytes!(concat!("../../../../tables/", $path)))),*]
    };
}

/// One place for them: a constant would be copied into every crate that names it.
static FILES: EmbeddedFiles = files! {
    "kpe-skip-same-remains/n00.kpt"
    "kpe-skip-same-remains/n02.kpt"
    "kpe-skip-same-remains/n04.kpt"
    "kpe-skip-same-remains/n06.kpt"
    "kpe-skip-same-remains/n08.kpt"
    "kpe-skip-same-remains/n10.kpt"
    "kpe-skip-same-remains/n12.kpt"
    "kpe-skip-same-remains/n14.kpt"
    "kpe-skip-same-remains/n16.kpt"
    "kpe-skip-same-remains/n18.kpt"
    "kpe-skip-same-remains/n20.kpt"
    "kpe-skip-same-remains/n22.kpt"
    "kpe-skip-same-remains/n24.kpt"
    "gore-skip-off/n00.kpt"
    "gore-skip-off/n02.kpt"
    "gore-skip-off/n04.kpt"
    "gore-skip-off/n06.kpt"
    "gore-skip-off/n08.kpt"
    "gore-skip-off/n10.kpt"
    "gore-skip-off/n12.kpt"
    "gore-skip-off/n14.kpt"
    "gore-skip-off/n16.kpt"
    "gore-skip-off/n18.kpt"
    "gore-skip-off/n20.kpt"
    "gore-skip-off/n22.kpt"
    "gore-skip-off/n24.kpt"
};

/// The table files built into the program.
#[must_use]
pub fn embedded() -> EmbeddedFiles {
    FILES
}
