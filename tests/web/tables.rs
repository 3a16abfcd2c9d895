//! Tables that are damaged while they are served: what is answered is right, and what is not is told.

use std::process::Command;

use kpe::web::Settings;

use crate::client::get;
use crate::{scratch, served, settings};

/// Positions of 12 stones from all over the layer.
fn urls() -> Vec<String> {
    let boards = (0..13).flat_map(|a| (0..13 - a).map(move |b| (a, b)));
    boards.map(|(a, b)| format!("/api/v1/position?position={a}-{b}-0-0-0-{}-0-0-18-18-S", 12 - a - b)).collect()
}

#[test]
fn damage_is_told_to_everybody_who_asks_and_nothing_wrong_is_answered() {
    let root = scratch("damaged");
    let _ = std::fs::remove_dir_all(&root);
    let mut build = Command::new(env!("CARGO_BIN_EXE_kpe"));
    let built = build.args(["tables", "build", "--stones", "12", "--tables"]).arg(&root).output().unwrap();
    assert!(built.status.success());
    let path = root.join("kpe-skip-same-remains/n12.kpt");
    let sound = std::fs::read(&path).unwrap();
    let tables = || Settings { tables: Some(root.clone()), ..settings() };
    let expected: Vec<_> = {
        let server = served(tables());
        urls().iter().map(|url| get(server.address(), url).json()).collect()
    };
    let server = served(tables());
    let address = server.address();
    assert_eq!(get(address, &urls()[0]).json(), expected[0]);
    // Overwritten in place, as no builder does it.
    let mut bytes = sound.clone();
    bytes.iter_mut().skip(2000).for_each(|byte| *byte ^= 0x55);
    std::fs::write(&path, bytes).unwrap();
    let refused: usize = std::thread::scope(|scope| {
        let ask = || {
            let answers = urls().into_iter().map(|url| get(address, &url)).zip(&expected);
            let refused = answers.filter(|(answer, expected)| match answer.status {
                500 => answer.refused(500) == "table",
                _ => answer.json() != **expected,
            });
            let (told, wrong): (Vec<_>, Vec<_>) = refused.partition(|(answer, _)| answer.status == 500);
            assert!(wrong.is_empty(), "{wrong:?}");
            told.len()
        };
        let clients: Vec<_> = (0..4).map(|_| scope.spawn(ask)).collect();
        let refused: Vec<usize> = clients.into_iter().map(|client| client.join().unwrap()).collect();
        assert!(refused.iter().all(|&told| told > 10), "{refused:?}");
        refused.iter().sum()
    });
    assert!(refused < 4 * expected.len());
    // The file is put right, and so are the answers, without another start.
    std::fs::write(&path, sound).unwrap();
    for (url, expected) in urls().iter().zip(&expected) {
        assert_eq!(get(address, url).json(), *expected);
    }
}
