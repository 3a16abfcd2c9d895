//! Small pieces of a page that is well-formed XML.

use std::fmt::{Display, Write as _};

use crate::echo::lines;

/// Text with the characters that have a meaning in HTML replaced, and those that would turn the direction of what follows.
pub(crate) fn escape(text: &str) -> String {
    lines(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A table with an id and a caption; the first cell of each row is its head.
pub(crate) struct Table {
    text: String,
}

impl Table {
    pub(crate) fn new<H: Display>(id: &str, caption: &str, heads: impl IntoIterator<Item = H>) -> Self {
        let mut text =
            format!("<div class=\"wide\"><table id=\"{id}\"><caption>{}</caption><thead><tr>", escape(caption));
        for head in heads {
            // Writing to a string does not fail.
            let _ = write!(text, "<th scope=\"col\">{}</th>", escape(&head.to_string()));
        }
        text += "</tr></thead><tbody>\n";
        Self { text }
    }

    pub(crate) fn row<C: Display>(&mut self, cells: impl IntoIterator<Item = C>) {
        self.text += "<tr>";
        for (at, cell) in cells.into_iter().enumerate() {
            let cell = escape(&cell.to_string());
            let _ = if at == 0 {
                write!(self.text, "<th scope=\"row\">{cell}</th>")
            } else {
                write!(self.text, "<td>{cell}</td>")
            };
        }
        self.text += "</tr>\n";
    }

    pub(crate) fn end(self) -> String {
        self.text + "</tbody></table></div>\n"
    }
}

/// The style of the page: one column, readable on a phone; drawings shrink, tables scroll; black on white in print.
pub(crate) const STYLE: &str = "\
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:0 1rem;color:#222;background:#fff}\
h1,h2{line-height:1.2}h2{margin-top:2.5rem;border-bottom:1px solid #ccc}\
svg{max-width:100%;height:auto;display:block}\
.wide{overflow-x:auto;margin:1rem 0}\
table{border-collapse:collapse;font-size:.85rem;font-variant-numeric:tabular-nums}\
caption{text-align:left;font-weight:600;padding:.3rem 0}\
th,td{border:1px solid #ccc;padding:.1rem .4rem;text-align:right}th{background:#f3f3f3}\
.traps{display:flex;flex-wrap:wrap;gap:1rem}.traps figure{margin:0;width:15rem}\
figcaption,.note{font-size:.85rem;color:#444}code{overflow-wrap:anywhere}\
@media print{body{max-width:none;font-size:11px}h2{break-after:avoid}figure,tr{break-inside:avoid}.wide{overflow:visible}\
#matrix{font-size:6px}#matrix th,#matrix td{padding:0 1px}}";
