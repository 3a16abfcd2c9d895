//! A client that asks and waits for the answer, on one connection as long as it lasts.

use std::io;
use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

pub(crate) struct Client {
    address: SocketAddr,
    stream: Option<TcpStream>,
    buffer: Vec<u8>,
    /// Connections that were made.
    pub(crate) connections: u64,
}

impl Client {
    pub(crate) fn new(address: SocketAddr) -> Self {
        Self { address, stream: None, buffer: vec![0; 1 << 16], connections: 0 }
    }

    /// The status of the answer and the length of its body.
    pub(crate) async fn get(&mut self, url: &str) -> io::Result<(u16, usize)> {
        let request = format!("GET {url} HTTP/1.1\r\nHost: localhost\r\n\r\n");
        let reused = self.stream.is_some();
        match self.ask(request.as_bytes()).await {
            // The server may close a connection between two requests; as browsers do, ask again on another.
            Err(_) if reused => self.ask(request.as_bytes()).await,
            answer => answer,
        }
    }

    async fn ask(&mut self, request: &[u8]) -> io::Result<(u16, usize)> {
        let mut stream = match self.stream.take() {
            Some(stream) => stream,
            None => {
                self.connections += 1;
                let stream = TcpStream::connect(self.address).await?;
                stream.set_nodelay(true)?;
                stream
            }
        };
        stream.write_all(request).await?;
        let mut read = 0;
        loop {
            if read == self.buffer.len() {
                self.buffer.resize(2 * read, 0);
            }
            match stream.read(&mut self.buffer[read..]).await? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                more => read += more,
            }
            if let Some((status, head, body)) = lengths(&self.buffer[..read])
                && read >= head + body
            {
                if status < 400 || status == 404 {
                    self.stream = Some(stream);
                }
                return Ok((status, body));
            }
        }
    }
}

/// Status, length of the head and of the body, once the head is there.
fn lengths(bytes: &[u8]) -> Option<(u16, usize, usize)> {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")? + 4;
    let head = std::str::from_utf8(&bytes[..end]).ok()?;
    let status = head.get(9..12)?.parse().ok()?;
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "))?.parse().ok()?;
    Some((status, end, length))
}
