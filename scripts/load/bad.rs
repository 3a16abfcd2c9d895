//! Clients nobody wants.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

/// What they do.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// 500 connections that send a byte a second.
    Slow,
    /// Requests that are none, as fast as four connections can.
    Flood,
    /// Searches begun and left after 20 milliseconds, sixteen at a time.
    Abort,
    /// Requests whose answers are never read, 100 at a time.
    Deaf,
    /// 300 connections that ask for searches, each as soon as it has its answer.
    Searching,
    /// 300 that ask for annotations in the same way.
    Annotating,
}

impl Kind {
    pub(crate) const ALL: [Self; 6] =
        [Self::Slow, Self::Flood, Self::Abort, Self::Deaf, Self::Searching, Self::Annotating];

    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Slow => "beside 500 slow connections",
            Self::Flood => "beside a flood of malformed requests",
            Self::Abort => "beside searches that are aborted",
            Self::Deaf => "beside clients that read nothing",
            Self::Searching => "beside 300 connections that want searches",
            Self::Annotating => "beside 300 connections that want annotations",
        }
    }

    const fn clients(self) -> usize {
        match self {
            Self::Slow => 500,
            Self::Flood => 4,
            Self::Abort => 16,
            Self::Deaf => 100,
            Self::Searching | Self::Annotating => 300,
        }
    }
}

/// Bad clients at work in a thread of their own.
pub(crate) struct Crowd {
    stop: Arc<AtomicBool>,
    done: Arc<AtomicU64>,
    thread: Option<JoinHandle<()>>,
}

impl Crowd {
    pub(crate) fn start(kind: Kind, address: SocketAddr) -> anyhow::Result<Self> {
        let (stop, done) = (Arc::<AtomicBool>::default(), Arc::<AtomicU64>::default());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (stopped, count) = (Arc::clone(&stop), Arc::clone(&done));
        let thread = thread::spawn(move || {
            runtime.block_on(async {
                for _ in 0..kind.clients() {
                    let (stopped, count) = (Arc::clone(&stopped), Arc::clone(&count));
                    tokio::spawn(async move {
                        while !stopped.load(Relaxed) {
                            // That the server does not like it is what it is about.
                            let _ = misbehave(kind, address, &stopped).await;
                            count.fetch_add(1, Relaxed);
                        }
                    });
                }
                while !stopped.load(Relaxed) {
                    sleep(Duration::from_millis(20)).await;
                }
            });
        });
        Ok(Self { stop, done, thread: Some(thread) })
    }

    /// Ends it; how many connections were made.
    pub(crate) fn stop(mut self) -> u64 {
        self.stop.store(true, Relaxed);
        // It panics only if the harness is wrong, and has said so then.
        let _ = self.thread.take().map(JoinHandle::join);
        self.done.load(Relaxed)
    }
}

/// One connection.
async fn misbehave(kind: Kind, address: SocketAddr, stop: &AtomicBool) -> std::io::Result<()> {
    let mut stream = TcpStream::connect(address).await?;
    match kind {
        Kind::Slow => {
            for byte in b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ".iter().chain(std::iter::repeat(&b'y')) {
                stream.write_all(&[*byte]).await?;
                let mut answer = [0; 1024];
                if timeout(Duration::from_secs(1), stream.read(&mut answer)).await.is_ok() || stop.load(Relaxed) {
                    // Closed: again, but not at once.
                    sleep(Duration::from_millis(100)).await;
                    break;
                }
            }
        }
        Kind::Flood => {
            stream.write_all(b"BREW coffee\r\nHost: ?\r\n\r\n").await?;
            let mut answer = Vec::new();
            stream.read_to_end(&mut answer).await?;
        }
        Kind::Abort => {
            let url = "/api/v1/position?game=gore&time_ms=2000";
            stream.write_all(format!("GET {url} HTTP/1.1\r\nHost: localhost\r\n\r\n").as_bytes()).await?;
            sleep(Duration::from_millis(20)).await;
        }
        Kind::Deaf => {
            let request = "GET /api/v1/play?moves=A,a,B,b,C,c,D,d HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(1000);
            let _ = timeout(Duration::from_secs(5), stream.write_all(request.as_bytes())).await;
            sleep(Duration::from_secs(1)).await;
        }
        Kind::Searching => insist(&mut stream, "choose?game=gore&time_ms=2000", stop).await?,
        Kind::Annotating => insist(&mut stream, "annotate?game=gore&moves=A,a,B,b&time_ms=2000", stop).await?,
    }
    Ok(())
}

/// Asks for the same again and again as long as the connection lasts.
async fn insist(stream: &mut TcpStream, url: &str, stop: &AtomicBool) -> std::io::Result<()> {
    let request = format!("GET /api/v1/{url} HTTP/1.1\r\nHost: localhost\r\n\r\n");
    let mut answer = vec![0; 1 << 16];
    while !stop.load(Relaxed) {
        stream.write_all(request.as_bytes()).await?;
        loop {
            // Part of an answer is as good as all of it here.
            match timeout(Duration::from_millis(100), stream.read(&mut answer)).await {
                Ok(Ok(read)) if read > 0 => break,
                Ok(_) => return Ok(()),
                Err(_) if stop.load(Relaxed) => return Ok(()),
                Err(_) => {}
            }
        }
    }
    Ok(())
}
