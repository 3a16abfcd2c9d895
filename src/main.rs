//! The `kpe` program.
fn main() {}
