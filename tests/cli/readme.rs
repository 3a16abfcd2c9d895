//! What README.md says of documents is what the program writes; its commands are run by `tests/documents`.

use crate::document;

fn readme() -> String {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap()
}

#[test]
fn every_field_of_a_document_is_described() {
    let text = readme();
    let described = |schema: &str| {
        let row = text.lines().find(|line| line.starts_with(&format!("| `{schema}` |")));
        row.unwrap_or_else(|| panic!("{schema} is not described")).to_owned()
    };
    let position = "0-0-0-1-1-0-0-0-20-26-S";
    for args in [
        &["best", position, "--json"][..],
        &["moves", position, "--json"],
        &["perft", "2", "--divide", "--json"],
        &["tables", "info", "--json"],
        &["tables", "probe", position, "--json"],
        &["tables", "verify", "--sample", "1", "--json"],
        &["bench", "--depth", "1", "--json"],
        &["match", "--level", "1", "--level", "2", "--games", "2", "--json"],
    ] {
        let answer = document(args);
        let row = described(answer["schema"].as_str().unwrap());
        let inner = ["moves", "layers"].iter().filter_map(|list| answer[list][0].as_object());
        let fields = answer.as_object().into_iter().chain(inner).flat_map(|object| object.keys());
        for field in fields.filter(|field| !["schema", "game", "options"].contains(&field.as_str())) {
            assert!(row.contains(&format!("`{field}`")), "{field} in {row}");
        }
    }
    for schema in ["kpe.build/1", "kpe.error/1"] {
        described(schema);
    }
}
