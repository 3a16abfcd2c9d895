use super::*;
use crate::rules::kpe::Kpe;
use crate::table::TableSet;

/// The report as it is made without any table: from the book alone.
fn from_the_book() -> Findings {
    let set = TableSet::new(&Game::Kpe(Kpe::default()));
    let values = Values::new(Kpe::default(), &set).unwrap();
    let depths = Depths { tempo: 2, traps: 5, compare: 5, captures: 6, ..Depths::default() };
    findings(&values, None, depths).unwrap()
}

/// Checks that every element is closed in order and every attribute quoted; a page needs no more to be well-formed XML here,
/// since it has neither comments nor sections of raw text.
fn assert_well_formed(page: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = page.strip_prefix("<!DOCTYPE html>").expect("a doctype");
    while let Some(start) = rest.find('<') {
        let text = &rest[..start];
        assert!(!text.contains('>'), "loose bracket in {text:?}");
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        assert!(tag.matches('"').count().is_multiple_of(2), "quotes in {tag:?}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(tag.split_whitespace().next().unwrap());
        }
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty(), "{open:?}");
}

/// The cells of the table with this id, row by row, heads left out.
fn cells(page: &str, id: &str) -> Vec<Vec<String>> {
    let from = page.find(&format!("<table id=\"{id}\">")).expect("the table is there");
    let table = &page[from..from + page[from..].find("</table>").unwrap()];
    let body = table.split_once("<tbody>").unwrap().1;
    let row = |row: &str| {
        let mut cells = Vec::new();
        let mut rest = row;
        while let Some(at) = rest.find("<td>") {
            let end = rest.find("</td>").unwrap();
            cells.push(rest[at + 4..end].to_owned());
            rest = &rest[end + 5..];
        }
        cells
    };
    body.lines().map(row).filter(|cells| !cells.is_empty()).collect()
}

fn check_page(found: &Findings, page: &str) {
    assert_well_formed(page);
    assert!(!page.contains("href=") && !page.contains("src="), "nothing from outside");
    let json = page.split_once("id=\"findings\">").unwrap().1.split_once("</script>").unwrap().0;
    let json: serde_json::Value = serde_json::from_str(json).unwrap();
    assert_eq!(json, serde_json::to_value(found).unwrap());
    let number = |text: &str| text.parse::<i8>().unwrap();
    let matrix: Vec<Vec<i8>> =
        cells(page, "matrix").iter().map(|row| row.iter().map(|cell| number(cell)).collect()).collect();
    assert_eq!(matrix, found.orders.matrix);
    let orders = cells(page, "orders");
    for (row, figures) in orders.iter().zip(&found.orders.orders) {
        assert_eq!((number(&row[0]), number(&row[1])), (figures.south, figures.north));
    }
    assert_eq!(cells(page, "traps").len(), found.traps.traps.len());
    let rows = found.compare.iter().map(|figures| figures.plies.len()).sum::<usize>();
    assert_eq!(cells(page, "plies").len(), rows);
}

#[test]
fn the_report_of_the_book_is_well_formed_and_shows_the_figures() {
    let found = from_the_book();
    assert!(!found.missing.is_empty() && found.tempo.is_empty());
    check_page(&found, &found.html());
}

#[test]
fn the_committed_report_is_well_formed_and_agrees_with_the_book() {
    let page = include_str!("../../../tables/opening-report.html");
    assert_well_formed(page);
    assert!(page.len() < 500_000);
    let json = page.split_once("id=\"findings\">").unwrap().1.split_once("</script>").unwrap().0;
    let json: serde_json::Value = serde_json::from_str(json).unwrap();
    let found = from_the_book();
    assert_eq!(json["orders"], serde_json::to_value(&found.orders).unwrap());
    assert_eq!(json["tree"], serde_json::to_value(&found.tree).unwrap());
}
