//! The bytes of one connection, between the socket and hyper.
//!
//! What is no HTTP never reaches the code that answers requests: hyper answers it itself, with an empty body. Here such
//! an answer is held back, so that whoever serves the connection can send a problem document in its place. And a client
//! that takes no bytes for too long is given up.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::http::header::X_CONTENT_TYPE_OPTIONS;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep_until};

/// A socket as hyper reads and writes it.
pub(super) struct Wire {
    stream: TcpStream,
    /// Bytes came that no answer has followed yet.
    heard: bool,
    /// The status of an answer of hyper's own that was held back.
    held_back: Option<u16>,
    /// How long a client may take no bytes.
    patience: Duration,
    /// Since when he takes none, plus that.
    deadline: Option<Pin<Box<Sleep>>>,
}

impl Wire {
    pub(super) fn new(stream: TcpStream, patience: Duration) -> Self {
        Self { stream, heard: false, held_back: None, patience, deadline: None }
    }

    /// Whether a request has begun to come and was not answered.
    pub(super) const fn heard(&self) -> bool {
        self.heard
    }

    /// The status of an answer that hyper would have given.
    pub(super) const fn held_back(&self) -> Option<u16> {
        self.held_back
    }

    /// The socket.
    pub(super) fn into_stream(self) -> TcpStream {
        self.stream
    }

    /// A write that waits: an error if it has waited too long.
    fn wait(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        let patience = self.patience;
        let deadline = self.deadline.get_or_insert_with(|| Box::pin(sleep_until(Instant::now() + patience)));
        ready!(deadline.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

/// The status of the answer that begins here if hyper gives it by itself: all others say how they may be used.
fn own_status(bytes: &[u8]) -> Option<u16> {
    let text = bytes.strip_prefix(b"HTTP/1.")?;
    let status = std::str::from_utf8(text.get(2..5)?).ok()?.parse().ok().filter(|status| *status >= 400)?;
    let mark = X_CONTENT_TYPE_OPTIONS.as_str().as_bytes();
    (!bytes.windows(mark.len()).any(|part| part == mark)).then_some(status)
}

impl AsyncRead for Wire {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let wire = self.get_mut();
        let before = buffer.filled().len();
        ready!(Pin::new(&mut wire.stream).poll_read(cx, buffer))?;
        wire.heard |= buffer.filled().len() > before;
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Wire {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let wire = self.get_mut();
        if wire.held_back.is_none() {
            wire.held_back = own_status(bytes);
        }
        if wire.held_back.is_some() {
            return Poll::Ready(Ok(bytes.len()));
        }
        match Pin::new(&mut wire.stream).poll_write(cx, bytes) {
            Poll::Ready(written) => {
                wire.deadline = None;
                wire.heard = false;
                Poll::Ready(written)
            }
            Poll::Pending => wire.wait(cx),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_answers_without_our_mark_are_hypers() {
        let answer = |status: &str, header: &str| format!("HTTP/1.1 {status}\r\n{header}\r\n\r\n").into_bytes();
        assert_eq!(own_status(&answer("431 Request Header Fields Too Large", "content-length: 0")), Some(431));
        assert_eq!(own_status(&answer("404 Not Found", "x-content-type-options: nosniff")), None);
        assert_eq!(own_status(&answer("200 OK", "content-length: 0")), None);
        assert_eq!(own_status(b"{\"title\": 400}"), None);
        assert_eq!(own_status(b"HTTP/1."), None);
    }
}
