//! The target that `KPE_FUZZ_TARGET` names, guided by coverage.
#![no_main]

#[path = "../targets.rs"]
#[allow(dead_code)] // seeds and words are read by main.rs
mod targets;

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    static READ: OnceLock<fn(&[u8])> = OnceLock::new();
    let named = || {
        let name = std::env::var("KPE_FUZZ_TARGET").expect("KPE_FUZZ_TARGET names a target");
        targets::TARGETS.iter().find(|target| target.name == name).expect("a target of tests/fuzz/targets.rs").read
    };
    READ.get_or_init(named)(input);
});
