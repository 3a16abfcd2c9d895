//! Limits of a process: open files, memory, threads.

use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::{KPE, builder, kpe, ran, told};

/// More tables than a process may have open files below.
fn many() -> &'static Path {
    static ROOT: OnceLock<tempfile::TempDir> = OnceLock::new();
    let root = ROOT.get_or_init(|| {
        let root = tempfile::tempdir().unwrap();
        let (status, _, err) = ran(builder(root.path(), "20").arg("--odd"));
        assert_eq!(status, 0, "{err}");
        let files = std::fs::read_dir(root.path().join(crate::SET)).unwrap().count();
        assert!(files > 80, "{files} files");
        root
    });
    root.path()
}

/// The program under a limit that `ulimit` sets.
fn limited(option: &str, limit: &str, args: &[&str]) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit $0 $1 && shift && exec \"$@\"", option, limit, KPE]).args(args);
    shell.env_remove("KPE_TABLES").env("HOME", "/nonexistent").env_remove("RUST_BACKTRACE");
    shell
}

#[test]
fn a_set_of_more_files_than_may_be_open() {
    let root = many().to_str().unwrap();
    for args in [
        &["tables", "verify", "--sample", "2000", "--tables", root][..],
        &["tables", "verify", "--tables", root],
        &["tables", "stats", "--tables", root],
        &["tables", "info", "--tables", root],
        &["tables", "digests", "--tables", root],
    ] {
        let expected = ran(&mut kpe(args));
        for limit in ["64", "32"] {
            let (status, out, err) = told(&limited("-n", limit, args).output().unwrap());
            assert_eq!((status, &out), (expected.0, &expected.1), "{args:?}, {limit} files: {err}");
        }
    }
}

/// A limit that the user may raise is raised.
#[test]
fn the_soft_limit_is_raised() {
    let root = many().to_str().unwrap();
    let args = ["tables", "verify", "--sample", "500", "--tables", root];
    let (status, _, err) = told(&limited("-Sn", "12", &args).output().unwrap());
    assert_eq!(status, 0, "{err}");
}

/// What book and tables answer takes no memory for a search.
#[test]
fn an_answer_from_the_book_wants_little_memory() {
    let (status, out, err) = told(&limited("-v", "200000", &["best", "--threads", "1"]).output().unwrap());
    assert_eq!(status, 0, "{err}");
    assert!(out.contains("exact"), "{out}");
}

/// More threads than processors have use for are not started.
#[test]
fn a_thousand_threads_take_no_longer() {
    let root = many().to_str().unwrap();
    let time = |threads| {
        let begun = Instant::now();
        let (status, _, err) = ran(&mut kpe(["tables", "verify", "--threads", threads, "--tables", root]));
        assert_eq!(status, 0, "{err}");
        begun.elapsed()
    };
    let few = time("2");
    let many = time("1024");
    assert!(many < 4 * few + Duration::from_secs(2), "{many:?} with 1024 threads, {few:?} with 2");
}

#[cfg(feature = "serve")]
mod served {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::net::TcpStream;
    use std::process::{Child, Stdio};

    use super::*;

    /// A server that is stopped when it is dropped.
    struct Server(Child, String);

    impl Drop for Server {
        fn drop(&mut self) {
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }

    impl Server {
        fn new(mut command: Command) -> Self {
            let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
            let mut line = String::new();
            BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
            let address = line.split("http://").nth(1).unwrap().trim_end_matches(['/', '\n', ' ']).to_owned();
            Self(child, address)
        }

        fn connect(&self) -> TcpStream {
            let stream = TcpStream::connect(&self.1).unwrap();
            stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
            stream
        }

        /// The whole answer about a position.
        fn ask(&self, position: &str) -> String {
            let mut stream = self.connect();
            let request = format!(
                "GET /api/v1/position?position={position} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
                self.1
            );
            let mut answer = String::new();
            let _ = stream.write_all(request.as_bytes()).and_then(|()| stream.read_to_string(&mut answer));
            answer
        }
    }

    /// Positions of many layers, which need as many files.
    fn positions() -> Vec<String> {
        (2..=20u8)
            .flat_map(|stones| {
                let plain = format!("{}-0-0-1-{}-0-0-0-{}-24-S", stones / 2, stones - stones / 2 - 1, 24 - stones);
                let locked = (stones >= 14).then(|| format!("{}-6-0-1-1-0-0-6-{}-24-S:Bd", stones - 14, 24 - stones));
                [Some(plain), locked].into_iter().flatten()
            })
            .collect()
    }

    #[test]
    fn a_server_recovers_when_its_clients_have_left() {
        let root = many().to_str().unwrap();
        let server = Server::new(limited("-n", "48", &["serve", "--port", "0", "--tables", root]));
        // All that the limit allows is taken by clients who say nothing.
        let silent: Vec<TcpStream> = (0..60).map(|_| server.connect()).collect();
        std::thread::sleep(Duration::from_millis(300));
        drop(silent);
        let begun = Instant::now();
        for position in positions() {
            loop {
                let answer = server.ask(&position);
                assert!(!answer.contains("Unsound table"), "{position}: {answer}");
                if answer.starts_with("HTTP/1.1 200") {
                    break;
                }
                assert!(begun.elapsed() < Duration::from_secs(60), "{position}: {answer}");
                std::thread::sleep(Duration::from_millis(50));
            }
        }
    }
}
