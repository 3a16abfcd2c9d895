//! `kpe serve` as whoever starts it meets it: what it says, how it begins and ends.

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::client::{Client, get};
use crate::scratch;

fn serve(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kpe"));
    command.arg("serve").args(args).env_remove("KPE_TABLES").env("HOME", scratch("home"));
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A server of its own process and the address it says it listens at.
struct Process {
    child: Child,
    out: BufReader<ChildStdout>,
    address: SocketAddr,
}

impl Process {
    fn start(args: &[&str]) -> Self {
        let mut child = serve(args).spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        let address = line.strip_prefix("http://").and_then(|rest| rest.strip_suffix("/\n"));
        let address = address.unwrap_or_else(|| panic!("found {line:?}")).parse().unwrap();
        Self { child, out, address }
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Status, what else was said on standard output, and standard error.
    fn ended(mut self) -> (Option<i32>, String, String) {
        let status = self.child.wait().unwrap();
        let (mut out, mut err) = (String::new(), String::new());
        self.out.read_to_string(&mut out).unwrap();
        self.child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        (status.code(), out, err)
    }
}

#[test]
fn it_listens_on_this_machine_alone_unless_told_otherwise() {
    let process = Process::start(&["--port", "0"]);
    assert!(process.address.ip().is_loopback() && process.address.port() != 0);
    assert_eq!(get(process.address, "/").status, 200);
    process.signal(Signal::TERM);
    assert_eq!(process.ended(), (Some(0), String::new(), String::new()));

    let process = Process::start(&["--bind", "0.0.0.0:0", "--host", "kpe.example"]);
    assert!(process.address.ip().is_unspecified());
    let here = SocketAddr::from(([127, 0, 0, 1], process.address.port()));
    assert_eq!(get(here, "/").status, 200);
    process.signal(Signal::INT);
    let (status, _, err) = process.ended();
    assert_eq!(status, Some(0));
    assert!(err.starts_with("kpe: warning: everybody who can reach this address") && err.lines().count() == 1, "{err}");
}

#[test]
fn a_request_under_way_is_answered_before_the_end() {
    for signal in [Signal::INT, Signal::TERM] {
        let process = Process::start(&["--port", "0"]);
        let mut busy = Client::new(process.address);
        let mut idle = Client::new(process.address);
        assert_eq!(idle.get("/api/v1/health").status, 200);
        busy.send("GET /api/v1/position?game=gore&time_ms=700 HTTP/1.1\r\nHost: localhost\r\n\r\n");
        let begun = Instant::now();
        while idle.get("/api/v1/health").json()["searches"]["running"] != 1 {
            assert!(begun.elapsed() < Duration::from_secs(10), "no search");
        }
        process.signal(signal);
        assert_eq!(busy.answer().unwrap().json()["source"], "search");
        // Idle connections and new ones are not waited for.
        assert_eq!(idle.answer(), None);
        let address = process.address;
        assert_eq!(process.ended().0, Some(0));
        assert!(std::net::TcpStream::connect(address).is_err());
    }
}

#[test]
fn an_address_that_is_not_to_be_had_is_refused() {
    let process = Process::start(&["--port", "0"]);
    let taken = process.address.port().to_string();
    for (args, status, told) in [
        (&["--port", taken.as_str()][..], 5, "choose another address or port"),
        (&["--bind", "192.0.2.1:0"], 5, "choose another address or port"),
        (&["--memory", "1000TiB", "--port", "0"], 5, "bytes of memory to remember positions in; give the server less"),
        (&["--memory", "0"], 2, "is 0 bytes, expected 67108864 or more"),
        (&["--memory", "63MiB"], 2, "expected 67108864 or more"),
        (&["--bind", "localhost"], 2, "found \"localhost\", expected an address such as"),
        (&["--bind", "127.0.0.1:1", "--port", "2"], 2, "give one of them"),
        (&["--port", "65536"], 2, "expected a whole number from 0 to 65535"),
        (&["--searches", "0"], 2, "expected a whole number from 1 to 1024"),
        (&["--host", "kpe.example:80"], 2, "expected the name of a host without a port"),
        (&["--host", ""], 2, "expected the name of a host"),
    ] {
        let output = serve(args).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(status), 0), "{args:?}: {err}");
        assert!(err.contains(told), "{args:?}: {err}");
    }
    let output = serve(&["--tables", "/no/such/directory"]).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    process.signal(Signal::TERM);
    process.ended();
}

#[test]
fn names_given_are_allowed() {
    let process = Process::start(&["--port", "0", "--host", "kpe.example"]);
    let ask = |host: &str| {
        let mut client = Client::new(process.address);
        client.send(format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n"));
        client.answer().unwrap().status
    };
    assert_eq!((ask("kpe.example"), ask("other.example")), (200, 421));
    process.signal(Signal::TERM);
    process.ended();
}

#[test]
#[cfg(target_os = "linux")]
fn whoever_cannot_be_told_the_address_gets_no_server() {
    let script = format!("exec '{}' serve --port 0 >&-", env!("CARGO_BIN_EXE_kpe"));
    let ended = Command::new("timeout").args(["20", "sh", "-c", &script]).output().unwrap();
    assert_eq!(ended.status.code(), Some(5), "{ended:?}");
}
