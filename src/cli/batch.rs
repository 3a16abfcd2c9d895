//! Positions on standard input, one a line, each answered by one line of JSON in the same order.

use std::io::{self, BufRead, BufReader, Read};

use anyhow::Context;
use serde::Serialize;

use super::exit::{self, Refused, Status};
use super::output::Output;
use kpe::document::ErrorDocument;

/// No position and no move list is longer.
const LONGEST_LINE: usize = 4096;

/// Answers every line of standard input.
///
/// A line that cannot be answered gets an error line, and the status at the end is 1; if a table was damaged or could
/// not be read, the status for that.
///
/// # Errors
/// If standard input or output fails.
pub(super) fn answer_lines<D: Serialize>(mut answer: impl FnMut(&str) -> anyhow::Result<D>) -> anyhow::Result<Status> {
    let mut out = Output::new();
    let mut input = BufReader::with_capacity(1 << 16, io::stdin().lock());
    let mut status = Status::Done;
    loop {
        if input.buffer().is_empty() {
            // About to wait: whoever asked may be waiting for the answers so far.
            out.flush()?;
        }
        let Some(line) = read_line(&mut input).context("cannot read standard input")? else { break };
        let answered = line.map_err(anyhow::Error::from).and_then(|text| match answer(&text) {
            Ok(document) => Ok(document),
            Err(error) => Err(error.context(Line(text))),
        });
        match answered {
            Ok(document) => out.json(&document)?,
            Err(error) => {
                out.json(&error_document(&error))?;
                status = status.max(line_status(&error));
            }
        }
    }
    out.finish()?;
    Ok(status)
}

/// The text of a line that failed, carried along with its error.
#[derive(Debug)]
struct Line(String);

impl std::fmt::Display for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

fn error_document(error: &anyhow::Error) -> ErrorDocument {
    let line = error.downcast_ref::<Line>().map(|line| line.0.clone());
    let at = error.chain().find_map(|cause| match cause.downcast_ref::<Refused>() {
        Some(Refused::Text { error, .. }) => Some((error.to_string(), [error.at.start, error.at.end])),
        _ => None,
    });
    match at {
        Some((text, at)) => ErrorDocument::new(line, text, Some(at)),
        None => ErrorDocument::new(line, error.root_cause().to_string(), None),
    }
}

/// Damage and failing devices are told apart; everything else is a line that failed.
fn line_status(error: &anyhow::Error) -> Status {
    match exit::status(error) {
        status @ (Status::Damaged | Status::Resource) => status,
        _ => Status::No,
    }
}

/// The next line without its end and the blanks around it; `None` at the end of the input.
pub(super) fn read_line(input: &mut impl BufRead) -> io::Result<Option<Result<String, Refused>>> {
    let mut bytes = Vec::new();
    if input.by_ref().take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.len() > LONGEST_LINE && !bytes.ends_with(b"\n") {
        input.skip_until(b'\n')?;
        return Ok(Some(Err(Refused::Usage(format!("line is longer than {LONGEST_LINE} bytes, expected a position")))));
    }
    let text = String::from_utf8(bytes).map(|text| text.trim().to_owned());
    Ok(Some(text.map_err(|_| Refused::Usage("line is not UTF-8, expected a position".to_owned()))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(mut bytes: &[u8]) -> Vec<Result<String, String>> {
        std::iter::from_fn(|| read_line(&mut bytes).unwrap())
            .map(|line| line.map_err(|error| error.to_string()))
            .collect()
    }

    #[test]
    fn every_line_counts_whatever_it_holds() {
        let long = "x".repeat(LONGEST_LINE + 1);
        let text = format!("startpos\r\n\n{long}\n  b \n");
        let found = lines(text.as_bytes());
        assert_eq!(found.len(), 4);
        assert_eq!((&found[0], &found[1], &found[3]), (&Ok("startpos".into()), &Ok("".into()), &Ok("b".into())));
        assert!(found[2].as_ref().unwrap_err().contains("longer than 4096 bytes"));
        let whole = format!("{}\nc", "x".repeat(LONGEST_LINE));
        assert_eq!(lines(whole.as_bytes()).iter().filter(|line| line.is_ok()).count(), 2);
        assert!(lines(b"\xff\xfe\nq")[0].is_err());
        assert_eq!(lines(b""), []);
    }
}
