//! The server as its clients meet it: bytes into a socket, bytes out of it.
#![cfg(feature = "serve")]

mod answers;
mod bodies;
mod client;
mod commands;
mod documentation;
mod garbage;
mod limits;
mod security;
mod tables;

use std::net::SocketAddr;
use std::ops::Deref;

use kpe::web::{Limits, Running, Settings, start};

/// A server of a test's own; it ends with the test.
struct Served(Option<Running>);

impl Deref for Served {
    type Target = Running;
    fn deref(&self) -> &Running {
        self.0.as_ref().expect("it ends when it is dropped")
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.0.take().expect("it ends once").stop();
    }
}

/// What the tests change of this is what they are about.
fn settings() -> Settings {
    let address = SocketAddr::from(([127, 0, 0, 1], 0));
    Settings { address, hosts: Vec::new(), tables: None, memory: 64 << 20, limits: Limits::default() }
}

/// A server with these limits.
fn limited(limits: Limits) -> Served {
    served(Settings { limits, ..settings() })
}

fn served(settings: Settings) -> Served {
    Served(Some(start(settings).expect("a free port is to be had")))
}

/// A directory of this test program's own; its name is used by one test.
fn scratch(name: &str) -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("web").join(name)
}
