//! Accepting connections and serving each of them, within limits and until told to stop. The only file that knows hyper.

use std::convert::Infallible;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use super::body;
use super::connections::{Connections, Place, Seat};
use super::guard::{LARGEST_HEADERS, LONGEST_URL, written};
use super::problem::{Kind, Problem};
use super::refusals::Refusals;
use super::server::Limits;
use super::wire::Wire;

/// Room for the head of a request: some more than it may be, so that what is too long can be told.
const HEAD_BUFFER: usize = 2 * (LONGEST_URL + LARGEST_HEADERS);
/// The most headers a request has.
const MOST_HEADERS: usize = 64;
/// How long to wait when the system gives no connection, say for want of file descriptors.
const ACCEPT_AGAIN: Duration = Duration::from_millis(50);
/// How long and how much is still read of a connection that is being closed, so that the last answer is not lost.
const LINGER: (Duration, usize) = (Duration::from_millis(500), 1 << 20);

/// Serves until `stop` is told, then lets requests under way end.
pub(super) async fn serve(listener: TcpListener, router: Router, limits: Limits, mut stop: watch::Receiver<bool>) {
    let connections = Connections::new(limits.connections);
    let service = TowerToHyperService::new(router);
    let refusals = Arc::new(Refusals::new());
    let mut open = tokio::task::JoinSet::new();
    loop {
        let (stream, place) = tokio::select! {
            accepted = accept(&listener, &connections) => accepted,
            _ = stop.wait_for(|stop| *stop) => break,
        };
        let answering =
            Answering { service: service.clone(), refusals: Arc::clone(&refusals), body_time: limits.head_time };
        open.spawn(connection(stream, place, answering, limits.clone(), stop.clone()));
        while open.try_join_next().is_some() {}
    }
    drop(listener);
    // What is not done by then is given up.
    let _ = timeout(limits.grace, async { while open.join_next().await.is_some() {} }).await;
}

async fn accept(listener: &TcpListener, connections: &Arc<Connections>) -> (TcpStream, Place) {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => return (stream, connections.place().await),
            Err(_) => sleep(ACCEPT_AGAIN).await,
        }
    }
}

/// A connection from its first request to its last.
async fn connection(
    stream: TcpStream,
    place: Place,
    answering: Answering,
    limits: Limits,
    mut stop: watch::Receiver<bool>,
) {
    // Answers are small and written whole.
    let _ = stream.set_nodelay(true);
    let seat = place.seat();
    let io = TokioIo::new(Wire::new(stream, limits.write_time));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(limits.head_time)
        .max_buf_size(HEAD_BUFFER)
        .max_headers(MOST_HEADERS);
    let mut connection = http.serve_connection(io, service_fn(|request| answering.answer(&seat, request)));
    let result = {
        let dismissed = pin!(seat.dismissed());
        let mut until = pin!(async {
            tokio::select! {
                () = dismissed => Turn::Leave,
                _ = stop.wait_for(|stop| *stop) => Turn::Finish,
            }
        });
        let mut finishing = false;
        poll_fn(|cx| {
            if !finishing && let std::task::Poll::Ready(turn) = until.as_mut().poll(cx) {
                match turn {
                    Turn::Leave => return std::task::Poll::Ready(None),
                    Turn::Finish => Pin::new(&mut connection).graceful_shutdown(),
                }
                finishing = true;
            }
            connection.poll_without_shutdown(cx).map(Some)
        })
        .await
    };
    let Some(result) = result else { return };
    let wire = connection.into_parts().io.into_inner();
    let problem = problem(&wire, &seat, result.err());
    tokio::select! {
        () = close(wire.into_stream(), problem.as_ref()) => {}
        // Others need the room more.
        () = seat.dismissed() => {}
    }
}

/// What a connection is asked to do by others than its client.
enum Turn {
    /// To go at once.
    Leave,
    /// To go after the request under way.
    Finish,
}

type Answer<'a> = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send + 'a>>;

/// What answers the requests of a connection.
struct Answering {
    service: TowerToHyperService<Router>,
    refusals: Arc<Refusals>,
    /// How long a body may take to come.
    body_time: Duration,
}

impl Answering {
    fn answer<'a>(&'a self, seat: &'a Seat, request: hyper::Request<Incoming>) -> Answer<'a> {
        Box::pin(async move {
            let request = body::read(request, self.body_time).await;
            seat.set_busy();
            let response = self.service.call(request).await;
            seat.set_idle();
            if response.as_ref().is_ok_and(|response| response.status() == StatusCode::SERVICE_UNAVAILABLE) {
                sleep(self.refusals.pause()).await;
            }
            response
        })
    }
}

/// What to tell a client whose bytes were no request.
fn problem(wire: &Wire, seat: &Seat, error: Option<hyper::Error>) -> Option<Problem> {
    if let Some(status) = wire.held_back() {
        let largest = format!(
            "expected an address of at most {LONGEST_URL} bytes, and at most {MOST_HEADERS} headers of {LARGEST_HEADERS} bytes in all"
        );
        return Some(match status {
            414 => Problem::new(Kind::LongUrl, format!("expected an address of at most {LONGEST_URL} bytes")),
            431 => Problem::new(Kind::LargeHead, largest),
            _ => Problem::new(Kind::Malformed, malformed(error.as_ref())),
        });
    }
    // A client who went away while his request was being answered, or without having asked, is told nothing.
    let error = error.filter(|_| wire.heard() && !seat.is_busy())?;
    if error.is_timeout() {
        Some(Problem::new(Kind::Slow, "the head of the request did not come in time"))
    } else if error.is_parse() || error.is_incomplete_message() {
        Some(Problem::new(Kind::Malformed, malformed(Some(&error))))
    } else {
        None
    }
}

/// What is wrong with bytes that are no request.
fn malformed(error: Option<&hyper::Error>) -> String {
    let text = error.map_or(String::new(), ToString::to_string);
    // So hyper names the parts of a request: invalid content-length parsed.
    match text.strip_prefix("invalid ").and_then(|text| text.strip_suffix(" parsed")) {
        Some(part) => format!("found a wrong {part}, expected a request of HTTP/1.1"),
        None => "found bytes that are none, expected a whole request of HTTP/1.1".to_owned(),
    }
}

/// Says a last word and closes the connection such that it is heard: a socket closed with bytes unread takes it back.
async fn close(mut stream: TcpStream, problem: Option<&Problem>) {
    let (time, most) = LINGER;
    let farewell = async {
        if let Some(problem) = problem {
            stream.write_all(&written(problem)).await?;
        }
        stream.shutdown().await?;
        let mut left = most;
        let mut buffer = [0; 4096];
        while left > 0 {
            match stream.read(&mut buffer).await? {
                0 => break,
                read => left = left.saturating_sub(read),
            }
        }
        std::io::Result::Ok(())
    };
    // Whoever does not listen is not waited for.
    let _ = timeout(time, farewell).await;
}
