//! A client that sends whatever it is told and reads answers.

use std::collections::BTreeMap;
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

/// No answer takes longer.
const PATIENCE: Duration = Duration::from_secs(20);

/// An answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// By name in lower case.
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        assert_eq!((self.status, self.header("content-type")), (200, "application/json"), "{self:?}");
        serde_json::from_str(&self.body).unwrap()
    }

    /// The last word of the type of a problem, and the document.
    pub(crate) fn problem(&self) -> (String, Value) {
        assert_eq!(self.header("content-type"), "application/problem+json", "{self:?}");
        let document: Value = serde_json::from_str(&self.body).unwrap();
        assert_eq!(document["status"], self.status);
        for field in ["title", "detail"] {
            assert!(!document[field].as_str().unwrap().is_empty());
        }
        (document["type"].as_str().unwrap().strip_prefix("/problems/").unwrap().to_owned(), document)
    }

    /// The last word of the type of a problem of this status.
    pub(crate) fn refused(&self, status: u16) -> String {
        assert_eq!(self.status, status, "{self:?}");
        self.problem().0
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }
}

/// A connection.
pub(crate) struct Client {
    stream: TcpStream,
    read: Vec<u8>,
}

impl Client {
    pub(crate) fn new(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_nodelay(true).unwrap();
        Self { stream, read: Vec::new() }
    }

    /// Sends bytes; that the server does not want them is no failure.
    pub(crate) fn send(&mut self, bytes: impl AsRef<[u8]>) {
        let _ = self.stream.write_all(bytes.as_ref());
    }

    /// Says that nothing more will come.
    pub(crate) fn finish(&mut self) {
        let _ = self.stream.shutdown(Shutdown::Write);
    }

    /// Asks for an address.
    pub(crate) fn get(&mut self, url: &str) -> Answer {
        self.send(format!("GET {url} HTTP/1.1\r\nHost: localhost\r\n\r\n"));
        self.answer().expect("an answer")
    }

    /// The next answer, `None` if the connection ends instead.
    pub(crate) fn answer(&mut self) -> Option<Answer> {
        self.answer_to(true)
    }

    /// The same of a request by HEAD, whose answer has no body.
    pub(crate) fn head_answer(&mut self) -> Option<Answer> {
        self.answer_to(false)
    }

    fn answer_to(&mut self, with_body: bool) -> Option<Answer> {
        let end = loop {
            if let Some(at) = self.read.windows(4).position(|four| four == b"\r\n\r\n") {
                break at;
            }
            if !self.more() {
                assert!(self.read.is_empty(), "{:?}", String::from_utf8_lossy(&self.read));
                return None;
            }
        };
        let head = String::from_utf8(self.read[..end].to_vec()).unwrap();
        self.read.drain(..end + 4);
        let mut lines = head.split("\r\n");
        let first = lines.next().unwrap();
        let status = first.strip_prefix("HTTP/1.1 ").or(first.strip_prefix("HTTP/1.0 ")).expect("HTTP/1");
        let status = status[..3].parse().unwrap();
        let header = |line: &str| {
            let (name, value) = line.split_once(": ").unwrap();
            (name.to_ascii_lowercase(), value.to_owned())
        };
        let headers: BTreeMap<String, String> = lines.map(header).collect();
        let length = headers.get("content-length").map_or(0, |length| length.parse().unwrap());
        let length = if with_body && status != 304 { length } else { 0 };
        while self.read.len() < length {
            assert!(self.more(), "the body ends early");
        }
        let body = String::from_utf8(self.read.drain(..length).collect()).unwrap();
        Some(Answer { status, headers, body })
    }

    /// All bytes that still come until the connection ends.
    pub(crate) fn rest(&mut self) -> Vec<u8> {
        while self.more() {}
        std::mem::take(&mut self.read)
    }

    /// Reads some more; `false` if the server has closed the connection.
    fn more(&mut self) -> bool {
        let mut buffer = [0; 1 << 16];
        let read = loop {
            match self.stream.read(&mut buffer) {
                // The test was suspended and goes on.
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        match read {
            Ok(0) => false,
            Ok(read) => {
                self.read.extend_from_slice(&buffer[..read]);
                true
            }
            Err(error) if error.kind() == ErrorKind::ConnectionReset => false,
            Err(error) => panic!("no answer: {error}"),
        }
    }
}

/// The answer to one request of its own connection.
pub(crate) fn get(address: SocketAddr, url: &str) -> Answer {
    Client::new(address).get(url)
}

/// The answer to these bytes, `None` if there is none.
pub(crate) fn ask(address: SocketAddr, bytes: impl AsRef<[u8]>) -> Option<Answer> {
    let mut client = Client::new(address);
    client.send(bytes);
    client.answer()
}
